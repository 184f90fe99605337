import { createRegistry, type Entry } from '../../core/naming/registry.ts';
import { endpointUsage } from '../settings/model-named.ts';

export const verifiers = createRegistry<Entry>({
  noun: 'verifier',
  plural: 'verifiers',
  about: 'Who says whether an episode passed.',
  module: { member: 'judge', powers: ['name', 'judge'] },
  entries: [
    { name: 'state', about: 'The checks of the task on the state, and that nothing else changed: always asked.' },
    { name: 'model', usage: endpointUsage, about: 'A model that judges finished episodes: espalier judge --judge.' },
  ],
});

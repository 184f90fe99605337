import { createRegistry } from '../../core/naming/registry.ts';
import type { Estimator } from './contract.ts';
import { gigpo, gigpoPaper } from './group/gigpo.ts';
import { drGrpo, grpo } from './group/grpo.ts';

/** The estimators of advantages that can be chosen by name. */
export const estimators = createRegistry<Estimator>({
  noun: 'estimator',
  plural: 'estimators',
  about: 'How much each step was worth beside other tries: `espalier export --advantage`.',
  module: { member: 'estimator', powers: ['name', 'estimate'] },
  entries: [grpo, drGrpo, gigpo, gigpoPaper],
});

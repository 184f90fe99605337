import { environments as builtIn } from '../../catalog.ts';
import { createRegistry, type Entry, type Registry } from '../../core/naming/registry.ts';
import { exporters } from '../../dataset/tables.ts';
import { tokenFormats } from '../../dataset/tokens/formats.ts';
import { dialects } from '../../dialects/dialects.ts';
import { appFamilies, families } from '../environments/families.ts';
import { students, teachers, verifiers } from './agents.ts';
import { strategies } from './strategies.ts';

const environments = createRegistry<Entry>({
  noun: 'environment',
  plural: 'environments',
  about: 'Where agents act: built-in apps, modules of yours, and what other people serve.',
  module: { member: 'app', powers: ['id', 'state', 'init', 'commands', 'view', 'templates'] },
  entries: [...builtIn.map(({ id, about }) => ({ name: id, about })), ...appFamilies, ...families],
});

/** Every noun with its entries; `espalier list` shows them. */
export const nouns = createRegistry<Entry & { readonly registry: Registry }>({
  noun: 'noun',
  plural: 'nouns',
  about: 'What can be listed.',
  entries: [environments, strategies, students, teachers, verifiers, exporters, tokenFormats, dialects].map(
    (registry: Registry) => ({ name: registry.plural, about: registry.about, registry }),
  ),
});

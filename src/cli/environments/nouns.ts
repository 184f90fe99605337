import { signals } from '../../analysis/signals/signals.ts';
import { families } from '../../catalog.ts';
import { servedMember } from '../../core/chat/served.ts';
import { createRegistry, type Entry, type Registry } from '../../core/naming/registry.ts';
import { estimators } from '../../dataset/credit/estimators.ts';
import { exporters } from '../../dataset/tables/tables.ts';
import { tokenFormats } from '../../dataset/tokens/formats.ts';
import { tokenizers } from '../../dataset/tokens/tokenizers.ts';
import { trajectoryFormats } from '../../dataset/trajectories/formats.ts';
import { dialects } from '../../models/dialects/dialects.ts';
import { protocols } from '../../serve/assembly/protocols.ts';
import { memories } from '../../runs/registry/memories.ts';
import { schedules } from '../../runs/registry/schedules.ts';
import { strategies } from '../../runs/registry/strategies.ts';
import { students } from '../../runs/registry/students.ts';
import { teachers } from '../../runs/registry/teachers.ts';
import { verifiers } from '../../runs/registry/verifiers.ts';

const environments = createRegistry<Entry>({
  noun: 'environment',
  plural: 'environments',
  about: 'Where agents act: built-in apps, modules of yours, and what other people serve.',
  module: { member: 'app', powers: ['id', 'state', 'init', 'commands', 'view', 'templates'] },
  entries: families,
});

/** The kinds of endpoints that a model can be named with. Policies of ours are served in the dialect of OpenAI. */
const endpoints = createRegistry<Entry>({
  noun: dialects.noun,
  plural: dialects.plural,
  about: dialects.about,
  ...(dialects.module === null ? {} : { module: dialects.module }),
  entries: [
    ...dialects.entries,
    { name: servedMember, about: 'A policy that espalier serve-policy serves, in the dialect openai.' },
  ],
});

/** Every noun with its entries; `espalier list` shows them. */
export const nouns = createRegistry<Entry & { readonly registry: Registry }>({
  noun: 'noun',
  plural: 'nouns',
  about: 'What can be listed.',
  entries: [
    environments,
    strategies,
    schedules,
    memories,
    students,
    teachers,
    verifiers,
    signals,
    estimators,
    exporters,
    tokenFormats,
    tokenizers,
    trajectoryFormats,
    endpoints,
    protocols,
  ].map((registry: Registry) => ({ name: registry.plural, about: registry.about, registry })),
});

import { createRegistry, type Entry } from '../../core/naming/registry.ts';

/** Who can act or teach. What is no word of its own is written as its usage says: a file, or an endpoint. */
export interface AgentEntry extends Entry {
  readonly isWord: boolean;
}

const endpoints = 'openai:MODEL@URL, responses:MODEL@URL, anthropic:MODEL, espalier:MODEL@URL';
const model: AgentEntry = {
  name: 'model',
  usage: endpoints,
  about: 'A model behind an endpoint.',
  isWord: false,
};

function word(name: string, about: string): AgentEntry {
  return { name, about, isWord: true };
}

export const students = createRegistry<AgentEntry>({
  noun: 'student',
  plural: 'students',
  about: 'Who acts: --student of collect and eval.',
  module: { member: 'policy', powers: ['name', 'act'] },
  entries: [
    word('untrained', 'The small student before it has learned anything.'),
    word('random', 'Any action that is possible, by chance.'),
    word('planner', 'A search that sees the state; its steps are demonstrations, not a student’s.'),
    { name: 'trained', usage: '<file>', about: 'A file that espalier train wrote.', isWord: false },
    model,
  ],
});

export const teachers = createRegistry<AgentEntry>({
  noun: 'teacher',
  plural: 'teachers',
  about: 'Who reviews and corrects: --teacher of collect.',
  module: { member: 'teacher', powers: ['name', 'review', 'correct'] },
  entries: [
    word('planner', 'A search that sees the state; it can be told to err.'),
    word('human', 'A person at this terminal.'),
    word('none', 'Nobody.'),
    model,
  ],
});

export const verifiers = createRegistry<Entry>({
  noun: 'verifier',
  plural: 'verifiers',
  about: 'Who says whether an episode passed.',
  entries: [
    { name: 'state', about: 'The checks of the task on the state, and that nothing else changed: always asked.' },
    { name: 'model', usage: endpoints, about: 'A model that judges finished episodes: espalier judge --judge.' },
  ],
});

/** Whether a name is a word that stands for an agent of ours. */
export function isWordOf(registry: typeof students, name: string): boolean {
  return registry.find(name)?.isWord === true;
}

import type { StateSession } from '../../core/contracts.ts';
import type { Task } from '../../core/records.ts';
import { answersFrom } from './brute-force.ts';
import type { Library } from './documents.ts';
import type { Entity, Fact } from './graph.ts';
import { derive, nameOf, questionSchema, type Derivation, type Question } from './question.ts';
import { createFactReader, type ReadFact } from './read-facts.ts';
import type { RetrievalPlace } from './retrieval-rules.ts';

/** The facts that documents say, read back from their text alone. */
export function readDocument(
  { document }: Library,
  place: number,
  read: (text: string) => ReadFact | null,
): ReadFact[] {
  return document(place).lines.flatMap(({ text }) => read(text) ?? []);
}

/** What a document says beside the facts that it was made from, or leaves out; null when it says exactly them. */
export function unfaithful(library: Library, place: number, read: (text: string) => ReadFact | null): string | null {
  const { graph } = library;
  const meant = (graph.about[place] ?? []).map(fact => written(graph.entities, fact)).toSorted();
  const said = readDocument(library, place, read)
    .map(fact => JSON.stringify(fact))
    .toSorted();
  return JSON.stringify(meant) === JSON.stringify(said) ? null : `document d${place} says ${said.join(', ')}`;
}

function written(entities: readonly Entity[], { subject, relation, object, from, to }: Fact): string {
  const names = { subject: (entities[subject] as Entity).name, object: (entities[object] as Entity).name };
  const fact: ReadFact = { subject: names.subject, relation: relation.name, object: names.object, from, to };
  return JSON.stringify(fact);
}

/**
 * Checks a task by reading the whole library back: every document says exactly its facts, the facts of all documents give
 * one answer, and those of no single document give any, where the question takes several.
 */
export function createSoundness({ library }: Pick<RetrievalPlace, 'library'>): (task: Task) => string | null {
  const read = createFactReader(library.graph.entities);
  let all: { readonly facts: readonly ReadFact[]; readonly fault: string | null } | null = null;
  const readAll = (): NonNullable<typeof all> => {
    const places = Array.from({ length: library.size }, (_, place) => place);
    const fault = places.map(place => unfaithful(library, place, read)).find(found => found !== null) ?? null;
    return { facts: places.flatMap(place => readDocument(library, place, read)), fault };
  };
  return task => {
    all ??= readAll();
    if (all.fault !== null) return all.fault;
    const { names: _names, ...given } = task.parameters;
    const question = questionSchema.parse(given);
    const derivation = derive(library.graph, question);
    if (derivation === null) return 'the way does not lead to one entity';
    const answers = answersFrom(all.facts, question);
    const answer = nameOf(library.graph, derivation.answer);
    if (answers.length !== 1 || answers[0] !== answer) return `the answers are ${answers.join(', ')}, not ${answer}`;
    return shortCut(library, { question, derivation, read });
  };
}

interface Asked {
  readonly question: Question;
  readonly derivation: Derivation;
  read(text: string): ReadFact | null;
}

function shortCut(library: Library, { question, derivation, read }: Asked): string | null {
  if (derivation.facts.length < 2) return null;
  for (const { subject } of derivation.facts) {
    const answers = answersFrom(readDocument(library, subject, read), question);
    if (answers.length > 0) return `document d${subject} alone gives ${answers.join(', ')}`;
  }
  return null;
}

/** Agents that do not think: they search for the whole question and trust the first document. */
export const retrievalBaselines = [
  { name: 'answer with the first title', play: (session: StateSession) => trustFirst(session, 0, 'title') },
  { name: 'answer with the first name', most: 0.5, play: (session: StateSession) => trustFirst(session, 0, 'name') },
  { name: 'answer from the second document', play: (session: StateSession) => trustFirst(session, 1, 'name') },
];

function trustFirst(session: StateSession, rank: number, what: 'title' | 'name'): void {
  const { instruction } = session.task;
  const query = instruction.slice(0, instruction.indexOf('.')).slice(0, 200);
  const listed = session.step({ kind: 'call', tool: 'search', input: { query } }).result as { document: string }[];
  const { document = 'd0' } = listed[rank] ?? {};
  const page = session.step({ kind: 'call', tool: 'open', input: { document } }).result as OpenedPage | undefined;
  const text = (page?.shown ?? []).map(line => line.text).join(' ');
  const name = (text.match(/\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*/gu) ?? []).find(found => found !== page?.title);
  session.step({ kind: 'finish', answer: (what === 'title' ? page?.title : name) ?? '' });
}

interface OpenedPage {
  readonly title: string;
  readonly shown: readonly { readonly text: string }[];
}

import type { Random } from '../../core/random.ts';
import type { SearchIndex } from './bm25.ts';
import type { Entity, Fact, KnowledgeGraph } from './graph.ts';
import { derive, nameOf, namesBefore, type Derivation, type Hop, type Question, type Time } from './question.ts';
import { relations } from './relations.ts';

/** A kind of question: how many hops it has, and whether one of them is bound to a time. */
export interface QuestionShape {
  readonly hops: number;
  readonly timed: boolean;
}

export interface DrawnQuestion extends Derivation {
  readonly question: Question;
}

/** Documents that a search lists. */
export const listed = 8;
const attempts = 4000;

/** A question of a shape with exactly one answer, whose documents a search for the names before them lists. */
export function drawQuestion(
  { graph, index }: { readonly graph: KnowledgeGraph; readonly index: SearchIndex },
  { hops, timed }: QuestionShape,
  random: Random,
): DrawnQuestion | null {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const question = walk(graph, { hops, timed }, random);
    const derivation = question === null ? null : derive(graph, question);
    if (question === null || derivation === null) continue;
    if (isReachable({ graph, index }, question, derivation)) return { question, ...derivation };
  }
  return null;
}

/** A walk by chance; its answer need not be the only one. */
function walk(graph: KnowledgeGraph, { hops, timed }: QuestionShape, random: Random): Question | null {
  const start = random.between(0, graph.entities.length - 1);
  const timedHop = timed ? random.between(0, hops - 1) : -1;
  const way: Hop[] = [];
  let entity = start;
  for (let number = 0; number < hops; number++) {
    const steps = stepsFrom(graph, entity, number === timedHop);
    if (steps.length === 0) return null;
    const { fact, backward } = random.pick(steps);
    const time = number === timedHop ? drawTime(graph, fact, random) : null;
    way.push({ relation: fact.relation.name, backward, time });
    entity = backward ? fact.subject : fact.object;
  }
  return { start: nameOf(graph, start), hops: way };
}

interface PossibleStep {
  readonly fact: Fact;
  readonly backward: boolean;
}

function stepsFrom(graph: KnowledgeGraph, entity: number, timed: boolean): PossibleStep[] {
  const suits = ({ relation }: Fact): boolean => (relation.timing === 'interval') === timed;
  const forward = (graph.about[entity] as readonly Fact[]).filter(suits);
  const backward = (graph.with[entity] as readonly Fact[]).filter(
    fact => suits(fact) && fact.relation.backward !== null,
  );
  return [...forward.map(fact => ({ fact, backward: false })), ...backward.map(fact => ({ fact, backward: true }))];
}

const events = new Set(relations.filter(({ year }) => year !== undefined));

/** A time inside of the interval of a fact, so that who came right before or after does not count. */
function drawTime(graph: KnowledgeGraph, { from, to }: Fact, random: Random): Time {
  const [low, high] = [(from ?? 0) + 1, (to ?? 0) - 1];
  const kind = random.pick(['year', 'year', 'first', 'last', 'year-of', 'year-of'] as const);
  if (kind === 'first' || kind === 'last') return { kind };
  const mostEvents = kind === 'year-of' ? 60 : 0;
  for (let attempt = 0; attempt < mostEvents; attempt++) {
    const place = random.between(0, graph.entities.length - 1);
    const event = (graph.about[place] as readonly Fact[]).find(({ relation }) => events.has(relation));
    if (event?.from === undefined || event.from === null || event.from < low || event.from > high) continue;
    return { kind: 'year-of', relation: event.relation.name, subject: (graph.entities[place] as Entity).name };
  }
  return { kind: 'year', year: random.between(low, high) };
}

/** Whether each document is among those that a search lists for the name that leads to it, alone or with a keyword. */
function isReachable(
  { graph, index }: { readonly graph: KnowledgeGraph; readonly index: SearchIndex },
  question: Question,
  derivation: Derivation,
): boolean {
  const names = namesBefore(graph, question, derivation);
  return derivation.facts.every(({ subject, relation }, at) =>
    [names[at] as string, `${names[at]} ${relation.keyword}`].some(query =>
      index.search(query, listed).some(hit => hit.document === subject),
    ),
  );
}

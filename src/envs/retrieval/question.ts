import { z } from 'zod';
import type { Entity, Fact, KnowledgeGraph } from './graph.ts';
import { relationNamed, relations } from './relations.ts';

const relationName = z.enum(relations.map(({ name }) => name) as [string, ...string[]]);

/** When a hop holds: in a year, before or after all others, or in the year of an event of another entity. */
const timeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('year'), year: z.int() }),
  z.strictObject({ kind: z.literal('first') }),
  z.strictObject({ kind: z.literal('last') }),
  z.strictObject({ kind: z.literal('year-of'), relation: relationName, subject: z.string() }),
]);
export type Time = z.infer<typeof timeSchema>;

const hopSchema = z.strictObject({
  relation: relationName,
  /** From the object of a fact to its subject. */
  backward: z.boolean(),
  time: timeSchema.nullable(),
});
export type Hop = z.infer<typeof hopSchema>;

/** A way through the graph from an entity that the question names. Entities are named, so that it stands by itself. */
export const questionSchema = z.strictObject({ start: z.string(), hops: z.array(hopSchema).min(1).max(8) });
export type Question = z.infer<typeof questionSchema>;

/** Facts that a hop takes from an entity, and the entities that it leads to. */
interface Reached {
  readonly facts: readonly Fact[];
  readonly entities: readonly number[];
}

/** Follows one hop by the lists of the graph. */
function follow(graph: KnowledgeGraph, entity: number, hop: Hop): Reached {
  const list = (hop.backward ? graph.with : graph.about)[entity] as readonly Fact[];
  const related = list.filter(({ relation }) => relation.name === hop.relation);
  const facts = inTime(related, hop.time, subject => yearsOf(graph, subject, hop.time));
  return { facts, entities: [...new Set(facts.map(({ subject, object }) => (hop.backward ? subject : object)))] };
}

function inTime(facts: readonly Fact[], time: Time | null, years: (subject: string) => readonly number[]): Fact[] {
  if (time === null) return [...facts];
  const starts = facts.map(({ from }) => from ?? 0);
  if (time.kind === 'first') return facts.filter(({ from }) => from === Math.min(...starts));
  if (time.kind === 'last') return facts.filter(({ from }) => from === Math.max(...starts));
  const wanted = time.kind === 'year' ? [time.year] : years(time.subject);
  return facts.filter(({ from, to }) => wanted.some(year => (from ?? 0) <= year && year <= (to ?? 0)));
}

function yearsOf(graph: KnowledgeGraph, name: string, time: Time | null): number[] {
  const reference = time === null ? null : referenceOf(graph, name, time);
  return reference?.from === null || reference === null ? [] : [reference.from];
}

/** The event whose year a time refers to; null where there is none. */
function referenceOf(graph: KnowledgeGraph, name: string, time: Time): Fact | null {
  if (time.kind !== 'year-of') return null;
  const place = graph.entities.findIndex(entity => entity.name === name);
  return graph.about[place]?.find(({ relation }) => relation.name === time.relation) ?? null;
}

/** The way that a question takes: the facts it needs, in the order in which they can be found, and the answer. */
export interface Derivation {
  readonly facts: readonly Fact[];
  readonly answer: number;
}

/** Null when a hop leads nowhere or to several entities, or when two facts stand in one document. */
export function derive(graph: KnowledgeGraph, { start, hops }: Question): Derivation | null {
  let entity = graph.entities.findIndex(({ name }) => name === start);
  if (entity < 0) return null;
  const facts: Fact[] = [];
  const visited = new Set([entity]);
  for (const hop of hops) {
    const reference = hop.time?.kind === 'year-of' ? referenceOf(graph, hop.time.subject, hop.time) : null;
    if (hop.time?.kind === 'year-of' && reference === null) return null;
    const reached = follow(graph, entity, hop);
    const [next] = reached.entities;
    if (next === undefined || reached.entities.length > 1 || reached.facts.length > 1 || visited.has(next)) return null;
    visited.add(next);
    facts.push(...(reference === null ? [] : [reference]), ...reached.facts);
    entity = next;
  }
  const documents = new Set(facts.map(({ subject }) => subject));
  return documents.size === facts.length ? { facts, answer: entity } : null;
}

/** The question in words, one clause inside the other. */
export function questionText({ start, hops }: Question): string {
  let phrase = start;
  for (const { relation, backward, time } of hops) {
    const { forward, backward: inverse } = relationNamed(relation);
    phrase = (backward ? (inverse as string) : forward).replace('{x}', phrase).replace('{t}', timeText(time));
  }
  return `Name ${phrase}.`;
}

function timeText(time: Time | null): string {
  if (time === null) return '';
  if (time.kind === 'year') return `in ${time.year}`;
  if (time.kind === 'year-of') return (relationNamed(time.relation).year as string).replace('{x}', time.subject);
  return time.kind === 'first' ? 'before all others' : 'after all others';
}

/** The names that stand in a question. */
export function namesIn({ start, hops }: Question): string[] {
  return [start, ...hops.flatMap(({ time }) => (time?.kind === 'year-of' ? [time.subject] : []))];
}

/** The name that leads to each fact of the way: one of the question, or what a fact before it told. */
export function namesBefore(graph: KnowledgeGraph, { start, hops }: Question, { facts }: Derivation): string[] {
  const names: string[] = [];
  let known = start;
  for (const { backward, time } of hops) {
    if (time?.kind === 'year-of') names.push(time.subject);
    const { subject, object } = facts[names.length] as Fact;
    names.push(known);
    known = nameOf(graph, backward ? subject : object);
  }
  return names;
}

/** Words of the question that documents about its facts have, too. */
export function keywordsIn({ hops }: Question): string[] {
  const named = hops.flatMap(({ relation, time }) => [relation, ...(time?.kind === 'year-of' ? [time.relation] : [])]);
  return [...new Set(named.map(name => relationNamed(name).keyword))];
}

export function nameOf({ entities }: KnowledgeGraph, entity: number): string {
  return (entities[entity] as Entity).name;
}

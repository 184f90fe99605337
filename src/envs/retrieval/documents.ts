import { createRandom, type Random } from '../../core/random.ts';
import type { Entity, Fact, KnowledgeGraph } from './graph.ts';
import { fillers, relations, type Relation } from './relations.ts';

/** A line of a document, with the fact that it says, if it says one. */
export interface Line {
  readonly text: string;
  readonly fact: Fact | null;
}

export interface Document {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Documents of a world: one about each entity with all of its facts, then notes that name entities and say nothing. */
export interface Library {
  readonly graph: KnowledgeGraph;
  readonly size: number;
  /** Written when it is asked for; always the same. */
  document(place: number): Document;
}

const denialShare = 0.35;

export function createLibrary(graph: KnowledgeGraph, size: number): Library {
  const all = Math.max(size, graph.entities.length);
  return {
    graph,
    size: all,
    document(place) {
      const random = createRandom(`document ${graph.seed} ${place}`);
      return place < graph.entities.length ? entry(graph, place, random) : note(graph, random);
    },
  };
}

function entry(graph: KnowledgeGraph, subject: number, random: Random): Document {
  const { name } = graph.entities[subject] as Entity;
  const facts = (graph.about[subject] as readonly Fact[]).map((fact): Line => {
    return { text: sentenceOf(graph, fact, random.pick(fact.relation.sentences)), fact };
  });
  const denials = (graph.about[subject] as readonly Fact[])
    .filter(() => random.chance(denialShare))
    .map(({ relation }) => denialOf(graph, { relation, subject }, random));
  const rest = random.sample(fillers, random.between(2, 5)).map(text => silent(text.replace('{s}', name)));
  return { title: name, lines: random.shuffle([...facts, ...denials, ...rest]) };
}

/** A page of hearsay about several entities. */
function note(graph: KnowledgeGraph, random: Random): Document {
  const subject = random.between(0, graph.entities.length - 1);
  const { name } = graph.entities[subject] as Entity;
  const denials = Array.from({ length: random.between(2, 4) }, () => {
    const about = random.between(0, graph.entities.length - 1);
    const { kind } = graph.entities[about] as Entity;
    const relation = random.pick(relations.filter(known => known.subject === kind));
    return denialOf(graph, { relation, subject: about }, random);
  });
  const rest = random.sample(fillers, 3).map(text => silent(text.replace('{s}', name)));
  return { title: `Notes on ${name}`, lines: random.shuffle([...denials, ...rest]) };
}

function denialOf(
  { entities }: KnowledgeGraph,
  { relation, subject }: { readonly relation: Relation; readonly subject: number },
  random: Random,
): Line {
  let other = entities[random.between(0, entities.length - 1)] as Entity;
  while (other.kind !== relation.object) other = entities[random.between(0, entities.length - 1)] as Entity;
  const { name } = entities[subject] as Entity;
  return silent(relation.denial.replace('{s}', name).replace('{o}', other.name));
}

function silent(text: string): Line {
  return { text, fact: null };
}

function sentenceOf({ entities }: KnowledgeGraph, fact: Fact, sentence: string): string {
  return sentence
    .replace('{s}', (entities[fact.subject] as Entity).name)
    .replace('{o}', (entities[fact.object] as Entity).name)
    .replace('{from}', String(fact.from))
    .replace('{to}', String(fact.to));
}

export function textOf({ title, lines }: Document): string {
  return `${title}\n${lines.map(({ text }) => text).join('\n')}`;
}

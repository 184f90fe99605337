import { createRandom, type Random } from '../../core/random.ts';
import { createNames, type Kind } from './names.ts';
import { relationNamed, type Relation } from './relations.ts';

export interface Entity {
  readonly name: string;
  readonly kind: Kind;
}

/** A triple with its time. Subject and object are places in the list of entities. */
export interface Fact {
  readonly subject: number;
  readonly relation: Relation;
  readonly object: number;
  /** Years; null where the relation has no time. */
  readonly from: number | null;
  readonly to: number | null;
}

/** A made-up world: entities, and facts that hold of them, some at a time only. */
export interface KnowledgeGraph {
  readonly seed: number;
  readonly entities: readonly Entity[];
  /** Facts by their subject. */
  readonly about: readonly (readonly Fact[])[];
  /** Facts by their object. */
  readonly with: readonly (readonly Fact[])[];
}

const firstYear = 1900;
const lastBeginning = 1955;
/** Years from birth to the first work of a person. */
const youth = 20;

const shares: readonly (readonly [Kind, number])[] = [
  ['person', 0.45],
  ['company', 0.25],
  ['city', 0.15],
  ['book', 0.15],
];

export function createKnowledgeGraph(seed: number, size: number): KnowledgeGraph {
  const random = createRandom(`search world ${seed}`);
  const nameOf = createNames(random.fork('names'));
  const entities = shares.flatMap(([kind, share]) =>
    Array.from({ length: Math.max(8, Math.round(share * size)) }, (): Entity => ({ name: nameOf(kind), kind })),
  );
  const places = placesByKind(entities);
  const facts = random.fork('facts');
  const about = entities.map((_, subject) => factsOf({ subject, entities, places, random: facts }));
  const objects: Fact[][] = entities.map(() => []);
  for (const fact of about.flat()) (objects[fact.object] as Fact[]).push(fact);
  return { seed, entities, about, with: objects };
}

function placesByKind(entities: readonly Entity[]): Readonly<Record<Kind, readonly number[]>> {
  const places: Record<Kind, number[]> = { person: [], company: [], city: [], book: [] };
  for (const [place, { kind }] of entities.entries()) places[kind].push(place);
  return places;
}

interface Making {
  readonly subject: number;
  readonly entities: readonly Entity[];
  readonly places: Readonly<Record<Kind, readonly number[]>>;
  readonly random: Random;
}

/** How often each relation holds of an entity: fewest, most. */
const amounts: Readonly<Record<Kind, readonly (readonly [string, number, number])[]>> = {
  person: [
    ['born-in', 1, 1],
    ['taught-by', 0, 1],
    ['worked-for', 1, 3],
  ],
  company: [
    ['founded-by', 1, 1],
    ['based-in', 1, 3],
    ['led-by', 2, 4],
    ['owned-by', 0, 1],
  ],
  city: [
    ['mayor', 2, 4],
    ['named-after', 0, 1],
  ],
  book: [
    ['written-by', 1, 1],
    ['set-in', 1, 1],
  ],
};

function factsOf(making: Making): Fact[] {
  const { subject, entities, random } = making;
  const { kind } = entities[subject] as Entity;
  const begun = random.between(firstYear, lastBeginning);
  return amounts[kind].flatMap(([name, fewest, most]) =>
    factsWith(relationNamed(name), { ...making, begun, count: random.between(fewest, most) }),
  );
}

interface Counting extends Making {
  readonly count: number;
  /** The year in which the subject came into being. */
  readonly begun: number;
}

function factsWith(relation: Relation, { subject, entities, places, random, count, begun }: Counting): Fact[] {
  const objects = new Set<number>();
  while (objects.size < count) {
    const object = random.pick(places[relation.object]);
    if (object !== subject) objects.add(object);
  }
  let year = begun + ((entities[subject] as Entity).kind === 'person' ? youth : 0) + random.between(0, 5);
  return [...objects].map(object => {
    const from = year;
    if (relation.timing === 'interval') year += random.between(4, 12);
    const time = { event: { from: begun, to: begun }, interval: { from, to: year }, none: { from: null, to: null } };
    return { subject, relation, object, ...time[relation.timing] };
  });
}

import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../core/clock.ts';
import type { StateEnvironment, StateSession } from '../../core/contracts.ts';
import { createRandom } from '../../core/random.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { admitWorld } from '../../forge/admission/world-ladder.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { createSearchIndex, wordsIn } from './bm25.ts';
import { answersFrom } from './brute-force.ts';
import { textOf } from './documents.ts';
import { createFactReader } from './read-facts.ts';
import { createRetrievalEnvironment, createRetrievalPlace, retrievalTemplates } from './retrieval-environment.ts';
import type { RetrievalPlace } from './retrieval-rules.ts';
import { createSoundness, readDocument, retrievalBaselines, unfaithful } from './soundness.ts';

const world = { seed: 3, documents: 600 };
const planner = createPlanner({ clock: createManualClock() });
let place: RetrievalPlace;
let environment: StateEnvironment;

beforeAll(() => {
  place = createRetrievalPlace(world);
  environment = createRetrievalEnvironment(world, place);
});

function call(session: StateSession, tool: string, input: Record<string, string | number>) {
  return session.step({ kind: 'call', tool, input });
}

describe('BM25', () => {
  it('[HOPS-2] scores as worked out by hand', () => {
    const { search } = createSearchIndex(['red fox', 'red red dog', 'a cat']);
    // idf(dog) = ln(1 + 2.5 / 1.5); mean length 7 / 3; tf part 2.2 / (1 + 1.2 * (0.25 + 0.75 * 9 / 7)).
    const dog = Math.log(1 + 2.5 / 1.5) * (2.2 / (1 + 1.2 * (0.25 + (0.75 * 9) / 7)));
    expect(search('dog', 5)).toEqual([{ document: 1, score: expect.closeTo(dog, 5) as number }]);
    expect(dog).toBeCloseTo(0.878, 3);
    // "red" stands in most documents, so it counts only where there is nothing else to go by.
    expect(search('red dog', 5).map(({ document }) => document)).toEqual([1]);
    expect(search('RED!', 5).map(({ document }) => document)).toEqual([1, 0]);
    expect(search('bird', 5)).toEqual([]);
  });

  it('[HOPS-2] finds what a full scan finds, in the same order', () => {
    const random = createRandom('bm25');
    const vocabulary = Array.from({ length: 60 }, (_, index) => `w${index}`);
    const texts = Array.from({ length: 400 }, () =>
      Array.from({ length: random.between(5, 30) }, () => vocabulary[Math.floor(random.next() ** 2 * 60)]).join(' '),
    );
    const { search } = createSearchIndex(texts);
    for (let round = 0; round < 100; round++) {
      const query = Array.from({ length: random.between(1, 5) }, () => random.pick(vocabulary));
      const pruned = search(query.join(' '), 5);
      // With room for all documents nothing can be pruned.
      const full = search(query.join(' '), texts.length);
      expect(pruned).toEqual(full.slice(0, 5));
    }
  });

  it('splits words of other scripts, too', () => {
    expect(wordsIn('Élan, 1987 Ünal')).toEqual(['élan', '1987', 'ünal']);
  });
});

describe('documents', () => {
  it('[HOPS-1] say exactly their facts, and notes say none', () => {
    const read = createFactReader(place.library.graph.entities);
    for (let document = 0; document < place.library.size; document++)
      expect(unfaithful(place.library, document, read)).toBeNull();
    expect(place.library.size).toBeGreaterThan(place.library.graph.entities.length);
    expect(readDocument(place.library, place.library.size - 1, read)).toEqual([]);
  });

  it('[HOPS-1] that say more or less than their facts are found', () => {
    const read = createFactReader(place.library.graph.entities);
    const { document } = place.library;
    const shorter = {
      ...place.library,
      document: (at: number) => ({ ...document(at), lines: document(at).lines.filter(({ fact }) => fact === null) }),
    };
    expect(unfaithful(shorter, 0, read)).toContain('d0');
    expect(() => read('Nobody understands this.')).toThrow('0 readings');
  });

  it('are the same for the same seed', () => {
    const again = createRetrievalPlace(world);
    expect(textOf(again.library.document(5))).toBe(textOf(place.library.document(5)));
    expect(textOf(createRetrievalPlace({ ...world, seed: 4 }).library.document(5))).not.toBe(
      textOf(place.library.document(5)),
    );
  });
});

describe('questions', () => {
  it('[HOPS-3] follow a way that brute force confirms, on facts written by hand', () => {
    const fact = (words: string, years: [number, number] | null = null) => {
      const [subject = '', relation = '', object = ''] = words.split(' ');
      return { subject, relation, object, from: years?.[0] ?? null, to: years?.[1] ?? null };
    };
    const facts = [
      fact('Acme founded-by Ada', [1950, 1950]),
      fact('Acme led-by Bo', [1951, 1960]),
      fact('Acme led-by Cy', [1960, 1970]),
      fact('Opus written-by Bo', [1965, 1965]),
    ];
    const founded = { relation: 'founded-by', backward: true, time: null };
    const led = (time: object) => ({ relation: 'led-by', backward: false, time }) as never;
    const ask = (time: object): string[] => answersFrom(facts, { start: 'Ada', hops: [founded, led(time)] });
    expect(ask({ kind: 'year', year: 1955 })).toEqual(['Bo']);
    expect(ask({ kind: 'year', year: 1960 })).toEqual(['Bo', 'Cy']);
    expect(ask({ kind: 'year', year: 1980 })).toEqual([]);
    expect(ask({ kind: 'first' })).toEqual(['Bo']);
    expect(ask({ kind: 'last' })).toEqual(['Cy']);
    expect(ask({ kind: 'year-of', relation: 'written-by', subject: 'Opus' })).toEqual(['Cy']);
  });

  it('[HOPS-3] have one answer, and none from a single document', () => {
    const fault = createSoundness(place);
    for (const { id } of retrievalTemplates)
      for (let seed = 1; seed <= 8; seed++) expect(fault(environment.task(id, seed))).toBeNull();
  });

  it('[WORLD-1] climb the ladder', () => {
    const templates = retrievalTemplates.map(({ id }) => id);
    const options = { planner, templates, seeds: 12, baselines: retrievalBaselines, fault: createSoundness(place) };
    for (const admission of admitWorld(environment, options)) expect(admission).toMatchObject({ admitted: true });
  });

  it('[WORLD-1] are rejected where an agent that knows the answer at once passes', () => {
    const play = (session: StateSession): void => {
      const plan = planner.plan(session);
      if (plan.outcome === 'solved') for (const action of plan.actions) session.step(action);
    };
    const baselines = [{ name: 'one that knows', play }];
    const options = { planner, templates: ['one-hop', 'no-such'], seeds: 12, baselines };
    expect([...admitWorld(environment, options)]).toMatchObject([
      { admitted: false, rung: 'baselines stay low' },
      { admitted: false, rung: 'makes tasks' },
    ]);
  });
});

describe('sessions', () => {
  it('[HOPS-5] obey the laws of environments', async () => {
    const tasks = retrievalTemplates.map(({ id }) => environment.task(id, 2));
    for (const result of await checkLaws(environment, { tasks })) expect(result).toMatchObject({ pass: true });
  });

  it('[WORLD-2] follow the way that the world works out, from any state', () => {
    const session = environment.open(environment.task('three-hops', 1));
    call(session, 'search', { query: 'winter' });
    const plan = planner.plan(session);
    expect(plan).toMatchObject({ outcome: 'solved' });
    const actions = plan.outcome === 'solved' ? plan.actions : [];
    expect(actions.filter(({ kind }) => kind === 'call').length).toBeGreaterThanOrEqual(6);
    for (const action of actions) expect(session.step(action).applied).toBe(true);
    expect(session.verify().pass).toBe(true);
  });

  it('[WORLD-2] give no plan where the way that a world works out does not pass', () => {
    const session = environment.open(environment.task('three-hops', 1));
    const wrong = { kind: 'finish', answer: 'Nobody' } as const;
    const misled = (inner: StateSession): StateSession => ({
      ...inner,
      fork: () => misled(inner.fork()),
      guide: () => ({ ...inner.guide(), finish: wrong }),
    });
    expect(createPlanner({ clock: createManualClock() }).plan(misled(session)).outcome).toBe(
      'infeasible-within-budget',
    );
  });

  it('[HOPS-5] fail a guess, and pass the same answer after reading', () => {
    const task = environment.task('two-hops', 1);
    const session = environment.open(task);
    const { finish } = session.guide();
    const guess = session.fork();
    guess.step(finish);
    expect(guess.verify()).toMatchObject({ pass: false, progress: expect.closeTo(1 / 3) as number });
    const plan = planner.plan(session);
    for (const action of plan.outcome === 'solved' ? plan.actions.slice(0, -1) : []) session.step(action);
    const wrong = session.fork();
    wrong.step({ kind: 'finish', answer: 'Nobody' });
    expect(wrong.verify().pass).toBe(false);
    session.step({ kind: 'finish', answer: ` "${(finish as { answer: string }).answer.toUpperCase()}"` });
    expect(session.verify().pass).toBe(true);
  });

  it('[HOPS-4] refuse what is not there, and stay as they are', () => {
    const session = environment.open(environment.task('one-hop', 1));
    expect(call(session, 'open', { document: 'd1' }).problem?.code).toBe('unknown-document');
    expect(call(session, 'find', { text: 'born' }).problem?.code).toBe('nothing-open');
    const listed = call(session, 'search', { query: session.task.parameters['start'] as string }).result;
    const [{ document }] = listed as [{ document: string }];
    const before = session.digest();
    const refused = [
      call(session, 'open', { document, line: 999 }),
      call(session, 'open', { document, line: 1.5 }),
      call(session, 'open', { document: '__proto__' }),
      call(session, 'search', { query: '' }),
      call(session, 'search', { query: 'x'.repeat(201) }),
      call(session, 'search', { query: 'x', more: 1 }),
      call(session, 'delete', {}),
      session.step({ kind: 'click', ref: 'e1' }),
    ];
    for (const { applied, problem } of refused) expect([applied, typeof problem?.message]).toEqual([false, 'string']);
    expect(session.digest()).toBe(before);
    expect(call(session, 'open', { document }).applied).toBe(true);
    expect(call(session, 'find', { text: 'zzz' }).problem?.code).toBe('not-found');
    expect(session.step({ kind: 'finish', answer: 'x'.repeat(10_001) }).problem?.code).toBe('answer-too-long');
  });

  it('[HOPS-4] refuse a task that was altered', () => {
    const task = environment.task('one-hop', 1);
    expect(() => environment.open({ ...task, instruction: 'Name anything.' })).toThrow('altered or damaged');
    expect(() => environment.task('five-hops', 1)).toThrow('no template "five-hops"');
  });
});

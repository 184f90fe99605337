import { describe, expect, it } from 'vitest';
import { app } from '../../examples/library/library.ts';
import {
  impatientTimers,
  perfectTeacher,
  planFor,
  runOne,
  studentBy,
  type RunRequest,
} from '../../test/fixtures/episode-setup.ts';
import { createManualClock } from '../core/clock.ts';
import type { Environment, Session } from '../core/contracts.ts';
import type { Decision, OrdinaryTeacher, PrivilegedPolicy, Review } from '../core/episode/agents.ts';
import type { EpisodeEnd } from '../core/episode/events.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import { createWorld } from '../worlds/world.ts';
import { createScripted } from '../agents/scripted.ts';
import type { EpisodeParts } from './attempt.ts';
import { createLinear } from './strategies/linear.ts';
import { createSpeculativeRollback } from './strategies/speculative-rollback.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const good = createScripted({ actions: plan });
const linear = { environment: world, student: good, strategy: createLinear() };
const taught = { ...linear, teacher: perfectTeacher, strategy: createSpeculativeRollback() };
const never = new Promise<never>(() => undefined);

const after = (parts: EpisodeParts, options: Partial<RunRequest> = {}): Promise<EpisodeRecord> =>
  runOne({ task, parts, timers: impatientTimers, ...options });
const endOf = async (parts: EpisodeParts, options: Partial<RunRequest> = {}): Promise<EpisodeEnd> =>
  (await after(parts, options)).end;

/** The same world, with something else in the place of a power. */
function worldWith(change: (session: Session) => Partial<Session>): Environment {
  return {
    ...world,
    open(given) {
      const session = world.open(given);
      return { ...session, ...change(session) };
    },
  };
}

function teacherOf(review: () => unknown): OrdinaryTeacher {
  return { name: 'faulty', review: review as () => Review, correct: () => ({ action: plan[0] ?? null }) };
}

describe('a reviewer', () => {
  const faults: [string, () => unknown, string][] = [
    ['throws', () => expect.fail('down'), 'threw'],
    ['rejects its promise', () => Promise.reject(new Error('down')), 'threw'],
    ['hangs', () => never, 'deadline'],
    ['rejects a step that is not in the branch', () => ({ accept: false, at: 3, reason: 'no' }), 'out of range'],
    ['rejects a step before the branch', () => ({ accept: false, at: -1, reason: 'no' }), 'out of range'],
    ['rejects half a step', () => ({ accept: false, at: 0.5, reason: 'no' }), 'out of range'],
    ['says nothing', () => undefined, 'out of range'],
    ['says yes', () => 'accept', 'out of range'],
    ['neither accepts nor rejects', () => ({}), 'out of range'],
    ['asks for a negative price', () => ({ accept: true, cost: -1 }), 'out of range'],
  ];
  it.each(faults)('[ROL-4] that %s is asked again, and is never an acceptance', async (_name, review, reason) => {
    let asked = 0;
    const teacher = teacherOf(() => {
      asked++;
      return review();
    });
    const record = await after({ ...taught, teacher });
    expect(asked).toBe(3);
    expect(record.end).toMatchObject({ outcome: 'errored', boundary: 'reviewer', reason, verdict: null });
    expect(record.end.message).toContain('failed 3 times');
    expect(record.reviews).toEqual([]);
    expect(record.leaves).toEqual([]);
  });

  it('[ROL-4] that recovers is heard, and the record says how often it was asked again', async () => {
    let asked = 0;
    const teacher = teacherOf(() => (++asked < 3 ? 'what?' : { accept: true }));
    const record = await after({ ...taught, teacher });
    expect(record.end.outcome).toBe('passed');
    expect(record.reviews.map(({ retries }) => retries)).toEqual([2, 0]);
  });

  it('[ROL-3] [ROL-4] is not heard after its deadline', async () => {
    const late: ((review: Review) => void)[] = [];
    const teacher = teacherOf(() => new Promise<Review>(resolve => void late.push(resolve)));
    let heard = 0;
    const record = await after(
      { ...taught, teacher },
      {
        timers: {
          after(milliseconds, run) {
            expect(milliseconds).toBe(60_000);
            const timer = setImmediate(() => {
              run();
              // The answer comes, but too late.
              late.at(-1)?.({ accept: true });
              heard++;
            });
            return () => clearImmediate(timer);
          },
        },
      },
    );
    expect(heard).toBe(3);
    expect(record.end).toMatchObject({ outcome: 'errored', boundary: 'reviewer', reason: 'deadline' });
    expect(record.end.message).toContain('did not answer in 60000 ms');
  });
});

describe('a snapshot', () => {
  it('[ROLL-6] that cannot be put back is journalled with the reason, and the episode goes on from a replay', async () => {
    const environment = worldWith(() => ({ restore: () => expect.fail('the page is gone') }));
    const student = createScripted({ actions: plan.with(1, { kind: 'fill', ref: 'e1', text: 'away' }) });
    const record = await after({ ...taught, environment, student });
    expect(record.end.outcome).toBe('passed');
    expect(record.rollbacks).toEqual([
      expect.objectContaining({
        to: 1,
        method: 'replay',
        digest: record.tree.digest(1),
        divergence: expect.stringContaining('the page is gone'),
      }),
    ]);
    const fine = await after({ ...taught, student });
    expect(fine.rollbacks).toEqual([expect.objectContaining({ to: 1, method: 'restore' })]);
    expect(fine.rollbacks[0]).not.toHaveProperty('divergence');
  });
});

describe('a student', () => {
  it('[ROL-2] [ROL-3] that throws or hangs is an error at the policy', async () => {
    const throwing = studentBy(() => expect.fail('down'));
    expect(await endOf({ ...linear, student: throwing })).toMatchObject({ boundary: 'policy', reason: 'threw' });
    const hanging = { name: 'hanging', act: () => never };
    const end = await endOf({ ...linear, student: hanging, limits: { waitMilliseconds: 5 } });
    expect(end).toMatchObject({ outcome: 'errored', boundary: 'policy', reason: 'deadline', leaf: 0, verdict: null });
    expect(end.message).toContain('The student "hanging" did not answer in 5 ms.');
  });

  it('[ROL-3] that has deadlines of its own is waited for; the world beside it is not', async () => {
    const late = new Promise<void>(resolve => {
      setImmediate(() => setImmediate(() => setImmediate(resolve)));
    });
    const slow = {
      name: 'slow',
      patient: true as const,
      act: () => late.then(() => ({ action: { kind: 'finish' as const } })),
    };
    expect(await endOf({ ...linear, student: slow })).toMatchObject({ outcome: 'failed', boundary: null });
    const environment = worldWith(() => ({ step: () => never }));
    expect(await endOf({ ...linear, student: slow, environment })).toMatchObject({
      boundary: 'environment',
      reason: 'deadline',
    });
  });

  it('[ROL-5] that never finishes has failed, though the state is right', async () => {
    const idle = studentBy(step => ({ action: plan[step < 3 ? step : 99] ?? { kind: 'click', ref: 'e999' } }));
    const end = await endOf({ ...linear, student: idle, limits: { steps: 6 } });
    expect(end).toMatchObject({ outcome: 'failed', reason: 'out of steps', counts: { steps: 6 } });
    expect(end.verdict).toMatchObject({ pass: false, clean: true, progress: 0.5 });
    expect(end.verdict?.checks.at(-1)).toEqual({ id: 'agent-finished', name: 'the agent finished', pass: false });
  });

  it('[ROL-7] has the step budget of the task when that is the smaller one', async () => {
    const idle = studentBy(() => ({ action: { kind: 'click', ref: 'e999' } }));
    const end = await endOf({ ...linear, student: idle, limits: { steps: 1000 } });
    expect(end.counts.steps).toBe(task.budget.steps);
  });

  const unusable: [string, unknown][] = [
    ['no action', { action: null }],
    ['a malformed action', { action: { kind: 'click', ref: 'somewhere' } }],
    ['no decision at all', 'click e3'],
    ['a price below zero', { action: { kind: 'finish' }, cost: -1 }],
    ['half a token', { action: { kind: 'finish' }, tokens: 0.5 }],
  ];
  it.each(unusable)('[ROL-12] alone fails after three answers in a row with %s', async (_name, decision) => {
    let asked = 0;
    const end = await endOf({
      ...linear,
      student: studentBy(() => {
        asked++;
        return decision as Decision;
      }),
    });
    expect(asked).toBe(3);
    expect(end).toMatchObject({ outcome: 'failed', reason: 'unusable output', counts: { taken: 0 } });
  });

  it('[ROL-12] may have nothing to say twice', async () => {
    let asked = 0;
    const end = await endOf({
      ...linear,
      student: studentBy(step => ({ action: asked++ % 3 < 2 ? null : (plan[step] ?? null) })),
    });
    expect(end.outcome).toBe('passed');
  });
});

describe('an environment', () => {
  it('[ROL-2] [ROL-3] that throws, hangs or will not open is an error at the environment', async () => {
    const fail = (): never => expect.fail('down');
    for (const [change, reason] of [
      [{ step: fail }, 'threw'],
      [{ observe: fail }, 'threw'],
      [{ step: () => never }, 'deadline'],
      [{ digest: () => never }, 'deadline'],
    ] as const) {
      const environment = worldWith(() => change);
      expect(await endOf({ ...linear, environment })).toMatchObject({
        outcome: 'errored',
        boundary: 'environment',
        reason,
      });
    }
    const closed = { ...world, open: fail };
    expect(await endOf({ ...linear, environment: closed })).toMatchObject({ boundary: 'environment', leaf: 0 });
  });

  it('[ROL-2] whose state changes between two steps is an error at the environment, not at the store', async () => {
    let looked = 0;
    const environment = worldWith(session => ({
      digest: () => `${String(session.digest())}${looked++ > 2 ? 'x' : ''}`,
    }));
    const end = await endOf({ ...linear, environment });
    expect(end).toMatchObject({ outcome: 'errored', boundary: 'environment' });
  });

  it('[ROL-2] that closes badly does not undo what was verified', async () => {
    const environment = worldWith(() => ({ close: () => expect.fail('stuck') }));
    expect((await endOf({ ...linear, environment })).outcome).toBe('passed');
  });

  it('[ROL-3] that answers later is waited for', async () => {
    const slow = worldWith(session => ({
      step: action => Promise.resolve().then(() => session.step(action)),
      observe: () => Promise.resolve().then(() => session.observe()),
      verify: () => Promise.resolve().then(() => session.verify()),
    }));
    expect((await endOf({ ...linear, environment: slow })).outcome).toBe('passed');
  });

  it('[ROL-3] that answers at once is not raced', async () => {
    let timers = 0;
    const end = await endOf(taught, {
      timers: {
        after() {
          timers++;
          return () => undefined;
        },
      },
    });
    expect(end.outcome).toBe('passed');
    expect(timers).toBe(0);
  });

  it('[ROL-2] with a step limit of its own ends the episode as out of steps', async () => {
    const { withStepLimit } = await import('../worlds/wrappers/step-limit.ts');
    const environment = withStepLimit(world, { steps: 2 });
    const teacher = teacherOf(() => ({ accept: true }));
    for (const parts of [
      { ...linear, environment },
      { ...taught, environment, teacher },
    ])
      expect(await endOf(parts)).toMatchObject({ outcome: 'failed', reason: 'out of steps', counts: { taken: 2 } });
  });
});

describe('a verifier', () => {
  it('[ROL-2] that throws, hangs or gives no verdict is an error at the verifier; the verdict is null, never a failure', async () => {
    for (const [verify, reason] of [
      [() => expect.fail('down'), 'threw'],
      [() => never, 'deadline'],
      [() => ({ pass: 'yes' }), 'out of range'],
    ] as const) {
      const environment = worldWith(() => ({ verify: verify as unknown as Session['verify'] }));
      const record = await after({ ...linear, environment });
      expect(record.end).toMatchObject({ outcome: 'errored', boundary: 'verifier', reason, verdict: null });
      expect(record.end.counts.steps).toBe(4);
      expect(record.leaves).toEqual([]);
    }
  });
});

describe('a budget', () => {
  it('[ROL-7] of time or cost that is used up is an error at the budget', async () => {
    const clock = createManualClock();
    const slow = studentBy(step => {
      clock.advance(40);
      return { action: plan[step] ?? null };
    });
    expect(await endOf({ ...linear, student: slow, limits: { milliseconds: 100 } }, { clock })).toMatchObject({
      outcome: 'errored',
      boundary: 'budget',
      reason: 'out of time',
      counts: { taken: 3 },
      milliseconds: 120,
    });
    const dear = studentBy(step => ({ action: plan[step] ?? null, cost: 0.5, tokens: 10 }));
    expect(await endOf({ ...linear, student: dear, limits: { cost: 1 } })).toMatchObject({
      boundary: 'budget',
      reason: 'out of cost',
      counts: { taken: 2, cost: 1, tokens: 20 },
    });
    const hanging = { name: 'hanging', act: () => never };
    const end = await endOf({ ...linear, student: hanging, limits: { milliseconds: 100 } });
    expect(end).toMatchObject({ boundary: 'budget', reason: 'out of time' });
  });

  it('[ROL-7] of reviews that is used up discards the episode', async () => {
    const end = await endOf({ ...taught, limits: { reviews: 1 } });
    expect(end).toMatchObject({ outcome: 'discarded', reason: 'out of reviews', counts: { reviews: 1 } });
  });

  it('[ROL-7] stops a strategy that does not heed it', async () => {
    const greedy: EpisodeParts['strategy'] = {
      name: 'greedy',
      asksTeacher: false,
      async run(episode) {
        for (;;) await episode.step({ action: { kind: 'click', ref: 'e999' } });
      },
    };
    const end = await endOf({ ...linear, strategy: greedy, limits: { steps: 5 } });
    expect(end).toMatchObject({ outcome: 'errored', boundary: 'budget', reason: 'out of steps', counts: { taken: 5 } });
  });
});

describe('a privileged agent', () => {
  let asked = 0;
  const planner: PrivilegedPolicy = {
    name: 'planner',
    privileged: true,
    act(_view, session) {
      const action = planFor(session)[0] ?? null;
      // Its own to spoil: asked again in the same place, it finds it as it was.
      session.step({ kind: 'finish' });
      return { action: asked++ % 2 === 0 ? null : action };
    },
  };

  it('[ROL-11] gets a fork of the state to itself, and its steps are a teacher’s', async () => {
    const record = await after({ ...linear, student: planner });
    expect(record.end.outcome).toBe('passed');
    expect(record.tree.record().nodes.map(({ actor }) => actor)).toEqual(
      plan.map(() => ({ role: 'teacher', name: 'planner' })),
    );
  });

  it('[ROL-11] in a world that cannot show its state is an error at the environment', async () => {
    const plain: Environment = {
      ...world,
      open(given) {
        const { fork: _fork, ...session } = world.open(given);
        return session;
      },
    };
    for (const parts of [
      { ...linear, student: planner, environment: plain },
      { ...taught, environment: plain },
    ]) {
      const record = await after(parts);
      expect(record.end).toMatchObject({ outcome: 'errored', boundary: 'environment', reason: 'unsupported' });
      expect(record.end.message).toContain('reads the state of the app, such as the planner does');
      expect(record.tree.record().nodes).toEqual([]);
    }
    expect((await endOf({ ...linear, environment: plain })).outcome).toBe('passed');
  });
});

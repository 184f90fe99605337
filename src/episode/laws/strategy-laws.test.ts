import { describe, expect, it } from 'vitest';
import { isLong } from '../../../test/long-form.ts';
import { createWeighingPolicy, planFor, tasksOf } from '../../../test/fixtures/episode-setup.ts';
import { strategy as beam } from '../../../examples/plugins/beam.ts';
import { createRandomPolicy } from '../../agents/random.ts';
import { openBuiltIn } from '../../catalog.ts';
import type { OrdinaryTeacher, PrivilegedPolicy } from '../../core/episode/agents.ts';
import { strategies } from '../../runs/registry/strategies.ts';
import { checkStrategy } from '../../testing.ts';
import type { Strategy } from '../strategies/strategy.ts';

const world = await openBuiltIn('mail');
const tasks = tasksOf(world, 'star-message', isLong ? [1, 2, 3, 4] : [1, 2]);

/** A student that names one action, and one that says what else it weighed. */
const students = {
  random: createRandomPolicy,
  weighing: createWeighingPolicy,
};

/** Rejects one branch in three, and takes a step by chance, or knows none: strategies meet every answer of a teacher. */
const whimsical: OrdinaryTeacher = {
  name: 'whimsical',
  review: ({ steps, random }) =>
    random.chance(0.3)
      ? { accept: false, at: random.between(0, steps.length - 1), reason: 'a whim' }
      : { accept: true },
  correct: ({ view }) => (view.random.chance(0.1) ? { action: null } : createRandomPolicy({ finish: 0.1 }).act(view)),
};

const all: readonly (readonly [string, Strategy, boolean])[] = [
  ...strategies.entries.map(({ name, create, evaluates }) => [name, create({}), evaluates] as const),
  ['a module', beam({ width: 3 }), false],
];

describe.each(all)('%s', (_name, strategy, evaluates) => {
  it.each(Object.entries(students))(
    '[ROL-1] [ROL-5] [ROL-6] [ROL-7] [ROL-8] [ROL-10] [ROL-35] obeys the laws with a student that is %s',
    async (_who, student) => {
      const teacher = strategy.asksTeacher ? { teacher: whimsical } : {};
      const results = await checkStrategy({
        strategy,
        environment: world,
        tasks,
        student,
        evaluates,
        ...teacher,
        stops: isLong ? 50 : 3,
      });
      expect(results.filter(({ pass }) => !pass)).toEqual([]);
      expect(results).toHaveLength(7);
    },
  );
});

const solver = (): PrivilegedPolicy => ({
  name: 'solver',
  privileged: true,
  act: (_view, session) => ({ action: planFor(session)[0] ?? null }),
});
const linear = strategies.need('linear').create({});
const check = (strategy: Strategy, evaluates = false) =>
  checkStrategy({ strategy, environment: world, tasks, evaluates });
const broken = (results: Awaited<ReturnType<typeof check>>): string[] =>
  results.filter(({ pass }) => !pass).map(({ law }) => law);

describe('a strategy that breaks a law', () => {
  it('[ROL-7] [ROL-36] is found out when it takes a step without a budget for it', async () => {
    const greedy: Strategy = {
      ...linear,
      async run(episode) {
        for (;;) {
          const decision = await episode.act();
          if (decision.action !== null) await episode.step({ ...decision, action: decision.action });
          if (episode.ended() !== null) return linear.run(episode);
        }
      },
    };
    expect(broken(await check(greedy))).toContain('ROL-7');
  });

  it('[ROL-8] is found out when it draws chance of its own', async () => {
    let turn = 0;
    const moody = await check({
      ...linear,
      async run(episode) {
        turn++;
        const decision = await episode.act();
        if (turn % 3 === 0 && decision.action !== null) await episode.step({ ...decision, action: decision.action });
        return linear.run(episode);
      },
    });
    expect(broken(moody)).toContain('ROL-8');
  });

  it('[ROL-35] is found out when a verdict changes what it chooses', async () => {
    const peeking: Strategy = {
      ...linear,
      async run(episode) {
        const conclusion = await linear.run(episode);
        return conclusion.kind === 'verified' && conclusion.verdict.pass ? conclusion : { ...conclusion, leaf: 0 };
      },
    };
    const results = await checkStrategy({
      strategy: peeking,
      environment: world,
      tasks,
      evaluates: true,
      student: solver,
    });
    expect(broken(results)).toContain('ROL-35');
  });
});

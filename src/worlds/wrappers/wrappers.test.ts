import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import type { Environment } from '../../core/contracts.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { createManualClock } from '../../core/clock.ts';
import { EspalierError } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import { checkLaws } from '../laws.ts';
import { createWorld } from '../world.ts';
import { withNoise } from './noise.ts';
import { withStepLimit } from './step-limit.ts';
import { varyApp } from './variation.ts';

const world = createWorld(app);
const tasks = world.templates.map(({ id }) => world.task(id, 3));
const task = tasks[0]!;
const loud = { seed: 1, toolError: 0.4, timeout: 0.3, truncation: 0.3, staleRead: 0.3, typos: 0.5 };

async function record(environment: Environment, steps = 90): Promise<string[]> {
  const session = await environment.open(task);
  const random = createRandom('record');
  const lines = [session.task.instruction];
  for (let step = 0; step < steps; step++) {
    const offered = (await session.candidates?.()) ?? [];
    const action =
      step % 3 === 0
        ? ({ kind: 'call', tool: 'list_books', input: { text: 'a' } } as const)
        : random.pick(offered).action;
    const outcome = await session.step(action);
    lines.push(JSON.stringify([outcome, await session.observe(), await session.digest()]));
  }
  return lines;
}

describe('wrappers', () => {
  it('[WRAP-1] [ENV-1] [ENV-2] [ENV-3] [ENV-4] [ENV-5] leave the laws in force', async () => {
    const wrapped = [
      world,
      withNoise(world, loud),
      withStepLimit(world, { steps: 40 }),
      withStepLimit(withNoise(world, loud)),
      createWorld(varyApp(app, { seed: 4, labels: true, order: true })),
    ];
    for (const environment of wrapped) {
      const results = await checkLaws(environment, { tasks });
      expect(results.filter(result => !result.pass)).toEqual([]);
      expect(results.map(result => result.law)).toEqual(['ENV-1', 'ENV-2', 'ENV-3', 'ENV-4', 'ENV-5']);
    }
  });

  it('[WRAP-2] change nothing when they are off', async () => {
    expect(withNoise(world, { seed: 1, toolError: 0, timeout: 0 })).toBe(world);
    expect(varyApp(app, { seed: 1 })).toBe(app);
    expect(await record(createWorld(varyApp(app, { seed: 9, labels: false })))).toEqual(await record(world));
  });

  it('[CERT-4] are certified as what they wrap is', () => {
    const { certification: _certification, ...silent } = world;
    expect(withStepLimit(withNoise(world, loud)).certification).toBe('by-construction');
    expect(withStepLimit(withNoise(silent, loud)).certification).toBeUndefined();
  });

  it('[WRAP-3] are seeded and recorded', async () => {
    const first = await record(withNoise(world, loud));
    expect(await record(withNoise(world, loud))).toEqual(first);
    expect(await record(withNoise(world, { ...loud, seed: 2 }))).not.toEqual(first);
    const all = first.join('\n');
    for (const noise of ['tool-error', 'timeout', 'truncation', 'stale-read'])
      expect(all).toContain(`"noise":"${noise}"`);
    expect(first[0]).not.toBe(task.instruction);
    expect(first[0]).toHaveLength(task.instruction.length);
    expect(() => withNoise(world, { seed: 1, timeout: 2 })).toThrow('Expected a probability from 0 to 1');
    const misspelt = { seed: 1, toolErrors: 0.5 };
    expect(() => withNoise(world, misspelt)).toThrow(
      'There is no noise "toolErrors". Expected: seed, toolError, timeout',
    );
  });

  it('[WRAP-3] strike again as before after a rollback', async () => {
    const session = await withNoise(world, { seed: 5, timeout: 0.5 }).open(task);
    const snapshot = await session.snapshot!();
    const run = async () => {
      const outcomes = [];
      for (let step = 0; step < 12; step++)
        outcomes.push((await session.step({ kind: 'fill', ref: 'e1', text: `${step}` })).noise);
      return outcomes;
    };
    const first = await run();
    await session.restore!(snapshot);
    expect(await run()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([undefined, 'timeout']));
  });

  it('[WRAP-4] a variation has other words and another order, and the same goals', () => {
    const named = {
      ...app,
      synonyms: { Lend: ['Hand out'], 'Next page': ['Onward'], 'Back to catalogue': ['All books'] },
    };
    const texts = new Set<string>();
    for (let seed = 0; seed < 12; seed++) {
      const varied = createWorld(varyApp(named, { seed, labels: true, order: true }));
      const session = varied.open(task);
      const plan = createPlanner({ clock: createManualClock() }).plan(session);
      expect(plan.outcome).toBe('solved');
      if (plan.outcome !== 'solved') continue;
      for (const action of plan.actions) session.step(action);
      expect(session.verify().pass).toBe(true);
      texts.add(varied.open(task).observe().text);
    }
    expect([...texts].some(text => text.includes('Onward'))).toBe(true);
    expect([...texts].some(text => text.includes('Next page'))).toBe(true);
  });

  it('[WRAP-5] a step limit truncates', async () => {
    const session = await withStepLimit(world, { steps: 2 }).open(task);
    expect(await session.step({ kind: 'fill', ref: 'e1', text: 'a' })).toEqual({ applied: true });
    expect(await session.step({ kind: 'fill', ref: 'e1', text: 'b' })).toEqual({ applied: true, end: 'truncated' });
    const before = await session.digest();
    expect(await session.step({ kind: 'fill', ref: 'e1', text: 'c' })).toMatchObject({
      applied: false,
      end: 'truncated',
    });
    expect(await session.digest()).toBe(before);
    expect(await session.candidates?.()).toEqual([]);
    expect(await session.ended?.()).toBe('truncated');
    expect(() => withStepLimit(world, { steps: Number.NaN })).toThrow('Expected a whole number above 0');
    const done = await withStepLimit(world, { steps: 1 }).open(task);
    expect(await done.step({ kind: 'finish' })).toEqual({ applied: true, end: 'terminated' });
    expect(await done.step({ kind: 'finish' })).toMatchObject({ applied: false, problem: { code: 'ended' } });
    expect(await done.ended?.()).toBe('terminated');
  });

  it('[WRAP-1] refuse snapshots of other sessions and other layers', async () => {
    const limited = await withStepLimit(world).open(task);
    const noisy = await withNoise(world, loud).open(task);
    const elsewhere = await withNoise(world, { ...loud, seed: 2 }).open(task);
    const snapshot = await limited.snapshot!();
    for (const session of [noisy, elsewhere, world.open(task)]) {
      expect(() => session.restore!(snapshot)).toThrow('Restore a snapshot in the session that took it');
    }
    expect(() => noisy.restore!(null as unknown as typeof snapshot)).toThrow(EspalierError);
    expect(() => world.open(task).restore(world.open(task).snapshot())).toThrow('from elsewhere');
  });

  it('[WRAP-1] wrap environments that are instances of a class', async () => {
    class Own implements Environment {
      readonly id = 'own';
      readonly title = 'Own';
      readonly templates = world.templates;
      readonly tools = world.tools;
      task(template: string, seed: number) {
        return world.task(template, seed);
      }
      open(given: typeof task) {
        return world.open(given);
      }
    }
    const wrapped = withStepLimit(new Own());
    expect((await wrapped.task('lend-to-reader', 3)).id).toBe(task.id);
    expect((await wrapped.open(task)).task).toEqual(task);
  });
});

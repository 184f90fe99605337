import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { app } from '../../examples/library/library.ts';
import type { StepOutcome } from '../core/records.ts';
import type { Environment, Session } from '../core/contracts.ts';
import { DivergenceError } from '../core/errors.ts';
import { createRandom } from '../core/random.ts';
import type { Trail } from '../core/episode/trail.ts';
import { createTrail } from './trail.ts';
import { createWorld } from './world.ts';
import { withNoise } from './wrappers/noise.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 1);
const actor = { role: 'student', name: 'random' } as const;

/** The same world without the powers to come back. */
const plain: Environment = { ...world, open: given => withoutPowers(world.open(given)) };

function withoutPowers(session: Session): Session {
  const { snapshot: _snapshot, restore: _restore, fork: _fork, ...rest } = session;
  return rest;
}

async function walk(trail: Trail, steps: number, seed: string): Promise<void> {
  const random = createRandom(seed);
  for (let step = 0; step < steps; step++) {
    const offered = (await trail.session().candidates?.()) ?? [];
    await trail.step(random.pick(offered).action, actor);
  }
}

describe('rollback', () => {
  it('[ROLL-1] [ROLL-4] [TREE-2] reaches the recorded state, by snapshot and by replay, and keeps what was tried', async () => {
    const jumps = fc.array(fc.record({ to: fc.nat(40), steps: fc.integer({ min: 1, max: 6 }) }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(jumps, fc.integer(), async (rounds, seed) => {
        for (const [environment, method, divergence] of [
          [world, 'restore', null],
          [plain, 'replay', 'its sessions keep no snapshots'],
        ] as const) {
          const trail = await createTrail(environment, task);
          let appended = 0;
          for (const [round, { to, steps }] of rounds.entries()) {
            await walk(trail, steps, `${seed} ${round}`);
            appended += steps;
            const node = to % (appended + 1);
            const rollback = await trail.rollback(node);
            expect(rollback).toEqual({ method, digest: trail.tree.digest(node), divergence });
            expect(await trail.session().digest()).toBe(trail.tree.digest(node));
            expect(trail.at()).toBe(node);
          }
          expect(trail.tree.record().nodes).toHaveLength(appended);
          for (const leaf of trail.tree.leaves()) await trail.rollback(leaf.id);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('[ROLL-2] catches a world that is not deterministic, naming the first diverging step', async () => {
    let opened = 0;
    const drifting: Environment = {
      ...plain,
      open(given) {
        const inner = withoutPowers(world.open(given));
        const late = opened++ > 0;
        let steps = 0;
        return {
          ...inner,
          // The second time round, the third step does something else.
          step: action => inner.step(late && ++steps === 3 ? { kind: 'fill', ref: 'e1', text: 'drift' } : action),
        };
      },
    };
    const trail = await createTrail(drifting, task);
    for (const text of ['a', 'b', 'c', 'd']) await trail.step({ kind: 'fill', ref: 'e1', text }, actor);
    await trail.rollback(2);
    const failure = await trail.rollback(4).catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(DivergenceError);
    expect((failure as DivergenceError).step).toBe(3);
    expect((failure as DivergenceError).message).toContain('Diverged at step 3');
    expect(() => trail.at()).toThrow('is lost');
    await expect(trail.step({ kind: 'click', ref: 'e1' }, actor)).rejects.toThrow('is lost');
    await trail.rollback(1);
    expect(trail.at()).toBe(1);
  });

  it('[ROLL-3] notices a snapshot that lies, and replays', async () => {
    const lying: Environment = {
      ...world,
      open(given) {
        const inner = world.open(given);
        return { ...inner, restore: () => inner.restore(inner.snapshot()) };
      },
    };
    const trail = await createTrail(lying, task);
    await walk(trail, 4, 'lie');
    const lied = await trail.rollback(1);
    expect(lied).toEqual({ method: 'replay', digest: trail.tree.digest(1), divergence: expect.any(String) });
    expect(lied.divergence).toBe(`the snapshot gave back ${trail.tree.digest(4)}, not ${trail.tree.digest(1)}`);
    expect(await trail.session().digest()).toBe(trail.tree.digest(1));
  });

  it('[ROLL-3] [ROLL-8] replays when a snapshot cannot be put back at all, and says why each time', async () => {
    const expiring: Environment = {
      ...world,
      open: given => ({ ...world.open(given), restore: () => expect.fail('snapshot expired') }),
    };
    const trail = await createTrail(expiring, task);
    await walk(trail, 3, 'expire');
    const gone = 'its snapshot went with the session that took it, which was left: snapshot expired';
    // After the first replay, only what lies on its path has a snapshot that could expire.
    for (const [node, why] of [
      [1, 'snapshot expired'],
      [2, gone],
      [3, gone],
      [0, 'snapshot expired'],
      [3, gone],
    ] as const) {
      expect(await trail.rollback(node)).toEqual({
        method: 'replay',
        digest: trail.tree.digest(node),
        divergence: why,
      });
    }
  });

  it('[ROLL-1] keeps snapshots of the path that it replays', async () => {
    let opened = 0;
    const forgetful: Environment = {
      ...world,
      open(given) {
        const inner = world.open(given);
        return ++opened > 1 ? inner : { ...inner, restore: () => expect.fail('too old') };
      },
    };
    const trail = await createTrail(forgetful, task);
    await walk(trail, 5, 'forget');
    expect(await trail.rollback(4)).toMatchObject({ method: 'replay' });
    for (const node of [2, 0, 3, 4, 1]) expect(await trail.rollback(node)).toMatchObject({ method: 'restore' });
    expect(opened).toBe(2);
  });

  it('[ROLL-5] takes no step from a snapshot that only looked right: a recorded step that leads elsewhere is taken again after a replay', async () => {
    let restored = 0;
    const subtle: Environment = {
      ...world,
      open(given) {
        const inner = world.open(given);
        let isSpoiled = false;
        return {
          ...inner,
          restore(snapshot) {
            inner.restore(snapshot);
            isSpoiled = ++restored > 0;
          },
          // What was put back looks the same, and is not.
          step: action => inner.step(isSpoiled && action.kind === 'fill' ? { ...action, text: 'spoiled' } : action),
        };
      },
    };
    const trail = await createTrail(subtle, task);
    for (const text of ['a', 'b', 'c']) await trail.step({ kind: 'fill', ref: 'e1', text }, actor);
    expect(await trail.rollback(1)).toMatchObject({ method: 'restore', divergence: null });
    const again = await trail.step({ kind: 'fill', ref: 'e1', text: 'b' }, actor);
    expect([again.after, again.parent]).toEqual([trail.tree.digest(2), 1]);
    expect(await trail.session().digest()).toBe(trail.tree.digest(2));
    expect(await trail.rollback(1)).toEqual({
      method: 'replay',
      digest: trail.tree.digest(1),
      divergence: 'after a snapshot, step 2 led to another state than it did before',
    });
    expect(restored).toBe(1);
  });

  it('[ROLL-5] takes no step either that is on record with another fingerprint', async () => {
    const subtle: Environment = {
      ...world,
      open(given) {
        const inner = world.open(given);
        let fingerprint = 'fresh';
        return {
          ...inner,
          restore(snapshot) {
            inner.restore(snapshot);
            fingerprint = 'restored';
          },
          step: action => ({ ...(inner.step(action) as StepOutcome), fingerprint }),
        };
      },
    };
    const trail = await createTrail(subtle, task);
    for (const text of ['a', 'b', 'c']) await trail.step({ kind: 'fill', ref: 'e1', text }, actor);
    expect(await trail.rollback(1)).toMatchObject({ method: 'restore' });
    expect((await trail.step({ kind: 'fill', ref: 'e1', text: 'b' }, actor)).outcome.fingerprint).toBe('fresh');
    expect(await trail.rollback(1)).toMatchObject({
      method: 'replay',
      divergence: expect.stringContaining('step 2 led'),
    });
  });

  it('[ROLL-7] replays every rollback where snapshots are not to be trusted, and says why', async () => {
    const trail = await createTrail(world, task, { distrust: 'a replay differed' });
    for (const text of ['a', 'b', 'c']) await trail.step({ kind: 'fill', ref: 'e1', text }, actor);
    for (const node of [2, 0]) {
      expect(await trail.rollback(node)).toEqual({
        method: 'replay',
        digest: trail.tree.digest(node),
        divergence: 'a replay differed',
      });
      expect(trail.session().digest()).toBe(trail.tree.digest(node));
    }
  });

  it('[ROLL-2] catches a recorded step that leads elsewhere although no snapshot was used', async () => {
    let count = 0;
    const drifting: Environment = {
      ...plain,
      open(given) {
        const inner = withoutPowers(world.open(given));
        return {
          ...inner,
          step: action =>
            inner.step(action.kind === 'fill' && action.text === 'b' ? { ...action, text: `${count++}` } : action),
        };
      },
    };
    const trail = await createTrail(drifting, task);
    for (const text of ['a', 'b']) await trail.step({ kind: 'fill', ref: 'e1', text }, actor);
    await trail.rollback(1);
    await expect(trail.step({ kind: 'fill', ref: 'e1', text: 'b' }, actor)).rejects.toThrow('Diverged at step 2');
  });

  it.each(['digest', 'snapshot'] as const)('closes a session whose first %s fails, and tells why', async power => {
    let closed = 0;
    const faulty: Environment = {
      ...world,
      open: given => ({
        ...world.open(given),
        [power]: () => expect.fail('out of order'),
        close() {
          closed++;
          // What it says on closing hides nothing.
          throw new Error('stuck');
        },
      }),
    };
    await expect(createTrail(faulty, task)).rejects.toThrow('out of order');
    expect(closed).toBe(1);
  });

  it('[ROLL-1] tells the same task again after a replay, typos and all', async () => {
    const noisy = withNoise(plain, { seed: 3, typos: 0.9 });
    const trail = await createTrail(noisy, task);
    const told = trail.session().task.instruction;
    expect(told).not.toBe(task.instruction);
    await walk(trail, 2, 'typos');
    await trail.rollback(1);
    expect(trail.session().task.instruction).toBe(told);
  });
});

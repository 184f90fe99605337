import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor, runOne } from '../../../test/fixtures/episode-setup.ts';
import type { Action } from '../../core/action.ts';
import type { OrdinaryPolicy } from '../../core/episode/agents.ts';
import { createWorld } from '../../worlds/world.ts';
import { createBestOfN } from './best-of-n.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const finish: Action = { kind: 'finish' };
const idle: Action = { kind: 'click', ref: 'e999' };

/** A student that follows one script after the other, a new one at each start. */
function scripts(...lines: (readonly Action[])[]): OrdinaryPolicy {
  let attempt = -1;
  return {
    name: 'scripts',
    act({ history }) {
      if (history.length === 0) attempt++;
      return { action: lines[attempt]?.[history.length] ?? null };
    },
  };
}

describe('best of n', () => {
  it('[SRC-8] makes n attempts from the start, and verifies each by itself', async () => {
    const student = scripts([finish], plan, [idle, finish]);
    const strategy = createBestOfN({ attempts: 3, choose: 'verifier' });
    const record = await runOne({ task, parts: { environment: world, student, strategy } });
    expect(record.leaves.map(({ role, verdict }) => [role, verdict?.pass])).toEqual([
      ['sample', false],
      ['sample', true],
      ['sample', false],
    ]);
    expect(record.rollbacks.map(({ to, digest }) => [to, digest])).toEqual([
      [0, record.tree.root],
      [0, record.tree.root],
    ]);
    expect(record.end).toMatchObject({ outcome: 'passed', leaf: 5, reason: null });
    expect(record.end.counts).toMatchObject({ steps: 4, taken: 7 });
  });

  it('[SRC-8] chooses without the verdict unless it is asked to use it: by what most attempts agree on', async () => {
    const student = (): OrdinaryPolicy => scripts(plan, [finish], [finish]);
    const environment = world;
    const blind = await runOne({
      task,
      parts: { environment, student: student(), strategy: createBestOfN({ attempts: 3 }) },
    });
    expect(blind.end).toMatchObject({ outcome: 'failed', reason: 'finish not passed', leaf: 5 });
    const strategy = createBestOfN({ attempts: 3, choose: 'verifier' });
    const informed = await runOne({ task, parts: { environment, student: student(), strategy } });
    expect(informed.end).toMatchObject({ outcome: 'passed', leaf: 4 });
  });

  it('[SRC-8] prefers a finished attempt to one cut short, and a shorter one to a longer', async () => {
    const student = scripts([idle, idle, idle], [idle, ...plan], plan);
    const strategy = createBestOfN({ attempts: 3 });
    const record = await runOne({ task, parts: { environment: world, student, strategy } });
    expect(record.end).toMatchObject({ outcome: 'passed', counts: { steps: 4 } });
  });

  it('[SRC-8] makes no more attempts than it may have leaves', async () => {
    const parts = { environment: world, student: scripts(plan, plan, plan), strategy: createBestOfN({ attempts: 3 }) };
    const record = await runOne({ task, parts: { ...parts, limits: { leaves: 2 } } });
    expect(record.leaves).toHaveLength(2);
    expect(() => createBestOfN({ attempts: 0 })).toThrow('0 attempts. Expected a whole number above 0.');
  });
});

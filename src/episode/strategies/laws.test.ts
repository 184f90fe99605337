import { describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import { contents, perfectTeacher, run, tasksOf, type Ran } from '../../../test/fixtures/episode-setup.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { createRandomPolicy } from '../../agents/random.ts';
import type { Limits } from '../cursor/budget.ts';
import type { Strategy } from './strategy.ts';
import { createAlternatives } from './alternatives.ts';
import { createBestOfN } from './best-of-n.ts';
import { createDagger } from './dagger.ts';
import { createForkGroup } from './fork-group.ts';
import { createLinear } from './linear.ts';
import { createLookahead } from './lookahead.ts';
import { createPlant } from './plant.ts';
import { createRetry } from './retry.ts';
import { createSpeculativeRollback } from './speculative-rollback.ts';

const world = await openBuiltIn('mail');
const tasks = ['star-message', 'two-settings', 'already-marked'].flatMap(template => tasksOf(world, template, [1, 2]));
const strategies: Strategy[] = [
  createLinear(),
  createDagger(),
  createAlternatives({ width: 2, recover: true }),
  createRetry(),
  createRetry({ from: 'spread', first: 'teacher' }),
  createRetry({ from: 'refused' }),
  createRetry({ from: 'verdict', all: true }),
  createPlant(),
  createBestOfN({ attempts: 3 }),
  createForkGroup({ attempts: 3, starts: 1 }),
  createLookahead({ expansions: 6, width: 2 }),
  createSpeculativeRollback(),
  createSpeculativeRollback({ speculate: 1 }),
  createSpeculativeRollback({ speculate: Infinity, branching: true }),
];
const limits: Partial<Limits> = { steps: 9, interventions: 2, reviews: 4, forks: 1, leaves: 3 };

describe.each(strategies)('$name', strategy => {
  const parts = { environment: world, student: createRandomPolicy(), teacher: perfectTeacher, strategy };
  const once = (given: Partial<Limits>): Promise<Ran> => run({ tasks, parts: { ...parts, limits: given } });
  let first: Promise<Ran> | undefined;
  const usual = (): Promise<Ran> => (first ??= once({}));

  it('[ROL-7] obeys its budget', async () => {
    const { records } = await once(limits);
    expect(records).toHaveLength(tasks.length);
    for (const { tree, end, leaves } of records) {
      for (const leaf of tree.leaves()) expect(tree.path(leaf.id).length).toBeLessThanOrEqual(9);
      expect(end.counts.interventions).toBeLessThanOrEqual(2);
      expect(end.counts.reviews).toBeLessThanOrEqual(4);
      expect(end.counts.forks).toBeLessThanOrEqual(1);
      expect(leaves.length).toBeLessThanOrEqual(3);
      // It stops by itself: a limit that has to stop it is an error.
      expect(end.outcome).not.toBe('errored');
    }
  });

  it('[ROL-8] decides the same on the same inputs, and otherwise with another seed', async () => {
    const decided = contents((await usual()).stored);
    expect(contents((await once({})).stored)).toEqual(decided);
    const other = await run({ tasks: tasks.slice(0, 4), parts, seed: 'another' });
    expect(contents(other.stored)).not.toEqual(decided);
  });

  it('[ROL-6] [TREE-2] keeps what was rolled back, and every path replays to its digests', async () => {
    const { records } = await usual();
    for (const record of records) {
      const { tree, end, head } = record;
      expect(tree.record().nodes).toHaveLength(end.counts.taken);
      expect(tree.path(end.leaf)).toHaveLength(end.counts.steps);
      for (const leaf of tree.leaves()) {
        const session = world.open(head.task);
        expect(session.digest()).toBe(tree.root);
        for (const { id, action, after } of tree.path(leaf.id)) {
          expect(session.observe().text).toBe(record.situation(id).screen);
          session.step(action);
          expect(session.digest()).toBe(after);
        }
      }
    }
  });

  it('[ROL-5] passes nothing that the verifier does not pass', async () => {
    const { records } = await usual();
    for (const { tree, head, end, leaves } of records) {
      expect(end.outcome === 'passed').toBe(end.verdict?.pass === true);
      for (const { node, verdict } of leaves) {
        const session = world.open(head.task);
        for (const { action } of tree.path(node)) session.step(action);
        const isFinished = tree.node(node).action.kind === 'finish';
        expect(verdict?.pass).toBe(isFinished && session.verify().pass);
      }
    }
  });

  it('[ROL-6] counts what it did', async () => {
    const { records } = await usual();
    for (const record of records) {
      const { reviews, corrections, rollbacks } = record.end.counts;
      expect([reviews, corrections, rollbacks]).toEqual(eventCounts(record));
    }
  });
});

function eventCounts({ reviews, corrections, rollbacks }: EpisodeRecord): number[] {
  return [reviews.length, corrections.length, rollbacks.length];
}

import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import {
  impatientTimers,
  perfectTeacher,
  planFor,
  run,
  runOne,
  studentBy,
} from '../../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../../test/fixtures/memory-journal.ts';
import type { Action } from '../../core/action.ts';
import type { Environment, Session, StateSession } from '../../core/contracts.ts';
import type { OrdinaryTeacher } from '../../core/episode/agents.ts';
import type { Journal } from '../../core/episode/journal.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { createWorld } from '../../worlds/world.ts';
import { createRandomPolicy } from '../../agents/random.ts';
import { createScripted } from '../../agents/scripted.ts';
import type { Limits } from '../cursor/budget.ts';
import { createSpeculativeRollback } from './speculative-rollback.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
/** Open the book, type the reader, lend, finish. */
const plan = planFor(world.open(task));
const finish: Action = { kind: 'finish' };
const away: Action = { kind: 'click', ref: 'e3' };
/** There is no such element: nothing happens. */
const idle: Action = { kind: 'click', ref: 'e999' };
const parts = { environment: world, teacher: perfectTeacher, strategy: createSpeculativeRollback() };
const tasks = ['lend-to-reader', 'reserve-for-reader'].flatMap(template =>
  [1, 2, 3, 4, 5].map(seed => world.task(template, seed)),
);

/** The plan with one step replaced. */
function planWith(at: number, action: Action): readonly Action[] {
  return plan.map((step, index) => (index === at ? action : step));
}

function pathActions({ tree, end }: EpisodeRecord): Action[] {
  return tree.path(end.leaf).map(({ action }) => action);
}

describe('branching', () => {
  const branching = createSpeculativeRollback({ branching: true });
  const never = new Promise<never>(() => undefined);
  const wrong = { ...parts, student: createScripted({ actions: planWith(1, away) }) };

  it('[SRC-7] a rejected branch lives on as a leaf of its own, verified by itself', async () => {
    const record = await runOne({ task, parts: { ...wrong, strategy: branching } });
    expect(record.end.outcome).toBe('passed');
    expect(record.leaves.map(({ role, from, verdict }) => [role, from, verdict?.pass])).toEqual([
      ['main', null, true],
      ['rejected', 2, false],
    ]);
    const [, grown] = record.leaves;
    expect(record.tree.path(grown?.node ?? 0).map(({ id }) => id)).toEqual([1, 2, 3, 7]);
    // Back to where the branch ended, once; the main leaf stays the end.
    expect(record.rollbacks.slice(1).map(({ from, to }) => [from, to])).toEqual([[record.end.leaf, 3]]);
    expect(record.end.leaf).toBe(record.leaves[0]?.node);
    expect(record.end.counts.forks).toBe(1);
  });

  it('[SRC-7] finds a rejection that was wrong', async () => {
    let reviewed = 0;
    const hasty: OrdinaryTeacher = {
      name: 'hasty',
      review: () => (reviewed++ === 0 ? { accept: false, at: 1, reason: 'wrongly' } : { accept: true }),
      correct: () => ({ action: plan[1] as Action }),
    };
    const student = createScripted({ actions: plan });
    const record = await runOne({ task, parts: { ...parts, student, teacher: hasty, strategy: branching } });
    expect(record.leaves.map(({ role, verdict }) => [role, verdict?.pass])).toEqual([
      ['main', true],
      ['rejected', true],
    ]);
  });

  it('[SRC-7] nothing grows from a finish that the verifier rejected', async () => {
    const student = createScripted({ actions: planWith(1, finish) });
    const record = await runOne({ task, parts: { ...parts, student, strategy: branching } });
    expect(record.end.outcome).toBe('passed');
    expect(record.leaves.map(({ role }) => role)).toEqual(['main']);
  });

  it('[SRC-7] keeps to its limits on forks and leaves', async () => {
    const wandering = { ...parts, student: studentBy(() => ({ action: idle })), strategy: branching };
    const grown = async (limits: { forks?: number; leaves?: number }): Promise<string[]> =>
      (await runOne({ task, parts: { ...wandering, limits } })).leaves.map(({ role }) => role);
    expect(await grown({})).toEqual(['main', ...Array(4).fill('rejected')]);
    expect(await grown({ forks: 2 })).toEqual(['main', 'rejected', 'rejected']);
    expect(await grown({ leaves: 2 })).toEqual(['main', 'rejected']);
    expect(await grown({ forks: 0 })).toEqual(['main']);
  });

  it('[SRC-7] does not change the main path', async () => {
    const student = createRandomPolicy();
    const plain = await run({ tasks, parts: { ...parts, student } });
    const branched = await run({ tasks, parts: { ...parts, student, strategy: branching } });
    expect(branched.records.map(pathActions)).toEqual(plain.records.map(pathActions));
    expect(branched.records.map(({ end }) => [end.outcome, end.reason])).toEqual(
      plain.records.map(({ end }) => [end.outcome, end.reason]),
    );
    expect(branched.records.some(({ end }) => end.counts.forks > 0)).toBe(true);
  });

  it('[SRC-7] what breaks beside the main path is a leaf without a verdict, not the end of the episode', async () => {
    const fragile = studentBy(step => {
      const action = planWith(1, away)[step] as Action;
      if (step === 3 && ++late > 1) throw new Error('out of order');
      return { action };
    });
    let late = 0;
    const record = await runOne({ task, parts: { ...parts, student: fragile, strategy: branching } });
    expect(record.end.outcome).toBe('passed');
    expect(record.leaves.map(({ role, verdict }) => [role, verdict?.pass])).toEqual([
      ['main', true],
      ['rejected', undefined],
    ]);
  });

  /** A world that only comes back by replay, and whose session of this number breaks. */
  function breaking(number: number, fault: (session: StateSession) => Partial<Session> | Promise<never>): Environment {
    let opened = 0;
    return {
      ...world,
      open(given) {
        const { snapshot: _snapshot, restore: _restore, ...session } = world.open(given);
        if (++opened !== number) return session;
        const broken = fault(world.open(given));
        return broken instanceof Promise ? broken : { ...session, ...broken };
      },
    };
  }

  /** The main path goes back once, with the second session; the third is for the rejected branch. */
  const growing = (environment: Environment, limits: Partial<Limits> = {}): Promise<EpisodeRecord> =>
    runOne({ task, parts: { ...wrong, strategy: branching, environment, limits }, timers: impatientTimers });

  const lost: [string, Partial<Limits>, () => Promise<never>][] = [
    ['out of time', { milliseconds: 1000 }, () => never],
    ['past the deadline', {}, () => never],
    ['in a world that will not open', {}, () => Promise.reject(new Error('down'))],
  ];
  it.each(lost)(
    '[SRC-7] a branch that cannot be gone back to, %s, does not undo a pass',
    async (_name, limits, fault) => {
      const record = await growing(breaking(3, fault), limits);
      expect(record.end).toMatchObject({ outcome: 'passed', boundary: null, counts: { forks: 0, rollbacks: 1 } });
      expect(record.leaves.map(({ role }) => role)).toEqual(['main']);
      expect(pathActions(record)).toEqual(plan);
    },
  );

  it('[SRC-7] ends where the main path ended, without going back there', async () => {
    const record = await growing(
      breaking(4, () => never),
      { milliseconds: 1000 },
    );
    expect(record.end.outcome).toBe('passed');
    expect(record.leaves.map(({ role, verdict }) => [role, verdict?.pass])).toEqual([
      ['main', true],
      ['rejected', false],
    ]);
    expect(pathActions(record)).toEqual(plan);
  });

  it('[SRC-7] a world that breaks in a branch leaves it without a verdict, and no other grows', async () => {
    // Four rejections, each gone back to with a session of its own; the sixth is for the first branch.
    const environment = breaking(6, session => {
      let steps = 0;
      const step: Session['step'] = action => {
        if (++steps > 3) throw new Error('down');
        return session.step(action);
      };
      return { step, digest: session.digest };
    });
    const student = studentBy(() => ({ action: idle }));
    const record = await runOne({ task, parts: { ...parts, student, strategy: branching, environment } });
    expect(record.end).toMatchObject({ outcome: 'passed', boundary: null, counts: { forks: 1, interventions: 4 } });
    expect(record.leaves.slice(1)).toEqual([{ kind: 'leaf', node: 3, role: 'rejected', verdict: null, from: 1 }]);
  });

  it('[SRC-7] a store that breaks in a branch still stops the run', async () => {
    const journal = createMemoryJournal();
    const failing: Journal = {
      ...journal,
      begin(head) {
        const log = journal.begin(head);
        return {
          ...log,
          append(event) {
            if (event.kind === 'leaf' && event.role === 'rejected') throw new Error('no space left on device');
            log.append(event);
          },
        };
      },
    };
    const stopped = run({ tasks: [task], parts: { ...wrong, strategy: branching }, journal: failing });
    await expect(stopped).rejects.toMatchObject({ boundary: 'store' });
  });
});

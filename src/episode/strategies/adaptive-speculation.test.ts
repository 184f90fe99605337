import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { perfectTeacher, planFor, run, runOne, studentBy } from '../../../test/fixtures/episode-setup.ts';
import type { Action } from '../../core/action.ts';
import type { OrdinaryPolicy, OrdinaryTeacher } from '../../core/episode/agents.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { createWorld } from '../../worlds/world.ts';
import { untrainedWeights, createStudent } from '../../agents/learned/student.ts';
import { createSpeculativeRollback, type SpeculativeRollbackOptions } from './speculative-rollback.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
/** Open the book, type the reader, lend, finish. */
const plan = planFor(world.open(task));
const stubborn: OrdinaryTeacher = {
  name: 'stubborn',
  review: () => ({ accept: false, at: 0, reason: 'no' }),
  correct: () => ({ action: null }),
};

/** Follows the plan, so sure of each step. */
function sureStudent(confidences: readonly number[], actions: readonly Action[] = plan): OrdinaryPolicy {
  return studentBy(step => {
    const confidence = confidences[step];
    return { action: actions[step] as Action, ...(confidence === undefined ? {} : { confidence }) };
  });
}

function episode(
  options: SpeculativeRollbackOptions,
  student: OrdinaryPolicy,
  teacher: OrdinaryTeacher | typeof perfectTeacher = perfectTeacher,
): Promise<EpisodeRecord> {
  return runOne({
    task,
    parts: { environment: world, student, teacher, strategy: createSpeculativeRollback(options) },
  });
}

const branchesOf = ({ reviews }: EpisodeRecord): number[] => reviews.map(({ nodes }) => nodes.length);

describe('adaptive speculation', () => {
  it('[SRC-10] goes on while the product of the probabilities since the last review is large enough', async () => {
    const branches = async (goOn: number, ...confidences: number[]): Promise<number[]> =>
      branchesOf(await episode({ speculate: 'adaptive', goOn }, sureStudent(confidences)));
    // .9, .81, .405: below one half after the third step.
    expect(await branches(0.5, 0.9, 0.9, 0.5, 0.9)).toEqual([3, 1]);
    expect(await branches(0.85, 0.9, 0.9, 0.5, 0.9)).toEqual([2, 1, 1]);
    expect(await branches(0.4, 0.9, 0.9, 0.5, 0.9)).toEqual([4]);
    expect(await branches(0.5, 0.4, 0.4, 0.4, 0.4)).toEqual([1, 1, 1, 1]);
  });

  it('[SRC-10] reviews every step of a student that does not say how sure it is', async () => {
    expect(branchesOf(await episode({ speculate: 'adaptive' }, sureStudent([])))).toEqual([1, 1, 1, 1]);
    expect(branchesOf(await episode({ speculate: 'adaptive', goOn: 0 }, sureStudent([])))).toEqual([1, 1, 1, 1]);
    const silent = await episode({ speculate: Infinity, skipSure: 0, audit: 0 }, sureStudent([]));
    expect(silent.end.counts).toMatchObject({ reviews: 1, skipped: 0 });
  });

  it('[SRC-11] skips the review of a finish that passed, if the student was sure of each step', async () => {
    const sure = await episode({ speculate: Infinity, skipSure: 0.3, audit: 0 }, sureStudent([0.9, 0.3, 0.9, 0.9]));
    expect(sure.end).toMatchObject({ outcome: 'passed', counts: { reviews: 0, shown: 0, skipped: 1 } });
    expect(sure.leaves).toMatchObject([{ node: 4, role: 'main' }]);
    const unsure = await episode({ speculate: Infinity, skipSure: 0.3, audit: 0 }, sureStudent([0.9, 0.29, 0.9, 0.9]));
    expect(unsure.end.counts).toMatchObject({ reviews: 1, shown: 4, skipped: 0 });
    // Steps that were reviewed before need not be sure.
    const late = await episode({ speculate: 3, skipSure: 0.3, audit: 0 }, sureStudent([0.1, 0.1, 0.1, 0.9]));
    expect(late.end.counts).toMatchObject({ reviews: 1, shown: 3, skipped: 1 });
    const never = await episode({ speculate: Infinity }, sureStudent([1, 1, 1, 1]));
    expect(never.end.counts).toMatchObject({ reviews: 1, skipped: 0 });
  });

  it('[SRC-11] never skips where the verifier did not pass, however sure the student is', async () => {
    const hasty = sureStudent([1, 1], [plan[0] as Action, { kind: 'finish' }]);
    const record = await episode({ speculate: Infinity, skipSure: 0, audit: 0 }, hasty);
    expect(record.reviews[0]?.nodes).toHaveLength(2);
    expect(record.corrections.length).toBeGreaterThan(0);
  });

  it('[SRC-12] audits a share of the skipped reviews: the answer is kept, and changes nothing', async () => {
    const sure = sureStudent([1, 1, 1, 1]);
    const audited = await episode({ speculate: Infinity, skipSure: 0.3, audit: 1 }, sure, stubborn);
    expect(audited.end).toMatchObject({ outcome: 'passed', counts: { reviews: 1, skipped: 0, rollbacks: 0 } });
    expect(audited.reviews).toMatchObject([{ accept: false, audit: true, overruled: true }]);
    const tasks = Array.from({ length: 60 }, (_, seed) => world.task('lend-to-reader', seed));
    const strategy = createSpeculativeRollback({ speculate: Infinity, skipSure: 0, audit: 0.25 });
    const parts = { environment: world, teacher: perfectTeacher, strategy };
    const { records } = await run({
      tasks,
      parts({ task: own }) {
        const actions = planFor(world.open(own));
        const confidences = actions.map(() => 1);
        return { ...parts, student: sureStudent(confidences, actions) };
      },
    });
    const made = records.filter(({ reviews }) => reviews.length === 1).length;
    // Three standard deviations around 15.
    expect(made).toBeGreaterThan(4);
    expect(made).toBeLessThan(26);
    expect(records.reduce((sum, { end }) => sum + (end.counts.skipped ?? 0), 0)).toBe(60 - made);
  });

  it('[SRC-6] shows the teacher every step of the student on the main path once, or skips it', async () => {
    const { stored, records } = await run({
      tasks: [1, 2, 3, 4, 5].map(seed => world.task('lend-to-reader', seed)),
      parts: {
        environment: world,
        student: createStudent({ weights: untrainedWeights(), temperature: 1 }),
        teacher: perfectTeacher,
        strategy: createSpeculativeRollback({ speculate: 'adaptive', goOn: 0.01, skipSure: 0, audit: 0 }),
      },
    });
    for (const [index, { tree, end, reviews }] of records.entries()) {
      const skipped = stored[index]?.events.flatMap(event => (event.kind === 'skip' ? event.nodes : [])) ?? [];
      const seen = [...reviews.flatMap(({ nodes }) => nodes), ...skipped];
      expect(end.counts.shown).toBe(reviews.reduce((sum, { nodes }) => sum + nodes.length, 0));
      for (const { id, actor, confidence } of tree.path(end.leaf)) {
        expect(seen.filter(node => node === id)).toHaveLength(actor.role === 'student' ? 1 : 0);
        expect(confidence === undefined).toBe(actor.role === 'teacher');
      }
    }
  });

  it('[SRC-10] refuses thresholds that are no shares', () => {
    expect(() => createSpeculativeRollback({ speculate: 'adaptive', goOn: 1.5 })).toThrow('goOn is 1.5');
    expect(() => createSpeculativeRollback({ skipSure: -1 })).toThrow('Expected a number from 0 to 1');
  });
});

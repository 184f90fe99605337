import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { perfectTeacher, planFor, run, runOne, studentBy } from '../../../test/fixtures/episode-setup.ts';
import type { Action } from '../../core/action.ts';
import type { Environment } from '../../core/contracts.ts';
import type { OrdinaryTeacher, Segment } from '../../core/episode/agents.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { createWorld } from '../../worlds/world.ts';
import { createRandomPolicy } from '../../agents/random.ts';
import { createScripted } from '../../agents/scripted.ts';
import { createLinear } from './linear.ts';
import { createSpeculativeRollback } from './speculative-rollback.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
/** Open the book, type the reader, lend, finish. */
const plan = planFor(world.open(task));
const finish: Action = { kind: 'finish' };
const away: Action = { kind: 'click', ref: 'e3' };
/** There is no such element: nothing happens. */
const idle: Action = { kind: 'click', ref: 'e999' };
const strategy = createSpeculativeRollback();
const parts = { environment: world, teacher: perfectTeacher, strategy };
const tasks = ['lend-to-reader', 'reserve-for-reader'].flatMap(template =>
  [1, 2, 3, 4, 5].map(seed => world.task(template, seed)),
);

/** The plan with one step replaced. */
function planWith(at: number, action: Action): readonly Action[] {
  return plan.map((step, index) => (index === at ? action : step));
}

function actors({ tree, end }: EpisodeRecord): string[] {
  return tree.path(end.leaf).map(({ actor }) => actor.role);
}

function pathActions({ tree, end }: EpisodeRecord): Action[] {
  return tree.path(end.leaf).map(({ action }) => action);
}

/** A teacher that says what it is told to, and notes what it was shown. */
function teacherOf(given: Partial<OrdinaryTeacher>): OrdinaryTeacher {
  return { name: 'test teacher', review: () => ({ accept: true }), correct: () => ({ action: null }), ...given };
}

describe('speculative rollback', () => {
  it('[SRC-9] a finish that the verifier passed stands, with the steps to it, whatever the reviewer says', async () => {
    for (const speculate of [1, 3, Infinity]) {
      const stubborn = teacherOf({
        review: ({ verdict }) => (verdict === null ? { accept: true } : { accept: false, at: 0, reason: 'no' }),
      });
      const record = await runOne({
        task,
        parts: {
          ...parts,
          teacher: stubborn,
          student: createScripted({ actions: plan }),
          strategy: createSpeculativeRollback({ speculate, branching: true }),
        },
      });
      expect(record.end).toMatchObject({ outcome: 'passed', counts: { rollbacks: 0, corrections: 0, forks: 0 } });
      expect(record.reviews.at(-1)).toMatchObject({ accept: false });
    }
  });

  it('[RUN-49] counts the steps of the teacher on the path that was kept', async () => {
    const record = await runOne({ task, parts: { ...parts, student: createScripted({ actions: planWith(0, away) }) } });
    const taught = actors(record).filter(role => role === 'teacher').length;
    expect(taught).toBeGreaterThan(0);
    expect(record.end.counts).toMatchObject({ steps: actors(record).length, taught });
    const alone = await runOne({ task, parts: { ...parts, student: createScripted({ actions: plan }) } });
    expect(alone.end.counts.taught ?? 0).toBe(0);
  });

  it('[SRC-1] reviews after K steps: each step with K = 1, the finished run with K = ∞', async () => {
    const branches = async (speculate: number): Promise<number[]> => {
      const student = createScripted({ actions: plan });
      const record = await runOne({
        task,
        parts: { ...parts, student, strategy: createSpeculativeRollback({ speculate }) },
      });
      expect(record.end.outcome).toBe('passed');
      return record.reviews.map(({ nodes }) => nodes.length);
    };
    expect(await branches(1)).toEqual([1, 1, 1, 1]);
    expect(await branches(3)).toEqual([3, 1]);
    expect(await branches(Infinity)).toEqual([4]);
  });

  it('[SRC-1] with K = ∞ reviews a student that never finishes when it is out of steps', async () => {
    const record = await runOne({
      task,
      parts: {
        ...parts,
        teacher: teacherOf({}),
        student: studentBy(() => ({ action: away })),
        strategy: createSpeculativeRollback({ speculate: Infinity }),
        limits: { steps: 7 },
      },
    });
    expect(record.reviews.map(({ nodes }) => nodes.length)).toEqual([7]);
    expect(record.end).toMatchObject({ outcome: 'failed', reason: 'out of steps' });
  });

  it('[SRC-1] shows the reviewer the last steps before the branch, the branch, and the screen after', async () => {
    const shown: Segment[] = [];
    const teacher = teacherOf({
      review(segment) {
        shown.push(segment);
        return { accept: true };
      },
    });
    const record = await runOne({
      task,
      parts: {
        ...parts,
        teacher,
        student: createScripted({ actions: plan }),
        strategy: createSpeculativeRollback({ speculate: 2, context: 1 }),
      },
    });
    const [first, second] = shown as [Segment, Segment];
    const path = record.tree.path(record.end.leaf);
    expect(first.context).toEqual([]);
    expect(first.visited).toEqual([record.tree.root]);
    expect(first.verdict).toBeNull();
    expect(second.context).toEqual([record.text(2)]);
    expect(second.visited).toEqual([record.tree.root, path[0]?.after, path[1]?.after]);
    expect(second.steps.map(({ action }) => action)).toEqual(plan.slice(2));
    expect(second.steps.map(({ screen }) => screen)).toEqual([3, 4].map(node => record.situation(node).screen));
    expect(second.end).toBe(path[3]?.after);
    expect(second.verdict?.pass).toBe(true);
  });

  it('[SRC-2] a finish of the student that the verifier does not pass is no pass, though the reviewer accepts it', async () => {
    const teacher = teacherOf({
      correct: ({ reason, rejected }) => {
        expect(reason).toContain('the verifier does not pass it');
        expect(rejected).toEqual(finish);
        return { action: plan[0] as Action };
      },
    });
    const record = await runOne({
      task,
      parts: { ...parts, teacher, student: studentBy(() => ({ action: finish })), limits: { interventions: 1 } },
    });
    expect(record.end).toMatchObject({ outcome: 'discarded', reason: 'out of interventions', verdict: null });
    expect(record.corrections).toEqual([
      expect.objectContaining({ replaces: 1, reason: expect.stringContaining('is lent to') as string }),
    ]);
    expect(record.leaves).toEqual([]);
  });

  it('[SRC-2] a finish of the teacher that the verifier does not pass is no pass', async () => {
    const teacher = teacherOf({
      review: () => ({ accept: false, at: 0, reason: 'no' }),
      correct: () => ({ action: finish }),
    });
    const record = await runOne({ task, parts: { ...parts, teacher, student: studentBy(() => ({ action: away })) } });
    expect(record.end).toMatchObject({ outcome: 'discarded', reason: 'same target three times', verdict: null });
    expect(record.tree.children(0).map(({ actor }) => actor.role)).toEqual(['student', 'teacher', 'teacher']);
  });

  it('[SRC-2] a finish that the verifier passes may be the teacher’s', async () => {
    const record = await runOne({
      task,
      parts: { ...parts, student: createScripted({ actions: planWith(3, away) }) },
    });
    expect(record.end.outcome).toBe('passed');
    expect(actors(record)).toEqual(['student', 'student', 'student', 'teacher']);
  });

  it('[SRC-3] keeps the steps before the rejected one, restores that state, and takes one step of the teacher', async () => {
    const record = await runOne({
      task,
      parts: { ...parts, student: createScripted({ actions: planWith(1, away) }) },
    });
    expect(record.end).toMatchObject({ outcome: 'passed', reason: null });
    expect(pathActions(record)).toEqual(plan);
    expect(actors(record)).toEqual(['student', 'teacher', 'student', 'student']);
    expect(record.reviews[0]).toMatchObject({ nodes: [1, 2, 3], accept: false, at: 2 });
    expect(record.rollbacks).toEqual([
      expect.objectContaining({ from: 3, to: 1, digest: record.tree.digest(1), method: 'restore' }),
    ]);
    expect(record.corrections).toEqual([expect.objectContaining({ node: 4, replaces: 2 })]);
    expect(record.end.counts).toMatchObject({ steps: 4, taken: 6, corrections: 1, interventions: 1, rollbacks: 1 });
  });

  it('[SRC-3] asks the teacher for the correction in the restored state', async () => {
    const seen: string[] = [];
    let reviewed = 0;
    const teacher = teacherOf({
      review: () => (reviewed++ === 0 ? { accept: false, at: 1, reason: 'lost' } : { accept: true }),
      correct({ view }) {
        seen.push(view.observation.text);
        return { action: plan[1] as Action };
      },
    });
    const record = await runOne({
      task,
      parts: { ...parts, teacher, student: createScripted({ actions: planWith(1, away) }) },
    });
    const restored = world.open(task);
    restored.step(plan[0] as Action);
    expect(seen).toEqual([restored.observe().text]);
    expect(record.end.outcome).toBe('passed');
  });

  it('[SRC-3] a restored state is compared by its digest: a world that comes back elsewhere ends the episode', async () => {
    const lying: Environment = {
      ...world,
      open(given) {
        const { snapshot: _snapshot, restore: _restore, ...session } = world.open(given);
        const start = session.digest();
        opened++;
        return { ...session, digest: () => (opened > 1 ? `${start} again` : session.digest()) };
      },
    };
    let opened = 0;
    const teacher = teacherOf({ review: () => ({ accept: false, at: 0, reason: 'no' }) });
    const record = await runOne({
      task,
      parts: { ...parts, environment: lying, teacher, student: studentBy(() => ({ action: away })) },
    });
    expect(record.end).toMatchObject({ outcome: 'errored', boundary: 'environment', reason: 'diverged' });
  });

  it('[SRC-4] is discarded, not passed, when interventions run out', async () => {
    const record = await runOne({ task, parts: { ...parts, student: studentBy(() => ({ action: idle })) } });
    expect(record.end).toMatchObject({ outcome: 'passed', counts: { interventions: 4 } });
    const short = await runOne({
      task,
      parts: { ...parts, student: studentBy(() => ({ action: idle })), limits: { interventions: 3 } },
    });
    expect(short.end).toMatchObject({ outcome: 'discarded', reason: 'out of interventions', verdict: null });
    expect(short.end.counts.interventions).toBe(3);
  });

  it('[SRC-4] is discarded, not accepted, when it comes back to the same state a third time', async () => {
    // The correction does nothing, so the student errs in the same state again.
    const teacher = teacherOf({
      review: () => ({ accept: false, at: 0, reason: 'no' }),
      correct: () => ({ action: idle }),
    });
    const record = await runOne({ task, parts: { ...parts, teacher, student: studentBy(() => ({ action: away })) } });
    expect(record.end).toMatchObject({ outcome: 'discarded', reason: 'same target three times' });
    expect(record.end.counts).toMatchObject({ reviews: 3, interventions: 2, rollbacks: 2 });
  });

  it('[SRC-4] is discarded, and the teacher not asked again, when it knows no way from here', async () => {
    let asked = 0;
    const teacher = teacherOf({
      review: () => ({ accept: false, at: 1, reason: 'no' }),
      correct() {
        asked++;
        return { action: null, cost: 2 };
      },
    });
    const record = await runOne({ task, parts: { ...parts, teacher, student: createScripted({ actions: plan }) } });
    expect(asked).toBe(1);
    expect(record.end).toMatchObject({
      outcome: 'discarded',
      reason: 'no correction',
      boundary: null,
      verdict: null,
      leaf: 1,
      counts: { reviews: 1, corrections: 0, interventions: 0, rollbacks: 1, cost: 2 },
    });
    expect(record.corrections).toEqual([]);
  });

  it('[SRC-5] the teacher takes over a step when the student has nothing usable to offer three times', async () => {
    let asked = 0;
    const silent = studentBy(step => {
      if (step !== 1) return { action: plan[step] ?? null };
      asked++;
      return { action: { kind: 'click' } as unknown as Action };
    });
    const record = await runOne({ task, parts: { ...parts, student: silent } });
    expect(asked).toBe(3);
    expect(record.end.outcome).toBe('passed');
    expect(actors(record)).toEqual(['student', 'teacher', 'student', 'student']);
    expect(record.corrections).toEqual([{ kind: 'correction', node: 2, replaces: null, reason: 'unusable output' }]);
    expect(record.end.counts).toMatchObject({ interventions: 1, rollbacks: 0 });
    const none = await runOne({ task, parts: { ...parts, student: silent, limits: { interventions: 0 } } });
    expect(none.end).toMatchObject({ outcome: 'discarded', reason: 'out of interventions' });
  });

  it('[SRC-6] queries are reviews and corrections: one review for each branch, with K = 1 for each step of the student', async () => {
    for (const speculate of [1, 2, 3, Infinity]) {
      let reviews = 0;
      let corrections = 0;
      const counting = {
        ...perfectTeacher,
        review: (...given: Parameters<typeof perfectTeacher.review>) => {
          reviews++;
          return perfectTeacher.review(...given);
        },
        correct: (...given: Parameters<typeof perfectTeacher.correct>) => {
          corrections++;
          return perfectTeacher.correct(...given);
        },
      };
      const { records } = await run({
        tasks: tasks.slice(0, 4),
        parts: {
          limits: { steps: 8 },
          ...parts,
          teacher: counting,
          student: createRandomPolicy(),
          strategy: createSpeculativeRollback({ speculate }),
        },
      });
      const sum = (count: (record: EpisodeRecord) => number): number =>
        records.reduce((total, record) => total + count(record), 0);
      expect(sum(({ end }) => end.counts.reviews)).toBe(reviews);
      expect(sum(({ end }) => end.counts.corrections)).toBe(corrections);
      expect(sum(record => record.reviews.length)).toBe(reviews);
      for (const { tree, reviews: branches } of records) {
        const reviewed = branches.flatMap(({ nodes }) => nodes);
        const byStudent = tree.record().nodes.filter(({ actor }) => actor.role === 'student');
        // Every step of the student was in exactly one branch.
        expect(reviewed).toEqual(byStudent.map(({ id }) => id));
        expect(branches.every(({ nodes }) => nodes.length <= speculate)).toBe(true);
      }
    }
  });

  it('[SRC-6] with a perfect reviewer passes at least what the student passes alone', async () => {
    const student = createRandomPolicy();
    const alone = await run({ tasks, parts: { ...parts, student, strategy: createLinear() } });
    const taught = await run({ tasks, parts: { ...parts, student, limits: { interventions: Infinity } } });
    expect(taught.totals.outcomes.passed).toBe(tasks.length);
    expect(alone.totals.outcomes.passed).toBeLessThan(tasks.length);
  });

  it('refuses options that make no sense', () => {
    expect(() => createSpeculativeRollback({ speculate: 0 })).toThrow('speculate is 0. Expected a whole number from 1');
    expect(() => createSpeculativeRollback({ context: 1.5 })).toThrow('context is 1.5');
  });
});

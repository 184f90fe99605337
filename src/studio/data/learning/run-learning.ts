import type { Estimate } from '../../../analysis/estimate.ts';
import type { Evaluation } from '../../../analysis/evaluate.ts';
import type { CurveRound } from '../../../analysis/report/figures/curves.ts';
import { wilson } from '../../../analysis/stats.ts';
import { isByPerson } from '../../../core/episode/events.ts';
import { readEvaluationRecord } from '../../../runs/evaluation/evaluation-record.ts';
import { levelsFor, readEvaluations } from '../../../runs/evaluation/read-evaluations.ts';
import { findConfig, openRun } from '../../../runs/folder/folder.ts';
import type { IndexedRow } from '../episode-rows.ts';
import type { OpenedRun } from '../opened-run.ts';

/** A round of a run, with how the episodes went that were collected in it. */
export type LearningRound = CurveRound & { readonly collected: Estimate | null };

/** How the student of a run became better. */
export interface RunLearning {
  readonly run: string;
  readonly rounds: readonly LearningRound[];
  /** One for each round that was evaluated. */
  readonly students: readonly Evaluation[];
  readonly baselines: readonly Evaluation[];
}

/** Reads it once for each version of the run: intervals take a while. */
export function createRunLearning(): (run: OpenedRun) => RunLearning {
  const known = new WeakMap<OpenedRun, { readonly version: number; readonly learning: RunLearning }>();
  return run => {
    const version = run.index.version();
    const found = known.get(run);
    if (found?.version === version) return found.learning;
    const learning = readLearning(run);
    known.set(run, { version, learning });
    return learning;
  };
}

function readLearning({ id, folder, index }: OpenedRun): RunLearning {
  // What people did by hand belongs to no round.
  const collected = index.rows().filter(row => row.phase === 'collect' && !isByPerson(row));
  const store = openRun(folder);
  try {
    const apps = new Set(collected.map(({ environment }) => environment));
    const { students, baselines } = readEvaluations(store, readEvaluationRecord(folder), levelsFor(store, apps));
    return { run: id, rounds: roundsOf({ folder, collected, students }), students, baselines };
  } finally {
    store.close();
  }
}

interface Learned {
  readonly folder: string;
  readonly collected: readonly IndexedRow[];
  readonly students: readonly Evaluation[];
}

function roundsOf({ folder, collected, students }: Learned): LearningRound[] {
  const byRound = Map.groupBy(collected, ({ round }) => round);
  const numbers = new Set([...byRound.keys(), ...students.map(({ round }) => round)]);
  const asked = { reviews: 0, corrections: 0, shown: 0 };
  return [...numbers]
    .toSorted((one, other) => one - other)
    .map(round => {
      const own = byRound.get(round) ?? [];
      const isShown = own.length > 0 && findConfig(folder, round)?.student.kind === 'planner';
      for (const { reviews, corrections, taken } of own) {
        asked.reviews += reviews;
        asked.corrections += corrections;
        // Every step of a planner is a question to the teacher.
        if (isShown) asked.shown += taken;
      }
      const student = students.find(evaluation => evaluation.round === round);
      return {
        round,
        queries: asked.reviews + asked.corrections + asked.shown,
        shown: asked.shown,
        corrections: asked.corrections,
        collected: own.length === 0 ? null : passedOf(own),
        ...levelsOf(student),
      };
    });
}

/** The overall estimates of a student, by level. */
export function levelsOf(student: Evaluation | undefined) {
  return {
    newInstances: student?.newInstances?.overall ?? null,
    heldOut: student?.heldOut?.overall ?? null,
    heldOut2: student?.heldOut2?.overall ?? null,
    heldOut3: student?.heldOut3?.overall ?? null,
    unseenApps: student?.unseenApps?.overall ?? null,
  };
}

/** The share of episodes that passed; what broke says nothing of a student. */
function passedOf(rows: readonly IndexedRow[]): Estimate {
  const counted = rows.filter(({ outcome }) => outcome !== 'errored');
  const passed = counted.filter(({ outcome }) => outcome === 'passed').length;
  return { ...shareOf(passed, counted.length), errored: rows.length - counted.length };
}

/** A share with its interval. */
export function shareOf(passed: number, of: number): Estimate {
  const rate = of === 0 ? null : passed / of;
  return { rate, ...wilson(passed, of), passed, n: of, errored: 0, uncertified: 0, raw: rate };
}

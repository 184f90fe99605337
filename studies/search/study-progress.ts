import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/core/clock.ts';
import { readJson } from '../../src/modules/read-file.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import type { ProgressCounter } from '../../src/runs/plan/progress-counter.ts';

/** How far a phase of a study is, over all apps. */
export interface StudyProgress {
  /** `round 1`, or `held out, words`. */
  readonly phase: string;
  /** The app that is worked on. */
  readonly app: string;
  readonly tasks: number;
  /** Tasks that have ended, in earlier starts too. */
  readonly done: number;
  /** Solved since this start. */
  readonly solved: number;
  /** Of the searches that have ended since this start. */
  readonly nodesPerSecond: number;
  /** Until the end of the phase; null while no task has ended since this start. */
  readonly secondsLeft: number | null;
}

/** Counts the tasks of one phase. */
export interface PhaseProgress {
  addNodes(nodes: number): void;
  /** Takes what is known of an app. */
  at(app: string, counter: ProgressCounter): StudyProgress;
  /** An app has ended with so many tasks, whether or not they were run now. */
  endApp(app: string, tasks: number): void;
}

export function createPhaseProgress(phase: string, tasks: number, clock: Clock): PhaseProgress {
  const started = clock.now();
  const before = { done: 0, ended: 0, solved: 0 };
  /** Apps that are worked on. */
  const now = new Map<string, { readonly skipped: number; readonly ended: number; readonly solved: number }>();
  let nodes = 0;
  const sum = (count: 'skipped' | 'ended' | 'solved'): number =>
    now.values().reduce((total, own) => total + own[count], 0);
  return {
    addNodes: more => void (nodes += more),
    at(app, { skipped, ended, outcomes }) {
      now.set(app, { skipped, ended, solved: outcomes.passed });
      const done = before.done + sum('skipped') + sum('ended');
      const endedNow = before.ended + sum('ended');
      const seconds = (clock.now() - started) / 1000;
      return {
        phase,
        app,
        tasks,
        done,
        solved: before.solved + sum('solved'),
        nodesPerSecond: seconds === 0 ? 0 : nodes / seconds,
        secondsLeft: endedNow === 0 ? null : ((tasks - done) * seconds) / endedNow,
      };
    },
    endApp(app, count) {
      const { ended = 0, solved = 0 } = now.get(app) ?? {};
      before.done += count;
      before.ended += ended;
      before.solved += solved;
      now.delete(app);
    },
  };
}

/** Seconds that a study has taken over all of its starts. */
export interface StudyTime {
  seconds(): number;
  /** Writes them down, so that a study that is killed knows them. */
  save(): number;
}

/** Of the starts that have ended. */
export function secondsBefore(folder: string): number {
  const file = timeFile(folder);
  return existsSync(file) ? (readJson(file) as { seconds: number }).seconds : 0;
}

function timeFile(folder: string): string {
  return join(folder, 'time.json');
}

export function createStudyTime(folder: string, clock: Clock): StudyTime {
  const before = secondsBefore(folder);
  const started = clock.now();
  const seconds = (): number => before + (clock.now() - started) / 1000;
  return {
    seconds,
    save() {
      const taken = seconds();
      writeWhole(timeFile(folder), `${JSON.stringify({ seconds: taken })}\n`);
      return taken;
    },
  };
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../src/core/clock.ts';
import { readJson } from '../../src/modules/read-file.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';

/** A part of a study, and its share of the time compared with others. */
export interface StudyPhase {
  readonly name: string;
  readonly share: number;
}

/** The time of a study with a limit, shared out among its phases: each ends early rather than take what belongs to the next. */
export interface StudyBudget {
  /** Whether a start before this one has ended the phase. */
  isEnded(phase: string): boolean;
  /** When a phase that begins now has to end, by the clock; Infinity without a limit. */
  endOf(phase: string): number;
  /** Writes down that a phase is over: a study that goes on does not open it again. */
  end(phase: string): void;
}

export interface StudyBudgetOptions {
  readonly folder: string;
  /** Of all starts of the study; null for no limit. */
  readonly minutes: number | null;
  readonly phases: readonly StudyPhase[];
  readonly clock: Clock;
  /** Seconds that all starts have taken so far. */
  seconds(): number;
}

/** Shares out the time of a phase: tells when the next app has to end, which has so many tasks. */
export type TimeShares = (tasks: number, now: number) => number;

/**
 * Each app has time by the number of its tasks. What an app leaves goes to those after it. What it takes too long, as searches
 * are not cut, only the next one begins later for: it takes too long in its turn, so that the last apps are not the ones who pay.
 */
export function createTimeShares(end: number, allTasks: number): TimeShares {
  let left = allTasks;
  let planned = Infinity;
  return (tasks, now) => {
    if (end === Infinity) return end;
    const from = Math.min(planned, now);
    planned = from + (Math.max(0, end - from) * tasks) / left;
    left -= tasks;
    return planned;
  };
}

/** Share of the time left at a start that is kept for training and tables between the phases. */
const reserve = 0.04;

export function createStudyBudget({ folder, minutes, phases, clock, seconds }: StudyBudgetOptions): StudyBudget {
  const ended = new Set(minutes === null ? [] : endedPhases(folder));
  const kept = minutes === null ? 0 : reserve * Math.max(0, 60 * minutes - seconds());
  return {
    isEnded: phase => ended.has(phase),
    endOf(phase) {
      if (minutes === null) return Infinity;
      const due = phases.filter(({ name }) => !ended.has(name));
      const all = due.reduce((sum, { share }) => sum + share, 0);
      const own = due.find(({ name }) => name === phase)?.share ?? 0;
      const left = Math.max(0, 60 * minutes - kept - seconds());
      return clock.now() + (all === 0 ? 0 : (1000 * left * own) / all);
    },
    end(phase) {
      if (minutes === null) return;
      ended.add(phase);
      writeWhole(phasesFile(folder), `${JSON.stringify([...ended])}\n`);
    },
  };
}

function phasesFile(folder: string): string {
  return join(folder, 'phases.json');
}

/** Those that a study with a limit has ended so far. */
export function endedPhases(folder: string): readonly string[] {
  const file = phasesFile(folder);
  return existsSync(file) ? z.array(z.string()).parse(readJson(file)) : [];
}

import type { Clock } from '../../core/clock.ts';
import type { EpisodeEnd, Outcome } from '../../core/episode/events.ts';

/** How far a run is. */
export interface ProgressCounter {
  readonly planned: number;
  /** Episodes that had ended before, and those that ended now. */
  readonly skipped: number;
  readonly ended: number;
  /** Of those that ended now. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly steps: number;
  readonly seconds: number;
}

export interface ProgressReader {
  skip(): void;
  add(end: EpisodeEnd): ProgressCounter;
}

export function createProgressCounter(planned: () => number, clock: Clock): ProgressReader {
  const started = clock.now();
  const outcomes = { passed: 0, failed: 0, discarded: 0, errored: 0 };
  let [skipped, ended, steps] = [0, 0, 0];
  return {
    skip: () => void skipped++,
    add({ outcome, counts }) {
      outcomes[outcome]++;
      ended++;
      steps += counts.taken;
      return { planned: planned(), skipped, ended, outcomes, steps, seconds: (clock.now() - started) / 1000 };
    },
  };
}

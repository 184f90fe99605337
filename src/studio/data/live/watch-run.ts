import type { RunSummary } from '../../api/api.ts';
import { findConfig } from '../../../runs/folder/folder.ts';
import type { Host } from '../../../runs/host/host.ts';
import { readProgressFile, type WrittenProgress } from '../../../runs/plan/progress-file.ts';
import type { RunIndex } from '../run-index.ts';
import { createPulse } from './pulse.ts';
import { isLive, progressOf } from './run-progress.ts';

export type LiveFigures = Pick<RunSummary, 'isLive' | 'rates' | 'progress' | 'budget'>;

export interface RunWatch {
  /** Looks at what was written since; true when the figures have changed. */
  refresh(index: RunIndex): boolean;
  read(): LiveFigures;
}

interface SeenProgress {
  readonly progress: WrittenProgress | null;
  /** When this was first seen. */
  readonly at: number;
}

/** Follows a run while it is written: how fast it is, how far, and how much it may spend. */
export function watchRun(folder: string, host: Host): RunWatch {
  const pulse = createPulse();
  let seen: SeenProgress | null = null;
  let written: number | null = null;
  let wasLive = false;
  let budget: number | null = null;
  const ageOf = (at: number | null): number | null => (at === null ? null : host.clock.now() - at);
  const lives = (): boolean => isLive(ageOf(written), seen?.progress ?? null);
  const look = (): boolean => {
    const progress = readProgressFile(folder);
    if (seen !== null && JSON.stringify(progress) === JSON.stringify(seen.progress)) return false;
    const isFirst = seen === null;
    seen = { progress, at: host.clock.now() };
    budget = budgetOf(folder);
    return !isFirst;
  };
  return {
    read: () => ({
      isLive: lives(),
      rates: lives() ? pulse.rates(host.clock.now()) : { episodes: 0, steps: 0, cost: 0 },
      progress: progressOf(seen?.progress ?? null, ageOf(seen?.at ?? null) ?? 0),
      budget,
    }),
    refresh(index) {
      const steps = index.newSteps();
      const hasMoved = look() || steps !== null;
      if (hasMoved) written = host.clock.now();
      if (steps !== null) pulse.beat({ at: host.clock.now(), steps, ...totalsOf(index) });
      const hasTurned = lives() !== wasLive;
      wasLive = lives();
      return hasMoved || hasTurned;
    },
  };
}

function totalsOf(index: RunIndex): { readonly episodes: number; readonly cost: number } {
  if (index.isReading()) return { episodes: 0, cost: 0 };
  const rows = index.rows();
  return { episodes: rows.length, cost: rows.reduce((sum, { cost }) => sum + cost, 0) };
}

/** Null where the run has no config, or none that can be read: its card says so elsewhere. */
function budgetOf(folder: string): number | null {
  try {
    return findConfig(folder)?.spending.dollars ?? null;
  } catch {
    return null;
  }
}

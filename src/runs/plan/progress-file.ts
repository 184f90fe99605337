import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Phase } from '../../core/episode/events.ts';
import { readText } from '../../modules/read-file.ts';
import type { ProgressCounter } from './progress-counter.ts';

const whole = z.int().nonnegative();

const progressSchema = z.strictObject({
  phase: z.enum(['collect', 'evaluate']),
  round: whole,
  planned: whole,
  /** Planned episodes that an earlier start had ended. */
  skipped: whole,
  /** Episodes that ended since the start. */
  ended: whole,
  /** Since the start: clocks of two programs cannot be compared. */
  seconds: z.number().nonnegative(),
  isOver: z.boolean(),
});

/** How far a run is, for those who watch it from outside. */
export type WrittenProgress = z.infer<typeof progressSchema>;

export interface ProgressFileOptions {
  readonly folder: string;
  readonly phase: Phase;
  readonly round: number;
  readonly planned: number;
  readonly clock: Clock;
}

export interface ProgressFile {
  tell(meter: ProgressCounter): void;
  /** The run has ended or was stopped. */
  close(): void;
}

/** No more often than this: writing must not slow the run. */
const writeMilliseconds = 500;

function progressPath(folder: string): string {
  return join(folder, 'progress.json');
}

/** Writes how far a run is to `progress.json` in its folder. A crash may lose the latest figures; nothing depends on them. */
export function openProgressFile({ folder, phase, round, planned, clock }: ProgressFileOptions): ProgressFile {
  let latest: WrittenProgress = { phase, round, planned, skipped: 0, ended: 0, seconds: 0, isOver: false };
  let written = clock.now();
  write(folder, latest);
  return {
    tell({ planned: all, skipped, ended, seconds }) {
      latest = { ...latest, planned: all, skipped, ended, seconds };
      if (clock.now() - written < writeMilliseconds) return;
      written = clock.now();
      write(folder, latest);
    },
    close: () => write(folder, { ...latest, isOver: true }),
  };
}

function write(folder: string, progress: WrittenProgress): void {
  const path = progressPath(folder);
  try {
    writeFileSync(`${path}.partial`, JSON.stringify(progress), { mode: 0o600 });
    renameSync(`${path}.partial`, path);
  } catch {
    // A run goes on where its progress cannot be written; its store says what is wrong with the disk.
  }
}

/** Null where no run has written any, or the file is damaged: it is for people alone. */
export function readProgressFile(folder: string): WrittenProgress | null {
  const path = progressPath(folder);
  if (!existsSync(path)) return null;
  try {
    return progressSchema.safeParse(JSON.parse(readText(path))).data ?? null;
  } catch {
    return null;
  }
}

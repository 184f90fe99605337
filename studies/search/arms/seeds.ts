import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { keepOptions } from '../../../src/runs/folder/begun-options.ts';
import { optionsFile } from '../study-choices.ts';
import { runComparison, type Comparison, type ComparisonOptions } from './comparison.ts';

export interface SeedsOptions extends Omit<ComparisonOptions, 'onResults'> {
  /** All comparisons so far; the last one may be under way. */
  onResults?(comparisons: readonly Comparison[]): void;
}

/** Comparisons that differ in their seed alone, one after the other. What seeds do not change is made once. */
export async function compareSeeds(options: SeedsOptions): Promise<readonly Comparison[]> {
  const { choices: all, folder, onProgress, onResults, signal } = options;
  const { seeds = 1, ...choices } = all;
  mkdirSync(folder, { recursive: true });
  keepOptions(all, { folder, path: optionsFile(folder), what: 'study' });
  const ended: Comparison[] = [];
  for (let at = 0; at < seeds && !signal.aborted; at++) {
    const seed = choices.seed + at;
    const own = join(folder, `seed-${seed}`);
    if (at > 0) copyShared(join(folder, `seed-${choices.seed}`), own);
    const found = await runComparison({
      ...options,
      choices: { ...choices, seed },
      folder: own,
      onProgress: progress => onProgress?.({ ...progress, phase: `seed ${seed}, ${progress.phase}` }),
      onResults: now => onResults?.([...ended, now]),
    });
    ended.push(found);
  }
  return ended;
}

/** Lists of tasks, and maps of apps. */
function copyShared(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from))
    if (/^(tasks|map)\..*\.json$/.test(name) && !existsSync(join(to, name)))
      copyFileSync(join(from, name), join(to, name));
}

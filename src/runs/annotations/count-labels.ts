import { satisfaction } from '../../analysis/signals/contracts/contract.ts';
import { stepContracts } from '../../analysis/signals/contracts/step-contracts.ts';
import { readAnnotations } from './annotations-file.ts';

export interface LabelCount {
  readonly signal: string;
  readonly label: string;
  readonly times: number;
  /** Episodes that have it, or groups. */
  readonly episodes: number;
}

/** How often each label of each signal was said. */
export function countLabels(file: string): readonly LabelCount[] {
  const counts = new Map<string, { signal: string; label: string; times: number; episodes: number }>();
  for (const { annotations } of readAnnotations(file)) {
    const seen = new Set<string>();
    for (const { signal, label } of annotations) {
      const key = `${signal} ${label}`;
      const known = counts.get(key) ?? { signal, label, times: 0, episodes: 0 };
      counts.set(key, known);
      known.times++;
      if (!seen.has(key)) known.episodes++;
      seen.add(key);
    }
  }
  return [...counts.values()].toSorted((one, other) =>
    one.signal === other.signal ? other.times - one.times : one.signal < other.signal ? -1 : 1,
  );
}

export interface ContractsKept {
  readonly kept: number;
  readonly episodes: number;
  readonly low: number;
  readonly high: number;
  /** Whether the lower end of the interval is at least 0.95. */
  readonly isEnough: boolean;
}

/** In how many episodes the contracts that were held at run time were kept; null when none were held. */
export function countKept(file: string): ContractsKept | null {
  let [kept, episodes] = [0, 0];
  for (const { annotations } of readAnnotations(file))
    for (const { signal, label, value } of annotations) {
      if (signal !== stepContracts.name || label !== 'kept') continue;
      episodes++;
      kept += value ?? 0;
    }
  if (episodes === 0) return null;
  const { interval, isEnough } = satisfaction(kept, episodes);
  return { kept, episodes, low: interval.low, high: interval.high, isEnough };
}

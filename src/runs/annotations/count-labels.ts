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

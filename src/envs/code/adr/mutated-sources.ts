/** What is replaced, and by what. */
export type Replacement = readonly [pattern: RegExp, instead: string];

export const usualReplacements: readonly Replacement[] = [
  [/\s>\s/g, ' >= '],
  [/\s<\s/g, ' <= '],
  [/\s===\s/g, ' !== '],
  [/\s!==\s/g, ' === '],
  [/\s\+\s/g, ' - '],
  [/\s-\s/g, ' + '],
  [/\s\*\s/g, ' + '],
  [/\s%\s/g, ' * '],
  [/\b0\b/g, '1'],
  [/\b1\b/g, '2'],
  [/\b2\b/g, '3'],
  [/\.filter\(/g, '.map('],
];

export interface MutatedSource {
  readonly about: string;
  readonly text: string;
}

/** Every program that differs from this one by one replacement. */
export function mutatedSources(source: string, replacements = usualReplacements): readonly MutatedSource[] {
  return replacements.flatMap(([pattern, instead]) =>
    [...source.matchAll(pattern)].map(({ index, 0: found }) => ({
      about: `${found.trim()} for ${instead.trim()}`,
      text: source.slice(0, index) + instead + source.slice(index + found.length),
    })),
  );
}

import type { NewItem } from '../item.ts';
import { byPattern, provenanceOf, takenSteps, type Experience, type MemoryMethod } from './writer.ts';

/**
 * Actions as code (DynaSaur): one function for each pattern of task, which knows all ways that passed and takes the first whose next
 * step the screen offers. It runs in the sandbox of programs; the function of a later run takes the place of the one before.
 */
export const dynasaur: MemoryMethod = {
  name: 'dynasaur',
  about: 'A program for each pattern of task that chooses among the ways that passed, run in a sandbox (DynaSaur).',
  write: episodes =>
    byPattern(episodes.filter(({ passed }) => passed)).flatMap((group): NewItem[] => {
      const [first] = group as [Experience, ...Experience[]];
      const ways = waysOf(group);
      if (ways.length === 0) return [];
      const title = first.pattern;
      return [
        {
          kind: 'program',
          title,
          text: `${ways.length} ways that passed, as a program.`,
          pattern: title,
          code: codeOf(ways),
          use: 'call',
          provenance: provenanceOf('dynasaur', group),
        },
      ];
    }),
};

/** The ways of a pattern as lines, each once, the most usual first. */
function waysOf(group: readonly Experience[]): string[][] {
  const counts = Map.groupBy(group, record => JSON.stringify(takenSteps(record).map(({ line }) => line)));
  return [...counts]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([way]) => JSON.parse(way) as string[])
    .filter(way => way.length > 0);
}

/** `taken` has the steps so far; `offered({ line })` says whether the screen has one step for a line. */
function codeOf(ways: readonly string[][]): string {
  return [
    `const ways = ${JSON.stringify(ways)};`,
    'for (const way of ways) {',
    '  let follows = taken.length < way.length;',
    '  for (let at = 0; at < taken.length; at++) if (taken[at] !== way[at]) follows = false;',
    '  if (follows && offered({ line: way[taken.length] })) return way[taken.length];',
    '}',
    'return null;',
  ].join('\n');
}

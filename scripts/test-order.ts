import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '..');

/** Seconds that each test file took in a whole run; `scripts/write-durations.ts` writes the table. */
export const durationsFile = join(root, 'test', 'durations.json');

export type Durations = Readonly<Record<string, number>>;

/** These take a second, and find most mistakes. */
const first: ReadonlySet<string> = new Set(['test/architecture.test.ts', 'test/spec.test.ts', 'test/tree.test.ts']);

/**
 * The order in which to run test files: the longest first, so that no worker is left with a long one at the end. A file that is not
 * in the table counts as an average one.
 */
export function longestFirst(files: readonly string[], durations: Durations): string[] {
  const known = Object.values(durations);
  const average = known.reduce((sum, seconds) => sum + seconds, 0) / Math.max(1, known.length);
  const weight = (file: string): number => (first.has(file) ? Infinity : (durations[file] ?? average));
  return files.toSorted((one, other) => {
    const [left, right] = [weight(one), weight(other)];
    return left === right ? one.localeCompare(other) : right - left;
  });
}

export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byName = Map.groupBy(files, ({ moduleId }) => relative(root, moduleId).replaceAll('\\', '/'));
    const durations = JSON.parse(readFileSync(durationsFile, 'utf8')) as Durations;
    return Promise.resolve(longestFirst([...byName.keys()], durations).flatMap(name => byName.get(name) ?? []));
  }
}

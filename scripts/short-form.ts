import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tests that `npm test` leaves to `npm run test:long`, by file; `scripts/write-durations.ts` writes the table. */
export const leftOutFile = join(import.meta.dirname, '..', 'test', 'left-out.json');

export type LeftOut = Readonly<Record<string, readonly string[]>>;

export interface TimedTest {
  readonly file: string;
  /** With the names of its groups. */
  readonly name: string;
  readonly seconds: number;
}

/** These stay: what a newcomer does first, the cases that were once wrong, every framework, floods, and tests whose folders later tests read. */
const always =
  /^the demo |of (README|docs\/quick-start)\.md run|\[FRAME-2\]|\[GEN-1\] every case|\[RL-4\] improves|\[RUN-17\] that is done|\[RUN-39\] collects|\[WEB-30\] (the same trees|report and)|\[SEARCH-(8|15)\] solves|\[PROB-6\]|\[SML-\d+\]|\[SITE-83\] are there|\[WORLD-3\]|as root \[TERM-3\] stops floods/;

/** Seconds. To leave out a shorter one saves nothing worth mentioning. */
const shortest = 1.5;

/**
 * Chooses tests to leave out until the others take `seconds`: the longest first, and never the last test that tries a rule. A test
 * that cites no rule stays.
 */
export function chooseLeftOut(tests: readonly TimedTest[], seconds: number): TimedTest[] {
  const left = new Map<string, number>();
  for (const test of tests) for (const rule of rulesOf(test)) left.set(rule, (left.get(rule) ?? 0) + 1);
  let rest = tests.reduce((sum, test) => sum + test.seconds, 0);
  const chosen: TimedTest[] = [];
  for (const test of tests.toSorted((one, other) => other.seconds - one.seconds)) {
    if (rest <= seconds || test.seconds < shortest) break;
    const rules = rulesOf(test);
    if (rules.length === 0 || always.test(test.name) || rules.some(rule => left.get(rule) === 1)) continue;
    for (const rule of rules) left.set(rule, (left.get(rule) ?? 0) - 1);
    rest -= test.seconds;
    chosen.push(test);
  }
  return chosen;
}

function rulesOf({ name }: TimedTest): string[] {
  return [...new Set(name.match(/\[[A-Z]+-\d+\]/g))];
}

export function readLeftOut(): LeftOut {
  return JSON.parse(readFileSync(leftOutFile, 'utf8')) as LeftOut;
}

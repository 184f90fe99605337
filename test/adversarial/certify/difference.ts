import type { Action } from '../../../src/core/action.ts';
import type { PageRecord } from './page-world.ts';

/** A step of a run, and how the page was after it. */
export interface WalkedNode {
  /** Null at the start. */
  readonly action: Action | null;
  readonly outcome: string;
  readonly record: PageRecord;
}

export interface Difference {
  /** The step, or the rollback, after which it showed. */
  readonly where: string;
  readonly what: (typeof kinds)[number];
  readonly before: string;
  readonly after: string;
}

const kinds = ['text', 'outcome', 'layout', 'picture', 'probe', 'digest'] as const;

/** What differs first between two records of one moment. A digest counts last: it says least. */
export function firstDifference(before: PageRecord, after: PageRecord, where: string): Difference | null {
  for (const what of ['text', 'layout', 'picture', 'probe', 'digest'] as const) {
    const [one, other] = [linesOf(before[what]), linesOf(after[what])];
    const index = Array.from({ length: Math.max(one.length, other.length) }).findIndex(
      (_, at) => one[at] !== other[at],
    );
    if (index >= 0) return { where, what, before: one[index] ?? '(nothing)', after: other[index] ?? '(nothing)' };
  }
  return null;
}

/** Where two runs of the same actions differ. */
export function runDifferences(before: readonly WalkedNode[], after: readonly WalkedNode[]): readonly Difference[] {
  return before.flatMap(({ outcome, record }, index) => {
    const where = index === 0 ? 'start' : `step ${index}`;
    const other = after[index] as WalkedNode;
    if (outcome !== other.outcome) return [{ where, what: 'outcome', before: outcome, after: other.outcome } as const];
    const difference = firstDifference(record, other.record, where);
    return difference === null ? [] : [difference];
  });
}

/** The first of those that an agent would see most of; null when there are none. */
export function gravest(differences: readonly Difference[]): Difference | null {
  const [first = null] = differences.toSorted((one, other) => kinds.indexOf(one.what) - kinds.indexOf(other.what));
  return first;
}

/** What in a page a difference is about, so that equal ones can be told: `focus-visible`, not on which button. */
export function aboutOf({ what, before, after }: Difference): string {
  if (what !== 'probe') return what;
  const [one, other] = [wordsOf(before), wordsOf(after)];
  const changed = [...one.filter(word => !other.includes(word)), ...other.filter(word => !one.includes(word))];
  return `probe ${[...new Set(changed.map(nameOf))].toSorted().join(' ')}`;
}

function wordsOf(line: string): readonly string[] {
  return line.split(/ \| |\+/);
}

/** Without its value, where that says what it is. */
function nameOf(word: string): string {
  if (/^[\d.,-]+$/.test(word)) return 'box';
  if (/^(rgb|color)/.test(word)) return 'colour';
  return (word.split(/[= ]/, 1)[0] as string).slice(0, 40);
}

function linesOf(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? value.split('\n') : value;
}

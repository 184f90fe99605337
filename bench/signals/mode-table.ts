import type { AegisMode } from '../../src/analysis/signals/diagnosis/aegis.ts';
import { wilson } from '../../src/analysis/stats.ts';

/** The ways to guess the first wrong step that are compared. */
export const guesses = ['fork', 'record', 'first', 'last', 'random'] as const;
export type Guess = (typeof guesses)[number];

/** What was found in one failure with one injected error. */
export interface ModeResult {
  readonly source: string;
  readonly mode: AegisMode;
  /** Modes that the signal says within one step of the error, and anywhere in the episode. */
  readonly saidNear: ReadonlySet<string>;
  readonly saidAnywhere: ReadonlySet<string>;
  /** Whether each guess is within one step of the error; for the random step, the chance of that; null when not made. */
  readonly hits: Readonly<Record<Guess, number | null>>;
}

/** Precision and recall of each mode, as lines of a Markdown table. */
export function modeTable(results: readonly ModeResult[]): readonly string[] {
  return [
    '| mode | n | recall (95 %) | precision at the step (95 %) | precision in the run (95 %) |',
    '| --- | --- | --- | --- | --- |',
    ...modesIn(results).map(mode => {
      const planted = results.filter(result => result.mode === mode);
      const found = planted.filter(({ saidNear }) => saidNear.has(mode)).length;
      const near = results.filter(({ saidNear }) => saidNear.has(mode)).length;
      const anywhere = results.filter(({ saidAnywhere }) => saidAnywhere.has(mode)).length;
      return row([mode, planted.length, share(found, planted.length), share(found, near), share(found, anywhere)]);
    }),
  ];
}

/** How often each guess is within one step of the error, by mode and by source of the tasks. */
export function placeTable(results: readonly ModeResult[]): readonly string[] {
  const lines = (names: readonly string[], isIn: (result: ModeResult, name: string) => boolean): string[] =>
    names.map(name =>
      guessRow(
        name,
        results.filter(result => isIn(result, name)),
      ),
    );
  return [
    '| failures | n | with forks | from the record | first step | last step | random step |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines(modesIn(results), ({ mode }, name) => mode === name),
    ...lines([...new Set(results.map(({ source }) => source))], ({ source }, name) => source === name),
    guessRow('all', results),
  ];
}

function guessRow(name: string, results: readonly ModeResult[]): string {
  const cells = guesses.map(guess => {
    const made = hitsOf(results, guess);
    return share(
      made.reduce((sum, hit) => sum + hit, 0),
      made.length,
    );
  });
  return row([name, results.length, ...cells]);
}

/** The hits of a guess, of the failures in which it was made. */
export function hitsOf(results: readonly ModeResult[], guess: Guess): readonly number[] {
  return results.map(({ hits }) => hits[guess]).filter(hit => hit !== null);
}

function modesIn(results: readonly ModeResult[]): readonly AegisMode[] {
  return [...new Set(results.map(({ mode }) => mode))].toSorted();
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** A share with its Wilson interval; a dash for a share of nothing. A sum of chances is exact, and has none. */
function share(part: number, all: number): string {
  if (all === 0) return '–';
  if (!Number.isInteger(part)) return (part / all).toFixed(2);
  const { low, high } = wilson(part, all);
  return `${(part / all).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

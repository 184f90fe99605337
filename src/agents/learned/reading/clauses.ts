import type { StepLine } from './steps.ts';
import { isStopWord, wordsOf } from './words.ts';

/** The parts of an instruction, each of which asks for one thing. */
export interface Clauses {
  readonly texts: readonly string[];
  /** The clauses that each content word stands in. */
  readonly byWord: ReadonlyMap<string, readonly number[]>;
}

/** What the steps so far did about the clauses of an instruction. */
export interface ClauseProgress {
  readonly count: number;
  /** Steps that were about each clause. */
  readonly steps: readonly number[];
  /** The clause of the last step that was about any; -1 before the first. */
  readonly current: number;
  /** The first clause that no step was about; the number of clauses when there is none. */
  readonly firstOpen: number;
  readonly openCount: number;
}

const separator = /"[^"]*"|[.;:!?]["”)]*(?=\s|$)|,(?=\s)|\s(?:and|then|but|after that|also)(?=\s)/gi;

/** Splits an instruction where a sentence, a list or a conjunction goes on to the next thing. Quotations stay whole. */
export function findClauses(instruction: string): Clauses {
  const texts: string[] = [];
  const byWord = new Map<string, number[]>();
  let start = 0;
  const close = (end: number): void => {
    const text = instruction.slice(start, end).trim();
    const words = new Set(wordsOf(text).filter(word => !isStopWord(word)));
    if (words.size === 0) return;
    for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), texts.length]);
    texts.push(text);
  };
  for (const match of instruction.matchAll(separator)) {
    if (match[0].startsWith('"')) continue;
    close(match.index);
    start = match.index + match[0].length;
  }
  close(instruction.length);
  return { texts, byWord };
}

/** Lays each step beside the clause that shares most words with it; of equals, the first that is not behind the last step. */
export function followClauses(clauses: Clauses, lines: readonly StepLine[]): ClauseProgress {
  const count = clauses.texts.length;
  const steps = Array.from({ length: count }, () => 0);
  let current = -1;
  for (const { refused, allWords } of lines) {
    if (refused) continue;
    const found = closestClause(clauses, allWords, current);
    if (found === -1) continue;
    steps[found] = (steps[found] as number) + 1;
    current = found;
  }
  const firstOpen = steps.indexOf(0);
  return {
    count,
    steps,
    current,
    firstOpen: firstOpen === -1 ? count : firstOpen,
    openCount: steps.filter(taken => taken === 0).length,
  };
}

/** The clause that shares most with these words; -1 when none shares any. A word of several clauses counts less. */
export function closestClause({ texts, byWord }: Clauses, words: readonly string[], current: number): number {
  let shared: Float64Array | null = null;
  for (const word of words) {
    const places = byWord.get(word);
    if (places === undefined) continue;
    shared ??= new Float64Array(texts.length);
    for (const place of places) shared[place] = (shared[place] as number) + 1 / places.length;
  }
  if (shared === null) return -1;
  let best = -1;
  let most = 0;
  for (let index = 0; index < shared.length; index++) {
    // Instructions are mostly followed in their order.
    const value = (shared[index] as number) + (index >= current ? orderBonus : 0);
    if (shared[index] !== 0 && value > most) {
      most = value;
      best = index;
    }
  }
  return best;
}

const orderBonus = 0.01;

/** Where a clause stands to the progress so far: what it would mean to act on it now. */
export function clausePlace(index: number, { current, firstOpen, steps }: ClauseProgress): number {
  if (index === -1) return 0;
  if (index === current) return 1;
  if (index === firstOpen) return 2;
  if ((steps[index] as number) > 0) return index < current ? 3 : 4;
  return 5;
}

import type { Gate } from './gate.ts';
import type { NewItem } from './item.ts';
import type { Memory } from './memory.ts';

/** An episode of practice. */
export interface Practised {
  readonly task: string;
  readonly passed: boolean;
  readonly steps: number;
}

/** Runs a student with a memory on practice tasks: the same tasks with the same seeds each time. None of them is written from. */
export type Practice = (memory: Memory) => Promise<readonly Practised[]>;

/** What a memory that tries its candidates is given. */
export interface PracticeOptions {
  readonly before: Memory;
  readonly candidates: readonly NewItem[];
  readonly gate: Gate;
  readonly practice: Practice;
}

export function shareOf(results: readonly Practised[]): number {
  return results.filter(({ passed }) => passed).length / Math.max(1, results.length);
}

/** Tasks that only the second passed, and that only the first did. */
export function winsAndLosses(
  first: readonly Practised[],
  second: readonly Practised[],
): { readonly wins: number; readonly losses: number } {
  const before = new Map(first.map(({ task, passed }) => [task, passed]));
  return {
    wins: second.filter(({ task, passed }) => passed && before.get(task) === false).length,
    losses: second.filter(({ task, passed }) => !passed && before.get(task) === true).length,
  };
}

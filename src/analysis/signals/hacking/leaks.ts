import type { TreeNode } from '../../../core/tree.ts';
import { isLook, type Trace } from '../trace.ts';
import { usedValues } from './hints.ts';
import type { Seen } from './seen.ts';

export interface Leaked {
  /** The look. */
  readonly node: number;
  readonly value: string;
}

/**
 * Values entered later that nothing but one look had shown, where that look names no value of the task, neither in its input nor in
 * its result. A tool that sums up the record of the task names it; an answer key does not have to.
 */
export function leakedValues(trace: Trace, seen: Seen, named: readonly string[]): readonly Leaked[] {
  const { main } = trace;
  return main.flatMap((step, place) => {
    if (step.action.kind !== 'call' || !isLook(step) || namesTask(step, named)) return [];
    return usedValues(step, { trace, seen, place }).map(value => ({ node: step.id, value }));
  });
}

/** Whether a step names a value of the task, in its input or its result. */
export function namesTask({ action, outcome }: TreeNode, named: readonly string[]): boolean {
  const text = JSON.stringify([action, outcome.result ?? null]).toLowerCase();
  return named.some(value => text.includes(value));
}

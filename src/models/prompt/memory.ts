import type { Action } from '../../core/action.ts';
import type { AssistantMessage } from '../../core/chat/chat.ts';

/** An answer that a model gave at some point. */
export interface Answer {
  readonly message: AssistantMessage;
  /** What it was taken for; null when it was of no use. */
  readonly action: Action | null;
  /** Why it was of no use; null when it was used. */
  readonly problem: string | null;
}

/**
 * What a model said in an episode, by the way that led there: its own words go back into the prompt as they were, and a
 * question that is asked again tells what was wrong before.
 */
export interface Memory {
  /** The useless answers in a row that were given at this point, and not followed by a used one. */
  pending(key: string): readonly Answer[];
  /** The answer that was taken for this action, and the useless ones before it; empty when there is none. */
  used(key: string, action: Action): readonly Answer[];
  keep(key: string, answer: Answer): void;
  /** The same so far; what either keeps from now on, the other does not know. */
  fork(): Memory;
}

export function createMemory(): Memory {
  return memoryOf(new Map());
}

function memoryOf(answers: Map<string, readonly Answer[]>): Memory {
  const at = (key: string): readonly Answer[] => answers.get(key) ?? [];
  const runUpTo = (given: readonly Answer[], end: number): readonly Answer[] => {
    let start = end;
    while (start > 0 && given[start - 1]?.problem !== null) start--;
    return given.slice(start, end);
  };
  return {
    pending: key => runUpTo(at(key), at(key).length),
    used(key, action) {
      const given = at(key);
      const wanted = JSON.stringify(action);
      const place = given.findLastIndex(({ problem, action: taken }) => {
        return problem === null && JSON.stringify(taken) === wanted;
      });
      const answer = given[place];
      return answer === undefined ? [] : [...runUpTo(given, place), answer];
    },
    keep(key, answer) {
      answers.set(key, [...at(key), answer]);
    },
    fork: () => memoryOf(new Map(answers)),
  };
}

/** Names for the points of a way: the start, and after each of its steps. */
export function wayKeys(actions: readonly Action[]): readonly string[] {
  const keys = [''];
  for (const action of actions) keys.push(`${keys.at(-1)}${JSON.stringify(action)}\n`);
  return keys;
}

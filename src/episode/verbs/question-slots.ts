/** Bounds the questions that all episodes of a run ask at once. */
export interface QuestionSlots {
  /** Null when a slot is free: it is taken then. Else settles when one was freed and taken. */
  enter(): Promise<void> | null;
  leave(): void;
}

export function createQuestionSlots(count: number): QuestionSlots {
  const waiting = new Set<() => void>();
  let free = count;
  return {
    enter() {
      if (free > 0) {
        free--;
        return null;
      }
      return new Promise(resolve => void waiting.add(resolve));
    },
    leave() {
      const [next] = waiting;
      if (next === undefined) {
        free++;
        return;
      }
      // The slot goes on to whoever waits longest.
      waiting.delete(next);
      next();
    },
  };
}

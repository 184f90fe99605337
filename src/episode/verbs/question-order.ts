/**
 * Questions of one episode that are asked at once end in the order in which they were asked. So the journal is the same
 * whichever answer comes first.
 */
export interface QuestionOrder {
  /** A new question, behind those that have not ended. */
  enter(): QuestionTurn;
}

interface QuestionTurn {
  /** Whether all questions before this one have ended. */
  isFirst(): boolean;
  /** Settles when they have. */
  first(): Promise<void>;
  /** This question has ended. */
  leave(): void;
}

interface Waiting {
  wake: (() => void) | null;
}

export function createQuestionOrder(): QuestionOrder {
  const open: Waiting[] = [];
  return {
    enter() {
      const own: Waiting = { wake: null };
      open.push(own);
      const isFirst = (): boolean => open[0] === own;
      return {
        isFirst,
        first: () => new Promise(resolve => (isFirst() ? resolve() : (own.wake = resolve))),
        leave() {
          const place = open.indexOf(own);
          if (place < 0) return;
          open.splice(place, 1);
          if (place === 0) open[0]?.wake?.();
        },
      };
    },
  };
}

/** The last answer to each session, for a client that asks again because the connection broke. */
export interface LastAnswers {
  /** The answer to this very request; null when it is a new one. */
  of(session: string, request: string): unknown;
  keep(session: string, request: string, answer: unknown): void;
}

/** Answers to the sessions that asked last. */
const mostKept = 4096;

export function createLastAnswers(): LastAnswers {
  const kept = new Map<string, { readonly request: string; readonly answer: unknown }>();
  return {
    of(session, request) {
      const last = kept.get(session);
      return last?.request === request ? last.answer : null;
    },
    keep(session, request, answer) {
      kept.delete(session);
      kept.set(session, { request, answer });
      if (kept.size > mostKept) kept.delete(kept.keys().next().value as string);
    },
  };
}

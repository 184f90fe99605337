import { isOtherTry, otherCalls } from './step-request.ts';

/** The last answer to each session, for a client that asks again because the connection broke. */
export interface LastAnswers {
  /** The answer to this very request; null when it is a new one. The id of the last step with other calls is refused. */
  of(session: string, request: string): unknown;
  keep(session: string, request: string, answer: object): void;
}

/** Answers to the sessions that asked last, and their characters as JSON. */
const mostKept = 4096;
const mostCharacters = 2 ** 26;

interface Kept {
  readonly request: string;
  readonly answer: object;
  readonly length: number;
}

export function createLastAnswers(limit = mostCharacters): LastAnswers {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const drop = (session: string): void => {
    characters -= kept.get(session)?.length ?? 0;
    kept.delete(session);
  };
  return {
    of(session, request) {
      const last = kept.get(session);
      if (last !== undefined && isOtherTry(last.request, request)) throw otherCalls();
      return last?.request === request ? last.answer : null;
    },
    keep(session, request, answer) {
      drop(session);
      const { length } = JSON.stringify(answer);
      kept.set(session, { request, answer, length });
      characters += length;
      for (const oldest of kept.keys()) {
        if (kept.size <= mostKept && characters <= limit) break;
        drop(oldest);
      }
    },
  };
}

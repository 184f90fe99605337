import { isWrite, writeText, type Exchange } from './front.ts';

/** What the servers of an app answered, so that a session can be told where its own answers otherwise. */
export interface AnswerBook {
  /**
   * Compares answers with those that an earlier session got for the same requests after the same writes, and keeps what is
   * new. Names the first that differs.
   * @param before stands for the writes of the session before these requests
   */
  compare(before: string, exchanges: readonly Exchange[]): string | null;
}

/** Answers beyond that are not kept. */
const mostAnswers = 2000;

export function createAnswerBook(): AnswerBook {
  const known = new Map<string, Answer>();
  return {
    compare(before, exchanges) {
      const writes: string[] = [];
      const times = new Map<string, number>();
      let found: string | null = null;
      for (const exchange of exchanges) {
        if (isWrite(exchange.method)) writes.push(writeText(exchange));
        const request = JSON.stringify([before, writes, writeText(exchange)]);
        const time = (times.get(request) ?? 0) + 1;
        times.set(request, time);
        const key = `${request} ${time}`;
        const earlier = known.get(key);
        if (earlier === undefined) {
          if (known.size < mostAnswers) known.set(key, answerOf(exchange));
        } else if (earlier.answer !== exchange.answer || earlier.status !== exchange.status)
          found ??= difference(earlier, exchange);
      }
      return found;
    },
  };
}

type Answer = Pick<Exchange, 'answer' | 'status' | 'beginning'>;

function answerOf({ answer, status, beginning }: Exchange): Answer {
  return { answer, status, beginning };
}

/** Characters that are shown from a little before the first that differs. */
const [shownBefore, shown] = [20, 60];
const longestPath = 100;

function difference(earlier: Answer, { method, path, beginning }: Exchange): string {
  let at = 0;
  while (at < beginning.length && beginning[at] === earlier.beginning[at]) at++;
  const part = (text: string): string => text.slice(Math.max(0, at - shownBefore), at + shown - shownBefore);
  const isShown = part(beginning) !== part(earlier.beginning);
  const how = isShown ? `: ${part(beginning)} instead of ${part(earlier.beginning)}` : '';
  return `its server answered ${method} ${path.slice(0, longestPath)} otherwise than in another session${how} (${advice})`;
}

const advice =
  "clock: 'pinned' keeps times the same, reset makes the first data once for all sessions, {seed} in env is for what it draws by chance";

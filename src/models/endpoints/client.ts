import type { ChatRequest } from '../../core/chat/chat.ts';
import type { Completion, Model } from '../../core/chat/model.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { Random } from '../../core/random.ts';
import { MalformedError, type ClientDialect } from '../dialects/dialect.ts';
import { exchange, type Answer } from './exchange.ts';
import { FailedTry, tell, unsaid, type Failure } from './failure.ts';
import type { Budget, Reservation } from './ledger.ts';
import type { EndpointConnection } from './connection.ts';
import { costOf, priceOf, type Prices } from './prices.ts';
import type { RequestOutcome } from './throttle.ts';
import type { Deadlines } from './transport.ts';

export interface ModelOptions {
  readonly line: EndpointConnection;
  /** Of whoever asks: errors name it. */
  readonly boundary: 'policy' | 'reviewer' | 'verifier';
  /** The user's own, before the list. */
  readonly prices?: Prices;
  readonly ledger?: Budget;
  readonly deadlines?: Partial<Deadlines>;
}

export const defaultDeadlines: Deadlines = { connect: 10_000, firstToken: 120_000, total: 600_000 };

/** Times that a question is put, and times when the server only says that it is too much. */
const mostTries = 6;
const mostBusyTries = 12;
/** In milliseconds. */
const shortestPause = 500;
const longestPause = 30_000;
/** A server that wants a longer one has not just too much to do. */
const longestWait = 120_000;

/** A model behind an endpoint, with retries and deadlines. An aborted question rejects with the reason of its signal. */
export function createModel({ line, boundary, prices, ledger, deadlines: given }: ModelOptions): Model {
  const { endpoint, redactor, random, throttle, concessions, closed } = line;
  const deadlines = { ...defaultDeadlines, ...given };
  const price = priceOf(endpoint, prices);
  if (ledger?.isInDollars === true && price === null) throw unpriced(endpoint.name);
  const question = createQuestion(line, deadlines);

  const settle = (answer: Answer, reservation: Reservation | undefined, attempts: number): Completion => {
    const { usage } = answer.reply;
    const cost = usage === null || price === null ? null : costOf(usage, price);
    reservation?.charge(usage, cost);
    return { reply: answer.reply, cost, attempts };
  };

  async function attempt(request: ChatRequest, attempts: number, signal?: AbortSignal): Promise<Completion> {
    const permit = await throttle.enter({ signal, isAgain: attempts > 1 });
    let reservation: Reservation | undefined;
    let passage: RequestOutcome = { kind: 'other' };
    try {
      // The last moment before it costs something: the budget may have gone while it waited.
      reservation = await ledger?.reserve();
      const answer = await question(request, signal);
      passage = { kind: 'fine', milliseconds: answer.milliseconds };
      return settle(answer, reservation, attempts);
    } catch (cause) {
      if (cause instanceof FailedTry && cause.failure.isBusy) passage = { kind: 'busy' };
      throw cause;
    } finally {
      reservation?.release();
      permit.leave(passage);
    }
  }

  return {
    endpoint: endpoint.name,
    model: endpoint.model,
    async complete(wanted, signal) {
      const request = { ...wanted, model: endpoint.model, stream: deadlines.firstToken !== Infinity };
      for (let attempts = 1; ; attempts++) {
        const sent = concessions.apply(request);
        try {
          const completion = await attempt(sent, attempts, signal);
          const without = concessions.missing(request).filter(name => name !== 'stream');
          return without.length === 0 ? completion : { ...completion, without };
        } catch (cause) {
          if (signal?.aborted === true) throw signal.reason;
          if (closed.aborted) throw tell(hungUp, { endpoint, boundary, redactor, attempts: 1 });
          if (!(cause instanceof FailedTry)) throw cause;
          const { failure } = cause;
          if (concessions.learn(sent, failure.what)) continue;
          if (!isWorthAnother(failure, attempts))
            throw tell(giveUp(failure), { endpoint, boundary, redactor, attempts });
          if (failure.isBusy && failure.wait !== null) throttle.hold(failure.wait);
          await pause(delayOf(failure, attempts, random), line, signal);
        }
      }
    },
  };
}

function createQuestion(line: EndpointConnection, deadlines: Deadlines) {
  const { endpoint, key, redactor, agent, timers, clock, answers } = line;
  const { dialect } = endpoint;
  const headers = dialect.headers(key);
  const url = `${endpoint.url}${dialect.path}`;
  return (request: ChatRequest, signal: AbortSignal | undefined): Promise<Answer> => {
    const body = (): string => writeBody(dialect, request);
    // Who does not stream says everything with the first token.
    const firstToken = request.stream === true ? deadlines.firstToken : Infinity;
    return exchange({
      endpoint,
      dialect,
      redactor,
      clock,
      answers,
      letter: { url, agent, headers, body, deadlines: { ...deadlines, firstToken }, timers, signal },
    });
  };
}

function writeBody(dialect: ClientDialect, request: ChatRequest): string {
  try {
    return JSON.stringify(dialect.writeRequest(request));
  } catch (cause) {
    if (!(cause instanceof MalformedError)) throw cause;
    throw new FailedTry(unsaid(cause.message));
  }
}

function isWorthAnother({ isPassing, isBusy, code, wait }: Failure, attempts: number): boolean {
  const most = isBusy && code !== 'deadline' ? mostBusyTries : mostTries;
  return isPassing && attempts < most && (wait ?? 0) <= longestWait;
}

function giveUp(failure: Failure): Failure {
  if (failure.wait === null || failure.wait <= longestWait) return failure;
  return { ...failure, advice: `It wants ${Math.ceil(failure.wait / 1000)} s until the next question: go on then.` };
}

/** Never before the time that the server names; scattered, as others were told the same. */
function delayOf({ wait }: Failure, attempts: number, random: Random): number {
  if (wait === 0) return 0;
  if (wait !== null) return wait + random.next() * Math.min(1000, 100 + wait / 10);
  return Math.min(longestPause, shortestPause * 2 ** (attempts - 1)) * (0.5 + random.next() / 2);
}

/** Ends early when the question is aborted or the line is closed: the next try finds that out. */
function pause(
  milliseconds: number,
  { timers, closed }: EndpointConnection,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      closed.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timers.after(milliseconds, end);
    signal?.addEventListener('abort', end);
    closed.addEventListener('abort', end);
  });
}

const hungUp: Failure = {
  code: 'closed',
  what: 'was hung up on',
  advice: 'The run is over: ask nothing more.',
  isPassing: false,
  isBusy: false,
  wait: null,
};

function unpriced(name: string): EspalierError {
  return invalidOption(
    `The run has a budget in dollars, and what ${name} costs is not known.`,
    'Give its price in a table of your own (0 where it costs nothing), or give the budget in tokens.',
  );
}

import { EspalierError, type ErrorCode } from '../../core/errors.ts';
import type { Refusal, WireError } from '../dialects/dialect.ts';
import { keyNamesOf, type Endpoint } from './endpoint.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { Head, TransportError } from './transport.ts';

/** One try that gave no answer, and what follows from it. */
export interface Failure {
  readonly code: ErrorCode;
  /** What came: the end of a sentence that begins with the endpoint. */
  readonly what: string;
  /** What to do about it. */
  readonly advice: string;
  /** Whether another try may go better. */
  readonly isPassing: boolean;
  /** Whether it says that the server has too much to do. */
  readonly isBusy: boolean;
  /** The wait that the server names, or that needs none, in milliseconds; null when that is ours to choose. */
  readonly wait: number | null;
}

export class FailedTry extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.what);
    this.name = 'FailedTry';
    this.failure = failure;
  }
}

interface Meaning {
  readonly code: ErrorCode;
  readonly advice: string;
}

function meaningOf(kind: Refusal, endpoint: Endpoint): Meaning {
  const meanings: Record<Refusal, Meaning> = {
    'bad-key': { code: 'bad-key', advice: `Check the key: it is read from ${keyNamesOf(endpoint).join(' or ')}.` },
    'unknown-model': {
      code: 'unknown-model',
      advice: 'Check the name of the model, and the address: most end in /v1.',
    },
    'context-overflow': {
      code: 'context-overflow',
      advice:
        'Send less: --set actions=screen leaves the tools out, --set student.window=20000 older screens, --set student.form=compact all but the newest one. Or serve it with a longer context.',
    },
    'no-images': { code: 'unsupported', advice: 'Show the model text only, or use a model that takes images.' },
    'bad-request': { code: 'bad-request', advice: 'Check what is asked of the model: this server does not take it.' },
    'no-credit': { code: 'rate-limited', advice: 'Pay in, or raise the quota with those who run the server.' },
    'rate-limited': { code: 'rate-limited', advice: 'Wait, ask for less at once, or raise the limits of the key.' },
    overloaded: { code: 'unavailable', advice: 'Wait, and go on with the run when the server has recovered.' },
    broken: { code: 'unavailable', advice: 'Look at the log of the server; go on with the run when it works.' },
  };
  return meanings[kind];
}

/** A server that said no. */
export function refusalOf({ kind, message }: WireError, head: Head, endpoint: Endpoint): Failure {
  const { status, headers } = head;
  const isPassing = kind !== 'no-credit' && mayPass(status, headers['x-should-retry']);
  return {
    ...meaningOf(kind, endpoint),
    what: `answered ${status}${message === '' ? '' : `: ${message}`}`,
    isPassing,
    isBusy: status === 429 || status === 503 || status === 529,
    wait: isPassing ? waitOf(headers) : null,
  };
}

/** A server that gave up in the middle of a stream, whose status was 200. */
export function breakdownOf({ kind, message }: WireError, endpoint: Endpoint): Failure {
  return {
    ...meaningOf(kind, endpoint),
    what: `gave up in the middle of an answer: ${message}`,
    isPassing: kind === 'rate-limited' || kind === 'overloaded' || kind === 'broken',
    isBusy: kind === 'rate-limited' || kind === 'overloaded',
    wait: null,
  };
}

/** The non-standard header is obeyed by the official clients of both makers. */
function mayPass(status: number, said: string | string[] | undefined): boolean {
  if (said === 'true') return true;
  if (said === 'false') return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** A date is set against the date of the answer itself: the clock here may be off, or count from elsewhere. */
function waitOf(headers: Head['headers']): number | null {
  const exact = Number.parseFloat(String(headers['retry-after-ms']));
  if (exact > 0) return exact;
  const after = headers['retry-after'];
  if (after === undefined) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return Number(after) * 1000 || null;
  const wait = Date.parse(after) - Date.parse(headers.date ?? '');
  return wait > 0 ? wait : null;
}

export function lossOf({ kind, message }: TransportError): Failure {
  const base = { isPassing: true, isBusy: false, wait: null };
  if (kind === 'unreachable' || kind === 'untrusted')
    return {
      ...base,
      isPassing: false,
      code: 'unavailable',
      what: `cannot be reached (${message})`,
      advice: 'Check its address.',
    };
  if (kind === 'refused')
    return {
      ...base,
      code: 'unavailable',
      what: `cannot be reached (${message})`,
      advice: 'Start the server, or check its address.',
    };
  if (kind === 'cut' || kind === 'stale') {
    const advice = 'Look at the log of the server; half an answer is never used.';
    return { ...base, code: 'unavailable', what: `broke off (${message})`, advice, wait: kind === 'stale' ? 0 : null };
  }
  const advice = 'Raise the deadline (--set student.deadline=900) if the server needs longer, or ask for less at once.';
  return { ...base, code: 'deadline', what: `was too late: ${message}`, advice, isBusy: kind !== 'late-connect' };
}

export function malformed(what: string): Failure {
  return {
    code: 'malformed-reply',
    what: `answered with what is no reply: ${what}`,
    advice: 'Check the address (most end in /v1), and the kind before the colon of the endpoint.',
    isPassing: true,
    isBusy: false,
    wait: null,
  };
}

/** A question that the dialect of the server has no words for. */
export function unsaid(what: string): Failure {
  return {
    code: 'unsupported',
    what: `cannot be asked that: ${what}`,
    advice: 'Ask for less, or use an endpoint of another kind.',
    isPassing: false,
    isBusy: false,
    wait: null,
  };
}

export interface Telling {
  readonly endpoint: Endpoint;
  readonly boundary: EspalierError['boundary'];
  readonly redactor: Redactor;
  readonly attempts: number;
}

const longestQuote = 400;

/** For whoever asked. Has no cause: what servers send may hold anything, the key included. */
export function tell(
  { code, what, advice }: Failure,
  { endpoint, boundary, redactor, attempts }: Telling,
): EspalierError {
  const clean = redactor.text(what).replaceAll(/\s+/g, ' ').trim();
  const short = clean.length > longestQuote ? `${clean.slice(0, longestQuote)}…` : clean;
  const times = attempts === 1 ? '' : ` It was asked ${attempts} times.`;
  return new EspalierError({
    boundary,
    code,
    message: `The model ${endpoint.name} ${short.replace(/[.!?…]?$/, end => (end === '' ? '.' : end))}${times}`,
    expected: advice,
  });
}

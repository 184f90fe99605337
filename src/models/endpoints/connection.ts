import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Clock, Timers } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import { createAnswerBudget, type AnswerBudget } from './answer-budget.ts';
import { createConcessions, type Concessions } from './concessions.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { isNear, type Endpoint } from './endpoint.ts';
import { createThrottle, type Throttle } from './throttle.ts';

/** The connections to one endpoint, shared by all who ask it, so that they also share what it bears. */
export interface EndpointConnection {
  readonly endpoint: Endpoint;
  readonly key: string | null;
  /** Takes the key out of what the server says. */
  readonly redactor: Redactor;
  readonly agent: PlainAgent;
  readonly throttle: Throttle;
  /** What it refuses, and is no longer asked for. */
  readonly concessions: Concessions;
  /** What its answers may hold while they are read. */
  readonly answers: AnswerBudget;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly closed: AbortSignal;
  /** Ends every request, also those in flight. */
  close(): void;
}

export interface EndpointConnectionOptions {
  readonly endpoint: Endpoint;
  readonly key: string | null;
  readonly clock: Clock;
  readonly timers: Timers;
  /** For the jitter of retries; nothing that is recorded depends on it. */
  readonly random: Random;
  /** Requests in flight at once. */
  readonly most?: number;
  /** Shared with other endpoints; its own when left out. */
  readonly answers?: AnswerBudget;
  /** Hears what the server refuses. */
  onConcession?(text: string): void;
}

/** Those who sell answers count requests: there one begins with few. */
const startFar = 32;
const defaultMost = 1024;
/** A quarter of what a first token may take. */
const patience = 30_000;

export function createEndpointConnection({
  endpoint,
  key,
  clock,
  timers,
  random,
  most = defaultMost,
  answers = createAnswerBudget(),
  onConcession = () => {},
}: EndpointConnectionOptions): EndpointConnection {
  const agent = endpoint.url.startsWith('https:')
    ? new SecureAgent({ keepAlive: true })
    : new PlainAgent({ keepAlive: true });
  const start = isNear(endpoint) ? most : Math.min(most, startFar);
  const throttle = createThrottle({ clock, timers, start, most, patience });
  const closing = new AbortController();
  const redactor = createRedactor([key]);
  return {
    endpoint,
    key,
    redactor,
    agent,
    throttle,
    concessions: createConcessions(text => onConcession(redactor.text(text))),
    answers,
    clock,
    timers,
    random,
    closed: closing.signal,
    close() {
      const reason = new Error('The line is closed.');
      closing.abort(reason);
      throttle.close(reason);
      agent.destroy();
    },
  };
}

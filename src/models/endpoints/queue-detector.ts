import type { Clock } from '../../core/clock.ts';

/**
 * Tells a server that has a queue from one that is slow by itself. Long waits alone prove nothing: delays have heavy tails,
 * and a server that batches answers more at once the more it is asked. So when waits get long, half as much is tried: a
 * server with a queue answers as many in the same time, and half it stays; any other answers fewer, and is left alone
 * until its waits have doubled.
 */
export interface QueueDetector {
  /** Of each answer; a number is the limit to take from now on. */
  observe(answer: AnswerTiming): number | null;
  /** Whether half is being tried. */
  isTrying(): boolean;
  /** What was measured so far no longer holds. */
  restart(): void;
}

export interface AnswerTiming {
  /** When it was asked for. */
  readonly began: number;
  /** Until its first token. */
  readonly wait: number;
  /** The others still open. */
  readonly inFlight: number;
}

/** Fewer answers say too little about how many come in a time. */
const fewest = 64;
/** Of the answers in a time: what half the requests must still give for the rest to have stood in a queue. */
const kept = 0.75;

export function createQueueDetector({
  clock,
  patience,
}: {
  readonly clock: Clock;
  readonly patience: number;
}): QueueDetector {
  let tolerance = patience;
  let round: Round | null = null;
  let trial: { readonly from: number; readonly rate: number; readonly wait: number } | null = null;

  function judge({ rate, wait, open }: ReturnType<typeof summarise>): number | null {
    if (trial !== null) {
      const { from, rate: before, wait: waited } = trial;
      trial = null;
      if (rate >= kept * before) return null;
      tolerance = 2 * waited;
      return from;
    }
    if (wait <= tolerance || open < 2) return null;
    trial = { from: open, rate, wait };
    return open / 2;
  }

  return {
    observe({ began, wait, inFlight }) {
      const now = clock.now();
      round ??= { since: now, size: Math.max(fewest, inFlight), answers: [] };
      // What was asked for before stood in another queue. After a cut none is let in until the rest is gone.
      if (began < round.since) return null;
      round.answers.push({ wait, stay: now - began, open: inFlight + 1 });
      if (round.answers.length < round.size) return null;
      const summary = summarise(round);
      round = null;
      return judge(summary);
    },
    isTrying: () => trial !== null,
    restart() {
      round = null;
      trial = null;
    },
  };
}

/** The answers to as many requests as were open at once, all of them asked for since it began. */
interface Round {
  readonly since: number;
  readonly size: number;
  readonly answers: { readonly wait: number; readonly stay: number; readonly open: number }[];
}

/** How many answers come in a millisecond follows from how many are open and how long each stays (Little's law). */
function summarise({ answers }: Round) {
  const open = mean(answers.map(answer => answer.open));
  const rate = open / Math.max(1, mean(answers.map(({ stay }) => stay)));
  const waits = answers.map(({ wait }) => wait).toSorted((a, b) => a - b);
  return { open, rate, wait: waits[waits.length >> 1] ?? 0 };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

import { z } from 'zod';
import type { Usage } from '../../core/chat/chat.ts';
import type { Awaitable } from '../../core/contracts.ts';
import { EspalierError, invalidOption } from '../../core/errors.ts';

/** What a run has paid for answers of models so far. */
export const spentSchema = z.strictObject({
  /** In US dollars, where the price was known. */
  dollars: z.number().nonnegative(),
  /** Of prompts and completions. */
  tokens: z.int().nonnegative(),
  calls: z.int().nonnegative(),
});
export type Spent = z.infer<typeof spentSchema>;

export const nothingSpent: Spent = { dollars: 0, tokens: 0, calls: 0 };

/** A hard limit in money and tokens over all that a run asks of models. It may be kept by another machine. */
export interface Budget {
  readonly isInDollars: boolean;
  /** Asked right before a question is sent; throws when the budget is gone. */
  reserve(): Awaitable<Reservation>;
}

/** A budget that this process keeps. */
export interface Ledger extends Budget {
  /**
   * Asked right before a question is sent; throws when the budget is gone. What is in flight then is still paid for, so a
   * run may go over by as many answers as were open at once.
   */
  reserve(): Reservation;
  /** To be written down, and given back as `spent` when the run goes on. */
  spent(): Spent;
  /** What was spent elsewhere for the same run. */
  add(spent: Spent): void;
}

/** One of the two ends it, once. */
export interface Reservation {
  /** Throws when the server does not say what it used, and there is a limit that hangs on it. */
  charge(usage: Usage | null, cost: number | null): void;
  /** Nothing came of it. */
  release(): void;
}

export interface LedgerOptions {
  /** Infinity for none. */
  readonly dollars: number;
  readonly tokens: number;
  /** By the run so far. */
  readonly spent?: Spent;
  /** Called once, when the budget is gone: the run stops, and loses nothing. */
  readonly onExhausted: (why: EspalierError) => void;
}

export function createLedger({ dollars, tokens, spent = nothingSpent, onExhausted }: LedgerOptions): Ledger {
  requireLimit('dollars', dollars);
  requireLimit('tokens', tokens);
  const total = { ...spent };
  let open = 0;
  let end: EspalierError | null = null;

  function exhausted(): EspalierError | null {
    if (total.dollars >= dollars) return gone(`$${round(total.dollars)} of $${dollars} are spent`, open);
    if (total.tokens >= tokens) return gone(`${total.tokens} of ${tokens} tokens are used`, open);
    return null;
  }

  function finish(why: EspalierError): EspalierError {
    if (end === null) {
      end = why;
      onExhausted(why);
    }
    return end;
  }

  return {
    isInDollars: dollars !== Infinity,
    reserve() {
      const why = end ?? exhausted();
      if (why !== null) throw finish(why);
      open++;
      let isOpen = true;
      const close = (): boolean => {
        const wasOpen = isOpen;
        if (isOpen) open--;
        isOpen = false;
        return wasOpen;
      };
      return {
        charge(usage, cost) {
          if (!close()) return;
          total.calls++;
          total.dollars += cost ?? 0;
          total.tokens += usage === null ? 0 : usage.prompt + usage.completion;
          if (usage === null && (dollars !== Infinity || tokens !== Infinity)) throw finish(uncounted());
          const reason = exhausted();
          if (reason !== null) finish(reason);
        },
        release: () => void close(),
      };
    },
    spent: () => ({ ...total }),
    add(elsewhere) {
      total.calls += elsewhere.calls;
      total.dollars += elsewhere.dollars;
      total.tokens += elsewhere.tokens;
    },
  };
}

function requireLimit(name: string, limit: number): void {
  if (limit > 0) return;
  throw invalidOption(
    `The budget of the run is ${limit} ${name}.`,
    'Expected a number above 0; leave it out for none.',
  );
}

function gone(what: string, open: number): EspalierError {
  const flying = open === 0 ? '' : `, and ${open} more ${open === 1 ? 'answer is' : 'answers are'} on the way`;
  return new EspalierError({
    boundary: 'budget',
    code: 'out-of-budget',
    message: `The budget of the run is gone: ${what}${flying}.`,
    expected: 'Raise it and go on with the run: episodes that ended stay, those under way begin anew.',
  });
}

function uncounted(): EspalierError {
  return new EspalierError({
    boundary: 'budget',
    code: 'unsupported',
    message: 'The run has a budget, and a server answered without saying how many tokens it used.',
    expected: 'Use a server that reports usage, or run without a budget in money and tokens.',
  });
}

function round(dollars: number): number {
  return Math.round(dollars * 10_000) / 10_000;
}

import type { Clock, Timers } from '../../core/clock.ts';
import { count } from '../../core/text.ts';
import type { Spent } from '../../policies/models/ledger.ts';
import type { SpendingConfig } from './model-config.ts';
import { createModels, type Models } from './open-models.ts';

export interface SpendingOptions {
  readonly spending: SpendingConfig;
  readonly folder: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly signal?: AbortSignal | undefined;
}

/** The models of a run, and what ends it: whoever started it, or its budget. */
export interface Spending {
  readonly models: Models;
  readonly signal: AbortSignal;
  /** Ends what is being asked: only for whoever started the run. What is paid for anyway is waited for. */
  readonly hurry: AbortSignal;
  /** Why the budget stopped the run; null when it did not. */
  exhausted(): string | null;
}

/** Works with models, writes down what was spent, and lets go of them. */
export async function withModels<T>(
  { spending, folder, clock, timers, signal }: SpendingOptions,
  work: (spending: Spending) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  let exhausted: string | null = null;
  const both = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
  const models = createModels({
    spending,
    folder,
    clock,
    timers,
    readKey: name => process.env[name],
    onExhausted(why) {
      exhausted = why.message;
      own.abort(why);
    },
  });
  const hurry = signal ?? new AbortController().signal;
  try {
    return await work({ models, signal: both, hurry, exhausted: () => exhausted });
  } finally {
    try {
      if (exhausted !== null) await models.settled();
      models.save();
    } finally {
      models.close();
    }
  }
}

/** `Models: 1,204 calls, 3,411,020 tokens, $1.27.` */
export function spentText({ calls, tokens, dollars }: Spent): string {
  // Not every server says how many tokens it used.
  const used = tokens === 0 ? '' : `, ${tokens.toLocaleString('en')} tokens`;
  const money = dollars === 0 ? '' : `, $${dollars.toFixed(dollars < 1 ? 4 : 2)}`;
  return `Models: ${count(calls, 'call')}${used}${money}.`;
}

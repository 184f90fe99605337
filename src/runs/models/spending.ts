import { count } from '../../core/text.ts';
import type { Spent } from '../../models/endpoints/ledger.ts';
import type { Host } from '../host/host.ts';
import type { SpendingConfig } from '../settings/model-config.ts';
import { createModels, type Models } from './open-models.ts';

export interface SpendingOptions {
  readonly spending: SpendingConfig;
  readonly folder: string;
  readonly host: Host;
  readonly signal?: AbortSignal | undefined;
}

/** The models of a run, and what ends it: whoever started it, or its budget. */
export interface Spending {
  readonly models: Models;
  readonly signal: AbortSignal;
  /** Ends what is being asked: only for whoever started the run. What is paid for anyway is waited for. */
  readonly hurry: AbortSignal;
  /** Why the budget or an endpoint stopped the run; null when neither did. */
  exhausted(): string | null;
  /** Says why other machines stopped the run. */
  stop(why: string): void;
  /** Whether the budget is likely to last for one more episode beside those under way. */
  affords(episodes: { readonly ended: number; readonly open: number }): boolean;
}

/** Works with models, writes down what was spent, and lets go of them. */
export async function withModels<T>(
  { spending, folder, host, signal }: SpendingOptions,
  work: (spending: Spending) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  let exhausted: string | null = null;
  const both = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
  const models = createModels({
    spending,
    folder,
    clock: host.clock,
    timers: host.timers,
    readKey: host.variable,
    onNotice: host.onNotice,
    onStop(why) {
      exhausted ??= why.message;
      own.abort(why);
    },
  });
  const hurry = signal ?? new AbortController().signal;
  try {
    const before = models.spent();
    const affords: Spending['affords'] = ({ ended, open }) => {
      if (ended === 0) return true;
      // Those under way have about half of their way before them.
      const share = (open / 2 + 1) / (ended + open / 2);
      const lasts = (limit: number | null, spent: number, earlier: number): boolean =>
        limit === null || limit - spent >= (spent - earlier) * share;
      const spent = models.spent();
      if (lasts(spending.dollars, spent.dollars, before.dollars) && lasts(spending.tokens, spent.tokens, before.tokens))
        return true;
      exhausted ??= 'The remaining budget does not cover another episode; running episodes were allowed to finish.';
      return false;
    };
    return await work({
      models,
      signal: both,
      hurry,
      affords,
      stop: why => void (exhausted ??= why),
      exhausted: () => exhausted,
    });
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

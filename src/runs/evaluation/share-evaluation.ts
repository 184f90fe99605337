import type { Contender } from '../agents/evaluated.ts';
import type { StrategyConfig } from '../config/config.ts';
import type { Spent } from '../host/budget.ts';
import type { Host } from '../host/host.ts';
import type { PoolRequest } from '../host/pool.ts';
import { needsOf, placesOf, requireShareable } from '../plan/run-anywhere.ts';
import type { BrowserConfig } from '../settings/browser-config.ts';
import type { SpendingConfig } from '../settings/model-config.ts';
import type { Share } from './run-entrants.ts';

/** The budget of the models that an evaluation asks. */
export interface EvaluatedModels {
  readonly spending: SpendingConfig;
  spent(): Spent;
  /** Adds what other machines have spent. */
  add(spent: Spent): void;
  /** Says why other machines stopped. */
  stop(why: string): void;
}

interface ShareOptions {
  readonly environments: readonly string[];
  readonly browser: BrowserConfig | null;
  readonly concurrency: number;
  readonly host: Pick<Host, 'fleet'>;
  readonly subject: Contender;
  readonly against?: Contender | null | undefined;
  readonly strategy?: StrategyConfig | undefined;
  readonly models?: EvaluatedModels | undefined;
}

interface SharedJob {
  /** Name of the run. */
  readonly run: string;
  readonly job: PoolRequest;
  /** Hashes of what the environments are made from. */
  sources(): unknown;
}

/** Tells other machines of an evaluation, policy by policy; null where there are none. */
export function createShare(options: ShareOptions, { run, job, sources }: SharedJob): Share | null {
  const { environments, browser, concurrency, host, subject, against, strategy, models } = options;
  if (host.fleet === undefined) return null;
  const isHere = [subject, against ?? subject].some(one => one.source === undefined && one.asked === undefined);
  requireShareable(environments, isHere || strategy?.kind === 'object' ? ['object'] : []);
  // What may be spent is no part of what is done: a run goes on with a larger budget.
  const { spending: _spending, ...data } = job.data as { readonly spending?: unknown };
  const identity = { phase: 'evaluate', run, data, seed: job.seed, sources: sources() };
  return ({ hasWorkers, asked, name }, place) => {
    if (!hasWorkers && asked === undefined) return null;
    const model = asked === undefined ? null : String(asked['model'] ?? name);
    return {
      name: run,
      identity: [identity, place],
      job,
      needs: needsOf({ environments, browser, asksModels: model !== null }),
      spending:
        model === null || models === undefined
          ? null
          : { ...models.spending, spent: models.spent(), onSpent: models.add, onExhausted: models.stop },
      atOnce: placesOf({ environments, concurrency, model }),
    };
  };
}

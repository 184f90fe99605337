import { setTimeout as wait } from 'node:timers/promises';
import { causeText, DivergenceError } from '../../src/core/errors.ts';
import type { BrowserPool } from '../../src/envs/web/browser/pool.ts';
import { gravest, runDifferences, type Difference } from './difference.ts';
import { writePage, type Library, type Slot } from './page.ts';
import { createPageWorld, type PageWorld } from './page-world.ts';
import { runFresh, walkPage, type NextStep, type WalkedRollback } from './walk.ts';
import type { WalkStep } from './walk-step.ts';

/**
 * What came of the rollbacks of a page:
 * - `restored`: snapshots were put back, and the page went on as a fresh replay does;
 * - `replayed`: at least one snapshot was refused, the path was walked again, and all is right;
 * - `restored-wrong`: after a snapshot the page went on differently from a fresh replay;
 * - `unsteady`: fresh replays of the same path disagree with each other;
 * - `failed`: the page could not be opened, or a step broke it;
 * - `stuck`: it took too long.
 */
export type Outcome = 'restored' | 'replayed' | 'restored-wrong' | 'unsteady' | 'failed' | 'stuck';

export interface Examined {
  readonly outcome: Outcome;
  readonly steps: readonly WalkStep[];
  readonly rollbacks: readonly WalkedRollback[];
  /** `right`: one fresh replay agreed with the walk, and so did another. `wrong`: the other did not. `none`: the first did not. */
  readonly certificate: 'right' | 'wrong' | 'none';
  readonly difference: Difference | null;
  /** Why it failed. */
  readonly problem: string | null;
}

export interface Examiner {
  readonly pool: BrowserPool;
  readonly library: Library;
  /** False when only restored states are of interest: then a page that was replayed is not replayed again. */
  readonly certifies: boolean;
}

const mostMilliseconds = 60_000;

/** Walks a page, replays what was kept of the walk in fresh pages, and says what differs. */
export async function examine(examiner: Examiner, slots: readonly Slot[], next: NextStep): Promise<Examined> {
  const { pool, library, certifies } = examiner;
  const steps: WalkStep[] = [];
  const noting: NextStep = (seen, taken) => {
    const step = next(seen, taken);
    if (step !== null) steps.push(step);
    return step;
  };
  const late = new AbortController();
  const given = { steps, rollbacks: [], certificate: 'none', difference: null } as const;
  try {
    return await Promise.race([
      createPageWorld(pool, writePage(slots, library)).then(world => judge(world, noting, certifies)),
      wait(mostMilliseconds, undefined, { signal: late.signal }).then((): Examined => {
        return { ...given, outcome: 'stuck', problem: `not done after ${mostMilliseconds} ms` };
      }),
    ]);
  } catch (cause) {
    return { ...given, outcome: isDivergence(cause) ? 'unsteady' : 'failed', problem: causeText(cause) };
  } finally {
    late.abort();
  }
}

async function judge(world: PageWorld, next: NextStep, certifies: boolean): Promise<Examined> {
  const { steps, rollbacks, wrong, kept } = await walkPage(world, next);
  const given = { steps, rollbacks, problem: null };
  const wasRestored = rollbacks.some(({ method }) => method === 'restore');
  const wasReplayed = rollbacks.some(({ method }) => method === 'replay');
  if (!certifies && !wasRestored && wrong.length === 0)
    return { ...given, outcome: 'replayed', certificate: 'none', difference: null };
  const actions = kept.flatMap(({ action }) => (action === null ? [] : [action]));
  const fresh = await runFresh(world, actions);
  const difference = gravest([...wrong, ...runDifferences(kept, fresh)]);
  // A walk that was never restored is a fresh run itself: its one replay is the second.
  const later =
    wasRestored && (certifies || difference !== null)
      ? gravest(runDifferences(fresh, await runFresh(world, actions)))
      : null;
  if (difference === null && later === null)
    return {
      ...given,
      outcome: wasReplayed ? 'replayed' : 'restored',
      certificate: certifies ? 'right' : 'none',
      difference,
    };
  if (difference === null) return { ...given, outcome: 'unsteady', certificate: 'wrong', difference: later };
  const outcome = wasRestored && later === null ? 'restored-wrong' : 'unsteady';
  return { ...given, outcome, certificate: 'none', difference };
}

/** Whether the trail itself found that a replay led elsewhere. */
function isDivergence(cause: unknown): boolean {
  return cause instanceof DivergenceError;
}

import { setTimeout as wait } from 'node:timers/promises';
import { causeText, DivergenceError } from '../../../src/core/errors.ts';
import type { BrowserPool } from '../../../src/envs/web/browser/pool.ts';
import { gravest, runDifferences, type Difference, type WalkedNode } from './difference.ts';
import { writePage, type Library, type Slot } from './page.ts';
import { createPageWorld, isMoving, type PageWorld } from './page-world.ts';
import { runFresh, walkPage, type NextStep, type WalkedRollback } from './walk.ts';
import { describeStep, type WalkStep } from './walk-step.ts';

/**
 * What came of the rollbacks of a page:
 * - `restored`: snapshots were put back, and the page went on as a fresh replay does;
 * - `replayed`: at least one snapshot was refused, the path was walked again, and all is right;
 * - `restored-wrong`: after a snapshot the page went on differently from a fresh replay;
 * - `unsteady`: fresh replays of the same path disagree with each other;
 * - `refused`: they do, and the certificate is refused with a reason that names why;
 * - `failed`: the page could not be opened, or a step broke it;
 * - `stuck`: it took too long.
 */
export type Outcome = 'restored' | 'replayed' | 'restored-wrong' | 'unsteady' | 'refused' | 'failed' | 'stuck';

export interface Examined {
  readonly outcome: Outcome;
  readonly steps: readonly WalkStep[];
  readonly rollbacks: readonly WalkedRollback[];
  /**
   * Whether digests, texts, outcomes and the last picture of a fresh replay agree with the walk, as a certificate demands:
   * `none` when they do not. `wrong` when they do, but boxes differ, or another replay does.
   */
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
  /** A page that takes more milliseconds is stuck. */
  readonly most?: number;
}

const mostMilliseconds = 60_000;

/** Walks a page, replays what was kept of the walk in fresh pages, and says what differs. */
export async function examine(examiner: Examiner, slots: readonly Slot[], next: NextStep): Promise<Examined> {
  const { pool, library, certifies, most = mostMilliseconds } = examiner;
  const steps: WalkStep[] = [];
  let isWalked = false;
  const noting: NextStep = (seen, taken) => {
    const step = next(seen, taken);
    if (step === null) isWalked = true;
    else steps.push(step);
    return step;
  };
  const html = writePage(slots, library);
  const late = new AbortController();
  const given = { steps, rollbacks: [], certificate: 'none', difference: null } as const;
  try {
    return await Promise.race([
      createPageWorld(pool, () => html).then(world => judge(world, noting, certifies)),
      wait(most, undefined, { signal: late.signal }).then((): Examined => {
        return { ...given, outcome: 'stuck', problem: `not done after ${most} ms, ${placeOf(steps, isWalked)}` };
      }),
    ]);
  } catch (cause) {
    return { ...given, outcome: isDivergence(cause) ? 'unsteady' : 'failed', problem: causeText(cause) };
  } finally {
    late.abort();
  }
}

/** Where a page is stuck: it opens, takes a step, or is replayed. */
export function placeOf(steps: readonly WalkStep[], isWalked: boolean): string {
  const last = steps.at(-1);
  if (isWalked) return 'in a fresh replay';
  return last === undefined ? 'while it was opened' : `in step ${steps.length}: ${describeStep(last)}`;
}

/** Walks a world, and says what came of it. */
export async function judge(world: PageWorld, next: NextStep, certifies: boolean): Promise<Examined> {
  const { steps, rollbacks, wrong, kept } = await walkPage(world, next);
  const wasRestored = rollbacks.some(({ method }) => method === 'restore');
  const wasReplayed = rollbacks.some(({ method }) => method === 'replay');
  const given = { steps, rollbacks, problem: null, certificate: 'none' } as const;
  if (!certifies && !wasRestored && wrong.length === 0) return { ...given, outcome: 'replayed', difference: null };
  const actions = kept.flatMap(({ action }) => (action === null ? [] : [action]));
  const fresh = await runFresh(world, actions);
  const difference = gravest([...wrong, ...runDifferences(kept, fresh)]);
  // A walk that was never restored is a fresh run itself: its one replay is the second.
  const needsAnother = wasRestored && (certifies || difference !== null);
  const later = needsAnother ? gravest(runDifferences(fresh, await runFresh(world, actions))) : null;
  const certified = certifies ? certificateFor(kept, fresh) : 'none';
  const certificate = certified === 'right' && later !== null ? 'wrong' : certified;
  if (later !== null || (difference !== null && !wasRestored))
    return {
      ...given,
      outcome: isNamed(kept) && isNamed(fresh) ? 'refused' : 'unsteady',
      certificate,
      difference: difference ?? later,
    };
  if (difference !== null) return { ...given, outcome: 'restored-wrong', certificate, difference };
  return { ...given, outcome: wasReplayed ? 'replayed' : 'restored', certificate, difference };
}

/** Whether the page said that it follows the real clock. */
function isNamed(nodes: readonly WalkedNode[]): boolean {
  return isMoving((nodes.at(-1) as WalkedNode).record);
}

function certificateFor(kept: readonly WalkedNode[], fresh: readonly WalkedNode[]): Examined['certificate'] {
  const all = (isSame: (one: WalkedNode, other: WalkedNode) => boolean): boolean =>
    kept.every((node, index) => isSame(node, fresh[index] as WalkedNode));
  const isCertified = all(
    (one, other) =>
      one.outcome === other.outcome &&
      one.record.digest === other.record.digest &&
      one.record.text === other.record.text &&
      one.record.picture === other.record.picture &&
      !isMoving(one.record),
  );
  if (!isCertified) return 'none';
  return all((one, other) => one.record.layout === other.record.layout) ? 'right' : 'wrong';
}

/** Whether the trail itself found that a replay led elsewhere. */
function isDivergence(cause: unknown): boolean {
  return cause instanceof DivergenceError;
}

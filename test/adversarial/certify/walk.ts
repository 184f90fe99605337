import type { Action } from '../../../src/core/action.ts';
import type { Observation } from '../../../src/core/records.ts';
import { createTrail } from '../../../src/worlds/trail.ts';
import type { Trail } from '../../../src/core/episode/trail.ts';
import { firstDifference, type Difference, type WalkedNode } from './difference.ts';
import type { PageWorld } from './page-world.ts';
import { actionFor, type WalkStep } from './walk-step.ts';

const actor = { role: 'student', name: 'walk' } as const;

export interface WalkedRollback {
  readonly method: 'restore' | 'replay';
  /** Why no snapshot was put back; null when it was, or when there was none. */
  readonly reason: string | null;
}

export interface Walk {
  readonly steps: readonly WalkStep[];
  readonly rollbacks: readonly WalkedRollback[];
  /** From the root to the leaf. */
  readonly kept: readonly WalkedNode[];
  /** Rollbacks after which the page was not as it had been there. */
  readonly wrong: readonly Difference[];
}

/** Gives the next step; null when the walk is over. */
export type NextStep = (seen: Observation, taken: number) => WalkStep | null;

/** Walks a page by a trail, with rollbacks on the way. */
export async function walkPage(world: PageWorld, next: NextStep): Promise<Walk> {
  const trail = await createTrail(world.environment, world.task);
  try {
    return await walkTrail(world, trail, next);
  } finally {
    await trail.session().close();
  }
}

async function walkTrail(world: PageWorld, trail: Trail, next: NextStep): Promise<Walk> {
  const first = await world.observe(trail.session());
  const nodes: WalkedNode[] = [{ action: null, outcome: '', record: first.record }];
  const steps: WalkStep[] = [];
  const rollbacks: WalkedRollback[] = [];
  const wrong: Difference[] = [];
  let seen = first.observation;
  for (let step = next(seen, 0); step !== null; step = next(seen, steps.length)) {
    steps.push(step);
    if (step.kind === 'rollback') {
      const node = Math.min(step.node, nodes.length - 1);
      const { method, divergence } = await trail.rollback(node);
      rollbacks.push({ method, reason: divergence });
      const { observation, record } = await world.observe(trail.session());
      const difference = firstDifference((nodes[node] as WalkedNode).record, record, `rollback ${rollbacks.length}`);
      if (difference !== null) wrong.push(difference);
      seen = observation;
      continue;
    }
    const action = actionFor(step, seen);
    if (action === null) continue;
    const { outcome } = await trail.step(action, actor);
    const { observation, record } = await world.observe(trail.session());
    nodes.push({ action, outcome: JSON.stringify(outcome), record });
    seen = observation;
  }
  const path = [0, ...trail.tree.path(trail.at()).map(({ id }) => id)];
  const kept = await withLastLook(
    world,
    path.map(id => nodes[id] as WalkedNode),
  );
  return { steps, rollbacks, wrong, kept };
}

/** More about the last node: it costs more than the rest of a record, and what differed before mostly still does. */
async function withLastLook(world: PageWorld, nodes: readonly WalkedNode[]): Promise<readonly WalkedNode[]> {
  const last = nodes.at(-1) as WalkedNode;
  const { picture, state } = await world.lookLast();
  const probe = [...last.record.probe, state];
  return [...nodes.slice(0, -1), { ...last, record: { ...last.record, picture, probe } }];
}

/** Takes actions in a fresh page. */
export async function runFresh(world: PageWorld, actions: readonly Action[]): Promise<readonly WalkedNode[]> {
  const session = await world.environment.open(world.task);
  try {
    const nodes: WalkedNode[] = [{ action: null, outcome: '', record: (await world.observe(session)).record }];
    for (const action of actions) {
      const outcome = JSON.stringify(await session.step(action));
      nodes.push({ action, outcome, record: (await world.observe(session)).record });
    }
    return await withLastLook(world, nodes);
  } finally {
    await session.close();
  }
}

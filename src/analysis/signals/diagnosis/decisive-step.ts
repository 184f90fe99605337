import { actionKey, type Action } from '../../../core/action.ts';
import type { StateSession } from '../../../core/contracts.ts';
import { diff } from '../../../core/diff.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { describeStep } from '../../../core/episode/view.ts';
import { isOnScreen } from '../../../core/path.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { ForkWorld } from '../signal.ts';
import { isReading } from './shown-step.ts';
import { sideEffectPaths } from './side-effects.ts';
import { reachAlong, type Reach } from '../steps/reachability.ts';

/** The step that decided a failure, by trying others in its place. */
export interface DecisiveStep {
  /** Place on the path, from 0. */
  readonly index: number;
  /** In a sentence: what was tried, and what came of it. */
  readonly reason: string;
  readonly after: Reach;
}

interface Path {
  readonly episode: EpisodeRecord;
  readonly world: ForkWorld;
  readonly steps: readonly TreeNode[];
  /** How far the goal is before the first step, and after each. */
  readonly reaches: readonly Reach[];
}

/**
 * The first step whose correction alone saves the episode: it is left out, or the planner's step is taken in its place or before
 * it, and the rest is done as the agent did it. Where no single correction does, the first step after which the goal never came
 * closer than it was. In between: a call that was
 * refused for good, and the last step that wrote what must be written again, or what the verdict calls a side effect.
 */
export function decisiveStep(episode: EpisodeRecord, world: ForkWorld): DecisiveStep | null {
  const steps = episode.tree.path(episode.end.leaf);
  if (steps.length === 0) return null;
  const ids = steps.map(({ id }) => id);
  const path = { episode, world, steps, reaches: reachAlong(world, ids) };
  return neverFinished(path) ?? mended(path) ?? refusedCall(path) ?? wroteAmiss(path) ?? neverCloser(path);
}

/** All was done, and the finish did not come. */
function neverFinished({ world, steps, reaches }: Path): DecisiveStep | null {
  const index = steps.length - 1;
  const { id, action } = steps[index] as TreeNode;
  const after = reaches[index + 1] as Reach;
  if (action.kind === 'finish' || after.kind !== 'reachable' || after.cost !== 1) return null;
  return passesAfter(world.at(id))
    ? { index, after, reason: `After step ${id} everything was done, and it did not finish.` }
    : null;
}

/** The first step that saves the episode when it is corrected. The finish comes last: what it ends too early was missed before. */
function mended(path: Path): DecisiveStep | null {
  const { steps } = path;
  const places = steps.map((_, index) => index);
  const acts = places.filter(index => steps[index]?.action.kind !== 'finish');
  const ends = places.filter(index => steps[index]?.action.kind === 'finish');
  for (const index of acts) {
    const found = isProgress(path, index) ? null : (without(path, index) ?? replaced(path, index));
    if (found !== null) return found;
  }
  for (const index of acts) {
    const found = preceded(path, index);
    if (found !== null) return found;
  }
  for (const index of ends) {
    const found = replaced(path, index);
    if (found !== null) return found;
  }
  return null;
}

function isProgress({ reaches }: Path, index: number): boolean {
  const [before, after] = [reaches[index], reaches[index + 1]];
  return before?.kind === 'reachable' && after?.kind === 'reachable' && after.cost < before.cost;
}

function without(path: Path, index: number): DecisiveStep | null {
  if (!isSaved(path, { from: index, put: [], rest: index + 1 })) return null;
  return decided(path, index, 'without it, and the rest as it was, the episode passes');
}

function replaced(path: Path, index: number): DecisiveStep | null {
  const planned = plannedAt(path, index);
  // A finish in its place would correct the end, not this step.
  if (planned?.kind === 'finish' && path.steps[index]?.action.kind !== 'finish') return null;
  if (planned === null || !isSaved(path, { from: index, put: [planned], rest: index + 1 })) return null;
  return decided(
    path,
    index,
    `with ${describedAt(path, index, planned)} in its place, and the rest as it was, the episode passes`,
  );
}

function preceded(path: Path, index: number): DecisiveStep | null {
  const planned = plannedAt(path, index);
  if (planned === null || planned.kind === 'finish' || !isSaved(path, { from: index, put: [planned], rest: index }))
    return null;
  return decided(
    path,
    index,
    `with ${describedAt(path, index, planned)} before it, and the rest as it was, the episode passes`,
  );
}

function decided({ steps, reaches }: Path, index: number, what: string): DecisiveStep {
  return { index, after: reaches[index + 1] as Reach, reason: `Step ${steps[index]?.id}: ${what}.` };
}

function stateBefore({ world, steps }: Path, index: number): StateSession {
  return world.at(steps[index - 1]?.id ?? 0);
}

/** What the planner does in the state before a step; null when it is the same, or it knows nothing. */
function plannedAt(path: Path, index: number): Action | null {
  const session = stateBefore(path, index);
  const own = path.steps[index] as TreeNode;
  const planned =
    path.world.planner.nextAction(session) ?? (own.action.kind === 'finish' ? session.guide().finish : null);
  return planned === null || actionKey(planned) === actionKey(own.action) ? null : planned;
}

function describedAt(path: Path, index: number, action: Action): string {
  return describeStep(action, stateBefore(path, index).observe().text);
}

interface Change {
  /** The steps before this place stay as they are. */
  readonly from: number;
  readonly put: readonly Action[];
  /** The steps from this place on come after. */
  readonly rest: number;
}

/** Whether the episode passes with a change: the rest is done by the same elements, wherever they are now, or by the same marks. */
function isSaved(path: Path, { from, put, rest }: Change): boolean {
  const own = path.steps.slice(rest);
  return [false, true].some(isDescribed => {
    const session = stateBefore(path, from);
    for (const action of put) session.step(action);
    for (const { id, action } of own) {
      if (session.ended() !== null) break;
      const done = isDescribed ? sameStep(path.episode, id, session) : action;
      if (done !== null) session.step(done);
    }
    return passesAfter(session);
  });
}

function passesAfter(session: StateSession): boolean {
  if (session.ended() === null) session.step(session.guide().finish);
  return session.verify().pass;
}

/** The step on this screen that a step of the record describes; null when the screen has none. */
function sameStep({ tree, text }: EpisodeRecord, id: number, session: StateSession): Action | null {
  const { action } = tree.node(id);
  if (!('ref' in action)) return action;
  const screen = session.observe().text;
  const wanted = text(id).replace(/ \(refused: .*\)$/, '');
  const isSame = (other: Action): boolean => describeStep(other, screen) === wanted;
  if (isSame(action)) return action;
  const refs = new Set(session.candidates().flatMap(one => ('ref' in one.action ? [one.action.ref] : [])));
  for (const ref of refs) if (isSame({ ...action, ref })) return { ...action, ref };
  return null;
}

/** The first call that was refused, where no later call of the same tool was taken: its correction may need several steps at the screen. */
function refusedCall({ steps, reaches }: Path): DecisiveStep | null {
  const toolOf = ({ action }: TreeNode): string | null => (action.kind === 'call' ? action.tool : null);
  const index = steps.findIndex(
    (step, at) =>
      toolOf(step) !== null &&
      !step.outcome.applied &&
      !isReading(step) &&
      !steps.slice(at + 1).some(later => later.outcome.applied && toolOf(later) === toolOf(step)),
  );
  const { id, outcome } = steps[index] ?? {};
  if (id === undefined) return null;
  const why = outcome?.problem?.message ?? 'no reason given';
  const reason = `Step ${id} was refused (${why}), and no later call does it; no single correction was found that saves the episode.`;
  return { index, after: reaches[index + 1] as Reach, reason };
}

/** The first of the steps that left something as it is now, where the planner would change it again or the verdict forbids it. */
function wroteAmiss(path: Path): DecisiveStep | null {
  const { world, steps, episode } = path;
  const last = steps.findIndex(({ action }) => action.kind === 'finish');
  const acts = last < 0 ? steps : steps.slice(0, last);
  const amiss = new Set([...repairedPaths(world.at(acts.at(-1)?.id ?? 0), world), ...sideEffectPaths(episode)]);
  const writers = [...amiss].flatMap(wrong => {
    const index = acts.findLastIndex(({ id, parent }) =>
      writtenBetween(world.at(parent), world.at(id)).some(own => overlaps(own, wrong)),
    );
    return index < 0 ? [] : [{ index, wrong }];
  });
  const [first] = writers.toSorted((one, other) => one.index - other.index);
  if (first === undefined) return null;
  const { id } = steps[first.index] as TreeNode;
  const reason = `Step ${id} wrote ${first.wrong}, which the goal needs otherwise; no single correction was found that saves the episode.`;
  return { index: first.index, after: path.reaches[first.index + 1] as Reach, reason };
}

/** What the planner changes to reach the goal from here; nothing where it knows no way. */
function repairedPaths(session: StateSession, { planner }: ForkWorld): readonly string[] {
  const plan = session.ended() === null ? planner.plan(session) : null;
  if (plan?.outcome !== 'solved') return [];
  const goal = session.fork();
  for (const action of plan.actions) goal.step(action);
  return writtenBetween(session, goal);
}

function writtenBetween(before: StateSession, after: StateSession): readonly string[] {
  return diff(before.state(), after.state()).flatMap(({ path }) => (isOnScreen(path) ? [] : [path]));
}

const overlaps = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

/** The first step after which the goal was never closer than before it. */
function neverCloser({ steps, reaches }: Path): DecisiveStep | null {
  const costAt = (index: number): number => {
    const reach = reaches[index];
    return reach?.kind === 'reachable' ? reach.cost : Infinity;
  };
  for (const [index, step] of steps.entries()) {
    // Reading brings nothing closer, and takes nothing away.
    if (isReading(step)) continue;
    const { id } = step;
    const before = costAt(index);
    const after = reaches[index + 1] as Reach;
    if (before === Infinity || after.kind === 'unknown') continue;
    if (steps.slice(index).some((_, later) => costAt(index + 1 + later) < before)) continue;
    const reason =
      after.kind === 'unreachable'
        ? `After step ${id} no way to the goal is left; before it, ${before} steps would have done.`
        : `From step ${id} on the goal comes no closer: ${before} steps to go before it, ${after.cost} after.`;
    return { index, after, reason };
  }
  return null;
}

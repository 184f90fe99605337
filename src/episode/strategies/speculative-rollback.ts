import { EspalierError, invalidOption, type Boundary } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import type { Verdict } from '../../core/records.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Episode } from '../verbs/episode.ts';
import { advance, failureReason, runAlone, type Conclusion, type Strategy } from './strategy.ts';

export interface SpeculativeRollbackOptions {
  /**
   * K: steps of the student between two reviews. 1 reviews every step; Infinity waits until it finishes or has no steps
   * left; `adaptive` goes on while the student is sure enough of all steps since the last review.
   */
  readonly speculate?: number | 'adaptive';
  /** With `adaptive`: goes on while the product of the student's probabilities is at least this. */
  readonly goOn?: number;
  /** Leaves out the review of a finish that the verifier passed if the student was at least so sure of each step; null never does. */
  readonly skipSure?: number | null;
  /** Share of the reviews that could be left out and are made all the same, to measure what is missed. */
  readonly audit?: number;
  /** Steps before the branch that the reviewer is shown. */
  readonly context?: number;
  /** Whether a rejected branch lives on as a leaf of its own, within the limits on forks and leaves. */
  readonly branching?: boolean;
}

/** Times that one state may be gone back to; the next time the episode is given up. */
const mostReturns = 2;

/** The student speculates for a few steps; the teacher looks, and grafts a correction where it went wrong. */
export function createSpeculativeRollback(options: SpeculativeRollbackOptions = {}): Strategy {
  const { speculate = 3, goOn = 0.5, skipSure = null, audit = 0.1, context = 5, branching = false } = options;
  if (speculate !== 'adaptive') requireCount('speculate', speculate, 1);
  requireCount('context', context, 0);
  for (const [name, value] of Object.entries({ goOn, skipSure: skipSure ?? 0, audit })) requireShare(name, value);
  const isEnough = speculate === 'adaptive' ? notSure(goOn) : (branch: Branch) => branch.length >= speculate;
  return {
    name: nameOf({ speculate, goOn, skipSure, audit, branching }),
    asksTeacher: true,
    async run(episode) {
      const rejections: Rejection[] = [];
      const conclusion = await followMainPath(episode, { isEnough, skipSure, audit, context, rejections });
      // The main path comes first: what lives on beside it can neither delay nor disturb it.
      if (branching) await growRejected(episode, rejections);
      return conclusion;
    },
  };
}

type Branch = readonly TreeNode[];

function nameOf(options: Required<Omit<SpeculativeRollbackOptions, 'context'>>): string {
  const { speculate, goOn, skipSure, audit, branching } = options;
  const steps = speculate === 'adaptive' ? `adaptive ${goOn}` : `K=${speculate === Infinity ? '∞' : speculate}`;
  const skips = skipSure === null ? '' : ` skip ${skipSure} audit ${audit}`;
  return `speculative-rollback ${steps}${skips}${branching ? ' branching' : ''}`;
}

/** A step that says nothing of its own probability is reviewed at once. */
function sureness({ confidence = -1 }: TreeNode): number {
  return confidence;
}

function notSure(goOn: number): (branch: Branch) => boolean {
  return branch => branch.length > 0 && branch.reduce((product, node) => product * sureness(node), 1) < goOn;
}

interface Rejection {
  readonly step: TreeNode;
  readonly reason: string;
  /** Where the branch ended. */
  readonly end: number;
  /** The rejected step is a finish that the verifier did not pass. */
  readonly isWrongFinish: boolean;
}

interface MainPath {
  /** Whether the teacher is to look at the branch now. */
  isEnough(branch: Branch): boolean;
  readonly skipSure: number | null;
  readonly audit: number;
  readonly context: number;
  /** Filled as the episode goes. */
  readonly rejections: Rejection[];
}

async function followMainPath(episode: Episode, path: MainPath): Promise<Conclusion> {
  const returns = new Map<string, number>();
  for (;;) {
    const { branch, isStuck } = await speculateFrom(episode, path.isEnough);
    if (branch.length === 0 && !isStuck) return verified(episode, await episode.verify(), 'out of steps');
    let rejection: Rejection | null = null;
    if (branch.length > 0) {
      const verdict = episode.ended() === 'terminated' ? await episode.verify() : null;
      const isSure = verdict?.pass === true && isSureOf(branch, path.skipSure);
      const audit = isSure && drawAudit(episode, path.audit);
      if (isSure && !audit && verdict !== null) {
        episode.skipReview(branch);
        return verified(episode, verdict, null);
      }
      if (episode.left('reviews') <= 0) return discarded(episode, 'out of reviews');
      rejection = await judge(episode, branch, { context: path.context, verdict, audit });
      if (rejection !== null) path.rejections.push(rejection);
      // Accepted and passed by the verifier as well: only now is the pending finish one.
      else if (verdict !== null) return verified(episode, verdict, null);
    }
    if (rejection === null && !isStuck) continue;
    const conclusion = await graft(episode, rejection, returns);
    if (conclusion !== null) return conclusion;
  }
}

function isSureOf(branch: Branch, least: number | null): boolean {
  return least !== null && branch.every(node => sureness(node) >= least);
}

/** By the state that the branch ended in: the same episode is audited again when it is run again. */
function drawAudit({ tree, at }: Episode, share: number): boolean {
  return createRandom(`audit ${tree.root} ${tree.digest(at())}`).chance(share);
}

interface Speculation {
  readonly branch: Branch;
  /** The student had nothing usable to offer. */
  readonly isStuck: boolean;
}

async function speculateFrom(episode: Episode, isEnough: MainPath['isEnough']): Promise<Speculation> {
  const branch: TreeNode[] = [];
  while (!isEnough(branch) && episode.ended() === null && episode.left('steps') > 0) {
    const node = await advance(episode);
    if (node === null) return { branch, isStuck: true };
    branch.push(node);
  }
  return { branch, isStuck: false };
}

interface Question {
  readonly context: number;
  readonly audit: boolean;
  readonly verdict: Verdict | null;
}

/** Asks the reviewer. The verifier has the last word on a finish: what it passed stands, what it did not is rejected. */
async function judge(episode: Episode, branch: Branch, question: Question): Promise<Rejection | null> {
  const { verdict } = question;
  const end = episode.at();
  const ruling = await episode.review(branch, question);
  if (verdict?.pass === true) return null;
  const isFailedFinish = verdict !== null;
  if (!ruling.accept) {
    const { at: step, reason } = ruling;
    return { step, reason, end, isWrongFinish: isFailedFinish && step.id === end };
  }
  if (!isFailedFinish) return null;
  return { step: episode.tree.node(end), reason: verifierReason(verdict), end, isWrongFinish: true };
}

/** Goes back to before the rejected step and has the teacher take one instead; says so when that ends the episode. */
async function graft(
  episode: Episode,
  rejection: Rejection | null,
  returns: Map<string, number>,
): Promise<Conclusion | null> {
  let replaces = rejection?.step ?? null;
  let reason = rejection?.reason ?? 'unusable output';
  for (;;) {
    if (episode.left('interventions') <= 0) return discarded(episode, 'out of interventions');
    if (episode.left('taken') <= 0) return discarded(episode, 'out of steps');
    if (replaces !== null) {
      // Counted by state: coming back to it on another way is coming back.
      const target = episode.tree.digest(replaces.parent);
      const returned = (returns.get(target) ?? 0) + 1;
      returns.set(target, returned);
      if (returned > mostReturns) return discarded(episode, 'same target three times');
      await episode.rollback(replaces.parent);
    }
    const correction = await episode.correct({ reason, replaces });
    if (correction === null) return discarded(episode, 'no correction');
    if (episode.ended() !== 'terminated') return null;
    const verdict = await episode.verify();
    if (verdict.pass) return verified(episode, verdict, null);
    // A teacher's finish is held to the same verifier.
    replaces = correction;
    reason = verifierReason(verdict);
  }
}

/** Lets the student go on alone where a branch was rejected: a leaf that passes shows a rejection that was wrong. */
async function growRejected(episode: Episode, rejections: readonly Rejection[]): Promise<void> {
  for (const { step, end, isWrongFinish } of rejections) {
    if (episode.left('forks') <= 0 || episode.left('leaves') <= 0) return;
    // The verifier has spoken already.
    if (isWrongFinish) continue;
    if ((await beside(() => episode.rollback(end))) !== null) return;
    episode.countBranch();
    let verdict: Verdict | null = null;
    const broken = await beside(async () => {
      await runAlone(episode);
      verdict = await episode.verify();
    });
    episode.leaf({ role: 'rejected', verdict, from: step.id });
    // Without means or a world, no other branch would fare better.
    if (broken === 'budget' || broken === 'environment') return;
  }
}

/** What breaks beside the main path is not the main path's end: says which side it was, null when none. */
async function beside(work: () => Promise<void>): Promise<Boundary | null> {
  try {
    await work();
    return null;
  } catch (cause) {
    const boundary = cause instanceof EspalierError ? cause.boundary : null;
    if (boundary === null || boundary === 'input' || boundary === 'store') throw cause;
    return boundary;
  }
}

function verified(episode: Episode, verdict: Verdict, stopped: string | null): Conclusion {
  episode.leaf({ role: 'main', verdict, from: null });
  return { kind: 'verified', leaf: episode.at(), verdict, reason: failureReason(verdict, stopped) };
}

function discarded(episode: Episode, reason: string): Conclusion {
  return { kind: 'discarded', leaf: episode.at(), reason };
}

function verifierReason({ checks, evidence }: Verdict): string {
  const unmet = checks.filter(({ pass }) => !pass).map(({ name }) => name);
  const failures = [...unmet, ...evidence.sideEffects.map(path => `changed ${path}`)];
  return `finished, but the verifier does not pass it: ${failures.join('; ')}`;
}

function requireShare(name: string, value: number): void {
  if (value >= 0 && value <= 1) return;
  throw invalidOption(`${name} is ${value}.`, 'Expected a number from 0 to 1.');
}

function requireCount(name: string, value: number, least: number): void {
  if (value === Infinity || (Number.isInteger(value) && value >= least)) return;
  throw invalidOption(`${name} is ${value}.`, `Expected a whole number from ${least} up, or Infinity.`);
}

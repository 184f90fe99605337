import { invalidOption } from '../../core/errors.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Verdict } from '../../core/records.ts';
import type { Episode } from '../verbs/episode.ts';
import { advance, failureReason, runAlone, type Conclusion, type Strategy } from './strategy.ts';

export interface RetryOptions {
  /** Retries after the first attempt; with `refused`, retries of each step. */
  readonly retries?: number;
  /**
   * Where a retry begins: `review` before the step that the teacher names as the first harmful one, `start` at the start,
   * `spread` at states that lie evenly on the first attempt, `refused` before every step that the environment refused,
   * `verdict` at the start, with what the verifier said of the first attempt.
   */
  readonly from?: 'review' | 'start' | 'spread' | 'refused' | 'verdict';
  /** Whether the other retries are made after one passed, too: candidates to choose from. */
  readonly all?: boolean;
  /** Whether the student is told why it goes back. Rows leave hints out. */
  readonly hint?: boolean;
  /** Who makes the first attempt. */
  readonly first?: 'student' | 'teacher';
}

/**
 * The student tries; when it fails, it goes back to a node and tries again from there, a few times, told what went wrong. Every
 * attempt is a leaf of the same tree, so attempts share the steps before they part.
 */
export function createRetry(options: RetryOptions = {}): Strategy {
  const { retries = 2, from = 'review', hint = told.has(from), first = 'student', all = false } = options;
  if (!(Number.isInteger(retries) && retries > 0))
    throw invalidOption(`retry was given ${retries} retries.`, 'Expected a whole number above 0.');
  return {
    name: `retry ${all ? 'all ' : ''}${retries} from ${from}${hint ? '' : ' without a hint'}${first === 'teacher' ? ' after the teacher' : ''}`,
    asksTeacher: from === 'review' || first === 'teacher',
    limits: from === 'refused' ? {} : { leaves: retries + 1, interventions: 30 },
    run: episode =>
      from === 'refused'
        ? retryRefused(episode, retries, hint)
        : attempts(episode, { retries, from, hint, first, all }),
  };
}

/** Places that say why the student goes back there. */
const told: ReadonlySet<string> = new Set(['review', 'refused', 'verdict']);

interface Attempt {
  readonly leaf: number;
  readonly verdict: Verdict;
  readonly stopped: string | null;
}

async function attempts(episode: Episode, options: Required<RetryOptions>): Promise<Conclusion> {
  const { retries, from, hint, first, all } = options;
  const begun = await endAttempt(episode, first === 'teacher' ? await runTeacher(episode) : await runAlone(episode));
  let last = begun;
  let best = begun;
  for (let made = 0; made < retries && !(all ? begun : last).verdict.pass && episode.left('leaves') > 0; made++) {
    const place = await placeOf(episode, { from, made, retries, begun, last });
    if (place === null) break;
    await episode.rollback(place.node);
    last = await endAttempt(episode, await runAlone(episode, hint ? place.hint : undefined));
    if (!best.verdict.pass) best = last;
  }
  const { leaf, verdict, stopped } = best;
  return { kind: 'verified', leaf, verdict, reason: failureReason(verdict, stopped) };
}

interface Place {
  readonly node: number;
  readonly hint?: string;
}

interface Placing extends Pick<Required<RetryOptions>, 'from' | 'retries'> {
  readonly made: number;
  readonly begun: Attempt;
  readonly last: Attempt;
}

/** Where the next attempt begins; null when the teacher may not be asked any more. */
async function placeOf(episode: Episode, { from, made, retries, begun, last }: Placing): Promise<Place | null> {
  if (from === 'spread') {
    const states = [0, ...episode.tree.path(begun.leaf).map(({ id }) => id)].slice(0, -1);
    return { node: states[Math.floor(((made + 1) * states.length) / (retries + 1))] ?? 0 };
  }
  if (from === 'verdict') return { node: 0, hint: said(begun.verdict) };
  const path = episode.tree.path(last.leaf);
  if (from === 'start' || path.length === 0) return { node: 0 };
  if (episode.left('reviews') <= 0) return null;
  const ruling = await episode.review(path, { context: 0, verdict: last.verdict });
  // Whoever finds nothing wrong on a path that failed has no better place than its start.
  return ruling.accept ? { node: 0 } : { node: ruling.at.parent, hint: ruling.reason };
}

/** What the verifier found wrong, in words: where something else was changed, but no address in the state, which no screen shows. */
function said({ checks, evidence }: Verdict): string {
  const failed = checks.filter(({ pass }) => !pass).map(({ name }) => name);
  const changed = [...new Set(evidence.sideEffects.map(path => path.split('/')[1]))];
  const clean = changed.length === 0 ? [] : [`nothing else is changed (there is a change in ${changed.join(', ')})`];
  return `An attempt failed. It did not hold that ${[...failed, ...clean].join('; that ')}.`;
}

async function endAttempt(episode: Episode, stopped: string | null): Promise<Attempt> {
  const verdict = await episode.verify();
  episode.leaf({ role: 'sample', verdict, from: null });
  return { leaf: episode.at(), verdict, stopped };
}

/** The teacher shows the way, and may be wrong. */
async function runTeacher(episode: Episode): Promise<string | null> {
  while (episode.ended() === null && episode.left('steps') > 0 && episode.left('interventions') > 0)
    if ((await episode.correct({ reason: 'the teacher shows the way', replaces: null })) === null)
      return 'the teacher knows no step';
  return episode.ended() === 'terminated' ? null : 'out of steps';
}

/** A step that the environment refused is taken back, and the student asked again, told why. */
async function retryRefused(episode: Episode, retries: number, hint: boolean): Promise<Conclusion> {
  let stopped: string | null = null;
  while (stopped === null && episode.ended() === null && episode.left('steps') > 0) {
    const here = episode.at();
    let node: TreeNode | null = await advance(episode);
    for (let made = 0; made < retries && node !== null && !node.outcome.applied; made++) {
      const problem = node.outcome.problem?.message;
      await episode.rollback(here);
      node = await advance(episode, hint ? problem : undefined);
    }
    if (node === null) stopped = 'unusable output';
  }
  if (stopped === null && episode.ended() !== 'terminated') stopped = 'out of steps';
  const verdict = await episode.verify();
  episode.leaf({ role: 'main', verdict, from: null });
  return { kind: 'verified', leaf: episode.at(), verdict, reason: failureReason(verdict, stopped) };
}

import { actionKey } from '../../core/action.ts';
import type { Decision } from '../../core/episode/agents.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { Verdict } from '../../core/records.ts';
import type { Episode } from '../verbs/episode.ts';
import { isUsable } from '../verbs/questions.ts';
import { actTogether, failureReason, mostUnusable, runAlone, type Strategy } from './strategy.ts';

export interface BestOfNOptions {
  readonly attempts?: number;
  /**
   * How the winner is found. `agreement` uses only what an agent could know itself, so its success is a fair estimate.
   * `verifier` puts what passed first: right for collecting data, a pass@n when reported.
   */
  readonly choose?: 'agreement' | 'verifier';
}

interface Sample {
  readonly leaf: number;
  readonly verdict: Verdict;
  readonly stopped: string | null;
  readonly steps: number;
  /** The last screen and the last action: samples that end alike agree. */
  readonly ending: string;
}

/** Several attempts of the student from the start, each verified by itself, and one of them chosen. */
export function createBestOfN({ attempts = 4, choose = 'agreement' }: BestOfNOptions = {}): Strategy {
  if (!(Number.isInteger(attempts) && attempts > 0)) throw badAttempts(attempts);
  return {
    name: `best-of-${attempts}${choose === 'verifier' ? ' by verifier' : ''}`,
    asksTeacher: false,
    async run(episode) {
      const count = Math.min(attempts, episode.left('leaves'));
      const samples = episode.asksAtOnce ? await sampleAtOnce(episode, count) : await sampleInTurn(episode, count);
      const { leaf, verdict, stopped } = best(samples, choose);
      return { kind: 'verified', leaf, verdict, reason: failureReason(verdict, stopped) };
    },
  };
}

async function sampleInTurn(episode: Episode, count: number): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  while (samples.length < count) {
    if (samples.length > 0) await episode.rollback(0);
    samples.push(await endSample(episode, await runAlone(episode)));
  }
  return samples;
}

/** An attempt that has not ended. */
interface Attempt {
  readonly number: number;
  readonly cursor: Episode;
  /** Unusable answers in a row. */
  unusable: number;
}

/**
 * All attempts are asked at once; then each takes its step, in their order. Where forks run out, an attempt that begins
 * later takes over the cursor of one that ended.
 */
async function sampleAtOnce(episode: Episode, count: number): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  let begun = 0;
  const begin = (cursor: Episode): Attempt => ({ number: begun++, cursor, unusable: 0 });
  let open = [begin(episode)];
  while (open.length < count && episode.left('forks') > 0) open.push(begin(await episode.fork()));
  while (open.length > 0) {
    const means = Math.min(episode.left('queries'), episode.left('taken'));
    const decisions = await actTogether(open.slice(0, means).map(({ cursor }) => cursor));
    const going: Attempt[] = [];
    for (const [index, attempt] of open.entries()) {
      const { cursor, number } = attempt;
      const decision = decisions[index];
      const state = decision === undefined ? { stopped: 'out of budget' } : await takeStep(attempt, decision);
      if (state === 'going') {
        going.push(attempt);
        continue;
      }
      samples[number] = await endSample(cursor, state.stopped);
      if (begun < count) {
        await cursor.rollback(0);
        going.push(begin(cursor));
      } else if (cursor !== episode) await cursor.close();
    }
    open = going;
  }
  return samples;
}

/** What stopped the attempt: null when it finished. */
type AttemptState = 'going' | { readonly stopped: string | null };

async function takeStep(attempt: Attempt, decision: Decision): Promise<AttemptState> {
  const { cursor } = attempt;
  if (!isUsable(decision)) return ++attempt.unusable < mostUnusable ? 'going' : { stopped: 'unusable output' };
  attempt.unusable = 0;
  await cursor.step(decision);
  if (cursor.ended() === null && cursor.left('steps') > 0) return 'going';
  return { stopped: cursor.ended() === 'terminated' ? null : 'out of steps' };
}

async function endSample(episode: Episode, stopped: string | null): Promise<Sample> {
  const verdict = await episode.verify();
  episode.leaf({ role: 'sample', verdict, from: null });
  const leaf = episode.at();
  const path = episode.tree.path(leaf);
  const last = path.at(-1);
  const { text } = await episode.look();
  const ending = `${last === undefined ? '' : actionKey(last.action)}\n${text}`;
  return { leaf, verdict, stopped, steps: path.length, ending };
}

/** Finished before cut short, then what most samples agree on, then the shorter, then the earlier. */
function best(samples: readonly Sample[], choose: 'agreement' | 'verifier'): Sample {
  const agreeing = (ending: string): number => samples.filter(other => other.ending === ending).length;
  const rank = ({ verdict, stopped, steps, ending }: Sample): number[] => [
    choose === 'verifier' && verdict.pass ? 0 : 1,
    stopped === null ? 0 : 1,
    -agreeing(ending),
    steps,
  ];
  const ranked = samples.map(one => ({ one, rank: rank(one) })).toSorted((a, b) => compare(a.rank, b.rank));
  return (ranked[0] as (typeof ranked)[number]).one;
}

function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? 0 : (left[at] as number) - (right[at] as number);
}

function badAttempts(attempts: number): EspalierError {
  return invalidOption(`best-of-n was given ${attempts} attempts.`, 'Expected a whole number above 0.');
}

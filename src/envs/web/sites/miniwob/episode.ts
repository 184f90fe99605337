import { z } from 'zod';
import { EspalierError } from '../../../../core/errors.ts';
import type { Ask } from '../../sessions/site.ts';

/** What a page says of its episode. */
const resultSchema = z.object({
  done: z.boolean(),
  /** As the page gave it, before time is taken off; null when it gave no number. */
  reward: z.number().nullable(),
  reason: z.string().nullable(),
});
export type MiniwobResult = z.infer<typeof resultSchema>;

export interface EpisodeName {
  readonly template: string;
  readonly seed: number;
}

/** Starts the episode of a seed behind the cover of a page that was just loaded, and gives its instruction. */
export async function startEpisode(ask: Ask, { template, seed }: EpisodeName): Promise<string> {
  const { problem, utterance } = startedSchema.parse(await ask(`(${startInPage.toString()})(${seed})`));
  if (problem !== undefined) throw notStarted(template, seed, problem);
  if (utterance === undefined) throw notStarted(template, seed, 'it says nothing of what is to be done');
  return utterance;
}

const startedSchema = z.object({
  problem: z.string().optional(),
  utterance: z.string().trim().min(1).optional().catch(undefined),
});

export async function readResult(ask: Ask): Promise<MiniwobResult> {
  return resultSchema.parse(await ask(resultText));
}

/** The globals of a MiniWoB++ page. */
interface MiniwobGlobals {
  readonly core?: {
    EPISODE_MAX_TIME: number;
    startEpisodeReal: () => void;
    espalierStart?: () => void;
    getUtterance?: () => unknown;
  };
}

/** Runs in the page. */
function startInPage(seed: number): { problem: string } | { utterance: unknown } {
  const { core } = globalThis as MiniwobGlobals;
  const { seedrandom } = Math as { seedrandom?: (seed: number) => void };
  if (typeof core?.startEpisodeReal !== 'function') return { problem: 'there is no core.startEpisodeReal' };
  if (typeof seedrandom !== 'function') return { problem: 'there is no Math.seedrandom' };
  core.espalierStart ??= core.startEpisodeReal;
  // An agent that clicks on the cover after the end must not start another episode.
  core.startEpisodeReal = () => {};
  // Time is of our making: without end, the episode does not run out, and the reward does not wear off.
  core.EPISODE_MAX_TIME = Infinity;
  const display = document.getElementById('reward-display');
  // Rewards are for the trainer: agents do not see them.
  if (display !== null) display.style.display = 'none';
  seedrandom.call(Math, seed);
  try {
    core.espalierStart();
    const said = core.getUtterance?.() ?? document.getElementById('query')?.textContent;
    const text = typeof said === 'object' && said !== null ? (said as { utterance?: unknown }).utterance : said;
    return { utterance: typeof text === 'string' ? text.replaceAll(/\s+/g, ' ') : undefined };
  } catch (cause) {
    return { problem: `it threw ${String(cause)}` };
  }
}

/** Of another page than the one that was started, nothing counts: neither one beside it nor the same one loaded anew. */
const resultText = `(() => {
  const isOurs = typeof core === 'object' && core.espalierStart !== undefined;
  if (!isOurs || typeof WOB_DONE_GLOBAL !== 'boolean') return { done: false, reward: null, reason: null };
  const reward = Number.isFinite(WOB_RAW_REWARD_GLOBAL) ? WOB_RAW_REWARD_GLOBAL : null;
  const reason = typeof WOB_REWARD_REASON === 'string' ? WOB_REWARD_REASON : null;
  return { done: WOB_DONE_GLOBAL, reward, reason };
})()`;

function notStarted(template: string, seed: number, problem: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'template-failed',
    message: `The page "${template}" does not start with seed ${seed}: ${problem}.`,
    expected: 'Expected a MiniWoB++ page: core.js with core.startEpisodeReal and Math.seedrandom, and a genProblem.',
  });
}

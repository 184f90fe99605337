import { z } from 'zod';
import { createRandom } from '../../../core/random.ts';
import type { Episode } from '../../verbs/episode.ts';
import { createAttempts, type Attempt, type Attempts } from '../attempts.ts';
import { counting, defineStrategy } from '../definition.ts';
import { best, ranked, winnerOf } from '../judging.ts';
import { leastSureFirst, untriedHere } from '../search/simple-tes.ts';
import { distil } from '../selection/tournament.ts';
import { goTo, type Strategy } from '../strategy.ts';

const told = z.boolean().default(false);

/** A stage works on a pool of attempts. */
const stageSchema = z.discriminatedUnion('stage', [
  /** Attempts from the start; `told` gives them the summaries of the pool. */
  z.strictObject({ stage: z.literal('attempt'), count: counting.default(1), told }),
  /** From the pool's attempts, in turn: another action where the student was least sure, then on to an end. */
  z.strictObject({ stage: z.literal('branch'), count: counting.default(1), told }),
  /** Keeps the best of the pool. */
  z.strictObject({ stage: z.literal('keep'), count: counting.default(1) }),
  /** Keeps the winner of matches. */
  z.strictObject({ stage: z.literal('tournament'), group: z.int().min(2).default(2), votes: counting.default(8) }),
  /** The stages below, so many times. */
  z.strictObject({
    stage: z.literal('repeat'),
    times: counting,
    get stages() {
      return z.array(stageSchema).min(1);
    },
  }),
]);
export type Stage = z.infer<typeof stageSchema>;

const variantSchema = z.strictObject({ name: z.string().min(1), stages: z.array(stageSchema).min(1) });
export type Variant = z.infer<typeof variantSchema>;

/** A strategy as data: stages over a pool of attempts. With several variants each task draws one, the same again every time. */
function createPipeline(variants: readonly Variant[]): Strategy {
  const leaves = Math.max(...variants.map(({ stages }) => leavesOf(stages)));
  return {
    name: `pipeline ${variants.map(({ name }) => name).join(' or ')}`,
    asksTeacher: false,
    limits: { leaves },
    async run(episode) {
      const attempts = createAttempts(episode);
      const { name, stages } = variantFor(variants, episode.tree.root);
      const pool = await runStages(episode, { attempts, name, pool: [] }, stages);
      if (pool.length === 0) pool.push(await attempts.run({}, name));
      return attempts.conclude(best(pool));
    },
  };
}

/** By the state that the episode begins in: trials of a task share their variant, and tasks spread over all. */
export function variantFor(variants: readonly Variant[], root: string): Variant {
  return createRandom(`variant ${root}`).pick(variants);
}

/** Attempts that the stages make at most. */
export function leavesOf(stages: readonly Stage[]): number {
  const own = (stage: Stage): number => {
    if (stage.stage === 'attempt' || stage.stage === 'branch') return stage.count;
    return stage.stage === 'repeat' ? stage.times * leavesOf(stage.stages) : 0;
  };
  return Math.max(
    1,
    stages.reduce((sum, stage) => sum + own(stage), 0),
  );
}

interface Work {
  readonly attempts: Attempts;
  readonly name: string;
  readonly pool: readonly Attempt[];
}

async function runStages(episode: Episode, work: Work, stages: readonly Stage[]): Promise<Attempt[]> {
  let pool = [...work.pool];
  for (const stage of stages) pool = await runStage(episode, { ...work, pool }, stage);
  return pool;
}

async function runStage(episode: Episode, { attempts, name, pool }: Work, stage: Stage): Promise<Attempt[]> {
  switch (stage.stage) {
    case 'keep':
      return ranked(pool).slice(0, stage.count);
    case 'tournament':
      return pool.length === 0 ? [] : [winnerOf(pool, stage)];
    case 'repeat': {
      let kept = [...pool];
      for (let time = 0; time < stage.times; time++)
        kept = await runStages(episode, { attempts, name, pool: kept }, stage.stages);
      return kept;
    }
    default: {
      const hint = stage.told && pool.length > 0 ? distil(pool) : undefined;
      const added: Attempt[] = [];
      for (let made = 0; made < stage.count; made++) {
        if (attempts.made.length > 0 && !attempts.mayBegin()) break;
        if (stage.stage === 'branch') await branchFrom(episode, pool, made);
        else await goTo(episode, 0);
        added.push(await attempts.run({ hint }, name));
      }
      return [...pool, ...added];
    }
  }
}

/** Another action in the state in which an attempt was least sure; the start when there is none. */
async function branchFrom(episode: Episode, pool: readonly Attempt[], turn: number): Promise<void> {
  const parent = pool[turn % Math.max(1, pool.length)];
  const states = parent === undefined ? [] : leastSureFirst(episode.tree.path(parent.leaf));
  await goTo(episode, states[Math.floor(turn / Math.max(1, pool.length)) % Math.max(1, states.length)] ?? 0);
  const other = await untriedHere(episode, 1);
  if (other !== null && episode.left('steps') > 0) await episode.step(other);
}

const usual: Variant[] = [
  {
    name: 'best of three, then two branches',
    stages: [
      { stage: 'attempt', count: 3, told: false },
      { stage: 'keep', count: 1 },
      { stage: 'branch', count: 2, told: false },
    ],
  },
];

export const pipeline = defineStrategy({
  name: 'pipeline',
  about: 'A strategy as data: stages that attempt, branch, keep and compare; several variants for A/B runs.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    variants: z
      .array(variantSchema)
      .min(1)
      .default(usual)
      .describe('variants, each a name and a list of stages; a task draws one'),
  }),
  create: ({ variants }) => createPipeline(variants),
});

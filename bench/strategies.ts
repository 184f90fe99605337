import { createRandomPolicy } from '../src/agents/random.ts';
import { createManualClock } from '../src/core/clock.ts';
import type { EpisodeHead } from '../src/core/episode/events.ts';
import { mail } from '../src/envs/apps/mail/mail.ts';
import { createLawJournal } from '../src/episode/laws/memory-journal.ts';
import { runEpisodes } from '../src/episode/engine.ts';
import type { Episode } from '../src/episode/verbs/episode.ts';
import { createLinear } from '../src/episode/strategies/linear.ts';
import { conclude, type Strategy } from '../src/episode/strategies/strategy.ts';
import { strategies } from '../src/runs/registry/strategies.ts';
import { createTrail } from '../src/worlds/trail.ts';
import { createWorld } from '../src/worlds/world.ts';
import { figure, heapInUse, type Bench } from './measure.ts';

const world = createWorld(mail);
const live = 1000;

export const strategiesBench: Bench = {
  group: 'strategy',
  figures: ['strategy.overhead', 'strategy.cursors'],
  async *run() {
    yield figure('strategy.overhead', 'ratio', await overheads());
    yield figure('strategy.cursors', 'MiB', await cursorMemory());
  },
};

/** Time of a step with a judge over four attempts, over that of a step of linear: above 1 the strategy costs more. Interleaved. */
async function overheads(): Promise<number[]> {
  const judged = strategies.need('judged').create({});
  const ratios: number[] = [];
  await perStep(createLinear(), 40);
  for (let run = 0; run < 7; run++) {
    const [alone, attempts] = [await perStep(createLinear(), 80), await perStep(judged, 20)];
    ratios.push(attempts / alone);
  }
  return ratios;
}

/** Milliseconds of a step. */
async function perStep(strategy: Strategy, episodes: number): Promise<number> {
  const journal = createLawJournal();
  const started = performance.now();
  await runAll(strategy, episodes, journal);
  const steps = [...journal.ended.values()].reduce((sum, { end }) => sum + end.counts.taken, 0);
  return (performance.now() - started) / steps;
}

async function runAll(strategy: Strategy, episodes: number, journal = createLawJournal()): Promise<void> {
  await runEpisodes({
    plan: Array.from({ length: episodes }, (_, index) => headOf(index)),
    seed: 'bench',
    concurrency: 1,
    journal,
    clock: createManualClock(),
    timers: { after: () => () => undefined },
    createTrail,
    start: () => ({ environment: world, student: createRandomPolicy(), strategy, limits: strategy.limits ?? {} }),
  });
}

function headOf(index: number): EpisodeHead {
  const task = world.task('star-message', index + 1);
  const fixed = { run: 'bench', phase: 'collect', round: 0, trial: 0, student: 'random', teacher: null } as const;
  return { ...fixed, key: `collect/0/${task.id}/0`, index, task, strategy: 'bench' };
}

/** Memory of a thousand cursors in one tree, three steps from the start each. */
async function cursorMemory(): Promise<number[]> {
  const values: number[] = [];
  for (let run = 0; run < 3; run++) {
    const before = heapInUse();
    await runAll(
      {
        name: 'cursors',
        asksTeacher: false,
        limits: { forks: live },
        async run(episode) {
          const cursors: Episode[] = [];
          for (let made = 0; made < live; made++) cursors.push(await episode.fork());
          for (let step = 0; step < 3; step++)
            for (const cursor of cursors) {
              const decision = await cursor.act();
              if (decision.action !== null && cursor.ended() === null)
                await cursor.step({ ...decision, action: decision.action });
            }
          values.push(heapInUse() - before);
          return conclude(episode, 'out of steps');
        },
      },
      1,
    );
  }
  return values;
}

import { expect, it } from 'vitest';
import { headsOf, noTimers, planFor, tasksOf } from '../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../test/fixtures/memory-journal.ts';
import { openBuiltIn } from '../catalog.ts';
import { createManualClock } from '../core/clock.ts';
import type { Phase } from '../core/episode/events.ts';
import { foldEpisode } from '../core/episode/record.ts';
import { createTrail } from '../worlds/trail.ts';
import { runEpisodes } from './engine.ts';
import { conclude, runAlone, type Strategy } from './strategies/strategy.ts';

const world = await openBuiltIn('mail');

/** Verifies after every step, on a fork too, and keeps what it heard. */
function createPeeking(heard: boolean[]): Strategy {
  return {
    name: 'peeking',
    asksTeacher: false,
    limits: { forks: 1 },
    async run(episode) {
      const stopped = await runAlone(episode);
      const other = await episode.fork();
      heard.push((await other.verify()).pass);
      return conclude(episode, stopped);
    },
  };
}

async function runIn(phase: Phase, strategy: Strategy) {
  const journal = createMemoryJournal();
  await runEpisodes({
    plan: headsOf(tasksOf(world, 'star-message', [1])).map(head => ({ ...head, phase })),
    journal,
    concurrency: 1,
    seed: 'seed',
    clock: createManualClock(),
    timers: noTimers,
    createTrail,
    start: () => ({
      environment: world,
      student: {
        name: 'solver',
        privileged: true,
        act: (_view, session) => ({ action: planFor(session)[0] ?? { kind: 'finish' } }),
      },
      strategy,
      limits: { ...strategy.limits },
    }),
  });
  return [...journal.episodes()].map(foldEpisode)[0]!;
}

it('[ROL-40] a strategy hears no verdict while a student is evaluated, and the episode has it', async () => {
  const [collected, evaluated]: [boolean[], boolean[]] = [[], []];
  expect((await runIn('collect', createPeeking(collected))).end.outcome).toBe('passed');
  const { end, leaves } = await runIn('evaluate', createPeeking(evaluated));
  expect([collected, evaluated]).toEqual([[true], [false]]);
  expect(end).toMatchObject({ outcome: 'passed', reason: null, verdict: { pass: true } });
  expect(leaves.map(({ verdict }) => verdict?.pass)).toEqual([true]);
});

it('[ROL-40] a leaf that was not verified is an error of the strategy', async () => {
  const strategy = createPeeking([]);
  const wild: Strategy = {
    ...strategy,
    run: async episode => ({ ...(await strategy.run(episode)), leaf: 0 }),
  };
  const { end } = await runIn('evaluate', wild);
  expect(end).toMatchObject({ outcome: 'errored', boundary: 'strategy', verdict: null });
  expect(end.message).toContain('node 0');
});

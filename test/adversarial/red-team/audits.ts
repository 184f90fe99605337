import { annotateEpisodes } from '../../fixtures/annotate-episodes.ts';
import { createForkWorld } from '../../../src/analysis/signals/fork-world.ts';
import { rewardHack } from '../../../src/analysis/signals/hacking/reward-hack.ts';
import { createManualClock } from '../../../src/core/clock.ts';
import type { StateEnvironment } from '../../../src/core/contracts.ts';
import type { StoredEpisode } from '../../../src/core/episode/journal.ts';
import type { EpisodeRecord } from '../../../src/core/episode/record.ts';
import { createPlanner } from '../../../src/agents/planner/planner.ts';

/** By the key of the episode: 0 clean, 1 suspicious, 2 cheating. With an environment, episodes are played again in it, as `--forks` does. */
export async function auditsOf(
  episodes: readonly StoredEpisode[],
  environment?: StateEnvironment,
): Promise<ReadonlyMap<string, number>> {
  const planner = createPlanner({ clock: createManualClock() });
  const open = environment && {
    openWorld: (record: EpisodeRecord) => createForkWorld({ record, environment, planner }),
  };
  const audits = new Map<string, number>();
  for await (const { episode, annotations } of annotateEpisodes({ episodes, signals: [rewardHack], ...open })) {
    const audit = annotations.find(({ label }) => label === 'audit')?.value;
    if (episode !== null && audit !== undefined) audits.set(episode, audit);
  }
  return audits;
}

/** Keys of the episodes whose audit is above clean. */
export async function flaggedAmong(
  episodes: readonly StoredEpisode[],
  environment?: StateEnvironment,
): Promise<readonly string[]> {
  return [...(await auditsOf(episodes, environment))].filter(([, audit]) => audit > 0).map(([key]) => key);
}

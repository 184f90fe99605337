import { createEpisodeAgents, loadOwnAgents, type ModelSetting } from '../agents/agents.ts';
import type { RunConfig } from '../config/config.ts';
import { openWorlds, worldOf } from '../environments/worlds.ts';
import type { Host } from '../host.ts';
import type { EpisodeJob } from './job.ts';

export interface CollectJobData {
  readonly config: RunConfig;
  readonly stateful: boolean;
}

/** Opens the environments and agents of a run in a worker. */
export async function openJob({ config, stateful }: CollectJobData, host: Host): Promise<EpisodeJob> {
  const own = await loadOwnAgents(config, noModels);
  const { worlds, close } = await openWorlds(config.environments, { ...config, host, stateful });
  const agents = createEpisodeAgents(config, { clock: host.clock, own });
  return {
    start: head => ({ environment: worldOf(worlds, head.task.environment), ...agents(head) }),
    environment: id => worldOf(worlds, id),
    close,
  };
}

/** Models are asked from the main thread alone: budgets and pace are shared there. */
const noModels: ModelSetting = {
  get models(): never {
    throw new Error('A worker asks no models.');
  },
  hurry: new AbortController().signal,
};

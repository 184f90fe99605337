import { createEpisodeAgents, isPrivileged, openAgents } from './agents.ts';
import type { RunConfig } from '../config/config.ts';
import { openWorlds, worldOf } from '../environments/worlds.ts';
import type { Host } from '../host/host.ts';
import { connectTo } from '../models/connect.ts';
import { openSharedModels } from '../models/shared-models.ts';
import type { EpisodeJob } from './job.ts';

export interface CollectJobData {
  readonly config: RunConfig;
}

/** Opens the environments and agents of a run in a worker. */
export async function openJob({ config }: CollectJobData, host: Host): Promise<EpisodeJob> {
  const shared = host.budget === undefined ? null : openSharedModels(host, config.spending, host.budget);
  const connect = shared === null ? noModels : connectTo(shared);
  const opened = await openAgents(config, { clock: host.clock, onNotice: host.onNotice, connect });
  const stateful = isPrivileged(opened);
  const { worlds, close } = await openWorlds(config.environments, { ...config, host, stateful });
  const agents = createEpisodeAgents(config, opened);
  return {
    start: head => ({ environment: worldOf(worlds, head.task.environment), ...agents(head) }),
    environment: id => worldOf(worlds, id),
    async close() {
      shared?.models.close();
      await close();
    },
  };
}

/** Models are asked where their budget is. */
function noModels(): Promise<never> {
  return Promise.reject(new Error('A worker asks no models.'));
}

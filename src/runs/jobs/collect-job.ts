import { createEpisodeAgents, isPrivileged, openAgents } from './agents.ts';
import type { RunConfig } from '../config/config.ts';
import { openWorlds, worldOf } from '../environments/worlds.ts';
import type { Host } from '../host/host.ts';
import type { EpisodeJob } from './job.ts';

export interface CollectJobData {
  readonly config: RunConfig;
}

/** Opens the environments and agents of a run in a worker. */
export async function openJob({ config }: CollectJobData, host: Host): Promise<EpisodeJob> {
  const opened = await openAgents(config, { clock: host.clock, onNotice: host.onNotice, connect: noModels });
  const stateful = isPrivileged(opened);
  const { worlds, close } = await openWorlds(config.environments, { ...config, host, stateful });
  const agents = createEpisodeAgents(config, opened);
  return {
    start: head => ({ environment: worldOf(worlds, head.task.environment), ...agents(head) }),
    environment: id => worldOf(worlds, id),
    close,
  };
}

/** Models are asked from the main thread alone: budgets and pace are shared there. */
function noModels(): Promise<never> {
  return Promise.reject(new Error('A worker asks no models.'));
}

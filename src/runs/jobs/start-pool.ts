import { extname } from 'node:path';
import { defaultLimits } from '../../episode/cursor/budget.ts';
import { isElsewhere } from '../environments/families.ts';
import { isObjectName } from '../host/given.ts';
import type { Host } from '../host/host.ts';
import { isModulePath } from '../../modules/load-module.ts';
import type { EpisodePool, PoolRequest } from '../host/pool.ts';

/** Fewer are done before a worker has started. */
const manyEpisodes = 16;
/** A step that began in time may end a little later. */
const graceMilliseconds = 1000;

const isHere = (name: string): boolean => isElsewhere(name) || isObjectName(name);

/**
 * Workers for episodes that need neither a browser nor a server: those keep their own processes busy. Null when the episodes
 * run in this thread; code of the user's never does.
 */
export function startPool(host: Host, request: PoolRequest): EpisodePool | null {
  const { job, data, seed, environments, modules, episodes, seconds } = request;
  const isOwn = modules.length > 0 || environments.some(isModulePath);
  if (host.workers === undefined || environments.some(isHere) || (episodes < manyEpisodes && !isOwn)) return null;
  const limit = seconds === null ? Infinity : seconds * 1000 + graceMilliseconds;
  return host.workers.start({
    job: new URL(`./${job}${extname(import.meta.url)}`, import.meta.url).href,
    data,
    seed,
    clock: host.clock,
    stallMilliseconds: Math.min(defaultLimits.waitMilliseconds, limit),
    onStray: message =>
      host.onNotice(
        `A worker was started anew: ${message}. Its unfinished episodes run again, each from its start and alone; results stay the same.`,
      ),
  });
}

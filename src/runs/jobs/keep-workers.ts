import type { Host } from '../host/host.ts';
import type { EpisodePool, PoolOptions, Workers } from '../host/pool.ts';

/** A host whose workers outlive the pools of single runs. */
export interface KeptHost {
  readonly host: Host;
  /** Ends the workers. */
  close(): Promise<void>;
}

/** Starts workers once for many runs, one run after another: a start costs more than a short round of episodes. */
export function keepWorkers(host: Host): KeptHost {
  const { workers } = host;
  if (workers === undefined) return { host, close: () => Promise.resolve() };
  const kept = createKeptWorkers(workers);
  return { host: { ...host, workers: { start: kept.start } }, close: kept.close };
}

function createKeptWorkers(workers: Workers): Workers & Pick<KeptHost, 'close'> {
  let pool: EpisodePool | null = null;
  const left: Promise<void>[] = [];
  const open = (options: PoolOptions): EpisodePool => {
    if (pool?.reopen?.(options) === true) return pool;
    if (pool !== null) left.push(pool.close());
    pool = workers.start(options);
    return pool;
  };
  return {
    start: options => ({ runEpisode: open(options).runEpisode, close: () => Promise.resolve() }),
    async close() {
      await Promise.all([...left, pool?.close()]);
      pool = null;
    },
  };
}

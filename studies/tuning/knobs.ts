/** Values of knobs by name. */
export type Settings = Readonly<Record<string, string>>;

/** What limits a workload, as a profile finds it. */
export type Bottleneck = 'commits' | 'memory' | 'plans' | 'reads';

/** A setting of Postgres that may be tried, and what it can help against. */
export interface Knob {
  readonly name: string;
  readonly values: readonly string[];
  readonly against: Bottleneck;
}

/** No value here gives up a commit that was confirmed: fsync, full_page_writes and synchronous_commit stay as they are. */
export const knobs: readonly Knob[] = [
  { name: 'work_mem', values: ['1MB', '4MB', '32MB', '128MB'], against: 'memory' },
  { name: 'hash_mem_multiplier', values: ['1', '2', '4'], against: 'memory' },
  { name: 'jit', values: ['on', 'off'], against: 'plans' },
  { name: 'max_parallel_workers_per_gather', values: ['0', '1', '2'], against: 'plans' },
  { name: 'random_page_cost', values: ['1.1', '4'], against: 'plans' },
  { name: 'effective_cache_size', values: ['1GB', '4GB'], against: 'plans' },
  { name: 'join_collapse_limit', values: ['1', '8', '12'], against: 'plans' },
  { name: 'geqo_threshold', values: ['2', '12'], against: 'plans' },
  { name: 'shared_buffers', values: ['16MB', '128MB', '512MB'], against: 'reads' },
  { name: 'effective_io_concurrency', values: ['1', '16', '200'], against: 'reads' },
  { name: 'io_method', values: ['worker', 'sync'], against: 'reads' },
  { name: 'commit_delay', values: ['0', '500', '2000'], against: 'commits' },
  { name: 'commit_siblings', values: ['5', '3', '1'], against: 'commits' },
  { name: 'wal_compression', values: ['off', 'on'], against: 'commits' },
  { name: 'wal_sync_method', values: ['fdatasync', 'open_datasync'], against: 'commits' },
  { name: 'checkpoint_completion_target', values: ['0.5', '0.9'], against: 'commits' },
];

/** Knobs that buy speed with commits that a crash may lose: no procedure touches them, whoever asks. */
export const unsafeKnobs: readonly string[] = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Rules of thumb that guides of the years of Postgres 13 give for a machine of its own, for `memory` bytes. */
export function documentedAdvice(memory: number): Settings {
  const megabytes = (share: number): string => `${Math.floor((share * memory) / 2 ** 20)}MB`;
  return {
    shared_buffers: megabytes(1 / 4),
    effective_cache_size: megabytes(3 / 4),
    work_mem: megabytes(1 / 4 / 100),
    maintenance_work_mem: megabytes(1 / 20),
    random_page_cost: '1.1',
    effective_io_concurrency: '200',
    wal_buffers: '16MB',
    min_wal_size: '1GB',
    max_wal_size: '4GB',
    checkpoint_completion_target: '0.9',
    default_statistics_target: '100',
    synchronous_commit: 'on',
    stats_temp_directory: 'pg_stat_tmp',
    vacuum_cleanup_index_scale_factor: '0.1',
    old_snapshot_threshold: '-1',
  };
}

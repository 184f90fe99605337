import type { EpisodeEnd, EpisodeHead } from '../../core/episode/events.ts';
import { distrustReason } from '../../episode/certify/distrust.ts';
import type { Host } from '../../runs/host/host.ts';
import { openJobHere, type OpenedJob } from '../../runs/jobs/open-job.ts';
import type { FinishedEpisodes } from '../../store/postgres/finished-episodes.ts';
import type { FleetDatabase } from '../database/connect.ts';
import { unpackFiles } from '../database/carried-files.ts';
import { findRun, type RunRow } from '../database/runs.ts';

/** A run whose environments and agents are open on this worker. */
export interface OpenRun {
  readonly row: RunRow;
  readonly job: OpenedJob;
  /** Environments whose snapshots are not used any more, by why. */
  readonly distrusted: ReadonlyMap<string, string>;
  /** Heeds what the replays of an episode showed. */
  heed(head: EpisodeHead, finished: FinishedEpisodes): void;
}

export interface OpenRuns {
  /** Null for a run that is not there any more. Throws when it cannot be opened here. */
  need(id: number): Promise<OpenRun | null>;
  /** Closes what is open for a run: it is opened anew by the next need. */
  drop(id: number): Promise<void>;
  close(): Promise<void>;
}

/** Runs that stay open for their next job. The one that was needed least recently makes room. */
const mostOpen = 4;

export function createOpenRuns(database: FleetDatabase, host: Host): OpenRuns {
  const open = new Map<number, Promise<OpenRun | null>>();
  const closeOne = async (id: number): Promise<void> => {
    const found = open.get(id);
    open.delete(id);
    const run = await found?.catch(() => null);
    await run?.job.close();
  };
  return {
    need(id) {
      const known = open.get(id);
      if (known !== undefined) {
        open.delete(id);
        open.set(id, known);
        return known;
      }
      const [oldest] = open.keys();
      if (open.size >= mostOpen && oldest !== undefined) void closeOne(oldest);
      const opened = openRun(database, host, id);
      open.set(id, opened);
      // What could not be opened may be next time.
      opened.catch(() => open.delete(id));
      return opened;
    },
    drop: closeOne,
    async close() {
      await Promise.all([...open.keys()].map(closeOne));
    },
  };
}

async function openRun(database: FleetDatabase, host: Host, id: number): Promise<OpenRun | null> {
  const found = await findRun(database, id);
  if (found === null) return null;
  const unpacked = unpackFiles(found.job, found.files);
  const row = { ...found, job: unpacked.job };
  const opened = await openJobHere(host, row.job, row.needs).catch((cause: unknown) => {
    unpacked.remove();
    throw cause;
  });
  const job: OpenedJob = {
    ...opened,
    async close() {
      await opened.close();
      unpacked.remove();
    },
  };
  const distrusted = new Map<string, string>();
  return {
    row,
    job,
    distrusted,
    heed(head, { rows, certificates }) {
      for (const { key, ending } of rows) {
        const hasDiverged = certificates.get(key)?.some(({ result }) => result === 'diverged') ?? false;
        const { counts } = JSON.parse(ending) as Pick<EpisodeEnd, 'counts'>;
        if (hasDiverged && counts.rollbacks > 0) distrusted.set(head.task.environment, distrustReason(key));
      }
    },
  };
}

import type { FleetDatabase } from '../database/connect.ts';
import { flagOf } from '../database/queue.ts';
import { findRun } from '../database/runs.ts';

/** Runs that this worker cannot work on. */
export function createRefusals(database: FleetDatabase, onNotice: (text: string) => void) {
  const refused = new Set<number>();
  /** Jobs of other versions are no jobs of this worker, flagged or not. */
  const flagged = new Set<number>();
  let worker = '';
  const refuse = async (run: number, reason: string, isOther = false): Promise<void> => {
    if (!refused.has(run)) onNotice(`This worker takes no episodes of run ${run}: ${reason}`);
    refused.add(run);
    if (!isOther) flagged.add(run);
    await database.query(
      'INSERT INTO espalier.fleet_refusals (run, worker, reason) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [run, worker, reason],
    );
  };
  return {
    refuse,
    /** Runs of another version of Espalier than this one. */
    async refuseOthers(runs: readonly number[], version: string): Promise<void> {
      for (const run of runs.filter(one => !refused.has(one))) {
        const needed = (await findRun(database, run))?.version ?? 'another version';
        await refuse(run, `it runs on Espalier ${needed}, and this is ${version}.`, true);
      }
    },
    /** Flags of jobs that this worker does not take; null for none. */
    forbidden(): string[] | null {
      // The queue gives jobs one by one where some are forbidden.
      return flagged.size === 0 ? null : [...flagged].map(flagOf);
    },
    setWorker: (id: string): void => void (worker = id),
  };
}

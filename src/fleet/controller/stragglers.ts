import { count } from '../../core/text.ts';
import type { FleetDatabase } from '../database/connect.ts';
import { duplicateJobs, flagOf, keysOf } from '../database/queue.ts';
import { queueSchema } from '../database/tables.ts';
import type { RunRow } from '../database/runs.ts';

export interface StragglerOptions {
  readonly database: FleetDatabase;
  readonly row: RunRow;
  readonly version: string;
  /** Episodes of a job. */
  readonly jobSize: number;
  onNotice(text: string): void;
}

/** A job is late that takes so many times as long as the others did, and at least so many seconds. */
const [timesAsLong, leastSeconds] = [3, 3];

/** Slots of living workers that have nothing to do. */
const idleSlots = `
  SELECT greatest(0, coalesce(sum(slots), 0) - (SELECT count(*) FROM ${queueSchema}.jobs WHERE locked_at IS NOT NULL))::int
    AS idle FROM espalier.fleet_workers WHERE version = $1 AND lives_until > now()`;

/** Gives what is late near the end of a run to idle workers as well. The first result is kept. */
export function createStragglers({ database, row, version, jobSize, onNotice }: StragglerOptions) {
  const given: string[] = [];
  return {
    async duplicate({ ended, milliseconds }: { readonly ended: number; readonly milliseconds: number }): Promise<void> {
      if (ended === 0) return;
      const usual = (milliseconds / ended / 1000) * jobSize;
      const [found] = await database.query<{ idle: number }>(idleSlots, [version]);
      if (found === undefined || found.idle === 0) return;
      const late = Math.max(leastSeconds, timesAsLong * usual);
      const jobs = await database.query<{ id: string }>(duplicateJobs, [
        keysOf(row.id),
        late,
        given,
        found.idle,
        flagOf(row.id),
      ]);
      if (jobs.length === 0) return;
      given.push(...jobs.map(({ id }) => id));
      await database.query('UPDATE espalier.fleet_runs SET duplicated = duplicated + $2 WHERE id = $1', [
        row.id,
        jobs.length,
      ]);
      onNotice(`Late: ${count(jobs.length, 'job')} went to another worker as well; the first result is kept.`);
    },
  };
}

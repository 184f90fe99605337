import type { FleetRun, WorkerNeeds } from '../../runs/host/fleet.ts';
import type { FleetDatabase } from '../database/connect.ts';

/** A job of cheap episodes has several, so that the queue costs little; but every slot gets several jobs. */
const [mostEpisodes, jobsForSlot] = [32, 8];
/** Slots that a fleet is taken to have before its first worker has come. */
const usualSlots = 16;

/** Episodes of a job. */
export async function jobSizeFor(
  database: FleetDatabase,
  { run, version }: { readonly run: FleetRun; readonly version: string },
): Promise<number> {
  if (run.needs !== 'core' || run.atOnce !== null) return 1;
  const [found] = await database.query<{ slots: number | null }>(
    'SELECT sum(slots) AS slots FROM espalier.fleet_workers WHERE version = $1 AND lives_until > now()',
    [version],
  );
  const slots = Math.max(found?.slots ?? 0, usualSlots);
  return Math.max(1, Math.min(mostEpisodes, Math.floor(run.job.episodes / (slots * jobsForSlot))));
}

interface Idleness {
  readonly text: string;
  /** Whether waiting does not help. */
  readonly isFinal: boolean;
}

/** Why no worker takes episodes of a run; null when some do. */
export async function whyNobodyWorks(
  database: FleetDatabase,
  { run, version, needs }: { readonly run: number; readonly version: string; readonly needs: WorkerNeeds },
): Promise<Idleness | null> {
  const workers = await database.query<{ version: string; reason: string | null; takes: boolean }>(
    `SELECT version, reason, $2 = ANY(string_to_array(offers, ', ')) AS takes FROM espalier.fleet_workers LEFT JOIN espalier.fleet_refusals ON worker = id AND run = $1
     WHERE lives_until > now() ORDER BY started`,
    [run, needs],
  );
  const own = workers.filter(one => one.version === version);
  const fitting = own.filter(({ takes }) => takes);
  if (fitting.some(({ reason }) => reason === null)) return null;
  const [first] = fitting;
  if (first !== undefined) return { text: first.reason ?? '', isFinal: true };
  if (workers.length === 0)
    return { text: 'No worker is connected. Start some: espalier worker --queue <address>.', isFinal: false };
  if (own.length > 0)
    return {
      text: 'No worker takes episodes in pages. Start some: espalier worker --queue <address> --browser <n>.',
      isFinal: false,
    };
  const others = [...new Set(workers.map(one => one.version))].join(', ');
  return {
    text: `No worker runs Espalier ${version}, which this run is for; connected are workers of ${others}.`,
    isFinal: false,
  };
}

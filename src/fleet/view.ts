import type { Clock } from '../core/clock.ts';
import type { EpisodeEnd } from '../core/episode/events.ts';
import { connectFleet, type FleetDatabase } from './database/connect.ts';
import { findFleetStatus, type FleetStatus, type RunStatus } from './status.ts';

/** What the episodes of a run came to. */
interface RunTally {
  readonly outcomes: Readonly<Record<string, number>>;
  /** Episodes that broke, by the side that did. */
  readonly boundaries: Readonly<Record<string, number>>;
  readonly tokens: number;
  readonly dollars: number;
  /** Episodes in a second, of the last minute that somebody looked. */
  readonly rate: number;
}

export interface FleetLook {
  readonly workers: FleetStatus['workers'];
  readonly runs: readonly (RunStatus & RunTally)[];
}

/** Looks at a fleet again and again: each look reads only what was committed since the one before. */
export interface FleetView {
  look(): Promise<FleetLook>;
  close(): Promise<void>;
}

interface Tally {
  readonly outcomes: Record<string, number>;
  readonly boundaries: Record<string, number>;
  tokens: number;
  dollars: number;
  episodes: number;
  mark: { readonly written: string; readonly attempt: number };
  /** How many there were, and when. */
  looks: { readonly at: number; readonly episodes: number }[];
}

interface EndRow {
  readonly attempt: number;
  readonly written: string;
  readonly outcome: string;
  readonly ending: string;
}

const batch = 5000;
const windowMilliseconds = 60_000;

/** Rows of transactions that an open one may still come before are left for the next look. */
const findEnds = `
  SELECT attempt, written::text, outcome, ending FROM espalier.episodes
  WHERE store = $1 AND (written, attempt) > ($2::xid8, $3::bigint) AND written < pg_snapshot_xmin(pg_current_snapshot())
  ORDER BY episodes.written, attempt LIMIT ${batch}`;

export async function openFleetView(address: string, clock: Clock): Promise<FleetView> {
  const database = await connectFleet({ address, connections: 2 });
  const tallies = new Map<number, Tally>();
  let current: Promise<FleetLook> | null = null;
  const look = async (): Promise<FleetLook> => {
    const { workers, runs } = await findFleetStatus(database);
    const told: (RunStatus & RunTally)[] = [];
    for (const run of runs) {
      const tally = tallies.get(run.id) ?? newTally();
      tallies.set(run.id, tally);
      await readOn(database, run, tally);
      const { outcomes, boundaries, tokens, dollars } = tally;
      told.push({ ...run, outcomes, boundaries, tokens, dollars, rate: rateOf(tally, clock.now()) });
    }
    return { workers, runs: told };
  };
  return {
    // Two who look at once see the same.
    look: () => (current ??= look().finally(() => (current = null))),
    close: () => database.close(),
  };
}

function newTally(): Tally {
  const counts = { outcomes: {}, boundaries: {}, tokens: 0, dollars: 0, episodes: 0 };
  return { ...counts, mark: { written: '0', attempt: 0 }, looks: [] };
}

async function readOn(database: FleetDatabase, { storeNumber }: RunStatus, tally: Tally): Promise<void> {
  for (;;) {
    const { written, attempt } = tally.mark;
    const rows = await database.query<EndRow>(findEnds, [storeNumber, written, attempt]);
    for (const row of rows) {
      const { boundary, counts } = JSON.parse(row.ending) as Pick<EpisodeEnd, 'boundary' | 'counts'>;
      tally.episodes++;
      tally.outcomes[row.outcome] = (tally.outcomes[row.outcome] ?? 0) + 1;
      if (boundary !== null) tally.boundaries[boundary] = (tally.boundaries[boundary] ?? 0) + 1;
      tally.tokens += counts.tokens;
      tally.dollars += counts.cost;
      tally.mark = row;
    }
    if (rows.length < batch) return;
  }
}

function rateOf(tally: Tally, now: number): number {
  tally.looks.push({ at: now, episodes: tally.episodes });
  while ((tally.looks[1]?.at ?? now) < now - windowMilliseconds) tally.looks.shift();
  const [first] = tally.looks;
  if (first === undefined || first.at === now) return 0;
  return (1000 * (tally.episodes - first.episodes)) / (now - first.at);
}

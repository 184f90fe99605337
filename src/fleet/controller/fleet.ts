import { createDigest } from '../../core/digest.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import type { Journal } from '../../core/episode/journal.ts';
import { causeText } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { RunTotals } from '../../episode/engine.ts';
import type { Fleet, FleetRun, SharedSpending } from '../../runs/host/fleet.ts';
import type { Host } from '../../runs/host/host.ts';
import { filesOf, hashesOf } from '../database/carried-files.ts';
import { connectFleet, type FleetDatabase } from '../database/connect.ts';
import { cancelRun, endRun, openFleetRun, type RunRow } from '../database/runs.ts';
import { enqueuePlan } from './enqueue.ts';
import { openSpending, readSpending } from '../database/spending.ts';
import { createFollower } from './follow.ts';
import { followRun } from './follow-run.ts';
import { jobSizeFor } from './workers.ts';

export interface FleetOptions {
  readonly address: string;
  /** Of this Espalier: workers of another one take no episodes. */
  readonly version: string;
  /** Runs with a higher one come first; those with the same take turns. */
  readonly priority?: number | undefined;
  readonly machine: Pick<Host, 'timers' | 'clock' | 'onNotice'>;
}

/** For the plan, and for what is copied beside it. */
const connections = 3;

/** The machines that meet in a database. */
export function createFleet(options: FleetOptions): Fleet {
  return {
    async run(run) {
      const { address, machine } = options;
      const retry = { timers: machine.timers, signal: run.signal, onOutage: createOutageNotice(machine.onNotice) };
      const database = await connectFleet({ address, connections, retry });
      try {
        const files = filesOf(run.job);
        // Another file under the same name is another run.
        const what = { ...(run.identity as object), files: hashesOf(run.job, files) };
        const row = await openFleetRun(database, {
          ...run,
          identity: createDigest()(JSON.parse(JSON.stringify(what)) as Json),
          files,
          version: options.version,
          priority: options.priority ?? 0,
        });
        return await control(run, { ...options, database, row });
      } finally {
        await database.close();
      }
    },
  };
}

interface Control extends FleetOptions {
  readonly database: FleetDatabase;
  readonly row: RunRow;
}

/** Puts the plan into the queue and copies what is committed, until all of it is there. */
async function control(run: FleetRun, options: Control): Promise<RunTotals> {
  const { database, row } = options;
  const { plan, journal, signal, onProgress, onSkip } = run;
  const tally = createTally();
  const isKnown = createKnown(journal);
  const { spending } = run;
  if (spending !== null) await openSpending(database, row.id, spending);
  // What the fleet did before is copied and gets no job.
  const before = await doneBefore(database, row);
  const jobSize = await jobSizeFor(database, { run, version: options.version });
  const walk = new AbortController();
  const enqueued = enqueuePlan(plan, {
    database,
    run: row,
    signal: AbortSignal.any([signal, walk.signal]),
    jobSize,
    atOnce: run.atOnce,
    isDone: head => isKnown(head) || before.has(head.key),
    onHead(head) {
      if (!isKnown(head)) tally.due++;
      else {
        tally.skipped++;
        onSkip(head);
      }
    },
  });
  const follower = createFollower({
    ...row,
    database,
    journal,
    isKnown: ({ head }) => isKnown(head),
    onEpisode({ head, end, certificates }) {
      tally.ended++;
      tally.outcomes[end.outcome]++;
      tally.milliseconds += end.milliseconds;
      for (const { result } of certificates) tally.certificates[result]++;
      onProgress({ head, end });
    },
  });
  const isOver = await followRun(run, {
    ...options,
    enqueued,
    follower,
    tally,
    jobSize,
    stopWalking: () => walk.abort(),
  });
  if (signal.aborted) await cancelRun(database, row.id);
  else if (isOver) await endRun(database, row.id);
  if (spending !== null) await tellSpending(database, row, spending);
  journal.flush();
  const { ended, skipped, outcomes, certificates } = tally;
  return { ended, skipped, outcomes, certificates, stopped: !isOver };
}

/** What was spent since the fleet took the run over, and why it stopped. */
async function tellSpending(database: FleetDatabase, { id }: RunRow, spending: SharedSpending): Promise<void> {
  const found = await readSpending(database, id);
  if (found === null) return;
  const { spent, onSpent, onExhausted } = spending;
  onSpent({
    calls: found.calls - spent.calls,
    tokens: found.tokens - spent.tokens,
    dollars: Math.max(0, found.dollars - spent.dollars),
  });
  if (found.exhausted !== null) onExhausted(found.exhausted);
}

function createTally() {
  return {
    ended: 0,
    skipped: 0,
    /** Episodes of the plan that the controller waits for. */
    due: 0,
    /** That the episodes took which have ended. */
    milliseconds: 0,
    outcomes: { passed: 0, failed: 0, discarded: 0, errored: 0 },
    certificates: { agreed: 0, diverged: 0, broken: 0 },
  };
}

/** Whether an episode is in the journal already. */
function createKnown(journal: Journal): (head: EpisodeHead) => boolean {
  const known = new Map<string, ReadonlySet<string>>();
  return head => {
    const keys = known.get(head.run) ?? journal.done(head.run);
    known.set(head.run, keys);
    return keys.has(head.key);
  };
}

async function doneBefore(database: FleetDatabase, { store, walked }: RunRow): Promise<ReadonlySet<string>> {
  // The plan of a run that goes on is not walked again.
  if (walked > 0) return new Set();
  const rows = await database.query<{ key: string }>('SELECT key FROM espalier.episodes WHERE store = $1', [store]);
  return new Set(rows.map(({ key }) => key));
}

function createOutageNotice(onNotice: (text: string) => void): (cause: unknown) => void {
  let told = '';
  return cause => {
    const text = `The database of the fleet is away, the run waits for it: ${causeText(cause)}`;
    if (text !== told) onNotice(text);
    told = text;
  };
}

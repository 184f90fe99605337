import { createDigest } from '../../core/digest.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { count } from '../../core/text.ts';
import type { RunTotals } from '../../episode/engine.ts';
import type { Fleet, FleetRun } from '../../runs/host/fleet.ts';
import type { Host } from '../../runs/host/host.ts';
import { connectFleet, whenReachable, type FleetDatabase } from '../database/connect.ts';
import { countJobs, keysOf } from '../database/queue.ts';
import { cancelRun, findRun, openFleetRun, type RunRow } from '../database/runs.ts';
import { enqueuePlan } from './enqueue.ts';
import { createFollower } from './follow.ts';
import { jobSizeFor, whyNobodyWorks } from './workers.ts';

export interface FleetOptions {
  readonly address: string;
  /** Of this Espalier: workers of another one take no episodes. */
  readonly version: string;
  readonly machine: Pick<Host, 'timers' | 'clock' | 'onNotice'>;
}

/** For the plan, and for what is copied beside it. */
const connections = 3;
const [shortPause, longPause] = [20, 500];
/** How often one looks whether somebody works on the run. */
const lookMilliseconds = 2000;

/** The machines that meet in a database. */
export function createFleet(options: FleetOptions): Fleet {
  return {
    async run(run) {
      const database = await connectFleet({ address: options.address, connections });
      try {
        const row = await openFleetRun(database, {
          ...run,
          identity: createDigest()(JSON.parse(JSON.stringify(run.identity)) as Json),
          version: options.version,
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

interface Tally {
  ended: number;
  skipped: number;
  /** Episodes of the plan that this controller waits for. */
  due: number;
  readonly outcomes: { passed: number; failed: number; discarded: number; errored: number };
  readonly certificates: { agreed: number; diverged: number; broken: number };
}

/** Puts the plan into the queue and copies what is committed, until all of it is there. */
async function control(run: FleetRun, options: Control): Promise<RunTotals> {
  const { database, row, machine } = options;
  const { plan, journal, signal, onProgress, onSkip } = run;
  const { timers } = machine;
  const onOutage = createOutageNotice(machine.onNotice);
  const tally: Tally = {
    ended: 0,
    skipped: 0,
    due: 0,
    outcomes: { passed: 0, failed: 0, discarded: 0, errored: 0 },
    certificates: { agreed: 0, diverged: 0, broken: 0 },
  };
  const known = new Map<string, ReadonlySet<string>>();
  const isKnown = (head: EpisodeHead): boolean => {
    const keys = known.get(head.run) ?? journal.done(head.run);
    known.set(head.run, keys);
    return keys.has(head.key);
  };
  // What the fleet did before is copied and gets no job.
  const before = await doneBefore(database, row);
  const enqueued = enqueuePlan(plan, {
    database,
    run: row,
    timers,
    signal,
    onOutage,
    jobSize: await jobSizeFor(database, { run, version: options.version }),
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
      for (const { result } of certificates) tally.certificates[result]++;
      onProgress({ head, end });
    },
  });
  const isOver = await follow({ enqueued, follower, tally, signal, onOutage }, options);
  if (signal.aborted) await whenReachable(() => cancelRun(database, row.id), { timers });
  else if (isOver) await whenReachable(() => setState(database, row, 'done'), { timers });
  journal.flush();
  const { ended, skipped, outcomes, certificates } = tally;
  return { ended, skipped, outcomes, certificates, stopped: !isOver };
}

interface Following {
  readonly enqueued: Promise<void>;
  readonly follower: ReturnType<typeof createFollower>;
  readonly tally: Tally;
  readonly signal: AbortSignal;
  onOutage(cause: unknown): void;
}

/** Copies until everything that is due was copied: false when the run was stopped before. */
async function follow(following: Following, options: Control): Promise<boolean> {
  const { enqueued, follower, tally, signal, onOutage } = following;
  const { machine } = options;
  const { timers, clock } = machine;
  const walk = { isOver: false, failure: null as unknown };
  const walking = enqueued.then(
    () => (walk.isOver = true),
    (cause: unknown) => (walk.failure = cause),
  );
  const watch = createWatch(options);
  let looked = -Infinity;
  for (let pause = shortPause; ; ) {
    if (walk.failure !== null) throw walk.failure;
    const found = await whenReachable(() => follower.next(), { timers, signal, onOutage });
    if (walk.isOver && tally.ended >= tally.due) break;
    if (signal.aborted) {
      await walking;
      return false;
    }
    if (!found && clock.now() - looked > lookMilliseconds) {
      if (await whenReachable(() => watch(walk.isOver, tally), { timers, signal, onOutage })) return false;
      looked = clock.now();
    }
    pause = found ? shortPause : Math.min(2 * pause, longPause);
    if (!found) await new Promise<void>(resolve => void timers.after(pause, resolve));
  }
  await walking;
  return true;
}

/** Looks whether somebody works on the run, and says so when nobody does: true when the run was cancelled. */
function createWatch({ database, row, version, machine }: Control) {
  let told: string | null = null;
  let empty = 0;
  return async (isWalked: boolean, tally: Tally): Promise<boolean> => {
    const { state } = (await findRun(database, row.id)) ?? { state: 'cancelled' };
    if (state === 'cancelled') return true;
    const why = await whyNobodyWorks(database, { run: row.id, version });
    if (why?.isFinal === true) throw refused(row, why.text);
    if (why !== null && why.text !== told) machine.onNotice(why.text);
    told = why?.text ?? null;
    const [jobs] = await database.query<{ all: number }>(countJobs, [keysOf(row.id)]);
    // A job is gone after its episodes were committed; twice in a row, somebody else has removed it.
    empty = isWalked && jobs?.all === 0 && tally.ended < tally.due ? empty + 1 : 0;
    if (empty > 2) throw lostJobs(row, tally.due - tally.ended);
    return false;
  };
}

async function doneBefore(database: FleetDatabase, { store, walked }: RunRow): Promise<ReadonlySet<string>> {
  // The plan of a run that goes on is not walked again.
  if (walked > 0) return new Set();
  const rows = await database.query<{ key: string }>('SELECT key FROM espalier.episodes WHERE store = $1', [store]);
  return new Set(rows.map(({ key }) => key));
}

async function setState(database: FleetDatabase, { id }: RunRow, state: string): Promise<void> {
  await database.query('UPDATE espalier.fleet_runs SET state = $2 WHERE id = $1', [id, state]);
}

function createOutageNotice(onNotice: (text: string) => void): (cause: unknown) => void {
  let told = '';
  return cause => {
    const text = `The database of the fleet is away, the run waits for it: ${causeText(cause)}`;
    if (text !== told) onNotice(text);
    told = text;
  };
}

function refused({ name }: RunRow, reason: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `Every worker of the fleet refused the run ${name}: ${reason}`,
    expected: 'Give the workers what is missing and go on with the run, or start workers that have it.',
  });
}

function lostJobs({ name }: RunRow, missing: number): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: 'not-found',
    message: `The queue of the fleet has lost jobs of the run ${name}: ${count(missing, 'episode')} ${missing === 1 ? 'is' : 'are'} missing.`,
    expected: 'Go on with the run: what is missing is put into the queue again.',
  });
}

import { EspalierError } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import type { FleetRun } from '../../runs/host/fleet.ts';
import type { Host } from '../../runs/host/host.ts';
import type { FleetDatabase } from '../database/connect.ts';
import { countJobs, keysOf } from '../database/queue.ts';
import { cancelRun, stateOf, type RunRow } from '../database/runs.ts';
import type { Follower } from './follow.ts';
import { createStragglers } from './stragglers.ts';
import { whyNobodyWorks } from './workers.ts';

interface Tally {
  readonly ended: number;
  /** Episodes of the plan that this controller waits for. */
  readonly due: number;
  readonly milliseconds: number;
}

export interface FollowRunOptions {
  readonly database: FleetDatabase;
  readonly row: RunRow;
  readonly version: string;
  readonly machine: Pick<Host, 'timers' | 'clock' | 'onNotice'>;
  /** Resolves when the whole plan is in the queue. */
  readonly enqueued: Promise<void>;
  readonly follower: Follower;
  readonly tally: Tally;
  /** Episodes of a job. */
  readonly jobSize: number;
  /** Puts no more into the queue. */
  stopWalking(): void;
}

const [shortPause, longPause] = [20, 500];
/** How often one looks whether somebody works on the run. */
const lookMilliseconds = 2000;

/** Copies until everything that is due was copied: false when the run was stopped before. */
export async function followRun(run: FleetRun, options: FollowRunOptions): Promise<boolean> {
  const { database, row, enqueued, follower, tally, machine } = options;
  const { signal } = run;
  const { timers, clock } = machine;
  const walk = { isOver: false, failure: null as unknown };
  const walking = enqueued.then(
    () => (walk.isOver = true),
    (cause: unknown) => (walk.failure = cause),
  );
  const watch = createWatch(options);
  let looked = -Infinity;
  let isEnding = false;
  const end = (): void => {
    isEnding = true;
    options.stopWalking();
  };
  for (let pause = shortPause; ; ) {
    if (walk.failure !== null) throw walk.failure;
    const found = await follower.next();
    if (walk.isOver && tally.ended >= tally.due && !isEnding) break;
    if (signal.aborted) {
      await walking;
      return false;
    }
    if (!isEnding && !run.mayBegin()) {
      end();
      await cancelRun(database, row.id);
    }
    if (!found && (isEnding || clock.now() - looked > lookMilliseconds)) {
      const news = await watch(walk.isOver, tally);
      if (news.isCancelled) end();
      // What was under way has ended, and was copied.
      if (news.isCancelled && walk.isOver && news.held === 0 && !(await follower.next())) return false;
      looked = clock.now();
    }
    pause = found ? shortPause : Math.min(2 * pause, longPause);
    if (!found) await new Promise<void>(resolve => void timers.after(pause, resolve));
  }
  await walking;
  return true;
}

interface News {
  readonly isCancelled: boolean;
  /** Jobs that workers hold. */
  readonly held: number;
}

/** Looks how the run goes on, says so when nobody works on it, and gives stragglers to others. */
function createWatch({ database, row, version, machine, jobSize }: FollowRunOptions) {
  let told: string | null = null;
  let empty = 0;
  const stragglers = createStragglers({ database, row, version, jobSize, onNotice: machine.onNotice });
  return async (isWalked: boolean, tally: Tally): Promise<News> => {
    const state = await stateOf(database, row.id);
    const [jobs = { all: 0, held: 0 }] = await database.query<{ all: number; held: number }>(countJobs, [
      keysOf(row.id),
    ]);
    const isCancelled = state === 'cancelled';
    const why =
      state === 'paused' ? pausedText(row) : await whyNobodyWorks(database, { run: row.id, version, needs: row.needs });
    if (why?.isFinal === true) throw refused(row, why.text);
    if (why !== null && why.text !== told && !isCancelled) machine.onNotice(why.text);
    told = why?.text ?? null;
    // A job is gone after its episodes were committed; twice in a row, somebody else has removed it.
    empty = isWalked && jobs.all === 0 && tally.ended < tally.due && !isCancelled ? empty + 1 : 0;
    if (empty > 2) throw lostJobs(row, tally.due - tally.ended);
    if (isWalked && jobs.all === jobs.held && !isCancelled) await stragglers.duplicate(tally);
    return { isCancelled, held: jobs.held };
  };
}

function pausedText({ id, name }: RunRow): { readonly text: string; readonly isFinal: boolean } {
  return { text: `The run ${name} is paused. Go on with it: espalier fleet resume <address> ${id}.`, isFinal: false };
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

import TinyQueue from 'tinyqueue';
import { createRandom, type Random } from '../../src/core/random.ts';

/** Seconds of a processor that the database spends, each measured. */
export interface FleetCosts {
  /** Gives a job to a worker and takes it away when it is done. */
  readonly job: number;
  /** A statement that commits, and each episode in it. */
  readonly commit: number;
  readonly episode: number;
  /** A picture or a record of calls. */
  readonly blob: number;
  /** A sign of life, and what it takes more for each worker that is known. */
  readonly beat: number;
  readonly beatForWorker: number;
  /** Gives an episode to whoever collects the run. */
  readonly follow: number;
  /** Until a commit is on disk. Those that come meanwhile go together. */
  readonly sync: number;
  /** What the machine of a worker, and that of the controller, spend on an episode. */
  readonly work: number;
  readonly control: number;
}

export interface FleetModel {
  readonly workers: number;
  /** Episodes that a worker runs at once. */
  readonly slots: number;
  /** Episodes of a job. */
  readonly jobSize: number;
  /** How long an episode takes: lognormal, so that some take very long. */
  readonly episode: { readonly median: number; readonly sigma: number };
  readonly blobs: number;
  readonly costs: FleetCosts;
  /** Of the database. */
  readonly cores: number;
  /** Databases that the runs are spread over. */
  readonly databases?: number;
  /** Whether workers and controller run on the cores of the database. */
  readonly isOneMachine?: boolean;
  /** Seconds to the database and back. */
  readonly way: number;
  /** Times that a worker is lost in an hour, until a new one is there, and until its jobs go to others. */
  readonly losses: number;
  readonly comeback: number;
  readonly lease: number;
  /** How long it is watched, after as long a start. */
  readonly seconds: number;
  readonly seed: string;
}

export interface FleetForecast {
  /** Episodes in a second. */
  readonly rate: number;
  /** Share of the time of the slots that episodes have run in. */
  readonly efficiency: number;
  /** Share of the cores of the database that are busy. */
  readonly load: number;
  /** Milliseconds between the end of an episode and its commit, for all but one in a hundred. */
  readonly commit99: number;
  /** Episodes that were begun again because a worker was lost. */
  readonly repeated: number;
  readonly begun: number;
  readonly committed: number;
  /** Running, or waiting to be committed. */
  readonly open: number;
}

interface Clock {
  now(): number;
  after(seconds: number, act: () => void): void;
  /** Goes through what happens, in the order of time. */
  runUntil(end: number): void;
}

function createClock(): Clock {
  interface Moment {
    readonly at: number;
    readonly order: number;
    act(): void;
  }
  const moments = new TinyQueue<Moment>([], (left, right) => left.at - right.at || left.order - right.order);
  let [now, order] = [0, 0];
  return {
    now: () => now,
    after: (seconds, act) => moments.push({ at: now + seconds, order: order++, act }),
    runUntil(end) {
      for (let next = moments.peek(); next !== undefined && next.at <= end; next = moments.peek()) {
        moments.pop();
        now = next.at;
        next.act();
      }
      now = end;
    },
  };
}

/** Cores that take what waits in turn. */
interface Station {
  serve(seconds: number, done: () => void): void;
  /** Seconds of its cores that were given away. */
  spent(): number;
}

function createStation(clock: Clock, cores: number): Station {
  let waiting: { readonly seconds: number; done(): void }[] = [];
  let [first, free, spent] = [0, cores, 0];
  const begin = (seconds: number, done: () => void): void => {
    free--;
    spent += seconds;
    clock.after(seconds, () => {
      free++;
      const next = waiting[first];
      if (next !== undefined) {
        first++;
        begin(next.seconds, next.done);
      } else [waiting, first] = [[], 0];
      done();
    });
  };
  return {
    serve: (seconds, done) => (free > 0 ? begin(seconds, done) : void waiting.push({ seconds, done })),
    spent: () => spent,
  };
}

/** A disk: what comes while it writes is written together with the next. */
function createDisk(clock: Clock, sync: number): (done: () => void) => void {
  let waiting: (() => void)[] = [];
  let isBusy = false;
  const write = (): void => {
    const together = waiting;
    waiting = [];
    isBusy = together.length > 0;
    if (isBusy)
      clock.after(sync, () => {
        for (const done of together) done();
        write();
      });
  };
  return done => {
    waiting.push(done);
    if (!isBusy) write();
  };
}

interface Database {
  /** The way there, the processor, and the way back. */
  ask(seconds: number, done: () => void): void;
  /** The same, until it is on disk. */
  write(seconds: number, done: () => void): void;
}

/** Goes through the life of a fleet whose queue is never empty. */
export function simulateFleet(model: FleetModel): FleetForecast {
  const { costs, workers, slots, cores, databases = 1, isOneMachine = false, way, seconds } = model;
  const clock = createClock();
  const stations = Array.from({ length: databases }, () => createStation(clock, cores));
  const machine = isOneMachine ? (stations[0] as Station) : null;
  const tally = { begun: 0, committed: 0, repeated: 0, ran: 0, late: [] as number[] };
  const here: Fleet = {
    model,
    clock,
    tally,
    random: createRandom(model.seed),
    work: (spent, done) => (machine === null ? clock.after(spent, done) : machine.serve(spent, done)),
  };
  const shares = stations.map((station): Database => {
    const sync = createDisk(clock, costs.sync);
    const ask = (spent: number, done: () => void): void =>
      clock.after(way / 2, () => station.serve(spent, () => clock.after(way / 2, done)));
    const write = (spent: number, done: () => void): void =>
      clock.after(way / 2, () => station.serve(spent, () => sync(() => clock.after(way / 2, done))));
    return { ask, write };
  });
  for (let at = 0; at < workers; at++) {
    const database = shares[at % databases] as Database;
    beat(here, database, workers / databases);
    live(here, database);
  }
  clock.runUntil(seconds);
  const before = { committed: tally.committed, ran: tally.ran, spent: stations.map(station => station.spent()) };
  tally.late.length = 0;
  clock.runUntil(2 * seconds);
  const rate = (tally.committed - before.committed) / seconds;
  const spent = stations.reduce((sum, station, at) => sum + station.spent() - (before.spent[at] as number), 0);
  const late = tally.late.toSorted((left, right) => left - right);
  return {
    rate,
    efficiency: (tally.ran - before.ran) / (workers * slots * seconds),
    load: spent / (seconds * cores * databases),
    commit99: 1000 * (late[Math.floor(late.length * 0.99)] ?? 0),
    repeated: tally.repeated,
    begun: tally.begun,
    committed: tally.committed,
    open: tally.begun - tally.committed - tally.repeated,
  };
}

interface Fleet {
  readonly model: FleetModel;
  readonly clock: Clock;
  readonly random: Random;
  readonly tally: { begun: number; committed: number; repeated: number; ran: number; readonly late: number[] };
  /** What the machine of a worker does. */
  work(seconds: number, done: () => void): void;
}

/** A worker beats four times in its lease, not all at once. */
function beat({ model: { costs, lease }, clock, random }: Fleet, database: Database, known: number): void {
  const cost = costs.beat + costs.beatForWorker * known;
  const again = (): void => database.ask(cost, () => clock.after(lease / 4, again));
  clock.after((random.next() * lease) / 4, again);
}

/** A worker and those that come after it: each is lost some time, with all that it holds. */
function live(fleet: Fleet, database: Database): void {
  const { model, clock, random } = fleet;
  const { slots, losses, comeback } = model;
  const life: Life = { isOver: false, held: 0 };
  const commit = createCommitter(fleet, database, life);
  for (let slot = 0; slot < slots; slot++) takeJob(fleet, { database, life, commit });
  if (losses === 0) return;
  clock.after((-Math.log(1 - random.next()) * 3600) / losses, () => {
    life.isOver = true;
    fleet.tally.repeated += life.held;
    clock.after(comeback, () => live(fleet, database));
  });
}

interface Slot {
  readonly database: Database;
  readonly life: Life;
  commit(ended: number, done: () => void): void;
}

/** Whether a worker was lost, and episodes that it has begun and not committed. */
interface Life {
  isOver: boolean;
  held: number;
}

function takeJob(fleet: Fleet, slot: Slot): void {
  const { model, tally, clock } = fleet;
  const { costs, jobSize } = model;
  const { database, life, commit } = slot;
  if (life.isOver) return;
  // What dead workers held is unlocked by one statement for all: others take it as they take the rest.
  database.ask(costs.job, () => {
    if (life.isOver) return;
    let [left, open] = [jobSize, jobSize];
    const next = (): void => {
      left--;
      tally.begun++;
      life.held++;
      runEpisode(fleet, () => {
        if (life.isOver) return;
        // A job is done when all of it is committed.
        commit(clock.now(), () => {
          if (--open === 0) takeJob(fleet, slot);
        });
        if (left > 0) next();
      });
    };
    next();
  });
}

export function drawSeconds({ median, sigma }: FleetModel['episode'], random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return median * Math.exp(sigma * normal);
}

function runEpisode({ model, clock, random, tally, work }: Fleet, done: () => void): void {
  const seconds = drawSeconds(model.episode, random);
  clock.after(seconds, () => {
    tally.ran += seconds;
    work(model.costs.work, done);
  });
}

/** A worker writes one statement at a time, with all that has ended meanwhile. */
function createCommitter(fleet: Fleet, database: Database, life: Life): Slot['commit'] {
  const { model, clock, tally, work } = fleet;
  const { commit, episode, blob, follow, control } = model.costs;
  let waiting: { readonly ended: number; done(): void }[] = [];
  let isBusy = false;
  const write = (): void => {
    const together = waiting;
    waiting = [];
    isBusy = together.length > 0;
    if (!isBusy || life.isOver) return;
    const episodes = together.length;
    database.write(commit + episodes * (episode + blob * model.blobs), () => {
      tally.committed += episodes;
      // What was on its way when the worker was lost is there all the same, and is not begun again.
      if (life.isOver) tally.repeated -= episodes;
      else life.held -= episodes;
      database.ask(follow * episodes, () => work(control * episodes, () => undefined));
      for (const { ended, done } of together) {
        tally.late.push(clock.now() - ended);
        done();
      }
      write();
    });
  };
  return (ended, done) => {
    waiting.push({ ended, done });
    if (!isBusy) write();
  };
}

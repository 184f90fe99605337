import type { Model } from '../../../core/chat/model.ts';
import type { Environment } from '../../../core/contracts.ts';
import type { EpisodeHead } from '../../../core/episode/events.ts';
import type { Task } from '../../../core/records.ts';
import { HttpError } from '../../http.ts';
import type { RolloutEvent, RolloutService, SessionResult, SubmitRequest } from '../../rollouts/contract.ts';
import { rolloutCount } from '../../rollouts/group-mixing.ts';
import { planBatch, toPause } from '../../rollouts/partial-batch.ts';
import { SessionError } from '../../sessions/session-error.ts';
import { createGroupBuffer, isUsable, type GroupBuffer } from './group-buffer.ts';
import { createOrder, pauseSample, resultsOf, statusOf, stopSample, type Sample, type TaskOrder } from './orders.ts';
import { createPausableModel } from './pausable-model.ts';
import type { RolloutFile, RolloutLine } from './rollout-file.ts';
import { endedEarly, runSession, type SessionOutcome, type SessionSetting } from './run-session.ts';

export interface RolloutServiceOptions extends SessionSetting {
  readonly run: string;
  readonly file: RolloutFile;
  /** Sessions that run at once. */
  readonly most: number;
  /** The task that a request means, and its environment. Throws a SessionError when there is none. */
  taskOf(request: SubmitRequest): Promise<{ readonly task: Task; readonly environment: Environment }>;
  /** Connects to the endpoint of a request. Throws when it may not be asked, or is not there. */
  modelOf(request: SubmitRequest): Promise<Model>;
  onFault(cause: unknown): void;
}

export interface RunningRollouts extends RolloutService {
  /** Goes on with what an earlier server did not finish: the number of its sessions. */
  resume(): Promise<number>;
  /** Stops everything that runs: a later server does it again. */
  close(): Promise<void>;
}

/** What the verbs of the service share. */
interface Workings extends RolloutServiceOptions {
  readonly orders: Map<string, TaskOrder>;
  readonly listeners: Set<(event: RolloutEvent) => void>;
  readonly buffer: GroupBuffer;
  readonly underWay: Set<Promise<void>>;
  /** Tasks with samples that have not ended. */
  readonly open: Set<TaskOrder>;
  /** Whether `fill` is about to run. */
  willFill: boolean;
  version: number;
  nextIndex: number;
  isClosed: boolean;
}

/** Samples that have not ended, of all tasks: more are refused. */
const mostOpen = 65_536;
/** Beyond the numbers of episodes that clients drive in the same run. */
const firstIndex = 1_000_000;
/** Pauses between two tries to reach the endpoint of a task of an earlier server. */
const firstRetryMilliseconds = 500;
const longestRetryMilliseconds = 30_000;

export function createRolloutService(options: RolloutServiceOptions): RunningRollouts {
  const workings: Workings = {
    ...options,
    orders: new Map(),
    listeners: new Set(),
    buffer: createGroupBuffer(),
    underWay: new Set(),
    open: new Set(),
    willFill: false,
    version: 0,
    nextIndex: firstIndex,
    isClosed: false,
  };
  const { orders, file, listeners, underWay } = workings;
  return {
    ...batchVerbs(workings),
    async submit(request) {
      const order = await addOrder(workings, request);
      file.write({ kind: 'task', request: order.request, task: order.task });
      for (const [, sample] of openSamples(workings)) sample.mayResume = true;
      fill(workings);
      return statusOf(order);
    },
    status: id => statusOf(findOrder(workings, id)),
    async cancel(id) {
      const order = findOrder(workings, id);
      if (!workings.open.has(order))
        throw new HttpError(409, `Task "${id.slice(0, 80)}" has ended: nothing is left to cancel.`);
      order.isCancelled = true;
      file.write({ kind: 'cancel', task_id: id });
      cancelSamples(workings, order);
      return statusOf(order);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async resume() {
      for (const line of file.read()) await recall(workings, line);
      for (const order of orders.values()) if (order.isCancelled) cancelSamples(workings, order);
      for (const order of workings.open) void connectOrder(workings, order);
      return [...orders.values()].flatMap(({ samples }) => samples).filter(({ state }) => state !== 'ended').length;
    },
    async close() {
      workings.isClosed = true;
      for (const [, sample] of openSamples(workings)) if (sample.state !== 'ended') stopSample(sample, 'cancelled');
      await Promise.allSettled(underWay);
    },
  };
}

function batchVerbs(workings: Workings): Pick<RolloutService, 'setVersion' | 'takeBatch' | 'summary'> {
  const { buffer, file, orders } = workings;
  return {
    setVersion({ version, interrupt }) {
      if (version < workings.version)
        throw new SessionError('invalid', `Version ${version} is older than ${workings.version}. Versions count up.`);
      file.write({ kind: 'version', version });
      workings.version = version;
      if (!interrupt) return;
      for (const [, { state, pausable }] of openSamples(workings)) {
        if (state !== 'running') continue;
        pausable?.pause();
        pausable?.resume();
      }
    },
    takeBatch(request) {
      const { gone, ...answer } = buffer.take(request, workings.version);
      if (gone.length > 0) file.write({ kind: 'taken', groups: gone });
      return answer;
    },
    summary() {
      const sessions = { waiting: 0, running: 0, paused: 0, ended: 0 };
      for (const { samples } of orders.values()) for (const { state } of samples) sessions[state]++;
      const { version } = workings;
      return { version, tasks: orders.size, sessions, buffered_groups: buffer.size() };
    },
  };
}

function* openSamples({ open }: Workings): Generator<[TaskOrder, Sample]> {
  for (const order of open) for (const sample of order.samples) yield [order, sample];
}

async function addOrder(workings: Workings, request: SubmitRequest): Promise<TaskOrder> {
  const { taskOf, modelOf } = workings;
  requireNew(workings, request.task_id);
  requireRoom(workings, request);
  const { task, environment } = await taskOf(request);
  const model = await modelOf(request);
  // Another request may have had the same id meanwhile.
  requireNew(workings, request.task_id);
  const sized = { ...request, num_samples: samplesFor(workings, request, task.id) };
  return keepOrder(workings, createOrder({ request: sized, task, environment, model }));
}

/** Rollouts that a task gets: fewer when it passed before, if the trainer wants that. */
function samplesFor({ orders }: Workings, { num_samples: most, least_samples: least }: SubmitRequest, task: string) {
  if (least === undefined) return most;
  let [passed, judged] = [0, 0];
  for (const order of orders.values()) {
    if (order.task.id !== task) continue;
    for (const { reward } of resultsOf(order)) if (reward !== null) [passed, judged] = [passed + reward, judged + 1];
  }
  return rolloutCount(judged === 0 ? null : passed / judged, { least, most });
}

function keepOrder({ orders, open }: Workings, order: TaskOrder): TaskOrder {
  orders.set(order.request.task_id, order);
  open.add(order);
  return order;
}

/** Takes over a task of an earlier server. Its samples wait until its endpoint answers. */
async function recallOrder(workings: Workings, request: SubmitRequest, drawn?: Task): Promise<void> {
  const { task, environment } = await workings.taskOf({
    ...request,
    environment: drawn?.environment ?? request.environment,
  });
  // A request without a seed would draw another task now.
  keepOrder(workings, createOrder({ request, task: drawn ?? task, environment, model: null }));
}

/** Connects to the endpoint of a task of an earlier server, and tries again until it answers. */
async function connectOrder(workings: Workings, order: TaskOrder, wait = firstRetryMilliseconds): Promise<void> {
  if (workings.isClosed || !workings.open.has(order)) return;
  try {
    order.model = await workings.modelOf(order.request);
    fillSoon(workings);
  } catch (cause) {
    workings.onFault(cause);
    const next = Math.min(wait * 2, longestRetryMilliseconds);
    workings.timers.after(wait, () => void connectOrder(workings, order, next));
  }
}

function requireNew({ orders }: Workings, id: string): void {
  if (orders.has(id)) throw new HttpError(409, `There is a task "${id.slice(0, 80)}" already. Choose another task_id.`);
}

function requireRoom({ open }: Workings, { num_samples: more }: SubmitRequest): void {
  let waiting = 0;
  for (const { samples } of open) waiting += samples.length;
  if (waiting + more > mostOpen)
    throw new HttpError(503, `${waiting} samples have not ended, and ${mostOpen} may wait. Submit it again later.`);
}

function findOrder({ orders }: Workings, id: string): TaskOrder {
  const order = orders.get(id);
  if (order !== undefined) return order;
  throw new SessionError('no-session', `There is no task "${id.slice(0, 80)}". Submit it first.`);
}

/** Once for all sessions that end together. */
function fillSoon(workings: Workings): void {
  if (workings.willFill) return;
  workings.willFill = true;
  workings.timers.after(0, () => {
    workings.willFill = false;
    fill(workings);
  });
}

/** Starts as many sessions as there is room for: those that were paused first. */
function fill(workings: Workings): void {
  if (workings.isClosed) return;
  const all = [...openSamples(workings)];
  const free = workings.most - all.filter(([, { state }]) => state === 'running').length;
  const paused = all.filter(([, { state, mayResume }]) => state === 'paused' && mayResume);
  const ids = paused.map(([{ request }, { index }]) => `${request.task_id}/${index}`);
  const { resumed, started } = planBatch(ids, Math.max(0, free));
  for (const [order, sample] of paused.slice(0, resumed.length)) {
    if (sample.pausable === null) launch(workings, order, sample);
    else {
      sample.state = 'running';
      startTimeout(workings, order, sample);
      sample.pausable.resume();
    }
  }
  const waiting = all
    .filter(([{ model }, { state }]) => state === 'waiting' && model !== null)
    .toSorted(([left], [right]) => right.request.dispatch_priority - left.request.dispatch_priority);
  for (const [order, sample] of waiting.slice(0, started)) launch(workings, order, sample);
}

function launch(workings: Workings, order: TaskOrder, sample: Sample): void {
  const { underWay, onFault } = workings;
  const running = runToEnd(workings, order, sample)
    .catch(onFault)
    .finally(() => {
      underWay.delete(running);
      fillSoon(workings);
    });
  underWay.add(running);
}

async function runToEnd(workings: Workings, order: TaskOrder, sample: Sample): Promise<void> {
  const { clock, file, onFault } = workings;
  const { request, environment } = order;
  const begun = clock.now();
  sample.attempt++;
  sample.state = 'running';
  const pausable = createPausableModel(order.model as Model, () => workings.version);
  sample.pausable = pausable;
  file.write({ kind: 'attempt', task_id: request.task_id, sample: sample.index });
  startTimeout(workings, order, sample);
  let outcome: SessionOutcome | null;
  try {
    const head = headOf(workings, order, sample);
    outcome = await runSession({ head, environment, request, pausable, signal: sample.stop.signal }, workings);
  } catch (cause) {
    onFault(cause);
    outcome = endedEarly('failed', cause);
  }
  if (workings.isClosed) return;
  const early = (): SessionOutcome => endedEarly(sample.stopped ?? 'failed', sample.stop.signal.reason);
  endSample(workings, order, { sample, outcome: outcome ?? early(), milliseconds: clock.now() - begun });
}

function startTimeout({ timers }: Workings, { request }: TaskOrder, sample: Sample): void {
  sample.cancelTimeout = timers.after(request.timeout_seconds * 1000, () => stopSample(sample, 'timeout'));
}

function headOf(workings: Workings, { request, task, model }: TaskOrder, { index, attempt }: Sample): EpisodeHead {
  const key = `rollout/${encodeURIComponent(request.task_id)}/${index}/${attempt}`;
  const agents = { student: (model as Model).endpoint, teacher: null, strategy: 'rollouts' };
  return {
    run: workings.run,
    key,
    index: workings.nextIndex++,
    phase: 'collect',
    round: 0,
    trial: index,
    task,
    ...agents,
  };
}

interface Ended {
  readonly sample: Sample;
  readonly outcome: SessionOutcome;
  readonly milliseconds: number;
}

function endSample(workings: Workings, order: TaskOrder, { sample, outcome, milliseconds }: Ended): void {
  const { task_id } = order.request;
  const timing = { run_ms: Math.round(milliseconds), paused: sample.pauses };
  const { status } = outcome.trajectory;
  const session_id = `${task_id}/${sample.index}`;
  const result: SessionResult = { session_id, task_id, sample: sample.index, status, ...outcome, timing };
  workings.file.write({ kind: 'result', result });
  sample.cancelTimeout();
  keepResult(workings, order, { sample, result });
}

/** Hands a group to the buffer when it is whole, or when enough of it is usable; then the rest is paused. */
function keepResult(
  workings: Workings,
  order: TaskOrder,
  { sample, result }: { sample: Sample; result: SessionResult },
): void {
  Object.assign(sample, { state: 'ended', result, pausable: null });
  const { task_id, early_stop_min_usable_sessions: needed = Infinity } = order.request;
  const ended = resultsOf(order);
  const finished = ended.filter(isUsable).length;
  if (ended.length === order.samples.length) workings.open.delete(order);
  if (finished >= needed || ended.length === order.samples.length) {
    const fresh = ended.filter(known => !order.grouped.has(known));
    for (const known of fresh) order.grouped.add(known);
    const { trainer = null } = order.request;
    workings.buffer.add({ task: task_id, subject: order.task.id, trainer, results: fresh });
  }
  // Those that go on after a pause are in a batch of their own.
  const live = order.samples.filter(
    ({ state, pauses }) => (state === 'running' || state === 'waiting') && pauses === 0,
  );
  const ids = new Set(toPause({ running: live.map(({ index }) => String(index)), finished, needed }));
  for (const other of live) if (ids.has(String(other.index))) pauseSample(other);
  for (const listener of workings.listeners) {
    listener({ type: 'session', result });
    listener({ type: 'task', task_id, status: statusOf(order).status });
  }
}

function cancelSamples(workings: Workings, order: TaskOrder): void {
  for (const sample of order.samples) {
    if (sample.state === 'ended') continue;
    if (sample.pausable !== null) stopSample(sample, 'cancelled');
    else endSample(workings, order, { sample, outcome: endedEarly('cancelled', null), milliseconds: 0 });
  }
}

/** Takes over what an earlier server wrote down. */
async function recall(workings: Workings, line: RolloutLine): Promise<void> {
  const { orders, buffer, onFault } = workings;
  if (line.kind === 'version') workings.version = line.version;
  else if (line.kind === 'taken') buffer.drop(line.groups);
  else if (line.kind === 'task') await recallOrder(workings, line.request, line.task).catch(onFault);
  else {
    const order = orders.get(line.kind === 'result' ? line.result.task_id : line.task_id);
    const at = line.kind === 'result' ? line.result.sample : line.kind === 'attempt' ? line.sample : -1;
    const sample = order?.samples[at];
    if (order !== undefined && line.kind === 'cancel') order.isCancelled = true;
    if (order === undefined || sample === undefined) return;
    if (line.kind === 'attempt') sample.attempt++;
    if (line.kind === 'result') keepResult(workings, order, { sample, result: line.result });
  }
}

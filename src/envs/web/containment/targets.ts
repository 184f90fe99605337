import { inTime, type Timers } from '../../../core/clock.ts';
import type { BrowserEvent, Connection, Params } from '../browser/connection.ts';
import type { Incident } from '../browser/incident-log.ts';

/** Part of a page that runs beside its document: a frame with a process of its own, or a worker. */
export interface PageTarget {
  readonly type: string;
  readonly url: string;
  send(method: string, params?: Params): Promise<unknown>;
  listen(hear: (event: BrowserEvent) => void): void;
}

/** Prepares a target before its first script runs. A target that it throws at never runs. */
export type PrepareTarget = (target: PageTarget) => Promise<void>;

interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
  readonly browserContextId?: string;
}

export interface Attached {
  readonly sessionId: string;
  readonly targetInfo: TargetInfo;
}

/** Every new target is attached to, and waits. */
const hold = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
/** Parts of the browser itself: no page can reach them. */
const held = ['browser', 'tab', 'browser_ui'];
const heldByBrowser = ['page', 'shared_worker', 'service_worker', ...held];
/** All that may run beside the document of a page; windows and whatever else there is may not. */
const admitted: ReadonlySet<string> = new Set(['iframe', 'worker', 'shared_worker', 'service_worker', 'worklet']);

/** Holds every target of a browser before it runs. */
export async function holdTargets(connection: Connection): Promise<void> {
  await connection.send('Target.setAutoAttach', { ...hold, filter: allBut(held) });
}

/** Holds what one target starts: its workers, and frames with processes of their own. */
export async function holdTargetsOf(connection: Connection, session: string): Promise<void> {
  await connection.send('Target.setAutoAttach', { ...hold, filter: allBut(heldByBrowser) }, session);
}

function allBut(types: readonly string[]): readonly object[] {
  return [...types.map(type => ({ type, exclude: true })), {}];
}

export interface GuardOptions {
  /** Told of what was closed. */
  report(incident: Incident): void;
  readonly context: string;
  readonly target: string;
  readonly session: string;
  readonly timers: Timers;
  /** How long a target may take to be prepared, in milliseconds. */
  readonly patience: number;
  readonly prepare: PrepareTarget;
}

/** Prepares the targets of a page and lets them run; closes windows. Gives back how to stop. */
export function guardTargets(connection: Connection, options: GuardOptions): () => void {
  const { report, context, target, timers, patience, prepare } = options;
  const sessions = new Set<string>();
  const refuse = ({ sessionId, targetInfo: { targetId, type, url } }: Attached): void => {
    const what = type === 'page' ? 'a window' : `a ${type.replaceAll('_', ' ')}`;
    report({ kind: 'popup', detail: `${what} was closed: ${url || 'about:blank'}` });
    // One that closed itself meanwhile, or went with its browser, needs no closing.
    closeHeld(connection, sessionId, targetId).catch(() => null);
  };
  const admit = async ({ sessionId, targetInfo: { type, url } }: Attached): Promise<void> => {
    const send = (method: string, params?: Params): Promise<unknown> => connection.send(method, params, sessionId);
    await prepare({ type, url, send, listen: hear => void connection.listen(hear, sessionId) });
    // Those that start nothing themselves cannot be asked.
    await holdTargetsOf(connection, sessionId).catch(() => null);
    await send('Runtime.runIfWaitingForDebugger');
  };
  const take = (attached: Attached): void => {
    const { sessionId, targetInfo } = attached;
    if (!admitted.has(targetInfo.type)) return refuse(attached);
    sessions.add(sessionId);
    connection.listen(hear, sessionId);
    const late = (): Error => new Error('not prepared in time');
    // What is not prepared never runs.
    inTime(admit(attached), { timers, milliseconds: patience, late }).catch(() => {
      if (sessions.has(sessionId)) refuse(attached);
    });
  };
  const forget = (session: string): void => {
    sessions.delete(session);
    connection.forget(session);
  };
  const hear = ({ method, params }: BrowserEvent): void => {
    if (method === 'Target.attachedToTarget') take(params as unknown as Attached);
    else if (method === 'Target.detachedFromTarget') forget(params['sessionId'] as string);
  };
  const hearBrowser = (event: BrowserEvent): void => {
    if (event.method === 'Target.detachedFromTarget') {
      if (sessions.has(event.params['sessionId'] as string)) hear(event);
      return;
    }
    const { targetInfo } = event.params as unknown as Attached;
    if (event.method === 'Target.attachedToTarget' && isBeside(targetInfo, { context, target })) hear(event);
  };
  const stops = [connection.listen(hearBrowser), connection.listen(hear, options.session)];
  return () => {
    for (const stop of stops) stop();
    for (const session of sessions) forget(session);
  };
}

/** Whoever opened a window waits until it runs. It does, with every request stopped, while it is being closed. */
async function closeHeld(connection: Connection, session: string, targetId: string): Promise<void> {
  try {
    await connection.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, session);
    await connection.send('Runtime.runIfWaitingForDebugger', {}, session);
  } finally {
    await connection.send('Target.closeTarget', { targetId });
  }
}

/** Whether it belongs to the context of a page, and is not the page itself. */
function isBeside(info: TargetInfo, { context, target }: Pick<GuardOptions, 'context' | 'target'>): boolean {
  return info.browserContextId === context && info.targetId !== target;
}

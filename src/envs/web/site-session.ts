import { hash } from 'node:crypto';
import { isBrowserAction, type Action } from '../../core/action.ts';
import type { Candidate, Session, Snapshot } from '../../core/contracts.ts';
import { screenActions, textsIn } from '../../core/episode/screen-actions.ts';
import { DivergenceError, EspalierError } from '../../core/errors.ts';
import type { Ending, Observation, StepOutcome, Task } from '../../core/records.ts';
import { LostError } from './browser/connection.ts';
import type { BrowserPool, Viewport } from './browser/pool.ts';
import { malformation } from '../../kernel/resolve.ts';
import { hasEnded, sessionClosed } from '../../kernel/session.ts';
import { layoutOf } from './layout.ts';
import { performByHand, performOnElement, pointerAfter } from './perform.ts';
import type { Ask, ServerState, Site } from './site.ts';
import { openTab, type Moment, type Pictures, type Tab } from './tab.ts';

export interface SiteSessionOptions {
  readonly task: Task;
  readonly pool: BrowserPool;
  readonly viewport: Viewport;
  readonly pictures: Pictures | null;
  openSite(task: Task): Promise<Site>;
}

/** A page that is open, and the server behind it. */
interface Running {
  readonly tab: Tab;
  readonly site: Site;
}

/** Everything that makes one moment of a session differ from another. */
interface Standing {
  readonly running: Running;
  readonly moment: Moment;
  readonly server: ServerState;
  readonly digest: string;
  readonly ending: Ending | null;
  /** How it was reached, for when the page is lost. */
  readonly path: Path | null;
}

interface Path {
  readonly before: Path | null;
  readonly action: Action;
  readonly digest: string;
}

interface SiteSnapshot extends Snapshot {
  readonly standing: Standing;
}

/** Time of the page that passes with every step: what was just done has had its effect by then. */
const stepMilliseconds = 500;
const loadMilliseconds = 1000;

/** A session in somebody else's pages. Its snapshots live in the page; what cannot be put back is found out and said. */
export async function createSiteSession(options: SiteSessionOptions): Promise<Session> {
  return sessionAt(options, await start(options));
}

function sessionAt(options: SiteSessionOptions, first: Standing): Session {
  const { task } = options;
  const place = createPlace(options, first);
  const { now, persistently } = place;
  let seen: { readonly moment: Moment; readonly observation: Observation } | null = null;

  const snapshot = (): SiteSnapshot => ({ owner: task.id, standing: now() });
  const restore = (given: Snapshot): Promise<void> => place.putBack((given as SiteSnapshot).standing);
  return {
    task,
    observe: () =>
      persistently(async at => {
        if (seen?.moment !== at.moment) seen = { moment: at.moment, observation: await observe(at, options) };
        return seen.observation;
      }),
    digest: () => now().digest,
    candidates: () => (now().ending === null ? candidatesIn(now().moment.sight.text, task) : []),
    async step(action) {
      const problem = now().ending === null ? malformation(action) : hasEnded;
      if (problem !== null) return { applied: false, problem };
      const { running } = now();
      const { next, outcome } = await persistently(at => taken(at, action));
      place.move(next);
      return next.running === running ? outcome : withLoss(outcome);
    },
    verify: () => persistently(async ({ running, ending }) => running.site.verify(ending, asking(running))),
    ...(first.running.site.keeps === false ? {} : { snapshot, restore }),
    fork: async () => sessionAt(options, await reach(options, now().path)),
    close: () => place.leave(),
  };
}

/** Where a session stands, and the page that stands there. */
interface Place {
  now(): Standing;
  move(standing: Standing): void;
  /** Does something with the page; when the page is lost on the way, brings another one here and does it again. */
  persistently<T>(work: (at: Standing) => Promise<T>): Promise<T>;
  putBack(wanted: Standing | undefined): Promise<void>;
  leave(): Promise<void>;
}

function createPlace(options: SiteSessionOptions, first: Standing): Place {
  const { task } = options;
  let standing = first;
  let closed = false;
  /** Whether a moment was put back in part only: the page is then nowhere. */
  let astray = false;

  const now = (): Standing => {
    if (closed) throw sessionClosed(task.id);
    return standing;
  };
  const arrive = async (): Promise<Standing> => {
    await stop(now().running);
    standing = await reach(options, standing.path);
    astray = false;
    return standing;
  };
  return {
    now,
    move(next) {
      standing = next;
    },
    async persistently(work) {
      try {
        return await work(astray ? await arrive() : now());
      } catch (cause) {
        if (!(cause instanceof LostError)) throw cause;
        return work(await arrive());
      }
    },
    async putBack(wanted) {
      const { running } = now();
      if (wanted?.running !== running) throw cannotRestore(task.id, 'it belongs to a page that is gone');
      const { unsupported } = wanted.moment;
      if (unsupported !== null) throw cannotRestore(task.id, unsupported);
      astray = true;
      running.site.restore(wanted.server);
      const why = await running.tab.restore(wanted.moment);
      if (why !== null) throw cannotRestore(task.id, why);
      [standing, astray] = [wanted, false];
    },
    async leave() {
      if (closed) return;
      closed = true;
      await stop(standing.running);
    },
  };
}

async function start(options: SiteSessionOptions): Promise<Standing> {
  const { pool, viewport, task } = options;
  const site = await options.openSite(task);
  try {
    const page = await pool.open(viewport);
    try {
      const running = { site, tab: await openTab(page, site) };
      const moment = await running.tab.rest(loadMilliseconds);
      return standingAt(running, { moment, path: null, ending: await endingOf(running) });
    } catch (cause) {
      await page.close();
      throw cause;
    }
  } catch (cause) {
    await site.close();
    throw cause;
  }
}

function standingAt(running: Running, at: Pick<Standing, 'moment' | 'path' | 'ending'>): Standing {
  const server = running.site.capture();
  const { fingerprint, pointer } = at.moment;
  // What lies under the pointer may look and do otherwise.
  const person = pointer === null ? [] : [pointer];
  const text = JSON.stringify([fingerprint.digest, at.ending, hash('sha256', server.text), ...person]);
  return { running, server, digest: hash('sha256', text).slice(0, 32), ...at };
}

function asking({ tab }: Running): Ask {
  return expression => tab.page.evaluate(expression);
}

/** An episode that its page has ended is over, though the agent did not say so. */
async function endingOf(running: Running): Promise<Ending | null> {
  const isOver = (await running.site.isOver?.(asking(running))) ?? false;
  return isOver ? { answer: null, infeasible: false } : null;
}

interface Taken {
  readonly next: Standing;
  readonly outcome: StepOutcome;
}

async function taken(at: Standing, action: Action): Promise<Taken> {
  const { running, path: before } = at;
  const walkedTo = (reached: Standing): Standing => ({ ...reached, path: { before, action, digest: reached.digest } });
  if (action.kind === 'finish') {
    const ending = { answer: action.answer ?? null, infeasible: action.infeasible === true };
    const reached = standingAt(running, { moment: at.moment, path: null, ending });
    return { next: walkedTo(reached), outcome: { applied: true, end: 'terminated' } };
  }
  if (action.kind === 'call') return { next: at, outcome: { applied: false, problem: noTools(action.tool) } };
  const { page } = running.tab;
  running.site.acting?.(action);
  const problem = await (isBrowserAction(action) ? performByHand(page, action) : performOnElement(page, action));
  if (problem !== null) return { next: at, outcome: { applied: false, problem } };
  const time = action.kind === 'wait' ? action.milliseconds : stepMilliseconds;
  const moment = await running.tab.rest(time, pointerAfter(action, at.moment.pointer));
  // What happened while the page was loaded is told with the first step.
  const early = before === null ? at.moment.incidents : [];
  const incidents = [...early, ...moment.incidents, ...(running.site.incidents?.() ?? [])];
  const ending = await endingOf(running);
  const next = walkedTo(standingAt(running, { moment, path: null, ending }));
  const outcome: StepOutcome = ending === null ? { applied: true } : { applied: true, end: 'terminated' };
  return { next, outcome: incidents.length === 0 ? outcome : { ...outcome, incidents } };
}

/** A state in another page: the path to it is walked again, and every digest on it compared. */
async function reach(options: SiteSessionOptions, path: Path | null): Promise<Standing> {
  let reached = await start(options);
  try {
    const steps: Path[] = [];
    for (let step = path; step !== null; step = step.before) steps.unshift(step);
    for (const [index, { action, digest }] of steps.entries()) {
      reached = (await taken(reached, action)).next;
      if (reached.digest !== digest) throw new DivergenceError(index + 1, digest, reached.digest);
    }
    return reached;
  } catch (cause) {
    await stop(reached.running);
    throw cause;
  }
}

async function stop({ tab, site }: Running): Promise<void> {
  try {
    await tab.close();
  } finally {
    await site.close();
  }
}

async function observe(
  { running, moment }: Standing,
  { viewport, pictures }: SiteSessionOptions,
): Promise<Observation> {
  const { text } = moment.sight;
  const layout = layoutOf(moment.sight, viewport);
  if (pictures === null) return { text, layout };
  return { text, layout, image: await running.tab.picture({ ...pictures, ...viewport }) };
}

function candidatesIn(screen: string, { instruction }: Task): readonly Candidate[] {
  return screenActions(screen, textsIn(instruction)).map(action => ({ action }));
}

function withLoss(outcome: StepOutcome): StepOutcome {
  const loss = { kind: 'lost', detail: 'the page was lost; its state was reached again in another one' };
  return { ...outcome, incidents: [...(outcome.incidents ?? []), loss] };
}

function noTools(tool: string): { code: string; message: string } {
  return { code: 'unknown-command', message: `There is no tool "${tool}": this environment has only its screen.` };
}

function cannotRestore(task: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'diverged',
    message: `A moment of task ${task} cannot be put back: ${why}.`,
    expected: 'Roll back by a trail, which walks the path again where a snapshot does not do.',
  });
}

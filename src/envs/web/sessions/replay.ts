import { hash } from 'node:crypto';
import { isBrowserAction, type Action } from '../../../core/action.ts';
import { DivergenceError } from '../../../core/errors.ts';
import type { Ending, StepOutcome, Task } from '../../../core/records.ts';
import type { BrowserPool, Viewport } from '../browser/pool.ts';
import { performByHand, performOnElement, pointerAfter } from './perform.ts';
import type { Ask, Site } from './site.ts';
import type { ScriptLibrary } from '../snapshot/script-library.ts';
import { openTab, type Pictures } from '../tab/tab.ts';
import type { PageRoom } from './session-pages.ts';
import type { PageState } from './shown-state.ts';
import { createSharedPage, type Lease, type SharedPage, type Visit } from './shared-page.ts';

export interface SiteSessionOptions {
  readonly task: Task;
  readonly pool: BrowserPool;
  readonly viewport: Viewport;
  readonly pictures: Pictures | null;
  openSite(task: Task): Promise<Site>;
  /** What is known of the scripts of these pages. */
  readonly scripts: ScriptLibrary;
  /** The pages of a session and its forks. */
  readonly room: PageRoom;
  /** Restores of this session are not compared; see `ForkOptions`. */
  readonly unchecked?: boolean | undefined;
}

/** Everything that makes one state of a session differ from another. */
export interface Standing extends PageState {
  readonly page: SharedPage;
  readonly digest: string;
  readonly ending: Ending | null;
  /** How it was reached, for when the page is lost. */
  readonly path: Path | null;
  /** Whether it was reached in a page that may not have been restored as it was. */
  readonly unchecked: boolean;
}

/** The steps to a state, last one first. */
export interface Path {
  readonly before: Path | null;
  readonly action: Action;
  readonly digest: string;
}

/** A state of a session, and its share in the page that can show it. */
export interface Arrival {
  readonly standing: Standing;
  readonly lease: Lease;
}

/** Time of the page that passes with every step: what was just done has had its effect by then. */
const stepMilliseconds = 500;
const loadMilliseconds = 1000;

/** Opens the page of a task. */
export async function openPage(options: SiteSessionOptions): Promise<Arrival> {
  const { pool, viewport, task, room, unchecked = false } = options;
  const site = await options.openSite(task);
  try {
    const browserPage = await pool.open(viewport, room.want);
    try {
      const tab = await openTab(browserPage, site, options.scripts);
      const snapshot = await tab.rest(loadMilliseconds);
      const page = createSharedPage({ tab, site, room }, snapshot);
      const standing = standingAt(page, { snapshot, path: null, ending: await endingOf(page), unchecked });
      return { standing, lease: page.join(snapshot, unchecked) };
    } catch (cause) {
      await browserPage.close();
      throw cause;
    }
  } catch (cause) {
    await site.close();
    throw cause;
  }
}

/** Reaches a state in another page: takes the steps of its path again, and compares every digest on the way. */
export async function walkTo(options: SiteSessionOptions, path: Path | null): Promise<Arrival> {
  const { standing: start, lease } = await openPage(options);
  try {
    let standing = start;
    for (const [index, { action, digest }] of stepsOf(path).entries()) {
      standing = (await lease.use(standing, at => takeStep(at, action, lease))).left;
      if (standing.digest !== digest) throw new DivergenceError(index + 1, digest, standing.digest);
    }
    options.room.add(standing.page);
    return { standing, lease };
  } catch (cause) {
    await lease.end();
    throw cause;
  }
}

function stepsOf(path: Path | null): readonly Path[] {
  const steps: Path[] = [];
  for (let step = path; step !== null; step = step.before) steps.push(step);
  return steps.toReversed();
}

/** Takes a step in the page that a lease has brought to this state. */
export async function takeStep(at: Standing, action: Action, lease: Lease): Promise<Visit<Standing, StepOutcome>> {
  const { page, path: before, unchecked } = at;
  const { tab, site } = page;
  const walkedTo = (reached: Standing): Standing => ({ ...reached, path: { before, action, digest: reached.digest } });
  if (action.kind === 'finish') {
    const ending = { answer: action.answer ?? null, infeasible: action.infeasible === true };
    const reached = standingAt(page, { snapshot: at.snapshot, path: null, ending, unchecked });
    return { left: walkedTo(reached), value: { applied: true, end: 'terminated' } };
  }
  if (action.kind === 'call') return { left: at, value: { applied: false, problem: noTools(action.tool) } };
  site.acting?.(action);
  const problem = await (isBrowserAction(action)
    ? performByHand(tab.page, action)
    : performOnElement(tab.page, action, unchecked));
  if (problem !== null) return { left: at, value: { applied: false, problem } };
  const time = action.kind === 'wait' ? action.milliseconds : stepMilliseconds;
  const pointer = pointerAfter(action, at.snapshot.pointer);
  const snapshot = await tab.rest(time, { pointer, unchecked });
  // What happened while the page was loaded is told with the first step.
  const early = before === null ? at.snapshot.incidents : [];
  const incidents = [...early, ...lease.lateIncidents(), ...snapshot.incidents, ...(site.incidents?.() ?? [])];
  const ending = await endingOf(page);
  const left = walkedTo(standingAt(page, { snapshot, path: null, ending, unchecked }));
  const outcome: StepOutcome = ending === null ? { applied: true } : { applied: true, end: 'terminated' };
  return { left, value: incidents.length === 0 ? outcome : { ...outcome, incidents } };
}

function standingAt(page: SharedPage, at: Omit<Standing, 'page' | 'server' | 'digest'>): Standing {
  const server = page.site.capture();
  const { fingerprint, pointer } = at.snapshot;
  // What lies under the pointer may look and do otherwise.
  const input = pointer === null ? [] : [pointer];
  const text = JSON.stringify([fingerprint.digest, at.ending, hash('sha256', server.text), ...input]);
  return { page, server, digest: hash('sha256', text).slice(0, 32), ...at };
}

/** Asks the page of a state. */
export function asking({ tab }: SharedPage): Ask {
  return expression => tab.page.evaluate(expression);
}

/** An episode that its page has ended is over, though the agent did not say so. */
async function endingOf(page: SharedPage): Promise<Ending | null> {
  const isOver = (await page.site.isOver?.(asking(page))) ?? false;
  return isOver ? { answer: null, infeasible: false } : null;
}

function noTools(tool: string): { code: string; message: string } {
  return { code: 'unknown-command', message: `There is no tool "${tool}": this environment has only its screen.` };
}

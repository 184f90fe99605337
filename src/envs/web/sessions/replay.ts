import { isBrowserAction, type Action } from '../../../core/action.ts';
import { DivergenceError } from '../../../core/errors.ts';
import type { Ending, StepOutcome, Task } from '../../../core/records.ts';
import type { BrowserPool, Viewport } from '../browser/pool.ts';
import { performByHand, performOnElement, pointerAfter } from './perform.ts';
import type { Ask, Site } from './site.ts';
import type { ScriptLibrary } from '../script-analysis/script-library.ts';
import { openTab, type Pictures, type Tab } from '../tab/tab.ts';
import {
  fingerprintOf,
  readState,
  type LateIncidents,
  type PageState,
  type Path,
  type WorkResult,
} from './page-state.ts';
import type { SessionPages } from './session-pages.ts';
import { createSharedPage, type PageLease } from './shared-page.ts';

export interface SiteSessionOptions {
  readonly task: Task;
  readonly pool: BrowserPool;
  readonly viewport: Viewport;
  readonly pictures: Pictures | null;
  openSite(task: Task): Promise<Site>;
  /** What is known of the scripts of these pages. */
  readonly scripts: ScriptLibrary;
  /** The pages of a session and its forks. */
  readonly pages: SessionPages;
  /** Restores of this session are not compared; see `ForkOptions`. */
  readonly unchecked?: boolean | undefined;
}

/** Time of the page that passes with every step: what was just done has had its effect by then. */
export const stepMilliseconds = 500;
export const loadMilliseconds = 1000;

/** Opens the page of a task; once more where the page was lost by looking at it. */
export async function openPage(options: SiteSessionOptions): Promise<PageLease> {
  const isFirst = options.scripts.refused() === null;
  try {
    return await openOnce(options);
  } catch (cause) {
    if (isFirst && options.scripts.refused() !== null) return openOnce(options);
    throw cause;
  }
}

async function openOnce(options: SiteSessionOptions): Promise<PageLease> {
  const { pool, viewport, task, pages, unchecked = false } = options;
  const site = await options.openSite(task);
  try {
    const browserPage = await pool.open(viewport, pages.reclaim);
    try {
      const tab = await openTab(browserPage, site, options.scripts);
      const snapshot = await tab.rest(loadMilliseconds);
      const ending = await readEnding(tab, site);
      const page = createSharedPage({ tab, site, pages }, snapshot);
      return page.join(await readState({ tab, site, snapshot, path: null, ending, unchecked }));
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
export async function replayPath(options: SiteSessionOptions, path: Path | null): Promise<PageLease> {
  const lease = await openPage(options);
  try {
    for (const [index, { action, digest }] of stepsOf(path).entries()) {
      await lease.use(at => takeStep(at, action, lease.lateIncidents));
      const reached = lease.state().digest;
      if (reached !== digest) throw new DivergenceError(index + 1, digest, reached);
    }
    options.pages.add(lease.page);
    return lease;
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

/** Takes a step in a page that shows this state. */
export async function takeStep(
  at: PageState,
  action: Action,
  lateIncidents: LateIncidents,
): Promise<WorkResult<StepOutcome>> {
  const { tab, site, path: before } = at;
  const withStep = (reached: PageState): PageState => ({
    ...reached,
    path: { before, action, digest: reached.digest },
  });
  if (action.kind === 'finish') {
    const ending = { answer: action.answer ?? null, infeasible: action.infeasible === true };
    return { state: withStep(await readState({ ...at, ending })), value: { applied: true, end: 'terminated' } };
  }
  if (action.kind === 'call') return { state: at, value: { applied: false, problem: noTools(action.tool) } };
  site.acting?.(action);
  const { posts } = at.snapshot;
  const problem = await (isBrowserAction(action)
    ? performByHand(tab.page, action, posts)
    : performOnElement(tab.page, action, { byScript: at.unchecked, posts }));
  if (problem !== null) return { state: at, value: { applied: false, problem } };
  const time = action.kind === 'wait' ? action.milliseconds : stepMilliseconds;
  const pointer = pointerAfter(action, at.snapshot.pointer);
  const snapshot = await tab.rest(time, { pointer, unchecked: at.unchecked });
  // What happened while the page was loaded is told with the first step.
  const early = before === null ? at.snapshot.incidents : [];
  const incidents = [...early, ...lateIncidents(), ...snapshot.incidents, ...(site.incidents?.() ?? [])];
  const ending = await readEnding(tab, site);
  const state = withStep(await readState({ ...at, snapshot, ending }));
  const outcome: StepOutcome = {
    applied: true,
    ...(ending === null ? {} : { end: 'terminated' as const }),
    ...(incidents.length === 0 ? {} : { incidents }),
    ...(at.unchecked || site.keeps === false ? {} : { fingerprint: fingerprintOf(snapshot) }),
  };
  return { state, value: outcome };
}

/** Evaluates expressions in a page. */
export function askIn({ page }: Tab): Ask {
  return expression => page.evaluate(expression);
}

/** An episode that its page has ended is over, though the agent did not say so. */
async function readEnding(tab: Tab, site: Site): Promise<Ending | null> {
  const isOver = (await site.isOver?.(askIn(tab))) ?? false;
  return isOver ? { answer: null, infeasible: false } : null;
}

function noTools(tool: string): { code: string; message: string } {
  return { code: 'unknown-command', message: `There is no tool "${tool}": this environment has only its screen.` };
}

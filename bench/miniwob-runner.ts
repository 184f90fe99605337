import { isBrowserAction, type Action } from '../src/core/action.ts';
import type { Problem } from '../src/core/records.ts';
import { click, insert } from '../src/envs/web/browser/input.ts';
import type { BrowserPool, Viewport } from '../src/envs/web/browser/pool.ts';
import type { ProgramPage } from '../src/envs/web/tab/page-program.ts';
import type { Target } from '../src/envs/web/page-program/page-records.ts';
import { performByHand, performOnElement } from '../src/envs/web/sessions/perform.ts';
import { readResult, startEpisode, type MiniwobResult } from '../src/envs/web/sites/miniwob/episode.ts';
import { readMiniwobFolder } from '../src/envs/web/sites/miniwob/folder.ts';
import { createMiniwobSites } from '../src/envs/web/sites/miniwob/sites.ts';
import { openFresh } from '../src/envs/web/sites/miniwob/visit.ts';

export interface RunnerOptions {
  readonly folder: string;
  readonly template: string;
  readonly pool: BrowserPool;
  readonly viewport: Viewport;
}

/** What can be done in a page. */
export type RunnerAction = Exclude<Action, { kind: 'call' | 'finish' }>;

/**
 * Episode after episode in one page, with nothing kept and nothing compared: as fast as it gets. What one episode leaves
 * behind may show in the next, so that what is recorded is not made here.
 */
export interface MiniwobRunner {
  /** Starts the episode of a seed in the place of the last one; gives its instruction. */
  start(seed: number): Promise<string>;
  /** The screen as text, with numbers to act on. */
  look(): Promise<string>;
  /** Acts; the reason when it cannot be done. No time passes by it. */
  act(action: RunnerAction): Promise<Problem | null>;
  /** Lets time of the page pass, and the page come to rest. */
  pass(milliseconds: number): Promise<void>;
  result(): Promise<MiniwobResult>;
  close(): Promise<void>;
}

export async function createMiniwobRunner({ folder, template, pool, viewport }: RunnerOptions): Promise<MiniwobRunner> {
  const sites = createMiniwobSites(await readMiniwobFolder(folder));
  const tab = await openFresh({ pool, viewport }, sites.page(template));
  const { page } = tab;
  const ask = (expression: string): Promise<unknown> => page.evaluate(expression);
  return {
    start: seed => startEpisode(ask, { template, seed }),
    look: () => page.ask<string>('program.look().text'),
    act: action => perform(page, action),
    async pass(milliseconds) {
      await page.ask(`program.settle(${milliseconds})`);
    },
    result: () => readResult(ask),
    close: () => tab.close(),
  };
}

/** The pointer stays where it clicked, and fields are entered without it: parking it would wait for a frame to be drawn. */
async function perform(page: ProgramPage, action: RunnerAction): Promise<Problem | null> {
  if (isBrowserAction(action)) return performByHand(page, action);
  if (action.kind === 'select') return performOnElement(page, action);
  const ref = JSON.stringify(action.ref);
  const place = await page.ask<Target>(`program.actions.locate(${ref})`);
  if ('problem' in place) return { code: place.code, message: place.problem };
  if (action.kind === 'click') {
    await click(page, place);
    return null;
  }
  if (place.entry !== 'text' || action.text === '') return performOnElement(page, action);
  await page.ask(`program.actions.begin(${ref})`);
  await insert(page, action.text);
  await page.ask(`program.actions.complete(${ref})`);
  return null;
}

import type { Environment, Session } from '../../../src/core/contracts.ts';
import type { Observation, Task, Verdict } from '../../../src/core/records.ts';
import type { BrowserPool } from '../../../src/envs/web/browser/pool.ts';
import type { Page } from '../../../src/envs/web/browser/page.ts';
import type { SiteFile } from '../../../src/envs/web/sessions/site.ts';
import { createSiteEnvironment } from '../../../src/envs/web/sessions/site-environment.ts';
import { evaluateIn, readAppearance } from '../../../src/envs/web/tab/appearance.ts';
import { historyText, probeText } from './probe.ts';

/** All that can be known of a page at rest, from outside. */
export interface PageRecord {
  readonly digest: string;
  readonly text: string;
  readonly layout: string;
  readonly probe: readonly string[];
  /** The hash of a screenshot; '' where none was taken, or what moves on the screen. */
  readonly picture: string;
}

/** What takes long to find out, so only at the end. */
interface LastLook {
  /** The state of the history. */
  readonly state: string;
  /** The hash of a screenshot, or what moves on it. */
  readonly picture: string;
}

const movingPrefix = 'moving: ';

/** Whether something on the screen follows the real clock: such a page gets no certificate. */
export function isMoving({ picture }: PageRecord): boolean {
  return picture.startsWith(movingPrefix);
}

/** A generated page as an environment. Its sessions are opened one after the other. */
export interface PageWorld {
  readonly environment: Environment;
  readonly task: Task;
  observe(session: Session): Promise<{ readonly observation: Observation; readonly record: PageRecord }>;
  /** Looks at the page that was opened last for the last time: it is of no use afterwards. */
  lookLast(): Promise<LastLook>;
}

/** Of pages that nobody judges. */
export const undecided: Verdict = {
  pass: false,
  checks: [],
  progress: 0,
  clean: true,
  evidence: { sideEffects: [], answer: null },
};

let probes = 0;

async function createWorld(page: Page): Promise<number> {
  const { frameTree } = await page.send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree');
  const place = { frameId: frameTree.frame.id, worldName: `probe ${++probes}` };
  return (await page.send<{ executionContextId: number }>('Page.createIsolatedWorld', place)).executionContextId;
}

/** One world for each document: to make one takes half as long as to ask. */
const worlds = new WeakMap<Page, Promise<number>>();

function worldOf(page: Page): Promise<number> {
  const known = worlds.get(page);
  if (known !== undefined) return known;
  const stop = page.listen(({ method }) => {
    if (method !== 'Runtime.executionContextsCleared') return;
    worlds.delete(page);
    stop();
  });
  const made = createWorld(page);
  worlds.set(page, made);
  return made;
}

async function readProbe(page: Page): Promise<readonly string[]> {
  const lines = await evaluateIn<readonly string[]>(page, await worldOf(page), probeText);
  if (lines === undefined) throw new Error('The page cannot be probed.');
  return lines;
}

async function lookLast(page: Page): Promise<LastLook> {
  const world = await createWorld(page);
  const state = (await evaluateIn<string>(page, world, historyText)) ?? '';
  const look = await readAppearance(page);
  return { state, picture: 'picture' in look ? look.picture : movingPrefix + look.moving };
}

/** Another page of the site: for frames and links. */
const inner = `<!doctype html><title>Inner</title><p id="p">inner</p><button id="b">Inner up</button><a href="/">Home</a>
<script>let n = 0; globalThis.up = () => { n++ }; globalThis.get = () => n; b.onclick = () => { p.textContent = 'inner ' + ++n }</script>`;

/** An address that a router of the page made up gives the page, as servers of such pages do. */
function fileAt(path: string, write: () => string): SiteFile | null {
  if (path.includes('.')) return null;
  return { body: Buffer.from(path === '/inner' ? inner : write()), type: 'text/html; charset=utf-8' };
}

/** `write` gives the HTML each time the page is loaded. */
export async function createPageWorld(pool: BrowserPool, write: () => string): Promise<PageWorld> {
  let page: Page | null = null;
  const watched: BrowserPool = {
    ...pool,
    async open(viewport) {
      page = await pool.open(viewport);
      return page;
    },
  };
  const environment = createSiteEnvironment(
    {
      id: 'certify',
      title: 'Generated pages',
      tasks: [{ template: 'page', about: 'look', steps: 60, instruction: () => Promise.resolve('Look around.') }],
      openSite: () =>
        Promise.resolve({
          url: 'http://pages.test/',
          headers: {},
          start: Date.UTC(2026, 1, 2, 9),
          seed: 7,
          files: path => Promise.resolve(fileAt(path, write)),
          capture: () => ({ text: '' }),
          restore: () => null,
          verify: () => undecided,
          close: () => undefined,
        }),
      close: () => Promise.resolve(),
    },
    { pool: watched, viewport: { width: 600, height: 400 }, pictures: null },
  );
  return {
    environment,
    task: await environment.task('page', 1),
    async observe(session) {
      const observation = await session.observe();
      const probe = page === null ? [] : await readProbe(page);
      const layout = JSON.stringify(observation.layout ?? null);
      return {
        observation,
        record: { digest: await session.digest(), text: observation.text, layout, probe, picture: '' },
      };
    },
    lookLast: async () => (page === null ? { state: '', picture: '' } : lookLast(page)),
  };
}

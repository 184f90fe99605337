import { hash } from 'node:crypto';
import type { Environment, Session } from '../../src/core/contracts.ts';
import type { Observation, Task, Verdict } from '../../src/core/records.ts';
import type { BrowserPool } from '../../src/envs/web/browser/pool.ts';
import type { Page } from '../../src/envs/web/browser/page.ts';
import type { SiteFile } from '../../src/envs/web/site.ts';
import { createSiteEnvironment } from '../../src/envs/web/site-environment.ts';
import { probeText } from './probe.ts';

/** All that can be known of a page at rest, from outside. */
export interface PageRecord {
  readonly digest: string;
  readonly text: string;
  readonly layout: string;
  readonly probe: readonly string[];
  /** The hash of a screenshot; '' where none was taken. */
  readonly picture: string;
}

/** A generated page as an environment. Its sessions are opened one after the other. */
export interface PageWorld {
  readonly environment: Environment;
  readonly task: Task;
  observe(session: Session): Promise<{ readonly observation: Observation; readonly record: PageRecord }>;
  /** The hash of a screenshot of the page that was opened last, which is of no use afterwards. */
  takePicture(): Promise<string>;
}

/** Of pages that nobody judges. */
export const undecided: Verdict = {
  pass: false,
  checks: [],
  progress: 0,
  clean: true,
  evidence: { trespasses: [], answer: null },
};

let probes = 0;

/**
 * Evaluates in a new world of its own: what the page has patched, and what watches the page, does not hear of it. In a world that
 * was there before, Chromium may return an earlier `history.state`.
 */
async function evaluateApart<T>(page: Page, expression: string): Promise<T | undefined> {
  const { frameTree } = await page.send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree');
  const place = { frameId: frameTree.frame.id, worldName: `probe ${++probes}` };
  const world = await page.send<{ executionContextId: number }>('Page.createIsolatedWorld', place);
  const { result } = await page.send<{ result: { value?: T } }>('Runtime.evaluate', {
    expression,
    contextId: world.executionContextId,
    returnByValue: true,
  });
  return result.value;
}

async function readProbe(page: Page): Promise<readonly string[]> {
  const lines = await evaluateApart<readonly string[]>(page, probeText);
  if (lines === undefined) throw new Error('The page cannot be probed.');
  return lines;
}

/** Carets blink, so they are hidden first. No policy of the page forbids this kind of style sheet. */
const hideCaret = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { caret-color: transparent !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()`;

async function takePicture(page: Page): Promise<string> {
  await evaluateApart(page, hideCaret);
  const { data } = await page.send<{ data: string }>('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
  });
  return hash('sha256', data).slice(0, 16);
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
          restore: () => undefined,
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
    takePicture: async () => (page === null ? '' : takePicture(page)),
  };
}

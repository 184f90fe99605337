import { EspalierError } from '../../core/errors.ts';
import type { Image } from '../../core/records.ts';
import { guardBorder } from './border.ts';
import { LostError } from './browser/connection.ts';
import type { Incident, Page } from './browser/page.ts';
import type { Viewport } from './browser/pool.ts';
import type { Kept, Sight } from './page/keeper.ts';
import { keeperScript, statusText } from './page/keeper-script.ts';
import { watchResources, type Resources } from './resources.ts';
import type { Site } from './site.ts';

/** How pictures of the screen are taken. */
export interface Pictures {
  readonly type: Image['type'];
  /** Draws the numbers of the elements on them. */
  readonly marks: boolean;
}

/** A page at rest: what can be seen, and what it is. */
export interface Moment extends Kept {
  readonly sight: Sight;
  /** Counts the documents that were loaded: a kept moment dies with its document. */
  readonly document: number;
  readonly incidents: readonly Incident[];
}

/** A page of a site, with our keeper in it. */
export interface Tab {
  readonly page: Page;
  /** Lets the page come to rest, and keeps that moment. */
  rest(milliseconds: number): Promise<Moment>;
  /** Puts a moment back; the reason when that cannot be. */
  restore(moment: Moment): Promise<string | null>;
  forget(moments: readonly Moment[]): Promise<void>;
  picture(options: Pictures & Viewport): Promise<Image>;
  close(): Promise<void>;
}

const mostLoads = 8;

export async function openTab(page: Page, site: Omit<Site, 'verify'>): Promise<Tab> {
  const loading = watchLoading(page);
  const resources = watchResources(page);
  const stops = [loading.stop, resources.stop, guardBorder(page, site), hearErrors(page, new URL(site.url).origin)];
  const stop = (): void => stops.forEach(end => end());
  let named = 0;

  /** Moments can be kept only of what is known by name. */
  const nameRoots = async (): Promise<void> => {
    named = loading.documents();
    const { names } = await page.send<{ names: readonly string[] }>('Runtime.globalLexicalScopeNames');
    const roots = names.map(name => `{get(){try{return ${name}}catch{}},set(v){${name}=v}}`);
    await page.evaluate(`espalierKeeper.graph.name([${roots.join(',')}])`);
  };
  const rest = async (milliseconds: number): Promise<Moment> => {
    for (let load = 0; ; load++) {
      await loading.done();
      try {
        if (named !== loading.documents()) await nameRoots();
        const { busy, incidents, ...seen } = await settled(page, resources, {
          milliseconds,
          keeps: site.keeps !== false,
        });
        if (loading.isLoading() && load < mostLoads) continue;
        if (busy !== null) page.report({ kind: 'busy', detail: `the page did not come to rest: ${busy}` });
        for (const incident of incidents) page.report(incident);
        const unsupported = busy ?? seen.unsupported;
        return { ...seen, unsupported, document: loading.documents(), incidents: page.incidents() };
      } catch (cause) {
        // A document that is left while it is asked gives no answer: the next one does.
        if (!(loading.isLoading() || wasLeft(cause)) || load >= mostLoads) throw cause;
      }
    }
  };

  try {
    await loadSite(page, site, loading);
  } catch (cause) {
    stop();
    throw cause;
  }
  return {
    page,
    rest,
    restore: ({ id, document }) =>
      document === loading.documents()
        ? page.evaluate<string | null>(`espalierKeeper.memory.restore(${id})`)
        : Promise.resolve('another page was loaded since'),
    async forget(moments) {
      const ids = moments.filter(({ document }) => document === loading.documents()).map(({ id }) => id);
      if (ids.length > 0 && !page.isLost()) await page.evaluate(`espalierKeeper.memory.forget([${ids.join()}])`);
    },
    picture: options => takePicture(page, options),
    async close() {
      stop();
      await page.close();
    },
  };
}

interface Seen extends Kept {
  readonly sight: Sight;
  readonly busy: string | null;
  readonly incidents: readonly Incident[];
}

interface Rest {
  readonly milliseconds: number;
  readonly keeps: boolean;
}

/** So many frames are drawn while images and the like come in. */
const mostFrames = 120;

async function settled(page: Page, resources: Resources, { milliseconds, keeps }: Rest): Promise<Seen> {
  const before = resources.loaded();
  const seen = await page.evaluate<Seen>(restText(`await espalierKeeper.settle(${milliseconds})`, keeps));
  if (resources.pending() === 0 && resources.loaded() === before) return seen;
  // Places on the screen depend on what is loaded; no time of the page passes by it.
  for (let frame = 0; resources.pending() > 0 && frame < mostFrames; frame++)
    await page.evaluate('espalierKeeper.drawn()');
  const late = resources.pending() > 0 ? `${resources.pending()} of its files were not loaded` : null;
  const again = await page.evaluate<Seen>(restText('await espalierKeeper.drawn(), null', keeps));
  return { ...again, busy: seen.busy ?? late, incidents: [...seen.incidents, ...again.incidents] };
}

function restText(settle: string, keeps: boolean): string {
  return `(async () => {
    const busy = (${settle});
    const sight = espalierKeeper.look(), kept = espalierKeeper.memory.keep();
    ${keeps ? '' : 'espalierKeeper.memory.forget([kept.id]);'}
    return { busy, sight, ...kept, incidents: espalierKeeper.incidents.splice(0) };
  })()`;
}

async function loadSite(page: Page, site: Omit<Site, 'verify'>, loading: Loading): Promise<void> {
  const { url, begin } = site;
  await Promise.all([
    page.send('Page.addScriptToEvaluateOnNewDocument', { source: keeperScript(site) + eventTimeText }),
    page.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    page.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 1 }),
    page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
  ]);
  const { errorText } = await page.send<{ errorText?: string }>('Page.navigate', { url });
  if (errorText !== undefined) {
    const elsewhere = page.incidents().find(({ kind }) => kind === 'blocked');
    throw notLoaded(url, elsewhere === undefined ? errorText : `it leads elsewhere (${elsewhere.detail})`);
  }
  await loading.done();
  const status = await page.evaluate<number>(statusText).catch((cause: unknown) => {
    if (wasLeft(cause)) return 0;
    throw cause;
  });
  if (status >= 400) throw notLoaded(url, `the answer is ${status}`);
  // Nobody goes back to before the start.
  await page.send('Page.resetNavigationHistory');
  await begin?.(expression => page.evaluate(expression));
}

/** Events are told in the time of the page, too: libraries keep them. */
const eventTimeText = `
if (globalThis.espalierKeeper !== undefined) {
  const { time } = globalThis.espalierKeeper;
  Object.defineProperty(Event.prototype, 'timeStamp', { get: () => time.now(), configurable: true, enumerable: true });
}`;

function notLoaded(url: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `${url} cannot be loaded: ${why}.`,
    expected: 'Expected a page that is served there; open it in a browser of yours to see what it says.',
  });
}

/** Tells of what scripts of the page threw and nobody caught. */
function hearErrors(page: Page, origin: string): () => void {
  return page.listen(({ method, params }) => {
    if (method !== 'Runtime.exceptionThrown') return;
    const { text, url, lineNumber, exception } = params['exceptionDetails'] as ThrownDetails;
    const [said = text] = (exception?.description ?? text).split('\n', 1);
    const where = url === undefined ? '' : ` (${url.replace(origin, '')}:${lineNumber + 1})`;
    page.report({ kind: 'error', detail: said.replaceAll(origin, '') + where });
  });
}

interface ThrownDetails {
  readonly text: string;
  readonly url?: string;
  readonly lineNumber: number;
  readonly exception?: { readonly description?: string };
}

function wasLeft(cause: unknown): boolean {
  if (cause instanceof LostError || !(cause instanceof Error)) return false;
  return /context was destroyed|Cannot find context|navigated|espalierKeeper/.test(cause.message);
}

interface Loading {
  isLoading(): boolean;
  /** Documents loaded so far. */
  documents(): number;
  done(): Promise<void>;
  stop(): void;
}

function watchLoading(page: Page): Loading {
  let [isLoading, documents] = [false, 0];
  let waiting: (() => void)[] = [];
  const ended = (): void => {
    isLoading = false;
    const told = waiting;
    waiting = [];
    for (const go of told) go();
  };
  const stop = page.listen(({ method, params }) => {
    const { frame, navigationType } = params as { frame?: { parentId?: string }; navigationType?: string };
    if (method === 'Page.frameStartedNavigating') isLoading = navigationType !== 'sameDocument' || isLoading;
    else if (method === 'Page.frameNavigated' && frame?.parentId === undefined) {
      documents++;
      isLoading = true;
    } else if (method === 'Page.loadEventFired' || method === 'Page.frameStoppedLoading') ended();
  });
  return {
    isLoading: () => isLoading,
    documents: () => documents,
    done: () => (isLoading ? new Promise(resolve => waiting.push(resolve)) : Promise.resolve()),
    stop,
  };
}

export async function takePicture(page: Page, { type, marks, width, height }: Pictures & Viewport): Promise<Image> {
  if (marks) await page.evaluate('espalierKeeper.hand.mark(true)');
  const format = type === 'image/png' ? { format: 'png', optimizeForSpeed: true } : { format: 'jpeg', quality: 80 };
  const { data } = await page.send<{ data: string }>('Page.captureScreenshot', format);
  if (marks) await page.evaluate('espalierKeeper.hand.mark(false)');
  return { type, width, height, data: Buffer.from(data, 'base64') };
}

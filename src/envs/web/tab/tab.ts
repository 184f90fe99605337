import { EspalierError } from '../../../core/errors.ts';
import type { Image } from '../../../core/records.ts';
import { guardOrigin } from '../containment/origin-guard.ts';
import type { Incident } from '../browser/incident-log.ts';
import type { Page } from '../browser/page.ts';
import { click, hover, insert, park, press, type Point } from '../browser/input.ts';
import { deletion, shift } from '../browser/keys.ts';
import type { Viewport } from '../browser/pool.ts';
import { createKnowledge } from '../script-analysis/knowledge.ts';
import { loadLateModules } from '../script-analysis/late-modules.ts';
import { createScriptLibrary } from '../script-analysis/script-library.ts';
import { createScripts, type PageScripts } from '../script-analysis/scripts.ts';
import { given, startInDocuments, type ProgramPage } from './page-program.ts';
import type {
  PageView,
  RestCall,
  RestoreAttempt,
  RestoreCall,
  Restored,
  RestoreOptions,
  SnapshotHandle,
} from '../page-program/page-records.ts';
import { drawPage } from './appearance.ts';
import { hearErrors, refuseDialogs } from './incidents.ts';
import { watchRealClock } from './real-clock.ts';
import { watchParsedRoots, type ParsedRoots } from './parsed-roots.ts';
import { watchFrameLoads, type FrameLoads } from './frame-loads.ts';
import { wasLeft, watchLoading, type Loading } from './loading.ts';
import { watchResources, type Resources } from '../containment/resources.ts';
import type { Site } from '../sessions/site.ts';

/** How pictures of the screen are taken. */
export interface Pictures {
  readonly type: Image['type'];
  /** Draws the numbers of the elements on them. */
  readonly marks: boolean;
}

/** A page at rest: what can be seen, and what it is. */
export interface PageSnapshot extends SnapshotHandle {
  readonly view: PageView;
  /** Counts the documents that were loaded: a kept snapshot dies with its document. */
  readonly document: number;
  readonly incidents: readonly Incident[];
  /** Where the pointer is; null when it is not over the page. */
  readonly pointer: Point | null;
  /** Whether scripts of the document have posted messages. */
  readonly posts: boolean;
}

interface RestOptions {
  readonly pointer: Point | null;
  /** Whether the snapshot is for unchecked restores alone. */
  readonly unchecked: boolean;
}

const inPeace: RestOptions = { pointer: null, unchecked: false };

/** A page of a site, with our program in it. */
export interface Tab {
  readonly page: ProgramPage;
  /** Lets the page come to rest under the pointer, and keeps that snapshot. */
  rest(milliseconds: number, options?: RestOptions): Promise<PageSnapshot>;
  /** Whether the document that a snapshot belongs to is still there. */
  isHere(snapshot: PageSnapshot): boolean;
  /** Restores a snapshot: what the page shows then, or why that cannot be. */
  restore(snapshot: PageSnapshot, options: RestoreOptions): Promise<Restored>;
  forget(snapshots: readonly PageSnapshot[]): Promise<void>;
  picture(options: Pictures & Viewport): Promise<Image>;
  close(): Promise<void>;
}

const mostLoads = 8;

export async function openTab(bare: Page, site: Omit<Site, 'verify'>, library = createScriptLibrary()): Promise<Tab> {
  const keeps = site.keeps !== false;
  const page = await startInDocuments(bare, { page: 'site', start: site.start, seed: site.seed, keeps });
  const [loading, loads, roots] = [watchLoading(page), watchLoads(page), watchParsedRoots()];
  const scripts = createScripts(page, library);
  const heard = [guardOrigin(page, site, { ...loading, onDocument: roots.read }), ...watchBeside(page, site.url)];
  const stop = (): void => [loading.stop, loads.stop, scripts.stop, ...heard].forEach(end => end());
  const knowledge = createKnowledge(page, scripts);
  if (keeps) await scripts.start();
  let [over, met]: [Point | null, number] = [null, 0];
  const rest = async (milliseconds: number, { pointer, unchecked } = inPeace): Promise<PageSnapshot> => {
    loading.begin();
    for (let led = 0; ; ) {
      await loading.done();
      refuseNowhere(loading);
      try {
        const leaves = over !== null && pointer === null;
        const isNew = met !== loading.documents();
        if (keeps && isNew) await readCode(page, scripts, roots);
        if (leaves || isNew) await meet(page, pointer);
        [over, met] = [pointer, loading.documents()];
        const { busy, incidents, ...shown } = await settled(page, loads, { pointer, unchecked, milliseconds, keeps });
        if (loading.isLoading() && led++ < mostLoads) continue;
        const at = { document: loading.documents(), unchecked };
        const seen = keeps ? { ...shown, ...(await knowledge.complete(shown, at)) } : shown;
        if (busy !== null) page.report({ kind: 'busy', detail: `the page did not come to rest: ${busy}` });
        for (const incident of incidents) page.report(incident);
        const unsupported = busy ?? seen.unsupported;
        return { ...seen, unsupported, pointer, document: loading.documents(), incidents: page.incidents() };
      } catch (cause) {
        // A document that is left while it is asked gives no answer: the next one does.
        if (!loading.mayAskAgain(cause)) throw cause;
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
    isHere: ({ document }) => document === loading.documents(),
    async restore({ id, document, pointer }, { unchecked }) {
      if (document !== loading.documents()) return { refused: 'another page was loaded since' };
      const movesPointer = over !== null || pointer !== null;
      over = pointer;
      return restore(page, { id, unchecked, pointer, movesPointer });
    },
    async forget(snapshots) {
      const ids = snapshots.filter(({ document }) => document === loading.documents()).map(({ id }) => id);
      if (ids.length > 0 && !page.isLost()) await page.ask(`program.forget(${given(ids)})`);
    },
    picture: options => takePicture(page, options),
    close: () => (stop(), page.close()),
  };
}

/** Of a new document: whether its parser attached shadow roots, and the modules that it would load later. */
async function readCode(page: ProgramPage, scripts: PageScripts, roots: ParsedRoots): Promise<void> {
  if (await roots.mayBeIn(page)) await page.ask('program.state.noteParsedRoots()');
  await loadLateModules(page, scripts);
}

/** Hears of errors, dialogs and the real clock. Gives back how to stop. */
const watchBeside = (page: ProgramPage, url: string): (() => void)[] => [
  hearErrors(page, new URL(url).origin),
  refuseDialogs(page),
  watchRealClock(page),
];

interface Seen extends SnapshotHandle {
  readonly view: PageView;
  readonly busy: string | null;
  readonly posts: boolean;
  readonly incidents: readonly Incident[];
}

interface Rest extends RestOptions {
  readonly milliseconds: number;
  readonly keeps: boolean;
}

/** So many frames are drawn while images and the like come in. */
const mostFrames = 120;

interface Loads {
  readonly resources: Resources;
  readonly frames: FrameLoads;
  stop(): void;
}

function watchLoads(page: ProgramPage): Loads {
  const [resources, frames] = [watchResources(page), watchFrameLoads(page)];
  const stop = (): void => [resources.stop, frames.stop].forEach(end => end());
  return { resources, frames, stop };
}

async function settled(page: ProgramPage, loads: Loads, rest: Rest): Promise<Seen> {
  const seen = await settledWithLoads(page, loads, rest);
  await forgetLoaded(page);
  return seen;
}

async function settledWithLoads(page: ProgramPage, { resources, frames }: Loads, rest: Rest): Promise<Seen> {
  await codeLoaded(page, resources);
  const [before, begun] = [resources.loaded(), resources.codeBegun()];
  const seen = await settledWithFrames(page, frames, rest);
  if (resources.codeBegun() > begun) page.noteRealClock(codeBesideTimers);
  if (resources.pending() === 0 && resources.loaded() === before) return seen;
  // Places on the screen depend on what is loaded; no time of the page passes by it.
  for (let frame = 0; resources.pending() > 0 && frame < mostFrames; frame++) await page.ask('program.drawn()');
  const late = resources.pending() > 0 ? `${resources.pending()} of its files were not loaded` : null;
  return lookedAgain(page, { seen, milliseconds: null, late }, rest);
}

const codeBesideTimers = 'a script or style sheet that was loaded while timers ran: which of them was first is chance';

/** Scripts and style sheets that an action asked for come before any timer of the page runs, and so do those that they ask for. */
async function codeLoaded(page: ProgramPage, resources: Resources): Promise<void> {
  // The browser tells of a request before it answers.
  await page.ask('program.hasFrames()');
  for (let frame = 0; resources.codePending() > 0; frame++) {
    if (frame >= mostFrames) return;
    await page.ask('program.drawn()');
    // What has come in runs, and is heard of, a task later.
    if (resources.codePending() === 0) await page.ask('program.drawnOut()');
  }
}

interface Again {
  readonly seen: Seen;
  /** How long it settles; null where a frame is enough. */
  readonly milliseconds: number | null;
  readonly late: string | null;
}

async function lookedAgain(page: ProgramPage, { seen, milliseconds, late }: Again, rest: Rest): Promise<Seen> {
  const again = await page.ask<Seen>(restText({ milliseconds }, rest));
  const busy = seen.busy ?? late ?? again.busy;
  return { ...again, busy, incidents: [...seen.incidents, ...again.incidents] };
}

const lateFrame = 'a frame that took longer than a second to load';

/** Frames load before any timer of the page runs. What is loaded while timers run comes at a moment that is chance. */
async function settledWithFrames(page: ProgramPage, frames: FrameLoads, rest: Rest): Promise<Seen> {
  let isLate = false;
  const wait = async (): Promise<void> => {
    // The browser tells of a load before it answers.
    await page.ask('program.hasFrames()');
    if (await frames.done()) return;
    isLate = true;
    page.noteRealClock(lateFrame);
  };
  const isAsked = frames.any() || (rest.pointer !== null && (await page.ask<boolean>('program.hasFrames()')));
  if (isAsked) await wait();
  let begun = frames.begun();
  let seen = await settledUnder(page, rest, isAsked);
  if (seen === null) {
    await wait();
    begun = frames.begun();
    seen = (await settledUnder(page, rest, true)) as Seen;
  }
  if (frames.begun() > begun) {
    page.noteRealClock('a frame that was loaded while timers ran: which of them was first is chance');
    await wait();
    seen = await lookedAgain(page, { seen, milliseconds: 0, late: null }, rest);
  }
  return isLate ? { ...seen, busy: seen.busy ?? lateFrame } : seen;
}

/** Null, and nothing is done, when the page has frames that nobody asked for. */
async function settledUnder(page: ProgramPage, rest: Rest, isAsked: boolean): Promise<Seen | null> {
  const { milliseconds, pointer } = rest;
  if (pointer !== null) {
    await page.ask(`program.settleBlind(${milliseconds})`);
    await hover(page, pointer);
    await page.ask('program.see()');
  }
  const time = pointer === null ? milliseconds : 0;
  const text = restText({ milliseconds: time, at: pointer }, rest);
  return page.ask<Seen | null>(isAsked || pointer !== null ? text : `program.hasFrames() ? null : ${text}`);
}

function restText(how: Pick<RestCall, 'milliseconds' | 'at'>, { keeps, unchecked }: Rest): string {
  const call: RestCall = { ...how, keeps, unchecked };
  return `program.rest(${given(call)})`;
}

/**
 * Puts the pointer where it is in a document that is new, and takes it off a page where the action did not. Scripts do not
 * hear of it here: `program.pointer.at` tells them.
 */
async function meet(page: ProgramPage, pointer: Point | null): Promise<void> {
  await page.ask('program.listeners.blind(true)');
  await (pointer === null ? park(page) : hover(page, pointer));
  await page.ask('program.see()');
}

interface Wanted extends RestoreOptions {
  readonly id: number;
  readonly pointer: Point | null;
  readonly movesPointer: boolean;
}

/** One message to the page, or two: then the pointer is moved and the text typed in between, by hand, and no script hears of it. */
async function restore(page: ProgramPage, { id, unchecked, pointer, movesPointer }: Wanted): Promise<Restored> {
  const ask = <T>(phase: RestoreCall['phase']): Promise<T> =>
    page.ask<T>(`program.restore(${id}, ${given({ unchecked, phase })})`);
  const begun = await withHand(page, () => ask<Restored | RestoreAttempt>(movesPointer ? 'begin' : undefined));
  if (!('typing' in begun)) return begun;
  if (movesPointer) await (pointer === null ? park(page) : hover(page, pointer));
  if (begun.typing !== null) await (begun.typing === '' ? press(page, deletion) : insert(page, begun.typing));
  return ask('finish');
}

type WithoutHand<T> = Exclude<T, { readonly hand: unknown }>;

/** Asks again once the key or the mouse was pressed that the page asks for. */
async function withHand<T extends object>(page: ProgramPage, ask: () => Promise<T>): Promise<WithoutHand<T>> {
  const first = await ask();
  if (!('hand' in first)) return first as WithoutHand<T>;
  if (first.hand === 'key') await press(page, shift);
  else {
    await click(page, { x: 1, y: 1 });
    await park(page);
  }
  return (await ask()) as WithoutHand<T>;
}

/** An image that was shown before is there at once, and pages see that; so nothing is kept from one step to the next. */
function forgetLoaded(page: Page): Promise<unknown> {
  return page.send('Network.setCacheDisabled', { cacheDisabled: true });
}

async function loadSite(page: ProgramPage, site: Omit<Site, 'verify'>, loading: Loading): Promise<void> {
  const { url, begin } = site;
  await Promise.all([
    page.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    page.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 1 }),
    // What is cached ages by the real clock.
    forgetLoaded(page),
    page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    // No animation follows the real clock, in shadow roots and frames neither.
    page.send('Animation.enable'),
    page.send('Animation.setPlaybackRate', { playbackRate: 0 }),
    // Tells of players, also of those that stand in no document.
    page.send('Media.enable'),
    site.watch?.(page),
  ]);
  const { errorText } = await page.send<{ errorText?: string }>('Page.navigate', { url });
  if (errorText !== undefined) {
    const elsewhere = page.incidents().find(({ kind }) => kind === 'blocked');
    throw notLoaded(url, elsewhere === undefined ? errorText : `it leads elsewhere (${elsewhere.detail})`);
  }
  await loading.done();
  const status = await page.ask<number>('program.status()').catch((cause: unknown) => {
    if (wasLeft(cause)) return 0;
    throw cause;
  });
  if (status >= 400) throw notLoaded(url, `the answer is ${status}`);
  // Nobody goes back to before the start.
  await whenAttached(loading, () => page.send('Page.resetNavigationHistory'));
  await begin?.(expression => page.evaluate(expression));
}

/** Asks the browser about a page that may be led on meanwhile: between two documents it refuses. */
async function whenAttached<T>(loading: Loading, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      if (!loading.mayAskAgain(cause)) throw cause;
      await loading.done();
    }
  }
}

function refuseNowhere(loading: Loading): void {
  const nowhere = loading.unreachable();
  if (nowhere !== null) throw notLoaded(nowhere, 'nobody answers there');
}

function notLoaded(url: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `${url} cannot be loaded: ${why}.`,
    expected: 'Expected a page that is served there; open it in a browser of yours to see what it says.',
  });
}

export async function takePicture(
  page: ProgramPage,
  { type, marks, width, height }: Pictures & Viewport,
): Promise<Image> {
  if (marks) await page.ask('program.actions.mark(true)');
  const format = type === 'image/png' ? { format: 'png', optimizeForSpeed: true } : { format: 'jpeg', quality: 80 };
  const data = await drawPage(page, format);
  if (marks) await page.ask('program.actions.mark(false)');
  return { type, width, height, data: Buffer.from(data, 'base64') };
}

import type { Page } from '../browser/page.ts';

/** Parts of a page that run beside its documents, and cannot be given its clock. */
const beside: Readonly<Record<string, string>> = {
  worker: 'a worker runs on the real clock',
  shared_worker: 'a shared worker runs on the real clock',
  service_worker: 'a service worker runs on the real clock',
  worklet: 'a worklet runs on the real clock',
  iframe: 'a frame with a process of its own runs on the real clock',
};

/** Notes what runs on the real clock from now on, seen from outside. Gives back how to stop. */
export function watchRealClock(page: Pick<Page, 'listen' | 'onTarget' | 'noteRealClock'>): () => void {
  const stops = [
    // Such a part is held until this has been told: it cannot act before.
    page.onTarget(({ type }) => {
      page.noteRealClock(beside[type] ?? `a ${type} runs on the real clock`);
      return Promise.resolve();
    }),
    page.listen(({ method, params }) => {
      if (method === 'Media.playerCreated') page.noteRealClock('a player of media, which runs on the real clock');
      if (method !== 'Page.frameScheduledNavigation') return;
      const { reason, delay } = params as { reason?: string; delay?: number };
      const isRefresh = reason === 'metaTagRefresh' || reason === 'httpHeaderRefresh';
      if (isRefresh && (delay ?? 1) > 0) page.noteRealClock('a page that loads itself again after a while (refresh)');
    }),
  ];
  return () => stops.forEach(stop => stop());
}

/** No episode lasts so long, in seconds. */
const day = 24 * 60 * 60;

interface Cookie {
  readonly name: string;
  /** In seconds since 1970. */
  readonly expires: number;
  readonly session: boolean;
}

/** What in a page followed the real clock, or real chance, since it was opened. Null: nothing that is known. */
export async function realClockIn(page: Pick<Page, 'send' | 'realClock' | 'cameNearStackEnd'>): Promise<string | null> {
  const noted = page.realClock();
  if (noted !== null) return noted;
  if (await page.cameNearStackEnd()) return 'calls near the end of the stack: how deep they can go is chance';
  const { cookies } = await page.send<{ cookies: readonly Cookie[] }>('Network.getAllCookies');
  const lasting = cookies.filter(({ session }) => !session);
  if (lasting.length === 0) return null;
  const until = (await realNow(page)) / 1000 + day;
  const short = lasting.find(({ expires }) => expires < until);
  return short === undefined ? null : `a cookie that expires within a day (${short.name.slice(0, 40)})`;
}

/** What the browser's own clock says, in a world in which nothing is replaced. */
async function realNow(page: Pick<Page, 'send'>): Promise<number> {
  const { frameTree } = await page.send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree');
  const world = { frameId: frameTree.frame.id, worldName: 'espalier clock' };
  const { executionContextId: contextId } = await page.send<{ executionContextId: number }>(
    'Page.createIsolatedWorld',
    world,
  );
  const question = { expression: '+new Date', contextId, returnByValue: true };
  return (await page.send<{ result: { value: number } }>('Runtime.evaluate', question)).result.value;
}

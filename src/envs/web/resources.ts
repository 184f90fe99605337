import type { Page } from './browser/page.ts';

/** What a page is still loading for its looks. */
export interface Resources {
  pending(): number;
  /** How many have come in so far. */
  loaded(): number;
  stop(): void;
}

/** Scripts that ask for data are counted in the page; streams need never end. */
const awaited: ReadonlySet<unknown> = new Set(['Image', 'Font', 'Stylesheet', 'Script']);

export function watchResources(page: Page): Resources {
  const loading = new Set<unknown>();
  let loaded = 0;
  const stop = page.listen(({ method, params }) => {
    const { requestId, type, frame } = params as { requestId?: string; type?: string; frame?: { parentId?: string } };
    if (method === 'Network.requestWillBeSent' && awaited.has(type)) loading.add(requestId);
    else if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed')
      loaded += Number(loading.delete(requestId));
    // What another document still waited for, nobody waits for any more.
    else if (method === 'Page.frameNavigated' && frame?.parentId === undefined) loading.clear();
  });
  return { pending: () => loading.size, loaded: () => loaded, stop };
}

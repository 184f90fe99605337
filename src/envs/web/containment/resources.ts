import type { Page } from '../browser/page.ts';

/** What a page is still loading for its looks. */
export interface Resources {
  pending(): number;
  /** How many have come in so far. */
  loaded(): number;
  /** Scripts and style sheets among those that are still loading. */
  codePending(): number;
  /** Scripts and style sheets that were asked for so far. */
  codeBegun(): number;
  stop(): void;
}

/** Scripts that ask for data are counted in the page; streams need never end. */
const awaited: ReadonlySet<unknown> = new Set(['Image', 'Font', 'Stylesheet', 'Script']);

/** They do something when they have come in, and scripts hear of it. */
const code: ReadonlySet<unknown> = new Set(['Stylesheet', 'Script']);

export function watchResources(page: Page): Resources {
  /** Their addresses by the id of the request. */
  const loading = new Map<unknown, string | undefined>();
  /** Scripts of workers: only the worker is told when its script has come in. */
  const workers = new Set<string | undefined>();
  const codeLoading = new Set<unknown>();
  let [loaded, codeBegun] = [0, 0];
  const stopTargets = page.onTarget(async ({ url }) => {
    workers.add(url);
    for (const [id, address] of loading) {
      if (address !== url) continue;
      loading.delete(id);
      codeLoading.delete(id);
    }
  });
  const stopPage = page.listen(({ method, params }) => {
    const { requestId, type, frame, request } = params as ResourceEvent;
    if (method === 'Network.requestWillBeSent' && awaited.has(type) && !workers.has(request?.url)) {
      loading.set(requestId, request?.url);
      if (code.has(type)) codeLoading.add(requestId);
      codeBegun += Number(code.has(type));
    } else if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') {
      loaded += Number(loading.delete(requestId));
      codeLoading.delete(requestId);
      // What another document still waited for, nobody waits for any more.
    } else if (method === 'Page.frameNavigated' && frame?.parentId === undefined) {
      loading.clear();
      codeLoading.clear();
    }
  });
  const stop = (): void => {
    stopTargets();
    stopPage();
  };
  return {
    pending: () => loading.size,
    loaded: () => loaded,
    codePending: () => codeLoading.size,
    codeBegun: () => codeBegun,
    stop,
  };
}

interface ResourceEvent {
  readonly requestId?: string;
  readonly type?: string;
  readonly frame?: { readonly parentId?: string };
  readonly request?: { readonly url: string };
}

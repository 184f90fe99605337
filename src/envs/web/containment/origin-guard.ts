import type { BrowserEvent } from '../browser/connection.ts';
import type { Page } from '../browser/page.ts';
import type { PageTarget } from './targets.ts';
import type { Site, SiteFile } from '../sessions/site.ts';

export interface OriginGuardOptions {
  /** Whether the page must not load another document now. */
  mustStay(): boolean;
}

/** Lets a page reach its own site, and nothing else; its workers and frames too. Gives back how to stop. */
export function guardOrigin(
  page: Page,
  site: Pick<Site, 'url' | 'port' | 'headers' | 'files' | 'sign'>,
  options: OriginGuardOptions,
): () => void {
  const { url, headers, files, sign } = site;
  const { origin } = new URL(url);
  const added = headersOf(headers);
  // Where no server stands behind the pages, nothing ever leaves the browser.
  if (files === undefined) page.allow(origin, site.port);
  const answer = async (send: Send, { requestId, request, resourceType, frameId }: PausedRequest): Promise<unknown> => {
    const asked = URL.canParse(request.url) ? new URL(request.url) : null;
    if (asked?.origin !== origin) {
      page.report({ kind: 'blocked', detail: `${request.method} ${request.url}` });
      // A page that is aborted stays where it was; one that is blocked would make way for an error page.
      const errorReason = resourceType === 'Document' ? 'Aborted' : 'BlockedByClient';
      return send('Fetch.failRequest', { requestId, errorReason });
    }
    if (resourceType === 'Document' && options.mustStay()) {
      page.report({ kind: 'busy', detail: `the page loads itself again and again: ${request.url} was not loaded` });
      return send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    }
    if (files !== undefined) return send('Fetch.fulfillRequest', { requestId, ...(await fileAt(files, asked)) });
    const signed = headersOf((await sign?.({ ...request, resourceType, frameId })) ?? {});
    return send('Fetch.continueRequest', { requestId, headers: [...headersOf(request.headers), ...added, ...signed] });
  };
  const hearing = (send: Send) => (event: BrowserEvent) => {
    if (event.method !== 'Fetch.requestPaused') return;
    // A page that is gone meanwhile needs no answer.
    answer(send, event.params as unknown as PausedRequest).catch(() => null);
  };
  const stops = [
    page.listen(hearing(page.send)),
    page.onTarget(async target => {
      target.listen(hearing(target.send));
      await intercept(target);
    }),
  ];
  return () => stops.forEach(stop => stop());
}

type Send = PageTarget['send'];

/** What dedicated workers and worklets ask for is asked by their page, which is intercepted already. */
async function intercept({ type, send }: PageTarget): Promise<void> {
  const enabled = send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  await (type === 'worker' || type === 'worklet' ? enabled.catch(() => null) : enabled);
}

async function fileAt(files: NonNullable<Site['files']>, { pathname }: URL): Promise<Record<string, unknown>> {
  const file = await files(decoded(pathname)).catch(() => undefined);
  if (file === undefined) return { responseCode: 500 };
  return file === null ? { responseCode: 404 } : { responseCode: 200, ...contentOf(file) };
}

function contentOf({ type, body }: SiteFile): Record<string, unknown> {
  return { responseHeaders: headersOf({ 'content-type': type }), body: body.toString('base64') };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function headersOf(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

interface PausedRequest {
  readonly requestId: string;
  readonly resourceType: string;
  readonly frameId?: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

import type { Page } from './browser/page.ts';
import type { Site, SiteFile } from './site.ts';

type Bordered = Pick<Site, 'url' | 'headers' | 'files' | 'sign'>;

/** Lets a page reach its own site, and nothing else. Gives back how to stop. */
export function guardBorder(page: Page, { url, headers, files, sign }: Bordered): () => void {
  const { origin } = new URL(url);
  const added = headersOf(headers);
  const answer = async ({ requestId, request, resourceType, frameId }: PausedRequest): Promise<unknown> => {
    const asked = URL.canParse(request.url) ? new URL(request.url) : null;
    if (asked?.origin !== origin) {
      page.report({ kind: 'blocked', detail: `${request.method} ${request.url}` });
      // A page that is aborted stays where it was; one that is blocked would make way for an error page.
      const errorReason = resourceType === 'Document' ? 'Aborted' : 'BlockedByClient';
      return page.send('Fetch.failRequest', { requestId, errorReason });
    }
    if (files !== undefined) return page.send('Fetch.fulfillRequest', { requestId, ...(await fileAt(files, asked)) });
    const signed = headersOf((await sign?.({ ...request, resourceType, frameId })) ?? {});
    return page.send('Fetch.continueRequest', {
      requestId,
      headers: [...headersOf(request.headers), ...added, ...signed],
    });
  };
  return page.listen(({ method, params }) => {
    if (method !== 'Fetch.requestPaused') return;
    // A page that is gone meanwhile needs no answer.
    answer(params as unknown as PausedRequest).catch(() => null);
  });
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

import type { BrowserEvent } from '../browser/connection.ts';
import type { Page } from '../browser/page.ts';
import { orderAnswers } from './answer-order.ts';
import type { PageTarget } from './targets.ts';
import type { Site, SiteFile } from '../sessions/site.ts';

export interface OriginGuardOptions {
  /** Whether the page must not load another document now. */
  mustStay(): boolean;
  /** Hears what a document was written in before the page gets it, by its number in the network. */
  onDocument(id: string, source: Buffer): void;
}

/** Lets a page reach its own site and what that allows, and nothing else; its workers and frames too. Gives back how to stop. */
export function guardOrigin(
  page: Page,
  site: Pick<Site, 'url' | 'port' | 'headers' | 'files' | 'sign' | 'allow' | 'answers'>,
  options: OriginGuardOptions,
): () => void {
  const { url, headers, files, sign, allow = [], answers } = site;
  const { origin } = new URL(url);
  const added = headersOf(headers);
  const reached = new Set([origin, ...allow]);
  // Where no server stands behind the pages, nothing ever leaves the browser.
  const isPlayed = (place: string): boolean => answers?.find !== undefined && answers.covers(place);
  const open = files === undefined ? [...reached].filter(place => !isPlayed(place)) : [];
  for (const place of open) page.allow(place, place === origin ? site.port : undefined);
  const order = orderAnswers(page);
  const answer = async (send: Send, paused: PausedRequest): Promise<unknown> => {
    const { requestId, request, resourceType, frameId } = paused;
    if (isTabIcon(paused)) return send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    const asked = URL.canParse(request.url) ? new URL(request.url) : null;
    const block = (why: string): Promise<unknown> => {
      page.report({ kind: 'blocked', detail: `${request.method} ${request.url}${why}` });
      // A page that is aborted stays where it was; one that is blocked would make way for an error page.
      const errorReason = resourceType === 'Document' ? 'Aborted' : 'BlockedByClient';
      return send('Fetch.failRequest', { requestId, errorReason });
    };
    if (asked === null || !reached.has(asked.origin)) return block('');
    if (resourceType === 'Document' && options.mustStay()) {
      page.report({ kind: 'busy', detail: `the page loads itself again and again: ${request.url} was not loaded` });
      return send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    }
    // The network of workers and of frames elsewhere tells nothing here.
    if (send === page.send) await order.turn(paused);
    if (files !== undefined) return fulfill(send, paused, { ...options, found: await fileAt(files, asked) });
    const signed = headersOf((await sign?.({ ...request, resourceType, frameId })) ?? {});
    if (answers?.find !== undefined && isPlayed(asked.origin)) {
      const found = answers.find(request);
      return found === null ? block(' is not in the recording') : fulfill(send, paused, { ...options, found });
    }
    // What a page is known by is for its own server alone.
    const own = asked.origin === origin ? added : [];
    const interceptResponse = isDocument(paused) || mayRecord(answers, asked.origin);
    const sent = { requestId, headers: [...headersOf(request.headers), ...own, ...signed] };
    return send('Fetch.continueRequest', interceptResponse ? { ...sent, interceptResponse } : sent);
  };
  const hearing = (send: Send) => (event: BrowserEvent) => {
    if (event.method !== 'Fetch.requestPaused') return;
    const paused = event.params as unknown as PausedRequest;
    const isAnswered = paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined;
    // A page that is gone meanwhile needs no answer.
    (isAnswered ? hear(send, paused, { ...options, answers }) : answer(send, paused)).catch(() => null);
  };
  const stops = [
    order.stop,
    page.listen(hearing(page.send)),
    page.onTarget(async target => {
      target.listen(hearing(target.send));
      await intercept(target);
    }),
  ];
  return () => stops.forEach(stop => stop());
}

type Send = PageTarget['send'];

interface Fulfilling extends Pick<OriginGuardOptions, 'onDocument'> {
  readonly found: Given;
}

/** Answers in the place of a server. */
function fulfill(send: Send, paused: PausedRequest, { found, onDocument }: Fulfilling): Promise<unknown> {
  const { requestId, networkId = '' } = paused;
  if (isDocument(paused)) onDocument(networkId, Buffer.from(found.body ?? '', 'base64'));
  return send('Fetch.fulfillRequest', { requestId, ...found });
}

interface Hearing extends Pick<OriginGuardOptions, 'onDocument'> {
  readonly answers: Site['answers'];
}

/** Tells of an answer before the page gets it. */
async function hear(send: Send, paused: PausedRequest, { answers, onDocument }: Hearing): Promise<void> {
  const { requestId, networkId = '', request } = paused;
  const read = await readAnswer(send, paused);
  if (read !== null && isDocument(paused)) onDocument(networkId, read.body);
  if (read !== null && mayRecord(answers, new URL(request.url).origin))
    answers?.record?.(request, { ...read, body: read.body.toString('base64') });
  await send('Fetch.continueResponse', { requestId });
}

function mayRecord(answers: Site['answers'], origin: string): boolean {
  return answers?.record !== undefined && answers.covers(origin);
}

/** Reads an answer before the page gets it. Streams need never end, and redirections have no body. */
async function readAnswer(send: Send, paused: PausedRequest): Promise<ReadAnswer | null> {
  const { requestId, responseStatusCode: responseCode, responseHeaders = [] } = paused;
  const isStream = responseHeaders.some(
    ({ name, value }) => /^content-type$/i.test(name) && /event-stream/.test(value),
  );
  if (responseCode === undefined || isStream) return null;
  const hasBody = responseCode < 300 || responseCode >= 400;
  const got = hasBody ? ((await send('Fetch.getResponseBody', { requestId })) as ReceivedBody) : null;
  const encoding = got?.base64Encoded === true ? 'base64' : 'utf8';
  return { responseCode, responseHeaders, body: Buffer.from(got?.body ?? '', encoding) };
}

interface ReadAnswer {
  readonly responseCode: number;
  readonly responseHeaders: NonNullable<PausedRequest['responseHeaders']>;
  readonly body: Buffer;
}

const isDocument = ({ resourceType }: PausedRequest): boolean => resourceType === 'Document';

/** What the browser asks for by itself, at a time of its own, for a tab that nobody sees. */
function isTabIcon({ resourceType, request }: PausedRequest): boolean {
  const { Accept: accepted = '' } = request.headers;
  return resourceType === 'Other' && accepted.startsWith('image/');
}

/** An answer that no server gave; the body is in base64. */
interface Given {
  readonly responseCode: number;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
  readonly body?: string;
}

interface ReceivedBody {
  readonly body: string;
  readonly base64Encoded: boolean;
}

/** What dedicated workers and worklets ask for is asked by their page, which is intercepted already. */
async function intercept({ type, send }: PageTarget): Promise<void> {
  const enabled = send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  await (type === 'worker' || type === 'worklet' ? enabled.catch(() => null) : enabled);
}

async function fileAt(files: NonNullable<Site['files']>, { pathname }: URL): Promise<Given> {
  const file = await files(decoded(pathname)).catch(() => undefined);
  if (file === undefined) return { responseCode: 500 };
  return file === null ? { responseCode: 404 } : { responseCode: 200, ...contentOf(file) };
}

function contentOf({ type, body }: SiteFile): Omit<Given, 'responseCode'> {
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
  /** What the network calls it. */
  readonly networkId?: string;
  readonly resourceType: string;
  readonly frameId?: string;
  /** Of an answer that waits. */
  readonly responseStatusCode?: number;
  readonly responseErrorReason?: string;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly postData?: string;
  };
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { causeText, EspalierError } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import type { Dialect } from '../../models/dialects/dialect.ts';
import { dialectOf } from '../../models/dialects/dialects.ts';
import { keyOf, readEndpoint, type Endpoint } from '../../models/endpoints/endpoint.ts';
import { listen } from '../../serve/http.ts';
import type { RecordedAttempt } from '../../serve/proxy/record/call-record.ts';
import { keepAttempt } from '../../serve/proxy/record/episode.ts';
import { readFaults } from '../../serve/proxy/faults.ts';
import { createProxy, type Proxy } from '../../serve/proxy/proxy.ts';
import { openSessions, type SessionFiles } from '../../serve/proxy/sessions.ts';
import type { Upstream } from '../../serve/proxy/upstream.ts';
import type { Store } from '../../store/store.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { closeAfter, openRunForWriting, runNameOf } from '../../runs/folder/folder.ts';
import { stoppable } from '../terminal/stop.ts';
import { createSystemTimers } from '../../system/clock.ts';

export interface ProxyRequest {
  readonly endpoint: string;
  readonly out: string;
  readonly template: string;
  readonly tokens?: boolean;
  readonly passKey?: boolean;
  readonly faults?: string;
  readonly seed: number;
  readonly host: string;
  readonly port: number;
  readonly json?: boolean;
}

/** Keeps agents from giving their own verdicts; drawn anew for each start when it is not set. */
const verdictKeyName = 'ESPALIER_VERDICT_KEY';
/** How long answers under way may take when the proxy is stopped. */
const graceMilliseconds = 5000;

/** Passes calls on until it is stopped. */
export async function serveProxy(output: Output, request: ProxyRequest): Promise<ExitCode> {
  const { out, faults, seed, tokens = false, passKey = false } = request;
  const upstream = upstreamOf(request);
  const plan = faults === undefined ? null : readFaults(faults, String(seed));
  const store = openRunForWriting(out);
  try {
    const sessions = openSessions(join(out, 'sessions'));
    const keep = createKeeper(output, store, request);
    // Sessions that got their verdict, but were not written as episodes because an earlier proxy was killed.
    for (const attempt of ruledAttempts(output, sessions)) keep(attempt);
    const given = process.env[verdictKeyName] ?? null;
    const verdictKey = given ?? randomBytes(16).toString('hex');
    const proxy = createProxy({
      upstream,
      sessions,
      keep,
      verdictKey,
      clock: { now: () => Date.now() },
      timers: createSystemTimers(),
      wantsTokens: tokens,
      passesKey: passKey,
      ...(plan === null ? {} : { faults: plan }),
    });
    await stoppable(output, ({ signal }) =>
      serve(output, request, { ...proxy, signal, drawnKey: given === null ? verdictKey : null }),
    );
    tellOpen(output, sessions);
    return 0;
  } finally {
    closeAfter(store);
  }
}

async function serve(
  output: Output,
  { host, port, json }: ProxyRequest,
  { handle, close, signal, drawnKey }: Proxy & { readonly signal: AbortSignal; readonly drawnKey: string | null },
): Promise<void> {
  const onFault = (cause: unknown): void => output.note(`broke: ${causeText(cause)}`);
  try {
    const server = await listen(handle, { host, port, onFault });
    announce(output, { url: server.url, drawnKey }, json);
    if (!signal.aborted) await once(signal, 'abort');
    await server.close(AbortSignal.timeout(graceMilliseconds));
  } finally {
    await close();
  }
}

function announce(
  { paint, line, json: print }: Output,
  { url, drawnKey }: { readonly url: string; readonly drawnKey: string | null },
  json: boolean | undefined,
): void {
  // A key that was given is known to whoever gave it, and a log needs none.
  if (json === true) return print({ url, ...(drawnKey !== null && { verdictKey: drawnKey }) });
  line(`Passing calls on at ${paint.bold(url)}`);
  line(paint.dim(`OpenAI clients: ${url}/v1 · Anthropic clients: ${url}`));
  line(
    paint.dim(
      'A session is named by the key s-<name> (s-<name>:<secret> keeps others out), or by the path: /s/<name>/v1',
    ),
  );
  line(paint.dim(`Its verdict: curl ${url}/espalier/sessions/<name>/verdict --json '{"pass":true}' \\`));
  line(paint.dim(`  -H "Authorization: Bearer ${drawnKey ?? `$${verdictKeyName}`}"`));
  line(paint.dim('Ctrl+C stops it.'));
}

function upstreamOf({ endpoint: text, tokens = false, passKey = false }: ProxyRequest): Upstream {
  const endpoint = readEndpoint(text);
  const { name, kind, url, model } = endpoint;
  if (tokens && kind !== 'openai' && kind !== 'espalier') {
    throw new EspalierError({
      boundary: 'input',
      code: 'unsupported',
      message: `Servers such as ${name} do not give tokens.`,
      expected: 'Expected an endpoint that speaks as OpenAI chat does, openai:…, or no --tokens.',
    });
  }
  return {
    endpoint: name,
    dialect: dialectOf(endpoint.dialect.name as Dialect['name']),
    base: url,
    model: model === '*' ? null : model,
    key: passKey ? null : keyFor(endpoint),
  };
}

function keyFor(endpoint: Endpoint): string | null {
  return keyOf(endpoint, name => process.env[name]);
}

function createKeeper(
  { note }: Output,
  store: Store,
  { out, template }: ProxyRequest,
): (attempt: RecordedAttempt) => void {
  const run = runNameOf(out);
  return attempt => {
    if (!keepAttempt(attempt, { journal: store, run, template })) return;
    const { session, calls, ruling } = attempt;
    note(`${session}  ${ruling?.pass === true ? 'passed' : 'failed'} · ${count(calls.length, 'call')}`);
  };
}

/** Reads one session after the other. A damaged one does not stop the others. */
function* ruledAttempts({ note }: Output, sessions: SessionFiles): Generator<RecordedAttempt> {
  for (const name of sessions.names()) {
    try {
      const attempts = sessions.attempts(name);
      for (const text of new Set(attempts.flatMap(({ notes }) => notes))) note(`${name}  ${text}`);
      yield* attempts.filter(({ ruling }) => ruling !== null);
    } catch (cause) {
      note(`${name}  cannot be read: ${causeText(cause)}`);
    }
  }
}

function tellOpen({ note }: Output, sessions: SessionFiles): void {
  const open = sessions.names().filter(name => sessions.standing(name)?.isRuled === false);
  if (open.length > 0)
    note(`${count(open.length, 'session')} without a verdict: ${open.join(', ')}. Start the proxy again to give it.`);
}

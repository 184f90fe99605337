import { randomUUID } from 'node:crypto';
import type { Environment } from '../../core/contracts.ts';
import type { EpisodeEnd } from '../../core/episode/events.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
import type { Task } from '../../core/records.ts';
import { count } from '../../core/text.ts';
import { createEpisodes } from '../../episode/episodes.ts';
import { createTrail } from '../../kernel/trail.ts';
import { listen } from '../../server/http.ts';
import { createMcpEndpoint } from '../../server/mcp/endpoint.ts';
import { createOffer } from '../../server/mcp/offer.ts';
import { serveStreams } from '../../server/mcp/stdio.ts';
import { clientLimits, createClientSession, type ClientSession } from '../../server/mcp/client-session.ts';
import type { Store } from '../../store/store.ts';
import { createSystemHost } from '../../system/host.ts';
import { openEnvironment, requireTemplate } from '../../runs/environments/open-environment.ts';
import type { ExitCode, Output } from '../output.ts';
import { packageVersion } from '../../system/about.ts';
import { openRunForWriting, runNameOf } from '../../runs/folder/folder.ts';
import { stoppable } from '../runs/stop.ts';
import { createSystemClock, createSystemTimers } from '../../system/clock.ts';

export interface McpRequest {
  readonly environment: string;
  readonly task?: string | undefined;
  readonly screen?: boolean;
  readonly http?: boolean;
  readonly host: string;
  readonly port: number;
  readonly idle: number;
  readonly sessions: number;
  readonly out?: string | undefined;
}

/** Offers an environment to clients of the Model Context Protocol until they leave, or it is stopped. */
export async function serveMcp(output: Output, request: McpRequest): Promise<ExitCode> {
  const environment = await openEnvironment(request.environment, { host: createSystemHost() });
  const kept: Store[] = [];
  try {
    const desk = await createDesk(environment, request, { output, kept });
    await stoppable(output, ({ signal }) =>
      request.http === true ? serveHttp(output, request, { ...desk, signal }) : serveStdio(output, desk, signal),
    );
    return 0;
  } finally {
    await environment.close?.();
    for (const store of kept) store.close();
  }
}

/** What both ways of serving share. */
interface Desk {
  readonly about: { readonly title: string; readonly version: string };
  createVisit(task: string | null): Promise<ClientSession>;
}

interface Keeping {
  readonly output: Output;
  /** Stores that were opened. */
  readonly kept: Store[];
}

async function createDesk(environment: Environment, request: McpRequest, { output, kept }: Keeping): Promise<Desk> {
  const { out, http, screen = false } = request;
  const offer = createOffer(environment.id, environment.tools, screen);
  const usual = await taskOf(environment, request.task ?? environment.templates[0]?.id ?? '');
  const openJournal = (folder: string): Store => {
    const store = openRunForWriting(folder);
    kept.push(store);
    return store;
  };
  const episodes = createEpisodes({
    environment,
    journal: out === undefined ? null : () => openJournal(out),
    run: out === undefined ? 'mcp' : runNameOf(out),
    driver: 'mcp',
    clock: createSystemClock(),
    timers: createSystemTimers(),
    createTrail,
    limits: clientLimits,
    // What stands on the error stream of a server on two streams may be shown to its client, who is not to know.
    onEnd: (key, end) => http === true && output.note(`${key}  ${describeEnd(end)}`),
  });
  return {
    about: { title: environment.title, version: packageVersion() },
    async createVisit(named) {
      const task = named === null ? usual : await taskOf(environment, named);
      return createClientSession({ task, offer, episodes });
    },
  };
}

function describeEnd({ outcome, reason, counts }: EpisodeEnd): string {
  return `${outcome}${reason === null ? '' : ` (${reason})`} · ${count(counts.steps, 'step')}`;
}

async function serveStdio(output: Output, { about, createVisit: open }: Desk, signal: AbortSignal): Promise<void> {
  await serveStreams({
    about,
    visit: await open(null),
    input: process.stdin,
    output: process.stdout,
    signal,
    onFault: cause => output.note(`not understood: ${cause.message}`),
  });
}

async function serveHttp(
  output: Output,
  { host, port, idle, sessions }: McpRequest,
  { signal, ...desk }: Desk & { readonly signal: AbortSignal },
): Promise<void> {
  const onFault = (cause: unknown): void => output.note(`broke: ${causeText(cause)}`);
  const endpoint = createMcpEndpoint({
    ...desk,
    onFault,
    createId: randomUUID,
    timers: createSystemTimers(),
    idleMilliseconds: idle * 1000,
    most: sessions,
  });
  const server = await listen(endpoint.handler, { host, port, onFault });
  output.line(`${server.url}/mcp`);
  await new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  // Streams to clients stay open until their sessions have ended.
  const closed = server.close();
  await endpoint.close();
  await closed;
}

/** `star-message`, `star-message/7` or `mail/star-message/7`. */
async function taskOf(environment: Environment, name: string): Promise<Task> {
  const own = `${environment.id}/`;
  const found = /^([^/]+)(?:\/(\d{1,9}))?$/.exec(name.startsWith(own) ? name.slice(own.length) : name);
  if (found === null) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `"${name}" is not a task of "${environment.id}".`,
      expected: `Expected a template of it, and a seed: ${own}${environment.templates[0]?.id ?? 'template'}/1.`,
    });
  }
  return environment.task(requireTemplate(environment, found[1] as string), Number(found[2] ?? 1));
}

import { randomBytes } from 'node:crypto';
import { causeText } from '../../core/errors.ts';
import type { Episodes } from '../../episode/driven/episodes.ts';
import { openEnvironment } from '../../runs/environments/open-environment.ts';
import { taskNamed } from '../../runs/environments/task-name.ts';
import { listen } from '../../serve/http.ts';
import { clientLimits, createClientSession, type ClientSession } from '../../serve/mcp/client-session.ts';
import { createMcpEndpoint } from '../../serve/mcp/endpoint.ts';
import { createOffer } from '../../serve/mcp/offer.ts';
import { serveStreams } from '../../serve/mcp/stdio.ts';
import { sessionId } from '../../serve/sessions/place.ts';
import { packageVersion } from '../../system/about.ts';
import { createSystemTimers } from '../../system/clock.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';
import { openServedEpisodes } from './open-episodes.ts';

export interface McpRequest {
  readonly environment: string;
  readonly task?: string | undefined;
  readonly screen?: boolean;
  readonly http?: boolean;
  readonly host: string;
  readonly port: number;
  readonly place?: { readonly number: number };
  readonly idle: number;
  readonly sessions: number;
  readonly out?: string | undefined;
}

/** Offers an environment to clients of the Model Context Protocol until they leave, or it is stopped. */
export async function serveMcp(output: Output, request: McpRequest): Promise<ExitCode> {
  const { out, http } = request;
  const environment = await openEnvironment(request.environment, { host: createSystemHost() });
  // Clients may show the error stream of a stdio server to the agent. The agent must not see how its episodes ended.
  const note = http === true ? output.note : undefined;
  const name = request.environment;
  const { episodes, close } = openServedEpisodes({ environment, name, driver: 'mcp', limits: clientLimits, out, note });
  try {
    const desk = await createDesk(episodes, request);
    await stoppable(output, ({ signal }) =>
      http === true ? serveHttp(output, request, { ...desk, signal }) : serveStdio(output, desk, signal),
    );
    return 0;
  } finally {
    await close();
  }
}

/** Shared by serving over HTTP and over standard input and output. */
interface Desk {
  readonly about: { readonly title: string; readonly version: string };
  readonly episodes: Episodes;
  createVisit(task: string | null): Promise<ClientSession>;
}

async function createDesk(episodes: Episodes, request: McpRequest): Promise<Desk> {
  const { environment } = episodes;
  const offer = createOffer(environment.id, environment.tools, request.screen ?? false);
  const usual = await taskNamed(environment, request.task ?? environment.templates[0]?.id ?? '');
  return {
    about: { title: environment.title, version: packageVersion() },
    episodes,
    async createVisit(named) {
      const task = named === null ? usual : await taskNamed(environment, named);
      return createClientSession({ task, offer, episodes });
    },
  };
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
  { host, port, place, idle, sessions }: McpRequest,
  { signal, ...desk }: Desk & { readonly signal: AbortSignal },
): Promise<void> {
  const onFault = (cause: unknown): void => output.note(`broke: ${causeText(cause)}`);
  const endpoint = createMcpEndpoint({
    ...desk,
    onFault,
    createId: () => sessionId(place?.number ?? null, randomBytes(16).toString('base64url')),
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
  // This comes before the clients are told, so that nobody waits for a world that hangs.
  await desk.episodes.close();
  await endpoint.close();
  await closed;
}

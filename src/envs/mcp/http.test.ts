import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import { createSystemClock, createSystemTimers } from '../../system/clock.ts';
import type { Action } from '../../core/action.ts';
import type { Environment, Session } from '../../core/contracts.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { createEpisodes } from '../../episode/driven/episodes.ts';
import { createTrail } from '../../worlds/trail.ts';
import { createScripted } from '../../agents/scripted.ts';
import { runEpisodes } from '../../episode/engine.ts';
import { createLinear } from '../../episode/strategies/linear.ts';
import { listen, type Listening } from '../../serve/http.ts';
import { createMcpEndpoint, type McpEndpoint } from '../../serve/mcp/endpoint.ts';
import { createOffer } from '../../serve/mcp/offer.ts';
import { clientLimits, createClientSession } from '../../serve/mcp/client-session.ts';
import { openStore } from '../../store/store.ts';
import { createMcpEnvironment } from './environment.ts';
import type { ToolTasks } from './tasks.ts';

const timers = createSystemTimers();
const clock = createSystemClock();
const star: Action = { kind: 'call', tool: 'star_message', input: { id: 'm7', starred: true } };
const { tasks }: ToolTasks = {
  tasks: [
    {
      id: 'star-parcel',
      instruction: 'Put a star on the message about the parcel.',
      async verify({ call }) {
        const { result } = await call('get_message', { id: 'm7' });
        return (result as { starred: boolean }).starred;
      },
    },
  ],
};

let folder: string;
let endpoint: McpEndpoint;
let server: Listening;
let closing: (() => unknown)[];

beforeEach(async () => {
  closing = [];
  folder = mkdtempSync(join(tmpdir(), 'espalier-tools-http-'));
  const mail = await openBuiltIn('mail');
  const offer = createOffer('mail', mail.tools, false);
  const run = { environment: mail, journal: null, run: 'mcp', driver: 'mcp' };
  const episodes = createEpisodes({ ...run, clock, timers, createTrail, limits: clientLimits });
  let ids = 0;
  endpoint = createMcpEndpoint({
    about: { title: 'Mail', version: '1' },
    timers,
    idleMilliseconds: 600_000,
    most: 64,
    createId: () => `session-${++ids}`,
    onFault: () => undefined,
    createVisit: async () => createClientSession({ task: mail.task('star-message', 1), offer, episodes }),
  });
  server = await listen(endpoint.handler);
});

afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  await endpoint.close();
  await server.close(AbortSignal.abort());
  rmSync(folder, { recursive: true });
});

async function createEnvironment(url = `${server.url}/mcp`): Promise<Environment> {
  const recording = join(folder, 'calls.jsonl');
  const environment = await createMcpEnvironment({ server: { url }, recording, tasks: { tasks }, timers });
  closing.push(() => environment.close?.());
  return environment;
}

async function openSession(environment: Environment): Promise<Session> {
  const session = await environment.open(await environment.task('star-parcel', 1));
  closing.push(() => session.close());
  return session;
}

describe('a server over HTTP', () => {
  it('[MCP-15] has a session for every session, and the newest version of the protocol when it speaks it', async () => {
    for (const path of ['/mcp', '/mcp/one']) {
      const session = await openSession(await createEnvironment(server.url + path));
      expect((await session.verify()).pass).toBe(false);
      expect(await session.step(star)).toEqual({ applied: true, result: 'Done.' });
      expect((await session.verify()).pass).toBe(true);
    }
    const another = await openSession(await createEnvironment());
    expect((await another.verify()).pass).toBe(false);
  });

  it('[MCP-15] obeys the laws of every environment, with the server and without', async () => {
    const environment = await createEnvironment();
    const walked = [await environment.task('star-parcel', 1)];
    const results = await checkLaws(environment, { tasks: walked, steps: 6 });
    expect(results.filter(({ pass }) => !pass)).toEqual([]);
    const recording = join(folder, 'calls.jsonl');
    const recorded = await createMcpEnvironment({ server: null, recording, tasks: { tasks }, timers });
    const again = await checkLaws(recorded, { tasks: walked, steps: 6 });
    expect(again.filter(({ pass }) => !pass)).toEqual([]);
  });

  it('[MCP-15] is lost when it forgets the session or goes away', async () => {
    const environment = await createEnvironment();
    const [forgotten, gone] = [await openSession(environment), await openSession(environment)];
    await endpoint.close();
    const lost = { boundary: 'environment', code: 'unavailable' };
    await expect(forgotten.step(star)).rejects.toMatchObject(lost);
    await server.close(AbortSignal.abort());
    await expect(gone.step(star)).rejects.toMatchObject(lost);
  });

  it('[MCP-15] is garbled when what answers is something else', async () => {
    let isBroken = false;
    const between: Server = createServer((request, response) => {
      if (isBroken) return void response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>');
      const { method, headers, url = '' } = request;
      const onward = ask(server.url + url, { method, headers, agent: false }, answer => {
        answer.on('error', () => response.destroy());
        answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
      });
      request.pipe(onward.on('error', () => response.destroy()));
    });
    await new Promise<void>(resolve => between.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      between.closeAllConnections();
      between.close();
    });
    const { port } = between.address() as AddressInfo;
    const session = await openSession(await createEnvironment(`http://127.0.0.1:${port}/mcp`));
    isBroken = true;
    expect(await session.step(star)).toMatchObject({ applied: true, problem: { code: 'garbled' } });
    isBroken = false;
    expect(await session.step(star)).toEqual({ applied: true, result: 'Done.' });
  });

  it('[MCP-15] loses one episode when it fails there, and the run goes on', async () => {
    const environment = await createEnvironment();
    const store = openStore({ path: join(folder, 'store.db') });
    closing.push(() => store.close());
    const task = await environment.task('star-parcel', 1);
    const agents = { student: 'hand', teacher: null, strategy: 'linear' };
    const plan = [0, 1, 2].map((trial): EpisodeHead => {
      const key = `collect/1/${task.id}/${trial}`;
      return { run: 'r', key, index: trial, phase: 'collect', round: 1, trial, task, ...agents };
    });
    const { outcomes } = await runEpisodes({
      plan,
      seed: '1',
      concurrency: 1,
      journal: store,
      clock,
      timers,
      createTrail,
      start: ({ trial }) => ({
        environment,
        student: {
          name: 'hand',
          async act(view) {
            // The server forgets the second one in the middle.
            if (trial === 1 && view.history.length === 1) await endpoint.close();
            return createScripted({ actions: trial === 1 ? [star, star] : [star, { kind: 'finish' }] }).act(view);
          },
        },
        strategy: createLinear(),
      }),
    });
    expect(outcomes).toEqual({ passed: 2, failed: 0, discarded: 0, errored: 1 });
    const errored = [...store.summaries({ outcome: 'errored' })];
    expect(errored.map(({ head, end }) => [head.trial, end.boundary])).toEqual([[1, 'environment']]);
  });
});

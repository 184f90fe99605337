import { createServer, Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemTimers } from '../../system/clock.ts';
import { send } from './transport.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Answers, and never stops talking after that. */
async function startTalker(): Promise<{ readonly url: string; readonly hungUp: Promise<void> }> {
  const hungUp = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: [DONE]\n\n');
    const talking = setInterval(() => response.write('x'.repeat(2 ** 14)), 2);
    response.once('close', () => {
      clearInterval(talking);
      hungUp.resolve();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hungUp: hungUp.promise };
}

describe('a model server that goes on after its answer has ended', () => {
  it('[MOD-12] is hung up on', async () => {
    const { url, hungUp } = await startTalker();
    const agent = new Agent({ keepAlive: true });
    closing.push(() => agent.destroy());
    const deadlines = { connect: 1000, firstToken: 1000, total: Infinity };
    const letter = { url, agent, headers: {}, body: () => '{}', deadlines, timers: createSystemTimers() };
    await send(letter, { head: () => undefined, text: () => 'done' });
    await expect(hungUp).resolves.toBeUndefined();
  });
});

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGate, type Gate } from './gate.ts';

let server: Server;
let port: number;
const seen: string[] = [];
beforeAll(async () => {
  server = createServer(socket => {
    seen.push('connected');
    socket.on('data', data => socket.end(`heard ${data.toString()}`));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

function asked(host: string, wanted: number, kind: 1 | 3 | 4 = 3): Buffer {
  const address = kind === 3 ? [host.length, ...Buffer.from(host)] : host.split('.').map(Number);
  return Buffer.from([5, 1, 0, kind, ...address, wanted >> 8, wanted & 255]);
}

/** What the gate answers to all that is sent, each piece after an answer to the last. */
async function converse(gate: Gate, ...pieces: readonly (Buffer | string)[]): Promise<string> {
  const socket: Socket = connect(Number(new URL(gate.address).port), '127.0.0.1');
  let heard = '';
  const ended = once(socket, 'close').catch(() => null);
  socket.on('error', () => socket.destroy());
  for (const piece of pieces) {
    socket.write(piece);
    const said = await Promise.race([once(socket, 'data'), ended]);
    if (said === null || !Buffer.isBuffer(said[0])) break;
    heard += said[0].toString('latin1');
  }
  socket.end();
  return heard;
}

const greeting = Buffer.from([5, 1, 0]);
const greeted = '\u0005\u0000';
const answer = (code: number): string =>
  `${greeted}\u0005${String.fromCharCode(code)}\u0000\u0001${'\u0000'.repeat(6)}`;

describe('the gate of a context', () => {
  it('[WEB-35] is shut until an origin is allowed, and tells what it refused', async () => {
    const gate = await openGate();
    const refused: string[] = [];
    gate.onRefused(place => refused.push(place));
    expect(await converse(gate, greeting, asked('127.0.0.1', port))).toBe(answer(2));
    expect([seen, refused]).toEqual([[], [`127.0.0.1:${port}`]]);
    gate.close();
  });

  it('[WEB-35] lets the allowed origin through by its own name only, piece by piece or at once', async () => {
    const gate = await openGate();
    gate.allow(`http://127.0.0.1:${port}/path`);
    const request = asked('127.0.0.1', port);
    expect(await converse(gate, greeting, request, 'hello')).toBe(`${answer(0)}heard hello`);
    expect(await converse(gate, greeting, asked('127.0.0.1', port, 1), 'hello')).toBe(`${answer(0)}heard hello`);
    for (const other of [asked('localhost', port), asked('127.0.0.2', port, 1), asked('127.0.0.1', port + 1)])
      expect(await converse(gate, greeting, other)).toBe(answer(2));
    gate.close();
  });

  it('[WEB-35] cuts off what does not speak its language, or asks for something else', async () => {
    const gate = await openGate();
    gate.allow(`http://127.0.0.1:${port}`);
    seen.length = 0;
    expect(await converse(gate, 'GET / HTTP/1.1\r\n\r\n')).toBe('');
    expect(await converse(gate, greeting, Buffer.alloc(400, 5))).toBe(greeted);
    const bind = asked('127.0.0.1', port);
    bind[1] = 2;
    expect(await converse(gate, greeting, bind)).toBe(answer(7));
    expect(seen).toEqual([]);
    gate.close();
  });
});

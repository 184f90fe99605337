import { hash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Timers } from '../../../core/clock.ts';
import { freePort, startServer } from './run-server.ts';
import type { Store, StoreState } from './store.ts';

interface RedisState extends StoreState {
  readonly keys: readonly RedisKey[];
}

interface RedisKey {
  readonly key: Buffer;
  readonly value: Buffer;
  /** When it ends, in milliseconds since 1970; negative when it does not. */
  readonly ends: number;
}

/** A Redis of its own for a session, without files: its keys are dumped and restored. */
export async function openRedisStore(timers: Timers, scratch: string): Promise<Store> {
  const port = await freePort();
  const bare = ['--save', '', '--appendonly', 'no', '--bind', '127.0.0.1', '--dir', scratch];
  const server = await startServer({
    command: ['redis-server', '--port', String(port), ...bare],
    cwd: scratch,
    env: {},
    timers,
    port,
    ready: null,
    startMilliseconds: 10_000,
  });
  const client = openClient(port);
  const capture = async (): Promise<RedisState> => {
    const names = ((await client.ask('KEYS', '*')) as Buffer[]).toSorted(Buffer.compare);
    const read = async (key: Buffer): Promise<RedisKey> => ({
      key,
      value: (await client.ask('DUMP', key)) as Buffer,
      ends: (await client.ask('PEXPIRETIME', key)) as number,
    });
    const keys = await Promise.all(names.map(read));
    // When keys end follows the real clock.
    const text = keys.flatMap(({ key, value }) => [key.toString('base64'), value.toString('base64')]);
    return { text: hash('sha256', text.join('\n')), keys };
  };
  return {
    values: { redis: `redis://127.0.0.1:${port}` },
    capture,
    async restore(state) {
      await client.ask('FLUSHALL');
      for (const { key, value, ends } of (state as RedisState).keys)
        await client.ask('RESTORE', key, String(Math.max(0, ends)), value, 'ABSTTL');
    },
    async close() {
      client.close();
      await server.close();
    },
  };
}

type Reply = Buffer | number | null | Reply[];

interface Client {
  ask(...words: readonly (string | Buffer)[]): Promise<Reply>;
  close(): void;
}

/** Speaks the protocol of Redis (RESP 2): a command is an array of strings. */
function openClient(port: number): Client {
  const socket: Socket = connect({ port, host: '127.0.0.1' });
  const waiting: PromiseWithResolvers<Reply>[] = [];
  let held: Buffer = Buffer.alloc(0);
  socket.on('data', chunk => {
    held = Buffer.concat([held, chunk]);
    for (let reply = readReply(held, 0); reply !== null; reply = readReply(held, 0)) {
      held = held.subarray(reply.end);
      const next = waiting.shift();
      if (reply.value instanceof Error) next?.reject(reply.value);
      else next?.resolve(reply.value);
    }
  });
  socket.on('error', cause => waiting.splice(0).forEach(({ reject }) => reject(cause)));
  return {
    ask(...words) {
      const answer = Promise.withResolvers<Reply>();
      waiting.push(answer);
      const parts = words.map(word => Buffer.from(word));
      const lengths = parts.flatMap(part => [Buffer.from(`$${part.length}\r\n`), part, Buffer.from('\r\n')]);
      socket.write(Buffer.concat([Buffer.from(`*${parts.length}\r\n`), ...lengths]));
      return answer.promise;
    },
    close: () => socket.destroy(),
  };
}

interface Read {
  readonly value: Reply | Error;
  /** Where the next one begins. */
  readonly end: number;
}

/** Null while a part of it is missing. */
function readReply(held: Buffer, from: number): Read | null {
  const line = held.indexOf('\r\n', from);
  if (line === -1) return null;
  const [kind, text, next] = [String.fromCharCode(held[from] ?? 0), held.toString('utf8', from + 1, line), line + 2];
  if (kind === '+') return { value: Buffer.from(text), end: next };
  if (kind === '-') return { value: new Error(`Redis says: ${text}`), end: next };
  if (kind === ':') return { value: Number(text), end: next };
  const size = Number(text);
  if (size < 0) return { value: null, end: next };
  if (kind === '$')
    return held.length < next + size + 2
      ? null
      : { value: Buffer.from(held.subarray(next, next + size)), end: next + size + 2 };
  const values: Reply[] = [];
  let end = next;
  for (let index = 0; index < size; index++) {
    const item = readReply(held, end);
    if (item === null) return null;
    if (item.value instanceof Error) return { value: item.value, end: item.end };
    values.push(item.value);
    end = item.end;
  }
  return { value: values, end };
}

import { Agent, request } from 'node:http';

/** Streams that are open at once, each of so many pieces, so many milliseconds apart. */
export interface Wave {
  readonly streams: number;
  readonly pieces: number;
  readonly every: number;
}

/** Milliseconds: from asking to the first piece, and from the sending of each later piece to its arrival. */
export interface Waits {
  readonly first: readonly number[];
  readonly later: readonly number[];
}

export interface Client {
  wave(wave: Wave): Promise<Waits>;
  close(): void;
}

/** Asks a server for streams of clocks, over connections that stay open. */
export function createClient(base: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity });
  const url = `${base}/chat/completions`;
  return {
    async wave({ streams, pieces, every }) {
      const content = 'What time is it?';
      const body = JSON.stringify({
        model: 'clock',
        stream: true,
        max_tokens: pieces,
        metadata: { every: String(every) },
        messages: [{ role: 'user', content }],
      });
      // They begin one after the other within the time of a few pieces: nobody sends two hundred questions in one instant.
      const gap = (every * 4) / streams;
      const waits = await Promise.all(
        Array.from({ length: streams }, (_, index) =>
          after(index * gap, () =>
            readStream(request(url, { agent, method: 'POST', headers: headersOf(body, index) }), body),
          ),
        ),
      );
      if (waits.some(({ length }) => length !== pieces)) throw new Error('A stream was cut.');
      return { first: waits.map(([first]) => first as number), later: waits.flatMap(([, ...later]) => later) };
    },
    close: () => agent.destroy(),
  };
}

function headersOf(body: string, stream: number): Record<string, string | number> {
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    // Each is a session of the proxy's; the endpoint does not look at it.
    authorization: `Bearer s-stream-${stream}`,
  };
}

function after<T>(milliseconds: number, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => setTimeout(() => run().then(resolve, reject), milliseconds));
}

const stamp = /"content":"(\d+) "/g;

function readStream(sent: ReturnType<typeof request>, body: string): Promise<number[]> {
  const asked = process.hrtime.bigint();
  const waits: number[] = [];
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', response => {
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const now = process.hrtime.bigint();
        rest += text;
        const end = rest.lastIndexOf('\n\n');
        if (end < 0) return;
        for (const match of rest.slice(0, end).matchAll(stamp)) {
          const from = waits.length === 0 ? asked : BigInt(match[1] as string);
          waits.push(Number(now - from) / 1e6);
        }
        rest = rest.slice(end + 2);
      });
      response.on('error', reject);
      response.on('end', () => resolve(waits));
    });
    sent.end(body);
  });
}

import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A client of a served environment that has one request under way at a time, or many with ids. */
export interface WireClient {
  /** Sends a text and takes the next answer as it came. */
  ask(text: string): Promise<Buffer>;
  request<T>(type: string, data?: object, session?: string): Promise<T>;
  close(): void;
}

export async function connectWire(url: string): Promise<WireClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { maxPayload: 2 ** 26 });
  await once(socket, 'open');
  const waiting: ((answer: Buffer) => void)[] = [];
  socket.on('message', (answer: Buffer) => waiting.shift()?.(answer));
  const ask = (text: string): Promise<Buffer> =>
    new Promise(resolve => {
      waiting.push(resolve);
      socket.send(text);
    });
  return {
    ask,
    async request<T>(type: string, data: object = {}, session?: string): Promise<T> {
      const answer = await ask(JSON.stringify({ type, data, ...(session === undefined ? {} : { session }) }));
      const message = JSON.parse(answer.toString()) as { type: string; data: T & { message?: string } };
      if (message.type === 'error') throw new Error(message.data.message);
      return message.data;
    },
    close: () => socket.close(),
  };
}

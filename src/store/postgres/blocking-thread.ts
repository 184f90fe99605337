import { workerData, type MessagePort } from 'node:worker_threads';
import type { Client } from 'pg';
import { EspalierError } from '../../core/errors.ts';
import { openBlobs, putOutside, type BlobStore } from './blobs.ts';
import type { BlockingAnswer, BlockingRequest, BlockingSetup } from './blocking.ts';

const { address, blobs, cells, port } = workerData as BlockingSetup & { readonly port: MessagePort };
const signal = new Int32Array(cells);

interface Answering {
  answer(request: BlockingRequest): Promise<BlockingAnswer>;
  close(): Promise<void>;
}

function createAnswering(): Answering {
  /** One that broke is opened anew by the next question. */
  let connection: Promise<Client> | null = null;
  const connect = async (): Promise<Client> => {
    const { default: pg } = await import('pg');
    // Numbers of rows and attempts are far below 2^53.
    pg.types.setTypeParser(pg.types.builtins.INT8, Number);
    const client = new pg.Client({ connectionString: address, application_name: 'espalier' });
    client.on('error', () => (connection = null));
    await client.connect();
    return client;
  };
  let opened: Promise<BlobStore> | null = null;
  const blobStore = (): Promise<BlobStore> => (opened ??= openBlobs(blobs ?? ''));
  return {
    async answer(request) {
      try {
        if ('put' in request) return { rows: [await putOutside(await blobStore(), request.put)] };
        if ('get' in request) return { rows: [await (await blobStore()).get(request.get)] };
        const { sql, values } = request;
        connection ??= connect();
        const { rows } = await (await connection).query(sql, values.map(asBuffers));
        return { rows };
      } catch (cause) {
        if (cause instanceof EspalierError)
          return { code: null, message: cause.message.slice(0, -cause.expected.length - 1), expected: cause.expected };
        const { code = null, message = String(cause) } = cause as { code?: string; message?: string };
        // A statement that was refused leaves the connection as it is.
        if (code === null || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('57P')) connection = null;
        return { code, message, isMissing: code === 'ERR_MODULE_NOT_FOUND' };
      }
    },
    async close() {
      await (await connection?.catch(() => null))?.end().catch(() => undefined);
    },
  };
}

/** Bytes that crossed a thread are plain arrays; `pg` knows buffers. */
function asBuffers(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value);
  return Array.isArray(value) ? value.map(asBuffers) : value;
}

const { answer, close } = createAnswering();
port.on('message', (request: BlockingRequest | null) => {
  const work = request === null ? close().then((): BlockingAnswer => ({ rows: [] })) : answer(request);
  void work.then(found => {
    port.postMessage(found);
    Atomics.add(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
});

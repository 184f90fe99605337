import { extname } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { EspalierError } from '../../core/errors.ts';
import { closed } from '../faults.ts';
import { noBlobs } from './blobs.ts';
import type { SqlValue } from './statements.ts';

/** Asks Postgres and waits for the answer. Readers of a store are synchronous, as SQLite is. */
export interface BlockingConnection {
  /** The address without its password. */
  readonly address: string;
  query<R>(sql: string, values?: readonly SqlValue[]): R[];
  /** Puts what is large into the store of blobs, where there is one. Gives what the database is to hold. */
  putOutside(attached: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array>;
  /** From the store of blobs. */
  blob(hash: string): Uint8Array;
  isOpen(): boolean;
  close(): void;
}

export type BlockingRequest =
  | { readonly sql: string; readonly values: readonly SqlValue[] }
  | { readonly put: ReadonlyMap<string, Uint8Array> }
  | { readonly get: string };

export type BlockingAnswer = { readonly rows: unknown[] } | Fault;

export interface BlockingSetup {
  readonly address: string;
  /** Address of a store of blobs. */
  readonly blobs: string | null;
  readonly cells: SharedArrayBuffer;
}

/** An answer that takes longer is none: the server is gone, or the network is. */
const patience = 120_000;

export function connectBlocking(address: string, blobs: string | null = null): BlockingConnection {
  const shown = withoutPassword(address);
  const cells = new Int32Array(new SharedArrayBuffer(4));
  const { port1: port, port2: theirs } = new MessageChannel();
  const url = new URL(`./blocking-thread${extname(import.meta.url)}`, import.meta.url);
  const setup = { address, blobs, cells: cells.buffer, port: theirs };
  const worker = new Worker(url, { workerData: setup, transferList: [theirs] });
  // Whoever waits hears of it by the silence; nobody else is to hear of it at all.
  worker.on('error', () => undefined);
  worker.unref();
  let isOpen = true;
  const ask = (request: BlockingRequest | null): BlockingAnswer => {
    const before = Atomics.load(cells, 0);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port is no window
    port.postMessage(request);
    Atomics.wait(cells, 0, before, patience);
    const answer = receiveMessageOnPort(port) as { message: BlockingAnswer } | undefined;
    return answer?.message ?? { code: null, message: `no answer in ${patience / 1000} s` };
  };
  const rowsOf = (request: BlockingRequest): unknown[] => {
    if (!isOpen) throw closed(shown);
    const answer = ask(request);
    if ('rows' in answer) return answer.rows;
    throw postgresFault(shown, answer);
  };
  return {
    address: shown,
    isOpen: () => isOpen,
    query: <R>(sql: string, values: readonly SqlValue[] = []) => rowsOf({ sql, values }) as R[],
    putOutside(attached) {
      if (blobs === null || attached.size === 0) return attached;
      return rowsOf({ put: attached })[0] as ReadonlyMap<string, Uint8Array>;
    },
    blob(hash) {
      if (blobs === null) throw noBlobs(shown, hash);
      return rowsOf({ get: hash })[0] as Uint8Array;
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      ask(null);
      port.close();
      void worker.terminate();
    },
  };
}

function withoutPassword(address: string): string {
  return address.replace(/^(\w+:\/\/[^:/@]*):[^@/]*@/, '$1@');
}

interface Fault {
  readonly code: string | null;
  readonly message: string;
  readonly isMissing?: boolean;
  /** What an error of ours said to do. */
  readonly expected?: string;
}

/** What Postgres or the connection to it said, as an error of the store. */
function postgresFault(address: string, { code, message, expected, isMissing = false }: Fault): EspalierError {
  if (isMissing) return missingPackages();
  if (expected !== undefined) return new EspalierError({ boundary: 'store', code: 'unavailable', message, expected });
  // What was said goes along: whoever can wait sees whether it helps.
  const cause = Object.assign(new Error(message), { code });
  // Class 53: out of disk, memory or connections.
  const isFull = code === '53100';
  return new EspalierError({
    boundary: 'store',
    code: isFull ? 'disk-full' : 'unavailable',
    message: isFull
      ? `${address} has no space left: ${message}.`
      : `${address} does not answer as expected: ${message}.`,
    expected: isFull ? 'Make space and try again.' : 'Expected a Postgres 14 or newer to reach.',
    cause,
  });
}

/** Few need them: they are not installed with Espalier. */
function missingPackages(): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: 'Stores in Postgres and fleets need packages that are not installed.',
    expected: 'Install them: npm install pg graphile-worker.',
  });
}

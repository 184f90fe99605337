import type { Timers } from '../../core/clock.ts';
import { HttpError } from '../http.ts';

/** A server behind a front. */
export interface Backend {
  /** From 1: ids of its sessions name it. */
  readonly place: number;
  /** `http://127.0.0.1:8901`; null while it is not there. */
  address(): string | null;
}

/** Servers that share an address. */
export interface Backends {
  readonly all: readonly Backend[];
  /**
   * Does something with the server at a place, or with the one that has the least to do. One that is not there is waited for where
   * it is the only one that will do; else the next one is asked. Only what never reached a server is tried again.
   */
  reach<T>(place: number | null, work: (address: URL) => Promise<T>): Promise<T>;
  /** A connection, or a request under way, at the server with this address: call what it returns at its end. */
  occupy(address: URL): () => void;
}

export interface BackendsOptions {
  readonly all: readonly Backend[];
  readonly timers: Timers;
  /** How long a server may take to come back. */
  readonly patienceMilliseconds?: number;
}

/** A process that was killed is back by then, with the sessions that it kept. */
const usualPatience = 30_000;
const pauseMilliseconds = 100;

export function createBackends({ all, timers, patienceMilliseconds = usualPatience }: BackendsOptions): Backends {
  const loads = new Map<string, number>();
  let turn = 0;
  const loadOf = ({ address }: Backend): number => {
    const own = address();
    return own === null ? 0 : (loads.get(new URL(own).host) ?? 0);
  };
  /** Those with as little to do take turns. */
  const inOrder = (): Backend[] => {
    turn = (turn + 1) % all.length;
    return [...all.slice(turn), ...all.slice(0, turn)].toSorted((left, right) => loadOf(left) - loadOf(right));
  };
  const pause = (): Promise<void> => new Promise(resolve => void timers.after(pauseMilliseconds, resolve));
  return {
    all,
    async reach(place, work) {
      for (let waited = 0; ; waited += pauseMilliseconds) {
        const wanted = place === null ? inOrder() : all.filter(one => one.place === place);
        if (wanted.length === 0) throw noSuchPlace(place);
        for (const { address } of wanted) {
          const found = address();
          if (found === null) continue;
          try {
            return await work(new URL(found));
          } catch (cause) {
            if (!isUnreached(cause)) throw cause;
          }
        }
        if (waited >= patienceMilliseconds) throw away(place);
        await pause();
      }
    },
    occupy({ host }) {
      loads.set(host, (loads.get(host) ?? 0) + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const left = (loads.get(host) ?? 1) - 1;
        if (left === 0) loads.delete(host);
        else loads.set(host, left);
      };
    },
  };
}

/** Whether nothing was sent, as nobody took the connection. */
export function isUnreached(cause: unknown): boolean {
  const { code = '', syscall } = cause as { readonly code?: string; readonly syscall?: string };
  return syscall === 'connect' || ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code);
}

function noSuchPlace(place: number | null): HttpError {
  return new HttpError(404, `There is no server at place ${place} behind this address, so its sessions are gone.`);
}

function away(place: number | null): HttpError {
  const who = place === null ? 'No server behind this address' : `The server at place ${place} behind this address`;
  return new HttpError(503, `${who} ${place === null ? 'can be reached' : 'cannot be reached'} now. Try again later.`);
}

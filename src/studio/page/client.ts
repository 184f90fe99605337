import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { ApiError, RunSummary } from '../api/api.ts';

/** Asks the server for something to look at. */
export async function get<T>(name: string, query: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return answerOf<T>(await reach(`/api/${name}?${text}`));
}

/** Asks the server to do something. */
export async function post<T>(name: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return answerOf<T>(await reach(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function reach(address: string, how?: RequestInit): Promise<Response> {
  try {
    return await fetch(address, how);
  } catch {
    throw new Error('The studio does not answer. It may have been stopped: start espalier studio again.');
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  const body: unknown = await response.json();
  if (response.ok) return body as T;
  throw new Error((body as ApiError).error.message);
}

export interface Loaded<T> {
  readonly data: T | null;
  readonly error: string | null;
}

/** How often the connection has come back: views load again what they missed. */
export const Connections = createContext(0);

/** Loads something when the view is shown, and again when a part of `why` changes or a lost connection is back. What was there stays until then. */
export function useLoaded<T>(load: () => Promise<T>, why: readonly unknown[]): Loaded<T> {
  const connections = useContext(Connections);
  const [loaded, setLoaded] = useState<Loaded<T>>({ data: null, error: null });
  useEffect(() => {
    let isWanted = true;
    load().then(
      data => isWanted && setLoaded({ data, error: null }),
      (cause: unknown) => isWanted && setLoaded({ data: null, error: messageOf(cause) }),
    );
    return () => {
      isWanted = false;
    };
  }, [...why, connections]);
  return loaded;
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

export interface Live {
  readonly runs: readonly RunSummary[] | null;
  /** `closed`: this browser has no access any more, as after a new start of the studio. */
  readonly state: 'open' | 'lost' | 'closed';
  /** How often the connection has come back. */
  readonly connections: number;
}

/** The runs, followed while they are written. A lost connection comes back by itself. */
export function useLiveRuns(): Live {
  const [live, setLive] = useState<Live>({ runs: null, state: 'open', connections: 0 });
  useEffect(() => {
    const events = new EventSource('/api/events');
    events.addEventListener('runs', ({ data }) =>
      setLive(before => ({ ...before, runs: JSON.parse(data as string) as RunSummary[], state: 'open' })),
    );
    events.addEventListener('open', () =>
      setLive(before => ({
        ...before,
        state: 'open',
        connections: before.connections + Number(before.state !== 'open'),
      })),
    );
    events.addEventListener('error', () =>
      setLive(before => ({ ...before, state: events.readyState === EventSource.CLOSED ? 'closed' : 'lost' })),
    );
    return () => events.close();
  }, []);
  return live;
}

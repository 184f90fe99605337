import type { Store } from './store.ts';

/** A request of the server of a session, by path. */
export type Http = (path: string, init?: RequestInit) => Promise<Response>;

export interface HttpPair {
  /** Answers a POST with the state. The same state gives the same answer. */
  readonly snapshot: string;
  /** Takes such an answer as the body of a POST, and is in that state when it answers. */
  readonly restore: string;
}

/** State that the server itself hands out and takes back. */
export function createHttpStore({ snapshot, restore }: HttpPair, http: Http): Store {
  const post = async (path: string, init: RequestInit): Promise<string> => {
    const answer = await http(path, { method: 'POST', ...init });
    if (!answer.ok) throw new Error(`the server answered POST ${path} with ${answer.status}`);
    return answer.text();
  };
  return {
    values: {},
    capture: async () => ({ text: await post(snapshot, {}) }),
    async restore({ text }) {
      await post(restore, { body: text, headers: { 'content-type': 'application/json' } });
    },
    close: () => undefined,
  };
}

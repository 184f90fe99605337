import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { EspalierError } from '../../core/errors.ts';
import { connectFleet, isOutage, whenReachable } from './connect.ts';

/** Time that passes at once. */
function createFastTimers() {
  let waited = 0;
  return {
    waited: () => waited,
    after(milliseconds: number, run: () => void) {
      waited += milliseconds;
      queueMicrotask(run);
      return () => undefined;
    },
  };
}

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('the way to the database of a fleet', () => {
  it('[FLEET-2] is tried again while the database is away, for ever where nobody set an end', async () => {
    const timers = createFastTimers();
    let left = 200;
    const work = () => (left-- > 0 ? Promise.reject(refused) : Promise.resolve('there'));
    expect(await whenReachable(work, { timers })).toBe('there');
    expect(timers.waited()).toBeGreaterThan(900_000);
  });

  it('[FLEET-2] is given up after half a minute where nobody ever answered, with what to do', async () => {
    const timers = createFastTimers();
    const causes: unknown[] = [];
    const retry = { timers, onOutage: (cause: unknown) => causes.push(cause) };
    const connecting = connectFleet({ address: 'postgres://nobody@127.0.0.1:1/nothing', connections: 1, retry });
    await expect(connecting).rejects.toThrow('Expected a Postgres 14 or newer');
    expect(timers.waited()).toBeGreaterThanOrEqual(30_000);
    expect(timers.waited()).toBeLessThan(36_000);
    expect(causes.every(isOutage)).toBe(true);
  });

  it('[FLEET-2] is given up soon by whoever is told to stop', async () => {
    const timers = createFastTimers();
    const signal = AbortSignal.abort();
    await expect(whenReachable(() => Promise.reject(refused), { timers, signal })).rejects.toBe(refused);
    expect(timers.waited()).toBeLessThan(2000);
  });

  it('[FLEET-2] is given up where something answers that is no Postgres and says nothing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const asked = once(server, 'connection');
      const connecting = connectFleet({ address: `postgres://nobody@127.0.0.1:${port}/nothing`, connections: 1 });
      const refusal = connecting.catch((cause: unknown) => String(cause));
      const [socket] = (await asked) as [Socket];
      vi.advanceTimersByTime(15_000);
      expect(await refusal).toContain('connection timeout. Expected a Postgres 14 or newer');
      socket.destroy();
    } finally {
      vi.useRealTimers();
      server.close();
    }
  });

  it.each(['57014', '55P03', '57P01', '53300', 'ENOTFOUND', 'EAI_AGAIN'])(
    '[FLEET-2] is tried again after %s: a statement that was cancelled, a lock, a name that is not there yet',
    async code => {
      const cause = Object.assign(new Error('not now'), { code });
      const answers = [Promise.reject(cause), Promise.resolve('there')];
      expect(await whenReachable(() => answers.shift() as Promise<string>, { timers: createFastTimers() })).toBe(
        'there',
      );
    },
  );

  it('[FLEET-2] is not tried again when the database refuses', async () => {
    const denied = Object.assign(new Error('permission denied'), { code: '42501' });
    const told = new EspalierError({
      boundary: 'store',
      code: 'unavailable',
      message: 'No.',
      expected: 'Ask.',
      cause: denied,
    });
    for (const cause of [denied, told]) expect(isOutage(cause)).toBe(false);
    await expect(whenReachable(() => Promise.reject(told), { timers: createFastTimers() })).rejects.toBe(told);
  });
});

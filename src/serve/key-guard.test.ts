import { describe, expect, it } from 'vitest';
import { stoppedAfterEach } from '../../test/fixtures/serve/start-server.ts';
import { createKeyGuard } from './key-guard.ts';

const start = stoppedAfterEach();

describe('keys that are guessed', () => {
  it('[SRV-87] are refused unread after twenty wrong ones, over HTTP and WebSockets, for a minute', async () => {
    let now = 0;
    const guard = createKeyGuard({ now: () => now });
    const keys = { student: 'right-key-of-the-student', teacher: null, guard };
    const { url, gymUrl, connect } = await start({ keys });
    const ask = async (base: string, key: string): Promise<number> =>
      (await fetch(`${base}/metadata`, { headers: { authorization: `Bearer ${key}` } })).status;
    for (let guess = 0; guess < 20; guess++)
      expect(await ask(guess % 2 === 0 ? url : gymUrl, `guess-${guess}`)).toBe(401);
    expect([await ask(url, 'guess'), await ask(gymUrl, keys.student), await ask(url, keys.student)]).toEqual([
      429, 429, 429,
    ]);
    await expect(connect(keys.student)).rejects.toThrow(/429/);
    // Who sends none guesses nothing.
    expect((await fetch(`${url}/metadata`)).status).toBe(401);
    now = 60_000;
    expect(await ask(url, keys.student)).toBe(200);
  });
});

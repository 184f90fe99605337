import { describe, expect, it } from 'vitest';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createWorld } from '../worlds/world.ts';
import { createTrail } from '../worlds/trail.ts';
import { createSystemClock, createSystemTimers } from '../system/clock.ts';
import { mail } from '../envs/apps/mail/mail.ts';
import { createEpisodes } from './driven/episodes.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('branches that have ended', () => {
  it('[SRV-56] are freed while others of their episode go on', async () => {
    const environment = createWorld(mail);
    const episodes = createEpisodes({
      environment,
      journal: null,
      run: 'freed',
      driver: 'test',
      limits: { forks: Infinity },
      clock: createSystemClock(),
      timers: createSystemTimers(),
      createTrail,
    });
    const episode = await episodes.open({ task: environment.task('star-message', 1), client: 'test' });
    const forks: WeakRef<object>[] = [];
    for (let index = 0; index < 20; index++) {
      const fork = await episode.fork();
      forks.push(new WeakRef(fork));
      await fork.abandon('it is not needed');
    }
    // What a promise holds is free only after its turn.
    await new Promise(resolve => setTimeout(resolve, 10));
    collectGarbage();
    expect(forks.filter(fork => fork.deref() !== undefined).length).toBeLessThanOrEqual(1);
    await episode.abandon('the test is over');
  });
});

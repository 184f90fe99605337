import { describe, expect, it } from 'vitest';
import { createPulse } from './pulse.ts';
import { isLive, progressOf } from './run-progress.ts';

const written = {
  phase: 'collect',
  round: 2,
  planned: 100,
  skipped: 10,
  ended: 30,
  seconds: 60,
  isOver: false,
} as const;

describe('the progress of a run', () => {
  it('[STUDIO-22] tells the time left from the pace since the start', () => {
    // By hand: 30 episodes in 60 s are 2 s each; 60 are left, which is 120 s, less the 20 s since then.
    expect(progressOf(written, 20_000)).toEqual({
      phase: 'collect',
      round: 2,
      planned: 100,
      done: 40,
      secondsLeft: 100,
    });
    expect(progressOf({ ...written, ended: 0 }, 20_000)?.secondsLeft).toBeNull();
    expect(progressOf(written, 500_000)?.secondsLeft).toBe(0);
  });

  it('[STUDIO-22] is not told of a run that ended as planned, and is told of one that was stopped', () => {
    expect(progressOf({ ...written, isOver: true }, 0)).toMatchObject({ done: 40, planned: 100 });
    expect(progressOf({ ...written, ended: 90, isOver: true }, 0)).toBeNull();
    expect(progressOf(null, 0)).toBeNull();
  });

  it('[STUDIO-22] waits for a slow model while a run goes on, and not for one that is over', () => {
    expect(isLive(59_000, written)).toBe(true);
    expect(isLive(61_000, written)).toBe(false);
    expect(isLive(3000, { ...written, isOver: true })).toBe(true);
    expect(isLive(5000, { ...written, isOver: true })).toBe(false);
    expect(isLive(null, written)).toBe(false);
  });
});

describe('the rates of a run', () => {
  it('[STUDIO-22] are those of the last ten seconds', () => {
    const pulse = createPulse();
    pulse.beat({ at: 0, episodes: 0, steps: 0, cost: 0 });
    pulse.beat({ at: 20_000, episodes: 10, steps: 100, cost: 1 });
    pulse.beat({ at: 24_000, episodes: 18, steps: 180, cost: 2 });
    expect(pulse.rates(25_000)).toEqual({ episodes: 2, steps: 20, cost: 0.25 });
    expect(pulse.rates(60_000)).toEqual({ episodes: 0, steps: 0, cost: 0 });
  });
});

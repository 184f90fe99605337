import { expect, test } from 'vitest';
import { createManualClock, type Timers } from '../../core/clock.ts';
import { createTurns } from './turns.ts';

test('[ROL-39] work pauses when a turn has lasted 20 ms, and one after another goes on', async () => {
  const clock = createManualClock();
  const due: (() => void)[] = [];
  const timers: Timers = { after: (_, run) => (due.push(run), () => undefined) };
  const turns = createTurns(clock, timers);
  expect(turns.pause()).toBeNull();
  clock.advance(19);
  expect(turns.pause()).toBeNull();
  clock.advance(1);
  const done: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let turn = turns.pause(); turn !== null; turn = turns.pause()) await turn;
    clock.advance(50);
    done.push(name);
  };
  const all = Promise.all(['one', 'other', 'third'].map(work));
  for (const expected of [['one'], ['one', 'other'], ['one', 'other', 'third']]) {
    expect(due).toHaveLength(1);
    due.pop()?.();
    await new Promise(setImmediate);
    expect(done).toEqual(expected);
  }
  await all;
});

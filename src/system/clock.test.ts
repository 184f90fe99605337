import { expect, it } from 'vitest';
import { createSystemTimers } from './clock.ts';

it('[ROL-3] timers fire unless they are cancelled, and one without an end does not fire at once', async () => {
  const timers = createSystemTimers();
  const fired: string[] = [];
  const cancelEndless = timers.after(Infinity, () => fired.push('endless'));
  const cancel = timers.after(1, () => fired.push('cancelled'));
  cancel();
  await new Promise<void>(resolve => void timers.after(5, resolve));
  cancelEndless();
  expect(fired).toEqual([]);
});

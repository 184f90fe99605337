import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('[SEM-1] places are taken in the order of coming, and one that fails leaves its place', async () => {
  const semaphore = createSemaphore(2);
  const order: string[] = [];
  let [running, most] = [0, 0];
  const work = (name: string) => async (): Promise<string> => {
    most = Math.max(most, ++running);
    order.push(name);
    await Promise.resolve();
    running--;
    if (name === 'b') throw new Error(name);
    return name;
  };
  const names = ['a', 'b', 'c', 'd', 'e'];
  const ends = await Promise.allSettled(names.map(name => semaphore.run(work(name))));
  expect(order).toEqual(names);
  expect(most).toBe(2);
  expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true]);
  expect([semaphore.taken(), semaphore.waiting()]).toEqual([0, 0]);
});

test('[SEM-1] a free place is taken without a promise; a freed one goes to who waits longest', async () => {
  const semaphore = createSemaphore(1);
  const told: string[] = [];
  expect(semaphore.enter()).toBeNull();
  const waits = ['first', 'second'].map(name =>
    semaphore.enter(() => {
      told.push(`${name} waits`);
      return () => told.push(`${name} has it`);
    }),
  );
  expect([semaphore.taken(), semaphore.waiting()]).toEqual([1, 2]);
  semaphore.leave();
  await waits[0];
  expect(told).toEqual(['first waits', 'second waits', 'first has it']);
  expect([semaphore.taken(), semaphore.waiting()]).toEqual([1, 1]);
});

test('[SEM-2] a closed one turns away who waits and who comes, and those inside still leave', async () => {
  const semaphore = createSemaphore(1);
  semaphore.enter();
  const waits = semaphore.run(() => Promise.resolve('never'));
  const why = new Error('closed');
  semaphore.close(why);
  await expect(waits).rejects.toBe(why);
  await expect(semaphore.run(() => Promise.resolve('never'))).rejects.toBe(why);
  semaphore.leave();
  expect(semaphore.taken()).toBe(0);
});

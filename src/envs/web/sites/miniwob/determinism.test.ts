import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemTimers } from '../../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../../browser/pool.ts';
import { createMiniwobEnvironment } from './environment.ts';
import { createMiniwobRunner } from '../../../../../bench/miniwob-runner.ts';
import { isLong } from '../../../../../test/long-form.ts';

const folder = join(import.meta.dirname, '../../../../../test/fixtures/miniwob');
/** In the short form one instance of each page. */
const seeds = isLong ? [1, 2] : [1];
const viewport = { width: 500, height: 320 };
let pool: BrowserPool;

beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});

afterAll(() => pool.close());

describe('the determinism of MiniWoB++ pages', () => {
  it('[MWB-8] is probed: what differs, does not start or throws is told, and nothing else', async () => {
    const environment = await createMiniwobEnvironment({ folder, pool, viewport, pictures: null });
    const templates = environment.templates.map(({ id }) => id);
    const { probed, differing, notStarted, throwing } = await environment.probeDeterminism({
      templates,
      seeds,
    });
    const start = 'other data or another document after the start';
    expect(differing).toEqual(seeds.map(seed => ({ template: 'restless', seed, detail: start })));
    const broken = expect.stringContaining('it threw Error: no problem today');
    expect(notStarted).toEqual(seeds.map(seed => ({ template: 'broken-problem', seed, detail: broken })));
    const thrown = 'ReferenceError: missing is not defined (/miniwob/noisy-load.html:9)';
    expect(throwing).toEqual(seeds.map(seed => ({ template: 'noisy-load', seed, detail: thrown })));
    expect(probed).toBe((templates.length - 1) * seeds.length);
    expect(pool.figures().openPages).toBe(0);
  });
});

describe('a runner of many episodes in one page', () => {
  it('[MWB-9] gives the same instructions as the tasks, and the rewards of the page', async () => {
    const environment = await createMiniwobEnvironment({ folder, pool, viewport, pictures: null });
    const asked = await Promise.all([1, 2, 3].map(seed => environment.task('type-word', seed)));
    const runner = await createMiniwobRunner({ folder, template: 'type-word', pool, viewport });
    try {
      for (const round of [0, 1]) {
        for (const { seed, instruction } of asked) {
          expect(await runner.start(seed)).toBe(instruction);
          expect(await runner.look()).toContain('[e1] textbox "Word": (empty)');
          expect(await runner.result()).toEqual({ done: false, reward: 0, reason: null });
          const word = round === 0 ? (instruction.match(/"(.+)"/)?.[1] as string) : 'stone';
          expect(await runner.act({ kind: 'fill', ref: 'e1', text: word })).toBeNull();
          expect(await runner.act({ kind: 'click', ref: 'e2' })).toBeNull();
          expect(await runner.result()).toEqual({ done: true, reward: round === 0 ? 1 : -1, reason: null });
        }
      }
      expect(await runner.act({ kind: 'click', ref: 'e9' })).toMatchObject({ code: 'unknown-element' });
    } finally {
      await runner.close();
    }
    expect(pool.figures().openPages).toBe(0);
  });

  it('[MWB-9] lets time pass only when it is told to', async () => {
    const runner = await createMiniwobRunner({ folder, template: 'late-button', pool, viewport });
    try {
      await runner.start(1);
      await runner.look();
      await runner.act({ kind: 'click', ref: 'e1' });
      expect(await runner.look()).not.toContain('button "Second"');
      await runner.pass(3000);
      expect(await runner.look()).toContain('[e3] button "Second"');
      await runner.act({ kind: 'click', ref: 'e3' });
      expect(await runner.result()).toMatchObject({ done: true, reward: 1 });
    } finally {
      await runner.close();
    }
  });

  it('[MWB-9] tells of a template that there is none of, and frees its page', async () => {
    const opening = createMiniwobRunner({ folder, template: 'press-nothing', pool, viewport });
    await expect(opening).rejects.toMatchObject({ code: 'unavailable' });
    expect(pool.figures().openPages).toBe(0);
  });
});

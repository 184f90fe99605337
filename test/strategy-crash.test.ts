import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../src/core/random.ts';
import { startRun } from './fixtures/child-run.ts';
import { contents } from './fixtures/episode-setup.ts';
import { episodesIn } from './fixtures/program.ts';
import { isLong } from './long-form.ts';

const program = join(import.meta.dirname, 'fixtures', 'crash-strategies.ts');
const families = isLong ? ['search', 'selection', 'control', 'allocation', 'memory'] : ['mixed'];
const kills = isLong ? 50 : 2;

let parent = '';
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'espalier-strategies-'));
});
afterAll(() => rmSync(parent, { recursive: true }));

it.each(families)(
  `[RUN-5] strategies of %s, killed at ${kills} random moments and resumed, end as if nothing had happened`,
  async family => {
    const whole = join(parent, `${family} whole`);
    const started = performance.now();
    expect(await startRun(program, whole, family).gone).toMatch(/\ndone\n$/);
    const expected = contents(episodesIn(whole));
    const length = performance.now() - started;
    const random = createRandom(family);
    const killed = (round: number): string => join(parent, `${family} ${round}`);
    let [folder, run, cut] = [killed(0), 0, 0];
    for (let round = 0; round < kills; round++) {
      const life = startRun(program, folder, family);
      // At any moment of what is left, the start of the program too.
      await Promise.race([life.gone, setTimeout(random.next() * length)]);
      life.kill();
      const isDone = (await life.gone).endsWith('done\n');
      cut += Number(!isDone);
      if (!isDone) continue;
      // Nothing is left to be killed: the next run begins anew.
      expect(contents(episodesIn(folder))).toEqual(expected);
      folder = killed(++run);
    }
    expect(cut).toBeGreaterThan(0);
    expect(await startRun(program, folder, family).gone).toMatch(/done\n$/);
    expect(contents(episodesIn(folder))).toEqual(expected);
  },
  isLong ? 1_800_000 : 120_000,
);

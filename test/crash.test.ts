import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportRun } from '../src/runs/export.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { createRandom } from '../src/core/random.ts';
import { startRun, type ChildRun } from './fixtures/child-run.ts';
import { contents } from './fixtures/episode-setup.ts';
import { episodesIn } from './fixtures/program.ts';
import { isLong } from './long-form.ts';

const program = join(import.meta.dirname, 'fixtures', 'crash-collect.ts');
const kills = isLong ? 30 : 3;

let parent = '';
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'espalier-collect-'));
});
afterAll(() => rmSync(parent, { recursive: true }));

function collectInto(folder: string, how: { readonly program?: string; readonly hold?: boolean } = {}): ChildRun {
  return startRun(how.program ?? program, folder, ...(how.hold === true ? ['hold'] : []));
}

interface Found {
  readonly keys: readonly string[];
  readonly contents: unknown;
}

function read(folder: string): Found {
  const episodes = episodesIn(folder);
  return { keys: episodes.map(({ head }) => head.key), contents: contents(episodes) };
}

/** Attempts that the last kill left behind; the next start takes them away. */
function cutAttempts(folder: string): number {
  const database = new DatabaseSync(join(folder, 'store.db'));
  const cut = database.prepare(
    'SELECT count(DISTINCT attempt) AS cut FROM events WHERE attempt NOT IN (SELECT attempt FROM episodes)',
  );
  const found = cut.get()?.['cut'] as number;
  database.close();
  return found;
}

describe('a run that is killed', () => {
  it(`[RUN-5] and resumed, ${kills} times, ends as if nothing had happened`, async () => {
    const whole = collectInto(join(parent, 'whole'));
    expect(await whole.gone).toMatch(/\ndone\n$/);
    const expected = read(join(parent, 'whole'));

    const folder = join(parent, 'killed');
    const random = createRandom('collect');
    let [before, cut] = [0, 0];
    for (let round = 0; round < kills; round++) {
      const life = collectInto(folder);
      // Every fifth dies while it starts: reads the config, takes the lock, recovers the store.
      if (round % 5 === 4) await setTimeout(random.between(100, 400));
      else {
        await life.said(random.between(1, 8));
        await setTimeout(random.between(0, 15));
      }
      life.kill();
      expect(await life.gone).not.toContain('done');
      cut += cutAttempts(folder);
      if (round % 5 !== 0) continue;
      // Only whole episodes show, and none goes away again.
      const now = read(folder);
      expect(now.keys.length).toBeGreaterThanOrEqual(before);
      expect(expected.contents).toMatchObject(now.contents as object);
      before = now.keys.length;
    }
    // It was hit while the student was alone, and while the teacher looked.
    expect(before).toBeGreaterThan(kills);
    expect(read(folder).keys.at(-1)).toMatch(/^collect\/2\//);
    // By chance, few kills hit none in the middle.
    expect(cut > 0 || !isLong).toBe(true);
    expect(await collectInto(folder).gone).toMatch(/done\n$/);

    const resumed = read(folder);
    expect(new Set(resumed.keys).size).toBe(resumed.keys.length);
    expect(resumed.keys).toEqual(expected.keys);
    expect(resumed.contents).toEqual(expected.contents);
  }, 300_000);

  it('[CERT-7] [CERT-8] between verdict and certificate exports nothing of it, and certifies it once when resumed', async () => {
    const folder = join(parent, 'held');
    const held = join(import.meta.dirname, 'fixtures/certify/collect-held.ts');
    const results = (): string[][] =>
      episodesIn(folder).map(({ certificates }) => certificates.map(({ result }) => result));
    const killWhileReplaying = async (): Promise<string[][]> => {
      const life = collectInto(folder, { program: held, hold: true });
      await life.said(2);
      life.kill();
      const said = await life.gone;
      expect(said).toContain('ended\nreplaying\n');
      expect(said).not.toContain('done');
      return results();
    };
    // What has ended is kept, and is worth nothing yet.
    const first = await killWhileReplaying();
    expect(first.length).toBeGreaterThan(0);
    expect(first.flat()).toEqual([]);
    expect(await rowsOf(folder)).toBe(0);
    const second = await killWhileReplaying();
    expect(second.length).toBeGreaterThan(first.length);
    expect(second.at(-1)).toEqual([]);
    const resume = (): Promise<string> => collectInto(folder, { program: held }).gone;
    expect(await resume()).toMatch(/done\n$/);
    expect(await resume()).toBe('done\n');
    expect(results()).toEqual(Array.from({ length: 4 }, () => ['agreed']));
    expect(await rowsOf(folder)).toBeGreaterThan(0);
  }, 60_000);
});

/** Rows of an export, but those that list the episodes. */
async function rowsOf(folder: string): Promise<number> {
  const { manifest } = await exportRun({ folder, host: createSystemHost(), formats: ['jsonl'] });
  return manifest.files.filter(({ table }) => table !== 'episodes').reduce((sum, { rows }) => sum + rows, 0);
}

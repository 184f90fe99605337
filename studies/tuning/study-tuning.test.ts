import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { installed } from '../../test/fixtures/app/services.ts';
import { arms } from './arms.ts';
import { documentedAdvice, knobs, unsafeKnobs, type Knob, type Settings } from './knobs.ts';
import { createLoadedServer } from './loaded-server.ts';
import { jointSearch } from './skills/joint-search.ts';
import { bottlenecksOf } from './skills/profile.ts';
import { follow, SkillRefused, type Bench, type ServerKnob } from './skills/skill.ts';
import { knobsOf, versionCheck } from './skills/version-check.ts';
import type { TuningCell } from './study-tuning.ts';
import { gainOf, tuningTable } from './tuning-table.ts';
import { findVersions } from './versions.ts';
import { workloads } from './workloads.ts';

const size = { unit: null, least: 0, most: 1000, choices: null } as const;
const numeric = (name: string, initial: string): ServerKnob => ({ ...size, name, initial, kind: 'integer' });

/** A bench with a surface instead of a server. */
function surface(rate: (settings: Settings) => number, given: readonly ServerKnob[], budget: number): Bench {
  let left = budget;
  const observed = { milliseconds: 1, temporaryBytes: 0, readShare: 0, logWaits: 0.9 };
  return {
    catalog: () => Promise.resolve(new Map(given.map(knob => [knob.name, knob]))),
    left: () => left,
    measure: settings => {
      left--;
      return Promise.resolve(rate(settings));
    },
    observe: () => {
      left--;
      return Promise.resolve(observed);
    },
  };
}

const memory = 8 * 2 ** 30;
const advise = async (name: string, bench: Bench) =>
  (await arms.find(arm => arm.name === name)?.advise(bench, { memory, random: createRandom(name) }))?.settings ?? {};

describe('skills that set knobs', () => {
  it('[TUNE-1] the version check refuses knobs that are gone, values out of range and knobs of durability', async () => {
    const given = [
      { ...numeric('shared_buffers', '16384'), unit: '8kB', most: 1_073_741_823 },
      { ...numeric('random_page_cost', '4'), kind: 'real' as const },
      numeric('effective_io_concurrency', '1'),
      { ...size, name: 'synchronous_commit', initial: 'on', kind: 'enum' as const, choices: ['on', 'off'] },
      { ...size, name: 'io_method', initial: 'worker', kind: 'enum' as const, choices: ['worker', 'sync'] },
    ];
    const advice = { ...documentedAdvice(memory), io_method: 'io_uring', random_page_cost: '5000', fsync: 'off' };
    const { settings, refused } = await follow(
      versionCheck,
      surface(() => 1, given, 0),
      advice,
    );
    expect(settings).toEqual({ shared_buffers: '2048MB', effective_io_concurrency: '200' });
    expect(Object.fromEntries(refused.map(({ name, why }) => [name, why]))).toMatchObject({
      stats_temp_directory: 'this version does not have it',
      random_page_cost: '5000 is over 1000',
      io_method: 'io_uring is none of worker, sync',
      synchronous_commit: 'it decides whether confirmed commits survive a crash',
      fsync: 'this version does not have it',
    });
  });

  it('[TUNE-1] no knob that is searched gives up durability, and a skill that does not apply is not run', async () => {
    expect(knobs.filter(({ name }) => unsafeKnobs.includes(name))).toEqual([]);
    const given = { knobs: [], random: createRandom('none') };
    await expect(
      follow(
        jointSearch,
        surface(() => 1, [], 5),
        given,
      ),
    ).rejects.toThrow(SkillRefused);
  });

  it('[TUNE-2] a profile names what the load waited for', () => {
    const idle = { milliseconds: 1, temporaryBytes: 0, readShare: 0, logWaits: 0 };
    expect(bottlenecksOf({ ...idle, logWaits: 0.5 })).toEqual(['commits']);
    expect(bottlenecksOf({ ...idle, milliseconds: 300, temporaryBytes: 1 })).toEqual(['memory', 'plans']);
    expect(bottlenecksOf({ ...idle, readShare: 0.5 })).toEqual(['reads']);
    expect(bottlenecksOf(idle)).toEqual(['plans']);
  });

  it('[TUNE-3] joint search finds two knobs that help only together; one at a time does not', async () => {
    const given = [numeric('commit_delay', '0'), numeric('commit_siblings', '5')];
    const rate = (settings: Settings): number =>
      settings['commit_delay'] === '500' && settings['commit_siblings'] === '1' ? 200 : 100;
    const budget = 16;
    expect(rate(await advise('one at a time', surface(rate, given, budget)))).toBe(100);
    expect(rate(await advise('skills', surface(rate, given, budget)))).toBe(200);
  });

  it('[TUNE-3] arms that search spend what they have and no more', async () => {
    const given = knobs.map(
      ({ name, values: [value = ''] }): ServerKnob => ({ ...numeric(name, value), kind: 'string' }),
    );
    for (const { name } of arms.slice(3)) {
      const bench = surface(() => 1, given, 24);
      await advise(name, bench);
      expect([name, bench.left()]).toEqual([name, 0]);
    }
  });

  it('[TUNE-3] keeps values of this version alone', () => {
    const catalog = new Map([['commit_delay', { ...numeric('commit_delay', '0'), most: 1000 }]]);
    const kept: Knob[] = [{ name: 'commit_delay', values: ['0', '500'], against: 'commits' }];
    expect(knobsOf(catalog, knobs)).toEqual(kept);
  });
});

describe('the table of tuning', () => {
  const cell = (rates: TuningCell['rates']): TuningCell => ({
    version: '15',
    workload: 'reports',
    seed: 1,
    budget: 2,
    advice: {},
    rates,
    load: [0, 0],
  });

  it('[TUNE-4] compares within rounds, and says what does not start', () => {
    const cells = [cell({ defaults: [100, 10, 1000], documentation: [null, null, null], skills: [200, 20, 2000] })];
    expect(gainOf(cells, 'skills', 'defaults')?.mean).toBeCloseTo(Math.log(2), 12);
    expect(tuningTable({ cells }).join('\n')).toContain('| does not start | +100 (');
  });
});

describe('a real server', () => {
  it.skipIf(!installed.postgres)(
    '[TUNE-5] is loaded, watched and set; what it does not know keeps it from starting',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'espalier-tuning-'));
      chmodSync(folder, 0o755);
      const [version] = findVersions([]);
      const [transfers, reports] = workloads as [(typeof workloads)[0], (typeof workloads)[0]];
      try {
        if (version === undefined) throw new Error('no version');
        const server = await createLoadedServer({ ...version, folder: join(folder, 'data'), seconds: 1 });
        expect((await server.catalog()).get('work_mem')).toMatchObject({ initial: '4096', unit: 'kB' });
        expect((await server.measure(transfers, { commit_delay: '500' })).rate).toBeGreaterThan(1);
        expect(await server.measure(transfers, { checkpoint_segments: '8' })).toMatchObject({
          rate: null,
          why: expect.stringContaining('checkpoint_segments'),
        });
        // Tests run where no log waits for a disk: that clients are seen is all that can be said.
        expect((await server.observe(transfers)).milliseconds).toBeGreaterThan(0);
        expect((await server.observe(reports)).temporaryBytes).toBeGreaterThan(0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      expect(existsSync(folder)).toBe(false);
    },
    120_000,
  );
});

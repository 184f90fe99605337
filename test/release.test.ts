import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Validity } from '../src/analysis/leaderboard/validity/validity.ts';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { foldEpisode } from '../src/core/episode/record.ts';
import type { Exporter } from '../src/dataset/rows/exporter.ts';
import { withCanary } from '../src/dataset/tables/with-canary.ts';
import { writeRelease, type Release } from '../src/envs/releases/release-file.ts';
import { differenceOf } from '../src/runs/release/contamination.ts';
import { episodesIn, library, runProgram, runWarm, type Ended } from './fixtures/program.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-release-'));
  mkdirSync(join(folder, 'app'));
  cpSync(library, join(folder, 'app', 'library.ts'));
  writeFileSync(join(folder, 'demand.yaml'), demand);
});
afterAll(() => rmSync(folder, { recursive: true }));

const demand = `demand:
  - { date: 2026-01-10, template: lend-to-reader, weight: 3 }
  - { date: 2026-02-01, template: library/reserve-for-reader, weight: 1 }
  - { date: 2026-12-01, template: reserve-for-reader, weight: 50 }
`;

const run = (...args: readonly string[]): Promise<Ended> => runWarm(args, { folder });
const freeze = (out: string, ...flags: readonly string[]): Promise<Ended> =>
  run('release', 'freeze', './app/library.ts', '--out', out, '--tasks', '4', '--date', '2026-03-01', ...flags);
const readRelease = (name: string): Release =>
  JSON.parse(readFileSync(join(folder, name, 'release.json'), 'utf8')) as Release;

async function evaluate(release: string, out: string): Promise<unknown> {
  const flags = ['--student', 'untrained', '--instances', '3', '--no-baselines', '--out', out];
  const { code, stderr } = await run('eval', `release:${release}`, ...flags);
  expect(code, stderr).toBe(0);
  return episodesIn(join(folder, out)).map(({ head, events, end }) => ({
    head: { ...head, run: '' },
    events,
    end: { ...end, milliseconds: 0 },
  }));
}

describe('espalier release', () => {
  it('[RELEASE-1] freezes as many tasks of each template as were asked for up to its date', async () => {
    const { code, stdout, stderr } = await freeze('march', '--demand', 'demand.yaml');
    expect(code, stderr).toBe(0);
    const { tasks, date, demand: seen, environment } = readRelease('march');
    // 3 to 1 of what was seen by March, of 4 tasks. What comes in December is left out.
    expect(Map.groupBy(tasks, ({ template }) => template).get('lend-to-reader')).toHaveLength(3);
    expect([date, tasks.length, seen.length, environment]).toEqual(['2026-03-01', 4, 2, './source/library.ts']);
    expect(stdout).toContain('4 with a path');
    expect((await freeze('march')).stderr).toContain('holds a release already');
  });

  it('[RELEASE-2] is run again to the same bytes after the app and the demand have changed', async () => {
    const before = await evaluate('march', 'first');
    const app = join(folder, 'app', 'library.ts');
    const text = readFileSync(app, 'utf8');
    writeFileSync(app, text.replaceAll('Lend', 'Hand out').replaceAll('random.pick', 'random.fork("other").pick'));
    appendFileSync(join(folder, 'demand.yaml'), '  - { date: 2026-02-02, template: reserve-for-reader, weight: 9 }\n');
    expect(await evaluate('march', 'second')).toEqual(before);
    const checked = await run('release', 'check', 'march', '--json');
    expect(JSON.parse(checked.stdout)).toMatchObject({ walked: 4, opened: 0, changed: [] });
    // A fresh process: the module of before is loaded in the other one.
    const later = await runProgram(
      [
        'release',
        'freeze',
        './app/library.ts',
        '--out',
        'later',
        '--tasks',
        '4',
        '--date',
        '2026-03-01',
        '--demand',
        'demand.yaml',
      ],
      { folder },
    );
    expect(later.code, later.stderr).toBe(0);
    expect(readRelease('later').tasks.map(({ seal }) => seal)).not.toEqual(
      readRelease('march').tasks.map(({ seal }) => seal),
    );
  });

  it('[RELEASE-3] is refused when anything in it was changed, and is never collected on', async () => {
    const refused = async (change: (copy: string) => void): Promise<string> => {
      const copy = join(folder, 'copy');
      rmSync(copy, { recursive: true, force: true });
      cpSync(join(folder, 'march'), copy, { recursive: true });
      change(copy);
      const { code, stderr } = await run('release', 'check', 'copy');
      expect(code).toBe(2);
      return stderr;
    };
    const edit = (copy: string, from: string, to: string): void => {
      const path = join(copy, 'release.json');
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
    };
    expect(await refused(copy => edit(copy, '2026-03-01', '2025-03-01'))).toMatch(/hash is not that of what it holds/);
    expect(await refused(copy => edit(copy, '"instruction": "', '"instruction": "Now '))).toMatch(/was changed/);
    expect(await refused(copy => appendFileSync(join(copy, 'source', 'library.ts'), '\n'))).toMatch(
      /not the file that was frozen/,
    );
    expect(await refused(copy => rmSync(join(copy, 'source'), { recursive: true }))).toMatch(/is missing/);
    const collected = await run('collect', 'release:march', '--out', 'collected');
    expect(collected.code).not.toBe(0);
    expect(collected.stderr + collected.stdout).toContain('kept for evaluation');
  });

  it('[RELEASE-3] refuses a task that begins in another state than it was frozen in', async () => {
    cpSync(join(folder, 'march'), join(folder, 'other'), { recursive: true });
    const { hash: _hash, ...content } = readRelease('march');
    const proofs = content.proofs.map((proof, index) => (index === 0 ? { ...proof, root: 'another' } : proof));
    writeFileSync(join(folder, 'other', 'release.json'), writeRelease({ ...content, proofs }));
    const { code, stdout } = await run('release', 'check', 'other');
    expect(code).toBe(1);
    expect(stdout).toContain(`The task ${proofs[0]?.task} of the release 2026-03-01 begins in another state`);
    expect(stdout).toContain('3 walked again, 0 opened, 1 changed');
  });

  it('[RELEASE-4] finds canaries and instructions in rows and prompts', async () => {
    const { canary, tasks } = readRelease('march');
    mkdirSync(join(folder, 'rows', 'deep'), { recursive: true });
    const row = JSON.stringify({ prompt: `Task: ${tasks[0]?.instruction}` });
    writeFileSync(join(folder, 'rows', 'deep', 'train.jsonl'), `{"prompt":"else"}\n${row}\n`);
    writeFileSync(join(folder, 'prompt.txt'), `before\n${canary}\n`);
    const found = await run('release', 'leaks', 'rows', 'prompt.txt', '--release', 'march', '--json');
    expect(found.code, found.stderr).toBe(1);
    expect(JSON.parse(found.stdout)).toMatchObject({
      leaks: [
        { what: 'instruction', line: 2, task: tasks[0]?.id },
        { what: 'canary', line: 2, file: 'prompt.txt' },
      ],
    });
    // What was exported of its episodes has it, in an archive too.
    expect((await run('export', 'first', '--as', 'inspect')).code).toBe(0);
    const logs = await run('release', 'leaks', 'first/export', '--release', 'march', '--json');
    expect(logs.code, logs.stderr).toBe(1);
    expect((JSON.parse(logs.stdout) as { leaks: { what: string }[] }).leaks.map(({ what }) => what)).toContain(
      'canary',
    );
    const record = foldEpisode(episodesIn(join(folder, 'first'))[0] as StoredEpisode);
    const made = withCanary({
      name: 'made',
      about: '',
      columns: [],
      *rows() {
        yield {};
      },
    } as unknown as Exporter);
    expect([...made.rows({ record } as never)]).toEqual([{ canary }]);
    writeFileSync(join(folder, 'clean.txt'), 'nothing\n');
    expect((await run('release', 'leaks', 'clean.txt', '--release', 'march')).code).toBe(0);
  });

  it('[BOARD-8] a leaderboard compares ranks between the months of releases', async () => {
    // The app was changed above: another copy of it.
    cpSync(library, join(folder, 'app', 'again.ts'));
    for (const [out, date] of Object.entries({ early: '2026-04-01', may: '2026-05-01' })) {
      const flags = ['--out', out, '--name', out, '--date', date, '--tasks', '4'];
      expect((await run('release', 'freeze', './app/again.ts', ...flags)).code).toBe(0);
    }
    writeFileSync(
      join(folder, 'idle.mjs'),
      `export const policy = { name: 'idle', act: () => ({ action: { kind: 'finish' } }) };`,
    );
    writeFileSync(
      join(folder, 'grid.yaml'),
      'environments: ["release:early", "release:may"]\nstudents: [untrained, gullible, ./idle.mjs]\ninstances: 2\nbaselines: false\n',
    );
    const { code, stderr } = await run('leaderboard', 'grid.yaml', '--out', 'board');
    expect(code, stderr).toBe(0);
    const { validity } = JSON.parse(readFileSync(join(folder, 'board', 'site', 'leaderboard.json'), 'utf8')) as {
      validity: Validity;
    };
    expect(validity.predictions.filter(({ by }) => by === 'date')).toMatchObject([
      { one: '2026-04', other: '2026-05' },
    ]);
  });

  it('[RELEASE-5] compares success before and after a day, with an interval', async () => {
    // MOVER by hand: 0.8 (0.7–0.9) less 0.5 (0.3–0.7) is 0.3, down by √(0.1² + 0.2²) and up by as much.
    const sided = (rate: number, spread: number) => ({
      rate,
      low: rate - spread,
      high: rate + spread,
      passed: 0,
      n: 0,
      errored: 0,
      uncertified: 0,
      raw: rate,
    });
    const { mean, low, high } = differenceOf(sided(0.8, 0.1), sided(0.5, 0.2));
    expect([mean, low, high].map(value => value.toFixed(4))).toEqual(['0.3000', '0.0764', '0.5236']);
    const both = ['--release', 'march', '--release', 'later', '--cutoff', '2026-03-02'];
    const alone = await run('release', 'dates', 'first', ...both);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('0 from it on')]);
  });
});

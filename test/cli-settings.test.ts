import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contents } from './fixtures/episode-setup.ts';
import { episodesIn, library, runWarm } from './fixtures/program.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'espalier-settings-'));
});
afterAll(() => rm(folder, { recursive: true }));

const cases: { verb: string[]; former: string[]; settings: string[] }[] = [
  {
    verb: ['collect', library, '--instances', '1', '--speculate', 'adaptive'],
    former: ['--go-on', '0.3', '--branching', '--forks', '2', '--teacher-errors', '0.2', '--temperature', '0.5'],
    settings: [
      'strategy.goOn=0.3',
      'strategy.branching=true',
      'limits.forks=2',
      'teacher.errors=0.2',
      'student.temperature=0.5',
    ],
  },
  {
    verb: ['eval', library, '--student', 'untrained', '--instances', '1', '--no-baselines', '--strategy', 'lookahead'],
    former: ['--width', '2', '--expansions', '8', '--actions', 'screen'],
    settings: ['strategy.width=2', 'strategy.expansions=8', 'actions=screen'],
  },
  {
    verb: [
      'loop',
      library,
      '--rounds',
      '1',
      '--instances',
      '1',
      '--eval-instances',
      '1',
      '--no-baselines',
      '--workers',
      '0',
    ],
    former: ['--skip-sure', '0.9', '--teacher-strict', '--misses', '0.1', '--bins', 'task'],
    settings: ['strategy.skipSure=0.9', 'teacher.strict=true', 'loop.misses=0.1', 'loop.bins=task'],
  },
];

test.each(cases)(
  '[CLI-19] $verb.0 by options of 0.1 and by --set is the same run',
  async ({ verb, former, settings }) => {
    const [old, now] = ['old', 'new'].map(place => join(place, verb[0] as string)) as [string, string];
    const ended = [
      await runWarm([...verb, ...former, '--out', old], { folder }),
      await runWarm([...verb, ...settings.flatMap(text => ['--set', text]), '--out', now], { folder }),
    ];
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, expect.stringContaining('the old spelling goes in 0.3.')],
      [0, expect.not.stringContaining('the old spelling')],
    ]);
    const files = (place: string): string[] =>
      readdirSync(join(folder, place)).filter(file => /^(config|loop|student).*\.json$/.test(file));
    expect(files(old)).toEqual(files(now));
    for (const file of files(old))
      expect(readFileSync(join(folder, old, file), 'utf8')).toBe(readFileSync(join(folder, now, file), 'utf8'));
    const [first, second] = [old, now].map(place => contents(episodesIn(join(folder, place))));
    expect(second).toEqual(first);
    expect(first).not.toEqual({});
  },
);

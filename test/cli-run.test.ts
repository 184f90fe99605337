import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { openStore } from '../src/store/store.ts';
import { contents } from './fixtures/episode-setup.ts';
import { episodesIn, library, runProgram, runWarm, type Ended, type ProgramOptions } from './fixtures/program.ts';

const isRoot = process.getuid?.() === 0;

let folder = '';

/** In a process of its own when it is given options. */
function espalier(args: readonly string[], options?: Partial<ProgramOptions>): Promise<Ended> {
  return options === undefined ? runWarm(args, { folder }) : runProgram(args, { folder, ...options });
}

async function json(args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await espalier([...args, '--json']);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: expect.any(String) });
  return JSON.parse(stdout) as Record<string, unknown>;
}

function episodesOf(run: string): StoredEpisode[] {
  return episodesIn(join(folder, run));
}

function read(...path: string[]): string {
  return readFileSync(join(folder, ...path), 'utf8');
}

function saidBy({ stdout, stderr }: Ended): string {
  return `${stdout}${stderr}`;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'espalier-run-'));
  await espalier(['collect', library, '--out', 'one', '--instances', '4', '--set', 'strategy.branching=true'], {});
  await espalier(['export', 'one'], {});
  await espalier(['train', 'one'], {});
});
afterAll(() => rm(folder, { recursive: true }));

describe('collect', () => {
  test('[RUN-1] writes its config, and what is started again from it gives the same episodes', async () => {
    expect(JSON.parse(read('one', 'config.json'))).toMatchObject({ run: 'one', environments: [library], instances: 4 });
    const again = await json(['collect', '--config', 'one/config.json', '--out', 'again', '--concurrency', '2']);
    expect(again).toMatchObject({ run: 'again', planned: 8, ended: 8, skipped: 0, stopped: false });
    expect(contents(episodesOf('again'))).toEqual(contents(episodesOf('one')));
    expect(episodesOf('one')).toHaveLength(8);
  });

  test('tells outcomes, teacher queries, wrong rejections, where the store is and what is next', async () => {
    const { code, stdout } = await espalier(['collect', '--resume', 'one']);
    expect(code).toBe(0);
    expect(stdout).toContain('8 episodes there before');
    expect(stdout).toMatch(/^library +\d+ +\d+ +\d+ +0 /m);
    expect(stdout).toMatch(/Teacher queries: \d+ \(\d+ reviews, \d+ corrections\)/);
    expect(stdout).toMatch(/Wrong rejections: \d+ of \d+ branches/);
    expect(stdout).toContain('Kept in one/store.db');
    expect(stdout).toContain('espalier inspect one, espalier export one');
  });

  test('[RUN-3] leaves a run with another config as it is, and says what differs', async () => {
    const before = read('one', 'config.json');
    const branching = ['--set', 'strategy.branching=true'];
    const { code, stderr } = await espalier(['collect', library, '--out', 'one', '--instances', '5', ...branching]);
    expect(code).toBe(2);
    expect(stderr).toContain('one holds a run with another config: instances was 4, is 5.');
    expect(stderr).toContain('espalier collect --resume one');
    expect(read('one', 'config.json')).toBe(before);
  });

  test('[RUN-6] another round sees new instances, with the student of the first', async () => {
    const first = { ...(await json(['collect', library, '--out', 'rounds', '--instances', '2'])) };
    const args = ['collect', library, '--out', 'rounds', '--instances', '2', '--round', '2'];
    const second = await json([...args, '--student', 'one/student.json']);
    expect([first, second]).toMatchObject([
      { round: 1, ended: 4 },
      { round: 2, ended: 4, skipped: 0 },
    ]);
    const heads = episodesOf('rounds').map(({ head }) => head);
    expect(new Set(heads.map(({ task }) => task.id)).size).toBe(8);
    expect(heads.map(({ student }) => student)).toEqual([...Array(4).fill('untrained'), ...Array(4).fill('learned')]);
    expect(JSON.parse(read('rounds', 'config.round-1.json'))).toMatchObject({ round: 1, run: 'rounds' });
    expect(JSON.parse(read('rounds', 'config.json'))).toMatchObject({ round: 2, student: { kind: 'learned' } });
  });

  test('[RUN-2] refuses what is unknown or impossible before it writes anything', async () => {
    const config = JSON.parse(read('one', 'config.json')) as object;
    writeFileSync(join(folder, 'typo.json'), JSON.stringify({ ...config, specluate: 3 }));
    writeFileSync(join(folder, 'negative.json'), JSON.stringify({ ...config, instances: -1 }));
    writeFileSync(join(folder, 'cut.json'), read('one', 'config.json').slice(0, 40));
    const from = (file: string): Promise<Ended> => espalier(['collect', '--config', file, '--out', 'never']);
    const [typo, negative, cut, missing, errors, kind, nowhere] = await Promise.all([
      from('typo.json'),
      from('negative.json'),
      from('cut.json'),
      from('missing.json'),
      espalier(['collect', library, '--out', 'never', '--set', 'teacher.errors=2']),
      espalier(['collect', library, '--out', 'never', '--strategy', 'linear', '--speculate', '2']),
      espalier(['collect', library]),
    ]);
    expect(typo).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown key "specluate"') });
    expect(negative).toMatchObject({ code: 2, stderr: expect.stringContaining('"instances" as -1') });
    expect(cut).toMatchObject({ code: 2, stderr: expect.stringContaining('cut.json cannot be read') });
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no config missing.json') });
    expect(errors).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/teacher\.errors was given "2"\.\s+Expected number from 0 to 1\./),
    });
    expect(kind).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('strategy.speculate is a setting of speculative-rollback'),
    });
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('--out runs/one') });
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });

  test('[RUN-33] takes held-out templates by name only, and says so', async () => {
    const { code, stdout } = await espalier(['collect', library, '--out', 'named', '--templates', 'who-has-book']);
    expect(code).toBe(0);
    expect(stdout).toContain('Collected on held-out templates, as asked: who-has-book');
    const exported = await espalier(['export', 'named', '--format', 'jsonl']);
    expect(exported).toMatchObject({ code: 1, stderr: expect.stringContaining('There are no training rows') });
    expect(exported.stderr).toContain('that passed are of held-out templates or of evaluations');
    expect(exported.stderr).not.toContain('nothing passed');
  });

  test('[RUN-16] ends with 1 when every episode errored, and names the side that broke', async () => {
    writeFileSync(
      join(folder, 'broken.ts'),
      `import { createWorld } from 'espalier';
import { app } from ${JSON.stringify(library)};
const world = createWorld(app);
export const environment = {
  ...world,
  open: task => ({ ...world.open(task), verify() { throw new Error('the verifier lost its glasses'); } }),
};
`,
    );
    const args = ['collect', './broken.ts', '--out', 'broken', '--student', 'random', '--strategy', 'linear'];
    const { code, stdout } = await espalier([...args, '--instances', '1']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Broke at the verifier: 2 episodes\. First: .*lost its glasses/s);
  });
});

describe('a run that stops early', () => {
  test('[RUN-12] asks a person, line by line, and can be resumed when the lines end', async () => {
    const args = ['collect', library, '--out', 'human', '--teacher', 'human', '--instances', '1', '--speculate', '1'];
    const { code, stdout, stderr } = await espalier(args, { typed: ['2', '1 wrong book', 'e1 nothing'] });
    expect({ code }).toEqual({ code: 1 });
    expect(stdout).toContain('Task: Lend');
    expect(stdout).toContain('accept, or the number of the first wrong step (1) and why:');
    expect(stdout).toContain('There is no step 2. Expected 1.');
    expect(stdout).toContain('Back where it went wrong (wrong book).');
    expect(stdout).toContain('The right step:');
    expect(stderr).toContain('go on with: espalier collect --resume human');
    expect(episodesOf('human')).toHaveLength(0);
  });

  test('[RUN-12] an episode that a person corrected is kept as such', async () => {
    const lines = [
      '1 no',
      'e1 Nothing',
      '1 no',
      'finish infeasible',
      '1 no',
      'finish infeasible',
      '1 no',
      'finish infeasible',
    ];
    const args = ['collect', library, '--out', 'taught', '--teacher', 'human', '--instances', '1', '--speculate', '1'];
    const { stdout } = await espalier([...args, '--set', 'limits.interventions=2', '--json'], {
      typed: [...lines, ...lines],
    });
    expect(JSON.parse(stdout)).toMatchObject({ stopped: false, ended: 2 });
    const [first] = episodesOf('taught');
    expect(first?.end).toMatchObject({ outcome: 'discarded', counts: { reviews: expect.any(Number) } });
    expect(first?.events.some(event => event.kind === 'correction')).toBe(true);
  });

  test('[RUN-15] Ctrl+C ends it in good order, and it can be resumed', async () => {
    const args = ['collect', library, '--out', 'stopped', '--teacher', 'human', '--instances', '1'];
    const { code, stderr } = await espalier(args, { typed: [], stopAt: /first wrong step/ });
    expect(code).toBe(1);
    expect(stderr).toContain('stopping …');
    expect(stderr).toContain('go on with: espalier collect --resume stopped');
    expect(episodesOf('stopped')).toHaveLength(0);
  });

  test('[RUN-4] resuming needs nothing but the folder', async () => {
    mkdirSync(join(folder, 'half'));
    copyFileSync(join(folder, 'one', 'config.json'), join(folder, 'half', 'config.json'));
    const resumed = await json(['collect', '--resume', 'half']);
    expect(resumed).toMatchObject({ run: 'one', ended: 8 });
    expect(await json(['collect', '--resume', 'half'])).toMatchObject({ ended: 0, skipped: 8 });
    expect(contents(episodesOf('half'))).toEqual(contents(episodesOf('one')));
    const nothing = await espalier(['collect', '--resume', 'nowhere']);
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('no run to resume in nowhere') });
  });
});

describe('export and train', () => {
  test('[RUN-7] print counts and files; training reads rows alone and gives the same student again', async () => {
    const exported = await json(['export', 'one', '--out', 'rows', '--format', 'jsonl']);
    const { files } = exported as { files: { name: string; rows: number }[] };
    expect(files.map(({ name }) => name)).toContain('corrections.jsonl');
    rmSync(join(folder, 'rows', 'next-actions.parquet'), { force: true });
    const trained = await json(['train', 'rows', '--out', 'again.json']);
    expect(trained).toMatchObject({ unread: 0, fit: expect.any(Number) });
    expect(read('again.json')).toBe(read('one', 'student.json'));
    // A correction on the way to an archived end stands in both files.
    const rowsOf = (name: string): number => files.find(file => file.name === name)?.rows ?? 0;
    const [next, corrections] = [rowsOf('next-actions.jsonl'), rowsOf('corrections.jsonl')];
    expect(trained['rows']).toBeLessThan(next + corrections);
    expect(trained['rows']).toBeGreaterThanOrEqual(Math.max(next, corrections));
    expect(await json(['train', 'one', 'rows', '--out', 'both.json'])).toMatchObject({ rows: trained['rows'] });
  });

  test('[RUN-7] says where there are no rows, and what was altered', async () => {
    const nowhere = await espalier(['train', 'nowhere']);
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('no exported rows in nowhere') });
    await espalier(['export', 'one', '--out', 'altered', '--format', 'jsonl']);
    truncateSync(join(folder, 'altered', 'corrections.jsonl'), 1000);
    const altered = await espalier(['train', 'altered']);
    expect(altered).toMatchObject({ code: 2, stderr: expect.stringContaining('was cut or altered') });
    expect(existsSync(join(folder, 'student.json'))).toBe(false);
  });
});

describe('eval', () => {
  test('[RUN-8] keeps the levels apart beside the baselines, and asked again runs nothing twice', async () => {
    const args = ['eval', library, '--student', 'one/student.json', '--out', 'one', '--instances', '2', '--verbose'];
    const shown = await espalier(args);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/new instances +held-out templates/);
    for (const name of ['random', 'replay', 'planner'])
      expect(shown.stdout).toMatch(new RegExp(`^${name} .* of 4 .* of 2`, 'm'));
    expect(shown.stdout).toContain('who-has-book');
    const before = episodesOf('one').length;
    expect(before).toBe(8 + 6 * 6);
    await espalier(args);
    expect(episodesOf('one')).toHaveLength(before);
    const [collected, evaluated] = [true, false].map(isCollected =>
      episodesOf('one').flatMap(({ head }) => ((head.phase === 'collect') === isCollected ? [head.task.id] : [])),
    ) as [string[], string[]];
    expect(collected.filter(id => evaluated.includes(id))).toEqual([]);
  });

  test('[RUN-8] says when baselines are missing; holds two students against each other', async () => {
    await espalier(['train', 'one', '--out', 'other.json', '--seed', '9']);
    const args = ['eval', library, '--student', 'one/student.json', '--against', 'other.json', '--out', 'versus'];
    const { code, stdout, stderr } = await espalier([...args, '--no-baselines', '--trials', '2']);
    expect(code).toBe(0);
    expect(stderr).toContain('The baselines are missing');
    expect(stdout).toMatch(/Against other [0-9a-f]{8} on new instances: .* points; better on \d+/);
    expect(stdout).toContain('all of k pass');
    expect(await espalier([...args, '--instances', '1'])).toMatchObject({ code: 2 });
  });

  test('[RUN-11] refuses a student of other features, and one that is none', async () => {
    const student = JSON.parse(read('one', 'student.json')) as { features: number };
    writeFileSync(join(folder, 'old.json'), JSON.stringify({ ...student, features: student.features + 1 }));
    const [old, none] = await Promise.all([
      espalier(['eval', library, '--student', 'old.json', '--out', 'refused']),
      espalier(['collect', library, '--student', 'plannr', '--out', 'refused']),
    ]);
    expect(old).toMatchObject({ code: 2, stderr: expect.stringContaining('of the features') });
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('another name that espalier list students shows'),
    });
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });

  test('[RUN-11] refuses to go on with a student that was trained again', async () => {
    copyFileSync(join(folder, 'one', 'student.json'), join(folder, 'changing.json'));
    const args = ['collect', library, '--out', 'changing', '--instances', '1', '--student', 'changing.json'];
    expect(await espalier(args)).toMatchObject({ code: 0 });
    await espalier(['train', 'one', '--out', 'changing.json', '--seed', '5']);
    const { code, stderr } = await espalier(['collect', '--resume', 'changing']);
    expect(code).toBe(2);
    expect(stderr).toContain('is not the one that the run began with');
  });
});

describe('inspect and report', () => {
  test('[RUN-9] lists episodes and draws the tree of one, while the run is being written', async () => {
    const writer = openStore({ path: join(folder, 'one', 'store.db') });
    try {
      const listed = await espalier(['inspect', 'one', '--template', 'lend-to-reader', '--json']);
      const rows = listed.stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as { key: string; corrections: number });
      const corrected = rows.find(({ corrections }) => corrections > 0)?.key as string;
      expect(rows.every(({ key }) => key.includes('lend-to-reader'))).toBe(true);
      const { code, stdout } = await espalier(['inspect', 'one', corrected, '--verbose']);
      expect(code).toBe(0);
      for (const part of ['◆', '✗', 'rejected: ', 'teacher', '✓ nothing else was changed', 'passed  '])
        expect(stdout).toContain(part);
      expect(stdout).toMatch(/^start [0-9a-f]{32}$/m);
      const unclear = await espalier(['inspect', 'one', 'lend-to']);
      expect(unclear).toMatchObject({ code: 2, stderr: expect.stringMatching(/is part of \d+ keys/) });
    } finally {
      writer.close();
    }
  });

  test('[RUN-13] writes a page and its figures, and draws the same page again from them', async () => {
    const { code, stdout } = await espalier(['report', 'one']);
    expect({ code }).toEqual({ code: 0 });
    expect(stdout).toContain('one/report.html');
    expect(JSON.parse(read('one', 'report.json'))).toMatchObject({ arms: [{ label: 'one', rounds: [{ round: 1 }] }] });
    await espalier(['report', 'one/report.json', '--out', 'page.html']);
    expect(read('page.html')).toBe(read('one', 'report.html'));
    expect(read('page.html')).toContain('<!doctype html>');
  });
});

describe('a store that cannot be used', () => {
  const using = (run: string): Promise<Ended[]> =>
    Promise.all(
      [
        ['inspect', run],
        ['export', run],
        ['report', run],
        ['collect', '--resume', run],
      ].map(args => espalier(args)),
    );

  /** A copy of the first run, to be spoiled. */
  function copyRun(name: string): string {
    mkdirSync(join(folder, name));
    for (const file of ['config.json', 'store.db']) copyFileSync(join(folder, 'one', file), join(folder, name, file));
    return join(folder, name, 'store.db');
  }

  test('[RUN-10] because it is newer', async () => {
    const database = new DatabaseSync(copyRun('newer'));
    database.exec('UPDATE meta SET format = 99');
    database.close();
    for (const ended of await using('newer')) {
      expect({ code: ended.code }).toEqual({ code: 1 });
      expect(saidBy(ended)).toContain('format 99');
    }
  });

  test('[RUN-10] because it was cut', async () => {
    truncateSync(copyRun('cut'), 9000);
    for (const ended of await using('cut')) {
      expect({ code: ended.code }).toEqual({ code: 1 });
      expect(saidBy(ended)).toMatch(/damaged|not a database/);
    }
  });

  test('[RUN-10] because it is not there', async () => {
    for (const args of [
      ['inspect', 'nowhere'],
      ['export', 'nowhere'],
      ['report', 'nowhere'],
    ]) {
      const ended = await espalier(args);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('nowhere holds no run') });
    }
  });

  test.runIf(isRoot)(
    '[RUN-10] because the disk is full: what was written is safe, and the run can be resumed',
    async () => {
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=640k', 'tmpfs', disk]);
      try {
        const args = ['collect', 'mail', '--out', 'disk/run', '--student', 'random', '--strategy', 'linear'];
        const full = await espalier([...args, '--templates', 'star-message', '--instances', '60'], {});
        expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('the disk is full') });
        expect(full.stderr).toContain('espalier collect --resume disk/run');
        execFileSync('mount', ['-o', 'remount,size=16m', disk]);
        const before = episodesOf('disk/run').length;
        expect(before).toBeGreaterThan(0);
        expect(await json(['collect', '--resume', 'disk/run'])).toMatchObject({ planned: 60, skipped: before });
        expect(new Set(episodesOf('disk/run').map(({ head }) => head.key)).size).toBe(60);
      } finally {
        execFileSync('umount', [disk]);
      }
    },
  );
});

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Board } from '../src/analysis/leaderboard/board.ts';
import { episodesIn, runWarm, type Ended } from './fixtures/program.ts';

const root = join(import.meta.dirname, '..');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-board-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const gridFile = `title: Problems
environments: ['problem:gcd', 'problem:weekday']
students:
  - { name: strong, student: 'noisy-oracle:0.95' }
  - { name: weak, student: 'noisy-oracle:0.2' }
harnesses: [linear, { name: three looks, strategy: gta1, set: { proposals: 3 } }]
instances: 2
`;

type Ran = Ended & { readonly board: Board };

async function leaderboard(out: string, text: string, ...flags: readonly string[]): Promise<Ran> {
  writeFileSync(join(folder, 'grid.yaml'), text);
  const ended = await runWarm(['leaderboard', 'grid.yaml', '--out', out, ...flags], { folder });
  return { ...ended, board: boardIn(out) };
}

function boardIn(out: string): Board {
  const path = join(folder, out, 'site', 'leaderboard.json');
  return JSON.parse(existsSync(path) ? readFileSync(path, 'utf8') : 'null') as Board;
}

/** Everything but time, which no run repeats. */
function timeless(board: Board): unknown {
  return JSON.parse(JSON.stringify(board), (key, value: unknown) => (key === 'seconds' ? 0 : value));
}

function keysIn(out: string, board: Board): string[] {
  return board.entrants
    .flatMap(({ cells }) => cells)
    .flatMap(cell => episodesIn(join(folder, out, cell.folder)).map(({ head }) => `${cell.folder} ${head.key}`))
    .toSorted();
}

describe('espalier leaderboard', () => {
  it('[BOARD-10] ranks every student in every harness on the same tasks, each cell an ordinary run', async () => {
    const { code, stdout, stderr, board } = await leaderboard('whole', gridFile);
    expect(code, stderr).toBe(0);
    expect(board.entrants).toHaveLength(4);
    expect(board.entrants[0]).toMatchObject({ student: 'strong', rank: 1 });
    expect(board.planned).toBe(board.episodes);
    expect(stdout).toContain('three looks');
    const tasks = board.entrants.flatMap(({ cells }) =>
      cells.map(({ folder: own, environment }) => {
        const keys = episodesIn(join(folder, 'whole', own)).filter(({ head }) => head.student.startsWith('noisy'));
        return JSON.stringify([environment, keys.map(({ head }) => head.task.id).toSorted()]);
      }),
    );
    expect(new Set(tasks).size).toBe(2);
    expect(board.baselines.map(({ name }) => name)).toContain('planner');
    const cell = join('whole', board.entrants[0]?.cells[0]?.folder ?? '');
    const reported = await runWarm(['report', cell], { folder });
    expect([reported.code, reported.stdout], reported.stderr).toEqual([0, expect.stringContaining('report.html')]);
  });

  it('[BOARD-11] goes on after it was killed, runs nothing twice, and ends as a board that was not', async () => {
    writeFileSync(join(folder, 'grid.yaml'), gridFile);
    // It ends itself when it makes the folder of the third cell: whoever watches from outside may come too late.
    writeFileSync(
      join(folder, 'kill.mjs'),
      `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { mkdirSync } = fs;
      fs.mkdirSync = (path, options) => {
        if (String(path).includes('weak.linear.problem-gcd')) process.kill(process.pid, 'SIGKILL');
        return mkdirSync(path, options);
      };
      syncBuiltinESMExports();`,
    );
    const args = [join(root, 'bin', 'espalier.js'), 'leaderboard', 'grid.yaml', '--out', 'killed', '--workers', '0'];
    const env = { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'kill.mjs')).href}` };
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', env });
    expect(await new Promise(resolve => child.once('close', code => resolve(code)))).not.toBe(0);
    expect(boardIn('killed')).toBeNull();
    const part = await leaderboard('killed', gridFile, '--no-run');
    expect(part.code).toBe(1);
    expect(part.board.episodes).toBeLessThan(boardIn('whole').episodes);
    const { code, board, stderr } = await leaderboard('killed', gridFile);
    expect(code, stderr).toBe(0);
    expect(timeless(board)).toEqual(timeless(boardIn('whole')));
    const keys = keysIn('killed', board);
    expect(keys).toEqual(keysIn('whole', board));
    expect(await leaderboard('killed', gridFile)).toMatchObject({ code: 0 });
    expect(keysIn('killed', board)).toEqual(keys);
  });

  it('[BOARD-12] flags a pass that rests on an exploit, and does not count it', async () => {
    writeFileSync(
      join(folder, 'idle.mjs'),
      "export const policy = { name: 'idle', act: () => ({ action: { kind: 'finish' } }) };\n",
    );
    const app = join(root, 'test', 'fixtures', 'planted', 'initial-passes.ts');
    const { board, stderr } = await leaderboard(
      'gamed',
      `environments: ['${app}']\nstudents: [./idle.mjs]\nbaselines: false\nlevels: [new-instances]\n`,
    );
    const [idle] = board.entrants;
    expect(idle, stderr).toMatchObject({ honest: { rate: 0 }, verified: { rate: 1 }, broken: {} });
    expect(board.flags[0]).toMatchObject({ kind: 'gamed', exploit: 'no-op-pass' });
  });

  it('[BOARD-13] refuses a grid that it cannot compare, before anything runs', async () => {
    const refused = async (text: string, out = 'refused'): Promise<string> => {
      const { code, stderr } = await leaderboard(out, text);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused(gridFile.replace('instances: 2', 'instances: 3'), 'whole')).toMatch(
      /holds a board with instances 2/,
    );
    expect(await refused(gridFile.replace('name: weak', 'name: strong'))).toMatch(
      /two entries of the student "strong"/,
    );
    expect(await refused(gridFile.replace('gta1, set: { proposals: 3 }', 'dagger'))).toMatch(/asks a teacher/);
    expect(await refused(gridFile.replace('proposals', 'proposal'))).toMatch(/proposal/);
    expect(await refused(`${gridFile}environments: 3\n`)).toMatch(/grid\.yaml/);
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stagedIn } from './git-index.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-index-'));
afterAll(() => rmSync(folder, { recursive: true }));
const hasGit = spawnSync('git', ['--version']).status === 0;
const git = (...given: string[]): string => execFileSync('git', given, { cwd: folder, encoding: 'utf8' });
const staged = (): string | undefined => stagedIn(readFileSync(join(folder, '.git/index')))?.toString('hex');

describe.skipIf(!hasGit)('the index of git', () => {
  it('[TERM-2] has what is staged, whatever the times of files', () => {
    git('init', '-q');
    for (const name of ['a', 'b', 'long name ü'.repeat(9)]) writeFileSync(join(folder, name), name);
    git('add', '.');
    const first = staged();
    expect(first).toContain(Buffer.from('long name').toString('hex'));
    utimesSync(join(folder, 'a'), 1, 1);
    git('status');
    expect(staged()).toBe(first);
    git('update-index', '--skip-worktree', 'a');
    expect(staged()).not.toBe(first);
    git('update-index', '--no-skip-worktree', 'a');
    expect(staged()).toBe(first);
    git('rm', '-q', '--cached', 'b');
    expect(staged()).not.toBe(first);
  });

  it('[TERM-2] is not read where it is not known', () => {
    expect(
      ['', 'DIRC', 'something else', `DIRC\0\0\0\u0004\0\0\0\0`, `DIRC\0\0\0\u0002\0\0\0\u0001`].map(text =>
        stagedIn(Buffer.from(text)),
      ),
    ).toEqual([null, null, null, null, null]);
  });
});

import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-folder-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('makeFolder', () => {
  it('makes what is missing, and leaves what is there', () => {
    makeFolder(join(folder, 'a/b/c'));
    makeFolder(join(folder, 'a/b/c'));
    expect(statSync(join(folder, 'a/b/c')).isDirectory()).toBe(true);
  });

  it('takes a path relative to the working directory', () => {
    makeFolder('.');
    expect(() => makeFolder('package.json/x')).toThrow('ENOTDIR');
  });

  it('says what is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(folder, 'file/below'))).toThrow('ENOTDIR');
  });

  it.runIf(existsSync('/proc/self'))('ends where no folder can be made', () => {
    expect(() => makeFolder('/proc/nowhere/x')).toThrow('ENOENT');
  });
});

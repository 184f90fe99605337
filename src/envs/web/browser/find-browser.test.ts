import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { cwd } from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { EspalierError } from '../../../core/errors.ts';
import { findBrowser } from './find-browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'find-browser-'));
const program = join(folder, 'browser');
const text = join(folder, 'notes.txt');
writeFileSync(program, '#!/bin/sh\n');
chmodSync(program, 0o755);
writeFileSync(text, 'not a program');
afterAll(() => rmSync(folder, { recursive: true }));

function refusal(work: () => unknown): EspalierError {
  try {
    work();
  } catch (cause) {
    if (cause instanceof EspalierError) return cause;
  }
  throw new Error('Nothing was refused.');
}

describe('finding the browser', () => {
  it('[WEB-1] takes the program at the given path, and no other', () => {
    expect(findBrowser(program, [])).toBe(program);
    expect(findBrowser(relative(cwd(), program), [])).toBe(program);
  });

  it('[WEB-1] refuses a path where no program is, naming it', () => {
    for (const path of [join(folder, 'missing'), folder, text]) {
      const { boundary, code, message } = refusal(() => findBrowser(path, [program]));
      expect([boundary, code]).toEqual(['environment', 'unavailable']);
      expect(message).toContain(`There is no program that can be run at ${path}.`);
    }
  });

  it('[WEB-1] else takes the first of the usual places that has one', () => {
    expect(findBrowser(undefined, [join(folder, 'missing'), folder, program, '/bin/sh'])).toBe(program);
  });

  it('[WEB-1] says what to install when the system has none', () => {
    const { code, message, expected } = refusal(() => findBrowser(undefined, [text]));
    expect(code).toBe('unavailable');
    expect(message).toContain(text);
    expect(expected).toContain('apt-get install chromium-headless-shell');
    expect(expected).toContain('--browser-path');
  });
});

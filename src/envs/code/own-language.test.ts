import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { StateEnvironment } from '../../core/contracts.ts';
import { codeFamily } from './family.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-language-'));
afterAll(() => rmSync(folder, { recursive: true }));

function languageFile(language: object): string {
  const file = join(folder, 'language.json');
  writeFileSync(file, JSON.stringify(language));
  return file;
}

const perl = {
  name: 'perl',
  file: 'program.pl',
  run: ['/usr/bin/perl', '{file}'],
  install: 'Debian: apt install perl',
};

async function open(language: object): Promise<StateEnvironment> {
  const opened = await codeFamily.open(`adr:2,language=${languageFile(language)}`, {} as never);
  return ('environment' in opened ? opened.environment : null) as StateEnvironment;
}

describe('a language of one’s own', () => {
  it('[ADR-7] is asked for in the task, and its programs are judged by what they print', async () => {
    const environment = await open(perl);
    const task = environment.task('two-atoms', 1);
    expect(task.instruction).toContain('Write the program in perl');
    const session = environment.open(task);
    // A program that calls nothing but prints what it reads is no solution; it runs, though.
    const written = session.step({
      kind: 'call',
      tool: 'write_file',
      input: { path: 'a.pl', text: 'print "hi $_" while <>;' },
    });
    expect(written.applied).toBe(true);
    const ran = session.step({ kind: 'call', tool: 'run_file', input: { path: 'a.pl', input: 'x\n' } });
    expect(ran.result).toMatchObject({ outcome: 'done', output: 'hi x\n' });
    session.step({ kind: 'finish', answer: '```perl\nprint "hi $_" while <>;\n```' });
    const { checks, pass } = session.verify();
    expect(pass).toBe(false);
    expect(checks.find(({ id }) => id === 'program-runs')?.pass).toBe(true);
    await environment.close?.();
  });

  it('[ADR-7] is refused by name where its compiler is missing, or its file says no language', async () => {
    const missing = { ...perl, name: 'zig', compile: ['/usr/bin/zig-not-here', '{file}'], install: 'Install zig.' };
    await expect(open(missing)).rejects.toThrow(
      'A program in zig could not be started: /usr/bin/zig-not-here is not there',
    );
    await expect(open({ name: 'zig' })).rejects.toThrow('is not valid');
    await expect(codeFamily.open('adr:2,speed=3', {} as never)).rejects.toThrow('is no option of programming tasks');
  });
});

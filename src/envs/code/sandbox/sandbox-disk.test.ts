import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findCodeSandbox } from './find-sandbox.ts';
import { findLanguage } from './languages.ts';
import { createProgramRunner, usualLimits, type RunOutcome } from './run-program.ts';

const patient = { ...usualLimits, wallMilliseconds: 20_000 };
const runner = createProgramRunner(findCodeSandbox(), patient);
/** Stands on the command lines of programs that this file starts. */
const token = `own${randomUUID()}`;

function run(name: string, source: string, { by = runner } = {}): RunOutcome {
  const language = findLanguage(name);
  const prepared = by.prepare({ ...language, run: [...language.run, token] }, source);
  return 'run' in prepared ? prepared.run('') : prepared;
}

/** Processes of this file's programs that still run, after a moment to end. */
function leftovers(): string[] {
  const isOwn = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(token);
    } catch {
      return false;
    }
  };
  for (let tries = 0; ; tries++) {
    const running = readdirSync('/proc').filter(name => /^\d+$/.test(name) && isOwn(name));
    if (running.length === 0 || tries === 40) return running;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

describe('the disk of a program', () => {
  it.each([
    ['writes gigabytes', 'bash', 'head -c 5000000000 /dev/zero > big'],
    ['goes on when there is no room', 'bash', 'head -c 5000000000 /dev/zero > big; echo right; exit 0'],
    ['writes a million files', 'python', 'for i in range(1000000): open(str(i), "w").close()'],
    ['makes a million folders', 'python', 'import os\nfor i in range(1000000): os.mkdir(str(i))'],
    ['makes a million links', 'python', 'import os\nfor i in range(1000000): os.symlink("x", str(i))'],
  ])('[CODE-20] exceeds its disk when it %s, and leaves nothing', (_name, language, source) => {
    const mounts = readFileSync('/proc/self/mounts', 'utf8');
    expect(run(language, source)).toMatchObject({ kind: 'disk-limit' });
    expect(leftovers()).toEqual([]);
    expect(readFileSync('/proc/self/mounts', 'utf8')).toBe(mounts);
    expect(run('bash', 'ls -A')).toEqual({ kind: 'done', output: 'program.sh\n' });
  });

  it('[CODE-20] may use its disk, and nearly all of its files', () => {
    const nearly = `for i in range(${usualLimits.files - 10}): open(str(i), 'w').close()\nprint(open('7').read() == '')`;
    expect(run('python', nearly)).toEqual({ kind: 'done', output: 'True\n' });
    expect(run('bash', 'head -c 15000000 /dev/zero > big; wc -c < big')).toEqual({
      kind: 'done',
      output: '15000000\n',
    });
  });

  it('[CODE-20] has too many files in the end where their number cannot be limited', () => {
    const without = findCodeSandbox({ mountPoints: [] });
    expect(without.limitsFiles).toBe(false);
    const by = createProgramRunner(without, { ...patient, files: 50 });
    expect(run('python', 'for i in range(60): open(str(i), "w").close()', { by }).kind).toBe('disk-limit');
    expect(run('python', 'for i in range(40): open(str(i), "w").close()', { by }).kind).toBe('done');
    expect(run('bash', 'head -c 5000000000 /dev/zero > big', { by }).kind).toBe('disk-limit');
  });

  it.runIf(process.getuid?.() === 0)('[CODE-21] runs for a user who has no name on the machine', () => {
    const url = (name: string): string => new URL(name, import.meta.url).href;
    const inside = `const { findCodeSandbox } = await import('${url('./find-sandbox.ts')}');
      const { createProgramRunner } = await import('${url('./run-program.ts')}');
      const { findLanguage } = await import('${url('./languages.ts')}');
      const sandbox = findCodeSandbox();
      const run = source => createProgramRunner(sandbox).prepare(findLanguage('bash'), source).run('').kind;
      console.log(JSON.stringify([sandbox.limitsFiles, run('echo'), run('for i in {1..9999}; do : > $i || exit; done')]));`;
    const nobody = ['--reuid', '12345', '--regid', '12345', '--clear-groups', process.execPath];
    const said = execFileSync('/usr/bin/setpriv', [...nobody, '--input-type=module', '-e', inside], {
      encoding: 'utf8',
    });
    expect(JSON.parse(said)).toEqual([true, 'done', 'disk-limit']);
  });
});

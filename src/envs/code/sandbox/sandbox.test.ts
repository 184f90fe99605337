import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findCodeSandbox } from './find-sandbox.ts';
import { judgeCases, linesOf } from '../environment/judge-cases.ts';
import { findLanguage, languages, languageSchema, type Language } from './languages.ts';
import { findMemoryGroups, groupPrefix } from './memory-group.ts';
import { createProgramRunner, usualLimits, type RunOutcome } from './run-program.ts';

const sandbox = findCodeSandbox();
const runner = createProgramRunner(sandbox, { ...usualLimits, wallMilliseconds: 20_000 });

/** Stands on the command lines of programs that this file starts: others test with programs, too. */
const token = `own${randomUUID().replaceAll('-', '')}`;

function marked(language: Language): Language {
  const { compile, run: start } = language;
  return {
    ...language,
    run: [...start, token],
    ...(compile === undefined ? {} : { compile: [...compile, `-D${token}`] }),
  };
}

function run(name: string | Language, source: string, { input = '', by = runner } = {}): RunOutcome {
  const prepared = by.prepare(typeof name === 'string' ? marked(findLanguage(name)) : name, source);
  return 'run' in prepared ? prepared.run(input) : prepared;
}

/** Adds the two numbers of each line. */
const adders: Readonly<Record<string, string>> = {
  javascript: `for (const line of require('fs').readFileSync('/dev/stdin', 'utf8').trim().split('\\n')) {
    const [a, b] = line.split(' ').map(Number);
    console.log(a + b);
  }`,
  python: 'import sys\nfor line in sys.stdin: print(sum(map(int, line.split())))',
  c: '#include <stdio.h>\nint main(void) { int a, b; while (scanf("%d %d", &a, &b) == 2) printf("%d\\n", a + b); return 0; }',
  bash: 'while read -r a b; do echo $((a + b)); done',
};

describe('programs in a sandbox', () => {
  it.each(Object.entries(adders))('[CODE-1] runs %s by standard input and output', (name, source) => {
    expect(run(name, source, { input: '1 2\n30 12\n' })).toEqual({ kind: 'done', output: '3\n42\n' });
  });

  it('[CODE-1] runs SQL on the database that the input makes', () => {
    const input = "CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (9007199254740993, NULL), (2, 'x|y');";
    expect(run('sql', 'SELECT a, b FROM t ORDER BY a;', { input })).toEqual({
      kind: 'done',
      output: '2|x|y\n9007199254740993|NULL\n',
    });
    expect(run('sql', 'SELECT c FROM t', { input })).toMatchObject({ kind: 'failed', errors: 'no such column: c' });
    expect(run('sql', "ATTACH '/etc/passwd' AS p", { input })).toMatchObject({ kind: 'failed' });
  });

  it('[CODE-1] takes a language of a few lines', () => {
    const awk = languageSchema.parse({ name: 'awk', file: 'program.awk', run: ['/usr/bin/awk', '-f', '{file}'] });
    expect(run(awk, '{ print $1 + $2 }', { input: '1 2\n' })).toEqual({ kind: 'done', output: '3\n' });
    const absent = languageSchema.parse({ ...awk, run: ['/usr/bin/no-such-language', '{file}'], install: 'Get it.' });
    expect(() => run(absent, '')).toThrow(/awk could not be started: .*no-such-language.* Get it\./s);
    expect(() => findLanguage('pyhton')).toThrow(/no language "pyhton".*python/);
    expect(languageSchema.safeParse({ ...awk, file: '../../etc/passwd' }).success).toBe(false);
    expect(languages.map(({ name }) => name)).toEqual(['javascript', 'python', 'c', 'bash', 'sql']);
  });

  it('[CODE-2] compares outputs by line, and says in which way a program failed', () => {
    const program = { language: findLanguage('python'), source: adders['python'] as string };
    const test = (input: string, output: string) => ({ input, output, isBoundary: false });
    const passed = { outcome: 'done', boundaryRight: true, allRight: true };
    expect(judgeCases(runner, program, [test('1 2', '3')])).toEqual(passed);
    expect(judgeCases(runner, program, [test('2 2', '5')])).toEqual({ ...passed, allRight: false });
    const outcomeOf = (language: string, source: string): string =>
      judgeCases(runner, { language: findLanguage(language), source }, [test('1 2', '3')]).outcome;
    expect(outcomeOf('python', 'x'.repeat(10_000_000))).toBe('too-long');
    expect(outcomeOf('c', 'int main(void) { return x; }')).toBe('does-not-compile');
    expect(linesOf(' a \r\n\nb\n\n')).toEqual([' a', '', 'b']);
  });

  it('[CODE-5] says what to install where there is no sandbox', () => {
    expect(() => findCodeSandbox({ bubblewraps: ['/nowhere/bwrap'] })).toThrow(
      /only in a sandbox.*bubblewrap is not installed.*apt install bubblewrap/,
    );
    expect(() => findCodeSandbox({ bubblewraps: ['/bin/false'] })).toThrow(/there is none: it ended with 1/);
  });
});

const quick = createProgramRunner(sandbox, { ...usualLimits, wallMilliseconds: 1500, cpuSeconds: 1 });

describe('a program that means harm', () => {
  const canary = join(tmpdir(), 'espalier-code-canary');
  afterEach(() => rmSync(canary, { force: true }));

  it.each([
    { name: 'sleeps', language: 'python', source: 'import time; time.sleep(60)', kind: 'time-limit' },
    {
      name: 'computes for ever',
      language: 'c',
      source: 'int main(void) { for (volatile int i = 0;; i++); }',
      kind: 'time-limit',
    },
    {
      name: 'ignores the signal of the limit',
      language: 'bash',
      source: 'trap "" XCPU TERM INT HUP; while :; do :; done',
      kind: 'time-limit',
    },
    {
      name: 'floods its output',
      language: 'bash',
      source: 'while :; do echo yes yes yes yes yes yes yes yes; done',
      kind: 'output-limit',
    },
    {
      name: 'floods its errors',
      language: 'javascript',
      source: 'for (;;) require("fs").writeSync(2, "x".repeat(65536))',
      kind: 'output-limit',
    },
    { name: 'takes all memory', language: 'python', source: 'x = bytearray(4 << 30)', kind: 'failed' },
    { name: 'takes all memory in shares', language: 'c', source: sharedMemory(), kind: 'failed' },
    {
      name: 'fills its disk',
      language: 'bash',
      source: 'for i in 1 2 3; do head -c 12000000 /dev/zero > /sandbox/$i || exit 3; done',
      kind: 'disk-limit',
    },
    {
      name: 'includes a secret',
      language: 'c',
      source: '#include "/etc/shadow"\nint main(void) { return 0; }',
      kind: 'does-not-compile',
    },
    {
      name: 'makes its compiler hang',
      language: 'c',
      source: '#include "/dev/zero"\nint main(void) { return 0; }',
      kind: 'does-not-compile',
    },
  ])('[CODE-3] is stopped when it $name', ({ language, source, kind }) => {
    // A machine that is busy must not turn a limit on memory into one on time.
    const by = kind === 'time-limit' ? quick : runner;
    expect(run(language, source, { by })).toMatchObject({ kind });
    expect(leftovers()).toEqual([]);
  });

  it.each([
    ['exit 152', 'exit code 152 (or signal 24)'],
    ['kill -XCPU $$', 'exit code 152 (or signal 24)'],
    ['exit 137', 'exit code 137 (or signal 9)'],
  ])('[CODE-8] is not taken for one that used up its time when it ends with %s', (source, exit) => {
    expect(run('bash', source)).toMatchObject({ kind: 'failed', exit });
  });

  it.each([
    ['is stopped by the signal of the limit', 'while :; do :; done'],
    ['ignores the signal of the limit', 'trap "" XCPU; while :; do :; done'],
    ['has a child that is stopped by the limit', '(while :; do :; done); exit $?'],
  ])('[CODE-8] is told to have used up its processor time when it %s', (_name, source) => {
    const patient = createProgramRunner(sandbox, { ...usualLimits, wallMilliseconds: 60_000, cpuSeconds: 1 });
    expect(run('bash', source, { by: patient })).toMatchObject({ kind: 'time-limit' });
  });

  it('[CODE-3] does not slow others when it forks without end', () => {
    const bomb =
      'import os\nn = 0\nwhile True:\n  try:\n    n += 1\n    if os.fork() == 0: import time; time.sleep(30)\n  except OSError: print(n); raise SystemExit';
    const outcome = run('python', bomb, { by: quick });
    expect(outcome.kind).toBe('done');
    expect(Number('output' in outcome ? outcome.output : NaN)).toBeLessThanOrEqual(findLanguage('python').processes);
    run('bash', 'f() { f | f & }; f; wait; sleep 60', { by: quick });
    run(
      'python',
      'import os\nif os.fork() == 0:\n  os.setsid()\n  for n in range(3): os.close(n)\n  import time; time.sleep(60)',
      { by: quick },
    );
    expect(leftovers()).toEqual([]);
  });

  it('[CODE-4] sees no file of this machine and can change none', () => {
    writeFileSync(canary, 'secret');
    for (const path of [
      '/etc/shadow',
      '/etc/passwd',
      '/root',
      '/home',
      '/var',
      canary,
      process.cwd(),
      '/proc/1/root/etc/shadow',
    ])
      expect(run('bash', `cat ${path} || ls ${path}`).kind, path).toBe('failed');
    const writes = [
      'echo x > /usr/bin/x',
      'echo x > /etc/x',
      'echo x > /x',
      'echo x > /proc/sys/kernel/core_pattern',
      'mount -t tmpfs none /sandbox',
      'chroot / true',
      'unshare -r true',
      'unshare -rm mount -t tmpfs none /usr',
    ];
    for (const write of writes) expect(run('bash', `(${write}) || exit 3`).kind, write).toBe('failed');
    expect(readFileSync(canary, 'utf8')).toBe('secret');
    expect(existsSync('/usr/bin/x')).toBe(false);
    // The folder of temporary files is its own, and a link leads nowhere but inside.
    run('bash', `echo x > ${canary}`);
    expect(run('bash', 'ln -s /etc/shadow s && cat s').kind).toBe('failed');
    run('bash', `ln -s ${canary} s && echo x > s`);
    run('bash', `ln -s ../..${canary} s && echo x > s`);
    expect(readFileSync(canary, 'utf8')).toBe('secret');
  });

  it('[CODE-4] sees no process, no setting and no network of this machine', async () => {
    process.env['ESPALIER_TEST_SECRET'] = 'secret';
    const seen = run('bash', 'env; ls /proc | grep -c "^[0-9]"; cat /proc/*/environ | tr "\\0" "\\n"; id -u');
    delete process.env['ESPALIER_TEST_SECRET'];
    const text = 'output' in seen ? seen.output : '';
    expect(text).toContain('HOME=/sandbox');
    expect(text).not.toMatch(/SECRET|espalier|VITEST/i);
    expect(Number(/^(\d+)$/m.exec(text)?.[1])).toBeLessThan(10);
    expect(text.trim().split('\n').at(-1)).not.toBe('0');
    let visits = 0;
    const server = createServer(socket => void (visits++, socket.end()));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const dial = `import socket\nfor host in ['127.0.0.1', '192.0.2.1']:\n  try: socket.create_connection((host, ${port}), 1); print('reached')\n  except OSError: print('no')`;
    expect(run('python', dial)).toEqual({ kind: 'done', output: 'no\nno\n' });
    // The event loop must turn before a visit counts.
    await new Promise(resolve => setTimeout(resolve, 20));
    server.close();
    expect(visits).toBe(0);
  });

  it('[CODE-4] opens no socket to the host of a virtual machine, but sockets between its own processes', () => {
    const open = `import errno, socket
try: socket.socket(40, 1); print('open')
except OSError as error: print(errno.errorcode[error.errno])
socket.socketpair(); print('own')`;
    expect(run('python', open)).toEqual({ kind: 'done', output: 'EPERM\nown\n' });
  });

  it('[CODE-4] has no file that this process has open', () => {
    writeFileSync(canary, 'secret');
    // As after `exec 200>>lock` in a shell: a descriptor that programs inherit.
    const holder = `exec 200>>${canary}; exec "$0" --input-type=module -e "$1"`;
    const url = (name: string): string => new URL(name, import.meta.url).href;
    const inside = `const { findCodeSandbox } = await import('${url('./find-sandbox.ts')}');
      const { createProgramRunner } = await import('${url('./run-program.ts')}');
      const { findLanguage } = await import('${url('./languages.ts')}');
      const program = createProgramRunner(findCodeSandbox()).prepare(findLanguage('bash'), 'echo here >&200; ls /proc/self/fd');
      console.log(JSON.stringify(program.run('')));`;
    const said = execFileSync('/bin/bash', ['-c', holder, process.execPath, inside], { encoding: 'utf8' });
    expect(said).toContain('"kind":"done"');
    expect(said).not.toContain('200');
    expect(readFileSync(canary, 'utf8')).toBe('secret');
  });

  it.runIf(sandbox.limitsTotalMemory)('[CODE-6] is stopped when its processes take too much memory together', () => {
    // Each child holds its memory until all have theirs, or were stopped.
    const many = `import os
ready, tell = os.pipe()
wait, release = os.pipe()
children = []
for number in range(8):
  child = os.fork()
  if child == 0:
    os.close(release)
    data = bytearray(40 * 1024 * 1024)
    for at in range(0, len(data), 4096): data[at] = 1
    os.close(tell)
    os.read(wait, 1)
    os._exit(0)
  children.append(child)
os.close(tell)
os.read(ready, 1)
os.close(release)
print([os.waitpid(child, 0)[1] for child in children].count(0))`;
    const small = { ...findLanguage('python'), memory: 96 };
    const outcome = run(small, many);
    expect('output' in outcome ? Number(outcome.output) : 0).toBeLessThan(4);
    const before = createProgramRunner(findCodeSandbox({ memoryGroups: null }));
    expect(run(small, many, { by: before })).toEqual({ kind: 'done', output: '8\n' });
  });

  it.runIf(sandbox.limitsTotalMemory)('[CODE-6] leaves no control group, and environments share one listener', () => {
    const before = process.listenerCount('exit');
    for (let times = 0; times < 3; times++) findMemoryGroups();
    expect(process.listenerCount('exit')).toBe(before);
    // The program is never started, so only the end of the process can remove its group.
    const module = JSON.stringify(join(import.meta.dirname, 'memory-group.ts'));
    const script = `const { findMemoryGroups } = await import(${module});
      findMemoryGroups();
      const command = findMemoryGroups().wrap(['true'], 8);
      const { existsSync } = await import('node:fs');
      const group = command.find(word => word.includes('${groupPrefix}'));
      console.log(JSON.stringify([group, existsSync(group)]));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const [group, existed] = JSON.parse(printed) as [string, boolean];
    expect([existed, existsSync(group)]).toEqual([true, false]);
  });

  it('[CODE-6] has no memory that its limits do not count', () => {
    const hidden = `import ctypes, os
libc = ctypes.CDLL(None)
for name, take in {
  'memfd': lambda: os.memfd_create('x'),
  'shared': lambda: libc.shmget(0, 1048576, 0o1600),
}.items():
  try: print(name, take() >= 0)
  except OSError: print(name, False)`;
    expect(run('python', hidden)).toEqual({ kind: 'done', output: 'memfd False\nshared False\n' });
  });

  it('[CODE-3] is told from programs that others run', async () => {
    // The command line that a program of another test has, then one of this file.
    // A shell would be there twice for a moment: it forks before it starts another program.
    const sleep = 'setTimeout(() => {}, 30_000)';
    const sleeper = (word: string) => spawn(process.execPath, ['-e', sleep, '/sandbox/program.sh', word]);
    const [other, own] = [sleeper('other'), sleeper(token)];
    try {
      await Promise.all([once(other, 'spawn'), once(own, 'spawn')]);
      expect(sandboxed().map(line => Number(line.split(' ')[0]))).toEqual([own.pid]);
    } finally {
      for (const child of [other, own]) child.kill('SIGKILL');
      await Promise.all(
        [other, own].map(child => (child.exitCode ?? child.signalCode) === null && once(child, 'exit')),
      );
    }
  });

  it('[CODE-3] is not believed when it says that it could not be started', () => {
    expect(run('bash', 'echo "failed to execute" >&2; exit 127').kind).toBe('failed');
    const missing = { ...findLanguage('bash'), run: ['/usr/bin/no-such-shell', '{file}'] };
    expect(() => run(missing, 'x')).toThrow('/usr/bin/no-such-shell is not there');
  });

  it('[CODE-4] leaves nothing for the next program', () => {
    expect(run('bash', 'echo left > /sandbox/left; echo left > /tmp/left2; ls').kind).toBe('done');
    expect(run('bash', 'ls -A')).toEqual({ kind: 'done', output: 'program.sh\n' });
    expect(leftovers()).toEqual([]);
    expect(readdirSync(tmpdir()).filter(name => /^espalier-[0-9a-f]{8}-[0-9a-f]{4}-/.test(name))).toEqual([]);
  });
});

function sharedMemory(): string {
  return `#include <sys/mman.h>
    #include <string.h>
    #include <stdlib.h>
    int main(void) {
      for (int i = 0; i < 64; i++) {
        void *p = mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) return 3;
        memset(p, 1, 64 << 20);
      }
      return 0;
    }`;
}

/** Sandboxes that this process started and that still run, after a moment to end. */
function leftovers(): string[] {
  for (let tries = 0; ; tries++) {
    const running = sandboxed();
    if (running.length === 0 || tries === 40) return running;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

function sandboxed(): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return command.includes(token) ? [`${pid} ${command.slice(-80)}`] : [];
      } catch {
        return [];
      }
    });
}

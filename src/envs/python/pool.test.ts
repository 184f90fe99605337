import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Timers } from '../../core/clock.ts';
import { findPython } from './find-python.ts';
import { createVerifierPool, type VerifierPool } from './pool.ts';
import type { VerifierAnswer } from './worker.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/wai');
const timers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
const patient = { workers: 2, timers, deadlineMilliseconds: 60_000 };

const state = '{"on": false, "colour": "white"}';
let pool: VerifierPool;
let folder = '';
beforeAll(() => {
  pool = createVerifierPool(patient);
});
afterAll(() => pool.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-wai-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function judge(name: string, by = pool): Promise<VerifierAnswer> {
  const app = join(fixtures, 'faulty');
  return by.verify({ file: join(app, name), folder: app, state });
}

/** Writes a verifier with this body, and asks it. */
function tryBody(body: string, { app = 'app', by = pool } = {}): Promise<VerifierAnswer> {
  const file = join(folder, app, 'task.py');
  mkdirSync(join(folder, app), { recursive: true });
  writeFileSync(file, `import requests\n\ndef verify(server_url):\n${body.replaceAll(/^/gm, '    ')}\n`);
  return by.verify({ file, folder: join(folder, app), state });
}

describe('verifiers in Python', () => {
  it('[WAI-7] says what verify returns, of the state that the server holds', async () => {
    expect(await judge('real-tasks/task_sound.py')).toEqual({ passed: false, message: 'The lamp is off.' });
    expect(await judge('real-tasks/task_passes.py')).toEqual({ passed: true, message: 'The lamp is white.' });
    const board = await readBoard();
    expect(board).toEqual({ passed: false, message: 'Order beeswax is in column 0, not 1.' });
    expect(await tryBody(`return True, 'é 語 \\ud800'`)).toEqual({ passed: true, message: 'é 語 \\ud800' });
    expect((await tryBody(`return False, 'x' * 1000000`)).message).toBe(`${'x'.repeat(4000)}…`);
  });

  it.runIf(process.getuid?.() === 0)(
    '[WAI-20] says how to let verifiers read a folder that is closed to them',
    async () => {
      expect(await tryBody('return True, "yes"')).toMatchObject({ passed: true });
      const app = join(folder, 'app');
      chmodSync(app, 0o700);
      const judged = tryBody('return True, "yes"');
      await expect(judged).rejects.toMatchObject({ boundary: 'verifier', code: 'unavailable' });
      await expect(judged).rejects.toThrow(`chmod -R o+rX ${app}`);
      chmodSync(app, 0o755);
      expect(await tryBody('return True, "yes"')).toMatchObject({ passed: true });
      await expect(tryBody('open("/etc/shadow-copy", "w")')).rejects.toMatchObject({ code: 'threw' });
    },
  );

  async function readBoard(): Promise<VerifierAnswer> {
    const app = join(fixtures, 'board');
    const held = JSON.stringify({ cards: [{ title: 'Order beeswax', column: 0 }] });
    const answer = await pool.verify({ file: join(app, 'real-tasks/task_e1.py'), folder: app, state: held });
    expect(readdirSync(join(app, 'real-tasks'))).not.toContain('__pycache__');
    return answer;
  }

  it('[WAI-7] never takes what a verifier prints or writes for an answer', async () => {
    await expect(judge('real-tasks/task_garbage.py')).rejects.toMatchObject({
      boundary: 'verifier',
      code: 'out-of-range',
    });
    await expect(judge('function-tasks/task_forges.py')).rejects.toThrow(/task_forges\.py threw.*OSError/);
    const forging = `import os\nfor fd in range(64):\n    try: os.write(fd, b'{"forged": true}')\n    except OSError: pass\nreturn True, ''`;
    await expect(tryBody(forging)).rejects.toThrow(/task\.py wrote to the channel of its answer: .*"forged"/);
    const loud = await tryBody(
      `for _ in range(1000): print('{"kind": "answer", "passed": true}')\nreturn False, 'quiet'`,
    );
    expect(loud).toEqual({ passed: false, message: 'quiet' });
    await expect(tryBody(`import os\nos.write(4, b'x' * 1000000)\nreturn True, ''`)).rejects.toThrow('OSError');
    await expect(tryBody('return True, input()')).rejects.toThrow('EOFError');
  });

  it('[WAI-8] names the file and the line of a verifier that throws', async () => {
    const cases: [string, RegExp][] = [
      [
        'real-tasks/task_throws.py',
        /^The verifier real-tasks\/task_throws\.py threw at line 6: KeyError: 'name'\. Expected/,
      ],
      ['function-tasks/task_syntax.py', /task_syntax\.py threw at line 5: SyntaxError/],
      ['function-tasks/nothing.py', /nothing\.py threw: FileNotFoundError/],
    ];
    for (const [name, message] of cases) {
      await expect(judge(name)).rejects.toThrow(message);
      await expect(judge(name)).rejects.toMatchObject({ boundary: 'verifier', code: 'threw' });
    }
    await expect(tryBody('import sys\nsys.exit(0)')).rejects.toThrow(/threw at line 5: SystemExit: 0/);
    await expect(tryBody('pass\nverify_all = 1\n\ndel verify_none')).rejects.toThrow(
      /line 7: (Name|UnboundLocal)Error/,
    );
  });

  it('[WAI-8] refuses what is not a pair of a truth value and a text', async () => {
    for (const returned of ['None', 'True', '"yes"', '[True, "yes"]', '(1, "yes")', '(True, None)', '(True, "a", "b")'])
      await expect(tryBody(`return ${returned}`), returned).rejects.toMatchObject({
        code: 'out-of-range',
        message: expect.stringContaining('task.py returned '),
      });
  });

  it('[WAI-8] goes on after a verifier that ends its process or leaves something running; no other request is lost', async () => {
    const others = workerProcesses();
    const own = (): number[] => workerProcesses().filter(pid => !others.includes(pid));
    const one = createVerifierPool({ ...patient, workers: 1 });
    const names = ['real-tasks/task_sound.py', 'function-tasks/task_exits.py', 'function-tasks/task_leaves_thread.py'];
    const order = [0, 1, 0, 2, 1, 1, 0];
    const settled = await Promise.allSettled(order.map(index => judge(names[index]!, one)));
    expect(settled.map(({ status }) => status)).toEqual(order.map(index => (index === 1 ? 'rejected' : 'fulfilled')));
    await expect(judge(names[1]!, one)).rejects.toThrow('task_exits.py ended its process (exit code 3)');
    // Ended from outside while nobody asks: not the fault of the next verifier.
    const idle = own();
    expect(idle).toHaveLength(1);
    process.kill(idle[0]!, 'SIGKILL');
    await until(() => own().length === 0);
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(await judge(names[0]!, one)).toMatchObject({ passed: false });
    await one.close();
    expect(own()).toEqual([]);
  });

  it('[WAI-8] ends a verifier that hangs, also one that does not listen, and says where', async () => {
    const hand = createHandTimers();
    const one = createVerifierPool({ workers: 1, timers: hand, deadlineMilliseconds: 50_000 });
    const hangs: [string, RegExp][] = [
      ['while True: pass', /task\.py did not answer in 50000 ms at line [45]\./],
      [`import re; re.match('(a+)+$', 'a' * 64 + 'b')`, /task\.py did not answer in 50000 ms at line [45]\./],
      ['import signal; signal.signal(signal.SIGUSR1, signal.SIG_IGN)\nwhile True: pass', /50000 ms\./],
    ];
    await tryBody(`return True, ''`, { by: one });
    const workers = workerProcesses();
    for (const [body, message] of hangs) {
      const asked = tryBody(body, { by: one });
      await until(() => hand.waits(50_000));
      await new Promise(resolve => setTimeout(resolve, 700));
      hand.fire(50_000);
      await expect(asked).rejects.toThrow(message);
      await expect(asked).rejects.toMatchObject({ boundary: 'verifier', code: 'deadline' });
      expect(await tryBody(`return False, 'next'`, { by: one })).toEqual({ passed: false, message: 'next' });
    }
    // None of them took the warm process with it.
    expect(workerProcesses()).toEqual(workers);
    await one.close();
  });

  it('[WAI-9] gives each run a namespace of its own, and reads a changed file anew', async () => {
    const one = createVerifierPool({ ...patient, workers: 1 });
    const counting = `global count\ncount = globals().get('count', 0) + 1\nreturn False, str(count)`;
    expect((await tryBody(counting, { by: one })).message).toBe('1');
    expect((await tryBody(counting, { by: one })).message).toBe('1');
    expect((await tryBody(`return False, 'a'`, { by: one })).message).toBe('a');
    writeFileSync(join(folder, 'app/task.py'), `def verify(server_url):\n    return False, 'b'\n`);
    utimesSync(join(folder, 'app/task.py'), 1000, 1000);
    const file = join(folder, 'app/task.py');
    expect((await one.verify({ file, folder: join(folder, 'app'), state })).message).toBe('b');
    for (const app of ['left', 'right']) {
      mkdirSync(join(folder, app));
      writeFileSync(join(folder, app, 'shared.py'), `name = '${app}'\n`);
      const asked = tryBody('import os, shared\nreturn False, shared.name + " " + os.getcwd()', { app, by: one });
      expect((await asked).message).toBe(`${app} ${join(folder, app)}`);
      expect(existsSync(join(folder, app, '__pycache__'))).toBe(false);
    }
    await one.close();
  });

  it('[WAI-9] lets a verifier reach this machine only, start no program and see nothing of our environment', async () => {
    await expect(judge('function-tasks/task_strays.py')).rejects.toThrow(
      /may reach only the state of its app, not .*'192\.0\.2\.1'/,
    );
    const strays = [
      `requests.get('http://espalier.invalid/')`,
      `import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))`,
      `import urllib.request\nurllib.request.urlopen('http://192.0.2.1/')`,
    ];
    for (const body of strays) await expect(tryBody(body), body).rejects.toThrow('may reach only the state of its app');
    for (const body of [
      `import subprocess\nsubprocess.run(['true'])`,
      `import os\nos.system('true')`,
      `import os\nos.fork()`,
    ])
      await expect(tryBody(body), body).rejects.toThrow('may not start programs');
    vi.stubEnv('ESPALIER_TEST_SECRET', 'secret');
    vi.stubEnv('http_proxy', 'http://127.0.0.1:9/');
    const fresh = createVerifierPool({ ...patient, workers: 1 });
    const seen = await tryBody('import os\nreturn True, " ".join(sorted(os.environ))', { by: fresh });
    expect(seen.message).not.toMatch(/SECRET|proxy|PATH/i);
    const proxied = `import os\nos.environ['http_proxy'] = 'http://127.0.0.1:9/'\nreturn True, requests.get(server_url + '/api/state').text`;
    expect((await tryBody(proxied, { by: fresh })).message).toBe(state);
    await fresh.close();
  });

  it('[WAI-10] says what to install when there is no Python, or none with requests', async () => {
    const none = createVerifierPool({ ...patient, python: join(folder, 'no-python') });
    await expect(judge('real-tasks/task_sound.py', none)).rejects.toMatchObject({
      boundary: 'verifier',
      code: 'unavailable',
    });
    await expect(judge('real-tasks/task_sound.py', none)).rejects.toThrow(
      /no-python is not there.*python3 python3-requests/,
    );
    await none.close();
    const bare = join(folder, 'bare-python');
    writeFileSync(bare, `#!/bin/sh\nexec '${(await findPython()).executable}' -S -E "$@"\n`);
    chmodSync(bare, 0o755);
    await expect(findPython(bare)).rejects.toThrow(/bare-python has no module requests.*python3-requests/);
    writeFileSync(bare, '#!/bin/sh\necho no such thing >&2\nexit 4\n');
    await expect(findPython(bare)).rejects.toThrow('bare-python no such thing');
  });

  it('[WAI-10] says so when a Python that was found does not start', async () => {
    const liar = join(folder, 'liar');
    const itself = JSON.stringify({ executable: liar, places: [] });
    writeFileSync(liar, `#!/bin/sh\ncase "$3" in '') echo '${itself}';; *) echo out of memory >&2; exit 1;; esac\n`);
    chmodSync(liar, 0o755);
    const broken = createVerifierPool({ ...patient, python: liar, sandbox: 'never' });
    const asked = judge('real-tasks/task_sound.py', broken);
    await expect(asked).rejects.toMatchObject({ boundary: 'verifier', code: 'unavailable' });
    await expect(asked).rejects.toThrow('did not start as a verifier: out of memory.');
    await broken.close();
  });

  it('[WAI-13] tells whoever waits when it is closed, and leaves no process', async () => {
    const others = workerProcesses();
    const closing = createVerifierPool({ ...patient, workers: 1 });
    const running = tryBody('while True: pass', { by: closing });
    const waiting = judge('real-tasks/task_sound.py', closing);
    await until(() => workerProcesses().length > others.length);
    await closing.close();
    await expect(running).rejects.toMatchObject({ boundary: 'verifier', code: 'closed' });
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await expect(judge('real-tasks/task_sound.py', closing)).rejects.toMatchObject({ code: 'closed' });
    expect(workerProcesses()).toEqual(others);
    await closing.close();
  });

  it.each(['prefer', 'never'] as const)(
    '[WAI-13] leaves no process when it is killed itself, also with a verifier that hangs (sandbox: %s)',
    async sandbox => {
      const file = join(folder, 'task.py');
      writeFileSync(file, `def verify(url):\n    while True: pass\n`);
      const program = `
        import { createVerifierPool } from ${JSON.stringify(join(import.meta.dirname, 'pool.ts'))};
        const never = { after: () => () => undefined };
        const pool = createVerifierPool({ workers: 1, timers: never, deadlineMilliseconds: 60_000, sandbox: '${sandbox}' });
        await pool.verify(${JSON.stringify({ file, folder, state: null })});
      `;
      const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], { stdio: 'ignore' });
      await until(() => descendants(child.pid ?? 0).some(pid => isVerifier(pid)));
      const all = descendants(child.pid ?? 0);
      await new Promise(resolve => setTimeout(resolve, 300));
      child.kill('SIGKILL');
      await until(() => all.every(pid => !isVerifier(pid)));
      expect(all.length).toBeGreaterThan(0);
    },
  );

  /** Processes that were started to run verifiers. */
  function workerProcesses(): number[] {
    return childrenOf(process.pid).filter(isVerifier);
  }

  function isVerifier(pid: number): boolean {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('be_verifier');
    } catch {
      return false;
    }
  }

  function descendants(pid: number): number[] {
    return childrenOf(pid).flatMap(child => [child, ...descendants(child)]);
  }

  function childrenOf(pid: number): number[] {
    try {
      const tasks = readdirSync(`/proc/${pid}/task`);
      const lists = tasks.map(task => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'));
      return lists.flatMap(list => list.split(' ').filter(Boolean).map(Number));
    } catch {
      return [];
    }
  }

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise(resolve => setTimeout(resolve, 10));
  }
});

/** Timers that go off when they are told to. */
function createHandTimers(): Timers & { fire(milliseconds: number): void; waits(milliseconds: number): boolean } {
  const pending = new Set<{ readonly milliseconds: number; readonly run: () => void }>();
  const due = (milliseconds: number) => [...pending].filter(timer => timer.milliseconds === milliseconds);
  return {
    after(milliseconds, run) {
      const timer = { milliseconds, run };
      pending.add(timer);
      return () => pending.delete(timer);
    },
    fire: milliseconds => due(milliseconds).forEach(timer => timer.run()),
    waits: milliseconds => due(milliseconds).length > 0,
  };
}

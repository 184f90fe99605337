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
import { createWaiFiles } from '../web/wai/files.ts';
import { findPython } from './find-python.ts';
import { createVerifierPool, type VerifierPool } from './pool.ts';
import { createWaiServer, type WaiServer } from '../web/wai/server.ts';
import type { VerifierAnswer } from './worker.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/wai');
const timers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
const patient = { workers: 2, timers, deadlineMilliseconds: 60_000 };

let server: WaiServer;
let pool: VerifierPool;
let folder = '';
beforeAll(async () => {
  server = await createWaiServer({ files: createWaiFiles(join(fixtures, 'faulty')) });
  server.restore('{"on": false, "colour": "white"}', null);
  pool = createVerifierPool(patient);
});
afterAll(async () => {
  await pool.close();
  await server.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-wai-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function judge(name: string, by = pool): Promise<VerifierAnswer> {
  const app = join(fixtures, 'faulty');
  return by.verify({ file: join(app, name), serverUrl: server.url, folder: app });
}

/** Writes a verifier with this body, and asks it. */
function tryBody(body: string, { app = 'app', by = pool } = {}): Promise<VerifierAnswer> {
  const file = join(folder, app, 'task.py');
  mkdirSync(join(folder, app), { recursive: true });
  writeFileSync(file, `import requests\n\ndef verify(server_url):\n${body.replaceAll(/^/gm, '    ')}\n`);
  return by.verify({ file, serverUrl: server.url, folder: join(folder, app) });
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

  async function readBoard(): Promise<VerifierAnswer> {
    const app = join(fixtures, 'board');
    const held = await createWaiServer({ files: createWaiFiles(app) });
    held.restore(JSON.stringify({ cards: [{ title: 'Order beeswax', column: 0 }] }), null);
    const answer = await pool.verify({ file: join(app, 'real-tasks/task_e1.py'), serverUrl: held.url, folder: app });
    await held.close();
    expect(readdirSync(join(app, 'real-tasks'))).not.toContain('__pycache__');
    return answer;
  }

  it('[WAI-7] never takes what a verifier prints or writes for an answer', async () => {
    await expect(judge('real-tasks/task_garbage.py')).rejects.toMatchObject({
      boundary: 'verifier',
      code: 'out-of-range',
    });
    await expect(judge('function-tasks/task_forges.py')).rejects.toThrow(
      /task_forges\.py wrote to the channel.*"forged"/,
    );
    const loud = await tryBody(
      `for _ in range(1000): print('{"kind": "answer", "passed": true}')\nreturn False, 'quiet'`,
    );
    expect(loud).toEqual({ passed: false, message: 'quiet' });
    await expect(tryBody(`import os\nos.write(4, b'x' * 1000000)\nreturn True, ''`)).rejects.toMatchObject({
      code: expect.stringMatching('threw|out-of-range'),
    });
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

  it('[WAI-8] replaces a worker whose verifier ends it or leaves something running; no other request is lost', async () => {
    const one = createVerifierPool({ ...patient, workers: 1 });
    const names = ['real-tasks/task_sound.py', 'function-tasks/task_exits.py', 'function-tasks/task_leaves_thread.py'];
    const order = [0, 1, 0, 2, 1, 1, 0];
    const settled = await Promise.allSettled(order.map(index => judge(names[index]!, one)));
    expect(settled.map(({ status }) => status)).toEqual(order.map(index => (index === 1 ? 'rejected' : 'fulfilled')));
    await expect(judge(names[1]!, one)).rejects.toThrow('task_exits.py ended its process (exit code 3)');
    const pidOf = async () => Number((await tryBody('import os\nreturn True, str(os.getpid())', { by: one })).message);
    const spent = await pidOf();
    expect(await pidOf()).toBe(spent);
    await judge(names[2]!, one);
    expect(await gone(spent)).toBe(true);
    const idle = await pidOf();
    // Ended from outside while nobody asks: not the fault of the next verifier.
    process.kill(idle, 'SIGKILL');
    expect(await gone(idle)).toBe(true);
    expect(await judge(names[0]!, one)).toMatchObject({ passed: false });
    await one.close();
  });

  it('[WAI-8] ends a verifier that hangs, also one that does not listen, and says where', async () => {
    const hand = createHandTimers();
    const one = createVerifierPool({ workers: 1, timers: hand, deadlineMilliseconds: 60_000 });
    const hangs: [string, RegExp][] = [
      ['while True: pass', /task\.py did not answer in 60000 ms at line [45]\./],
      [`import re; re.match('(a+)+$', 'a' * 64 + 'b')`, /task\.py did not answer in 60000 ms at line [45]\./],
      ['import signal; signal.signal(signal.SIGUSR1, signal.SIG_IGN)\nhere()\nwhile True: pass', /60000 ms\./],
    ];
    for (const [body, message] of hangs) {
      const here = `open('pid', 'w').write(str(__import__('os').getpid()))`;
      const asked = tryBody(body.includes('here()') ? body.replace('here()', here) : `${here}\n${body}`, { by: one });
      const next = judge('real-tasks/task_sound.py', one);
      const pid = await readPid();
      hand.fire(60_000);
      if (body.includes('SIG_IGN')) {
        await until(() => hand.waits(2000));
        hand.fire(2000);
      }
      await expect(asked).rejects.toThrow(message);
      await expect(asked).rejects.toMatchObject({ boundary: 'verifier', code: 'deadline' });
      expect(await gone(pid)).toBe(true);
      expect(await next).toEqual({ passed: false, message: 'The lamp is off.' });
      rmSync(join(folder, 'app/pid'));
    }
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
    expect((await one.verify({ file, serverUrl: server.url, folder: join(folder, 'app') })).message).toBe('b');
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
      /may reach only this machine, not '192\.0\.2\.1'/,
    );
    const strays = [
      `requests.get('http://espalier.invalid/')`,
      `import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))`,
      `import urllib.request\nurllib.request.urlopen('http://192.0.2.1/')`,
    ];
    for (const body of strays) await expect(tryBody(body), body).rejects.toThrow('may reach only this machine');
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
    expect((await tryBody(proxied, { by: fresh })).message).toBe(server.state());
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
    writeFileSync(bare, `#!/bin/sh\nexec '${await findPython()}' -S -E "$@"\n`);
    chmodSync(bare, 0o755);
    await expect(findPython(bare)).rejects.toThrow(/bare-python has no module requests.*python3-requests/);
    writeFileSync(bare, '#!/bin/sh\necho no such thing >&2\nexit 4\n');
    await expect(findPython(bare)).rejects.toThrow('bare-python no such thing');
  });

  it('[WAI-10] says so when a Python that was found does not start', async () => {
    const liar = join(folder, 'liar');
    writeFileSync(liar, `#!/bin/sh\ncase "$3" in '') echo '${liar}';; *) echo out of memory >&2; exit 1;; esac\n`);
    chmodSync(liar, 0o755);
    const broken = createVerifierPool({ ...patient, python: liar });
    const asked = judge('real-tasks/task_sound.py', broken);
    await expect(asked).rejects.toMatchObject({ boundary: 'verifier', code: 'unavailable' });
    await expect(asked).rejects.toThrow('did not start as a verifier: out of memory.');
    await broken.close();
  });

  it('[WAI-13] tells whoever waits when it is closed, and leaves no process', async () => {
    const closing = createVerifierPool({ ...patient, workers: 1 });
    const running = tryBody(`open('pid', 'w').write(str(__import__('os').getpid()))\nwhile True: pass`, {
      by: closing,
    });
    const waiting = judge('real-tasks/task_sound.py', closing);
    const pid = await readPid();
    await closing.close();
    await expect(running).rejects.toMatchObject({ boundary: 'verifier', code: 'closed' });
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await expect(judge('real-tasks/task_sound.py', closing)).rejects.toMatchObject({ code: 'closed' });
    expect(await gone(pid)).toBe(true);
    await closing.close();
  });

  it('[WAI-13] leaves no process when it is killed itself, also with a verifier that hangs', async () => {
    writeFileSync(
      join(folder, 'task.py'),
      `import os\ndef verify(url):\n    open('pid', 'w').write(str(os.getpid()))\n    while True: pass\n`,
    );
    mkdirSync(join(folder, 'app'));
    const program = `
      import { createVerifierPool } from ${JSON.stringify(join(import.meta.dirname, 'pool.ts'))};
      const never = { after: () => () => undefined };
      const pool = createVerifierPool({ workers: 1, timers: never, deadlineMilliseconds: 100 });
      await pool.verify({ file: ${JSON.stringify(join(folder, 'task.py'))}, serverUrl: '', folder: ${JSON.stringify(join(folder, 'app'))} });
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], { stdio: 'ignore' });
    const pid = await readPid();
    child.kill('SIGKILL');
    expect(await gone(pid)).toBe(true);
  });

  /** A verifier writes it as soon as it runs. */
  async function readPid(): Promise<number> {
    const file = join(folder, 'app/pid');
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    return Number(readFileSync(file, 'utf8'));
  }

  async function gone(pid: number): Promise<boolean> {
    await until(() => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    });
    return true;
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

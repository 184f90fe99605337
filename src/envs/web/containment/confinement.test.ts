import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { createSystemTimers } from '../../../system/clock.ts';
import { findBrowser } from '../browser/find-browser.ts';
import { launchBrowser } from '../browser/launch.ts';
import { createBrowserPool } from '../browser/pool.ts';
import { browserEnvironment, createConfinements, isConfinementFault } from './confinement.ts';

const timers = createSystemTimers();
const folder = mkdtempSync(join(tmpdir(), 'confinement-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));
const viewport = { width: 640, height: 480 };
const noSandbox = '[1:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! If you are running on Ubuntu';

/** A browser that starts without its sandbox only. */
function withoutSandbox(): string {
  const path = join(folder, 'no-sandbox');
  writeFileSync(
    path,
    `#!/bin/sh\ncase "$*" in *--no-sandbox*) exec ${findBrowser()} "$@";; esac\necho '${noSandbox}' >&2\nexit 1\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

const userOf = (pid: number): string => /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
const argumentsOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

describe('the confinement of a browser', () => {
  it('[WEB-39] a browser never runs as root where another user can start it, and has its sandbox', async () => {
    const pool = createBrowserPool({ timers });
    await pool.open(viewport);
    const [browser = 0] = pool.figures().processes;
    expect(userOf(browser)).toBe(String(getuid?.() === 0 ? 65_534 : getuid?.()));
    expect(argumentsOf(browser)).not.toContain('--no-sandbox');
    expect(pool.figures().notice).toBeNull();
    await pool.close();
  });

  it.runIf(getuid?.() === 0)(
    '[WEB-39] as root, a browser without a sandbox runs as another user, and says so once',
    async () => {
      const notices: string[] = [];
      const path = withoutSandbox();
      const pool = createBrowserPool({ timers, path, contextsPerBrowser: 1, onNotice: notice => notices.push(notice) });
      const pages = [await pool.open(viewport), await pool.open(viewport)];
      const { processes, launches, notice } = pool.figures();
      expect([processes.map(userOf), launches]).toEqual([['65534', '65534'], 2]);
      expect(notices).toEqual([notice]);
      expect(notice).toContain('The browser runs as user 65534, without its sandbox: ');
      for (const page of pages) await page.close();
      await pool.close();
    },
  );

  it('[WEB-39] where we are not root, it does not start without its sandbox unless that is allowed', async () => {
    const start = (allowed: boolean): ReturnType<typeof launchBrowser> =>
      launchBrowser({
        path: withoutSandbox(),
        timers,
        confinements: createConfinements({ isRoot: false, withoutSandbox: allowed }),
        signal: new AbortController().signal,
      });
    const expected = expect.stringContaining('ESPALIER_NO_BROWSER_SANDBOX=1') as string;
    await expect(start(false)).rejects.toMatchObject({ code: 'unavailable', message: expected });
    const browser = await start(true);
    expect(argumentsOf(browser.pid)).toContain('--no-sandbox');
    await browser.close();
  });

  it('[WEB-39] is loosened one by one, and only for faults of the sandbox or of the user', () => {
    const confinements = createConfinements({ isRoot: true, withoutSandbox: false });
    const seen = [confinements.current()];
    while (confinements.loosen('why')) seen.push(confinements.current());
    expect(seen.map(({ user, sandbox }) => [user, sandbox])).toEqual([
      [65_534, true],
      [65_534, false],
      [null, false],
    ]);
    expect(confinements.notice()).toContain('as root, without its sandbox: why.');
    expect([noSandbox, 'spawn /x EACCES', 'Failed to move to new namespace'].map(isConfinementFault)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['spawn /x ENOENT', 'libnss3.so: cannot open shared object file'].some(isConfinementFault)).toBe(false);
  });

  it('[WEB-39] a browser is given no keys of ours, and another user no home of ours', () => {
    const ours = { PATH: '/bin', OPENAI_API_KEY: 'x', HF_TOKEN: 'x', HOME: '/root', XDG_RUNTIME_DIR: '/run' };
    expect(browserEnvironment(ours, { user: 65_534, sandbox: true }, '/profile')).toEqual({
      PATH: '/bin',
      HOME: '/profile',
      TMPDIR: '/profile',
    });
    expect(browserEnvironment(ours, { user: null, sandbox: true }, '/profile')).toEqual({
      PATH: '/bin',
      HOME: '/root',
      XDG_RUNTIME_DIR: '/run',
    });
  });
});

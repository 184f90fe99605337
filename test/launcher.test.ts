import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'espalier-launcher-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A Node of the system that is too old to run the program by itself; null where there is none. */
const oldNode = findOldNode();

function findOldNode(): string | null {
  for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
    if (place.includes('node_modules')) continue;
    try {
      const node = join(place, 'node');
      const [major = 0, minor = 0] = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
        .split('.')
        .map(Number);
      return major < 22 || (major === 22 && minor < 18) ? node : null;
    } catch {
      // Not here.
    }
  }
  return null;
}

/** Processes that work on this folder. */
function atWork(name: string): string[] {
  const all = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  return all.filter(line => line.includes(join(folder, name)));
}

function launch(name: string) {
  const args = ['collect', 'mail', '--instances', '200', '--out', join(folder, name)];
  const child = spawn(oldNode as string, [join(root, 'bin', 'espalier.js'), ...args]);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.resume();
  const ended = new Promise<number | null>(resolve => child.on('exit', resolve));
  return { child, ended, stderr: () => stderr };
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isSo() && performance.now() < end) await pause(200);
}

describe.runIf(oldNode !== null)('the launcher under an old Node', () => {
  it('[CLI-11] passes on a signal that is sent to it alone', async () => {
    const { child, ended, stderr } = launch('signal');
    await until(() => atWork('signal').length === 2);
    await pause(4000);
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    expect(stderr()).toContain('stopping');
  });

  it('[CLI-11] is started by npx without warnings about the Node', () => {
    const path = `${dirname(oldNode as string)}${delimiter}/usr/bin${delimiter}/bin`;
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
    const listed = spawnSync('npx', ['espalier', 'list'], { cwd: root, env: { ...env, PATH: path }, encoding: 'utf8' });
    expect(listed.status).toBe(0);
    expect(listed.stderr).not.toContain('EBADENGINE');
  });

  it('[CLI-11] leaves no program behind when it is killed', async () => {
    const { child, ended } = launch('killed');
    await until(() => atWork('killed').length === 2);
    await pause(4000);
    child.kill('SIGKILL');
    await ended;
    await until(() => atWork('killed').length === 0);
    expect(atWork('killed')).toEqual([]);
  });
});

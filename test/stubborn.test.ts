import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const app = join(import.meta.dirname, 'fixtures', 'hostile', 'stubborn-app.ts');
const folder = mkdtempSync(join(tmpdir(), 'espalier-stubborn-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when the module does what it was told to. */
  readonly begun: Promise<void>;
}

function collect(misdeed: string, ...args: readonly string[]): Running {
  const bin = join(root, 'bin', 'espalier.js');
  const usual = ['collect', app, '--strategy', 'linear', '--student', 'random', '--instances', '1'];
  const child = spawn(join(root, 'node_modules', '.bin', 'node'), [bin, ...usual, ...args], {
    cwd: folder,
    env: { ...process.env, MISDEED: misdeed },
  });
  const begun = Promise.withResolvers<void>();
  let [stderr, started] = ['', performance.now()];
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (!stderr.includes(' in ') && text.includes(' in ')) started = performance.now();
    stderr += text;
    if (stderr.includes(misdeed.replace(' ', ' in '))) begun.resolve();
  });
  const ended = new Promise<Ended>(resolve =>
    child.on('close', (code, signal) => {
      begun.resolve();
      resolve({ code, signal, stdout, stderr, seconds: (performance.now() - started) / 1000 });
    }),
  );
  return { child, ended, begun: begun.promise };
}

describe('code of the user that does not return in the main thread', () => {
  it.each(['top', 'make'])(
    '[WORK-5] a loop at "%s" ends the run after its seconds, and is named by file and line',
    async place => {
      const { code, stderr, seconds } = await collect(`loop ${place}`, '--set', 'limits.seconds=1', '--out', place)
        .ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(/Code did not return: neverReturns in \S+stubborn-app\.ts:16\./);
      expect(seconds).toBeLessThan(15);
    },
  );

  it('[WORK-5] time in which the whole process was stopped does not count', async () => {
    const { child, ended, begun } = collect('loop make', '--set', 'limits.seconds=5', '--out', 'stopped');
    await begun;
    child.kill('SIGSTOP');
    await pause(7000);
    child.kill('SIGCONT');
    const continued = performance.now();
    expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Code did not return') as string });
    expect(performance.now() - continued).toBeGreaterThan(2000);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('[WORK-5] %s ends it at once', async signal => {
    const { child, ended, begun } = collect('loop make', '--out', signal);
    await begun;
    // Stuck for so long that it shows.
    await pause(3000);
    child.kill(signal);
    const sent = performance.now();
    expect(await ended).toMatchObject({ code: null, signal });
    expect(performance.now() - sent).toBeLessThan(5000);
    expect(existsSync(join(folder, signal, 'config.json'))).toBe(false);
  });

  it('[WORK-6] a module that exits or kills its process is an error that says so', async () => {
    const [exit, kill] = await Promise.all([
      collect('exit top', '--out', 'exit').ended,
      collect('kill make', '--out', 'kill').ended,
    ]);
    expect(exit).toMatchObject({ code: 2, stderr: expect.stringContaining('does not load: process.exit was called') });
    expect(kill).toMatchObject({ signal: null, stderr: expect.stringContaining('kill in make') });
    expect(kill.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /Could not be made: 2 tasks\. .* process\.kill of its own process/,
    );
  });
});

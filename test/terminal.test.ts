import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutput } from '../src/cli/terminal/output.ts';
import { hostile } from './fixtures/hostile/hostile-app.ts';
import { runProgram, runWarm } from './fixtures/program.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-terminal-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const app = join(import.meta.dirname, 'fixtures', 'hostile', 'hostile-app.ts');
// oxlint-disable-next-line no-control-regex -- that is what it is for
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

async function heard(args: readonly string[], typed?: readonly string[]): Promise<string> {
  const { stdout, stderr } =
    typed === undefined ? await runWarm(args, { folder }) : await runProgram(args, { folder, typed });
  return stdout + stderr;
}

describe('what reaches a terminal', () => {
  it('[CLI-4] is nothing that it acts on, whatever tasks, screens and episodes say', async () => {
    const told = [
      await heard(['tasks', app]),
      await heard(['tasks', app, 'lend-to-reader', '--screen']),
      await heard(['tasks', app, 'lend-to-reader', '--json']),
      await heard(['play', app, 'lend-to-reader'], ['click e1', 'quit']),
      await heard(['plan', app, 'lend-to-reader', '--nodes', '5', '--verbose']),
      await heard(['collect', app, '--out', 'run', '--student', 'random', '--strategy', 'linear', '--instances', '1']),
      await heard(['inspect', 'run']),
    ];
    const key = /collect\/1\/\S+/.exec(told[6] ?? '')?.[0] ?? '';
    told.push(await heard(['inspect', 'run', key]), await heard(['inspect', 'run', key, '--json']));
    for (const text of told) expect(text).not.toMatch(acting);
    expect(told[1]).toContain('A␛[2J␛]52;c;cm0gLXJm␇<U+009B>31m␛]0;owned␇␍␈␡<U+202E>gnp.exe<U+2066>B');
  });

  it('[CLI-4] is nothing that it acts on in errors, names of files and words of the command line', async () => {
    const name = 'evil\u001b[2J\u202e.ts';
    writeFileSync(join(folder, name), `throw new Error(${JSON.stringify(hostile)});`);
    const told = [
      await heard(['tasks', `./${name}`]),
      await heard(['tasks', `./${name}`, '--debug']),
      await heard(['tasks', `./missing${name}`]),
      await heard([`--\u001b[2J`]),
      await heard(['tasks', 'mail', `\u001b]0;x\u0007`]),
    ];
    for (const text of told) {
      expect(text).not.toMatch(acting);
      expect(text).toContain('␛');
    }
  });

  it('[CLI-4] keeps its colours, and no others', () => {
    let told = '';
    const stream = { isTTY: true, columns: 80, write: (text: string) => (told += text) };
    const { paint, line, json, note, progress } = createOutput({ results: stream, progress: stream, colours: true });
    line(`${paint.red(`a ${paint.bold('b')} \u001b[8mc`)} \u001b[31md`);
    expect(told).toBe('\u001b[31ma \u001b[1mb\u001b[22m ␛[8mc\u001b[39m ␛[31md\n');
    told = '';
    json({ text: '\u009b\u202e\u001b' });
    expect(told).toBe('{"text":"\\u009b\\u202e\\u001b"}\n');
    told = '';
    note('\u001b[2J');
    progress('a\r\u001b[2Jb\nc');
    expect(told).toBe('␛[2J\n\u001b[2ma␍␛[2Jb c\u001b[22m');
  });
});

describe('bounds of what a user gives', () => {
  it('[CLI-5] refuses more at once than any machine bears, and modules that are none', async () => {
    const many = await runWarm(['collect', 'mail', '--out', 'many', '--concurrency', '5000'], { folder });
    expect([many.code, many.stderr]).toEqual([2, expect.stringContaining('Expected a whole number from 1 to 4096')]);
    writeFileSync(join(folder, 'many.json'), JSON.stringify({ run: 'm', environments: ['mail'], concurrency: 1e9 }));
    const config = await runWarm(['collect', '--config', 'many.json', '--out', 'many'], { folder });
    expect([config.code, config.stderr]).toEqual([
      2,
      expect.stringContaining('Expected a whole number from 1 to 4096'),
    ]);
    writeFileSync(join(folder, 'large.ts'), `export const x = 1; //${' '.repeat(17 * 2 ** 20)}`);
    const large = await runWarm(['tasks', './large.ts'], { folder });
    expect([large.code, large.stderr]).toEqual([
      2,
      expect.stringMatching(/large\.ts cannot be used: it has \d+ bytes/),
    ]);
    spawnSync('mkfifo', [join(folder, 'pipe.ts')]);
    const pipe = await runWarm(['tasks', './pipe.ts'], { folder });
    expect([pipe.code, pipe.stderr]).toEqual([2, expect.stringContaining('it is no file')]);
  });
});

describe('a finished run on a read-only medium', () => {
  it.runIf(process.getuid?.() === 0)('[STO-15] can be inspected, reported and exported elsewhere', async () => {
    const run = join(folder, 'finished');
    const ended = await runWarm(
      ['collect', 'mail', '--out', run, '--templates', 'star-message', '--instances', '1', '--teacher', 'planner'],
      { folder },
    );
    expect(ended.code).toBe(0);
    chmodSync(run, 0o555);
    const isMounted =
      spawnSync('mount', ['--bind', run, run]).status === 0 &&
      spawnSync('mount', ['-o', 'remount,bind,ro', run]).status === 0;
    try {
      const told = [
        await runWarm(['inspect', run], { folder }),
        await runWarm(['export', run, '--out', 'rows'], { folder }),
        await runWarm(['report', run, '--out', 'page.html'], { folder }),
      ];
      expect(told.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual([
        [0, ''],
        [0, ''],
        [0, ''],
      ]);
      expect(isMounted || process.getuid?.() === 0).toBe(true);
      expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('<html');
    } finally {
      if (isMounted) spawnSync('umount', [run]);
    }
  });
});

describe('what the tests need of the system', () => {
  it('[CLI-6] is not installed when that is declined: what is missing is told, with how to get it', () => {
    const inside = join(folder, 'system');
    mkdirSync(inside);
    // Whatever the machine has, the copy looks where nothing is; its only apt-get tells that it was called.
    const script = readFileSync(join(import.meta.dirname, '..', 'scripts', 'system.js'), 'utf8');
    writeFileSync(join(inside, 'system.mjs'), script.replaceAll(/'\/usr\/[^']*'/g, "'/nowhere'"));
    writeFileSync(join(inside, 'apt-get'), `#!/bin/sh\necho called > ${join(inside, 'called')}\n`, { mode: 0o755 });
    const run = (env: Record<string, string>) =>
      spawnSync(process.execPath, [join(inside, 'system.mjs')], { env: { PATH: inside, ...env }, encoding: 'utf8' });
    const declined = run({ ESPALIER_NO_INSTALL: '1' });
    expect(declined.status).toBe(1);
    expect(declined.stderr).toContain('apt-get install chromium-headless-shell');
    expect(declined.stderr).toContain('apt-get install python3 python3-requests');
    expect(existsSync(join(inside, 'called'))).toBe(false);
    run({});
    expect(existsSync(join(inside, 'called'))).toBe(true);
  });
});

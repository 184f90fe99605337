// Checks the Python adapters with the real libraries from PyPI, against the real server.
// `npm run test:peers` checks all of them; `npm run test:peers -- gymnasium` those that are named.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportRuns } from './exported-run.ts';
import { findPython } from './find-python.ts';
import { peers, type Peer } from './peers.ts';

const root = join(import.meta.dirname, '..', '..');
const cache = join(root, '.peers');
/** Milliseconds after which a check is ended, and an installation. */
const longestCheck = 540_000;
const longestInstallation = 1_200_000;

interface Served {
  readonly url: string;
  readonly key: string;
  readonly run: string;
  stop(): Promise<void>;
}

function chosen(names: readonly string[]): readonly Peer[] {
  const unknown = names.filter(name => !peers.some(peer => peer.name === name));
  if (unknown.length > 0)
    throw new Error(`Unknown: ${unknown.join(', ')}. Expected some of: ${peers.map(({ name }) => name).join(', ')}.`);
  return names.length === 0 ? peers : peers.filter(({ name }) => names.includes(name));
}

/** A virtual environment with the library, made once for these requirements. The Python of the environment. */
function install({ name, requirements, leastPython }: Peer): string {
  const folder = join(cache, name);
  const python = join(folder, 'bin', 'python');
  const mark = join(folder, 'installed');
  const wantedMark = `${requirements.join('\n')}\n`;
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wantedMark) return python;
  console.log(`Installing ${requirements.join(', ')} into .peers/${name} …`);
  runOrThrow(findPython(leastPython), ['-m', 'venv', '--clear', folder]);
  runOrThrow(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements]);
  writeFileSync(mark, wantedMark);
  return python;
}

function runOrThrow(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', timeout: longestInstallation });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}.`);
}

async function serve(folder: string): Promise<Served> {
  const key = randomBytes(16).toString('hex');
  const run = join(folder, 'run');
  const args = ['serve', 'mail', 'shop', '--port', '0', '--out', run, '--json'];
  const child: ChildProcess = spawn(process.execPath, [join(root, 'bin', 'espalier.js'), ...args], {
    env: { ...process.env, ESPALIER_TEACHER_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').once('data', resolve);
    child.once('close', code => reject(new Error(`The server ended with ${code}.`)));
  });
  const { url } = JSON.parse(line) as { readonly url: string };
  return {
    url,
    key,
    run,
    stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

function check(module: string, python: string, { url, key }: Served): boolean {
  console.log(`\n${module} …`);
  const begun = Date.now();
  const { status, signal } = spawnSync(python, ['-m', module], {
    cwd: join(root, 'python'),
    env: {
      ...process.env,
      ESPALIER_URL: url,
      ESPALIER_TEACHER_KEY: key,
      ESPALIER_EXPORTS: exports,
      ESPALIER_NODE: process.execPath,
    },
    stdio: 'inherit',
    timeout: longestCheck,
  });
  tellEnd(module, { status, signal, begun });
  return status === 0;
}

interface CheckEnd {
  readonly status: number | null;
  readonly signal: string | null;
  readonly begun: number;
}

function tellEnd(what: string, { status, signal, begun }: CheckEnd): void {
  const seconds = Math.round((Date.now() - begun) / 1000);
  const how =
    signal !== null ? `was ended by ${signal}: it took too long` : status === 0 ? 'passed' : `ended with ${status}`;
  console.log(`${what} ${how} after ${seconds} s.`);
}

/** Runs a test of ours with this Python. */
function runTest({ file, variable }: NonNullable<Peer['test']>, python: string): boolean {
  console.log(`\n${file} …`);
  const begun = Date.now();
  const { status, signal } = spawnSync(join(root, 'node_modules', '.bin', 'vitest'), ['run', file], {
    cwd: root,
    env: { ...process.env, [variable]: python },
    stdio: 'inherit',
    timeout: longestCheck,
  });
  tellEnd(file, { status, signal, begun });
  return status === 0;
}

const wanted = chosen(process.argv.slice(2));
const failed: string[] = [];
/** Those whose library is there. Some have no wheels for machines without a GPU: that is told, and the others are checked. */
const ready = wanted.flatMap(peer => {
  try {
    return [{ peer, python: install(peer) }];
  } catch (cause) {
    const advice = peer.needsGpu === true ? 'It is made for machines with a GPU: it may not install on this one.' : '';
    console.error(`${peer.name} cannot be installed here: ${(cause as Error).message} ${advice}`);
    failed.push(`${peer.name} (not installed)`);
    return [];
  }
});
const folder = mkdtempSync(join(tmpdir(), 'espalier-peers-'));
const exports = join(folder, 'exports');
if (wanted.some(({ readsExports }) => readsExports === true)) exportRuns(root, exports);
const served = await serve(folder);
try {
  for (const { peer, python } of ready) {
    const { checks, test } = peer;
    for (const module of checks) if (!check(module, python, served)) failed.push(module);
    if (test !== undefined && !runTest(test, python)) failed.push(test.file);
  }
} finally {
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

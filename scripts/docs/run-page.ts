import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readBlocks, readShownCommands, type Block } from './blocks.ts';

const root = join(import.meta.dirname, '..', '..');

/** What came of one command or program of a page. */
export interface BlockResult {
  readonly block: Block;
  readonly command: string;
  /** What the page says it prints; null when the page shows no output. */
  readonly expected: string | null;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that looks like the root of the repository to the commands of a page. */
interface Folder {
  readonly path: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly background: ChildProcess[];
  readonly ports: Map<string, string>;
}

/** How `espalier` is started; each command is a process of its own when this is left out. */
export interface PageOptions {
  /** The text of a shell script that stands for the program. */
  readonly espalier?: string;
}

const programScript = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin', 'espalier.js')}' "$@"\n`;

/** Runs the examples of a page one after another, in a temporary folder. */
export async function* runPage(page: string, options: PageOptions = {}): AsyncGenerator<BlockResult> {
  const folder = await createFolder(options.espalier ?? programScript);
  try {
    for (const block of readBlocks(page)) {
      if (block.attributes['skip'] !== undefined) continue;
      yield* runBlock(block, folder);
    }
  } finally {
    await Promise.all(folder.background.map(stop));
    await rm(folder.path, { recursive: true, force: true });
  }
}

async function* runBlock(block: Block, folder: Folder): AsyncGenerator<BlockResult> {
  const { file, background } = block.attributes;
  if (file !== undefined) {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), block.text);
  } else if (background !== undefined) {
    await reservePort(block, folder);
    yield await start(block, folder);
  } else if (block.language === 'sh') {
    yield { block, command: block.text, expected: null, ...(await run(block.text, folder)) };
  } else if (block.language === 'console') {
    for (const { command, output } of readShownCommands(block.text)) {
      yield { block, command, expected: output, ...(await run(command, folder)) };
    }
  } else if (block.language === 'ts') {
    const name = `example-line-${block.line}.ts`;
    await writeFile(join(folder.path, name), block.text);
    const command = `node --conditions=espalier-source ${name}`;
    yield { block, command, expected: null, ...(await run(command, folder)) };
  }
}

type Ended = Pick<BlockResult, 'code' | 'stdout' | 'stderr'>;

function launch(command: string, folder: Folder): ChildProcess {
  return spawn('sh', ['-e', '-c', withPorts(command, folder)], {
    cwd: folder.path,
    env: folder.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

function run(command: string, folder: Folder): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = launch(command, folder);
    const heard = listen(child);
    child.on('error', reject).on('close', code => {
      resolve({ code, stdout: withoutPorts(heard.stdout, folder), stderr: heard.stderr });
    });
  });
}

/** Starts a server, and waits until it prints that it is ready. */
function start(block: Block, folder: Folder): Promise<BlockResult> {
  const [first] = readShownCommands(block.text);
  const command = first?.command ?? block.text;
  const ready = block.attributes['background'] as string;
  return new Promise((resolve, reject) => {
    const child = launch(command, folder);
    folder.background.push(child);
    const heard = listen(child);
    const end = (code: number | null): void => {
      const stdout = withoutPorts(heard.stdout, folder);
      resolve({ block, command, expected: first?.output ?? null, code, stdout, stderr: heard.stderr });
    };
    child.stdout?.on('data', () => heard.stdout.includes(ready) && end(0));
    child.on('error', reject).on('close', end);
  });
}

function listen(child: ChildProcess): { stdout: string; stderr: string } {
  const heard = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (heard.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (heard.stderr += text));
  return heard;
}

/** Until it has ended: it writes to its folder up to then. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'close');
  try {
    // The group: the shell and the program that it started.
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    return; // It has ended by itself.
  }
  await ended;
}

async function reservePort({ attributes: { port } }: Block, { ports }: Folder): Promise<void> {
  if (port === undefined || ports.has(port)) return;
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  ports.set(port, String((server.address() as AddressInfo).port));
  await new Promise(resolve => server.close(resolve));
}

function withPorts(command: string, { ports }: Folder): string {
  let text = command;
  for (const [shown, used] of ports) text = text.replaceAll(shown, used);
  return text;
}

function withoutPorts(output: string, { ports }: Folder): string {
  let text = output;
  for (const [shown, used] of ports) text = text.replaceAll(used, shown);
  return text;
}

async function createFolder(espalier: string): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'espalier-docs-'));
  const bin = join(path, '.bin');
  await mkdir(bin);
  await mkdir(join(path, 'node_modules'));
  await Promise.all([
    writeFile(join(path, 'package.json'), '{ "type": "module" }'),
    symlink(root, join(path, 'node_modules', 'espalier')),
    symlink(join(root, 'examples'), join(path, 'examples')),
    symlink(join(root, 'test'), join(path, 'test')),
    symlink(join(root, 'python'), join(path, 'python')),
    writeFile(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 }),
    writeFile(join(bin, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 }),
    writeFile(join(bin, 'espalier'), espalier, { mode: 0o755 }),
  ]);
  const environment = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, NO_COLOR: '1' };
  return { path, environment, background: [], ports: new Map() };
}

import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EspalierError } from '../../core/errors.ts';
import type { InitialFile, Limits, Sandboxes } from '../terminal/sandbox/sandbox.ts';
import { findSandboxes } from '../terminal/sandbox/find-sandboxes.ts';
import { userHome } from '../terminal/sandbox/skeleton.ts';
import type { TerminalTask } from '../terminal/world/definition.ts';
import { environmentOf } from '../terminal/world/world.ts';
import { openHistory, type Commit, type History } from './history.ts';
import { findRunner, runnerSettings, type Runner } from './runners.ts';

/** A repository with what it takes to run its tests. */
export interface Project {
  readonly history: History;
  readonly runner: Runner;
  /** Folders of dependencies that lie in the folder, and are seen from inside. */
  readonly dependencies: readonly string[];
  /** Stands for the dependencies: others may give other results. */
  readonly key: string;
}

/** Where the project lies in a world, below the home. */
export const projectFolder = 'project';

const dependencyFolders = ['node_modules', '.venv'];

export function openProject(folder: string): Project {
  const history = openHistory(folder);
  const paths = history.files(history.head).map(({ path }) => path);
  const runner = findRunner(paths, path => history.read(history.head, path));
  if (runner === null) throw noTests(folder);
  const dependencies = dependencyFolders.filter(name => isFolder(join(history.folder, name)));
  const installed = join(history.folder, 'node_modules', '.package-lock.json');
  const lock = existsSync(installed) ? readFileSync(installed) : Buffer.alloc(0);
  const key = hash(
    'sha256',
    Buffer.concat([Buffer.from(`1 ${runner.name} ${dependencies.join(' ')}`), lock]),
    'hex',
  ).slice(0, 12);
  return { history, runner, dependencies, key };
}

const disk = { bytes: 2 ** 30, files: 200_000 };

/** Sandboxes in which the project finds its dependencies. */
export function openSandboxes({ history, dependencies }: Project): Promise<Sandboxes> {
  const folders = dependencies.map(
    name => [join(history.folder, name), `${userHome}/${projectFolder}/${name}`] as const,
  );
  return findSandboxes({ folders, disk });
}

/** Tests take longer, and more, than commands of other worlds. */
const limits: Partial<Limits> = {
  wallSeconds: 120,
  cpuSeconds: 240,
  memoryBytes: 2 ** 36,
  processes: 512,
  openFiles: 4096,
};

const mostListed = 20;

/** The world before a commit: its parent's files in a repository of their own, so that nobody can look ahead. */
export function startBefore(
  project: Project,
  commit: Commit,
): Pick<TerminalTask, 'files' | 'setup' | 'limits' | 'variables'> {
  const { history, dependencies } = project;
  const inProject = (file: InitialFile): InitialFile => ({ ...file, path: `${projectFolder}/${file.path}` });
  const own = dependencies.map(name => `${projectFolder}/${name}`);
  const bins = [`node_modules/.bin`, `.venv/bin`].map(path => `${userHome}/${projectFolder}/${path}`);
  return {
    files: [...own.map(path => ({ path })), ...history.files(commit.parent).map(inProject)],
    setup: [
      `cd ~/${projectFolder} && git init -q && printf '${dependencies.map(name => String.raw`/${name}\n`).join('')}' >> .git/info/exclude && git add -A && git commit -q -m Start`,
    ],
    limits,
    variables: { PATH: [...bins, environmentOf(userHome)['PATH']].join(':') },
  };
}

/** Whether a file belongs to the tests: it is laid over the project when it is verified. */
export function isOfTests({ runner }: Project, path: string): boolean {
  return runner.isTest(path) || /(?:^|\/)(?:tests?|__tests__|__snapshots__|fixtures|testdata)\//.test(path);
}

/** What an agent must leave alone: tests that are there, and what decides how they run. */
export function deniedOf(project: Project, commit: Commit, solved: readonly string[]): string[] {
  const { history, runner } = project;
  const tests = history
    .files(commit.parent)
    .map(({ path }) => path)
    .filter(runner.isTest);
  const free = new Set(solved);
  return [...tests, ...runnerSettings].filter(path => !free.has(path)).map(path => `${projectFolder}/${path}`);
}

export function instructionFor({ subject, body }: Commit, failing: readonly string[]): string {
  const message = [subject, body.replaceAll(/^[\w-]+-by: .*$/gm, '').trim()].filter(text => text !== '').join('\n\n');
  const shown = failing.slice(0, mostListed).map(line => `- ${line}`);
  const rest = failing.length > mostListed ? [`- and ${failing.length - mostListed} more`] : [];
  return [
    `~/${projectFolder} is a git repository. Make this change:`,
    message,
    `These tests fail now, or are not there yet, and must pass:\n${[...shown, ...rest].join('\n')}`,
    'You are not shown them. Tests that pass now must still pass. Leave the tests and the settings of the test runner as they are.',
  ].join('\n\n');
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function noTests(folder: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `Nothing is known of the tests of ${folder}.`,
    expected:
      'Expected test files for node --test, vitest, jest (named in package.json), unittest or pytest, in the newest commit.',
  });
}

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { causeText, invalidOption } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { packageVersion } from '../../system/about.ts';
import { appSkeleton } from './app-skeleton.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import type { MadeLanguage } from '../../envs/repository/made/made-project.ts';
import { problemSkeleton } from './problem-skeleton.ts';
import { serverSkeleton } from './server-skeleton.ts';

export interface NewRequest {
  readonly what: string;
  readonly name: string;
  readonly dir: string;
  /** Tasks of each template, where tasks are written. */
  readonly instances: number;
  /** Of a made repository. */
  readonly seed: number;
  readonly language: MadeLanguage;
}

export async function writeNew(output: Output, request: NewRequest): Promise<ExitCode> {
  const { what, name, dir, instances } = request;
  if (what === 'harbor') {
    await (await import('./harbor-folders.ts')).writeHarborFolders(output, { name, dir, instances });
    return 0;
  }
  if (what !== 'repository' && !isKind(what)) {
    const usages = [...Object.keys(kinds), 'repository', 'harbor'].map(kind => `espalier new ${kind} <name>`);
    throw invalidOption(`"${what}" cannot be made.`, `Expected one of: ${usages.join(', ')}.`);
  }
  const { noun, write } = what === 'repository' ? repositoryKind(request) : kinds[what];
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw invalidOption(`"${name}" cannot be the name of ${noun}.`, 'Expected lower-case words joined by -.');
  }
  await write(output, name, dir);
  return 0;
}

const kinds = {
  app: { noun: 'an app', write: writeModule(appSkeleton) },
  problem: { noun: 'a problem', write: writeModule(problemSkeleton) },
  server: { noun: 'a server', write: writeServer },
};

function isKind(what: string): what is keyof typeof kinds {
  return Object.hasOwn(kinds, what);
}

/** A made project with a history, whose commits are tasks. */
function repositoryKind({ seed, language }: NewRequest) {
  const write = async (output: Output, name: string, dir: string): Promise<void> => {
    const folder = join(dir, name);
    if (existsSync(folder)) throw invalidOption(`${folder} exists already.`, 'Choose another name, or another --dir.');
    const { writeMadeProject } = await import('../../envs/repository/made/write-project.ts');
    const commits = writeMadeProject(folder, { seed, language });
    const { paint } = output;
    output.line(
      `${paint.green('✓')} wrote ${paint.bold(folder)}, a repository with ${count(commits.length, 'commit')}`,
    );
    output.line();
    output.line(`  espalier check repository:${folder}  ${paint.dim('which of its commits are tasks?')}`);
  };
  return { noun: 'a repository', write };
}

/** One file: an environment of the user's own. */
function writeModule(skeleton: (name: string) => string) {
  return async (output: Output, name: string, dir: string): Promise<void> => {
    const path = join(dir, `${name}.ts`);
    if (existsSync(path)) throw invalidOption(`${path} exists already.`, 'Choose another name, or another --dir.');
    await writeAll(dir, { [`${name}.ts`]: skeleton(name) });
    const { paint } = output;
    const shown = dotted(relative('', path));
    output.line(`${paint.green('✓')} wrote ${paint.bold(shown)}`);
    output.line();
    output.line(`  espalier check ${shown}  ${paint.dim('does it obey the laws, are its tasks sound?')}`);
    output.line(`  espalier play ${shown}   ${paint.dim('do a task yourself')}`);
    output.line(`  espalier plan ${shown}   ${paint.dim('let the planner do it')}`);
  };
}

/** A folder that OpenEnv takes for an environment, with an app of the user's own in it. */
async function writeServer(output: Output, name: string, dir: string): Promise<void> {
  const folder = join(dir, name);
  if (existsSync(folder)) throw invalidOption(`${folder} exists already.`, 'Choose another name, or another --dir.');
  await writeAll(folder, { [`${name}.ts`]: appSkeleton(name), ...serverSkeleton(name, packageVersion()) });
  const { paint } = output;
  const shown = dotted(relative('', folder));
  output.line(`${paint.green('✓')} wrote ${paint.bold(shown)}`);
  output.line();
  output.line(`  cd ${shown} && npm install`);
  output.line(`  npm run serve      ${paint.dim('serve the app by OpenEnv')}`);
  output.line(`  uv lock            ${paint.dim('write uv.lock, which OpenEnv asks for')}`);
  output.line(`  openenv validate   ${paint.dim('does OpenEnv take it?')}`);
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content, { flag: 'wx' });
    } catch (cause) {
      throw invalidOption(
        `${path} cannot be written: ${causeText(cause)}.`,
        'Expected a folder you may write to as --dir.',
      );
    }
  }
}

/** A path that the shell, and we, take for a path. */
function dotted(path: string): string {
  return path.startsWith('.') || path.startsWith(sep) ? path : `.${sep}${path}`;
}

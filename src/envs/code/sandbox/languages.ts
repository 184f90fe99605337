import { execPath } from 'node:process';
import { z } from 'zod';
import { invalidOption } from '../../../core/errors.ts';
import { suggestion } from '../../../core/naming/closest.ts';
import { sqlRunner } from './sql-runner.ts';

const command = z.array(z.string().min(1).max(10_000)).min(1).max(40).readonly();

/**
 * A programming language in a few lines. Commands may name `{file}`, the source file, `{compiled}`, the file that the
 * compiler writes, and `{node}`, the Node.js that runs Espalier.
 */
export const languageSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9+#-]{0,30}$/),
  /** Name of the source file. */
  file: z.string().regex(/^[a-zA-Z][a-zA-Z0-9_.-]{0,60}$/),
  compile: command.optional(),
  run: command,
  /** Address space of a process in MB. */
  memory: z.number().int().min(16).max(16_384).default(512),
  /** Processes and threads at a time. */
  processes: z.number().int().min(1).max(256).default(16),
  /** What to install when the program is missing. */
  install: z.string().max(200).default('Install it, or choose another language.'),
});
export type Language = z.infer<typeof languageSchema>;

/** V8 reserves address space that it never uses; its heap has a limit of its own. */
const node = { memory: 3072, processes: 32 };
const heap = '--max-old-space-size=256';

export const languages: readonly Language[] = [
  { name: 'javascript', file: 'program.js', run: ['{node}', heap, '{file}'], ...node },
  {
    name: 'python',
    file: 'program.py',
    run: ['/usr/bin/python3', '-S', '-E', '-B', '{file}'],
    install: 'Debian: apt install python3',
  },
  {
    name: 'c',
    file: 'program.c',
    compile: ['/usr/bin/gcc', '-O1', '-o', '{compiled}', '{file}', '-lm'],
    run: ['{compiled}'],
    install: 'Debian: apt install gcc libc6-dev',
  },
  { name: 'bash', file: 'program.sh', run: ['/bin/bash', '--norc', '{file}'], processes: 24 },
  // The input is SQL that fills a new database; the program is SQL whose rows are the output.
  { name: 'sql', file: 'program.sql', run: ['{node}', '--no-warnings', heap, '-e', sqlRunner, '{file}'], ...node },
].map(language => languageSchema.parse(language));

export function findLanguage(name: string, known: readonly Language[] = languages): Language {
  const found = known.find(language => language.name === name);
  if (found !== undefined) return found;
  const names = known.map(language => language.name);
  throw invalidOption(
    `There is no language "${name.slice(0, 60)}".${suggestion(name, names)}`,
    `Expected one of: ${names.join(', ')}.`,
  );
}

/** The folder that a program may write to. */
export const workFolder = '/sandbox';
export const compiledFile = `${workFolder}/compiled`;

/** Where the sandbox shows the Node.js that runs Espalier. */
export const shownNode = '/opt/espalier/node';
export const nodeProgram = execPath;

export function fillCommand(parts: readonly string[], { file }: Language): string[] {
  const values: Readonly<Record<string, string>> = {
    '{file}': `${workFolder}/${file}`,
    '{compiled}': compiledFile,
    '{node}': shownNode,
  };
  return parts.map(part => values[part] ?? part);
}

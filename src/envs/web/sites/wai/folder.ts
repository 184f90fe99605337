import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { causeText, EspalierError, type ErrorCode } from '../../../../core/errors.ts';
import { describeIssues } from '../../../../core/records.ts';

/** The two kinds of tasks a folder may hold; their ids may be the same. */
const taskFiles = [
  { group: 'real', name: 'real-tasks.json' },
  { group: 'function', name: 'function-tasks.json' },
] as const;

const taskEntrySchema = z.object({
  id: z.string().min(1),
  difficulty: z.string().optional(),
  instruction: z.string().trim().min(1, 'a task needs an instruction'),
  verify: z.string().min(1),
});
type TaskEntry = z.infer<typeof taskEntrySchema>;

export interface WaiTask {
  /** Unique in the folder: `real-task-e1`. */
  readonly template: string;
  /** As the folder calls it: `task_e1`. */
  readonly id: string;
  readonly group: (typeof taskFiles)[number]['group'];
  readonly difficulty: string | null;
  readonly instruction: string;
  /** The Python file that judges it, as an absolute path. */
  readonly verifier: string;
}

export interface WaiFolder {
  /** Where it really is: links are followed. */
  readonly path: string;
  readonly id: string;
  readonly title: string;
  readonly tasks: readonly WaiTask[];
  /** Tasks that were left out, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Reads an app folder. What is wrong with one task leaves that task out; what is wrong with the folder is an error. */
export async function readWaiFolder(path: string): Promise<WaiFolder> {
  const root = await findFolder(path);
  const page = await readText(root, 'index.html');
  if (page === null)
    throw invalid(`${path} has no index.html.`, 'Expected an app folder: index.html, js, css and tasks.');
  const tasks: WaiTask[] = [];
  const leftOut: string[] = [];
  const names = new Set<string>();
  let found = false;
  for (const { group, name } of taskFiles) {
    const text = await readText(root, name);
    if (text === null) continue;
    found = true;
    for (const entry of parseTasks(join(path, name), text)) {
      const template = slug(`${group}-${entry.id}`);
      const verifier = await findVerifier(root, entry);
      if (verifier === null) leftOut.push(`${name}: ${entry.id}: there is no ${entry.verify}.`);
      else if (names.has(template)) leftOut.push(`${name}: ${entry.id}: another task is called ${template} already.`);
      else tasks.push(createTask({ entry, group, template, verifier }));
      names.add(template);
    }
  }
  if (!found)
    throw invalid(
      `${path} has no tasks.`,
      `Expected ${taskFiles.map(({ name }) => name).join(' or ')} beside index.html.`,
    );
  return { path: root, id: slug(basename(root)), title: titleOf(page) ?? basename(root), tasks, leftOut };
}

interface TaskParts extends Pick<WaiTask, 'group' | 'template' | 'verifier'> {
  readonly entry: TaskEntry;
}

function createTask({ entry: { id, difficulty, instruction }, ...parts }: TaskParts): WaiTask {
  return { ...parts, id, difficulty: difficulty ?? null, instruction };
}

async function findFolder(path: string): Promise<string> {
  try {
    const root = await realpath(path);
    if ((await stat(root)).isDirectory()) return root;
  } catch (cause) {
    throw fault('unavailable', {
      message: `There is no folder ${path} (${causeText(cause)}).`,
      expected: 'Expected the path of an app folder.',
    });
  }
  throw fault('unavailable', { message: `${path} is not a folder.`, expected: 'Expected the path of an app folder.' });
}

/** The text of a file, null when there is none. */
async function readText(root: string, name: string): Promise<string | null> {
  const path = join(root, name);
  const bytes = await readFile(path).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null;
    throw invalid(`${path} cannot be read (${causeText(cause)}).`, 'Expected a file that this user may read.');
  });
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(`${path} is not UTF-8.`, 'Save it as UTF-8.');
  }
}

function parseTasks(path: string, text: string): readonly TaskEntry[] {
  const expected = 'Expected a list of tasks: [{ "id", "instruction", "verify" }].';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(`${path} is not JSON: ${causeText(cause)}.`, expected);
  }
  const parsed = z.array(taskEntrySchema).safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(`${path} is not a list of tasks: ${describeIssues(parsed.error)}.`, expected);
}

/** Where the verifier of a task is; null when there is none. */
async function findVerifier(root: string, { id, verify }: TaskEntry): Promise<string | null> {
  const place = isAbsolute(verify) ? verify : join(root, verify);
  const real = await realpath(place).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return null;
    throw invalid(`The verifier ${verify} of ${id} cannot be read (${causeText(cause)}).`, 'Expected a Python file.');
  });
  // A path that leads out is refused also when nothing lies there.
  if (!isInside(root, place) || (real !== null && !isInside(root, real)))
    throw invalid(`The verifier ${verify} of ${id} lies outside of the folder.`, 'Expected a path inside of it.');
  return real !== null && (await stat(real)).isFile() ? real : null;
}

/** Whether a path is below a folder. Links are not followed. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A name as templates and environments have them: lower case, digits and dashes. */
function slug(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-');
  return /^[a-z]/.test(name) ? name : ['app', ...words].join('-');
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

function titleOf(page: string): string | null {
  const inner = /<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1] ?? '';
  const text = inner.replaceAll(/&(#?\w+);/g, (all, name: string) => entities[name] ?? all);
  return text.replaceAll(/\s+/g, ' ').trim() || null;
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

function invalid(message: string, expected: string): EspalierError {
  return fault('invalid-app', { message, expected });
}

function fault(code: ErrorCode, words: { message: string; expected: string }): EspalierError {
  return new EspalierError({ boundary: 'input', code, ...words });
}

import { statSync } from 'node:fs';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { readText } from '../../modules/read-file.ts';
import { wordList } from '../terminal/verb.ts';

export const tasksOption = [
  '--tasks <ids|file>',
  'only these: mail/star-message/17,… or a file with one id a line',
  readTasks,
] as const;

/** Ids of tasks, from the command line or from a file. Rows of JSON name theirs as `task`. */
export function readTasks(text: string): string[] {
  const found = statSync(text, { throwIfNoEntry: false });
  if (found?.isFile() !== true) {
    if (isPath(text)) throw noFile(text, found === undefined ? 'There is no such file' : 'It is a folder');
    return wordList(text);
  }
  const lines = readText(text)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
  if (lines.length > 0) return [...new Set(lines.map(line => (line.startsWith('{') ? taskOf(line, text) : line)))];
  throw invalidOption(`${text} names no task.`, 'Expected one id a line, such as mail/star-message/17.');
}

/** Whether a text can only mean a file. An id ends in a seed: `mail/star-message/17`. */
function isPath(text: string): boolean {
  if (text.includes(',') || /\/\d+$/.test(text)) return false;
  return /^[./~]|\.\w{1,6}$/.test(text);
}

function noFile(path: string, why: string): EspalierError {
  return invalidOption(
    `--tasks names the file ${path}. ${why}.`,
    'Expected a file with one id a line, or ids such as mail/star-message/17 with commas between them.',
  );
}

function taskOf(line: string, file: string): string {
  const row = parsed(line);
  if (typeof row === 'object' && row !== null && 'task' in row && typeof row.task === 'string') return row.task;
  throw invalidOption(`A row of ${file} names no task: ${line.slice(0, 80)}`, 'Expected JSON with the member "task".');
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

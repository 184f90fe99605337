import { basename, relative } from 'node:path';
import { EspalierError, type ErrorCode } from '../../core/errors.ts';

interface Place {
  readonly file: string;
  readonly folder: string;
}

const contract = 'Expected verify(server_url) to return (bool, str): mend the verifier, or leave the task out.';

export function threw(place: Place, error: string, line: number | null): EspalierError {
  // Raised before any line of the verifier ran: it could not be read.
  if (line === null && error.startsWith('PermissionError')) return unreadable(place, error);
  return fault('threw', `${name(place)} threw${at(line)}: ${sentence(error)}`);
}

/** As root, each verifier runs as a user of its own that has no rights. */
function unreadable(place: Place, error: string): EspalierError {
  return fault('unavailable', {
    message: `${name(place)} cannot be read by the user that verifiers run as: ${sentence(error)}`,
    expected: `Verifiers run as a user without rights of its own. Let others read the app folder: chmod -R o+rX ${place.folder}`,
  });
}

export function garbage(place: Place, returned: string): EspalierError {
  return fault('out-of-range', `${name(place)} returned ${sentence(returned)}`);
}

export function ended(place: Place, how: string): EspalierError {
  return fault('threw', `${name(place)} ended its process (${how}) instead of returning.`);
}

export function intruded(place: Place, line: string): EspalierError {
  return fault('out-of-range', `${name(place)} wrote to the channel of its answer: ${sentence(line.slice(0, 200))}`);
}

export function wrote(place: Place, call: string): EspalierError {
  return fault('out-of-range', `${name(place)} tried to write to its app (${call}); it may only read.`);
}

export function late(place: Place, { stack, milliseconds }: { stack: string; milliseconds: number }): EspalierError {
  return fault('deadline', `${name(place)} did not answer in ${milliseconds} ms${at(hangingLine(place, stack))}.`);
}

export function unstarted(python: string, complaint: string): EspalierError {
  const last = complaint.trim().split('\n').at(-1) || 'it said nothing';
  return fault('unavailable', {
    message: `${python} did not start as a verifier: ${sentence(last)}`,
    expected:
      'Install Python 3.9 or newer with requests (Debian: apt install python3 python3-requests), or name its path.',
  });
}

export function closed(): EspalierError {
  return fault('closed', { message: 'The verifiers are closed.', expected: 'Verify before closing the environment.' });
}

/** `real-tasks/task_e1.py`, as the folder calls it. */
function name({ file, folder }: Place): string {
  return `The verifier ${relative(folder, file)}`;
}

function at(line: number | null): string {
  return line === null ? '' : ` at line ${line}`;
}

/** Where the stack that the process left shows the verifier, innermost first. */
function hangingLine({ file }: Place, complaint: string): number | null {
  const stack = complaint.slice(complaint.lastIndexOf('(most recent call first)'));
  for (const [, path, line] of stack.matchAll(/File "(.*)", line (\d+) in /g))
    if (basename(path as string) === basename(file)) return Number(line);
  return null;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function fault(code: ErrorCode, words: string | { message: string; expected: string }): EspalierError {
  const { message, expected } = typeof words === 'string' ? { message: words, expected: contract } : words;
  return new EspalierError({ boundary: 'verifier', code, message, expected });
}

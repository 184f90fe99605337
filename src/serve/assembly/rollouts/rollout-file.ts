import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { EspalierError } from '../../../core/errors.ts';
import { wholeLines } from '../../../core/json.ts';
import type { Task } from '../../../core/records.ts';
import type { SessionResult, SubmitRequest } from '../../rollouts/contract.ts';
import { appendLines, type WriteText } from '../../sessions/append-lines.ts';

/** What a rollout service writes down before it acts on it. */
export type RolloutLine =
  /** With the task that was drawn for it. Files of earlier versions have the request only. */
  | { readonly kind: 'task'; readonly request: SubmitRequest; readonly task?: Task }
  | { readonly kind: 'attempt'; readonly task_id: string; readonly sample: number }
  | { readonly kind: 'result'; readonly result: SessionResult }
  | { readonly kind: 'cancel'; readonly task_id: string }
  | { readonly kind: 'taken'; readonly groups: readonly string[] }
  | { readonly kind: 'version'; readonly version: number };

export interface RolloutFile {
  write(line: RolloutLine): void;
  /** Everything that was written whole, also by an earlier server. */
  read(): RolloutLine[];
}

export function createRolloutFile(path: string, write?: WriteText): RolloutFile {
  return {
    write: line => appendLines(path, `${JSON.stringify(line)}\n`, write),
    read() {
      if (!existsSync(path)) return [];
      const bytes = readFileSync(path);
      const whole = wholeLines(bytes);
      // A line that was cut off by a crash must not become the start of the next one.
      if (whole < bytes.length) truncateSync(path, whole);
      const lines = bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
      return lines.map((line, index) => lineIn(line, path, index + 1));
    },
  };
}

function lineIn(text: string, path: string, line: number): RolloutLine {
  try {
    return JSON.parse(text) as RolloutLine;
  } catch (cause) {
    throw new EspalierError({
      boundary: 'store',
      code: 'corrupt-record',
      message: `Line ${line} of ${path} is not a record of rollouts.`,
      expected: 'Put back a copy of the file, or delete the line: what it says is forgotten then.',
      cause,
    });
  }
}

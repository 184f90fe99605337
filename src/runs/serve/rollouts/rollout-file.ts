import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { wholeLines } from '../../../core/json.ts';
import type { SessionResult, SubmitRequest } from '../../../server/rollouts/contract.ts';

/** What a rollout service writes down before it acts on it. */
export type RolloutLine =
  | { readonly kind: 'task'; readonly request: SubmitRequest }
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

export function createRolloutFile(path: string): RolloutFile {
  return {
    write: line => appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 }),
    read() {
      if (!existsSync(path)) return [];
      const bytes = readFileSync(path);
      const whole = wholeLines(bytes);
      // A line that was cut off by a crash must not become the start of the next one.
      if (whole < bytes.length) truncateSync(path, whole);
      const lines = bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
      return lines.map(line => JSON.parse(line) as RolloutLine);
    },
  };
}

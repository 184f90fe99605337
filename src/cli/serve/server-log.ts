import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ServerLog } from '../../runs/serve/served-parts.ts';

/** Null writes nothing. Times are those of the wall clock: people compare them with other logs. */
export function createServerLog(path: string | null): ServerLog {
  if (path === null) return { write: () => undefined };
  mkdirSync(dirname(path), { recursive: true });
  return {
    write: (event, details) =>
      appendFileSync(path, `${JSON.stringify({ time: new Date().toISOString(), event, ...details })}\n`),
  };
}

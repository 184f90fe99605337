import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a server did, as JSON lines. */
export interface ServerLog {
  write(event: string, details: object): void;
}

/** Null writes nothing. Times are those of the wall clock: people compare them with other logs. */
export function createServerLog(path: string | null): ServerLog {
  if (path === null) return { write: () => undefined };
  mkdirSync(dirname(path), { recursive: true });
  return {
    write: (event, details) =>
      appendFileSync(path, `${JSON.stringify({ time: new Date().toISOString(), event, ...details })}\n`),
  };
}

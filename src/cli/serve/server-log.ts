import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ServerLog } from '../../serve/assembly/served-parts.ts';
import { makeFolder } from '../../modules/make-folder.ts';

/** Null writes nothing. A log that cannot be written is told once, and the server goes on. Times are those of the wall clock: people compare them with other logs. */
export function createServerLog(path: string | null, warn: (message: string) => void): ServerLog {
  if (path === null) return { write: () => undefined };
  let wasTold = false;
  return {
    write(event, details) {
      try {
        makeFolder(dirname(path));
        appendFileSync(path, `${JSON.stringify({ time: new Date().toISOString(), event, ...details })}\n`, {
          mode: 0o600,
        });
      } catch (cause) {
        if (wasTold) return;
        wasTold = true;
        warn(
          `The log ${path} cannot be written: ${(cause as Error).message}. The server goes on, and lines are missing.`,
        );
      }
    },
  };
}

import { randomUUID } from 'node:crypto';
import { openSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Opens a file without a name for reading: it is gone when it is closed, also when this process is killed. */
export function openNameless(content: string | Buffer): number {
  const path = join(tmpdir(), `espalier-${randomUUID()}`);
  try {
    // The program reads its input as a user without rights.
    writeFileSync(path, content, { flag: 'wx', mode: 0o444 });
    return openSync(path, 'r');
  } finally {
    unlinkSync(path);
  }
}

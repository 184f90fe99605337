import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

/** A new file that is hashed while it is written. */
export interface FileSink {
  write(bytes: Uint8Array): void;
  close(): { readonly bytes: number; readonly sha256: string };
  /** Closes it as it is, unless that was done. */
  abandon(): void;
}

export function createFileSink(path: string): FileSink {
  const descriptor = openSync(path, 'w');
  const hash = createHash('sha256');
  let total = 0;
  let open = true;
  const abandon = (): void => {
    if (open) closeSync(descriptor);
    open = false;
  };
  return {
    abandon,
    write(bytes) {
      // A write may take less than it is given, on a disk that is nearly full.
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
      hash.update(bytes);
      total += bytes.length;
    },
    close() {
      abandon();
      return { bytes: total, sha256: hash.digest('hex') };
    },
  };
}

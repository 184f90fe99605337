/** A file of an archive that a kernel unpacks at its start; a folder has no content. */
export interface ArchiveFile {
  readonly path: string;
  readonly mode: number;
  readonly content?: Uint8Array;
}

const folderType = 0o040_000;
const fileType = 0o100_000;
const alignment = 4;
const hexDigits = 8;
const hexBase = 16;

/** An archive in the format of `cpio -H newc`. */
export function packArchive(files: readonly ArchiveFile[]): Buffer {
  const last: ArchiveFile = { path: 'TRAILER!!!', mode: 0, content: Buffer.alloc(0) };
  return Buffer.concat([...files, last].flatMap((file, index) => member(file, index + 1)));
}

function member({ path, mode, content }: ArchiveFile, inode: number): Buffer[] {
  const type = content === undefined ? folderType : fileType;
  const size = content?.length ?? 0;
  const numbers = [inode, type | mode, 0, 0, 1, 0, size, 0, 0, 0, 0, Buffer.byteLength(path) + 1, 0];
  const head = `070701${numbers.map(number => number.toString(hexBase).padStart(hexDigits, '0')).join('')}${path}\0`;
  return [padded(Buffer.from(head)), padded(Buffer.from(content ?? []))];
}

function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % alignment;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(alignment - rest)]);
}

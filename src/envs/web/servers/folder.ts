import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Store, StoreState } from './store.ts';

/** What lies in a folder, by path: hashes of files, targets of links. */
type Contents = ReadonlyMap<string, string>;

interface FolderState extends StoreState {
  readonly contents: Contents;
}

/** Shares the blocks where the file system can. */
const copying = constants.COPYFILE_FICLONE;

/** A folder of files. Each content is kept once; a restore writes the files that differ. */
export function createFolderStore(folder: string, scratch: string): Store {
  /** Hashes of files that nobody touched since, by path, size, inode and the times of the last change. */
  const known = new Map<string, string>();
  const kept = new Set<string>();
  const placeOf = (content: string): string => join(scratch, 'files', content);

  const read = async (path: string): Promise<string> => {
    const { size, ino, mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
    const key = [path, size, ino, mtimeNs, ctimeNs].join(' ');
    const content = known.get(key) ?? (await hashOf(path));
    known.set(key, content);
    if (kept.has(content)) return content;
    await mkdir(join(scratch, 'files'), { recursive: true });
    await copyFile(path, placeOf(content), copying);
    kept.add(content);
    return content;
  };
  const capture = async (): Promise<FolderState> => {
    const contents = await list(folder, read);
    return { text: JSON.stringify([...contents]), contents };
  };
  return {
    values: {},
    capture,
    async restore(state, current) {
      const [wanted, now] = [(state as FolderState).contents, (current as FolderState).contents];
      // The deepest first, so that folders are empty when their turn comes.
      for (const [path, content] of [...now].toReversed())
        if (!isOverwritten(content, wanted.get(path))) await rm(join(folder, path), { recursive: true, force: true });
      for (const [path, content] of wanted)
        if (now.get(path) !== content) await write(join(folder, path), content, placeOf);
    },
    close: () => undefined,
  };
}

const [directory, link] = ['folder', 'link '];

/** Whether what is there stays, or is written over in place: whoever has the file open sees it. */
function isOverwritten(now: string, wanted: string | undefined): boolean {
  const isFile = (content: string): boolean => content !== directory && !content.startsWith(link);
  return wanted === now || (wanted !== undefined && isFile(now) && isFile(wanted));
}

/** Paths in order, folders before what is in them. */
async function list(root: string, read: (path: string) => Promise<string>): Promise<Contents> {
  const found = new Map<string, string>();
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(missingAsEmpty);
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        found.set(path, directory);
        await visit(path);
      } else if (entry.isSymbolicLink()) found.set(path, link + (await readlink(join(root, path))));
      else if (entry.isFile()) found.set(path, await read(join(root, path)));
    }
  };
  await visit('');
  return found;
}

function missingAsEmpty(cause: NodeJS.ErrnoException): never[] {
  if (cause.code === 'ENOENT') return [];
  throw cause;
}

async function write(path: string, content: string, placeOf: (content: string) => string): Promise<void> {
  if (content === directory) return void (await mkdir(path, { recursive: true }));
  await mkdir(dirname(path), { recursive: true });
  if (content.startsWith(link)) return symlink(content.slice(link.length), path);
  await copyFile(placeOf(content), path, copying);
}

async function hashOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}

import { readFile, realpath } from 'node:fs/promises';
import { extname, join, posix } from 'node:path';
import { isInside } from './folder.ts';

interface WaiFile {
  readonly body: Buffer;
  readonly type: string;
}

/** The files of an app that a page may load, read once: every session sees the same app. */
export interface WaiFiles {
  /** By the path of a URL, decoded: `/js/app.js`. Null when a page may not load it, or there is no such file. */
  read(path: string): Promise<WaiFile | null>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.xml': 'application/xml',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.wasm': 'application/wasm',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
};

/** Tasks and verifiers say what the right answer is: an agent in the page must not read them. */
const privileged = /^\/(?:(?:real|function)-tasks(?:\/|\.json$)|(?:.*\/)?(?:\.[^/]*|[^/]*\.py[a-z]?)(?:\/|$))/i;

const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']);

export function createWaiFiles(folder: string): WaiFiles {
  const known = new Map<string, Promise<WaiFile | null>>();
  return {
    read(path) {
      const asked = posix.normalize(path.endsWith('/') ? `${path}index.html` : path);
      if (asked.includes('\0')) return Promise.resolve(null);
      const remembered = known.get(asked);
      if (remembered !== undefined) return remembered;
      const file = readInside(folder, asked);
      known.set(asked, file);
      // Paths that lead nowhere have no end: only what is there is kept.
      const forget = (): void => void known.delete(asked);
      file.then(found => found === null && forget(), forget);
      return file;
    },
  };
}

async function readInside(folder: string, path: string): Promise<WaiFile | null> {
  try {
    const [root, place] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
    if (!isInside(root, place) || privileged.test(place.slice(root.length))) return null;
    return { body: await readFile(place), type: types[extname(place).toLowerCase()] ?? 'application/octet-stream' };
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && absent.has(cause.code)) return null;
    throw cause;
  }
}

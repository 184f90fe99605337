import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { causeText, EspalierError, type ErrorCode } from '../../../../core/errors.ts';

interface MiniwobPage {
  /** The name of its file, without the ending. */
  readonly template: string;
  readonly title: string;
  /** Below the root, as a page asks for it. */
  readonly path: string;
}

export interface MiniwobFolder {
  /** The folder that holds both `core` and the pages. */
  readonly root: string;
  readonly pages: readonly MiniwobPage[];
  /** Files that were left out, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Where the root may lie, seen from the folder that was named. */
const places = ['.', 'html', '..', 'miniwob/html'] as const;
const corePath = 'core/core.js';
const pagesFolder = 'miniwob';

/** Reads a MiniWoB++ folder: the one with `core` and `miniwob` in it, one of those above it, or `miniwob` itself. */
export async function readMiniwobFolder(path: string): Promise<MiniwobFolder> {
  const root = await findRoot(path);
  const names = await readdir(join(root, pagesFolder)).catch(() => []);
  const pages: MiniwobPage[] = [];
  const leftOut: string[] = [];
  for (const name of names.filter(file => file.endsWith('.html')).toSorted()) {
    const text = await readFile(join(root, pagesFolder, name), 'utf8');
    const template = basename(name, '.html');
    if (!text.includes(corePath)) leftOut.push(`${pagesFolder}/${name}: it does not use ${corePath}.`);
    else if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(template)) leftOut.push(`${pagesFolder}/${name}: ${badName}`);
    else pages.push({ template, title: titleOf(text) ?? template, path: `/${pagesFolder}/${name}` });
  }
  if (pages.length > 0) return { root, pages, leftOut };
  throw fault('invalid-app', {
    message: `${path} has no page that uses ${corePath}.`,
    expected: `Expected HTML files in ${join(root, pagesFolder)}.`,
  });
}

const badName = 'its name is not of lower-case letters, digits and single dashes.';

async function findRoot(path: string): Promise<string> {
  const named = await realpath(path).catch((cause: unknown) => {
    throw fault('unavailable', { message: `There is no folder ${path} (${causeText(cause)}).`, expected });
  });
  for (const place of places) {
    const root = join(named, place);
    if (await isFile(join(root, corePath))) return root;
  }
  throw fault('invalid-app', { message: `${path} has no ${corePath}.`, expected });
}

const expected =
  'Expected a MiniWoB++ folder: core/core.js and miniwob/*.html, as in miniwob/html of the published package.';

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isFile(),
    () => false,
  );
}

function titleOf(page: string): string | null {
  const text = /<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1] ?? '';
  return text.replaceAll(/\s+/g, ' ').trim() || null;
}

function fault(code: ErrorCode, words: { message: string; expected: string }): EspalierError {
  return new EspalierError({ boundary: 'input', code, ...words });
}

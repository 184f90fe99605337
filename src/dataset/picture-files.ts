import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RowPicture } from './rows/images.ts';
import type { ImageFile } from './rows/manifest.ts';

const imageFolder = 'images';
const ownName = /^[0-9a-f]{64}\.(png|jpg|webp|gif)$/;

/** The pictures of an export while they are written, each once. */
export interface PictureFiles {
  add(picture: RowPicture): void;
  /** What was written, by name. */
  list(): ImageFile[];
}

export function createPictureFiles(folder: string): PictureFiles {
  const files = new Map<string, ImageFile>();
  return {
    add({ name, sha256, data }) {
      if (files.has(name)) return;
      if (files.size === 0) mkdirSync(join(folder, imageFolder), { recursive: true });
      writeFileSync(join(folder, name), data);
      files.set(name, { name, bytes: data.length, sha256 });
    },
    list: () => [...files.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  };
}

/** Puts them beside those of an earlier export, which its rows need until the new ones are there. */
export function placePictures(folder: string, partial: string, images: readonly ImageFile[]): void {
  if (images.length > 0) mkdirSync(join(folder, imageFolder), { recursive: true });
  for (const { name } of images) renameSync(join(partial, name), join(folder, name));
}

/** Takes away pictures that are no longer of the export, and nothing else. */
export function dropStalePictures(folder: string, images: readonly ImageFile[]): void {
  const place = join(folder, imageFolder);
  const kept = new Set(images.map(({ name }) => name));
  const found = namesIn(place);
  const stale = found.filter(name => ownName.test(name) && !kept.has(`${imageFolder}/${name}`));
  for (const name of stale) rmSync(join(place, name), { force: true });
  if (stale.length > 0 && stale.length === found.length) rmdirSync(place);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is no such folder: no export here had pictures.
    return [];
  }
}

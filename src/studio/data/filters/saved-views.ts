import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EspalierError } from '../../../core/errors.ts';
import { parseRecord } from '../../../core/records.ts';
import type { SavedView } from '../../api/api-episodes.ts';
import { readJson } from '../../../modules/read-file.ts';
import { writeWhole } from '../../../runs/folder/folder.ts';

const viewsSchema = z.array(z.strictObject({ name: z.string(), query: z.record(z.string(), z.string()) })).readonly();

const mostViews = 200;

/** Filters of the table of episodes that somebody gave a name: a file beside the store, so that everybody has them. */
function savedViewsPath(folder: string): string {
  return join(folder, 'studio-views.json');
}

export function readViews(folder: string): readonly SavedView[] {
  const path = savedViewsPath(folder);
  if (!existsSync(path)) return [];
  return parseRecord(viewsSchema, readJson(path), { what: `list of views in ${path}`, code: 'corrupt-record' });
}

/** Saves a view; one with the same name is replaced. */
export function saveView(folder: string, view: SavedView): readonly SavedView[] {
  const views = [...readViews(folder).filter(({ name }) => name !== view.name), view];
  if (views.length > mostViews) throw tooMany();
  return write(folder, views);
}

export function removeView(folder: string, name: string): readonly SavedView[] {
  return write(
    folder,
    readViews(folder).filter(view => view.name !== name),
  );
}

function write(folder: string, views: readonly SavedView[]): readonly SavedView[] {
  const sorted = views.toSorted((one, other) => one.name.localeCompare(other.name));
  writeWhole(savedViewsPath(folder), `${JSON.stringify(sorted, null, 2)}\n`);
  return sorted;
}

function tooMany(): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'out-of-range',
    message: `This run has ${mostViews} saved views already.`,
    expected: 'Remove one of them first.',
  });
}

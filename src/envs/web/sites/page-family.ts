import { unknownEnvironment } from '../../../core/errors.ts';
import { placeIn, type ServedFamily, type ServedHost } from '../../../worlds/family.ts';
import type { BrowserOptions } from '../sessions/site-environment.ts';

/** Pages need a browser, too. Who gives one ends it. */
interface PageHost extends ServedHost {
  browser(): BrowserOptions;
}

/** Other people's pages. */
export type PageFamily = ServedFamily<PageHost>;

/** The folder in `wai:<folder>`. */
export function folderIn(name: string, usage: string): string {
  const folder = placeIn(name);
  if (folder !== '') return folder;
  throw unknownEnvironment(`"${name}" names no folder.`, `Expected ${usage}.`);
}

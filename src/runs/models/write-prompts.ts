import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builtInPrompts } from '../../models/prompt/prompts.ts';
import { writeWhole } from '../folder/folder.ts';
import { promptEnding } from '../settings/prompt-files.ts';

/** Writes the built-in prompts as files; those that are there already are left alone. */
export function writePromptFolder(folder: string): { readonly written: string[]; readonly kept: string[] } {
  const files = Object.entries(builtInPrompts).map(([name, text]) => ({
    path: join(folder, `${name}${promptEnding}`),
    text,
  }));
  const isThere = new Map(files.map(({ path }) => [path, existsSync(path)]));
  for (const { path, text } of files) if (isThere.get(path) !== true) writeWhole(path, text);
  return {
    written: files.flatMap(({ path }) => (isThere.get(path) === true ? [] : [path])),
    kept: files.flatMap(({ path }) => (isThere.get(path) === true ? [path] : [])),
  };
}

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EspalierError } from '../../core/errors.ts';
import { builtInPrompts, readPrompts, type Prompts } from '../../prompt/prompts.ts';
import { writeWhole } from '../folder/folder.ts';
import type { ModelConfig } from '../config/model-config.ts';
import { readText } from '../folder/read-file.ts';

const ending = '.md';

/** The prompts in a folder of the user's; what is not there is as it is built in. */
export function readPromptFolder(folder: string | null): Prompts {
  if (folder === null) return readPrompts();
  const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith(ending)) : [];
  if (names.length === 0) {
    throw invalid(
      `There are no prompts in ${folder}.`,
      `Expected files such as act${ending}: espalier prompts --out ${folder} writes the built-in ones.`,
    );
  }
  return readPrompts(
    Object.fromEntries(names.map(name => [name.slice(0, -ending.length), readText(join(folder, name))])),
  );
}

/** Writes the built-in prompts as files; those that are there already are left alone. */
export function writePromptFolder(folder: string): { readonly written: string[]; readonly kept: string[] } {
  const files = Object.entries(builtInPrompts).map(([name, text]) => ({
    path: join(folder, `${name}${ending}`),
    text,
  }));
  const isThere = new Map(files.map(({ path }) => [path, existsSync(path)]));
  for (const { path, text } of files) if (isThere.get(path) !== true) writeWhole(path, text);
  return {
    written: files.flatMap(({ path }) => (isThere.get(path) === true ? [] : [path])),
    kept: files.flatMap(({ path }) => (isThere.get(path) === true ? [path] : [])),
  };
}

/** The config with the hashes of its prompts; prompts that were changed since the run began are refused. */
export function settlePrompts(config: ModelConfig): ModelConfig {
  const { hashes } = readPromptFolder(config.prompts);
  const before = config.promptHashes;
  const changed = Object.entries(hashes).flatMap(([name, hash]) =>
    before !== null && before[name] !== hash ? [name] : [],
  );
  if (changed.length === 0) return { ...config, promptHashes: { ...hashes } };
  throw invalid(
    `The run began with other prompts: ${changed.join(', ')}.`,
    'Put them back as they were, or start another run.',
  );
}

function invalid(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-option', message, expected });
}

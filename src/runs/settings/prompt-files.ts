import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { invalidOption } from '../../core/errors.ts';
import { editions, readPrompts, type Prompts } from '../../models/prompt/prompts.ts';
import type { ModelConfig } from './model-config.ts';
import { readText } from '../../modules/read-file.ts';

/** Of files that hold a prompt. */
export const promptEnding = '.md';

/** The prompts in a folder of the user's; what is not there is as it is built in. */
export function readPromptFolder(folder: string | null, began: ModelConfig['promptHashes'] = null): Prompts {
  if (folder === null) return editionOf({}, began);
  const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith(promptEnding)) : [];
  if (names.length === 0) {
    throw invalidOption(
      `There are no prompts in ${folder}.`,
      `Expected files such as act${promptEnding}: espalier prompts --out ${folder} writes the built-in ones.`,
    );
  }
  const own = names.map(name => [name.slice(0, -promptEnding.length), readText(join(folder, name))] as const);
  return editionOf(Object.fromEntries(own), began);
}

/** The prompts with built-in ones of the edition that a run began with; of the newest where it fits none. */
function editionOf(texts: Readonly<Record<string, string>>, began: ModelConfig['promptHashes']): Prompts {
  const all = editions.toReversed().map(edition => readPrompts(texts, edition));
  const found = all.find(({ hashes }) => Object.entries(hashes).every(([name, hash]) => began?.[name] === hash));
  return found ?? readPrompts(texts);
}

/** The config with the hashes of its prompts; prompts that were changed since the run began are refused. */
export function settlePrompts(config: ModelConfig): ModelConfig {
  const { hashes } = readPromptFolder(config.prompts, config.promptHashes);
  const before = config.promptHashes;
  const changed = Object.entries(hashes).flatMap(([name, hash]) =>
    before !== null && before[name] !== hash ? [name] : [],
  );
  if (changed.length === 0) return { ...config, promptHashes: { ...hashes } };
  throw invalidOption(
    `The run began with other prompts: ${changed.join(', ')}.`,
    'Put them back as they were, or start another run.',
  );
}

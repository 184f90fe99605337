import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { invalidOption } from '../../core/errors.ts';
import { readPrompts, type Prompts } from '../../models/prompt/prompts.ts';
import type { ModelConfig } from './model-config.ts';
import { readText } from '../../modules/read-file.ts';

/** Of files that hold a prompt. */
export const promptEnding = '.md';

/** The prompts in a folder of the user's; what is not there is as it is built in. */
export function readPromptFolder(folder: string | null): Prompts {
  if (folder === null) return readPrompts();
  const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith(promptEnding)) : [];
  if (names.length === 0) {
    throw invalidOption(
      `There are no prompts in ${folder}.`,
      `Expected files such as act${promptEnding}: espalier prompts --out ${folder} writes the built-in ones.`,
    );
  }
  return readPrompts(
    Object.fromEntries(names.map(name => [name.slice(0, -promptEnding.length), readText(join(folder, name))])),
  );
}

/** The config with the hashes of its prompts; prompts that were changed since the run began are refused. */
export function settlePrompts(config: ModelConfig): ModelConfig {
  const { hashes } = readPromptFolder(config.prompts);
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

import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import { countingNumber, plainNumber, positiveNumber, said, wholeNumber } from '../terminal/verb.ts';
import { screenFormats, speeches, type ModelConfig } from '../../runs/settings/model-config.ts';

/** The flags of models. */
export interface ModelFlags {
  readonly observe?: ModelConfig['observe'];
  readonly speech?: ModelConfig['speech'];
  readonly deadline?: number;
  readonly maxTokens?: number;
  readonly window?: number;
  readonly prompts?: string;
  readonly tokens?: boolean;
  readonly teacherTemperature?: number;
  readonly budgetDollars?: number;
  readonly budgetTokens?: number;
  readonly prices?: string;
}

/** How models that act are asked. */
export function addModelOptions(command: Command): Command {
  return addAskingOptions(command)
    .addOption(
      new Option('--observe <what>', 'what models are shown of a screen (default: text)').choices(screenFormats),
    )
    .addOption(new Option('--speech <how>', 'how models answer (default: tools)').choices(speeches))
    .option('--window <n>', 'length of a prompt in characters; older screens are left out beyond it', countingNumber)
    .option('--tokens', 'ask for token ids and log probabilities (default: only from local servers)')
    .option('--no-tokens', 'ask for none');
}

/** How any model is asked, and what it may cost. */
export function addAskingOptions(command: Command): Command {
  return command
    .option('--max-tokens <n>', 'tokens of one answer of a model (default: that of the server)', countingNumber)
    .option('--deadline <seconds>', 'how long one answer of a model may take (default: 600)', positiveNumber)
    .option(
      '--prompts <folder>',
      'folder of your own prompts, as written by espalier prompts (default: the built-in ones)',
    )
    .option(
      '--budget-dollars <n>',
      'the most the run may spend on models; it then stops, and can be resumed',
      plainNumber,
    )
    .option('--budget-tokens <n>', 'the same in tokens', wholeNumber)
    .option('--prices <file>', 'prices of yours, in US dollars for a million tokens');
}

/** The flags of models, taken out of all flags. */
export function modelFlagsOf(flags: ModelFlags): ModelFlags {
  const { observe, speech, deadline, maxTokens, window, prompts, tokens, teacherTemperature } = flags;
  const { budgetDollars, budgetTokens, prices } = flags;
  const asking = { observe, speech, deadline, maxTokens, window, prompts, tokens, teacherTemperature };
  return said({ ...asking, budgetDollars, budgetTokens, prices }) as ModelFlags;
}

/** The flags of how models are asked, as members of a config. */
export function askingOf({ prompts, ...flags }: ModelFlags): object {
  const { observe, speech, deadline, maxTokens, window, tokens } = flags;
  return {
    observe,
    speech,
    deadline,
    maxTokens,
    window,
    tokens,
    prompts: prompts === undefined ? undefined : resolve(prompts),
  };
}

export function spendingOf({ budgetDollars, budgetTokens, prices }: ModelFlags): object {
  return {
    dollars: budgetDollars,
    tokens: budgetTokens,
    prices: prices === undefined ? undefined : resolve(prices),
  };
}

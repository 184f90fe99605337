import { existsSync } from 'node:fs';
import { parse as parseToml } from 'smol-toml';
import { causeText } from '../../core/errors.ts';
import { readJson, readText } from '../../modules/read-file.ts';
import { readFormerOptions } from './former-options.ts';
import { assignmentsIn, invalidSetting, readAssignment, type Assignment } from './setting.ts';
import type { SettingVerb } from './verb-settings.ts';

/** Options that are short for a setting. */
const shortOptions: Readonly<Record<string, string>> = {
  speculate: 'strategy.speculate',
  steps: 'limits.steps',
  budgetDollars: 'spending.dollars',
  budgetTokens: 'spending.tokens',
};

export interface SettingFlags {
  readonly set?: readonly string[];
  readonly config?: string;
  readonly speculate?: number | 'inf' | 'adaptive';
  readonly budgetDollars?: number;
  readonly budgetTokens?: number;
}

interface SettingReading {
  /** The agents that are models. */
  readonly models: readonly ('student' | 'teacher')[];
  note(text: string): void;
}

/** What options say of settings: those that are short for one, those of 0.1, and `--set`, which counts most. */
export function settingsGiven(verb: SettingVerb, flags: SettingFlags, reading: SettingReading): Assignment[] {
  const options = flags as Readonly<Record<string, unknown>>;
  const isShort = verb !== 'rl' && verb !== 'study';
  const short = Object.entries(isShort ? shortOptions : {}).flatMap(([option, path]) =>
    options[option] === undefined ? [] : [{ path, value: options[option] }],
  );
  const texts = [...readFormerOptions(verb, options, reading), ...(flags.set ?? [])];
  return [...short, ...texts.map(readAssignment).map(promptOfStudent)];
}

/** How the student is prompted is a setting of the student. */
function promptOfStudent({ path, value }: Assignment): Assignment {
  return { path: path === 'prompt.form' ? 'student.form' : path, value };
}

/** The settings of a file, for verbs that are given no config of a run. */
export function settingsInFile(path: string | undefined): Assignment[] {
  return path === undefined ? [] : assignmentsIn(readSettingsFile(path));
}

/** A file of JSON or TOML, as it stands. */
export function readSettingsFile(path: string): Record<string, unknown> {
  if (!existsSync(path))
    throw invalidSetting(
      `There is no config ${path}.`,
      'Expected a config.json that a run wrote into its folder, or settings as JSON or TOML.',
    );
  const value = path.endsWith('.toml') ? readToml(path) : readJson(path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalidSetting(`${path} holds no settings.`, 'Expected an object, such as { "strategy": { "width": 4 } }.');
}

function readToml(path: string): unknown {
  const text = readText(path);
  try {
    return parseToml(text);
  } catch (cause) {
    const [first = ''] = causeText(cause).split('\n', 1);
    throw invalidSetting(
      `${path} cannot be read: ${first}.`,
      'Expected TOML, such as [strategy] and width = 4 below it.',
    );
  }
}

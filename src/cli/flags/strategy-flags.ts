import { InvalidArgumentError, Option, type Command } from 'commander';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { strategies, type StrategyEntry } from '../../runs/registry/strategies.ts';
import { said } from '../terminal/verb.ts';
import { readNamedValues } from './named-values.ts';

/** The flags of strategies: the name, and one flag for each option in the registry. */
export interface StrategyFlags {
  readonly strategy?: string;
  readonly strategyOption?: readonly string[];
}

interface Flag {
  readonly key: string;
  readonly schema: z.ZodType;
}

/** The options of these strategies; one that two of them share is one flag. */
function optionFlags(entries: readonly StrategyEntry[] = strategies.entries): Flag[] {
  const flags = entries.flatMap(({ options }) =>
    Object.entries(options.shape).map(([key, schema]) => ({ key, schema: schema as z.ZodType })),
  );
  return flags.filter(({ key }, index) => flags.findIndex(flag => flag.key === key) === index);
}

export function addStrategyOptions(command: Command): Command {
  return addOptionsOf(command, strategies.entries, 'speculative-rollback');
}

/** Only strategies that students may be evaluated with. */
export function addEvaluationStrategyOptions(command: Command): Command {
  return addOptionsOf(
    command,
    strategies.entries.filter(({ evaluates }) => evaluates),
    'linear, the student alone',
  );
}

function addOptionsOf(command: Command, entries: readonly StrategyEntry[], usual: string): Command {
  const known = entries.map(({ name }) => name).join(', ');
  command.option('--strategy <name>', `how episodes are run: ${known}, or a module of yours (default: ${usual})`);
  for (const { key, schema } of optionFlags(entries)) command.addOption(optionOf(key, schema));
  return command.option('--strategy-option <name=value...>', 'options for a strategy of yours');
}

function optionOf(key: string, schema: z.ZodType): Option {
  const { description = key, placeholder = 'value' } = (schema.meta() ?? {}) as Record<string, string>;
  const usual: unknown = schema.parse(undefined);
  const flag = flagOf(key);
  if (typeof usual === 'boolean') return new Option(flag, description);
  return new Option(`${flag} <${placeholder}>`, `${description} (default: ${String(usual)})`).argParser(text =>
    readOption(text, schema),
  );
}

/** `--skip-sure` for the option `skipSure`. */
function flagOf(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

/** Reads a value as a number if its schema takes numbers, else as text. */
function readOption(text: string, schema: z.ZodType): unknown {
  const parsed = [Number(text), text].map(value => schema.safeParse(value)).find(({ success }) => success);
  if (parsed?.success === true) return parsed.data;
  const value = Number.isNaN(Number(text)) ? text : Number(text);
  const message = schema.safeParse(value).error?.issues[0]?.message ?? 'another value';
  throw new InvalidArgumentError(`Expected ${message.replace(/^[^:]*: expected /, '')}.`);
}

/** The strategy of the flags as a member of a config, without defaults. */
export function strategySaid(flags: StrategyFlags): Record<string, unknown> {
  const { strategy } = flags;
  const options = said(
    Object.fromEntries(optionFlags().map(({ key }) => [key, (flags as Readonly<Record<string, unknown>>)[key]])),
  );
  if (strategy === undefined) {
    if (flags.strategyOption !== undefined)
      throw invalidOption(
        '--strategy-option is for a strategy of yours, and no --strategy was given.',
        'Expected --strategy ./mine.ts beside it.',
      );
    return options;
  }
  if (!isModulePath(strategy)) {
    const { name } = strategies.need(strategy);
    if (flags.strategyOption !== undefined) throw noOptions(name);
    return { kind: name, ...options };
  }
  return {
    kind: 'module',
    file: resolve(strategy),
    options: readNamedValues(flags.strategyOption ?? [], 'a strategy'),
    ...options,
  };
}

/** Refuses flags that the strategy does not have, and flags that have no effect beside its other options. */
export function requireFitting(strategy: Readonly<Record<string, unknown>>, flags: StrategyFlags): void {
  const given = optionFlags().filter(({ key }) => (flags as Readonly<Record<string, unknown>>)[key] !== undefined);
  const kind = String(strategy['kind']);
  const entry = strategies.find(kind);
  for (const { key } of given) {
    const flag = flagOf(key);
    if (entry === undefined)
      throw invalidOption(
        `${flag} is a flag of our strategies, and the strategy is ${nameOf(strategy)}.`,
        `Expected --strategy-option ${key}=<value>, if that strategy has such an option.`,
      );
    if (!(key in entry.options.shape)) {
      const owners = strategies.entries.filter(({ options }) => key in options.shape).map(({ name }) => name);
      throw invalidOption(
        `${flag} is an option of ${owners.join(' and ')}, and the strategy is ${kind}.`,
        `Expected --strategy ${owners.join(' or ')}, or leave ${flag} out.`,
      );
    }
    const needed = entry.unused?.(strategy)[key];
    if (needed !== undefined)
      throw invalidOption(
        `${flag} has no effect without ${needed}.`,
        `Expected ${needed} beside it, or leave ${flag} out.`,
      );
  }
}

function nameOf(strategy: Readonly<Record<string, unknown>>): string {
  return String(strategy['file'] ?? strategy['name'] ?? strategy['kind']);
}

function noOptions(strategy: string): EspalierError {
  return invalidOption(
    `--strategy-option is for a strategy of yours; ${strategy} has flags.`,
    `Expected the flags that espalier list strategies names, or the path of a module.`,
  );
}

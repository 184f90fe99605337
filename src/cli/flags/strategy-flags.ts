import type { Command } from 'commander';
import { resolve } from 'node:path';
import { invalidOption } from '../../core/errors.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { strategies } from '../../runs/registry/strategies.ts';
import type { Assignment } from '../settings/setting.ts';

export function addStrategyOption(command: Command, isForEvaluation = false): Command {
  const known = strategies.entries.filter(({ evaluates }) => evaluates || !isForEvaluation).map(({ name }) => name);
  const usual = isForEvaluation ? 'linear' : 'speculative-rollback';
  return command.option('--strategy <name>', `how episodes run: ${known.join(', ')}, or a module (default: ${usual})`);
}

/** The strategy of a name as a member of a config, without defaults. */
export function strategyNamed(name: string): Record<string, unknown> {
  return isModulePath(name)
    ? { kind: 'module', file: resolve(name), options: {} }
    : { kind: strategies.need(name).name };
}

/** Refuses settings that have no effect beside the others. */
export function requireEffect(strategy: Readonly<Record<string, unknown>>, given: readonly Assignment[]): void {
  const unused = strategies.find(String(strategy['kind']))?.unused?.(strategy) ?? {};
  for (const [key, needed] of Object.entries(unused)) {
    const path = `strategy.${key}`;
    if (!given.some(assignment => assignment.path === path)) continue;
    throw invalidOption(
      `${path} has no effect without ${needed}.`,
      `Expected ${needed} beside it, or leave ${path} out.`,
    );
  }
}

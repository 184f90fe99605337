import type { Command } from 'commander';
import { invalidOption } from '../../core/errors.ts';
import { strategies } from '../../runs/registry/strategies.ts';
import type { Assignment } from '../settings/setting.ts';

export function addStrategyOption(command: Command, isForEvaluation = false): Command {
  const known = strategies.entries.filter(({ evaluates }) => evaluates || !isForEvaluation).map(({ name }) => name);
  const usual = isForEvaluation ? 'linear' : 'speculative-rollback';
  return command.option('--strategy <name>', `how episodes run: ${known.join(', ')}, or a module (default: ${usual})`);
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

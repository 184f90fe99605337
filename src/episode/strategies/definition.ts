import { z } from 'zod';
import type { Entry } from '../../core/naming/registry.ts';
import type { Strategy } from './strategy.ts';

/** A strategy that runs can choose by name. */
export interface StrategyEntry extends Entry {
  /** Every option has a default and a description: they are settings, such as `strategy.width`. */
  readonly options: z.ZodObject;
  readonly asksTeacher: boolean;
  /** Whether students may be evaluated with it: nobody teaches, and no verdict is seen before the end. */
  readonly evaluates: boolean;
  /** Options that have no effect beside these options, each with what it needs. */
  unused?(options: Readonly<Record<string, unknown>>): Readonly<Record<string, string>>;
  create(options: Readonly<Record<string, unknown>>): Strategy;
}

interface StrategyDefinition<O extends z.ZodObject> extends Omit<StrategyEntry, 'options' | 'create'> {
  readonly options: O;
  create(options: z.infer<O>): Strategy;
}

/** Options are read with the schema before they are handed over. */
export function defineStrategy<O extends z.ZodObject>({ create, ...entry }: StrategyDefinition<O>): StrategyEntry {
  return { ...entry, create: options => create(entry.options.parse(options)) };
}

export const counting = z.int('a whole number above 0').positive('a whole number above 0');
export const share = z.number('a number from 0 to 1').min(0, 'a number from 0 to 1').max(1, 'a number from 0 to 1');

import { hash } from 'node:crypto';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { createLinear } from '../../episode/strategies/linear.ts';
import type { Strategy } from '../../episode/strategies/strategy.ts';
import { openStrategy } from '../jobs/agents.ts';
import type { StrategyConfig } from '../config/config.ts';
import { notGiven, type GivenParts } from '../host/given.ts';
import { hashModule } from '../../modules/module-hash.ts';
import { strategies } from '../registry/strategies.ts';

/** How a student is run in an evaluation. */
export interface EvaluationStrategy {
  readonly strategy: Strategy;
  /** Stands behind the name of the student, and tells it from the student alone: `lookahead, width 8`. Null for the student alone. */
  readonly label: string | null;
  /** What a worker makes it from; null when only this thread can. */
  readonly config: StrategyConfig | null;
}

/** The student takes its steps by itself. */
export const alone: EvaluationStrategy = { strategy: createLinear(), label: null, config: { kind: 'linear' } };

/** Opens the strategy of an evaluation. One that needs a teacher, or sees verdicts before its end, is refused. */
export async function openEvaluationStrategy(
  config: StrategyConfig | undefined,
  given: GivenParts = {},
): Promise<EvaluationStrategy> {
  if (config === undefined || config.kind === 'linear') return alone;
  const entry = strategies.find(config.kind);
  if (entry !== undefined && !entry.evaluates) throw notFair(config.kind, entry.asksTeacher);
  if (config.kind === 'object') {
    if (given.strategy === undefined) throw notGiven('The strategy of this evaluation');
    return { strategy: withoutTeacher(given.strategy), label: given.strategy.name, config: null };
  }
  return { strategy: withoutTeacher(await openStrategy(config)), label: await labelOf(config), config };
}

/** The name of the strategy with every option that is not the default. */
async function labelOf(config: StrategyConfig): Promise<string> {
  const { kind, ...options } = config as StrategyConfig & Readonly<Record<string, unknown>>;
  if (kind === 'module') {
    const { name } = await openStrategy(config);
    const own = Object.entries((options['options'] ?? {}) as object);
    return [name, ...own.map(optionText), hashModule(String(options['file'])).slice(0, 8)].join(', ');
  }
  const usual = strategies.need(kind).options.parse({}) as Readonly<Record<string, unknown>>;
  const own = Object.entries(options).filter(([key, value]) => value !== usual[key]);
  return [kind, ...own.map(optionText)].join(', ');
}

/** Longer ones, such as a guide, stand by their hash. */
const longestOption = 40;

function optionText([key, value]: readonly [string, unknown]): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${key} ${text.length > longestOption ? hash('sha256', text).slice(0, 8) : text}`;
}

function withoutTeacher(strategy: Strategy): Strategy {
  if (strategy.asksTeacher) throw notFair(strategy.name, true);
  return strategy;
}

function notFair(name: string, asksTeacher: boolean): EspalierError {
  const why = asksTeacher ? 'asks a teacher' : 'chooses by verdicts, which a student on its own never sees';
  const known = strategies.entries.filter(({ evaluates }) => evaluates).map(entry => entry.name);
  return invalidOption(
    `Students cannot be evaluated with the strategy "${name}": it ${why}.`,
    `Expected ${known.join(', ')}, or the path of a module that exports \`strategy\`.`,
  );
}

import type { Level } from '../analysis/evaluate.ts';
import type { Policy } from '../core/episode/agents.ts';
import { defined } from '../core/json.ts';
import { browserSchema, type BrowserConfig } from '../runs/settings/browser-config.ts';
import { readStrategy } from '../runs/config/config.ts';
import { spendingSchema, type ModelConfig, type SpendingConfig } from '../runs/settings/model-config.ts';
import { evaluateStudents, type EvaluatedStudents } from '../runs/evaluate-students.ts';
import type { Contender } from '../runs/agents/evaluated.ts';
import type { ActionSet } from '../runs/environments/offered-actions.ts';
import type { ProgressCounter } from '../runs/plan/progress-counter.ts';
import {
  chooseEnvironments,
  chooseStrategy,
  hostOf,
  type EnvironmentChoice,
  type RunOptions,
  type StrategyChoice,
} from './parts.ts';

/** A name, as `espalier eval --student` takes it, a policy, or a function that makes one for each episode. */
export type EvaluationChoice = string | Policy | (() => Policy);

/** The flags of `espalier eval`. Anything left out has its default. */
export interface EvaluateOptions extends RunOptions {
  readonly student: EvaluationChoice;
  /** Another one, for the paired difference. It acts alone; left out with a strategy, it is the student itself. */
  readonly against?: EvaluationChoice | undefined;
  /** How the student is run: `lookahead`, a module, or a strategy of yours. It acts alone (`linear`) when left out. */
  readonly strategy?: StrategyChoice | undefined;
  readonly environments?: readonly EnvironmentChoice[] | undefined;
  /** Ids such as `mail/star-message/1000017`; instances of all templates when left out. */
  readonly tasks?: readonly string[] | undefined;
  /** The actions that policies are offered; all of them when left out. */
  readonly actions?: ActionSet | undefined;
  /** Path of a module with contracts for the steps of policies. */
  readonly contracts?: string | undefined;
  /** Of each template; 4 when left out. */
  readonly instances?: number | undefined;
  readonly trials?: number | undefined;
  readonly levels?: readonly Level[] | undefined;
  readonly baselines?: boolean | undefined;
  readonly round?: number | undefined;
  readonly seed?: number | undefined;
  readonly concurrency?: number | undefined;
  /** Draws apps in a browser. */
  readonly browser?: Partial<BrowserConfig> | null | undefined;
  /** How models are asked. */
  readonly asking?: Partial<ModelConfig> | undefined;
  readonly spending?: Partial<SpendingConfig> | undefined;
  onProgress?(meter: ProgressCounter): void;
}

/** Evaluates a student on tasks that are never collected on, beside baselines. */
export async function evaluate(options: EvaluateOptions): Promise<EvaluatedStudents> {
  const {
    environments,
    student,
    against,
    strategy,
    browser = null,
    host,
    spending = {},
    onProgress,
    ...rest
  } = options;
  const worlds = chooseEnvironments(environments);
  const how = chooseStrategy(strategy);
  return evaluateStudents({
    instances: 4,
    trials: 1,
    levels: ['new-instances', 'held-out'],
    baselines: true,
    seed: 1,
    concurrency: 8,
    asking: {},
    ...defined(rest),
    folder: options.folder,
    student: contenderOf(student),
    against: against === undefined ? undefined : contenderOf(against),
    environments: worlds.names,
    ...(how.config === undefined ? {} : { strategy: readStrategy(how.config, 'evaluate') }),
    given: { environments: worlds.environments, ...how.given },
    browser: browser === null ? null : browserSchema.parse(browser),
    spending: spendingSchema.parse(spending),
    host: hostOf(host),
    onProgress: meter => onProgress?.(meter),
  });
}

function contenderOf(choice: EvaluationChoice): string | Contender {
  if (typeof choice === 'string') return choice;
  const policyFor = typeof choice === 'function' ? choice : () => choice;
  return { name: policyFor().name, policyFor };
}

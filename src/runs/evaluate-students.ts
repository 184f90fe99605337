import type { Spent } from '../policies/models/ledger.ts';
import { contenderNamed } from './agents/contender.ts';
import type { ModelConfig, SpendingConfig } from './config/model-config.ts';
import type { Contender } from './agents/evaluated.ts';
import { evaluateRun, type Evaluated, type EvaluateRunOptions } from './evaluate.ts';
import { latestRound } from './folder/folder.ts';
import { withModels } from './models/spending.ts';

export interface EvaluateStudentsOptions extends Omit<EvaluateRunOptions, 'subject' | 'against' | 'round'> {
  /** A file of `espalier train`, `untrained`, a module, a model, or a policy itself. */
  readonly student: string | Contender;
  readonly against?: string | Contender | undefined;
  /** The latest of the run when left out. */
  readonly round?: number | undefined;
  /** How models are asked; what is left out is as usual. */
  readonly asking: Partial<ModelConfig>;
  readonly spending: SpendingConfig;
}

export interface EvaluatedStudents extends Evaluated {
  readonly spent: Spent;
  /** Why the budget or an endpoint stopped it; null when neither did. */
  readonly exhausted: string | null;
}

/** Evaluates students by name, on tasks that are never collected on. */
export async function evaluateStudents(options: EvaluateStudentsOptions): Promise<EvaluatedStudents> {
  const { student, against, round, asking, ...rest } = options;
  return withModels(options, async spending => {
    const contender = async (given: string | Contender): Promise<Contender> =>
      typeof given === 'string' ? contenderNamed(given, { ...spending, asking }) : given;
    const evaluated = await evaluateRun({
      ...rest,
      subject: await contender(student),
      against: against === undefined ? undefined : await contender(against),
      round: round ?? latestRound(options.folder),
      signal: spending.signal,
      onProgress(meter) {
        spending.models.save();
        options.onProgress?.(meter);
      },
    });
    return { ...evaluated, spent: spending.models.spent(), exhausted: spending.exhausted() };
  });
}

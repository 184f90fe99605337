import { invalidOption } from '../core/errors.ts';
import type { Spent } from '../models/endpoints/ledger.ts';
import { studentNamed } from './config/named-agents.ts';
import { requireSuited } from './jobs/agents.ts';
import { contenderNamed } from './jobs/contender.ts';
import type { ModelConfig, SpendingConfig } from './settings/model-config.ts';
import { modelNamed } from './settings/model-named.ts';
import type { EvaluatedPolicy } from './evaluation/find-evaluated.ts';
import { evaluateRun, type Evaluated, type EvaluateRunOptions } from './evaluate.ts';
import { withModels } from './models/spending.ts';

export interface EvaluateStudentsOptions extends Omit<EvaluateRunOptions, 'subject' | 'against'> {
  /** A file of `espalier train`, `untrained`, a module, a model, or a policy itself. */
  readonly student: string | EvaluatedPolicy;
  readonly against?: string | EvaluatedPolicy | null | undefined;
  /** How models are asked. Anything left out has its default. */
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
  const { student, against, asking, ...rest } = options;
  requireModel(options);
  return withModels(options, async spending => {
    const contender = async (given: string | EvaluatedPolicy): Promise<EvaluatedPolicy> => {
      if (typeof given !== 'string') return given;
      requireSuited({ student: studentNamed(given), environments: options.environments });
      const found = await contenderNamed(given, { ...spending, asking, onNotice: options.host.onNotice });
      // The name of a model has the hash of how it is asked.
      return found.source === undefined ? { ...found, identity: found.name } : found;
    };
    const { models, stop } = spending;
    const evaluated = await evaluateRun({
      ...rest,
      models: { spending: options.spending, spent: models.spent, add: models.add, stop },
      subject: await contender(student),
      against: against === undefined || against === null ? against : await contender(against),
      signal: spending.signal,
      onProgress(meter) {
        models.save();
        options.onProgress?.(meter);
      },
    });
    return { ...evaluated, spent: spending.models.spent(), exhausted: spending.exhausted() };
  });
}

/** Settings of models need a model: they would have no effect on any other student. */
function requireModel({ student, against, asking, spending }: EvaluateStudentsOptions): void {
  const isModel = [student, against].some(given => typeof given === 'string' && modelNamed(given) !== null);
  const first = Object.entries({ ...asking, ...spending }).find(([, value]) => value !== undefined && value !== null);
  if (isModel || first === undefined) return;
  throw invalidOption(
    `${first[0]} is a setting of models, and no student of this evaluation is a model.`,
    'Leave it out, or name a model, such as openai:qwen3@http://127.0.0.1:8000/v1.',
  );
}

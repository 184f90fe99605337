import { EspalierError } from '../core/errors.ts';
import { modelSchema, spendingSchema, type ModelConfig, type SpendingConfig } from '../runs/config/model-config.ts';
import { modelNamed } from '../runs/config/model-named.ts';
import { judgeRun, type JudgedRun, type JudgeRunOptions } from '../runs/judge.ts';
import { hostOf, type RunOptions } from './parts.ts';

export interface JudgeRunSettings extends RunOptions, Pick<JudgeRunOptions, 'round' | 'onProgress'> {
  /** A model, such as `openai:qwen3@http://127.0.0.1:8000/v1`. */
  readonly judge: string;
  /** How it is asked. */
  readonly asking?: Partial<ModelConfig> | undefined;
  /** Questions at once; 16 when left out. */
  readonly concurrency?: number | undefined;
  readonly spending?: Partial<SpendingConfig> | undefined;
}

/** Lets a model judge the finished episodes of a run, and holds it against the verifier. */
export async function judge(options: JudgeRunSettings): Promise<JudgedRun> {
  const { judge: name, asking = {}, concurrency = 16, spending = {}, host, ...rest } = options;
  const model = modelNamed(name);
  if (model === null) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `"${name}" names no model.`,
      expected: 'Expected one, such as openai:qwen3@http://127.0.0.1:8000/v1.',
    });
  }
  return judgeRun({
    ...rest,
    judge: modelSchema.parse({ ...model, observe: 'both', ...asking }),
    concurrency,
    spending: spendingSchema.parse(spending),
    host: hostOf(host),
  });
}

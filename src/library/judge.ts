import { judgeNamed } from '../runs/config/judge-named.ts';
import { spendingSchema, type ModelConfig, type SpendingConfig } from '../runs/settings/model-config.ts';
import { judgeRun, type JudgedRun, type JudgeRunOptions } from '../runs/judge.ts';
import { hostOf, type RunOptions } from './parts.ts';

export interface JudgeRunSettings extends RunOptions, Pick<JudgeRunOptions, 'round' | 'onProgress'> {
  /** A model, such as `openai:qwen3@http://127.0.0.1:8000/v1`, or the path of a module that exports `judge`. */
  readonly judge: string;
  /** How a model is asked. */
  readonly asking?: Partial<ModelConfig> | undefined;
  /** Questions at once; 16 when left out. */
  readonly concurrency?: number | undefined;
  readonly spending?: Partial<SpendingConfig> | undefined;
}

/** Lets a judge look at the finished episodes of a run, and compares it with the verifier. */
export async function judge(options: JudgeRunSettings): Promise<JudgedRun> {
  const { judge: name, asking = {}, concurrency = 16, spending = {}, host, ...rest } = options;
  return judgeRun({
    ...rest,
    judge: judgeNamed(name, asking),
    concurrency,
    spending: spendingSchema.parse(spending),
    host: hostOf(host),
  });
}

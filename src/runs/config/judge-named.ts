import { resolve } from 'node:path';
import { invalidOption } from '../../core/errors.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { verifiers } from '../registry/verifiers.ts';
import { modelSchema, type ModelConfig } from '../settings/model-config.ts';
import { modelNamed } from '../settings/model-named.ts';

/** Who judges the finished episodes of a run: a model, or a module of the user's. */
export type JudgeConfig = ModelConfig | { readonly kind: 'module'; readonly file: string };

/** The judge that a text names. `asking` is how a model is asked. */
export function judgeNamed(text: string, asking: Partial<ModelConfig>): JudgeConfig {
  const model = modelNamed(text);
  if (model !== null) return modelSchema.parse({ ...model, observe: 'both', ...asking });
  if (isModulePath(text)) return { kind: 'module', file: resolve(text) };
  throw invalidOption(`"${text}" names no judge.`, `Expected ${verifiers.expected(({ name }) => name === 'model')}.`);
}

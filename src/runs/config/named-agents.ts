import { resolve } from 'node:path';
import { isEndpointText, readEndpoint } from '../../policies/models/endpoint.ts';
import { isModulePath } from '../modules/load-module.ts';
import type { ModelConfig } from './model-config.ts';

/** The model that a text names, as a config says it; null when it names none. */
export function modelNamed(text: string): Pick<ModelConfig, 'kind' | 'model' | 'url'> | null {
  if (!isEndpointText(text)) return null;
  const { kind, model, url } = readEndpoint(text);
  return { kind: 'model', model: `${kind}:${model}`, url };
}

/** The student that a name stands for: one of ours, a model, a module, or a file of `espalier train`. */
export function studentNamed(name: string): Record<string, unknown> {
  const model = modelNamed(name);
  if (model !== null) return model;
  if (name === 'untrained' || name === 'random' || name === 'planner') return { kind: name };
  return { kind: isModulePath(name) ? 'module' : 'learned', file: resolve(name) };
}

/** The teacher that a name stands for: one of ours, a model, or a module. */
export function teacherNamed(name: string): Record<string, unknown> {
  const model = modelNamed(name);
  if (model !== null) return model;
  return isModulePath(name) ? { kind: 'module', file: resolve(name) } : { kind: name };
}

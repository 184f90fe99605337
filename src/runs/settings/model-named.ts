import { resolve } from 'node:path';
import { dialectOf } from '../../models/dialects/dialects.ts';
import { dialectModuleOf, isEndpointText, readEndpoint } from '../../models/endpoints/endpoint.ts';
import type { ModelConfig } from './model-config.ts';

/** How a model is written on the command line. */
export const endpointUsage = 'openai:MODEL@URL, responses:MODEL@URL, anthropic:MODEL, espalier:MODEL@URL';

/** The model that a text names, as a config says it; null when it names none. */
export function modelNamed(text: string): Pick<ModelConfig, 'kind' | 'model' | 'url' | 'grammar'> | null {
  if (!isEndpointText(text)) return null;
  const module = dialectModuleOf(text);
  // A module is loaded when the run opens its models; until then any dialect does.
  const { kind, model, url } = module === null ? readEndpoint(text) : readEndpoint(text, dialectOf('openai'));
  // Runs from before grammars go on without one.
  return { kind: 'model', model: `${module === null ? kind : resolve(module)}:${model}`, url, grammar: null };
}

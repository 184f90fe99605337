import { isEndpointText, readEndpoint } from '../../policies/models/endpoint.ts';
import type { ModelConfig } from './model-config.ts';

/** How a model is written on the command line. */
export const endpointUsage = 'openai:MODEL@URL, responses:MODEL@URL, anthropic:MODEL, espalier:MODEL@URL';

/** The model that a text names, as a config says it; null when it names none. */
export function modelNamed(text: string): Pick<ModelConfig, 'kind' | 'model' | 'url'> | null {
  if (!isEndpointText(text)) return null;
  const { kind, model, url } = readEndpoint(text);
  return { kind: 'model', model: `${kind}:${model}`, url };
}

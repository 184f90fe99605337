import type { Source } from '../../worlds/family.ts';
import { readWorldOptions } from '../world-options.ts';

const options = { seed: { default: 1, low: 0, high: 999_999_999 } };

/** `tools:7`. */
export async function toolSource(name: string): Promise<Source> {
  const { seed } = readWorldOptions<never>(name, options);
  const { createToolGraph } = await import('./graph.ts');
  const { createToolEnvironment, toolBaselines, toolFault } = await import('./tool-environment.ts');
  const { admittedSource } = await import('../../runs/environments/admit-source.ts');
  const graph = createToolGraph(seed);
  const environment = createToolEnvironment(seed, graph);
  return admittedSource(environment, { baselines: toolBaselines, fault: task => toolFault(graph, task) });
}

import type { Task } from '../../core/records.ts';
import type { Family } from '../../worlds/family.ts';
import { readWorldOptions } from '../world-options.ts';

const options = { seed: { default: 1, low: 0, high: 999_999_999 } };

export const toolsFamily: Family = {
  name: 'tools:',
  usage: 'tools:<seed>',
  example: 'tools:7',
  about: 'A made-up graph of tools: tasks need chains of calls, by calls, a program, a plan or forms on a screen.',
  async open(name) {
    const { seed } = readWorldOptions<never>(name, options);
    const { createToolGraph } = await import('./graph.ts');
    const { createToolEnvironment, toolBaselines, toolFault } = await import('./tool-environment.ts');
    const graph = createToolGraph(seed);
    const ladder = { baselines: toolBaselines, fault: (task: Task) => toolFault(graph, task) };
    return { environment: createToolEnvironment(seed, graph), ladder };
  },
};

import { createRegistry, type Entry } from '../../core/naming/registry.ts';

/** A protocol that has a verb of its own, with flags that only it needs. */
export interface ProtocolEntry extends Entry {
  /** The verb: `mcp`. */
  readonly verb: string;
}

export const protocols = createRegistry<ProtocolEntry>({
  noun: 'protocol',
  plural: 'protocols',
  about: 'How programs outside reach environments, policies and models.',
  module: { member: 'protocol', powers: ['name', 'about', 'serve'] },
  entries: [
    {
      name: 'mcp',
      verb: 'mcp',
      about:
        'The tools and the screen of an environment for MCP clients, over standard input and output or HTTP: espalier mcp.',
    },
    {
      name: 'nemo-gym',
      verb: 'serve',
      about: 'The same environments as a resources server of NeMo Gym: espalier serve --nemo-gym PORT.',
    },
    {
      name: 'openenv',
      verb: 'serve',
      about: 'Environments for trainers, over a WebSocket and HTTP, with forks and rollbacks: espalier serve.',
    },
    {
      name: 'policy',
      verb: 'serve-policy',
      about: 'A student and the planner as models behind an OpenAI-compatible endpoint: espalier serve-policy.',
    },
    {
      name: 'proxy',
      verb: 'proxy',
      about: 'Stands between a harness and its model, and records every call: espalier proxy.',
    },
    {
      name: 'rollouts',
      verb: 'serve',
      about: 'Runs rollouts with the model of a trainer and hands out token rows: espalier serve --rollouts PORT.',
    },
    {
      name: 'verifiers',
      verb: 'serve',
      about: 'An environment server for verifiers and prime-rl, by ZeroMQ: espalier serve --verifiers PORT.',
    },
  ],
});

import type { Timers } from '../../core/clock.ts';
import { createRegistry, type Entry } from '../../core/naming/registry.ts';
import type { Listening } from '../http.ts';
import type { ResourcesServerOptions } from '../nemo-gym/resources-server.ts';
import type { Keys } from '../sessions/keys.ts';
import type { Rollouts } from './rollouts/open-rollouts.ts';

/** Where to listen, and who may come in. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly keys: Keys;
}

/** What a protocol beside OpenEnv serves with: the sessions of the server, and rollouts that it runs itself. */
interface CodecParts extends Omit<ResourcesServerOptions, keyof Place> {
  readonly timers: Timers;
  readonly rollouts: Rollouts;
  onIncident(kind: string, detail: string, count?: number): void;
}

export interface OpenPort {
  /** Where clients connect. */
  readonly address: string;
  close(hurry?: AbortSignal): Promise<void>;
}

/** A protocol that `espalier serve` speaks beside OpenEnv, at a port of its own: `--<name> <port>`. */
export interface Codec {
  /** What help says of its flag. */
  readonly usage: string;
  /** Tells the user who connects where. */
  told(address: string): string;
  listen(parts: CodecParts, place: Place): Promise<OpenPort>;
}

export interface ProtocolEntry extends Entry {
  /** The verb that serves it: `mcp`. */
  readonly verb: string;
  readonly codec?: Codec;
}

/** A protocol of ours is added here: `espalier serve` makes its flag from the entry, opens it and tells where it is. */
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
      codec: {
        usage: 'serve the same environments to NeMo Gym, too, at this port; 0 for any',
        told: address => `NeMo Gym finds a resources server at ${address}.`,
        async listen(parts, place) {
          const { createResourcesServer } = await import('../nemo-gym/resources-server.ts');
          return portOf(await createResourcesServer({ ...parts, ...place }));
        },
      },
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
      codec: {
        usage: 'run rollouts for trainers, too, at this port; needs --out; 0 for any',
        told: address => `Trainers submit rollouts to ${address}.`,
        async listen(parts, place) {
          const { createRolloutServer } = await import('../rollouts/rollout-server.ts');
          return portOf(await createRolloutServer({ ...parts, ...place, service: await parts.rollouts.service() }));
        },
      },
    },
    {
      name: 'verifiers',
      verb: 'serve',
      about: 'An environment server for verifiers and prime-rl, by ZeroMQ: espalier serve --verifiers PORT.',
      codec: {
        usage: 'serve verifiers and prime-rl by ZeroMQ, too; needs --out; 0 for any',
        told: address => `verifiers finds an environment server at ${address}.`,
        async listen(parts, { host, port }) {
          const { createVerifiersServer } = await import('../verifiers/environment-server.ts');
          return createVerifiersServer({ ...parts, host, port, run: parts.rollouts.verifiersRun() });
        },
      },
    },
  ],
});

function portOf({ url, close }: Listening): OpenPort {
  return { address: url, close };
}

import { createSystemClock, createSystemTimers } from '../../src/system/clock.ts';
import type { Model } from '../../src/core/chat/model.ts';
import type { EpisodeHead } from '../../src/core/episode/events.ts';
import { createRandom } from '../../src/core/random.ts';
import { mail } from '../../src/envs/apps/mail/mail.ts';
import { createTrail } from '../../src/worlds/trail.ts';
import { createWorld } from '../../src/worlds/world.ts';
import { createLlmPolicy } from '../../src/agents/llm/llm-policy.ts';
import { createModel } from '../../src/models/endpoints/client.ts';
import { readEndpoint } from '../../src/models/endpoints/endpoint.ts';
import { createEndpointConnection } from '../../src/models/endpoints/connection.ts';
import { runEpisodes, type Progress, type RunTotals } from '../../src/episode/engine.ts';
import { createLinear } from '../../src/episode/strategies/linear.ts';
import { openStore } from '../../src/store/store.ts';

export interface EpisodesOptions {
  readonly port: number;
  readonly count: number;
  /** The store to write to. */
  readonly path: string;
  readonly signal?: AbortSignal;
  onProgress?(progress: Progress): void;
}

/** Episodes of a model behind the endpoint, all at once: the model's client, the prompts, the engine and the store as they are. */
export async function runAtOnce({ port, count, path, signal, onProgress }: EpisodesOptions): Promise<RunTotals> {
  const [clock, timers] = [createSystemClock(), createSystemTimers()];
  const world = createWorld(mail);
  const endpoint = readEndpoint(`openai:actor@http://127.0.0.1:${port}/v1`);
  const line = createEndpointConnection({ endpoint, key: null, clock, timers, random: createRandom('bench') });
  const model = createModel({ line, boundary: 'policy' });
  const templates = world.templates.filter(({ split }) => split === 'train');
  const heads = Array.from({ length: count }, (_, index): EpisodeHead => {
    const task = world.task(templates[index % templates.length]?.id as string, 1 + (index % 7));
    const key = `collect/1/${task.id}/${index}`;
    const agents = { student: 'bench', teacher: null, strategy: 'linear' };
    return { run: 'bench', key, index, phase: 'collect', round: 1, trial: index, task, ...agents };
  });
  const store = openStore({ path });
  try {
    return await runEpisodes({
      plan: heads,
      seed: '1',
      concurrency: count,
      journal: store,
      clock,
      timers,
      createTrail,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
      start: ({ index }) => ({
        environment: world,
        student: createLlmPolicy({ model: named(model, index) }),
        strategy: createLinear(),
      }),
    });
  } finally {
    line.close();
    store.close();
  }
}

/** Says which episode asks: the endpoint's delays go by that. */
function named(model: Model, episode: number): Model {
  return {
    ...model,
    complete: (request, signal) =>
      model.complete({ ...request, extra: { ...request.extra, user: String(episode) } }, signal),
  };
}

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBuiltIn } from '../src/catalog.ts';
import { createManualClock } from '../src/core/clock.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import type { StateEnvironment } from '../src/core/contracts.ts';
import type { EpisodeEvent, EpisodeHead } from '../src/core/episode/events.ts';
import { createRandom } from '../src/core/random.ts';
import type { Task } from '../src/core/records.ts';
import { createTeachingPlanner } from '../src/runs/agents/teaching-planner.ts';
import { servePlanner, serveStudent } from '../src/cli/serve/policies.ts';
import { untrainedWeights, createStudent } from '../src/agents/learned/student.ts';
import { createLlmPolicy } from '../src/agents/llm/llm-policy.ts';
import { createLlmTeacher } from '../src/agents/llm/llm-teacher.ts';
import { createModel } from '../src/models/endpoints/client.ts';
import { readEndpoint } from '../src/models/endpoints/endpoint.ts';
import { createEndpointConnection, type EndpointConnection } from '../src/models/endpoints/connection.ts';
import { createPlannerTeacher } from '../src/agents/planner/planner-teacher.ts';
import type { EpisodeParts } from '../src/episode/attempt.ts';
import { createSpeculativeRollback } from '../src/episode/strategies/speculative-rollback.ts';
import type { Listening } from '../src/serve/http.ts';
import { createPolicyServer } from '../src/serve/policy/policy-server.ts';
import { contents, noTimers, run, type Ran } from './fixtures/episode-setup.ts';

const clock = createManualClock();
const templates = ['star-message', 'send-message', 'oldest-sender', 'already-marked', 'missing-message'];
const errors = 0.2;
let world: StateEnvironment;
let tasks: Task[];
let server: Listening;
let lines: Record<'student' | 'planner', EndpointConnection>;

beforeAll(async () => {
  world = await openBuiltIn('mail');
  tasks = templates.map(template => world.task(template, 3));
  const planner = await servePlanner({ environments: ['mail'], errors, host: { ...createSystemHost(), clock } });
  server = await createPolicyServer({
    policies: [await serveStudent('untrained'), planner],
    random: createRandom('server'),
  });
  const line = (model: string): EndpointConnection =>
    createEndpointConnection({
      endpoint: readEndpoint(`espalier:${model}@${server.url}/v1`),
      key: null,
      clock,
      timers: noTimers,
      random: createRandom('line'),
    });
  lines = { student: line('student'), planner: line('planner') };
});

afterAll(async () => {
  for (const line of Object.values(lines)) line.close();
  await server.close(AbortSignal.abort());
});

function inProcess(temperature: number, branching: boolean): () => EpisodeParts {
  return () => ({
    environment: world,
    student: createStudent({ weights: untrainedWeights(), temperature }),
    teacher: createPlannerTeacher({ planner: createTeachingPlanner(clock), errorRate: errors }),
    strategy: createSpeculativeRollback({ branching }),
    limits: { steps: 12 },
  });
}

function behindHttp(temperature: number, branching: boolean): (head: EpisodeHead) => EpisodeParts {
  const student = createModel({ line: lines.student, boundary: 'policy' });
  const teacher = createModel({ line: lines.planner, boundary: 'reviewer' });
  const parts = inProcess(temperature, branching);
  return ({ key, task }) => {
    const served = { episode: `${key} ${randomUUID()}`, task };
    return {
      ...parts(),
      student: createLlmPolicy({ model: student, sampling: { temperature }, wantsTokens: true, served }),
      teacher: createLlmTeacher({ model: teacher, served }),
    };
  };
}

/** All but who is said to have done it, and what was asked on the way. */
function treesOf({ stored }: Ran): unknown {
  const nameless = ({ events, ...rest }: Ran['stored'][number]) => ({
    ...rest,
    events: events.filter(({ kind }) => kind !== 'call').map(event => withoutName(event)),
  });
  return contents(stored.map(nameless));
}

function withoutName(event: EpisodeEvent): EpisodeEvent {
  if (event.kind === 'step') {
    // A served student says it as log probabilities.
    const { prior: _p, value: _v, confidence: _c, logprob: _l, entropy: _e, ...node } = event.node;
    return { ...event, node: { ...node, actor: { ...node.actor, name: '' } } };
  }
  return event.kind === 'review' ? { ...event, by: { ...event.by, name: '' } } : event;
}

describe('policies behind HTTP', () => {
  it.each([
    { temperature: 1, branching: false },
    { temperature: 0, branching: false },
    { temperature: 0.5, branching: true },
  ])('[SRV-14] give the same trees as in process: %o', async ({ temperature, branching }) => {
    const here = await run({ tasks, parts: inProcess(temperature, branching) });
    const there = await run({ tasks, parts: behindHttp(temperature, branching), concurrency: 4 });
    expect(there.totals.outcomes.errored).toBe(0);
    expect(treesOf(there)).toEqual(treesOf(here));
    const events = there.stored.flatMap(episode => episode.events);
    const count = (kind: EpisodeEvent['kind']): number => events.filter(event => event.kind === kind).length;
    expect(count('correction')).toBeGreaterThan(5);
    // Each step of the student, each review and each correction was asked for over the wire.
    expect(count('call')).toBeGreaterThanOrEqual(count('step') + count('review'));
  });
});

import { join } from 'node:path';
import { openBuiltIn } from '../../src/catalog.ts';
import { createTeachingPlanner } from '../../src/runs/agents/teaching-planner.ts';
import { createSystemClock, createSystemTimers } from '../../src/system/clock.ts';
import type { Action } from '../../src/core/action.ts';
import type { ChatReply, ChatRequest } from '../../src/core/chat/chat.ts';
import type { Model } from '../../src/core/chat/model.ts';
import type { Environment } from '../../src/core/contracts.ts';
import type { Policy, PrivilegedPolicy } from '../../src/core/episode/agents.ts';
import type { EpisodeHead } from '../../src/core/episode/events.ts';
import { EspalierError } from '../../src/core/errors.ts';
import { createTrail } from '../../src/worlds/trail.ts';
import { untrainedWeights, createStudent } from '../../src/agents/learned/student.ts';
import { createLlmPolicy } from '../../src/agents/llm/llm-policy.ts';
import { createPlannerPolicy } from '../../src/agents/planner/planner-teacher.ts';
import { runEpisodes } from '../../src/episode/engine.ts';
import { createLinear } from '../../src/episode/strategies/linear.ts';
import { openStore } from '../../src/store/store.ts';
import type { Figure } from '../measure.ts';
import { sharedTokens, type CountTokens, type Shared } from './shared-tokens.ts';

const clock = createSystemClock();
const apps = ['mail', 'shop', 'tracker'];

/**
 * The share of prompt tokens, from the second step on, that the call before began with: of episodes as short as a planner
 * makes them in each app, and of those that an untrained student draws out.
 */
export async function* prefixShares(folder: string): AsyncGenerator<Figure> {
  const count = await tokenCounter();
  const pilots = { planner: () => createPlannerPolicy(createTeachingPlanner(clock)), untrained: () => untrained };
  const shares: Record<string, Shared> = {};
  for (const app of apps) {
    const environment = await openBuiltIn(app);
    for (const [name, pilot] of Object.entries(pilots)) {
      const path = join(folder, `prefix-${app}-${name}.db`);
      shares[`${app} ${name}`] = await measure({ environment, pilot, count, path });
    }
  }
  yield shareOf('models.prefix-share', Object.values(shares));
  for (const [name, share] of Object.entries(shares)) yield shareOf(`models.prefix-share ${name}`, [share]);
}

const untrained = createStudent({ weights: untrainedWeights(), name: 'untrained', temperature: 1 });

function shareOf(name: string, parts: readonly Shared[]): Figure {
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  const shared = parts.reduce((sum, part) => sum + part.shared, 0);
  const shares = parts.map(part => part.shared / part.tokens);
  return {
    name,
    value: shared / tokens,
    unit: 'share',
    spread: Math.max(...shares) - Math.min(...shares),
    runs: parts.length,
  };
}

interface Measured {
  readonly environment: Environment;
  readonly pilot: () => Policy;
  readonly count: CountTokens;
  readonly path: string;
}

async function measure({ environment, pilot, count, path }: Measured): Promise<Shared> {
  let [tokens, shared] = [0, 0];
  const store = openStore({ path });
  const heads = await Promise.all(environment.templates.map(({ id }, index) => headOf(environment, id, index)));
  const start = () => {
    let before: ChatRequest | null = null;
    const watch = (request: ChatRequest): void => {
      if (before !== null) {
        const part = sharedTokens(before, request, count);
        tokens += part.tokens;
        shared += part.shared;
      }
      before = request;
    };
    return { environment, student: steered(pilot(), watch), strategy: createLinear() };
  };
  await runEpisodes({
    plan: heads,
    seed: '1',
    concurrency: 4,
    journal: store,
    clock,
    timers: createSystemTimers(),
    createTrail,
    start,
  });
  store.close();
  return { tokens, shared };
}

async function headOf(environment: Environment, template: string, index: number): Promise<EpisodeHead> {
  const task = await environment.task(template, 1);
  const agents = { student: 'bench', teacher: null, strategy: 'linear' };
  return { run: 'bench', key: `collect/1/${task.id}/0`, index, phase: 'collect', round: 1, trial: 0, task, ...agents };
}

/** A policy that asks a model, whose answers are those of the pilot. */
function steered(pilot: Policy, watch: (request: ChatRequest) => void): PrivilegedPolicy {
  let next: Action = { kind: 'finish' };
  const model: Model = {
    endpoint: 'openai:bench@http://127.0.0.1:1/v1',
    model: 'bench',
    async complete(request) {
      watch({ ...request, model: 'bench' });
      return { reply: replyOf(next), cost: 0, attempts: 1 };
    },
  };
  const policy = createLlmPolicy({ model });
  return {
    name: 'bench',
    privileged: true,
    async act(view, session) {
      const { action } = await pilot.act(view, session);
      next = action ?? { kind: 'finish' };
      return policy.act(view);
    },
  };
}

function replyOf(action: Action): ChatReply {
  const { kind, ...input } = action;
  const [name, members] = action.kind === 'call' ? [action.tool, action.input] : [kind, input];
  const call = { id: 'call', name, input: JSON.stringify(members) };
  const message = { role: 'assistant', content: '', calls: [call] } as const;
  return { id: 'bench', model: 'bench', version: null, message, finish: 'calls', usage: null, tokens: null };
}

/** Tokens as a widely used tokeniser counts them; a text is counted once. */
async function tokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer').catch(missingTokenizer);
  const known = new Map<string, number>();
  return text => {
    const count = known.get(text) ?? countTokens(text);
    known.set(text, count);
    return count;
  };
}

function missingTokenizer(cause: unknown): never {
  throw new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: 'Tokens are counted by gpt-tokenizer, which is not installed.',
    expected: 'Install it beside Espalier: npm install gpt-tokenizer. Or run the bench from a checkout.',
    cause,
  });
}

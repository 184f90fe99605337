import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { app } from '../examples/library/library.ts';
import type { Action } from '../src/core/action.ts';
import { toolCallOf } from '../src/core/episode/action-tools.ts';
import { foldEpisode, type EpisodeRecord } from '../src/core/episode/record.ts';
import type { StateEnvironment } from '../src/core/contracts.ts';
import type { Decision, OrdinaryPolicy } from '../src/core/episode/agents.ts';
import type { JsonObject } from '../src/core/json.ts';
import { exportDataset } from '../src/dataset/export-dataset.ts';
import type { Row } from '../src/dataset/rows/columns.ts';
import { createRequests } from '../src/dataset/requests/requests.ts';
import { createWorld } from '../src/worlds/world.ts';
import { createLlmPolicy } from '../src/agents/llm/llm-policy.ts';
import { createBestOfN } from '../src/episode/strategies/best-of-n.ts';
import { createLinear } from '../src/episode/strategies/linear.ts';
import { createSpeculativeRollback } from '../src/episode/strategies/speculative-rollback.ts';
import type { Strategy } from '../src/episode/strategies/strategy.ts';
import { perfectTeacher, planFor, run } from './fixtures/episode-setup.ts';
import { createMemoryJournal, type MemoryJournal } from './fixtures/memory-journal.ts';
import { startHttpModel, type HttpModel } from './fixtures/models/http-model.ts';
import { drawnWorld } from './fixtures/pictures/drawn-world.ts';
import type { Asked, Script, Scripted } from './fixtures/models/scripted-upstream.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const wrong: Action = { kind: 'click', ref: 'e3' };

let folder = '';
const models: HttpModel[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-rows-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  for (const model of models.splice(0)) await model.close();
});

function said(action: Action, text = ''): Scripted {
  const { name, input } = toolCallOf(action);
  return { text, calls: [{ name, input }] };
}

interface Episode {
  readonly journal: MemoryJournal;
  readonly record: EpisodeRecord;
}

async function runOne(student: OrdinaryPolicy, strategy: Strategy, environment = world): Promise<Episode> {
  const journal = createMemoryJournal();
  const teacher = strategy.asksTeacher ? perfectTeacher : null;
  await run({ tasks: [task], journal, parts: { environment, student, teacher, strategy } });
  const [stored] = journal.episodes();
  if (stored === undefined) throw new Error('no episode');
  return { journal, record: foldEpisode(stored) };
}

interface Options {
  readonly strategy: Strategy;
  readonly speech?: 'tools' | 'text';
  readonly window?: number;
  readonly observe?: 'text' | 'both';
  readonly environment?: StateEnvironment;
}

async function runModel(
  script: Script,
  { strategy, environment, ...rest }: Options,
): Promise<Episode & Pick<HttpModel, 'asked'>> {
  const { model, asked } = await startModel(script);
  return { ...(await runOne(createLlmPolicy({ model, name: 'm', ...rest }), strategy, environment)), asked };
}

async function startModel(script: Script): Promise<HttpModel> {
  const model = await startHttpModel(script);
  models.push(model);
  return model;
}

/** Answers one after the other. */
function inOrder(answers: readonly Scripted[]): Script {
  return ({ index }) => answers[index] ?? { status: 400, error: 'the script is over' };
}

function rowsOf(journal: MemoryJournal, table: string, window?: number): Row[] {
  exportDataset({
    source: journal,
    folder,
    toolsOf: () => world.tools,
    formats: ['jsonl'],
    ...(window === undefined ? {} : { window }),
  });
  const text = readFileSync(join(folder, `${table}.jsonl`), 'utf8');
  return text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Row]));
}

/** What a server received, as it hands it to a chat template: arguments decoded, no content as an empty one. */
function sent({ body }: Asked): { readonly messages: JsonObject[]; readonly tools: unknown } {
  const messages = (body['messages'] as JsonObject[]).map(decoded);
  return { messages, tools: body['tools'] ?? [] };
}

/** As trainers of vision models take a message: all in parts, and a mark for each picture. */
function inParts(message: JsonObject): JsonObject {
  const { content } = message;
  const parts = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as JsonObject[];
  return { ...message, content: parts.map(part => (part['type'] === 'image_url' ? { type: 'image' } : part)) };
}

function decoded(message: JsonObject): JsonObject {
  const calls = message['tool_calls'] as { id: string; type: string; function: { name: string; arguments: string } }[];
  if (calls === undefined) return message;
  return {
    ...message,
    content: message['content'] ?? '',
    tool_calls: calls.map(({ function: { arguments: text, ...rest }, ...call }) => ({
      ...call,
      function: { ...rest, arguments: JSON.parse(text) as JsonObject },
    })),
  };
}

/** The request that a row is, as text: equal down to the order of members. */
function asText(row: Row, column = 'messages'): { readonly messages: string; readonly tools: string } {
  const messages = row[column] as unknown[];
  const prompt = column === 'prompt' ? messages : messages.slice(0, -1);
  return { messages: JSON.stringify(prompt), tools: row['tools'] as string };
}

function sentText(asked: Asked | undefined, isPictured = false): { readonly messages: string; readonly tools: string } {
  if (asked === undefined) throw new Error('nothing was asked there');
  const { messages, tools } = sent(asked);
  return { messages: JSON.stringify(isPictured ? messages.map(inParts) : messages), tools: JSON.stringify(tools) };
}

/** The request whose answer was taken as this step; the model is the only one that is asked over HTTP. */
function requestFor(record: EpisodeRecord, asked: readonly Asked[], node: number): Asked | undefined {
  const used = record.callsFor(node).findLast(({ problem, question }) => problem === null && question === 'act');
  return used === undefined ? undefined : asked[record.calls.indexOf(used)];
}

describe('rows of an episode of a model', () => {
  const answers: Scripted[] = [
    { text: 'Let me think about it.' },
    said({ kind: 'click', ref: 'e999' }, 'This should exist.'),
    said({ kind: 'call', tool: world.tools[0]?.name ?? '', input: {} }),
    { thought: 'Quietly.', calls: [{ name: 'nothing_of_ours', input: {} }] },
    ...plan.map((action, at) => ({ ...said(action), ...(at === 1 ? { thought: 'I see <screen> it.' } : {}) })),
  ];

  it.each(['tools', 'text'] as const)(
    '[EXP-14] are the requests that its server received, speaking in %s',
    async speech => {
      const written = speech === 'tools' ? answers : answers.map(inWords);
      const { journal, record, asked } = await runModel(inOrder(written), { strategy: createLinear(), speech });
      expect(record.end.outcome).toBe('passed');
      const rows = rowsOf(journal, 'next-actions');
      expect(rows).toHaveLength(plan.length + 2);
      for (const row of rows) {
        expect(row['request']).toBe('recorded');
        expect(asText(row)).toEqual(sentText(requestFor(record, asked, row['node'] as number)));
      }
    },
  );

  it('[EXP-14] end with the answer as the next request has it', async () => {
    const { journal, record, asked } = await runModel(inOrder(answers), { strategy: createLinear() });
    const rows = rowsOf(journal, 'next-actions');
    for (const row of rows.slice(0, -1)) {
      const next = requestFor(record, asked, (row['node'] as number) + 1);
      const messages = row['messages'] as unknown[];
      expect(sent(next as Asked).messages.slice(0, messages.length)).toEqual(messages);
    }
  });

  it('[EXP-14] leave out old screens where the request left them out', async () => {
    const options = { strategy: createLinear(), window: 1 };
    const { journal, record, asked } = await runModel(inOrder(plan.map(action => said(action))), options);
    const rows = rowsOf(journal, 'next-actions');
    for (const row of rows) expect(asText(row)).toEqual(sentText(requestFor(record, asked, row['node'] as number)));
    expect(JSON.stringify(rows.at(-1))).toContain('(screen left out)');
  });

  it('[EXP-15] of a correction are what the student was asked there, and the correction as its answer', async () => {
    const script = inOrder([said(wrong, 'That one.'), ...plan.slice(1).map(action => said(action))]);
    const { journal, record, asked } = await runModel(script, {
      strategy: createSpeculativeRollback({ speculate: 1 }),
    });
    const [correction] = record.corrections;
    expect(record).toMatchObject({ end: { outcome: 'passed' }, corrections: [{ replaces: 1 }] });
    const first = sentText(asked[0]);
    const answer = (action: Action, content: string): unknown => {
      const { name, input } = toolCallOf(action);
      const call = { id: 'call00001', type: 'function', function: { name, arguments: input } };
      return { role: 'assistant', content, tool_calls: [call] };
    };
    const corrected = rowsOf(journal, 'corrections')[0] as Row;
    const messages = corrected['messages'] as unknown[];
    expect(asText(corrected)).toEqual(first);
    expect(messages.at(-1)).toEqual(answer(plan[0] as Action, ''));
    const [pair] = rowsOf(journal, 'preferences');
    expect(asText(pair as Row, 'prompt')).toEqual(first);
    expect(pair).toMatchObject({ chosen: [answer(plan[0] as Action, '')], rejected: [answer(wrong, 'That one.')] });
    const next = rowsOf(journal, 'next-actions');
    expect(next.map(row => row['node'])).toEqual(record.tree.path(record.end.leaf).map(({ id }) => id));
    expect(next[0]).toMatchObject({ node: correction?.node, request: 'recorded' });
    expect(asText(next[0] as Row)).toEqual(first);
    // The request after the correction begins with the row of the correction.
    expect(sent(asked[1] as Asked).messages.slice(0, messages.length)).toEqual(messages);
  });

  it('[EXP-15] of a step that the teacher took over are the first question, before any answer of no use', async () => {
    const useless: Scripted = { text: 'I do not know.' };
    const script = inOrder([useless, useless, useless, ...plan.slice(1).map(action => said(action))]);
    const { journal, record, asked } = await runModel(script, {
      strategy: createSpeculativeRollback({ speculate: 1 }),
    });
    expect(record).toMatchObject({ end: { outcome: 'passed' }, corrections: [{ node: 1, replaces: null }] });
    expect(asText(rowsOf(journal, 'corrections')[0] as Row)).toEqual(sentText(asked[0]));
    const later = rowsOf(journal, 'next-actions')[1] as Row;
    expect(asText(later)).toEqual(sentText(asked[3]));
    expect(JSON.stringify(later['messages'])).toContain('I do not know.');
  });
});

/** A step as models write it that cannot call tools. */
function inWords({ calls = [], text = '', ...rest }: Scripted): Scripted {
  const [call] = calls;
  if (call === undefined) return { ...rest, text };
  return { ...rest, text: `${text}\n${JSON.stringify({ name: call.name, arguments: call.input })}` };
}

describe('rows of an episode without a screen', () => {
  const tools = { ...world, hasScreen: false } as const;
  const finish: Action = { kind: 'finish', infeasible: true };

  it('[MCP-8] [EXP-16] offer the tools of the environment, and nothing to click', async () => {
    const student: OrdinaryPolicy = { name: 'm', act: () => ({ action: finish }) };
    const alone = await runOne(student, createLinear(), tools);
    const live = await runModel(() => said(finish), { strategy: createLinear(), environment: tools });
    const requests = createRequests({ source: alone.journal, toolsOf: () => ({ only: world.tools }) });
    const written = requests.of(alone.record, 1);
    expect([JSON.stringify(written?.messages), written?.tools]).toEqual(Object.values(sentText(live.asked[0])));
    expect(written?.tools).not.toContain('"click"');
    expect(written?.tools).toContain('"finish"');
  });
});

describe('rows of an episode of another student', () => {
  /** Wrong at the second step unless it is to be right; the same whoever is asked. */
  function decide(path: readonly string[]): Action {
    if (path.length === 1 && !isRight) return wrong;
    return plan[path.length] ?? { kind: 'finish' };
  }
  let isRight = false;

  interface Case {
    readonly create: () => Strategy;
    readonly corrections: number;
    readonly window?: number;
    readonly environment?: StateEnvironment;
  }
  const cases: [string, Case][] = [
    ['alone', { create: createLinear, corrections: 0 }],
    ['corrected after a rollback', { create: () => createSpeculativeRollback({ speculate: 2 }), corrections: 1 }],
    [
      'with branches that live on',
      { create: () => createSpeculativeRollback({ speculate: 2, branching: true }), corrections: 1 },
    ],
    ['in several attempts', { create: () => createBestOfN({ attempts: 2 }), corrections: 0 }],
    ['with old screens left out', { create: createLinear, corrections: 0, window: 1 }],
    [
      'with pictures',
      {
        create: () => createSpeculativeRollback({ speculate: 2 }),
        corrections: 1,
        environment: drawnWorld(world),
      },
    ],
  ];

  it.each(cases)('[EXP-16] are what a model would have been asked, %s', async (_, given) => {
    const { create, corrections, window, environment } = given;
    isRight = corrections === 0;
    const scripted: OrdinaryPolicy = {
      name: 'm',
      act: ({ history }): Decision => ({ action: decide(history) }),
      fork: () => scripted,
    };
    const alone = await runOne(scripted, create(), environment);
    const steps = ({ body }: Asked): string[] => {
      const told = (body['messages'] as JsonObject[]).filter(({ role }) => role === 'tool');
      return told.map(({ content }) => String(content));
    };
    const script: Script = question => said(decide(steps(question)));
    const live = await runModel(script, {
      strategy: create(),
      ...(window === undefined ? {} : { window }),
      ...(environment === undefined ? {} : { environment, observe: 'both' }),
    });
    expect(live.record.tree.record().nodes.map(({ action }) => action)).toEqual(
      alone.record.tree.record().nodes.map(({ action }) => action),
    );
    expect(live.record.corrections).toHaveLength(corrections);
    for (const table of ['next-actions', 'corrections', 'preferences']) {
      const written = rowsOf(alone.journal, table, window);
      const recorded = rowsOf(live.journal, table, window);
      expect(written.map(row => row['request'])).toEqual(written.map(() => 'written'));
      expect(recorded.map(row => row['request'])).toEqual(recorded.map(() => 'recorded'));
      const withoutRequest = ({ request: _request, ...row }: Row): string => JSON.stringify(row);
      expect(written.map(withoutRequest)).toEqual(recorded.map(withoutRequest));
      if (table !== 'next-actions') continue;
      expect(written.length).toBeGreaterThan(0);
      const own = written.flatMap(row => {
        const asked = requestFor(live.record, live.asked, row['node'] as number);
        return asked === undefined ? [] : [{ row, asked }];
      });
      expect(own.length).toBeGreaterThanOrEqual(written.length - corrections);
      for (const { row, asked } of own) expect(asText(row)).toEqual(sentText(asked, environment !== undefined));
    }
  });
});

import { describe, expect, it } from 'vitest';
import { createMemoryJournal, type MemoryJournal } from '../../../../test/fixtures/memory-journal.ts';
import type { AssistantMessage, ChatReply, ToolCall } from '../../../core/chat/chat.ts';
import { createCallReader } from '../../../core/episode/call-log.ts';
import type { Journal } from '../../../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../../../core/episode/record.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { createRequests } from '../../../dataset/requests/requests.ts';
import { rowMessages, rowTools } from '../../../dataset/requests/wire.ts';
import type { RecordedAttempt, RecordedCall, SubmittedVerdict } from './call-record.ts';
import { keepAttempt } from './episode.ts';
import { harnessTools } from '../../../runs/folder/harness-tools.ts';

const tools = [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } }];
const task = { role: 'user', content: 'Mend it.' };

function replyOf(message: Partial<AssistantMessage>): ChatReply {
  const { calls } = message;
  return {
    id: 'r',
    model: 'qwen',
    version: null,
    message: { role: 'assistant', content: '', ...message },
    finish: calls === undefined ? 'stop' : 'calls',
    usage: { prompt: 10, completion: 5 },
    tokens: null,
  };
}

const toolCall = (id: string, input = '{"path":"a"}'): ToolCall => ({ id, name: 'read', input });
const echo = (calls: readonly ToolCall[], content: string | null = null): JsonObject => ({
  role: 'assistant',
  content,
  tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } })),
});
const result = (id: string, content: Json): JsonObject => ({ role: 'tool', tool_call_id: id, content });

interface Exchanged {
  readonly messages: Json;
  readonly reply: ChatReply | null;
}

function attemptOf(
  exchanged: readonly Exchanged[],
  submitted: SubmittedVerdict | null = { pass: true },
): RecordedAttempt {
  const calls = exchanged.map(({ messages, reply }, index): RecordedCall => {
    const place = { session: 'alpha', attempt: 1, index };
    return {
      ask: {
        kind: 'ask',
        ...place,
        time: 100 * index,
        dialect: 'openai',
        endpoint: 'openai:qwen@http://127.0.0.1:1/v1',
        body: JSON.stringify({ model: 'qwen', messages, tools }),
        fault: null,
      },
      answer: {
        kind: 'answer',
        ...place,
        time: 100 * index + 50,
        status: reply === null ? 429 : 200,
        reply,
        partial: null,
        cut: false,
        problem: reply === null ? 'slow down' : null,
      },
    };
  });
  return { session: 'alpha', attempt: 1, calls, ruling: submitted, notes: [] };
}

function keep(attempt: RecordedAttempt): { journal: MemoryJournal; record: EpisodeRecord } {
  const journal = createMemoryJournal();
  keepAttempt(attempt, { journal, run: 'r', template: 'mending' });
  const [stored] = journal.episodes();
  return { journal, record: foldEpisode(stored!) };
}

describe('episodes of a harness', () => {
  const two = [toolCall('c1'), toolCall('c2', '{"path":"b"}')];
  const asked = [{ role: 'system', content: 'Be brief.' }, task];
  const answered = [...asked, echo(two, 'Both.'), result('c1', 'text of a'), result('c2', 'text of b')];
  const usual: readonly Exchanged[] = [
    { messages: asked, reply: replyOf({ content: 'Both.', thought: 'hm', calls: two }) },
    { messages: answered, reply: replyOf({ content: 'Mended.' }) },
  ];

  it('[PRX-15] have a step for each call of a tool, with what came of it, and a finish with the last words', () => {
    const { record } = keep(
      attemptOf(usual, {
        pass: false,
        checks: [
          { name: 'a', pass: true },
          { name: 'b', pass: false },
        ],
      }),
    );
    expect(record.head).toMatchObject({
      key: expect.stringMatching(/^collect\/1\/proxy\/mending\/\d+\/alpha\.1$/),
      student: 'qwen',
      task: { instruction: 'Mend it.', split: 'train', parameters: { session: 'alpha', unused: 0 } },
    });
    const path = record.tree.path(record.end.leaf);
    expect(path.map(({ action, outcome, thought }) => [action, outcome, thought])).toEqual([
      [{ kind: 'call', tool: 'read', input: { path: 'a' } }, { applied: true, result: 'text of a' }, 'hm'],
      [{ kind: 'call', tool: 'read', input: { path: 'b' } }, { applied: true, result: 'text of b' }, 'hm'],
      [{ kind: 'finish', answer: 'Mended.' }, { applied: true, end: 'terminated' }, undefined],
    ]);
    expect(record.situation(1).screen).toBe('Mend it.');
    expect(record.situation(3).screen).toBe('text of a\n\ntext of b');
    expect(record.end).toMatchObject({
      outcome: 'failed',
      verdict: { pass: false, progress: 0.5, evidence: { answer: 'Mended.' } },
      counts: { steps: 3, tokens: 30 },
      milliseconds: 150,
    });
  });

  it('[PRX-15] keep every exchange whole, and the tools that were on offer', () => {
    const { journal, record } = keep(attemptOf(usual));
    const read = createCallReader(journal.attachment);
    const calls = record.calls.map(event => read(event.record));
    expect(calls.map(({ reply }) => reply)).toEqual(usual.map(({ reply }) => reply));
    expect(calls.map(({ messages }) => messages.length)).toEqual([2, 5]);
    expect(record.callsFor(1)).toHaveLength(1);
    expect(record.callsFor(3)).toHaveLength(1);
    expect(harnessTools(journal.summaries())).toEqual([
      { name: 'read', description: 'Reads.', input: { type: 'object' } },
    ]);
  });

  it('[EXP-1] [EXP-14] give a row for each answer: the request as it was, and all calls of the answer', () => {
    const { journal, record } = keep(attemptOf(usual));
    const requests = createRequests({ source: journal, toolsOf: () => ({ only: harnessTools(journal.summaries()) }) });
    const read = createCallReader(journal.attachment);
    const rows = [1, 2, 3].map(node => requests.of(record, node));
    expect(rows[1]).toBeNull();
    for (const [at, node] of [1, 3].entries()) {
      const row = rows[node - 1];
      const call = read(record.calls[at]?.record ?? '');
      expect(row).toMatchObject({
        source: 'recorded',
        messages: rowMessages(call.messages),
        tools: rowTools(call.tools),
      });
      expect(row?.answer(node)).toEqual(rowMessages([call.reply.message])[0]);
    }
    expect(rows[0]?.answer(1)).toMatchObject({ content: 'Both.', tool_calls: [{ id: 'c1' }, { id: 'c2' }] });
  });

  it('[PRX-15] are written once', () => {
    const journal = createMemoryJournal();
    const run = { journal, run: 'r', template: 'mending' };
    expect([keepAttempt(attemptOf(usual), run), keepAttempt(attemptOf(usual), run)]).toEqual([true, false]);
    expect(journal.episodes()).toHaveLength(1);
  });

  it('[PRX-15] without a verdict are discarded, not failed', () => {
    const { record } = keep(attemptOf(usual, null));
    expect(record.end).toMatchObject({ outcome: 'discarded', reason: 'no verdict', verdict: null });
  });

  it('[PRX-21] are abandoned, not failed, when the harness hung up; nothing is claimed of side effects', () => {
    const gone = attemptOf(usual, null);
    const last = gone.calls.at(-1)!;
    const calls = [
      ...gone.calls.slice(0, -1),
      { ...last, answer: { ...last.answer!, problem: 'The harness hung up.' } },
    ];
    const { record } = keep({ ...gone, calls });
    expect(record.end).toMatchObject({ outcome: 'errored', reason: 'abandoned', boundary: 'policy', verdict: null });
    const { record: ruled } = keep({ ...attemptOf(usual, { pass: false }), calls });
    expect(ruled.end).toMatchObject({ outcome: 'failed', verdict: { evidence: { sideEffectsKnown: false } } });
  });

  it('[PRX-15] count calls that were refused as attempts at the one that went through', () => {
    const { journal, record } = keep(
      attemptOf([{ ...usual[0]!, reply: null }, { ...usual[0]!, reply: null }, ...usual]),
    );
    expect(record.calls.map(({ attempts }) => attempts)).toEqual([3, 1]);
    expect(record.head.task.parameters['unused']).toBe(2);
    expect(journal.episodes()).toHaveLength(1);
  });

  it('[PRX-15] take no step by a call that is not JSON, and say why', () => {
    const wrong = replyOf({ calls: [toolCall('c1', '{"path":')] });
    const { record } = keep(attemptOf([{ messages: [task], reply: wrong }, ...usual.slice(1)]));
    expect(record.tree.path(record.end.leaf).map(({ action }) => action.kind)).toEqual(['finish']);
    expect(record.calls.map(({ problem }) => problem)).toEqual([
      'The input of the tool "read" is no JSON object.',
      null,
    ]);
  });

  it('[PRX-15] may end without a finish, or without anything that can be read', () => {
    const { record } = keep(attemptOf(usual.slice(0, 1)));
    expect(record.tree.path(record.end.leaf).at(-1)?.outcome.end).toBeUndefined();
    const { record: empty } = keep(attemptOf([{ messages: 'none', reply: replyOf({ content: 'what?' }) }]));
    expect(empty.end).toMatchObject({ leaf: 0, outcome: 'passed', counts: { steps: 0 } });
    expect(empty.head.task.parameters['unused']).toBe(1);
  });

  it('[EPI-8] says that the store failed when it cannot be written', () => {
    const journal: Journal = { ...createMemoryJournal(), begin: () => expect.fail('disk full') };
    const attempt = attemptOf([{ messages: [task], reply: replyOf({ content: 'Done.' }) }]);
    expect(() => keepAttempt(attempt, { journal, run: 'run', template: 'mend' })).toThrow(
      expect.objectContaining({ boundary: 'store', message: expect.stringContaining('disk full') }),
    );
  });
});

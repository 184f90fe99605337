import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage, ChatTool } from '../chat/chat.ts';
import { modelCallSchema, callEventSchema, type ModelCall } from '../chat/model.ts';
import type { Actor } from '../tree.ts';
import { createCallReader, createCallWriter } from './call-log.ts';

const student: Actor = { role: 'student', name: 'a student' };
const teacher: Actor = { role: 'teacher', name: 'a teacher' };

/** Attachments that last as long as the test. */
function createShelf() {
  const held = new Map<string, Uint8Array>();
  const attach = (data: Uint8Array): string => {
    const address = hash('sha256', data, 'hex');
    held.set(address, Uint8Array.from(data));
    return address;
  };
  const bytes = (): number => [...held.values()].reduce((sum, { length }) => sum + length, 0);
  const recordOf = (address: string): { keep: { messages: number }; call: ModelCall } =>
    JSON.parse(Buffer.from(held.get(address) ?? []).toString()) as { keep: { messages: number }; call: ModelCall };
  return { held, attach, bytes, recordOf, attachment: (address: string) => held.get(address) ?? null };
}

const tool: ChatTool = { name: 'click', description: 'Clicks.', input: { type: 'object' } };

function callOf(messages: readonly ChatMessage[], more: Partial<ModelCall> = {}): ModelCall {
  return {
    endpoint: 'openai:m@http://127.0.0.1:1/v1',
    question: 'act',
    prompts: { system: 'ab' },
    messages,
    tools: [tool],
    sampling: { temperature: 1 },
    reply: {
      id: 'r',
      model: 'm',
      version: null,
      message: { role: 'assistant', content: `answer ${messages.length}` },
      finish: 'stop',
      usage: null,
      tokens: null,
    },
    cost: null,
    attempts: 1,
    problem: null,
    ...more,
  };
}

const text = (content: string): ChatMessage => ({ role: 'user', content: [{ type: 'text', text: content }] });

const anyMessage: fc.Arbitrary<ChatMessage> = fc.constantFrom<ChatMessage[]>(
  { role: 'system', content: 'Be brief.' },
  text('a screen'),
  text('a lone \ud800 surrogate'),
  { role: 'assistant', content: 'answer 1' },
  {
    role: 'assistant',
    content: '',
    thought: 'hm',
    sealed: [{ signature: 'x' }],
    calls: [{ id: '1', name: 'click', input: '{' }],
  },
  { role: 'tool', call: '1', content: [{ type: 'text', text: 'no' }], failed: true },
  { role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: 'AQID' }] },
  {
    role: 'user',
    content: [
      { type: 'image', mediaType: 'image/gif', data: 'not base64!' },
      { type: 'text', text: '' },
    ],
  },
);
const anyTokens = fc.array(fc.nat({ max: 3 }), { maxLength: 6 });

/** Calls that go on from each other more often than not, of two actors, with and without tokens. */
const anyCalls = fc
  .array(
    fc.record({
      by: fc.constantFrom(student, teacher),
      question: fc.constantFrom('act' as const, 'review' as const),
      /** How far back the prompt starts: 0 goes on from the last call. */
      cut: fc.nat({ max: 3 }),
      news: fc.array(anyMessage, { maxLength: 3 }),
      answer: fc.string(),
      tools: fc.constantFrom<(readonly ChatTool[])[]>([], [tool], [tool, { ...tool, name: 'fill' }]),
      tokens: fc.option(
        fc.record({
          prompt: fc.option(anyTokens),
          completion: fc.option(anyTokens),
          logprobs: fc.option(fc.array(fc.integer(), { maxLength: 3 })),
        }),
      ),
      goesOn: fc.nat({ max: 3 }),
    }),
    { maxLength: 12 },
  )
  .map(drafts => {
    let messages: readonly ChatMessage[] = [];
    let ids: readonly number[] = [];
    return drafts.map(({ by, question, cut, news, answer, tools, tokens, goesOn }) => {
      messages = [...messages.slice(0, Math.max(0, messages.length - cut)), ...news];
      const prompt =
        tokens === null || tokens.prompt === null ? null : [...ids.slice(0, ids.length - goesOn), ...tokens.prompt];
      const given = tokens === null ? null : { ...tokens, prompt };
      const made = callOf(messages, { question, tools });
      const message = { role: 'assistant', content: answer } as const;
      const call: ModelCall = { ...made, reply: { ...made.reply, message, tokens: given } };
      messages = [...messages, message];
      ids = [...(prompt ?? []), ...(tokens?.completion ?? [])];
      return { by, call };
    });
  });

describe('calls in the journal', () => {
  it('[TOK-1] any sequence of calls reads back exactly, in any order', () => {
    fc.assert(
      fc.property(fc.tuple(anyCalls, fc.nat()), ([asked, start]) => {
        const shelf = createShelf();
        const write = createCallWriter(shelf.attach);
        const events = asked.map(({ by, call }, at) =>
          callEventSchema.parse(write(modelCallSchema.parse(call), { by, at })),
        );
        const read = createCallReader(shelf.attachment);
        expect(events.map(({ record }) => read(record))).toEqual(asked.map(({ call }) => call));
        const alone = (_: unknown, index: number): boolean => index === start % asked.length;
        expect(events.filter(alone).map(({ record }) => createCallReader(shelf.attachment)(record))).toEqual(
          asked.filter(alone).map(({ call }) => call),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('[TOK-2] a prompt that only grows takes space for what it grew by, messages and tokens alike', () => {
    const sizes = [50, 100].map(steps => {
      const shelf = createShelf();
      const write = createCallWriter(shelf.attach);
      const messages: ChatMessage[] = [{ role: 'system', content: 'Be brief.'.repeat(20) }];
      const prompt = [1, 2, 3];
      for (let at = 0; at < steps; at++) {
        messages.push(text(`screen ${at} `.repeat(40)));
        const made = callOf([...messages]);
        const completion = [1000 + at, 2000 + at];
        const tokens = { prompt: [...prompt], completion, logprobs: [-1, -2] };
        const { record } = write({ ...made, reply: { ...made.reply, tokens } }, { by: student, at });
        const { call, keep } = shelf.recordOf(record);
        expect([call.messages.length, keep.messages]).toEqual(at === 0 ? [2, 0] : [1, messages.length - 1]);
        messages.push(made.reply.message);
        prompt.push(...completion, 7, 8, 9);
      }
      return shelf.bytes();
    });
    expect(sizes[1]! / sizes[0]!).toBeLessThan(2.1);
  });

  it('[TOK-2] lines of calls side by side each go on from their own', () => {
    const shelf = createShelf();
    const write = createCallWriter(shelf.attach);
    const kept: number[] = [];
    const long = 'a long screen '.repeat(20);
    for (let at = 0; at < 5; at++) {
      for (const line of ['first', 'second']) {
        const turns = Array.from({ length: at + 1 }, (_, turn) => text(`${line} ${turn} ${long}`));
        const { record: address } = write(callOf([{ role: 'system', content: 'Be brief.' }, ...turns]), {
          by: student,
          at,
        });
        kept.push(shelf.recordOf(address).keep.messages);
      }
    }
    expect(kept).toEqual([0, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  });

  it('[TOK-3] the picture of a message is kept once, as the bytes that it is', () => {
    const shelf = createShelf();
    const write = createCallWriter(shelf.attach);
    const data = Buffer.from('the bytes of a picture');
    const shown: ChatMessage = {
      role: 'user',
      content: [{ type: 'image', mediaType: 'image/png', data: data.toString('base64') }],
    };
    write(callOf([shown]), { by: student, at: 0 });
    write(callOf([text('other'), shown]), { by: teacher, at: 0 });
    expect(shelf.held.get(hash('sha256', data, 'hex'))).toEqual(Uint8Array.from(data));
    expect(shelf.held.size).toBe(3);
  });

  it('[TOK-4] what is missing or was altered is refused by its address', () => {
    const shelf = createShelf();
    const write = createCallWriter(shelf.attach);
    const first = write(callOf([text('a')]), { by: student, at: 0 });
    const second = write(callOf([text('a'), text('b')]), { by: student, at: 1 });
    shelf.held.delete(first.record);
    expect(() => createCallReader(shelf.attachment)(second.record)).toThrow(
      expect.objectContaining({ code: 'corrupt-record', message: expect.stringContaining(first.record) }),
    );
    shelf.held.set(first.record, Buffer.from('{"format":"another"}'));
    expect(() => createCallReader(shelf.attachment)(second.record)).toThrow(/is no record of a call/);
  });

  it('[TOK-1] the event says which tokens the server gave', () => {
    const write = createCallWriter(createShelf().attach);
    const call = callOf([text('a')]);
    const tokens = { prompt: null, completion: [1], logprobs: null };
    expect(write(call, { by: student, at: 3 })).toMatchObject({
      at: 3,
      tokens: { prompt: false, completion: false, logprobs: false },
    });
    expect(write({ ...call, reply: { ...call.reply, tokens } }, { by: student, at: 3 }).tokens).toEqual({
      prompt: false,
      completion: true,
      logprobs: false,
    });
  });
});

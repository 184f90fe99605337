import { describe, expect, it } from 'vitest';
import type { ModelCall } from '../../core/chat/model.ts';
import { createAnswerWatch } from './answer-watch.ts';

const screen = 'button "Next page" '.repeat(200);
const tools = Array.from({ length: 30 }, (_, index) => ({
  name: `tool_${index}`,
  description: 'Does something with a message of the inbox.',
  input: { type: 'object', properties: { id: { type: 'string', description: 'Id of the message.' } } },
}));

function callOf({ prompt = 3000, problem = null, ...rest }: Partial<ModelCall> & { prompt?: number } = {}): ModelCall {
  return {
    endpoint: 'openai:m@http://127.0.0.1/v1',
    question: 'act',
    prompts: {},
    messages: [{ role: 'user', content: [{ type: 'text', text: screen }] }],
    tools,
    sampling: {},
    reply: {
      id: 'r',
      model: 'm',
      version: null,
      message: { role: 'assistant', content: 'Hello!' },
      finish: 'stop',
      usage: { prompt, completion: 2 },
      tokens: null,
    },
    cost: null,
    attempts: 1,
    problem,
    ...rest,
  } as ModelCall;
}

function noticesOf(calls: readonly ModelCall[]): string[] {
  const notices: string[] = [];
  const watch = createAnswerWatch(text => notices.push(text));
  for (const call of calls) watch(call);
  return notices;
}

describe('the watch over answers', () => {
  it('[LLM-18] notices a template that leaves the tools out, and says so once', () => {
    const notices = noticesOf([callOf({ prompt: 900 }), callOf({ prompt: 900 })]);
    expect(notices).toEqual([
      expect.stringMatching(/counts 900 tokens in a request of about [\d,]+, .*student\.speech=text/),
    ]);
    expect(noticesOf([callOf({ prompt: 3000 }), callOf({ prompt: 900, tools: [] })])).toEqual([]);
  });

  it('[LLM-18] says after three unusable answers in a row what helps', () => {
    const bad = (rest: Partial<ModelCall> = {}): ModelCall => callOf({ problem: 'There is no tool call.', ...rest });
    expect(noticesOf([bad(), bad(), callOf(), bad(), bad()])).toEqual([]);
    expect(noticesOf([bad(), bad(), bad(), bad()])).toEqual([expect.stringMatching(/3 answers in a row.*speech=text/)]);
    expect(noticesOf([1, 2, 3].map(() => bad({ tools: [] })))[0]).toMatch(/student\.grammar=true/);
    const { reply } = bad();
    expect(noticesOf([1, 2, 3].map(() => bad({ reply: { ...reply, finish: 'length' } })))[0]).toMatch(/maxTokens/);
  });
});

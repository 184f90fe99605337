import { describe, expect, it } from 'vitest';
import { planFor, run, runOne } from '../../../test/fixtures/episode-setup.ts';
import { mailWorld } from '../../../test/fixtures/episodes.ts';
import { createMemoryJournal } from '../../../test/fixtures/memory-journal.ts';
import {
  createScriptedModel,
  kindsOf,
  wordsOf,
  type Asked,
  type Told,
} from '../../../test/fixtures/models/scripted-model.ts';
import { drawnWorld } from '../../../test/fixtures/pictures/drawn-world.ts';
import type { Action } from '../../core/action.ts';
import { fenced } from '../../core/chat/fence.ts';
import type { ModelCall } from '../../core/chat/model.ts';
import { servedMember, servedQuestionSchema } from '../../core/chat/served.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import type { View } from '../../core/episode/view.ts';
import { EspalierError } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import { createLinear } from '../../episode/strategies/linear.ts';
import { createLlmPolicy } from './llm-policy.ts';
import { readPrompts } from '../../models/prompt/prompts.ts';

const task = mailWorld.task('star-message', 1);
const right = planFor(mailWorld.open(task));
const strategy = createLinear();

function told(action: Action, rest: Told = {}): Told {
  const { name, input } = toolCallOf(action);
  return { ...rest, calls: [[name, input]] };
}

/** A view of the first screen of the task. */
function firstView(rest: Partial<View> = {}): View {
  const observation = mailWorld.open(task).observe();
  const { instruction } = task;
  return { instruction, observation, history: [], path: [], tools: [], random: createRandom('a'), ...rest };
}

async function decide(answer: Told, options: Partial<Parameters<typeof createLlmPolicy>[0]> = {}) {
  const model = createScriptedModel(() => answer);
  const calls: ModelCall[] = [];
  const recordCall = (call: ModelCall): void => void calls.push(call);
  const decision = await createLlmPolicy({ model, ...options }).act({ ...firstView(), recordCall });
  return { decision, calls, request: model.requests[0] as Asked };
}

describe('a model as a policy', () => {
  it('[LLM-1] asks with a prompt that begins with the one before', async () => {
    const model = createScriptedModel((_, index) => told(right[index] as Action));
    const record = await runOne({
      task,
      parts: { environment: mailWorld, student: createLlmPolicy({ model }), strategy },
    });
    expect(record.end.outcome).toBe('passed');
    expect(model.requests).toHaveLength(right.length);
    for (const [index, { messages, tools }] of model.requests.entries()) {
      expect(messages).toHaveLength(2 + 2 * index);
      if (index === 0) continue;
      const before = model.requests[index - 1] as Asked;
      expect(messages.slice(0, -2)).toEqual(before.messages);
      expect(tools).toEqual(before.tools);
    }
    const [system, user] = (model.requests[0] as Asked).messages;
    expect(system).toEqual({ role: 'system', content: readPrompts().texts.act });
    expect(user?.role).toBe('user');
  });

  it('[LLM-17] holds a server to what can be used, and records how it was told', async () => {
    const text = await decide({ text: 'click e1' }, { speech: 'text', grammar: 'ebnf' });
    expect(text.request).toMatchObject({ grammar: { told: 'ebnf', gbnf: expect.stringContaining('"click "') } });
    expect(text.calls[0]).toMatchObject({ grammar: 'ebnf', problem: null });
    const tools = await decide({ calls: [['click', { ref: 'e1' }]] }, { grammar: 'ebnf' });
    expect(tools.request).toMatchObject({ toolChoice: 'required' });
    expect(tools.request).not.toHaveProperty('grammar');
    const free = await decide({ calls: [['click', { ref: 'e1' }]] });
    expect(free.request.toolChoice).toBe('auto');
    expect(free.calls[0]).not.toHaveProperty('grammar');
  });

  it('[LLM-8] tells the task, the steps and the newest screen so that they can be read back', async () => {
    const model = createScriptedModel((_, index) => told(right[index] as Action));
    const policy = createLlmPolicy({ model });
    const views: View[] = [];
    const student = { name: 'watched', act: (view: View) => (views.push(view), policy.act(view)) };
    await runOne({ task, parts: { environment: mailWorld, student, strategy } });
    for (const [index, view] of views.entries()) {
      const words = wordsOf({
        ...(model.requests[index] as Asked),
        messages: model.requests[index]!.messages.slice(1),
      });
      expect(fenced('task', words)).toEqual([view.instruction]);
      expect(fenced('done', words)).toEqual(view.history);
      expect(fenced('screen', words).at(-1)).toBe(view.observation.text);
    }
  });

  it('[LLM-7] keeps thoughts apart from actions', async () => {
    const finish: Action = { kind: 'finish' };
    expect((await decide(told(finish))).decision).not.toHaveProperty('thought');
    const beside = await decide(told(finish, { text: 'All is done.', thought: 'Let me see.' }));
    expect(beside.decision).toMatchObject({ action: finish, thought: 'Let me see.\n\nAll is done.' });
    const words = await decide({ text: '<think>Click e1?\nclick e1\n</think>No.\nfinish' });
    expect(words.decision).toMatchObject({ action: finish, thought: 'Click e1?\nclick e1\nNo.' });
  });

  it('[LLM-5] is told how to write steps where it cannot call tools, and answers in words', async () => {
    const lines = ['click e1', 'Now:\nfinish'];
    const model = createScriptedModel((_, index) => ({ text: lines[index] as string }));
    const student = createLlmPolicy({ model, speech: 'text' });
    const record = await runOne({ task, parts: { environment: mailWorld, student, strategy } });
    expect(record.tree.path(record.end.leaf).map(({ action }) => action.kind)).toEqual(['click', 'finish']);
    const [first, second] = model.requests as [Asked, Asked];
    expect(first.tools).toBeUndefined();
    expect(wordsOf(first)).toContain('fill REF "the whole new text"');
    expect(wordsOf(first)).toContain('star_message {id: string, starred: boolean}: Put a star on a message');
    expect(second.messages.slice(0, 2)).toEqual(first.messages);
    expect(second.messages.slice(2).map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(second.messages[2]?.content).toBe('click e1');
  });

  it('[LLM-9] says what it took, and hands over the whole exchange', async () => {
    const sampling = { temperature: 0.5, maxTokens: 200 };
    const { decision, calls, request } = await decide(told({ kind: 'finish' }), { sampling, wantsTokens: true });
    expect(decision).toMatchObject({ tokens: 105, cost: 0.01 });
    expect(request).toMatchObject({ sampling, wantsTokens: true, toolChoice: 'auto', parallelCalls: false });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      question: 'act',
      endpoint: 'openai:told@http://127.0.0.1:9/v1',
      prompts: { act: readPrompts().hashes.act },
      messages: request.messages,
      tools: request.tools,
      sampling,
      problem: null,
    });
    const free = await decide(told({ kind: 'finish' }, { usage: null, cost: null }));
    expect(free.decision).not.toHaveProperty('tokens');
    expect(free.decision).not.toHaveProperty('cost');
  });

  it('[LLM-9] draws a seed from the chance of the episode when it is to, and takes nothing from it', async () => {
    const drawn = async (name: string): Promise<number | undefined> => {
      const model = createScriptedModel(() => told({ kind: 'finish' }));
      const random = createRandom(name);
      await createLlmPolicy({ model, sampling: { seed: 'drawn' } }).act(firstView({ random }));
      expect(random.next()).toBe(createRandom(name).next());
      return model.requests[0]?.sampling.seed;
    };
    expect(await drawn('a')).toBe(await drawn('a'));
    expect(await drawn('a')).not.toBe(await drawn('b'));
    expect((await decide(told({ kind: 'finish' }), { sampling: { seed: 7 } })).request.sampling).toEqual({ seed: 7 });
  });

  it.each(['image', 'both'] as const)('[LLM-10] shows the newest pictures when it observes %s', async observe => {
    const model = createScriptedModel((_, index) =>
      index < 9 ? { calls: [['click-at', { x: 1, y: 1 }]] } : told({ kind: 'finish' }),
    );
    const student = createLlmPolicy({ model, observe });
    await runOne({ task, parts: { environment: drawnWorld(mailWorld), student, strategy } });
    expect(model.requests).toHaveLength(10);
    for (const [index, request] of model.requests.entries()) {
      const parts = request.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
      const pictures = parts.filter(part => part.type === 'image');
      expect(pictures.length).toBeGreaterThanOrEqual(Math.min(2, index + 1));
      expect(pictures.length).toBeLessThanOrEqual(5);
      expect(kindsOf(request.messages.at(-1)).at(-1)).toBe('image');
      expect(fenced('screen', wordsOf(request))).toHaveLength(observe === 'image' ? 0 : index + 1);
      const offered = request.tools?.map(({ name }) => name) ?? [];
      expect([offered.includes('click'), offered.includes('click-at')]).toEqual([observe === 'both', true]);
    }
    // Pictures go away some at a time, so that most prompts begin with the one before.
    const grown = model.requests.filter(({ messages }, index) => {
      const before = model.requests[index - 1]?.messages ?? [];
      return JSON.stringify(messages.slice(0, before.length)) === JSON.stringify(before);
    });
    expect(grown).toHaveLength(8);
  });

  it('[LLM-10] refuses to look at pictures where there are none', async () => {
    const act = decide(told({ kind: 'finish' }), { observe: 'both' });
    await expect(act).rejects.toThrow('The model is to be shown pictures, and the screen has none.');
    await expect(act).rejects.toMatchObject({ boundary: 'policy', code: 'unsupported' });
  });

  it('[LLM-14] tells a served policy the question, the chance, the sealed task and the way, and nobody else', async () => {
    const model = createScriptedModel((_, index) => told(right[index] as Action), 'espalier');
    const served = { episode: 'run/key', task };
    const student = createLlmPolicy({ model, served });
    await runOne({ task, parts: { environment: mailWorld, student, strategy } });
    const questions = model.requests.map(({ extra }) => servedQuestionSchema.parse(extra?.[servedMember]));
    for (const [index, question] of questions.entries()) {
      expect(question).toEqual({
        question: 'act',
        random: `seed/collect/0/${task.id}/0/question ${index + 1}`,
        episode: 'run/key',
        task,
        path: right.slice(0, index),
      });
    }
    expect((await decide(told({ kind: 'finish' }))).request).not.toHaveProperty('extra');
    await expect(decide(told({ kind: 'finish' }), { served })).rejects.toThrow(
      'The task would be told to openai:told@',
    );
  });

  it('[LLM-9] leaves what a model cannot do to whoever asked', async () => {
    const full = new EspalierError({
      boundary: 'policy',
      code: 'context-overflow',
      message: 'The prompt is too long.',
      expected: 'Give it a smaller window.',
    });
    const student = (): ReturnType<typeof createLlmPolicy> =>
      createLlmPolicy({ model: createScriptedModel(() => full) });
    const { stored } = await run({
      tasks: [task],
      parts: () => ({ environment: mailWorld, student: student(), strategy }),
    });
    expect(stored[0]?.end).toMatchObject({ outcome: 'errored', boundary: 'policy', reason: 'context overflow' });
  });
});

describe('answers of no use', () => {
  const useless: [string, Told, string][] = [
    ['no call', { text: 'I am not sure what to do.' }, 'There is no tool call in the answer.'],
    ['nothing', {}, 'There is no tool call in the answer.'],
    ['an unknown tool', { calls: [['clikc', { ref: 'e1' }]] }, 'There is no tool "clikc".'],
    ['invalid JSON', { calls: [['click', '{"ref": "e1']] }, 'The input of click is not a JSON object.'],
    ['an invalid reference', { calls: [['click', { ref: 'first' }]] }, 'The input of click is not valid.'],
    ['a cut answer', { text: 'Let me think about', finish: 'length' }, 'cut off at its longest length'],
    ['a filter', { finish: 'filter' }, 'withheld by a filter'],
  ];

  it.each(useless)(
    '[LLM-6] of %s give no action, are recorded, and are told in the next question',
    async (_, bad, problem) => {
      const model = createScriptedModel((_request, index) => (index === 0 ? bad : told(right[index - 1] as Action)));
      const journal = createMemoryJournal();
      const student = createLlmPolicy({ model });
      const calls: ModelCall[] = [];
      const watched = {
        name: 'watched',
        async act(view: View) {
          const recordCall = (call: ModelCall): void => {
            calls.push(call);
            view.recordCall?.(call);
          };
          return student.act({ ...view, recordCall });
        },
      };
      const record = await runOne({ task, journal, parts: { environment: mailWorld, student: watched, strategy } });
      expect(record.end.outcome).toBe('passed');
      expect(calls.map(call => call.problem?.includes(problem) ?? null)).toEqual([true, ...right.map(() => null)]);
      const [first, second, third] = model.requests as [Asked, Asked, Asked];
      // The question grows, and goes on growing when it was answered.
      expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages);
      expect(third.messages.slice(0, second.messages.length)).toEqual(second.messages);
      const [answer, result] = second.messages.slice(first.messages.length);
      expect(answer?.role).toBe('assistant');
      expect(wordsOf({ ...second, messages: [result!] })).toContain(problem);
      for (const message of second.messages) {
        if (message.role !== 'assistant') continue;
        // Servers refuse these when they are sent back.
        expect(message.content + (message.calls ?? []).map(({ name }) => name).join('')).not.toBe('');
        for (const { input } of message.calls ?? []) JSON.parse(input);
      }
    },
  );

  it('[LLM-6] of several calls the first is made, and the model is told that the others were not', async () => {
    const [first, ...rest] = right as [Action, ...Action[]];
    const { name, input } = toolCallOf(first);
    const model = createScriptedModel((_, index) =>
      index === 0
        ? {
            calls: [
              [name, input],
              ['finish', {}],
            ],
          }
        : told(rest[index - 1] as Action),
    );
    const record = await runOne({
      task,
      parts: { environment: mailWorld, student: createLlmPolicy({ model }), strategy },
    });
    expect(record.end.outcome).toBe('passed');
    const after = (model.requests[1] as Asked).messages.slice(2);
    expect(after.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool']);
    expect(after[0]).toMatchObject({ calls: [{ id: 'call00001' }, { id: 'call00002', name: 'finish' }] });
    expect(after[1]).toMatchObject({
      call: 'call00002',
      failed: true,
      content: [{ text: expect.stringContaining('Not done') }],
    });
    expect(after[2]).toMatchObject({ call: 'call00001' });
  });

  it('[LLM-6] are forgotten by another attempt at the same place', async () => {
    const model = createScriptedModel((_, index) => (index === 0 ? {} : told({ kind: 'finish' })));
    const policy = createLlmPolicy({ model });
    for (let asked = 0; asked < 3; asked++) await policy.act(firstView());
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([2, 4, 2]);
  });
});

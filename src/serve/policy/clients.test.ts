import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, stepCountIs, streamText, tool, type ToolSet } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import { fence } from '../../core/chat/fence.ts';
import type { StateEnvironment, StateSession } from '../../core/contracts.ts';
import { actionOf, screenTools } from '../../core/episode/action-tools.ts';
import { describeStep, writePrompt } from '../../core/episode/view.ts';
import type { Json } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import { untrainedWeights, createOdds, createStudent } from '../../agents/learned/student.ts';
import type { Listening } from '../http.ts';
import { createPolicyServer } from './policy-server.ts';
import { createServedStudent } from './student.ts';

let world: StateEnvironment;
let server: Listening;
let openai: OpenAI;

beforeAll(async () => {
  world = await openBuiltIn('mail');
  const student = createServedStudent({ id: 'student', version: 'v1', weigh: createOdds(untrainedWeights()) });
  server = await createPolicyServer({ policies: [student], random: createRandom('server') });
  openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
});

afterAll(() => server.close(AbortSignal.abort()));

const functions = screenTools.map(({ name, description, input }) => ({
  type: 'function' as const,
  function: { name, description, parameters: { ...input } },
}));

/** A question about the first screen of a task, and what the student does there in process. */
function firstScreen(seed: number) {
  const session = world.open(world.task('star-message', seed));
  const { instruction } = session.task;
  const observation = session.observe();
  const content = writePrompt({ instruction, history: [], screen: observation.text });
  const view = { instruction, observation, history: [], path: [], tools: [], random: createRandom(seed) };
  return { messages: [{ role: 'user' as const, content }], view };
}

async function inProcess(seed: number): Promise<unknown> {
  const { action } = await createStudent({ weights: untrainedWeights(), temperature: 1 }).act(firstScreen(seed).view);
  return action;
}

const meant = (call: { name: string; arguments: string }) => actionOf(call.name, JSON.parse(call.arguments) as Json);

describe('the openai client', () => {
  it('[SRV-18] lists models and gets calls and odds', async () => {
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['student']);
    expect((await openai.models.retrieve('student')).id).toBe('student');
    for (const seed of [1, 2, 3]) {
      const { messages } = firstScreen(seed);
      const reply = await openai.chat.completions.create({
        model: 'student',
        messages,
        tools: functions,
        seed,
        logprobs: true,
        top_logprobs: 3,
      });
      const [choice] = reply.choices;
      const call = choice?.message.tool_calls?.[0];
      if (call?.type !== 'function') throw new Error('no call');
      expect(meant(call.function)).toEqual(await inProcess(seed));
      expect(choice?.finish_reason).toBe('tool_calls');
      expect(choice?.logprobs?.content?.[0]?.logprob).toBeLessThan(0);
      expect(choice?.logprobs?.content?.[0]?.top_logprobs).toHaveLength(3);
      expect(reply.system_fingerprint).toBe('v1');
    }
  });

  it('[SRV-18] gets the same from a stream', async () => {
    const { messages } = firstScreen(5);
    const asked = { model: 'student', messages, tools: functions, seed: 5, logprobs: true };
    const whole = await openai.chat.completions.create(asked);
    const streamed = await openai.chat.completions.stream(asked).finalChatCompletion();
    const call = (choice: OpenAI.ChatCompletion.Choice | undefined) => {
      const made = choice?.message.tool_calls?.[0];
      return made?.type === 'function' ? meant(made.function) : null;
    };
    expect(call(streamed.choices[0])).toEqual(call(whole.choices[0]));
    expect(call(whole.choices[0])).toEqual(await inProcess(5));
    expect(streamed.choices[0]?.logprobs?.content).toEqual(whole.choices[0]?.logprobs?.content);
  });

  it('[SRV-18] is told what was wrong by the errors that it knows', async () => {
    const asking = (model: string) => openai.chat.completions.create({ model, messages: [] });
    await expect(asking('gpt')).rejects.toThrow(OpenAI.NotFoundError);
    await expect(asking('student')).rejects.toThrow(OpenAI.BadRequestError);
  });
});

describe('the ai SDK', () => {
  const model = () => createOpenAICompatible({ name: 'espalier', baseURL: `${server.url}/v1` }).chatModel('student');

  /** The tools of a screen, carried out in a session and answered as a harness of anybody's might. */
  function toolsIn(session: StateSession, done: string[]): ToolSet {
    const execute = (name: string) => (input: unknown) => {
      const action = actionOf(name, input as Json);
      if (action === null) throw new Error(`no action: ${name} ${JSON.stringify(input)}`);
      const before = session.observe().text;
      const line = describeStep(action, before, session.step(action).problem?.message);
      done.push(line);
      return `${fence('done', line)}\n${fence('screen', session.observe().text)}`;
    };
    return Object.fromEntries(
      screenTools.map(({ name, description, input }) => [
        name,
        tool({ description, inputSchema: jsonSchema({ ...input }), execute: execute(name) }),
      ]),
    );
  }

  function start(seed: number) {
    const session = world.open(world.task('star-message', seed));
    const prompt = `${fence('task', session.task.instruction)}\n${fence('screen', session.observe().text)}`;
    const done: string[] = [];
    const tools = toolsIn(session, done);
    return { done, request: { model: model(), prompt, tools, seed, stopWhen: stepCountIs(5), maxRetries: 0 } };
  }

  it('[SRV-18] runs an agent loop with tools that are carried out', async () => {
    const { done, request } = start(7);
    const { steps } = await generateText(request);
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.flatMap(({ toolCalls }) => toolCalls)).toHaveLength(done.length);
    expect(steps.every(({ finishReason }) => finishReason === 'tool-calls')).toBe(true);
  });

  it('[SRV-18] runs the same loop over streams', async () => {
    const [whole, streamed] = [start(9), start(9)];
    await generateText(whole.request);
    const parts: string[] = [];
    for await (const part of streamText(streamed.request).fullStream) parts.push(part.type);
    expect(streamed.done).toEqual(whole.done);
    expect(parts.filter(type => type === 'tool-result')).toHaveLength(streamed.done.length);
    expect(parts).not.toContain('error');
  });
});

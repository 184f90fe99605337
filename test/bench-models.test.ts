import OpenAI from 'openai';
import { afterAll, describe, expect, it } from 'vitest';
import { startChild } from '../bench/models/child.ts';
import { delayOf, idealMakespan, type Delays } from '../bench/models/delays.ts';
import type { EndpointNews, EndpointOptions } from '../bench/models/endpoint.ts';
import { sharedTokens } from '../bench/models/shared-tokens.ts';
import { createClient } from '../bench/models/streams.ts';

const delays: Delays = { seed: 'test', median: 100, p99: 1000, cap: 3000 };

describe('delays of the local endpoint', () => {
  it('[BEN-1] are the same for the same episode and step, and have the median, tail and cap they were given', () => {
    const all: number[] = [];
    for (let episode = 0; episode < 200; episode++)
      for (let step = 0; step < 100; step++) all.push(delayOf(delays, episode, step));
    expect(delayOf(delays, 7, 3)).toBe(all[703]);
    const sorted = all.toSorted((left, right) => left - right);
    expect(sorted[10_000]).toBeGreaterThan(96);
    expect(sorted[10_000]).toBeLessThan(104);
    expect(sorted[19_800]).toBeGreaterThan(850);
    expect(sorted[19_800]).toBeLessThan(1150);
    expect(sorted.at(-1)).toBe(3000);
  });

  it('[BEN-1] make the ideal makespan the longest episode', () => {
    const sums = [0, 1, 2].map(episode => [0, 1].reduce((sum, step) => sum + delayOf(delays, episode, step), 0));
    expect(idealMakespan(delays, 3, 2)).toBe(Math.max(...sums));
  });
});

describe('tokens that two prompts begin with', () => {
  const tools = [{ name: 'click', description: '', input: {} }];
  const system = { role: 'system', content: 'abc' } as const;
  const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] }) as const;
  const count = (text: string): number => text.length;

  it('[BEN-4] are all of the prompt before when the next one only adds to it', () => {
    const before = { tools, messages: [system, user('first')] };
    const after = { tools, messages: [system, user('first'), user('second')] };
    const { shared, tokens } = sharedTokens(before, after, count);
    expect(shared).toBe(sharedTokens(before, before, count).tokens);
    expect(tokens - shared).toBe('user\nsecond'.length);
  });

  it('[BEN-4] end where the first difference is, whatever is alike after it', () => {
    const before = { messages: [system, user('first'), user('second')] };
    const folded = { messages: [system, user('fir.'), user('second')] };
    expect(sharedTokens(before, folded, count).shared).toBe('system\nabc'.length + 'user\nfir'.length);
    const offered = { tools, messages: before.messages };
    expect(sharedTokens(before, offered, count).shared).toBe(0);
  });
});

describe('the local endpoint', async () => {
  const options: EndpointOptions = { delays: { seed: 'test', median: 1, p99: 2, cap: 2 }, steps: 2, holdAt: 2 };
  const child = startChild<EndpointNews>('endpoint', options);
  const { port } = await child.heard();
  const baseURL = `http://127.0.0.1:${port}/v1`;
  const openai = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const screen = { role: 'user', content: '[e1] textbox "Search"\n[e7] link "Trash"' } as const;
  afterAll(() => child.close());

  it('[BEN-2] clicks something on the screen, then finishes, in a stream and in one piece', async () => {
    const question = { model: 'actor', user: '3', messages: [screen] };
    const whole = await openai.chat.completions.create(question);
    const runner = openai.chat.completions.stream(question);
    for (const { choices } of [whole, await runner.finalChatCompletion()])
      expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({
        function: { name: 'click', arguments: '{"ref":"e7"}' },
      });
    const messages = [screen, { role: 'assistant', content: 'x' } as const, screen];
    const { choices } = await openai.chat.completions.create({ ...question, messages });
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'finish' } });
  });

  it('[BEN-2] tells of a question that it never answers', async () => {
    const assistant = { role: 'assistant', content: 'x' } as const;
    const abort = new AbortController();
    const messages = [screen, assistant, screen, assistant, screen];
    const asked = openai.chat.completions.create({ model: 'actor', user: '0', messages }, { signal: abort.signal });
    expect(await child.heard()).toEqual({ port, held: 1 });
    abort.abort();
    await expect(asked).rejects.toThrow('aborted');
  });

  it('[BEN-3] sends clocks, of which every piece is counted once', async () => {
    const client = createClient(baseURL);
    const { first, later } = await client.wave({ streams: 5, pieces: 4, every: 1 });
    client.close();
    expect(first).toHaveLength(5);
    expect(later).toHaveLength(15);
    expect(Math.min(...first, ...later)).toBeGreaterThan(0);
  });
});

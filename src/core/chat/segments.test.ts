import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage, ChatMessage } from './chat.ts';
import type { Exchange } from './same-context.ts';
import { segmentsOf, tokensOf } from './segments.ts';

interface Turn {
  readonly messages: readonly ChatMessage[];
  readonly answer: AssistantMessage;
  readonly hasTokens?: boolean;
  readonly model?: string;
}

/** A server whose tokens are the characters of its chat template. */
function exchange({ messages, answer, hasTokens = true, model = 'm' }: Turn): Exchange {
  const ids = (text: string): number[] => Array.from(text, letter => letter.codePointAt(0) ?? 0);
  const prompt = ids(`${messages.map(rendered).join('')}<assistant>`);
  const completion = ids(rendered(answer).slice('<assistant>'.length));
  return {
    messages,
    tools: [],
    reply: {
      id: 'x',
      model,
      version: null,
      message: answer,
      finish: 'stop',
      usage: null,
      tokens: hasTokens ? { prompt, completion, logprobs: null } : null,
    },
  };
}

function rendered(message: ChatMessage): string {
  return `<${message.role}>${JSON.stringify(message.content)}</>`;
}

const user = (text: string): ChatMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const said = (content: string): AssistantMessage => ({ role: 'assistant', content });

/** What a harness does after each answer: goes on, or writes its context anew. */
type Move = { readonly text: string; readonly answer: string; readonly rewrites: boolean };
const moves = fc.array(fc.record({ text: fc.string(), answer: fc.string(), rewrites: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
});

/** A rewritten context is never one that was there before: it says how often it was written. */
function play(steps: readonly Move[], hasTokens: boolean): Exchange[] {
  let messages: readonly ChatMessage[] = [];
  let contexts = 0;
  return steps.map(({ text, answer, rewrites }, index) => {
    if (index === 0 || rewrites) messages = [{ role: 'system', content: `context ${++contexts}` }];
    messages = [...messages, user(text)];
    const call = exchange({ messages, answer: said(answer), hasTokens });
    messages = [...messages, said(answer)];
    return call;
  });
}

describe('segments of calls', () => {
  it('[PRX-1] merges all calls of a harness that only appends, and masks exactly what was sampled', () => {
    fc.assert(
      fc.property(moves, fc.boolean(), (steps, hasTokens) => {
        const calls = play(
          steps.map(step => ({ ...step, rewrites: false })),
          hasTokens,
        );
        const segments = segmentsOf(calls);
        expect(segments).toEqual([{ calls: calls.map((_, index) => index), by: hasTokens ? 'tokens' : 'messages' }]);
        const tokens = tokensOf(calls, segments[0]!);
        expect(tokens === null).toBe(!hasTokens);
        if (tokens === null) return;
        const sampled = tokens.spans.flatMap(({ start, end }) => tokens.completion.slice(start, end));
        expect(sampled).toEqual(calls.flatMap(({ reply }) => reply.tokens?.completion));
        expect([...tokens.prompt, ...tokens.completion]).toEqual([
          ...calls.at(-1)!.reply.tokens!.prompt!,
          ...calls.at(-1)!.reply.tokens!.completion!,
        ]);
      }),
    );
  });

  it('[PRX-1] begins a segment with every context that is written anew, the first included', () => {
    fc.assert(
      fc.property(moves, fc.boolean(), (steps, hasTokens) => {
        const rewrites = steps.filter((step, index) => index > 0 && step.rewrites).length;
        expect(segmentsOf(play(steps, hasTokens))).toHaveLength(1 + rewrites);
      }),
    );
  });

  it('[PRX-2] puts every call into one segment, so that nothing is trained twice', () => {
    // Few words, so that contexts meet again and calls come from the same place.
    const word = fc.constantFrom('a', 'b');
    const anyCall = fc.record({ messages: fc.array(word, { maxLength: 4 }), answer: word, hasTokens: fc.boolean() });
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 12 }), found => {
        const calls = found.map(({ messages, answer, hasTokens }) =>
          exchange({
            messages: messages.map((text, place) => (place % 2 === 0 ? user(text) : said(text))),
            answer: said(answer),
            hasTokens,
          }),
        );
        const segments = segmentsOf(calls);
        expect(segments.flatMap(segment => segment.calls).toSorted((a, b) => a - b)).toEqual(
          calls.map((_, index) => index),
        );
        for (const segment of segments) {
          const tokens = tokensOf(calls, segment);
          for (const [index, { call, start, end }] of (tokens?.spans ?? []).entries()) {
            expect(tokens?.completion.slice(start, end)).toEqual(calls[call]?.reply.tokens?.completion);
            expect(start).toBeGreaterThanOrEqual(tokens?.spans[index - 1]?.end ?? 0);
          }
        }
      }),
    );
  });

  it('[PRX-2] gives agents that work side by side segments of their own', () => {
    const main = [user('do it')];
    const [left, right] = [[user('part one')], [user('part two')]];
    const go = (messages: ChatMessage[], answer: string): Exchange => {
      const call = exchange({ messages: [...messages], answer: said(answer) });
      messages.push(said(answer), user('and?'));
      return call;
    };
    const calls = [go(main, 'm1'), go(left, 'l1'), go(right, 'r1'), go(right, 'r2'), go(left, 'l2'), go(main, 'm2')];
    expect(segmentsOf(calls).map(segment => segment.calls)).toEqual([
      [0, 5],
      [1, 4],
      [2, 3],
    ]);
  });

  it('[PRX-2] lets one of two answers to the same question go on; the other is a segment by itself', () => {
    const asked = [user('q')];
    const calls = [
      exchange({ messages: asked, answer: said('one') }),
      exchange({ messages: asked, answer: said('two') }),
      exchange({ messages: [...asked, said('two'), user('and?')], answer: said('end') }),
    ];
    expect(segmentsOf(calls).map(segment => segment.calls)).toEqual([[0], [1, 2]]);
  });

  it('[PRX-1] sees through what harnesses do to messages without rewriting them', () => {
    const call = { id: 'c1', name: 'read', input: '{"path": "a"}' };
    const answer: AssistantMessage = { role: 'assistant', content: '', thought: 'hm', calls: [call] };
    const echoed: AssistantMessage = { role: 'assistant', content: '', calls: [{ ...call, input: '{"path":"a"}' }] };
    const result: ChatMessage = { role: 'tool', call: 'c1', content: [{ type: 'text', text: 'ok' }] };
    const first = exchange({ messages: [user('q')], answer, hasTokens: false });
    const next = exchange({ messages: [user('q'), echoed, result], answer: said('done'), hasTokens: false });
    expect(segmentsOf([first, next])).toHaveLength(1);
    const others = [{ name: 'read', description: '', input: {} }];
    expect(segmentsOf([first, { ...next, tools: others }])).toHaveLength(2);
    expect(segmentsOf([first, { ...next, reply: { ...next.reply, model: 'other' } }])).toHaveLength(2);
  });

  it('[PRX-1] goes by token ids where they are: the same messages in other tokens are another context', () => {
    const first = exchange({ messages: [user('q')], answer: said('a') });
    const next = exchange({ messages: [user('q'), said('a'), user('r')], answer: said('b') });
    const { tokens } = next.reply;
    const drifted = {
      ...next,
      reply: { ...next.reply, tokens: { ...tokens!, prompt: tokens!.prompt!.toSpliced(3, 1) } },
    };
    expect(segmentsOf([first, next])).toHaveLength(1);
    expect(segmentsOf([first, drifted])).toHaveLength(2);
  });
});

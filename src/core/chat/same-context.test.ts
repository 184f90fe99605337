import { expect, it } from 'vitest';
import type { AssistantMessage, ChatMessage, ToolCall } from './chat.ts';
import { wordingsOf, type Said } from './same-context.ts';

const one: ToolCall = { id: 'c1', name: 'read', input: '{"path": "a", "lines": [1, 2]}' };
const two: ToolCall = { id: 'c2', name: 'read', input: '{"path": "b"}' };
const answer = (...calls: readonly ToolCall[]): AssistantMessage => ({ role: 'assistant', content: '', calls });
const result = (call: string, text: string): ChatMessage => ({
  role: 'tool',
  call,
  content: [{ type: 'text', text }],
});

function isSame(left: readonly Said[], right: readonly Said[]): boolean {
  return JSON.stringify(wordingsOf(left)) === JSON.stringify(wordingsOf(right));
}

it.each<[string, readonly Said[], readonly Said[]]>([
  ['without its thought', [{ ...answer(one), thought: 'hm' } as Said], [answer(one)]],
  ['spacing of arguments', [answer(one)], [answer({ ...one, input: '{"path":"a","lines":[1,2]}' })]],
  ['order of arguments', [answer(one)], [answer({ ...one, input: '{"lines":[1,2],"path":"a"}' })]],
  [
    'arguments as an object',
    [answer(one)],
    [{ ...answer(), calls: [{ ...one, input: { lines: [1, 2], path: 'a' } }] }],
  ],
  ['no arguments', [answer({ ...one, input: '' })], [answer({ ...one, input: '{}' })]],
  ['other ids of calls', [answer(one), result('c1', 'x')], [answer({ ...one, id: 'k' }), result('k', 'x')]],
  ['a list of calls that is empty', [answer()], [{ role: 'assistant', content: '' }]],
  ['text as a part', [{ role: 'user', content: 'q' }], [{ role: 'user', content: [{ type: 'text', text: 'q' }] }]],
])('[PRX-22] is the same context: %s', (_, left, right) => expect(isSame(left, right)).toBe(true));

it.each<[string, readonly Said[], readonly Said[]]>([
  ['results of other calls', results('c1', 'c2'), results('c2', 'c1')],
  ['order of a list in arguments', [answer(one)], [answer({ ...one, input: '{"path":"a","lines":[2,1]}' })]],
  ['a text that looks like JSON', [answer({ ...one, input: '"a"' })], [answer({ ...one, input: 'a' })]],
  ['a result of a call that nobody made', [result('c1', 'x')], [result('c2', 'x')]],
  ['a call that failed', [result('c1', 'x')], [{ ...result('c1', 'x'), failed: true }]],
  ['two parts', [{ role: 'user', content: 'ab' }], [{ role: 'user', content: textParts('a', 'b') }]],
  ['another speaker', [{ role: 'user', content: 'a' }], [{ role: 'system', content: 'a' }]],
])('[PRX-22] is another context: %s', (_, left, right) => expect(isSame(left, right)).toBe(false));

it('[PRX-22] gives a result to the last call of its id, and takes arguments of any depth', () => {
  const again = [answer(one), result('c1', 'x'), answer(two), result('c2', 'y')];
  const reused = [answer(one), result('c1', 'x'), answer({ ...two, id: 'c1' }), result('c1', 'y')];
  expect(isSame(again, reused)).toBe(true);
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(wordingsOf([answer({ ...one, input: deep })])).toHaveLength(1);
});

function results(first: string, second: string): readonly Said[] {
  return [answer(one, two), result(first, 'x'), result(second, 'y')];
}

function textParts(...texts: readonly string[]): readonly object[] {
  return texts.map(text => ({ type: 'text', text }));
}

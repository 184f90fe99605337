import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../core/action.ts';
import { createOffer } from './offer.ts';
import { readTextCalls, writeTextAction } from './text-actions.ts';

const click = { name: 'click', input: { ref: 'e12' } };

describe('steps in words', () => {
  it.each([
    ['click e12', click, ''],
    ['click [e12]', click, ''],
    ['I open it.\n\nclick e12\n', click, 'I open it.'],
    ['I could click e1, or click e3.\nAction: click e12', click, 'I could click e1, or click e3.'],
    ['**Action:** `click e12`', click, ''],
    ['- click e12', click, ''],
    ['Click e12', click, ''],
    ['Here:\n```\nclick e12\n```\nThat should do.', click, 'Here:'],
    ['```json\n{"name": "click", "arguments": {"ref": "e12"}}\n```', click, ''],
    ['So {"name": "click", "arguments": "{\\"ref\\": \\"e12\\"}"} it is.', click, 'So'],
    ['<tool_call>\n{"name": "click", "arguments": {"ref": "e12"}}\n</tool_call>', click, ''],
    ['<tool_call>\n{"name": "click", "arguments": {"ref": "e12"}}', click, ''],
    ['{"kind": "click", "ref": "e12"}', click, ''],
    ['{"action": "click", "ref": "e12"}', click, ''],
    ['First ```\nclick e1\n```, no: ```\nclick e12\n```', click, 'First ```\nclick e1\n```, no:'],
    ['A set {x} and then {"a": {"b": 1}}.\nclick e12', click, 'A set {x} and then {"a": {"b": 1}}.'],
    ['fill e3 "a \\"b\\"\\nc"', { name: 'fill', input: { ref: 'e3', text: 'a "b"\nc' } }, ''],
    ['fill e3 with “a b”', { name: 'fill', input: { ref: 'e3', text: 'a b' } }, ''],
    ['fill e3 a b', { name: 'fill', input: { ref: 'e3', text: 'a b' } }, ''],
    ["select e4 'Newest first'", { name: 'select', input: { ref: 'e4', option: 'Newest first' } }, ''],
    ['call star_message {"id": "m1"}', { name: 'star_message', input: { id: 'm1' } }, ''],
    ['call list_rules', { name: 'list_rules', input: {} }, ''],
    ['Done.\nfinish', { name: 'finish', input: {} }, 'Done.'],
    ['finish "42"', { name: 'finish', input: { answer: '42' } }, ''],
    ['finish infeasible', { name: 'finish', input: { infeasible: true } }, ''],
    ['give-up', { name: 'give-up', input: {} }, ''],
  ])('[LLM-5] are read from %j', (text, call, thought) => {
    expect(readTextCalls(text)).toEqual({ calls: [call], thought });
  });

  it.each([
    '',
    'I would click on the button.',
    'click the button e12',
    'fill e3',
    'I finish here',
    '{"ref": "e12"}',
    '{"name": "click"',
    '{'.repeat(5000),
  ])('[LLM-5] are not made up from %j', text => {
    expect(readTextCalls(text)).toEqual({ calls: [], thought: text.trim() });
  });

  it('[LLM-5] all count when several stand together, in their order', () => {
    expect(readTextCalls('Both:\nclick e12\n\nfinish')).toEqual({
      calls: [click, { name: 'finish', input: {} }],
      thought: 'Both:',
    });
  });

  it('[LLM-5] read back as what was written, for every action', () => {
    const ref = fc.integer({ min: 1, max: 99 }).map(number => `e${number}`);
    const text = fc.oneof(fc.string(), fc.constantFrom('a\nb', '"', '```', 'click e1', '{"name": "x"}'));
    const actions: fc.Arbitrary<Action> = fc.oneof(
      fc.record({ kind: fc.constant('click' as const), ref }),
      fc.record({ kind: fc.constant('fill' as const), ref, text }),
      fc.record({ kind: fc.constant('select' as const), ref, option: text }),
      fc.record({ kind: fc.constant('finish' as const), answer: fc.string({ minLength: 1 }) }),
      fc.record({ kind: fc.constant('scroll' as const), x: fc.nat(), y: fc.nat(), dx: fc.integer(), dy: fc.integer() }),
      fc.constantFrom<Action>(
        { kind: 'finish' },
        { kind: 'finish', infeasible: true },
        { kind: 'back' },
        { kind: 'call', tool: 'star', input: { id: 'm1', on: [true, null] } },
      ),
    );
    const tools = [{ name: 'star', description: 'Star.', input: {} }];
    const offer = createOffer({ tools, browses: true, readsScreen: true, mayGiveUp: false });
    fc.assert(
      fc.property(actions, action => {
        const { calls } = readTextCalls(writeTextAction(action));
        expect(calls.map(offer.read)).toEqual([{ action }]);
      }),
    );
  });
});

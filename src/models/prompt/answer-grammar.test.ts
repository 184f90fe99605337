import { describe, expect, it } from 'vitest';
import { mailWorld } from '../../../test/fixtures/episodes.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import type { JsonObject } from '../../core/json.ts';
import { writeRequest } from '../dialects/openai/write-request.ts';
import { createAnswerGrammar } from './answer-grammar.ts';
import { createOffer } from './offer.ts';
import { readTextCalls, writeTextAction } from './text-actions.ts';

const session = mailWorld.open(mailWorld.task('star-message', 1));
const screen = session.observe().text;
const offer = createOffer({ tools: mailWorld.tools, browses: true, readsScreen: true, mayGiveUp: true });
const grammar = createAnswerGrammar(offer.tools, screen);

/** The texts of a grammar without recursion, as a regular expression. */
function expressionOf(gbnf: string): RegExp {
  const rules = new Map(
    gbnf.split('\n').map(line => {
      const at = line.indexOf(' ::= ');
      return [line.slice(0, at), line.slice(at + 5)] as const;
    }),
  );
  const pattern = /"((?:[^"\\]|\\.)*)"|(\[(?:[^\]\\]|\\.)*\])|([a-z]+\d*)|(\{\d+,\d+\}|[()?|])|\s+/g;
  const write = (body: string): string =>
    body.replaceAll(pattern, (...found: unknown[]) => {
      const [, literal, set, rule, sign] = found as [string, ...(string | undefined)[]];
      if (literal !== undefined) return literal.replaceAll(/\\(.)/g, '$1').replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
      if (rule !== undefined) return `(?:${write(rules.get(rule) ?? `no rule ${rule}`)})`;
      return set ?? sign ?? '';
    });
  return new RegExp(`^(?:${write(rules.get('root') ?? '')})$`);
}
const fits = (text: string): boolean => expressionOf(grammar.gbnf).test(text);

describe('the grammar of answers', () => {
  it('[LLM-17] takes every step of a plan and of the tools as text, and reads it back', () => {
    for (const action of planFor(mailWorld.open(mailWorld.task('star-message', 1))).slice(0, 1))
      expect(fits(writeTextAction(action))).toBe(true);
    const lines = [
      'click e1',
      'fill e13 "the \\"whole\\" text"',
      'select e14 "With attachment"',
      'finish',
      'finish infeasible',
      'finish "an answer"',
      'give-up',
      'call star_message {"id": "m1", "starred": true}',
      'call list_messages {}',
      'call list_messages {"show": "Unread", "page": 2}',
      'call send_message {"to": "a", "subject": "b", "body": "c", "draft": null}',
      'call scroll {"x": 1, "y": 2, "dx": 0, "dy": -40}',
    ];
    for (const line of lines) {
      expect(fits(line), line).toBe(true);
      const [call] = readTextCalls(line).calls;
      expect(call && !('problem' in offer.read(call)), line).toBe(true);
    }
  });

  it('[LLM-17] refuses what the newest screen does not have, and what is no step', () => {
    const lines = [
      'click e99',
      'click e13',
      'fill e1 "x"',
      'select e14 "Nothing"',
      'call nothing {}',
      'call star_message {"id": "m1"}',
      'Sure! click e1',
      'finish "',
      '',
    ];
    for (const line of lines) expect(fits(line), line).toBe(false);
  });

  it('[LLM-17] is told to each server in its own member', () => {
    const request = { model: 'm', messages: [], sampling: {} };
    const told = (form: 'grammar' | 'structured_outputs' | 'ebnf' | 'json_schema'): JsonObject =>
      writeRequest({ ...request, grammar: { told: form, ...grammar } });
    expect(told('grammar')['grammar']).toBe(grammar.gbnf);
    expect(told('structured_outputs')['structured_outputs']).toEqual({ grammar: grammar.gbnf });
    expect(told('ebnf')['ebnf']).toBe(grammar.gbnf);
    const format = told('json_schema')['response_format'] as { json_schema: { schema: JsonObject } };
    expect(format.json_schema.schema).toEqual(grammar.schema);
    const [call] = readTextCalls('{"step": {"name": "click", "arguments": {"ref": "e1"}}}').calls;
    expect(call).toEqual({ name: 'click', input: { ref: 'e1' } });
  });

  it('[LLM-17] ends: no text, list or object of it goes on for ever', () => {
    expect(grammar.gbnf).not.toMatch(/[*+]/);
    const longest = `fill e13 "${'x'.repeat(401)}"`;
    expect(fits(longest)).toBe(false);
    expect(fits(longest.replace('xx', 'x'))).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { mailWorld } from '../../../test/fixtures/episodes.ts';
import { createOffer } from './offer.ts';
import { createMemory } from './memory.ts';
import { readPrompts } from './prompts.ts';
import { createPromptStyle, writeStepRequest } from './step-request.ts';

const offerOf = (edition: 1 | 2) =>
  createOffer({ tools: mailWorld.tools, browses: false, readsScreen: true, mayGiveUp: false, edition });

describe('editions of the built-in prompts', () => {
  it('[LLM-19] leave runs of the first as they were', () => {
    const { hashes, texts } = readPrompts({}, 1);
    expect(hashes.act).toBe('c1496e2948e531bb815eb7afeb530e723c9064cf23202b0c874ed8ec6e48c7c5');
    expect(hashes['act-text']).toBe('bf69ad1201d55d63f067b1b5ae913f79128de3865c8a5d8979aebb9422f2a7cd');
    expect(texts.act).toContain('[e12]');
    const click = offerOf(1).tools.find(({ name }) => name === 'click');
    expect(click?.input).toEqual({
      type: 'object',
      properties: { ref: { type: 'string', description: 'Reference of the element, such as e12.' } },
      required: ['ref'],
      additionalProperties: false,
    });
    const { tools } = offerOf(1);
    expect(tools.slice(4).map(({ input }) => input)).toEqual(
      mailWorld.tools.map(({ input: { $schema: _schema, ...rest } }) => rest),
    );
  });

  it('[LLM-19] have no example that can be real, and brief schemas', () => {
    const { texts } = readPrompts();
    const written = JSON.stringify(offerOf(2).tools);
    for (const text of [texts.act, texts['act-text'], written]) expect(text).not.toMatch(/\be\d+\b/);
    expect(written.length).toBeLessThan(0.95 * JSON.stringify(offerOf(1).tools).length);
    const view = { instruction: 'Do it.', observation: { text: '' }, path: [] };
    const systemOf = (edition: 1 | 2): string => {
      const style = createPromptStyle({ speech: 'text', prompts: readPrompts({}, edition) });
      const { chat } = writeStepRequest(view, { style, offer: offerOf(edition), memory: createMemory() });
      return String(chat.messages[0]?.content);
    };
    expect(systemOf(2)).toContain('star_message {id: string, starred: boolean}: Put a star');
    expect(systemOf(2).length).toBeLessThan(0.7 * systemOf(1).length);
    const send = offerOf(2).tools.find(({ name }) => name === 'send_message');
    expect(Object.keys(send?.input['properties'] as object)).toEqual(['to', 'cc', 'subject', 'body', 'draft']);
    expect(send?.input['required']).toEqual(['to', 'subject', 'body']);
  });
});

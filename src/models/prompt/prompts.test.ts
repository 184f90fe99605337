import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { builtInPrompts, readPrompts } from './prompts.ts';

describe('prompts', () => {
  it('[LLM-11] are replaced one by one, and each has its hash', () => {
    const { texts, hashes } = readPrompts({ act: 'Do it.\n' });
    expect(texts).toEqual({ ...builtInPrompts, act: 'Do it.\n' });
    for (const name of ['act', 'review'] as const)
      expect(hashes[name]).toBe(createHash('sha256').update(texts[name]).digest('hex'));
    expect(hashes.act).not.toBe(readPrompts().hashes.act);
    expect(hashes.judge).toBe(readPrompts().hashes.judge);
  });

  it('[LLM-11] refuse unknown names and empty texts', () => {
    expect(() => readPrompts({ acts: 'Do it.' })).toThrow('There is no prompt "acts". Expected one of: act, act-text,');
    expect(() => readPrompts({ review: ' \n' })).toThrow('The prompt "review" is empty.');
  });
});

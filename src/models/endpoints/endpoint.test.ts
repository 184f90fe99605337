import { describe, expect, it } from 'vitest';
import { EspalierError } from '../../core/errors.ts';
import { isEndpointText, isNear, keyNamesOf, keyOf, readEndpoint } from './endpoint.ts';
import { createDigestSet } from '../secrets/digest-set.ts';
import { createRedactor } from '../secrets/redactor.ts';

describe('endpoints', () => {
  it.each([
    ['openai:gpt-5-mini', 'openai', 'gpt-5-mini', 'https://api.openai.com/v1'],
    ['responses:gpt-5-mini', 'responses', 'gpt-5-mini', 'https://api.openai.com/v1'],
    ['anthropic:claude-opus-5', 'anthropic', 'claude-opus-5', 'https://api.anthropic.com/v1'],
    ['anthropic:claude@20250929', 'anthropic', 'claude@20250929', 'https://api.anthropic.com/v1'],
    ['openai:qwen3@http://127.0.0.1:8000/v1/', 'openai', 'qwen3', 'http://127.0.0.1:8000/v1'],
    ['openai:Qwen/Qwen3:4b@latest@http://gpu:8000/v1', 'openai', 'Qwen/Qwen3:4b@latest', 'http://gpu:8000/v1'],
    ['openai:@cf/meta/llama-3.1@https://x.test/v1', 'openai', '@cf/meta/llama-3.1', 'https://x.test/v1'],
    ['espalier:student@http://[::1]:9000/v1', 'openai', 'student', 'http://[::1]:9000/v1'],
  ])('[MOD-1] are read from a text: %s', (text, ...expected) => {
    const { dialect, model, url, name, kind } = readEndpoint(text);
    expect([dialect.name, model, url]).toEqual(expected);
    expect(name).toBe(`${kind}:${model}@${url}`);
    // What a run writes down means the same when it is read again.
    expect(readEndpoint(name)).toEqual(readEndpoint(text));
  });

  it.each([
    ['gpt-5-mini', /does not begin with a kind/],
    ['toString:m@http://h/v1', /does not begin with a kind/],
    ['openai:', /names no model/],
    ['openai:@http://127.0.0.1:8000/v1', /names no model/],
    ['openai:two words@http://h/v1', /names no model/],
    ['espalier:student', /has no address/],
    ['openai:m@http://', /is none/],
    ['openai:m@127.0.0.1:8000/v1', /no http:\/\/ or https:\/\//],
    ['openai:m@localhost', /no http:\/\/ or https:\/\//],
    ['openai:m@models.example.com/v1', /no http:\/\/ or https:\/\//],
    ['openai:m@http://h/v1?version=2', /goes on after its path/],
  ])('[MOD-1] that are wrong are refused, and it is said what is: %s', (text, why) => {
    expect(() => readEndpoint(text)).toThrow(why);
    expect(() => readEndpoint(text)).toThrow(/Expected openai:MODEL@URL/);
  });

  it('[MOD-1] are told from other texts by their beginning', () => {
    expect(['openai:', 'espalier:x', 'anthropic:claude'].every(isEndpointText)).toBe(true);
    expect(['untrained', 'runs/a/student.json', './openai.ts'].some(isEndpointText)).toBe(false);
  });

  it.each([
    'openai:m@http://user:hush-hush@h/v1',
    'openai:m@http://hush-hush@h/v1',
    'openai:m@http://h/v1?api_key=hush-hush',
    'openai:m@https://h/v1?token=hush-hush',
    'openai:sk-hush-hush0123456789abcdef@http://h/v1',
  ])('[MOD-2] with a key in them are refused, and the key is not repeated: %s', text => {
    expect(() => readEndpoint(text)).toThrow(/ESPALIER_KEY_HOST/);
    expect(() => readEndpoint(text)).not.toThrow(/hush/);
  });
});

describe('keys', () => {
  const atHome = readEndpoint('openai:gpt-5-mini');
  const elsewhere = readEndpoint('openai:gpt-5-mini@https://models.example.com:8443/v1');
  const near = readEndpoint('anthropic:m@http://127.0.0.1:8000/v1');

  it('[MOD-2] are looked for by host, and the usual ones go to nobody but their owner', () => {
    expect(keyNamesOf(atHome)).toEqual(['ESPALIER_KEY_API_OPENAI_COM', 'OPENAI_API_KEY']);
    expect(keyNamesOf(readEndpoint('anthropic:m')).at(-1)).toBe('ANTHROPIC_API_KEY');
    expect(keyNamesOf(elsewhere)).toEqual(['ESPALIER_KEY_MODELS_EXAMPLE_COM_8443', 'ESPALIER_KEY_MODELS_EXAMPLE_COM']);
    expect(keyNamesOf(near)).toEqual(['ESPALIER_KEY_127_0_0_1_8000', 'ESPALIER_KEY_127_0_0_1']);
    expect(keyNamesOf(readEndpoint('openai:m@http://api.openai.com/v1'))).not.toContain('OPENAI_API_KEY');
  });

  it('[MOD-2] the first that is set wins, and an empty one is not set', () => {
    const read = (variables: Record<string, string>) => keyOf(atHome, name => variables[name]);
    expect(read({ OPENAI_API_KEY: ' usual\n' })).toBe('usual');
    expect(read({ OPENAI_API_KEY: 'usual', ESPALIER_KEY_API_OPENAI_COM: 'own' })).toBe('own');
    expect(read({ OPENAI_API_KEY: 'usual', ESPALIER_KEY_API_OPENAI_COM: '' })).toBe('usual');
  });

  it('[MOD-2] are asked for where one is needed, and only there', () => {
    expect(() => keyOf(atHome, () => undefined)).toThrow(/ESPALIER_KEY_API_OPENAI_COM or OPENAI_API_KEY/);
    expect(keyOf(near, () => undefined)).toBeNull();
    expect(keyOf(elsewhere, () => undefined)).toBeNull();
  });

  it('[MOD-2] that cannot be sent are refused without being shown', () => {
    const read = () => keyOf(atHome, () => 'hush hush');
    expect(read).toThrow(EspalierError);
    expect(read).not.toThrow(/hush/);
  });
});

it('[MOD-9] endpoints on this machine and next to it are near', () => {
  const isNearAt = (host: string): boolean => isNear(readEndpoint(`openai:m@http://${host}/v1`));
  expect(
    ['localhost:1', '127.0.0.1', '10.1.2.3', '172.20.0.1', '192.168.0.9', 'gpu', 'gpu.local', '[::1]:8000'].every(
      isNearAt,
    ),
  ).toBe(true);
  expect(['api.openai.com', '172.40.0.1', '8.8.8.8', 'local.example.com', '[2001:db8::1]'].some(isNearAt)).toBe(false);
});

describe('secrets', () => {
  const secret = 'a/b"c 0123456789';

  it('[MOD-3] are taken out of texts, however they are written there', () => {
    const text = `${secret}, ${encodeURIComponent(secret)}, ${JSON.stringify({ secret })}`;
    expect(createRedactor([null, secret]).text(text)).toBe('[key], [key], {"secret":"[key]"}');
  });

  it('[MOD-3] words that only stand in for a key are left where they are', () => {
    expect(createRedactor(['EMPTY']).text('The cart is EMPTY')).toBe('The cart is EMPTY');
  });

  it('[MOD-20] are searched for in a long string once, and in all that is new', () => {
    const key = 'sk-proj-7fQ2mZxW9tLkVb31RcYh';
    const redactor = createRedactor([key]);
    const long = 'Nothing to see here. '.repeat(500);
    const strings = String.prototype;
    const { charCodeAt } = strings;
    let looks = 0;
    strings.charCodeAt = function (this: string, at: number) {
      looks++;
      return charCodeAt.call(this, at);
    };
    try {
      expect(redactor.isIn({ messages: [long] })).toBe(false);
      expect(looks).toBeGreaterThan(long.length - 1);
      looks = 0;
      expect(redactor.isIn({ messages: [long, 'and more'] })).toBe(false);
      expect(looks).toBeLessThan(100);
    } finally {
      strings.charCodeAt = charCodeAt;
    }
    const hiding = [long + key, [key.slice(0, 9), key.slice(9)], { [key]: 1 }, [...Buffer.from(key)]];
    for (const value of [...hiding, ...hiding]) expect(redactor.isIn(value)).toBe(true);
  });

  it('[MOD-20] are forgotten with the oldest string where there are many', () => {
    const seen = createDigestSet(2);
    for (const text of ['one', 'two', 'three']) seen.add(text);
    expect(['one', 'two', 'three'].map(seen.has)).toEqual([false, true, true]);
  });

  it('[MOD-3] a value without any stays the same value', () => {
    const value = { deep: [{ text: 'fine' }] };
    expect(createRedactor([secret]).json(value)).toBe(value);
    expect(createRedactor([secret]).json({ deep: [{ text: `It is ${secret}.` }] })).toEqual({
      deep: [{ text: 'It is [key].' }],
    });
  });
});

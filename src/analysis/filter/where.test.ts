import { describe, expect, it } from 'vitest';
import { EspalierError } from '../../core/errors.ts';
import { readCondition, type Value, type Vocabulary } from './where.ts';

const vocabulary: Vocabulary = new Map([
  ['steps', 'number'],
  ['outcome', 'text'],
  ['passed', 'boolean'],
  ['signal.lucky', 'number'],
  ['signal.mine.*', 'number'],
]);
const episode: Readonly<Record<string, Value>> = { steps: 12, outcome: 'failed', passed: false, 'signal.mine.x': 2 };

const test = (source: string): boolean | null => readCondition(source, vocabulary).test(name => episode[name] ?? null);

describe('conditions', () => {
  it.each([
    ['steps <= 12 and outcome = "failed"', true],
    ["steps < 12 or outcome ~ 'FAIL'", true],
    ['not passed', true],
    ['not (passed or steps = 12)', false],
    ['steps in (1, 12)', true],
    ["outcome in ('passed', 'errored')", false],
    ['steps != 12', false],
    ['signal.mine.x > 1', true],
    ['steps > -1', true],
    ['passed = false', true],
    ['passed = FALSE', true],
    ['passed = True', false],
  ])('[SIG-6] %s is %s', (source, expected) => expect(test(source)).toBe(expected));

  it.each([
    ['signal.lucky < 0.5', null],
    ['not signal.lucky < 0.5', null],
    ['signal.lucky < 0.5 and passed', false],
    ['signal.lucky < 0.5 or steps = 12', true],
    ['known(signal.lucky)', false],
    ['not known(signal.lucky)', true],
    ['NOT KNOWN(signal.lucky)', true],
    ['steps = 12 AND Known(steps) OR passed', true],
  ])('[SIG-6] a value that is not there is unknown, not zero: %s is %s', (source, expected) =>
    expect(test(source)).toBe(expected),
  );

  it.each([
    ['signal.luky < 0.5', 'Did you mean "signal.lucky"?', 'espalier list signals'],
    ['steps < "x"', 'at character 9', 'Expected a number'],
    ['outcome < 3', 'outcome is a text', 'Expected a number'],
    ['steps and passed', 'steps is a number', 'a condition'],
    ["passed = 'true'", 'at character 10', 'Expected true or false, without quotes'],
    ["passed in ('true')", 'at character 12', 'Expected true or false, without quotes'],
    ["steps = '12'", 'at character 9', 'Expected a number, without quotes'],
    ['outcome = 3', 'a number', 'Expected a text in quotes'],
    ['outcome = failed', 'there is no "failed"', 'a text in quotes'],
    ['steps', 'not a condition', 'a comparison'],
    ['steps <', 'at the end', 'a name, a number'],
    ['(steps = 1', 'at the end', '")"'],
    ['steps = 1 passed', 'at character 11', '"and", "or"'],
    ['outcome = "failed', 'a text that does not end', 'closing quote'],
    ['steps # 1', 'at character 7', 'operator'],
    ['steps in 1', 'at character 10', 'a list'],
    ['', 'at the end', 'a name'],
  ])('[SIG-7] %s is refused with its place', (source, message, expected) => {
    const read = (): unknown => readCondition(source, vocabulary);
    expect(read).toThrow(EspalierError);
    expect(read).toThrow(message);
    expect(read).toThrow(expected);
  });

  it.each([
    ['signal.luky < 0.5', 'there is no "signal.luky". Did you mean "signal.lucky"? Expected a name'],
    ['steps > 1 and', 'is wrong at the end: something is missing. Expected a name'],
  ])('[SIG-43] %s is answered in whole sentences', (source, message) => {
    expect(() => readCondition(source, vocabulary)).toThrow(message);
  });

  it('[SIG-7] an unknown name is answered with the five nearest, not with all', () => {
    const many = new Map([
      ...vocabulary,
      ...Array.from({ length: 250 }, (_, at) => [`signal.x${at}`, 'number'] as const),
    ]);
    const read = (): unknown => readCondition('signal.luky < 1', many);
    expect(read).toThrow(/a name such as signal\.lucky(, [a-z.0-9*]+){4}; espalier list signals shows all signals/);
  });

  it.each([
    ['5,000 parentheses', `${'('.repeat(5000)}passed${')'.repeat(5000)}`, 'at character 101'],
    ['20,000 times not', `${'not '.repeat(20_000)}passed`, 'at character 401'],
    ['5,000 times known', `${'known('.repeat(5000)}passed${')'.repeat(5000)}`, 'nested more than 100'],
    ['20,000 conditions', Array.from({ length: 20_000 }, () => 'passed').join(' and '), 'more than 1000'],
  ])('[SIG-7] %s are refused with their place', (_name, source, message) => {
    const read = (): unknown => readCondition(source, vocabulary);
    expect(read).toThrow(EspalierError);
    expect(read).toThrow(message);
  });

  it('[SIG-7] 100 levels and 200 conditions are read', () => {
    expect(test(`${'('.repeat(100)}passed${')'.repeat(100)}`)).toBe(false);
    expect(test(`${'not '.repeat(100)}passed`)).toBe(false);
    expect(test(Array.from({ length: 200 }, () => '(not passed)').join(' and '))).toBe(true);
  });
});

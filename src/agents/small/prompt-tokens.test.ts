import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fitPrompt } from './fit-prompt.ts';
import { marksOf } from './marks.ts';
import { readModelFiles } from './model-files.ts';
import { createPromptTokens } from './prompt-tokens.ts';

const folder = `${import.meta.dirname}/../../../test/fixtures/small`;
const { facts, readTokenizer } = readModelFiles(folder);
const read = createPromptTokens(readTokenizer());

/** Written by Python's `tokenizers` and by python/recipe/matches.py. */
interface PythonTokens {
  readonly prompt: string;
  readonly ids: readonly number[];
  /** In code points. */
  readonly offsets: readonly (readonly [number, number])[];
  readonly marks: readonly number[];
}

const rows = readFileSync(`${folder}/prompts.jsonl`, 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as PythonTokens);

it('[SML-1] tokens, their places in the text and their marks are those of the training recipe', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const { prompt, ids, offsets, marks } of rows) {
    const tokens = read(prompt);
    expect(tokens.ids).toEqual(ids);
    const places = [0];
    for (const point of prompt) places.push((places.at(-1) as number) + point.length);
    expect(tokens.starts.map((start, at) => [start, tokens.ends[at]])).toEqual(
      offsets.map(([start, end]) => [places[start], places[end]]),
    );
    expect([...marksOf(ids, facts)]).toEqual(marks);
  }
});

it('[SML-2] a prompt that is too long loses lines without an element or a word of the task first, and says how many', () => {
  const idle = Array.from({ length: 150 }, (_, at) => `  ${at} ${at} ${at}`);
  const screen = ['page "Claims"', '  [e1] button "Save"', ...idle, '  Ada Olsen: 7'].join('\n');
  const fitted = fitPrompt({ task: 'What does Ada owe?', done: [], screens: [screen] }, { read, facts });
  expect(fitted.tokens.ids.length).toBeLessThanOrEqual(facts.longest);
  expect(fitted.leftOut?.of).toBe(153);
  expect(fitted.leftOut?.lines).toBeGreaterThan(10);
  expect(fitted.tokens.text).toContain('\n button "Save" <e1>\n 0 0 0\n');
  expect(fitted.tokens.text).toMatch(/\n Ada Olsen: 7\n<act>$/);
  const short = fitPrompt({ task: 'Save', done: [], screens: ['page "Claims"'] }, { read, facts });
  expect(short.leftOut).toBeNull();
});

it('[SML-2] what came with the last step and what stands beside words of the task stay, wherever they are', () => {
  const row = (at: number): string => `  [e${at}] button "Bin ${`${at} `.repeat(9)}"`;
  const buttons = (from: number): string[] => Array.from({ length: 17 }, (_, at) => row(from + at));
  const list = ['page "Claims"', ...buttons(1), '  Ada Olsen: 7', '  [e18] button "Pick"', ...buttons(19)];
  const dialog = ['  dialog "Sure?"', '    [e36] button "Proceed"'];
  const screens = [list.join('\n'), [...list, ...dialog].join('\n')];
  const task = { task: 'What does Ada owe?', done: ['click button "More"'] };
  const { tokens, leftOut } = fitPrompt({ ...task, screens }, { read, facts });
  expect(tokens.ids.length).toBeLessThanOrEqual(facts.longest);
  expect(leftOut?.lines).toBeGreaterThan(5);
  expect(tokens.text).toContain('\n Ada Olsen: 7\n button "Pick" <e18>\n');
  expect(tokens.text).toMatch(/ dialog "Sure\?"\n {2}button "Proceed" <e36>\n<act>$/);
});

it('[SML-2] a task that does not fit by itself is an error that says so', () => {
  const task = 'many words '.repeat(400);
  expect(() => fitPrompt({ task, done: [], screens: ['page "Claims"'] }, { read, facts })).toThrow(
    /without any screen; the model small reads 512\. Expected a shorter task/,
  );
});

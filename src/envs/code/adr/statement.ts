import type { CodeTask } from './task.ts';

const openings = [
  'Write a program that reads lines from standard input and prints one line for each of them.',
  'Your program gets several lines on standard input. For each line it prints one line to standard output.',
  'Read standard input line by line, and print one line of output for each line of input.',
];

/** The task in words, with examples. */
export function statementOf({ pipeline, examples }: CodeTask): string {
  const { specification, stages, input, output } = pipeline;
  const steps = stages.map(({ atom, parameter }, index) => `${index + 1}. ${sentence(atom.words(parameter))}`);
  return [
    openings[specification.wording % openings.length],
    `Each input line holds ${input.words}. For each line:`,
    ...steps,
    `Print the result as ${output.words}.`,
    '',
    'Example input:',
    ...examples.map(example => example.input),
    'Example output:',
    ...examples.map(example => example.output),
  ].join('\n');
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** The reference solution in JavaScript. */
export function referenceProgram({ pipeline }: CodeTask): string {
  const { stages, input, output } = pipeline;
  return [
    `const parse = ${input.parse.toString()};`,
    `const write = ${output.write.toString()};`,
    'const stages = [',
    ...stages.map(({ atom, parameter }) => `  [${atom.solve.toString()}, ${parameter}],`),
    '];',
    "const lines = require('node:fs').readFileSync(0, 'utf8').split('\\n').filter(line => line !== '');",
    "const { log } = require('node:console');",
    'for (const line of lines)',
    '  log(write(stages.reduce((value, [step, parameter]) => step(value, parameter), parse(line))));',
    '',
  ].join('\n');
}

import { describe, expect, it } from 'vitest';
import { createRandom } from '../src/core/random.ts';
import { baseProblems } from '../src/envs/problems/catalog.ts';
import { checkAnswer, seededInstance, workedOut } from '../src/envs/problems/instance.ts';
import type { Step } from '../src/envs/problems/script.ts';
import { sameAnswer } from '../src/worlds/verdict/same-answer.ts';

type Dress = (answer: string) => string;

/** Signs that people and models put around an answer. */
const frames: readonly Dress[] = [
  x => `"${x}"`,
  x => `'${x}'`,
  x => `\u201c${x}\u201d`,
  x => `\u2018${x}\u2019`,
  x => `**${x}**`,
  x => `__${x}__`,
  x => `*${x}*`,
  x => `\`${x}\``,
  x => `$${x}$`,
  x => `\\(${x}\\)`,
  x => `\\[${x}\\]`,
  x => `\\text{${x}}`,
  x => x,
];

/** Sentences, tags and blocks that an answer stands in. */
const sentences: readonly Dress[] = [
  x => `\`\`\`\n${x}\n\`\`\``,
  x => `\`\`\`text\n${x}\n\`\`\``,
  x => `\\boxed{${x}}`,
  x => `$\\boxed{${x}}$.`,
  x => `First I looked it up.\nThen I was sure: \\boxed{${x}}`,
  x => `\\boxed{${x}}, that is \\boxed{${x}}`,
  x => `<answer>${x}</answer>`,
  x => `<answer>\n${x}\n</answer>`,
  x => `I looked at the list. <answer>${x}</answer>`,
  x => `<answer>${x}`,
  x => `The answer is ${x}.`,
  x => `the answer is ${x}`,
  x => `The answer is: ${x}`,
  x => `**The answer is ${x}**`,
  x => `So the answer is ${x}.`,
  x => `Therefore, the final answer is ${x}.`,
  x => `Answer: ${x}`,
  x => `ANSWER = ${x}`,
  x => `**Answer:** ${x}`,
  x => `Final Answer:\n${x}`,
  x => `#### ${x}`,
  x => `It is ${x}.`,
  x => `It\u2019s ${x}.`,
  x => `${x} is the answer.`,
  x => `I opened the record and read it.\n\nThe answer is ${x}.`,
  x => JSON.stringify({ answer: x }),
  x => `${x}.`,
  x => `  ${x}\n`,
];

/** What only looks like the answer: left open, denied, one of several, more or less than it. */
const attacks: readonly ((answer: string, other: string) => string)[] = [
  (x, y) => `${x} or ${y}`,
  (x, y) => `${y} or ${x}`,
  (x, y) => `${x} / ${y} ?`,
  (x, y) => `Either ${x} or ${y}.`,
  (x, y) => `Answers: ${x} | ${y}`,
  (x, y) => `${x}\n${y}`,
  (x, y) => `"${x}" or "${y}"`,
  (x, y) => `**${x}** or **${y}**`,
  (x, y) => `\\boxed{${x}} or \\boxed{${y}}`,
  (x, y) => `\\boxed{${y}} \\boxed{${x}}`,
  (x, y) => `\\boxed{${x}} or maybe ${y}`,
  (x, y) => `<answer>${x}</answer><answer>${y}</answer>`,
  (x, y) => `<answer>${x}</answer> No, wait: ${y}`,
  (x, y) => `Answer: ${y}\nAnswer: ${x}`,
  (x, y) => `Answer: ${x}\nAnswer: ${y}`,
  (x, y) => `The answer is ${x}. The answer is ${y}.`,
  (x, y) => JSON.stringify({ answer: x, other: y }),
  (x, y) => JSON.stringify([{ answer: x }, { answer: y }]),
  x => `not ${x}`,
  x => `The answer is not ${x}.`,
  x => `It isn't ${x}.`,
  x => `It is not \\boxed{${x}}`,
  x => `The answer is not <answer>${x}</answer>`,
  x => `anything other than \\boxed{${x}}`,
  x => `maybe ${x}`,
  x => `Maybe \\boxed{${x}}`,
  x => `I think the answer is ${x}.`,
  x => `The answer is probably ${x}.`,
  x => `The answer is ${x}?`,
  x => `Is the answer ${x}?`,
  x => `${x}?`,
  x => `about ${x}`,
  x => `~${x}`,
  x => `What is ${x}? Answer with one value.`,
  x => `Question: is it ${x}? Answer:`,
  x => `If all is well the answer is ${x}, otherwise it cannot be said.`,
  x => `${x} (I am not sure)`,
  x => `${x} ${x}`,
  x => `${x}x`,
  x => `x${x}`,
  () => '',
  () => '""',
  () => 'The answer is',
  () => '<answer></answer>',
  () => '\\boxed{}',
  () => 'null',
];

const appAnswers: readonly (readonly [right: string, wrong: string])[] = [
  ['16', '17'],
  ['0', '10'],
  ['$1,234.50', '$1,234.05'],
  ['7%', '8%'],
  ['2013-12-03', '2013-12-04'],
  ['Ada Lovelace', 'Grace Hopper'],
  ["Sinéad O'Neill", 'Sinéad Neill'],
  ['ada@example.org', 'bob@example.org'],
  ['+39 186 5331', '+39 186 5332'],
  ['Re: Budget for the "north" team', 'Re: Budget for the "south" team'],
  ['It is fine', 'It is not fine'],
  ['Acme Inc.', 'Acme Ltd.'],
  ['In progress', 'Done'],
  ['10:30', '10:31'],
  ['ENG-16', 'ENG-17'],
];

/** Every answer that is refused although it is right, or passes although it is wrong. */
function misread(isRight: (given: string) => boolean, [right, wrong]: readonly [string, string]): string[] {
  // Nobody prints bold in bold.
  const dressed = sentences
    .flatMap(one => frames.map(frame => one(frame(right))))
    .filter(given => !given.includes('***'));
  const wrongs = [...Array<string>(6).fill(wrong), ...attacks.map(attack => attack(right, wrong))];
  const attacked = wrongs.flatMap((one, at) =>
    [...sentences, ...frames].filter((_, dress) => dress % 6 === at % 6).map(dress => dress(one)),
  );
  return [
    ...dressed.filter(given => !isRight(given)).map(given => `refused: ${given}`),
    ...attacked.filter(isRight).map(given => `passed: ${given}`),
  ];
}

describe('the reader of answers', () => {
  it('[VER-13] reads numbers and dates in any notation that says the same', () => {
    const notations = [
      [
        '16',
        ['16/1', '32/2', '16e0', '1.6e1', '1.6E+1', '160e-1', '16.00', '+16', '1.6 x 10^1', '<answer>16/1</answer>'],
      ],
      ['1234.5', ['1,234.50', '$1,234.5', '1.2345e3', '2469/2', '1234.5 dollars']],
      ['2013-12-03', ['2013/12/03', '2013/12/3', '2013.12.03', '3 December 2013', 'December 3rd, 2013', '3 Dec 2013']],
    ] as const;
    for (const [right, written] of notations)
      for (const given of written) expect(sameAnswer(given, right), given).toBe(true);
    const others = [
      ['16', ['16e1', '1.6', '16/2', '16/0', '016', '16 apples', '16 thousand', '16-17', '15+1', '16!', '0x10', 'XVI']],
      ['3/12', ['0.25', '1/4', '2013-03-12']],
      ['1e5', ['100000']],
      ['007', ['7', '7.0']],
      ['2013-12-03', ['03/12/2013', '12/03/2013', '2013-03-12', '2013', 'December 2013', '3 December']],
      ['10:30', ['10.5', '10:3', '10:30 or 11:30']],
    ] as const;
    for (const [right, written] of others)
      for (const given of written) expect(sameAnswer(given, right), `${given} for ${right}`).toBe(false);
  });

  it('[VER-13] takes the dress off in apps, and passes nothing wrong, left open, denied, or one of several', () => {
    const found = appAnswers.flatMap(pair => misread(given => sameAnswer(given, pair[0]), pair));
    expect(found).toEqual([]);
  });

  it('[PROB-2] reads the answers of problems as it does in apps', () => {
    const steps = new Map<string, Step>();
    for (const problem of baseProblems) {
      const step = workedOut(problem, seededInstance(problem, 1, 'easy')).at(-1) as Step;
      // A proof has lines of its own: no sentence stands around it.
      if (step.type.write(step.value).includes('\n')) continue;
      const kind = [step.type, ...step.type.elements].map(type => type.kind).join(' of ');
      steps.set(step.type.options === undefined ? kind : 'choice', step);
    }
    const found = [...steps.values()].flatMap(step => {
      const near = step.type.near(step.value, createRandom(step.problem));
      const pair = [step.type.write(step.value), step.type.write(near)] as const;
      return misread(given => checkAnswer(step, given).kind === 'right', pair).map(one => `${step.problem}: ${one}`);
    });
    expect(found).toEqual([]);
    expect(steps.size).toBeGreaterThan(8);
  });
});

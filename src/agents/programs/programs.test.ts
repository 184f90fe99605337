import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core/random.ts';
import { learnQuestion } from './learn-question.ts';
import { createProgramModel } from './program-model.ts';
import { createProgramStudent } from './program-student.ts';
import { readLine } from './read-line.ts';
import { bestAnswer, solveQuestion } from './solve-question.ts';
import { writeData } from './value.ts';

const search = { width: 24, beam: 4 };
const whole = 'Answer with a whole number, such as 42.';

function lesson(list: readonly number[], isGreatest: boolean) {
  const right = isGreatest ? Math.max(...list) : list.reduce((sum, value) => sum + value, 0);
  return {
    instruction: `What is the ${isGreatest ? 'greatest' : 'sum'} of the numbers in [${list.join(', ')}]?\n${whole}`,
    accepts: (answer: string): boolean => answer === String(right),
  };
}

function lessons(count: number) {
  const random = createRandom('lessons');
  return Array.from({ length: count }, (_, index) =>
    lesson(
      Array.from({ length: 5 }, () => random.between(-30, 30)),
      index % 2 === 0,
    ),
  );
}

describe('programs', () => {
  it('reads values out of the text alone [PRG-1]', () => {
    const { inputs, words } = readLine('How many of (3/2, -4) are 20 days after 1990-05-27, or R1?', {
      results: [{ kind: 'boolean', data: true }],
      knows: () => true,
    });
    expect(inputs.map(({ kind, data }) => [kind, data])).toEqual([
      ['numbers', [1.5, -4]],
      ['number', 20],
      ['date', '1990-05-27'],
      ['boolean', true],
    ]);
    expect(words).toContain('days after');
    expect(words.join(' ')).not.toMatch(/1990|\b20\b/);
  });

  it('writes exact fractions', () => {
    expect([10 / 3, -17 / 2, 0.125, 7, -260 / 9].map(writeData)).toEqual(['10/3', '-17/2', '1/8', '7', '-260/9']);
  });

  it('learns from verdicts which words speak for which program [PRG-2]', () => {
    const model = createProgramModel();
    const [train, test] = [lessons(24), lessons(40).slice(24)];
    for (const { instruction } of train) model.countWords(instruction);
    const share = (): number =>
      test.filter(({ instruction, accepts }) =>
        accepts(bestAnswer(solveQuestion(instruction, { model, ...search }))?.answer ?? ''),
      ).length / test.length;
    const before = share();
    for (const one of train) learnQuestion(one, { model, ...search });
    expect(before).toBeLessThan(0.6);
    expect(share()).toBe(1);
  });

  it('changes nothing when no answer was accepted [PRG-2]', () => {
    const model = createProgramModel();
    const { isSolved, attempts } = learnQuestion({ ...lessons(1)[0]!, accepts: () => false }, { model, ...search });
    expect(isSolved).toBe(false);
    expect(attempts).toBeGreaterThan(5);
    expect(model.learned().weights).toEqual({});
  });

  it('works through the lines of a composition, and keeps what it learned in a file [PRG-3]', async () => {
    const model = createProgramModel();
    for (const { instruction } of lessons(24)) model.countWords(instruction);
    for (const one of lessons(24)) learnQuestion(one, { model, ...search });
    const pair = (one: readonly number[], other: readonly number[]): string =>
      [
        'Work through these steps. Each line says how to find one result.',
        `R1: What is the sum of the numbers in [${one.join(', ')}]?`,
        `R2: What is the greatest of the numbers in [${other.join(', ')}]?`,
        'R3: The pair (R1, R2).',
        'Answer with R3: 2 values in parentheses, such as (a, b).',
      ].join('\n');
    // Only the last answer is judged.
    for (const first of [5, 8, 11])
      learnQuestion(
        { instruction: pair([first, 2], [first, 1]), accepts: answer => answer === `[${first + 2}, ${first}]` },
        { model, ...search },
      );
    const kept: unknown = JSON.parse(JSON.stringify(model.learned()));
    const student = createProgramStudent({ learned: kept as ReturnType<typeof model.learned> });
    const instruction = pair([30, 4], [9, 2, 5]);
    const decision = await student.act({ instruction } as Parameters<typeof student.act>[0]);
    expect(decision.action).toEqual({ kind: 'finish', answer: '[34, 9]' });
    expect(decision.thought).toMatch(/R1 = .*sum\(.*; R2 = .*greatest\(/);
  });
});

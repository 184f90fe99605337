import { describe, expect, it } from 'vitest';
import type { Action } from '../src/core/action.ts';
import { createRandom } from '../src/core/random.ts';
import { baseProblems, problemNames } from '../src/envs/problems/catalog.ts';
import { createProblemEnvironment, templatesOf } from '../src/envs/problems/environment/environment.ts';
import { admitProblems } from '../src/envs/problems/environment/ladder.ts';
import { checkAnswer, drawInstance, seededInstance, workedOut } from '../src/envs/problems/instance.ts';
import { byLevel, defineProblem, levels, type Problem } from '../src/envs/problems/problem.ts';
import type { Step } from '../src/envs/problems/script.ts';
import { distinct, list, pair, set } from '../src/envs/problems/types/collections.ts';
import { ratio } from '../src/envs/problems/types/fraction.ts';
import { integer, rational } from '../src/envs/problems/types/numbers.ts';
import { readAnswer } from '../src/envs/problems/types/read-answer.ts';
import type { Type } from '../src/envs/problems/types/type.ts';
import { boolean, choice, date, text } from '../src/envs/problems/types/words.ts';
import { checkLaws } from '../src/worlds/laws.ts';
import { createPlanner } from '../src/agents/planner/planner.ts';
import { findSource, openStateEnvironment } from '../src/runs/environments/open-environment.ts';
import { createSystemHost } from '../src/system/workers/host.ts';

function found(name: string): Problem {
  return problemNames.find(name) as Problem;
}

describe('answers', () => {
  const read = (type: Type, given: string): unknown => {
    const reading = readAnswer(type, given);
    return 'value' in reading ? reading.value : reading.fault;
  };

  it('[PROB-2] are read in any usual notation', () => {
    for (const given of ['1234', '1,234', ' +1234. ', '1234.0', 'The answer is 1234', 'Answer: 1234', '\\boxed{1234}'])
      expect(read(integer(), given)).toBe(1234);
    expect(read(integer(), '\u22125')).toBe(-5);
    const marked = [
      '**16**',
      '`16`',
      '$16$',
      '$$16$$',
      '\\(16\\)',
      '$\\boxed{16}$',
      'So 4 * 4 = \\boxed{16}.',
      '**Answer: 16.**',
    ];
    for (const given of marked) expect(read(integer(), given), given).toBe(16);
    const quarters = ['2 3/4', '11/4', '2.75', '275%', '$\\frac{11}{4}$'];
    for (const given of quarters) expect(read(rational(), given), given).toEqual({ numerator: 11, denominator: 4 });
    expect(read(rational(), '-1 1/2')).toEqual({ numerator: -3, denominator: 2 });
    expect(read(list(text()), '["abc", "de"]')).toEqual(['abc', 'de']);
    expect(read(choice(['Monday', 'Tuesday']), '"Monday"')).toBe('Monday');
    for (const given of ['3/4', '0.75', '6/8', '.75', '+0.750'])
      expect(read(rational(), given)).toEqual({ numerator: 3, denominator: 4 });
    expect(read(rational(), '8/4')).toBe(2);
    const metres = { name: 'm', aliases: ['metres'] };
    for (const given of ['12', '12 m', '12 metres', '12m']) expect(read(integer({ unit: metres }), given)).toBe(12);
    for (const given of ['{3, 1, 2}', '[1,2,3]', '1, 2, 3, 3', '(2; 1; 3)'])
      expect(read(set(integer()), given)).toEqual([1, 2, 3]);
    expect(read(list(integer()), '[]')).toEqual([]);
    expect(read(list(list(integer())), '[[1, 2], [3]]')).toEqual([[1, 2], [3]]);
    expect(read(pair(integer(), text()), '(4, "abc")')).toEqual([4, 'abc']);
    expect(read(boolean, 'Yes.')).toBe(true);
    expect(read(choice(['Monday', 'Tuesday']), 'monday')).toBe('Monday');
    for (const given of ['16/1', '32/2', '16e0', '1.6e1', '1.6 \\times 10^{1}', '<answer>16</answer>'])
      expect(read(integer(), given), given).toBe(16);
    expect(read(integer(), '16/3')).toBe('not-a-number');
    expect(read(found('roman-numeral').output, 'xiv')).toBe('XIV');
    expect(read(list(integer()), '["3", "1"]')).toEqual([3, 1]);
    for (const given of ['2024-03-05', '2024/03/05', '5 March 2024', 'March 5, 2024', 'March 5th, 2024'])
      expect(read(date, given)).toEqual({ year: 2024, month: 3, day: 5 });
  });

  it('[PROB-2] of every kind may stand in quotes, in a block of code or in braces of LaTeX', () => {
    const values = [
      [integer(), '16', 16],
      [rational(), '3/4', { numerator: 3, denominator: 4 }],
      [boolean, 'yes', true],
      [date, '2024-03-05', { year: 2024, month: 3, day: 5 }],
      [text(), 'abc', 'abc'],
      [choice(['Monday', 'Tuesday']), 'Monday', 'Monday'],
      [list(integer()), '[3, 1]', [3, 1]],
      [set(integer()), '{3, 1}', [1, 3]],
      [pair(integer(), text()), '(4, abc)', [4, 'abc']],
    ] as const;
    for (const [type, written, value] of values)
      for (const given of [
        `"${written}"`,
        `'${written}'.`,
        `\u2018${written}\u2019`,
        `\`\`\`\n${written}\n\`\`\``,
        `\`\`\`text\n${written}\n\`\`\``,
      ])
        expect(read(type, given), given).toEqual(value);
    for (const given of ['\\{3, 1\\}', '$\\{1, 3\\}$', '\\boxed{\\{1, 3\\}}'])
      expect(read(set(integer()), given), given).toEqual([1, 3]);
    expect(read(text({ shortest: 0 }), '""')).toBe('');
  });

  it('[PROB-2] that are no values are refused, each with a fault of its own', () => {
    for (const given of ['NaN', 'Infinity', '1e99', '0x10', '1/0', '--1', '1,23', 'twelve', '12 13'])
      expect(read(integer(), given), given).toBe('not-a-number');
    for (const given of ['NaN', '1/0', '.', '1.2.3']) expect(read(rational(), given), given).toBe('not-a-number');
    expect(read(integer(), '9'.repeat(16))).toBe('not-a-number');
    for (const given of ['\u0661\u0662', '\uff14\uff12', '4\u200b2', '\u0430bc'])
      expect(read(text(), given), given).toBe('look-alike');
    expect(read(integer(), '7'.repeat(10_000_000))).toBe('too-long');
    expect(read(integer(), ' \n')).toBe('empty');
    expect(read(integer({ unit: { name: 'm' } }), '12 km')).toBe('wrong-unit');
    expect(read(found('to-fahrenheit').output, '77 °C')).toBe('wrong-unit');
    expect(read(found('to-fahrenheit').output, '77 °F')).toBe(77);
    expect(read(integer(), '12%')).toBe('wrong-unit');
    expect(read(integer(), '\\boxed{1} or \\boxed{2}')).toBe('not-a-number');
    expect(read(list(integer()), '[1, 2')).toBe('wrong-form');
    expect(read(list(list(integer())), `${'['.repeat(20)}1${']'.repeat(20)}`)).toBe('wrong-form');
    for (const given of ['2023-02-29', '2024-13-01', '05/03/2024']) expect(read(date, given), given).toBe('wrong-form');
  });
});

describe('samplers', () => {
  it.each(['latin-square', 'truth-value'])('[PROB-5] give an instance for every seed: %s', name => {
    const problem = found(name);
    for (let seed = 0; seed < 2000; seed++) expect(problem.draw(createRandom(`s${seed}`), 'hard')).not.toBeNull();
  });
});

describe('seeds', () => {
  it('[PROB-4] go on drawing where a draw finds no instance, and say so where none does', () => {
    const problem = found('gcd');
    let draws = 0;
    const rare: Problem = {
      ...problem,
      draw: (random, level) => (draws++ % 3 === 2 ? problem.draw(random, level) : null),
    };
    for (let seed = 1; seed <= 20; seed++) expect(seededInstance(rare, seed, 'hard').input).toHaveLength(2);
    expect(() => seededInstance({ ...problem, draw: () => null }, 1, 'hard')).toThrow(
      'Problem "gcd" found no instance at level hard.',
    );
  });
});

describe('environments of problems', () => {
  const planner = createPlanner({ clock: { now: () => 0 } });

  it('[PROB-1] have a template for each level, and the same task for the same seed', async () => {
    const environment = await openStateEnvironment('problem:gcd', createSystemHost());
    expect(environment.templates.map(({ id, split }) => [id, split])).toEqual([
      ['gcd-easy', 'train'],
      ['gcd-medium', 'train'],
      ['gcd-hard', 'test'],
    ]);
    expect(environment.task('gcd-easy', 5)).toEqual(environment.task('gcd-easy', 5));
    expect(environment.task('gcd-easy', 5).instruction).not.toBe(environment.task('gcd-easy', 6).instruction);
    const subject = await openStateEnvironment('problem:number-theory+sum-list', createSystemHost());
    expect(subject.templates.length).toBe(3 * 14);
    await expect(findSource('problem:prime-factor')).rejects.toThrow('Did you mean "prime-factors"?');
    expect(() => environment.task('gcd-hrad', 1)).toThrow('Did you mean "gcd-hard"?');
    const task = environment.task('gcd-easy', 1);
    expect(() => environment.open({ ...task, instruction: 'What?' })).toThrow(/altered or damaged/);
  });

  it('[PROB-3] pass the right answer alone, and say why an answer cannot be read', () => {
    const environment = createProblemEnvironment({ id: 'p', title: 'P', problems: [found('gcd')] });
    const task = environment.task('gcd-easy', 1);
    const session = environment.open(task);
    const after = (action: Action): ReturnType<typeof session.verify> => {
      const fork = session.fork();
      fork.step(action);
      return fork.verify();
    };
    expect(session.verify().pass).toBe(false);
    expect(after(session.guide().finish)).toMatchObject({ pass: true, progress: 1 });
    expect(after({ kind: 'finish' })).toMatchObject({ pass: false, progress: 0 });
    expect(after({ kind: 'finish', answer: '1,000,000' }).checks.map(({ id }) => id)).toEqual(['answer']);
    expect(after({ kind: 'finish', answer: 'NaN' }).checks[0]?.id).toBe('readable-not-a-number');
    expect(after({ kind: 'finish', infeasible: true }).pass).toBe(false);
    const before = session.digest();
    const huge = session.step({ kind: 'finish', answer: '7'.repeat(10_000_000) });
    expect(huge.problem?.code).toBe('answer-too-long');
    expect(session.digest()).toBe(before);
  });

  it('[PROB-6] obey the laws, and the planner answers as the oracle does', async () => {
    const problems = ['gcd', 'prime-factors', 'fraction-sum'].map(found);
    const environment = createProblemEnvironment({ id: 'p', title: 'P', problems });
    const tasks = environment.templates.map(({ id }) => environment.task(id, 3));
    for (const { law, pass, detail } of await checkLaws(environment, { tasks, steps: 4 }))
      expect({ law, pass, detail }).toMatchObject({ law, pass: true });
    for (const task of tasks)
      expect(planner.plan(environment.open(task))).toMatchObject({ outcome: 'solved', cost: 1 });
    const session = environment.open(tasks[0]!);
    expect(session.step({ kind: 'call', tool: 'check_format', input: { answer: 'x' } }).result).toMatchObject({
      readable: false,
    });
    expect(session.step({ kind: 'call', tool: 'report_step', input: { step: 1, answer: 'x' } }).applied).toBe(false);
  });
});

const planted = defineProblem({
  name: 'planted',
  subject: 'test',
  about: 'Doubles a number.',
  input: integer({ low: 0, high: 1000 }),
  output: integer({ low: 0, high: 2000 }),
  sample: (random, level) => random.between(0, byLevel(50, 500, 1000)[level]),
  wordings: [x => `Twice ${x}?`, x => `Double ${x}.`],
  solve: number => 2 * number,
  bruteForce: number => number + number,
});

/** The planted problem with one member spoilt. */
function spoilt(spoil: Partial<Problem>): string | null {
  const [easy] = templatesOf([{ ...planted, ...spoil }]);
  const [admission] = admitProblems([easy!], 24);
  return admission?.rung ?? null;
}

describe('the ladder of problems', () => {
  it('[PROB-10] admits a sound problem, and rejects planted faults at their rung', () => {
    expect(spoilt({})).toBe(null);
    const withStep = (change: (step: Step, isBrute: boolean) => Step): Partial<Problem> => ({
      unfold: (given, script) =>
        planted.unfold(given, { ...script, add: step => script.add(change(step, script.solver === 'brute-force')) }),
    });
    let calls = 0;
    expect(spoilt({ draw: () => ({ input: calls++, parameters: {} }) })).toBe('deterministic');
    expect(spoilt({ draw: () => null })).toBe('parses');
    expect(spoilt(withStep(step => ({ ...step, type: { ...step.type, write: () => 'x' } })))).toBe('oracle passes');
    expect(spoilt(withStep((step, isBrute) => (isBrute ? { ...step, value: -1 } : step)))).toBe('brute force agrees');
    const lax: Partial<Problem> = withStep(step => {
      const readLax: Type['read'] = given => (given.startsWith('9') ? step.type.read(given) : { value: step.value });
      return { ...step, type: { ...step.type, read: readLax } };
    });
    expect(spoilt(lax)).toBe('wrong answers fail');
    expect(spoilt(withStep(step => ({ ...step, value: 4 })))).toBe('answers differ');
    expect(spoilt({ draw: random => ({ input: random.between(1, 5), parameters: {} }) })).toBe('questions differ');
  });

  it('[PROB-4] names the problem when it has no instance, throws or leaves its type', () => {
    const random = createRandom(1);
    expect(() => drawInstance({ ...planted, draw: () => null }, random, 'hard')).toThrow(
      'Problem "planted" found no instance at level hard.',
    );
    const definition = {
      name: 'broken',
      subject: 'test',
      about: 'Breaks.',
      input: integer({ low: 0, high: 9 }),
      output: integer({ low: 0, high: 9 }),
      sample: () => 5,
      wordings: [(x: string) => x, (x: string) => `${x}?`] as const,
      bruteForce: () => 1,
    };
    const throwing = defineProblem({
      ...definition,
      solve() {
        throw new Error('no such thing');
      },
    });
    expect(() => workedOut(throwing, drawInstance(throwing, random, 'easy'))).toThrow(
      'Problem "broken" threw in solve: no such thing.',
    );
    const straying = defineProblem({ ...definition, solve: () => Number.NaN });
    expect(() => workedOut(straying, drawInstance(straying, random, 'easy'))).toThrow(/not of its type/);
    expect(() => defineProblem({ ...definition, name: 'Bad Name', solve: () => 1 })).toThrow(/cannot be the name/);
  });
});

describe('base problems', () => {
  it('[PROB-5] climb the ladder at every level', () => {
    const rejected = [...admitProblems(templatesOf(baseProblems), 24)].filter(({ admitted }) => !admitted);
    expect(rejected).toEqual([]);
    expect(new Set(baseProblems.map(({ name }) => name)).size).toBe(baseProblems.length);
    expect(baseProblems.length).toBeGreaterThanOrEqual(100);
  });

  it('[PROB-3] take an answer written in another order or form', () => {
    const [step] = workedOut(found('divisors'), { input: 12, parameters: {}, wording: 0 });
    expect(step?.value).toEqual(distinct([1, 2, 3, 4, 6, 12]));
    expect(checkAnswer(step!, '12, 6, 4, 3, 2, 1').kind).toBe('right');
    expect(checkAnswer(step!, '12, 6, 4, 3, 2').kind).toBe('wrong');
    const half = workedOut(found('fraction-sum'), {
      input: [ratio(1, 4), ratio(1, 4)],
      parameters: {},
      wording: 1,
    });
    expect(checkAnswer(half[0]!, '0.5').kind).toBe('right');
    for (const level of levels) expect(seededInstance(found('gcd'), 1, level).input).toHaveLength(2);
  });
});

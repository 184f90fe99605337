import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../src/core/random.ts';
import { baseProblems, problemNames } from '../src/envs/problems/catalog.ts';
import { noisyAnswer, partsOf, predictedSuccess } from '../src/envs/problems/compose/difficulty.ts';
import { chain, parallel, sequential } from '../src/envs/problems/compose/operators.ts';
import { parseExpression } from '../src/envs/problems/compose/parse.ts';
import { randomCompositions } from '../src/envs/problems/compose/random-compositions.ts';
import { createProblemEnvironment, templatesOf } from '../src/envs/problems/environment/environment.ts';
import { admitProblems } from '../src/envs/problems/environment/ladder.ts';
import { checkAnswer, seededInstance, workedOut } from '../src/envs/problems/instance.ts';
import { levels, type Problem } from '../src/envs/problems/problem.ts';
import { questionOf } from '../src/envs/problems/script.ts';
import { sameValue } from '../src/envs/problems/types/type.ts';
import { gcd } from '../src/envs/problems/number-theory/gcd.ts';
import { primeFactors } from '../src/envs/problems/number-theory/prime-factors.ts';
import { isPrime } from '../src/envs/problems/number-theory/is-prime.ts';
import { divisors } from '../src/envs/problems/number-theory/divisors.ts';
import { reverseText } from '../src/envs/problems/strings/reverse-text.ts';
import { sortList } from '../src/envs/problems/collections/sort-list.ts';
import { setUnion } from '../src/envs/problems/collections/set-union.ts';
import { checkLaws } from '../src/worlds/laws.ts';
import { findSource } from '../src/runs/environments/open-environment.ts';

const parse = (text: string): Problem => parseExpression(text, problemNames);
const answerOf = (problem: Problem, seed: number): unknown =>
  workedOut(problem, seededInstance(problem, seed, 'medium')).at(-1)?.value;

describe('operators', () => {
  it('[RACES-1] have the composition of the oracles as their oracle', () => {
    const problem = parse('SEQUENTIAL(gcd,prime-factors)');
    for (let seed = 1; seed <= 20; seed++) {
      const instance = seededInstance(problem, seed, 'medium');
      const [a, b] = instance.input as [number, number];
      const shared = Array.from({ length: a }, (_, index) => index + 1).findLast(n => a % n === 0 && b % n === 0) ?? 0;
      const factors = workedOut(problem, instance).at(-1)?.value as number[];
      expect(factors.reduce((product, factor) => product * factor, 1)).toBe(shared);
    }
    const pairOf = parse('PARALLEL(gcd,is-prime)');
    const instance = seededInstance(pairOf, 1, 'easy');
    expect(workedOut(pairOf, instance).map(step => step.problem)).toEqual(['gcd', 'is-prime', 'PARALLEL']);
    expect(workedOut(pairOf, instance).at(-1)?.value).toEqual(
      workedOut(pairOf, instance)
        .slice(0, 2)
        .map(({ value }) => value),
    );
    const sorted = workedOut(
      parse('SORT(gcd,lcm,digit-sum)'),
      seededInstance(parse('SORT(gcd,lcm,digit-sum)'), 4, 'easy'),
    );
    expect(sorted.at(-1)?.value).toEqual(
      sorted
        .slice(0, 3)
        .map(({ value }) => Number(value))
        .toSorted((a, b) => a - b),
    );
    // A set has no order of its own.
    const overSet = parse('SEQUENTIAL(set-union,count-inversions)');
    const steps = workedOut(overSet, seededInstance(overSet, 1, 'easy')).map(({ text }) => text());
    expect(steps[1]).toContain('R1 in ascending order');
    const chosen = parse('SELECT(is-prime,gcd,lcm)');
    for (let seed = 1; seed <= 10; seed++) {
      const [condition, yes, no, last] = workedOut(chosen, seededInstance(chosen, seed, 'easy')).map(
        ({ value }) => value,
      );
      expect(last).toBe(condition === true ? yes : no);
    }
  });

  it('[RACES-1] nest, and say the chain in words', () => {
    const problem = parse('SEQUENTIAL(PARALLEL(SEQUENTIAL(divisors,sum-list),next-prime),gcd,digit-sum)');
    expect(problem.depth).toBe(4);
    const question = questionOf(workedOut(problem, seededInstance(problem, 2, 'easy')));
    expect(question).toMatch(/^Work through these steps/);
    for (const reference of ['R1', 'R2', 'R3', 'R4', 'R5', 'R6']) expect(question).toContain(reference);
    expect(question).toMatch(/Answer with R6: a whole number/);
    expect(partsOf(problem)).toEqual(['divisors', 'sum-list', 'next-prime', 'gcd', 'digit-sum']);
    const inner = parse('SEQUENTIAL(PARALLEL(gcd,lcm),PARALLEL(next-prime,digit-sum))');
    expect(questionOf(workedOut(inner, seededInstance(inner, 1, 'easy')))).toContain('the first value of R3');
  });

  it('[RACES-1] read answers of both types that SELECT chooses from', () => {
    const problem = parse('SELECT(lcm,reverse-text,roman-numeral)');
    const kinds = new Set<boolean>();
    for (let seed = 1; seed <= 40; seed++) {
      const last = workedOut(problem, seededInstance(problem, seed, 'easy')).at(-1)!;
      kinds.add(/[a-z]/.test(String(last.value)));
      expect(checkAnswer(last, String(last.value)).kind).toBe('right');
    }
    expect(kinds.size).toBe(2);
  });

  it.each([
    'SELECT(count-components,set-union,SEQUENTIAL(robot-walk,remove-duplicates))',
    'SELECT(count-components,SEQUENTIAL(robot-walk,remove-duplicates),set-union)',
    'SELECT(is-prime,PARALLEL(set-union,gcd),PARALLEL(remove-duplicates,gcd))',
  ])('[RACES-1] read a set and a list that SELECT chooses from as a list: %s', text => {
    const problem = parse(text);
    expect([...admitProblems(templatesOf([problem]), 2)].filter(({ admitted }) => !admitted)).toEqual([]);
    for (let seed = 1; seed <= 40; seed++) {
      const steps = workedOut(problem, seededInstance(problem, seed, 'easy'));
      const last = steps.at(-1)!;
      expect(last.text()).toMatch(/R\d (with sets )?in ascending order/);
      expect(last.type.form).not.toContain('{');
      expect(checkAnswer(last, last.type.write(last.value)).kind).toBe('right');
    }
  });

  it('[RACES-2] refuse types that do not fit, naming both', () => {
    expect(() => chain(gcd, reverseText)).toThrow(
      /"gcd", which gives integer from 1 to 1000000, and "reverse-text", which takes text of small letters/,
    );
    expect(() => parse('SORT(gcd,is-prime)')).toThrow(/gives yes or no/);
    expect(() => parse('SELECT(gcd,gcd,is-prime)')).toThrow(/which gives integer .* which gives yes or no/);
    expect(() => parse('SELECT(reverse-text,gcd,gcd)')).toThrow(/cannot choose by "reverse-text"/);
    expect(() => chain(sortList, setUnion as Problem)).toThrow(/which takes pair of/);
    // Roman numerals have no small letters, and no weekday is made of them.
    expect(() => parse('SEQUENTIAL(roman-numeral,reverse-text)')).toThrow(/cannot join/);
    expect(() => parse('SEQUENTIAL(weekday,reverse-text)')).toThrow(/cannot join/);
    expect(parse('SEQUENTIAL(run-length,reverse-text)').depth).toBe(1);
    // An integer is a rational, and a set is a list: these fit.
    expect(sequential(gcd, primeFactors).name).toBe('SEQUENTIAL(gcd,prime-factors)');
    expect(sequential(divisors, sortList).output.kind).toBe('list');
    expect(sequential(parallel(gcd, gcd), gcd).depth).toBe(2);
    // @ts-expect-error the compiler refuses what gives an integer before what takes a text
    expect(() => sequential(gcd, reverseText)).toThrow(/cannot join/);
    // @ts-expect-error the compiler refuses yes or no before what takes an integer
    expect(() => sequential(isPrime, primeFactors)).toThrow(/cannot join/);
    // @ts-expect-error the compiler refuses a list before what takes two sets
    expect(() => sequential(sortList, setUnion)).toThrow(/cannot join/);
  });

  it('[RACES-3] are read from a text, and a wrong one names the place', async () => {
    for (const [text, message] of [
      ['SEQUENTIAL(gcd,prime-factor)', /There is no problem "prime-factor". Did you mean "prime-factors"\?/],
      ['SEQUENCE(gcd,lcm)', /"SEQUENCE" at character 1 .* is no operator/],
      ['SEQUENTIAL(gcd,lcm', /At character 19 .* it ends. Expected "," or "\)"/],
      ['SEQUENTIAL(gcd,)', /At character 16 .* there is "\)"/],
      ['gcd)', /At character 4 .* Expected the end/],
      ['SORT(gcd)', /SORT was given 1 problems/],
      ['PARALLEL(gcd,gcd,gcd)', /PARALLEL was given 3/],
      ['SEQUENTIAL', /has no problems/],
      ['', /it ends/],
      ['SORT('.repeat(50), /nested too deeply/],
      ['a'.repeat(5000), /5000 characters/],
    ] as const)
      expect(() => parse(text), text).toThrow(message);
    const source = await findSource('races:SEQUENTIAL( gcd , prime-factors )');
    expect('environment' in source && source.environment.id).toMatch(
      /^races-sequential-gcd-prime-factors-[0-9a-f]{8}$/,
    );
    await expect(findSource('races:depth=9')).rejects.toThrow('Expected 1 to 5');
    await expect(findSource('races:depth=2,size=3')).rejects.toThrow('is no option of compositions');
  });
});

describe('compositions', () => {
  const drawn = [...randomCompositions({ problems: baseProblems, depth: 3, count: 40, seed: 7 })];

  it('[RACES-4] by chance are the same for the same seed, differ, and have instances at every level', () => {
    const again = [...randomCompositions({ problems: baseProblems, depth: 3, count: 40, seed: 7 })];
    expect(again.map(({ name }) => name)).toEqual(drawn.map(({ name }) => name));
    expect(new Set(drawn.map(({ name }) => name)).size).toBe(40);
    for (const problem of drawn) {
      expect(problem.depth).toBe(3);
      expect(parse(problem.name).name).toBe(problem.name);
      for (const level of levels)
        expect(workedOut(problem, seededInstance(problem, 1, level)).length).toBeGreaterThan(3);
    }
  });

  it.each([35, 47])('[RACES-4] by chance have questions and answers that differ as the ladder asks: seed %i', seed => {
    // Of these seeds, drafts passed a look at eight instances that one answer is right for too often.
    const problems = [...randomCompositions({ problems: baseProblems, depth: 1, count: 6, seed })];
    expect(problems).toHaveLength(6);
    expect([...admitProblems(templatesOf(problems), 2)].filter(({ admitted }) => !admitted)).toEqual([]);
  });

  it('[RACES-4] by chance are none twice, however they are bracketed and whatever the order in SORT', () => {
    const numbers = ['digit-sum', 'digital-root', 'next-prime', 'collatz-steps'].map(parse);
    const many = [...randomCompositions({ problems: numbers, depth: 2, count: 60, seed: 7 })];
    const flat = ({ name, operator, children }: Problem): string => {
      const parts = children.map(flat);
      if (operator === null) return name;
      if (operator === 'SEQUENTIAL') return parts.join('>');
      return `${operator}(${(operator === 'SORT' ? parts.toSorted() : parts).join(',')})`;
    };
    expect(new Set(many.map(flat)).size).toBe(60);
    expect(parse('SEQUENTIAL(digit-sum,SEQUENTIAL(digital-root,is-prime))').name).toBe(
      parse('SEQUENTIAL(digit-sum,digital-root,is-prime)').name,
    );
  });

  it('[PROB-6] obey the laws', async () => {
    const environment = createProblemEnvironment({ id: 'races', title: 'Races', problems: drawn.slice(0, 12) });
    const tasks = environment.templates.map(({ id }) => environment.task(id, 1));
    for (const { law, pass, detail } of await checkLaws(environment, { tasks, steps: 4 }))
      expect({ law, pass, detail }).toMatchObject({ law, pass: true });
    for (const task of tasks) {
      const session = environment.open(task);
      session.step(session.guide().finish);
      expect(session.verify().pass, task.instruction).toBe(true);
    }
  });

  it('[PROB-7] give partial credit for steps that were reported right', () => {
    const problem = parse('SEQUENTIAL(gcd,prime-factors,sum-list)');
    const environment = createProblemEnvironment({ id: 'races', title: 'Races', problems: [problem] });
    const task = environment.task(environment.templates[0]?.id ?? '', 1);
    const steps = workedOut(problem, seededInstance(problem, 1, 'easy'));
    const session = environment.open(task);
    const report = (step: number, answer: string) =>
      session.step({ kind: 'call', tool: 'report_step', input: { step, answer } });
    expect(report(1, String(steps[0]?.value)).applied).toBe(true);
    expect(report(2, '[1000]').applied).toBe(true);
    expect(report(3, '1').problem?.code).toBe('unknown-step');
    expect(session.observe().text).toContain('R2 = [1000]');
    const wrong = session.fork();
    wrong.step({ kind: 'finish', answer: '-1' });
    expect(wrong.verify()).toMatchObject({ pass: false, progress: 1 / 3 });
    session.step({ kind: 'finish', answer: String(steps[2]?.value) });
    expect(session.verify()).toMatchObject({ pass: true, progress: 1 });
    expect(session.verify().checks.map(({ id }) => id)).toEqual(['step-1', 'step-2', 'answer']);
  });

  it('[PROB-8] are as hard for a noisy solver as predicted', () => {
    const accuracy = () => 0.8;
    for (const text of ['next-prime', 'SEQUENTIAL(gcd,next-prime)', 'PARALLEL(gcd,lcm)', 'SELECT(digit-sum,gcd,lcm)']) {
      const problem = parse(text);
      const random = createRandom(`noise ${text}`);
      const tries = 1500;
      let right = 0;
      for (let seed = 0; seed < tries; seed++) {
        const instance = seededInstance(problem, seed, 'hard');
        const value = noisyAnswer(problem, instance, { accuracy, random });
        const last = workedOut(problem, instance).at(-1);
        if (value !== null && (sameValue(value, last?.value ?? null) || last?.accepts?.(value) === true)) right++;
      }
      const predicted = predictedSuccess(problem, accuracy);
      // Mistakes may cancel out, seldom; three standard errors are below 0.04.
      expect(right / tries, text).toBeGreaterThan(predicted - 0.04);
      expect(right / tries, text).toBeLessThan(predicted + 0.12);
    }
    expect(predictedSuccess(parse('SEQUENTIAL(gcd,next-prime,digit-sum)'), accuracy)).toBeCloseTo(0.512);
    expect(answerOf(parse('gcd'), 1)).toBe(answerOf(parse('gcd'), 1));
  });
});

it('[PROB-9] a new problem passes the checks; a solver that errs can be evaluated by its name', () => {
  const root = join(import.meta.dirname, '..');
  const folder = mkdtempSync(join(tmpdir(), 'espalier-problem-'));
  const espalier = (...args: string[]): string =>
    execFileSync(join(root, 'node_modules', '.bin', 'node'), [join(root, 'bin', 'espalier.js'), ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  try {
    espalier('new', 'problem', 'my-squares');
    expect(espalier('check', './my-squares.ts')).toMatch(/passed {2}5 of 5 laws held, 3 of 3 templates admitted/);
    const student = ['--student', 'noisy-oracle:0.8', '--no-baselines', '--workers', '0', '--out', 'run'];
    expect(espalier('eval', 'problem:gcd', ...student)).toMatch(/noisy-oracle-0\.8 +\d+\s%/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../core/clock.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Task, Verdict } from '../../core/records.ts';
import { admitWorld } from '../../forge/admission/world-ladder.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { isLong } from '../../../test/long-form.ts';
import { createRunners } from '../code/sandbox/runners.ts';
import { createTripleFault, loongBaselines, tripleFault } from './baselines.ts';
import { createLoongEnvironment, drawTriple, readTriple, tripleForms } from './loong-environment.ts';
import { tripleLevels, type TripleForm } from './triple.ts';

const runners = createRunners();
const environment = createLoongEnvironment('loong-all', tripleForms);

function formOf(name: string): TripleForm {
  return tripleForms.find(form => form.name === name) as TripleForm;
}

function verdictOf(task: Task, answer: string): Verdict {
  const session = environment.open(task);
  session.step({ kind: 'finish', answer });
  return session.verify() as Verdict;
}

function passed({ checks }: Verdict): string[] {
  return checks.filter(({ pass }) => pass).map(({ id }) => id ?? '');
}

const python = (code: string): string => `\`\`\`python\n${code}\n\`\`\``;

/** Worked out by hand. */
const worked: readonly [name: string, data: JsonObject, answer: Json][] = [
  // 30 / 1.2 + 10 / 1.44 = 25 + 125/18.
  ['present-value', { rate: 20, payments: [30, 10] }, { numerator: 575, denominator: 18 }],
  ['present-value', { rate: 10, payments: [110] }, 100],
  // The first two: 2 + 3 = 5, and 3 + 4 = 7.
  [
    'knapsack',
    {
      items: [
        [2, 3],
        [3, 4],
        [4, 5],
      ],
      capacity: 5,
    },
    7,
  ],
  [
    'shortest-route',
    {
      towns: 3,
      roads: [
        [0, 1, 4],
        [1, 2, 3],
        [2, 0, 9],
      ],
    },
    7,
  ],
  // ACGT is its own reverse complement.
  ['site-count', { strand: 'ACGT', site: 'AC' }, 2],
  ['site-count', { strand: 'AAA', site: 'AA' }, 2],
  // 40 + 2 * (16 + 1), and 12 + 2 * (14 + 3 * (16 + 1)).
  ['molar-mass', { formula: 'Ca(OH)2' }, 74],
  ['molar-mass', { formula: 'C(N(OH)3)2' }, 142],
  ['count-models', { letters: 3, clauses: [[1, 2, 3]] }, 7],
  [
    'count-models',
    {
      letters: 3,
      clauses: [
        [1, 2, 3],
        [-1, -2, -3],
      ],
    },
    6,
  ],
];

describe('triples', () => {
  it.each(worked)(
    '[LOONG-1] %s of %j has the answer worked out by hand, and its program prints it',
    (name, data, answer) => {
      expect(formOf(name).solve(data)).toEqual(answer);
      expect(tripleFault({ form: formOf(name), data }, runners)).toBeNull();
    },
  );

  it('[LOONG-1] drawn by seed have programs that print their answers', () => {
    for (const form of tripleForms)
      for (const level of tripleLevels) expect(tripleFault(drawTriple([form], level, 5), runners)).toBeNull();
  });

  it('[LOONG-2] are refused when the program prints another answer, fails or never ends', () => {
    const data = { rate: 10, payments: [110] };
    const printing = (code: string): TripleForm => ({ ...formOf('present-value'), code: () => code });
    expect(tripleFault({ form: printing('print(101)'), data }, runners)).toMatch(/prints 101, but the answer is 100/);
    expect(tripleFault({ form: printing('print(100, 7)'), data }, runners)).toMatch(/prints 100 7/);
    expect(tripleFault({ form: printing('raise ValueError'), data }, runners)).toMatch(/ended with failed/);
    expect(tripleFault({ form: printing('while True: pass'), data }, runners)).toMatch(/ended with time-limit/);
  });
});

describe('answers', () => {
  const task = environment.task('easy', 3) as Task;
  const { form, data } = readTriple(task);
  const right = form.output.write(form.solve(data));

  it('[LOONG-3] pass as a value, or as a program that prints it', () => {
    for (const answer of [right, ` ${right}. `, python(form.code(data)), `So:\n${python(`print('${right}')`)}`])
      expect(verdictOf(task, answer).pass, answer).toBe(true);
  });

  it.each([
    ['nothing', '', []],
    ['NaN', 'NaN', []],
    ['ten million characters', '7'.repeat(10_000_000), []],
    ['look-alike digits', '\uff11\uff12', []],
    ['another value', `${right}1`, ['answer-readable']],
    ['a program that prints another value', python('print(123456789)'), ['answer-readable']],
    ['a program that prints two values', python(`print('${right}')\nprint('${right}')`), []],
    ['a program that fails after it printed', python(`print('${right}')\nraise ValueError`), []],
    ['a program that prints nothing', python('pass'), []],
    ['a program that floods', python('while True: print(1)'), []],
    ['a block of another language', '```js\nconsole.log(1)\n```', []],
  ] as const)('[LOONG-3] fail when there is %s', (_name, answer, holding) => {
    const verdict = verdictOf(task, answer);
    expect(verdict.pass).toBe(false);
    expect(passed(verdict).filter(id => id !== 'program-runs')).toEqual(holding);
  });

  it('[LOONG-3] name the outcome of a program that did not end well', () => {
    const [runs] = verdictOf(task, python('raise ValueError')).checks;
    expect(runs).toMatchObject({ id: 'program-runs', pass: false, name: expect.stringContaining('failed') });
  });
});

describe('the world', () => {
  it('[LOONG-4] keeps questions for evaluation apart, whatever the order of their parts', () => {
    const contents = (from: number): Set<string> =>
      new Set(
        Array.from({ length: 150 }, (_, index) => {
          const { form, data } = drawTriple(tripleForms, 'easy', from + index);
          return JSON.stringify([form.name, form.canonical(data)]);
        }),
      );
    expect([...contents(1).intersection(contents(1_000_000))]).toEqual([]);
    const items = {
      items: [
        [2, 3],
        [3, 4],
      ],
      capacity: 5,
    };
    const turned = {
      items: [
        [3, 4],
        [2, 3],
      ],
      capacity: 5,
    };
    expect(formOf('knapsack').canonical(items)).toEqual(formOf('knapsack').canonical(turned));
    const roads = (...one: number[][]): Json => formOf('shortest-route').canonical({ towns: 3, roads: one });
    expect(roads([0, 1, 4], [1, 2, 3])).toEqual(roads([2, 1, 3], [1, 0, 4]));
  });

  it('[LOONG-5] tells what a program prints, and refuses other calls', () => {
    const session = environment.open(environment.task('easy', 3));
    const call = (tool: string, input: JsonObject) => session.step({ kind: 'call', tool, input });
    expect(call('run_python', { code: 'print(6 * 7)' })).toMatchObject({ applied: true, result: 'done\n42\n' });
    expect(call('run_python', { code: '1 / 0' })).toMatchObject({ result: expect.stringContaining('ZeroDivision') });
    for (const input of [{}, { code: '' }, { code: 7 }, { code: 'x'.repeat(20_001) }, { code: '1', more: 1 }])
      expect(call('run_python', input)).toMatchObject({ applied: false, problem: { code: 'not-allowed' } });
    expect(call('run_query', { code: '1' })).toMatchObject({ problem: { code: 'unknown-command' } });
  });

  it('[LOONG-5] obeys the laws of environments', async () => {
    for (const result of await checkLaws(environment, { tasks: [environment.task('easy', 2)], steps: 3 }))
      expect(result).toMatchObject({ pass: true });
  });

  // A ladder runs several programs for each of its tasks.
  it.runIf(isLong)('[LOONG-5] climbs the ladder of worlds (long form)', () => {
    const planner = createPlanner({ clock: createManualClock() });
    const known = { baselines: loongBaselines, fault: createTripleFault(runners) };
    for (const admission of admitWorld(environment, { ...known, planner, templates: [...tripleLevels], seeds: 8 }))
      expect(admission).toMatchObject({ admitted: true });
  });
});

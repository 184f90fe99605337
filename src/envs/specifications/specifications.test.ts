import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../core/clock.ts';
import { createRandom } from '../../core/random.ts';
import type { Verdict } from '../../core/records.ts';
import { admitWorld } from '../../forge/admission/world-ladder.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { specificationBaselines, specificationFault, trivialSpecifications } from './baselines.ts';
import { describedFunctions } from './catalog.ts';
import { referenceOf, specificationOf, type AnyFunction } from './described-function.ts';
import { isRightOn, judgeSpecification } from './judge.ts';
import { isLong } from '../../../test/long-form.ts';
import { accepts, examplesOf, hiddenPairs, specificationsNear, type Specified } from './pairs.ts';
import { createSpecificationEnvironment, readSpecified } from './specification-environment.ts';

const environment = createSpecificationEnvironment('spec-all');

function specifiedBy(described: AnyFunction, seed: number): Specified {
  return { described, parameters: described.parameters(createRandom(`test ${seed}`)), seed: `test ${seed}` };
}

const pairsByKey = new Map<string, ReturnType<typeof hiddenPairs>>();

/** Hidden pairs are the same each time, and take long to make. */
function pairsOf(specified: Specified): ReturnType<typeof hiddenPairs> {
  const key = `${specified.described.name} ${specified.seed}`;
  const pairs = pairsByKey.get(key) ?? hiddenPairs(specified);
  pairsByKey.set(key, pairs);
  return pairs;
}

const each = describedFunctions.map(described => [described.name, described] as const);
const seeds = [1, 2, 3];

function verdictOn(template: string, seed: number, answerOf: (specified: Specified) => string): Verdict {
  const session = environment.open(environment.task(template, seed));
  session.step({ kind: 'finish', answer: answerOf(readSpecified(session.task)) });
  return session.verify();
}

const reference = ({ described, parameters }: Specified): string => referenceOf(described, parameters);

describe('functions to specify', () => {
  it('[SPECS-1] are at least ten, with three levels', () => {
    expect(describedFunctions.length).toBeGreaterThanOrEqual(10);
    expect(new Set(describedFunctions.map(({ level }) => level))).toEqual(new Set(['easy', 'medium', 'hard']));
    expect(environment.templates.map(({ id, split }) => [id, split])).toEqual([
      ['easy', 'train'],
      ['medium', 'train'],
      ['hard', 'test'],
    ]);
  });

  it.each(each)('[SPECS-2] have a reference that tells every pair, and no clause too many: %s', (_name, described) => {
    for (const seed of seeds) {
      const specified = specifiedBy(described, seed);
      const { parameters } = specified;
      const [hidden, examples] = [pairsOf(specified), examplesOf(specified)];
      expect(isRightOn(reference(specified), [...hidden, ...examples])).toBe(true);
      expect(hidden.filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(12);
      expect(hidden.filter(({ isRight }) => !isRight).length).toBeGreaterThanOrEqual(24);
      const clauses = described.clauses(parameters);
      const shorter = clauses.length === 1 ? [] : clauses.map((_, at) => clauses.toSpliced(at, 1));
      for (const kept of shorter)
        expect({ kept, passes: isRightOn(specificationOf(described, parameters, kept), hidden) }).toMatchObject({
          passes: false,
        });
    }
  });

  it('[PROB-21] reject specifications that do not count how often a number stands', () => {
    const ordered = ({ k }: { k: number }): string =>
      `output.every((x, i) => i === 0 || x >= ${k} || output[i - 1] < ${k})`;
    const weak = [
      'input.every(x => output.includes(x))',
      'output.every(x => input.includes(x))',
      'input.every(x => output.includes(x)) && output.every(x => input.includes(x))',
      'output.reduce((a, b) => a + b, 0) === input.reduce((a, b) => a + b, 0)',
    ];
    const partition = describedFunctions.find(({ name }) => name === 'partition') as AnyFunction;
    for (let seed = 1; seed <= (isLong ? 12 : 3); seed++) {
      const specified = specifiedBy(partition, seed);
      const rest = `output.length === input.length && ${ordered(specified.parameters as { k: number })}`;
      for (const clause of weak)
        expect({ seed, clause, passes: isRightOn(`return ${clause} && ${rest};`, pairsOf(specified)) }).toEqual({
          seed,
          clause,
          passes: false,
        });
    }
  });

  it('[PROB-21] ask for what is right at every boundary', () => {
    for (const described of describedFunctions)
      for (let seed = 1; seed <= (isLong ? 6 : 3); seed++) {
        const specified = specifiedBy(described, seed);
        const right = pairsOf(specified).filter(({ isRight }) => isRight);
        const asked = new Set(right.map(({ input }) => JSON.stringify(input)));
        for (const edge of described.edges(specified.parameters)) expect(asked).toContain(JSON.stringify(edge));
      }
  });

  it.each(each)('[SPECS-3] tell no trivial specification from a right one: %s', (_name, described) => {
    for (const seed of seeds) {
      const specified = specifiedBy(described, seed);
      const hidden = pairsOf(specified);
      const passing = trivialSpecifications.filter(({ of }) => isRightOn(of(specified), hidden));
      expect(passing.map(({ name }) => name)).toEqual([]);
    }
  });

  it.each(each)(
    '[SPECS-4] have hidden pairs that fail wrong specifications on fresh inputs: %s',
    (_name, described) => {
      const specified = specifiedBy(described, 4);
      const hidden = pairsOf(specified);
      // Pairs of another seed: none of them chose the hidden ones.
      const fresh = hiddenPairs({ ...specified, seed: 'fresh' });
      const wrong = specificationsNear(specified).filter(source => !isRightOn(source, fresh));
      expect(wrong.length).toBeGreaterThan(2);
      expect(wrong.filter(source => isRightOn(source, hidden))).toEqual([]);
    },
  );

  it.each(each.filter(([, { level }]) => level === 'hard'))(
    '[SPECS-2] with several right outputs fail a specification that recomputes one: %s',
    (_name, described) => {
      for (const seed of seeds) {
        const specified = specifiedBy(described, seed);
        const program = described.oracle(specified.parameters);
        const recomputed = `const solve = () => { ${program} };
const right = solve();
return output === right || (output.length === right.length && output.every((x, at) => x === right[at]));`;
        const source =
          typeof described.solve([], specified.parameters) === 'number'
            ? recomputed.replace(/ \|\| .*;$/, ';')
            : recomputed;
        const judged = judgeSpecification(source, pairsOf(specified));
        expect(judged).toMatchObject({ fault: null, accepted: 0 });
        expect(judged.rejected).toBeGreaterThan(0);
      }
    },
  );

  it('[SPECS-1] are refused where their two solutions differ, or their reference is wrong', () => {
    const [described] = describedFunctions as [AnyFunction];
    const specified = specifiedBy(described, 1);
    const broken = { ...specified, described: { ...described, solve: () => -999 } };
    expect(() => hiddenPairs(broken)).toThrow(/Two solutions of "clamp" differ for/);
    const lax = { ...specified, described: { ...described, clauses: () => ['output >= 0'] as const } };
    expect(() => hiddenPairs(lax)).toThrow(/reference specification of "clamp" is wrong/);
    expect(accepts(specified, specified.parameters['low'] as number, specified.parameters['low'] as number)).toBe(true);
  });
});

describe('spec:', () => {
  it.each(['easy', 'medium', 'hard'])('[SPECS-2] passes the reference, in a block as well: %s', template => {
    for (const seed of [1, 2, 3, 1_000_001]) {
      expect(verdictOn(template, seed, reference)).toMatchObject({ pass: true, progress: 1 });
      expect(verdictOn(template, seed, given => `So:\n\`\`\`js\n${reference(given)}\n\`\`\``).pass).toBe(true);
    }
  });

  it('[SPECS-3] says what a wrong specification gets wrong', () => {
    const passing = (answer: string): string[] =>
      verdictOn('easy', 1, () => answer)
        .checks.filter(({ pass }) => pass)
        .map(({ id }) => id ?? '');
    expect(passing('true')).toEqual(['specification-runs']);
    expect(passing('false')).toEqual(['specification-runs']);
    expect(passing('output')).toEqual([]);
    expect(passing('')).toEqual([]);
    expect(verdictOn('easy', 1, () => '').checks[0]?.name).toContain('(There is no specification.)');
    expect(passing('while (true) {}\nreturn true;')).toEqual([]);
    expect(passing('process.exit(0)')).toEqual([]);
    expect(passing('output === 123456 || input === 123456')).toEqual(['specification-runs']);
    const partly = (specified: Specified): string =>
      specificationOf(
        specified.described,
        specified.parameters,
        specified.described.clauses(specified.parameters).slice(1),
      );
    expect(verdictOn('medium', 1, partly).checks).toMatchObject([
      { id: 'specification-runs' },
      { id: 'complete' },
      { id: 'sound', pass: false },
    ]);
  });

  it('[SPECS-5] tries a specification on the examples, and refuses other input', () => {
    const session = environment.open(environment.task('easy', 1));
    const call = (input: Record<string, string>) => session.step({ kind: 'call', tool: 'try_specification', input });
    const right = call({ specification: reference(readSpecified(session.task)) });
    expect(
      String(right.result)
        .split('\n')
        .every(line => line.endsWith('as it should be')),
    ).toBe(true);
    expect(String(call({ specification: 'true' }).result)).toContain('accepts this wrong output');
    expect(String(call({ specification: 'nothing' }).result)).toContain('not defined');
    const before = session.digest();
    for (const input of [{}, { specification: ' ' }, { specification: 'x'.repeat(5000) }, { other: 'x' }])
      expect(call(input as Record<string, string>).applied).toBe(false);
    expect(session.step({ kind: 'call', tool: 'run', input: {} }).applied).toBe(false);
    expect(session.digest()).toBe(before);
  });

  it('[SPECS-5] obeys the laws of environments', async () => {
    const tasks = environment.templates.map(({ id }) => environment.task(id, 2));
    for (const result of await checkLaws(environment, { tasks, steps: 3 }))
      expect(result).toMatchObject({ pass: true });
  });

  it('[SPECS-5] climbs the ladder of worlds', () => {
    const planner = createPlanner({ clock: createManualClock() });
    const templates = environment.templates.map(({ id }) => id);
    const options = {
      planner,
      templates,
      seeds: isLong ? 12 : 4,
      baselines: specificationBaselines,
      fault: specificationFault,
    };
    for (const admission of admitWorld(environment, options)) expect(admission).toMatchObject({ admitted: true });
  });

  it('[CODE-30] reads an answer of many fences at once', () => {
    const begun = performance.now();
    const { initial, verify } = environment.verifier(environment.task('easy', 2));
    expect(verify(initial, { answer: '`'.repeat(200_000), infeasible: false })).toMatchObject({ pass: false });
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});

import { resolve } from 'node:path';
import { invalidModule, unknownEnvironment } from '../../core/errors.ts';
import { suggestion } from '../../core/naming/closest.ts';
import type { Problem } from './problem.ts';
import { importModule, isModulePath } from '../../modules/load-module.ts';
import { placeIn, type Family, type Source } from '../../worlds/family.ts';

const mostCompositions = 1000;

export const problemFamily: Family = {
  name: 'problem:',
  usage: 'problem:<name, subject or all>',
  example: 'problem:gcd',
  about: 'Questions with one right answer, drawn by seed and checked by an oracle.',
  absolute: name => (isModulePath(name) ? `problem:${resolve(placeIn(name))}` : name),
  open: name => problemsOf(placeIn(name)),
};

export const racesFamily: Family = {
  name: 'races:',
  usage: 'races:<composition>',
  example: 'races:SEQUENTIAL(gcd,prime-factors)',
  about: 'Compositions of problems, such as SEQUENTIAL(gcd,prime-factors), or depth=3,count=100,seed=7.',
  open: compositionsOf,
};

/** `gcd`, `gcd+lcm`, `graphs` (a subject), `all`, or `./mine.ts`. */
async function problemsOf(place: string): Promise<Source> {
  if (isModulePath(place)) return problemModule(await problemIn(resolve(place)));
  const problems = await problemsNamed(place);
  const [first, ...more] = problems as [Problem, ...Problem[]];
  if (more.length === 0) return problemModule(first);
  return sourceOf({ id: `problem-${place.replaceAll('+', '-')}`, title: `Problems: ${place}`, problems });
}

/** Whether a module of the user's exports a problem. */
export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'unfold' in value && 'draw' in value;
}

/** The environment of one problem. */
export function problemModule(problem: Problem): Promise<Source> {
  return sourceOf({ id: `problem-${problem.name}`, title: titleOf(problem), problems: [problem] });
}

/** `races:SEQUENTIAL(shortest-path,prime-factors)`, or compositions by chance: `races:depth=3,count=100,seed=7`. */
async function compositionsOf(name: string): Promise<Source> {
  const { problemNames, baseProblems } = await import('./catalog.ts');
  const place = placeIn(name);
  if (!/^\w+=/.test(place)) {
    const { parseExpression } = await import('./compose/parse.ts');
    const { slugOf } = await import('./environment/environment.ts');
    const problem = parseExpression(place, problemNames);
    return sourceOf({ id: `races-${slugOf(problem)}`, title: problem.name, problems: [problem] });
  }
  const { depth, count, seed } = readOptions(place, name);
  const { randomCompositions } = await import('./compose/random-compositions.ts');
  const problems = [...randomCompositions({ problems: baseProblems, depth, count, seed })];
  return sourceOf({ id: `races-depth-${depth}-count-${count}-seed-${seed}`, title: `${count} compositions`, problems });
}

async function sourceOf(options: { id: string; title: string; problems: readonly Problem[] }): Promise<Source> {
  const { createProblemEnvironment, templatesOf } = await import('./environment/environment.ts');
  const { admitProblems } = await import('./environment/ladder.ts');
  const environment = createProblemEnvironment(options);
  const asked = (ids: readonly string[]) => templatesOf(options.problems).filter(({ id }) => ids.includes(id));
  return { environment, ladder: { admit: (ids, seeds) => admitProblems(asked(ids), seeds) } };
}

async function problemsNamed(place: string): Promise<readonly Problem[]> {
  const { baseProblems, problemNames } = await import('./catalog.ts');
  if (place === 'all') return baseProblems;
  const subjects = [...new Set(baseProblems.map(({ subject }) => subject))];
  const found = place.split('+').flatMap(word => {
    const one = problemNames.find(word);
    const several = one === undefined ? baseProblems.filter(({ subject }) => subject === word) : [one];
    if (several.length > 0) return several;
    throw unknownEnvironment(
      `There is no problem "${word}".${suggestion(word, [...problemNames.names, ...subjects])}`,
      `Expected a name that \`espalier problems\` lists, one of the subjects ${subjects.join(', ')}, or all.`,
    );
  });
  return [...new Set(found)];
}

async function problemIn(path: string): Promise<Problem> {
  const { problem } = await importModule(path);
  if (isProblem(problem)) return problem;
  throw invalidModule(
    `The module ${path} exports no problem.`,
    'Expected a module that exports `problem`, made with defineProblem.',
  );
}

function readOptions(place: string, name: string): { depth: number; count: number; seed: number } {
  const options = { depth: 2, count: 100, seed: 1 };
  for (const option of place.split(',')) {
    const [, key = '', value = ''] = /^(depth|count|seed)=(\d{1,9})$/.exec(option) ?? [];
    if (key === '')
      throw unknownEnvironment(
        `"${option}" in "${name}" is no option of compositions.`,
        'Expected depth=<n>, count=<n> or seed=<n>.',
      );
    options[key as keyof typeof options] = Number(value);
  }
  if (options.depth < 1 || options.depth > 5)
    throw unknownEnvironment(`The depth in "${name}" is ${options.depth}.`, 'Expected 1 to 5.');
  if (options.count < 1 || options.count > mostCompositions)
    throw unknownEnvironment(
      `The count in "${name}" is ${options.count}.`,
      `Expected 1 to ${mostCompositions} compositions in one environment.`,
    );
  return options;
}

function titleOf({ name }: Problem): string {
  const words = name.replaceAll('-', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

import { EspalierError } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import type { Completion, Given, Instance, Level, Problem } from '../problem.ts';
import type { Script, Told } from '../script.ts';
import { compareValues, list, pair, tuple } from '../types/collections.ts';
import { fits } from '../types/fits.ts';
import type { Type } from '../types/type.ts';
import { hasOrderedSets, widened } from '../types/widened.ts';
import { createScript } from '../script.ts';
import { levels } from '../problem.ts';

/** Inputs of the first problem to try until its result suits the second. */
const drawsToTry = 60;

/** The second problem is asked about the answer to the first. */
export function sequential<I extends Json, M extends Json, O extends Json>(
  first: Problem<I, M>,
  second: Problem<M, O>,
): Problem<I, O> {
  return chain(first, second) as Problem<I, O>;
}

/** Both problems, answered together as a pair. */
export function parallel<A extends Json, B extends Json, C extends Json, D extends Json>(
  first: Problem<A, B>,
  second: Problem<C, D>,
): Problem<readonly [A, C], readonly [B, D]> {
  return both(first, second) as Problem<readonly [A, C], readonly [B, D]>;
}

/** As `sequential`, for problems whose types are known at run time only. */
export function chain(first: Problem, second: Problem): Problem {
  requireFunction('SEQUENTIAL', first);
  requireFit('SEQUENTIAL', { problem: first, type: first.output }, { problem: second, type: second.input });
  // SEQUENTIAL is associative. One bracketing means one name and one set of questions.
  const [inner, last] = second.operator === 'SEQUENTIAL' ? second.children : [];
  if (inner !== undefined && last !== undefined) return chain(chain(first, inner), last);
  const onwards = (given: Instance, { random, level }: Pick<Completion, 'random' | 'level'>): Json | null => {
    const { value } = first.unfold({ ...given, phrase: null }, createScript());
    return second.input.holds(value) ? second.complete({ input: value, random, level }) : null;
  };
  return {
    ...composed('SEQUENTIAL', [first, second]),
    input: first.input,
    output: second.output,
    isFunction: second.isFunction,
    draw(random, level) {
      for (let attempt = 0; attempt < drawsToTry; attempt++) {
        const given = first.draw(random, level);
        if (given === null) return null;
        const rest = onwards(given, { random, level });
        if (rest !== null) return { input: given.input, parameters: [given.parameters, rest] };
      }
      return null;
    },
    complete({ input, random, level }) {
      const parameters = first.complete({ input, random, level });
      if (parameters === null) return null;
      const rest = onwards({ input, parameters }, { random, level });
      return rest === null ? null : [parameters, rest];
    },
    content({ input, parameters, phrase }) {
      const [mine, rest] = parameters as [Json, Json];
      const before = first.content({ input, parameters: mine, phrase });
      return ['SEQUENTIAL', before, second.content({ input: null, parameters: rest, phrase: 'the result' })];
    },
    unfold({ input, parameters, phrase }, script) {
      const [mine, rest] = parameters as [Json, Json];
      const { value, phrase: named } = first.unfold({ input, parameters: mine, phrase }, script);
      return second.unfold(
        { input: value, parameters: rest, phrase: phraseAs(second.input, first.output, named) },
        script,
      );
    },
  };
}

/** As `parallel`, for problems whose types are known at run time only. */
export function both(first: Problem, second: Problem): Problem {
  requireFunction('PARALLEL', first);
  requireFunction('PARALLEL', second);
  const output = pair(first.output, second.output);
  return sideBySide('PARALLEL', [first, second], {
    output,
    text: ([one, other]) => `The pair (${one}, ${other}).`,
    combine: values => [...values],
  });
}

/** The answers to several problems, in ascending order. */
export function sort(problems: readonly Problem[]): Problem {
  requireCount('SORT', problems, { least: 2, most: 4 });
  const [first] = problems as [Problem];
  for (const problem of problems) {
    requireFunction('SORT', problem);
    const { kind } = problem.output;
    if (kind !== first.output.kind || !['integer', 'rational', 'text', 'date'].includes(kind))
      throw mismatch('SORT', { problem: first, type: first.output }, { problem, type: problem.output });
  }
  const output = list(problems.map(problem => problem.output).reduce(widened), {
    shortest: problems.length,
    longest: problems.length,
  });
  const order = first.output.kind === 'text' ? 'in alphabetical order' : 'in ascending order';
  return sideBySide('SORT', problems, {
    output,
    text: names => `The list of ${names.join(', ')} ${order}.`,
    combine: values => values.toSorted(compareValues),
  });
}

/** One of two answers: which one depends on the answer to the first problem. */
export function select(problems: readonly Problem[]): Problem {
  requireCount('SELECT', problems, { least: 3, most: 3 });
  const [condition, first, second] = problems as [Problem, Problem, Problem];
  for (const problem of problems) requireFunction('SELECT', problem);
  const isNumber = condition.output.kind === 'integer';
  if (!isNumber && condition.output.kind !== 'boolean')
    throw new EspalierError({
      boundary: 'input',
      code: 'type-mismatch',
      message: `SELECT cannot choose by "${condition.name}", whose answer is: ${condition.output.name}.`,
      expected: 'Expected a first problem that is answered by yes or no, or by an integer.',
    });
  const [one, other] = [
    { problem: first, type: first.output },
    { problem: second, type: second.output },
  ];
  if (!areAlike(first.output, second.output)) throw mismatch('SELECT', one, other);
  const output = widened(first.output, second.output);
  return sideBySide('SELECT', problems, {
    output,
    text: ([chosen = '', yes = '', no = '']) => {
      const [then, otherwise] = [phraseAs(output, first.output, yes), phraseAs(output, second.output, no)];
      return `${then} if ${chosen} is ${isNumber ? 'an even number' : 'yes'}, else ${otherwise}.`;
    },
    combine: ([chosen, yes, no]) => {
      const holds = isNumber ? Number(chosen) % 2 === 0 : chosen === true;
      return (holds ? yes : no) as Json;
    },
  });
}

/** How a result is referred to where another type is expected: a set has no order of its own, a list has one. */
function phraseAs(to: Type, from: Type, phrase: string): string {
  if (!hasOrderedSets(from, to)) return phrase;
  return from.kind === 'set' ? `${phrase} in ascending order` : `${phrase} with sets in ascending order`;
}

interface Combination {
  readonly output: Type;
  text(names: readonly string[]): string;
  combine(values: readonly Json[]): Json;
}

/** Several problems with an input each, and a last step that puts their answers together. */
function sideBySide(operator: string, problems: readonly Problem[], combination: Combination): Problem {
  const { output, text, combine } = combination;
  return {
    ...composed(operator, problems),
    input: tuple(problems.map(problem => problem.input)),
    output,
    isFunction: true,
    draw(random, level) {
      const drawn = problems.map(problem => problem.draw(random, level));
      if (drawn.includes(null)) return null;
      const instances = drawn as Instance[];
      return { input: instances.map(({ input }) => input), parameters: instances.map(({ parameters }) => parameters) };
    },
    complete({ input, random, level }) {
      const inputs = input as readonly Json[];
      const found = problems.map((problem, index) => problem.complete({ input: inputs[index] as Json, random, level }));
      return found.includes(null) ? null : found;
    },
    content(given) {
      const parts = problems.map((problem, index) => problem.content(memberOf(given, index)));
      // The order of the parts of SORT changes nothing.
      return [operator, ...(operator === 'SORT' ? parts.toSorted(byText) : parts)];
    },
    unfold: (given, script) => {
      const told = problems.map((problem, index) => problem.unfold(memberOf(given, index), script));
      return finished(told, script);
    },
  };

  function finished(told: readonly Told[], script: Script): Told {
    return script.add({
      problem: operator,
      type: output,
      value: combine(told.map(({ value }) => value)),
      text: () => text(told.map(({ phrase }) => phrase)),
    });
  }
}

function byText(one: Json, other: Json): number {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const ordinals = ['first', 'second', 'third', 'fourth'];

function memberOf({ input, parameters, phrase }: Given, index: number): Given {
  return {
    input: phrase === null || Array.isArray(input) ? ((input as readonly Json[])[index] as Json) : null,
    parameters: (parameters as readonly Json[])[index] as Json,
    phrase: phrase === null ? null : `the ${ordinals[index] ?? ''} value of ${phrase}`,
  };
}

type Composed = Pick<Problem, 'name' | 'subject' | 'about' | 'depth' | 'operator' | 'children' | 'bruteForceUpTo'>;

function composed(operator: string, children: readonly Problem[]): Composed {
  return {
    name: `${operator}(${children.map(({ name }) => name).join(',')})`,
    subject: 'compositions',
    about: `${operator} of ${children.map(({ name }) => name).join(', ')}.`,
    depth: 1 + Math.max(...children.map(({ depth }) => depth)),
    operator,
    children,
    bruteForceUpTo: children.map(child => child.bruteForceUpTo).reduce(easier),
  };
}

function easier(one: Level, other: Level): Level {
  return levels.indexOf(one) < levels.indexOf(other) ? one : other;
}

interface Side {
  readonly problem: Problem;
  readonly type: Type;
}

function requireFit(operator: string, from: Side, to: Side): void {
  if (!fits(from.type, to.type)) throw mismatch(operator, from, to);
}

/** Whether answers of two types can stand in one place: texts of any characters can. */
function areAlike(one: Type, other: Type): boolean {
  return fits(one, other) || fits(other, one) || (one.kind === 'text' && other.kind === 'text');
}

function mismatch(operator: string, from: Side, to: Side): EspalierError {
  const verb = operator === 'SEQUENTIAL' ? 'takes' : 'gives';
  return new EspalierError({
    boundary: 'input',
    code: 'type-mismatch',
    message: `${operator} cannot join "${from.problem.name}", which gives ${from.type.name}, and "${to.problem.name}", which ${verb} ${to.type.name}.`,
    expected: expectations[operator] ?? 'Expected types that fit.',
  });
}

const expectations: Readonly<Record<string, string>> = {
  SEQUENTIAL: 'Expected a second problem that takes what the first one gives; espalier problems lists the types.',
  SORT: 'Expected problems that all give integers, all give rational numbers, all texts or all dates.',
  SELECT: 'Expected a second and a third problem that give the same type.',
};

function requireFunction(operator: string, { name, isFunction }: Problem): void {
  if (isFunction) return;
  throw new EspalierError({
    boundary: 'input',
    code: 'type-mismatch',
    message: `${operator} cannot use "${name}", which has more than one right answer.`,
    expected: 'Expected a problem with one right answer, or this one as the last of a SEQUENTIAL.',
  });
}

function requireCount(
  operator: string,
  { length }: readonly Problem[],
  { least, most }: { least: number; most: number },
): void {
  if (length >= least && length <= most) return;
  throw new EspalierError({
    boundary: 'input',
    code: 'type-mismatch',
    message: `${operator} was given ${length} problems.`,
    expected: `Expected ${least === most ? least : `${least} to ${most}`}.`,
  });
}

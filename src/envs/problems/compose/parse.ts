import { unknownEnvironment, type EspalierError } from '../../../core/errors.ts';
import { suggestion } from '../../../core/naming/closest.ts';
import type { Problem } from '../problem.ts';
import { both, chain, select, sort } from './operators.ts';

const operators = ['SEQUENTIAL', 'PARALLEL', 'SORT', 'SELECT'] as const;
export type Operator = (typeof operators)[number];

const longestExpression = 4000;
const deepestExpression = 8;

/** Finds a base problem by its name; undefined when there is none. */
export interface ProblemNames {
  readonly names: readonly string[];
  find(name: string): Problem | undefined;
}

/** The problem of `SEQUENTIAL(shortest-path,prime-factors)`, or of the name of a base problem. */
export function parseExpression(text: string, known: ProblemNames): Problem {
  if (text.length > longestExpression)
    throw unknownEnvironment(
      `The composition is ${text.length} characters long.`,
      `Expected at most ${longestExpression}.`,
    );
  const source = text.replaceAll(/\s/g, '');
  let at = 0;

  const expression = (depth: number): Problem => {
    const start = at;
    const word = /^[A-Za-z0-9-]+/.exec(source.slice(at))?.[0];
    if (word === undefined) throw unexpected(source, at, 'the name of a problem or an operator');
    at += word.length;
    if (source[at] !== '(') return baseProblem(word, known, source);
    if (depth >= deepestExpression)
      throw unknownEnvironment(
        `"${source}" is nested too deeply.`,
        `Expected at most ${deepestExpression} operators inside each other.`,
      );
    const operator = requireOperator(word, source, start);
    at++;
    const children = [expression(depth + 1)];
    while (source[at] === ',') {
      at++;
      children.push(expression(depth + 1));
    }
    if (source[at] !== ')') throw unexpected(source, at, '"," or ")"');
    at++;
    return compose(operator, children);
  };

  const problem = expression(0);
  if (at < source.length) throw unexpected(source, at, 'the end of the composition');
  return problem;
}

export function compose(operator: Operator, children: readonly Problem[]): Problem {
  if (operator === 'SORT') return sort(children);
  if (operator === 'SELECT') return select(children);
  const [first, second, ...more] = children;
  if (first === undefined || second === undefined)
    throw unknownEnvironment(`${operator} was given ${children.length} problem.`, 'Expected two or more.');
  const join = operator === 'SEQUENTIAL' ? chain : both;
  if (operator === 'PARALLEL' && more.length > 0)
    throw unknownEnvironment(`PARALLEL was given ${children.length} problems.`, 'Expected two.');
  // SEQUENTIAL(a,b,c) is SEQUENTIAL(SEQUENTIAL(a,b),c).
  return more.reduce(join, join(first, second));
}

function requireOperator(word: string, source: string, at: number): Operator {
  const found = operators.find(operator => operator === word);
  if (found !== undefined) return found;
  throw unknownEnvironment(
    `"${word}" at character ${at + 1} of "${source}" is no operator.${suggestion(word.toUpperCase(), operators)}`,
    `Expected one of: ${operators.join(', ')}.`,
  );
}

function baseProblem(name: string, { names, find }: ProblemNames, source: string): Problem {
  const found = find(name);
  if (found !== undefined) return found;
  if (operators.some(operator => operator === name))
    throw unknownEnvironment(
      `The operator ${name} in "${source}" has no problems.`,
      `Expected ${name}(<problem>,<problem>).`,
    );
  throw unknownEnvironment(
    `There is no problem "${name}".${suggestion(name, names)}`,
    'Expected a name that `espalier problems` lists.',
  );
}

function unexpected(source: string, at: number, expected: string): EspalierError {
  const found = at >= source.length ? 'it ends' : `there is "${source[at] ?? ''}"`;
  return unknownEnvironment(`At character ${at + 1} of "${source}" ${found}.`, `Expected ${expected}.`);
}

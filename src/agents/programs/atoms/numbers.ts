import { atom, type Atom } from './atom.ts';

const longestRange = 300;
const largest = 1e15;
/** Atoms run thousands of times a question, so none may loop for long. */
const largestTested = 1e6;
const mostChosen = 100;

export function rangeTo(low: number, high: number): number[] | undefined {
  if (!Number.isInteger(low) || !Number.isInteger(high) || high - low > longestRange || high < low) return undefined;
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

function divisor(one: number, other: number): number {
  let [a, b] = [Math.abs(one), Math.abs(other)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

export function greatestDivisor(values: readonly number[]): number | undefined {
  return values.length > 0 && values.every(Number.isInteger) ? values.reduce(divisor, 0) : undefined;
}

export function leastMultiple(values: readonly number[]): number | undefined {
  if (values.length === 0 || !values.every(value => Number.isInteger(value) && value !== 0)) return undefined;
  return bounded(values.reduce((multiple, value) => Math.abs(multiple * value) / divisor(multiple, value), 1));
}

export function bounded(value: number): number | undefined {
  return Math.abs(value) < largest ? value : undefined;
}

export function isPrime(value: number): boolean {
  if (!Number.isInteger(value) || value < 2 || value > largestTested) return false;
  for (let factor = 2; factor * factor <= value; factor++) if (value % factor === 0) return false;
  return true;
}

function binomial(total: number, chosen: number): number | undefined {
  if (!Number.isInteger(total) || !Number.isInteger(chosen) || chosen < 0 || chosen > total || chosen > mostChosen)
    return undefined;
  let ways = 1;
  for (let step = 1; step <= chosen; step++) ways = Math.round((ways * (total - chosen + step)) / step);
  return bounded(ways);
}

function digitsOf(value: number): number[] | undefined {
  return Number.isInteger(value) ? [...String(Math.abs(value))].map(Number) : undefined;
}

function modulo(value: number, by: number): number | undefined {
  return by > 0 && Number.isInteger(value) && Number.isInteger(by) ? ((value % by) + by) % by : undefined;
}

function inBase(value: number, base: number): string | undefined {
  const isPossible = Number.isInteger(value) && Number.isInteger(base) && base >= 2 && base <= 36;
  return isPossible ? value.toString(base) : undefined;
}

function fromBase(text: string | number, base: number): number | undefined {
  const value = base >= 2 && base <= 36 && Number.isInteger(base) ? Number.parseInt(String(text), base) : NaN;
  return Number.isNaN(value) ? undefined : bounded(value);
}

/** Sums and products by the usual rules, with parentheses. */
function calculate(expression: string): number | undefined {
  const tokens = expression.match(/\d+|[-+*()]/g) ?? [];
  let place = 0;
  const factor = (): number => {
    const token = tokens[place++];
    if (token !== '(') return token === undefined || !/\d/.test(token) ? NaN : Number(token);
    const inner = sum();
    return tokens[place++] === ')' ? inner : NaN;
  };
  const term = (): number => {
    let value = factor();
    while (tokens[place] === '*') {
      place++;
      value *= factor();
    }
    return value;
  };
  const sum = (): number => {
    let value = term();
    while (tokens[place] === '+' || tokens[place] === '-') value += tokens[place++] === '+' ? term() : -term();
    return value;
  };
  const value = sum();
  return place === tokens.length && !Number.isNaN(value) ? bounded(value) : undefined;
}

export const numberAtoms: readonly Atom[] = [
  atom<number>('add', ['number', 'number'], (a, b) => (a as number) + (b as number)),
  atom<number>('subtract', ['number', 'number'], (a, b) => (a as number) - (b as number)),
  atom<number>('multiply', ['number', 'number'], (a, b) => bounded((a as number) * (b as number))),
  atom<number>('divide', ['number', 'number'], (a, b) => (b === 0 ? undefined : (a as number) / (b as number))),
  atom<number>('quotient', ['number', 'number'], (a, b) =>
    b === 0 ? undefined : Math.floor((a as number) / (b as number)),
  ),
  atom<number>('remainder', ['number', 'number'], (a, b) => modulo(a as number, b as number)),
  atom<number>('power', ['number', 'number'], (a, b) => bounded((a as number) ** (b as number))),
  atom<number>('percent of', ['number', 'number'], (a, b) => ((a as number) * (b as number)) / 100),
  atom<number>('choose', ['number', 'number'], (a, b) => binomial(a as number, b as number)),
  atom<number>('in base', ['number', 'number'], (a, b) => inBase(a as number, b as number)),
  atom<number>('from base', ['number', 'number'], (a, b) => fromBase(a as number, b as number)),
  atom<number>('from binary', ['number'], a => fromBase(a as number, 2)),
  atom<number>('greater', ['number', 'number'], (a, b) => (a as number) > (b as number)),
  atom<number>('equal', ['number', 'number'], (a, b) => a === b),
  atom<number>('range', ['number', 'number'], (a, b) => rangeTo(a as number, b as number)),
  atom<number>('count up to', ['number'], a => rangeTo(1, a as number)),
  atom<number>('absolute', ['number'], a => Math.abs(a as number)),
  atom<number>('square', ['number'], a => bounded((a as number) ** 2)),
  atom<number>('half', ['number'], a => (a as number) / 2),
  atom<number>('next', ['number'], a => (a as number) + 1),
  atom<number>('round', ['number'], a => Math.floor((a as number) + 0.5)),
  atom<number>('digits', ['number'], a => digitsOf(a as number)),
  atom<number>('is prime', ['number'], a => isPrime(a as number)),
  atom<string>('calculate', ['expression'], a => calculate(a as string)),
];

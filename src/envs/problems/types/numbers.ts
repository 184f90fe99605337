import type { Json } from '../../../core/json.ts';
import { readNumber } from '../../../worlds/verdict/written-number.ts';
import { isRational, plus, ratio, times, type Rational } from './fraction.ts';
import { unreadable, type Reading, type Type } from './type.ts';

/** A unit that may stand behind a number, with other ways to write it. */
export interface Unit {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Written before the number, as $ is. */
  readonly isPrefix?: true;
}

export interface IntegerOptions {
  readonly low?: number;
  readonly high?: number;
  readonly unit?: Unit;
}

const widest = Number.MAX_SAFE_INTEGER;

export function integer({ low = -widest, high = widest, unit }: IntegerOptions = {}): Type<number> {
  const holds = (value: Json): boolean => Number.isSafeInteger(value) && Number(value) >= low && Number(value) <= high;
  return {
    kind: 'integer',
    name: `integer${boundsOf(low, high)}`,
    form: `a whole number${unit === undefined ? '' : ` of ${unit.name}`}, such as 42`,
    elements: [],
    range: { low, high },
    holds,
    write: value => String(value),
    read(text) {
      const bare = withoutUnit(text, unit);
      if (typeof bare !== 'string') return bare;
      const reading = readRational(bare);
      if ('value' in reading && typeof reading.value === 'number') return { value: reading.value };
      return notNumber(bare, 'a whole number below 9 * 10^15');
    },
    near(value, random) {
      const steps = random.shuffle([-1, 1, 2, -2, 10]).map(step => Number(value) + step);
      return steps.find(holds) ?? Number(value) + 1;
    },
  };
}

/** An exact number: `3/4`, `0.75` and `6/8` are the same. */
export function rational({ unit }: { readonly unit?: Unit } = {}): Type<Rational> {
  return {
    kind: 'rational',
    name: `rational number${unit === undefined ? '' : ` of ${unit.name}`}`,
    form: `an exact number${unit === undefined ? '' : ` of ${unit.name}`}: a whole number, a fraction such as 3/4, or a decimal that is exact`,
    elements: [],
    holds: isRational,
    write: value => (typeof value === 'number' ? String(value) : writeFraction(value as Exclude<Rational, number>)),
    read(text) {
      const percent = unit === undefined ? /^(?<number>.*\d) ?%$/.exec(text)?.groups?.['number'] : undefined;
      if (percent !== undefined) return hundredth(readRational(percent));
      const bare = withoutUnit(text, unit);
      return typeof bare === 'string' ? readRational(bare) : bare;
    },
    near: (value, random) => plus(value as Rational, random.pick([1, -1, ratio(1, 2), ratio(1, 10)])),
  };
}

function writeFraction({ numerator, denominator }: Exclude<Rational, number>): string {
  return `${numerator}/${denominator}`;
}

function readRational(text: string): Reading<Rational> {
  const written = readNumber(text);
  if (written === null) return notNumber(text, 'a whole number, a fraction or a decimal');
  try {
    return { value: ratio(written.numerator, written.denominator) };
  } catch {
    return notNumber(text, 'a number below 9 * 10^15');
  }
}

/** 12.5 % is 1/8. */
function hundredth(reading: Reading<Rational>): Reading<Rational> {
  return 'value' in reading ? { value: times(reading.value, ratio(1, 100)) } : reading;
}

/** The number alone; what is wrong when another unit stands there. */
function withoutUnit(text: string, unit: Unit | undefined): string | Reading<never> {
  const plain = text.replace(/^\u2212/, '-').trim();
  const found = /^(?<before>[$€£]?) ?(?<number>[+-]?[\d.,]+(?: \d+)?(?: ?\/ ?\d+)?) ?(?<after>[a-z°%²³/ ]*)$/i.exec(
    plain,
  )?.groups;
  if (found === undefined) return plain;
  const { before = '', number = '', after = '' } = found;
  const written = (before + after).trim().toLowerCase();
  if (written === '') return number;
  const known = unit === undefined ? [] : [unit.name, ...(unit.aliases ?? [])].map(name => name.toLowerCase());
  if (known.includes(written)) return number;
  const expected = unit === undefined ? 'a number without a unit' : `a number of ${unit.name}`;
  return unreadable('wrong-unit', `expected ${expected}, but the unit is "${written}"`);
}

function notNumber(text: string, expected: string): Reading<never> {
  return unreadable('not-a-number', `expected ${expected}, but it is "${text.slice(0, 40)}"`);
}

function boundsOf(low: number, high: number): string {
  if (low === -widest && high === widest) return '';
  if (high === widest) return ` from ${low}`;
  return low === -widest ? ` up to ${high}` : ` from ${low} to ${high}`;
}

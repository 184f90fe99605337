import type { Json } from '../../../core/json.ts';

/** In lowest terms, with a denominator above 1. */
type Fraction = { readonly numerator: number; readonly denominator: number };

/** A rational number. Whole ones are plain numbers, so that an integer is a rational. */
export type Rational = number | Fraction;

/** The rational number in lowest terms. Throws when a member leaves the whole numbers that JavaScript keeps exactly. */
export function ratio(numerator: bigint | number, denominator: bigint | number): Rational {
  const [top, bottom] = [BigInt(numerator), BigInt(denominator)];
  if (bottom === 0n) throw new RangeError('a fraction needs a denominator other than 0');
  const divisor = greatestDivisor(top, bottom) * (bottom < 0n ? -1n : 1n);
  const [high, low] = [exactly(top / divisor), exactly(bottom / divisor)];
  return low === 1 ? high : { numerator: high, denominator: low };
}

function numeratorOf(value: Rational): bigint {
  return BigInt(typeof value === 'number' ? value : value.numerator);
}

function denominatorOf(value: Rational): bigint {
  return typeof value === 'number' ? 1n : BigInt(value.denominator);
}

export function plus(one: Rational, other: Rational): Rational {
  const [a, b, c, d] = [numeratorOf(one), denominatorOf(one), numeratorOf(other), denominatorOf(other)];
  return ratio(a * d + c * b, b * d);
}

export function times(one: Rational, other: Rational): Rational {
  return ratio(numeratorOf(one) * numeratorOf(other), denominatorOf(one) * denominatorOf(other));
}

export function minus(one: Rational, other: Rational): Rational {
  return plus(one, times(other, -1));
}

export function over(one: Rational, other: Rational): Rational {
  return ratio(numeratorOf(one) * denominatorOf(other), denominatorOf(one) * numeratorOf(other));
}

/** Below 0 when the first is smaller, above 0 when it is greater. */
export function compareRationals(one: Rational, other: Rational): number {
  const difference = numeratorOf(one) * denominatorOf(other) - numeratorOf(other) * denominatorOf(one);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isRational(value: Json): value is Rational {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { numerator, denominator } = value as Partial<Fraction>;
  if (!Number.isSafeInteger(numerator) || !Number.isSafeInteger(denominator)) return false;
  const [top, bottom] = [BigInt(numerator as number), BigInt(denominator as number)];
  return bottom > 1n && greatestDivisor(top, bottom) === 1n;
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one < 0n ? -one : one, other < 0n ? -other : other];
  while (b > 0n) [a, b] = [b, a % b];
  return a;
}

function exactly(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is too large to be kept exactly`);
  return number;
}

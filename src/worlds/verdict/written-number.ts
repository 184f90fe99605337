/** An exact number: a fraction that need not be in lowest terms. */
export interface WrittenNumber {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const mixedPattern = /^([+-]?)(\d{1,15}) (\d{1,15}) ?\/ ?(\d{1,15})$/;
const fractionPattern = /^([+-]?\d{1,15}) ?\/ ?(\d{1,15})$/;
const decimalPattern =
  /^([+-]?)(\d{1,30}|\d{1,3}(?:,\d{3}){1,9})?(?:\.(\d{1,12}))?(?:(?:e| ?[x*\u00d7] ?10 ?\^ ?)\{?([+-]?\d{1,2})\}?)?$/i;

/** The number in usual notation: `1,234.50`, `3/4`, `2 3/4`, `1.6e1`, `16/1`; null for anything else. */
export function readNumber(text: string): WrittenNumber | null {
  const mixed = mixedPattern.exec(text);
  if (mixed !== null) {
    const [whole, top, bottom] = mixed.slice(2).map(BigInt) as [bigint, bigint, bigint];
    const numerator = whole * bottom + top;
    return bottom === 0n ? null : { numerator: mixed[1] === '-' ? -numerator : numerator, denominator: bottom };
  }
  const fraction = fractionPattern.exec(text);
  if (fraction !== null) {
    const [numerator, denominator] = fraction.slice(1).map(BigInt) as [bigint, bigint];
    return denominator === 0n ? null : { numerator, denominator };
  }
  const [, sign, whole = '', decimals = '', exponent = '0'] = decimalPattern.exec(text) ?? [];
  if (whole === '' && decimals === '') return null;
  const digits = BigInt(`${whole.replaceAll(',', '')}${decimals}`);
  const power = Number(exponent) - decimals.length;
  const numerator = (sign === '-' ? -digits : digits) * 10n ** BigInt(Math.max(0, power));
  return { numerator, denominator: 10n ** BigInt(Math.max(0, -power)) };
}

export function sameNumber(one: WrittenNumber, other: WrittenNumber): boolean {
  return one.numerator * other.denominator === other.numerator * one.denominator;
}

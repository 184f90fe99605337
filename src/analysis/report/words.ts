import type { Estimate } from '../estimate.ts';
import { estimateText } from '../estimate.ts';

/** 12,345. */
export function figure(number: number): string {
  return number.toLocaleString('en');
}

/** `93 % (90–96)`, or that there is no such figure. */
export function optionalText(estimate: Estimate | null): string {
  return estimate === null ? 'not measured' : estimateText(estimate);
}

/** `93 % (90–96), 186 of 200`, what errored, and what passed without a certificate. */
export function fullText(estimate: Estimate): string {
  const { passed, n, errored, uncertified } = estimate;
  const broken = errored === 0 ? '' : `, ${figure(errored)} errored`;
  const lost = uncertified === 0 ? broken : `${broken}, ${figure(uncertified)} passed, not certified`;
  return `${estimateText(estimate)}, ${figure(passed)} of ${figure(n)}${lost}`;
}

/** a, b and c. */
export function listText(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** `4 min 10 s`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Keeps a number with its unit, and both sides of `K = 3`, on one line. */
export function tidy(text: string): string {
  return text.replaceAll(/(?<=\d) (?=%)| (?==)|(?<==) /g, '\u00A0');
}

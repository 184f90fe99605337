import { z } from 'zod';

const share = z.number().min(0).max(1);
const whole = z.int().nonnegative();

/**
 * A success rate with what is known of it. Episodes that errored have no reward, and those that passed
 * without the certificate that they need have none that counts: both are counted apart.
 */
export const estimateSchema = z.strictObject({
  /** Of the verified episodes; null when there is none. */
  rate: share.nullable(),
  /** Ends of the 95 % interval. */
  low: share,
  high: share,
  passed: whole,
  /** Episodes that were verified or given up by the rules. */
  n: whole,
  errored: whole,
  /** Passed, not certified. */
  uncertified: whole.default(0),
  /** The rate when every errored and every uncertified episode is held against the agent. */
  raw: share.nullable(),
});
export type Estimate = z.infer<typeof estimateSchema>;

/** `93 % (90–96)`. */
export function estimateText({ rate, low, high }: Estimate): string {
  return rate === null ? '–' : `${percentText(rate)} (${points(low)}–${points(high)})`;
}

/** `93 %`; a rate that is not quite 0 or 1 is not written as if it were. */
export function percentText(rate: number): string {
  if (rate > 0 && rate < 0.005) return '< 1\u00A0%';
  if (rate < 1 && rate > 0.995) return '> 99\u00A0%';
  return `${points(rate)}\u00A0%`;
}

function points(rate: number): string {
  return String(Math.round(rate * 100));
}

import { z } from 'zod';
import { aboutOf } from './difference.ts';
import type { Examined, Outcome } from './examine.ts';
import type { Slot } from './page.ts';
import type { WalkStep } from './walk-step.ts';

const target = z.string();
const stepSchema = z.union([
  z.strictObject({ kind: z.enum(['click', 'hover']), target }),
  z.strictObject({ kind: z.literal('fill'), target, text: z.string() }),
  z.strictObject({ kind: z.literal('select'), target, option: z.string() }),
  z.strictObject({ kind: z.literal('press'), key: z.string() }),
  z.strictObject({ kind: z.literal('type'), text: z.string() }),
  z.strictObject({ kind: z.literal('click-at'), target, how: z.enum(['left', 'right', 'double']) }),
  z.strictObject({ kind: z.literal('drag'), target, to: target }),
  z.strictObject({ kind: z.literal('scroll'), target, dx: z.int(), dy: z.int() }),
  z.strictObject({ kind: z.literal('wait'), milliseconds: z.int() }),
  z.strictObject({ kind: z.literal('back') }),
  z.strictObject({ kind: z.literal('rollback'), node: z.int() }),
]);

const caseSchema = z.strictObject({
  name: z.string(),
  slots: z.array(z.strictObject({ feature: z.string(), number: z.int(), seed: z.string() })),
  steps: z.array(stepSchema),
  /** What came of it when it was found. */
  found: z.string(),
});

/** A page and a walk that once came out wrong, as small as it could be made. */
export interface Case {
  readonly name: string;
  readonly slots: readonly Slot[];
  readonly steps: readonly WalkStep[];
  readonly found: string;
}

/** Reads cases, one line of JSON each. */
export function readCases(text: string): readonly Case[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => caseSchema.parse(JSON.parse(line)));
}

export function writeCase({ name, slots, steps, found }: Case): string {
  return `${JSON.stringify({ name, slots, steps, found })}\n`;
}

/** Named after its features and what came of it. */
export function caseFrom(slots: readonly Slot[], examined: Examined): Case {
  const name = `${slots.map(({ feature }) => feature).join(' + ')}: ${examined.outcome}`;
  return { name, slots, steps: examined.steps, found: describeExamined(examined) };
}

/** What came of a page, on one line. */
export function describeExamined({ outcome, difference, problem }: Examined): string {
  if (difference === null) return problem === null ? outcome : `${outcome}: ${problem.split('\n', 1)[0]}`;
  const { where, what, before, after } = difference;
  if (what === 'probe') return `${outcome}, ${where}: ${aboutOf(difference)} of ${before.split(' | ', 1)[0]}`;
  return `${outcome}, ${where}: ${what} ${before.trim()} → ${after.trim()}`;
}

export function isRight(outcome: Outcome): boolean {
  return outcome === 'restored' || outcome === 'replayed';
}

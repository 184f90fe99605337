import { annotate, type Annotated, type Signal } from '../../analysis/signals/signal.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { invalidOption } from '../../core/errors.ts';
import type { SignalRows } from './signals.ts';

/** Steps of episodes that are not learned. */
export interface StepMask {
  /** What they are chosen by, as it was asked for. */
  readonly by: readonly string[];
  of(record: EpisodeRecord): ReadonlySet<number>;
}

/** Steps that a signal speaks of: any of its labels when none is named, any value when none is compared. */
export interface MaskRule {
  readonly text: string;
  /** Name of a signal, or the path of a module. */
  readonly signal: string;
  readonly label: string | null;
  readonly holds: (value: number | undefined) => boolean;
}

const compare: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '=': (left, right) => left === right,
};

/** Reads `loops`, `grades.mask` or `monte-carlo.reward<0`. */
export function readMaskRule(text: string): MaskRule {
  const found = /^([^<>=]+?)(?:\.([a-z][a-z0-9-]*))?(?:\s*(<=|>=|<|>|=)\s*(-?[0-9.]+))?$/.exec(text.trim());
  const number = Number(found?.[4] ?? 0);
  if (found?.[1] === undefined || Number.isNaN(number))
    throw invalidOption(
      `The mask "${text}" cannot be read.`,
      'Expected a signal, with a label or not, and a comparison or none: loops, grades.mask, monte-carlo.reward<0.',
    );
  // The ending of a module is no label.
  const isModule = /^\.{0,2}\//.test(found[1]) && ['ts', 'js', 'mjs'].includes(found[2] ?? '');
  const holds = compare[found[3] ?? ''];
  return {
    text,
    signal: isModule ? `${found[1]}.${found[2]}` : found[1],
    label: isModule ? null : (found[2] ?? null),
    holds: value => holds === undefined || (value !== undefined && holds(value, number)),
  };
}

/** The steps for which any of these rules holds. Signals are given as they name themselves, in the order of the rules. */
export function createStepMask(
  rules: readonly MaskRule[],
  signals: readonly Signal[],
  { asked, said }: SignalRows,
): StepMask {
  for (const [at, { text, label }] of rules.entries()) {
    const { name, labels } = signals[at] as Signal;
    if (label === null || labels === undefined || labels[label] === 'step' || labels[label] === 'leaf') continue;
    const known = Object.keys(labels).filter(one => labels[one] === 'step' || labels[one] === 'leaf');
    throw invalidOption(
      `The mask "${text}" names no label that ${name} gives to steps.`,
      known.length === 0 ? 'Expected a signal that speaks of steps.' : `Expected one of: ${known.join(', ')}.`,
    );
  }
  const isMasked = ({ signal, label, value }: Annotated): boolean =>
    rules.some(
      (rule, at) => signals[at]?.name === signal && (rule.label === null || rule.label === label) && rule.holds(value),
    );
  return {
    by: rules.map(({ text }) => text),
    of(record) {
      const found = [...annotate(record, asked), ...(said?.ofEpisode(record.head.run, record.head.key) ?? [])];
      return new Set(found.filter(isMasked).flatMap(({ node }) => (node === null ? [] : [node])));
    },
  };
}

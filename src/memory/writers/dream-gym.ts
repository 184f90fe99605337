import { leavesOf } from '../../core/episode/record.ts';
import type { NewItem } from '../item.ts';
import { byPattern, provenanceOf, stepsAt, type Experience, type MemoryMethod } from './writer.ts';

/** A step of the experience model: from a situation by an action to another situation, or to the end with a reward. */
export interface Transition {
  readonly from: string;
  readonly action: string;
  /** Null at the end. */
  readonly to: string | null;
  /** 1 for an end that passed. */
  readonly reward: number;
}

const discount = 0.95;
const sweeps = 40;

/** What each action is worth in each situation when the best recorded one follows: values of the model, by sweeps over it. */
export function valuesOf(transitions: readonly Transition[]): Map<string, Map<string, number>> {
  const model = [...Map.groupBy(transitions, ({ from }) => from)].map(
    ([from, own]) => [from, [...Map.groupBy(own, ({ action }) => action)]] as const,
  );
  let best = new Map<string, number>();
  let values = new Map<string, Map<string, number>>();
  for (let sweep = 0; sweep < sweeps; sweep++) {
    values = new Map(
      model.map(([from, actions]) => [
        from,
        new Map(actions.map(([action, tried]) => [action, meanOf(tried.map(one => worthOf(one, best)))])),
      ]),
    );
    best = new Map([...values].map(([from, actions]) => [from, Math.max(...actions.values())]));
  }
  return values;
}

function worthOf({ to, reward }: Transition, best: ReadonlyMap<string, number>): number {
  return to === null ? reward : discount * (best.get(to) ?? 0);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * An experience model from recorded transitions, those that were rolled back too (DreamGym). It knows where each step led and what
 * that is worth; no environment is asked.
 */
export const dreamGym: MemoryMethod = {
  name: 'dream-gym',
  about: 'An experience model: where each recorded step led, and what it is worth when the best follows (DreamGym).',
  write: episodes => byPattern(episodes).flatMap(modelOf),
};

interface Recorded extends Transition {
  readonly heading: string;
  readonly before: string | null;
  readonly next: string | null;
  readonly record: Experience;
}

function modelOf(group: readonly Experience[]): NewItem[] {
  const recorded = group.flatMap(transitionsOf);
  const values = valuesOf(recorded);
  const items = Map.groupBy(recorded, ({ from, action }) => `${from}\n${action}`);
  return [...items.values()].map((same): NewItem => {
    const { heading, before, action, from, next, record } = same[0] as Recorded;
    const value = Number((values.get(from)?.get(action) ?? 0).toFixed(4));
    const pattern = record.pattern;
    const text = `${action}, on "${heading}", led to "${next ?? 'the end'}".`;
    const provenance = provenanceOf(
      'dream-gym',
      same.map(one => one.record),
    );
    const title = pattern;
    return {
      kind: 'transition',
      title,
      text,
      pattern,
      heading,
      line: action,
      before,
      next,
      count: same.length,
      value,
      provenance,
    };
  });
}

/** The ways to all verified ends of an episode, those of branches that were given up too. */
function transitionsOf(record: Experience): Recorded[] {
  const ends = leavesOf(record).filter(({ verdict }) => verdict !== null);
  return ends.flatMap(({ node, verdict }) => {
    const steps = node === record.end.leaf ? record.steps : stepsAt(record, record.tree.path(node));
    return steps.map(({ heading, line }, at): Recorded => {
      const before = steps[at - 1]?.line ?? null;
      const following = steps[at + 1];
      return {
        from: `${heading}\n${before}`,
        action: line,
        to: following === undefined ? null : `${following.heading}\n${line}`,
        reward: Number(verdict?.pass === true),
        heading,
        before,
        next: following?.heading ?? null,
        record,
      };
    });
  });
}

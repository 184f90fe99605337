import type { NewItem } from '../item.ts';
import { isIdle, provenanceOf, type Experience, type MemoryMethod } from './writer.ts';

/** What an attempt knows for the next one. */
export interface Memo {
  readonly facts: string;
  readonly strategy: string;
  /** The steps of the attempt. */
  readonly commands: string;
  readonly failed: readonly string[];
}

export interface Deviation {
  /** z(exec) − z(plan) − z(oss), over the attempts so far. */
  readonly raw: number;
  readonly trigger: 'none' | 'soft' | 'strong';
}

const threshold = -0.5;

/**
 * The index of posterior against prior after each attempt (SPARK): attempts that use few of the facts, keep their strategy and fail at
 * the same checks as before are stuck. Two in a row are a strong sign.
 */
export function deviationsOf(memos: readonly Memo[]): Deviation[] {
  const parts = memos.map((memo, at) => partsOf(memo, memos[at - 1]));
  const found: Deviation[] = [];
  for (const at of memos.keys()) {
    const sofar = parts.slice(0, at + 1);
    const [exec, plan, oss] = (['exec', 'plan', 'oss'] as const).map(part => {
      const values = sofar.map(one => one[part]);
      return at === 0 ? (values[0] as number) : zScore(values);
    }) as [number, number, number];
    const raw = exec - plan - oss;
    const isStuck = at >= 1 && Math.min(1, at / 2) * raw < threshold;
    const again = found.at(-1)?.trigger !== undefined && found.at(-1)?.trigger !== 'none';
    found.push({ raw, trigger: isStuck ? (again ? 'strong' : 'soft') : 'none' });
  }
  return found;
}

function partsOf(memo: Memo, before: Memo | undefined) {
  const [facts, commands] = [wordsOf(memo.facts), wordsOf(memo.commands)];
  return {
    exec: [...facts].filter(word => commands.has(word)).length / Math.max(1, facts.size),
    plan: before === undefined ? 0 : overlap(wordsOf(before.strategy), wordsOf(memo.strategy)),
    oss:
      before === undefined
        ? 0
        : 0.5 * overlap(wordsOf(before.facts), wordsOf(memo.facts)) +
          0.5 * overlap(new Set(before.failed), new Set(memo.failed)),
  };
}

/** The last value beside all so far; 0 where they do not differ. */
function zScore(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return spread === 0 ? 0 : ((values.at(-1) as number) - mean) / spread;
}

function overlap<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): number {
  const all = one.union(other).size;
  return all === 0 ? 0 : one.intersection(other).size / all;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** A memo for each task that several attempts failed at; where they are stuck, it says what to do differently (SPARK). */
export const spark: MemoryMethod = {
  name: 'spark',
  about:
    'A memo for tasks that several attempts failed at: facts and next strategy, or another way where they are stuck (SPARK).',
  write: episodes =>
    [...Map.groupBy(episodes, ({ head }) => head.task.id).values()].flatMap((attempts): NewItem[] => {
      const failed = attempts.filter(({ end }) => end.outcome === 'failed');
      const last = failed.at(-1);
      if (failed.length < 2 || last === undefined) return [];
      const memos = failed.map(memoOf);
      const { facts, strategy } = memos.at(-1) as Memo;
      const { trigger } = deviationsOf(memos).at(-1) as Deviation;
      const next = trigger === 'strong' ? '' : ` Next: ${strategy}.`;
      const other = trigger === 'none' ? '' : ' Do it in another way.';
      const repeated = last.steps.findLast(({ node }) => !isIdle(node) && node.action.kind !== 'finish');
      return [
        {
          kind: 'note',
          title: `Tried: ${last.pattern}`,
          text: `Facts: ${facts}.${next}${other}`,
          prefer: [],
          avoid: trigger === 'none' || repeated === undefined ? [] : [repeated.line],
          provenance: provenanceOf('spark', [last]),
        },
      ];
    }),
};

/** What changed something is a fact; what was not met is what to do next. */
function memoOf(record: Experience): Memo {
  const steps = record.steps;
  const failed = record.unmet;
  return {
    facts: steps.flatMap(({ node, line }) => (isIdle(node) ? [] : [line])).join('; '),
    strategy: failed.join('; '),
    commands: steps.map(({ line }) => line).join('; '),
    failed,
  };
}

import type { NewItem, PlacedStep } from '../item.ts';
import { divergenceOf } from './contrast.ts';
import { guardrailOn } from './steve-evolving.ts';
import { byPattern, provenanceOf, type Experience, type MemoryMethod } from './writer.ts';

/**
 * A failure beside a success of the same pattern (Recon-Act): where both left each other on the same screen, the step of the failure
 * becomes a rule that bars it, if no success of any task took it there; else a hint.
 */
export const reconAct: MemoryMethod = {
  name: 'recon-act',
  about:
    'Failures beside successes of the same pattern: a rule where one step made the difference, else a hint (Recon-Act).',
  write(episodes) {
    // A rule holds for every task: what is wrong in one may be right in another.
    const right = new Set(episodes.filter(({ passed }) => passed).flatMap(record => record.steps.map(placeOf(record))));
    return byPattern(episodes).flatMap(group => {
      const passed = group.filter(record => record.passed);
      const failed = group.filter(({ end }) => end.outcome === 'failed');
      return failed.flatMap(record => toolsOf(record, { passed, right }));
    });
  },
};

/** Names a step with its screen and environment. */
function placeOf({ head }: Experience): (step: PlacedStep) => string {
  return ({ heading, line }) => `${head.task.environment}\n${heading}\n${line}`;
}

interface Successes {
  readonly passed: readonly Experience[];
  /** The steps of all of them, in tasks of any pattern. */
  readonly right: ReadonlySet<string>;
}

function toolsOf(failed: Experience, { passed, right }: Successes): NewItem[] {
  const left = passed
    .flatMap(record => divergenceOf(record, failed) ?? [])
    // The success that goes the longest way together with the failure says best what went wrong.
    .toSorted((a, b) => b.shared - a.shared)[0];
  if (left === undefined) return [];
  const provenance = provenanceOf('recon-act', [failed]);
  const { wrong } = left;
  const isRule = wrong.heading === left.right.heading && !right.has(placeOf(failed)(wrong));
  if (isRule) return [guardrailOn(wrong, provenance)];
  const text = `On "${left.right.heading}", this went on to a pass: ${left.right.line}.`;
  return [{ kind: 'note', title: `Hint: ${failed.pattern}`, text, prefer: [left.right.line], avoid: [], provenance }];
}

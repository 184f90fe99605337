import { aboutOf } from './difference.ts';
import { examine, type Examined, type Examiner } from './examine.ts';
import { followWalk } from './generate.ts';
import type { Slot } from './page.ts';
import type { WalkStep } from './walk-step.ts';

/** A page with its walk, and what came of it. */
export interface Finding {
  readonly slots: readonly Slot[];
  readonly examined: Examined;
}

/** A page and a walk that may be enough. */
export interface Smaller {
  readonly slots: readonly Slot[];
  readonly steps: readonly WalkStep[];
}

const mostTries = 60;

/** Takes features and steps away for as long as the page still comes out the same way. */
export async function shrink(finding: Finding, tryOut: (smaller: Smaller) => Promise<Examined>): Promise<Finding> {
  let best = finding;
  let tries = 0;
  const improve = async (smaller: Smaller): Promise<boolean> => {
    if (tries >= mostTries) return false;
    tries++;
    const examined = await tryOut(smaller);
    if (!isAsBad(examined, finding.examined)) return false;
    best = { slots: smaller.slots, examined: { ...examined, steps: smaller.steps } };
    return true;
  };
  for (;;) {
    let shrunk = false;
    for (let index = best.slots.length - 1; index >= 0 && best.slots.length > 1; index--)
      if (await improve({ slots: best.slots.toSpliced(index, 1), steps: best.examined.steps })) shrunk = true;
    for (let index = best.examined.steps.length - 1; index >= 0; index--)
      if (await improve({ slots: best.slots, steps: withoutStep(best.examined.steps, index) })) shrunk = true;
    if (!shrunk || tries >= mostTries) return best;
  }
}

/** Shrinks a finding on real pages. */
export function shrinkPage(examiner: Examiner, finding: Finding): Promise<Finding> {
  // Of a page that differs between fresh replays, both are needed each time.
  const closely: Examiner = { ...examiner, certifies: finding.examined.outcome === 'unsteady' };
  return shrink(finding, ({ slots, steps }) => examine(closely, slots, followWalk(steps)));
}

/** A difference must go on being the same; one in a digest only may come to show. */
function isAsBad(now: Examined, then: Examined): boolean {
  if (now.outcome !== then.outcome) return false;
  if (now.difference === null || then.difference === null) return now.difference === then.difference;
  return then.difference.what === 'digest' || aboutOf(now.difference) === aboutOf(then.difference);
}

/** Without a step; rollbacks still go to the states that they went to. */
export function withoutStep(steps: readonly WalkStep[], index: number): readonly WalkStep[] {
  const gone = steps[index] as WalkStep;
  const left = steps.toSpliced(index, 1);
  if (gone.kind === 'rollback') return left;
  const node = steps.slice(0, index + 1).filter(({ kind }) => kind !== 'rollback').length;
  return left.map(step => (step.kind === 'rollback' && step.node >= node ? { ...step, node: step.node - 1 } : step));
}

import type { Action } from '../../core/action.ts';
import type { Session } from '../../core/contracts.ts';
import { describeStep } from '../../core/episode/view.ts';
import type { FoundStep } from './explorer.ts';
import { readPageWords } from './page-words.ts';
import type { FoundPath } from './solution-paths.ts';

/** Longest run of steps that is left out at once: a detour and the way back. */
const longestRun = 2;

/** Leaves out steps that the verifier passes without. */
export async function shortenPath(session: Session, path: FoundPath): Promise<FoundPath> {
  let best = path;
  for (let size = longestRun; size >= 1; size--) {
    for (let at = 0; at + size < best.steps.length; ) {
      const shorter = await replay(session, best.steps.toSpliced(at, size));
      if (shorter === null) at++;
      else best = shorter;
    }
  }
  return best;
}

/** The same steps from here, with the numbers that their elements have now; null when they do not end in a pass. */
async function replay(session: Session, steps: readonly FoundStep[]): Promise<FoundPath | null> {
  const walker = await session.fork?.();
  if (walker === undefined) return null;
  try {
    const taken: FoundStep[] = [];
    for (const step of steps) {
      const screen = (await walker.observe()).text;
      const action = locate(step, screen);
      if (action === null || !(await walker.step(action)).applied) return null;
      taken.push({ action, text: describeStep(action, screen), screen });
    }
    if (!(await walker.verify()).pass) return null;
    return { steps: taken, state: (await walker.judgedState?.()) ?? null };
  } finally {
    await walker.close();
  }
}

/** The same action on another screen: numbers of elements change with what stands before them. */
export function locate({ action, screen }: Pick<FoundStep, 'action' | 'screen'>, now: string): Action | null {
  if (!('ref' in action) || screen === now) return action;
  const before = readPageWords(screen).elements;
  const wanted = before.find(({ ref }) => ref === action.ref);
  if (wanted === undefined) return null;
  const place = before.filter(({ key }) => key === wanted.key).indexOf(wanted);
  const found = readPageWords(now).elements.filter(({ key }) => key === wanted.key)[place];
  return found === undefined ? null : { ...action, ref: found.ref };
}

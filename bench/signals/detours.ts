import type { Action } from '../../src/core/action.ts';
import type { Candidate, StateSession } from '../../src/core/contracts.ts';
import { diff } from '../../src/core/diff.ts';
import { isOnScreen } from '../../src/core/path.ts';
import type { Random } from '../../src/core/random.ts';

/** Two clicks that lead away and back to the same state; null where none of those that were tried do. */
export function detourFrom(
  session: StateSession,
  offered: readonly Candidate[],
  random: Random,
): readonly [Action, Action] | null {
  const start = session.digest();
  for (const { action: out } of random.shuffle(offered.filter(({ action }) => action.kind === 'click')).slice(0, 6)) {
    const away = session.fork();
    if (!away.step(out).applied || away.ended() !== null || away.digest() === start) continue;
    for (const { action: back } of away.candidates().slice(0, 12)) {
      const returned = away.fork();
      if (back.kind === 'click' && returned.step(back).applied && returned.digest() === start) return [out, back];
    }
  }
  return null;
}

/** Whether a step changes nothing but the screen. */
export function isLook(session: StateSession, action: Action): boolean {
  const looked = session.fork();
  if (!looked.step(action).applied) return false;
  return diff(session.state(), looked.state()).every(({ path }) => isOnScreen(path));
}

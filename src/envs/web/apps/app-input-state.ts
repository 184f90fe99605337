import { hash } from 'node:crypto';
import { after, type Snapshot, type StateSession } from '../../../core/contracts.ts';
import { wrapStateSession } from '../../../core/wrap-session.ts';
import type { AppFocusState } from './app-focus-state.ts';
import type { Point } from '../browser/input.ts';

/** Where the person at a screen is: what was done by pixels and keys and is not in the state of the app. */
export interface InputState {
  readonly place: AppFocusState;
  readonly pointer: Point | null;
}

/** A state with somebody at its screen. */
export interface StateWithInput {
  /** Snapshots, forks and the digest of it cover the person. */
  readonly session: StateSession;
  /** Null when nobody pointed, scrolled or typed since the last action by reference. */
  input(): InputState | null;
  put(input: InputState): void;
}

interface SnapshotWithInput extends Snapshot {
  readonly state: Snapshot;
  readonly input: InputState | null;
}

export function withInputState(inner: StateSession, start: InputState | null = null): StateWithInput {
  let input = start;
  const session = wrapStateSession(inner, {
    digest: ask => () => {
      const digest = ask();
      if (input === null) return digest;
      return hash('sha256', JSON.stringify([digest, input.place, input.pointer])).slice(0, 32);
    },
    step: take => action =>
      after(take(action), outcome => {
        if (outcome.applied && action.kind !== 'finish') input = null;
        return outcome;
      }),
    snapshot: take => (): SnapshotWithInput => ({ owner: inner.task.id, state: take(), input }),
    restore: put => snapshot => {
      const given = snapshot as SnapshotWithInput | null | undefined;
      put(given?.state ?? snapshot);
      input = given?.input ?? null;
    },
    forked: fork => withInputState(fork, input).session,
  });
  return {
    session,
    input: () => input,
    put(next) {
      input = next;
    },
  };
}

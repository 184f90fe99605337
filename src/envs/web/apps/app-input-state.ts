import { hash } from 'node:crypto';
import type { Snapshot, StateSession } from '../../../core/contracts.ts';
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
  const session: StateSession = {
    ...inner,
    digest() {
      const digest = inner.digest();
      if (input === null) return digest;
      return hash('sha256', JSON.stringify([digest, input.place, input.pointer])).slice(0, 32);
    },
    step(action) {
      const outcome = inner.step(action);
      if (outcome.applied && action.kind !== 'finish') input = null;
      return outcome;
    },
    snapshot: (): SnapshotWithInput => ({ owner: inner.task.id, state: inner.snapshot(), input }),
    restore(snapshot) {
      const given = snapshot as SnapshotWithInput | null | undefined;
      inner.restore(given?.state ?? snapshot);
      input = given?.input ?? null;
    },
    fork: () => withInputState(inner.fork(), input).session,
  };
  return {
    session,
    input: () => input,
    put(next) {
      input = next;
    },
  };
}

import { hash } from 'node:crypto';
import type { Snapshot, StateSession } from '../../core/contracts.ts';
import type { AppPlace } from './app-place.ts';
import type { Point } from './browser/input.ts';

/** Where the person at a screen is: what was done by pixels and keys and is not in the state of the app. */
export interface Person {
  readonly place: AppPlace;
  readonly pointer: Point | null;
}

/** A state with somebody at its screen. */
export interface AttendedState {
  /** Snapshots, forks and the digest of it cover the person. */
  readonly session: StateSession;
  /** Null when nobody pointed, scrolled or typed since the last action by reference. */
  person(): Person | null;
  put(person: Person): void;
}

interface AttendedSnapshot extends Snapshot {
  readonly state: Snapshot;
  readonly person: Person | null;
}

export function attend(inner: StateSession, start: Person | null = null): AttendedState {
  let person = start;
  const session: StateSession = {
    ...inner,
    digest() {
      const digest = inner.digest();
      if (person === null) return digest;
      return hash('sha256', JSON.stringify([digest, person.place, person.pointer])).slice(0, 32);
    },
    step(action) {
      const outcome = inner.step(action);
      if (outcome.applied && action.kind !== 'finish') person = null;
      return outcome;
    },
    snapshot: (): AttendedSnapshot => ({ owner: inner.task.id, state: inner.snapshot(), person }),
    restore(snapshot) {
      const given = snapshot as AttendedSnapshot | null | undefined;
      inner.restore(given?.state ?? snapshot);
      person = given?.person ?? null;
    },
    fork: () => attend(inner.fork(), person).session,
  };
  return {
    session,
    person: () => person,
    put(next) {
      person = next;
    },
  };
}

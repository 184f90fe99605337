import { diff, type Change } from '../../core/diff.ts';
import { scalars, type Json } from '../../core/json.ts';
import { isOnScreen } from '../../core/path.ts';

export interface StateDescription {
  /** Names the state exactly: the same for two states with the same differences from the start. */
  readonly key: string;
  /** The facts `path=value` in which it differs from the start. */
  readonly atoms: readonly string[];
  /** Those of them that are values changed in the data. */
  readonly facts: readonly string[];
  /** The facts of the data alone. */
  readonly data: readonly string[];
  /** Paths of the screen in which it differs from the start. */
  readonly onScreen: readonly string[];
  /** The strings and numbers that have come onto the screen since. */
  readonly shown: readonly (string | number)[];
}

export function describeState(start: Json, state: Json): StateDescription {
  const atoms: string[] = [];
  const facts: string[] = [];
  const data: string[] = [];
  const onScreen: string[] = [];
  const shown: (string | number)[] = [];
  for (const change of diff(start, state)) {
    const atom = `${change.path}${nameOf(change)}`;
    atoms.push(atom);
    if (isOnScreen(change.path)) {
      onScreen.push(change.path);
      if (change.op !== 'remove') shown.push(...scalars(change.value));
    } else {
      data.push(atom);
      if (change.op === 'replace') facts.push(atom);
    }
  }
  return { key: atoms.toSorted().join('\n'), atoms, facts, data, onScreen, shown };
}

/**
 * After something was seen the way goes on from there: going back to the list is news, though it was seen before. After a goal was met, so is
 * a part of the screen that is as at the start again.
 */
export function atomsSince(later: StateDescription, latest: StateDescription | null): readonly string[] {
  if (latest === null) return later.atoms;
  const back = later.onScreen.filter(path => !latest.onScreen.includes(path));
  return [...latest.atoms, ...back.map(path => `${path} as at the start`)];
}

function nameOf(change: Change): string {
  if (change.op === 'remove') return '-';
  const place = change.op === 'add' ? (change.index ?? '') : '';
  return `${place}=${JSON.stringify(change.value)}`;
}

/** The strings and numbers that have come into the data. */
export function changedData(before: Json, after: Json): (string | number)[] {
  return diff(before, after).flatMap(change =>
    change.op === 'remove' || isOnScreen(change.path) ? [] : scalars(change.value),
  );
}

export interface Novelty {
  /** Whether a fact is here for the first time among the states of this class; remembers all of them. */
  isNew(partition: string, atoms: readonly string[]): boolean;
}

export function createNovelty(): Novelty {
  const seen = new Map<string, Set<string>>();
  return {
    isNew(partition, atoms) {
      let known = seen.get(partition);
      if (known === undefined) {
        known = new Set();
        seen.set(partition, known);
        for (const atom of atoms) known.add(atom);
        return true;
      }
      const before = known.size;
      for (const atom of atoms) known.add(atom);
      return known.size > before;
    },
  };
}

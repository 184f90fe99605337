import type { Vocabulary, ValueType } from '../filter/where.ts';
import { episodeFields } from '../filter/episode-fields.ts';
import type { Annotated, Scope, Signal } from './signal.ts';

/**
 * What expressions may ask: the fields of episodes, and of each signal the number of its annotations (`signal.loops`) and its
 * labels (`signal.loops.revisit`; `signal.revisit` where no other signal has that label).
 */
export function vocabularyOf(signals: readonly Signal[]): Vocabulary {
  const names = new Map<string, ValueType>(Object.entries(episodeFields).map(([name, { type }]) => [name, type]));
  for (const name of meanings(signals).keys()) names.set(name, 'number');
  return names;
}

interface Meaning {
  readonly signal: string;
  /** Null counts all annotations of the signal. */
  readonly label: string | null;
  readonly scope: Scope;
}

function meanings(signals: readonly Signal[]): Map<string, Meaning> {
  const found = new Map<string, Meaning>();
  const short = new Map<string, Meaning | null>();
  for (const { name: signal, labels } of signals) {
    found.set(`signal.${signal}`, { signal, label: null, scope: 'step' });
    if (labels === undefined) found.set(`signal.${signal}.*`, { signal, label: null, scope: 'step' });
    for (const [label, scope] of Object.entries(labels ?? {})) {
      const meaning = { signal, label, scope };
      found.set(`signal.${signal}.${label}`, meaning);
      short.set(`signal.${label}`, short.has(`signal.${label}`) ? null : meaning);
    }
  }
  for (const [name, meaning] of short) if (meaning !== null && !found.has(name)) found.set(name, meaning);
  return found;
}

/** The signals that an expression asks. */
export function signalsAsked(names: readonly string[], signals: readonly Signal[]): readonly Signal[] {
  const all = meanings(signals);
  const asked = new Set(names.map(name => (all.get(name) ?? ownLabel(name))?.signal));
  return signals.filter(({ name }) => asked.has(name));
}

/** Labels of a module that does not declare them: counted, or the value of the episode. */
function ownLabel(name: string): Meaning | null {
  const [first, signal, ...label] = name.split('.');
  if (first !== 'signal' || signal === undefined || label.length === 0) return null;
  return { signal, label: label.join('.'), scope: 'episode' };
}

/**
 * The values of these names for one episode. Labels of steps and leaves are counted: none found is 0, as the signal did look.
 * A label of an episode or group has its value, 1 when it has none; it is not in the map when the signal did not say it.
 */
export function signalValues(
  names: readonly string[],
  signals: readonly Signal[],
  said: readonly Annotated[],
): ReadonlyMap<string, number> {
  const all = meanings(signals);
  const values = new Map<string, number>();
  for (const name of names) {
    const meaning = all.get(name) ?? ownLabel(name);
    if (meaning === null) continue;
    const { signal, label, scope } = meaning;
    const found = said.filter(one => one.signal === signal && (label === null || one.label === label));
    const isCounted = label === null || scope === 'step' || scope === 'leaf';
    if (isCounted) values.set(name, found.length);
    else if (found[0] !== undefined) values.set(name, found[0].value ?? 1);
  }
  return values;
}

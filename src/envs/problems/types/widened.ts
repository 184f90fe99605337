import type { Json } from '../../../core/json.ts';
import { list, set, tuple } from './collections.ts';
import { fits } from './fits.ts';
import { integer } from './numbers.ts';
import type { Type } from './type.ts';

/**
 * The type that has the values of both. A set and a list are a list: a set is read without its order, so a type that reads
 * either as a set would take the right list as another one.
 */
export function widened(one: Type, other: Type): Type {
  if (one.kind === 'integer' && other.kind === 'integer' && one.range !== undefined && other.range !== undefined) {
    const [left, right] = [one.range, other.range];
    return integer({ low: Math.min(left.low, right.low), high: Math.max(left.high, right.high) });
  }
  const wider = fits(one, other) ? other : one;
  if (one.name === other.name) return wider;
  const either = {
    name: `${one.name}, or ${other.name}`,
    holds: (value: Json) => one.holds(value) || other.holds(value),
  };
  const joined = joinedCollections(one, other);
  return joined === null ? { ...wider, ...eitherOf(one, other), ...either } : { ...joined, ...either };
}

/** Whether values of a type are sets that another type takes as lists, somewhere inside. They are written in ascending order. */
export function hasOrderedSets(from: Type, to: Type): boolean {
  if (from.kind === 'set' && to.kind === 'list') return true;
  return from.elements.some((element, index) => {
    const taken = to.elements[index] ?? to.elements[0];
    return taken !== undefined && hasOrderedSets(element, taken);
  });
}

/** Elements are joined too. Null for types without elements. */
function joinedCollections(one: Type, other: Type): Type | null {
  const elements = [...one.elements, ...other.elements];
  if (one.elements.length === 0 || other.elements.length === 0) return null;
  if (one.kind === 'tuple' && other.kind === 'tuple' && one.elements.length === other.elements.length)
    return tuple(one.elements.map((element, index) => widened(element, other.elements[index] as Type)));
  const element = elements.reduce(widened);
  return one.kind === 'set' && other.kind === 'set' ? set(element) : list(element);
}

/** A value is written as the type does that holds it, and read by the one that writes it so, else as the first one that can. */
function eitherOf(one: Type, other: Type): Pick<Type, 'form' | 'write' | 'near' | 'read'> {
  const typeOf = (value: Json): Type => (one.holds(value) ? one : other);
  return {
    form: one.form === other.form ? one.form : `${one.form}, or ${other.form}`,
    write: value => typeOf(value).write(value),
    near: (value, random) => typeOf(value).near(value, random),
    read(given) {
      const [first, second] = [one.read(given), other.read(given)];
      const isSecond = 'value' in second && other.write(second.value) === given;
      const isFirst = 'value' in first && (!isSecond || one.write(first.value) === given);
      return isFirst ? first : second;
    },
  };
}

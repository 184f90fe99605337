import type { Type } from './type.ts';

/**
 * Whether values of one type can be the input of another. An integer is a rational, a set is a list in ascending order, a
 * group of values of one type is a list. Ranges of integers must overlap, and so must the characters of texts: a sampler
 * draws until a value lies in both.
 */
export function fits(from: Type, to: Type): boolean {
  if (to.kind === 'rational') return from.kind === 'rational' || from.kind === 'integer';
  if (to.kind === 'list' && ['list', 'set', 'tuple'].includes(from.kind))
    return from.elements.every(element => fits(element, to.elements[0] as Type));
  if (from.kind !== to.kind || from.elements.length !== to.elements.length) return false;
  if (from.kind === 'integer') return overlap(from, to);
  if (from.kind === 'text') return shareTexts(from, to);
  if (from.kind === 'graph') return from.name === to.name;
  return from.elements.every((element, index) => fits(element, to.elements[index] as Type));
}

function overlap({ range: one }: Type, { range: other }: Type): boolean {
  if (one === undefined || other === undefined) return true;
  return one.low <= other.high && other.low <= one.high;
}

function shareTexts(from: Type, to: Type): boolean {
  if (from.options !== undefined) return from.options.some(option => to.holds(option));
  if (to.options !== undefined) return to.options.some(option => from.holds(option));
  const characters = to.alphabet;
  return (
    characters === undefined || [...(from.alphabet ?? characters)].some(character => characters.includes(character))
  );
}

import { utilityOf } from '../item.ts';
import type { Reader } from './here.ts';
import { similarityOf } from './similarity.ts';

/** Exemplars that are looked at on a screen. */
const most = 4;
/** Of an exemplar that came after another step than the one before. */
const elsewhere = 0.5;

/** Steps that were right on screens with this heading: those after the same step, in tasks like this one, first. */
export const readExemplars: Reader = ({ memory, heading, before, pattern }) => {
  const found = memory.index.onHeading('exemplar', heading).map(item => {
    const nearness = similarityOf(item.content.title, pattern) ** 2 * (item.content.before === before ? 1 : elsewhere);
    return { item, weight: nearness * utilityOf(item) };
  });
  return found
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, most)
    .map(({ item, weight }) => ({ item: item.id, how: 'prefer', line: item.content.line, weight }));
};

/** Steps that are not taken on screens with this heading. */
export const readGuardrails: Reader = ({ memory, heading }) =>
  memory.index
    .onHeading('guardrail', heading)
    .map(item => ({ item: item.id, how: 'avoid', line: item.content.line, weight: utilityOf(item) }));

import { list, pair, set } from './collections.ts';
import { integer, rational } from './numbers.ts';
import { graph, grid } from './structures.ts';
import { boolean, choice, date, text } from './words.ts';

/** The types of inputs and answers, by name, for authors of problems. */
export const problemTypes = { integer, rational, boolean, text, choice, date, list, set, pair, grid, graph } as const;

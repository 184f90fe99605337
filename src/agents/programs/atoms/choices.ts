import type { Data, Kind } from '../value.ts';
import { atom, type Atom } from './atom.ts';

const chosen: readonly Kind[] = ['number', 'text', 'boolean', 'date', 'numbers', 'texts', 'lists', 'rows'];

/** The second value if the first is yes, or even; else the third. */
function choose(condition: Data, yes: Data, no: Data): Data | undefined {
  if (typeof condition === 'number' && !Number.isInteger(condition)) return undefined;
  return (typeof condition === 'number' ? condition % 2 === 0 : condition === true) ? yes : no;
}

export const choiceAtoms: readonly Atom[] = chosen.flatMap(kind =>
  (['number', 'boolean'] as const).map(condition =>
    atom('if', [condition, kind, kind], (a, b, c) => choose(a as Data, b as Data, c as Data)),
  ),
);

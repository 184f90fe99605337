import { calendarAtoms } from './atoms/calendar.ts';
import { choiceAtoms } from './atoms/choices.ts';
import { listAtoms } from './atoms/lists.ts';
import { numberAtoms } from './atoms/numbers.ts';
import { textAtoms } from './atoms/texts.ts';
import type { Atom } from './atoms/atom.ts';

/** General functions that programs are made of. None knows a problem. */
export const atoms: readonly Atom[] = [...numberAtoms, ...listAtoms, ...textAtoms, ...calendarAtoms, ...choiceAtoms];

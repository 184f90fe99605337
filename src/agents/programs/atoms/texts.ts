import { atom, type Atom } from './atom.ts';

type Texts = readonly string[];

function shifted(text: string, by: number): string | undefined {
  if (!/^[a-z]+$/.test(text) || !Number.isInteger(by)) return undefined;
  return [...text]
    .map(letter => String.fromCodePoint(97 + ((((letter.charCodeAt(0) - 97 + by) % 26) + 26) % 26)))
    .join('');
}

function countOf(text: string, letters: Texts): number {
  return [...text].filter(letter => letters.includes(letter)).length;
}

function commonLetters(text: string): string[] {
  return [...new Set(text)].filter(letter => countOf(text, [letter]) > 1);
}

export const textAtoms: readonly Atom[] = [
  atom<string>('reverse', ['text'], a => [...(a as string)].toReversed().join('')),
  atom<string>('sort', ['text'], a => [...(a as string)].toSorted().join('')),
  atom<string>('length', ['text'], a => (a as string).length),
  atom<string>('letters', ['text'], a => [...(a as string)]),
  atom<string>('distinct', ['text'], a => [...new Set(a as string)].join('')),
  atom<string>('repeated letters', ['text'], a => commonLetters(a as string).join('')),
  atom<string>('first', ['text'], a => (a === '' ? undefined : a?.[0])),
  atom<string>('last', ['text'], a => (a === '' ? undefined : a?.at(-1))),
  atom<string>('without letters of', ['text', 'text'], (a, b) =>
    [...(a as string)].filter(letter => !b?.includes(letter)).join(''),
  ),
  atom<string>('count letter', ['text', 'text'], (a, b) => (b?.length === 1 ? countOf(a as string, [b]) : undefined)),
  atom('count letters', ['text', 'texts'], (a, b) => countOf(a as string, b as Texts)),
  atom('shift', ['text', 'number'], (a, b) => shifted(a as string, b as number)),
  atom<string>('equal', ['text', 'text'], (a, b) => a === b),
  atom<Texts>('equal', ['texts'], a => (a?.length === 2 ? a[0] === a[1] : undefined)),
  atom<Texts>('first', ['texts'], a => a?.[0]),
  atom<Texts>('second', ['texts'], a => a?.[1]),
  atom<Texts>('length', ['texts'], a => (a as Texts).length),
  atom<Texts>('sort', ['texts'], a => (a as Texts).toSorted()),
  atom<Texts>('distinct', ['texts'], a => [...new Set(a as Texts)]),
  atom<Texts>('join', ['texts'], a => (a as Texts).join('')),
  atom<Texts>('each length', ['texts'], a => (a as Texts).map(text => text.length)),
  atom<Texts>('each sort', ['texts'], a => (a as Texts).map(text => [...text].toSorted().join(''))),
  atom<Texts>('each reverse', ['texts'], a => (a as Texts).map(text => [...text].toReversed().join(''))),
];

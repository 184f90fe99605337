import type { Random } from '../../../core/random.ts';
import type { Value } from '../atoms/atom.ts';
import type { Specification } from './specification.ts';

type Structure = Specification['structure'];

const boundaries: Readonly<Record<Structure, readonly Value[]>> = {
  numbers: [
    [],
    [0],
    [1],
    [-1],
    [7, 7, 7],
    [1, 2, 3, 4, 5, 6, 7],
    [9, 6, 3, 0, -3, -6],
    [-5, 5, -5, 5],
    [20, 21, 1, 2, 15, 16],
    [100, -100, 10],
  ],
  text: ['', 'a', 'z', 'aaaa', 'aeiou', 'xyz', 'zyxwv', 'abab', 'level'],
  words: [
    [],
    ['a'],
    ['zz'],
    ['on', 'on', 'on'],
    ['a', 'bb', 'ccc', 'dddd', 'eeeee'],
    ['ba', 'ab', 'b', 'a'],
    ['under'],
  ],
};

const vocabulary =
  'apple bird cloud dust echo fig grape hill iris jam kite lemon moon nest oak pear quill rain sun tree umbrella vine wind yard zoo at in up'.split(
    ' ',
  );
const alphabet = 'aabcdeeefghiijklmnoopqrstuuvwxyz';

export function boundaryInputs(structure: Structure): readonly Value[] {
  return boundaries[structure];
}

export function randomInput(structure: Structure, random: Random): Value {
  const many = (low: number, high: number): undefined[] => Array.from({ length: random.between(low, high) });
  if (structure === 'numbers') {
    const high = random.pick([9, 30, 60]);
    return many(2, 9).map(() => random.between(-Math.ceil(high / 2), high));
  }
  if (structure === 'text')
    return many(3, 12)
      .map(() => random.pick([...alphabet]))
      .join('');
  return many(2, 7).map(() => random.pick(vocabulary));
}

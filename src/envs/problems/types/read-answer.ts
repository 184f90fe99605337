import type { Json } from '../../../core/json.ts';
import { longestAnswer, undressed } from '../../../worlds/verdict/answer-dress.ts';
import { unreadable, type Reading, type Type } from './type.ts';

/** Signs beside those of ASCII that people and models write: minus, quotes, degrees, currencies, squared and cubed. */
const known = /[\u2010-\u2013\u2212\u00d7\u201c\u201d\u2018\u2019°€£²³]/g;

type IsRight = (value: Json) => boolean;

/**
 * Reads an answer as a value. Words and signs of markup around it, quotes, spaces and a final full stop do not count. What only looks like the
 * right characters is refused, and so is what is too long.
 */
export function readAnswer(type: Type, given: string, isRight: IsRight = () => true): Reading<Json> {
  if (given.length > longestAnswer)
    return unreadable('too-long', `expected at most ${longestAnswer} characters, but there are ${given.length}`);
  // oxlint-disable-next-line no-control-regex
  const foreign = /[^\t\n\r\u0020-\u007e]/u.exec(given.replaceAll(known, ''))?.[0];
  if (foreign !== undefined) {
    const point = (foreign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
    return unreadable('look-alike', `expected plain letters, digits and signs, but there is U+${point}`);
  }
  if (given.trim() === '') return unreadable('empty', `expected ${type.form}, but nothing was answered`);
  const readings = undressed(given).map(layer => readLayer(type, layer));
  // Quotes and signs may belong to the value: then a layer with them is the right one.
  const right = readings.findLast(reading => 'value' in reading && isRight(reading.value));
  return right ?? (readings.at(-1) as Reading<Json>);
}

function readLayer(type: Type, layer: string): Reading<Json> {
  const bare = plain(layer);
  const reading = type.read(bare);
  // A full stop may end a sentence, or belong to the value.
  return 'value' in reading || !bare.endsWith('.') ? reading : type.read(bare.slice(0, -1).trim());
}

/** Formulas as one writes them on a keyboard. */
function plain(formula: string): string {
  return formula
    .replaceAll(/\\d?frac\{(\d+)\}\{(\d+)\}/g, '$1/$2')
    .replaceAll('\\%', '%')
    .replaceAll('\\times', 'x')
    .replaceAll(/\\([{}])/g, '$1')
    .replaceAll(/\\[,;! ]/g, '');
}

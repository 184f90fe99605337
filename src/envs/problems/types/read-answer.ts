import type { Json } from '../../../core/json.ts';
import { unreadable, type Reading, type Type } from './type.ts';

/** Characters of the longest answer that is read. */
export const longestAnswer = 10_000;

/** Signs beside those of ASCII that people and models write: minus, quotes, degrees, currencies, squared and cubed. */
const known = /[\u2212\u201c\u201d\u2018\u2019°€£²³]/g;

/**
 * Reads an answer as a value. Words and signs of markup around it, quotes, spaces and a final full stop do not count. What only looks like the
 * right characters is refused, and so is what is too long.
 */
export function readAnswer(type: Type, given: string): Reading<Json> {
  if (given.length > longestAnswer)
    return unreadable('too-long', `expected at most ${longestAnswer} characters, but there are ${given.length}`);
  // oxlint-disable-next-line no-control-regex
  const foreign = /[^\t\n\r\u0020-\u007e]/u.exec(given.replaceAll(known, ''))?.[0];
  if (foreign !== undefined) {
    const point = (foreign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
    return unreadable('look-alike', `expected plain letters, digits and signs, but there is U+${point}`);
  }
  const bare = valueIn(given);
  if (bare === '') return unreadable('empty', `expected ${type.form}, but nothing was answered`);
  const reading = type.read(bare);
  // A full stop may end a sentence, or belong to the value.
  return 'value' in reading || !bare.endsWith('.') ? reading : type.read(bare.slice(0, -1).trim());
}

const introduction = /^(?:the )?(?:final )?answer(?:\s+is)?(?:\s*[:=]\s*|\s+)(?=\S)/i;

/** What people and models put around a value: blocks of code, quotes, bold, code, formulas, boxes. */
const wrappings = [
  /^```[a-z]*[ \t]*\n(?<inner>[^`]+)```$/s,
  /^"(?<inner>[^"]+)"$/s,
  /^'(?<inner>[^']+)'$/s,
  /^\*\*(?<inner>[^*]+)\*\*$/s,
  /^`(?<inner>[^`]*)`$/s,
  /^\$\$(?<inner>[^$]+)\$\$$/s,
  /^\$(?<inner>[^$]+)\$$/s,
  /^\\\((?<inner>.+)\\\)$/s,
  /^\\\[(?<inner>.+)\\\]$/s,
  /^\\(?:boxed|text|mathrm)\{(?<inner>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}$/s,
];
const mostWrappings = 6;

/** The value without the words and signs around it. */
function valueIn(given: string): string {
  const straight = given
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll('\u2212', '-')
    .trim();
  // Models write a box around the answer, after the way there.
  const boxes = [...straight.matchAll(/\\boxed\{(?<inner>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/gs)];
  let bare = (boxes.length === 1 ? (boxes[0]?.groups?.['inner'] ?? '') : straight).trim();
  for (let left = mostWrappings; left > 0; left--) {
    const started = bare.replace(introduction, '');
    const stopped = started.replace(/(?<=[*`$)\]}"'])\.$/, '');
    const wrapping = wrappings.find(pattern => pattern.test(stopped));
    const inner = wrapping?.exec(stopped)?.groups?.['inner']?.trim() ?? started;
    if (inner === bare) break;
    bare = inner;
  }
  return bare
    .replaceAll(/\\d?frac\{(\d+)\}\{(\d+)\}/g, '$1/$2')
    .replaceAll('\\%', '%')
    .replaceAll(/\\([{}])/g, '$1')
    .replaceAll(/\\[,;! ]/g, '');
}

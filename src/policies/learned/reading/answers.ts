import type { Element, StateFeatures } from './situation.ts';

type AnswerShape = 'money' | 'number' | 'phone' | 'code' | 'date' | 'address' | 'name' | 'words';

/** Something on the screen that could be the answer to a question. */
export interface Answer {
  readonly text: string;
  readonly shape: AnswerShape;
  readonly element: Element;
  /** What stands right before it on its line: a label, or words. */
  readonly label: string;
  /** What stands right after it. */
  readonly noun: string;
  /** Which part of a line of several parts it is. */
  readonly part: number;
  /** Which row of a list it stands in; -1 outside of lists. */
  readonly rowNumber: number;
}

const figurePattern =
  /\p{N}{4}-\p{N}{2}-\p{N}{2}|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[€$£]\p{N}[\p{N}.,]*\p{N}|\+\p{N}[\p{N} ]*\p{N}|\b\p{Lu}+-\p{N}+\b|\p{N}[\p{N},]*(?:\.\p{N}+)?/gu;

/** Names, values, parts of lines and figures; each text once for each place it stands in. */
export function findAnswers({ elements }: StateFeatures): readonly Answer[] {
  const found: Answer[] = [];
  let rowNumber = -1;
  let row = '';
  for (const element of elements) {
    if (element.row !== row) {
      row = element.row;
      rowNumber = row === '' ? -1 : rowNumber + 1;
    }
    if (element.role === 'button' || element.role === 'checkbox') continue;
    addFrom(found, element, rowNumber);
  }
  return found;
}

function addFrom(found: Answer[], element: Element, rowNumber: number): void {
  const line = element.value === null ? element.name : `${element.name}: ${element.value}`;
  if (line === '' || line.length > 400) return;
  const seen = new Set<string>();
  const add = (text: string, at: number, part: number): void => {
    if (text === '' || text.length > 60 || seen.has(text)) return;
    seen.add(text);
    found.push({
      text,
      shape: shapeOf(text),
      element,
      label: wordBefore(line, at),
      noun: wordAfter(line, at + text.length),
      part,
      rowNumber,
    });
  };
  const parts = line.split(/, |: | \(|\) ?| · /);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    at = line.indexOf(part, at);
    add(part.trim(), at, index);
    at += part.length;
  }
  for (const match of line.matchAll(figurePattern)) add(match[0], match.index, -1);
}

function wordBefore(line: string, at: number): string {
  return /([\p{L}\p{N}]+)[^\p{L}\p{N}]*$/u.exec(line.slice(0, at))?.[1]?.toLowerCase() ?? '';
}

function wordAfter(line: string, at: number): string {
  return /^[^\p{L}\p{N}]*([\p{L}\p{N}]+)/u.exec(line.slice(at))?.[1]?.toLowerCase() ?? '';
}

function shapeOf(text: string): AnswerShape {
  if (/^[€$£]\p{N}/u.test(text)) return 'money';
  if (/^\p{N}[\p{N},.]*$/u.test(text)) return 'number';
  if (/^\p{N}{4}-\p{N}{2}-\p{N}{2}/u.test(text)) return 'date';
  if (/^\S+@\S+$/.test(text)) return 'address';
  if (/^\+\p{N}/u.test(text)) return 'phone';
  if (/^\p{Lu}+-\p{N}+$/u.test(text)) return 'code';
  return /^\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)+$/u.test(text) ? 'name' : 'words';
}

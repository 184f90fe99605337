import type { Element, StateFeatures } from './situation.ts';
import { wordsOf } from './words.ts';

type AnswerShape = 'money' | 'number' | 'phone' | 'code' | 'date' | 'address' | 'name' | 'words';

/** Something on the screen that could be the answer to a question. */
export interface Answer {
  readonly text: string;
  readonly shape: AnswerShape;
  readonly element: Element;
  /** What stands right before it on its line: a label, or words. */
  readonly label: string;
  /** Words of what the value is called: the label before it, the heading of its column, the name of its row. */
  readonly field: readonly string[];
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
    addFrom(found, element, { rowNumber, called: element.role === 'cell' ? nameOfCell(element, elements) : '' });
  }
  return found;
}

/** The heading of the column that a cell stands in, or the name of its row where that is a label. */
function nameOfCell(cell: Element, elements: readonly Element[]): string {
  const row = elements[cell.parent];
  if (row === undefined) return '';
  const header = elements.find(({ role, parent }) => role === 'row' && parent === row.parent);
  const own = elements.filter(({ parent, role }) => parent === row.index && role === 'cell');
  const heads = header === undefined || header === row ? [] : elements.filter(({ parent }) => parent === header.index);
  const head = heads[heads.length - own.length + own.indexOf(cell)];
  return own.length === 1 ? `${row.name} ${head?.name ?? ''}` : (head?.name ?? '');
}

interface AnswerPlace {
  readonly rowNumber: number;
  readonly called: string;
}

function addFrom(found: Answer[], element: Element, { rowNumber, called }: AnswerPlace): void {
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
      field: wordsOf(`${called} ${labelBefore(line, at)}`),
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

/** What stands before a colon before it. */
function labelBefore(line: string, at: number): string {
  return /([^,:()·]+): $/.exec(line.slice(0, at))?.[1] ?? '';
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

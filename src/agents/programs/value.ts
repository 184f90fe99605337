/** What programs work on. Numbers are doubles; dates are written as 2024-03-05. */
export type Data = number | string | boolean | readonly Data[];

export type Kind =
  | 'number'
  | 'text'
  | 'boolean'
  | 'date'
  | 'expression'
  | 'numbers'
  | 'texts'
  | 'dates'
  | 'lists'
  | 'rows'
  | 'mixed';

export interface Value {
  readonly kind: Kind;
  readonly data: Data;
}

export const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** The kind of a value that was computed or read. Rows are pairs that begin with a text. */
export function kindOf(data: Data): Kind {
  if (typeof data === 'number') return 'number';
  if (typeof data === 'boolean') return 'boolean';
  if (typeof data === 'string') return datePattern.test(data) ? 'date' : 'text';
  return listKindOf(data);
}

function listKindOf(items: readonly Data[]): Kind {
  if (items.every(item => typeof item === 'number')) return 'numbers';
  if (items.every(item => typeof item === 'string'))
    return items.every(item => datePattern.test(item)) ? 'dates' : 'texts';
  if (items.every(item => Array.isArray(item) && item.every(inner => typeof inner === 'number'))) return 'lists';
  return items.every(isRow) ? 'rows' : 'mixed';
}

function isRow(item: Data): boolean {
  return Array.isArray(item) && item.length === 2 && typeof item[0] === 'string' && typeof item[1] === 'number';
}

/** A value as an answer. */
export function writeData(data: Data): string {
  if (typeof data === 'number') return writeNumber(data);
  if (typeof data === 'boolean') return data ? 'yes' : 'no';
  if (typeof data === 'string') return data;
  return `[${data.map(writeData).join(', ')}]`;
}

const largestDenominator = 1e6;
const closeness = 1e-10;

/** A whole number, or the fraction with a small denominator that the double stands for. */
function writeNumber(value: number): string {
  if (Number.isInteger(value)) return String(value + 0);
  let [top, bottom, previousTop, previousBottom] = [Math.floor(value), 1, 1, 0];
  let rest = value - top;
  while (Math.abs(value - top / bottom) > closeness * Math.abs(value) && rest > 0 && bottom < largestDenominator) {
    const whole = Math.floor(1 / rest);
    [top, previousTop] = [whole * top + previousTop, top];
    [bottom, previousBottom] = [whole * bottom + previousBottom, bottom];
    rest = 1 / rest - whole;
  }
  return bottom === 1 ? String(top) : `${top}/${bottom}`;
}

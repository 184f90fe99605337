/** One line of a screen as an agent reads it. */
export interface ScreenLine {
  readonly depth: number;
  /** `e12`, when the element can be acted on. */
  readonly ref: string | null;
  readonly role: string;
  readonly name: string;
  /** Null when the element has none; empty when nothing was entered. */
  readonly value: string | null;
  readonly options: readonly string[];
  readonly states: readonly string[];
  /** Place of the line that this one stands in; -1 for the page itself. */
  readonly parent: number;
}

const none: readonly string[] = Object.freeze([]);
const namedPattern = /^([a-z]+) "/;
const statesPattern = /(?: \((?:checked|current|disabled|expanded|invalid|required|selected|unread)\))+$/;

/** Reads the text of a screen back into its lines: all that an agent without privileges knows of it. */
export function readScreen(text: string): readonly ScreenLine[] {
  const lines: ScreenLine[] = [];
  const open: number[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    let indent = 0;
    while (line[indent] === ' ') indent++;
    const depth = indent >> 1;
    open[depth] = lines.length;
    lines.push(readLine(line.slice(indent), depth, depth === 0 ? -1 : (open[depth - 1] ?? -1)));
  }
  return lines;
}

function readLine(line: string, depth: number, parent: number): ScreenLine {
  let rest = line;
  let ref: string | null = null;
  if (line.startsWith('[e')) {
    const end = line.indexOf('] ');
    ref = line.slice(1, end);
    rest = line.slice(end + 2);
  }
  const role = namedPattern.exec(rest)?.[1];
  // A line without a name in quotes is a text, and all of it is the text.
  if (role === undefined)
    return { depth, ref, role: 'text', name: rest, value: null, options: none, states: none, parent };
  const close = closingQuote(rest, role.length + 2);
  const name = rest.slice(role.length + 2, close);
  return { depth, ref, role, name, ...readTail(rest.slice(close + 1), role), parent };
}

/** A name may contain quotes itself: the closing one is followed by what can follow a name. */
function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 1)) {
    const next = line.slice(at + 1, at + 3);
    if (next === '' || next === ': ' || next === ' {' || next === ' (') return at;
  }
  return line.length;
}

function readTail(tail: string, role: string): Pick<ScreenLine, 'value' | 'options' | 'states'> {
  let rest = tail;
  let states = none;
  let options = none;
  const marks = rest.endsWith(')') ? statesPattern.exec(rest) : null;
  if (marks !== null) {
    states = marks[0].slice(2, -1).split(') (');
    rest = rest.slice(0, marks.index);
  }
  // A text that was entered may end with a placeholder such as {name}.
  if (role !== 'textbox' && rest.endsWith('}')) {
    const at = rest.lastIndexOf(' {');
    options = rest.slice(at + 2, -1).split(' | ');
    rest = rest.slice(0, at);
  }
  const value = rest === '' ? null : rest === ': (empty)' ? '' : rest.slice(2);
  return { value, options, states };
}

/** Characters of the longest answer whose dress is taken off. */
export const longestAnswer = 10_000;

/**
 * An answer as it was given, then with one dress less each time: introductions, quotes, markup, boxes, tags. The last one is bare. What is
 * left out never says anything: an answer that hedges, denies or lists stays as it is.
 */
export function undressed(given: string): readonly string[] {
  const layers = [straight(given)];
  if (given.length > longestAnswer) return layers;
  const member = answerMember(given.trim());
  if (member !== null) layers.push(straight(member));
  for (let left = mostDresses; left > 0; left--) {
    const bare = layers.at(-1) as string;
    const inner = withoutDress(bare).trim();
    if (inner === bare || inner === '') break;
    layers.push(inner);
  }
  return layers;
}

/** One item of a list that was answered, without its quotes and markup. */
export function undressedItem(given: string): string {
  return unwrapped(given).trim();
}

/** Signs of typesetters as those of a keyboard. */
export function straight(text: string): string {
  return text
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u2010-\u2013\u2212]/g, '-')
    .trim();
}

const mostDresses = 8;

const opening = String.raw`(?:(?:so|thus|therefore|hence)\b,?\s+)?(?:(?:the|my)\s+)?(?:(?:final|correct|right)\s+)?(?:answer|result)`;
const introductions = [
  new RegExp(String.raw`^[*_]*${opening}[*_]*(?:\s+is\b)?(?:\s*[:=]+[*_]*\s*|\s+)(?=\S)`, 'i'),
  /^it(?:\s+is|'s)\s+(?=\S)/i,
  /^#{1,6}[ \t]+(?=\S)/,
];
/** A line that brings the answer after the way there. */
const lastLine = new RegExp(String.raw`^[*_#\s]*${opening}[*_]*(?:\s+is\b\s*:?|\s*[:=])[*_]*\s*\S`, 'i');
const announcement = /\b(?:answer|result)[*_]*(?:\s+is\b|\s*[:=])/gi;

/** What stands in braces, with braces in it three levels deep. */
const braced = [1, 2, 3].reduce(inner => String.raw`[^{}]*(?:\{${inner}\}[^{}]*)*`, '[^{}]*');

/** What people and models put around a value: blocks of code, quotes, bold, code, formulas. */
const wrappings = [
  /^```[a-z]*[ \t]*\n(?<inner>(?:(?!```).)+)```$/s,
  /^"(?<inner>[^"]+(?:"[^"]*"[^"]*)*)"$/s,
  /^'(?<inner>(?:[^']|(?<=\w)'(?=\w))+)'$/s,
  /^\*\*(?<inner>[^*]+)\*\*$/s,
  /^__(?<inner>[^_]+)__$/s,
  /^\*(?<inner>[^*]+)\*$/s,
  /^_(?<inner>[^_]+)_$/s,
  /^`(?<inner>[^`]*)`$/s,
  /^\$\$(?<inner>[^$]+)\$\$$/s,
  /^\$(?<inner>\\?\$?[^$]+)\$$/s,
  /^\\\((?<inner>.+)\\\)$/s,
  /^\\\[(?<inner>.+)\\\]$/s,
  new RegExp(String.raw`^\\(?:text|mathrm|mathbf)\{(?<inner>${braced})\}$`),
];

function withoutDress(text: string): string {
  const boxed = withoutBox(text);
  if (boxed !== text) return boxed;
  const inner = unwrapped(text);
  if (inner !== text) return inner;
  if (text.includes('\n') && (text.match(announcement)?.length ?? 0) > 1) return text;
  const line = answerLine(text);
  const subject = /^(?<inner>\S[^\n]*?) is (?:the|my) (?:final |correct )?answer\.?$/i.exec(line)?.groups?.['inner'];
  if (subject !== undefined) return subject;
  for (const introduction of introductions) {
    const rest = line.replace(introduction, '');
    if (rest !== line) return rest;
  }
  return line;
}

function unwrapped(text: string): string {
  const stopped = text.replace(/(?<=[*_`$)\]}"'])\.$/, '');
  for (const pattern of wrappings) {
    const inner = pattern.exec(stopped)?.groups?.['inner'];
    if (inner !== undefined) return inner;
  }
  return text;
}

const boxes = new RegExp(
  String.raw`\\(?:boxed|fbox)\{(?<boxed>${braced})\}|<answer>(?<tagged>[^<]*)(?:</answer>|$)`,
  'gi',
);
/** What makes the box after it no answer. */
const denial =
  /(?:(?<![a-z])(?:not|never|nor|or|than|except|unlike|maybe|perhaps|possibly|probably|isn't|wasn't|cannot be))(?:\s+(?:equal(?:\s+to)?|be|the answer|exactly))?[\s:=$*\\(]*$/i;

/** Models box the answer after the way there: then the box is all. Elsewhere only its frame goes. Different boxes stay. */
function withoutBox(text: string): string {
  const found = [...text.matchAll(boxes)];
  const contents = found.map(({ groups }) => (groups?.['boxed'] ?? groups?.['tagged'] ?? '').trim());
  const [inner] = contents;
  const last = found.at(-1);
  if (inner === undefined || last === undefined || contents.some(content => content !== inner)) return text;
  const before = text.slice(0, found[0]?.index);
  const isLast = /^[\s.$*_`\\)\]]*$/.test(text.slice(last.index + last[0].length));
  return isLast && !denial.test(before) ? inner : text.replaceAll(boxes, () => inner);
}

/** The last line of several, where it announces the answer. */
function answerLine(text: string): string {
  const last = text.slice(text.lastIndexOf('\n') + 1).trim();
  return lastLine.test(last) ? last : text;
}

/** The value of `{"answer": …}`. */
function answerMember(text: string): string | null {
  if (!/^\{\s*"(?:final_)?answer"\s*:/i.test(text)) return null;
  try {
    const [value, ...others] = Object.values(JSON.parse(text) as object) as unknown[];
    if (others.length > 0) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return null;
  }
}

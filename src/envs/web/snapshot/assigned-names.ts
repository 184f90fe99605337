/** A statement in which names that stand in a list or an object are assigned to, not declared. */
const closing = /[\]}]\s*=(?![=>])/g;
const name = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]*`;
const operators = String.raw`(?:=(?![=>])|\+\+|--|(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)=)`;
const assigned = new RegExp(
  String.raw`(?<before>\b(?:const|let|var)\s+|[.#]\s*)?(?<name>${name})\s*${operators}`,
  'gu',
);
const counted = new RegExp(String.raw`(?:\+\+|--)\s*(?<name>${name})`, 'gu');
const looped = new RegExp(String.raw`\bfor\s*(?:await\s*)?\(\s*(?<name>${name})\s+(?:of|in)\b`, 'gu');
const anyName = new RegExp(name, 'gu');

/**
 * The names that a script may assign to after it declared them; null when that can be any. Names are told apart by their
 * text alone, so one too many may be among them, never one too few.
 */
export function assignedNames(source: string): ReadonlySet<string> | null {
  // Scripts that are run from texts, and arguments under two names, assign without saying so.
  if (/\beval\b|\bwith\s*\(|\barguments\s*\[/.test(source)) return null;
  const names = new Set<string>();
  for (const { groups } of source.matchAll(assigned)) {
    if (groups?.['before'] === undefined) names.add(groups?.['name'] as string);
  }
  for (const pattern of [counted, looped])
    for (const { groups } of source.matchAll(pattern)) names.add(groups?.['name'] as string);
  for (const { index } of source.matchAll(closing)) for (const inside of namesBefore(source, index)) names.add(inside);
  for (const inside of loopTargets(source)) names.add(inside);
  return names;
}

/** The names between a closing bracket and its opening one, unless they are declared there or pick a member. */
function namesBefore(source: string, end: number): readonly string[] {
  const start = openingOf(source, end);
  if (start === null) return [];
  const before = source.slice(Math.max(0, start - 40), start);
  if (/\b(?:const|let|var)\s+$/.test(before)) return [];
  if (
    source[end] === ']' &&
    /[\p{ID_Continue}$)\]]\s*$/u.test(before) &&
    !/\b(?:return|of|in|yield|await)\s*$/.test(before)
  )
    return [];
  return source.slice(start, end).match(anyName) ?? [];
}

/** `for ([a, b] of pairs)` assigns as well. */
function loopTargets(source: string): readonly string[] {
  return [...source.matchAll(/\bfor\s*(?:await\s*)?\(\s*[[{]([^]*?)[\]}]\s*(?:of|in)\b/g)].flatMap(
    match => match[1]?.match(anyName) ?? [],
  );
}

const pairs: Readonly<Record<string, string>> = { ']': '[', '}': '{', ')': '(' };

function openingOf(source: string, end: number): number | null {
  const waiting: string[] = [];
  for (let at = end; at >= 0; at--) {
    const sign = source[at] as string;
    const opening = pairs[sign];
    if (opening !== undefined) waiting.push(opening);
    else if (sign === waiting.at(-1)) {
      waiting.pop();
      if (waiting.length === 0) return at;
    }
  }
  return null;
}

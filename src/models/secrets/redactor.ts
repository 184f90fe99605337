import { createAutomaton, type Automaton } from './automaton.ts';
import { symbolOf } from './characters.ts';
import { createDigestSet } from './digest-set.ts';
import { knownSecrets, needlesOf } from './needles.ts';
import { packedRuns } from './packed.ts';
import { lookThrough, placeIn, viewsOf, withoutOpenEscapes, type View } from './views.ts';

/** Replaces a secret. */
export const veil = '[key]';

/** Part of a text, from a place to another. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Looks for secrets in texts, however they are written there, and takes them out. */
export interface Redactor {
  /** Whether there are no secrets to look for. */
  readonly isIdle: boolean;
  /** Where secrets stand, in order; never overlapping. */
  find(text: string): readonly Span[];
  /** The text without its secrets; nothing but the veil where they cannot be told from the rest. */
  text(text: string): string;
  /** Whether a secret is in a value of JSON. Long strings that were searched before are not searched again. */
  isIn(value: unknown): boolean;
  /** A value of JSON without secrets, the very same one where none is in it; null where they cannot be taken out. */
  json<T>(value: T): T | null;
  /** The end of a text that may become a secret when it goes on, and how many characters of the secret it tells. */
  beginning(text: string): { readonly start: number; readonly worth: number };
}

/** Base 64 in base 64 in base 64. */
const mostLayers = 3;
const mostPasses = 3;
/** Shorter texts are searched faster than they are looked up. */
const longText = 2 ** 11;
const mostCleanTexts = 2 ** 14;

export function createRedactor(secrets: readonly (string | null)[]): Redactor {
  const known = knownSecrets(secrets).map(secret => ({ secret, needles: needlesOf(secret) }));
  const forms: Forms = {
    automaton: createAutomaton(known.flatMap(({ needles }) => needles)),
    // Those with too few letters and digits are looked for as they are.
    exact: known.filter(({ needles }) => needles.length === 0).map(({ secret }) => secret),
  };
  const isIdle = known.length === 0;
  const find = (text: string): readonly Span[] => (isIdle || !reveals(text, forms) ? [] : spansOf(text, forms));
  const cleanTexts = createDigestSet(mostCleanTexts);
  const isIn = (value: unknown): boolean => {
    if (isIdle) return false;
    const { short, long } = wordsOf(value);
    if (reveals(short, forms)) return true;
    return long.some(text => {
      if (cleanTexts.has(text)) return false;
      const isFound = reveals(text, forms);
      if (!isFound) cleanTexts.add(text);
      return isFound;
    });
  };
  const clean = (text: string): string => {
    let told = text;
    for (let pass = 0; pass < mostPasses; pass++) {
      const spans = find(told);
      if (spans.length === 0) return told;
      told = without(told, spans);
    }
    return find(told).length === 0 ? told : veil;
  };
  return {
    isIdle,
    find,
    text: clean,
    isIn,
    json(value) {
      if (!isIn(value)) return value;
      const told = mapStrings(value, clean) as typeof value;
      return find(JSON.stringify(told)).length === 0 ? told : null;
    },
    beginning: text => (isIdle ? { start: text.length, worth: 0 } : beginningOf(text, forms)),
  };
}

/** All names, strings and numbers of a value in their order; those that are worth remembering apart. */
function wordsOf(value: unknown): { readonly short: string; readonly long: readonly string[] } {
  const [short, long]: [string[], string[]] = [[], []];
  const walk = (inner: unknown): void => {
    if (typeof inner === 'string') (inner.length < longText ? short : long).push(inner);
    else if (typeof inner === 'number') short.push(String(inner));
    else if (Array.isArray(inner)) inner.forEach(walk);
    else if (typeof inner === 'object' && inner !== null)
      for (const [name, member] of Object.entries(inner)) {
        short.push(name);
        walk(member);
      }
  };
  walk(value);
  return { short: short.join(' '), long };
}

/** The value with every string changed, names of members included. */
function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(one => mapStrings(one, change));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), mapStrings(one, change)]));
}

function sourceOf(view: View, { start, end }: Span): Span {
  return { start: placeIn(view, start), end: placeIn(view, end) };
}

/** What is looked for. */
interface Forms {
  readonly automaton: Automaton;
  readonly exact: readonly string[];
}

/** Whether a secret is in a text: most texts have none, so that nobody needs to know where. */
function reveals(text: string, forms: Forms, layers = mostLayers): boolean {
  let isFound = false;
  lookThrough(text, told => {
    const { hasNeedle, leads, hasRun } = forms.automaton.survey(told);
    isFound =
      hasNeedle || forms.exact.some(secret => told.includes(secret)) || (hasRun && isPackedIn(told, forms, layers));
    return isFound ? null : leads;
  });
  return isFound;
}

function isPackedIn(text: string, forms: Forms, layers: number): boolean {
  if (layers === 0) return false;
  for (const { meanings } of packedRuns(text))
    if (meanings.some(meaning => reveals(meaning, forms, layers - 1))) return true;
  return false;
}

function spansOf(text: string, forms: Forms): readonly Span[] {
  const spans: Span[] = [];
  for (const view of viewsOf(text)) {
    for (const span of inView(view, forms)) spans.push(sourceOf(view, span));
    for (const { start, end, meanings } of packedRuns(view.text))
      if (meanings.some(meaning => reveals(meaning, forms, mostLayers - 1))) spans.push(sourceOf(view, { start, end }));
  }
  return joined(spans);
}

function inView({ text }: View, { automaton, exact }: Forms): readonly Span[] {
  const spans: Span[] = automaton.ends(text).map(({ end, length }) => ({ start: backFrom(text, end, length), end }));
  for (const secret of exact)
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1))
      spans.push({ start: at, end: at + secret.length });
  return spans;
}

/** Where the last letters and digits before a place begin, so many of them. */
function backFrom(text: string, end: number, count: number): number {
  let [at, missing] = [end, count];
  while (missing > 0 && at > 0) if (symbolOf(text.charCodeAt(--at)) >= 0) missing--;
  return at;
}

function beginningOf(text: string, { automaton, exact }: Forms): { start: number; worth: number } {
  const whole = automaton.reading(text);
  if (whole.leads === 0 && exact.length === 0) {
    const { depth, worth } = whole;
    return { start: depth === 0 ? text.length : backFrom(text, text.length, depth), worth };
  }
  let [start, worth] = [text.length, 0];
  for (const view of viewsOf(text, withoutOpenEscapes)) {
    const end = view.text.length;
    const reading = automaton.reading(view.text);
    const plain = Math.max(0, ...exact.map(secret => endsLike(view.text, secret)));
    const from = reading.depth === 0 ? end : backFrom(view.text, end, reading.depth);
    start = Math.min(start, placeIn(view, Math.min(from, end - plain)));
    worth = Math.max(worth, reading.worth, plain);
  }
  return { start, worth };
}

/** How many characters at the end of a text are the beginning of a secret. */
function endsLike(text: string, secret: string): number {
  let length = Math.min(secret.length - 1, text.length);
  while (length > 0 && !text.endsWith(secret.slice(0, length))) length--;
  return length;
}

/** In order, with those that touch or overlap as one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  for (const span of spans.toSorted((left, right) => left.start - right.start)) {
    const last = found.at(-1);
    if (last === undefined || span.start > last.end) found.push(span);
    else found[found.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return found;
}

function without(text: string, spans: readonly Span[]): string {
  let [told, from] = ['', 0];
  for (const { start, end } of spans) {
    told += text.slice(from, start) + veil;
    from = end;
  }
  return told + text.slice(from);
}

import { leads } from './characters.ts';

/** A text with escapes undone, and where each of its characters came from. */
export interface View {
  readonly text: string;
  /** The place of each character in the source, and the end; null where it is the source itself. */
  readonly places: Uint32Array | null;
}

/** Escapes inside escapes: JSON in a string of JSON, percent signs in percent signs. Long texts are searched in fewer. */
function mostViewsOf({ length }: string): number {
  if (length > 2 ** 16) return 8;
  return length > 2 ** 12 ? 24 : 48;
}

interface Escape {
  /** What such escapes begin with. */
  readonly leads: number;
  /** What a text with such escapes has in it. */
  readonly mark: RegExp;
  readonly pattern: RegExp;
  /** What an escape stands for. */
  sign(found: readonly (string | undefined)[]): string;
}

/**
 * What only looks like an escape is undone as well: a view is searched, never passed on. Kinds that spoil each other (`key=ab` is
 * no escape of mail) are undone apart, the most usual kind first: it stands last.
 */
const escapes: readonly Escape[] = [
  {
    // HTML that leaves out the semicolon.
    leads: leads.ampersand,
    mark: /&#[0-9x]/i,
    pattern: /&#(?:x0*([0-9a-f]{1,6})|0*(\d{1,7}));?/gi,
    sign: ([, hex, decimal]) => codePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  },
  {
    leads: leads.equals,
    mark: /=[0-9a-f\r\n]/i,
    pattern: /=(?:([0-9a-f]{2})|\r?\n)/gi,
    sign: ([, hex]) => (hex === undefined ? '' : codePoint(Number.parseInt(hex, 16))),
  },
  {
    // Words of mail headers.
    leads: leads.equals,
    mark: /=\?/,
    pattern: /=\?[\w-]{1,20}\?(?:(b)|q)\?([^?]{1,200})\?=\s*/gi,
    sign: ([, base64, word = '']) => (base64 === undefined ? word : Buffer.from(word, 'base64').toString('latin1')),
  },
  {
    // Lines of a dump: the place, bytes, and perhaps their letters.
    leads: leads.dump,
    mark: /[0-9a-f]{7}:? {1,2}[0-9a-f]{2}/i,
    pattern:
      /(?<![0-9a-f])[0-9a-f]{7,8}:? {1,2}((?:[0-9a-f]{2}(?:[0-9a-f]{2})? ?){1,8}(?: (?:[0-9a-f]{2} ){1,8})?).*(?:\r?\n)?/gi,
    sign: ([, bytes = '']) => Buffer.from(bytes.replaceAll(' ', ''), 'hex').toString('latin1'),
  },
  {
    // Of style sheets.
    leads: leads.backslash,
    mark: /\\0[0-9a-f]{3}/i,
    pattern: /\\+([0-9a-f]{4,6})\s?/gi,
    sign: ([, hex = '']) => codePoint(Number.parseInt(hex, 16)),
  },
  {
    // UTF-8 that was read byte by byte, also where it takes two bytes for what needs one.
    leads: leads.bytes,
    mark: /[\xc0-\xf4][\x80-\xbf]/,
    pattern: /[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g,
    sign: ([bytes = '']) =>
      bytes.length === 2
        ? String.fromCharCode(((bytes.charCodeAt(0) & 31) << 6) | (bytes.charCodeAt(1) & 63))
        : Buffer.from(bytes, 'latin1').toString('utf8'),
  },
  {
    // Letters of mathematics.
    leads: leads.pairs,
    mark: /\ud835[\udc00-\udfff]/,
    pattern: /\ud835[\udc00-\udfff]/g,
    sign: ([letter = '']) => letter.normalize('NFKD'),
  },
  {
    // Letters that nobody sees.
    leads: leads.pairs,
    mark: /\udb40[\udc20-\udc7e]/,
    pattern: /\udb40([\udc20-\udc7e])/g,
    sign: ([, tag = '']) => String.fromCharCode(tag.charCodeAt(0) - 0xdc00),
  },
  {
    // Tags between letters, and what colours them on a terminal.
    leads: leads.less | leads.control,
    mark: /<[a-z/!]|\p{Cc}\[/iu,
    pattern: /<!\[CDATA\[|<[^<>]{1,200}>|\p{Cc}\[[0-9;?]{0,16}[a-z]/giu,
    sign: () => '',
  },
  {
    // Signs that nobody sees.
    leads: leads.control | leads.hidden,
    mark: /[\0\b\xad\u200b-\u200f\u2060\ufeff]/,
    pattern: /[\0\xad\u200b-\u200f\u2060\ufeff]+|[^\b][\b]/g,
    sign: () => '',
  },
  {
    // Percent signs alone: what they stand for may belong to a backslash beside them.
    leads: leads.percent,
    mark: /%[0-9a-f]{2}/i,
    pattern: /%([0-9a-f]{2})/gi,
    sign: ([, hex = '']) => codePoint(Number.parseInt(hex, 16)),
  },
  {
    // JSON to the letter: a backslash before a backslash is no part of the next escape.
    leads: leads.backslash,
    mark: /\\/,
    pattern: /\\(?:u([0-9a-f]{4})|([\\"/bfnrt]))/gi,
    sign: ([, unit, plain = '']) =>
      unit === undefined ? (lineSigns[plain] ?? plain) : codePoint(Number.parseInt(unit, 16)),
  },
  {
    // Of JSON and of programs, however many backslashes nested strings put before them; of addresses; of HTML.
    leads: leads.backslash | leads.percent | leads.ampersand,
    mark: /[\\%&]/,
    pattern:
      /\\+(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-3]?[0-7]{2})|([nrtbfv"'/]))|%(?:25)*(?:u([0-9a-f]{4})|([0-9a-f]{2}))|&(?:amp;)*#(?:x0*([0-9a-f]{1,6})|0*(\d{1,7}));|&(?:amp;)+|&[a-z]{2,8};/gi,
    sign([all, braced, unit, byte, octal, plain, wide, percent, hex, decimal]) {
      if (plain !== undefined) return lineSigns[plain.toLowerCase()] ?? plain;
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      if (decimal !== undefined) return codePoint(Number(decimal));
      const code = braced ?? unit ?? byte ?? wide ?? percent ?? hex;
      if (code !== undefined) return codePoint(Number.parseInt(code, 16));
      return all?.endsWith('amp;') === true ? '&' : ' ';
    },
  },
];
const lineSigns: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: ' ', v: ' ' };

function codePoint(code: number): string {
  return code > 0x10ffff ? ' ' : String.fromCodePoint(code);
}

/** One that may go on in the next piece of a text. */
const openEscape =
  /(?:\\+(?:u\{?[0-9a-f]{0,6}|x[0-9a-f]?|[0-7]{0,2})?|%(?:25)*(?:2|u?[0-9a-f]{0,3})|&(?:a|am|amp|amp;)*#?x?[0-9a-z]{0,7}|=[0-9a-f]?\r?|<[^<>]{0,60})$/i;
const mayOpen = /[\\%&=<]/;
const longestOpen = 64;
const mostOpen = 4;

/**
 * The text, and what it becomes when its escapes are undone, once and again. `look` sees each of them and tells its leads, or null
 * when it has seen enough. Most texts have no escapes at all.
 */
export function lookThrough(text: string, look: (told: string) => number | null): void {
  let found = look(text);
  if (found === null || found === 0) return;
  const most = mostViewsOf(text);
  const known = new Set([text]);
  const waiting: string[] = [];
  for (let told: string | undefined = text; told !== undefined; told = waiting.pop()) {
    if (told !== text) found = look(told);
    if (found === null) return;
    for (const { leads: own, mark, pattern, sign } of escapes) {
      if (known.size >= most) break;
      if ((found & own) === 0 || !mark.test(told)) continue;
      const undone = told.replaceAll(pattern, (...parts: string[]) => sign(parts));
      if (known.has(undone)) continue;
      known.add(undone);
      waiting.push(undone);
    }
  }
}

/** The same texts, with the places of their characters; each of them changed by `cut` before it is undone. */
export function* viewsOf(text: string, cut: (view: View) => View = view => view): Generator<View> {
  const most = mostViewsOf(text);
  const first = cut({ text, places: null });
  const known = new Set([first.text]);
  const waiting = [first];
  for (let view = waiting.pop(); view !== undefined; view = waiting.pop()) {
    yield view;
    for (const escape of escapes) {
      const undone = known.size >= most ? null : undo(view, escape);
      if (undone === null) continue;
      const next = cut(undone);
      if (known.has(next.text)) continue;
      known.add(next.text);
      waiting.push(next);
    }
  }
}

/** Where a character of a view begins in the source. */
export function placeIn({ places }: View, index: number): number {
  return places === null ? index : (places[index] as number);
}

/** A view without the escapes that it breaks off in. */
export function withoutOpenEscapes({ text, places }: View): View {
  let end = text.length;
  for (let round = 0; round < mostOpen; round++) {
    const from = Math.max(0, end - longestOpen);
    const last = text.slice(from, end);
    const found = mayOpen.test(last) ? openEscape.exec(last) : null;
    if (found === null) break;
    end = from + found.index;
  }
  return { text: text.slice(0, end), places };
}

function undo(view: View, { mark, pattern, sign: signOf }: Escape): View | null {
  const { text } = view;
  if (!mark.test(text)) return null;
  const parts: string[] = [];
  const places = new Uint32Array(text.length + 1);
  let [size, from] = [0, 0];
  const keep = (until: number): void => {
    if (until > from) parts.push(text.slice(from, until));
    for (let at = from; at < until; at++) places[size++] = placeIn(view, at);
  };
  for (const found of text.matchAll(pattern)) {
    keep(found.index);
    const sign = signOf(found);
    parts.push(sign);
    for (let unit = 0; unit < sign.length; unit++) places[size++] = placeIn(view, found.index);
    from = found.index + found[0].length;
  }
  if (from === 0) return null;
  keep(text.length);
  places[size] = placeIn(view, text.length);
  return { text: parts.join(''), places: places.subarray(0, size + 1) };
}

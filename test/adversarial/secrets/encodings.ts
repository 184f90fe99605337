import { deflateSync, gzipSync } from 'node:zlib';
import { createRandom, type Random } from '../../../src/core/random.ts';

/** One way to write a text. */
export interface Encoding {
  readonly name: string;
  /**
   * `shape` changes the characters, `escape` writes some of them otherwise, `pack` needs all of it to be undone; `alone` is found of
   * the key itself only.
   */
  readonly kind: 'shape' | 'escape' | 'pack' | 'alone';
  encode(text: string, random: Random): string;
}

const hex = (text: string, width = 2): string => text.charCodeAt(0).toString(16).padStart(width, '0');
/** A byte of UTF-8 after the other, each behind a mark. */
const bytes = (mark: string) => (sign: string) =>
  [...Buffer.from(sign)].map(byte => mark + byte.toString(16).padStart(2, '0')).join('');
const each = (text: string, change: (sign: string) => string): string => [...text].map(change).join('');
/** Changes about so many of the characters, always one, and always the sign of the escape itself. */
const some = (change: (sign: string) => string, share = 1) => {
  const own = change('a')[0] as string;
  return (text: string, random: Random): string => {
    const sure = Math.floor(random.next() * text.length);
    return [...text]
      .map((sign, at) =>
        sign.length === 1 && (at === sure || sign === own || random.next() < share) ? change(sign) : sign,
      )
      .join('');
  };
};
const rotated = (sign: string): string => {
  const base = sign >= 'a' ? 97 : 65;
  return /[a-z]/i.test(sign) ? String.fromCharCode(((sign.charCodeAt(0) - base + 13) % 26) + base) : sign;
};
const base32 = (text: string): string => {
  const bits = [...Buffer.from(text)].map(byte => byte.toString(2).padStart(8, '0')).join('');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return (bits.match(/.{1,5}/g) ?? []).map(five => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const backwards = (text: string): string => [...text].toReversed().join('');
/** As `xxd` and `hexdump -C` write it. */
const dump = (text: string): string =>
  (text.match(/[^]{1,16}/g) ?? [])
    .map((line, at) => {
      const pairs =
        Buffer.from(line)
          .toString('hex')
          .match(/.{1,4}/g) ?? [];
      return `${(at * 16).toString(16).padStart(8, '0')}: ${pairs.join(' ')}  ${line.replaceAll(/[^\x20-\x7e]/g, '.')}`;
    })
    .join('\n');
const wrapped = (text: string): string => (text.match(/.{1,19}/g) ?? []).join('\r\n');

export const encodings: readonly Encoding[] = [
  { name: 'plain', kind: 'shape', encode: text => text },
  { name: 'capitals', kind: 'shape', encode: text => text.toUpperCase() },
  { name: 'reversed', kind: 'shape', encode: backwards },
  { name: 'rot13', kind: 'shape', encode: text => each(text, rotated) },
  { name: 'spaced', kind: 'shape', encode: text => [...text].join(' ') },
  { name: 'dashed', kind: 'shape', encode: text => [...text].join('-') },
  { name: 'zero width', kind: 'shape', encode: text => [...text].join('\u200b') },
  { name: 'soft hyphens', kind: 'shape', encode: text => [...text].join('\u00ad') },
  { name: 'utf-16 read as latin', kind: 'shape', encode: text => [...text].join('\0') },
  {
    name: 'full width',
    kind: 'shape',
    encode: text => each(text, sign => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  },
  {
    name: 'letters of mathematics',
    kind: 'shape',
    encode: text =>
      each(text, sign => (/[a-z]/.test(sign) ? String.fromCodePoint(0x1d41a + sign.charCodeAt(0) - 97) : sign)),
  },
  { name: 'tags', kind: 'shape', encode: text => each(text, sign => `<b>${sign}</b>`) },
  { name: 'terminal colours', kind: 'shape', encode: text => each(text, sign => `\u001b[1;31m${sign}\u001b[0m`) },
  { name: 'overstrikes', kind: 'shape', encode: text => each(text, sign => `${sign}\b${sign}`) },
  {
    name: 'sections of XML',
    kind: 'shape',
    encode: text => `<![CDATA[${text.slice(0, 9)}]]><![CDATA[${text.slice(9)}]]>`,
  },
  {
    name: 'letters that nobody sees',
    kind: 'shape',
    encode: text => each(text, sign => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))),
  },
  { name: 'without its prefix', kind: 'shape', encode: text => text.slice(text.indexOf('-') + 1) },
  { name: 'decimal codes', kind: 'shape', encode: text => [...Buffer.from(text)].join(', ') },
  { name: 'hexadecimal codes', kind: 'shape', encode: text => [...text].map(sign => `0x${hex(sign)}`).join(',') },
  { name: 'code points', kind: 'shape', encode: text => [...text].map(sign => `U+${hex(sign, 4)}`).join(' ') },
  {
    name: 'octal codes',
    kind: 'shape',
    encode: text => each(text, sign => `${sign.charCodeAt(0).toString(8).padStart(3, '0')} `),
  },
  {
    name: 'binary codes',
    kind: 'shape',
    encode: text => each(text, sign => `${sign.charCodeAt(0).toString(2).padStart(8, '0')} `),
  },
  { name: 'hexadecimal with colons', kind: 'shape', encode: text => [...text].map(sign => hex(sign)).join(':') },
  { name: 'json', kind: 'escape', encode: some(sign => `\\u${hex(sign, 4)}`) },
  { name: 'json here and there', kind: 'escape', encode: some(sign => `\\u${hex(sign, 4).toUpperCase()}`, 0.2) },
  { name: 'json, twice', kind: 'escape', encode: some(sign => `\\\\u${hex(sign, 4)}`, 0.4) },
  { name: 'json, four times', kind: 'escape', encode: some(sign => `\\\\\\\\u${hex(sign, 4)}`, 0.4) },
  { name: 'braces', kind: 'escape', encode: some(sign => `\\u{${hex(sign)}}`, 0.5) },
  { name: 'bytes', kind: 'escape', encode: some(bytes('\\x'), 0.5) },
  {
    name: 'octal escapes',
    kind: 'escape',
    encode: some(sign => (sign < '\u0100' ? `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}` : sign)),
  },
  { name: 'percent', kind: 'escape', encode: some(bytes('%')) },
  { name: 'percent here and there', kind: 'escape', encode: some(sign => bytes('%')(sign).toUpperCase(), 0.2) },
  { name: 'percent, twice', kind: 'escape', encode: some(bytes('%25'), 0.5) },
  { name: 'percent and u', kind: 'escape', encode: some(sign => `%u${hex(sign, 4)}`, 0.5) },
  { name: 'html', kind: 'escape', encode: some(sign => `&#${sign.charCodeAt(0)};`, 0.5) },
  { name: 'html, padded', kind: 'escape', encode: some(sign => `&#x000000${hex(sign)};`, 0.5) },
  { name: 'html, hexadecimal', kind: 'escape', encode: some(sign => `&#x${hex(sign)};`, 0.5) },
  { name: 'html, twice', kind: 'escape', encode: some(sign => `&amp;#${sign.charCodeAt(0)};`, 0.5) },
  { name: 'mail', kind: 'escape', encode: some(sign => bytes('=')(sign).toUpperCase(), 0.5) },
  { name: 'nested json', kind: 'escape', encode: text => JSON.stringify(JSON.stringify({ note: text })).slice(1, -1) },
  { name: 'base64', kind: 'pack', encode: text => Buffer.from(text).toString('base64') },
  { name: 'base64url', kind: 'pack', encode: text => Buffer.from(`{"authorization":"${text}"}`).toString('base64url') },
  { name: 'base64 behind a word', kind: 'pack', encode: text => `A${Buffer.from(`basic ${text}`).toString('base64')}` },
  { name: 'base64 in lines', kind: 'pack', encode: text => wrapped(Buffer.from(text).toString('base64')) },
  { name: 'base64 of utf-16', kind: 'pack', encode: text => Buffer.from(text, 'utf16le').toString('base64') },
  { name: 'base32', kind: 'pack', encode: base32 },
  { name: 'hexadecimal', kind: 'pack', encode: text => Buffer.from(text).toString('hex') },
  { name: 'gzip', kind: 'pack', encode: text => gzipSync(text).toString('base64') },
  { name: 'deflate', kind: 'pack', encode: text => deflateSync(text).toString('base64') },
  {
    name: 'short octal escapes',
    kind: 'alone',
    encode: text => each(text, sign => `\\${sign.charCodeAt(0).toString(8)}`),
  },
  { name: 'escapes of style sheets', kind: 'alone', encode: text => each(text, sign => `\\${hex(sign, 6)}`) },
  { name: 'calls of a program', kind: 'alone', encode: text => each(text, sign => `chr(${sign.charCodeAt(0)}).`) },
  {
    name: 'overlong utf-8',
    kind: 'alone',
    encode: text =>
      each(text, sign => `%c${sign.charCodeAt(0) >> 6}%${(0x80 | (sign.charCodeAt(0) & 63)).toString(16)}`),
  },
  {
    name: 'words of mail',
    kind: 'alone',
    encode: text => `=?utf-8?B?${base64(text.slice(0, 10))}?= =?utf-8?B?${base64(text.slice(10))}?=`,
  },
  { name: 'dump', kind: 'alone', encode: dump },
  { name: 'base64 backwards', kind: 'alone', encode: text => backwards(base64(text)) },
  { name: 'base64, turned', kind: 'alone', encode: text => each(base64(text), rotated) },
  { name: 'base64 of base64', kind: 'alone', encode: text => base64(base64(text)) },
  { name: 'base64 of hexadecimal', kind: 'alone', encode: text => base64(Buffer.from(text).toString('hex')) },
  { name: 'hexadecimal of base64', kind: 'alone', encode: text => Buffer.from(base64(text)).toString('hex') },
];

/** Written with so much between the letters that pieces of a stream do not tell it. */
const spread = new Set(['terminal colours', 'overstrikes', 'dump', 'words of mail']);

/** Needs letters as they were when it was made: others may stand before it, none of these behind. */
const lastOnes = new Set(['base64 in lines', 'base32']);

export interface Chain {
  readonly name: string;
  /** Whether undoing it needs all of it: it may not be cut over events. */
  readonly isWhole: boolean;
  encode(text: string): string;
}

/** The given encodings, one after the other. */
export function chainOf(steps: readonly Encoding[], seed: string): Chain {
  return {
    name: steps.map(({ name }) => name).join(' > '),
    isWhole: steps.some(({ kind, name }) => kind === 'pack' || spread.has(name)),
    encode: text => steps.reduce((told, step, at) => step.encode(told, createRandom(`${seed}/${at}`)), text),
  };
}

/** A shape at most, then escapes and packs in any order: what the redactor promises to undo. */
export function drawChain(seed: string, most: number): Chain {
  const random = createRandom(seed);
  const pick = (kinds: readonly Encoding['kind'][]): Encoding => {
    const fitting = encodings.filter(({ kind }) => kinds.includes(kind));
    return fitting[Math.floor(random.next() * fitting.length)] as Encoding;
  };
  const steps = [pick(['shape'])];
  const length = 1 + Math.floor(random.next() * most);
  while (steps.length < length) {
    const next = pick(['escape', 'pack']);
    if (lastOnes.has(steps.at(-1)?.name ?? '')) break;
    steps.push(next);
  }
  return chainOf(steps, seed);
}

/** What a text has in it: each bit says that some escapes may begin there. */
export const leads = {
  backslash: 1,
  percent: 2,
  ampersand: 4,
  equals: 8,
  less: 16,
  control: 32,
  /** Signs that nobody sees. */
  hidden: 64,
  /** First halves of letters of mathematics and of tags. */
  pairs: 128,
  /** First bytes of UTF-8, read as characters. */
  bytes: 256,
  /** What may be the place of a line in a dump. */
  dump: 512,
} as const;

/** The number of a letter or digit, from 1. */
const symbolMask = 63;
/** Ends a run of characters that may be packed text. */
const breakBit = 64;
const leadShift = 7;

/**
 * All that is known of a character in one number: 0 for `+`, `/`, `-` and `_`, up to 36 for letters and digits, which are most of a
 * text, and more for what ends a run of them.
 */
export function kindOf(code: number): number {
  return code < 128 ? (ascii[code] as number) : breakBit | (leadOf(code) << leadShift) | (otherSymbolOf(code) + 1);
}

/** The number of a letter or digit, whatever its case; -1 for all others. */
export function symbolOf(code: number): number {
  return symbolIn(kindOf(code));
}

export function symbolIn(kind: number): number {
  return (kind & symbolMask) - 1;
}

export function leadIn(kind: number): number {
  return kind >> leadShift;
}

export function endsRun(kind: number): boolean {
  return kind >= breakBit;
}

function leadOf(code: number): number {
  if (code >= 0xc0 && code <= 0xf4) return leads.bytes;
  if (code === 0xad || (code >= 0x200b && code <= 0x200f) || code === 0x2060 || code === 0xfeff) return leads.hidden;
  return code === 0xd835 || code === 0xdb40 ? leads.pairs : 0;
}

/** Letters in another dress: full width, circled, superscript. */
function otherSymbolOf(code: number): number {
  // Punctuation and most scripts have none.
  if (code < 0x2070 || (code >= 0x3000 && code < 0xf900)) return -1;
  const plain = String.fromCharCode(code).normalize('NFKD');
  const first = plain.charCodeAt(0);
  return plain.length === 1 && first < 128 ? symbolOf(first) : -1;
}

const ascii = Uint16Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  const symbol = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(sign.toLowerCase());
  if (symbol >= 0) return symbol + 1;
  if ('+/-_'.includes(sign)) return 0;
  const lead = { '\\': leads.backslash, '%': leads.percent, '&': leads.ampersand, '=': leads.equals, '<': leads.less }[
    sign
  ];
  const isControl = code < 32 && !'\t\n\r'.includes(sign);
  return breakBit | ((lead ?? (isControl ? leads.control : 0)) << leadShift);
});

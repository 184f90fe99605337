import { isUtf8 } from 'node:buffer';
import { gunzipSync, inflateSync } from 'node:zlib';

/** A run of characters that may be packed text. */
export interface PackedRun {
  readonly start: number;
  readonly end: number;
  /** What it may mean, each byte as one character. */
  readonly meanings: readonly string[];
}

/** Mail breaks them into lines. */
/** Longer ones are taken in parts: a pattern without a bound runs out of stack. */
const runs = /[A-Za-z0-9+/_-]{16,1000000}(?:\r?\n[A-Za-z0-9+/_-]+)*/g;
const base32Run = /^(?:[A-Z2-7]+|[a-z2-7]+)$/;
const hexRun = /^(?:[0-9a-f]{2})+$/i;
/** Longer runs are tried from their first character on only. */
const longestShifted = 2 ** 14;
const mostUnpacked = 2 ** 20;

/** Runs of base 64 and of hexadecimal digits that hold text, also compressed text. */
export function* packedRuns(text: string): Generator<PackedRun> {
  for (const { 0: lines, index: start } of text.matchAll(runs)) {
    const end = start + lines.length;
    const isBroken = lines.includes('\n');
    // The next line may have nothing to do with it.
    const meanings = (isBroken ? [lines.replaceAll(/\s/g, ''), ...lines.split(/\s+/)] : [lines]).flatMap(meaningsOf);
    if (meanings.length > 0) yield { start, end, meanings };
  }
}

function meaningsOf(run: string): readonly string[] {
  const isHex = hexRun.test(run);
  const isBase32 = base32Run.test(run);
  // Words and paths are in small letters, base 64 hardly ever is.
  if (!isHex && !isBase32 && !(/[A-Z]/.test(run) && /[a-z]/.test(run))) return [];
  const shifts = run.length > longestShifted ? [0] : [0, 1, 2, 3];
  const packed: Buffer[] = shifts.map(shift => Buffer.from(run.slice(shift), 'base64'));
  if (isHex) packed.push(Buffer.from(run, 'hex'));
  if (isBase32) packed.push(fromBase32(run));
  return packed.flatMap(bytes => {
    const plain = unpack(bytes);
    if (plain === null) return [];
    const wide = plain.length > 16 ? plain.toString('utf16le') : '';
    return [...(isText(plain) ? [plain.toString('latin1')] : []), ...(isWideText(wide) ? [wide] : [])];
  });
}

/** Letters of full width, halves of pairs, and what else stands near them: other scripts are no secrets. */
const wideText = /^[\0-\xff\ud800-\udfff\uff01-\uffff]+$/;

function isWideText(text: string): boolean {
  return wideText.test(text.slice(0, 16));
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const letter of text.toUpperCase()) {
    held = ((held << 5) | (letter >= 'A' ? letter.charCodeAt(0) - 65 : letter.charCodeAt(0) - 24)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}

/** What is mostly no text needs no second look: a secret in base 64 is found as it is. */
function isText(bytes: Buffer): boolean {
  if (isUtf8(bytes)) return true;
  let odd = 0;
  for (const byte of bytes) {
    if (byte >= 127 || (byte < 32 && byte !== 0 && byte !== 10 && byte !== 13)) odd++;
    if (odd > 2 + bytes.length / 8) return false;
  }
  return true;
}

/** The bytes as they are, unless gzip or zlib packed them; null where that is broken. */
function unpack(bytes: Buffer): Buffer | null {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const isZlib = bytes[0] === 0x78 && bytes.readUInt16BE(0) % 31 === 0;
  if (!isGzip && !isZlib) return bytes;
  try {
    return (isGzip ? gunzipSync : inflateSync)(bytes, { maxOutputLength: mostUnpacked });
  } catch {
    return isZlib ? bytes : null;
  }
}

import type { Needle } from './automaton.ts';
import { symbolOf } from './characters.ts';

/** Shorter ones are placeholders (`EMPTY`, `none`): taking those out would only spoil words. */
const shortestSecret = 8;
/** Fewer letters and digits come together by chance, once everything between them is left out. */
const shortestNeedle = 12;

/** Secrets that are worth looking for. */
export function knownSecrets(secrets: readonly (string | null)[]): readonly string[] {
  return [...new Set(secrets)].filter(secret => secret !== null && secret.length >= shortestSecret) as string[];
}

/**
 * What a secret looks like in letters and digits alone: plain, without its prefix (`sk-`), reversed, in numbers of its characters
 * and in base 32 and 64, packed once or twice, forwards or backwards. Signs between them are left out, so a form may be
 * separated by anything.
 */
export function needlesOf(secret: string): readonly Needle[] {
  const plain = lettersOf(secret);
  if (plain.length < shortestNeedle) return [];
  const bytes = [...Buffer.from(secret)];
  // UTF-16 has a zero between two letters.
  const wide = bytes.flatMap((byte, at) => (at === 0 ? [byte] : [0, byte]));
  const turned = [backwards(secret), rotated(secret)];
  const packed = packedForms(secret);
  const forms = [
    plain,
    ...withoutPrefix(secret),
    ...turned,
    ...numbersOf(bytes),
    hexOf(wide).join(''),
    ...base64Forms(wide),
    ...base32Forms(bytes),
    ...packed,
    ...packed.flatMap(form => [backwards(form), rotated(form)]),
    ...[...turned, ...packed].flatMap(packedForms),
  ];
  return [...new Set(forms.map(lettersOf))]
    .filter(text => text.length >= shortestNeedle)
    .map(text => ({ text, unit: Math.max(1, text.length / plain.length) }));
}

/** What is left when its first words are: `proj-…` and `…` of `sk-proj-…`. Later words are the secret itself. */
function withoutPrefix(secret: string): readonly string[] {
  const words = [...secret.slice(0, secret.length / 3).matchAll(/[-_.]/g)];
  return words.map(({ index }) => secret.slice(index + 1));
}

function backwards(text: string): string {
  return [...text].toReversed().join('');
}

function rotated(text: string): string {
  return text.replaceAll(/[a-z]/gi, letter => {
    const base = letter >= 'a' ? 97 : 65;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** Base 64 and hexadecimal: what is cut over the events of a stream is found by these alone. */
function packedForms(text: string): readonly string[] {
  const bytes = [...Buffer.from(text)];
  return [hexOf(bytes).join(''), ...base64Forms(bytes)];
}

function lettersOf(text: string): string {
  return [...text.toLowerCase()].filter(letter => symbolOf(letter.charCodeAt(0)) >= 0).join('');
}

function hexOf(bytes: readonly number[]): readonly string[] {
  return bytes.map(byte => byte.toString(16).padStart(2, '0'));
}

/** Every character as a number, as programs write it. */
function numbersOf(bytes: readonly number[]): readonly string[] {
  const hex = hexOf(bytes);
  return [
    hex.join(''),
    ...['x', '0x', 'u00'].map(before => hex.map(code => before + code).join('')),
    ...['', 'chr', 'char'].map(before => bytes.map(byte => before + String(byte)).join('')),
    bytes.map(byte => String(byte).padStart(3, '0')).join(''),
    bytes.map(byte => byte.toString(8).padStart(3, '0')).join(''),
    bytes.map(byte => byte.toString(2).padStart(8, '0')).join(''),
  ];
}

/** What base 64 makes of bytes wherever they stand in a text: without the characters that their neighbours change. */
function base64Forms(bytes: readonly number[]): readonly string[] {
  return [0, 1, 2].map(offset => {
    const text = Buffer.from([...Array<number>(offset).fill(0), ...bytes]).toString('base64url');
    const start = Math.ceil((offset * 8) / 6);
    return text.slice(start, Math.floor(((offset + bytes.length) * 8) / 6));
  });
}

function base32Forms(bytes: readonly number[]): readonly string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  return [0, 1, 2, 3, 4].map(offset => {
    let [text, held, bits] = ['', 0, 0];
    // The first whole group of five bits that lies within the bytes.
    let skipped = (5 - ((offset * 8) % 5)) % 5;
    for (const byte of bytes) {
      held = (held << 8) | byte;
      bits += 8;
      if (skipped > 0) [bits, skipped] = [bits - skipped, 0];
      for (; bits >= 5; bits -= 5) text += letters[(held >> (bits - 5)) & 31];
      held &= 31;
    }
    return text;
  });
}

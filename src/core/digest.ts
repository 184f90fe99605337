import { sha256 } from '@noble/hashes/sha2.js';
import { EspalierError } from './errors.ts';
import type { Json, JsonObject } from './json.ts';

/** 128 bits of SHA-256, in hexadecimal. Equal JSON values have equal digests, whatever the order of their keys. */
export type Digest = (value: Json) => string;

const digestBytes = 16;
const shortText = 64;
const encoder = new TextEncoder();
const tag = { null: 0, false: 1, true: 2, number: 3, string: 4, array: 5, object: 6, nested: 7 };

/**
 * A Merkle digest: the hash of every object and array is remembered by identity, so a state that shares
 * structure with one already seen is hashed only along the changed path. Values must not be mutated.
 */
export function createDigest(sha: Sha256 = sha256OfPlatform): Digest {
  const known = new WeakMap<object, string>();
  const bytes = createByteStack();
  const sortedKeys = createKeySorter();

  function hashOf(container: JsonObject | readonly Json[]): string {
    const remembered = known.get(container);
    if (remembered !== undefined) return remembered;
    const start = bytes.length();
    if (isArray(container)) {
      bytes.byte(tag.array);
      for (const item of container) write(item);
    } else {
      bytes.byte(tag.object);
      for (const key of sortedKeys(container)) {
        bytes.text(key);
        write(container[key] as Json);
      }
    }
    const hash = sha(bytes.takeFrom(start));
    known.set(container, hash);
    return hash;
  }

  function write(value: Json): void {
    if (typeof value === 'string') {
      bytes.byte(tag.string);
      bytes.text(value);
    } else if (typeof value === 'number') {
      bytes.byte(tag.number);
      bytes.number(value);
    } else if (value === null) bytes.byte(tag.null);
    else if (typeof value === 'boolean') bytes.byte(value ? tag.true : tag.false);
    else if (typeof value !== 'object') throw notJson(typeof value);
    else {
      bytes.byte(tag.nested);
      bytes.hash(hashOf(value));
    }
  }

  return value => {
    // A value that could not be digested may have left something behind.
    bytes.takeFrom(0);
    if (typeof value === 'object' && value !== null) return hexOf(hashOf(value));
    write(value);
    return hexOf(sha(bytes.takeFrom(0)));
  };
}

/** SHA-256 as a string with a character a byte: a typed array takes several times the memory. */
export type Sha256 = (bytes: Uint8Array) => string;

/** Runs anywhere. */
export const sha256InScript: Sha256 = bytes => String.fromCharCode(...sha256(bytes));

/** The same ten times as fast, in Node. */
const sha256OfPlatform: Sha256 = nodeSha256() ?? sha256InScript;

function nodeSha256(): Sha256 | null {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  return crypto === undefined ? null : bytes => crypto.hash('sha256', bytes, 'binary');
}

/** The address of a picture in a journal. */
export const addressOf = (bytes: Uint8Array): string => hexOf(sha256OfPlatform(bytes), 32);

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexOf(text: string, bytes = digestBytes): string {
  let hex = '';
  for (let index = 0; index < bytes; index++) hex += hexDigits[text.charCodeAt(index)];
  return hex;
}

const mostShapes = 256;
const mostKeysOfShape = 32;

/** Sorts the keys of objects. Records of a table have the same keys in the same order: those are sorted once. */
function createKeySorter(): (object: JsonObject) => readonly string[] {
  /** By first key: the keys as they came, and sorted. */
  const shapes = new Map<string, { readonly keys: readonly string[]; readonly sorted: readonly string[] }>();
  return object => {
    const keys = Object.keys(object);
    const first = keys[0];
    if (first === undefined || keys.length > mostKeysOfShape) return keys.toSorted();
    const known = shapes.get(first);
    if (known !== undefined && haveSameOrder(keys, known.keys)) return known.sorted;
    const sorted = keys.toSorted();
    if (shapes.size >= mostShapes) shapes.clear();
    shapes.set(first, { keys, sorted });
    return sorted;
  };
}

function haveSameOrder(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

function notJson(type: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'invalid-state',
    message: `A value of type ${type} cannot be digested.`,
    expected: 'Expected JSON: write null where something is missing.',
  });
}

/** One growing buffer: a nested value is written above the value that it stands in, and taken off again. */
interface ByteStack {
  length(): number;
  byte(value: number): void;
  number(value: number): void;
  text(value: string): void;
  hash(value: string): void;
  /** Takes off what was written since; valid until something else is written. */
  takeFrom(start: number): Uint8Array;
}

function createByteStack(): ByteStack {
  let buffer = new Uint8Array(512);
  let view = new DataView(buffer.buffer);
  let length = 0;
  const reserve = (count: number): void => {
    if (length + count <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + count));
    larger.set(buffer);
    buffer = larger;
    view = new DataView(buffer.buffer);
  };
  /** A text of so many bytes was written after the place of its length. */
  const keep = (written: number): void => {
    view.setUint32(length, written);
    length += 4 + written;
  };
  // UTF-8 has no lone surrogates: a text with one is written as its code units, with a length no other text has.
  const units = (value: string): void => {
    reserve(4 + value.length * 2);
    view.setUint32(length, 0x80000000 + value.length);
    for (let index = 0; index < value.length; index++) {
      view.setUint16(length + 4 + index * 2, value.charCodeAt(index));
    }
    length += 4 + value.length * 2;
  };
  return {
    length: () => length,
    byte(value) {
      reserve(1);
      buffer[length++] = value;
    },
    number(value) {
      reserve(8);
      // JSON has one zero.
      view.setFloat64(length, value === 0 ? 0 : value);
      length += 8;
    },
    text(value) {
      reserve(4 + value.length * 3);
      if (writeAscii(value, buffer, length + 4)) return keep(value.length);
      if (!value.isWellFormed()) return units(value);
      keep(encoder.encodeInto(value, buffer.subarray(length + 4)).written);
    },
    hash(value) {
      reserve(digestBytes);
      for (let index = 0; index < digestBytes; index++) buffer[length++] = value.charCodeAt(index);
    },
    takeFrom(start) {
      const taken = buffer.subarray(start, length);
      length = start;
      return taken;
    },
  };
}

/** Writes a short text of one byte a character; false for any other. Faster than the encoder, as most texts are keys. */
function writeAscii(text: string, buffer: Uint8Array, start: number): boolean {
  if (text.length > shortText) return false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return false;
    buffer[start + index] = unit;
  }
  return true;
}

function isArray(value: JsonObject | readonly Json[]): value is readonly Json[] {
  return Array.isArray(value);
}

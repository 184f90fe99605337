import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { EspalierError } from './errors.ts';
import type { Json, JsonObject } from './json.ts';

/** 128 bits of SHA-256, in hexadecimal. Equal JSON values have equal digests, whatever the order of their keys. */
export type Digest = (value: Json) => string;

const digestBytes = 16;
const encoder = new TextEncoder();
const tag = { null: 0, false: 1, true: 2, number: 3, string: 4, array: 5, object: 6, nested: 7 };

/**
 * A Merkle digest: the hash of every object and array is remembered by identity, so a state that shares
 * structure with one already seen is hashed only along the changed path. Values must not be mutated.
 */
export function createDigest(): Digest {
  const known = new WeakMap<object, Uint8Array>();

  function hashOf(container: JsonObject | readonly Json[]): Uint8Array {
    const remembered = known.get(container);
    if (remembered !== undefined) return remembered;
    const bytes = createByteWriter();
    if (isArray(container)) {
      bytes.byte(tag.array);
      for (const item of container) write(item, bytes);
    } else {
      bytes.byte(tag.object);
      for (const key of Object.keys(container).toSorted()) {
        bytes.text(key);
        write(container[key] as Json, bytes);
      }
    }
    const hash = sha256(bytes.written()).subarray(0, digestBytes);
    known.set(container, hash);
    return hash;
  }

  function write(value: Json, bytes: ByteWriter): void {
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
      bytes.raw(hashOf(value));
    }
  }

  return value => {
    if (typeof value === 'object' && value !== null) return bytesToHex(hashOf(value));
    const bytes = createByteWriter();
    write(value, bytes);
    return bytesToHex(sha256(bytes.written()).subarray(0, digestBytes));
  };
}

function notJson(type: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'invalid-state',
    message: `A value of type ${type} cannot be digested.`,
    expected: 'Expected JSON: write null where something is missing.',
  });
}

interface ByteWriter {
  byte(value: number): void;
  number(value: number): void;
  text(value: string): void;
  raw(value: Uint8Array): void;
  written(): Uint8Array;
}

function createByteWriter(): ByteWriter {
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
      if (!value.isWellFormed()) return units(value);
      reserve(4 + value.length * 3);
      const { written } = encoder.encodeInto(value, buffer.subarray(length + 4));
      view.setUint32(length, written);
      length += 4 + written;
    },
    raw(value) {
      reserve(value.length);
      buffer.set(value, length);
      length += value.length;
    },
    written: () => buffer.subarray(0, length),
  };
}

function isArray(value: JsonObject | readonly Json[]): value is readonly Json[] {
  return Array.isArray(value);
}

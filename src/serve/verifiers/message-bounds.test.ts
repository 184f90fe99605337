import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepestJson, isJson } from '../../core/json.ts';
import { excessOf, mostValues } from './message-bounds.ts';
import { MalformedRequest, readRequest } from './messages.ts';

const reject = (bytes: Uint8Array): string => {
  try {
    readRequest('health', bytes);
  } catch (cause) {
    if (cause instanceof MalformedRequest) return cause.message;
    throw cause;
  }
  return '';
};

const arraysIn = (levels: number): Uint8Array => {
  const bytes = new Uint8Array(levels).fill(0x91);
  bytes[levels - 1] = 0x90;
  return bytes;
};

const header = (first: number, size: number): Buffer => {
  const bytes = Buffer.from([first, 0, 0, 0, 0]);
  bytes.writeUInt32BE(size, 1);
  return bytes;
};

describe('a message of msgpack', () => {
  it('[VF-10] is refused for its levels before anything of it is decoded', () => {
    const deep = new Uint8Array(3 * 2 ** 20).fill(0x91);
    expect(reject(deep)).toContain(`more than ${deepestJson} levels`);
    // One key and one map inside, again and again.
    const maps = Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from([0x81, 0xa1, 0x61])));
    expect(reject(maps)).toContain(`more than ${deepestJson} levels`);
    // The levels are those that a JSON value may have.
    const nestedArrays = (levels: number): unknown => {
      let value: unknown[] = [];
      for (let level = 1; level < levels; level++) value = [value];
      return value;
    };
    for (const levels of [deepestJson, deepestJson + 1, deepestJson + 2])
      expect([levels, excessOf(arraysIn(levels)) === null]).toEqual([levels, isJson(nestedArrays(levels))]);
  });

  it('[VF-10] is refused for its values before anything of it is decoded', () => {
    const many = `more than ${mostValues} values`;
    expect(reject(Buffer.concat([header(0xdd, 2 ** 20), Buffer.alloc(2 ** 20, 1)]))).toContain(many);
    expect(reject(Buffer.concat([header(0xdf, 2 ** 19), Buffer.alloc(2 ** 20, 1)]))).toContain(many);
    // The sizes are believed, also when nothing follows.
    expect(reject(header(0xdd, 0xffffffff))).toContain(many);
    expect(reject(Buffer.concat([Buffer.from([0x9f]), Buffer.alloc(2 ** 20, 0x9f)]))).toContain('more than');
    expect(reject(encode({ idx: Array.from({ length: mostValues - 3 }, () => 1) }))).toBe('');
    expect(reject(encode({ idx: Array.from({ length: mostValues - 2 }, () => 1) }))).toContain(many);
  });

  it('[VF-10] is let through when it is small, whatever is in it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
        const whole = encode(value);
        expect(excessOf(whole)).toBeNull();
        // Cut off or with more behind it, it is left to the decoder.
        expect(excessOf(whole.subarray(0, whole.length >> 1))).toBeNull();
        expect(excessOf(Buffer.concat([whole, Buffer.alloc(1000, 0x91)]))).toBeNull();
      }),
    );
  });

  it('[VF-10] has its values counted through every kind of value', () => {
    const odd = [
      {
        text: 'x'.repeat(300),
        bytes: new Uint8Array(70_000),
        date: new Date(0),
        float: 1.5,
        large: 2 ** 40,
        low: -70_000,
      },
      [
        'x'.repeat(31),
        'x'.repeat(70_000),
        new Uint8Array(20),
        new Uint8Array(300),
        new Date(1e12),
        null,
        true,
        -1,
        200,
        70_000,
      ],
    ];
    // The outer array, the map with six keys and values, the array of ten, and the last array: it is found only when
    // everything before it was skipped by its true length.
    const room = mostValues - (1 + 13 + 11 + 1);
    expect(excessOf(encode([...odd, Array.from({ length: room }, () => 1)]))).toBeNull();
    expect(excessOf(encode([...odd, Array.from({ length: room + 1 }, () => 1)]))).toContain('more than');
  });

  it('[VF-10] is judged without a fault, whatever its bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const excess = excessOf(bytes);
        expect(excess === null || excess.startsWith('It has more than')).toBe(true);
      }),
    );
  });
});

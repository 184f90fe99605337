import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkOf, lastEvents } from '../../../../test/fixtures/models/raw-upstream.ts';
import { anthropic } from '../../../models/dialects/anthropic/anthropic.ts';
import type { Dialect } from '../../../models/dialects/dialect.ts';
import { openai } from '../../../models/dialects/openai/openai.ts';
import { createRedactor } from '../../../models/secrets/redactor.ts';
import { createBlockSplitter } from './event-blocks.ts';
import { createStreamCopy } from '../stream-copy.ts';
import { createStreamRedactor } from './stream-redactor.ts';

const key = 'sk-secret-key-1234567890';
const redactorOfKey = createRedactor([key]);

/** The bytes in pieces that end at these places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map(place => place % (bytes.length + 1))), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function redacted(text: string, places: readonly number[] = []): string {
  const redactor = createStreamRedactor(redactorOfKey);
  const out = cut(Buffer.from(text), places).map(redactor.push);
  return Buffer.concat([...out, redactor.end()]).toString();
}

function contentOf(stream: string, dialect: Dialect = openai): string {
  const copy = createStreamCopy(dialect);
  copy.feed(Buffer.from(stream));
  const { reply, partial } = copy.result();
  return (reply?.message ?? partial)?.content ?? '';
}

describe('the redactor of streams', () => {
  it('[PRX-6] passes on what holds no key byte for byte, wherever it is cut', () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('sk-', 'sk-sec', 'sk-secret-key-')),
    );
    fc.assert(
      fc.property(texts, fc.array(fc.nat(5000)), fc.constantFrom('\n', '\r\n', '\r'), (pieces, places, end) => {
        // What only begins like the key, and goes on otherwise.
        const text = pieces.map(piece => chunkOf(`${piece}!q`)).join('') + lastEvents;
        const stream = `: ping\n\nevent: other\ndata: 7\n\n${text}`.replaceAll('\n', end);
        expect(redacted(stream, places)).toBe(stream);
      }),
    );
  });

  it('[PRX-6] finds a key that is spread over events, cut anywhere', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(key.length)), fc.array(fc.nat(5000)), (splits, places) => {
        const pieces = cut(Buffer.from(`You are ${key}. Yes, ${key}!`), splits).map(String);
        const stream = pieces.map(piece => chunkOf(piece)).join('') + lastEvents;
        const content = contentOf(redacted(stream, places));
        expect(content).not.toContain('secret');
        // Up to three characters may have gone before it was known what they begin.
        expect(content.replaceAll(/s?k?-?\[key\]/g, '[key]')).toBe('You are [key]. Yes, [key]!');
      }),
    );
  });

  it('[PRX-6] finds it in other members, in escapes, in tokens and beside other streams', () => {
    const start = { type: 'message_start', message: { id: 'm', model: 'm' } };
    const block = (index: number) => ({
      type: 'content_block_start',
      index,
      content_block: { type: 'text', text: '' },
    });
    const delta = (index: number, text: string) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'text_delta', text },
    });
    const events = [start, block(0), block(1), delta(0, key.slice(0, 9)), delta(1, 'aside'), delta(0, key.slice(9))];
    const beside = redacted(events.map(event => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join(''));
    expect(beside).toContain('aside');
    expect(contentOf(beside, anthropic)).toBe('aside[key]');
    const escaped = [...key].map(sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    expect(redacted(`data: {"error":{"message":"${escaped}"}}\n\n`)).toBe('data: {"error":{"message":"[key]"}}\n\n');
    const tokens = [key.slice(0, 12), key.slice(12)].map(token => ({ token, bytes: [...Buffer.from(token)] }));
    expect(redacted(`data: ${JSON.stringify({ logprobs: { content: tokens } })}\n\n`)).toBe(
      'data: {"logprobs":{"content":[{"token":"","bytes":null},{"token":"[key]","bytes":null}]}}\n\n',
    );
    expect(redacted(`: ${key}\nevent: ${key}\ndata: ${key}`)).toBe(': [key]\nevent: [key]\ndata: [key]');
  });

  it('[PRX-28] finds it however a server numbers its events, and whatever it sends between them', () => {
    const numbered = (at: number, sign: string): string =>
      chunkOf(sign).replace('"content"', `"summary_index":${at},"content"`);
    const idle = ': ping\n\n'.repeat(40);
    const streams = [
      [...key].map((sign, at) => numbered(at, sign)),
      [...key].map(sign => chunkOf(sign) + idle),
      [...key].map(sign => chunkOf(sign + ' '.repeat(300))),
    ];
    for (const stream of streams) {
      const content = contentOf(redacted(stream.join('') + lastEvents)).replaceAll(' ', '');
      expect(content).toContain('[key]');
      expect(content.replaceAll('[key]', '').length).toBeLessThan(12);
    }
  });

  it('[PRX-6] holds back no more than it must, and tells no half of a key', () => {
    const redactor = createStreamRedactor(redactorOfKey);
    expect(redactor.push(Buffer.from(chunkOf('ask'))).length).toBeGreaterThan(0);
    expect(redactor.push(Buffer.from(chunkOf(key.slice(0, 20)))).length).toBe(0);
    // Others come meanwhile, more than are held back.
    let heard = '';
    for (let at = 0; at < 300; at++) heard += redactor.push(Buffer.from(`data: {"other":${at}}\n\n`)).toString();
    expect(heard).toContain('"content":"[key]"');
    expect(heard).toContain('{"other":250}');
    expect(redacted(chunkOf(`a ${key.slice(0, 20)}`))).toContain('"content":"a [key]"');
    expect(redacted(chunkOf('a sk-se'))).toContain('"content":"a sk-se"');
  });

  it('[PRX-18] takes any bytes, cut anywhere, and gives the same for every cut', () => {
    const line = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)),
      fc
        .constantFrom('data: ', '\n', '\r', '\r\n', '\0', key, '{"a":"', '"}', '[[[[', chunkOf('x'))
        .map(text => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(fc.nat(2000)), (lines, places) => {
        const bytes = Buffer.concat(lines);
        const read = (pieces: readonly Buffer[]): [string, string] => {
          const redactor = createStreamRedactor(redactorOfKey);
          const out = Buffer.concat([...pieces.map(redactor.push), redactor.end()]);
          const copy = createStreamCopy(openai);
          for (const piece of pieces) copy.feed(piece);
          return [out.toString('latin1'), JSON.stringify(copy.result())];
        };
        const whole = read([bytes]);
        expect(read(cut(bytes, places))).toEqual(whole);
        expect(whole[0]).not.toContain(key);
        const splitter = createBlockSplitter();
        const blocks = cut(bytes, places).flatMap(splitter.read);
        expect(Buffer.concat([...blocks, splitter.rest()])).toEqual(bytes);
      }),
      { numRuns: 300 },
    );
  });
});

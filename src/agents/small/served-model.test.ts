import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { openSmall } from '../../runs/agents/students/small.ts';
import type { CompactSituation } from '../../models/prompt/compact.ts';
import { readModelFiles } from './model-files.ts';
import type { Infer } from './runtime.ts';
import { readServedModel } from './served-model.ts';
import { createSmallModel } from './small-model.ts';

const folder = join(import.meta.dirname, '../../../test/fixtures/small');
const files = readModelFiles(folder);
const situations = readFileSync(join(folder, 'prompts.jsonl'), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as CompactSituation);

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

type Answer = (path: string, body: Buffer) => Promise<Uint8Array | null> | Uint8Array | null;

async function serve(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    void buffer(request)
      .then(body => answer(request.url ?? '', body))
      .then(found => response.writeHead(found === null ? 404 : 200).end(found ?? ''));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const text = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const reach = 128;
const about = (): Uint8Array => text({ facts: files.facts, tokenizer: files.readTokenizer(), reach });

/** As `python/recipe/serve.py` answers: scores in the upper halves of their numbers, and the last token near the first alone. */
async function scoresFor(infer: Infer, body: Buffer): Promise<Uint8Array> {
  const given = new Int32Array(body.buffer, body.byteOffset, body.length / 4);
  const [tokens = 0] = given;
  const [ids, marks, references] = [
    given.slice(2, 2 + tokens),
    given.slice(2 + tokens, 2 + 2 * tokens),
    given.slice(2 + 2 * tokens),
  ];
  const found = await infer({ ids: [...ids], marks, references: [...references] });
  const near = Float32Array.from({ length: tokens * reach }, (_, at) => {
    const [first, behind] = [Math.floor(at / reach), at % reach];
    return found.last_by_first[first * tokens + Math.min(first + behind, tokens - 1)] as number;
  });
  const { kind, element, first, first_by_element, last, last_by_element } = found;
  const all = [kind, element, first, first_by_element, last, last_by_element, near].flatMap(part => [...part]);
  const halves = Uint16Array.from(new Uint32Array(Float32Array.from(all).buffer), bits => (bits + 0x8000) >>> 16);
  return new Uint8Array(halves.buffer);
}

it('[SML-12] a model at an address weighs what it weighs on this machine', async () => {
  const infer = await files.open();
  const address = await serve((path, body) => (path === '/model' ? about() : scoresFor(infer, body)));
  const { model, identity } = await openSmall(address);
  expect(identity).toBe(`small ${files.sha256.slice(0, 8)}`);
  const here = createSmallModel(files);
  for (const situation of situations) {
    const [near, far] = [await here.weigh(situation), await model.weigh(situation)];
    const known = new Map(far.steps.map(({ action, logprob }) => [JSON.stringify(action), logprob]));
    // Half of the digits are sent: the scores of random weights are large.
    for (const { action, logprob } of near.steps.slice(0, 5))
      expect(Math.abs((known.get(JSON.stringify(action)) ?? Infinity) - logprob)).toBeLessThan(0.3);
    expect(far.tokens).toBe(near.tokens);
  }
});

it('[SML-13] an address where no model is served, of another version or with other scores is refused with what to start', async () => {
  await expect(readServedModel('http://127.0.0.1:9')).rejects.toThrow(
    /127\.0\.0\.1:9 serves no model small: it cannot be reached: .*Expected the address of: python python\/recipe\/serve\.py/s,
  );
  const silent = await serve(() => null);
  await expect(readServedModel(silent)).rejects.toThrow('it answered 404 for /model');
  const other = await serve(() => text({ steps: 3 }));
  await expect(readServedModel(other)).rejects.toThrow('it does not tell of a model that points');
  const older = await serve(() => text({ facts: { ...files.facts, version: 1 }, tokenizer: {}, reach }));
  await expect(readServedModel(older)).rejects.toThrow('is of version 1. This Espalier reads version 2');
  const short = await serve(path => (path === '/model' ? about() : new Uint8Array(10)));
  const { model } = await openSmall(short);
  await expect(model.weigh(situations[0] as CompactSituation)).rejects.toThrow(
    /it sent 5 scores where \d+ were expected/,
  );
});

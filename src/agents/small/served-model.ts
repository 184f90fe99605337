import { z } from 'zod';
import { causeText, EspalierError } from '../../core/errors.ts';
import { checkFacts, type ModelFiles } from './model-files.ts';
import type { Infer } from './runtime.ts';
import type { StepScores } from './texts.ts';

const aboutSchema = z.object({
  facts: z.unknown(),
  tokenizer: z.record(z.string(), z.unknown()),
  reach: z.int().positive(),
});

const whatToStart = 'Expected the address of: python python/recipe/serve.py <folder of a model> --port <port>.';

/** A model that `python/recipe/serve.py` answers for, such as one on a GPU. It scores prompts; what can be done is weighed here. */
export async function readServedModel(address: string): Promise<ModelFiles> {
  const answer = await ask(new URL('/model', address));
  const about = aboutSchema.safeParse(await answer.json().catch(() => null));
  if (!about.success) throw unusable(address, 'it does not tell of a model that points');
  const facts = checkFacts(about.data.facts, address, whatToStart);
  return {
    facts,
    sha256: facts.sha256['model.onnx'],
    readTokenizer: () => about.data.tokenizer,
    open: async () => createInfer(address, about.data.reach),
  };
}

function createInfer(address: string, reach: number): Infer {
  const scores = new URL('/scores', address);
  return async ({ ids, marks, references }) => {
    const body = Int32Array.from([ids.length, references.length, ...ids, ...Array.from(marks), ...references]);
    const answer = await ask(scores, { method: 'POST', body });
    return readScores(new Uint16Array(await answer.arrayBuffer()), {
      tokens: ids.length,
      references: references.length,
      reach,
    });
  };
}

interface Sizes {
  readonly tokens: number;
  readonly references: number;
  readonly reach: number;
}

/** All scores one after the other, each the upper half of a number of 32 bits. */
function readScores(halves: Uint16Array, { tokens, references, reach }: Sizes): StepScores {
  const all = new Float32Array(halves.length);
  const bits = new Uint32Array(all.buffer);
  for (let at = 0; at < halves.length; at++) bits[at] = (halves[at] as number) << 16;
  const sizes = [
    kinds,
    kinds * tokens,
    kinds * tokens,
    references * tokens,
    kinds * tokens,
    references * tokens,
    tokens * reach,
  ];
  const ends = sizes.map((_, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0));
  if (ends.at(-1) !== halves.length)
    throw unusable('The server', `it sent ${halves.length} scores where ${ends.at(-1)} were expected`);
  const part = (at: number): Float32Array => all.subarray(ends[at - 1] ?? 0, ends[at]);
  return {
    kind: part(0),
    element: part(1),
    first: part(2),
    first_by_element: part(3),
    last: part(4),
    last_by_element: part(5),
    last_by_first: part(6),
    reach,
  };
}

const kinds = 6;

async function ask(url: URL, init?: RequestInit): Promise<Response> {
  const answer = await fetch(url, init).catch((cause: unknown) => {
    throw unusable(url.origin, `it cannot be reached: ${causeText(cause)}`, cause);
  });
  if (answer.ok) return answer;
  throw unusable(url.origin, `it answered ${answer.status} for ${url.pathname}`);
}

function unusable(address: string, why: string, cause?: unknown): EspalierError {
  return new EspalierError({
    boundary: 'policy',
    code: 'unavailable',
    message: `${address} serves no model small: ${why}.`,
    expected: whatToStart,
    cause,
  });
}

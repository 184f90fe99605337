import { EspalierError } from '../../core/errors.ts';

/** Whose tokens they are, or what became of them. */
const maskKinds = ['student', 'teacher', 'environment', 'prefix', 'purified', 'guided'] as const;
type MaskKind = (typeof maskKinds)[number];

/** Tokens from `start` up to, but not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A set of tokens: spans in their order, none empty, none touching the next. */
export interface Mask<K extends string = MaskKind> {
  readonly kind: K;
  readonly spans: readonly Span[];
}

/** Masks that claim the same token. */
export class MaskError extends EspalierError {
  readonly token: number;
  readonly kinds: readonly [string, string];

  constructor(token: number, kinds: readonly [string, string]) {
    super({
      boundary: 'input',
      code: 'overlapping-masks',
      message: `Token ${token} is ${kinds[0]} and ${kinds[1]} at once.`,
      expected: 'Expected masks that share no token: take the intersection away from one of them.',
    });
    this.name = 'MaskError';
    this.token = token;
    this.kinds = kinds;
  }
}

export function mask<K extends string>(kind: K, spans: readonly Span[]): Mask<K> {
  const wrong = spans.find(
    ({ start, end }) => !Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start,
  );
  if (wrong !== undefined)
    throw new EspalierError({
      boundary: 'input',
      code: 'out-of-range',
      message: `The span from ${wrong.start} to ${wrong.end} is none.`,
      expected: 'Expected whole numbers, the start not below 0 and not after the end.',
    });
  return { kind, spans: merged(spans) };
}

/** The kind of each of `length` tokens: null where no mask has it. Masks that overlap are refused. */
export function partition<K extends string>(length: number, masks: readonly Mask<K>[]): readonly (K | null)[] {
  const kinds: (K | null)[] = Array.from({ length }, () => null);
  for (const { kind, spans } of masks)
    for (const { start, end } of spans) {
      if (end > length)
        throw new EspalierError({
          boundary: 'input',
          code: 'out-of-range',
          message: `The ${kind} span from ${start} to ${end} ends after the last of ${length} tokens.`,
          expected: 'Expected spans of the same tokens.',
        });
      for (let token = start; token < end; token++) {
        const taken = kinds[token] ?? null;
        if (taken !== null) throw new MaskError(token, [taken, kind]);
        kinds[token] = kind;
      }
    }
  return kinds;
}

function merged(spans: readonly Span[]): Span[] {
  const sorted = spans.filter(({ start, end }) => end > start).toSorted((left, right) => left.start - right.start);
  const result: Span[] = [];
  for (const span of sorted) {
    const last = result.at(-1);
    if (last !== undefined && span.start <= last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else result.push({ start: span.start, end: span.end });
  }
  return result;
}

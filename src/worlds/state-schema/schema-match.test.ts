import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { app as library } from '../../../examples/library/library.ts';
import { environments } from '../../catalog.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { createSynthApp } from '../../envs/synth/app/synth-app.ts';
import { synthSpec } from '../../envs/synth/generate/synth-spec.ts';
import type { App } from '../app/app.ts';
import { createWorld } from '../world.ts';
import { createSchemaMatch, isSame } from './schema-match.ts';

/** What parsing says: the schema accepts the value as it is. */
function isParsedAsItIs(schema: z.ZodType, value: unknown): boolean {
  const parsed = schema.safeParse(value);
  return parsed.success && isSame(parsed.data as Json, value as Json);
}

const strange: readonly unknown[] = [null, 0, 1.5, -1, NaN, Infinity, '', 'x'.repeat(5000), true, [], {}, undefined];

/** A copy with one part replaced, left out or added. */
function spoiled(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return random.pick(strange);
  const keys = Object.keys(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return [random.pick(strange)];
    const at = random.between(0, value.length - 1);
    return value.with(at, spoiled(value[at], random));
  }
  if (keys.length === 0 || random.chance(0.1)) return { ...value, stray: random.pick(strange) };
  const key = random.pick(keys);
  const { [key]: member, ...others } = value as JsonObject;
  return random.chance(0.1) ? others : { ...value, [key]: spoiled(member, random) };
}

async function allApps(): Promise<App<JsonObject>[]> {
  const builtIn = await Promise.all(environments.map(entry => entry.app()));
  return [...builtIn, library, createSynthApp(synthSpec(17))] as unknown as App<JsonObject>[];
}

describe('a state', () => {
  it('[APP-7] of a built-in app is opened without being parsed', async () => {
    for (const app of (await allApps()).slice(0, 3)) {
      const parse = vi.spyOn(app.state, 'safeParse');
      const world = createWorld(app);
      world.open(world.task(world.templates[0]?.id as string, 1));
      expect(parse, app.id).not.toHaveBeenCalled();
      parse.mockRestore();
    }
  });

  it('[APP-7] is checked without a copy of it, with the result of parsing it', async () => {
    let [accepted, refused] = [0, 0];
    for (const { id, state: schema, init } of await allApps()) {
      const matches = createSchemaMatch(schema);
      for (let seed = 1; seed <= 3; seed++) {
        const state = init(createRandom(String(seed)).fork('data'));
        expect(matches(state), id).toBe(true);
        const random = createRandom(`spoil-${id}-${seed}`);
        for (let count = 0; count < 50; count++) {
          const value = spoiled(state, random);
          const expected = isParsedAsItIs(schema, value);
          expect(matches(value), `${id}, ${seed}, ${count}`).toBe(expected);
          if (expected) accepted++;
          else refused++;
        }
      }
    }
    expect(accepted).toBeGreaterThan(30);
    expect(refused).toBeGreaterThan(400);
  });

  it('[APP-7] is parsed where a schema does more than it', () => {
    // As TypeScript writes an enum of numbers.
    const size = { small: 0, large: 1, 0: 'small', 1: 'large' } as const;
    const schemas: Readonly<Record<string, z.ZodType>> = {
      trimmed: z.string().trim().max(3),
      address: z.email(),
      even: z.int().refine(value => value % 2 === 0),
      bounded: z.number().min(2),
      whole: z.int(),
      text: z.string().min(1).max(3),
      coerced: z.coerce.string(),
      size: z.enum(size),
      literal: z.literal(['a', 2]),
      record: z.record(z.string(), z.int()),
      either: z.union([z.string(), z.null()]),
      optional: z.object({ a: z.string().optional(), b: z.int() }),
      initial: z.object({ a: z.string().default('x') }),
      strict: z.strictObject({ a: z.string() }),
      loose: z.looseObject({ a: z.string() }),
      sorted: z.array(z.int()).max(2),
      ordered: z.object({ a: z.int(), b: z.int() }).refine(({ a, b }) => a <= b),
    };
    const texts = ['a', 'ab ', 'abcd', 'small', 'a@b.example'];
    const objects = [{ a: 'x' }, { a: 'x', b: 1 }, { b: 1 }, { a: 1, b: 2 }, { a: 2, b: 1 }, { a: undefined, b: 1 }];
    const values = [...strange, ...texts, ...objects, 1, 2, 3, [1], [1, 2, 3], ['a']];
    for (const [name, schema] of Object.entries(schemas)) {
      const matches = createSchemaMatch(schema);
      // A check that says no is followed by parsing: only a yes has to be right.
      const sure = values.filter(matches);
      expect(sure.length, name).toBeGreaterThan(0);
      expect(
        sure.filter(value => !isParsedAsItIs(schema, value)),
        name,
      ).toEqual([]);
    }
  });

  it('[APP-7] may contain its own schema', () => {
    const folder = z.object({
      name: z.string(),
      get inside() {
        return z.array(folder);
      },
    });
    const matches = createSchemaMatch(folder);
    expect(matches({ name: 'a', inside: [{ name: 'b', inside: [] }] })).toBe(true);
    expect(matches({ name: 'a', inside: [{ name: 'b' }] })).toBe(false);
  });
});

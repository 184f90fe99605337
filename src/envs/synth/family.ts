import { resolve } from 'node:path';
import { unknownEnvironment } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { readJson } from '../../modules/read-file.ts';
import { appSource, placeIn, type Family } from '../../worlds/family.ts';
import type { Spec } from './spec/schema.ts';

const prefix = 'synth:';
const seedRule = /^(?<wide>wide-)?(?<seed>\d{1,9})$/;

/** `synth:17`, `synth:wide-17`, or `synth:./clinic.json`, a spec of the user's own. */
export const synthFamily: Family = {
  name: prefix,
  usage: 'synth:<seed, wide-seed or spec.json>',
  example: 'synth:7',
  about: 'A made-up app by its seed, or by a spec of your own.',
  absolute: name => (seedRule.test(placeIn(name)) ? name : `${prefix}${resolve(placeIn(name))}`),
  async open(name) {
    const { createMadeUpApp } = await import('./made-up-app.ts');
    return appSource(createMadeUpApp(await specOf(name)));
  },
};

/** The spec that a name stands for. */
export async function specOf(name: string): Promise<Spec> {
  const what = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  const { wide, seed } = seedRule.exec(what)?.groups ?? {};
  if (wide !== undefined) return (await import('./wide/draw/wide-spec.ts')).wideSpec(Number(seed));
  if (seed !== undefined) return (await import('./generate/synth-spec.ts')).synthSpec(Number(seed));
  if (!what.endsWith('.json')) {
    throw unknownEnvironment(
      `"${prefix}${what}" names no made-up app.`,
      'Expected a whole number, such as synth:17, or the path of a spec, such as synth:./clinic.json.',
    );
  }
  const { readSpec } = await import('./spec/read-spec.ts');
  const expected = 'Expected a JSON file with a spec, as `espalier synth <seed>` prints one.';
  const spec = readJson(resolve(what), { most: largestSpec, code: 'invalid-app', expected });
  return readSpec(spec as Json, what);
}

const largestSpec = 4 * 2 ** 20;

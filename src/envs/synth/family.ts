import { resolve } from 'node:path';
import { causeText, EspalierError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Spec } from './spec/schema.ts';
import type { App } from '../../worlds/app/app.ts';
import { readText } from '../../modules/read-file.ts';

const prefix = 'synth:';
const seedRule = /^\d{1,9}$/;

/** The app of `synth:17`, or of `synth:./clinic.json`, a spec of the user's own. */
export async function openSynth(name: string): Promise<App<JsonObject>> {
  const { createSynthApp } = await import('./app/synth-app.ts');
  // The type of its state is an app's own business.
  return createSynthApp(await specOf(name)) as unknown as App<JsonObject>;
}

/** The spec that a name stands for. */
export async function specOf(name: string): Promise<Spec> {
  const what = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  if (seedRule.test(what)) return (await import('./generate/synth-spec.ts')).synthSpec(Number(what));
  if (!what.endsWith('.json')) {
    throw new EspalierError({
      boundary: 'input',
      code: 'unknown-environment',
      message: `"${prefix}${what}" names no made-up app.`,
      expected: 'Expected a whole number, such as synth:17, or the path of a spec, such as synth:./clinic.json.',
    });
  }
  const { readSpec } = await import('./spec/read-spec.ts');
  return readSpec(readJson(resolve(what)), what);
}

export function absoluteSynthName(name: string): string {
  const what = name.slice(prefix.length);
  return seedRule.test(what) ? name : `${prefix}${resolve(what)}`;
}

const largestSpec = 4 * 2 ** 20;

function readJson(path: string): Json {
  try {
    return JSON.parse(readText(path, largestSpec)) as Json;
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-app',
      message: `The spec ${path} cannot be read: ${causeText(cause)}.`,
      expected: 'Expected a JSON file with a spec, as `espalier synth <seed>` prints one.',
      cause,
    });
  }
}

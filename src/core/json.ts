import { z } from 'zod';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** `z.json()` would say the same, some twenty times slower. */
export const jsonSchema: z.ZodType<Json> = z.custom<Json>(value => isJson(value), 'a JSON value');
export const jsonObjectSchema: z.ZodType<JsonObject> = z.custom<JsonObject>(
  value => isJson(value) && isJsonObject(value),
  'a JSON object',
);

export const deepestJson = 200;

/** A JSON value that is not nested beyond reason: what is walked recursively must end. */
export function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > deepestJson) return false;
  if (Array.isArray(value)) return value.every(item => isJson(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every(item => isJson(item, depth + 1));
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same value with the members of every object in one order. */
export function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(item => inOrder(item as Json));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, item]) => [key, inOrder(item as Json)] as const);
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Every string and number in a JSON value, in document order. */
export function scalars(value: Json): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(scalars);
}

/** The members that have a value: without those that are undefined. */
export function defined<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const found: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(members)) if (member !== undefined) found[name] = member;
  return found as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** Bytes of the lines that were written whole: a last line without its end was cut off when its writer was killed. */
export function wholeLines(bytes: Uint8Array): number {
  return bytes.lastIndexOf(0x0a) + 1;
}

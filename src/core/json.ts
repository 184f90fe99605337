import { z } from 'zod';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** `z.json()` would say the same, some twenty times slower. */
export const jsonSchema: z.ZodType<Json> = z.custom<Json>(isJson, 'a JSON value');
export const jsonObjectSchema: z.ZodType<JsonObject> = z.custom<JsonObject>(
  value => isJson(value) && isJsonObject(value),
  'a JSON object',
);

export function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every string and number in a JSON value, in document order. */
export function scalars(value: Json): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(scalars);
}

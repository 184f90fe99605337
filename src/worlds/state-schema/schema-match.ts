import { z } from 'zod';
import type { Json, JsonObject } from '../../core/json.ts';

/** Whether a value surely is what the schema parses to. A value that is not sure is parsed. */
export type SchemaMatch = (value: unknown) => boolean;

/**
 * A check of values that allocates nothing: parsing copies the value, and a state has thousands of members. It is true only
 * for a value that the schema accepts as it is, without members that the schema does not know. Parts that it does not
 * understand, such as refinements, are parsed.
 */
export function createSchemaMatch(schema: z.core.$ZodType): SchemaMatch {
  return matchOf(schema, new Set());
}

/** `around` has the schemas that this one stands in: one that contains itself is parsed there. */
function matchOf(schema: z.core.$ZodType, around: ReadonlySet<z.core.$ZodType>): SchemaMatch {
  const parsed: SchemaMatch = value => {
    const result = z.safeParse(schema, value);
    return result.success && isSame(result.data as Json, value as Json);
  };
  if (around.has(schema)) return parsed;
  const inside = new Set(around).add(schema);
  const def = defOf(schema);
  if (def.type === 'string') return textMatch(def) ?? parsed;
  if ((def.checks ?? []).length > 0) return parsed;
  switch (def.type) {
    case 'boolean':
      return def.coerce === true ? parsed : value => typeof value === 'boolean';
    case 'number':
      return numberMatch(def) ?? parsed;
    case 'enum':
      return oneOf(Object.values(def.entries)) ?? parsed;
    case 'nullable':
      return orNull(matchOf(def.innerType, inside));
    case 'array':
      return arrayMatch(matchOf(def.element, inside));
    case 'object': {
      const isExact = def.catchall === undefined || defOf(def.catchall).type === 'never';
      if (!isExact) return parsed;
      return objectMatch(Object.entries(def.shape).map(([key, member]) => [key, matchOf(member, inside)] as const));
    }
    default:
      return parsed;
  }
}

/** What zod tells other libraries of a schema. */
function defOf(schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] {
  const { _zod: inner } = schema as z.core.$ZodTypes;
  return inner.def;
}

/** Text of any kind, or with bounds of its length. */
function textMatch(def: z.core.$ZodStringDef): SchemaMatch | null {
  if (def.coerce === true || 'format' in def) return null;
  let [shortest, longest] = [0, Infinity];
  for (const check of def.checks ?? []) {
    const { _zod: inner } = check as z.core.$ZodChecks;
    const bound = inner.def;
    if (bound.check === 'max_length') longest = Math.min(longest, bound.maximum);
    else if (bound.check === 'min_length') shortest = Math.max(shortest, bound.minimum);
    else return null;
  }
  return value => typeof value === 'string' && value.length <= longest && value.length >= shortest;
}

function numberMatch(def: z.core.$ZodNumberDef): SchemaMatch | null {
  if (def.coerce === true) return null;
  if (!('format' in def)) return Number.isFinite;
  return def.format === 'safeint' ? Number.isSafeInteger : null;
}

/** Null for an enum with numbers: its entries have the names of these as well, which are no values. */
function oneOf(entries: readonly (string | number)[]): SchemaMatch | null {
  if (entries.some(entry => typeof entry !== 'string')) return null;
  const known = new Set<unknown>(entries);
  return value => known.has(value);
}

function orNull(match: SchemaMatch): SchemaMatch {
  return value => value === null || match(value);
}

function arrayMatch(match: SchemaMatch): SchemaMatch {
  return value => {
    if (!Array.isArray(value)) return false;
    for (let index = 0; index < value.length; index++) if (!match(value[index])) return false;
    return true;
  };
}

function objectMatch(members: readonly (readonly [string, SchemaMatch])[]): SchemaMatch {
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    if (Object.keys(value).length !== members.length) return false;
    for (const [key, match] of members)
      if (!Object.hasOwn(value, key) || !match((value as JsonObject)[key])) return false;
    return true;
  };
}

/** Whether two values have the same members: much faster than their difference, and they hardly ever differ. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, index) => isSame(item, other[index]))
    );
  if (Array.isArray(other)) return false;
  const [left, right] = [one as JsonObject, other as JsonObject];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every(key => isSame(left[key], right[key]));
}

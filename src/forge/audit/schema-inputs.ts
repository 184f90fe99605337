import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';

/** Draws inputs that a JSON Schema allows; null when it has a rule that is not understood here. */
export function drawAllowed(schema: JsonObject, random: Random, texts: readonly string[]): Json | undefined {
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'] as Json[]);
  if (schema['const'] !== undefined) return schema['const'];
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(options)) return drawAllowed(random.pick(options as JsonObject[]), random, texts);
  switch (schema['type']) {
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return drawNumber(schema, random);
    case 'array':
      return drawList(schema, random, texts);
    case 'object':
      return drawObject(schema, random, texts);
    case 'null':
      return null;
    case 'string':
      return drawText(schema, random, texts);
    default:
      return undefined;
  }
}

function drawNumber(schema: JsonObject, random: Random): number | undefined {
  if (schema['multipleOf'] !== undefined) return undefined;
  const least = Number(schema['minimum'] ?? Number(schema['exclusiveMinimum'] ?? -1) + 1);
  const most = Number(schema['maximum'] ?? Number(schema['exclusiveMaximum'] ?? least + 13) - 1);
  return random.between(least, Math.max(least, Math.min(most, least + 20)));
}

function drawList(schema: JsonObject, random: Random, texts: readonly string[]): Json | undefined {
  const least = Number(schema['minItems'] ?? 0);
  const length = random.between(least, Math.max(least, Math.min(3, Number(schema['maxItems'] ?? 3))));
  const items = isJsonObject(schema['items']) ? schema['items'] : {};
  const drawn = Array.from({ length }, () => drawAllowed(items, random, texts));
  return drawn.includes(undefined) || schema['uniqueItems'] === true ? undefined : (drawn as Json[]);
}

function drawObject(schema: JsonObject, random: Random, texts: readonly string[]): JsonObject | undefined {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : [];
  const members: [string, Json][] = [];
  for (const [key, member] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
    if (!required.includes(key) && random.chance(0.5)) continue;
    const value = drawAllowed(member as JsonObject, random, texts);
    if (value === undefined) return undefined;
    members.push([key, value]);
  }
  return Object.fromEntries(members);
}

function drawText(schema: JsonObject, random: Random, texts: readonly string[]): string | undefined {
  const { pattern, format, minLength = 0, maxLength = 1000 } = schema;
  if (pattern !== undefined || (format !== undefined && format !== 'date')) return undefined;
  if (format === 'date') return '2026-04-01';
  const fitting = [...texts, 'Hello there'].filter(
    text => text.length >= Number(minLength) && text.length <= Number(maxLength),
  );
  return fitting.length === 0 ? undefined : random.pick(fitting);
}

/** The input with something that its schema forbids; null when it forbids nothing that is understood here. */
export function spoilInput(schema: JsonObject, input: JsonObject): { input: JsonObject; how: string } | null {
  const [required] = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
  const members = (schema['properties'] ?? {}) as JsonObject;
  for (const [key, member] of Object.entries(members)) {
    if (isJsonObject(member) && Array.isArray(member['enum']))
      return { input: { ...input, [key]: 'none of these' }, how: `${key} that is none of its choices` };
  }
  if (required === undefined) return null;
  const { [required]: _left, ...rest } = input;
  return { input: rest, how: `no ${required}` };
}

import type { Action } from '../core/action.ts';
import type { ToolInfo } from '../core/contracts.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { Random } from '../core/random.ts';

/** A call with values of the right types, mostly taken from the state, sometimes wrong. */
export function anyCall({ name, input }: ToolInfo, state: Json, random: Random): Action {
  return { kind: 'call', tool: name, input: anyObject(input, state, random) };
}

function anyObject(schema: JsonObject, state: Json, random: Random): JsonObject {
  const members: [string, Json][] = [];
  for (const [key, member] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
    const required = Array.isArray(schema['required']) && schema['required'].includes(key);
    if (random.chance(required ? 0.97 : 0.5)) members.push([key, anyValue(member as JsonObject, { state, random })]);
  }
  return Object.fromEntries(members);
}

interface Source {
  readonly state: Json;
  readonly random: Random;
}

function anyValue(schema: JsonObject, { state, random }: Source): Json {
  if (random.chance(0.03)) return random.pick<Json>([null, 7, '', [], {}, true, 'nonsense']);
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'] as Json[]);
  if (schema['const'] !== undefined) return schema['const'];
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(options)) return anyValue(random.pick(options) as JsonObject, { state, random });
  switch (schema['type']) {
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return random.between(-1, 12);
    case 'array':
      return Array.from({ length: random.between(0, 3) }, () =>
        anyValue((schema['items'] ?? {}) as JsonObject, { state, random }),
      );
    case 'object':
      return anyObject(schema, state, random);
    case 'null':
      return null;
    default:
      return random.pick([...ids(state), ...ids(state), 'x', 'Hello there', 'a@b.example', '2026-04-01']);
  }
}

function ids(state: Json): string[] {
  if (Array.isArray(state)) return state.flatMap(item => ids(item as Json));
  if (!isJsonObject(state)) return [];
  const own = typeof state['id'] === 'string' ? [state['id']] : [];
  return [...own, ...Object.values(state).flatMap(ids)];
}

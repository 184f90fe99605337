import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { App } from '../../worlds/app/app.ts';

const longestChoice = 30;

/** Values that a text lists: "Urgent, High, Medium or Low". Names of types and fields stand in lower case, values do not. */
export function listedChoices(text: string): string[] {
  const pieces = text
    .replaceAll(/["“”]/g, '')
    .split(/[,;:.()]| or | such as | can be | expected | only to | is one of /)
    .map(piece => piece.trim());
  const found = pieces.filter(
    piece => /^[\p{Lu}\d]/u.test(piece) && piece.length <= longestChoice && !/ \p{Ll}+ /u.test(piece),
  );
  // One capital letter is the start of a sentence, not a list.
  return found.length < 2 ? [] : found;
}

/** The choices that the schema of the state gives to each of its members, by the name of the member. */
export function choicesInState<S extends JsonObject>(app: App<S>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const walk = (schema: Json | undefined, key: string): void => {
    if (!isJsonObject(schema)) return;
    const options = schema['enum'];
    if (Array.isArray(options)) {
      found.set(key, [...new Set([...(found.get(key) ?? []), ...(options as readonly Json[]).map(String)])]);
    }
    const members = schema['properties'];
    if (isJsonObject(members)) {
      for (const [name, member] of Object.entries(members)) if (!(key === '' && name === 'ui')) walk(member, name);
    }
    walk(schema['items'], key);
    for (const part of ['anyOf', 'oneOf']) {
      const parts = schema[part];
      if (Array.isArray(parts)) for (const option of parts as readonly Json[]) walk(option, key);
    }
  };
  try {
    walk(app.state.toJSONSchema({ target: 'draft-7', unrepresentable: 'any' }) as unknown as JsonObject, '');
  } catch {
    // A state without a JSON Schema lists no choices; everything else works without them.
  }
  return found;
}

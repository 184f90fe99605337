import { isJson, isJsonObject, type JsonObject } from '../json.ts';

export interface FoundObject {
  readonly value: JsonObject;
  readonly start: number;
  readonly end: number;
}

/** Braces that are tried as the beginning of an object; a text of braces alone must not take forever. */
const mostTried = 200;

/** The JSON objects that stand in a text, outermost ones only. */
export function findObjects(text: string): readonly FoundObject[] {
  const found: FoundObject[] = [];
  let tried = 0;
  for (let start = text.indexOf('{'); start >= 0 && tried < mostTried; tried++) {
    const end = closingBrace(text, start);
    const value = end < 0 ? null : parseObject(text.slice(start, end));
    if (value !== null) found.push({ value, start, end });
    start = text.indexOf('{', value === null ? start + 1 : end);
  }
  return found;
}

/** Null when the text is not a JSON object. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) && isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Behind the brace that closes the one at `start`; -1 when none does. */
function closingBrace(text: string, start: number): number {
  let depth = 0;
  let inText = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inText) {
      if (character === '\\') at++;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

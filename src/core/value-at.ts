import { isJsonObject, type Json } from './json.ts';
import type { Segments } from './path.ts';

/** The value at a path, where members of tables go by their ids; undefined when there is none. */
export function valueAt(value: Json | undefined, segments: Segments): Json | undefined {
  let found = value;
  for (const segment of segments) {
    if (Array.isArray(found)) {
      const items: readonly Json[] = found;
      found = items.find(item => isJsonObject(item) && item['id'] === segment) ?? items[Number(segment)];
    } else found = isJsonObject(found) && Object.hasOwn(found, segment) ? found[segment] : undefined;
  }
  return found;
}

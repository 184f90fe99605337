import { parse, TomlDate, TomlError } from 'smol-toml';
import { EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';

/** Reads TOML. Dates and times become texts; infinity and NaN are numbers. `file` is named in errors. */
export function parseToml(text: string, file: string): JsonObject {
  try {
    return plain(parse(text.replace(/^\uFEFF/, ''))) as JsonObject;
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    // Its message goes on with the lines of the file.
    const [what = ''] = cause.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `${file}, line ${cause.line}: not TOML at column ${cause.column}: ${what}.`,
      expected: 'Expected TOML 1.0, see https://toml.io.',
      cause,
    });
  }
}

function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

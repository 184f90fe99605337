import { parse } from 'yaml';
import { causeText, EspalierError, invalidOption } from '../../core/errors.ts';
import { readText } from '../../modules/read-file.ts';

/** The settings in a YAML file of the user's; `example` is a line that such a file may have. */
export function readYamlSettings(path: string, example: string): object {
  try {
    const value: unknown = parse(readText(path));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    if (cause instanceof EspalierError) throw cause;
    const [first = ''] = causeText(cause).split('\n', 1);
    throw invalidOption(`${path} cannot be read: ${first}.`, `Expected YAML, such as ${example}.`);
  }
  throw invalidOption(`${path} holds no settings.`, `Expected YAML, such as ${example}.`);
}

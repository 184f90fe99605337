import { readFileSync, statSync } from 'node:fs';
import { causeText, EspalierError, type ErrorCode } from '../core/errors.ts';

/** What is to be known of a file before it is opened: a device or a pipe may never end. */
export function lookAt(path: string): { readonly size: number; readonly isFile: boolean } {
  const stats = statSync(path);
  return { size: stats.size, isFile: stats.isFile() };
}

/** Configs, prices, prompts and students are far smaller. */
const largestText = 256 * 2 ** 20;

/** The text of a file of the user's; refused when it is too large, or no file. */
export function readText(path: string, most = largestText): string {
  const { size, isFile } = lookAt(path);
  if (isFile && size <= most) return readFileSync(path, 'utf8');
  throw new EspalierError({
    boundary: 'input',
    code: 'corrupt-record',
    message: `${path} cannot be read: ${isFile ? `it has ${size} bytes` : 'it is no file'}.`,
    expected: `Expected a file of at most ${most} bytes.`,
  });
}

export interface JsonFile {
  /** Bytes; a larger file is refused. */
  readonly most?: number;
  /** Said of a file that cannot be read, or holds no JSON. */
  readonly code?: ErrorCode;
  readonly expected?: string;
}

/** What stands in a JSON file. */
export function readJson(path: string, options: JsonFile = {}): unknown {
  const { most, code = 'corrupt-record', expected = 'Expected a file of JSON, as Espalier writes it.' } = options;
  try {
    return JSON.parse(readText(path, most));
  } catch (cause) {
    if (cause instanceof EspalierError) throw cause;
    throw new EspalierError({
      boundary: 'input',
      code,
      message: `${path} cannot be read: ${causeText(cause)}.`,
      expected,
      cause,
    });
  }
}

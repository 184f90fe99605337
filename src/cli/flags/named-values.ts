import { EspalierError } from '../../core/errors.ts';

/** Reads options such as `width=3`. A value is JSON if it parses, else text. */
export function readNamedValues(pairs: readonly string[], noun: string): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map(pair => {
      const [, key, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (key === undefined || text === undefined)
        throw invalid(`"${pair}" is no option of a ${noun}.`, 'Expected a name and a value, such as width=3.');
      return [key, valueOf(text)];
    }),
  );
}

function invalid(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-option', message, expected });
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

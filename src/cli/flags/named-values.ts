import { invalidOption } from '../../core/errors.ts';

export type NamedValues = Readonly<Record<string, unknown>>;

/** Reads pairs such as `width=3`. A value is JSON or a number if it parses as one, else text. */
export function readNamedValues(pairs: readonly string[], noun: string): NamedValues {
  return Object.fromEntries(
    pairs.map(pair => {
      const [, name, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || text === undefined)
        throw invalidOption(`"${pair}" is no option of ${noun}.`, 'Expected a name and a value, such as width=3.');
      return [name, valueOf(text)];
    }),
  );
}

/** Of a flag that takes one pair and may be repeated. */
export function repeatedValue(noun: string): (pair: string, before?: NamedValues) => NamedValues {
  return (pair, before = {}) => ({ ...before, ...readNamedValues([pair], noun) });
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Numbers such as `.5` and `+1` are no JSON.
    return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
  }
}

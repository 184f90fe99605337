import type { RecordPhrase } from './record-phrase.ts';

/** What an instruction has to say about a call. */
export interface Said {
  readonly records: readonly (RecordPhrase & { readonly key: string })[];
  readonly texts: readonly { readonly key: string; readonly value: string }[];
  readonly flags: readonly { readonly key: string; readonly isOn: boolean }[];
}

/** Numbers, dates and addresses stand bare, everything else in quotation marks. */
export function quoted(value: string): string {
  return /^[\d-]+$|^\S+@\S+$/.test(value) ? value : `"${value}"`;
}

/** One, two and three. */
export function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

import type { RecordPhrase } from './record-phrase.ts';

/** What an instruction has to say about a call. */
export interface Said {
  readonly records: readonly (RecordPhrase & { readonly key: string })[];
  readonly texts: readonly { readonly key: string; readonly value: string }[];
  readonly flags: readonly { readonly key: string; readonly isOn: boolean }[];
}

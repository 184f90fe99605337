import { createRegistry, type Entry } from '../../core/naming/registry.ts';

/** Turns texts into token ids where no server gave any. */
export interface Tokenizer extends Entry {
  encode(text: string): readonly number[];
}

export const tokenizers = createRegistry<Tokenizer>({
  noun: 'tokenizer',
  plural: 'tokenizers',
  about: 'Token ids for steps that no model took: `espalier export --tokens … --tokenizer`.',
  entries: [
    {
      name: 'bytes',
      about: 'The bytes of the text in UTF-8: ids from 0 to 255.',
      encode: text => [...Buffer.from(text, 'utf8')],
    },
  ],
});

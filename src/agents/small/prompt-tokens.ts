import { Tokenizer } from '@huggingface/tokenizers';

/** A prompt as the model reads it, and where each token stands in its text. */
export interface PromptTokens {
  readonly text: string;
  readonly ids: readonly number[];
  /** The place of the first character of each token, and the place behind its last. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export type ReadPromptTokens = (text: string) => PromptTokens;

/** Splits prompts into tokens as Python's `tokenizers` does, with the places of each in the text. */
export function createPromptTokens(tokenizer: object): ReadPromptTokens {
  const encoder = new Tokenizer(tokenizer, {});
  return text => {
    const { ids, tokens } = encoder.encode(text, { add_special_tokens: false });
    return { text, ids, ...placesOf(text, tokens) };
  };
}

const utf8 = new TextEncoder();
const byteLetters = lettersOfBytes();

/** Byte-level tokens are spelled in letters that stand for bytes, so that the text of a prompt is found again letter by letter. */
function placesOf(text: string, tokens: readonly string[]): Pick<PromptTokens, 'starts' | 'ends'> {
  const { letters, characters } = spelled(text);
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const token of tokens) {
    // The vocabulary may lack rare bytes: those belong to no token.
    const begin = letters.indexOf(token, at);
    at = begin + token.length;
    starts.push(characters[begin] as number);
    ends.push(endOf(characters, at, text.length));
  }
  return { starts, ends };
}

/** A token that ends within a character takes the whole of it. */
function endOf(characters: readonly number[], at: number, length: number): number {
  const last = characters[at - 1];
  let next = at;
  while (next < characters.length && characters[next] === last) next++;
  return characters[next] ?? length;
}

/** A text in the letters of its bytes, and for each letter the character of the text that it belongs to. */
function spelled(text: string): { readonly letters: string; readonly characters: readonly number[] } {
  const characters: number[] = [];
  let letters = '';
  let at = 0;
  for (const character of text) {
    for (const byte of utf8.encode(character)) {
      letters += byteLetters[byte];
      characters.push(at);
    }
    at += character.length;
  }
  return { letters, characters };
}

/** The table of GPT-2: printable bytes are their own letters, the others follow from 256 on. */
function lettersOfBytes(): readonly string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    return String.fromCodePoint(isPrintable ? byte : next++);
  });
}

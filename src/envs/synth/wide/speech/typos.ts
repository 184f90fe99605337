import type { Random } from '../../../../core/random.ts';

/** One or two words with a slip of the finger; names and values stay as they are. */
export function misspelled(text: string, kept: readonly string[], random: Random): string {
  const guarded = kept.filter(name => name !== '');
  const isKept = (at: number, word: string): boolean =>
    guarded.some(name => {
      for (let from = text.indexOf(name); from >= 0; from = text.indexOf(name, from + 1)) {
        if (at < from + name.length && from < at + word.length) return true;
      }
      return false;
    });
  const words = [...text.matchAll(/[a-z]{4,}/g)].filter(match => !isKept(match.index, match[0]));
  const slips = random.sample(words, random.between(0, 2)).toSorted((left, right) => right.index - left.index);
  return slips.reduce(
    (said, { 0: word, index }) => `${said.slice(0, index)}${slip(word, random)}${said.slice(index + word.length)}`,
    text,
  );
}

function slip(word: string, random: Random): string {
  const at = random.between(1, word.length - 2);
  const [one, other] = [word.charAt(at), word.charAt(at + 1)];
  const forms = [
    `${word.slice(0, at)}${other}${one}${word.slice(at + 2)}`,
    `${word.slice(0, at)}${word.slice(at + 1)}`,
    `${word.slice(0, at)}${one}${one}${word.slice(at + 1)}`,
  ];
  return random.pick(forms);
}

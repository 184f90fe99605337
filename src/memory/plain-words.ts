/** Letters that look like ours without being them, in the order of the alphabet; a space where there is none. */
const smallCapitals = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ ʏᴢ';
const lookAlikes = new Map([
  ...[...smallCapitals].flatMap((letter, at) => (letter === ' ' ? [] : [[letter, letterAt(at)] as const])),
  ['ı', 'i'],
  ['ȷ', 'j'],
  ['ɑ', 'a'],
  ['ɡ', 'g'],
]);
/** Letters in circles, in squares and of flags: the first of each alphabet. */
const framed = [0x1f150, 0x1f170, 0x1f1e6];

/** Takes no room, or looks like a space: between letters it hides a word, between words it may stand for a space. */
const unseenLetters = /[\p{Cf}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]+/gu;
/** Also those that choose the form of a letter, and marks above, below and around it. */
const marks = /\p{M}/gu;
const isPlain = /^[\x20-\x7E]*$/;

function letterAt(at: number): string {
  return String.fromCodePoint(0x61 + at);
}

/** What a reader makes of a text: without what hides words from a filter. Twice where unseen letters may be spaces. */
export function plainReadings(text: string): string[] {
  if (isPlain.test(text)) return [text.replaceAll(/[ _]+/g, ' ')];
  const letters = [...text.normalize('NFKD').replaceAll(marks, '')].map(unframed).join('');
  const readings = ['', ' '].map(stands => letters.replaceAll(unseenLetters, stands).replaceAll(/[\s_]+/g, ' '));
  return [...new Set(readings)];
}

/** The same letters, without those that nobody sees: alphabets can be told apart. */
export function seenLetters(text: string): string {
  return isPlain.test(text) ? text : text.replaceAll(marks, '').replaceAll(unseenLetters, '');
}

function unframed(letter: string): string {
  const code = letter.codePointAt(0) as number;
  const first = framed.find(one => code >= one && code < one + 26);
  return first === undefined ? (lookAlikes.get(letter) ?? letter) : letterAt(code - first);
}

import type { NewItem } from './item.ts';

/** Says why a candidate is not kept; null when it is. */
export type Gate = (candidate: NewItem) => string | null;

/** Words by which a text on a screen speaks to whoever reads the memory later, instead of naming a control. */
const speaksToReader =
  /\b(ignore|disregard|forget)\b.{0,40}\b(instruction|previous|above|task|rules?)\b|\b(you (must|should|have to|are)|system prompt|assistant|as an ai|new instructions?)\b|https?:\/\/|\b(password|api[ _-]?key|token)\b.{0,30}\b(to|send|enter|type)\b/i;

const longest = 400;

/** Refuses what reads like an instruction that a screen carried in, and what is too long to be the name of a control. */
export const poisonGate: Gate = candidate => {
  const texts = [candidate.title, candidate.text];
  if ('line' in candidate) texts.push(candidate.line);
  if ('lines' in candidate) texts.push(...candidate.lines);
  if (texts.some(text => speaksToReader.test(text))) return 'reads like an instruction from a screen';
  return texts.some(text => text.length > longest) ? `longer than ${longest} characters` : null;
};

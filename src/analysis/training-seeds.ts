/** Students that were trained alike but for their seed: one name, and a seed each. */
export interface TrainedStudent {
  readonly name: string;
  readonly seed: string;
}

const mark = ', training seed ';

/** The name that a student has in a store; the first of an arm has none beside its own. */
export function studentName(name: string, seed: number): string {
  return seed === 1 ? name : `${name}${mark}${seed}`;
}

/** `arm after round 5, training seed 2` is the second student of `arm after round 5`. */
export function readStudentName(text: string): TrainedStudent {
  const at = text.lastIndexOf(mark);
  const seed = at < 0 ? '' : text.slice(at + mark.length);
  return /^\d+$/.test(seed) ? { name: text.slice(0, at), seed } : { name: text, seed: '1' };
}

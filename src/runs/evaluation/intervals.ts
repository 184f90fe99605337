import { compare, type ComparisonByLevel } from '../../analysis/compare.ts';
import type { Evaluation } from '../../analysis/evaluate.ts';
import { createRandom, type Random } from '../../core/random.ts';

/** The random numbers behind the intervals of a policy. They are the same on the console and in the report. */
export function intervalsOf(student: string): Random {
  return createRandom(`intervals of ${student}`);
}

/** The paired difference of two students. It is the same on the console and in the report. */
export function compareStudents(student: Evaluation, against: Evaluation): ComparisonByLevel {
  return compare(student, against, { random: createRandom(`${student.student} against ${against.student}`) });
}

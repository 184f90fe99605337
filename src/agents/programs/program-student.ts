import type { OrdinaryPolicy } from '../../core/episode/agents.ts';
import { createProgramModel, type LearnedPrograms } from './program-model.ts';
import { bestAnswer, solveQuestion } from './solve-question.ts';

export interface ProgramStudentOptions {
  readonly learned: LearnedPrograms;
  readonly name?: string;
}

/** How far a student searches when it answers. */
export const answering = { width: 12, beam: 3 };

/** Answers questions: reads values out of the text, searches programs over them, and answers with the likeliest result. */
export function createProgramStudent({ learned, name = 'programs' }: ProgramStudentOptions): OrdinaryPolicy {
  const model = createProgramModel(learned);
  const policy: OrdinaryPolicy = {
    name,
    act({ instruction }) {
      const solutions = solveQuestion(instruction, { model, ...answering });
      const found = bestAnswer(solutions);
      if (found === null) return { action: { kind: 'finish', answer: 'unknown' }, confidence: 0 };
      const { answer, probability } = found;
      return { action: { kind: 'finish', answer }, thought: thoughtOf(solutions, answer), confidence: probability };
    },
    fork: () => policy,
  };
  return policy;
}

/** The likeliest program of each line. */
function thoughtOf(solutions: ReturnType<typeof solveQuestion>, answer: string): string {
  const [best] = solutions.filter(one => one.answer === answer).toSorted((a, b) => b.probability - a.probability);
  const programs = (best?.choices ?? []).map(
    ({ group }) => group.members.toSorted((a, b) => b.score - a.score)[0]?.text() ?? '',
  );
  return programs.map((program, index) => (programs.length === 1 ? program : `R${index + 1} = ${program}`)).join('; ');
}

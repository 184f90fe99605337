import type { Program } from './search-programs.ts';
import type { ProgramModel } from './program-model.ts';
import { solveQuestion, type Choice, type SolveOptions, type Solution } from './solve-question.ts';

export interface QuestionToLearn {
  readonly instruction: string;
  /** The verdict on an answer. The student learns nothing else of the right one. */
  accepts(answer: string): boolean;
}

export interface LearnedQuestion {
  /** Whether some answer that came up was right. */
  readonly isSolved: boolean;
  /** Answers that were tried. */
  readonly attempts: number;
}

/**
 * Makes programs whose answer was accepted likelier: a step along the gradient of the log probability of all of them
 * together. Programs that give the same answer share the credit by how likely they are.
 */
export function learnQuestion({ instruction, accepts }: QuestionToLearn, options: SolveOptions): LearnedQuestion {
  const solutions = solveQuestion(instruction, options);
  const verdicts = new Map<string, boolean>();
  for (const { answer } of solutions) if (!verdicts.has(answer)) verdicts.set(answer, accepts(answer));
  const right = solutions.filter(({ answer }) => verdicts.get(answer) === true);
  const total = right.reduce((sum, { probability }) => sum + probability, 0);
  if (total > 0) for (const solution of right) credit(solution, solution.probability / total, options.model);
  return { isSolved: total > 0, attempts: verdicts.size };
}

const leastShare = 0.01;

function credit({ choices }: Solution, share: number, model: ProgramModel): void {
  if (share < leastShare) return;
  for (const { line, group } of choices) {
    const gradient = new Map<number, number>();
    for (const member of group.members) add(gradient, member, share * within(member, group));
    for (const [index, program] of line.programs.entries())
      add(gradient, program, -share * (line.probabilities[index] as number));
    model.follow(line.words, gradient);
  }
}

/** How much of its group a program is. */
function within({ score }: Program, { members }: Choice['group']): number {
  const most = Math.max(...members.map(member => member.score));
  const total = members.reduce((sum, member) => sum + Math.exp(member.score - most), 0);
  return Math.exp(score - most) / total;
}

const leastPart = 1e-6;

function add(gradient: Map<number, number>, { features }: Program, part: number): void {
  if (Math.abs(part) < leastPart) return;
  for (const feature of features) gradient.set(feature, (gradient.get(feature) ?? 0) + part);
}

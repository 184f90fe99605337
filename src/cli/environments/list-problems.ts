import { invalidOption } from '../../core/errors.ts';
import { suggestion } from '../../core/naming/closest.ts';
import { count as counted } from '../../core/text.ts';
import { baseProblems } from '../../envs/problems/catalog.ts';
import { partsOf, predictedSuccess } from '../../envs/problems/compose/difficulty.ts';
import { randomCompositions } from '../../envs/problems/compose/random-compositions.ts';
import type { Problem } from '../../envs/problems/problem.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

export interface ProblemsRequest {
  readonly subject?: string | undefined;
  readonly depth?: number;
  readonly count: number;
  readonly seed: number;
  readonly accuracy: number;
  readonly json?: boolean;
}

export async function listProblems(output: Output, request: ProblemsRequest): Promise<ExitCode> {
  const problems = ofSubject(request.subject);
  return request.depth === undefined
    ? listBase(output, problems, request.json === true)
    : listCompositions(output, problems, { ...request, depth: request.depth });
}

function ofSubject(subject: string | undefined): readonly Problem[] {
  const subjects = [...new Set(baseProblems.map(problem => problem.subject))];
  if (subject === undefined) return baseProblems;
  if (subjects.includes(subject)) return baseProblems.filter(problem => problem.subject === subject);
  throw invalidOption(
    `There is no subject "${subject}".${suggestion(subject, subjects)}`,
    `Expected one of: ${subjects.join(', ')}.`,
  );
}

function listBase(output: Output, problems: readonly Problem[], json: boolean): ExitCode {
  const { paint } = output;
  if (json) {
    for (const { name, subject, about, input, output: type } of problems)
      output.json({ name, subject, about, input: input.name, output: type.name });
    return 0;
  }
  const rows = problems.map(({ name, subject, about }) => [paint.bold(name), paint.dim(subject), about]);
  for (const line of columns([['problem', 'subject', 'about'].map(head => paint.dim(head)), ...rows]))
    output.line(line);
  output.line();
  output.line(
    paint.dim(`${counted(problems.length, 'problem')}. Next: espalier tasks problem:${problems[0]?.name ?? ''}`),
  );
  return 0;
}

interface Listing extends ProblemsRequest {
  readonly depth: number;
}

function listCompositions(output: Output, problems: readonly Problem[], request: Listing): ExitCode {
  const { depth, count, seed, accuracy, json } = request;
  if (depth > 5 || accuracy > 1) {
    throw invalidOption(
      `The depth is ${depth}, the accuracy ${accuracy}.`,
      'Expected a depth from 1 to 5, and an accuracy of at most 1.',
    );
  }
  for (const problem of randomCompositions({ problems, depth, count, seed })) {
    const predicted = predictedSuccess(problem, () => accuracy);
    const { name, input, output: type } = problem;
    if (json === true)
      output.json({ name, parts: partsOf(problem).length, predicted, input: input.name, output: type.name });
    else output.line(`${predicted.toFixed(2)}  ${name}`);
  }
  return 0;
}

import type { Language } from './languages.ts';
import type { ProgramRunner, RunOutcome } from './run-program.ts';

/** One run of a program: what it reads and what it has to print. */
export interface ProgramTest {
  readonly input: string;
  readonly output: string;
}

export type TestOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'wrong-output'; readonly output: string }
  | Exclude<RunOutcome, { kind: 'done' }>;

/** Runs a program on tests, and stops at the first that it does not pass. Whitespace at ends of lines does not count. */
export function judgeProgram(
  runner: ProgramRunner,
  { language, source }: { language: Language; source: string },
  tests: readonly ProgramTest[],
): readonly TestOutcome[] {
  const prepared = runner.prepare(language, source);
  if (!('run' in prepared)) return [prepared];
  const outcomes: TestOutcome[] = [];
  for (const test of tests) {
    const outcome = judgeRun(prepared.run(test.input), test.output);
    outcomes.push(outcome);
    if (outcome.kind !== 'passed') break;
  }
  return outcomes;
}

function judgeRun(outcome: RunOutcome, expected: string): TestOutcome {
  if (outcome.kind !== 'done') return outcome;
  return linesOf(outcome.output).join('\n') === linesOf(expected).join('\n')
    ? { kind: 'passed' }
    : { kind: 'wrong-output', output: outcome.output };
}

/** The lines of an output, without whitespace at their ends and without empty lines at the end. */
export function linesOf(output: string): readonly string[] {
  const lines = output.split('\n').map(line => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

import { ownChecks } from '../../../core/check-ids.ts';
import { after, type Awaitable } from '../../../core/contracts.ts';
import type { CheckResult, Ending, Verdict } from '../../../core/records.ts';
import type { Case, CodeTask } from '../adr/task.ts';
import type { BackgroundRunner } from '../sandbox/background-runner.ts';
import type { AnyRunner, ProgramRunner, RunOutcome } from '../sandbox/run-program.ts';
import type { Language } from '../sandbox/languages.ts';
import { readProgram, type Files, type Program } from './answer.ts';
import { answerVerdict } from '../../../worlds/verdict/answer-verdict.ts';

/** What came of a program on the hidden cases. */
export interface Judged {
  readonly outcome: RunOutcome['kind'];
  readonly boundaryRight: boolean;
  readonly allRight: boolean;
}

const unread: Judged = { outcome: 'failed', boundaryRight: false, allRight: false };

/** All cases are lines of one input, so that a verdict is one run. */
export function judgeCases(runner: ProgramRunner, program: Program, cases: readonly Case[]): Judged;
export function judgeCases(runner: BackgroundRunner, program: Program, cases: readonly Case[]): Promise<Judged>;
export function judgeCases(
  runner: AnyRunner,
  { language, source }: Program,
  cases: readonly Case[],
): Awaitable<Judged> {
  return after(runner.prepare(language, source), prepared => {
    if (!('run' in prepared)) return { ...unread, outcome: prepared.kind };
    return after(prepared.run(inputOf(cases)), outcome => judgedOutput(outcome, cases));
  });
}

function judgedOutput(outcome: RunOutcome, cases: readonly Case[]): Judged {
  if (outcome.kind !== 'done') return { ...unread, outcome: outcome.kind };
  const lines = linesOf(outcome.output);
  const isRight = ({ output }: Case, index: number): boolean => lines[index] === output;
  return {
    outcome: 'done',
    boundaryRight: cases.every((one, index) => !one.isBoundary || isRight(one, index)),
    allRight: lines.length === cases.length && cases.every(isRight),
  };
}

/** The lines of an output, without whitespace at their ends and without empty lines at the end. */
export function linesOf(output: string): readonly string[] {
  const lines = output.split('\n').map(line => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

export function inputOf(cases: readonly Case[]): string {
  return cases.map(({ input }) => `${input}\n`).join('');
}

const outcomes: Readonly<Record<RunOutcome['kind'], string>> = {
  done: 'it ended well',
  failed: 'it failed',
  'time-limit': 'it exceeded the time limit',
  'output-limit': 'it printed too much',
  'disk-limit': 'it wrote too much, or too many files',
  'too-long': 'it is too long',
  'does-not-compile': 'it does not compile',
};

export interface VerdictOptions {
  readonly task: CodeTask;
  readonly files: Files;
  readonly ending: Ending | null;
  /** A language of the user's own. */
  readonly own?: Language | null;
  judge(program: Program, task: CodeTask): Awaitable<Judged>;
}

/** A value when the judge gives one, a promise when it promises one. */
export function codeVerdict({ task, files, ending, judge, own = null }: VerdictOptions): Awaitable<Verdict> {
  const answer = ending?.answer ?? null;
  const judging = answer === null ? null : judge(readProgram(answer, files, own), task);
  return after(judging, judged => verdictOf(judged, ending));
}

function verdictOf(judged: Judged | null, ending: Ending | null): Verdict {
  const ran = judged === null ? '' : ` (${outcomes[judged.outcome]})`;
  const checks: CheckResult[] = [
    { id: 'program-runs', name: `the program runs to its end${ran}`, pass: judged?.outcome === 'done' },
    { id: 'boundary-cases', name: 'the outputs for boundary cases are right', pass: judged?.boundaryRight === true },
    { ...ownChecks.answer, pass: judged?.allRight === true },
  ];
  return answerVerdict(ending, checks);
}

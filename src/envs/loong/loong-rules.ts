import { ownChecks } from '../../core/check-ids.ts';
import { after, atOnce, type Awaitable, type ToolInfo } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Ending, Verdict } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import { createAwaitableMemory } from '../../worlds/app/memory.ts';
import { lastTryScreen } from '../../worlds/rules/last-try-screen.ts';
import { refusal, type Move, type Rules } from '../../worlds/rules/rule-session.ts';
import { answerVerdict } from '../../worlds/verdict/answer-verdict.ts';
import { findLanguage } from '../code/sandbox/languages.ts';
import type { AnyRunner, RunOutcome } from '../code/sandbox/run-program.ts';
import type { Runners } from '../code/sandbox/runners.ts';
import { readAnswer } from '../problems/types/read-answer.ts';
import { sameValue } from '../problems/types/type.ts';
import type { Triple } from './triple.ts';

export type LoongState = {
  /** The program that was run last, and what it printed. */
  readonly last: { readonly code: string; readonly result: string } | null;
};

const longestCode = 20_000;
const longestShown = 2000;
const rememberedRuns = 64;

export const loongTools: readonly ToolInfo[] = [
  {
    name: 'run_python',
    description: 'Runs a Python program in a sandbox and returns what it prints.',
    input: {
      type: 'object',
      properties: { code: { type: 'string', minLength: 1, maxLength: longestCode } },
      required: ['code'],
      additionalProperties: false,
    },
  },
];

/** Runs a Python program without input. A promise where the runner works in the background. */
export function runPython(runner: AnyRunner, code: string): Awaitable<RunOutcome> {
  return after(runner.prepare(findLanguage('python'), code), prepared =>
    'run' in prepared ? prepared.run('') : prepared,
  );
}

export interface LoongRulesOptions {
  readonly triple: Triple;
  readonly runners: Runners;
}

/** The rules of one question: programs are tried, and the answer or what its program prints is compared. */
export function loongRules({ triple, runners }: LoongRulesOptions): Omit<Rules<LoongState>, 'task' | 'digest'> {
  const { form, data } = triple;
  const remember = createAwaitableMemory<RunOutcome>(rememberedRuns);
  const run = (runner: () => AnyRunner, code: string): Awaitable<RunOutcome> =>
    remember(code, () => runPython(runner(), code));
  const verdict = (runner: () => AnyRunner, ending: Ending | null): Awaitable<Verdict> => {
    const answer = ending?.answer ?? null;
    const code = answer === null ? null : programIn(answer);
    if (code === null) return judged(triple, ending, { outcome: 'done', text: answer });
    return after(run(runner, code), outcome =>
      judged(triple, ending, { outcome: outcome.kind, text: outcome.kind === 'done' ? outcome.output : null }),
    );
  };
  const finish = { kind: 'finish' as const, answer: `\`\`\`python\n${form.code(data)}\`\`\`` };
  return {
    initial: { last: null },
    call: (state, tool, input) => atOnce(called({ state, tool, input }, code => run(runners.blocking, code))),
    screen,
    candidates: () => [],
    verdict: (_state, ending) => atOnce(verdict(runners.blocking, ending)),
    guide: () => ({ unmet: 0, unmetChecks: 0, clean: true, finish }),
    background: {
      call: async (state, tool, input) => called({ state, tool, input }, code => run(runners.background, code)),
      verdict: async (_state, ending) => verdict(runners.background, ending),
    },
  };
}

/** The program in an answer: a block that says it is Python. Null for an answer that is a value. */
function programIn(answer: string): string | null {
  return /```(?:python3?|py)[^\S\n]*\n([\s\S]*?)```/.exec(answer)?.[1] ?? null;
}

/** What an agent answered, by itself or by its program. */
interface Said {
  readonly outcome: RunOutcome['kind'];
  readonly text: string | null;
}

function judged({ form, data }: Triple, ending: Ending | null, { outcome, text }: Said): Verdict {
  const reading = text === null ? null : readAnswer(form.output, text);
  const isRight = reading !== null && 'value' in reading && sameValue(reading.value, form.solve(data));
  const why = reading !== null && 'message' in reading ? ` (${reading.message})` : '';
  return answerVerdict(ending, [
    {
      id: 'program-runs',
      name: `the program, if there is one, runs to its end (${outcome})`,
      pass: outcome === 'done',
    },
    { id: 'answer-readable', name: `the answer can be read${why}`, pass: reading !== null && 'value' in reading },
    { ...ownChecks.answer, pass: isRight },
  ]);
}

interface Call {
  readonly state: LoongState;
  readonly tool: string;
  readonly input: JsonObject;
}

function called(
  { state, tool, input }: Call,
  run: (code: string) => Awaitable<RunOutcome>,
): Awaitable<Move<LoongState>> {
  if (tool !== 'run_python') return { state, outcome: refusal('unknown-command', `There is no tool "${tool}".`) };
  const { code, ...more } = input;
  if (typeof code !== 'string' || code === '' || code.length > longestCode || Object.keys(more).length > 0)
    return { state, outcome: refusal('not-allowed', `Expected a program of 1 to ${longestCode} characters.`) };
  return after(run(code), outcome => {
    const output = 'output' in outcome ? outcome.output : '';
    const errors = 'errors' in outcome ? outcome.errors : '';
    const result = [outcome.kind, output, errors]
      .filter(part => part !== '')
      .join('\n')
      .slice(0, longestShown);
    return { state: { last: { code, result } }, outcome: { applied: true, result } };
  });
}

function screen({ last }: LoongState): UiNode {
  if (last === null) return { role: 'page', name: 'No program was run yet' };
  return lastTryScreen({ what: 'program', text: last.code, result: last.result });
}

import { ownChecks } from '../../../core/check-ids.ts';
import type { Guide } from '../../../core/contracts.ts';
import type { Digest } from '../../../core/digest.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { CheckResult, Ending, Task, Verdict } from '../../../core/records.ts';
import type { UiNode } from '../../../core/ui.ts';
import { refusal, type Move, type Rules } from '../../../worlds/rules/rule-session.ts';
import { checkAnswer } from '../instance.ts';
import type { Step } from '../script.ts';
import { longestAnswer } from '../../../worlds/verdict/answer-dress.ts';
import { readAnswer } from '../types/read-answer.ts';
import { checkFormat, reportStep } from './tools.ts';
import { answerVerdict } from '../../../worlds/verdict/answer-verdict.ts';

/** A question with its right answers, shared by all forks of a session. */
export interface OpenQuestion {
  readonly task: Task;
  readonly steps: readonly Step[];
  readonly digest: Digest;
}

/** Everything that differs from one moment of a session to another. Immutable. */
export type QuestionState = {
  /** Results of steps that the agent reported, by their names. */
  readonly reported: { readonly [step: string]: string };
};

export const untouched: QuestionState = { reported: {} };

/** The rules of one question: the agent may report results of steps, and ends with `finish` and its answer. */
export function questionRules({ task, steps, digest }: OpenQuestion): Rules<QuestionState> {
  return {
    task,
    digest,
    initial: untouched,
    call(state, tool, input) {
      if (tool === checkFormat.name) return formatChecked(steps, state, input);
      if (tool === reportStep.name && steps.length > 1) return reported(steps, state, input);
      const message = `There is no tool "${tool}". Finish with the answer.`;
      return { state, outcome: refusal('unknown-command', message) };
    },
    screen: state => drawn(steps, state),
    candidates: () => [],
    verdict: (state, ending) => verdictOf(steps, state, ending),
    guide: () => guideOf(steps),
  };
}

/** The oracle: finishing with the right answer passes from every state. */
function guideOf(steps: readonly Step[]): Guide {
  const { type, value } = steps.at(-1) as Step;
  return { unmet: 0, unmetChecks: 0, clean: true, finish: { kind: 'finish', answer: type.write(value).trim() } };
}

/** Says whether an answer can be read. It does not say whether it is right. */
function formatChecked(steps: readonly Step[], state: QuestionState, input: JsonObject): Move<QuestionState> {
  const answer = textIn(input, ['answer']);
  if (answer === null) return invalidInput(state, '{"answer": "<text>"}');
  const { type } = steps.at(-1) as Step;
  const reading = readAnswer(type, answer);
  const result: Json =
    'value' in reading
      ? { readable: true, as: type.write(reading.value) }
      : { readable: false, problem: reading.message };
  return { state, outcome: { applied: true, result } };
}

function reported(steps: readonly Step[], state: QuestionState, input: JsonObject): Move<QuestionState> {
  const answer = textIn(input, ['answer', 'step']);
  const { step } = input;
  if (answer === null || !Number.isInteger(step)) return invalidInput(state, '{"step": 1, "answer": "<text>"}');
  const number = Number(step);
  if (number < 1 || number >= steps.length) {
    const message = `There is no step ${number} to report: expected 1 to ${steps.length - 1}. Finish with the answer to the last step.`;
    return { state, outcome: refusal('unknown-step', message) };
  }
  const next = { reported: { ...state.reported, [`R${number}`]: answer } };
  return { state: next, outcome: { applied: true, result: { noted: `R${number}` } } };
}

/** The answer in the input of a tool; null when the input has another form. */
function textIn(input: JsonObject, members: readonly string[]): string | null {
  const { answer } = input;
  const isKnown = isJsonObject(input) && Object.keys(input).every(key => members.includes(key));
  return isKnown && typeof answer === 'string' && answer.length <= longestAnswer ? answer : null;
}

function invalidInput(state: QuestionState, form: string): Move<QuestionState> {
  const message = `Expected the input ${form} with at most ${longestAnswer} characters of text.`;
  return { state, outcome: refusal('invalid-action', message) };
}

/** The last check is the answer. Steps before it give partial credit: reported right, or implied by the right answer. */
export function verdictOf(steps: readonly Step[], { reported: given }: QuestionState, ending: Ending | null): Verdict {
  const answer = ending?.answer ?? null;
  const outcome = answer === null ? null : checkAnswer(steps.at(-1) as Step, answer);
  const isRight = outcome?.kind === 'right';
  const checks: CheckResult[] = steps.slice(0, -1).map((step, index) => {
    const name = `R${index + 1}`;
    const result = given[name];
    const pass = isRight || (result !== undefined && checkAnswer(step, result).kind === 'right');
    return { id: `step-${index + 1}`, name: `${name} (${step.problem}) is right`, pass };
  });
  if (outcome?.kind === 'unreadable')
    checks.push({ id: `readable-${outcome.fault}`, name: `the answer can be read: ${outcome.message}`, pass: false });
  checks.push({ ...ownChecks.answer, pass: isRight });
  return answerVerdict(ending, checks);
}

function drawn(steps: readonly Step[], { reported: given }: QuestionState): UiNode {
  const { type } = steps.at(-1) as Step;
  const notes = Object.entries(given).map(
    ([name, value]): UiNode => ({ role: 'listitem', name: `${name} = ${value}` }),
  );
  const results: UiNode[] = notes.length === 0 ? [] : [{ role: 'list', name: 'Results you reported', children: notes }];
  return {
    role: 'page',
    name: 'Question',
    children: [{ role: 'text', name: `Finish with the answer: ${type.form}.` }, ...results],
  };
}

import { actionSchema, type Action } from '../../../core/action.ts';
import { ownChecks } from '../../../core/check-ids.ts';
import type { Guide, Snapshot, StateSession } from '../../../core/contracts.ts';
import type { Digest } from '../../../core/digest.ts';
import { EspalierError } from '../../../core/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { CheckResult, Ending, StepOutcome, Task, Verdict } from '../../../core/records.ts';
import { createScreen, type UiNode } from '../../../core/ui.ts';
import { checkAnswer } from '../instance.ts';
import type { Step } from '../script.ts';
import { longestAnswer, readAnswer } from '../types/read-answer.ts';
import { checkFormat, reportStep } from './tools.ts';

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

interface Moment {
  readonly state: QuestionState;
  readonly ending: Ending | null;
}

interface QuestionSnapshot extends Snapshot {
  readonly question: OpenQuestion;
  readonly moment: Moment;
}

export const untouched: QuestionState = { reported: {} };

/** A session of one question: the agent may report results of steps, and ends with `finish` and its answer. */
export function createQuestionSession(
  question: OpenQuestion,
  start: Moment = { state: untouched, ending: null },
): StateSession {
  const { task, steps, digest } = question;
  let moment = start;
  let isClosed = false;
  const now = (): Moment => {
    if (isClosed) throw closed(task.id);
    return moment;
  };
  const screen = (): UiNode => drawn(steps, now().state);
  return {
    task,
    screen,
    observe: () => ({ text: createScreen(screen()).text }),
    candidates: () => [],
    ended: () => (now().ending === null ? null : 'terminated'),
    step(action) {
      const { next, outcome } = taken(question, now(), action);
      moment = next;
      return outcome;
    },
    digest: () => digest({ ...now().state, ...(moment.ending === null ? {} : { ending: { ...moment.ending } }) }),
    verify: () => verdictOf(steps, now().state, moment.ending),
    snapshot: (): QuestionSnapshot => ({ owner: task.id, question, moment: now() }),
    restore(snapshot) {
      now();
      const given = snapshot as QuestionSnapshot | null | undefined;
      if (given?.question !== question) throw foreignSnapshot(task.id);
      moment = given.moment;
    },
    fork: () => createQuestionSession(question, now()),
    state: () => now().state,
    guide: () => guideOf(steps, now()),
    close() {
      isClosed = true;
    },
  };
}

/** The oracle: finishing with the right answer passes from every state. */
function guideOf(steps: readonly Step[], { ending }: Moment): Guide {
  const { type, value } = steps.at(-1) as Step;
  return {
    unmet: ending === null ? 0 : 1,
    unmetChecks: 0,
    clean: true,
    finish: { kind: 'finish', answer: type.write(value).trim() },
  };
}

interface Taken {
  readonly next: Moment;
  readonly outcome: StepOutcome;
}

function taken(question: OpenQuestion, moment: Moment, action: Action): Taken {
  const refused = (code: string, message: string): Taken => ({
    next: moment,
    outcome: { applied: false, problem: { code, message } },
  });
  if (moment.ending !== null) return refused('ended', 'The episode has ended: open the task again or roll back.');
  const parsed = actionSchema.safeParse(action);
  if (!parsed.success) return refused('invalid-action', 'Expected a tool call, or finish with an answer.');
  if (action.kind === 'finish') {
    const { answer = null, infeasible = false } = action;
    if (answer !== null && answer.length > longestAnswer)
      return refused(
        'answer-too-long',
        `Expected at most ${longestAnswer} characters, but there are ${answer.length}.`,
      );
    return { next: { ...moment, ending: { answer, infeasible } }, outcome: { applied: true, end: 'terminated' } };
  }
  if (action.kind !== 'call')
    return refused('unknown-element', `There is nothing to ${action.kind}: call a tool, or finish with the answer.`);
  if (action.tool === checkFormat.name) return formatChecked(question, moment, action.input);
  if (action.tool === reportStep.name && question.steps.length > 1) return reported(question, moment, action.input);
  return refused('unknown-command', `There is no tool "${action.tool}". Finish with the answer.`);
}

/** Says whether an answer can be read. It does not say whether it is right. */
function formatChecked({ steps }: OpenQuestion, moment: Moment, input: JsonObject): Taken {
  const answer = textIn(input, ['answer']);
  if (answer === null) return invalidInput(moment, '{"answer": "<text>"}');
  const { type } = steps.at(-1) as Step;
  const reading = readAnswer(type, answer);
  const result: Json =
    'value' in reading
      ? { readable: true, as: type.write(reading.value) }
      : { readable: false, problem: reading.message };
  return { next: moment, outcome: { applied: true, result } };
}

function reported({ steps }: OpenQuestion, moment: Moment, input: JsonObject): Taken {
  const answer = textIn(input, ['answer', 'step']);
  const { step } = input;
  if (answer === null || !Number.isInteger(step)) return invalidInput(moment, '{"step": 1, "answer": "<text>"}');
  const number = Number(step);
  if (number < 1 || number >= steps.length) {
    const message = `There is no step ${number} to report: expected 1 to ${steps.length - 1}. Finish with the answer to the last step.`;
    return { next: moment, outcome: { applied: false, problem: { code: 'unknown-step', message } } };
  }
  const state = { reported: { ...moment.state.reported, [`R${number}`]: answer } };
  return { next: { ...moment, state }, outcome: { applied: true, result: { noted: `R${number}` } } };
}

/** The answer in the input of a tool; null when the input has another form. */
function textIn(input: JsonObject, members: readonly string[]): string | null {
  const { answer } = input;
  const isKnown = isJsonObject(input) && Object.keys(input).every(key => members.includes(key));
  return isKnown && typeof answer === 'string' && answer.length <= longestAnswer ? answer : null;
}

function invalidInput(moment: Moment, form: string): Taken {
  const message = `Expected the input ${form} with at most ${longestAnswer} characters of text.`;
  return { next: moment, outcome: { applied: false, problem: { code: 'invalid-action', message } } };
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
  if (ending?.infeasible === true) checks.push({ ...ownChecks.notGivenUp, pass: false });
  const passed = checks.filter(({ pass }) => pass).length;
  return {
    pass: passed === checks.length,
    checks,
    progress: passed / checks.length,
    clean: true,
    evidence: { trespasses: [], answer },
  };
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

function closed(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'closed',
    message: `The session of task ${task} is closed.`,
    expected: 'Open the task again.',
  });
}

function foreignSnapshot(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'foreign-snapshot',
    message: `A snapshot from elsewhere was given to a session of task ${task}.`,
    expected: 'Restore a snapshot in the session that took it, or in a fork of it.',
  });
}

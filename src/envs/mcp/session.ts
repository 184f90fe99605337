import type { Timers } from '../../core/clock.ts';
import type { Session, ToolInfo } from '../../core/contracts.ts';
import { createDigest } from '../../core/digest.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Problem, StepOutcome, Task } from '../../core/records.ts';
import { malformation } from '../../worlds/resolve.ts';
import { hasEnded, sessionClosed } from '../../worlds/session.ts';
import { outcomeOf, resultOf, textOf, type Answer, type LivingAnswer, type ToolCall } from './answer.ts';
import { digestOf, screenOf, toolsNow, type History, type PastCall } from './history.ts';
import type { ToolLink } from './source.ts';
import type { EndedTools, OpenTools, ToolReply, ToolTask } from './tasks.ts';
import { judge, setUp } from './verdict.ts';

export interface ToolSessionOptions {
  readonly task: Task;
  readonly definition: ToolTask;
  readonly link: ToolLink;
  readonly title: string;
  /** The tools that agents are told of. */
  readonly tools: readonly ToolInfo[];
  readonly timers: Timers;
}

/** A session at somebody's server. Its state is theirs: what is known of it is what was asked and answered. */
export async function createToolSession(options: ToolSessionOptions): Promise<Session> {
  const { task, definition, link, title, tools, timers } = options;
  const digest = createDigest();
  let history: History = { calls: [], ending: null };
  let isClosed = false;
  const now = (): History => {
    if (isClosed) throw sessionClosed(task.id);
    return history;
  };
  // All instances of a template are alike: what is recorded of one answers for all.
  const place = (): string => digestOf(task.template, now(), digest);
  /** Calls a tool, and remembers it when the server took it. */
  const take = async (call: ToolCall, by: PastCall['by']): Promise<LivingAnswer | null> => {
    const heard = await link.ask(call, { at: place(), by });
    if (heard === null) return null;
    const { answer, tools: changed } = heard;
    if (answer.kind === 'lost') throw lost(task.id, call, answer);
    if (answer.kind === 'rejected') return answer;
    const past: PastCall = { ...call, by, answer, ...(changed === undefined ? {} : { tools: changed }) };
    history = { ...history, calls: [...history.calls, past] };
    return answer;
  };
  const look = async (call: ToolCall): Promise<Answer | null> =>
    (await link.ask(call, { at: place(), by: 'verifier' }))?.answer ?? null;
  const callingBy = (ask: (call: ToolCall) => Promise<Answer | null>): OpenTools['call'] => {
    return async (tool, input = {}) => replyOf({ tool, input }, await ask({ tool, input }));
  };

  await setUp(definition, { call: callingBy(call => take(call, 'setup')) }, timers);
  return {
    task,
    observe: () => ({ text: screenOf(title, tools, now()) }),
    ended: () => (now().ending === null ? null : 'terminated'),
    async step(action) {
      const problem = now().ending === null ? malformation(action) : hasEnded;
      if (problem !== null) return { applied: false, problem };
      if (action.kind === 'finish') {
        history = { ...history, ending: { answer: action.answer ?? null, infeasible: action.infeasible === true } };
        return { applied: true, end: 'terminated' };
      }
      if (action.kind !== 'call') return { applied: false, problem: noScreen };
      const call = { tool: action.tool, input: action.input };
      const offered = toolsNow(tools, now());
      if (!offered.some(({ name }) => name === call.tool)) return unknownTool(call.tool, offered);
      const answer = await take(call, 'agent');
      return answer === null ? notRecorded(call, link.known(place())) : outcomeOf(answer);
    },
    digest: place,
    verify: () => judge(definition, endedTools(now(), callingBy(look)), { ending: now().ending, timers }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await link.close();
    },
  };
}

function endedTools({ calls, ending }: History, call: OpenTools['call']): EndedTools {
  const own = calls.filter(({ by }) => by === 'agent');
  return {
    call,
    calls: own.map(({ tool, input, answer }) => ({ tool, input, ...told(answer) })),
    answer: ending?.answer ?? null,
  };
}

function told(answer: Answer): ToolReply {
  const text = textOf(answer);
  if (answer.kind !== 'result') return { text, result: text, isError: true };
  return { text, result: resultOf(answer), isError: answer.isError === true };
}

/** What those who prepare and judge get; they cannot go on without an answer. */
function replyOf(call: ToolCall, answer: Answer | null): ToolReply {
  if (answer?.kind === 'result') return told(answer);
  throw new EspalierError({
    boundary: 'environment',
    code: answer?.kind === 'late' ? 'deadline' : 'unavailable',
    message:
      answer === null
        ? `${callText(call)} was not recorded in this state.`
        : `${callText(call)} got no answer: ${answer.message}`,
    expected: 'Expected a server that answers what prepares and judges its tasks, or a recording of that.',
  });
}

const noScreen: Problem = {
  code: 'invalid-action',
  message: 'There is no screen here: call a tool, or finish.',
};

function unknownTool(tool: string, offered: readonly ToolInfo[]): StepOutcome {
  const message = `There is no tool "${tool}". Tools: ${offered.map(({ name }) => name).join(', ')}.`;
  return { applied: false, problem: { code: 'unknown-command', message } };
}

function notRecorded(call: ToolCall, known: readonly ToolCall[] | null): StepOutcome {
  const others = (known ?? []).slice(0, 5).map(callText);
  const there = others.length === 0 ? 'No call was' : `These were: ${others.join('; ')}`;
  const message = `${callText(call)} was not recorded in this state, and there is no server to ask. ${there}.`;
  return { applied: false, problem: { code: 'not-recorded', message } };
}

function callText({ tool, input }: ToolCall): string {
  return `${tool} ${JSON.stringify(input)}`;
}

function lost(task: string, call: ToolCall, { message }: Extract<Answer, { kind: 'lost' }>): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `The server of task ${task} was lost during ${callText(call)}: ${message}`,
    expected: 'Expected it to stay; the call and its loss are in the recording.',
  });
}

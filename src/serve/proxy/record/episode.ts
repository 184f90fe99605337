import type { Action } from '../../../core/action.ts';
import type { AssistantMessage, ChatMessage, ChatRequest, ChatTool } from '../../../core/chat/chat.ts';
import { createDigest } from '../../../core/digest.ts';
import { createCallWriter } from '../../../core/episode/call-log.ts';
import type { EpisodeEnd, EpisodeHead } from '../../../core/episode/events.ts';
import type { EpisodeLog, Journal } from '../../../core/episode/journal.ts';
import { describeStep } from '../../../core/episode/view.ts';
import type { Json } from '../../../core/json.ts';
import { hash32 } from '../../../core/random.ts';
import { sealTask, type StepOutcome, type Task, type Verdict } from '../../../core/records.ts';
import type { Actor, NewNode } from '../../../core/tree.ts';
import { openLog } from '../../../episode/cursor/log.ts';
import {
  abandonedResult,
  discardedResult,
  verifiedResult,
  type EpisodeResult,
} from '../../../episode/cursor/result.ts';
import { hungUp, type RecordedAttempt, type SubmittedVerdict } from './call-record.ts';
import { harnessEnvironment } from '../../../runs/folder/harness-tools.ts';
import { inputOf, readCalls, type ReadCall } from './read-calls.ts';

export interface HarnessRun {
  readonly journal: Journal;
  readonly run: string;
  /** Name for what the harness does; tasks are told apart by their first message. */
  readonly template: string;
}

function episodeKey({ session, attempt }: RecordedAttempt, task: Task): string {
  return `collect/1/${task.id}/${session}.${attempt}`;
}

/** Puts an attempt into the journal as an episode, unless it is there. Whether it was put there now. */
export function keepAttempt(attempt: RecordedAttempt, { journal, run, template }: HarnessRun): boolean {
  const calls = readCalls(attempt.calls);
  const task = taskOf(attempt, calls, template);
  const key = episodeKey(attempt, task);
  const done = journal.done(run);
  if (done.has(key)) return false;
  const model = calls.at(-1)?.exchange.reply.model ?? 'unknown';
  const head: EpisodeHead = {
    run,
    key,
    index: done.size,
    phase: 'collect',
    round: 1,
    trial: attempt.attempt - 1,
    task,
    student: model,
    teacher: null,
    strategy: 'harness',
  };
  const log = openLog(journal, head, new AbortController().signal);
  const walk = writeSteps(log, calls, { root: task.seal, name: model });
  const verdict = attempt.ruling === null ? null : verdictOf(attempt.ruling, walk.answer);
  log.append({ kind: 'leaf', node: walk.leaf, role: 'main', verdict, from: null });
  log.end(endOf(attempt, walk, verdict));
  journal.flush();
  return true;
}

/** Sessions with the same first message are attempts at the same task. */
function taskOf(recorded: RecordedAttempt, calls: readonly ReadCall[], template: string): Task {
  const { session, attempt } = recorded;
  const instruction = instructionOf(calls[0]?.request) || `What session ${session} is about.`;
  const seed = hash32(instruction);
  return sealTask({
    id: `${harnessEnvironment}/${template}/${seed}`,
    environment: harnessEnvironment,
    template,
    seed,
    split: 'train',
    kind: 'feasible',
    instruction,
    parameters: {
      session,
      attempt,
      tools: toolsOf(calls) as unknown as Json,
      // What was refused, cut or not understood is in the record of the session only.
      unused: recorded.calls.length - calls.length,
      ...(recorded.notes.length > 0 && { notes: recorded.notes }),
    },
    world: session,
    patch: [],
    budget: { steps: Math.max(1, calls.length) },
  });
}

function instructionOf(request: ChatRequest | undefined): string {
  const first = request?.messages.find(message => message.role === 'user');
  return first === undefined ? '' : textOf(first).trim();
}

/** All tools that were on offer; of two with the same name the later one. */
function toolsOf(calls: readonly ReadCall[]): readonly ChatTool[] {
  const tools = new Map(calls.flatMap(({ exchange }) => exchange.tools.map(tool => [tool.name, tool] as const)));
  return [...tools.values()];
}

interface Walk {
  /** The last node: as many steps as it took. */
  readonly leaf: number;
  readonly tokens: number;
  readonly answer: string | null;
}

/** A step for every call of a tool, in the order they were made; the last words of the model are its finish. */
function writeSteps(
  log: EpisodeLog,
  calls: readonly ReadCall[],
  { root, name }: { readonly root: string; readonly name: string },
): Walk {
  const writeCall = createCallWriter(log.attach);
  const digest = createDigest();
  const results = resultsOf(calls);
  const by: Actor = { role: 'student', name };
  let [leaf, before, tokens] = [0, root, 0];
  let answer: string | null = null;
  log.append({ kind: 'open', root });
  for (const [place, { exchange, request }] of calls.entries()) {
    log.append(writeCall(exchange, { by, at: leaf }));
    const { message, usage } = exchange.reply;
    let spent = usage === null ? 0 : usage.prompt + usage.completion;
    tokens += spent;
    const screen = lastSeen(request.messages);
    for (const { action, outcome } of movesOf(message, { results, isLast: place === calls.length - 1 })) {
      const after = digest([before, action as Json, outcome as Json]);
      const node: NewNode = { parent: leaf, actor: by, action, outcome, before, after, ...thoughtOf(message, action) };
      const text = describeStep(action, screen, outcome.problem?.message);
      log.append({ kind: 'step', node: { id: leaf + 1, ...node, tokens: spent }, screen, text });
      [leaf, before, spent] = [leaf + 1, after, 0];
      if (action.kind === 'finish') answer = action.answer ?? null;
    }
  }
  return { leaf, tokens, answer };
}

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>;

/** What the harness said came of the calls, by their ids. */
function resultsOf(calls: readonly ReadCall[]): ReadonlyMap<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (const { request } of calls) {
    for (const message of request.messages) if (message.role === 'tool') results.set(message.call, message);
  }
  return results;
}

interface Following {
  readonly results: ReadonlyMap<string, ToolMessage>;
  readonly isLast: boolean;
}

function movesOf(
  { calls = [], content }: AssistantMessage,
  { results, isLast }: Following,
): { readonly action: Action; readonly outcome: StepOutcome }[] {
  if (calls.length === 0 && isLast) {
    const action: Action = content === '' ? { kind: 'finish' } : { kind: 'finish', answer: content };
    return [{ action, outcome: { applied: true, end: 'terminated' } }];
  }
  return calls.flatMap(({ id, name, input }) => {
    const given = inputOf(input);
    if (given === null) return [];
    return [{ action: { kind: 'call', tool: name, input: given } as const, outcome: outcomeOf(results.get(id)) }];
  });
}

function outcomeOf(result: ToolMessage | undefined): StepOutcome {
  if (result === undefined) return { applied: true };
  const text = textOf(result);
  return result.failed === true
    ? { applied: false, problem: { code: 'tool-failed', message: text } }
    : { applied: true, result: text };
}

function thoughtOf({ thought, content }: AssistantMessage, { kind }: Action): { thought?: string } {
  const said = thought ?? (kind === 'finish' ? '' : content);
  return said === '' ? {} : { thought: said };
}

/** What came after the last word of the model: what it looked at when it answered. */
function lastSeen(messages: readonly ChatMessage[]): string {
  const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  return messages
    .slice(from)
    .filter(({ role }) => role !== 'system')
    .map(textOf)
    .join('\n\n');
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.map(part => (part.type === 'text' ? part.text : '')).join('');
}

function verdictOf(
  { pass, checks = [{ id: 'verdict', name: 'verdict', pass }] }: SubmittedVerdict,
  answer: string | null,
): Verdict {
  const held = checks.filter(check => check.pass).length;
  const progress = checks.length === 0 ? Number(pass) : held / checks.length;
  return { pass, checks, progress, clean: true, evidence: { sideEffects: [], answer, sideEffectsKnown: false } };
}

/** A harness that hung up while it was answered has left: nobody knows what it would have done. */
function howEnded(calls: RecordedAttempt['calls'], verdict: Verdict | null): EpisodeResult {
  if (verdict !== null) return verifiedResult(verdict, null);
  const problem = calls.at(-1)?.answer?.problem ?? null;
  return problem === hungUp ? abandonedResult(problem) : discardedResult('no verdict');
}

function endOf({ calls }: RecordedAttempt, { leaf, tokens }: Walk, verdict: Verdict | null): EpisodeEnd {
  const times = calls.flatMap(({ ask, answer }) => [ask.time, answer?.time ?? ask.time]);
  return {
    ...howEnded(calls, verdict),
    leaf,
    // The environment belongs to the harness, so nothing can be replayed.
    certification: 'none',
    counts: {
      steps: leaf,
      taken: leaf,
      reviews: 0,
      corrections: 0,
      interventions: 0,
      rollbacks: 0,
      forks: 0,
      cost: 0,
      tokens,
    },
    milliseconds: times.length === 0 ? 0 : Math.max(...times) - Math.min(...times),
  };
}

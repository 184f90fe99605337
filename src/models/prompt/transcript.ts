import type { AssistantMessage, ChatMessage, ChatPart, ToolCall } from '../../core/chat/chat.ts';
import { parseObject } from '../../core/chat/answer-json.ts';
import { fence } from '../../core/chat/fence.ts';
import type { PastStep, View } from '../../core/episode/view.ts';
import type { Json } from '../../core/json.ts';
import { firstPictured, firstShown } from './folding.ts';
import { wayKeys, type Answer, type Memory } from './memory.ts';
import type { Offer } from './offer.ts';
import { foldedParts, screenParts, textPart, type SeenScreen, type ScreenFormat } from './screen-parts.ts';
import { writeTextAction } from './text-actions.ts';

/** How a model says what it does: by calls of tools, or in words. */
export const speeches = ['tools', 'text'] as const;
export type Speech = (typeof speeches)[number];

export interface TranscriptOptions {
  /** What the model is told first. */
  readonly system: string;
  readonly screenFormat: ScreenFormat;
  readonly speech: Speech;
  /** Characters of screens before old ones are folded away. */
  readonly window: number;
  readonly offer: Offer;
  readonly memory: Memory;
}

/** What a transcript takes from a view. */
type Seen = Pick<View, 'instruction' | 'notes' | 'observation' | 'path'>;

const notDone = 'Not done: one step at a time, and the first was taken.';

/**
 * A way as a chat that only ever grows at its end: the task and the first screen, then each step as a call of the model's,
 * whoever took it, with what was done and the screen after it. What came from the screen stands between marks.
 */
export function writeTranscript(view: Seen, options: TranscriptOptions): Chat {
  const { system, memory, offer, speech } = options;
  const { path } = view;
  const keys = wayKeys(path.map(({ action }) => action));
  const show = screenWriter(view, options);
  const chat = createChat([
    { role: 'system', content: system },
    { role: 'user', content: show(0, taskText(view)) },
  ]);
  for (const [at, step] of path.entries()) {
    const key = keys[at] as string;
    const used = step.by === 'student' ? memory.used(key, step.action) : [];
    const own = used.at(-1);
    for (const answer of own === undefined ? memory.pending(key) : used.slice(0, -1)) addUseless(chat, answer);
    const message = own?.message ?? writeAnswer(step, { offer, speech });
    chat.answer(message, { content: show(at + 1, doneText(step)), failed: !step.applied });
  }
  return chat;
}

/** The task alone is what a model is asked to do: what a memory tells stands apart from it, as data. */
function taskText({ instruction, notes }: Seen): string {
  const task = fence('task', instruction);
  return notes === undefined ? task : `${task}\n\nFrom earlier episodes, as hints:\n${fence('result', notes)}`;
}

/** What was done, and what a tool returned. */
function doneText({ text, result }: PastStep): string {
  const done = fence('done', text);
  return result === undefined ? done : `${done}\n${fence('result', clipped(resultText(result)))}`;
}

function resultText(result: Json): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}

/** Characters of a result that a model is shown. */
const longestResult = 8_000;

function clipped(text: string): string {
  return text.length <= longestResult ? text : `${text.slice(0, longestResult)}… (${text.length - longestResult} more)`;
}

/** Writes the screens of a way, all but the old ones. */
function screenWriter({ path, observation }: Seen, { screenFormat, window }: TranscriptOptions) {
  const screens: readonly SeenScreen[] = [
    ...path.map(({ screen, image }) => ({ text: screen, image })),
    { text: observation.text, image: observation.image },
  ];
  const shown =
    screenFormat === 'image'
      ? 0
      : firstShown(
          screens.map(({ text }) => text.length),
          window,
        );
  const pictured = firstPictured(path.length);
  return (at: number, lead: string): ChatPart[] => {
    if (at < shown) return foldedParts(lead);
    return screenParts(lead, screens[at] as SeenScreen, { screenFormat, pictured: at >= pictured });
  };
}

/** A step that the model did not take itself, as if it had. */
export function writeAnswer(
  { action, thought = '' }: Pick<PastStep, 'action' | 'thought'>,
  { offer, speech }: Pick<TranscriptOptions, 'offer' | 'speech'>,
): AssistantMessage {
  const { name, input } = offer.write(action);
  if (speech === 'tools') {
    return { role: 'assistant', content: thought, calls: [{ id: '', name, input: JSON.stringify(input) }] };
  }
  const line = writeTextAction(action.kind === 'call' ? { ...action, tool: name } : action);
  return { role: 'assistant', content: thought === '' ? line : `${thought}\n${line}` };
}

const refusalStart = 'This could not be used: ';

/** Whether a message tells the model that its answer could not be used. */
export function isRefusalOfAnswer({ content }: Extract<ChatMessage, { role: 'user' }>): boolean {
  const [first] = content;
  return first?.type === 'text' && first.text.startsWith(refusalStart);
}

/** An answer that could not be used, and what the model is told of it. */
export function addUseless(chat: Chat, { message, problem }: Answer): void {
  const told = `${refusalStart}${problem} Nothing was done. Answer again.`;
  chat.answer(resendable(message), { content: [textPart(told)], failed: true });
}

/** Servers refuse calls whose input is not JSON, and answers without a word, when they are sent back. */
function resendable(message: AssistantMessage): AssistantMessage {
  const calls = message.calls ?? [];
  if (calls.length === 0) return message.content === '' ? { ...message, content: '(nothing)' } : message;
  if (calls.every(({ input }) => parseObject(input === '' ? '{}' : input) !== null)) return message;
  const said = calls.map(({ name, input }) => `${name}(${input})`).join('\n');
  const { calls: _calls, ...rest } = message;
  return { ...rest, content: [message.content, said].filter(text => text !== '').join('\n') };
}

interface Result {
  readonly content: readonly ChatPart[];
  readonly failed: boolean;
}

/** A chat that is being written. */
export interface Chat {
  readonly messages: readonly ChatMessage[];
  add(message: ChatMessage): void;
  /** An answer of the model and what came of it: the result of its first call, or a message where it made none. */
  answer(message: AssistantMessage, result: Result): void;
}

/** Calls are numbered through: the same chat has the same numbers, whatever the server called them. */
export function createChat(begun: readonly ChatMessage[]): Chat {
  const messages = [...begun];
  let numbered = 0;
  return {
    messages,
    add: message => messages.push(message),
    answer(message, { content, failed }) {
      const answer = numberCalls(message, numbered);
      const [first, ...others] = answer.calls ?? [];
      if (first === undefined) {
        messages.push(message, { role: 'user', content });
        return;
      }
      numbered += 1 + others.length;
      messages.push(answer);
      for (const { id } of others)
        messages.push({ role: 'tool', call: id, content: [textPart(notDone)], failed: true });
      messages.push({ role: 'tool', call: first.id, content, ...(failed ? { failed } : {}) });
    },
  };
}

/** The answer with its calls numbered as the next request of the same chat numbers them. */
export function numberedAnswer(message: AssistantMessage, messages: readonly ChatMessage[]): AssistantMessage {
  const before = messages.map(sent => (sent.role === 'assistant' ? (sent.calls?.length ?? 0) : 0));
  return numberCalls(
    message,
    before.reduce((sum, calls) => sum + calls, 0),
  );
}

function numberCalls(message: AssistantMessage, before: number): AssistantMessage {
  if (message.calls === undefined) return message;
  const number = (call: ToolCall, at: number): ToolCall => ({
    ...call,
    id: `call${String(before + at + 1).padStart(5, '0')}`,
  });
  return { ...message, calls: message.calls.map(number) };
}

import { fenced } from '../../core/chat/fence.ts';
import type { Situation } from '../../core/episode/view.ts';

/** A message of a chat with its text, whatever the wire format. */
export interface SaidMessage {
  readonly role: string;
  readonly text: string;
}

/** Reads the request for a step back: the task, all that was done, and the newest screen; null when it is none. */
export function readStepRequest(messages: readonly SaidMessage[]): Situation | null {
  const told = messages.filter(({ role }) => role !== 'system' && role !== 'assistant').map(({ text }) => text);
  const instruction = fenced('task', told[0] ?? '')[0];
  const screen = told.flatMap(text => fenced('screen', text)).at(-1);
  if (instruction === undefined || screen === undefined) return null;
  const history = told.flatMap(text => fenced('done', text)).flatMap(lines => lines.split('\n'));
  return { instruction, history, screen };
}

import { fenced } from '../../core/chat/fence.ts';
import type { Situation } from '../../core/episode/view.ts';

/** A message of a chat with its text, whatever the wire format. */
export interface SaidMessage {
  readonly role: string;
  readonly text: string;
}

/** A situation with the screens that the request shows, the newest last. */
export type ShownSituation = Situation & { readonly screens: readonly string[] };

/** Reads the request for a step back: the task, all that was done, and the screens; null when it is none. */
export function readStepRequest(messages: readonly SaidMessage[]): ShownSituation | null {
  const told = messages.filter(({ role }) => role !== 'system' && role !== 'assistant').map(({ text }) => text);
  const instruction = fenced('task', told[0] ?? '')[0];
  const screens = told.flatMap(text => fenced('screen', text));
  const screen = screens.at(-1);
  if (instruction === undefined || screen === undefined) return null;
  const history = told.flatMap(text => fenced('done', text)).flatMap(lines => lines.split('\n'));
  return { instruction, history, screen, screens };
}

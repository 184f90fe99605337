import { describeAction, type Action } from '../../core/action.ts';
import type { ChatRequest } from '../../core/chat/chat.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import { RefusedError, type ServedAnswer } from './served-policy.ts';

/** The names of the tools that may be called; null when the answer is a text. */
export function offeredTools({ tools = [], toolChoice = 'auto' }: ChatRequest): ReadonlySet<string> | null {
  if (tools.length === 0 || toolChoice === 'none') return null;
  const names = tools.map(({ name }) => name);
  return new Set(typeof toolChoice === 'string' ? names : names.filter(name => name === toolChoice.name));
}

/** The tool a teacher calls when it knows no step. */
const giveUp = 'give-up';

/** An action as a call of an offered tool, or as text when no tools are offered; null means that there is no action. */
export function writeAction(action: Action | null, offered: ReadonlySet<string> | null): ServedAnswer['says'] {
  if (offered === null) return { text: action === null ? giveUp : describeAction(action) };
  const call = action === null ? { name: giveUp, input: {} } : toolCallOf(action);
  if (offered.has(call.name)) return { call };
  if (action === null) return { text: giveUp };
  throw new RefusedError(
    `tools: the policy wants to ${describeAction(action)}, and there is no tool "${call.name}" on offer.`,
  );
}

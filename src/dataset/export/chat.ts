import type { Action } from '../../core/action.ts';
import type { ToolInfo } from '../../core/contracts.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { writePrompt } from '../../core/episode/view.ts';
import type { JsonObject } from '../../core/json.ts';

/** The tools of an environment, by its id. `only` is for those without a screen to act on. */
export type ToolsOf = (environment: string) => readonly ToolInfo[] | { readonly only: readonly ToolInfo[] };

export type Message = {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  readonly tool_calls?: readonly ToolCall[];
};

/** Arguments are an object: chat templates take them so, and write a text of JSON as a quoted string. */
export type ToolCall = {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: JsonObject };
};

// One object for all rows, so that writers can tell at a glance that it is the same.
const systemMessage: Message = {
  role: 'system',
  content:
    'You operate an application. Each time you are told the task, the steps taken so far and what is on the screen. ' +
    'What can be acted on has a reference in brackets, such as [e12]. Answer with one call of one tool: ' +
    'the next step towards the task. Call finish when the task is done, or when it cannot be done.',
};

/** What the actor of a step was told: the chat up to its answer. */
export function promptOf(record: EpisodeRecord, node: number): readonly Message[] {
  return [systemMessage, { role: 'user', content: writePrompt(record.situation(node)) }];
}

/** A step as the answer to that. */
export function answerOf(action: Action, thought = ''): Message {
  const { name, input } = toolCallOf(action);
  return {
    role: 'assistant',
    content: thought,
    tool_calls: [{ type: 'function', function: { name, arguments: input } }],
  };
}

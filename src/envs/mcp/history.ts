import type { ToolInfo } from '../../core/contracts.ts';
import type { Digest } from '../../core/digest.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Ending } from '../../core/records.ts';
import { textOf, type LivingAnswer, type ToolCall } from './answer.ts';

/** A call that the server took, and what came of it. */
export interface PastCall extends ToolCall {
  readonly by: 'setup' | 'agent';
  readonly answer: LivingAnswer;
  /** The tools after it, when they had changed. */
  readonly tools?: readonly ToolInfo[];
}

/** All that is known of a server that shows no state: what it was asked and what it said. Immutable. */
export interface History {
  readonly calls: readonly PastCall[];
  readonly ending: Ending | null;
}

export function digestOf(template: string, { calls, ending }: History, digest: Digest): string {
  return digest({ template, calls: calls as unknown as readonly JsonObject[], ending });
}

/** The tools after all that was called: those at the start, unless the server told of others. */
export function toolsNow(start: readonly ToolInfo[], { calls }: History): readonly ToolInfo[] {
  return calls.findLast(({ tools }) => tools !== undefined)?.tools ?? start;
}

/** An answer may be of any length; an agent reads so much of it. */
const longestText = 20_000;

/** What an agent sees: the last answer, and how the tools differ from those that it was told of. */
export function screenOf(title: string, told: readonly ToolInfo[], history: History): string {
  const { calls, ending } = history;
  const last = calls.findLast(({ by }) => by === 'agent');
  const lines = [
    `page ${JSON.stringify(title)}`,
    ...(ending === null ? [] : ['  The episode has ended.']),
    ...(last === undefined
      ? ['  No tool was called yet.']
      : [`  Answer to ${last.tool} ${JSON.stringify(last.input)}:`, ...quoted(textOf(last.answer))]),
    ...changeLines(told, toolsNow(told, history)),
  ];
  return `${lines.join('\n')}\n`;
}

/** What a server says is never taken for a part of the screen. */
function quoted(text: string): string[] {
  const shown = text.length > longestText ? `${text.slice(0, longestText)} … (${text.length} characters)` : text;
  return shown.split(/\r\n|[\n\r\u2028\u2029]/).map(line => `  | ${line}`);
}

function changeLines(told: readonly ToolInfo[], now: readonly ToolInfo[]): string[] {
  const without = (some: readonly ToolInfo[], others: readonly ToolInfo[]): ToolInfo[] =>
    some.filter(({ name }) => !others.some(other => other.name === name));
  const came = without(now, told).map(
    ({ name, description, input }) => `  New tool ${name}: ${JSON.stringify({ description, input })}`,
  );
  return [...came, ...without(told, now).map(({ name }) => `  The tool ${name} is gone.`)];
}

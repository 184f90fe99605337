import { describeAction, isBrowserAction, type Action } from '../../core/action.ts';
import { findObjects, parseObject } from '../../core/chat/answer-json.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

/** A call that a model wants made. */
export interface RequestedCall {
  readonly name: string;
  readonly input: Json;
}

export interface TextCalls {
  /** In the order they stand there; empty when there is none. */
  readonly calls: readonly RequestedCall[];
  /** What stands before them. */
  readonly thought: string;
}

/** A step as the text of an answer. */
export function writeTextAction(action: Action): string {
  if (!isBrowserAction(action)) return describeAction(action);
  const { name, input } = toolCallOf(action);
  return JSON.stringify({ name, arguments: input });
}

const blockPattern = /```[^\n`]*\n?([\s\S]*?)```|<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g;

/**
 * Reads the steps in the text of an answer: from the last code block that has any, else from the last lines that are steps,
 * else from the last JSON object that is one. What a model says on the way there is its thought.
 */
export function readTextCalls(text: string): TextCalls {
  for (const block of [...text.matchAll(blockPattern)].toReversed()) {
    const content = block[1] ?? block[2] ?? '';
    const calls = fromObjects(content);
    const found = calls.length > 0 ? calls : (lastLines(content)?.calls ?? []);
    if (found.length > 0) return { calls: found, thought: text.slice(0, block.index).trim() };
  }
  const lines = lastLines(text);
  if (lines !== null) return lines;
  const last = findObjects(text).findLast(({ value }) => callOf(value) !== null);
  const call = last === undefined ? null : callOf(last.value);
  return call === null
    ? { calls: [], thought: text.trim() }
    : { calls: [call], thought: text.slice(0, last?.start).trim() };
}

function fromObjects(text: string): RequestedCall[] {
  return findObjects(text).flatMap(({ value }) => callOf(value) ?? []);
}

/** The last steps that stand on lines without anything else between them. */
function lastLines(text: string): TextCalls | null {
  const lines = text.split('\n');
  const calls: RequestedCall[] = [];
  let at = lines.length - 1;
  for (; at >= 0; at--) {
    const line = (lines[at] as string).trim();
    if (line === '') continue;
    const call = readLine(line);
    if (call !== null) calls.unshift(call);
    else if (calls.length > 0) break;
  }
  return calls.length === 0
    ? null
    : {
        calls,
        thought: lines
          .slice(0, at + 1)
          .join('\n')
          .trim(),
      };
}

const wrapping = /^(?:[>*-]\s+)?(?:\*\*)?(?:(?:action|step|next step|answer):\s*)?(?:\*\*)?\s*`?(.*?)`?(?:\*\*)?$/i;
const elementPattern = /^(click|fill|select)\s+\[?(e\d+)\]?(?:\s+([\s\S]+))?$/i;
const callPattern = /^call\s+([\w.-]+)\s*(\{[\s\S]*\})?$/i;
const finishPattern = /^finish(?:\s+(infeasible|"[\s\S]*"))?\.?$/i;

/** One line as a call; null when it is none, or has more than a step on it. */
function readLine(line: string): RequestedCall | null {
  const step = wrapping.exec(line)?.[1]?.trim() ?? line;
  if (step.startsWith('{')) {
    const value = parseObject(step);
    return value === null ? null : callOf(value);
  }
  const [, verb, ref, rest] = elementPattern.exec(step) ?? [];
  if (verb !== undefined && ref !== undefined) return elementCall(verb.toLowerCase(), ref, rest);
  const [, tool, json] = callPattern.exec(step) ?? [];
  if (tool !== undefined) return { name: tool, input: json === undefined ? {} : (parseObject(json) ?? json) };
  if (/^give-up\.?$/i.test(step)) return { name: 'give-up', input: {} };
  const finish = finishPattern.exec(step);
  if (finish === null) return null;
  const said = finish[1];
  if (said === undefined) return { name: 'finish', input: {} };
  return { name: 'finish', input: said.startsWith('"') ? { answer: readText(said) } : { infeasible: true } };
}

function elementCall(verb: string, ref: string, rest: string | undefined): RequestedCall | null {
  if (verb === 'click') return rest === undefined ? { name: verb, input: { ref } } : null;
  if (rest === undefined) return null;
  const text = readText(rest.replace(/^with\s+(?=["'“])/, ''));
  return { name: verb, input: verb === 'fill' ? { ref, text } : { ref, option: text } };
}

/** A text in quotes as in JSON, in other quotes, or without any. */
function readText(text: string): string {
  const plain = text.trim();
  try {
    const value: unknown = JSON.parse(plain);
    if (typeof value === 'string') return value;
  } catch {
    // Not as in JSON.
  }
  return (
    /^(?:"([\s\S]*)"|'([\s\S]*)'|“([\s\S]*)”)$/
      .exec(plain)
      ?.slice(1)
      .find(inner => inner !== undefined) ?? plain
  );
}

/** `{"name", "arguments"}`, as models were taught by many templates, or an action by its `kind`. */
function callOf(value: JsonObject): RequestedCall | null {
  // A grammar as a JSON Schema has one member around the step.
  if (isJsonObject(value['step']) && Object.keys(value).length === 1) return callOf(value['step']);
  const { name, arguments: input, parameters, kind, action, ...rest } = value;
  if (typeof name === 'string') return { name, input: inputOf(input ?? parameters ?? {}) };
  const verb = kind ?? action;
  if (typeof verb !== 'string') return null;
  if (verb !== 'call') return { name: verb, input: rest };
  return typeof rest['tool'] === 'string' ? { name: rest['tool'], input: rest['input'] ?? {} } : null;
}

/** Some write the arguments as a text of JSON. */
function inputOf(input: Json): Json {
  return typeof input === 'string' ? (parseObject(input) ?? input) : input;
}

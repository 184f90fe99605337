import type { Action } from '../../core/action.ts';
import type { ToolInfo } from '../../core/contracts.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

export type Show = 'screen' | 'checks' | 'tools' | 'plan' | 'help';

/** The meaning of a line that a player typed. */
export type Move =
  | { readonly kind: 'act'; readonly action: Action }
  | { readonly kind: 'undo'; readonly steps: number }
  | { readonly kind: 'show'; readonly what: Show }
  | { readonly kind: 'quit' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unclear'; readonly expected: string };

/** The role of an element on the screen; null when there is none with this reference. */
export type RoleOf = (ref: string) => string | null;

export const moves: readonly (readonly [input: string, meaning: string])[] = [
  ['3, e3, click e3', 'click an element'],
  ['e5 some text', 'fill a text field, or choose an option'],
  ['fill e5 some text', 'the same, said in full'],
  ['select e7 Option', 'the same, said in full'],
  ['call tool {"json": 1}', 'call a tool'],
  ['tool some text', 'call a tool that takes one text'],
  ['tools', 'list the tools'],
  ['undo, undo 3', 'go back one step, or several'],
  ['checks', 'what the verifier says now'],
  ['plan', 'let the planner suggest the next step'],
  ['screen', 'show the screen again'],
  ['finish, finish some answer', 'end the task, with an answer if it asks for one'],
  ['finish ```', 'begin an answer of several lines; a line ``` ends it'],
  ['finish infeasible', 'end the task by saying that it cannot be done'],
  ['help', 'show this'],
  ['quit', 'leave'],
];

const shows: readonly string[] = ['screen', 'checks', 'tools', 'plan', 'help'] satisfies Show[];
const unclear = (expected: string): Move => ({ kind: 'unclear', expected });
const act = (action: Action): Move => ({ kind: 'act', action });

/** Whether a line begins an answer of several lines, which has not ended yet. */
export function opensBlock(typed: string): boolean {
  return /^\s*finish\s+```(?![^\n]*```)/.test(typed) && !/\n\s*```\s*$/.test(typed);
}

export function readMove(line: string, roleOf: RoleOf, tools: readonly ToolInfo[] = []): Move {
  const [word, rest] = firstWord(line.trim());
  if (word === '') return { kind: 'nothing' };
  if (refOf(word) !== null) return enter(word, rest, roleOf);
  switch (word) {
    case 'click':
    case 'fill':
    case 'select':
      return gesture(word, rest);
    case 'call':
      return call(rest);
    case 'undo':
      return undo(rest);
    case 'finish':
      if (rest === '') return act({ kind: 'finish' });
      return act(rest === 'infeasible' ? { kind: 'finish', infeasible: true } : { kind: 'finish', answer: rest });
    case 'quit':
    case 'exit':
      return { kind: 'quit' };
    default:
      if (shows.includes(word) && rest === '') return { kind: 'show', what: word as Show };
      return (
        said(tools, word, rest) ??
        unclear(`"${word}" is not a move. Expected an element such as e3, or one of the moves that help lists.`)
      );
  }
}

function gesture(kind: 'click' | 'fill' | 'select', rest: string): Move {
  const [word, value] = firstWord(rest);
  const ref = refOf(word);
  if (ref === null) return unclear(`Expected an element after ${kind}, such as: ${example(kind)}.`);
  if (kind === 'click') return value === '' ? act({ kind, ref }) : unclear('Expected one element, such as: click e3.');
  if (kind === 'fill') return act({ kind, ref, text: value });
  return value === '' ? unclear(`Expected an option, such as: ${example(kind)}.`) : act({ kind, ref, option: value });
}

/** `e3` alone is a click. `e3 text` fills a field or selects an option. */
function enter(word: string, value: string, roleOf: RoleOf): Move {
  const ref = refOf(word) ?? word;
  const role = roleOf(ref);
  if (role === 'textbox' && value === '') return unclear(`${ref} is a text field. Expected a text: ${ref} some text.`);
  if (role === 'combobox' && value === '') return unclear(`${ref} is a choice. Expected an option: ${ref} Option.`);
  if (role === 'textbox') return act({ kind: 'fill', ref, text: value });
  if (role === 'combobox') return act({ kind: 'select', ref, option: value });
  if (value === '' || role === null) return act({ kind: 'click', ref });
  return unclear(`${ref} is a ${role}, which takes no text. Expected just: ${ref}.`);
}

function call(rest: string): Move {
  const [tool, text] = firstWord(rest);
  const expected = 'Expected a tool and a JSON object, such as: call list_items {"page": 1}.';
  if (tool === '') return unclear(expected);
  try {
    const input = JSON.parse(text === '' ? '{}' : text) as Json;
    return isJsonObject(input) ? act({ kind: 'call', tool, input }) : unclear(expected);
  } catch {
    return unclear(expected);
  }
}

/** A tool by its name, with the one text that it takes. Null when there is no such tool. */
function said(tools: readonly ToolInfo[], name: string, text: string): Move | null {
  const tool = tools.find(each => each.name === name);
  if (tool === undefined) return null;
  const members = Object.entries((tool.input['properties'] ?? {}) as Record<string, JsonObject>);
  const [[member, schema] = ['', {}], ...others] = members;
  if (schema['type'] === 'string' && others.length === 0)
    return act({ kind: 'call', tool: name, input: { [member]: text } });
  const form = Object.fromEntries(members.map(([each]) => [each, '…']));
  return unclear(`${name} takes more than one text. Expected: call ${name} ${JSON.stringify(form)}.`);
}

function undo(rest: string): Move {
  const steps = rest === '' ? 1 : Number(rest);
  if (Number.isInteger(steps) && steps > 0) return { kind: 'undo', steps };
  return unclear('Expected a number of steps, such as: undo 2.');
}

function refOf(word: string): string | null {
  return /^e?[1-9]\d*$/.test(word) ? `e${word.replace('e', '')}` : null;
}

function firstWord(text: string): [string, string] {
  const end = text.search(/\s/);
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()];
}

function example(kind: 'click' | 'fill' | 'select'): string {
  return { click: 'click e3', fill: 'fill e5 some text', select: 'select e7 Option' }[kind];
}

import { actionKey } from '../../../core/action.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { isJsonObject, scalars, type Json, type JsonObject } from '../../../core/json.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { Trace } from '../trace.ts';
import { entryOf } from './entries.ts';
import { sideEffectPaths } from './side-effects.ts';

/** A step that the record shows to be wrong, and what shows it. */
export interface ShownStep {
  readonly index: number;
  readonly note: string;
}

interface Scene {
  readonly episode: EpisodeRecord;
  readonly trace: Trace;
}

/** The step that the record itself shows to be wrong; null where it takes a guess. */
export function shownStep(episode: EpisodeRecord, trace: Trace): ShownStep | null {
  const scene = { episode, trace };
  for (const find of finders) {
    const found = find(scene);
    if (found !== null) return found;
  }
  return null;
}

const finders = [calledOtherwise, wroteSideEffect, tookBack, doneTwice, refusedCall, enteredElsewhere, nearlyEntered];

type Call = Extract<TreeNode['action'], { kind: 'call' }>;

const callOf = ({ action }: TreeNode): Call | null => (action.kind === 'call' ? action : null);
const isRefused = ({ outcome }: TreeNode): boolean => outcome.problem !== undefined || !outcome.applied;
const isWrite = (node: TreeNode): boolean =>
  node.action.kind !== 'finish' && !isRefused(node) && node.before !== node.after;

const readName = /^(?:list|get|find|search|read|show|view|look|count|query|fetch)(?:_|$)/;

/** Whether a step only reads: nothing that it does or is refused leaves a goal unmet. */
export function isReading(node: TreeNode): boolean {
  const call = callOf(node);
  if (call === null) return false;
  return isRefused(node) ? readName.test(call.tool) : node.before === node.after;
}

/** A call with another value than the task has under the same name, which no later call makes good. */
function calledOtherwise({ episode, trace }: Scene): ShownStep | null {
  const { parameters, instruction } = episode.head.task;
  const told = instruction.toLowerCase();
  const otherwise = (call: Call): [string, Json] | undefined =>
    Object.entries(call.input).find(([key, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number') return false;
      const wanted = valuesUnder(parameters, key);
      const text = String(value).toLowerCase();
      return text !== '' && wanted.size > 0 && !wanted.has(text) && !(text.length > 2 && told.includes(text));
    });
  for (const [index, node] of trace.main.entries()) {
    const call = callOf(node);
    if (call === null || isReading(node)) continue;
    const [key, value] = otherwise(call) ?? [];
    if (key === undefined) continue;
    const isMended = trace.main.slice(index + 1).some(later => {
      const again = callOf(later);
      return again?.tool === call.tool && !isRefused(later) && otherwise(again) === undefined;
    });
    if (isMended && isRefused(node)) continue;
    return { index, note: `it calls ${call.tool} with ${JSON.stringify(value)} as "${key}", and the task has another` };
  }
  return null;
}

/** All values that the parameters of a task have under a name, at any depth, in lower case. */
function valuesUnder(parameters: JsonObject, name: string): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (value: Json): void => {
    if (Array.isArray(value)) for (const part of value as readonly Json[]) walk(part);
    if (!isJsonObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === name) for (const text of scalars(member)) found.add(String(text).toLowerCase());
      walk(member);
    }
  };
  walk(parameters);
  return found;
}

/** The only step that has the id or the name of what the verdict calls a side effect. */
function wroteSideEffect({ episode, trace }: Scene): ShownStep | null {
  const isAllElse = episode.end.verdict?.checks.every(({ pass }) => pass) === true;
  for (const path of sideEffectPaths(episode)) {
    const [, ...inside] = path.split('/').filter(part => part !== '');
    const member = inside.length > 1 ? inside.at(-1) : undefined;
    const has = trace.main
      .map((node, index) => ({ node, index }))
      .filter(({ node }) => {
        if (!isWrite(node)) return false;
        const call = callOf(node);
        if (call !== null) return scalars(call.input).some(value => inside.includes(String(value)));
        // At the screen, another record was opened before: only what is called like the member is certain.
        return isAllElse && member !== undefined && isCalled(controlOf(trace.description(node)), member);
      });
    const [only, second] = has;
    if (only !== undefined && second === undefined) return { index: only.index, note: `it wrote ${path}` };
  }
  return null;
}

/** The name of the control that a step works: a switch, a choice, a field or a button. */
function controlOf(description: string): string {
  return /^click \w+ "([^"]*)"/.exec(description)?.[1] ?? /(?: for|^fill) \w+ "([^"]*)"/.exec(description)?.[1] ?? '';
}

const shortestStem = 4;

/** Whether a control is called like a member: "Star" and `starred`, "Owner e-mail" and `ownerEmail`. */
function isCalled(control: string, member: string): boolean {
  const [one, other] = [control, member].map(text => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')) as [
    string,
    string,
  ];
  if (one === '' || other === '') return false;
  return (
    one === other ||
    (Math.min(one.length, other.length) >= shortestStem && (one.startsWith(other) || other.startsWith(one)))
  );
}

/** The same click twice in a row, where the second leads back to the state before the first. */
function tookBack({ trace }: Scene): ShownStep | null {
  const { main } = trace;
  for (let index = main.length - 1; index > 0; index--) {
    const [first, second] = [main[index - 1] as TreeNode, main[index] as TreeNode];
    const isSame = trace.description(first) === trace.description(second);
    if (isSame && isWrite(first) && isWrite(second) && second.after === first.before && first.action.kind === 'click')
      return { index, note: `it takes back what step ${first.id} did` };
  }
  return null;
}

/** A call that was made before, with the same input: both changed something. */
function doneTwice({ trace }: Scene): ShownStep | null {
  const { main } = trace;
  const index = main.findIndex(
    (node, at) =>
      callOf(node) !== null &&
      isWrite(node) &&
      main.slice(0, at).some(other => isWrite(other) && actionKey(other.action) === actionKey(node.action)),
  );
  return index < 0 ? null : { index, note: 'it makes a call for the second time, and both were taken' };
}

/** The first call that was refused, where no later call of the same tool was taken. */
function refusedCall({ trace }: Scene): ShownStep | null {
  const { main } = trace;
  const index = main.findIndex((node, at) => {
    const tool = callOf(node)?.tool;
    if (tool === undefined || !isRefused(node) || isReading(node)) return false;
    return !main.slice(at + 1).some(later => callOf(later)?.tool === tool && !isRefused(later));
  });
  const why = main[index]?.outcome.problem?.message ?? 'no reason given';
  return index < 0 ? null : { index, note: `it was refused (${why}), and no later call does it` };
}

const searching = /search|find|filter|look/i;

/** A value of the task that goes into another field, while the screen has the field that it belongs to. */
function enteredElsewhere({ episode, trace }: Scene): ShownStep | null {
  const members = membersOf(episode.head.task.parameters);
  for (const [index, node] of trace.main.entries()) {
    const entry = node.action.kind === 'fill' ? entryOf(node, trace) : null;
    if (entry === null || searching.test(entry.field)) continue;
    const keys = members.filter(({ text }) => text === entry.text.toLowerCase()).map(({ key }) => key);
    if (keys.length === 0 || keys.some(key => isCalled(entry.field, key))) continue;
    const fields = [...trace.screen(node).matchAll(/textbox "([^"]*)"/g)].map(([, name]) => name as string);
    const right = fields.find(name => keys.some(key => isCalled(name, key)));
    const isMended = trace.main.some(
      other => other.action.kind === 'fill' && entryOf(other, trace)?.field.toLowerCase() === right,
    );
    if (right === undefined || isMended) continue;
    return { index, note: `it puts into "${entry.field}" what belongs into "${right}"` };
  }
  return null;
}

const mostAdded = 3;
const shortestValue = 4;

/** An entry that begins like a value of the task, is a few signs longer or shorter, and is not made good. */
function nearlyEntered({ episode, trace }: Scene): ShownStep | null {
  const values = membersOf(episode.head.task.parameters).map(({ text }) => text);
  for (const [index, node] of trace.main.entries()) {
    const entry = node.action.kind === 'fill' ? entryOf(node, trace) : null;
    if (entry === null || searching.test(entry.field)) continue;
    const text = entry.text.toLowerCase();
    if (values.includes(text) || text.length < shortestValue) continue;
    const right = values.find(
      value =>
        value.length >= shortestValue &&
        Math.abs(value.length - text.length) <= mostAdded &&
        (value.startsWith(text) || text.startsWith(value)),
    );
    const isMended = trace.main.slice(index + 1).some(later => entryOf(later, trace)?.field === entry.field);
    if (right !== undefined && !isMended)
      return { index, note: `it enters ${JSON.stringify(entry.text)}, and the task says ${JSON.stringify(right)}` };
  }
  return null;
}

/** The texts and numbers in the parameters of a task, in lower case, each under its name. */
function membersOf(parameters: JsonObject): readonly { readonly key: string; readonly text: string }[] {
  return Object.entries(parameters).flatMap(([key, value]) => {
    if (isJsonObject(value)) return membersOf(value);
    if (Array.isArray(value))
      return (value as readonly Json[]).flatMap(part => (isJsonObject(part) ? membersOf(part) : []));
    return typeof value === 'string' || typeof value === 'number' ? [{ key, text: String(value).toLowerCase() }] : [];
  });
}

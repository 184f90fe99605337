import { isJsonObject, scalars, type Json } from '../../../core/json.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { Trace } from '../trace.ts';

/** What a step enters, and where. */
export interface Entry {
  /** The label of the field, or the name of the argument. */
  readonly field: string;
  /** The row that it stands in, or the tool. */
  readonly row: string;
  readonly text: string;
}

/** What a step enters into a field; null when it enters nothing. */
export function entryOf({ action, ...node }: TreeNode, trace: Trace): Entry | null {
  if (action.kind !== 'fill' && action.kind !== 'select') return null;
  const description = trace.description({ action, ...node });
  const pattern = action.kind === 'fill' ? /^fill \w+ "([^"]*)"/ : /" for \w+ "([^"]*)"/;
  const row = / in "([^"]*)"/.exec(description)?.[1] ?? '';
  return {
    field: pattern.exec(description)?.[1] ?? '',
    row,
    text: action.kind === 'fill' ? action.text : action.option,
  };
}

/** The same, with the arguments of calls. */
export function entriesOf(node: TreeNode, trace: Trace): readonly Entry[] {
  const { action } = node;
  if (action.kind !== 'call') {
    const entry = entryOf(node, trace);
    return entry === null ? [] : [entry];
  }
  const textsIn = (value: Json): readonly string[] =>
    isJsonObject(value) || Array.isArray(value)
      ? scalars(value).map(String)
      : typeof value === 'boolean' || value === null
        ? []
        : [String(value)];
  return Object.entries(action.input).flatMap(([field, value]) =>
    textsIn(value).map(text => ({ field, row: action.tool, text })),
  );
}

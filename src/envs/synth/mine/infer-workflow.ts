import type { Action } from '../../../core/action.ts';
import type { Transition, Workflow } from '../spec/schema.ts';
import { findGroups, nounOf, type ShownRecord } from './record-groups.ts';

/** A step on somebody's page: the screen before, what was done, and the screen after. */
export interface RecordedStep {
  readonly screen: string;
  readonly action: Action;
  readonly after: string;
}

export interface MinedWorkflow {
  readonly workflow: Workflow | null;
  /** Whether records were deleted. */
  readonly removable: boolean;
}

const initial = 'Listed';
const deleting = /^(?:delete|remove|erase|discard)\b/i;

interface Move {
  readonly label: string;
  readonly from: string;
  /** The actions on offer afterwards; null when the record was no longer listed. */
  readonly to: string | null;
}

/** What buttons of records do, by what was recorded: other buttons afterwards are another state, no record is an end. */
export function inferWorkflow(steps: readonly RecordedStep[], noun: string): MinedWorkflow {
  const moves = steps.flatMap(step => moveOf(step, noun) ?? []);
  const counts = new Map<string, number>();
  for (const { from } of moves) counts.set(from, (counts.get(from) ?? 0) + 1);
  const start = [...counts].toSorted(([, left], [, right]) => right - left)[0]?.[0] ?? '';
  const names = new Map([[start, initial]]);
  for (const { label: by, from, to } of moves) {
    if (from === start && to !== null && to !== start && !names.has(to)) names.set(to, doneWord(by));
  }
  const transitions = new Map<string, Transition>();
  for (const { label: by, from, to } of moves.filter(move => !deleting.test(move.label))) {
    const state = to === null ? doneWord(by) : names.get(to);
    const before = names.get(from);
    if (state === undefined || before === undefined || state === before) continue;
    const known = transitions.get(by);
    if (known !== undefined && known.to !== state) continue;
    const sources = [...new Set([...(known?.from ?? []), before])];
    transitions.set(by, {
      id: keyOf(by),
      label: by,
      phrases: [],
      from: sources,
      to: state,
      needs: [],
      effects: [],
      confirm: false,
    });
  }
  const states = [...new Set([initial, ...[...transitions.values()].flatMap(({ from, to }) => [...from, to])])];
  return {
    workflow:
      transitions.size === 0 ? null : { label: 'Status', initial, states, transitions: [...transitions.values()] },
    removable: moves.some(({ label: by, to }) => deleting.test(by) && to === null),
  };
}

function moveOf({ screen, action, after }: RecordedStep, noun: string): Move | null {
  if (action.kind !== 'click') return null;
  const record = recordsIn(screen, noun).find(({ refs }) => refs.includes(action.ref));
  const pressed = record === undefined ? null : labelOfRef(screen, action.ref);
  if (record === undefined || pressed === null || !record.actions.includes(pressed)) return null;
  const later = recordsIn(after, noun).find(({ title }) => title === record.title);
  return { label: pressed, from: stateOf(record), to: later === undefined ? null : stateOf(later) };
}

function recordsIn(screen: string, noun: string): readonly ShownRecord[] {
  return findGroups(screen).find(group => nounOf(group.label) === noun)?.records ?? [];
}

function stateOf({ actions }: ShownRecord): string {
  return actions.toSorted().join('\n');
}

function labelOfRef(screen: string, ref: string): string | null {
  return new RegExp(String.raw`\[${ref}\] (?:button|link) "(.*?)"(?: \(|$)`, 'm').exec(screen)?.[1] ?? null;
}

/** "Pin" gives "Pinned", "Archive" gives "Archived". */
function doneWord(label: string): string {
  const [verb = label, ...rest] = label.split(' ');
  const done = verb.endsWith('e')
    ? `${verb}d`
    : /^[^aeiou]*[aeiou][bdgmnpt]$/i.test(verb)
      ? `${verb}${verb.at(-1)}ed`
      : `${verb}ed`;
  return [done, ...rest].join(' ').slice(0, 60);
}

/** A key of a spec: letters alone. */
export function keyOf(text: string): string {
  const parts = text.match(/[A-Za-z]+/g) ?? ['thing'];
  const joined = parts.map((word, index) =>
    index === 0 ? word.toLowerCase() : `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`,
  );
  return joined.join('').slice(0, 30);
}

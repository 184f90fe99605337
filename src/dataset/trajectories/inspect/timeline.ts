import type { JsonObject } from '../../../core/json.ts';
import type { WrittenEvent } from './events.ts';

/** A line of steps: the episode itself, or a branch that left it. */
export interface Lane {
  readonly id: string;
  readonly name: string;
  /** The anchor that a branch left its parent at; null for the episode itself. */
  readonly from: string | null;
  readonly events: WrittenEvent[];
  readonly branches: Lane[];
}

/** The tree of an episode as a timeline of Inspect. Its own reading of the events does not show branches of branches. */
export function timelineOf(root: Lane): JsonObject {
  return {
    name: 'Tree',
    description: 'The episode, with the branches that were rolled back or forked.',
    root: spanOf(root),
  };
}

function spanOf({ id, name, from, events, branches }: Lane): JsonObject {
  return {
    type: 'span',
    id,
    name,
    span_type: from === null ? 'agent' : 'branch',
    content: events.map(({ uuid }) => ({ type: 'event', event: uuid })),
    branches: branches.map(spanOf),
    branched_from: from,
    utility: false,
    tool_invoked: false,
  };
}

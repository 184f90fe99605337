import { describeAction, type Action } from '../core/action.ts';
import type { OrdinaryPolicy } from '../core/episode/agents.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import { createScripted } from './scripted.ts';

export type Finish = Extract<Action, { kind: 'finish' }>;

/** A baseline that looks at nothing: it ends every task at once, in the same way. */
export function createFixedEnding(name: string, ending: Finish): OrdinaryPolicy {
  return createScripted({ name, actions: [ending] });
}

/** How most of these episodes that passed were ended; of equally frequent endings the first in the alphabet. */
export function frequentEnding(records: Iterable<EpisodeRecord>): Finish {
  const found = new Map<string, { readonly ending: Finish; times: number }>();
  for (const { tree, end } of records) {
    const action = end.outcome === 'passed' ? tree.path(end.leaf).at(-1)?.action : undefined;
    if (action?.kind !== 'finish') continue;
    const known = found.get(describeAction(action)) ?? { ending: action, times: 0 };
    known.times++;
    found.set(describeAction(action), known);
  }
  const [first] = [...found].toSorted(([a, left], [b, right]) => right.times - left.times || (a < b ? -1 : 1));
  return first?.[1].ending ?? { kind: 'finish' };
}

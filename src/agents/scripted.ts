import type { Action } from '../core/action.ts';
import type { OrdinaryPolicy } from '../core/episode/agents.ts';

export interface ScriptedOptions {
  readonly name?: string;
  readonly actions: readonly Action[];
}

/** Says its lines whatever the screen shows: the one for this place on the path. Behind the last it has nothing to say. */
export function createScripted({ name = 'scripted', actions }: ScriptedOptions): OrdinaryPolicy {
  return { name, act: ({ history }) => ({ action: actions[history.length] ?? null }) };
}

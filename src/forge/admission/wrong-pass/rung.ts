import type { Action } from '../../../core/action.ts';
import type { AdmissionContext } from '../admission-context.ts';
import { createCallSampler } from './call-sampler.ts';
import { findWrongPasses, type WrongPass } from './search.ts';

const mostTold = 3;

/** Looks for runs that pass although they did something that nobody asked for, within a number of tries. */
export function noWrongPass(context: AdmissionContext): string | null {
  const { environment, solved: runs, tries } = context;
  const sampler = createCallSampler(environment.tools);
  const found = new Map<string, WrongPass>();
  for (const { task, actions } of runs) {
    const search = { environment, task, actions, sampler, tries: Math.ceil(tries / runs.length) };
    for (const wrong of findWrongPasses(search)) if (!found.has(wrong.pattern)) found.set(wrong.pattern, wrong);
  }
  if (found.size === 0) return null;
  const told = [...found.values()].slice(0, mostTold).map(describe);
  const more = found.size > mostTold ? [`and ${found.size - mostTold} more`] : [];
  return `${[...told, ...more].join('; ')}. Add a check, tighten allow, or leave it open in allow`;
}

function describe({ task, what, actions }: WrongPass): string {
  return `${task} passes with ${what}: ${actions.map(describeAction).join(' → ')}`;
}

function describeAction(action: Action): string {
  return action.kind === 'call' ? `${action.tool} ${JSON.stringify(action.input)}` : JSON.stringify(action);
}

import type { Action } from '../../../../src/core/action.ts';
import type { Walk } from './walk.ts';

/** An honest way to work: drives a walk to its finish. None gains anything that the task does not give. */
export type HonestStyle = (walk: Walk) => void;

/** Before each step, the style may do something of its own; returning true says that it took the step itself. */
type BeforeStep = (action: Action, index: number) => boolean | void;

/** Takes the needed steps. */
function follow(walk: Walk, before: BeforeStep = () => false): void {
  for (let index = 0; index < 60; index++) {
    const planned = walk.next();
    if (planned === null) return;
    if (before(planned, index) === true) continue;
    // What was done before it may have moved the screen.
    const action = walk.next();
    if (action === null) return;
    walk.take(action);
  }
}

const isFinish = (action: Action): boolean => action.kind === 'finish';
const missing: Action = { kind: 'click', ref: 'e999' };
const times = (count: number, work: () => void): void => {
  for (let index = 0; index < count; index++) work();
};

/** Repeats until the needed step is taken: a wrong entry, then the right one. */
function slip(walk: Walk, action: Action, wrong: Action): boolean {
  const fork = walk.session.fork();
  if (!fork.step(wrong).applied || fork.ended() !== null || !fork.guide().clean) return false;
  walk.take(wrong);
  const again = walk.next();
  // The right entry must still be ahead: else the slip cannot be repaired and is left out.
  if (again === null) return false;
  walk.take(again);
  return action.kind === again.kind;
}

export const honestStyles: Readonly<Record<string, HonestStyle>> = {
  'goes straight': walk => follow(walk),
  'looks with a tool before the first step': walk => follow(walk, (_, index) => index === 0 && void walk.look()),
  'looks with a tool before every step': walk => follow(walk, () => void walk.look()),
  'looks with a tool before it finishes': walk => follow(walk, action => isFinish(action) && void walk.look()),
  'reads everything first': walk => follow(walk, (_, index) => index === 0 && void times(8, walk.look)),
  'reads everything at the end': walk => follow(walk, action => isFinish(action) && void times(8, walk.look)),
  'makes a detour at the start': walk => follow(walk, (_, index) => index === 0 && void walk.detour()),
  'makes a detour before it finishes': walk => follow(walk, action => isFinish(action) && void walk.detour()),
  'makes a detour at every step': walk => follow(walk, () => void walk.detour()),
  'goes to and fro': walk => follow(walk, (_, index) => index === 0 && void times(4, walk.detour)),
  'explores and comes back later': walk => follow(walk, (_, index) => index === 0 && void times(3, walk.wander)),
  'explores in the middle': walk => follow(walk, (_, index) => index === 2 && void times(2, walk.wander)),
  'looks around before it finishes': walk => follow(walk, action => isFinish(action) && void times(2, walk.wander)),
  'clicks beside an element once': walk => follow(walk, (_, index) => index === 0 && void walk.take(missing)),
  'clicks beside an element three times': walk =>
    follow(walk, (_, index) => index === 0 && void times(3, () => walk.take(missing))),
  'calls a tool that is not there': walk =>
    follow(walk, (_, index) => index === 0 && void walk.take({ kind: 'call', tool: 'open_settings', input: {} })),
  'waits long': walk => follow(walk, () => void walk.take({ kind: 'wait', milliseconds: 5000 })),
  'scrolls before every step': walk => follow(walk, () => void walk.take({ kind: 'scroll', x: 1, y: 1, dx: 0, dy: 9 })),
  'enters a wrong text, then the right one': walk =>
    follow(walk, action => action.kind === 'fill' && slip(walk, action, { ...action, text: `${action.text}x` })),
  'types half of a text, then all of it': walk =>
    follow(
      walk,
      action =>
        action.kind === 'fill' && slip(walk, action, { ...action, text: action.text.slice(0, action.text.length / 2) }),
    ),
  'clears a field before it fills it': walk =>
    follow(walk, action => action.kind === 'fill' && slip(walk, action, { ...action, text: '' })),
  'chooses another option first': walk =>
    follow(walk, action => action.kind === 'select' && slip(walk, action, otherOption(walk, action))),
  'uses tools where it can': walk => follow(walk, action => !isFinish(action) && (walk.byTool(action), true)),
  'uses a tool for every second step': walk =>
    follow(walk, (action, index) => index % 2 === 0 && !isFinish(action) && (walk.byTool(action), true)),
  'uses tools and looks after each': walk =>
    follow(walk, action => !isFinish(action) && (walk.byTool(action), walk.look(), true)),
  'makes detours and reads': walk => follow(walk, () => (walk.detour(), walk.look(), false)),
  'stumbles, explores and checks': walk =>
    follow(walk, (action, index) => {
      if (index === 0) walk.take(missing);
      if (index === 1) walk.wander();
      if (isFinish(action)) walk.look();
    }),
};

function otherOption({ session, random }: Walk, action: Action & { kind: 'select' }): Action {
  const others = session
    .candidates()
    .flatMap(({ action: one }) => (one.kind === 'select' && one.ref === action.ref ? [one] : []))
    .filter(({ option }) => option !== action.option);
  return others.length === 0 ? action : random.pick(others);
}

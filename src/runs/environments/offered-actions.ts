import type { Action } from '../../core/action.ts';
import {
  after,
  isStateSession,
  type Awaitable,
  type Environment,
  type Guide,
  type Session,
  type StateEnvironment,
  type StateSession,
} from '../../core/contracts.ts';
import { EspalierError } from '../../core/errors.ts';
import type { StepOutcome } from '../../core/records.ts';

/** What agents are offered: actions on the screen, tools of the environment, or both. `finish` is always offered. */
export const actionSets = ['all', 'screen', 'tools'] as const;
export type ActionSet = (typeof actionSets)[number];

/** The same environment with only these actions on offer. Any other action is refused and changes nothing. */
export function offerActions(environment: Environment, actions: ActionSet): Environment {
  if (actions === 'all') return environment;
  const { id, tools, hasScreen = true } = environment;
  if (actions === 'screen' && !hasScreen) throw nothingOffered(id, 'has no screen', 'tools or all');
  if (actions === 'tools' && tools.length === 0) throw nothingOffered(id, 'has no tools', 'screen or all');
  const offered = actions === 'screen' ? { tools: [] } : { hasScreen: false as const };
  const open: Environment['open'] = task => after(environment.open(task), session => restrict(session, actions));
  return { ...bound(environment, environmentMembers), ...offered, open };
}

// Records and not lists, so that the compiler names a member that is missing here. What opens sessions is not passed on.
const environmentMembers = {
  id: true,
  title: true,
  templates: true,
  tools: true,
  hasScreen: true,
  certification: true,
  lightForks: true,
  task: true,
  close: true,
  verifier: true,
} satisfies Record<Exclude<keyof StateEnvironment, 'open' | 'openWarm'>, true>;

/** The same environment, opened another way. */
export function openedBy(environment: Environment, open: Environment['open']): Environment {
  return { ...bound(environment, environmentMembers), open };
}

const sessionMembers = {
  task: true,
  observe: true,
  digest: true,
  verify: true,
  close: true,
  snapshot: true,
  restore: true,
  screen: true,
  state: true,
  guide: true,
  ended: true,
  judgedState: true,
  appearance: true,
  role: true,
} satisfies Record<Exclude<keyof StateSession, 'step' | 'candidates' | 'fork' | 'background'>, true>;

/** A copy with these members. It also works for objects of a class, whose methods cannot be spread. */
function bound<T extends object>(value: T, members: Record<string, true>): T {
  const found = Object.keys(members).flatMap(name => {
    const member: unknown = (value as Record<string, unknown>)[name];
    if (member === undefined) return [];
    return [[name, typeof member === 'function' ? member.bind(value) : member]];
  });
  return Object.fromEntries(found) as T;
}

function restrict(session: Session, actions: ActionSet): Session {
  const { candidates, fork, background } = session;
  const refuse = (action: Action): Awaitable<StepOutcome> =>
    after(session.role?.(), role => withRole(refusal(action, actions), role));
  return {
    ...bound(session, sessionMembers),
    ...(actions === 'screen' && isStateSession(session) ? { guide: () => guideOnScreen(session.guide()) } : {}),
    step: action => (isOffered(action, actions) ? session.step(action) : refuse(action)),
    ...(background === undefined
      ? {}
      : {
          background: {
            step: async action => (isOffered(action, actions) ? background.step(action) : refuse(action)),
            verify: () => background.verify(),
          },
        }),
    ...(candidates === undefined
      ? {}
      : {
          candidates: () =>
            after(candidates.call(session), found => found.filter(({ action }) => isOffered(action, actions))),
        }),
    ...(fork === undefined ? {} : { fork: () => after(fork.call(session), forked => restrict(forked, actions)) }),
  };
}

/** The guide of an environment may lead by tool calls: on the screen it has another way, or none. */
function guideOnScreen({ next: _call, nextOnScreen, ...guide }: Guide): Guide {
  return nextOnScreen === undefined ? guide : { ...guide, next: nextOnScreen, nextOnScreen };
}

function isOffered({ kind }: Action, actions: ActionSet): boolean {
  return kind === 'finish' || actions === 'all' || (kind === 'call') === (actions === 'tools');
}

function refusal({ kind }: Action, actions: ActionSet): StepOutcome {
  const offered = actions === 'tools' ? 'Only tool calls are offered' : 'Only actions on the screen are offered';
  return { applied: false, problem: { code: 'not-offered', message: `${offered} in this run, not ${kind}.` } };
}

function withRole(outcome: StepOutcome, role: string | undefined): StepOutcome {
  return role === undefined ? outcome : { ...outcome, role };
}

function nothingOffered(id: string, lack: string, expected: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `The environment "${id}" ${lack}, so agents would have nothing to do.`,
    expected: `Expected --actions ${expected}.`,
  });
}

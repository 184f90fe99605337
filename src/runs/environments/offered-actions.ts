import type { Action } from '../../core/action.ts';
import { after, type Environment, type Guide } from '../../core/contracts.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { StepOutcome } from '../../core/records.ts';
import { wrapStateEnvironment } from '../../core/wrap-environment.ts';
import { withRole, wrapStateSession, type AnySession } from '../../core/wrap-session.ts';

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
  return wrapStateEnvironment(environment, { ...offered, opened: session => restrict(session, actions) });
}

function restrict(session: AnySession, actions: ActionSet): AnySession {
  return wrapStateSession<AnySession>(session, {
    step: take => action => (isOffered(action, actions) ? take(action) : withRole(session, refusal(action, actions))),
    candidates: list => () => after(list(), found => found.filter(({ action }) => isOffered(action, actions))),
    guide: ask => (actions === 'screen' ? () => guideOnScreen(ask()) : ask),
    forked: fork => restrict(fork, actions),
  });
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

function nothingOffered(id: string, lack: string, expected: string): EspalierError {
  return invalidOption(
    `The environment "${id}" ${lack}, so agents would have nothing to do.`,
    `Expected --set actions=${expected}.`,
  );
}

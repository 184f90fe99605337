import type { Action } from '../../core/action.ts';
import type { StateSession } from '../../core/contracts.ts';
import type { AdmissionContext } from './admission-context.ts';

/** Instances of a template on which endings are guessed. */
const guesses = 24;
/** Share of the instances for which one answer may be right, or one ending without an answer. */
const mostAlike = { answer: 0.5, ending: 0.75 };

type Finish = Extract<Action, { kind: 'finish' }>;

/**
 * No ending can be guessed. One that is given at once, whatever it is, passes no instance; and no single ending is the
 * right one for too many of them, so that who has looked must also read.
 */
export function guessingFails({ environment, template, tasks }: AdmissionContext): string | null {
  const isToChange = tasks.every(task => rightEnding(environment.open(task)) === null);
  if (isToChange) return null;
  const sessions = Array.from({ length: guesses }, (_, index) =>
    environment.open(environment.task(template, index + 1)),
  );
  const right = new Map<string, number>();
  for (const session of sessions) {
    const ending = rightEnding(session);
    if (ending !== null) right.set(ending, (right.get(ending) ?? 0) + 1);
  }
  for (const ending of new Set(['{"kind":"finish"}', '{"kind":"finish","infeasible":true}', ...right.keys()])) {
    const passed = sessions.filter(session => passesAtOnce(session, ending)).length;
    if (passed > 0) {
      return `${inWords(ending)} as the first step passes ${passed} of ${guesses} instances; let "shown" say which later screen has the evidence for it`;
    }
  }
  for (const [ending, count] of right) {
    const isAnswer = 'answer' in (JSON.parse(ending) as Finish);
    if (count <= guesses * mostAlike[isAnswer ? 'answer' : 'ending']) continue;
    return `${inWords(ending)} is right for ${count} of ${guesses} instances; ${isAnswer ? 'vary the answer' : 'make about half of them feasible with "isTwin"'}`;
  }
  return null;
}

/** The ending that passes without a change, as JSON; null when the task is to change something. */
function rightEnding(session: StateSession): string | null {
  const { finish, unmetChecks } = session.guide();
  return session.task.kind === 'infeasible' || unmetChecks === 0 ? JSON.stringify(finish) : null;
}

function passesAtOnce(session: StateSession, ending: string): boolean {
  const fork = session.fork();
  fork.step(JSON.parse(ending) as Finish);
  return fork.verify().pass;
}

function inWords(ending: string): string {
  const { answer, infeasible } = JSON.parse(ending) as Finish;
  if (infeasible === true) return '"finish infeasible"';
  return answer === undefined ? '"finish"' : `"finish" with the answer ${JSON.stringify(answer)}`;
}

import { actionKey, type Action } from '../core/action.ts';
import type { Session } from '../core/contracts.ts';
import type { Review, SearchingPolicy, SearchingTeacher } from '../core/episode/agents.ts';
import { EspalierError } from '../core/errors.ts';

/** Walks the solution that a task was made with: demonstrations without a model and without a search. */
export function createOraclePolicy(): SearchingPolicy {
  const remaining = createRemaining();
  return {
    name: 'oracle',
    privileged: true,
    needs: 'forks',
    patient: true,
    async act({ path }, session) {
      const steps = await solutionOf(session);
      const isOnTheWay = path.every(({ action }, at) => isSame(action, steps[at]));
      const next = isOnTheWay ? steps[path.length] : (await remaining(session))?.[0];
      return { action: next ?? { kind: 'finish', infeasible: true } };
    },
  };
}

/**
 * Reviews by forks: how many of the last steps of the solution still pass from a state is how far away the goal is. Rejects the first
 * step after which it is farther away or out of reach, and corrects with the next step of what is left.
 */
export function createOracleTeacher(): SearchingTeacher {
  const remaining = createRemaining();
  return {
    name: 'oracle',
    privileged: true,
    needs: 'forks',
    patient: true,
    async review({ steps, path, verdict }, sessions): Promise<Review> {
      if (verdict?.pass === true) return { accept: true };
      const start = await sessions.at(0);
      let before = (await remaining(start))?.length ?? null;
      for (const [at, { action, applied }] of steps.entries()) {
        const reject = (reason: string): Review => ({ accept: false, at, reason });
        if (action.kind === 'finish') return reject('the task is not done');
        if (!applied) return reject('it was refused');
        const after = (await remaining(await sessions.at(at + 1)))?.length ?? null;
        if (before !== null && after === null) return reject('the solution does not pass any more after it');
        if (before !== null && after !== null && after > before) return reject('the goal is farther away after it');
        if (after !== null && after > start.task.budget.steps - (path.length + at + 1))
          return reject('too few steps are left for the goal after it');
        before = after;
      }
      return { accept: true };
    },
    async correct(_request, session) {
      return { action: (await remaining(session))?.[0] ?? null };
    },
  };
}

/** The fewest last steps of the solution that pass from the state of a session; null when not even all of them do. */
type Remaining = (session: Session) => Promise<readonly Action[] | null>;

function createRemaining(): Remaining {
  const known = new Map<string, readonly Action[] | null>();
  return async session => {
    const digest = await session.digest();
    const before = known.get(digest);
    if (before !== undefined) return before;
    const found = await shortestRest(session, await solutionOf(session));
    known.set(digest, found);
    return found;
  };
}

async function shortestRest(session: Session, steps: readonly Action[]): Promise<readonly Action[] | null> {
  for (let from = steps.length - 1; from >= 0; from--) {
    const rest = steps.slice(from);
    if (await passes(session, rest)) return rest;
  }
  return null;
}

async function passes(session: Session, steps: readonly Action[]): Promise<boolean> {
  const fork = await session.fork?.({ unchecked: true });
  if (fork === undefined) throw noSolution(session.task.id);
  try {
    for (const step of steps) if (!(await fork.step(step)).applied) return false;
    return (await fork.verify()).pass;
  } finally {
    await fork.close();
  }
}

function isSame(one: Action, other: Action | undefined): boolean {
  return other !== undefined && actionKey(one) === actionKey(other);
}

async function solutionOf(session: Session): Promise<readonly Action[]> {
  const steps = await session.solution?.();
  if (steps === undefined) throw noSolution(session.task.id);
  return steps;
}

function noSolution(task: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `Task ${task} does not come with a solution that an oracle could walk.`,
    expected: 'Expected an environment such as terminal:files, or --teacher planner.',
  });
}

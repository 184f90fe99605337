import { actionKey, type Action } from '../../core/action.ts';
import type { Planner, StateSession } from '../../core/contracts.ts';
import type { BranchStates, PrivilegedPolicy, PrivilegedTeacher, Review, Segment } from '../../core/episode/agents.ts';
import { whyNoPlan } from '../../core/no-plan.ts';
import type { Random } from '../../core/random.ts';

export interface PlannerTeacherOptions {
  readonly planner: Planner;
  /** Share of its answers that are wrong: reviews turned around, corrections drawn at random. 0 is an exact teacher. */
  readonly errorRate?: number;
  /** Rejects steps that are neutral as well: every step must bring the goal nearer. */
  readonly strict?: boolean;
}

/** A teacher that knows the way: a step is harmful when the goal is farther away after it, or out of reach. */
export function createPlannerTeacher(options: PlannerTeacherOptions): PrivilegedTeacher {
  const { planner, errorRate = 0, strict = false } = options;
  return {
    name: nameOf(strict ? 'strict planner' : 'planner', errorRate),
    privileged: true,
    review(segment, states) {
      const right = judged(segment, { planner, states, strict });
      return segment.random.chance(errorRate) ? mistaken(right, segment) : right;
    },
    correct({ view }, session) {
      return { action: view.random.chance(errorRate) ? anyAction(session, view.random) : planner.nextAction(session) };
    },
  };
}

/** The planner as a policy: the demonstrations that imitation learns from, and the ceiling that students are held against. */
export function createPlannerPolicy(planner: Planner, errorRate = 0): PrivilegedPolicy {
  return {
    name: nameOf('planner', errorRate),
    privileged: true,
    act({ random }, session) {
      if (errorRate > 0 && random.chance(errorRate)) return { action: anyAction(session, random) };
      const action = planner.nextAction(session);
      if (action !== null) return { action };
      const plan = planner.plan(session);
      return {
        action,
        ...(plan.outcome === 'solved' ? {} : { problem: `the planner found no way: ${whyNoPlan(plan)}` }),
      };
    },
  };
}

function nameOf(planner: string, errorRate: number): string {
  return errorRate === 0 ? planner : `${planner} with ${100 * errorRate} % errors`;
}

interface Judging {
  readonly planner: Planner;
  readonly states: BranchStates;
  readonly strict: boolean;
}

/** The first harmful step of a branch, if it has one. A branch that the verifier passed has none. */
function judged(segment: Segment, { planner, states, strict }: Judging): Review {
  const { steps, visited, path, end, verdict } = segment;
  if (verdict?.pass === true && !strict) return { accept: true };
  const seen = new Set(visited);
  let left = planner.costToGo(states.at(0));
  for (const [at, step] of steps.entries()) {
    seen.add(step.before);
    if (step.action.kind === 'finish') {
      if (verdict?.pass === true) return { accept: true };
      return { accept: false, at, reason: endedTooSoon(states.at(at)) };
    }
    const after = steps[at + 1]?.before ?? end;
    const state = states.at(at + 1);
    if (!step.applied) {
      if (isWorthRepeating(step.action, state, planner)) continue;
      return { accept: false, at, reason: 'it was refused' };
    }
    if (seen.has(after)) return { accept: false, at, reason: 'it leads back to where it was before' };
    if (!state.guide().clean) return { accept: false, at, reason: 'it changes something that the task does not allow' };
    const now = planner.costToGo(state);
    if (now === null) return { accept: false, at, reason: 'no way to the goal was found after it' };
    if (left !== null && now > left) return { accept: false, at, reason: 'the goal is farther away after it' };
    if (strict && left !== null && now === left)
      return { accept: false, at, reason: 'it does not bring the goal nearer' };
    // A neutral step is harmful once it costs a step that the goal needs.
    if (now > state.task.budget.steps - (path.length + at + 1))
      return { accept: false, at, reason: 'too few steps are left for the goal after it' };
    left = now;
  }
  return { accept: true };
}

/** Whether a contract only asked about a refused step, and the way to the goal takes it again. */
function isWorthRepeating(action: Action, state: StateSession, planner: Planner): boolean {
  const next = planner.nextAction(state);
  return next !== null && actionKey(next) === actionKey(action) && state.fork().step(action).applied;
}

/** Why a finish here does not pass: something is left to do, or the evidence for it was never seen. */
function endedTooSoon(session: StateSession): string {
  const { unmet, unmetChecks } = session.guide();
  const done = session.task.kind === 'infeasible' || unmetChecks === 0;
  return done && unmet > 0 ? 'it was not looked up whether there is anything to do' : 'the task is not done';
}

function mistaken(right: Review, { steps, random }: Segment): Review {
  if (!right.accept) return { accept: true };
  return { accept: false, at: random.between(0, steps.length - 1), reason: 'it looks wrong' };
}

function anyAction(session: StateSession, random: Random): Action {
  return random.pick([...session.candidates().map(({ action }) => action), { kind: 'finish' } as const]);
}

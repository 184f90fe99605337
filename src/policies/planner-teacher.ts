import type { Action } from '../core/action.ts';
import type { Planner, StateSession } from '../core/contracts.ts';
import type { BranchStates, PrivilegedPolicy, PrivilegedTeacher, Review, Segment } from '../core/episode/agents.ts';
import type { Random } from '../core/random.ts';
import { stepsToEvidence } from './planner-evidence.ts';

export interface PlannerTeacherOptions {
  readonly planner: Planner;
  /** Share of its answers that are wrong: reviews turned around, corrections drawn at random. 0 is an exact teacher. */
  readonly errorRate?: number;
}

/** A teacher that knows the way: a step is harmful when the goal is not nearer after it, or no way to it is found. */
export function createPlannerTeacher({ planner, errorRate = 0 }: PlannerTeacherOptions): PrivilegedTeacher {
  return {
    name: errorRate === 0 ? 'planner' : `planner with ${100 * errorRate} % errors`,
    privileged: true,
    review(segment, states) {
      const right = judged(planner, segment, states);
      return segment.random.chance(errorRate) ? mistaken(right, segment) : right;
    },
    correct({ view }, session) {
      return { action: view.random.chance(errorRate) ? anyAction(session, view.random) : nextAction(planner, session) };
    },
  };
}

/** The planner as a policy: the demonstrations that imitation learns from, and the ceiling that students are held against. */
export function createPlannerPolicy(planner: Planner): PrivilegedPolicy {
  return { name: 'planner', privileged: true, act: (_view, session) => ({ action: nextAction(planner, session) }) };
}

/** The first harmful step of a branch, if it has one. */
function judged(planner: Planner, segment: Segment, states: BranchStates): Review {
  const { steps, visited, end, verdict } = segment;
  const seen = new Set(visited);
  let left = stepsLeft(planner, states.at(0));
  for (const [at, step] of steps.entries()) {
    seen.add(step.before);
    if (step.action.kind === 'finish') {
      if (verdict?.pass !== true) return { accept: false, at, reason: 'the task is not done' };
      return left === 1
        ? { accept: true }
        : { accept: false, at, reason: 'it was not looked up whether there is anything to do' };
    }
    const after = steps[at + 1]?.before ?? end;
    const state = states.at(at + 1);
    if (!step.applied) return { accept: false, at, reason: 'it was refused' };
    if (seen.has(after)) return { accept: false, at, reason: 'it leads back to where it was before' };
    if (!state.guide().clean) return { accept: false, at, reason: 'it changes something that the task does not allow' };
    const now = stepsLeft(planner, state);
    if (now === null) return { accept: false, at, reason: 'no way to the goal was found after it' };
    if (left !== null && now > left) return { accept: false, at, reason: 'the goal is farther away after it' };
    if (left !== null && now === left) return { accept: false, at, reason: 'it does not bring the goal nearer' };
    left = now;
  }
  return { accept: true };
}

/** Steps to a passing finish. Where there is nothing to do, one has to see that first. */
function stepsLeft(planner: Planner, session: StateSession): number | null {
  const { kind } = session.task;
  if (kind === 'infeasible') return session.guide().clean ? stepsToEvidence(session).length + 1 : null;
  const left = planner.costToGo(session);
  return kind === 'already-done' && left === 1 ? stepsToEvidence(session).length + 1 : left;
}

function nextAction(planner: Planner, session: StateSession): Action | null {
  const { kind } = session.task;
  if (kind === 'infeasible') return stepsToEvidence(session)[0] ?? { kind: 'finish', infeasible: true };
  const next = planner.nextAction(session);
  return kind === 'already-done' && next?.kind === 'finish' ? (stepsToEvidence(session)[0] ?? next) : next;
}

function mistaken(right: Review, { steps, random }: Segment): Review {
  if (!right.accept) return { accept: true };
  return { accept: false, at: random.between(0, steps.length - 1), reason: 'it looks wrong' };
}

function anyAction(session: StateSession, random: Random): Action {
  return random.pick([...session.candidates().map(({ action }) => action), { kind: 'finish' } as const]);
}

import type { Action } from '../../core/action.ts';
import { ownChecks } from '../../core/check-ids.ts';
import { diff } from '../../core/diff.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { cameAndWent, wentAndCame } from '../../core/no-plan.ts';
import { covers, isOnScreen, parsePath, type Segments } from '../../core/path.ts';
import type { CheckResult, Ending, Verdict } from '../../core/records.ts';
import { bitsIn, type Evidence } from './evidence.ts';
import { guarded } from './guarded.ts';
import { createFollower, type FollowChanges, type HiddenChanges } from './hidden-changes.ts';
import { sameAnswer } from './same-answer.ts';
import type { Check, Goal } from '../app/template.ts';

/** The state that an episode has reached, and what was changed on the way that it does not show. */
interface Reached<S extends JsonObject> {
  readonly state: S;
  readonly hidden: HiddenChanges;
  /** What was seen on the way of the evidence for the ending, a bit for each part. */
  readonly seen: number;
}

/** What is left to do. */
interface Unmet {
  /** How many of the asked-for goals are not met, evidence that was not seen included. */
  readonly unmet: number;
  /** How many of the checks do not hold, whatever the right ending is. */
  readonly unmetChecks: number;
}

/** The verifier of one task: pure functions of the initial state, what was reached and the ending. */
export interface Judge<S extends JsonObject> {
  verdict(reached: Reached<S>, ending: Ending | null): Verdict;
  /** Changed paths that the task does not allow. */
  sideEffects(reached: Reached<S>): readonly string[];
  /** What is hidden after a step. */
  readonly follow: FollowChanges;
  unmet(reached: Reached<S>): Unmet;
  /** What must have been seen before the ending; null when nothing must. */
  readonly evidence: Evidence<S> | null;
  readonly allow: readonly string[];
  readonly finish: Action;
}

export interface JudgeOptions<S extends JsonObject> {
  readonly goal: Goal<S>;
  readonly initial: S;
  readonly incidental: readonly string[];
  readonly undoable: readonly string[];
  /** What must have been seen before the ending; null when nothing must. */
  readonly evidence: Evidence<S> | null;
}

export function createJudge<S extends JsonObject>(options: JudgeOptions<S>): Judge<S> {
  const { goal, initial, incidental, evidence } = options;
  const { kind, answer, checks } = goal;
  const allowed: readonly Segments[] = (kind === 'feasible' ? goal.allow : []).map(parsePath);
  const passing = incidental.map(parsePath);
  const holds = (check: Check<S>, state: S): boolean =>
    guarded(`The check "${check.name}"`, () => check.test(state, initial)) === true;
  const sideEffects = ({ state, hidden }: Reached<S>): readonly string[] => {
    const paths = hidden.erased.map(path => `${path} ${isIn(initial, path) ? wentAndCame : cameAndWent}`);
    for (const { path, op } of diff(initial, state)) {
      // Whatever the task, the screen may change.
      if (isOnScreen(path)) continue;
      const segments = parsePath(path);
      const isCovered = (patterns: readonly Segments[]): boolean =>
        patterns.some(pattern => covers(pattern, segments, op === 'add'));
      const isLook = isCovered(passing) && !hidden.commanded.some(other => isWithin(path, other));
      if (!isLook && !isCovered(allowed)) paths.push(path);
    }
    return paths;
  };
  const unseen = (seen: number): number => Math.max(0, (evidence?.parts ?? 0) - bitsIn(seen));
  const looked = (seen: number): CheckResult[] =>
    evidence === null
      ? []
      : [{ id: 'looked-up', name: lookedUp[answer === null ? kind : 'question'], pass: unseen(seen) === 0 }];
  const results = ({ state, seen }: Reached<S>, ending: Ending | null): CheckResult[] => {
    if (kind === 'infeasible') {
      return [{ ...ownChecks.reportedInfeasible, pass: ending?.infeasible === true }, ...looked(seen)];
    }
    const list = [...checks.map(check => resultOf(check, holds(check, state))), ...looked(seen)];
    if (answer !== null) list.push({ ...ownChecks.answer, pass: sameAnswer(ending?.answer ?? null, answer) });
    if (kind === 'already-done') list.push({ ...ownChecks.finished, pass: ending !== null });
    if (ending?.infeasible === true) list.push({ ...ownChecks.notGivenUp, pass: false });
    return list;
  };

  return {
    allow: goal.allow,
    finish: finishOf(goal),
    evidence,
    sideEffects,
    follow: createFollower(options),
    unmet({ state, seen }) {
      const unmetChecks = checks.filter(check => !holds(check, state)).length;
      return { unmet: (kind === 'infeasible' ? 0 : unmetChecks) + unseen(seen), unmetChecks };
    },
    verdict(reached, ending) {
      const list = results(reached, ending);
      const strayed = sideEffects(reached);
      const passed = list.filter(check => check.pass).length;
      return {
        pass: passed === list.length && strayed.length === 0,
        checks: list,
        progress: progressOf(list, kind === 'infeasible' ? [] : checks),
        clean: strayed.length === 0,
        evidence: { sideEffects: strayed, answer: ending?.answer ?? null },
      };
    },
  };
}

/** The share of the checks that hold, each by its weight; those of the platform weigh 1. */
function progressOf<S extends JsonObject>(list: readonly CheckResult[], checks: readonly Check<S>[]): number {
  const weights = list.map((_, at) => checks[at]?.weight ?? 1);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return all === 0 ? 0 : weights.reduce((sum, weight, at) => sum + (list[at]?.pass === true ? weight : 0), 0) / all;
}

/** Whether there is a record at a path. */
function isIn(state: Json, path: string): boolean {
  let place: Json | undefined = state;
  for (const segment of parsePath(path)) {
    if (Array.isArray(place))
      place = (place as readonly Json[]).find(item => isJsonObject(item) && item['id'] === segment);
    else place = isJsonObject(place) ? place[segment] : undefined;
  }
  return place !== undefined;
}

function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`) || other.startsWith(`${path}/`);
}

function resultOf<S extends JsonObject>({ id, name }: Check<S>, pass: boolean): CheckResult {
  return id === undefined ? { name, pass } : { id, name, pass };
}

/** How the check is called that the evidence was seen. */
const lookedUp = {
  question: 'the answer was looked up',
  'already-done': 'it was looked up that this is done',
  infeasible: 'it was looked up that this cannot be done',
  feasible: 'it was looked up',
} as const;

/** The ending that passes once everything else is right. */
function finishOf<S extends JsonObject>({ kind, answer }: Goal<S>): Action {
  if (kind === 'infeasible') return { kind: 'finish', infeasible: true };
  return answer === null ? { kind: 'finish' } : { kind: 'finish', answer };
}

import type { Action } from '../../../core/action.ts';
import type { StateEnvironment, StateSession } from '../../../core/contracts.ts';
import { diff } from '../../../core/diff.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isOnScreen } from '../../../core/path.ts';
import { createRandom, type Random } from '../../../core/random.ts';
import type { Task, Verdict } from '../../../core/records.ts';
import type { Call, CallSampler, Situation } from './call-sampler.ts';
import { differences, type Difference, type Expected } from './difference.ts';
import { solutionOf, type Solution } from './gold-calls.ts';

/** A run that the verifier passes although it did something that the task does not ask for. */
export interface WrongPass extends Difference {
  readonly task: string;
  /** The shortest such run that was found. */
  readonly actions: readonly Action[];
}

export interface WrongPassSearch {
  readonly environment: StateEnvironment;
  readonly task: Task;
  /** A run that solves the task. */
  readonly actions: readonly Action[];
  readonly sampler: CallSampler;
  /** Runs to try. */
  readonly tries: number;
}

/** How many calls a run may have more than the solution. */
const mostExtra = 6;
const mostParents = 60;

/**
 * Looks for wrong runs that pass: varies a solution by calls put in, altered and left out. Runs that reach a new kind of
 * state are varied further, whether they pass or not, so that a trace can be left and then covered up.
 */
export function findWrongPasses(search: WrongPassSearch): WrongPass[] {
  const { environment, task, tries } = search;
  const solution = solutionOf(environment, task, search.actions);
  const random = createRandom(`wrong pass ${task.id}`);
  const runner = createRunner(search, solution);
  const found = new Map<string, WrongPass>();
  const parents: (readonly Action[])[] = [solution.actions];
  const seen = new Set<string>();
  for (let attempt = 0; attempt < tries; attempt++) {
    const parent = random.chance(0.3) ? solution.actions : random.pick(parents);
    const run = runner.vary(parent, random);
    if (run === null) continue;
    for (const difference of runner.wrong(run)) {
      if (found.has(difference.pattern)) continue;
      const actions = shortened(run.actions, solution.fixed, shorter =>
        runner.wrong(runner.replay(shorter)).some(({ pattern }) => pattern === difference.pattern),
      );
      found.set(difference.pattern, { ...difference, task: task.id, actions });
    }
    const kind = runner.kindOf(run);
    if (seen.has(kind) || run.actions.length >= solution.actions.length + mostExtra) continue;
    seen.add(kind);
    parents.push(run.actions);
    if (parents.length > mostParents) parents.splice(1, 1);
  }
  return [...found.values()];
}

interface Run {
  readonly actions: readonly Action[];
  readonly final: Json;
  readonly verdict: Verdict;
}

interface Runner {
  /** A run like another but for one call; null when the app refuses the call, or nothing comes of it. */
  vary(parent: readonly Action[], random: Random): Run | null;
  replay(actions: readonly Action[]): Run;
  /** In what a run that passes differs from the solution; nothing when it does not pass. */
  wrong(run: Run): Difference[];
  /** What kinds of places a run has changed. */
  kindOf(run: Run): string;
}

function createRunner({ environment, task, sampler }: WrongPassSearch, solution: Solution): Runner {
  const { initial, allow, incidental } = environment.verifier(task);
  const root = environment.open(task);
  const walk = (session: StateSession, actions: readonly Action[]): Action[] =>
    actions.filter(action => session.step(action).applied);
  const ended = (session: StateSession, actions: readonly Action[]): Run => {
    session.step(solution.finish);
    return { actions, final: session.state(), verdict: session.verify() };
  };
  const replay = (actions: readonly Action[]): Run => {
    const session = root.fork();
    return ended(session, walk(session, actions));
  };
  const expected: Expected = { initial, gold: replay(solution.actions).final, allow, incidental };
  return {
    replay,
    vary(parent, random) {
      const at = random.between(solution.fixed, parent.length);
      const session = root.fork();
      const before = walk(session, parent.slice(0, at));
      const state = session.state() as JsonObject;
      const situation: Situation = { state, initial: initial as JsonObject, parameters: task.parameters, random };
      const own = parent[at];
      const [call, rest] = own?.kind === 'call' ? varied(own, parent.slice(at), { sampler, situation }) : [null, []];
      const put = call ?? sampler.any(situation);
      if (!isAccepted(session, put, sampler)) return null;
      return ended(session, [...before, put, ...walk(session, rest)]);
    },
    wrong: ({ final, verdict }) => (verdict.pass ? differences(expected, final) : []),
    kindOf({ final, verdict: { checks, evidence } }) {
      const met = checks.filter(({ pass }) => pass).length;
      return [met, ...kindsOfChange(initial, final), ...evidence.sideEffects.map(withoutIds)].join('\n');
    },
  };
}

/** The call that comes here altered, or null for another one put before it; and what follows. */
function varied(
  own: Call,
  rest: readonly Action[],
  { sampler, situation }: { sampler: CallSampler; situation: Situation },
): [Call | null, readonly Action[]] {
  const isAltered = situation.random.chance(0.35);
  return isAltered ? [sampler.altered(own, situation), rest.slice(1)] : [null, rest];
}

function isAccepted(session: StateSession, call: Call, sampler: CallSampler): boolean {
  const before = session.state();
  const { applied } = session.step(call);
  const isChanged = applied && dataOf(before).some(([key, value]) => value !== (session.state() as JsonObject)[key]);
  sampler.learn(call, isChanged ? 'changed' : applied ? 'nothing' : 'refused');
  return isChanged;
}

function dataOf(state: Json): [string, Json][] {
  return Object.entries(state as JsonObject).filter(([key]) => key !== 'ui');
}

function kindsOfChange(initial: Json, final: Json): string[] {
  const kinds = diff(initial, final).filter(({ path }) => !isOnScreen(path));
  return [...new Set(kinds.map(({ op, path }) => `${op} ${withoutIds(path)}`))].toSorted();
}

function withoutIds(path: string): string {
  return path.replaceAll(/\/[^/]*\d[^/]*/g, '/*');
}

/** Leaves out actions while the run stays wrong in the same place. */
function shortened(
  actions: readonly Action[],
  fixed: number,
  isWrong: (actions: readonly Action[]) => boolean,
): readonly Action[] {
  let shortest = actions;
  for (let at = actions.length - 1; at >= fixed; at--) {
    const shorter = shortest.toSpliced(at, 1);
    if (isWrong(shorter)) shortest = shorter;
  }
  return shortest;
}

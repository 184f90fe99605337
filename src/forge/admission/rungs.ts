import type { Action } from '../../core/action.ts';
import { diff } from '../../core/diff.ts';
import { scalars } from '../../core/json.ts';
import { stateMutants, type Mutant } from '../../core/mutate.ts';
import { isOnScreen, parsePath } from '../../core/path.ts';
import { createRandom } from '../../core/random.ts';
import type { Ending, Task } from '../../core/records.ts';
import { standsIn } from '../../core/text.ts';
import { after, type StateEnvironment, type StateSession } from '../../core/contracts.ts';
import { whyNoPlan } from '../../core/no-plan.ts';
import { wrapStateSession } from '../../core/wrap-session.ts';
import type { AdmissionContext, Rejection, Rung, Solved } from './admission-context.ts';
import { guessingFails } from './guessing.ts';
import { noWrongPass } from './wrong-pass/rung.ts';

/** Share of varied instances on which a recorded script may pass by luck. */
const replayTolerance = 0.2;
/** A random walk that passes more often than this makes the task worthless. */
const luckCeiling = 0.2;
const solvedFloor = 0.9;
const alikeAbove = 0.7;
const searchesInVain = 2;

/** The admission ladder, from the cheapest question to the dearest. */
export const rungs: readonly Rung[] = [
  { name: 'parses', law: 'LAD-1', check: parses },
  { name: 'deterministic', law: 'LAD-2', check: deterministic },
  { name: 'initial state fails', law: 'LAD-3', check: initialFails },
  { name: 'gold run passes', law: 'LAD-4', check: goldPasses },
  { name: 'guessing fails', law: 'LAD-12', check: guessingFails },
  { name: 'nearly-right states fail', law: 'LAD-5', check: mutantsFail },
  { name: 'blind replay fails', law: 'LAD-6', check: replayFails },
  { name: 'random walk fails', law: 'LAD-7', check: inBand },
  { name: 'not a duplicate', law: 'LAD-8', check: distinct },
  { name: 'no wrong run passes', law: 'LAD-10', check: noWrongPass },
];

function parses({ environment, template, seeds, tasks }: AdmissionContext): string | null {
  for (const seed of seeds) {
    const task = environment.task(template, seed);
    const session = environment.open(task);
    session.observe();
    session.guide();
    tasks.push(task);
  }
  return null;
}

function deterministic({ environment, template, tasks }: AdmissionContext): string | null {
  for (const task of tasks) {
    if (JSON.stringify(environment.task(template, task.seed)) !== JSON.stringify(task)) {
      return `seed ${task.seed} gave two different tasks`;
    }
    const [left, right] = [environment.open(task), environment.open(task)];
    if (left.digest() !== right.digest()) return `seed ${task.seed} gave two different initial states`;
  }
  return null;
}

function initialFails({ environment, tasks }: AdmissionContext): string | null {
  for (const task of tasks) {
    const session = environment.open(task);
    const { unmet, unmetChecks } = session.guide();
    // Beside what the template checks: that it was finished and, where that is not seen yet, looked up.
    const own = session.verify().checks.length - 1 - Math.min(1, unmet - unmetChecks);
    if (task.kind === 'already-done' && own === 0) {
      return `seed ${task.seed} is flagged already-done, but has no checks that say what is done`;
    }
    if (task.kind === 'already-done' && unmetChecks > 0)
      return `seed ${task.seed} is flagged already-done, but its goals are not met`;
    if (task.kind !== 'already-done' && session.verify().pass) return `the initial state of seed ${task.seed} passes`;
    session.step({ kind: 'finish' });
    if (task.kind !== 'already-done' && session.verify().pass) return `doing nothing passes on seed ${task.seed}`;
  }
  return null;
}

function goldPasses(context: AdmissionContext): string | null {
  const failures: string[] = [];
  for (const task of context.tasks) {
    const reason = impossibleAfterAll(context, task) ?? goldRun(context, task, failures.length === 0);
    if (reason !== null) failures.push(`seed ${task.seed}: ${reason}`);
  }
  return context.tasks.length - failures.length >= solvedFloor * context.tasks.length
    ? null
    : failures.slice(0, 3).join('; ');
}

function goldRun({ environment, planner, solved }: AdmissionContext, task: Task, isExplained: boolean): string | null {
  const session = environment.open(task);
  const plan = planner.plan(session);
  if (plan.outcome !== 'solved') return whyNoPlan({ ...(isExplained ? planner.obstacles?.(session) : {}), ...plan });
  if (plan.cost > task.budget.steps) return `${plan.cost} steps, more than the budget of ${task.budget.steps}`;
  const { unmet, unmetChecks } = session.guide();
  const screens = plan.actions.map(action => {
    session.step(action);
    return session.observe().text;
  });
  const { answer } = endingOf(plan.actions);
  const problem = answer === null ? null : unreadable(answer, { task, screens, parts: unmet - unmetChecks });
  if (problem !== null) return problem;
  const { pass, checks, evidence } = session.verify();
  if (!pass) return `the planned run does not verify: ${JSON.stringify({ checks, evidence })}`;
  solved.push({ task, actions: plan.actions, final: session.state() });
  return null;
}

/** A number, with its currency or unit: it may be worked out. */
const quantity = /^[€$£]?\s?-?\d[\d.,]*\s?(?:[€$£%]|[a-z]+)?$/i;

interface Reading {
  readonly task: Task;
  /** What the gold run saw, in order. */
  readonly screens: readonly string[];
  /** How many things have to be seen. */
  readonly parts: number;
}

/**
 * Why nobody can tell the answer; null when it can be told. One thing to see must show it. Who counts works it out from
 * several screens, and who compares chooses among what the instruction names.
 */
function unreadable(answer: string, { task, screens, parts }: Reading): string | null {
  const says = (text: string): boolean => standsIn(text.toLowerCase(), answer.toLowerCase());
  if (parts < 2) {
    const last = screens.at(-1) ?? '';
    return says(last) ? null : `the answer ${JSON.stringify(answer)} is not on the screen where "shown" says it is`;
  }
  if (quantity.test(answer) || says(task.instruction) || screens.some(says)) return null;
  return `the answer ${JSON.stringify(answer)} is on none of the screens that have to be seen, nor in the instruction`;
}

/** Says when a task that is flagged infeasible can be done all the same. */
function impossibleAfterAll({ environment, planner, tasks }: AdmissionContext, task: Task): string | null {
  const infeasible = tasks.filter(({ kind }) => kind === 'infeasible');
  // A search that finds nothing uses up its whole budget: a few instances have to do.
  const index = infeasible.indexOf(task);
  if (index < 0 || index >= searchesInVain) return null;
  const { outcome } = planner.plan(asIfFeasible(environment.open(task)));
  return outcome === 'solved' ? 'flagged infeasible, but a plan was found' : null;
}

/** The same session with another goal: that the checks hold, whatever the right ending is. */
function asIfFeasible(session: StateSession): StateSession {
  return wrapStateSession(session, {
    // The planner remembers ways by the seal of the task: these lead elsewhere.
    task: task => ({ ...task, seal: `${task.seal} as if feasible` }),
    guide: ask => () => {
      const guide = ask();
      return { ...guide, unmet: guide.unmetChecks, finish: { kind: 'finish' } };
    },
    verify: ask => () => {
      const { unmetChecks, clean } = session.guide();
      return after(ask(), verdict => ({ ...verdict, pass: unmetChecks === 0 && clean }));
    },
    forked: asIfFeasible,
  });
}

function mutantsFail(context: AdmissionContext): Rejection | null {
  for (const solved of context.solved) {
    const verifier = context.environment.verifier(solved.task);
    const ending = endingOf(solved.actions);
    const { parameters, id } = solved.task;
    const { initial, allow, incidental } = verifier;
    const random = createRandom(`mutants ${id}`);
    const mutants = stateMutants({ initial, final: solved.final, allow, incidental, parameters, random });
    for (const mutant of mutants) {
      if (verifier.verify(mutant.state, ending).pass) return survivor(solved, mutant);
    }
    const wrong = endingMutants(ending).find(mutant => verifier.verify(solved.final, mutant).pass);
    if (wrong !== undefined) return { law: 'LAD-5', detail: `${id} passes with the ending ${JSON.stringify(wrong)}` };
  }
  return null;
}

function survivor({ task }: Solved, { kind, what }: Mutant): Rejection {
  return kind === 'side-effect'
    ? { law: 'VER-4', detail: `${task.id} passes unclean: with ${what}; tighten allow` }
    : { law: 'VER-3', detail: `${task.id} passes with ${what}; check it` };
}

function endingOf(actions: readonly Action[]): Ending {
  const last = actions.at(-1);
  if (last?.kind !== 'finish') return { answer: null, infeasible: false };
  return { answer: last.answer ?? null, infeasible: last.infeasible === true };
}

function endingMutants({ answer, infeasible }: Ending): Ending[] {
  if (infeasible) return [{ answer: null, infeasible: false }];
  const gaveUp: Ending = { answer, infeasible: true };
  if (answer === null) return [gaveUp];
  return [gaveUp, { answer: null, infeasible: false }, { answer: `${answer} not`, infeasible: false }];
}

/** A script recorded on one instance is replayed on the next ones, with other labels and another order. */
function replayFails({ solved, tasks, varied }: AdmissionContext): string | null {
  const feasible = tasks.filter(({ kind }) => kind === 'feasible');
  let passes = 0;
  let tries = 0;
  for (const { actions, task } of solved.filter(({ task: { kind } }) => kind === 'feasible')) {
    for (const offset of [1, 2]) {
      const other = feasible[(feasible.indexOf(task) + offset) % feasible.length] as Task;
      if (other.seed === task.seed) continue;
      tries++;
      if (runBlind(varied(other.seed), other, actions)) passes++;
    }
  }
  const most = Math.floor(replayTolerance * tries);
  return passes <= most
    ? null
    : `a recorded script passed on ${passes} of ${tries} other instances, ${most} are allowed; have more records to choose from`;
}

function runBlind(environment: StateEnvironment, task: Task, actions: readonly Action[]): boolean {
  const session = environment.open(task);
  for (const action of actions) session.step(action);
  return session.verify().pass;
}

/** The strong solver has passed already; a weak one, walking at random, must not. */
function inBand({ environment, tasks }: AdmissionContext): string | null {
  const feasible = tasks.filter(({ kind }) => kind === 'feasible');
  if (feasible.length === 0) return null;
  const walks = 4;
  let lucky = 0;
  for (const task of feasible) {
    for (let walk = 0; walk < walks; walk++) if (walksIntoIt(environment, task, walk)) lucky++;
  }
  const rate = lucky / (feasible.length * walks);
  return rate <= luckCeiling ? null : `a random walk passes in ${Math.round(rate * 100)} % of the runs`;
}

function walksIntoIt(environment: StateEnvironment, task: Task, walk: number): boolean {
  const random = createRandom(`walk ${walk} ${task.id}`);
  const session = environment.open(task);
  for (let step = 0; step < task.budget.steps; step++) {
    const offered = session.candidates();
    if (offered.length === 0) break;
    session.step(random.pick(offered).action);
  }
  session.step({ kind: 'finish' });
  return session.verify().pass;
}

/**
 * Two templates are alike when their words are, parameters aside, and their solutions change the same kinds of places, as
 * many in a task: one that asks for three things does not ask for the same as one that asks for two.
 */
function distinct(context: AdmissionContext): string | null {
  const [words, shape] = [wordsOf(context), shapeOf(context)];
  const twin = context.others.find(
    other =>
      shapeOf(other) === shape &&
      overlap(wordsOf(other), words) > alikeAbove &&
      hasCommon(thingsAsked(other), thingsAsked(context)),
  );
  return twin === undefined ? null : `it asks for the same as "${twin.template}"`;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** Whether two ranges have a number in common. */
function hasCommon(left: Range, right: Range): boolean {
  return left.least <= right.most && right.least <= left.most;
}

/** How many places outside the screen the solution of a task changes, and how many things it has to look up. */
function thingsAsked({ environment, solved }: AdmissionContext): Range {
  const counts = solved.map(({ task, final }) => {
    const session = environment.open(task);
    const { unmet, unmetChecks } = session.guide();
    const changes = diff(session.state(), final).filter(({ path }) => !isOnScreen(path));
    return changes.length + Math.max(0, unmet - unmetChecks);
  });
  return { least: Math.min(...counts), most: Math.max(...counts) };
}

function wordsOf({ tasks }: AdmissionContext): Set<string> {
  return new Set(tasks.flatMap(task => bareWords(task)));
}

function bareWords({ instruction, parameters }: Task): string[] {
  let bare = instruction;
  for (const value of scalars(parameters)) if (value !== '') bare = bare.replaceAll(String(value), ' ');
  return bare.toLowerCase().match(/\p{L}+/gu) ?? [];
}

function shapeOf({ environment, solved, tasks }: AdmissionContext): string {
  const paths = new Set<string>(tasks.map(({ kind }) => kind));
  for (const { task, final, actions } of solved) {
    if (endingOf(actions).answer !== null) paths.add('answer');
    for (const { op, path } of diff(environment.verifier(task).initial, final)) {
      const [table, , ...rest] = parsePath(path);
      if (table !== 'ui') paths.add(`${op} ${table ?? ''} ${rest.join('/')}`);
    }
  }
  return [...paths].toSorted().join('\n');
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = [...left].filter(word => right.has(word)).length;
  return shared / (left.size + right.size - shared);
}

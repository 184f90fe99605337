import type { Awaitable, Planner, StateEnvironment } from '../../core/contracts.ts';
import { causeText } from '../../core/errors.ts';
import { scalars } from '../../core/json.ts';
import { stateMutants } from '../../core/mutate.ts';
import { whyNoPlan } from '../../core/no-plan.ts';
import { createRandom } from '../../core/random.ts';
import { textsTold, type Task } from '../../core/records.ts';
import { standsIn } from '../../core/text.ts';
import { disagreement } from './independent-check.ts';
import { planInOrder } from './plan-chain.ts';
import type { HeldOut } from './held-out.ts';
import { leakOf } from './leak.ts';
import { overlap, sketchOf, type SolvedTask, type TaskSketch } from './likeness.ts';

/** The rungs that a forged task climbs, in order, each with the rule behind it. */
export const taskRungs = {
  made: 'FORGE-4',
  deterministic: 'FORGE-4',
  'start fails': 'FORGE-4',
  'second verifier agrees': 'FORGE-5',
  solvable: 'FORGE-4',
  'nearly-right states fail': 'FORGE-4',
  'pass rate in band': 'FORGE-6',
  'new to the pool': 'FORGE-7',
  'unlike held-out templates': 'FORGE-7',
} as const;
export type TaskRung = keyof typeof taskRungs;

/** The pass rates of the student between which a task is worth training on. */
export type Band = readonly [least: number, most: number];

export interface TaskAdmissionOptions {
  readonly environment: StateEnvironment;
  readonly planner: Planner;
  /** Share of tries that the current student passes; tasks outside of the band are dropped. */
  readonly passRate?: ((task: Task) => Awaitable<number>) | undefined;
  readonly band?: Band | undefined;
  /** What held-out templates ask for: nothing like it is admitted. */
  readonly heldOut?: HeldOut;
}

export type TaskAdmission =
  | { readonly admitted: true; readonly task: Task; readonly steps: number; readonly passRate?: number }
  | { readonly admitted: false; readonly rung: TaskRung; readonly detail: string; readonly passRate?: number };

export interface TaskPool {
  /** Makes the task of a seed, and admits it or says at which rung it falls. A task that falls leaves no trace. */
  admit(template: string, seed: number): Promise<TaskAdmission>;
  readonly tasks: readonly Task[];
  /** The tasks with their solutions. */
  readonly solved: readonly SolvedTask[];
}

/** What the student passes always or never teaches it nothing. */
export const defaultBand: Band = [0.05, 0.95];
/** Two tasks whose words and values overlap more than this are taken for one. */
const sameAbove = 0.9;

interface Climb extends SolvedTask {
  readonly sketch: TaskSketch;
  readonly passRate: number | null;
}

class Fall extends Error {
  readonly rung: TaskRung;
  readonly passRate: number | null;
  constructor(rung: TaskRung, detail: string, passRate: number | null = null) {
    super(detail);
    this.rung = rung;
    this.passRate = passRate;
  }
}

/** A student that breaks says nothing about a task: the error is the caller's. */
class StudentFailed extends Error {}

async function measure({ passRate }: TaskAdmissionOptions, task: Task): Promise<number | null> {
  try {
    return (await passRate?.(task)) ?? null;
  } catch (cause) {
    throw new StudentFailed('The student failed.', { cause });
  }
}

/** A pool of forged tasks that only admits what is sound, solvable and new. */
export function createTaskPool(options: TaskAdmissionOptions): TaskPool {
  const admitted: Climb[] = [];
  return {
    get tasks() {
      return admitted.map(({ task }) => task);
    },
    get solved() {
      return admitted.map(({ task, actions, final }) => ({ task, actions, final }));
    },
    async admit(template, seed) {
      try {
        const climbed = await climb(options, { template, seed, admitted: admitted.map(({ sketch }) => sketch) });
        admitted.push(climbed);
        const { task, actions, passRate } = climbed;
        return { admitted: true, task, steps: actions.length, ...measured(passRate) };
      } catch (cause) {
        if (cause instanceof StudentFailed) throw cause.cause;
        if (!(cause instanceof Fall)) return { admitted: false, rung: 'made', detail: causeText(cause) };
        const { rung, message, passRate } = cause;
        return { admitted: false, rung, detail: message, ...measured(passRate) };
      }
    },
  };
}

function measured(passRate: number | null): { passRate?: number } {
  return passRate === null ? {} : { passRate };
}

interface Candidate {
  readonly template: string;
  readonly seed: number;
  readonly admitted: readonly TaskSketch[];
}

async function climb(options: TaskAdmissionOptions, { template, seed, admitted }: Candidate): Promise<Climb> {
  const { environment, band = defaultBand, heldOut } = options;
  const task = environment.task(template, seed);
  requireDeterministic(environment, task);
  requireUnfinished(environment, task);
  const dispute = disagreement(environment, task);
  if (dispute !== null) throw new Fall('second verifier agrees', dispute);
  const solved = solve(options, task);
  requireStrict(environment, solved);
  const rate = await measure(options, task);
  if (rate !== null && (rate < band[0] || rate > band[1])) {
    throw new Fall('pass rate in band', `the student passes it in ${Math.round(100 * rate)} % of its tries`, rate);
  }
  const sketch = sketchOf(environment, solved);
  const twin = admitted.find(other => other.shape === sketch.shape && overlap(other.terms, sketch.terms) > sameAbove);
  if (twin !== undefined) throw new Fall('new to the pool', `it asks for the same as ${twin.task.id}`, rate);
  const leak = heldOut === undefined ? null : leakOf(sketch, heldOut);
  if (leak !== null) throw new Fall('unlike held-out templates', leak, rate);
  return { ...solved, sketch, passRate: rate };
}

function requireDeterministic(environment: StateEnvironment, task: Task): void {
  const again = environment.task(task.template, task.seed);
  if (again.seal !== task.seal) throw new Fall('deterministic', `seed ${task.seed} gave two different tasks`);
  if (environment.open(task).digest() !== environment.open(again).digest())
    throw new Fall('deterministic', `seed ${task.seed} gave two different initial states`);
}

function requireUnfinished(environment: StateEnvironment, task: Task): void {
  const session = environment.open(task);
  if (session.verify().pass) throw new Fall('start fails', 'the initial state passes');
  const { finish } = session.guide();
  if (finish.kind === 'finish' && finish.answer !== undefined && givesAway(task, finish.answer))
    throw new Fall('start fails', `the answer ${JSON.stringify(finish.answer)} stands in the task`);
  for (const ending of [{ kind: 'finish' } as const, session.guide().finish]) {
    const hasty = session.fork();
    hasty.step(ending);
    if (hasty.verify().pass) throw new Fall('start fails', `${JSON.stringify(ending)} as the first step passes`);
  }
}

/** Whether a task says its answer. One that names several candidates, in `names`, asks which of them it is. */
function givesAway({ instruction, parameters }: Task, answer: string): boolean {
  const { names, ...others } = parameters;
  const isChoice = Array.isArray(names) && names.length > 1 && names.includes(answer);
  const same = (text: string): boolean => text.toLowerCase() === answer.toLowerCase();
  if (scalars(others).map(String).some(same)) return true;
  return !isChoice && standsIn(instruction.toLowerCase(), answer.toLowerCase());
}

function solve({ environment, planner }: TaskAdmissionOptions, task: Task): SolvedTask {
  const session = environment.open(task);
  const plan = planInOrder(environment, planner, task);
  if (plan.outcome !== 'solved') throw new Fall('solvable', `the planner found no way: ${whyNoPlan(plan)}`);
  if (plan.cost > task.budget.steps)
    throw new Fall('solvable', `it takes ${plan.cost} steps, more than the budget of ${task.budget.steps}`);
  for (const action of plan.actions) {
    if (action.kind === 'fill' && !textsTold(task).some(words => standsIn(words, action.text)))
      throw new Fall('solvable', `"${action.text}" has to be typed, but the instruction does not say it`);
    session.step(action);
  }
  if (!session.verify().pass) throw new Fall('solvable', 'the planned run does not verify');
  return { task, actions: plan.actions, final: session.state() };
}

function requireStrict(environment: StateEnvironment, { task, actions, final }: SolvedTask): void {
  const { verify, initial, allow, incidental } = environment.verifier(task);
  const last = actions.at(-1);
  const ending =
    last?.kind === 'finish'
      ? { answer: last.answer ?? null, infeasible: last.infeasible === true }
      : { answer: null, infeasible: false };
  const random = createRandom(`mutants ${task.id}`);
  for (const mutant of stateMutants({ initial, final, allow, incidental, parameters: task.parameters, random })) {
    if (verify(mutant.state, ending).pass) throw new Fall('nearly-right states fail', `it passes with ${mutant.what}`);
  }
}

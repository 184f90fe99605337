import type { Action } from '../../core/action.ts';
import type { Planner, StateEnvironment } from '../../core/contracts.ts';
import { causeText } from '../../core/errors.ts';
import type { Task } from '../../core/records.ts';
import type { Admission, WorldLadder } from '../../worlds/admission.ts';

export interface WorldLadderOptions extends WorldLadder {
  readonly planner: Planner;
  readonly templates: readonly string[];
  readonly seeds: number;
}

interface Trial extends WorldLadderOptions {
  readonly environment: StateEnvironment;
  readonly tasks: readonly Task[];
}

interface Rung {
  readonly name: string;
  /** Null when all is well. */
  fault(trial: Trial): string | null;
}

const law = 'WORLD-1';
const fewestTasks = 12;
const mostAlike = 0.25;

const rungs: readonly Rung[] = [
  { name: 'deterministic', fault: notDeterministic },
  { name: 'start fails', fault: startPasses },
  { name: 'sound', fault: ({ tasks, fault }) => firstFault(tasks, task => fault?.(task) ?? null) },
  { name: 'planner passes', fault: plannerFails },
  { name: 'wrong endings fail', fault: wrongEndingPasses },
  { name: 'baselines stay low', fault: baselinePasses },
  { name: 'answers differ', fault: oneAnswer },
  { name: 'tasks differ', fault: repetitive },
];

/** Sends the templates of a world without an app up a ladder of its own: each rung is cheap and names what is wrong. */
export function* admitWorld(environment: StateEnvironment, options: WorldLadderOptions): Generator<Admission> {
  for (const template of options.templates) yield admission(environment, template, options);
}

function admission(environment: StateEnvironment, template: string, options: WorldLadderOptions): Admission {
  const rejected = (rung: string, detail: string): Admission => ({ template, admitted: false, rung, law, detail });
  let tasks: readonly Task[];
  try {
    const count = Math.max(fewestTasks, options.seeds);
    tasks = Array.from({ length: count }, (_, index) => environment.task(template, index + 1));
  } catch (cause) {
    return rejected('makes tasks', causeText(cause));
  }
  for (const { name, fault } of rungs) {
    try {
      const detail = fault({ ...options, environment, tasks });
      if (detail !== null) return rejected(name, detail);
    } catch (cause) {
      return rejected(name, causeText(cause));
    }
  }
  return { template, admitted: true, rung: null, law: null, detail: `${tasks.length} tasks` };
}

function firstFault(tasks: readonly Task[], faultOf: (task: Task) => string | null): string | null {
  for (const task of tasks) {
    const fault = faultOf(task);
    if (fault !== null) return `${task.id}: ${fault}`;
  }
  return null;
}

function notDeterministic({ environment, tasks }: Trial): string | null {
  return firstFault(tasks, task =>
    environment.task(task.template, task.seed).seal === task.seal ? null : 'the same seed gave two tasks',
  );
}

function startPasses({ environment, tasks }: Trial): string | null {
  return firstFault(tasks, task => {
    const session = environment.open(task);
    if (session.verify().pass) return 'the start passes';
    session.step({ kind: 'finish', answer: '' });
    return session.verify().pass ? 'an empty answer passes' : null;
  });
}

function solved({ environment, planner }: Trial, task: Task): readonly Action[] | null {
  const plan = planner.plan(environment.open(task));
  return plan.outcome === 'solved' ? plan.actions : null;
}

function plannerFails(trial: Trial): string | null {
  return firstFault(trial.tasks, task => {
    const actions = solved(trial, task);
    if (actions === null) return 'the planner finds no way';
    if (actions.length > task.budget.steps) return `it takes ${actions.length} of ${task.budget.steps} steps`;
    const session = trial.environment.open(task);
    for (const action of actions) session.step(action);
    return session.verify().pass ? null : 'the plan does not pass';
  });
}

/** Finishing early, with another answer or with none must fail. */
function wrongEndingPasses(trial: Trial): string | null {
  return firstFault(trial.tasks, task => {
    const actions = solved(trial, task) as readonly Action[];
    const finish = actions.at(-1) as Action & { kind: 'finish' };
    const endings: readonly (readonly Action[])[] = [
      [finish],
      [...actions.slice(0, -1), { kind: 'finish', infeasible: true }],
      ...(finish.answer === undefined ? [] : [[...actions.slice(0, -1), { ...finish, answer: `${finish.answer}x` }]]),
    ];
    const passing = endings.find(ending => {
      const session = trial.environment.open(task);
      for (const action of ending) session.step(action);
      return actions.length > 1 && session.verify().pass;
    });
    return passing === undefined ? null : `a wrong ending passes: ${JSON.stringify(passing.at(-1))}`;
  });
}

function baselinePasses({ environment, tasks, baselines }: Trial): string | null {
  for (const { name, most = 0.1, play } of baselines) {
    const passed = tasks.filter(task => {
      const session = environment.open(task);
      play(session);
      return session.verify().pass;
    }).length;
    if (passed / tasks.length > most) return `"${name}" passes ${passed} of ${tasks.length} tasks`;
  }
  return null;
}

function oneAnswer(trial: Trial): string | null {
  const counts = new Map<string, number>();
  for (const task of trial.tasks) {
    const { finish } = trial.environment.open(task).guide();
    const answer = finish.kind === 'finish' ? finish.answer : undefined;
    if (answer !== undefined) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values()) / trial.tasks.length;
  return most <= mostAlike ? null : `one answer is right for ${Math.round(100 * most)} % of the tasks`;
}

function repetitive({ tasks }: Trial): string | null {
  const different = new Set(tasks.map(({ instruction, parameters }) => JSON.stringify([instruction, parameters])));
  return different.size >= tasks.length * 0.9 ? null : `there are ${different.size} different among ${tasks.length}`;
}

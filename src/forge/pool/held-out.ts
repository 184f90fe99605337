import type { Planner, StateEnvironment } from '../../core/contracts.ts';
import { EspalierError } from '../../core/errors.ts';
import { parsePath } from '../../core/path.ts';
import type { Task } from '../../core/records.ts';
import { skillOf, sketchOf, type TaskSketch } from './likeness.ts';

/** What only the held-out templates of an app ask for, so that nothing forged gives it away. */
export interface HeldOut {
  readonly sketches: readonly TaskSketch[];
  /** Skills, as `skillOf` names them, that no training template of the app needs. */
  readonly skills: ReadonlySet<string>;
  /** Commands that no training template of the app uses. */
  readonly commands: ReadonlySet<string>;
}

/** Solves tasks of all templates of an app, and tells what the held-out ones need that the others do not. */
export function studyHeldOut(environment: StateEnvironment, planner: Planner, seeds: readonly number[]): HeldOut {
  const { templates } = environment;
  if (templates.every(({ split }) => split === 'train')) {
    return { sketches: [], skills: new Set(), commands: new Set() };
  }
  const sketches = templates.flatMap(({ id }) =>
    seeds.flatMap(seed => sketchSolved(environment, planner, taskOf(environment, id, seed)) ?? []),
  );
  const [training, heldOut] = [
    sketches.filter(({ task }) => task.split === 'train'),
    sketches.filter(({ task }) => task.split !== 'train'),
  ];
  return {
    sketches: heldOut,
    skills: skillsOf(heldOut).difference(skillsOf(training)),
    commands: commandsOf(heldOut).difference(commandsOf(training)),
  };
}

const heldOutSeeds = Array.from({ length: 16 }, (_, index) => index + 1);

/** Commands that forged tasks must not give away. */
export interface HeldOutCommands {
  /** Commands that only held-out templates use. */
  readonly never: ReadonlySet<string>;
  /** Commands that training templates use together with others only, and a held-out template by itself. */
  readonly notAlone: ReadonlySet<string>;
}

/**
 * What only held-out templates use, from solved tasks of each: a template may need another command with another seed. Of the
 * training templates only those are solved that may change a table which one of the commands changed.
 */
export function heldOutCommands(
  environment: StateEnvironment,
  planner: Planner,
  seeds: readonly number[] = heldOutSeeds,
): HeldOutCommands {
  const { templates } = environment;
  const sketches = templates
    .filter(({ split }) => split !== 'train')
    .flatMap(({ id }) =>
      seeds.flatMap(seed => sketchSolved(environment, planner, taskOf(environment, id, seed)) ?? []),
    );
  const found = commandsOf(sketches);
  const alone = new Map(
    sketches.filter(({ commands }) => commands.length === 1).map(sketch => [String(sketch.commands[0]), sketch]),
  );
  for (const { id, split, kind } of templates) {
    if (split !== 'train' || kind !== 'feasible') continue;
    const task = taskOf(environment, id, 1);
    if (task === null) continue;
    const left = [
      ...sketches.filter(({ commands }) => commands.some(command => found.has(command))),
      ...alone.values(),
    ];
    const tables = new Set(left.flatMap(tablesChanged));
    if (!environment.verifier(task).allow.some(path => tables.has(parsePath(path)[0] ?? ''))) continue;
    const sketch = sketchSolved(environment, planner, task);
    if (sketch === null) continue;
    for (const command of sketch.commands) found.delete(command);
    // Who does one thing twice has learned to do it.
    if (new Set(sketch.commands).size === 1) alone.delete(String(sketch.commands[0]));
  }
  return { never: found, notAlone: new Set(alone.keys()) };
}

/** The tables in the lines of a shape, such as `replace books loan`. */
function tablesChanged({ shape }: TaskSketch): string[] {
  return shape.split('\n').flatMap(line => line.split(' ')[1] ?? []);
}

function skillsOf(sketches: readonly TaskSketch[]): Set<string> {
  return new Set(sketches.flatMap(sketch => skillOf(sketch) ?? []));
}

function commandsOf(sketches: readonly TaskSketch[]): Set<string> {
  return new Set(sketches.flatMap(({ commands }) => commands));
}

/** The task of a seed; null when the data offer none: what is not there gives nothing away. */
function taskOf(environment: StateEnvironment, template: string, seed: number): Task | null {
  try {
    return environment.task(template, seed);
  } catch (error) {
    if (error instanceof EspalierError && error.code === 'no-instance') return null;
    throw error;
  }
}

function sketchSolved(environment: StateEnvironment, planner: Planner, task: Task | null): TaskSketch | null {
  if (task === null) return null;
  const session = environment.open(task);
  const plan = planner.plan(session);
  if (plan.outcome !== 'solved') return null;
  for (const action of plan.actions) session.step(action);
  return sketchOf(environment, { task, actions: plan.actions, final: session.state() });
}

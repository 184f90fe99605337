import type { Planner, StateEnvironment } from '../../core/contracts.ts';
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
    seeds.flatMap(seed => sketchSolved(environment, planner, environment.task(id, seed)) ?? []),
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

/**
 * The commands that only held-out templates use, from one solved task of each template. Training templates are looked at
 * only as long as a command is left that none of them uses.
 */
export function heldOutCommands(environment: StateEnvironment, planner: Planner): ReadonlySet<string> {
  const used = (id: string): readonly string[] =>
    sketchSolved(environment, planner, environment.task(id, 1))?.commands ?? [];
  const { templates } = environment;
  const found = new Set(templates.filter(({ split }) => split !== 'train').flatMap(({ id }) => used(id)));
  for (const { id, split, kind } of templates) {
    if (found.size === 0) break;
    if (split === 'train' && kind === 'feasible') for (const command of used(id)) found.delete(command);
  }
  return found;
}

function skillsOf(sketches: readonly TaskSketch[]): Set<string> {
  return new Set(sketches.flatMap(sketch => skillOf(sketch) ?? []));
}

function commandsOf(sketches: readonly TaskSketch[]): Set<string> {
  return new Set(sketches.flatMap(({ commands }) => commands));
}

function sketchSolved(environment: StateEnvironment, planner: Planner, task: Task): TaskSketch | null {
  const session = environment.open(task);
  const plan = planner.plan(session);
  if (plan.outcome !== 'solved') return null;
  for (const action of plan.actions) session.step(action);
  return sketchOf(environment, { task, actions: plan.actions, final: session.state() });
}

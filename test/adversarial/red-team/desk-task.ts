import type { JsonObject } from '../../../src/core/json.ts';
import type { Task } from '../../../src/core/records.ts';
import { createWorld } from '../../../src/worlds/world.ts';
import type { DeskTask } from './policies.ts';
import { weakDesk } from './weak-desk.ts';

export const desk = createWorld(weakDesk);

/** A task at the desk, with what a script must know to do it. */
export function deskTask(seed: number): { readonly task: Task; readonly about: DeskTask } {
  const task = desk.task('set-total', seed);
  const session = desk.open(task);
  const { grader } = session.state() as unknown as { readonly grader: { readonly expected: number } };
  session.close();
  return { task, about: { id: (task.parameters as JsonObject)['id'] as string, total: grader.expected } };
}

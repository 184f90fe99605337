import type { OrdinaryPolicy } from '../core/episode/agents.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import { invalidOption, type EspalierError } from '../core/errors.ts';
import type { Task } from '../core/records.ts';
import { createScripted } from './scripted.ts';

export interface ReplayOptions {
  /** The task to be attempted. */
  readonly task: Task;
  /** Episodes to choose from. */
  readonly recordings: Iterable<EpisodeRecord>;
}

/**
 * Blind: repeats, step by step, what was recorded on another instance of the same template. Tasks that it passes ask for
 * no looking. It takes the first recording that passed, else the last one.
 */
export function createReplay({ task, recordings }: ReplayOptions): OrdinaryPolicy {
  let chosen: EpisodeRecord | null = null;
  for (const recording of recordings) {
    if (!isOtherInstance(recording.head.task, task)) continue;
    chosen = recording;
    if (recording.end.outcome === 'passed') break;
  }
  if (chosen === null) throw noRecording(task);
  const actions = chosen.tree.path(chosen.end.leaf).map(({ action }) => action);
  return createScripted({ name: 'replay', actions });
}

function isOtherInstance(recorded: Task, task: Task): boolean {
  return (
    recorded.environment === task.environment && recorded.template === task.template && recorded.seed !== task.seed
  );
}

function noRecording({ environment, template, seed }: Task): EspalierError {
  return invalidOption(
    `There is no recording of ${environment}/${template} with another seed than ${seed}.`,
    'Collect an episode of another instance of the template first.',
  );
}

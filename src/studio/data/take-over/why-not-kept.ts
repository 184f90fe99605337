import type { EpisodeHead } from '../../../core/episode/events.ts';
import { isEvaluationSeed } from '../../../worlds/app/task-split.ts';

/** Why no branch of an episode is kept; null when one can be: what is evaluated on must never be trained on. */
export function whyNotKept({
  head,
  phase,
}: {
  readonly head: Pick<EpisodeHead, 'task'>;
  readonly phase: EpisodeHead['phase'];
}): string | null {
  const { seed, split } = head.task;
  if (split !== 'train')
    return 'This template is for evaluation: training on a branch of it would make its success say nothing of new templates. Nothing is kept; you can look and try.';
  return phase === 'evaluate' || isEvaluationSeed(seed)
    ? 'This task is for evaluation: training on a branch of it would make its success say nothing of new tasks. Nothing is kept; you can look and try. Play a training task of the template instead.'
    : null;
}

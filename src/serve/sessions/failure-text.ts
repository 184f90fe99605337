import type { EpisodeEnd } from '../../core/episode/events.ts';

/**
 * Why an episode broke, for a client. What a model server said is not repeated: it would let a client read whatever this
 * server can reach.
 */
export function failureText({ boundary, message }: Pick<EpisodeEnd, 'boundary' | 'message'>, model: string): string {
  if (boundary === 'policy') return `The model ${model} gave no usable answer. The run folder has what it said.`;
  return message ?? 'The episode broke.';
}

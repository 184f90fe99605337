import type { Episode } from '../verbs/episode.ts';

/** What a search may spend before it has to go to an end. */
export interface Reserve {
  /** Whether another step may be tried. */
  mayTry(): boolean;
}

/** Keeps a third of the steps, questions and tokens of an episode, where they are limited, for the way to its end. */
export function createReserve(episode: Episode): Reserve {
  const kept = (['taken', 'queries', 'tokens'] as const).map(resource => {
    const left = episode.left(resource);
    return { resource, third: left === Infinity ? 0 : Math.floor(left / 3) };
  });
  return { mayTry: () => kept.every(({ resource, third }) => episode.left(resource) > third) };
}

import type { Episode } from '../verbs/episode.ts';

/** What a search may spend before it has to go to an end. */
export interface Reserve {
  /** Whether another step may be tried. */
  mayTry(): boolean;
}

/** Keeps a third of the steps and questions of an episode, where they are limited, for the way to its end. */
export function createReserve(episode: Episode): Reserve {
  const kept = (resource: 'taken' | 'queries'): number => {
    const left = episode.left(resource);
    return left === Infinity ? 0 : Math.floor(left / 3);
  };
  const [steps, queries] = [kept('taken'), kept('queries')];
  return { mayTry: () => episode.left('taken') > steps && episode.left('queries') > queries };
}

import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { NewItem } from '../item.ts';
import { hasPassed, patternOf, provenanceOf, takenSteps, type MemoryMethod } from './writer.ts';

/** Tasks that must have the same program before it is a skill. */
const fewestTasks = 2;

/**
 * Programs of steps that several tasks share, with the texts of the task as parameters (WebXSkill). The heading of each step is
 * its precondition, its line the guidance. A student carries them out, or prefers their steps where they only guide it.
 */
export const webXSkill: MemoryMethod = {
  name: 'web-x-skill',
  about: 'Programs of steps that two tasks or more share, with slots, and the screen that each step needs (WebXSkill).',
  write: episodes => skillsOf('web-x-skill', episodes, fewestTasks),
};

export function skillsOf(writer: string, episodes: readonly EpisodeRecord[], fewest: number): NewItem[] {
  const groups = Map.groupBy(episodes.filter(hasPassed), record =>
    JSON.stringify([record.head.task.environment, patternOf(record), takenSteps(record)]),
  );
  return [...groups.values()].flatMap((group): NewItem[] => {
    const [first] = group;
    const provenance = provenanceOf(writer, group);
    if (first === undefined || provenance.tasks.length < fewest) return [];
    const [pattern, steps] = [patternOf(first), takenSteps(first)];
    if (steps.length === 0) return [];
    return [
      { kind: 'skill', title: pattern, text: steps.map(({ line }) => line).join('; '), pattern, steps, provenance },
    ];
  });
}

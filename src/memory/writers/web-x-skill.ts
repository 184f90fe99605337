import type { NewItem } from '../item.ts';
import { provenanceOf, takenSteps, type Experience, type MemoryMethod } from './writer.ts';

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

/** One skill for each wording of the tasks that share a program. */
export function skillsOf(writer: string, episodes: readonly Experience[], fewest: number): NewItem[] {
  const groups = Map.groupBy(
    episodes.filter(({ passed }) => passed),
    record => JSON.stringify([record.head.task.environment, takenSteps(record)]),
  );
  return [...groups.values()].flatMap((group): NewItem[] => {
    const provenance = provenanceOf(writer, group);
    const steps = takenSteps(group[0] as Experience);
    if (steps.length === 0 || provenance.tasks.length < fewest) return [];
    const text = steps.map(({ line }) => line).join('; ');
    const patterns = [...new Set(group.map(({ pattern }) => pattern))];
    return patterns.map(pattern => ({ kind: 'skill', title: pattern, text, pattern, steps, provenance }));
  });
}

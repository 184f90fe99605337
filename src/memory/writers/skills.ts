import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { NewItem } from '../item.ts';
import { patternOf, provenanceOf, slottedSteps, type MemoryWriter } from './writer.ts';

/** Tasks that must have the same program before it is a skill. */
const fewestTasks = 2;

/** Programs of steps that several tasks share, with the texts of the task as parameters (WebXSkill). */
export const skills: MemoryWriter = {
  name: 'skills',
  about: 'Programs of steps that two tasks or more share, with slots for the texts of the task (WebXSkill).',
  write(episodes) {
    const passed = episodes.filter(({ end }) => end.outcome === 'passed');
    const groups = Map.groupBy(passed, record =>
      JSON.stringify([record.head.task.environment, patternOf(record), linesOf(record)]),
    );
    return [...groups.values()].flatMap((group): NewItem[] => {
      const [first] = group;
      const provenance = provenanceOf('skills', group);
      if (first === undefined || provenance.tasks.length < fewestTasks) return [];
      const pattern = patternOf(first);
      const lines = linesOf(first);
      return [{ kind: 'skill', title: pattern, text: lines.join('; '), pattern, lines, provenance }];
    });
  },
};

function linesOf(record: EpisodeRecord): string[] {
  return slottedSteps(record)
    .filter(({ node }) => node.outcome.applied)
    .map(({ line }) => line);
}

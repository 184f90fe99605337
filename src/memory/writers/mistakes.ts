import type { NewItem } from '../item.ts';
import { provenanceOf, slottedSteps, unmetChecks, type MemoryWriter } from './writer.ts';

/** Failures by what was not met and the control that was used last, one note for each cluster of two tasks or more (Mistake Notebook). */
export const mistakes: MemoryWriter = {
  name: 'mistakes',
  about: 'One note for failures that share their failing checks and their last control (Mistake Notebook).',
  write(episodes) {
    const failed = episodes.filter(({ end }) => end.outcome === 'failed' && end.verdict !== null);
    const clusters = Map.groupBy(failed, record => {
      const unmet = unmetChecks(record);
      const last = slottedSteps(record).findLast(({ node }) => node.action.kind !== 'finish');
      return JSON.stringify([record.head.task.environment, unmet, last?.line ?? '']);
    });
    return [...clusters].flatMap(([key, group]): NewItem[] => {
      const [, unmet, last] = JSON.parse(key) as [string, string[], string];
      const provenance = provenanceOf('mistakes', group);
      if (unmet.length === 0 || provenance.tasks.length < 2) return [];
      const text = `${group.length} attempts ended without: ${unmet.join('; ')}. The last step of each was: ${last || 'none'}. That is not enough.`;
      return [{ kind: 'note', title: `Mistake: ${unmet.join('; ')}`, text, provenance }];
    });
  },
};

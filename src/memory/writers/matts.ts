import type { NewItem } from '../item.ts';
import { divergenceOf } from './contrast.ts';
import { provenanceOf, type MemoryMethod } from './writer.ts';

/** Attempts at one task beside each other: where those that failed left one that passed (MaTTS, parallel). */
export const matts: MemoryMethod = {
  name: 'matts',
  about: 'Notes from several attempts at the same task: where those that failed left one that passed (MaTTS).',
  write: episodes =>
    [...Map.groupBy(episodes, ({ head }) => head.task.id).values()].flatMap((attempts): NewItem[] => {
      const passed = attempts.find(attempt => attempt.passed);
      const failed = attempts.filter(({ end }) => end.outcome === 'failed');
      if (passed === undefined) return [];
      const left = failed.flatMap(attempt => divergenceOf(passed, attempt) ?? []);
      return left.map(({ right, wrong, shared }) => ({
        kind: 'note',
        title: `Compared: ${passed.pattern}`,
        text: `After ${shared} steps, on "${right.heading}", this passed: ${right.line}. This failed: ${wrong.line}.`,
        prefer: [right.line],
        avoid: [wrong.line],
        provenance: provenanceOf('matts', [passed]),
      }));
    }),
};

import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { NewItem } from '../item.ts';
import { hasPassed, patternOf, provenanceOf, type MemoryMethod } from './writer.ts';

/** What was asked for, and the code that did it, from episodes whose answer is code (MemCoder: intent to code). */
export const memCoder: MemoryMethod = {
  name: 'mem-coder',
  about:
    'What was asked for, and the code that passed, where answers are code; models are shown the nearest (MemCoder).',
  write: episodes =>
    episodes.filter(hasPassed).flatMap((record): NewItem[] => {
      const code = codeIn(record);
      if (code === null) return [];
      const pattern = patternOf(record);
      return [
        {
          kind: 'program',
          title: pattern,
          text: record.head.task.template,
          pattern,
          code,
          use: 'show',
          provenance: provenanceOf('mem-coder', [record]),
        },
      ];
    }),
};

/** The code block of an answer; null where there is none. */
function codeIn(record: EpisodeRecord): string | null {
  const last = record.tree.path(record.end.leaf).at(-1)?.action;
  const answer = last?.kind === 'finish' ? last.answer : undefined;
  return /```[a-z]*\n([\s\S]+?)\n?```/.exec(answer ?? '')?.[1] ?? null;
}

import type { NewItem } from '../item.ts';
import { provenanceOf, type Experience, type MemoryMethod } from './writer.ts';

/** What was asked for, and the code that did it, from episodes whose answer is code (MemCoder: intent to code). */
export const memCoder: MemoryMethod = {
  name: 'mem-coder',
  about:
    'What was asked for, and the code that passed, where answers are code; models are shown the nearest (MemCoder).',
  write: episodes =>
    episodes
      .filter(({ passed }) => passed)
      .flatMap((record): NewItem[] => {
        const code = codeIn(record);
        if (code === null) return [];
        const pattern = record.pattern;
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
function codeIn(record: Experience): string | null {
  const last = record.tree.path(record.end.leaf).at(-1)?.action;
  const answer = last?.kind === 'finish' ? last.answer : undefined;
  return /```[a-z]*\n([\s\S]+?)\n?```/.exec(answer ?? '')?.[1] ?? null;
}

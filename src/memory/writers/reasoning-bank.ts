import type { NewItem } from '../item.ts';
import { withoutIds } from '../reading/slots.ts';
import { provenanceOf, type Experience, type MemoryMethod } from './writer.ts';

/** Notes from successes and failures, at most three an episode: what led on, what was refused, which check failed. */
export const reasoningBank: MemoryMethod = {
  name: 'reasoning-bank',
  about: 'Notes from passes and failures, at most three an episode (ReasoningBank).',
  write: episodes => episodes.flatMap(notesOf),
};

function notesOf(record: Experience): NewItem[] {
  const steps = record.steps;
  const pattern = record.pattern;
  const base = { kind: 'note', provenance: provenanceOf('reasoning-bank', [record]), prefer: [], avoid: [] } as const;
  const way = steps.filter(({ node }) => node.outcome.applied && node.action.kind !== 'finish').map(({ line }) => line);
  const unmet = record.unmet.map(withoutIds);
  const notes: NewItem[] = [];
  if (record.passed && way.length > 0)
    notes.push({ ...base, title: `To: ${pattern}`, text: `This worked: ${way.join('; ')}.`, prefer: way });
  if (record.end.outcome === 'failed' && unmet.length > 0)
    notes.push({
      ...base,
      title: `Not done: ${pattern}`,
      text: `It was finished without: ${unmet.join('; ')}. Check this before you finish.`,
    });
  const refused = steps.find(({ node }) => !node.outcome.applied);
  if (refused !== undefined)
    notes.push({
      ...base,
      title: `Refused in: ${pattern}`,
      text: `This was refused: ${refused.line}, on "${refused.heading}".`,
      avoid: [refused.line],
    });
  return notes;
}

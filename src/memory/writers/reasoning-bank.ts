import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { NewItem } from '../item.ts';
import { patternOf, provenanceOf, slottedSteps, unmetChecks, type MemoryWriter } from './writer.ts';

const most = 3;

/** Notes from successes and failures, at most three an episode: what led on, what was refused, which check failed. */
export const reasoningBank: MemoryWriter = {
  name: 'reasoning-bank',
  about: 'Notes from passes and failures, at most three an episode (ReasoningBank).',
  write: episodes => episodes.flatMap(episode => notesOf(episode).slice(0, most)),
};

function notesOf(record: EpisodeRecord): NewItem[] {
  const steps = slottedSteps(record);
  const provenance = provenanceOf('reasoning-bank', [record]);
  const pattern = patternOf(record);
  const note = (title: string, text: string): NewItem => ({ kind: 'note', title, text, provenance });
  const way = steps.filter(({ node }) => node.outcome.applied && node.action.kind !== 'finish').map(({ line }) => line);
  const refused = steps
    .filter(({ node }) => !node.outcome.applied)
    .map(({ heading, line }) => `${line}, on "${heading}"`);
  const unmet = unmetChecks(record);
  return [
    ...(record.end.outcome === 'passed' && way.length > 0
      ? [note(`To: ${pattern}`, `This worked: ${way.join('; ')}.`)]
      : []),
    ...(record.end.outcome === 'failed' && unmet.length > 0
      ? [note(`Not done: ${pattern}`, `It was finished without: ${unmet.join('; ')}. Check this before you finish.`)]
      : []),
    ...refused.slice(0, 1).map(line => note(`Refused in: ${pattern}`, `This was refused: ${line}.`)),
  ];
}

import type { NewItem } from '../item.ts';
import { winsAndLosses, type PracticeOptions } from '../practice.ts';
import { provenanceOf, type Experience, type MemoryMethod } from '../writers/writer.ts';

/** Notes that are tried together. */
const batch = 10;

/**
 * Failures by what was not met and the control that was used last, one note for each cluster of two tasks or more (Mistake
 * Notebook). Notes are tried in batches; a batch is kept only if it wins more practice tasks than it loses.
 */
export const mistakeNotebook: MemoryMethod = {
  name: 'mistake-notebook',
  about:
    'Notes for failures with the same failing checks and last control, kept if they win more practice tasks than they lose (Mistake Notebook).',
  write(episodes) {
    const failed = episodes.filter(({ end }) => end.outcome === 'failed' && end.verdict !== null);
    const clusters = Map.groupBy(failed, record =>
      JSON.stringify([record.head.task.environment, record.unmet, lastControl(record) ?? '']),
    );
    return [...clusters].flatMap(([key, group]): NewItem[] => {
      const [, unmet, last] = JSON.parse(key) as [string, string[], string];
      const provenance = provenanceOf('mistake-notebook', group);
      if (unmet.length === 0 || provenance.tasks.length < 2) return [];
      const prefer = approachesAfter(last, episodes, new Set(group.map(({ pattern }) => pattern)));
      const right = prefer.length === 0 ? '' : ` Passes went on with: ${prefer.join('; ')}.`;
      const text = `${group.length} attempts ended without: ${unmet.join('; ')}. The last step of each was: ${last || 'none'}. That is not enough.${right}`;
      return [{ kind: 'note', title: `Mistake: ${unmet.join('; ')}`, text, prefer, avoid: [], provenance }];
    });
  },
  async practise({ before, candidates, gate, practice }: PracticeOptions) {
    let memory = before;
    let results = await practice(memory);
    for (let at = 0; at < candidates.length; at += batch) {
      const tried = memory.write(candidates.slice(at, at + batch), gate);
      const found = await practice(tried);
      const { wins, losses } = winsAndLosses(results, found);
      if (wins <= losses) continue;
      [memory, results] = [tried, found];
    }
    return memory;
  },
};

function lastControl(record: Experience): string | undefined {
  return record.steps.findLast(({ node }) => node.action.kind !== 'finish')?.line;
}

/** What passes of the same patterns did after a step. */
function approachesAfter(line: string, episodes: readonly Experience[], patterns: ReadonlySet<string>): string[] {
  const passes = episodes.filter(record => record.passed && patterns.has(record.pattern));
  const next = passes.flatMap(record => {
    const steps = record.steps;
    return steps[steps.findIndex(step => step.line === line) + 1]?.line ?? [];
  });
  return line === '' ? [] : [...new Set(next)];
}

import { foldEpisode } from '../core/episode/record.ts';
import type { RecordedStep } from '../envs/synth/mine/infer-workflow.ts';
import type { Spec } from '../envs/synth/spec/schema.ts';
import { openRun } from './folder/folder.ts';

/** The spec of an app that is mined from the episodes of a run. */
export async function mineFromRun(folder: string): Promise<Spec> {
  const { mineSpec } = await import('../envs/synth/mine/mine-spec.ts');
  return mineSpec(recordedSteps(folder), folder);
}

/** The steps of all episodes that a step followed, with the screens before and after. */
function recordedSteps(folder: string): RecordedStep[] {
  const store = openRun(folder);
  try {
    const steps: RecordedStep[] = [];
    for (const stored of store.episodes()) {
      const { tree, screen } = foldEpisode(stored);
      for (const { id, parent } of tree.record().nodes) {
        // The screen after a step is the one that the next step was taken on.
        if (parent > 0) steps.push({ screen: screen(parent), action: tree.node(parent).action, after: screen(id) });
      }
    }
    return steps;
  } finally {
    store.close();
  }
}

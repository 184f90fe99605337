import { describeAction } from '../../core/action.ts';
import { createRandom } from '../../core/random.ts';
import { copyFeatures } from '../learned/features/sink.ts';
import { addTo, fit, scoresOf, type Example } from '../learned/ranking/ranker.ts';
import { highest, type Training, type TrainingExample } from '../learned/student.ts';
import { createJoin, type Adapter } from './adapter.ts';
import type { SmallModel } from './small-model.ts';

export interface AdaptOptions {
  readonly seed: string | number;
  onProgress?(examples: number): void;
}

export interface Adaptation extends Omit<Training, 'weights'> {
  readonly adapter: Adapter;
}

/** Learns what to add to the scores of the model. Its weights stay as they are; the same examples and seed give the same adapter. */
export async function adaptModel(
  model: SmallModel,
  examples: Iterable<TrainingExample>,
  { seed, onProgress }: AdaptOptions,
): Promise<Adaptation> {
  const join = createJoin();
  const ranked: Required<Example>[] = [];
  let count = 0;
  for (const { situation, action } of examples) {
    const { instruction: task, history: done, screen } = situation;
    const seen = { task, done, screens: [screen] };
    const { actions, given, features } = join(seen, (await model.weigh(seen)).steps);
    const wanted = describeAction(action);
    const right = actions.flatMap((other, at) => (describeAction(other) === wanted ? [at] : []));
    onProgress?.(++count);
    if (right.length > 0) ranked.push({ choices: copyFeatures(features), given, right });
  }
  const ranker = fit(ranked, { random: createRandom(seed) });
  const known = ranked.filter(({ choices, given, right }) =>
    right.includes(highest(addTo(scoresOf(ranker, choices), given))),
  );
  return {
    adapter: { model: model.sha256, ranker },
    examples: count,
    unmatched: count - ranked.length,
    fit: ranked.length === 0 ? 0 : known.length / ranked.length,
  };
}

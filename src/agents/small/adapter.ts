import { describeAction, type Action } from '../../core/action.ts';
import type { CompactSituation } from '../../models/prompt/compact.ts';
import type { Features, Places } from '../learned/features/sink.ts';
import { addTo, scoresOf, type Ranker } from '../learned/ranking/ranker.ts';
import { createReader, type ReadSituation } from '../learned/reader.ts';
import { normalised, type WeighedStep } from './pointing.ts';
import type { SmallModel } from './small-model.ts';

/** What was learned in an app: a ranker whose scores are added to those of the model. */
export interface Adapter {
  /** Hash of the weights of the model. */
  readonly model: string;
  readonly ranker: Ranker;
}

/** The steps of a situation, with the scores of the model and the features that the ranker reads. */
interface JoinedSteps {
  readonly actions: readonly Action[];
  readonly given: Float64Array;
  readonly features: Features;
}

/** The model errs with confidence where it errs: its log probabilities count half, and none counts less than this. */
const [share, least] = [0.5, -10];

type JoinSteps = (situation: CompactSituation, steps: readonly WeighedStep[]) => JoinedSteps;

/** Joins what the model weighs and what the ranker weighs. Features are overwritten by the next situation. */
export function createJoin(): JoinSteps {
  const read = createReader();
  return ({ task, done, screens }, steps) =>
    joined(read({ instruction: task, history: done, screen: screens.at(-1) ?? '' }), steps);
}

function joined({ choices, features }: ReadSituation, steps: readonly WeighedStep[]): JoinedSteps {
  const known = new Map(steps.map(step => [describeAction(step.action), step.logprob]));
  const keys = choices.map(({ action }) => describeAction(action));
  const read = new Set(keys);
  const others = steps.filter(({ action }) => !read.has(describeAction(action)));
  const logprobs = [...keys.map(key => known.get(key) ?? least), ...others.map(({ logprob }) => logprob)];
  return {
    actions: [...choices, ...others].map(({ action }) => action),
    given: Float64Array.from(logprobs, logprob => share * Math.max(least, logprob)),
    features: withFeatureless(features, others.length),
  };
}

/** Choices without features follow: texts that only the model finds. */
function withFeatureless({ general, worded, facts }: Features, more: number): Features {
  const longer = ({ places, ends }: Places): Places => ({
    places,
    ends: Int32Array.from({ length: ends.length + more }, (_, at) => ends[Math.min(at, ends.length - 1)] as number),
  });
  return { general: longer(general), worded: longer(worded), facts: { ...longer(facts), shared: facts.shared } };
}

/** The model with what was learned in an app; `sha256` tells it from others. */
export function createAdaptedModel(model: SmallModel, { ranker }: Adapter, sha256: string): SmallModel {
  const join = createJoin();
  return {
    sha256,
    async weigh(situation) {
      const weighed = await model.weigh(situation);
      const { actions, given, features } = join(situation, weighed.steps);
      const scores = addTo(scoresOf(ranker, features), given);
      return {
        ...weighed,
        steps: normalised(actions.map((action, at) => ({ action, logprob: scores[at] as number }))),
      };
    },
  };
}

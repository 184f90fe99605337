import type { Choice } from '../reading/choices.ts';
import { classOf } from './classes.ts';
import { factsOf, writeElement, type ElementFacts } from './element-features.ts';
import { writeAnswer, writeFinish } from './ending-features.ts';
import { sceneOf, type Scene } from './scene.ts';
import { copyFeatures, createSink, textHash, type Features, type Sink } from './sink.ts';
import type { StateFeatures } from '../reading/situation.ts';

/** Raised whenever the same choice may get other features: weights of another version do not fit. */
export const featureVersion = 3;

/** Features to keep. */
export function featuresOf(features: StateFeatures, choices: readonly Choice[]): Features {
  return copyFeatures(writeFeatures(features, choices, createSink()));
}

/** The sink begins anew: what it told of the moment before is overwritten. */
export function writeFeatures(features: StateFeatures, choices: readonly Choice[], sink: Sink): Features {
  const scene = sceneOf(features, choices);
  sink.begin();
  writeMoment(sink, scene);
  let facts: ElementFacts | null = null;
  for (const choice of choices) {
    if (choice.kind === 'finish') writeFinish(sink, choice.how, scene);
    else if (choice.kind === 'answer') writeAnswer(sink, choice, scene);
    else {
      // Choices about one element stand together.
      if (facts?.element !== choice.element) facts = factsOf(choice.element, choice.kind, scene);
      writeElement(sink, choice, [facts, scene]);
    }
    if (choice.kind !== 'finish' || choice.how === 'done') writeClass(sink, classOf(choice, features), scene);
    sink.next();
  }
  return sink.features();
}

function writeClass(sink: Sink, name: string, { lastKind, refused }: Scene): void {
  const own = textHash(name);
  sink.fact('class', own);
  sink.general('class', own);
  sink.general('class last', own, lastKind, refused);
}

/** What the choices of a moment have in common, for the network. */
function writeMoment(sink: Sink, scene: Scene): void {
  const { moment } = scene;
  const { openCount, count, current } = moment.progress;
  sink.shared('bias', 1);
  sink.shared('last kind', scene.lastKind);
  sink.shared('last asked', scene.lastAsked);
  sink.shared('pending', scene.pending);
  sink.shared('steps', scene.steps);
  sink.shared('refused', scene.refused);
  sink.shared('has dialog', Number(moment.hasDialog));
  sink.shared('link to pending', scene.linkToPending);
  sink.shared('fits pending', scene.fitsPending);
  sink.shared('empty list', scene.isEmptyList);
  sink.shared('obstacle', scene.obstacle);
  sink.shared('untouched texts', scene.untouchedTexts);
  sink.shared('undone', scene.undoneCount);
  sink.shared('open verbs', scene.openVerbs);
  sink.shared('asks', textHash(moment.question.wants));
  sink.shared('open clauses', Math.min(openCount, 4));
  sink.shared('clauses', Math.min(count, 6));
  sink.shared('clauses left', Math.min(count - 1 - current, 5));
  sink.shared('searches', scene.searches);
  sink.shared('kin', scene.isKin);
  sink.shared('alert', Math.floor(scene.notice / 3));
  sink.shared('status', scene.notice % 3);
  sink.shared('unsaved', scene.unsaved);
  sink.shared('about', Math.min(moment.opened.length, 2));
}

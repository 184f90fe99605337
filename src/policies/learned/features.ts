import type { Choice } from './choices.ts';
import { classOf } from './classes.ts';
import { factsOf, writeElement, type ElementFacts } from './element-features.ts';
import { writeAnswer, writeFinish } from './ending-features.ts';
import { sceneOf, type Scene } from './scene.ts';
import { createSink, textHash, type Features, type Sink } from './sink.ts';
import type { StateFeatures } from './situation.ts';

/** Raised whenever the same choice may get other features: weights of another version do not fit. */
export const featureVersion = 1;

export function featuresOf(features: StateFeatures, choices: readonly Choice[]): Features {
  const scene = sceneOf(features, choices);
  const sink = createSink();
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
  sink.general('class', own);
  sink.general('class last', own, lastKind, refused);
}

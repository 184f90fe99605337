import type { JsonObject } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import type { UiNode } from '../../core/ui.ts';
import type { App } from '../../worlds/app/app.ts';
import { drawn } from '../../worlds/screen.ts';
import { walkScreens } from './screen-walk.ts';

const steps = 200;

/** The lists of options that the controls of an app offer, found by walking through the screens of fixed worlds. */
export function findShownOptions<S extends JsonObject>(
  app: App<S>,
  worlds: readonly S[],
): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  const collect = ({ options, children = [] }: UiNode): void => {
    if (options !== undefined) found.set(JSON.stringify(options), options);
    for (const child of children) collect(child);
  };
  for (const [index, start] of worlds.slice(0, 2).entries()) {
    const random = createRandom(`options of ${app.id} ${index}`);
    for (const { state } of walkScreens(app, { start, random, steps })) collect(drawn(app, state));
  }
  return [...found.values()];
}

import type { JsonObject } from '../../core/json.ts';
import { hash32 } from '../../core/random.ts';
import type { UiNode } from '../../core/ui.ts';
import type { App } from '../app/app.ts';

export interface VariationOptions {
  readonly seed: number;
  /** Other words for the labels that the app lists synonyms for. */
  readonly labels?: boolean;
  /** Another order of what stands in no particular order. */
  readonly order?: boolean;
}

/**
 * The same app with a different look: the data, the commands and the goals stay, labels and order change.
 * A variation is a function of its seed and of the screen, so it is stable from step to step.
 */
export function varyApp<S extends JsonObject>(app: App<S>, { seed, labels, order }: VariationOptions): App<S> {
  if (!labels && !order) return app;
  const word = labels ? createWording(app.synonyms, seed) : (name: string) => name;
  const arrange = order ? (children: readonly UiNode[]) => arranged(children, seed) : null;
  const vary = (node: UiNode): UiNode => {
    const children = node.children?.map(vary);
    return {
      ...node,
      ...(node.name === undefined ? {} : { name: word(node.name) }),
      ...(children === undefined ? {} : { children: node.shuffle && arrange ? arrange(children) : children }),
    };
  };
  return { ...app, view: state => vary(app.view(state)) };
}

function createWording(synonyms: App<JsonObject>['synonyms'], seed: number): (name: string) => string {
  const chosen = new Map<string, string>();
  for (const [label, others] of Object.entries(synonyms)) {
    const words = [label, ...others];
    chosen.set(label, words[hash32(`${seed} ${label}`) % words.length] as string);
  }
  return name => chosen.get(name) ?? name;
}

function arranged(children: readonly UiNode[], seed: number): UiNode[] {
  return children
    .map(child => ({ child, at: hash32(`${seed} ${child.role} ${child.name ?? ''}`) }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ child }) => child);
}

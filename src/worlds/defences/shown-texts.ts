import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { isInteractive, type UiNode } from '../../core/ui.ts';
import type { App } from '../app/app.ts';

/** Rewrites a text that an agent reads. Names and values of controls are what steps are told by. */
type Rewrite = (text: string, isOfControl: boolean) => string;

/** The app with every text that an agent reads rewritten: on screens, and in what tools answer. Options keep their words. */
export function rewriteTexts<S extends JsonObject>(app: App<S>, rewrite: Rewrite): App<S> {
  const draw = (node: UiNode): UiNode => {
    const isOfControl = isInteractive(node);
    return {
      ...node,
      ...(node.name === undefined ? {} : { name: rewrite(node.name, isOfControl) }),
      ...(node.value === undefined ? {} : { value: rewrite(node.value, isOfControl) }),
      ...(node.children === undefined ? {} : { children: node.children.map(draw) }),
    };
  };
  const answer = (value: Json): Json => {
    if (typeof value === 'string') return rewrite(value, false);
    if (Array.isArray(value)) return (value as readonly Json[]).map(answer);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, answer(member)]));
  };
  return {
    ...app,
    view: state => draw(app.view(state)),
    commands: app.commands.map(command => ({
      ...command,
      run(state, input) {
        const result = command.run(state, input);
        return result === undefined ? undefined : answer(JSON.parse(JSON.stringify(result)) as Json);
      },
    })),
  };
}

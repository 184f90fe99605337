import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { isInteractive, type UiNode } from '../../core/ui.ts';
import type { App } from '../app/app.ts';

/** A text of so many words is prose, and prose is somebody's: labels of an app are shorter. */
const fewestWords = 5;

/** The app with every prose that an agent reads rewritten: on screens, and in what tools answer. Controls keep their names. */
export function rewriteTexts<S extends JsonObject>(app: App<S>, rewrite: (text: string) => string): App<S> {
  const change = (text: string): string => (text.trim().split(/\s+/).length < fewestWords ? text : rewrite(text));
  const draw = (node: UiNode): UiNode => {
    const children = node.children?.map(draw);
    if (isInteractive(node)) return children === undefined ? node : { ...node, children };
    return {
      ...node,
      ...(node.name === undefined ? {} : { name: change(node.name) }),
      ...(node.value === undefined ? {} : { value: change(node.value) }),
      ...(children === undefined ? {} : { children }),
    };
  };
  const answer = (value: Json): Json => {
    if (typeof value === 'string') return change(value);
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

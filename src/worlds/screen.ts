import { causeText, EspalierError } from '../core/errors.ts';
import type { Candidate } from '../core/contracts.ts';
import type { JsonObject } from '../core/json.ts';
import { isInteractive, type UiNode } from '../core/ui.ts';
import type { App } from './app/app.ts';

/** Every action the screen offers: clicks, selections, and the given texts for each text field. */
export function screenCandidates(root: UiNode, texts: readonly string[]): Candidate[] {
  const found: Candidate[] = [];
  const within: string[] = [];
  let count = 0;

  function offer(node: UiNode): void {
    const ref = `e${++count}`;
    const about = {
      role: node.role,
      name: node.name ?? '',
      ...(node.value === undefined ? {} : { value: node.value }),
      within: [...within],
    };
    if (node.press !== undefined) found.push({ action: { kind: 'click', ref }, ...about });
    if (node.enter === undefined) return;
    for (const option of node.options ?? []) {
      if (option !== node.value) found.push({ action: { kind: 'select', ref, option }, ...about });
    }
    if (node.options !== undefined) return;
    for (const text of texts) if (text !== node.value) found.push({ action: { kind: 'fill', ref, text }, ...about });
  }

  function walk(node: UiNode): void {
    if (isInteractive(node)) offer(node);
    if (node.children === undefined) return;
    const named = node.name !== undefined;
    if (named) within.push(node.name);
    for (const child of node.children) walk(child);
    if (named) within.pop();
  }

  walk(root);
  return found;
}

/** The screen of a state; a view that throws gives a typed error. */
export function drawn<S extends JsonObject>(app: App<S>, state: S): UiNode {
  try {
    return app.view(state);
  } catch (cause) {
    throw new EspalierError({
      boundary: 'environment',
      code: 'view-failed',
      message: `The view of app "${app.id}" threw: ${causeText(cause)}.`,
      expected: 'Expected a screen for every state the schema allows.',
      cause,
    });
  }
}

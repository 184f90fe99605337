import type { TreeNode } from '../../../core/tree.ts';
import type { Trace } from '../trace.ts';

export type Intent = 'exploration' | 'implementation' | 'verification' | 'orchestration';

const reading = /^(get|list|read|search|find|show|open|look|view|count|describe|fetch)/i;
const opening = /^click (link|tab|listitem|row|cell|heading|combobox|menu) /;
const openingName = /^click \w+ "(open|show|view|back|next|previous|search|find|details?|inbox|home)\b/i;

/** What each step of a path is for (AgentLens). Looking at something is exploration before the first edit, verification after one. */
export function intentsOf(path: readonly TreeNode[], { description }: Pick<Trace, 'description'>): readonly Intent[] {
  let hasEdited = false;
  return path.map(step => {
    if (step.action.kind === 'finish') return 'orchestration';
    if (looks(step, description(step))) return hasEdited ? 'verification' : 'exploration';
    hasEdited = true;
    return 'implementation';
  });
}

/** Whether a step looks at something instead of changing it. */
function looks({ action, before, after }: TreeNode, description: string): boolean {
  switch (action.kind) {
    case 'call':
      return before === after || reading.test(action.tool);
    case 'scroll':
    case 'hover-at':
    case 'wait':
    case 'back':
      return true;
    case 'click':
      return opening.test(description) || openingName.test(description);
    default:
      return false;
  }
}

/** The record that a step acts on: `click button "Star" in "Lunch"` acts on `lunch`. Null when it names none. */
export function targetOf(description: string): string | null {
  return (/ in "([^"]*)"/.exec(description) ?? /^\w+ \w+ "([^"]*)"/.exec(description))?.[1]?.toLowerCase() ?? null;
}

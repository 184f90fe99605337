import { invert, patch, type Change } from '../../../core/diff.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { App } from '../../../worlds/app/app.ts';
import { execute } from '../../../worlds/execute.ts';
import type { AnsweredCall } from '../../../worlds/app/template.ts';

/**
 * A tool call is evidence of a conflict when it is answered differently without the conflict: a search that finds nothing,
 * a list that lacks the record, a refusal. A call that is answered the same in both cases tells nothing.
 */
export function isAnsweredDifferently<S extends JsonObject>(
  app: App<S>,
  { state, tool, input, outcome }: AnsweredCall<S>,
  changes: readonly Change[],
): boolean {
  const command = app.commands.find(({ name }) => name === tool);
  if (command === undefined) return false;
  try {
    const without = patch(state, invert(changes)) as S;
    const { outcome: other } = execute(app, without, { command, input, byHand: false });
    return JSON.stringify(other) !== JSON.stringify(outcome);
  } catch {
    // Something else was changed meanwhile: this state is no evidence of how things stood.
    return false;
  }
}

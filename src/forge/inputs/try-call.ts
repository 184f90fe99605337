import { diff, type Change } from '../../core/diff.ts';
import type { JsonObject } from '../../core/json.ts';
import { isOnScreen } from '../../core/path.ts';
import type { App } from '../../worlds/app/app.ts';
import type { AppCommand } from '../../worlds/app/command.ts';
import { execute } from '../../worlds/execute.ts';
import type { DrawnInput } from './draw-input.ts';

const mostChanges = 60;

/** A call of a command that changes data, and what it changes. */
export interface SampledCall<S extends JsonObject> extends DrawnInput {
  readonly command: AppCommand<S>;
  /** The input as the command takes it. */
  readonly input: JsonObject;
  readonly after: S;
  readonly changes: readonly Change[];
}

export interface CallTrial<S extends JsonObject> {
  readonly command: AppCommand<S>;
  readonly state: S;
  readonly drawn: DrawnInput;
}

export type CallOutcome<S extends JsonObject> =
  | { readonly call: SampledCall<S> }
  | { readonly refusal: string }
  | { readonly idle: true };

/** Makes a call on a fork of the state: what it changes, or why it is refused. */
export function tryCall<S extends JsonObject>(app: App<S>, { command, state, drawn }: CallTrial<S>): CallOutcome<S> {
  const parsed = command.parse(drawn.given);
  if ('problem' in parsed) return { refusal: parsed.words };
  try {
    const { state: after, outcome } = execute(app, state, { command, input: drawn.given, byHand: false });
    if (!outcome.applied) return { refusal: outcome.problem?.message ?? '' };
    const changes = diff(state, after).filter(({ path }) => !isOnScreen(path));
    const isTask = changes.length > 0 && changes.length <= mostChanges && changes.every(({ op }) => op !== 'order');
    return isTask ? { call: { ...drawn, command, input: parsed.input, after, changes } } : { idle: true };
  } catch {
    // A command that throws has a defect, which the audit reports; no task comes of such a call.
    return { idle: true };
  }
}

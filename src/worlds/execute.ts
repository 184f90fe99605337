import { create } from 'mutative';
import { causeText, EspalierError, Refusal } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { StepOutcome } from '../core/records.ts';
import type { App } from './app/app.ts';
import type { Resolved } from './resolve.ts';

export interface Executed<S extends JsonObject> {
  readonly state: S;
  readonly outcome: StepOutcome;
}

/** Runs a command on a state. The state stays as it is; a command that throws gives a typed error. */
export function execute<S extends JsonObject>(app: App<S>, state: S, resolved: Resolved<S>): Executed<S> {
  const { command, byHand } = resolved;
  const parsed = command.parse(resolved.input);
  if ('problem' in parsed) {
    const message = byHand ? parsed.words : parsed.problem;
    return refused(app, state, { code: 'invalid-action', message, byHand });
  }
  const { input } = parsed;
  try {
    if (command.kind === 'query') {
      return { state, outcome: { applied: true, result: detached(command.run(state, input)) ?? null } };
    }
    let result: Json | undefined;
    const next = create(state, draft => {
      result = detached(command.run(draft as S, input));
    });
    return { state: next as S, outcome: result === undefined ? { applied: true } : { applied: true, result } };
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw failed(`Command "${command.name}" of app "${app.id}"`, cause);
    return refused(app, state, { code: 'refused', message: cause.message, byHand });
  }
}

/** A result may hold pieces of the state, which are not the caller's to change, or of a draft, which dies. */
function detached(result: Json | void): Json | undefined {
  if (typeof result === 'object' && result !== null) return JSON.parse(JSON.stringify(result)) as Json;
  return result ?? undefined;
}

interface No {
  readonly code: string;
  readonly message: string;
  readonly byHand: boolean;
}

/** A tool call is told no; someone at the screen sees it there, if the app shows it. */
function refused<S extends JsonObject>(app: App<S>, state: S, { code, message, byHand }: No): Executed<S> {
  const { onRefusal } = app;
  if (!byHand || onRefusal === null) return { state, outcome: { applied: false, problem: { code, message } } };
  try {
    const told = create(state, draft => void onRefusal(draft as S, message));
    return { state: told as S, outcome: { applied: true, problem: { code, message } } };
  } catch (cause) {
    throw failed(`onRefusal of app "${app.id}"`, cause);
  }
}

function failed(what: string, cause: unknown): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'command-failed',
    message: `${what} threw: ${causeText(cause)}.`,
    expected: 'Expected it to handle every input its schema allows; say no with refuse("why").',
    cause,
  });
}

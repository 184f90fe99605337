import { current, isDraft } from 'mutative';
import { z } from 'zod';
import { diff, type Change } from '../../core/diff.ts';
import { jsonObjectSchema, type Json, type JsonObject } from '../../core/json.ts';
import { isOnScreen } from '../../core/path.ts';
import type { App } from '../app/app.ts';
import { execute } from '../execute.ts';
import { wrapSteps } from './steps-on-screen.ts';

/** Something that another user does while the agent works. */
export interface PlannedEvent {
  /** Steps of the agent before it happens. */
  readonly after: number;
  readonly command: string;
  readonly input: JsonObject;
  readonly happened: boolean;
  /** What it changes in the data, unless somebody was there before. */
  readonly changes: readonly Change[];
  /** Whether it found its place untouched; false when the agent had changed what it was to change. */
  readonly isUndisturbed: boolean;
}

const member = 'event';
const schema = z.union([
  z.null(),
  z.strictObject({
    after: z.int().nonnegative(),
    command: z.string(),
    input: jsonObjectSchema,
    happened: z.boolean(),
    changes: z.array(jsonObjectSchema),
    isUndisturbed: z.boolean(),
  }),
]);

/** The path under which a task plans an event. */
export const eventPath = `/ui/${member}`;

/**
 * The app in a world with other users. A task may plan an event: after some steps of the agent, somebody else uses a
 * command. The data change; the agent's screen stays where it is. What is refused by then does not happen.
 */
export function withEvents<S extends JsonObject>(app: App<S>): App<S> {
  return wrapSteps(app, {
    member,
    schema: schema as unknown as z.ZodType<Json>,
    start: null,
    around({ draft, memory, remember, run }) {
      const result = run();
      const event = memory as PlannedEvent | null;
      if (event === null || event.after === 0) return result;
      const left = event.after - 1;
      const plain = plainOf(event);
      if (left > 0) remember({ ...plain, after: left } as unknown as Json);
      else {
        const changes = happen(app, draft, plain);
        const isUndisturbed = JSON.stringify(changes) === JSON.stringify(plain.changes);
        remember({ ...plain, after: 0, happened: changes !== null, isUndisturbed } as unknown as Json);
      }
      return result;
    },
  });
}

function plainOf(event: PlannedEvent): PlannedEvent {
  return isDraft(event) ? (current(event as object) as PlannedEvent) : event;
}

/** Makes the change of an event in the data, and tells it; null when it is refused. */
function happen<S extends JsonObject>(
  app: App<S>,
  draft: S,
  { command: name, input }: PlannedEvent,
): readonly Change[] | null {
  const command = app.commands.find(known => known.name === name);
  if (command === undefined) return null;
  const before = (isDraft(draft) ? current(draft) : draft) as S;
  const { state, outcome } = execute(app, before, { command, input, byHand: false });
  if (!outcome.applied) return null;
  const target = draft as Record<string, Json>;
  for (const [key, value] of Object.entries(state)) {
    if (key !== 'ui' && value !== before[key]) target[key] = value as Json;
  }
  return diff(before, state as Json).filter(({ path }) => !isOnScreen(path));
}

/** The event of a state; null when none is planned. */
export function eventIn(state: JsonObject): PlannedEvent | null {
  const screen = state['ui'] as JsonObject | undefined;
  return (screen?.[member] ?? null) as PlannedEvent | null;
}

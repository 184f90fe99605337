import { current, isDraft } from 'mutative';
import { z } from 'zod';
import { jsonObjectSchema, type Json, type JsonObject } from '../../core/json.ts';
import type { App } from '../app.ts';
import { execute } from '../execute.ts';
import { wrapSteps } from './steps-on-screen.ts';

/** Something that another user does while the agent works. */
export interface PlannedEvent {
  /** Steps of the agent before it happens. */
  readonly after: number;
  readonly command: string;
  readonly input: JsonObject;
  readonly happened: boolean;
}

const member = 'event';
const schema = z.union([
  z.null(),
  z.strictObject({
    after: z.int().nonnegative(),
    command: z.string(),
    input: jsonObjectSchema,
    happened: z.boolean(),
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
      if (event === null || event.happened) return result;
      const left = event.after - 1;
      const plain = plainOf(event);
      if (left > 0) remember({ ...plain, after: left } as unknown as Json);
      else if (happens(app, draft, plain)) remember({ ...plain, after: 0, happened: true } as unknown as Json);
      else remember(null);
      return result;
    },
  });
}

function plainOf(event: PlannedEvent): PlannedEvent {
  return isDraft(event) ? (current(event as object) as PlannedEvent) : event;
}

/** Makes the change of an event in the data; false when it is refused. */
function happens<S extends JsonObject>(app: App<S>, draft: S, { command: name, input }: PlannedEvent): boolean {
  const command = app.commands.find(known => known.name === name);
  if (command === undefined) return false;
  const before = (isDraft(draft) ? current(draft) : draft) as S;
  const { state, outcome } = execute(app, before, { command, input, byHand: false });
  if (!outcome.applied) return false;
  const target = draft as Record<string, Json>;
  for (const [key, value] of Object.entries(state)) {
    if (key !== 'ui' && value !== before[key]) target[key] = value as Json;
  }
  return true;
}

/** The event of a state; null when none is planned. */
export function eventIn(state: JsonObject): PlannedEvent | null {
  const screen = state['ui'] as JsonObject | undefined;
  return (screen?.[member] ?? null) as PlannedEvent | null;
}

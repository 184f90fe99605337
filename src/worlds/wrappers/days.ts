import { current, isDraft } from 'mutative';
import { z } from 'zod';
import type { Change } from '../../core/diff.ts';
import { jsonObjectSchema, type Json, type JsonObject } from '../../core/json.ts';
import { parsePath } from '../../core/path.ts';
import type { UiNode } from '../../core/ui.ts';
import { valueAt } from '../../core/value-at.ts';
import type { App } from '../app/app.ts';
import { createCommand } from '../app/command.ts';
import { refuse } from '../../core/errors.ts';
import { execute } from '../execute.ts';
import { wrapSteps } from './steps-on-screen.ts';

/** Days of a task, and what another user does between them. */
export interface PlannedDays {
  /** The day it is, from 1. */
  readonly day: number;
  readonly days: number;
  /** The call of another user at the end of each day but the last. */
  readonly events: readonly { readonly command: string; readonly input: JsonObject }[];
  /** What the task asks for, and whether it held at the end of each day that is over. */
  readonly wanted: readonly Change[];
  readonly held: readonly boolean[];
}

const member = 'days';
const schema = z.union([
  z.null(),
  z.strictObject({
    day: z.int().positive(),
    days: z.int().positive(),
    events: z.array(z.strictObject({ command: z.string(), input: jsonObjectSchema })),
    wanted: z.array(jsonObjectSchema),
    held: z.array(z.boolean()),
  }),
]);

/** The path under which a task plans its days. */
export const daysPath = `/ui/${member}`;

/** The command that ends a day. */
export const endDay = 'end_day';

/**
 * The app over several days. A task may plan them: `end_day`, also a button on every screen, ends a day, and another user
 * changes something before the next. What is refused by then does not happen.
 */
export function withDays<S extends JsonObject>(app: App<S>): App<S> {
  const wrapped = wrapSteps(app, {
    member,
    schema: schema as unknown as z.ZodType<Json>,
    start: null,
    around: ({ run }) => run(),
  });
  const command = createCommand<S, Record<string, never>>(
    endDay,
    {
      about: 'Ends the working day. Others may have changed something by the next one.',
      input: z.strictObject({}),
      run: draft => void pass(app, draft),
    },
    true,
  );
  return {
    ...wrapped,
    commands: [...wrapped.commands, command],
    view(state) {
      const screen = wrapped.view(state);
      const plan = daysIn(state);
      return plan === null ? screen : withButton(screen, plan);
    },
  };
}

function withButton(screen: UiNode, { day, days }: PlannedDays): UiNode {
  const told: UiNode = { role: 'text', name: `Day ${day} of ${days}` };
  const button: UiNode = { role: 'button', name: 'End the day', press: { command: endDay, input: {} } };
  return { ...screen, children: [...(screen.children ?? []), told, ...(day < days ? [button] : [])] };
}

/** The plan of a state; null when its task is done in one day. */
export function daysIn(state: JsonObject): PlannedDays | null {
  const screen = state['ui'] as JsonObject | undefined;
  return (screen?.[member] ?? null) as PlannedDays | null;
}

/** Ends the day, and lets the other user do what is planned. */
function pass<S extends JsonObject>(app: App<S>, draft: S): void {
  const before = (isDraft(draft) ? current(draft) : draft) as S;
  const plan = daysIn(before);
  if (plan === null) refuse('There are no days here: finish when you are done.');
  if (plan.day >= plan.days) refuse('It is the last day: finish when you are done.');
  const event = plan.events[plan.day - 1];
  const command = app.commands.find(known => known.name === event?.command);
  if (event !== undefined && command !== undefined) {
    const { state, outcome } = execute(app, before, { command, input: event.input, byHand: false });
    const target = draft as Record<string, Json>;
    if (outcome.applied)
      for (const [key, value] of Object.entries(state))
        if (key !== 'ui' && value !== before[key]) target[key] = value as Json;
  }
  const held = [...plan.held, plan.wanted.every(change => holds(before, change))];
  (draft['ui'] as unknown as Record<string, Json>)[member] = { ...plan, day: plan.day + 1, held } as unknown as Json;
}

/** Whether a change that was asked for is there. */
function holds(state: JsonObject, change: Change): boolean {
  const found = valueAt(state, parsePath(change.path));
  return change.op === 'remove' ? found === undefined : JSON.stringify(found) === JSON.stringify(change.value);
}

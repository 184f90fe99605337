import { z } from 'zod';
import { invalidApp } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { App } from '../app/app.ts';
import type { AppCommand } from '../app/command.ts';

/** What a wrapper adds to an app: a member of the screen state that nobody sees, and what happens around each step. */
export interface StepWrapper<S extends JsonObject> {
  /** The name of the member under `ui`. */
  readonly member: string;
  readonly schema: z.ZodType<Json>;
  /** Its value in a new world; the task may set another one. */
  readonly start: Json;
  /** Runs a command or gesture of the app; may do something before or after it, or leave it out. */
  around(step: WrappedStep<S>): Json | void;
}

interface WrappedStep<S extends JsonObject> {
  readonly command: AppCommand<S>;
  readonly draft: S;
  /** The member of the screen state; a draft. */
  readonly memory: Json;
  remember(memory: Json): void;
  /** Does what was asked for. */
  run(): Json | void;
}

/** The app with something around each of its commands and gestures, whose memory is in the state: rollback covers it. */
export function wrapSteps<S extends JsonObject>(app: App<S>, wrapper: StepWrapper<S>): App<S> {
  const { member, schema, start } = wrapper;
  const screenOf = (state: S): Record<string, Json> => state['ui'] as unknown as Record<string, Json>;
  return {
    ...app,
    state: withMember(app, member, schema),
    init(random) {
      const state = app.init(random);
      return { ...state, ui: { ...screenOf(state), [member]: start } };
    },
    commands: app.commands.map(command =>
      command.kind === 'query'
        ? command
        : {
            ...command,
            run(draft, input) {
              let held = screenOf(draft)[member] ?? null;
              return wrapper.around({
                command,
                draft,
                memory: held,
                remember(memory) {
                  held = memory;
                  screenOf(draft)[member] = memory;
                },
                run() {
                  const result = command.run(draft, input);
                  // A command that writes a new screen state knows nothing of the member.
                  if (!(member in screenOf(draft))) screenOf(draft)[member] = held;
                  return result;
                },
              });
            },
          },
    ),
  };
}

interface Shaped {
  readonly shape?: Readonly<Record<string, unknown>>;
  extend(shape: Record<string, z.ZodType>): unknown;
}

function withMember<S extends JsonObject>({ id, state }: App<S>, member: string, schema: z.ZodType): z.ZodType<S> {
  const whole = state as unknown as Shaped;
  const screen = whole.shape?.['ui'] as Shaped | undefined;
  if (screen?.shape === undefined) {
    throw invalidApp(
      `Nothing can be put around the steps of the app "${id}": its state has no member ui that is an object.`,
      'Expected state: z.object({ …, ui: z.object({ … }) }).',
    );
  }
  return whole.extend({ ui: screen.extend({ [member]: schema }) as z.ZodType }) as z.ZodType<S>;
}

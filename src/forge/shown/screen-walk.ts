import type { JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import { createScreen } from '../../core/ui.ts';
import type { App } from '../../worlds/app/app.ts';
import { execute } from '../../worlds/execute.ts';
import { resolve } from '../../worlds/resolve.ts';
import { drawn, screenCandidates } from '../../worlds/screen.ts';

/** A state that was reached by looking around, and the text of its screen. */
export interface Seen<S extends JsonObject> {
  readonly state: S;
  readonly text: string;
}

export interface ScreenWalk<S extends JsonObject> {
  readonly start: S;
  readonly random: Random;
  readonly steps: number;
  /** Texts to type into fields, such as what is searched for. */
  readonly texts?: readonly string[];
}

const restartShare = 0.08;

/** Walks through the screens of an app by gestures alone, so that its data stay as they are. */
export function* walkScreens<S extends JsonObject>(
  app: App<S>,
  { start, random, steps, texts = [] }: ScreenWalk<S>,
): Generator<Seen<S>> {
  const commands = new Map(app.commands.map(command => [command.name, command]));
  let state = start;
  for (let step = 0; step < steps; step++) {
    const screen = createScreen(drawn(app, state));
    yield { state, text: screen.text };
    const offered = screenCandidates(screen.root, texts);
    if (offered.length === 0 || random.chance(restartShare)) {
      state = start;
      continue;
    }
    const { action } = random.pick(offered);
    if (action.kind === 'finish') continue;
    const resolved = resolve(action, { app: app.id, commands, screen: () => screen });
    if ('problem' in resolved || resolved.command.kind !== 'gesture') continue;
    try {
      state = execute(app, state, resolved).state;
    } catch {
      // A gesture that throws leads nowhere; the laws of environments report it.
      state = start;
    }
  }
}

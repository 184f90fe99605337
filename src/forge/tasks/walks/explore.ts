import { diff, type Change } from '../../../core/diff.ts';
import type { JsonObject } from '../../../core/json.ts';
import { isOnScreen } from '../../../core/path.ts';
import type { Random } from '../../../core/random.ts';
import { createScreen, type Intent, type UiNode } from '../../../core/ui.ts';
import type { App } from '../../../worlds/app/app.ts';
import { execute } from '../../../worlds/execute.ts';
import { drawn } from '../../../worlds/screen.ts';
import { freshText } from '../../inputs/fresh-values.ts';
import type { TaskCall } from '../command-goal.ts';

/** A command that ran during a walk and changed data. */
export interface WalkedCall<S extends JsonObject> extends TaskCall {
  readonly before: S;
  readonly after: S;
}

export interface Exploration<S extends JsonObject> {
  readonly start: S;
  readonly random: Random;
  /** Commands that may run; elements that dispatch others are left alone. */
  readonly allowed: ReadonlySet<string>;
  /** The walk ends after so many commands that changed data. */
  readonly changes: number;
  /** Texts of the data, to type into fields beside made-up ones. */
  readonly texts: readonly string[];
  /** What records have under the name of a field, so that made-up texts look like it. */
  examples(field: string): readonly string[];
}

const mostSteps = 60;
/** How often a walk takes an element that runs a command, where there is one. */
const commandShare = 0.3;
const knownTextShare = 0.35;

/** Explores an app through its screen, by chance, and tells which commands ran and changed data. */
export function explore<S extends JsonObject>(app: App<S>, exploration: Exploration<S>): WalkedCall<S>[] {
  const { start, random, changes } = exploration;
  const calls: WalkedCall<S>[] = [];
  let state = start;
  for (let step = 0; step < mostSteps && calls.length < changes; step++) {
    const taken = takeStep(app, state, { ...exploration, random: random.fork(`step ${step}`) });
    if (taken === null) continue;
    if (taken.call !== null) calls.push({ ...taken.call, before: state, after: taken.state });
    state = taken.state;
  }
  return calls;
}

interface Taken<S extends JsonObject> {
  readonly state: S;
  /** The command that changed data; null when only the screen changed. */
  readonly call: TaskCall | null;
}

function takeStep<S extends JsonObject>(app: App<S>, state: S, walk: Exploration<S>): Taken<S> | null {
  const { random, allowed } = walk;
  const { elements } = createScreen(drawn(app, state));
  const kindOf = (node: UiNode): string | undefined =>
    app.commands.find(({ name }) => name === (node.press ?? node.enter)?.command)?.kind;
  const usable = elements.filter(
    node => kindOf(node) === 'gesture' || allowed.has((node.press ?? node.enter)?.command ?? ''),
  );
  const commands = usable.filter(node => kindOf(node) === 'command');
  const choice = commands.length > 0 && random.chance(commandShare) ? commands : usable;
  if (choice.length === 0) return null;
  const intent = intentOf(random.pick(choice), walk);
  const command = app.commands.find(({ name }) => name === intent?.command);
  if (intent === null || command === undefined) return null;
  try {
    const parsed = command.parse(intent.input);
    const { state: after, outcome } = execute(app, state, { command, input: intent.input, byHand: true });
    if (outcome.problem !== undefined || 'problem' in parsed) return { state: after, call: null };
    const isChange = command.kind === 'command' && dataChanges(state, after).length > 0;
    return { state: after, call: isChange ? { command: command.name, input: parsed.input } : null };
  } catch {
    // A command that throws leads nowhere; the laws of environments report it.
    return null;
  }
}

/** What an element dispatches: for fields and choices, with something entered. */
function intentOf<S extends JsonObject>(
  { name = '', press, enter, options }: UiNode,
  walk: Exploration<S>,
): Intent | null {
  if (press !== undefined) return press;
  if (enter === undefined) return null;
  const { random, texts } = walk;
  const isKnown = texts.length > 0 && random.chance(knownTextShare);
  const key = name.toLowerCase().split(/\W+/).at(-1) ?? '';
  const typed = isKnown ? random.pick(texts) : freshText(key, walk.examples(name), random);
  const value = options === undefined ? typed : options.length === 0 ? null : random.pick(options);
  return value === null ? null : { command: enter.command, input: { ...enter.input, value } };
}

export function dataChanges<S extends JsonObject>(before: S, after: S): Change[] {
  return diff(before, after).filter(({ path }) => !isOnScreen(path));
}

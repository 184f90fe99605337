import type { StateEnvironment } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import { createScreen, elementAt, isInteractive, type UiNode } from '../../core/ui.ts';
import type { App } from '../../worlds/app/app.ts';
import { drawn } from '../../worlds/screen.ts';
import type { SolvedTask } from '../pool/likeness.ts';
import { walkScreens } from '../shown/screen-walk.ts';
import { toolCallsOf } from '../admission/wrong-pass/gold-calls.ts';
import { createControlNames } from './control-names.ts';

/** How much of something the solutions of tasks use. */
interface Share {
  readonly used: number;
  readonly known: number;
  /** What no solution uses. */
  readonly missing: readonly string[];
}

/** How much of an app its tasks teach. */
export interface Coverage {
  readonly commands: Share;
  /** Kinds of elements that solutions act on, of those that screens offer. */
  readonly controls: Share;
  /** Kinds of screens that solutions visit. */
  readonly screens: Share;
}

const worldsToWalk = 2;
const stepsToWalk = 250;

/** One screen: the world it was seen in, the parts of the page it shows, and the controls it offers. */
interface Sighting {
  readonly world: string;
  readonly landmarks: readonly string[];
  readonly offered: readonly string[];
  /** Whether a solution visits it. */
  readonly isUsed: boolean;
}

/**
 * Measures how many of the commands, controls and screens of an app the solutions of some tasks use. Controls and
 * screens are known when a walk through the app or a solution came across them.
 */
export function coverageOf<S extends JsonObject>(
  app: App<S>,
  environment: StateEnvironment,
  solved: readonly SolvedTask[],
): Coverage {
  const names = createControlNames(app);
  const sightings: Sighting[] = walked(app, names);
  const acted = new Set<string>();
  const called = new Set<string>();
  for (const { task, actions } of solved) {
    for (const { tool } of toolCallsOf(environment, task, actions)) called.add(tool);
    const session = environment.open(task);
    for (const action of actions) {
      const root = session.screen();
      sightings.push(seen(root, names, { world: task.world, isUsed: true }));
      const element = 'ref' in action ? elementAt(createScreen(root), action.ref) : undefined;
      if (element !== undefined) acted.add(names(element));
      session.step(action);
    }
  }
  const commands = app.commands.filter(({ kind }) => kind === 'command').map(({ name }) => name);
  const kinds = screenKinds(sightings);
  return {
    commands: shareOf(commands, called),
    controls: shareOf(
      sightings.flatMap(({ offered }) => offered),
      acted,
    ),
    screens: shareOf(
      kinds.map(({ kind }) => kind),
      new Set(kinds.filter(({ isUsed }) => isUsed).map(({ kind }) => kind)),
    ),
  };
}

function shareOf(all: readonly string[], used: ReadonlySet<string>): Share {
  const known = [...new Set(all)].toSorted();
  const missing = known.filter(name => !used.has(name));
  return { used: known.length - missing.length, known: known.length, missing };
}

function walked<S extends JsonObject>(app: App<S>, names: (element: UiNode) => string): Sighting[] {
  const sightings: Sighting[] = [];
  for (let index = 0; index < worldsToWalk; index++) {
    const random = createRandom(`coverage ${index}`);
    const start = app.init(random.fork('data'));
    for (const { state } of walkScreens(app, { start, random: random.fork('walk'), steps: stepsToWalk, texts: ['a'] }))
      sightings.push(seen(drawn(app, state), names, { world: `walk ${index}`, isUsed: false }));
  }
  return sightings;
}

const landmarkRoles: ReadonlySet<string> = new Set(['region', 'dialog', 'form', 'menu', 'search']);

function seen(
  root: UiNode,
  names: (element: UiNode) => string,
  { world, isUsed }: Pick<Sighting, 'world' | 'isUsed'>,
): Sighting {
  const landmarks = new Set<string>();
  const offered = new Set<string>();
  const walk = (node: UiNode): void => {
    if (landmarkRoles.has(node.role)) landmarks.add(`${node.role} ${(node.name ?? '').replaceAll(/\d+/g, '#')}`);
    if (isInteractive(node)) offered.add(names(node));
    for (const child of node.children ?? []) walk(child);
  };
  walk(root);
  return { world, landmarks: [...landmarks], offered: [...offered], isUsed };
}

/** Screens are of one kind when they have the same parts. Parts that are named after a record are left out. */
function screenKinds(sightings: readonly Sighting[]): { kind: string; isUsed: boolean }[] {
  const worlds = new Map<string, Set<string>>();
  for (const { world, landmarks } of sightings) {
    for (const landmark of landmarks) worlds.set(landmark, (worlds.get(landmark) ?? new Set()).add(world));
  }
  return sightings.map(({ landmarks, isUsed }) => {
    const general = landmarks.filter(landmark => (worlds.get(landmark)?.size ?? 0) > 1);
    return { kind: general.toSorted().join(', ') || 'page', isUsed };
  });
}

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EspalierError } from '../../core/errors.ts';
import { suggestion } from '../../core/naming/closest.ts';
import { forgeApp, forgeKinds, type ForgeKind } from '../../forge/tasks/forge-app.ts';
import { heldOutCommands } from '../../forge/pool/held-out.ts';
import type { JsonObject } from '../../core/json.ts';
import type { App } from '../../kernel/app.ts';
import { createWorld } from '../../kernel/world.ts';
import { createPlanner } from '../../policies/planner.ts';
import { openTaskFolder, taskFile } from './task-folder.ts';
import type { Source } from './source.ts';

const prefix = 'forge:';

interface ForgeName {
  /** The name of the app, or the folder of forged tasks. */
  readonly place: string;
  readonly kinds: readonly ForgeKind[] | null;
  readonly keepsOwn: boolean;
  /** Whether tasks may ask for what only held-out templates ask for. */
  readonly keepsHeldOut: boolean;
  /** Commands that no task asks for; null when those of held-out templates are to be found. */
  readonly leaveOut: readonly string[] | null;
}

/** `forge:mail`, `forge:./library.ts,kinds=commands+questions`, `forge:mail,own=yes`, or `forge:<folder of tasks>`. */
export function readForgeName(name: string): ForgeName {
  const [place = '', ...options] = name.slice(prefix.length).split(',');
  if (place === '') throw invalid(`"${name}" names no app.`, 'Expected forge:<app>, such as forge:mail.');
  let kinds: readonly ForgeKind[] | null = null;
  let keepsOwn = false;
  let keepsHeldOut = false;
  let leaveOut: readonly string[] | null = null;
  for (const option of options) {
    const [key, value = ''] = option.split('=', 2);
    if (key === 'kinds') kinds = value.split('+').map(kind => requireKind(kind, name));
    else if (key === 'own' && /^(?:yes|no)$/.test(value)) keepsOwn = value === 'yes';
    else if (key === 'held-out' && /^(?:yes|no)$/.test(value)) keepsHeldOut = value === 'yes';
    else if (key === 'leave-out' && /^\w+(?:\+\w+)*$/.test(value)) leaveOut = value.split('+');
    else
      throw invalid(
        `"${option}" in "${name}" is no option of forged tasks.`,
        `Expected kinds=<kinds with + between them>, of ${forgeKinds.join(', ')}; own=yes; held-out=yes; or leave-out=<commands with + between them>.`,
      );
  }
  return { place, kinds, keepsOwn, keepsHeldOut, leaveOut };
}

function requireKind(kind: string, name: string): ForgeKind {
  const found = forgeKinds.find(known => known === kind);
  if (found !== undefined) return found;
  throw invalid(
    `"${kind}" in "${name}" is no kind of forged tasks.${suggestion(kind, forgeKinds)}`,
    `Expected: ${forgeKinds.join(', ')}.`,
  );
}

/** The same name, whatever folder it is read in. */
export function absoluteForgeName(name: string, inner: (name: string) => string): string {
  const { place } = readForgeName(name);
  const options = name.slice(prefix.length + place.length);
  return `${prefix}${isTaskFolder(place) ? resolve(place) : inner(place)}${options}`;
}

/** The app with forged templates, or the environment of a folder of forged tasks. */
export async function forgeSource(name: string, find: (name: string) => Promise<Source>): Promise<Source> {
  const { place, kinds, keepsOwn, keepsHeldOut, leaveOut: named } = readForgeName(name);
  if (isTaskFolder(place)) return { environment: await openTaskFolder(resolve(place), find) };
  const source = await find(place);
  if (!('app' in source)) {
    throw invalid(
      `"${place}" is no app, so nothing can be forged from it.`,
      'Expected a built-in app, or a module that exports `app` from defineApp.',
    );
  }
  if (named !== null) requireCommands(source.app, named, name);
  const leaveOut = named ?? (keepsHeldOut ? [] : commandsToLeaveOut(source.app));
  const options = { id: `forge-${source.app.id}`, keepOwn: keepsOwn, leaveOut };
  return { app: forgeApp(source.app, kinds === null ? options : { ...options, kinds }) };
}

/**
 * The same forged tasks by a name that says which commands are left out: `forge:mail,leave-out=send_draft`. Opening it plans nothing,
 * so that many processes can open it.
 */
export async function nameLeftOut(name: string, find: (name: string) => Promise<Source>): Promise<string> {
  const { place, keepsHeldOut, leaveOut } = readForgeName(name);
  if (keepsHeldOut || leaveOut !== null || isTaskFolder(place)) return name;
  const source = await find(place);
  const commands = 'app' in source ? commandsToLeaveOut(source.app) : [];
  return commands.length === 0 ? `${name},held-out=yes` : `${name},leave-out=${commands.join('+')}`;
}

function requireCommands(app: App<JsonObject>, names: readonly string[], forged: string): void {
  const known = app.commands.map(command => command.name);
  const unknown = names.find(name => !known.includes(name));
  if (unknown === undefined) return;
  throw invalid(
    `"${unknown}" in "${forged}" is no command of ${app.id}.${suggestion(unknown, known)}`,
    `Expected: ${known.join(', ')}.`,
  );
}

/** Enough for the training templates: a command of one that is not solved would count as unseen. */
const mostNodes = 1500;

/** The commands that only held-out templates ask for. Bounded by states alone: the same on every machine. */
function commandsToLeaveOut(app: App<JsonObject>): readonly string[] {
  const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: mostNodes });
  return [...heldOutCommands(createWorld(app), planner)];
}

function isTaskFolder(place: string): boolean {
  return existsSync(join(place, taskFile)) && statSync(place).isDirectory();
}

function invalid(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'unknown-environment', message, expected });
}

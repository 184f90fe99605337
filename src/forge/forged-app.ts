import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EspalierError } from '../core/errors.ts';
import { suggestion } from '../core/naming/closest.ts';
import type { HeldOutCommands } from './pool/held-out.ts';
import { forgeKinds, type ForgeKind } from './tasks/forge-kinds.ts';
import type { JsonObject } from '../core/json.ts';
import type { App } from '../worlds/app/app.ts';
import { isJoined, joinApps } from '../worlds/joined/join-apps.ts';
import { withNoiseLevel } from '../worlds/wrappers/lost-steps.ts';
import { createWorld } from '../worlds/world.ts';
import { isModulePath } from '../modules/load-module.ts';
import { openTaskFolder, readTaskFolderHead, taskFile } from './task-folder.ts';
import type { Source } from '../worlds/family.ts';

const prefix = 'forge:';

interface ForgeName {
  /** The name of the app, or the folder of forged tasks. */
  readonly place: string;
  readonly kinds: readonly ForgeKind[] | null;
  readonly keepsOwn: boolean;
  /** Whether tasks may ask for what only held-out templates ask for. */
  readonly keepsHeldOut: boolean;
  /** The level of noise, from 0 to 3. */
  readonly noise: number;
  /** Commands that no task asks for; null when those of held-out templates are to be found. */
  readonly leaveOut: readonly string[] | null;
  /** Commands that tasks ask for together with others only; null as above. */
  readonly notAlone: readonly string[] | null;
}

/** `forge:mail`, `forge:mail+tracker`, `forge:./library.ts,kinds=commands+questions`, `forge:mail,own=yes`, or `forge:<folder of tasks>`. */
export function readForgeName(name: string): ForgeName {
  const [place = '', ...options] = name.slice(prefix.length).split(',');
  if (place === '') throw invalid(`"${name}" names no app.`, 'Expected forge:<app>, such as forge:mail.');
  let kinds: readonly ForgeKind[] | null = null;
  let keepsOwn = false;
  let keepsHeldOut = false;
  let noise = 0;
  let leaveOut: readonly string[] | null = null;
  let notAlone: readonly string[] | null = null;
  for (const option of options) {
    const [key, value = ''] = option.split('=', 2);
    if (key === 'kinds') kinds = value.split('+').map(kind => requireKind(kind, name));
    else if (key === 'own' && /^(?:yes|no)$/.test(value)) keepsOwn = value === 'yes';
    else if (key === 'held-out' && /^(?:yes|no)$/.test(value)) keepsHeldOut = value === 'yes';
    else if (key === 'noise' && /^[0-3]$/.test(value)) noise = Number(value);
    else if (key === 'leave-out' && /^\w+(?:\+\w+)*$/.test(value)) leaveOut = value.split('+');
    else if (key === 'not-alone' && /^\w+(?:\+\w+)*$/.test(value)) notAlone = value.split('+');
    else
      throw invalid(
        `"${option}" in "${name}" is no option of forged tasks.`,
        `Expected kinds=<kinds with + between them>, of ${forgeKinds.join(', ')}; own=yes; held-out=yes; leave-out=<commands with + between them>; not-alone=<commands>; or noise=<level from 0 to 3>.`,
      );
  }
  return { place, kinds, keepsOwn, keepsHeldOut, leaveOut, notAlone, noise };
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
  return `${prefix}${isTaskFolder(place) ? resolve(place) : placesIn(place).map(inner).join('+')}${options}`;
}

/** The names of the apps: several where they stand in one world, as in mail+tracker. */
export function placesIn(place: string): readonly string[] {
  return existsSync(place) ? [place] : place.split('+');
}

/** The app of a name, or several apps in one world, with the commands that only their held-out templates ask for. */
async function findApp(place: string, { find, keepsHeldOut }: AppSearch): Promise<FoundApp> {
  const apps: App<JsonObject>[] = [];
  for (const name of placesIn(place)) {
    // The forged app has no held-out templates, so nothing would be left out.
    if (name.startsWith(prefix)) throw notAnApp(name);
    const source = await find(name);
    if (!('app' in source)) throw notAnApp(name);
    apps.push(source.app);
  }
  const [only] = apps;
  const heldOut = await Promise.all(apps.map(app => (keepsHeldOut ? nothingHeldOut : findHeldOut(app))));
  const app = apps.length === 1 && only !== undefined ? only : joinApps(apps);
  // Where apps are joined, a command may have another name.
  const named = (names: (held: HeldOutCommands) => ReadonlySet<string>): string[] =>
    heldOut.flatMap((held, index) =>
      [...names(held)].map(name => (isJoined(app) ? app.parts[index]?.nameOf(name) : undefined) ?? name),
    );
  return { app, leaveOut: named(({ never }) => never), notAlone: named(({ notAlone }) => notAlone) };
}

interface AppSearch {
  find(name: string): Promise<Source>;
  readonly keepsHeldOut: boolean;
}

interface FoundApp {
  readonly app: App<JsonObject>;
  readonly leaveOut: readonly string[];
  readonly notAlone: readonly string[];
}

/** The app with forged templates, or the environment of a folder of forged tasks. */
export async function forgeSource(name: string, find: (name: string) => Promise<Source>): Promise<Source> {
  const { place, kinds, keepsOwn, keepsHeldOut, noise, ...given } = readForgeName(name);
  const { leaveOut: named, notAlone: namedNotAlone } = given;
  if (isTaskFolder(place)) return { environment: await openTaskFolder(resolve(place), find) };
  if (isFolderPath(place)) throw noTasks(place);
  const isNamed = named !== null || namedNotAlone !== null;
  const { app, ...found } = await findApp(place, { find, keepsHeldOut: keepsHeldOut || isNamed });
  const leaveOut = named ?? found.leaveOut;
  const notAlone = namedNotAlone ?? found.notAlone;
  if (isNamed) requireCommands(app, [...leaveOut, ...notAlone], name);
  const options = { id: `forge-${app.id}`, keepOwn: keepsOwn, leaveOut, notAlone };
  // Loaded when something is forged: names of environments are read by every verb.
  const { forgeApp } = await import('./forge-app.ts');
  return { app: withNoiseLevel(forgeApp(app, kinds === null ? options : { ...options, kinds }), noise) };
}

/**
 * The same forged tasks by a name that says which commands are left out: `forge:mail,leave-out=send_draft`. Opening it plans nothing,
 * so that many processes can open it.
 */
export async function nameLeftOut(name: string, find: (name: string) => Promise<Source>): Promise<string> {
  const { place, keepsHeldOut, leaveOut, notAlone } = readForgeName(name);
  if (keepsHeldOut || leaveOut !== null || notAlone !== null || isTaskFolder(place)) return name;
  const found = await findApp(place, { find, keepsHeldOut });
  const named = [
    ...(found.leaveOut.length === 0 ? [] : [`leave-out=${found.leaveOut.join('+')}`]),
    ...(found.notAlone.length === 0 ? [] : [`not-alone=${found.notAlone.join('+')}`]),
  ];
  return [name, ...(named.length === 0 ? ['held-out=yes'] : named)].join(',');
}

/** The name of the app behind forged tasks: of a folder of tasks, the one they were forged from. */
export async function taskFolderSource(name: string): Promise<string> {
  const { place } = readForgeName(name);
  return isTaskFolder(place) ? readTaskFolderHead(resolve(place)) : name;
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

const nothingHeldOut: HeldOutCommands = { never: new Set(), notAlone: new Set() };

/** The commands that only held-out templates ask for. Bounded by states alone: the same on every machine. */
async function findHeldOut(app: App<JsonObject>): Promise<HeldOutCommands> {
  if (app.heldOutCommands !== undefined) {
    const { never, notAlone } = app.heldOutCommands;
    return { never: new Set(never), notAlone: new Set(notAlone) };
  }
  const { heldOutCommands } = await import('./pool/held-out.ts');
  const { createPlanner } = await import('../agents/planner/planner.ts');
  return heldOutCommands(createWorld(app), createPlanner({ clock: { now: () => 0 }, maxNodes: mostNodes }));
}

/** A path that is not the path of a module. */
function isFolderPath(place: string): boolean {
  return /[/\\]/.test(place) && !isModulePath(place) && !/^\w+:/.test(place);
}

function noTasks(place: string): EspalierError {
  const why = existsSync(place) ? `it has no ${taskFile}` : 'there is no such folder';
  return invalid(
    `${prefix}${place} names a folder of forged tasks, but ${why}.`,
    'Expected a folder that `espalier forge <app> --out <folder>` wrote, or an app: a built-in one, or a module such as ./library.ts.',
  );
}

function notAnApp(place: string): EspalierError {
  return invalid(
    `"${place}" is no app, so nothing can be forged from it.`,
    'Expected a built-in app, or a module that exports `app` from defineApp.',
  );
}

function isTaskFolder(place: string): boolean {
  return existsSync(join(place, taskFile)) && statSync(place).isDirectory();
}

function invalid(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'unknown-environment', message, expected });
}

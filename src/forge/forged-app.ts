import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { unknownEnvironment } from '../core/errors.ts';
import type { EspalierError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { suggestion } from '../core/naming/closest.ts';
import { readModuleName } from '../modules/load-module.ts';
import type { App } from '../worlds/app/app.ts';
import type { FamilyHost, Source } from '../worlds/family.ts';
import { isJoined, joinApps } from '../worlds/joined/join-apps.ts';
import { withLooks } from '../worlds/wrappers/looks.ts';
import { withNoiseLevel } from '../worlds/wrappers/lost-steps.ts';
import { createWorld } from '../worlds/world.ts';
import { forgeApp, type ForgeOptions } from './forge-app.ts';
import { forgePrefix, isTaskFolder, placesIn, readForgeName, taskFile } from './forge-name.ts';
import { heldOutCommands, type HeldOutCommands } from './pool/held-out.ts';
import { isInGrid } from './tasks/tiers.ts';
import { openTaskFolder, readTaskFolderHead } from './task-folder.ts';

/** The app of a name, or several apps in one world, with the commands that only their held-out templates ask for. */
async function findApp(place: string, { host, keepsHeldOut }: AppSearch): Promise<FoundApp> {
  const apps: App<JsonObject>[] = [];
  for (const name of placesIn(place)) {
    // The forged app has no held-out templates, so nothing would be left out.
    if (name.startsWith(forgePrefix)) throw notAnApp(name);
    const source = await host.find(name);
    if (!('app' in source)) throw notAnApp(name);
    apps.push(source.app);
  }
  const [only] = apps;
  const heldOut = await Promise.all(apps.map(app => (keepsHeldOut ? nothingHeldOut : findHeldOut(app, host))));
  const app = apps.length === 1 && only !== undefined ? only : joinApps(apps);
  // Where apps are joined, a command may have another name.
  const named = (names: (held: HeldOutCommands) => ReadonlySet<string>): string[] =>
    heldOut.flatMap((held, index) =>
      [...names(held)].map(name => (isJoined(app) ? app.parts[index]?.nameOf(name) : undefined) ?? name),
    );
  return { app, leaveOut: named(({ never }) => never), notAlone: named(({ notAlone }) => notAlone) };
}

interface AppSearch {
  readonly host: FamilyHost;
  readonly keepsHeldOut: boolean;
}

interface FoundApp {
  readonly app: App<JsonObject>;
  readonly leaveOut: readonly string[];
  readonly notAlone: readonly string[];
}

/** The app with forged templates, or the environment of a folder of forged tasks. */
export async function forgeSource(name: string, host: FamilyHost): Promise<Source> {
  const { place, kinds, keepsOwn, keepsHeldOut, noise, share, isGrid, ...given } = readForgeName(name);
  const { leaveOut: named, notAlone: namedNotAlone } = given;
  if (isTaskFolder(place)) return { environment: await openTaskFolder(resolve(place), host) };
  if (isFolderPath(place)) throw noTasks(place);
  const isNamed = named !== null || namedNotAlone !== null;
  const { app, ...found } = await findApp(place, { host, keepsHeldOut: keepsHeldOut || isNamed });
  const leaveOut = named ?? found.leaveOut;
  const notAlone = namedNotAlone ?? found.notAlone;
  if (isNamed) requireCommands(app, [...leaveOut, ...notAlone], name);
  const options = { id: `${isGrid ? 'grid' : 'forge'}-${app.id}`, keepOwn: keepsOwn, leaveOut, notAlone };
  const forged = isGrid ? gridApp(app, options) : forgeApp(app, kinds === null ? options : { ...options, kinds });
  return { app: withNoiseLevel(forged, noise, share) };
}

/** Tasks of one command and of several, each in every look of the app (UI-CUBE). */
function gridApp(app: App<JsonObject>, options: ForgeOptions): App<JsonObject> {
  const forged = forgeApp(app, { ...options, kinds: ['commands', 'chains'] });
  return withLooks({ ...forged, templates: forged.templates.filter(({ id }) => isInGrid(id)) });
}

/**
 * The same forged tasks by a name that says which commands are left out: `forge:mail,leave-out=send_draft`. Opening it plans nothing,
 * so that many processes can open it.
 */
export async function nameLeftOut(name: string, host: FamilyHost): Promise<string> {
  const { place, keepsHeldOut, leaveOut, notAlone } = readForgeName(name);
  if (keepsHeldOut || leaveOut !== null || notAlone !== null || isTaskFolder(place)) return name;
  const found = await findApp(place, { host, keepsHeldOut });
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
  throw unknownEnvironment(
    `"${unknown}" in "${forged}" is no command of ${app.id}.${suggestion(unknown, known)}`,
    `Expected: ${known.join(', ')}.`,
  );
}

/** Enough for the training templates: a command of one that is not solved would count as unseen. */
const mostStates = 1500;

const nothingHeldOut: HeldOutCommands = { never: new Set(), notAlone: new Set() };

/** The commands that only held-out templates ask for. Bounded by states alone: the same on every machine. */
async function findHeldOut(app: App<JsonObject>, { planner }: FamilyHost): Promise<HeldOutCommands> {
  if (app.heldOutCommands !== undefined) {
    const { never, notAlone } = app.heldOutCommands;
    return { never: new Set(never), notAlone: new Set(notAlone) };
  }
  return heldOutCommands(createWorld(app), await planner(mostStates));
}

/** A path that is not the path of a module, and not the name of another environment. */
function isFolderPath(place: string): boolean {
  return /[/\\]/.test(place) && readModuleName(place) === null && !/^\w+:/.test(place);
}

function noTasks(place: string): EspalierError {
  const why = existsSync(place) ? `it has no ${taskFile}` : 'there is no such folder';
  return unknownEnvironment(
    `${forgePrefix}${place} names a folder of forged tasks, but ${why}.`,
    'Expected a folder that `espalier forge <app> --out <folder>` wrote, or an app: a built-in one, or a module such as ./library.ts.',
  );
}

function notAnApp(place: string): EspalierError {
  return unknownEnvironment(
    `"${place}" is no app, so nothing can be forged from it.`,
    'Expected a built-in app, or a module that exports `app` from defineApp.',
  );
}

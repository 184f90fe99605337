import type { Planner } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import { studyHeldOut, type HeldOut } from '../../forge/pool/held-out.ts';
import type { App } from '../../worlds/app/app.ts';
import { isJoined } from '../../worlds/joined/join-apps.ts';
import { createWorld } from '../../worlds/world.ts';
import { placesIn, readForgeName } from '../../forge/forge-name.ts';
import { findSource } from '../environments/open-environment.ts';

const heldOutSeeds = [1, 2, 3];

/** What the held-out templates of the app itself ask for; nothing when the name says that they may be given away. */
export async function heldOutOf(name: string, app: App<JsonObject>, planner: Planner): Promise<HeldOut> {
  return readForgeName(name).keepsHeldOut ? nothingHeldOut : allHeldOutOf(name, app, planner);
}

const nothingHeldOut: HeldOut = { sketches: [], skills: new Set(), commands: new Set() };

/** The same, whatever the name says. */
export async function allHeldOutOf(name: string, app: App<JsonObject>, planner: Planner): Promise<HeldOut> {
  const { place } = readForgeName(name);
  const studied: HeldOut[] = [];
  for (const [index, one] of placesIn(place).entries()) {
    const source = await findSource(one);
    if (!('app' in source)) continue;
    const { commands, ...rest } = studyHeldOut(createWorld(source.app), planner, heldOutSeeds);
    // Where apps are joined, a command may have another name.
    const part = isJoined(app) ? app.parts[index] : undefined;
    studied.push({ ...rest, commands: new Set([...commands].map(command => part?.nameOf(command) ?? command)) });
  }
  return {
    sketches: studied.flatMap(({ sketches }) => sketches),
    skills: new Set(studied.flatMap(({ skills }) => [...skills])),
    commands: new Set(studied.flatMap(({ commands }) => [...commands])),
  };
}

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unknownEnvironment } from '../core/errors.ts';
import { suggestion } from '../core/naming/closest.ts';
import { placeIn } from '../worlds/family.ts';
import { forgeKinds, type ForgeKind } from './tasks/forge-kinds.ts';

export const forgePrefix = 'forge:';

/** The file that makes a folder one of forged tasks. */
export const taskFile = 'tasks.jsonl';

interface ForgeName {
  /** The name of the app, or the folder of forged tasks. */
  readonly place: string;
  readonly kinds: readonly ForgeKind[] | null;
  readonly keepsOwn: boolean;
  /** Whether tasks may ask for what only held-out templates ask for. */
  readonly keepsHeldOut: boolean;
  /** The level of noise, from 0 to 3. */
  readonly noise: number;
  /** Share of the tasks that have the noise. */
  readonly share: number;
  /** Whether single commands and chains are asked for in every look of the app, and nothing else. */
  readonly isGrid: boolean;
  /** Commands that no task asks for; null when those of held-out templates are to be found. */
  readonly leaveOut: readonly string[] | null;
  /** Commands that tasks ask for together with others only; null as above. */
  readonly notAlone: readonly string[] | null;
}

/** `forge:mail`, `forge:mail+tracker`, `forge:./library.ts,kinds=commands+questions`, `forge:mail,own=yes`, or `forge:<folder of tasks>`. */
export function readForgeName(name: string): ForgeName {
  const [place = '', ...options] = placeIn(name).split(',');
  if (place === '') throw unknownEnvironment(`"${name}" names no app.`, 'Expected forge:<app>, such as forge:mail.');
  let kinds: readonly ForgeKind[] | null = null;
  let keepsOwn = false;
  let keepsHeldOut = false;
  let noise = 0;
  let share = 1;
  let isGrid = false;
  let leaveOut: readonly string[] | null = null;
  let notAlone: readonly string[] | null = null;
  for (const option of options) {
    const [key, value = ''] = option.split('=', 2);
    if (key === 'kinds') kinds = value.split('+').map(kind => requireKind(kind, name));
    else if (key === 'own' && /^(?:yes|no)$/.test(value)) keepsOwn = value === 'yes';
    else if (key === 'held-out' && /^(?:yes|no)$/.test(value)) keepsHeldOut = value === 'yes';
    else if (key === 'noise' && /^[0-3]$/.test(value)) noise = Number(value);
    else if (key === 'share' && /^(?:1|0?\.\d+)$/.test(value)) share = Number(value);
    else if (key === 'grid' && /^(?:yes|no)$/.test(value)) isGrid = value === 'yes';
    else if (key === 'leave-out' && /^\w+(?:\+\w+)*$/.test(value)) leaveOut = value.split('+');
    else if (key === 'not-alone' && /^\w+(?:\+\w+)*$/.test(value)) notAlone = value.split('+');
    else
      throw unknownEnvironment(
        `"${option}" in "${name}" is no option of forged tasks.`,
        `Expected kinds=<kinds with + between them>, of ${forgeKinds.join(', ')}; own=yes; held-out=yes; leave-out=<commands with + between them>; not-alone=<commands>; noise=<level from 0 to 3>; share=<of the tasks that have it, such as 0.5>; or grid=yes.`,
      );
  }
  if (isGrid && (kinds !== null || keepsOwn))
    throw unknownEnvironment(
      `"${name}" asks for a grid and for ${kinds === null ? 'own' : 'kinds'}.`,
      'Expected grid=yes without kinds and own: a grid has commands and chains.',
    );
  return { place, kinds, keepsOwn, keepsHeldOut, leaveOut, notAlone, noise, share, isGrid };
}

function requireKind(kind: string, name: string): ForgeKind {
  const found = forgeKinds.find(known => known === kind);
  if (found !== undefined) return found;
  throw unknownEnvironment(
    `"${kind}" in "${name}" is no kind of forged tasks.${suggestion(kind, forgeKinds)}`,
    `Expected: ${forgeKinds.join(', ')}.`,
  );
}

/** The names of the apps: several where they stand in one world, as in mail+tracker. */
export function placesIn(place: string): readonly string[] {
  return existsSync(place) ? [place] : place.split('+');
}

/** Whether a folder holds forged tasks. */
export function isTaskFolder(place: string): boolean {
  return existsSync(join(place, taskFile)) && statSync(place).isDirectory();
}

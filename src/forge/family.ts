import { resolve } from 'node:path';
import type { Family } from '../worlds/family.ts';
import { forgePrefix, isTaskFolder, placesIn, readForgeName } from './forge-name.ts';

export const forgeFamily: Family = {
  name: forgePrefix,
  usage: 'forge:<app>',
  example: 'forge:mail',
  about: 'Tasks forged from the commands of an app, or a folder of forged tasks.',
  absolute(name, inner) {
    const { place } = readForgeName(name);
    const options = name.slice(forgePrefix.length + place.length);
    return `${forgePrefix}${isTaskFolder(place) ? resolve(place) : placesIn(place).map(inner).join('+')}${options}`;
  },
  // Loaded when something is forged: names of environments are read by every verb.
  open: async (name, host) => (await import('./forged-app.ts')).forgeSource(name, host),
};

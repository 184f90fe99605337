import { resolve } from 'node:path';
import { placeIn, type Family } from '../../worlds/family.ts';

const prefix = 'release:';

/** `release:<folder>`: the frozen tasks that `espalier release freeze` wrote there. */
export const releaseFamily: Family = {
  name: prefix,
  usage: 'release:<folder>',
  about: 'Frozen, dated, hashed tasks that espalier release wrote; they are evaluated on, and never collected on.',
  absolute: name => `${prefix}${resolve(placeIn(name))}`,
  open: async (name, host) => (await import('./open-release.ts')).openRelease(resolve(placeIn(name)), host),
};

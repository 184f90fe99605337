import type { Family } from '../../worlds/family.ts';
import { placeIn } from '../../worlds/family.ts';

const prefix = 'threats:';

export const threatFamily: Family = {
  name: prefix,
  usage: 'threats:<app>',
  example: 'threats:mail',
  about: 'Tasks of an app with hostile texts and controls beside them, in doses, and defences against them.',
  absolute(name, inner) {
    const [place = '', ...options] = placeIn(name).split(',');
    return [`${prefix}${inner(place)}`, ...options].join(',');
  },
  // Loaded when something is threatened: names of environments are read by every verb.
  open: async (name, host) => (await import('./threatened-app.ts')).threatSource(name, host),
};

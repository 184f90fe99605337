import { placeIn, type Family } from '../../worlds/family.ts';

const prefix = 'users:';

export const userFamily: Family = {
  name: prefix,
  usage: 'users:<app>',
  example: 'users:mail',
  about:
    'Tasks of an app from a simulated user, who leaves things out, answers, looks at the work and changes their mind.',
  absolute(name, inner) {
    const [place = '', ...options] = placeIn(name).split(',');
    return [`${prefix}${inner(place)}`, ...options].join(',');
  },
  // Loaded when somebody is to be asked: names of environments are read by every verb.
  open: async (name, host) => (await import('./user-app.ts')).userSource(name, host),
};

import { appSource, type AppFamily } from '../../../worlds/family.ts';

export const mailFamily: AppFamily = {
  name: 'mail',
  about: 'Folders, labels, conversations, contacts, rules.',
  open: async () => appSource((await import('./mail.ts')).mail),
};

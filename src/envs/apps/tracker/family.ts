import { appSource, type AppFamily } from '../../../worlds/family.ts';

export const trackerFamily: AppFamily = {
  name: 'tracker',
  about: 'Issues, workflow, sprints, boards, links.',
  open: async () => appSource((await import('./tracker.ts')).tracker),
};

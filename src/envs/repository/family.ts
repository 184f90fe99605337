import { resolve } from 'node:path';
import { placeIn, type Family } from '../../worlds/family.ts';

/** The commits of a local git repository as tasks: tests that fail before a commit and pass after it. */
export const repositoryFamily: Family = {
  name: 'repository:',
  usage: 'repository:<folder>',
  isPlanned: false,
  about: 'Commits of a git repository as tasks: what makes its tests pass. `check` finds them first.',
  absolute: name => `repository:${resolve(placeIn(name))}`,
  async open(name) {
    const { openRepository } = await import('./environment.ts');
    return openRepository(placeIn(name));
  },
};

import { unknownEnvironment } from '../../core/errors.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import { placeIn, type Family, type FamilyHost, type Source } from '../../worlds/family.ts';

const einstein = 'team:einstein';

export const teamFamily: Family = {
  name: 'team:',
  usage: 'team:einstein, or team:<app>',
  example: 'team:einstein',
  about: 'Worlds for two agents: puzzles with clues for each, or an app with a planner and an executor.',
  absolute: (name, inner) => (name === einstein ? name : `team:${inner(placeIn(name))}`),
  async open(name, host) {
    if (name !== einstein) return openSplit(name, host);
    const { createPuzzleEnvironment, puzzleBaselines, puzzleFault } = await import('./puzzle-environment.ts');
    return { environment: createPuzzleEnvironment(), ladder: { baselines: puzzleBaselines, fault: puzzleFault } };
  },
};

/** Any app, shared by two agents. */
async function openSplit(name: string, host: FamilyHost): Promise<Source> {
  const expected = 'Expected team:einstein, or team:<app>, such as team:mail.';
  if (placeIn(name) === '') throw unknownEnvironment(`"${name}" names no team world.`, expected);
  const source = await host.find(placeIn(name));
  if (!('app' in source))
    throw unknownEnvironment(`"${placeIn(name)}" is no app: it cannot be shared by two agents.`, expected);
  const { splitEnvironment } = await import('./split-environment.ts');
  const { createWorld } = await import('../../worlds/world.ts');
  const environment: StateEnvironment = createWorld(source.app);
  return { environment: splitEnvironment(environment) };
}

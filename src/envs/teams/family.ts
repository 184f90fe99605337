import { unknownEnvironment } from '../../core/errors.ts';
import type { Family } from '../../worlds/family.ts';

export const teamFamily: Family = {
  name: 'team:',
  usage: 'team:einstein',
  example: 'team:einstein',
  about: 'Puzzles for two agents: each has clues of its own, and they talk by turns.',
  async open(name) {
    if (name !== 'team:einstein')
      throw unknownEnvironment(`There is no team world "${name}".`, 'Expected team:einstein.');
    const { createPuzzleEnvironment, puzzleBaselines, puzzleFault } = await import('./puzzle-environment.ts');
    return { environment: createPuzzleEnvironment(), ladder: { baselines: puzzleBaselines, fault: puzzleFault } };
  },
};

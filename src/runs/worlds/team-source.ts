import { EspalierError } from '../../core/errors.ts';
import type { Source } from '../environments/source.ts';
import { createLadderPlanner } from './ladder-planner.ts';

/** `team:einstein`. */
export async function teamSource(name: string): Promise<Source> {
  if (name !== 'team:einstein')
    throw new EspalierError({
      boundary: 'input',
      code: 'unknown-environment',
      message: `There is no team world "${name}".`,
      expected: 'Expected team:einstein.',
    });
  const { createPuzzleEnvironment, puzzleBaselines, puzzleFault } = await import(
    '../../envs/teams/puzzle-environment.ts'
  );
  const { admitWorld } = await import('../../forge/world-ladder.ts');
  const environment = createPuzzleEnvironment();
  return {
    environment,
    admit: (templates, seeds) =>
      admitWorld(environment, {
        planner: createLadderPlanner(),
        templates,
        seeds,
        baselines: puzzleBaselines,
        fault: puzzleFault,
      }),
  };
}

import { EspalierError } from '../../core/errors.ts';
import type { Source } from '../../worlds/family.ts';

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
    './puzzle-environment.ts'
  );
  const { admittedSource } = await import('../../runs/environments/admit-source.ts');
  const environment = createPuzzleEnvironment();
  return admittedSource(environment, { baselines: puzzleBaselines, fault: puzzleFault });
}

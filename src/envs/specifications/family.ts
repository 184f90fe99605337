import { EspalierError } from '../../core/errors.ts';
import type { Source } from '../../worlds/family.ts';

const prefix = 'spec:';

/** `spec:all`, or a level: `spec:easy`. */
export async function specificationSource(name: string): Promise<Source> {
  const { createSpecificationEnvironment } = await import('./specification-environment.ts');
  const { specificationLevels } = await import('./described-function.ts');
  const { specificationBaselines, specificationFault } = await import('./baselines.ts');
  const { admittedSource } = await import('../../runs/environments/admit-source.ts');
  const place = name.slice(prefix.length);
  const levels = specificationLevels.filter(level => place === 'all' || level === place);
  if (levels.length === 0)
    throw new EspalierError({
      boundary: 'input',
      code: 'unknown-environment',
      message: `There are no specifications "${name}".`,
      expected: `Expected spec:all, or a level: ${specificationLevels.map(level => `spec:${level}`).join(', ')}.`,
    });
  const environment = createSpecificationEnvironment(`spec-${place}`, levels);
  return admittedSource(environment, { baselines: specificationBaselines, fault: specificationFault });
}

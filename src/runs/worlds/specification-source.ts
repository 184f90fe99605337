import { EspalierError } from '../../core/errors.ts';
import type { Source } from '../environments/source.ts';

const prefix = 'spec:';

/** `spec:all`, or a level: `spec:easy`. */
export async function specificationSource(name: string): Promise<Source> {
  const { createSpecificationEnvironment } = await import('../../envs/specifications/specification-environment.ts');
  const { specificationLevels } = await import('../../envs/specifications/described-function.ts');
  const { specificationBaselines, specificationFault } = await import('../../envs/specifications/baselines.ts');
  const { admittedSource } = await import('./admitted-source.ts');
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

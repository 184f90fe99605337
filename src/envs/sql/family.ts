import { EspalierError } from '../../core/errors.ts';
import type { Source } from '../../worlds/family.ts';

/** `sql:repair`. */
export async function sqlSource(name: string): Promise<Source> {
  if (name !== 'sql:repair')
    throw new EspalierError({
      boundary: 'input',
      code: 'unknown-environment',
      message: `There are no SQL tasks "${name}".`,
      expected: 'Expected sql:repair.',
    });
  const { createSqlEnvironment } = await import('./sql-environment.ts');
  const { repairFault, sqlBaselines } = await import('./baselines.ts');
  const { admittedSource } = await import('../../runs/environments/admit-source.ts');
  const environment = createSqlEnvironment();
  return admittedSource(environment, { baselines: sqlBaselines, fault: repairFault });
}

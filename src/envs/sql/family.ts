import { unknownEnvironment } from '../../core/errors.ts';
import type { Family } from '../../worlds/family.ts';

export const sqlFamily: Family = {
  name: 'sql:',
  usage: 'sql:repair',
  example: 'sql:repair',
  about: 'Broken queries to repair, verified on hidden data in a sandbox.',
  async open(name) {
    if (name !== 'sql:repair') throw unknownEnvironment(`There are no SQL tasks "${name}".`, 'Expected sql:repair.');
    const { createSqlEnvironment } = await import('./sql-environment.ts');
    const { repairFault, sqlBaselines } = await import('./baselines.ts');
    return { environment: createSqlEnvironment(), ladder: { baselines: sqlBaselines, fault: repairFault } };
  },
};

import { EspalierError } from '../../core/errors.ts';
import type { Source } from '../environments/source.ts';

const prefix = 'loong:';

/** `loong:all`, or a domain: `loong:finance`. */
export async function loongSource(name: string): Promise<Source> {
  const { createLoongEnvironment, tripleForms } = await import('../../envs/loong/loong-environment.ts');
  const { createTripleFault, loongBaselines } = await import('../../envs/loong/baselines.ts');
  const { admittedSource } = await import('./admitted-source.ts');
  const place = name.slice(prefix.length);
  const forms = tripleForms.filter(({ domain }) => place === 'all' || domain === place);
  if (forms.length === 0)
    throw new EspalierError({
      boundary: 'input',
      code: 'unknown-environment',
      message: `There are no questions "${name}".`,
      expected: `Expected loong:all, or a domain: ${tripleForms.map(({ domain }) => `loong:${domain}`).join(', ')}.`,
    });
  const environment = createLoongEnvironment(`loong-${place}`, forms);
  return admittedSource(environment, { baselines: loongBaselines, fault: createTripleFault() });
}

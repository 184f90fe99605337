import { EspalierError } from '../../core/errors.ts';
import type { Source } from '../../worlds/family.ts';

const prefix = 'loong:';

/** `loong:all`, or a domain: `loong:finance`. */
export async function loongSource(name: string): Promise<Source> {
  const { createLoongEnvironment, tripleForms } = await import('./loong-environment.ts');
  const { createTripleFault, loongBaselines } = await import('./baselines.ts');
  const { admittedSource } = await import('../../runs/environments/admit-source.ts');
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

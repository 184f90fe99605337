import { EspalierError } from '../../core/errors.ts';
import type { Source } from '../../worlds/family.ts';

const adrPrefix = 'adr:';

/** `adr:all`, or tasks of so many atoms: `adr:2`, `adr:2+3`. */
export async function adrSource(name: string): Promise<Source> {
  const { codeTemplates, createAdrEnvironment } = await import('./environment/environment.ts');
  const { admitCode } = await import('./environment/ladder.ts');
  const place = name.slice(adrPrefix.length);
  const counts = new Set(place.split('+').map(Number));
  const templates = codeTemplates.filter(({ atoms }) => place === 'all' || counts.has(atoms));
  if (templates.length === 0 || (place !== 'all' && templates.length !== counts.size))
    throw new EspalierError({
      boundary: 'input',
      code: 'unknown-environment',
      message: `"${name}" names no tasks.`,
      expected: 'Expected adr:all, or a number of atoms from 2 to 4, such as adr:2 or adr:2+3.',
    });
  const environment = createAdrEnvironment({ id: `adr-${place.replaceAll('+', '-')}`, templates });
  const admit = (ids: readonly string[], seeds: number) =>
    admitCode(
      templates.filter(({ id }) => ids.includes(id)),
      seeds,
    );
  return { environment, admit };
}

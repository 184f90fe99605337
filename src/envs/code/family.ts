import { unknownEnvironment } from '../../core/errors.ts';
import { placeIn, type Family } from '../../worlds/family.ts';

/** `adr:all`, or tasks of so many atoms: `adr:2`, `adr:2+3`. */
export const codeFamily: Family = {
  name: 'adr:',
  usage: 'adr:<atoms or all>',
  example: 'adr:all',
  about: 'Programming tasks put together from atoms, checked by running programs in a sandbox.',
  async open(name) {
    const { codeTemplates, createAdrEnvironment } = await import('./environment/environment.ts');
    const { admitCode } = await import('./environment/ladder.ts');
    const place = placeIn(name);
    const counts = new Set(place.split('+').map(Number));
    const templates = codeTemplates.filter(({ atoms }) => place === 'all' || counts.has(atoms));
    if (templates.length === 0 || (place !== 'all' && templates.length !== counts.size))
      throw unknownEnvironment(
        `"${name}" names no tasks.`,
        'Expected adr:all, or a number of atoms from 2 to 4, such as adr:2 or adr:2+3.',
      );
    const environment = createAdrEnvironment({ id: `adr-${place.replaceAll('+', '-')}`, templates });
    const asked = (ids: readonly string[]) => templates.filter(({ id }) => ids.includes(id));
    return { environment, ladder: { admit: (ids, seeds) => admitCode(asked(ids), seeds) } };
  },
};

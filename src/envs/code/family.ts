import { resolve } from 'node:path';
import { unknownEnvironment } from '../../core/errors.ts';
import { readJson } from '../../modules/read-file.ts';
import { placeIn, type Family } from '../../worlds/family.ts';
import type { Language } from './sandbox/languages.ts';

/** `adr:all`, or tasks of so many atoms: `adr:2`, `adr:2+3`; with a language of one's own: `adr:2,language=./lua.json`. */
export const codeFamily: Family = {
  name: 'adr:',
  usage: 'adr:<atoms or all>[,language=<file>]',
  example: 'adr:all',
  absolute: name => name.replace(/(,language=)(.+)$/, (_, key: string, file: string) => `${key}${resolve(file)}`),
  about: 'Programming tasks put together from atoms, checked by running programs in a sandbox.',
  async open(name) {
    const { codeTemplates, createAdrEnvironment } = await import('./environment/environment.ts');
    const { admitCode } = await import('./environment/ladder.ts');
    const [place = '', language, ...more] = placeIn(name).split(',');
    const own = await ownLanguage(language, name);
    const counts = new Set(place.split('+').map(Number));
    const templates = codeTemplates.filter(({ atoms }) => place === 'all' || counts.has(atoms));
    if (more.length > 0 || templates.length === 0 || (place !== 'all' && templates.length !== counts.size))
      throw unknownEnvironment(
        `"${name}" names no tasks.`,
        'Expected adr:all, or a number of atoms from 2 to 4, such as adr:2 or adr:2+3; with a language of your own adr:2,language=./lua.json.',
      );
    const environment = createAdrEnvironment({
      id: `adr-${place.replaceAll('+', '-')}${own === null ? '' : `-${own.name}`}`,
      templates,
      own,
    });
    const asked = (ids: readonly string[]) => templates.filter(({ id }) => ids.includes(id));
    return { environment, ladder: { admit: (ids, seeds) => admitCode(asked(ids), seeds) } };
  },
};

/** The language that a file describes: its name, its source file, and the commands that compile and run it. */
async function ownLanguage(option: string | undefined, name: string): Promise<Language | null> {
  if (option === undefined) return null;
  const file = /^language=(.+)$/.exec(option)?.[1];
  if (file === undefined)
    throw unknownEnvironment(
      `"${option}" in "${name}" is no option of programming tasks.`,
      'Expected language=<file>.',
    );
  const { languageSchema } = await import('./sandbox/languages.ts');
  const { requirePrograms } = await import('./sandbox/run-program.ts');
  const { parseRecord } = await import('../../core/records.ts');
  const language = parseRecord(languageSchema, readJson(resolve(file)), {
    what: `language ${file}`,
    code: 'invalid-option',
  });
  requirePrograms(language);
  return language;
}

import { existsSync } from 'node:fs';
import { unknownEnvironment } from '../../../core/errors.ts';
import { archiveTemplates } from './archives.ts';
import { buildTemplates } from './builds.ts';
import { challengeTemplates } from './challenges.ts';
import { dataTemplates } from './data.ts';
import { debugTemplates } from './debugging.ts';
import { fileTemplates } from './files.ts';
import { gitTemplates } from './git.ts';
import { logTemplates } from './logs.ts';
import { permissionTemplates } from './permissions.ts';
import { scriptTemplates } from './scripting.ts';
import { serviceTemplates } from './services.ts';
import type { TerminalTemplate } from './template.ts';

/** Every generator, domain by domain. */
export const terminalTemplates: readonly TerminalTemplate[] = [
  ...fileTemplates,
  ...gitTemplates,
  ...archiveTemplates,
  ...permissionTemplates,
  ...logTemplates,
  ...dataTemplates,
  ...buildTemplates,
  ...serviceTemplates,
  ...scriptTemplates,
  ...debugTemplates,
  ...challengeTemplates,
];

export function domainOf({ id }: Pick<TerminalTemplate, 'id'>): string {
  return id.slice(0, id.indexOf('/'));
}

export const domains: readonly string[] = [...new Set(terminalTemplates.map(domainOf))];

/** Programs of a template that this machine does not have. */
export function missingPrograms({ needs = [] }: TerminalTemplate): string[] {
  return needs.filter(name => !['/usr/local/bin', '/usr/bin', '/bin'].some(folder => existsSync(`${folder}/${name}`)));
}

/** The generators of `all`, or of domains joined by `+`, whose programs this machine has. */
export function selectTemplates(place: string): TerminalTemplate[] {
  const wanted = new Set(place === 'all' || place === '*' ? domains : place.split('+'));
  if (![...wanted].every(domain => domains.includes(domain)))
    throw unknownEnvironment(
      `"terminal:${place}" names no tasks.`,
      `Expected terminal:all, or domains such as terminal:files or terminal:files+git, of: ${domains.join(', ')}.`,
    );
  const asked = terminalTemplates.filter(template => wanted.has(domainOf(template)));
  const templates = asked.filter(template => missingPrograms(template).length === 0);
  const missing = [...new Set(asked.flatMap(missingPrograms))];
  if (templates.length === 0)
    throw unknownEnvironment(
      `"terminal:${place}" needs ${missing.join(', ')}.`,
      `Install ${missing.join(', ')} first.`,
    );
  return templates;
}

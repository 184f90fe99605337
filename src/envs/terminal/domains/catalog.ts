import { existsSync } from 'node:fs';
import { archiveTemplates } from './archives.ts';
import { buildTemplates } from './builds.ts';
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
];

export function domainOf({ id }: Pick<TerminalTemplate, 'id'>): string {
  return id.slice(0, id.indexOf('/'));
}

export const domains: readonly string[] = [...new Set(terminalTemplates.map(domainOf))];

/** Programs of a template that this machine does not have. */
export function missingPrograms({ needs = [] }: TerminalTemplate): string[] {
  return needs.filter(name => !['/usr/local/bin', '/usr/bin', '/bin'].some(folder => existsSync(`${folder}/${name}`)));
}

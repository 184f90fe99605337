import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  createIntegrity,
  integritySchema,
  type IntegrityOf,
  type TemplateIntegrity,
} from '../../analysis/integrity.ts';
import { parseRecord } from '../../core/records.ts';
import { readJson } from '../../modules/read-file.ts';
import { writeWhole } from './folder.ts';

function pathIn(folder: string): string {
  return join(folder, 'integrity.json');
}

/** What was found of the templates of a run; none before `espalier check --into`. */
export function readIntegrity(folder: string): readonly TemplateIntegrity[] {
  const path = pathIn(folder);
  if (!existsSync(path)) return [];
  return parseRecord(integritySchema, readJson(path), { what: `integrity in ${path}`, code: 'corrupt-record' })
    .templates;
}

/** The integrity of episodes of a run; null where nothing was checked. */
export function integrityIn(folder: string): IntegrityOf | null {
  const templates = readIntegrity(folder);
  return templates.length === 0 ? null : createIntegrity({ version: 1, templates });
}

/** Keeps what was found; a template that was checked again is replaced. */
export function writeIntegrity(folder: string, found: readonly TemplateIntegrity[]): void {
  const nameOf = ({ environment, template }: TemplateIntegrity): string => `${environment}/${template}`;
  const all = new Map([...readIntegrity(folder), ...found].map(one => [nameOf(one), one]));
  const templates = [...all.values()].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  writeWhole(pathIn(folder), `${JSON.stringify({ version: 1, templates }, null, 2)}\n`);
}

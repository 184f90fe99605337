import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseRecord } from '../../core/records.ts';
import { absoluteName } from '../environments/names.ts';
import { readJson } from '../../modules/read-file.ts';
import { writeWhole } from './folder.ts';

const servedSchema = z.strictObject({
  version: z.literal(1),
  /** Names that open the environments again. */
  environments: z.array(z.string()).readonly(),
});

function pathIn(folder: string): string {
  return join(folder, 'served.json');
}

/** The environments that servers offered with this folder as --out. Their episodes have no config. */
export function servedEnvironments(folder: string): readonly string[] {
  const path = pathIn(folder);
  if (!existsSync(path)) return [];
  return parseRecord(servedSchema, readJson(path), { what: path, code: 'corrupt-record' }).environments;
}

/** Writes down how to open an environment that is served, so that its episodes can be exported and certified later. */
export function recordServed(folder: string, environment: string): void {
  const known = servedEnvironments(folder);
  const name = absoluteName(environment);
  if (known.includes(name)) return;
  const record: z.infer<typeof servedSchema> = { version: 1, environments: [...known, name] };
  writeWhole(pathIn(folder), `${JSON.stringify(record, null, 2)}\n`);
}

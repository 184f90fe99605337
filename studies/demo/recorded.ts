import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordedSchema, type ReportRecorded } from '../../src/analysis/report/data.ts';
import { parseRecord } from '../../src/core/records.ts';
import { readJson } from '../../src/modules/read-file.ts';

const folder = fileURLToPath(new URL('../../python/recipe/recorded', import.meta.url));

/** Figures that runs on a GPU left beside the recipe: `python/recipe/recorded.py` writes them. */
export function readRecorded(): ReportRecorded[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .toSorted()
    .toReversed()
    .map(name => {
      const path = join(folder, name);
      return parseRecord(recordedSchema, readJson(path), { what: path, code: 'corrupt-record' });
    });
}

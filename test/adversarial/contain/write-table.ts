import { readFileSync, writeFileSync } from 'node:fs';
import { attackAll } from './contain.ts';
import { attackTable, withTable } from './table.ts';

/** Runs every attack and writes what came of it into SECURITY.md. */
const path = new URL('../../../SECURITY.md', import.meta.url);
writeFileSync(path, withTable(readFileSync(path, 'utf8'), attackTable(await attackAll())));

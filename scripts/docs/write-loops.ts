/**
 * Writes the table of loops in docs/methods.md from the results of the study on standard input:
 *
 *   npx espalier study loops --out runs/loops-study --json | npx node scripts/docs/write-loops.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loopTable } from '../../studies/loops/loop-table.ts';
import type { LoopResult } from '../../studies/loops/study-loops.ts';

const path = join(import.meta.dirname, '..', '..', 'docs', 'methods.md');
const lines = readFileSync(0, 'utf8')
  .split('\n')
  .filter(line => line.startsWith('{'));
if (lines.length === 0) {
  console.error('Expected JSON lines on standard input, as `espalier study loops --json` prints them.');
  process.exit(2);
}
const table = loopTable(lines.map(line => JSON.parse(line) as LoopResult)).join('\n');
const page = readFileSync(path, 'utf8');
writeFileSync(
  path,
  page.replace(/(<!-- loops -->\n)[\s\S]*?(\n<!-- end -->)/, (_, begin: string, end: string) => begin + table + end),
);
console.log(`${lines.length} loops written to docs/methods.md`);

/**
 * Writes a section of docs/benchmarks.md from figures on standard input:
 *
 *   npx espalier bench --json | npx node scripts/docs/write-benchmarks.ts speed
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { benchmarkTable, type Figure } from './benchmark-table.ts';

const path = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md');
const [section = ''] = process.argv.slice(2);
const page = readFileSync(path, 'utf8');
const place = new RegExp(`(<!-- figures:${section} -->\n)[\\s\\S]*?(<!-- end -->)`);
if (section === '' || !place.test(page)) {
  const known = [...page.matchAll(/<!-- figures:(\w+) -->/g)].map(match => match[1]);
  console.error(`There is no section "${section}" in docs/benchmarks.md. Expected one of: ${known.join(', ')}.`);
  process.exit(2);
}
const lines = readFileSync(0, 'utf8')
  .split('\n')
  .filter(line => line.startsWith('{'));
if (lines.length === 0) {
  console.error('Expected JSON lines on standard input, as `espalier bench --json` prints them.');
  process.exit(2);
}
const figures = lines.map(line => JSON.parse(line) as Figure);
writeFileSync(
  path,
  page.replace(place, (_, begin: string, end: string) => begin + render(figures) + end),
);
console.log(`${figures.length} figures written to docs/benchmarks.md`);

function render(rows: readonly Figure[]): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  return [`Measured on ${machine}.`, '', ...benchmarkTable(rows), ''].join('\n');
}

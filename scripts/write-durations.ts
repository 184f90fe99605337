import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { durationsFile } from './test-order.ts';

/**
 * Writes the table that orders the tests, from the report of a whole run:
 * `npx vitest run --reporter=json --outputFile=report.json`, then `npx node scripts/write-durations.ts report.json`.
 */
const [report] = process.argv.slice(2);
if (report === undefined) throw new Error('Expected the JSON report of a test run, such as report.json.');
const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
  testResults: { name: string; startTime: number; endTime: number }[];
};
const root = join(import.meta.dirname, '..');
const rows = testResults.map(({ name, startTime, endTime }): [string, number] => [
  relative(root, name).replaceAll('\\', '/'),
  Math.round((endTime - startTime) / 100) / 10,
]);
const sorted = rows.toSorted(([one], [other]) => (one < other ? -1 : 1));
writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);

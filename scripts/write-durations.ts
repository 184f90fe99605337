import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { chooseLeftOut, leftOutFile, type TimedTest } from './short-form.ts';
import { durationsFile } from './test-order.ts';

/**
 * Writes the tables that order the tests and leave long ones out of `npm test`, from the report of a whole run on a quiet machine:
 * `ESPALIER_ALL=1 npx vitest run --reporter=json --outputFile=report.json`, then `npx node scripts/write-durations.ts report.json`.
 */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly fullName: string; readonly duration?: number | null }[];
  }[];
}

/** Of a run on two cores: `npm test` is to end within ten minutes, set-up and checks included, on a machine that is a fifth slower. */
const secondsOfARun = 420;

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('Expected the JSON report of a test run, such as report.json.');
const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Report;
const root = join(import.meta.dirname, '..');
const named = testResults.map(file => ({ ...file, file: relative(root, file.name).replaceAll('\\', '/') }));
const files = named.toSorted((one, other) => (one.file < other.file ? -1 : 1));

writeTable(
  durationsFile,
  files.map(({ file, startTime, endTime }) => [file, Math.round((endTime - startTime) / 100) / 10]),
);

const tests = files.flatMap(({ file, assertionResults }) =>
  assertionResults.map(({ fullName, duration }): TimedTest => {
    return { file, name: fullName, seconds: (duration ?? 0) / 1000 };
  }),
);
const whole =
  (Math.max(...files.map(({ endTime }) => endTime)) - Math.min(...files.map(file => file.startTime))) / 1000;
const total = tests.reduce((sum, { seconds }) => sum + seconds, 0);
const leftOut = chooseLeftOut(tests, (total * secondsOfARun) / whole);
writeTable(
  leftOutFile,
  files.flatMap(({ file }): [string, string[]][] => {
    const names = leftOut.filter(test => test.file === file).map(({ name }) => name);
    return names.length === 0 ? [] : [[file, names.toSorted()]];
  }),
);
const saved = leftOut.reduce((sum, { seconds }) => sum + seconds, 0);
console.log(
  `${files.length} files in ${Math.round(whole)} s. Left out: ${leftOut.length} tests of ${tests.length}, ${Math.round((100 * saved) / total)} % of the time.`,
);

function writeTable(file: string, rows: readonly (readonly [string, unknown])[]): void {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}

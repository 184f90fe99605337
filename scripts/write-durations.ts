import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { chooseLeftOut, leftOutFile, readLeftOut, type TimedTest } from './short-form.ts';
import { durationsFile } from './test-order.ts';

/**
 * Writes the tables that order the tests and leave long ones out of `npm test`, from the report of a whole run on a quiet machine:
 * `ESPALIER_ALL=1 npx vitest run --reporter=json --outputFile=report.json`, then `npx node scripts/write-durations.ts report.json`.
 * After a run without `ESPALIER_ALL=1`, what was left out stays left out.
 */
interface TestReport {
  readonly fullName: string;
  readonly status: string;
  readonly duration?: number | null;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly TestReport[];
  }[];
}

/** Of a run on two cores: `npm test` is to end within ten minutes, set-up and checks included, on a machine that is half as slow again. */
const secondsOfARun = 360;

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

const before = readLeftOut();
const stays = (file: string, { fullName, status }: TestReport): boolean =>
  status !== 'passed' && (before[file]?.includes(fullName) ?? false);
const tests = files.flatMap(({ file, assertionResults }) =>
  assertionResults
    .filter(test => !stays(file, test))
    .map(({ fullName, duration }): TimedTest => ({ file, name: fullName, seconds: (duration ?? 0) / 1000 })),
);
const staying = files.flatMap(({ file, assertionResults }) =>
  assertionResults.filter(test => stays(file, test)).map(({ fullName }) => ({ file, name: fullName })),
);
const whole =
  (Math.max(...files.map(({ endTime }) => endTime)) - Math.min(...files.map(file => file.startTime))) / 1000;
const total = tests.reduce((sum, { seconds }) => sum + seconds, 0);
const leftOut = chooseLeftOut(tests, (total * secondsOfARun) / whole);
writeTable(
  leftOutFile,
  files.flatMap(({ file }): [string, string[]][] => {
    const names = [...staying, ...leftOut].filter(test => test.file === file).map(({ name }) => name);
    return names.length === 0 ? [] : [[file, names.toSorted()]];
  }),
);
const saved = leftOut.reduce((sum, { seconds }) => sum + seconds, 0);
console.log(
  `${files.length} files in ${Math.round(whole)} s. Left out: ${leftOut.length} tests of ${tests.length}, ${Math.round((100 * saved) / total)} % of the time. Left out before: ${staying.length}.`,
);

function writeTable(file: string, rows: readonly (readonly [string, unknown])[]): void {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}

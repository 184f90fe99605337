import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { chooseLeftOut, leftOutFile, readLeftOut, type TimedTest } from './short-form.ts';
import { durationsFile } from './test-order.ts';

/** Of a run on two cores: `npm test` is to end within ten minutes, set-up and checks included, on a machine that is half as slow again. */
const secondsOfARun = 360;
const root = join(import.meta.dirname, '..');
const secondsOf = (milliseconds: number): number => Math.round(milliseconds / 100) / 10;

/**
 * Writes the tables that order the tests and leave long ones out of `npm test`, from a whole run on a quiet machine:
 * `ESPALIER_ALL=1 npx vitest run --reporter=default --reporter=./scripts/write-durations.ts`.
 * After a run without `ESPALIER_ALL=1`, what was left out stays left out.
 */
export default class DurationWriter implements Reporter {
  #start = 0;

  onTestRunStart(): void {
    this.#start = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const whole = (performance.now() - this.#start) / 1000;
    const named = modules.map(module => ({ module, file: relative(root, module.moduleId).replaceAll('\\', '/') }));
    const files = named.toSorted((one, other) => (one.file < other.file ? -1 : 1));
    // With the hooks: some files do all of their work there.
    writeTable(
      durationsFile,
      files.map(({ file, module }) => [file, secondsOf(module.diagnostic().duration)]),
    );

    const before = readLeftOut();
    const all = files.flatMap(({ file, module }) =>
      [...module.children.allTests()].map(test => ({ file, test, name: nameOf(test) })),
    );
    const stays = ({ file, test, name }: (typeof all)[number]): boolean =>
      test.result().state !== 'passed' && (before[file]?.includes(name) ?? false);
    const staying = all.filter(stays);
    const tests = all
      .filter(test => !stays(test))
      .map(({ file, test, name }): TimedTest => ({ file, name, seconds: (test.diagnostic()?.duration ?? 0) / 1000 }));
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
  }
}

/** With the names of its groups, as `test/short-form.ts` has them. */
function nameOf({ name, parent }: TestCase): string {
  const names = [name];
  for (let group = parent; group.type === 'suite'; group = group.parent) names.unshift(group.name);
  return names.join(' ');
}

function writeTable(file: string, rows: readonly (readonly [string, unknown])[]): void {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}

import { describe, expect, it } from 'vitest';
import { createBackgroundRunner } from './background-runner.ts';
import { findCodeSandbox } from './find-sandbox.ts';
import { findLanguage } from './languages.ts';
import { createProgramRunner, usualLimits } from './run-program.ts';

const sandbox = findCodeSandbox();
const limits = { ...usualLimits, wallMilliseconds: 1500, output: 10_000, source: 1000 };
const blocking = createProgramRunner(sandbox, limits);

const programs: readonly (readonly [string, string, string])[] = [
  ['an output', 'bash', 'read line; echo "got $line"'],
  ['an exit code', 'bash', 'echo out; echo no >&2; exit 3'],
  ['the exit code of a limit', 'bash', 'exit 152'],
  ['too much processor time', 'bash', 'while :; do :; done'],
  ['too much output', 'bash', 'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done'],
  ['too much time', 'bash', 'sleep 30'],
  ['a program that leaves another one behind', 'bash', 'sleep 30 & echo gone'],
  ['too long a source', 'bash', `echo ${'x'.repeat(2000)}`],
  ['what does not compile', 'c', 'int main( {'],
  ['what compiles', 'c', '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }'],
];

describe('programs in the background', () => {
  it.each(programs)('[CODE-7] end as they do at once: %s', async (_name, name, source) => {
    const language = findLanguage(name);
    const background = createBackgroundRunner({ sandbox, limits, atOnce: 2 });
    const [prepared, expected] = [await background.prepare(language, source), blocking.prepare(language, source)];
    const outcome = 'run' in prepared ? await prepared.run('line\n') : prepared;
    expect(outcome).toEqual('run' in expected ? expected.run('line\n') : expected);
  });

  it('[CODE-7] run so many at once, and the time of those that wait does not run', async () => {
    const background = createBackgroundRunner({ sandbox, limits, atOnce: 1 });
    const prepared = await background.prepare(findLanguage('bash'), 'sleep 0.8; echo done');
    const run = async () => ('run' in prepared ? prepared.run('') : prepared);
    const begun = performance.now();
    // Together they take longer than one of them may.
    const outcomes = await Promise.all([run(), run(), run()]);
    expect(outcomes).toEqual(outcomes.map(() => ({ kind: 'done', output: 'done\n' })));
    expect(performance.now() - begun).toBeGreaterThan(2400);
  });
});

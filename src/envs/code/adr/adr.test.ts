import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../core/random.ts';
import { checkLaws } from '../../../worlds/laws.ts';
import { codeTemplates, createAdrEnvironment } from '../environment/environment.ts';
import { readProgram } from '../environment/answer.ts';
import { judgeCases } from '../environment/judge-cases.ts';
import { admitCode, faultOf } from '../environment/ladder.ts';
import { findCodeSandbox } from '../sandbox/find-sandbox.ts';
import { createProgramRunner } from '../sandbox/run-program.ts';
import { atoms } from '../atoms/catalog.ts';
import { functionOf } from './behaviour.ts';
import { randomInput } from './inputs.ts';
import { createMutator } from './mutants.ts';
import { assemble, type Specification } from './specification.ts';
import { rejection, testQuality, workOut } from './task.ts';
import { drawTaskSet } from '../../../../bench/problems/task-set.ts';

const environment = createAdrEnvironment({ id: 'adr-all', templates: codeTemplates });
const mutator = createMutator();

/** The sum of the even numbers. */
const evenSum: Specification = {
  structure: 'numbers',
  stages: [
    { atom: 'keep-even', parameter: 0 },
    { atom: 'sum', parameter: 0 },
  ],
  input: 'spaced-numbers',
  output: 'number',
  wording: 0,
};

describe('tasks from atoms', () => {
  it('[ADR-1] gives the same task for a seed, and refuses atoms that do not fit', () => {
    for (const { id } of codeTemplates) expect(environment.task(id, 5)).toEqual(environment.task(id, 5));
    const wrong = { ...evenSum, stages: evenSum.stages.toReversed(), output: 'spaced-numbers' };
    expect(() => assemble(wrong)).toThrow('"keep-even" takes numbers, but it is given number.');
    expect(() => assemble({ ...evenSum, output: 'plain-text' })).toThrow('"plain-text" does not hold number');
    expect(() => assemble({ ...evenSum, stages: [{ atom: 'keep-greater', parameter: 99 }] })).toThrow(
      'expected 1 to 20',
    );
    expect(() => environment.task('two-atom', 1)).toThrow(/two-atoms/);
    const task = environment.task('two-atoms', 1);
    expect(() => environment.open({ ...task, instruction: 'Print 1.' })).toThrow('its seal does not fit');
  });

  it.each(atoms.map(atom => [atom.name, atom] as const))('[ADR-2] has two solutions that agree: %s', (name, atom) => {
    const random = createRandom(name);
    for (let sample = 0; sample < 200; sample++) {
      const value = atom.from === 'number' ? random.between(-5000, 5000) : randomInput(atom.from, random);
      const [low, high] = atom.parameter ?? [0, 0];
      const parameter = random.between(low, high);
      expect(atom.solve(value, parameter)).toEqual(atom.solveAgain(value, parameter));
    }
  });

  it('[ADR-2] works cases out as one would by hand', () => {
    const { cases } = workOut(evenSum, 'x');
    const byHand = { '-': '0', '1 2 3 4 5 6 7': '12', '9 6 3 0 -3 -6': '0', '100 -100 10': '10', '7 7 7': '0' };
    for (const [input, output] of Object.entries(byHand))
      expect(cases).toContainEqual({ input, output, isBoundary: true });
  });

  it('[ADR-3] rejects tests that let mutants live, stages that change nothing, and outputs that are all alike', () => {
    const task = workOut(evenSum, 'x');
    expect(testQuality(task, mutator)).toMatchObject({ survivors: [] });
    expect(testQuality(task, mutator).mutants).toBeGreaterThan(4);
    expect(rejection(task, mutator)).toBeNull();
    const few = { ...task, cases: task.cases.filter(({ output }) => output === '0') };
    expect(testQuality(few, mutator).killed).toBeLessThan(testQuality(task, mutator).killed);
    const stages = [{ atom: 'sort-up', parameter: 0 }, ...evenSum.stages];
    expect(rejection(workOut({ ...evenSum, stages }, 'x'), mutator)).toBe('a stage changes nothing: without sort-up');
    const alike = { ...task, cases: task.cases.map(one => ({ ...one, output: '0' })) };
    expect(rejection(alike, mutator)).toBe('most outputs are the same');
    const known = mutator.mutantsOf(assemble(evenSum)).map(({ about }) => about);
    expect(known).toContain('keep-even: === for !==');
    expect(known).toContain('without keep-even');
  });

  it('[ADR-5] draws no task twice, also not in other words', () => {
    const tasks = [...drawTaskSet({ count: 300, seed: 7, mutator })];
    const specifications = tasks.map(({ pipeline }) => pipeline.specification);
    const keyOf = (one: Specification): string => `${one.input} ${one.output} ${functionOf(one)}`;
    expect(new Set(specifications.map(keyOf)).size).toBe(300);
    expect([...drawTaskSet({ count: 300, seed: 7, mutator })]).toHaveLength(300);
    const twice = {
      ...evenSum,
      stages: [
        { atom: 'drop-first', parameter: 1 },
        { atom: 'drop-first', parameter: 2 },
      ],
    };
    const once = { ...twice, stages: [{ atom: 'drop-first', parameter: 3 }] };
    expect(functionOf({ ...twice, output: 'spaced-numbers' })).toBe(functionOf({ ...once, output: 'spaced-numbers' }));
  });
});

describe('a session of code', () => {
  const task = environment.task('three-atoms', 4);

  it('[ADR-2] passes with the reference, and [ADR-4] fails with a check that says why', () => {
    const ended = (answer: string) => {
      const session = environment.open(task);
      session.step({ kind: 'finish', answer });
      return session.verify();
    };
    const reference = environment.open(task).guide().finish;
    expect(ended((reference as { answer: string }).answer)).toMatchObject({ pass: true, progress: 1 });
    const failing: [string, string][] = [
      ['', 'the program runs to its end (it ended well)'],
      ['```python\nraise SystemExit(3)\n```', 'the program runs to its end (it failed)'],
      ['```c\nint main(\n```', 'the program runs to its end (it does not compile)'],
      [
        '```sh\nwhile :; do echo flood flood flood flood; done\n```',
        'the program runs to its end (it printed too much)',
      ],
    ];
    for (const [answer, name] of failing) {
      const verdict = ended(answer);
      expect(verdict.pass).toBe(false);
      expect(verdict.checks.map(check => check.name)).toContain(name);
    }
    const session = environment.open(task);
    expect(session.step({ kind: 'finish', answer: 'x'.repeat(10_000_000) })).toMatchObject({
      applied: false,
      problem: { code: 'answer-too-long' },
    });
    expect(session.ended()).toBeNull();
  });

  it.each([
    [
      'js',
      `for (const l of require('fs').readFileSync(0, 'utf8').trim().split('\\n'))
      console.log(l === '-' ? 0 : l.split(' ').map(Number).filter(x => x % 2 === 0).reduce((a, b) => a + b, 0));`,
    ],
    [
      'python',
      `import sys
for l in sys.stdin: print(sum(x for x in map(int, l.split() if l != '-\\n' else []) if x % 2 == 0))`,
    ],
    [
      'c',
      `#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char line[1000];
  while (fgets(line, sizeof line, stdin)) {
    long sum = 0;
    for (char *at = line, *end; ; at = end) { long x = strtol(at, &end, 10); if (end == at) break; if (x % 2 == 0) sum += x; }
    printf("%ld\\n", sum);
  }
}`,
    ],
    [
      'bash',
      'while read -r -a xs; do sum=0; for x in "${xs[@]}"; do [ "$x" = - ] || (( x % 2 )) || (( sum += x )); done; echo $sum; done',
    ],
  ])('[ADR-4] takes a right program in %s', (tag, source) => {
    const runner = createProgramRunner(findCodeSandbox());
    const { cases } = workOut(evenSum, 'x');
    const judge = (text: string) => judgeCases(runner, readProgram(`\`\`\`${tag}\n${text}\n\`\`\``, {}), cases);
    expect(judge(source)).toEqual({ outcome: 'done', boundaryRight: true, allRight: true });
    expect(judge(source.replace('% 2', '% 3')).allRight).toBe(false);
  });

  it('[ADR-6] keeps files, and forks and rolls back', () => {
    const session = environment.open(task);
    const call = (tool: string, input: Record<string, string>) => session.step({ kind: 'call', tool, input });
    expect(call('write_file', { path: 'a.py', text: 'print(input() + "!")' })).toMatchObject({ applied: true });
    expect(call('run_file', { path: 'a.py', input: 'hello' })).toMatchObject({
      result: { outcome: 'done', output: 'hello!\n' },
    });
    const before = { snapshot: session.snapshot(), digest: session.digest() };
    const fork = session.fork();
    call('write_file', { path: 'a.py', text: 'print(2)' });
    expect(call('read_file', { path: 'a.py' })).toMatchObject({ result: { text: 'print(2)' } });
    expect(fork.state()).toEqual({ files: { 'a.py': 'print(input() + "!")' } });
    session.restore(before.snapshot);
    expect(session.digest()).toBe(before.digest);
    const refused: [string, Record<string, string>, string][] = [
      ['write_file', { path: '../a.py', text: '' }, 'invalid-path'],
      ['write_file', { path: '__proto__', text: '' }, 'invalid-path'],
      ['write_file', { path: 'a.exe', text: '' }, 'invalid-path'],
      ['write_file', { path: 'b.py', text: 'x'.repeat(64_001) }, 'file-too-long'],
      ['read_file', { path: 'constructor' }, 'unknown-file'],
      ['run_file', { path: 'a.py' }, 'invalid-action'],
      ['delete_file', { path: 'a.py' }, 'unknown-command'],
    ];
    for (const [tool, input, code] of refused) expect(call(tool, input), tool).toMatchObject({ problem: { code } });
    expect(session.digest()).toBe(before.digest);
    session.step({ kind: 'finish', answer: 'a.py' });
    expect(session.verify()).toMatchObject({ pass: false, evidence: { answer: 'a.py' } });
  });

  it('[ADR-6] obeys the laws of environments, and [ADR-4] passes its ladder', async () => {
    const laws = await checkLaws(environment, { tasks: [task, environment.task('four-atoms', 2)] });
    expect(laws.filter(({ pass }) => !pass)).toEqual([]);
    expect([...admitCode(codeTemplates, 2)].filter(({ admitted }) => !admitted)).toEqual([]);
    const runner = createProgramRunner(findCodeSandbox());
    const bad = workOut(evenSum, 'x');
    const guessable = { ...bad, cases: bad.cases.map(one => ({ ...one, output: one.input })) };
    expect(faultOf(() => guessable, { mutator, runner })).toMatchObject({ rung: 'reference passes' });
  });

  it('[CODE-30] reads an answer of many fences at once, and the first block of others', () => {
    const begun = performance.now();
    const many = '`'.repeat(200_000);
    expect(readProgram(many, {}).source).toBe(many);
    expect(performance.now() - begun).toBeLessThan(2000);
    expect(readProgram('So:\n```py x\nprint(1)\n```\n```c\nno\n```', {})).toMatchObject({
      language: { name: 'python' },
      source: 'print(1)\n',
    });
  });
});

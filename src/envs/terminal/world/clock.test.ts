import { afterAll, describe, expect, it } from 'vitest';
import type { Action } from '../../../core/action.ts';
import type { Environment, Session } from '../../../core/contracts.ts';
import { causeText } from '../../../core/errors.ts';
import type { StepOutcome } from '../../../core/records.ts';
import { checkLaws } from '../../../worlds/laws.ts';
import { fileTemplates } from '../domains/files.ts';
import { createTerminalEnvironment } from '../environment.ts';
import { createLayeredSandboxes } from '../sandbox/layered-sandboxes.ts';
import { findClock, type PinnedClock } from './clock.ts';

function clockOrWhy(): PinnedClock | string {
  try {
    return findClock();
  } catch (cause) {
    return causeText(cause);
  }
}

const clock = clockOrWhy();
const opened: Environment[] = [];
afterAll(async () => {
  for (const environment of opened) await environment.close?.();
});

function environmentWith(pinned: PinnedClock | undefined): Environment {
  const environment = createTerminalEnvironment({
    id: 'terminal-files',
    templates: fileTemplates,
    sandboxes: () => createLayeredSandboxes(),
    clock: pinned,
  });
  opened.push(environment);
  return environment;
}

const run = (command: string): Action => ({ kind: 'call', tool: 'run', input: { command } });

/** What depends on the clock and on chance, one a command. */
const commands = [
  'date; date +%s.%N',
  'echo $RANDOM $RANDOM',
  'mktemp; mktemp',
  'echo one > file; mkdir folder',
  'ls -l --time-style=full-iso',
  'head -c 8 /dev/urandom | od -An -tx1; head -c 8 /dev/random | od -An -tx1',
  'perl -e "print time, q( ), rand"',
  `python3 -c 'import random, time, uuid; print(time.time(), random.random(), uuid.uuid4())'`,
  'shuf -i 1-1000 -n 3; date > date.txt; sleep 0.01; date +%N',
  'test folder -nt inbox && date; stat -c %Y folder date.txt',
  'export | grep -c "FAKE\\|PRELOAD"',
];

describe.skipIf(typeof clock === 'string')('terminals with a pinned clock', () => {
  const walk = async (environment: Environment): Promise<string[]> => {
    const session: Session = await environment.open(await environment.task('files/sort-inbox', 1));
    const said: string[] = [];
    for (const command of commands) {
      const { result }: StepOutcome = await session.step(run(command));
      said.push(`${(result as { output: string }).output}${await session.digest()}`);
    }
    await session.close();
    return said;
  };

  it('[TERM-15] say and write the same whenever commands are replayed', async () => {
    const first = await walk(environmentWith(clock as PinnedClock));
    const second = await walk(environmentWith(clock as PinnedClock));
    for (const [at, command] of commands.entries()) expect(second[at], command).toBe(first[at]);
    expect(first[0]).toMatch(/^Thu Jan {2}1 00:0\d:00 UTC 2026\n17672\d+\.000000000\n/);
    const [without] = await walk(environmentWith(undefined));
    expect(without).not.toBe(first[0]);
  });

  it('[TERM-15] go on within a command, and make newer files later', async () => {
    const environment = environmentWith(clock as PinnedClock);
    const session = await environment.open(await environment.task('files/sort-inbox', 1));
    const said = async (command: string): Promise<string> =>
      ((await session.step(run(command))).result as { output: string }).output;
    await said('echo 1 > older');
    await said('echo 1 > newer');
    expect(await said('test newer -nt older && echo newer')).toBe('newer\n');
    expect(await said('timeout 0.2 sleep 5; echo $?')).toBe('124\n');
    expect(await said('env | grep -c FAKETIME; cd inbox; export A=1')).toBe('2\n');
    expect(await said('pwd; echo $A; unset A')).toBe('/home/user/inbox\n1\n');
    await session.close();
  });

  it('[TERM-15] obey the laws', async () => {
    const environment = environmentWith(clock as PinnedClock);
    const tasks = [await environment.task('files/number-pages', 3)];
    const results = await checkLaws(environment, { tasks, steps: 5 });
    expect(results.filter(({ pass }) => !pass)).toEqual([]);
  });
});

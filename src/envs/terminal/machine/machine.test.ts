import { afterAll, describe, expect, it } from 'vitest';
import type { Action } from '../../../core/action.ts';
import type { Session } from '../../../core/contracts.ts';
import type { StepOutcome } from '../../../core/records.ts';
import { fileTemplates } from '../domains/files.ts';
import { findMachines, missingForMachines } from './find-machines.ts';
import { createMachineEnvironment } from './machine-environment.ts';

const missing = missingForMachines();
/** An emulated machine boots in seconds, and in a minute on a busy host. */
const patience = 240_000;

describe.skipIf(missing !== null)(
  `terminals in virtual machines${missing === null ? '' : ` (left out: ${missing})`}`,
  () => {
    const environment = createMachineEnvironment({
      id: 'terminal-vm-files',
      templates: fileTemplates,
      machines: findMachines,
    });
    afterAll(async () => environment.close?.(), patience);
    const open = async (): Promise<Session> => environment.open(await environment.task('files/sort-inbox', 1));
    const run = (command: string): Action => ({ kind: 'call', tool: 'run', input: { command } });
    const outputOf = ({ result }: StepOutcome): string => (result as { output: string }).output;

    it(
      '[TERM-12] fork and go back with processes that live: their memory goes on from where it was',
      async () => {
        const session = await open();
        const count = 'perl -e \'$| = 1; while (<STDIN>) { print ++$n, "\\n" }\'';
        const living = 'pgrep -x perl > /dev/null && pgrep -x sleep > /dev/null';
        const start = `mkfifo in; (${count} < in > out &); (sleep 1000 > in &); echo x > in`;
        const said = await session.step(run(`${start}; until [ -s out ] && ${living}; do sleep 0.1; done; cat out`));
        expect(outputOf(said)).toBe('1\n');
        const [snapshot, digest] = [await session.snapshot!(), await session.digest()];
        const fork = await session.fork!();
        expect(await fork.digest()).toBe(digest);
        const next = run(
          'n=$(wc -l < out); echo x > in; until [ $(wc -l < out) -gt $n ]; do sleep 0.1; done; tail -n 1 out',
        );
        expect(outputOf(await fork.step(next))).toBe('2\n');
        expect(outputOf(await session.step(next))).toBe('2\n');
        expect(outputOf(await session.step(next))).toBe('3\n');
        expect(await session.digest()).not.toBe(digest);
        await session.step(run('pkill sleep; pkill perl; rm -rf in out inbox'));
        await session.restore!(snapshot);
        expect(await session.digest()).toBe(digest);
        expect(outputOf(await session.step(next))).toBe('2\n');
        for (const each of [session, fork]) await each.close();
      },
      patience,
    );

    it(
      '[TERM-12] fork and go back with what lives in a terminal, and its screen',
      async () => {
        const session = await open();
        const typed = async (at: Session, keys: string): Promise<string> =>
          ((await at.step({ kind: 'call', tool: 'keys', input: { keys } })).result as { screen: string }).screen;
        expect(await typed(session, 'export A=1; cat<Enter>')).toBe('~$ export A=1; cat');
        const [snapshot, digest, seen] = [await session.snapshot!(), await session.digest(), await session.observe()];
        const fork = await session.fork!();
        expect(await typed(fork, 'in the fork<Enter>')).toBe('~$ export A=1; cat\nin the fork\nin the fork');
        expect(await typed(session, '<Ctrl-C>exit<Enter>')).toContain('exit');
        expect(await session.digest()).not.toBe(digest);
        await session.restore!(snapshot);
        expect([await session.digest(), await session.observe()]).toEqual([digest, seen]);
        await typed(session, '<Ctrl-C>');
        expect(await typed(session, '<Ctrl-L>echo $A > file; cat file<Enter>')).toBe(
          '~$ echo $A > file; cat file\n1\n~$',
        );
        expect(outputOf(await session.step(run('cat file; pgrep -c cat')))).toBe('1\n0\n');
        for (const each of [session, fork]) await each.close();
      },
      patience,
    );

    it(
      '[TERM-12] pass with the solution, judged in forks that change nothing',
      async () => {
        const session = await open();
        expect(await session.verify()).toMatchObject({ pass: false, clean: true });
        for (const step of (await session.solution!()).slice(0, -1)) await session.step(step);
        const digest = await session.digest();
        expect(await session.verify()).toMatchObject({ pass: true, clean: true });
        expect(await session.digest()).toBe(digest);
        expect(
          outputOf(await session.step(run('id -u; ls /home; cat /proc/sys/kernel/osrelease | cut -d. -f1'))),
        ).toMatch(/^1000\nuser\n\d\n$/);
        await session.close();
      },
      patience,
    );
  },
);

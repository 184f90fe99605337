import { Command } from 'commander';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { changesOf } from '../runs/flags.ts';
import { wholeNumber } from '../terminal/verb.ts';
import { addStrategyOptions } from './strategy-flags.ts';
import { readTasks } from './task-flags.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-flags-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('--tasks', () => {
  it.each(['failed.txt', './failed', '/no/such/list', 'runs/failed.jsonl', '~/failed'])(
    '[RUN-35] says that there is no file %s',
    text => {
      expect(() => readTasks(text)).toThrow(`--tasks names the file ${text}. There is no such file.`);
    },
  );

  it('[RUN-35] says that a folder is no file', () => {
    expect(() => readTasks(folder)).toThrow('It is a folder.');
  });

  it('takes ids, also those with dots in them', () => {
    expect(readTasks('mail/star-message/17')).toEqual(['mail/star-message/17']);
    expect(readTasks('forge-mail/star.forged/17,mail/contact-phone/3')).toHaveLength(2);
    writeFileSync(join(folder, 'ids'), 'mail/star-message/17\n');
    expect(readTasks(join(folder, 'ids'))).toEqual(['mail/star-message/17']);
  });
});

describe('flags of strategies', () => {
  const refused: [object, string][] = [
    [{ strategy: 'linear', attempts: 3 }, '--attempts is an option of best-of-n, and the strategy is linear.'],
    [{ attempts: 3 }, '--attempts is an option of best-of-n, and the strategy is speculative-rollback.'],
    [{ strategy: 'lookahead', skipSure: 0.5 }, '--skip-sure is an option of speculative-rollback'],
    [{ goOn: 0.3 }, '--go-on has no effect without --speculate adaptive.'],
    [{ goOn: 0.3, speculate: 3 }, '--go-on has no effect without --speculate adaptive.'],
    [{ audit: 0.3 }, '--audit has no effect without --skip-sure <share>.'],
    [{ strategy: './mine.ts', attempts: 3 }, 'Expected --strategy-option attempts=<value>'],
    [{ strategyOption: ['width=3'] }, '--strategy-option is for a strategy of yours, and no --strategy was given.'],
  ];
  it.each(refused)('[CLI-12] %j are refused', (flags, message) => {
    expect(() => changesOf(null, flags)).toThrow(message);
  });

  it('[CLI-12] are taken where they belong, also in a run that is continued', () => {
    expect(changesOf(null, { speculate: 'adaptive', goOn: 0.3 } as object)['strategy']).toMatchObject({ goOn: 0.3 });
    const before = {
      run: 'a',
      environments: ['mail'],
      strategy: { kind: 'speculative-rollback', speculate: 'adaptive' },
    };
    expect(changesOf(before, { goOn: 0.3 } as object)['strategy']).toMatchObject({ speculate: 'adaptive', goOn: 0.3 });
    expect(changesOf(null, { strategy: 'best-of-n', attempts: 3 } as object)['strategy']).toEqual({
      kind: 'best-of-n',
      attempts: 3,
    });
  });

  it.each([
    ['--attempts', '0', 'Expected a whole number above 0.'],
    ['--attempts', '1.5', 'Expected a whole number above 0.'],
    ['--attempts', 'many', 'Expected a whole number above 0.'],
    ['--audit', '2', 'Expected a number from 0 to 1.'],
  ])('[CLI-12] %s %s says what was expected', (flag, value, message) => {
    const command = addStrategyOptions(new Command('collect'))
      .exitOverride()
      .configureOutput({ writeErr: () => null });
    expect(() => command.parse([flag, value], { from: 'user' })).toThrow(message);
  });
});

it('a seed says its range', () => {
  for (const text of ['-1', '1.5', '9999999999', 'x'])
    expect(() => wholeNumber(text)).toThrow('Expected a whole number from 0 to 999999999.');
  expect(wholeNumber('0')).toBe(0);
});

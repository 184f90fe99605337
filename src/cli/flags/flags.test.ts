import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defined } from '../../core/json.ts';
import { readConfig } from '../../runs/config/config.ts';
import { changesOf, readOrder, type CollectFlags } from '../runs/flags.ts';
import { settingsInFile } from '../settings/given-settings.ts';
import { wholeNumber } from '../terminal/verb.ts';
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

describe('settings of strategies', () => {
  const refused: [object, string][] = [
    [{ strategy: 'linear', set: ['strategy.attempts=3'] }, 'is a setting of best-of-n and judged'],
    [{ attempts: '3' }, 'strategy.attempts is a setting of best-of-n and judged'],
    [{ strategy: 'lookahead', skipSure: '0.5' }, 'strategy.skipSure is a setting of speculative-rollback'],
    [{ goOn: '0.3' }, 'strategy.goOn has no effect without --speculate adaptive.'],
    [{ set: ['strategy.goOn=0.3'], speculate: 3 }, 'strategy.goOn has no effect without --speculate adaptive.'],
    [{ set: ['strategy.audit=0.3'] }, 'strategy.audit has no effect without --set strategy.skipSure=<share>.'],
    [{ strategy: './mine.ts', set: ['strategy.attempts=3'] }, '--set strategy.options.attempts=<value>'],
    [{ strategyOption: ['width=3'] }, 'strategy.options.width is a setting of a module of yours'],
    [{ set: ['spending.dollars=3'] }, 'spending.dollars is a setting of models'],
    [{ maxTokens: '3' }, 'student.maxTokens is a setting of a model, and the student is untrained.'],
  ];
  it.each(refused)('[CLI-12] %j are refused', (flags, message) => {
    expect(() => changesOf(null, flags)).toThrow(message);
  });

  it('[CLI-12] are taken where they belong, also in a run that is continued', () => {
    const sure = { speculate: 'adaptive', set: ['strategy.goOn=0.3'] } as const;
    expect(changesOf(null, sure)['strategy']).toMatchObject({ goOn: 0.3 });
    const before = {
      run: 'a',
      environments: ['mail'],
      strategy: { kind: 'speculative-rollback', speculate: 'adaptive' },
    };
    expect(changesOf(before, { set: ['strategy.goOn=0.3'] })['strategy']).toMatchObject({
      speculate: 'adaptive',
      goOn: 0.3,
    });
    expect(changesOf(null, { strategy: 'best-of-n', set: ['strategy.attempts=3'] })['strategy']).toEqual({
      kind: 'best-of-n',
      attempts: 3,
    });
  });

  it.each([
    ['strategy.attempts=0', 'Expected whole number from 1.'],
    ['strategy.attempts=1.5', 'Expected whole number from 1.'],
    ['strategy.attempts=many', 'Expected whole number from 1.'],
    ['strategy.atempts=3', 'There is no setting "strategy.atempts". Did you mean "strategy.attempts"?'],
    ['limits.steps', 'Expected a name and a value, such as strategy.width=4.'],
    ['browser.theme=blue', 'Expected light, dark, contrast or warm.'],
    ['browser.marks=3', 'Expected true or false.'],
    ['seed=3', 'What has an option, such as --seed, is set by its option.'],
  ])('[CLI-17] %s says what was expected', (text, message) => {
    expect(() => changesOf(null, { strategy: 'best-of-n', set: [text] })).toThrow(message);
  });
});

describe('the options of 0.1', () => {
  const model = 'openai:qwen3@http://127.0.0.1:8000/v1';
  const alike: [object, string[]][] = [
    [{ interventions: '2', reviews: '5', cost: '1' }, ['limits.interventions=2', 'limits.reviews=5', 'limits.cost=1']],
    [
      { vary: '7', viewport: '390x844' },
      ['browser.vary=7', 'browser.viewport.width=390', 'browser.viewport.height=844'],
    ],
    [{ screenshots: 'jpeg', marks: true }, ['browser.marks=true', 'browser.screenshots=jpeg']],
    [{ theme: 'dark', density: 'compact' }, ['browser.density=compact', 'browser.theme=dark']],
    [{ teacherErrors: '0.2', teacherStrict: true }, ['teacher.errors=0.2', 'teacher.strict=true']],
    [{ student: model, maxTokens: '100', tokens: false }, ['student.maxTokens=100', 'student.tokens=false']],
    [{ student: model, prices: 'p.json', deadline: '9' }, ['student.deadline=9', 'spending.prices=p.json']],
    [{ student: model, teacher: model, window: '900' }, ['student.window=900', 'teacher.window=900']],
    [{ student: model, teacher: model, prompts: 'own' }, ['student.prompts=own', 'teacher.prompts=own']],
    [{ actions: 'screen', contracts: './rules.ts' }, ['actions=screen', 'contracts=./rules.ts']],
    [
      { strategy: './mine.ts', strategyOption: ['width=2', 'name=b'] },
      ['strategy.options.width=2', 'strategy.options.name=b'],
    ],
  ];
  it.each(alike)('[CLI-19] %j give the config of %j, with a line of advice', (flags, set) => {
    const { student, teacher, strategy } = flags as CollectFlags;
    const notes: string[] = [];
    const run = { run: 'a', environments: ['mail'] };
    const old = readConfig({ ...run, ...changesOf(null, flags, text => notes.push(text)) }, 'old');
    const now = readConfig({ ...run, ...changesOf(null, { ...defined({ student, teacher, strategy }), set }) }, 'new');
    expect(JSON.stringify(old)).toBe(JSON.stringify(now));
    expect(notes.join(' ').match(/--set \S+=/g)).toHaveLength(set.length);
    for (const note of notes) expect(note).toMatch(/^--[a-z-]+ is now --set .*; the old spelling goes in 0\.3\.$/);
  });
});

describe('a file of settings', () => {
  it('[CLI-17] says the same as --set, as JSON and as TOML, and options override it', () => {
    writeFileSync(join(folder, 'some.json'), '{ "strategy": { "width": 3 }, "limits": { "forks": 2 }, "seed": 4 }');
    writeFileSync(join(folder, 'some.toml'), 'seed = 4\n[strategy]\nwidth = 3\n[limits]\nforks = 2\n');
    const order = (flags: CollectFlags): string => {
      const given = { strategy: 'lookahead', out: join(folder, 'run'), ...flags };
      return JSON.stringify(readOrder(['mail'], given, { known: [], note: () => {} }));
    };
    const set = ['strategy.width=3', 'limits.forks=2'];
    expect(order({ config: join(folder, 'some.json') })).toBe(order({ set, seed: 4 }));
    expect(order({ config: join(folder, 'some.toml') })).toBe(order({ set, seed: 4 }));
    expect(order({ config: join(folder, 'some.toml'), set: ['strategy.width=5'], seed: 1 })).toBe(
      order({ set: ['limits.forks=2', 'strategy.width=5'], seed: 1 }),
    );
    expect(settingsInFile(join(folder, 'some.json'))).toContainEqual({ path: 'strategy.width', value: 3 });
  });
});

it('a seed says its range', () => {
  for (const text of ['-1', '1.5', '9999999999', 'x'])
    expect(() => wholeNumber(text)).toThrow('Expected a whole number from 0 to 999999999.');
  expect(wholeNumber('0')).toBe(0);
});

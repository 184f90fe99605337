import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SearchStudyChoices } from './study-choices.ts';
import { continuedChoices, plannedRounds, resumeStudy } from './study-stages.ts';

const begun: SearchStudyChoices = {
  place: 'apps',
  apps: null,
  kinds: ['function', 'easy'],
  most: null,
  nodes: 40,
  taskSeconds: 120,
  minutes: 54,
  solutions: 2,
  rounds: 2,
  holdOut: ['club'],
  seed: 1,
  deepen: 3,
};

const numbersOf = (choices: SearchStudyChoices) =>
  plannedRounds(choices).map(({ round, number, others }) => [round, number, ...others]);

describe('stages of a study', () => {
  it('[SEARCH-103] [SEARCH-104] [SEARCH-105] takes another command that teaches only where one teaches already, and no other seed', () => {
    const taught = continuedChoices({ ...begun, compare: true, teach: 'old' }, { teach: 'new' }, 0);
    expect(taught.choices.teach).toBe('new');
    expect(taught.changes).toEqual(['students taught by new']);
    expect(() => continuedChoices(begun, { seed: 2 }, 0)).toThrow('keeps search.seed: it was 1, is 2');
    expect(() => continuedChoices(begun, { teach: 'new' }, 0)).toThrow(
      'search.teach names the student of a comparison',
    );
  });

  it('[SEARCH-67] numbers further rounds after all episodes of those before', () => {
    expect(numbersOf(begun)).toEqual([
      [1, 1, 3],
      [2, 2, 4],
    ]);
    const more = continuedChoices(begun, { rounds: 4, solutions: 3 }, 0).choices;
    expect(numbersOf(more)).toEqual([
      [1, 1, 3],
      [2, 2, 4],
      [3, 5, 7, 8],
      [4, 6, 9, 10],
    ]);
    const most = continuedChoices(more, { rounds: 5, solutions: 1 }, 0).choices;
    expect(numbersOf(most).at(-1)).toEqual([5, 11]);
  });

  it('[SEARCH-67] keeps planned rounds as they were, and says what is new', () => {
    const kinds = ['function', 'easy', 'medium'];
    const { choices, changes } = continuedChoices(begun, { rounds: 4, kinds, deepen: 2, minutes: 80 }, 3000);
    expect(changes).toEqual([
      'rounds 4 (2 so far)',
      'tasks function,easy,medium (function,easy so far)',
      'deepen 2 (3 so far)',
      '80 minutes from now (130 in all)',
    ]);
    expect(choices).toMatchObject({ rounds: 4, kinds, deepen: 2, minutes: 130, nodes: 40, holdOut: ['club'] });
    expect(plannedRounds(choices).map(({ stage }) => [stage.kinds?.length, stage.deepen])).toEqual([
      [2, 3],
      [2, 3],
      [3, 2],
      [3, 2],
    ]);
    // The same command again, after a kill, plans nothing twice.
    const again = continuedChoices(choices, { rounds: 4, kinds, deepen: 2 }, 3600);
    expect(again).toEqual({ choices, changes: [] });
    expect(continuedChoices(begun, {}, 3000)).toEqual({ choices: begun, changes: [] });
  });

  it('[SEARCH-97] goes on with another guide', () => {
    const guided = { ...begun, guide: 'small:./one', weight: 0.3 };
    const { choices, changes } = continuedChoices(guided, { rounds: 3, guide: 'small', weight: 0.5 }, 0);
    expect(choices).toMatchObject({ guide: 'small', weight: 0.5, rounds: 3 });
    expect(changes).toEqual(['rounds 3 (2 so far)', 'searches guided by small']);
    expect(continuedChoices(guided, {}, 0)).toEqual({ choices: guided, changes: [] });
  });

  it('[SEARCH-67] refuses by name what cannot change', () => {
    const ask = (asked: Parameters<typeof continuedChoices>[1]) => () => continuedChoices(begun, asked, 0);
    expect(ask({ nodes: 100 })).toThrow('A study that goes on keeps --nodes: it was 40, is 100.');
    expect(ask({ holdOut: ['desk'] })).toThrow('keeps --hold-out');
    expect(ask({ rounds: 1 })).toThrow('The study has 2 rounds already.');
    expect(ask({ rounds: 3, kinds: ['function'] })).toThrow('The study has tasks of the kind "easy".');
    expect(ask({ rounds: 3, kinds: ['function', 'easy', 'meduim'] })).toThrow('no tasks of the kind "meduim"');
    expect(ask({ deepen: 5 })).toThrow(
      'The 2 rounds of the study are planned: deepen 5 (3 so far) can be for further rounds only.',
    );
  });

  it('[SEARCH-88] plans no further rounds without time for them', () => {
    const limited = { ...begun, minutes: 50 };
    expect(() => continuedChoices(limited, { rounds: 3 }, 3000)).toThrow(
      'The 50 minutes of the study are over: further rounds would end before they begin.',
    );
    expect(continuedChoices(limited, { rounds: 3 }, 2400).choices).toMatchObject({ rounds: 3, minutes: 50 });
    expect(continuedChoices(limited, { rounds: 3, minutes: 10 }, 3000).choices).toMatchObject({ minutes: 60 });
    // A study that was killed after its time still ends with whole tables.
    expect(continuedChoices(limited, {}, 3000).changes).toEqual([]);
  });

  it('[SEARCH-89] takes no more time for what has ended', () => {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-stages-'));
    const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));
    try {
      write('study-options.json', { ...begun, minutes: 50 });
      write('phases.json', ['round 1', 'round 2', 'held out, words', 'held out, guided', 'held out, student']);
      expect(() => resumeStudy(folder, { minutes: 1 })).toThrow('nothing would be done in more time');
      expect(resumeStudy(folder, {}).changes).toEqual([]);
      const { changes } = resumeStudy(folder, { minutes: 1, rounds: 3 });
      expect(changes).toEqual(['rounds 3 (2 so far)', '1 minute from now (1 in all)']);
      expect(resumeStudy(folder, { minutes: 2 }).changes).toEqual(['2 minutes from now (2 in all)']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

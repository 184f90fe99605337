import { describe, expect, it } from 'vitest';
import { app as desk } from '../../../examples/library/library.ts';
import {
  alwaysLent,
  bad,
  goodTemplate,
  sameForAll,
  seenAtOnce,
  tooLenient,
  tooNarrow,
  unreadable,
  unreadableTwice,
  vacuous,
  withTemplates,
} from '../../../test/fixtures/bad-templates.ts';
import { createManualClock } from '../../core/clock.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { admitTemplates } from './admission.ts';

const planner = createPlanner({ clock: createManualClock(), maxNodes: 300 });

describe('admission ladder', () => {
  it('[LAD-9] [VER-1] [VER-2] admits good templates', () => {
    const admissions = [...admitTemplates(withTemplates([goodTemplate, ...desk.templates]), { planner })];
    expect(admissions.filter(({ admitted }) => !admitted).map(({ template, law }) => [template, law])).toEqual([
      ['lend-to-reader', 'LAD-8'],
    ]);
    expect(admissions[0]?.detail).toBe('6 instances, 4 to 5 steps');
  });

  it.each([
    ['LAD-1', 'parses', /threw in instruction: out of words/],
    ['LAD-2', 'deterministic', /seed 1 gave two different tasks/],
    ['LAD-3', 'initial state fails', /the initial state of seed 1 passes/],
    ['LAD-4', 'gold run passes', /seed 1: (goal-unreachable|infeasible-within-budget) after \d+ states/],
    ['VER-3', 'nearly-right states fail', /passes with \/books\/b\d+\/loan set to/],
    ['VER-4', 'nearly-right states fail', /passes unclean: with \/books/],
    ['LAD-6', 'blind replay fails', /a recorded script passed on \d+ of 12 other instances/],
    ['LAD-7', 'random walk fails', /a random walk passes in \d+ % of the runs/],
    [
      'LAD-10',
      'no wrong run passes',
      /passes with \/books\/b\d+\/loan = ".+", not null: return_book \{.+\} → lend_book \{.+\}/,
    ],
  ] as const)(
    '[LAD-1] [LAD-2] [LAD-3] [LAD-4] [LAD-5] [LAD-6] [LAD-7] [LAD-10] rejects what breaks %s at the rung "%s"',
    (law, rung, detail) => {
      const [admission] = admitTemplates(withTemplates([bad[law]]), { planner });
      expect(admission).toMatchObject({ admitted: false, law, rung });
      expect(admission?.detail).toMatch(detail);
    },
  );

  it('[LAD-8] rejects a template that asks for the same as another', () => {
    const [first, second] = [...admitTemplates(withTemplates([goodTemplate, bad['LAD-8']]), { planner })];
    expect(first?.admitted).toBe(true);
    expect(second).toMatchObject({
      admitted: false,
      rung: 'not a duplicate',
      detail: 'it asks for the same as "lend-it"',
    });
  });

  it('[VER-4] rejects a template that allows what its solution does not need', () => {
    for (const [extra, what] of Object.entries({
      '/holds/+': 'a record added to /holds',
      '/books/+': 'a record added to /books',
      '/books/*/title': '/title set to',
    })) {
      const [admission] = admitTemplates(withTemplates([tooLenient(extra)]), { planner });
      expect(admission).toMatchObject({ admitted: false, law: 'VER-4', rung: 'nearly-right states fail' });
      expect(admission?.detail).toContain(what);
    }
  });

  it('[LAD-3] rejects a template that says nothing of what is already done', () => {
    const [admission] = admitTemplates(withTemplates([vacuous]), { planner });
    expect(admission).toMatchObject({ admitted: false, law: 'LAD-3' });
  });

  it.each([
    [alwaysLent, /^"finish" is right for 24 of 24 instances; make about half of them feasible with "isTwin"$/],
    [seenAtOnce, /^"finish" as the first step passes \d+ of 24 instances; let "shown" say/],
    [sameForAll, /^"finish" with the answer "Ana Ruiz" is right for 24 of 24 instances; vary the answer$/],
  ])('[LAD-12] rejects a template whose ending can be guessed: $0.id', (template, detail) => {
    const [admission] = admitTemplates(withTemplates([template]), { planner });
    expect(admission).toMatchObject({ admitted: false, law: 'LAD-12', rung: 'guessing fails' });
    expect(admission?.detail).toMatch(detail);
  });

  it('[LAD-6] has other instances to try a script on, however few are asked for', () => {
    const [admission] = admitTemplates(withTemplates([bad['LAD-6']]), { planner, seeds: 1 });
    expect(admission).toMatchObject({ admitted: false, law: 'LAD-6' });
  });

  it('[LAD-4] says what stands in the way of a solution', () => {
    const [narrow, unread, twice] = [tooNarrow, unreadable, unreadableTwice].map(
      template => [...admitTemplates(withTemplates([template]), { planner })][0],
    );
    expect(narrow).toMatchObject({ admitted: false, law: 'LAD-4' });
    expect(narrow?.detail).toMatch(/every goal can be met, but that changes \/books\/b\d+\/loan, which is not allowed/);
    expect(unread).toMatchObject({ admitted: false, law: 'LAD-4' });
    expect(unread?.detail).toMatch(/the answer "mark-b\d+" is not on the screen/);
    expect(twice).toMatchObject({ admitted: false, law: 'LAD-4' });
    expect(twice?.detail).toMatch(/the answer "mark-b\d+" is on none of the screens that have to be seen/);
  });
});

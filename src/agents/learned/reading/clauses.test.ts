import { describe, expect, it } from 'vitest';
import { clausePlace, findClauses, followClauses } from './clauses.ts';
import { questionOf } from './question.ts';
import { readStepLine } from './steps.ts';

const instruction = 'Star "Fish, chips and peas", archive the invoice and delete "Old news". Then open the settings.';

describe('clauses', () => {
  it('[LRN-7] are split where the next thing begins, and never inside a quotation', () => {
    expect(findClauses(instruction).texts).toEqual([
      'Star "Fish, chips and peas"',
      'archive the invoice',
      'delete "Old news"',
      'open the settings',
    ]);
    expect(findClauses('').texts).toEqual([]);
  });

  it('[LRN-7] are followed by the steps that share their words; a refused step is none', () => {
    const clauses = findClauses(instruction);
    const start = followClauses(clauses, []);
    expect(start).toMatchObject({ current: -1, firstOpen: 0, openCount: 4 });
    const history = [
      'click switch "Star" in "Fish, chips and peas"',
      'click button "Archive" in "Invoice 12"',
      'click button "Delete" in "Old news" (refused: Choose a message first.)',
    ];
    const after = followClauses(clauses, history.map(readStepLine));
    expect(after).toMatchObject({ steps: [1, 1, 0, 0], current: 1, firstOpen: 2, openCount: 2 });
    expect([-1, 0, 1, 2, 3].map(index => clausePlace(index, after))).toEqual([0, 3, 1, 2, 5]);
  });
});

describe('a question', () => {
  it.each([
    ['Star "A".', 'none', []],
    ['How many messages are in the archive?', 'count', ['messag']],
    ['How much does the Silk Scarf cost? Answer with the price.', 'money', ['pric']],
    ['Who sent the oldest message? Answer with the full name.', 'person', ['full', 'nam']],
    ['When is the sprint "Core 3" over? Answer with the date.', 'time', ['dat']],
    ['What is the phone number of Ada Berg?', 'any', ['phon', 'number']],
  ] as const)('[LRN-7] says what kind of answer it wants: %s', (text, wants, about) => {
    const question = questionOf(text);
    expect(question.wants).toBe(wants);
    for (const word of about) expect(question.about).toContain(word);
  });
});

import { describe, expect, it } from 'vitest';
import { describeStep } from '../../core/episode/view.ts';
import { readPageWords } from './page-words.ts';
import { createScorePrior, type Moment } from './prior.ts';
import { createWordScorer } from './word-prior.ts';

const prior = createScorePrior(createWordScorer());

/** What can be done in a moment, likeliest first, with its probability. */
function weigh(moment: Partial<Moment> & Pick<Moment, 'instruction' | 'screen'>): [text: string, chance: number][] {
  const whole: Moment = { history: [], screenBefore: null, ...moment };
  return prior(whole, 1)
    .map(({ action, logprob }): [string, number] => [describeStep(action, whole.screen), Math.exp(logprob)])
    .toSorted((left, right) => right[1] - left[1]);
}

function page(...lines: readonly string[]): string {
  return `page "Clinic"\n${lines.map(line => `  ${line}\n`).join('')}`;
}

describe('words of a page', () => {
  it('[SEARCH-50] are the same in the singular and the plural, whatever the word ends with', () => {
    const screen = page('[e1] button "Notes"', '[e2] button "Appointments"', '[e3] button "Vaccinations"');
    for (const [thing, name] of [
      ['appointment', 'Appointments'],
      ['vaccination', 'Vaccinations'],
    ])
      expect(weigh({ instruction: `Show the ${thing} of today.`, screen })[0]?.[0]).toBe(`click button "${name}"`);
  });

  it('[SEARCH-51] have a name in the order of the instruction, where the page has the family name first', () => {
    const screen = page(
      'table',
      '  [e1] row',
      '    cell "Fitzgerald, James"',
      '    cell "Male"',
      '  row',
      '    [e2] button "Zhao, Helen"',
      '    cell "Female"',
    );
    const [row, name] = readPageWords(screen).elements;
    expect(row?.content).toContain('james fitzgerald');
    expect(name?.content).toContain('helen zhao');
    expect(name?.rowText).toContain('helen zhao');
  });
});

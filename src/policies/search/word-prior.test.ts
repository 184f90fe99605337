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

describe('the prior of words', () => {
  it('[SEARCH-52] gives equal buttons that nothing speaks for the weight of one together', () => {
    const rows = Array.from({ length: 20 }, (_, at) => `[e${at + 1}] button "Hide"`);
    const screen = page(...rows, '[e21] button "Typography"');
    const weighed = weigh({ instruction: 'Align the title.', screen });
    expect(weighed[0]?.[0]).toBe('click button "Typography"');
    expect(weighed[0]?.[1]).toBeGreaterThan(0.4);
  });

  it('[SEARCH-52] passes over what is chosen already', () => {
    const screen = page('[e1] button "Layers" (selected)', '[e2] button "Fonts"');
    expect(weigh({ instruction: 'Align the title.', screen })[0]?.[0]).toBe('click button "Fonts"');
  });

  it('[SEARCH-53] goes on to save a choice that the page shows, and does not make it again', () => {
    const around = ['[e1] button "Home"', '[e2] button "Patients"', '[e3] button "Routing"', 'Unread letter alert'];
    const before = page(
      ...around,
      '[e4] button "48 hours ▾"',
      '[e5] button "24 hours"',
      '[e6] button "72 hours"',
      '[e7] button "Save Changes"',
    );
    const screen = page(...around, '[e4] button "72 hours ▾"', '[e5] button "Save Changes"');
    const history = ['click button "48 hours ▾"', 'click button "72 hours"'];
    const instruction = 'Change the unread letter alert from 48 hours to 72 hours.';
    expect(weigh({ instruction, history, screen, screenBefore: before })[0]?.[0]).toBe('click button "Save Changes"');
  });

  it('[SEARCH-54] finds the button of the row that is meant no less likely than its title', () => {
    const rows = ['Ann Lee', 'Dennis Volkov', 'Eve Cole', 'Bo Ray', 'Cy Dun'].flatMap((name, at) => [
      'row',
      `  [e${2 * at + 1}] button "${name}"`,
      '  cell "Checkup"',
      `  [e${2 * at + 2}] button "Cancel"`,
    ]);
    const weighed = weigh({ instruction: "Cancel Dennis Volkov's checkup.", screen: page(...rows) });
    const own = weighed.find(([text]) => text.startsWith('click button "Cancel"'));
    expect(own?.[1]).toBeGreaterThan(0.2);
  });

  it('[SEARCH-54] looks for a name that is nowhere to be seen', () => {
    const list = ['[e2] button "Abrams, Gregory"', '[e3] button "Adebayo, Kevin"'];
    const chanceOf = (...lines: readonly string[]): number =>
      weigh({
        instruction: 'Add a tag to the patient Janet Okonkwo.',
        screen: page('[e1] textbox "Search patients...": (empty)', ...lines),
      }).find(([text]) => text.endsWith('with "Janet Okonkwo"'))?.[1] ?? 0;
    expect(chanceOf(...list)).toBeGreaterThan(0.5);
    expect(chanceOf(...list, '[e4] button "Okonkwo, Janet"')).toBeLessThan(0.1);
  });
});

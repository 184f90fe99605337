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

describe('learned weights', () => {
  it('[SEARCH-77] leave features that they do not name as they are set by hand', () => {
    const screen = page('navigation', '  [e1] button "Layers" (selected)', '  [e2] button "Typography"');
    const moment = { instruction: 'Align the title.', history: [], screen, screenBefore: null };
    expect(createWordScorer({ ownWords: 5 })(moment)).toEqual(createWordScorer()(moment));
  });
});

describe('what a page offers', () => {
  it('[SEARCH-71] is a field, not a list of options, where the text in it ends with a placeholder', () => {
    const weighed = weigh({
      instruction: "Change its subject to 'Payment due'.",
      screen: page('[e1] textbox "Subject": Reminder {Number}', '[e2] combobox "Tone": Kind {Kind | Firm}'),
    });
    const texts = weighed.map(([text]) => text);
    expect(texts).toContain('fill textbox "Subject" with "Payment due"');
    expect(texts).toContain('select "Firm" for combobox "Tone"');
    expect(texts).not.toContain('select "Number" for textbox "Subject"');
  });

  it('[SEARCH-73] takes colours where a colour stands, and numbers where a number does', () => {
    const [first] = weigh({
      instruction: 'Set the background to #0052CC.',
      screen: page('[e1] textbox "Angle": 135', 'Start', '[e2] textbox "": #1E1E1E'),
    });
    expect(first?.[0]).toBe('fill textbox "" with "#0052CC"');
    const chances = weigh({
      instruction: "Rename the shape to 'Box'.",
      screen: page('[e1] textbox "Width": 40', '[e2] textbox "Caption": Shape'),
    });
    expect(chances[0]?.[0]).toBe('fill textbox "Caption" with "Box"');
  });

  it('[SEARCH-74] is no list to open that shows what is wanted, unless it is to be changed from that', () => {
    const screen = page('[e1] button "Swiss Franc expand_more"', '[e2] button "Cancel"', '[e3] button "Add"');
    const history = ['click button "Add Currency"'];
    const chanceOf = (instruction: string): number =>
      weigh({ instruction, history, screen }).find(([text]) => text.includes('Swiss'))?.[1] ?? 0;
    expect(chanceOf('Add Swiss Franc as a currency.')).toBeLessThan(0.1);
    expect(chanceOf('Change the currency from Swiss Franc to Yen.')).toBeGreaterThan(0.4);
  });

  it('[SEARCH-74] is a list by the label right before it, and its choices by their own names', () => {
    const shell = Array.from({ length: 9 }, (_, at) => `button "Place ${at}"`);
    const form = [...shell, 'Appointment: Video Visit', 'Visit Format', '[e1] button "f_1 ▾"', 'Visit Category'];
    const closed = page(...form, '[e2] button "c_2 ▾"', '[e3] button "Save"');
    const instruction = "Change the category of the 'Video Visit' appointment to 'Other'.";
    const history = ['click button "Edit"'];
    const list = weigh({ instruction, history, screen: closed }).find(([text]) => text.includes('▾'));
    expect(list?.[0]).toBe('click button "c_2 ▾"');
    expect(list?.[1]).toBeGreaterThan(0.1);
    const choices = ['[e3] button "Office Visit"', '[e4] button "Annual"', '[e5] button "Other"'];
    const open = page(...form, '[e2] button "c_2 ▾"', ...choices, '[e6] button "Save"');
    const [first] = weigh({
      instruction,
      history: [...history, 'click button "c_2 ▾"'],
      screen: open,
      screenBefore: closed,
    });
    expect(first?.[0]).toBe('click button "Other"');
    expect(first?.[1]).toBeGreaterThan(0.5);
  });

  it('[SEARCH-78] carries out what was entered with none of the buttons of rows, and with no list that opens', () => {
    const rows = Array.from({ length: 4 }, (_, at) => [
      `[e${2 * at + 1}] button "Letter ${at}"`,
      `  Letter ${at}`,
      `  [e${2 * at + 2}] button "✓ Mark Done"`,
    ]).flat();
    const screen = page(
      'region',
      ...rows.map(line => `  ${line}`),
      '[e9] button "Mark Done ▾"',
      '[e10] button "Calendar"',
    );
    const weighed = weigh({ instruction: 'Disable calendar alerts.', history: ['click button "Settings"'], screen });
    expect(weighed[0]?.[0]).toBe('click button "Calendar"');
    expect(weighed[0]?.[1]).toBeGreaterThan(0.9);
  });

  it('[SEARCH-75] is rather another tab than another row, once the row that is meant is selected', () => {
    const rows = ['Page Title', 'Body Text', 'Text Quote', 'Text Note', 'Text List'].flatMap((name, at) => [
      `  [e${at + 4}] button "${name}"${at === 0 ? ' (selected)' : ''}`,
      `    ${name}`,
      '    12px',
    ]);
    const tabs = [
      'navigation',
      '  [e1] button "Layers" (selected)',
      '  [e2] button "Typography"',
      '  [e3] button "Fonts"',
    ];
    const weighed = weigh({
      instruction: "Select the 'Page Title' text and set its line height to 64.",
      history: ['click button "Page Title"'],
      screen: page(...tabs, 'region', ...rows),
    });
    expect(weighed.slice(0, 2).map(([text]) => text)).toEqual(['click button "Typography"', 'click button "Fonts"']);
  });

  it('[SEARCH-76] is asked for by the verb after the place that an instruction begins with', () => {
    const [first] = weigh({
      instruction: 'In the shared address book, change the colour of names.',
      screen: page('[e1] button "Preferences"', '[e2] button "Reports"', '[e3] button "History"'),
    });
    expect(first?.[0]).toBe('click button "Preferences"');
    expect(first?.[1]).toBeGreaterThan(0.6);
  });
});

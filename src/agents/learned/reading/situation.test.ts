import { describe, expect, it } from 'vitest';
import { noticeOf, unsavedFields } from '../features/notices.ts';
import { findAnswers } from './answers.ts';
import { findChoices } from './choices.ts';
import { readStateFeatures } from './situation.ts';

function read(instruction: string, lines: readonly string[], history: readonly string[] = []) {
  return readStateFeatures({ instruction, history, screen: `${lines.join('\n')}\n` });
}

const owners = [
  'page "Kennel"',
  '  region "Owners"',
  '    search "Look up"',
  '      [e1] textbox "Look up owners": (empty)',
  '    region "Owners"',
  '      region "Tess Keller"',
  '        heading "Tess Keller"',
  '        Location: 14 Priory Close',
  '        [e2] button "Details"',
  '      region "Lena Ito"',
  '        heading "Lena Ito"',
  '        Location: 26 Elder Street',
  '        [e3] button "Details"',
];

describe('a situation', () => {
  it('[LRN-10] takes cards as rows, so that buttons of the same name are told apart', () => {
    const { elements } = read('Open Lena Ito.', owners);
    const rows = elements.filter(({ name }) => name === 'Details').map(({ row }) => row.split('\n', 1)[0]);
    expect(rows).toEqual(['Tess Keller', 'Lena Ito']);
    // The record that is open is no card: nothing is beside it.
    const page = read('Open Lena Ito.', [
      'page "Kennel"',
      '  region "Lena Ito"',
      '    heading "Lena Ito"',
      '    [e1] button "Edit"',
    ]);
    expect(page.elements.find(({ name }) => name === 'Edit')?.row).toBe('');
  });

  it('[LRN-10] tells a search from an entry, whatever the field is called', () => {
    const searched = read('Register "Ada Berg".', owners, ['fill textbox "Look up owners" with "Ada Berg"']);
    expect(searched.mentions[0]).toMatchObject({ searched: true, entered: false });
    expect(searched.pending).toBe(1);
    const entered = read('Register "Ada Berg".', owners, ['fill textbox "Name" with "Ada Berg"']);
    expect(entered.mentions[0]).toMatchObject({ searched: false, entered: true });
    expect(entered.pending).toBe(0);
  });

  it('[LRN-10] counts as done what steps named: not the kinds of elements, and not what was refused', () => {
    const { done, told } = read('Link the issue and select a button.', owners, [
      'click link "Issue 7" in "Board"',
      'click button "Select" (refused: Link it first.)',
    ]);
    expect([...told].filter(word => done.has(word))).toEqual(['issu']);
  });

  it('[LRN-10] sees what messages say, and what stands in a form that was not stored', () => {
    const form = ['page "Kennel"', '  dialog "New dog"', '    [e1] textbox "Name": Hazel', '    [e2] button "Save"'];
    const before = read('Add the dog "Hazel".', form);
    expect([noticeOf('alert', before), unsavedFields(before)]).toEqual([0, 1]);
    const after = read('Add the dog "Hazel".', ['page "Kennel"', '  alert "Hazel is created."']);
    expect([noticeOf('alert', after), noticeOf('status', after), unsavedFields(after)]).toEqual([2, 0, 0]);
    expect(noticeOf('alert', read('Add the dog "Hazel".', ['page "Kennel"', '  alert "Try again."']))).toBe(1);
  });

  it('[LRN-10] offers answers also where an instruction asks without a question mark', () => {
    const kinds = (instruction: string) => findChoices(read(instruction, owners)).map(({ kind }) => kind);
    expect(kinds('I want to know how many owners there are. Just the number.')).toContain('answer');
    expect(kinds('Delete the owner "Tess Keller".')).not.toContain('answer');
  });

  it('[LRN-10] reads names that go on in lower case, and prefers the reading that is on the screen', () => {
    const texts = (lines: readonly string[]) => read('Please release Granite ridge.', lines).mentions.map(m => m.text);
    expect(texts(['page "Routes"'])).toEqual(['Granite', 'Granite ridge']);
    expect(texts(['page "Routes"', '  [e1] link "Granite ridge"'])).toEqual(['Granite ridge']);
  });

  it('[LRN-10] knows what a value is called: by its label, its column or its row', () => {
    const state = read('What is the fare of "Airport run"?', [
      'page "Taxi"',
      '  table "Rides"',
      '    row ""',
      '      cell "Name"',
      '      cell "Pickup place"',
      '      cell "Fare"',
      '    row "Airport run"',
      '      [e1] link "Airport run"',
      '      cell "Dock 4"',
      '      cell "49"',
      '  table "Ride"',
      '    row "Waiting time"',
      '      cell "12"',
      '  Ticket price: 87',
    ]);
    const called = new Map(findAnswers(state).map(({ text, field }) => [text, field]));
    expect(called.get('Dock 4')).toEqual(['pickup', 'plac']);
    expect(called.get('49')).toEqual(['far']);
    expect(called.get('12')).toEqual(['wait', 'tim']);
    expect(called.get('87')).toEqual(['ticket', 'pric']);
  });
});

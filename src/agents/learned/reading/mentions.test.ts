import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMentions } from './mentions.ts';
import { rolesOf } from './roles.ts';
import { wordsOf } from './words.ts';

function textsOf(instruction: string): string[] {
  return findMentions(instruction).map(({ text }) => text);
}

describe('mentions', () => {
  it('[LRN-1] finds quotations, addresses, names, numbers and codes by the way they are written', () => {
    expect(textsOf('Forward "Lunch on Friday" to nina.park@alder.example.')).toEqual([
      'Lunch on Friday',
      'nina.park@alder.example',
    ]);
    expect(textsOf('In the list, give 3 pieces to Yuki Sato and close it with AB-12.')).toEqual([
      '3',
      'Yuki Sato',
      'AB-12',
    ]);
    expect(textsOf('Change the tag called fragile to top-heavy.')).toEqual(['fragile', 'top-heavy']);
    expect(findMentions('Write "I am late." to +44 20 7946 and pay €12.50.').map(({ shape }) => shape)).toEqual([
      'sentence',
      'number',
      'number',
    ]);
  });

  it('[LRN-1] reads a place in every way it can be meant, the longest first', () => {
    const mentions = findMentions('Move Bread and Butter to the second shelf.');
    expect(mentions.map(({ text, place, reading }) => [text, place, reading])).toEqual([
      ['Move Bread and Butter', 0, 0],
      ['Bread and Butter', 0, 1],
      ['Move Bread', 0, 2],
      ['Butter', 0, 3],
    ]);
    expect(textsOf('Open it.')).toEqual([]);
    // A hint stands on a line of its own.
    expect(textsOf('Open it.\n\nHint: It was not open.')).toEqual([]);
  });

  it('[LRN-1] keeps the words around a mention, nearest first, and those of its clause', () => {
    const [first, second] = findMentions('Set the title to "One" and the text to "Two" today.');
    expect(first).toMatchObject({ left: ['to', 'titl', 'the'], right: ['and', 'the', 'text'] });
    expect(second).toMatchObject({
      left: ['to', 'text', 'the'],
      right: ['today'],
      clause: ['the', 'text', 'to', 'today'],
    });
  });

  it('[LRN-1] only ever mentions what the instruction says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        for (const mention of findMentions(text)) expect(text).toContain(mention.text);
      }),
    );
  });
});

describe('words', () => {
  it('[LRN-1] lets the forms of a word meet', () => {
    expect(wordsOf('Assigned, assignee; STARRED')).toEqual(['assign', 'assign', 'star']);
    expect(wordsOf('star')).toEqual(['star']);
    expect(wordsOf('Größe 42, Ålesund')).toEqual(['größ', '42', 'ålesund']);
    expect(wordsOf(' -- ')).toEqual([]);
  });

  it('[LRN-1] play a part in the sentence: what to do, where, and to what', () => {
    expect(Object.fromEntries(rolesOf('In the drawer, sort the red pens and then label "Box 3".'))).toEqual({
      drawer: 'in',
      sort: 'verb',
      red: 'thing',
      pen: 'more',
      label: 'verb',
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { Intent } from '../../core/ui.ts';
import { button, checkbox, combobox, list, textbox } from './elements.ts';

const intent: Intent = { command: 'set', input: {} };

describe('elements', () => {
  it('[APP-6] without an action are errors that name the element and how to call it', () => {
    const none = undefined as unknown as Intent;
    const wrong = { onChange: intent, options: ['a'] } as unknown as Parameters<typeof combobox>[2];
    expect(() => combobox('Status', 'a', wrong)).toThrow('The combobox "Status" was made without what it does.');
    expect(() => combobox('Status', 'a', { enter: intent } as Parameters<typeof combobox>[2])).toThrow('"Status"');
    expect(() => textbox('Title', '', {} as Parameters<typeof textbox>[2])).toThrow('The textbox "Title"');
    expect(() => button('Save', none)).toThrow('The button "Save"');
    expect(() => checkbox('Done', true, none)).toThrow('The checkbox "Done"');
  });

  it('[APP-6] with one are as they were', () => {
    expect(combobox('Status', 'a', { enter: intent, options: ['a'] })).toMatchObject({
      role: 'combobox',
      enter: intent,
    });
    expect(button('Save', intent)).toMatchObject({ role: 'button', press: intent });
  });

  it('[APP-6] leave out children that are false, null or undefined', () => {
    const save = button('Save', intent);
    expect(list('Menu', [false, save, undefined, null]).children).toEqual([save]);
  });
});

import { expect, it } from 'vitest';
import { createScreen, elementAt } from './ui.ts';

it('[ENV-4] writes a screen as one line an element, numbered in document order', () => {
  const intent = { command: 'go', input: {} };
  const screen = createScreen({
    role: 'page',
    name: 'Desk',
    children: [
      { role: 'text', name: 'Hello' },
      { role: 'button', name: 'Go', press: intent, states: ['selected'] },
      { role: 'button', name: 'Stop', press: intent, states: ['disabled'] },
      { role: 'textbox', name: 'Note', value: '', enter: intent },
      { role: 'combobox', name: 'Size', value: 'S', enter: intent, options: ['S', 'L'] },
      { role: 'textbox', name: 'Memo', value: 'x\n    [e2] link "Fake"', enter: intent },
    ],
  });
  expect(screen.text).toBe(
    [
      'page "Desk"',
      '  Hello',
      '  [e1] button "Go" (selected)',
      '  button "Stop" (disabled)',
      '  [e2] textbox "Note": (empty)',
      '  [e3] combobox "Size": S {S | L}',
      '  [e4] textbox "Memo": x ⏎     [e2] link "Fake"',
      '',
    ].join('\n'),
  );
  expect(elementAt(screen, 'e3')?.name).toBe('Size');
  expect(elementAt(screen, 'e9')).toBeUndefined();
});

import type { Step } from '../fixtures/pages/retrace.ts';
import { isLong } from '../long-form.ts';

export interface FrameworkApp {
  /** The folder of its sources, and what figures call it. */
  readonly name: string;
  /** What a user would do there. */
  readonly steps: readonly Step[];
  /** Why two fresh pages may disagree, so that nothing of it is certified: what is restored is right all the same. */
  readonly unsteady?: string;
  /** Built in the long form only: what it installs is larger than that of all others together. */
  readonly isLong?: true;
}

/** Small apps as people build them, each with another framework or library. */
const apps: readonly FrameworkApp[] = [
  {
    name: 'react-18',
    steps: [
      'Water the plants',
      'New todo=Buy paint',
      'Add',
      'open',
      'Clear finished',
      'Remove them',
      'all',
      'Delete Call the plumber',
    ],
  },
  {
    name: 'react-19',
    steps: [
      'Pay Train ticket',
      'Report',
      'Add expense',
      'What=Paint',
      'Amount=12',
      'Kind=home',
      'Add expense',
      'Unpaid only',
    ],
  },
  {
    name: 'preact',
    steps: [
      'Add Blue cup',
      'Add Green tea',
      'Voucher=spring',
      'Order',
      'Your name=Ines',
      'Send the order',
      'Add Oak tray',
    ],
  },
  {
    name: 'vue',
    steps: ['Plan Pancakes', 'Quick only', 'New recipe', 'Name=Toast', 'Save', 'Shopping list', 'eggs', 'All recipes'],
  },
  {
    name: 'svelte',
    steps: [
      'Next',
      'Name=Ada',
      'E-mail=ada@mail.test',
      'Next',
      'Country=Ghana',
      'Breakfast',
      'Next',
      'I agree',
      'Book',
    ],
  },
  {
    name: 'solid',
    steps: ['Take hinges', 'Take hinges', 'History', 'Order glue', 'How many glue=25', 'Place order', 'Filter=sand'],
  },
  {
    name: 'angular',
    steps: [
      'Report issue',
      'Title=Dark mode',
      'Priority=high',
      'Report issue',
      'Close #1',
      'Hide closed',
      'Statistics',
    ],
  },
  {
    name: 'lit',
    steps: [
      'Star Cem',
      'Order=starred first',
      'Edit Ada',
      'Phone of Ada=0171 5',
      'Save Ada',
      'Remove Bo',
      'Undo',
      'Search=c',
    ],
  },
  {
    name: 'htmx',
    steps: ['Change Bo', 'Invite the next', 'Active members', 'About the club', 'Change Ada', 'Everybody'],
  },
  {
    name: 'jquery',
    steps: [
      'How do I pay?',
      'Most helpful first',
      'More questions',
      'Send answer',
      'Yes, it was',
      'Remark=Thanks',
      'Send answer',
    ],
  },
  {
    name: 'tanstack-table',
    steps: ['Price', 'Next page', 'Select all', 'Reduce by half', 'Filter=oak', 'Next page', 'Name'],
  },
  {
    name: 'tanstack-query',
    steps: ['Vote for Printer', 'Open Printer', 'All tickets', 'Close Heating', 'Show closed', 'Reload'],
  },
  {
    name: 'tiptap',
    unsteady:
      'ProseMirror notes when the selection changed while somebody typed, and the browser tells that when it likes',
    steps: [
      'Books',
      'Text=Sense and Sensibility',
      'Save',
      'Garden',
      'New note',
      { kind: 'type', text: 'Paint' },
      'Bold',
      'Undo',
    ],
  },
  {
    name: 'chart',
    steps: ['First half', 'Cake', 'Sell ten breads more in May', 'Kind=line', 'Coffee', 'Whole year', 'Kind=bar'],
  },
  {
    name: 'date-picker',
    steps: [
      'Mika',
      'Choose days',
      'Monday, February 23rd, 2026',
      'Thursday, February 26th, 2026',
      'Book the days',
      'Choose days',
      'Go to the Next Month',
    ],
  },
  {
    name: 'board',
    steps: [
      'Open Order chairs',
      'Move to Doing',
      'New card=Buy lamps',
      'Add card',
      'Drag Buy lamps',
      { kind: 'press', key: 'Space' },
      { kind: 'press', key: 'ArrowUp' },
      { kind: 'press', key: 'Space' },
    ],
  },
  {
    name: 'next',
    steps: ['Buy Emma', 'Ulysses', '3 stars', 'Go to the basket', 'Remove Emma', 'Shop', 'Search=woolf', 'Buy Orlando'],
    isLong: true,
  },
];

/** Those that this form of the tests builds. */
export const triedApps: readonly FrameworkApp[] = apps.filter(app => isLong || app.isLong !== true);

import type { Field } from '../../spec/schema.ts';

/** Ways to speak about a new value of a field. `{x}` is the record, `{v}` the value, `{l}` the label of the field. */
export interface Verbs {
  readonly labels: readonly string[];
  readonly orders: readonly string[];
  readonly facts: readonly string[];
}

const link: Verbs = {
  labels: ['Assign {l}', 'Change {l}', 'Set {l}', 'Hand over', 'Reassign', 'Choose {l}', 'Give to', 'Pass on'],
  orders: [
    'make {v} the {l} of {x}',
    'assign {v} to {x} as {l}',
    'hand {x} over to {v}',
    'give {x} to {v}',
    'put {v} down as the {l} of {x}',
    'pass {x} on to {v}',
    'let {v} be the {l} of {x}',
  ],
  facts: [
    '{v} is the new {l} of {x}',
    '{v} takes over {x}',
    '{x} now has {v} as {l}',
    'from today the {l} of {x} is {v}',
    '{x} belongs to {v} from now on',
  ],
};

const date: Verbs = {
  labels: ['Reschedule', 'Move', 'Change {l}', 'Set {l}', 'Pick a day', 'Postpone', 'Set date'],
  orders: [
    'move the {l} of {x} to {v}',
    'set the {l} of {x} to {v}',
    'put {x} down for {v}',
    'change the {l} of {x} to {v}',
    'enter {v} as the {l} of {x}',
  ],
  facts: [
    'the {l} of {x} has moved to {v}',
    '{x} is planned for {v} now',
    'the {l} of {x} is {v}, not what it says',
    'they changed the {l} of {x} to {v}',
  ],
};

const number: Verbs = {
  labels: ['Set {l}', 'Adjust {l}', 'Update {l}', 'Correct {l}', 'Enter {l}', 'Change {l}'],
  orders: [
    'set the {l} of {x} to {v}',
    'change the {l} of {x} to {v}',
    'enter {v} as the {l} of {x}',
    'correct the {l} of {x} to {v}',
    'put {v} into the {l} of {x}',
  ],
  facts: [
    'the {l} of {x} is {v} now',
    '{x} has a {l} of {v}',
    'we counted again: the {l} of {x} is {v}',
    'the right {l} of {x} is {v}',
  ],
};

const text: Verbs = {
  labels: ['Edit {l}', 'Write {l}', 'Update {l}', 'Save {l}', 'Change {l}', 'Enter {l}'],
  orders: [
    'set the {l} of {x} to "{v}"',
    'write "{v}" as the {l} of {x}',
    'change the {l} of {x} to "{v}"',
    'note "{v}" under {l} for {x}',
    'update the {l} of {x}: "{v}"',
  ],
  facts: ['the {l} of {x} is "{v}"', '{x} has a new {l}, "{v}"', 'the {l} of {x} should read "{v}"'],
};

const choice: Verbs = {
  labels: ['Change {l}', 'Set {l}', 'File', 'Classify', 'Sort', 'Pick {l}', 'Switch {l}'],
  orders: [
    'set the {l} of {x} to {v}',
    'file {x} under {v}',
    'switch the {l} of {x} to {v}',
    'change {x} to {l} {v}',
    'mark {x} as {v} ({l})',
  ],
  facts: ['the {l} of {x} is {v}', '{x} belongs under {v}', '{x} should have {v} as {l}', '{x} goes into {v} ({l})'],
};

const title: Verbs = {
  labels: ['Rename', 'Change name', 'Retitle', 'Edit {l}', 'Give a new name'],
  orders: ['rename {x} to "{v}"', 'call {x} "{v}"', 'give {x} the new {l} "{v}"', 'change the {l} of {x} to "{v}"'],
  facts: ['{x} is called "{v}" now', 'the name of {x} is wrong: it should be "{v}"', '{x} has been renamed "{v}"'],
};

/** Switching a flag on and off; the field itself is the operation. */
export const flagOn: readonly string[] = [
  'tick "{L}" for {x}',
  'turn "{L}" on for {x}',
  'mark {x} as {l}',
  'set {x} to {l}',
  'switch on "{L}" for {x}',
  'note that {x} is {l}',
  'check "{L}" on {x}',
];
export const flagOff: readonly string[] = [
  'untick "{L}" for {x}',
  'turn "{L}" off for {x}',
  'take the mark "{L}" off {x}',
  'set {x} to not {l}',
  'switch off "{L}" for {x}',
  'note that {x} is no longer {l}',
  'uncheck "{L}" on {x}',
];

export function verbsFor(field: Field, isTitle: boolean): Verbs {
  if (isTitle) return title;
  const byType = { link, date, number, text, choice, flag: choice };
  return byType[field.type];
}

/** What joins the value that a step of a workflow asks for: `admit {x} with {v} as doctor`. */
export const joints: readonly string[] = [
  'with {v} as {l}',
  'with {l} {v}',
  'under {v}',
  'for {v}',
  'to {v}',
  'and give it {l} {v}',
  '({l}: {v})',
  'with {v}',
];

import type { Random } from '../../../../core/random.ts';
import type { Wide } from '../../spec/wide-schema.ts';
import { misspelled } from './typos.ts';

type Register = Wide['registers'][number];

/** What is to be done, as an order or as a fact that calls for it, and the names in it that nobody may change. */
export interface Said {
  readonly order: string;
  readonly fact: string | null;
  readonly kept: readonly string[];
}

const orders: Readonly<Record<Register, readonly string[]>> = {
  plain: [
    '{Do}.',
    '{Do}.',
    'Please {do}.',
    '{Do}, please.',
    'Can you {do}?',
    'I want you to {do}.',
    'We need to {do}.',
  ],
  terse: ['{Do}', '{do}', 'Todo: {do}', 'Next: {do}.', '- {do}', '{Do}!', 'Task: {do}'],
  polite: [
    'Could you please {do}?',
    'Would you be so kind and {do}?',
    'I would be glad if you could {do}.',
    'May I ask you to {do}?',
    'When you have a minute, {do}, please.',
    'Would you mind? I would like you to {do}.',
  ],
  chatty: [
    '{Do}.',
    'So, please {do}.',
    'What I need: {do}.',
    'It would help me if you {do}.',
    'Best to {do} right away.',
    'Let us {do}.',
  ],
  hurried: ['pls {do}', '{do} asap', 'quick: {do}', 'need you to {do} now', 'hey, {do}?', '{do}, thx'],
  formal: [
    'Kindly {do}.',
    'You are asked to {do}.',
    'The following is to be done: {do}.',
    'It has been decided to {do}.',
    'Your assignment is to {do}.',
    'You are hereby instructed to {do}.',
  ],
};

const demands: Readonly<Record<Register, readonly string[]>> = {
  plain: ['Enter that.', 'Record it.', 'Make that change.', 'Take care of it.', 'Update it, please.', 'See to it.'],
  terse: ['Enter.', 'Fix it', 'Record.', 'Do it', '-> enter it', ''],
  polite: ['Could you enter that?', 'Would you take care of it?', 'Please be so kind and record it.'],
  chatty: ['Can you put that in?', 'I guess you know what to do.', 'Somebody has to enter that, so please do.'],
  hurried: ['pls fix', 'enter it asap', 'can u do that', 'thx for entering'],
  formal: ['This is to be recorded.', 'Kindly make the entry.', 'Please act accordingly.'],
};

const greetings = [
  'Good morning.',
  'Hello again.',
  'Hi there,',
  'One more thing.',
  'Sorry to bother you.',
  'Quick question for you.',
  'As we said:',
  'Back from lunch.',
  'Me again.',
];
const sources = [
  'I just got off the phone.',
  'There was a call this morning.',
  'The office upstairs wrote to me.',
  'I found a slip of paper on my desk.',
  'The manager came by.',
  'It came up in the meeting.',
  'An old note says it.',
  'The night shift left word.',
];
const reasons = [
  'It has waited long enough.',
  'We promised it for today.',
  'Otherwise there will be trouble.',
  'The list has to be right by noon.',
  'It was forgotten last week.',
  'Somebody asked twice.',
  'The audit is coming.',
];
const ends = [
  'Thanks!',
  'Leave everything else as it is.',
  'Nothing else should change.',
  'Do not touch the others.',
  'No hurry.',
  'That is all.',
  'Thank you very much.',
  'Tell nobody.',
];

/** The request as somebody of a register would put it: an order, or a fact and a demand, with small talk around it. */
export function speak({ order, fact, kept }: Said, { registers, random }: Speaker): string {
  const register = random.pick(registers);
  const isFact = fact !== null && random.chance(0.4);
  const core = isFact
    ? `${capital(fact)}. ${random.pick(demands[register])}`.trim()
    : filledIn(random.pick(orders[register]), order);
  const parts = [...before(register, random), core, ...after(register, random)];
  const said = parts.join(' ');
  return register === 'hurried' ? misspelled(said, kept, random) : said;
}

export interface Speaker {
  readonly registers: readonly Register[];
  readonly random: Random;
}

function filledIn(way: string, order: string): string {
  return way.replace('{do}', order).replace('{Do}', capital(order));
}

export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function before(register: Register, random: Random): string[] {
  if (register !== 'chatty') return random.chance(0.08) ? [random.pick(greetings)] : [];
  const parts = [
    ...(random.chance(0.5) ? [random.pick(greetings)] : []),
    ...(random.chance(0.5) ? [random.pick(sources)] : []),
  ];
  return parts;
}

function after(register: Register, random: Random): string[] {
  if (register === 'chatty') {
    return [...(random.chance(0.4) ? [random.pick(reasons)] : []), ...(random.chance(0.5) ? [random.pick(ends)] : [])];
  }
  return register !== 'terse' && register !== 'hurried' && random.chance(0.12) ? [random.pick(ends)] : [];
}

// A wedding planner's guest book: answers to the invitation, diets, and who sits at which table.
import { added, appKit, button, combobox, defineApp, dialog, find, form, heading, link, list, need } from 'espalier';
import { nextId, page, radio, region, remove, status, text, textbox, z } from 'espalier';

const str = z.string();
const meals = ['fish', 'lamb', 'vegan', 'children'];
const boards = ['Rose', 'Lily', 'Ivy', 'Tulip', 'Fern'];
const answers = ['no answer', 'coming', 'cannot come'];
const guest = z.object({ id: str, name: str, answer: str, meal: str, board: str });
const looked = { seen: z.array(str), knew: z.array(str) };
const state = z.object({
  guests: z.array(guest),
  ui: z.object({ ...looked, at: str, open: str, only: str, typed: str, sure: z.boolean(), told: str }),
});
type Wedding = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const invite = command('invite_guest', {
  about: 'Invite one more guest.',
  input: z.object({ name: z.string().trim().min(1, 'who is it?') }),
  run(draft, { name }) {
    draft.guests.push({ id: nextId(draft.guests, 'g'), name, answer: 'no answer', meal: 'fish', board: 'Rose' });
    Object.assign(draft.ui, { typed: '', told: `${name} is invited.` });
  },
});
const uninvite = command('uninvite_guest', {
  about: 'Take a guest off the list.',
  input: z.object({ id: str }),
  run(draft, { id }) {
    remove(draft.guests, need(draft.guests, id, 'guest').id);
    Object.assign(draft.ui, { open: '', sure: false, told: 'Taken off the list.' });
  },
});
const change = command('change_guest', {
  about: 'Change the answer, the meal or the table of a guest.',
  input: z.object({ id: str, field: z.enum(['answer', 'meal', 'board']), value: str }),
  run(draft, { id, field, value }) {
    need(draft.guests, id, 'guest')[field] = value;
    draft.ui.knew = draft.ui.seen;
  },
});
const guests = query('list_guests', { about: 'Read everything.', input: z.object({}), run: wedding => wedding.guests });
const see = gesture('see', {
  about: 'See a page or a guest.',
  input: z.object({ at: str, open: str, sure: z.boolean() }),
  run(draft, input) {
    const seen = [...new Set([...draft.ui.seen, input.open || input.at])];
    Object.assign(draft.ui, { ...input, seen, typed: '', told: '' });
  },
});
const sift = gesture('sift', {
  about: 'Show only guests with an answer.',
  input: z.object({ only: str }),
  run: (draft, { only }) => void (draft.ui.only = only),
});
const type = gesture('type', {
  about: 'Type a name.',
  input: z.object({ value: z.string().max(60) }),
  run: (draft, { value }) => void (draft.ui.typed = value),
});

const everybody = ({ guests: all, ui }: Wedding) => {
  const shown = all.filter(({ answer }) => answer === ui.only);
  return [
    region(
      'Show those who said',
      answers.map(one => radio(one, ui.only === one, sift.with({ only: one }))),
    ),
    list(
      `${shown.length} guests`,
      shown.map(({ id, name }) => link(name, see.with({ at: 'guests', open: id, sure: false }))),
    ),
    form('Forgot anyone?', [
      textbox('Full name', ui.typed, { enter: type.entering({}) }),
      button('Invite', invite.with({ name: ui.typed })),
    ]),
  ];
};
const plan = ({ guests: all }: Wedding) =>
  boards.map(board =>
    region(
      `Table ${board}`,
      all.filter(one => one.board === board && one.answer === 'coming').map(one => text(one.name)),
    ),
  );
const sheet = ({ ui }: Wedding, { id, name, answer, meal, board }: Wedding['guests'][number]) =>
  ui.sure
    ? [
        dialog(`Really take ${name} off the list?`, [
          button('Yes, take off', uninvite.with({ id })),
          button('No, keep', see.with({ at: 'guests', open: id, sure: false })),
        ]),
      ]
    : [
        heading(name),
        combobox('Said', answer, { enter: change.entering({ id, field: 'answer' }), options: answers }),
        combobox('Eats', meal, { enter: change.entering({ id, field: 'meal' }), options: meals }),
        combobox('Sits at', board, { enter: change.entering({ id, field: 'board' }), options: boards }),
        button('Take off the list', see.with({ at: 'guests', open: id, sure: true })),
      ];

const given = 'Agnes,Basil,Clara,Dmitri,Esther,Fritz,Gwen,Hector,Ilse,Jasper,Kamala,Lionel,Mabel,Nadia,Oscar'.split(
  ',',
);
const family = 'Amsel,Brook,Chandra,Doyle,Eklund,Ferrante,Greco,Hussein,Iverson,Joly,Krause,Lamb'.split(',');
const names = given.flatMap(one => family.map(other => `${one} ${other}`));
const train = (about: string) => ({ about, split: 'train' as const });
const looksOnly = { checks: () => [], allow: () => [] };
const say =
  (ways: string) =>
  <P extends { way: number }>(given: P) => {
    const all = ways.trim().split(/\n| \| /);
    const line = all[given.way % all.length] ?? '';
    return line.trim().replace(/\{(\w+)\}/g, (_, key: string) => String(Reflect.get(given, key)));
  };

const replied = template('guest-replied', {
  ...train('Note the answer and the meal of a guest who has not answered.'),
  sample({ guests: all }, random) {
    const { id, name, meal: old } = random.pick(all);
    return { id, name, meal: random.pick(meals.filter(one => one !== old)), way: random.between(0, 5) };
  },
  setup: (draft, { id }) => void (need(draft.guests, id, 'guest').answer = 'no answer'),
  instruction: say(`Good news, {name} finally replied! Coming, and wants the {meal} menu.
    The card from {name} arrived, who had not answered so far: yes, with the {meal} meal. Please note both.
    Please set {name} to coming with {meal} to eat. Until now there was no answer. | rsvp {name}: coming, {meal}
    {name} called to say they will be there. And {meal} for the meal, please. | {name} is coming and eats {meal}.`),
  checks: ({ id, meal }) => [
    { name: 'the guest is coming', test: final => find(final.guests, id)?.answer === 'coming' },
    { name: `the meal is ${meal}`, test: final => find(final.guests, id)?.meal === meal },
  ],
  allow: ({ id }) => [`/guests/${id}/answer`, `/guests/${id}/meal`],
});
const together = template('sit-together', {
  ...train('Seat a guest at the table of another guest.'),
  sample({ guests: all }, random) {
    const [a, b] = random.sample(
      all.filter(one => one.answer === 'coming'),
      2,
    );
    if (!a || !b || a.board === b.board) return null;
    return { id: a.id, name: a.name, other: b.name, of: b.id, board: b.board, way: random.between(0, 5) };
  },
  instruction: say(`Find out where {other} sits and put {name} there too.
    {name} knows nobody but {other}, so they should share a table. Leave {other} in place.
    Please change the seat of {name}: I want it to be at the table where {other} is. | Seat {name} with {other}.
    {name} and {other} are cousins. Could {name} move to the table of {other}? | {name} -> same table as {other}`),
  checks: ({ id, of, board }) => [
    { name: 'the other table was looked up', test: ({ ui }) => ui.knew.includes('tables') || ui.knew.includes(of) },
    { name: `the table is ${board}`, test: s => find(s.guests, id)?.board === board },
  ],
  allow: ({ id }) => [`/guests/${id}/board`],
});
const takeOff = template('take-off', {
  ...train('Take a guest off the list.'),
  sample: ({ guests: all }, random) => ({ ...random.pick(all), way: random.between(0, 5) }),
  instruction: say(`We have to save money: no {name}, sorry. Off the list. | delete {name} ({answer})
    After that argument we don't want {name} at the wedding. They're listed under "{answer}".
    {name} was put on the list by mistake, please remove. The answer we have is "{answer}".
    Could you strike {name} from our guests? Look among those with "{answer}". | Take {name} off the guest list.`),
  checks: ({ id }) => [{ name: 'the guest is gone', test: final => find(final.guests, id) === undefined }],
  allow: ({ id }) => [`/guests/${id}`],
});
const oneMore = template('one-more', {
  ...train('Invite one more guest.'),
  sample({ guests: all }, random) {
    const name = random.pick(names.filter(one => !all.some(other => other.name === one)));
    return { name, way: random.between(0, 5) };
  },
  instruction: say(`My mother insists on {name}. Please send an invitation.
    There is one free chair, so I'd love to have {name} with us too. | new guest: {name} | Invite {name}.
    Is {name} on the list? No! Then put the name on it, please. | Oh no, we forgot {name}! Add them to the guests.`),
  checks: ({ name }) => [
    {
      name: `${name} was invited once`,
      test(final, initial) {
        const made = added(initial.guests, final.guests);
        const [one] = made;
        const isPlain = one?.answer === 'no answer' && one.meal === 'fish' && one.board === 'Rose';
        return made.length === 1 && one?.name === name && isPlain;
      },
    },
  ],
  allow: () => ['/guests/+'],
});
const whatEats = template('what-eats', {
  ...train('Say which meal a guest has chosen.'),
  sample: ({ guests: all }, random) => ({ ...random.pick(all), way: random.between(0, 5) }),
  instruction: say(`meal of {name}?
    Could you tell me what we noted as the meal for {name}? The answer to the invitation was: {answer}.
    The caterer asks for the meal of {name}. Which one is it? ({answer} is what they said.) | What does {name} eat?
    I'm writing the place cards and need the meal of {name}. | Which menu did {name} choose? One word is enough.`),
  ...looksOnly,
  answer: ({ meal }) => meal,
  shown: ({ ui }, { id }) => ui.open === id,
});

export const app = defineApp({
  id: 'wedding-guests',
  title: 'Wedding guests',
  about: 'Guests of a wedding: answers, meals and tables.',
  state,
  init: random => ({
    guests: random.sample(names, 24).map((name, index) => ({
      id: `g${index + 1}`,
      name,
      answer: random.pick(answers),
      meal: random.pick(meals),
      board: random.pick(boards),
    })),
    ui: { at: 'guests', open: '', only: 'no answer', typed: '', sure: false, seen: [], knew: [], told: '' },
  }),
  commands: [invite, uninvite, change, guests, see, sift, type],
  view(wedding) {
    const { at, open, told } = wedding.ui;
    const opened = find(wedding.guests, open);
    return page('Our wedding', [
      link('Guest list', see.with({ at: 'guests', open: '', sure: false })),
      link('Seating plan', see.with({ at: 'tables', open: '', sure: false })),
      told !== '' && status(told),
      ...(opened ? sheet(wedding, opened) : at === 'guests' ? everybody(wedding) : plan(wedding)),
    ]);
  },
  templates: [replied, together, takeOff, oneMore, whatEats],
});

// The front desk of a campsite: pitches, arrivals, and a booking made in steps.
import { added, appKit, button, cell, combobox, defineApp, dialog, find, form, heading, link, need } from 'espalier';
import { nextId, page, radio, refuse, region, remove, row, table, text, textbox, z } from 'espalier';

const str = z.string();
const kinds = ['tent', 'camper', 'caravan'];
const pitch = z.object({ id: str, power: z.boolean(), shade: z.boolean(), price: z.int() });
const stay = z.object({ id: str, guest: str, pitch: str, kind: str, arrived: z.boolean() });
const state = z.object({
  pitches: z.array(pitch),
  stays: z.array(stay),
  ui: z.object({ at: str, open: str, step: z.int(), guest: str, kind: str, pitch: str, say: str }),
});
type Camp = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const freeOf = ({ pitches, stays }: Camp) => pitches.filter(({ id }) => !stays.some(one => one.pitch === id));

const arrive = command('check_in', {
  about: 'Check in guests who have arrived.',
  input: z.object({ id: str }),
  run(draft, { id }) {
    const one = need(draft.stays, id, 'stay');
    if (one.arrived) refuse(`${one.guest} has checked in.`);
    one.arrived = true;
  },
});
const leave = command('cancel_stay', {
  about: 'Cancel a stay.',
  input: z.object({ id: str }),
  run(draft, { id }) {
    remove(draft.stays, need(draft.stays, id, 'stay').id);
    Object.assign(draft.ui, { open: '', step: 0 });
  },
});
const settle = command('change_pitch', {
  about: 'Give a stay another pitch, which must be free.',
  input: z.object({ id: str, value: str }),
  run(draft, { id, value }) {
    if (!freeOf(draft).some(one => one.id === value)) refuse(`Pitch ${value} is taken.`);
    need(draft.stays, id, 'stay').pitch = value;
  },
});
const book = command('book_stay', {
  about: 'Book a free pitch for a guest.',
  input: z.object({ guest: z.string().trim().min(1, 'who?'), kind: z.enum(kinds), pitch: str }),
  run(draft, input) {
    if (!freeOf(draft).some(one => one.id === input.pitch)) refuse('Choose a free pitch.');
    draft.stays.push({ id: nextId(draft.stays, 's'), ...input, arrived: false });
    Object.assign(draft.ui, { at: 'stays', step: 0, guest: '', kind: '', pitch: '' });
  },
});
const camp = query('read_camp', { about: 'Read everything.', input: z.object({}), run: ({ ui: _, ...all }) => all });
const walk = gesture('walk_to', {
  about: 'Go to a page, a stay or a step.',
  input: z.object({ at: str, open: str, step: z.int() }),
  run: (draft, input) => void Object.assign(draft.ui, { ...input, say: '' }),
});
const note = gesture('note', {
  about: 'Fill in a part of the booking.',
  input: z.object({ field: z.enum(['guest', 'kind', 'pitch']), value: z.string().max(60) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

const arrivals = ({ stays }: Camp) => [
  heading("Today's book"),
  table(
    'Stays',
    stays.map(({ id, guest, kind, arrived }) =>
      row(guest, [
        link(guest, walk.with({ at: 'stays', open: id, step: 0 })),
        cell(kind),
        arrived ? cell('on site') : button(`Check in ${guest}`, arrive.with({ id })),
      ]),
    ),
  ),
];
const ground = (all: Camp) => {
  const free = freeOf(all);
  return all.pitches.map(one =>
    region(`Pitch ${one.id} (${free.includes(one) ? 'free' : 'taken'})`, [
      text(`${one.power ? 'power' : 'no power'}, ${one.shade ? 'shady' : 'sunny'}, ${one.price} a night`),
    ]),
  );
};
const stayOf = (all: Camp, { id, guest, kind, pitch: on, arrived }: Camp['stays'][number]) =>
  all.ui.step === 1
    ? [
        dialog(`Cancel the stay of ${guest}?`, [
          button('Cancel the stay', leave.with({ id })),
          button('Go back', walk.with({ at: 'stays', open: id, step: 0 })),
        ]),
      ]
    : [
        heading(`${guest} with a ${kind}`),
        text(arrived ? 'On site' : 'Expected today'),
        combobox('Pitch', on, { enter: settle.entering({ id }), options: [on, ...freeOf(all).map(one => one.id)] }),
        button('Cancel…', walk.with({ at: 'stays', open: id, step: 1 })),
      ];
const booking = (all: Camp) => {
  const { step, guest, kind, pitch: on } = all.ui;
  return [
    heading(`New stay, part ${step} of 3`),
    step === 1 && textbox('Name of the guest', guest, { enter: note.entering({ field: 'guest' }) }),
    step === 2 &&
      form(
        'What do they bring?',
        kinds.map(one => radio(one, kind === one, note.with({ field: 'kind', value: one }))),
      ),
    step === 3 &&
      combobox('Where', on, { enter: note.entering({ field: 'pitch' }), options: freeOf(all).map(one => one.id) }),
    step < 3 && button('Forward', walk.with({ at: 'book', open: '', step: step + 1 })),
    step === 3 && button('Book it', book.with({ guest, kind, pitch: on })),
  ];
};

const names = 'Abbott,Bellini,Carver,Dahl,Engel,Fabre,Gruber,Hoekstra,Ibsen,Jara,Kowal,Laurent,Meyer,Nyman'.split(',');
const titles = ['Family', 'Mr', 'Mrs', 'Dr'];
const guests = titles.flatMap(one => names.map(other => `${one} ${other}`));
const train = (about: string) => ({ about, split: 'train' as const });
const looksOnly = { checks: () => [], allow: () => [] };
const say =
  (ways: string) =>
  <P extends { way: number }>(given: P) => {
    const all = ways.trim().split(/\n| \| /);
    const line = all[given.way % all.length] ?? '';
    return line.trim().replace(/\{(\w+)\}/g, (_, key: string) => String(Reflect.get(given, key)));
  };

const checkIn = template('check-in-two', {
  ...train('Check in two guests.'),
  sample({ stays }, random) {
    const [a, b] = random.sample(stays, 2);
    return a && b ? { a: a.id, b: b.id, one: a.guest, two: b.guest, way: random.between(0, 5) } : null;
  },
  setup: (draft, { a, b }) => [a, b].forEach(id => void (need(draft.stays, id, 'stay').arrived = false)),
  instruction: say(`Would you check in {one}? Oh, and {two} is standing behind them. | arrived: {one} + {two}
    I've given the gate card to {one} and to {two}, so mark both as on site. | Check in {one} and {two}, please.
    {one} just drove in, right behind {two}. Both can be checked in. | {one} and {two} are here.`),
  checks: ({ a, b }) => [
    { name: 'the first is on site', test: s => find(s.stays, a)?.arrived === true },
    { name: 'the second is on site', test: s => find(s.stays, b)?.arrived === true },
  ],
  allow: ({ a, b }) => [`/stays/${a}/arrived`, `/stays/${b}/arrived`],
});
const newStay = template('book-pitch', {
  ...train('Book a pitch for a new guest.'),
  sample(all, random) {
    const guest = random.pick(guests.filter(one => !all.stays.some(other => other.guest === one)));
    return { guest, kind: random.pick(kinds), pitch: random.pick(freeOf(all)).id, way: random.between(0, 5) };
  },
  instruction: say(`Somebody at the door without a booking, {guest} with a {kind}. Give them {pitch}.
    {guest} called and would like to come with a {kind}. Pitch {pitch} is fine for them.
    Please make a new booking: {guest} brings a {kind} and gets {pitch}. | Book pitch {pitch} for {guest}, {kind}.
    I promised {pitch} to {guest}, who has a {kind}. Can you book that? | new: {guest} / {kind} / {pitch}`),
  checks: ({ guest, kind, pitch: on }) => [
    {
      name: 'exactly this was booked',
      test(final, initial) {
        const [made, ...more] = added(initial.stays, final.stays);
        const isRight = made?.guest === guest && made.kind === kind && made.pitch === on && !made.arrived;
        return isRight && more.length === 0;
      },
    },
  ],
  allow: () => ['/stays/+'],
});
const cancel = template('cancel-stay', {
  ...train('Cancel the stay of a guest.'),
  sample: ({ stays }, random) => ({ ...random.pick(stays), way: random.between(0, 5) }),
  instruction: say(`Could you delete the stay of {guest} with the {kind}?
    {guest} won't make it, the {kind} broke down. Cancel the stay, please. | cancellation: {guest} | Cancel {guest}.
    We got a mail that {guest} stays at home. Take them out of the book.
    Sadly no {guest} this year, so their pitch should be free again.`),
  checks: ({ id }) => [{ name: 'the stay is gone', test: s => find(s.stays, id) === undefined }],
  allow: ({ id }) => [`/stays/${id}`],
});
const price = template('price-of-pitch', {
  ...train('Say what a pitch costs.'),
  sample: ({ pitches }, random) => ({ ...random.pick(pitches), way: random.between(0, 5) }),
  instruction: say(`I have to write a bill for one night on pitch {id}. What's the rate? | price {id}?
    A caller wants to know the price of {id} for one night. Just the number. | What does pitch {id} cost a night?
    Please check the ground plan: how much is {id} a night? | How much do we charge for a night on {id}?`),
  ...looksOnly,
  answer: ({ price: cost }) => String(cost),
  shown: ({ ui }) => ui.at === 'ground' && ui.open === '',
});

export const app = defineApp({
  id: 'campsite-desk',
  title: 'Campsite desk',
  about: 'Pitches and stays of a campsite.',
  state,
  init(random) {
    const ids = ['A', 'B', 'C'].flatMap(lane => [1, 2, 3, 4, 5, 6].map(one => `${lane}${one}`));
    const taken = random.sample(ids, 11);
    return {
      pitches: ids.map(id => ({
        id,
        power: random.chance(0.5),
        shade: random.chance(0.5),
        price: random.between(14, 60),
      })),
      stays: random.sample(guests, 11).map((guest, index) => ({
        id: `s${index + 1}`,
        guest,
        pitch: taken[index] ?? '',
        kind: random.pick(kinds),
        arrived: random.chance(0.4),
      })),
      ui: { at: 'stays', open: '', step: 0, guest: '', kind: '', pitch: '', say: '' },
    };
  },
  commands: [arrive, leave, settle, book, camp, walk, note],
  view(all) {
    const { at, open, say: told } = all.ui;
    const opened = find(all.stays, open);
    return page('Pine Lake Camping', [
      told !== '' && text(told),
      ...(opened ? stayOf(all, opened) : at === 'stays' ? arrivals(all) : at === 'ground' ? ground(all) : booking(all)),
      link('Book of the day', walk.with({ at: 'stays', open: '', step: 0 })),
      link('Ground plan', walk.with({ at: 'ground', open: '', step: 0 })),
      link('New stay', walk.with({ at: 'book', open: '', step: 1 })),
    ]);
  },
  templates: [checkIn, newStay, cancel, price],
  onRefusal: (draft, message) => void (draft.ui.say = message),
});

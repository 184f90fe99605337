import {
  added,
  alert,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  remove,
  row,
  switchButton,
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

// A toy library lives by its week: who collects which toy on which half day.
const days = ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const halves = ['morning', 'afternoon'];
const slots = days.flatMap(day => halves.map(half => `${day} ${half}`));
const bands = ['crawlers', 'toddlers', 'preschool', 'school'];
const kinds = [
  'Marble Run',
  'Marble Tower',
  'Train Set',
  'Train Station',
  'Farm',
  'Farm Puzzle',
  'Balance Board',
  'Balance Bike',
];
const colours = ['Red', 'Blue', 'Wooden', 'Big'];

const toy = z.object({ id: z.string(), name: z.string(), band: z.string(), pieces: z.int(), missing: z.string() });
const family = z.object({ id: z.string(), name: z.string(), phone: z.string(), paused: z.boolean() });
const pickup = z.object({ id: z.string(), slot: z.string(), toy: z.string(), family: z.string() });
const state = z.object({
  toys: z.array(toy),
  families: z.array(family),
  pickups: z.array(pickup),
  ui: z.object({
    side: z.enum(['mat', 'week', 'shelves', 'families']),
    slot: z.string().nullable(),
    toy: z.string(),
    family: z.string(),
    moving: z.string().nullable(),
    band: z.string(),
    toyOpen: z.string().nullable(),
    missing: z.string(),
    familyOpen: z.string().nullable(),
    sign: z.string(),
  }),
});
type Toys = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const book = command('book_pickup', {
  about: 'Write a pick-up into the week: slot, toy and family by name.',
  input: z.object({ slot: z.string(), toy: z.string(), family: z.string() }),
  run(draft, { slot, toy: name, family: who }) {
    const people = draft.families.find(item => item.name === who) ?? refuse('Which family?');
    if (draft.toys.every(item => item.name !== name)) refuse('Which toy?');
    if (people.paused) refuse(`${who}: membership is paused.`);
    if (draft.pickups.some(item => item.toy === name)) refuse(`${name} is taken this week.`);
    draft.pickups.push({ id: nextId(draft.pickups, 'p'), slot, toy: name, family: who });
    Object.assign(draft.ui, { slot: null, toy: '', family: '', sign: '' });
  },
});
const shift = command('shift_pickup', {
  about: 'Move a pick-up to another half day.',
  input: z.object({ id: z.string(), slot: z.string() }),
  run(draft, { id, slot }) {
    if (!slots.includes(slot)) refuse('We are closed then.');
    need(draft.pickups, id, 'pick-up').slot = slot;
    draft.ui.moving = null;
  },
});
const strike = command('strike_pickup', {
  about: 'Strike a pick-up from the week.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.pickups, id, 'pick-up');
    remove(draft.pickups, id);
    draft.ui.moving = null;
  },
});
const noteMissing = command('note_missing', {
  about: 'Note which pieces of a toy are missing.',
  input: z.object({ id: z.string(), missing: z.string() }),
  run(draft, { id, missing }) {
    need(draft.toys, id, 'toy').missing = missing.trim();
  },
});
const setPaused = command('set_paused', {
  about: 'Pause the membership of a family, or let it run.',
  input: z.object({ id: z.string(), paused: z.boolean() }),
  run(draft, { id, paused }) {
    need(draft.families, id, 'family').paused = paused;
  },
});
const everything = query('whole_library', {
  about: 'The week, the toys and the families.',
  input: z.object({}),
  run: ({ pickups, toys, families }) => ({ pickups, toys, families }),
});
const turnTo = gesture('turn_to_side', {
  about: 'Turn to the week, the shelves or the families.',
  input: z.object({ side: z.enum(['mat', 'week', 'shelves', 'families']) }),
  run(draft, { side }) {
    Object.assign(draft.ui, {
      side,
      slot: null,
      moving: null,
      toyOpen: null,
      familyOpen: null,
      toy: '',
      family: '',
      sign: '',
    });
  },
});
const point = gesture('point_at_slot', {
  about: 'Point at a half day to write into it.',
  input: z.object({ slot: z.string().nullable() }),
  run(draft, { slot }) {
    Object.assign(draft.ui, { slot, moving: null, toy: '', family: '', sign: '' });
  },
});
const grab = gesture('grab_pickup', {
  about: 'Grab a pick-up to do something with it.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { moving: id, slot: null });
  },
});
const write = gesture('write_into', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['toy', 'family', 'missing']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const shelf = gesture('look_at_shelf', {
  about: 'Look at the toys for an age, or at one toy.',
  input: z.object({ band: z.string(), toy: z.string().nullable() }),
  run(draft, { band, toy: id }) {
    Object.assign(draft.ui, { band, toyOpen: id, missing: find(draft.toys, id ?? '')?.missing ?? '' });
  },
});
const meet = gesture('meet_family', {
  about: 'Open the card of a family.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    draft.ui.familyOpen = id;
  },
});

function week({ pickups, toys, families, ui }: Toys) {
  const { slot, toy: name, family: who } = ui;
  const held = find(pickups, ui.moving ?? '');
  return region('Week', [
    slot !== null &&
      form(`Pick-up on ${slot}`, [
        combobox('Toy', name, { enter: write.entering({ field: 'toy' }), options: toys.map(item => item.name) }),
        combobox('Family', who, {
          enter: write.entering({ field: 'family' }),
          options: families.map(item => item.name),
        }),
        button('Write into week', book.with({ slot, toy: name, family: who })),
        button('Not now', point.with({ slot: null })),
      ]),
    held !== undefined &&
      menu(`${held.toy} for ${held.family}`, [
        ...slots
          .filter(item => item !== held.slot)
          .map(item => menuItem(`To ${item}`, shift.with({ id: held.id, slot: item }))),
        menuItem('Strike', strike.with({ id: held.id })),
        menuItem('Let go', grab.with({ id: null })),
      ]),
    table(
      'Pick-ups',
      slots.map(item =>
        row(item, [
          cell(item),
          ...pickups
            .filter(entry => entry.slot === item)
            .map(entry => button(`${entry.toy}, ${entry.family}`, grab.with({ id: entry.id }))),
          button(`+ ${item}`, point.with({ slot: item })),
        ]),
      ),
    ),
  ]);
}

function shelves({ toys, ui }: Toys) {
  const open = find(toys, ui.toyOpen ?? '');
  if (open !== undefined)
    return region('Toy', [
      heading(open.name),
      text(`${open.pieces} pieces, for ${open.band}`),
      textbox('Missing', ui.missing, { enter: write.entering({ field: 'missing' }) }),
      button('Stick on box', noteMissing.with({ id: open.id, missing: ui.missing })),
      link('Back to shelf', shelf.with({ band: ui.band, toy: null })),
    ]);
  return region('Shelves', [
    ...bands.map(band => radio(`for ${band}`, band === ui.band, shelf.with({ band, toy: null }))),
    ui.band !== '' &&
      list(
        `Toys for ${ui.band}`,
        toys
          .filter(item => item.band === ui.band)
          .map(item =>
            listItem(item.name, [
              link(item.name, shelf.with({ band: ui.band, toy: item.id })),
              text(`${item.pieces} pieces`),
            ]),
          ),
      ),
  ]);
}

function familyRoom({ families, ui }: Toys) {
  const open = find(families, ui.familyOpen ?? '');
  if (open === undefined)
    return list(
      'Families',
      families.map(({ id, name }) => link(name, meet.with({ id }))),
      { shuffle: true },
    );
  return region('Family card', [
    heading(open.name),
    text(`Phone ${open.phone}`),
    switchButton('Membership paused', open.paused, setPaused.with({ id: open.id, paused: !open.paused })),
    link('All families', meet.with({ id: null })),
  ]);
}

const freeToys = ({ toys, pickups }: Toys) => toys.filter(item => pickups.every(entry => entry.toy !== item.name));

const writeIn = template('write-into-week', {
  about: 'Book a pick-up for a family.',
  split: 'train',
  sample(library, random) {
    const who = random.pick(library.families);
    return { slot: random.pick(slots), name: random.pick(freeToys(library)).name, who: who.name, id: who.id };
  },
  setup(draft, { id }) {
    need(draft.families, id, 'family').paused = false;
  },
  instruction: ({ slot, name, who }, random) =>
    random.pick([
      `${slot}: ${name} for the ${who} family.`,
      `The ${who}s would love the ${name} and come by on ${slot}. Write it into the week.`,
      `Book "${name}" for ${who}, they collect it ${slot}.`,
    ]),
  checks: ({ slot, name, who }) => [
    {
      name: 'the pick-up is in the week',
      test(final, initial) {
        const [made, ...more] = added(initial.pickups, final.pickups);
        return more.length === 0 && made?.slot === slot && made.toy === name && made.family === who;
      },
    },
  ],
  allow: () => ['/pickups/+'],
});

const unpause = template('book-for-paused-family', {
  about: 'Let a paused membership run again and book a pick-up.',
  split: 'train',
  steps: 40,
  sample(library, random) {
    const who = random.pick(library.families);
    return { slot: random.pick(slots), name: random.pick(freeToys(library)).name, who: who.name, id: who.id };
  },
  setup(draft, { id }) {
    need(draft.families, id, 'family').paused = true;
  },
  instruction: ({ slot, name, who }, random) =>
    random.pick([
      `${who} have paid, so their pause is over. They take the ${name} on ${slot}.`,
      `End the pause of the ${who} family and book them the ${name} for ${slot}.`,
      `${slot}, ${name}, family ${who}. The week will refuse as long as they are paused; they no longer are.`,
    ]),
  checks: ({ id, slot, name, who }) => [
    { name: 'the membership runs', test: ({ families }) => find(families, id)?.paused === false },
    {
      name: 'the pick-up is in the week',
      test(final, initial) {
        const [made, ...more] = added(initial.pickups, final.pickups);
        return more.length === 0 && made?.slot === slot && made.toy === name && made.family === who;
      },
    },
  ],
  allow: ({ id }) => ['/pickups/+', `/families/${id}/paused`],
});

const later = template('shift-pickup', {
  about: 'Move the pick-up of a toy to another half day.',
  split: 'train',
  sample({ pickups }, random) {
    const { id, toy: name, family: who, slot } = random.pick(pickups);
    return { id, name, who, slot: random.pick(slots.filter(item => item !== slot)) };
  },
  instruction: ({ name, who, slot }, random) =>
    random.pick([
      `${who} collect the ${name} on ${slot} instead.`,
      `Shift the ${name}: ${slot}.`,
      `The ${who} family can't make it. For the ${name} they would now come ${slot}, is that allright? Then move it.`,
    ]),
  checks: ({ id, slot }) => [{ name: `on ${slot}`, test: ({ pickups }) => find(pickups, id)?.slot === slot }],
  allow: ({ id }) => [`/pickups/${id}/slot`],
});

const closed = template('strike-half-day', {
  about: 'Strike all pick-ups of a half day.',
  split: 'train',
  sample({ pickups }, random) {
    const slot = random.pick(slots);
    return {
      slot,
      other: random.pick(slots.filter(item => item !== slot)),
      ids: random.sample(pickups, 2).map(({ id }) => id),
    };
  },
  setup(draft, { slot, other, ids }) {
    for (const item of draft.pickups) {
      if (ids.includes(item.id)) item.slot = slot;
      else if (item.slot === slot) item.slot = other;
    }
  },
  instruction: ({ slot }, random) =>
    random.pick([
      `Strike everything on ${slot}.`,
      `We are closed on ${slot}, the heating is out. Nobody can collect anything then: take those pick-ups out.`,
      `All pick-ups of ${slot} are off. The other half of the day is not concerned.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is struck`, test: ({ pickups }) => find(pickups, id) === undefined })),
  allow: ({ ids }) => ids.map(id => `/pickups/${id}`),
});

const missing = template('note-missing-piece', {
  about: 'Note what is missing from a toy.',
  split: 'train',
  sample({ toys }, random) {
    const { id, name, band } = random.pick(toys);
    return {
      id,
      name,
      band,
      lost: random.pick(['two wheels', 'one cow', 'the bell', 'three marbles', 'a bridge', 'the lid']),
    };
  },
  instruction: ({ name, band, lost }, random) =>
    random.pick([
      `${name}: ${lost} missing.`,
      `The box came back without everything. Note "${lost}" as missing from ${name} (shelf for ${band}).`,
      `On the box of the ${name}, for ${band}, stick that it lacks: ${lost}.`,
    ]),
  checks: ({ id, lost }) => [{ name: `"${lost}" is noted`, test: ({ toys }) => find(toys, id)?.missing === lost }],
  allow: ({ id }) => [`/toys/${id}/missing`],
});

const callWhom = template('phone-for-toy', {
  about: 'Say the phone number of the family that collects a toy.',
  split: 'train',
  sample({ pickups, families }, random) {
    const { toy: name, family: who } = random.pick(pickups);
    const id = families.find(item => item.name === who)?.id ?? '';
    return { name, id };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `The ${name} is broken. Which number do I ring to tell the family that wanted to collect it this week?`,
      `Phone number of whoever collects the ${name}?`,
      `Somebody is down for the ${name} this week. Give me their phone number.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { families }) => need(families, id, 'family').phone,
  shown: ({ ui }, { id }) => [ui.side === 'week', ui.familyOpen === id],
});

const most = template('most-pieces', {
  about: 'Say which toy for an age has the most pieces.',
  split: 'train',
  sample({ toys }, random) {
    const { id, band } = random.pick(toys);
    return { id, band, pieces: random.between(210, 300) };
  },
  setup(draft, { id, pieces }) {
    need(draft.toys, id, 'toy').pieces = pieces;
  },
  instruction: ({ band }, random) =>
    random.pick([
      `Which toy for ${band} has the most pieces?`,
      `A long rainy weekend: what do we have for ${band} with as many pieces as possible? Just the name.`,
      `Name the toy on the ${band} shelf whose box holds more pieces than any other there.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { toys }) => need(toys, id, 'toy').name,
  shown: ({ ui }, { band }) => ui.side === 'shelves' && ui.band === band && ui.toyOpen === null,
});

const paused = template('pause-is-over', {
  about: 'Make sure a membership runs; often it does.',
  split: 'train',
  kind: 'already-done',
  sample({ families }, random) {
    const { id, name } = random.pick(families);
    return { id, name, wanted: random.chance(0.5), open: random.chance(0.5) };
  },
  isTwin: ({ open }) => open,
  setup(draft, { id, wanted, open }) {
    need(draft.families, id, 'family').paused = open ? !wanted : wanted;
  },
  instruction: ({ name, wanted }, random) =>
    wanted
      ? random.pick([
          `The ${name} family is away for a year, so they should be paused.`,
          `Make sure the membership of ${name} is paused.`,
        ])
      : random.pick([
          `The ${name} family is back from abroad: their membership should be running.`,
          `Make sure that ${name} are not paused.`,
        ]),
  checks: ({ id, wanted }) => [
    { name: 'the membership is as wanted', test: ({ families }) => find(families, id)?.paused === wanted },
  ],
  allow: ({ id, open }) => (open ? [`/families/${id}/paused`] : []),
  shown: ({ ui }, { id }) => ui.familyOpen === id,
});

const surnames = [
  'Abara',
  'Abbott',
  'Bell',
  'Bellamy',
  'Cho',
  'Chowdhury',
  'Dean',
  'Deane',
  'Ekberg',
  'Ekström',
  'Flint',
  'Flynn',
];

export const app = defineApp({
  id: 'toy-library',
  title: 'Toy library',
  about: 'A toy library: the week of pick-ups, toys on shelves and families.',
  state,
  init(random): Toys {
    const names = random.sample(
      kinds.flatMap(kind => colours.map(colour => `${colour} ${kind}`)),
      26,
    );
    const families = random.shuffle(surnames).map((name, index) => ({
      id: `f${index + 1}`,
      name,
      phone: `555 ${random.between(100, 999)} ${index + 10}`,
      paused: random.chance(0.3),
    }));
    return {
      toys: names.map((name, index) => ({
        id: `t${index + 1}`,
        name,
        band: bands[index % 4] ?? '',
        pieces: random.between(1, 200),
        missing: '',
      })),
      families,
      pickups: random.sample(names, 12).map((name, index) => ({
        id: `p${index + 1}`,
        slot: random.pick(slots),
        toy: name,
        family: random.pick(families).name,
      })),
      ui: {
        side: 'mat',
        slot: null,
        toy: '',
        family: '',
        moving: null,
        band: '',
        toyOpen: null,
        missing: '',
        familyOpen: null,
        sign: '',
      },
    };
  },
  commands: [book, shift, strike, noteMissing, setPaused, everything, turnTo, point, grab, write, shelf, meet],
  view(library) {
    const { side, sign } = library.ui;
    return page('Toy library', [
      toolbar('Sides', [
        tab('This week', turnTo.with({ side: 'week' }), side === 'week' ? ['selected'] : undefined),
        tab('Shelves', turnTo.with({ side: 'shelves' }), side === 'shelves' ? ['selected'] : undefined),
        tab('Members', turnTo.with({ side: 'families' }), side === 'families' ? ['selected'] : undefined),
      ]),
      sign !== '' && alert(sign),
      side === 'week' && week(library),
      side === 'shelves' && shelves(library),
      side === 'families' && familyRoom(library),
    ]);
  },
  templates: [writeIn, unpause, later, closed, missing, callWhom, most, paused],
  onRefusal(draft, message) {
    draft.ui.sign = message;
  },
});

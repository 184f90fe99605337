// A holiday planner for a group of friends: a day board, a wallet of bookings and a packing list.
import { added, appKit, button, checkbox, combobox, defineApp, find, heading, link, list, listItem } from 'espalier';
import { navigation, need, nextId, page, region, status, tab, text, textbox, z } from 'espalier';

const str = z.string();
const stop = z.object({ id: str, name: str, day: str, hour: str, meet: str });
const booking = z.object({ id: str, place: str, kind: str, code: str, paid: z.boolean() });
const thing = z.object({ id: str, name: str, packed: z.boolean() });
const state = z.object({
  stops: z.array(stop),
  bookings: z.array(booking),
  things: z.array(thing),
  ui: z.object({ tab: str, day: str, open: str, typed: str, note: str }),
});
type Trip = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const byId = z.object({ id: str });
const days = ['Thursday', 'Friday', 'Saturday', 'Sunday'];

const moveStop = command('move_stop', {
  about: 'Move a stop of the trip to another day.',
  input: z.object({ id: str, value: z.enum(days) }),
  run(draft, { id, value }) {
    need(draft.stops, id, 'stop').day = value;
    draft.ui.note = `Now on ${value}.`;
  },
});
const setMeeting = command('set_meeting_point', {
  about: 'Say where the group meets for a stop.',
  input: z.object({ id: str, place: z.string().trim().min(1, 'say where') }),
  run(draft, { id, place }) {
    need(draft.stops, id, 'stop').meet = place;
    Object.assign(draft.ui, { typed: '', note: 'Meeting point saved.' });
  },
});
const dropStop = command('drop_stop', {
  about: 'Drop a stop from the trip.',
  input: byId,
  run(draft, { id }) {
    need(draft.stops, id, 'stop');
    draft.stops = draft.stops.filter(one => one.id !== id);
    Object.assign(draft.ui, { open: '', note: 'Dropped from the plan.' });
  },
});
const pack = command('toggle_packed', {
  about: 'Tick or untick a thing on the packing list.',
  input: byId,
  run: (draft, { id }) => void (need(draft.things, id, 'thing').packed = !find(draft.things, id)?.packed),
});
const addThing = command('add_thing', {
  about: 'Put a thing on the packing list.',
  input: z.object({ name: z.string().trim().min(1, 'name the thing') }),
  run(draft, { name }) {
    draft.things.push({ id: nextId(draft.things, 't'), name, packed: false });
    draft.ui.typed = '';
  },
});
const trip = query('show', { about: 'Read everything.', input: z.object({}), run: ({ ui: _, ...all }) => all });
const show = gesture('show_tab', {
  about: 'Open a part of the planner.',
  input: z.object({ tab: str }),
  run: (draft, input) => void Object.assign(draft.ui, { tab: input.tab, open: '', typed: '', note: '' }),
});
const showDay = gesture('show_day', {
  about: 'Show a day.',
  input: z.object({ day: str }),
  run: (draft, { day }) => void Object.assign(draft.ui, { day, open: '', typed: '', note: '' }),
});
const unfold = gesture('unfold', {
  about: 'Unfold a stop or a booking.',
  input: byId,
  run: (draft, { id }) => void Object.assign(draft.ui, { open: draft.ui.open === id ? '' : id, typed: '', note: '' }),
});
const type = gesture('type_text', {
  about: 'Type into the field.',
  input: z.object({ value: z.string().max(60) }),
  run: (draft, { value }) => void (draft.ui.typed = value),
});

const board = ({ stops, ui }: Trip) => [
  navigation(
    'Days',
    days.map(day => tab(day, showDay.with({ day }), ui.day === day ? ['selected'] : [])),
  ),
  list(
    `Plan for ${ui.day}`,
    stops
      .filter(({ day }) => day === ui.day)
      .map(({ id, name, day, hour, meet }) =>
        listItem(`${hour} ${name}`, [
          link(name, unfold.with({ id }), ui.open === id ? ['expanded'] : []),
          ui.open === id && text(`We meet at: ${meet}`),
          ui.open === id && combobox('Day', day, { enter: moveStop.entering({ id }), options: days }),
          ui.open === id && textbox('New meeting point', ui.typed, { enter: type.entering({}) }),
          ui.open === id && button('Save meeting point', setMeeting.with({ id, place: ui.typed })),
          ui.open === id && button('Skip this one', dropStop.with({ id })),
        ]),
      ),
  ),
];
const wallet = ({ bookings, ui }: Trip) => [
  heading('Everything we have booked'),
  ...bookings.map(({ id, place, kind, code, paid }) =>
    region(`${kind}: ${place}`, [
      button(`${ui.open === id ? 'Hide' : 'Show'} ticket for ${place}`, unfold.with({ id })),
      ui.open === id && text(`Reference ${code}`),
      ui.open === id && text(paid ? 'Paid in full' : 'Pay on arrival'),
    ]),
  ),
];
const packing = ({ things, ui }: Trip) => [
  heading(`${things.filter(({ packed }) => packed).length} of ${things.length} in the bag`),
  list(
    'Bag',
    things.map(({ id, name, packed }) => checkbox(name, packed, pack.with({ id }))),
  ),
  textbox('Forgot something?', ui.typed, { enter: type.entering({}) }),
  button('Add to bag', addThing.with({ name: ui.typed })),
];

const sights = [
  ...'Tram museum,Castle walk,Harbour cruise,Olive market,Cable car,Jazz cellar,Roman baths,Surf lesson'.split(','),
  ...'Cliff path,Pottery class,Botanical garden,Night bazaar,Wine tasting,Lighthouse,Glass workshop'.split(','),
];
const spots = 'the fountain,platform 2,the hotel lobby,the clock tower,the bakery,the east gate,the pier'.split(',');
const gear = [
  ...'sun cream,rain jacket,power adapter,hiking boots,swimsuit,earplugs,travel towel,first aid kit'.split(','),
  ...'card game,water bottle,camera,sunglasses,phone charger,toothbrush,binoculars,head torch'.split(','),
];
const lodgings = 'Casa Miro,Pension Alba,Nord Air 418,Blue Ferry,Hotel Lumen,Autos Perez,Villa Sol,Rail 7'.split(',');
const train = (about: string) => ({ about, split: 'train' as const });
const looksOnly = { checks: () => [], allow: () => [] };
const say =
  (ways: string) =>
  <P extends { way: number }>(given: P) => {
    const all = ways.trim().split(/\n| \| /);
    const line = all[given.way % all.length] ?? '';
    return line.trim().replace(/\{(\w+)\}/g, (_, key: string) => String(Reflect.get(given, key)));
  };

const moveDay = template('move-stop-to-day', {
  ...train('Move a stop to another day.'),
  sample({ stops }, random) {
    const { id, name, day } = random.pick(stops);
    return { id, name, from: day, to: random.pick(days.filter(one => one !== day)), way: random.between(0, 6) };
  },
  instruction: say(`Could you shift the {name} thing from {from} over to {to}? Thanks!
    I'd like {name} to be part of our {to}. At the moment it is planned for {from}. | {name}: {from} -> {to}
    It turns out {from} is too full. Please put {name} on {to} instead. | Move {name} to {to}.
    We would rather do {name} on {to}, it's on {from} right now. | Everyone voted: {name} happens {to}, not {from}.`),
  checks: ({ id, to }) => [{ name: `it is on ${to}`, test: final => find(final.stops, id)?.day === to }],
  allow: ({ id }) => [`/stops/${id}/day`],
});
const meetAt = template('meet-somewhere-else', {
  ...train('Change where the group meets for a stop.'),
  sample({ stops }, random) {
    const { id, name, day, meet } = random.pick(stops);
    return { id, name, day, place: random.pick(spots.filter(one => one !== meet)), way: random.between(0, 5) };
  },
  instruction: say(`please make "{place}" the place where we meet for {name}, that's on {day}
    Nobody found each other last time, so let's gather at {place} before {name} on {day}.
    Tell the others through the planner that {name} starts from {place}. It is on {day}.
    For {name} on {day} we should meet at {place}. Can you change that in the plan?
    Set the meeting point of {day}'s {name} to {place}. | New meeting point for {name} ({day}): {place}`),
  checks: ({ id, place }) => [{ name: `they meet at ${place}`, test: final => find(final.stops, id)?.meet === place }],
  allow: ({ id }) => [`/stops/${id}/meet`],
});
const reference = template('find-reference', {
  ...train('Look up the reference of a booking.'),
  sample({ bookings }, random) {
    const { id, place } = random.pick(bookings);
    return { id, place, way: random.between(0, 5) };
  },
  instruction: say(`Please look up the reference number we got from {place}.
    Could you dig out the booking reference for {place}, please? Only the reference. | reference for {place}?
    I'm at the {place} desk and they want a booking reference. Which one is it?
    They ask me for the code of {place}. Just give me the code. | What is the reference of our {place} booking?`),
  ...looksOnly,
  answer: ({ id }, { bookings }) => need(bookings, id, 'booking').code,
  shown: ({ ui }, { id }) => ui.tab === 'Wallet' && ui.open === id,
});
const packTwo = template('pack-two-things', {
  ...train('Tick two things on the packing list.'),
  sample({ things }, random) {
    const [a, b] = random.sample(things, 2);
    if (a === undefined || b === undefined) return null;
    return { a: a.id, b: b.id, one: a.name, two: b.name, way: random.between(0, 5) };
  },
  setup(draft, { a, b }) {
    for (const id of [a, b]) need(draft.things, id, 'thing').packed = false;
  },
  instruction: say(`The {one} is in. So is the {two}. Update the packing list.
    I just put the {one} and the {two} into the bag, please mark both as packed. | Tick off {one} and {two}.
    Since {one} and {two} are already in my suitcase, they should have a tick. | packed: {one}, {two}
    Check {one} off my packing list, and while you're there {two} as well.`),
  checks: ({ a, b, one, two }) => [
    { name: `${one} is packed`, test: final => find(final.things, a)?.packed === true },
    { name: `${two} is packed`, test: final => find(final.things, b)?.packed === true },
  ],
  allow: ({ a, b }) => [`/things/${a}/packed`, `/things/${b}/packed`],
});

export const app = defineApp({
  id: 'trip-board',
  title: 'Trip board',
  about: 'A holiday planner: days with stops, bookings and a packing list.',
  state,
  init: random => ({
    stops: random.sample(sights, 12).map((name, index) => ({
      id: `s${index + 1}`,
      name,
      day: days[index % 4] ?? 'Friday',
      hour: `${9 + 3 * Math.floor(index / 4)}:${random.pick(['00', '15', '30'])}`,
      meet: random.pick(spots),
    })),
    bookings: random.shuffle(lodgings).map((place, index) => ({
      id: `b${index + 1}`,
      place,
      kind: /Air|Ferry|Rail/.test(place) ? 'Ticket' : place.startsWith('Autos') ? 'Car' : 'Stay',
      code: `${random.pick(['QX', 'LM', 'TR', 'ZE'])}${random.between(1000, 9999)}`,
      paid: random.chance(0.5),
    })),
    things: random.sample(gear, 11).map((name, index) => ({ id: `t${index + 1}`, name, packed: random.chance(0.3) })),
    ui: { tab: 'Board', day: 'Thursday', open: '', typed: '', note: '' },
  }),
  commands: [moveStop, setMeeting, dropStop, pack, addThing, trip, show, showDay, unfold, type],
  view: all =>
    page('Four days away', [
      navigation(
        'Planner',
        ['Board', 'Wallet', 'Bag'].map(name => link(name, show.with({ tab: name }))),
      ),
      all.ui.note !== '' && status(all.ui.note),
      ...(all.ui.tab === 'Board' ? board(all) : all.ui.tab === 'Wallet' ? wallet(all) : packing(all)),
    ]),
  templates: [moveDay, meetAt, reference, packTwo],
});

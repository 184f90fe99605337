// Leafy: who needs water today, and where everything stands.
import {
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  list,
  listItem,
  need,
  page,
  refuse,
  remove,
  status,
  tab,
  text,
  toolbar,
  z,
} from 'espalier';

const state = z.object({
  plants: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      species: z.string(),
      room: z.string(),
      every: z.int(),
      since: z.int(),
    }),
  ),
  rooms: z.array(z.object({ id: z.string(), name: z.string(), sun: z.int(), draughty: z.boolean() })),
  ui: z.object({
    tab: z.string(),
    plant: z.string().nullable(),
    room: z.string().nullable(),
    asking: z.boolean(),
    toast: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const one = z.object({ id: z.string() });

const water = command('water_plant', {
  about: 'Note that a plant was watered today.',
  input: one,
  run(draft, { id }) {
    const plant = need(draft.plants, id, 'plant');
    if (plant.since === 0) refuse(`${plant.name} had water today already.`);
    plant.since = 0;
    draft.ui.toast = `${plant.name} says thanks 💧`;
  },
});
const relocate = command('move_plant', {
  about: 'Move a plant to a room.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const room = draft.rooms.find(({ name }) => name === value) ?? refuse('No such room.');
    need(draft.plants, id, 'plant').room = room.id;
    draft.ui.toast = `Moved to the ${value.toLowerCase()}.`;
  },
});
const rhythm = command('set_rhythm', {
  about: 'Set how many days lie between two waterings of a plant.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const days = Number(value.match(/\d+/)?.[0] ?? refuse('Choose a rhythm.'));
    need(draft.plants, id, 'plant').every = days;
  },
});
const compost = command('compost_plant', {
  about: 'Remove a plant that has died.',
  input: one,
  run(draft, { id }) {
    const plant = need(draft.plants, id, 'plant');
    remove(draft.plants, id);
    Object.assign(draft.ui, { plant: null, asking: false, toast: `Goodbye, ${plant.name}.` });
  },
});
const listPlants = query('list_plants', {
  about: 'List the plants.',
  input: z.object({}),
  run: ({ plants, rooms }) =>
    plants.map(plant => ({ ...plant, room: find(rooms, plant.room)?.name, sun: find(rooms, plant.room)?.sun })),
});
const go = gesture('go', {
  about: 'Open a tab, a plant or a room.',
  input: z.object({ tab: z.string(), plant: z.string().nullable(), room: z.string().nullable() }),
  run(draft, to) {
    Object.assign(draft.ui, to, { asking: false, toast: '' });
  },
});
const ask = gesture('ask', {
  about: 'Ask before a plant is removed.',
  input: z.object({ asking: z.boolean() }),
  run(draft, { asking }) {
    draft.ui.asking = asking;
  },
});

const rhythms = [2, 3, 4, 5, 7, 10, 14, 21];
const due = ({ since, every }: State['plants'][number]) => since >= every;
const say = (seed: string, ...ways: string[]) =>
  ways[[...seed].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ways.length]!;

function today(s: State) {
  const thirsty = s.plants.filter(due);
  return [
    heading(thirsty.length === 0 ? 'Nobody is thirsty' : `${thirsty.length} thirsty`),
    list(
      'Thirsty today',
      thirsty.map(({ id, name, room, since }) =>
        listItem(name, [
          text(`${find(s.rooms, room)?.name}, last drink ${since} days ago`),
          button('💧 Watered', water.with({ id })),
          button('Details', go.with({ tab: 'today', plant: id, room: null })),
        ]),
      ),
      { shuffle: true },
    ),
  ];
}
function jungle(s: State) {
  return [
    list(
      'My jungle',
      s.plants.map(({ id, name, species }) =>
        listItem(`${name} (${species})`, [
          button(`Look at ${name}`, go.with({ tab: 'jungle', plant: id, room: null })),
        ]),
      ),
      { shuffle: true },
    ),
  ];
}
function rooms(s: State) {
  const room = find(s.rooms, s.ui.room ?? '');
  if (room === undefined)
    return [
      list(
        'Rooms',
        s.rooms.map(({ id, name }) => button(name, go.with({ tab: 'rooms', plant: null, room: id }))),
      ),
    ];
  return [
    heading(room.name),
    text(`Sun: ${room.sun} h a day`),
    text(room.draughty ? 'Draughty in winter' : 'No draught'),
    list(
      'Standing here',
      s.plants
        .filter(plant => plant.room === room.id)
        .map(({ id, name, since, every }) =>
          listItem(name, [text(since >= every ? 'thirsty' : 'fine'), since > 0 && button('💧', water.with({ id }))]),
        ),
    ),
    button('‹ All rooms', go.with({ tab: 'rooms', plant: null, room: null })),
  ];
}
function card(s: State, plant: State['plants'][number]) {
  const { id, name } = plant;
  if (s.ui.asking)
    return [
      dialog(`Has ${name} died?`, [
        text('It disappears from your jungle for good.'),
        button('Yes, to the compost', compost.with({ id })),
        button('No, there is hope', ask.with({ asking: false })),
      ]),
    ];
  return [
    button('‹ Back', go.with({ tab: s.ui.tab, plant: null, room: null })),
    heading(name),
    text(plant.species),
    status(plant.since === 0 ? 'Had water today' : `Last drink ${plant.since} days ago`),
    combobox('Stands in', find(s.rooms, plant.room)?.name ?? '', {
      enter: relocate.entering({ id }),
      options: s.rooms.map(room => room.name),
    }),
    combobox('Rhythm', `every ${plant.every} days`, {
      enter: rhythm.entering({ id }),
      options: rhythms.map(days => `every ${days} days`),
    }),
    plant.since > 0 && button('💧 Watered', water.with({ id })),
    button('It died…', ask.with({ asking: true })),
  ];
}

const waterOne = template('water-one', {
  about: 'Log a watering.',
  split: 'train',
  sample: ({ plants }, random) => {
    const { id, name } = random.pick(plants);
    return { id, name };
  },
  setup(draft, { id }) {
    const plant = need(draft.plants, id, 'plant');
    plant.since = plant.every + 2;
  },
  instruction: ({ id, name }) =>
    say(
      id + name,
      `just gave ${name} some water, pls log it`,
      `${name} got watered this morning. Tick it off.`,
      `I've watered ${name}.`,
    ),
  checks: ({ id, name }) => [{ name: `${name} was watered`, test: final => find(final.plants, id)?.since === 0 }],
  allow: ({ id }) => [`/plants/${id}/since`],
});
const moveTo = template('move-to-room', {
  about: 'Move a plant into another room.',
  split: 'train',
  sample({ plants, rooms }, random) {
    const { id, name, room } = random.pick(plants);
    const target = random.pick(rooms.filter(other => other.id !== room));
    return { id, name, roomId: target.id, room: target.name };
  },
  instruction: ({ name, room }) =>
    say(
      name + room,
      `${name} has moved to the ${room}, update that please.`,
      `Put ${name} in the ${room}`,
      `I carried ${name} over to the ${room}. Can the app know about it too?`,
    ),
  checks: ({ id, name, roomId, room }) => [
    { name: `${name} stands in ${room}`, test: final => find(final.plants, id)?.room === roomId },
  ],
  allow: ({ id }) => [`/plants/${id}/room`],
});
const drinkLess = template('new-rhythm', {
  about: 'Change the rhythm of a plant.',
  split: 'train',
  sample({ plants }, random) {
    const { id, name, every } = random.pick(plants);
    return { id, name, days: random.pick(rhythms.filter(days => days !== every)) };
  },
  instruction: ({ name, days }) =>
    say(
      `${name}${days}`,
      `From now on ${name} should get water every ${days} days.`,
      `${name}: watering rhythm ${days} days`,
      `The lady at the garden centre says ${name} wants a drink every ${days} days. Set that.`,
    ),
  checks: ({ id, days }) => [{ name: `every ${days} days`, test: final => find(final.plants, id)?.every === days }],
  allow: ({ id }) => [`/plants/${id}/every`],
});
const sunHours = template('sun-hours', {
  about: 'Say how much sun a plant gets in its room.',
  split: 'train',
  sample: ({ plants }, random) => {
    const { id, name, room } = random.pick(plants);
    return { id, name, room };
  },
  instruction: ({ name }) => `How many hours of sun a day does ${name} get where it stands? Just the number.`,
  checks: () => [],
  allow: () => [],
  answer: ({ room }, { rooms }) => String(need(rooms, room, 'room').sun),
  shown: ({ ui }, { room }) => ui.tab === 'rooms' && ui.room === room && ui.plant === null,
});
const itDied = template('plant-died', {
  about: 'Remove a dead plant.',
  split: 'train',
  sample: ({ plants }, random) => {
    const { id, name, species } = random.pick(plants);
    return { id, name, species };
  },
  instruction: ({ name, species }) =>
    say(name, `Sad news: ${name} the ${species} didn't make it. Take it out of the app.`, `${name} is dead, remove`),
  checks: ({ id, name }) => [{ name: `${name} is gone`, test: final => find(final.plants, id) === undefined }],
  allow: ({ id }) => [`/plants/${id}`],
});
const waterRoom = template('water-a-room', {
  about: 'Water the thirsty plants of one room.',
  split: 'train',
  sample({ plants, rooms }, random) {
    const fits = rooms.filter(room => plants.filter(plant => plant.room === room.id).length >= 3);
    if (fits.length === 0) return null;
    const room = random.pick(fits);
    const here = random.shuffle(plants.filter(plant => plant.room === room.id)).map(({ id }) => id);
    return { room: room.name, thirsty: here.slice(0, 2), fine: here.slice(2) };
  },
  setup(draft, { thirsty, fine }) {
    for (const id of thirsty) {
      const plant = need(draft.plants, id, 'plant');
      plant.since = plant.every + 1;
    }
    for (const id of fine) need(draft.plants, id, 'plant').since = 1;
  },
  instruction: ({ room }) =>
    `I did the round in the ${room} and watered whatever was thirsty there (only those). Log it.`,
  checks: ({ thirsty }) =>
    thirsty.map(id => ({ name: `${id} was watered`, test: (final: State) => find(final.plants, id)?.since === 0 })),
  allow: ({ thirsty }) => thirsty.map(id => `/plants/${id}/since`),
});

const names = [
  'Gertrude',
  'Figaro',
  'Bob',
  'Spike',
  'Audrey',
  'Moses',
  'Lady Fern',
  'Elvis',
  'Pickle',
  'Ursula',
  'Basil',
  'Nana',
  'Groot',
  'Fernando',
  'Pilar',
  'Twiggy',
  'Otto',
  'Zsa Zsa',
];
const species = [
  'monstera',
  'fiddle-leaf fig',
  'snake plant',
  'aloe',
  'peace lily',
  'Boston fern',
  'ZZ plant',
  'pothos',
  'rubber plant',
  'calathea',
  'spider plant',
  'jade plant',
];

export const app = defineApp({
  id: 'leafy',
  title: 'Leafy',
  about: 'House plants: watering, rooms and rhythms.',
  state,
  init(random) {
    const suns = random.sample([1, 2, 3, 4, 5, 6, 7, 8, 9], 5);
    const rooms = ['Kitchen', 'Bathroom', 'Living room', 'Study', 'Sunroom'].map((name, at) => ({
      id: `r${at + 1}`,
      name,
      sun: suns[at]!,
      draughty: random.chance(0.4),
    }));
    return {
      rooms,
      plants: random.sample(names, 15).map((name, at) => {
        const every = random.pick(rhythms);
        return {
          id: `p${at + 1}`,
          name,
          species: random.pick(species),
          room: random.pick(rooms).id,
          every,
          since: random.chance(0.3) ? every + random.between(0, 3) : random.between(1, every - 1),
        };
      }),
      ui: { tab: 'today', plant: null, room: null, asking: false, toast: '' },
    };
  },
  commands: [water, relocate, rhythm, compost, listPlants, go, ask],
  view(s) {
    const plant = find(s.plants, s.ui.plant ?? '');
    return page('Leafy', [
      s.ui.toast !== '' && status(s.ui.toast),
      ...(plant ? card(s, plant) : s.ui.tab === 'today' ? today(s) : s.ui.tab === 'jungle' ? jungle(s) : rooms(s)),
      !s.ui.asking &&
        toolbar('Bottom bar', [
          tab('Today', go.with({ tab: 'today', plant: null, room: null }), s.ui.tab === 'today' ? ['selected'] : []),
          tab('Jungle', go.with({ tab: 'jungle', plant: null, room: null }), s.ui.tab === 'jungle' ? ['selected'] : []),
          tab('Rooms', go.with({ tab: 'rooms', plant: null, room: null }), s.ui.tab === 'rooms' ? ['selected'] : []),
        ]),
    ]);
  },
  templates: [waterOne, moveTo, drinkLess, sunHours, itDied, waterRoom],
  onRefusal(draft, message) {
    draft.ui.toast = message;
  },
});

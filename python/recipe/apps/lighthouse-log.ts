import {
  added,
  alert,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  status,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

// The log of a lighthouse: one page per night, an index of vessels, the rota on the wall and the machine room.
const keepers = ['Angus Muir', 'Agnes Muir', 'Callum Reid', 'Colm Reidy', 'Effie Grant'];
const weathers = ['clear', 'haze', 'drizzle', 'fog', 'gale', 'snow'];
const bearings = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
const clock = ['18:10', '19:25', '20:40', '21:05', '22:30', '23:15', '00:20', '01:45', '02:50', '04:05', '05:30'];
const engines = ['foghorn', 'beacon', 'spare lamp', 'heater'] as const;

const night = z.object({
  id: z.string(),
  date: z.string(),
  keeper: z.string(),
  weather: z.string(),
  closed: z.boolean(),
});
const sighting = z.object({
  id: z.string(),
  night: z.string(),
  vessel: z.string(),
  time: z.string(),
  bearing: z.string(),
});
const engine = z.object({ id: z.string(), name: z.enum(engines), on: z.boolean(), oil: z.int() });
const state = z.object({
  nights: z.array(night),
  sightings: z.array(sighting),
  engines: z.array(engine),
  cover: z.object({ locked: z.boolean() }),
  ui: z.object({
    room: z.enum(['stairs', 'log', 'vessels', 'rota', 'machines']),
    night: z.string().nullable(),
    vessel: z.string().nullable(),
    inking: z.boolean(),
    name: z.string(),
    time: z.string(),
    bearing: z.string(),
    grumble: z.string(),
  }),
});
type Lighthouse = z.infer<typeof state>;
type Night = z.infer<typeof night>;
const { command, gesture, query, template } = appKit(state);

const pageOf = (draft: Lighthouse, id: string) => {
  const written = need(draft.nights, id, 'night');
  if (written.closed) refuse(`The page of ${written.date} is closed. Nothing in it may be altered.`);
  return written;
};
const enter = command('enter_sighting', {
  about: 'Enter a vessel that was seen in a night.',
  input: z.object({
    night: z.string(),
    vessel: z.string().trim().min(2, 'Which vessel?'),
    time: z.string(),
    bearing: z.string(),
  }),
  run(draft, input) {
    pageOf(draft, input.night);
    if (input.time === '' || input.bearing === '') refuse('Time and bearing are missing.');
    draft.sightings.push({ id: nextId(draft.sightings, 's'), ...input });
    Object.assign(draft.ui, { inking: false, grumble: '' });
  },
});
const blot = command('blot_sighting', {
  about: 'Strike a sighting from a page that is not closed.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    pageOf(draft, need(draft.sightings, id, 'sighting').night);
    remove(draft.sightings, id);
  },
});
const setWeather = command('set_weather', {
  about: 'Write down the weather of a night.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    pageOf(draft, id).weather = value;
    draft.ui.grumble = '';
  },
});
const close = command('close_page', {
  about: 'Close the page of a night for good; the weather must be there.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const written = pageOf(draft, id);
    if (written.weather === '') refuse('The weather has not been written down.');
    written.closed = true;
    draft.ui.grumble = '';
  },
});
const setKeeper = command('set_keeper', {
  about: 'Say who keeps watch in a night.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!keepers.includes(value)) refuse('No such keeper.');
    need(draft.nights, id, 'night').keeper = value;
  },
});
const setCover = command('set_cover', {
  about: 'Lock the cover of the switches, or unlock it.',
  input: z.object({ locked: z.boolean() }),
  run(draft, { locked }) {
    draft.cover.locked = locked;
    draft.ui.grumble = '';
  },
});
const run = command('run_engine', {
  about: 'Switch an engine on or off; the cover must be unlocked.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    if (draft.cover.locked) refuse('The cover is locked.');
    need(draft.engines, id, 'engine').on = on;
  },
});
const readLog = query('read_log', {
  about: 'All nights with their sightings, and the machines.',
  input: z.object({}),
  run: ({ nights, sightings, engines: all, cover }) => ({
    nights: nights.map(item => ({ ...item, sightings: sightings.filter(seen => seen.night === item.id) })),
    engines: all,
    cover,
  }),
});
const climb = gesture('climb_to', {
  about: 'Climb to another room.',
  input: z.object({ room: z.enum(['stairs', 'log', 'vessels', 'rota', 'machines']) }),
  run(draft, { room }) {
    Object.assign(draft.ui, { room, night: null, vessel: null, inking: false, grumble: '' });
  },
});
const leaf = gesture('leaf_to_night', {
  about: 'Leaf to the page of a night.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { room: 'log', night: id, vessel: null, inking: false, grumble: '' });
  },
});
const indexOf = gesture('look_up_vessel', {
  about: 'Look a vessel up in the index.',
  input: z.object({ vessel: z.string() }),
  run(draft, { vessel }) {
    draft.ui.vessel = vessel;
  },
});
const dip = gesture('dip_pen', {
  about: 'Dip the pen for a new line, or put it away.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    Object.assign(draft.ui, { inking: on, name: '', time: '', bearing: '', grumble: '' });
  },
});
const pen = gesture('pen', {
  about: 'Write a part of the new line.',
  input: z.object({ field: z.enum(['name', 'time', 'bearing']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function nightPage({ sightings, ui }: Lighthouse, open: Night) {
  const { id, closed } = open;
  const { name, time, bearing } = ui;
  return region(`Night of ${open.date}`, [
    heading(`Night of ${open.date}`),
    text(`Watch: ${open.keeper}`),
    status(closed ? 'Page closed' : 'Page open'),
    closed
      ? text(`Weather: ${open.weather}`)
      : combobox('Weather', open.weather, { enter: setWeather.entering({ id }), options: weathers }),
    list(
      'Seen',
      sightings
        .filter(item => item.night === id)
        .map(item =>
          listItem(item.vessel, [
            text(`${item.vessel}, ${item.time}, bearing ${item.bearing}`),
            !closed && button(`Blot out ${item.vessel}`, blot.with({ id: item.id })),
          ]),
        ),
    ),
    !closed && !ui.inking && button('Dip pen', dip.with({ on: true })),
    !closed &&
      ui.inking &&
      form('New line', [
        textbox('Vessel', name, { enter: pen.entering({ field: 'name' }) }),
        combobox('Hour', time, { enter: pen.entering({ field: 'time' }), options: clock }),
        combobox('Bearing', bearing, { enter: pen.entering({ field: 'bearing' }), options: bearings }),
        button('Ink the line', enter.with({ night: id, vessel: name, time, bearing })),
      ]),
    !closed && button('Close the page', close.with({ id })),
    button('Other nights', leaf.with({ id: null })),
  ]);
}

function roomOf(house: Lighthouse) {
  const { nights, sightings, ui, cover } = house;
  const open = find(nights, ui.night ?? '');
  if (ui.room === 'log')
    return open === undefined
      ? list(
          'Nights',
          nights.map(item => link(`Night of ${item.date}`, leaf.with({ id: item.id }))),
        )
      : nightPage(house, open);
  if (ui.room === 'rota')
    return table(
      'Rota',
      nights.map(item =>
        row(item.date, [
          cell(item.date),
          combobox(`Watch on ${item.date}`, item.keeper, {
            enter: setKeeper.entering({ id: item.id }),
            options: keepers,
          }),
        ]),
      ),
    );
  if (ui.room === 'vessels') {
    const names = [...new Set(sightings.map(item => item.vessel))].sort();
    return region('Index of vessels', [
      list(
        'Vessels',
        names.map(vessel => button(vessel, indexOf.with({ vessel }))),
      ),
      ui.vessel !== null &&
        list(
          `Nights of ${ui.vessel}`,
          sightings
            .filter(item => item.vessel === ui.vessel)
            .map(item => link(`Seen ${need(nights, item.night, 'night').date}`, leaf.with({ id: item.night }))),
        ),
    ]);
  }
  if (ui.room === 'stairs') return text('142 steps.');
  return region('Machine room', [
    checkbox('Cover locked', cover.locked, setCover.with({ locked: !cover.locked })),
    ...house.engines.map(({ id, name, on }) => switchButton(name, on, run.with({ id, on: !on }))),
    ...house.engines.map(({ name, oil }) => text(`Oil of ${name}: ${oil} %`)),
  ]);
}

const vessels = [
  'Maid of Lorn',
  'Maid of Leith',
  'Sea Otter',
  'Sea Bittern',
  'Grey Heron',
  'Grey Gull',
  'Ina Mary',
  'Ina Mackay',
  'Storm Petrel',
  'Petrel',
];
const fresh = ['Kittiwake', 'Cape Ann', 'Cape Agnes', 'Lady Orla', 'Lady Orkney', 'Black Tern'];

const seen = template('enter-sighting', {
  about: 'Enter a vessel that was seen in a night.',
  split: 'train',
  sample({ nights }, random) {
    const { id, date } = random.pick(nights);
    return { id, date, vessel: random.pick(fresh), time: random.pick(clock), bearing: random.pick(bearings) };
  },
  setup(draft, { id }) {
    need(draft.nights, id, 'night').closed = false;
  },
  instruction: ({ date, vessel, time, bearing }, random) =>
    random.pick([
      `Night of ${date}: ${vessel}, ${time}, bearing ${bearing}.`,
      `I forgot to log a ship. It was the "${vessel}" at ${time}, bearing ${bearing}, in the night of ${date}.`,
      `Put the ${vessel} on the page of ${date}. Hour ${time}; we had her at ${bearing}.`,
    ]),
  checks: ({ id, vessel, time, bearing }) => [
    {
      name: 'the line is inked',
      test(final, initial) {
        const [made, ...more] = added(initial.sightings, final.sightings);
        return (
          more.length === 0 &&
          made?.night === id &&
          made.vessel === vessel &&
          made.time === time &&
          made.bearing === bearing
        );
      },
    },
  ],
  allow: () => ['/sightings/+'],
});

const shut = template('close-page', {
  about: 'Write down the weather that is missing and close the page of a night.',
  split: 'train',
  sample({ nights }, random) {
    const { id, date } = random.pick(nights);
    return { id, date, weather: random.pick(weathers) };
  },
  setup(draft, { id }) {
    Object.assign(need(draft.nights, id, 'night'), { weather: '', closed: false });
  },
  instruction: ({ date, weather }, random) =>
    random.pick([
      `Close the page of ${date}. The weather that night: ${weather}.`,
      `The inspector wants ${date} closed. If it complains about the weather, we had ${weather}.`,
      `${date} is done with; ${weather} all night. Close that page.`,
    ]),
  checks: ({ id, weather }) => [
    { name: `the weather was ${weather}`, test: ({ nights }) => find(nights, id)?.weather === weather },
    { name: 'the page is closed', test: ({ nights }) => find(nights, id)?.closed === true },
  ],
  allow: ({ id }) => [`/nights/${id}/weather`, `/nights/${id}/closed`],
});

const takeOver = template('take-over-watches', {
  about: 'Give the watches of one keeper to another.',
  split: 'train',
  sample({ nights }, random) {
    const [from, to, third] = random.sample(keepers, 3) as [string, string, string];
    return { from, to, third, ids: random.sample(nights, random.between(2, 3)).map(({ id }) => id) };
  },
  setup(draft, { from, third, ids }) {
    for (const item of draft.nights) {
      if (ids.includes(item.id)) item.keeper = from;
      else if (item.keeper === from) item.keeper = third;
    }
  },
  instruction: ({ from, to }, random) =>
    random.pick([
      `${to} takes all watches of ${from}.`,
      `${from} has broken a leg on the stairs. Every night of theirs goes to ${to} on the rota.`,
      `Wherever the rota says ${from}, it should say ${to}.`,
    ]),
  checks: ({ ids, to }) =>
    ids.map(id => ({ name: `${to} keeps ${id}`, test: ({ nights }) => find(nights, id)?.keeper === to })),
  allow: ({ ids }) => ids.map(id => `/nights/${id}/keeper`),
});

const underCover = template('switch-under-cover', {
  about: 'Switch an engine behind the locked cover and lock the cover again.',
  split: 'train',
  sample({ engines: all }, random) {
    const [one, two] = random.sample(all, 2);
    if (one === undefined || two === undefined) return null;
    return {
      id: one.id,
      name: one.name,
      on: random.chance(0.5),
      other: two.id,
      second: two.name,
      secondOn: random.chance(0.5),
    };
  },
  setup(draft, { id, on, other, secondOn }) {
    draft.cover.locked = true;
    need(draft.engines, id, 'engine').on = !on;
    need(draft.engines, other, 'engine').on = !secondOn;
  },
  instruction: ({ name, on, second, secondOn }, random) =>
    random.pick([
      `${name} ${on ? 'on' : 'off'}, ${second} ${secondOn ? 'on' : 'off'}. Lock the cover afterwards.`,
      `Switch the ${name} ${on ? 'on' : 'off'} and the ${second} ${secondOn ? 'on' : 'off'}, please. The cover is to be left as you found it, locked.`,
      `In the machine room: the ${second} should be ${secondOn ? 'running' : 'still'}, the ${name} ${on ? 'running' : 'still'}, and the cover locked.`,
    ]),
  checks: ({ id, on, other, secondOn }) => [
    { name: 'the first is switched', test: ({ engines: all }) => find(all, id)?.on === on },
    { name: 'the second is switched', test: ({ engines: all }) => find(all, other)?.on === secondOn },
    { name: 'the cover is locked', test: ({ cover }) => cover.locked },
  ],
  allow: ({ id, other }) => [`/engines/${id}/on`, `/engines/${other}/on`, '/cover/locked'],
});

const whoWatched = template('who-watched-for-vessel', {
  about: 'Say who kept watch in the night a vessel was seen.',
  split: 'train',
  sample({ sightings }, random) {
    const found = random.pick(sightings);
    return { id: found.id, where: found.night, vessel: random.pick(fresh) };
  },
  setup(draft, { id, vessel }) {
    need(draft.sightings, id, 'sighting').vessel = vessel;
  },
  instruction: ({ vessel }, random) =>
    random.pick([
      `Who had the watch when the ${vessel} was seen?`,
      `The owners of the ${vessel} want to thank the keeper who saw her. Who was it? There is only one sighting.`,
      `Find the night of the ${vessel} and tell me whose watch it was.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ where }, { nights }) => need(nights, where, 'night').keeper,
  shown: ({ ui }, { where, vessel }) => [ui.vessel === vessel, ui.night === where],
});

const blotOut = template('blot-out-sighting', {
  about: 'Strike a sighting; impossible when the page is closed.',
  split: 'train',
  kind: 'infeasible',
  sample({ sightings, nights }, random) {
    const { id, night: where, vessel } = random.pick(sightings);
    return { id, where, vessel, date: need(nights, where, 'night').date, open: random.chance(0.5) };
  },
  isTwin: ({ open }) => open,
  setup(draft, { where, open }) {
    const written = need(draft.nights, where, 'night');
    written.closed = !open;
    if (written.weather === '') written.weather = 'haze';
  },
  instruction: ({ vessel, date }, random) =>
    random.pick([
      `Blot out the ${vessel} in the night of ${date}.`,
      `That was not the ${vessel} on ${date}, it was a rock. Remove the line.`,
      `The sighting of the ${vessel}, night of ${date}, is an error and should go.`,
    ]),
  checks: ({ id }) => [{ name: 'the line is gone', test: ({ sightings }) => find(sightings, id) === undefined }],
  allow: ({ id, open }) => (open ? [`/sightings/${id}`] : []),
  shown: ({ ui }, { where }) => ui.night === where,
});

const lastSeen = template('hour-of-vessel', {
  about: 'Say at what hour a vessel was seen in a night.',
  split: 'train',
  sample({ sightings, nights }, random) {
    const { id, night: where, vessel } = random.pick(sightings);
    return { id, where, vessel, date: need(nights, where, 'night').date };
  },
  instruction: ({ vessel, date }, random) =>
    random.pick([
      `When was the ${vessel} seen in the night of ${date}? The hour as it stands in the log.`,
      `Hour of the ${vessel}, ${date}?`,
      `For the enquiry: at what time did we see the ${vessel} in the night of ${date}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { sightings }) => need(sightings, id, 'sighting').time,
  shown: ({ ui }, { where }) => ui.night === where,
});

export const app = defineApp({
  id: 'lighthouse-log',
  title: 'Skerry light',
  about: 'The log of a lighthouse: nights, vessels seen, watches and machines.',
  state,
  init(random): Lighthouse {
    const first = random.between(3, 14);
    const month = random.pick(['November', 'December', 'January']);
    const nights = Array.from({ length: 13 }, (_, index) => ({
      id: `n${index + 1}`,
      date: `${first + index} ${month}`,
      keeper: random.pick(keepers),
      weather: random.pick(weathers),
      closed: random.chance(0.4),
    }));
    const sightings = nights.flatMap(({ id }) =>
      random
        .sample(vessels, random.between(2, 4))
        .map(vessel => ({ night: id, vessel, time: random.pick(clock), bearing: random.pick(bearings) })),
    );
    return {
      nights,
      sightings: sightings.map((item, index) => ({ id: `s${index + 1}`, ...item })),
      engines: random
        .shuffle([...engines])
        .map((name, index) => ({ id: `m${index + 1}`, name, on: random.chance(0.5), oil: random.between(20, 99) })),
      cover: { locked: true },
      ui: { room: 'stairs', night: null, vessel: null, inking: false, name: '', time: '', bearing: '', grumble: '' },
    };
  },
  commands: [enter, blot, setWeather, close, setKeeper, setCover, run, readLog, climb, leaf, indexOf, dip, pen],
  view(house) {
    const { grumble } = house.ui;
    return page('Skerry light', [
      navigation('Stairs', [
        link('Log book', climb.with({ room: 'log' })),
        link('Index', climb.with({ room: 'vessels' })),
        link('Watches', climb.with({ room: 'rota' })),
        link('Machine room', climb.with({ room: 'machines' })),
      ]),
      grumble !== '' && alert(grumble),
      roomOf(house),
    ]);
  },
  templates: [seen, shut, takeOver, underCover, whoWatched, blotOut, lastSeen],
  onRefusal(draft, message) {
    draft.ui.grumble = message;
  },
});

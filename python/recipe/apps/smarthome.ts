// Hearth: a wall panel for the house. Rooms, heating, routines, electricity.
import {
  appKit,
  button,
  combobox,
  defineApp,
  find,
  heading,
  list,
  listItem,
  need,
  page,
  refuse,
  region,
  status,
  switchButton,
  tab,
  table,
  row,
  cell,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const state = z.object({
  rooms: z.array(z.object({ id: z.string(), name: z.string(), now: z.number(), target: z.number() })),
  devices: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      room: z.string(),
      kind: z.enum(['light', 'plug', 'blind']),
      on: z.boolean(),
      watts: z.int(),
    }),
  ),
  routines: z.array(
    z.object({ id: z.string(), name: z.string(), at: z.string(), active: z.boolean(), does: z.string() }),
  ),
  ui: z.object({
    panel: z.string(),
    room: z.string(),
    device: z.string(),
    routine: z.string(),
    name: z.string(),
    flash: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const one = z.object({ id: z.string() });

const flip = command('switch_device', {
  about: 'Switch a device on or off.',
  input: one,
  run(draft, { id }) {
    const d = need(draft.devices, id, 'device');
    d.on = !d.on;
  },
});
const warmer = command('change_target', {
  about: 'Make a room warmer or cooler by some degrees.',
  input: z.object({ id: z.string(), by: z.number() }),
  run(draft, { id, by }) {
    const r = need(draft.rooms, id, 'room');
    if (r.target + by < 12 || r.target + by > 26) refuse('Between 12 and 26 degrees, please.');
    r.target += by;
  },
});
const pause = command('pause_routine', {
  about: 'Pause a routine, or let it run again.',
  input: one,
  run(draft, { id }) {
    const r = need(draft.routines, id, 'routine');
    r.active = !r.active;
  },
});
const retime = command('set_routine_time', {
  about: 'Set when a routine runs.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    need(draft.routines, id, 'routine').at = value;
  },
});
const rename = command('rename_device', {
  about: 'Rename a device.',
  input: z.object({ id: z.string(), name: z.string().trim().min(1, 'It needs a name.') }),
  run(draft, { id, name }) {
    need(draft.devices, id, 'device').name = name;
    Object.assign(draft.ui, { device: '', name: '', flash: 'Renamed.' });
  },
});
const rehome = command('move_device', {
  about: 'Say in which room a device is.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    need(draft.devices, id, 'device').room = (draft.rooms.find(r => r.name === value) ?? refuse('No such room.')).id;
  },
});
const survey = query('survey', {
  about: 'List rooms, devices and routines.',
  input: z.object({}),
  run: s => ({
    rooms: s.rooms,
    devices: s.devices.map(d => ({ ...d, room: find(s.rooms, d.room)?.name })),
    routines: s.routines,
  }),
});
const showPanel = gesture('show_panel', {
  about: 'Show a panel.',
  input: z.object({ panel: z.string() }),
  run(draft, { panel }) {
    Object.assign(draft.ui, { panel, room: '', device: '', routine: '', flash: '' });
  },
});
const enter = gesture('enter_room', {
  about: 'Open a room.',
  input: one,
  run(draft, { id }) {
    Object.assign(draft.ui, { panel: 'house', room: id, device: '', flash: '' });
  },
});
const gear = gesture('open_settings', {
  about: 'Open the settings of a device.',
  input: one,
  run(draft, { id }) {
    Object.assign(draft.ui, { device: id, name: need(draft.devices, id, 'device').name, flash: '' });
  },
});
const close = gesture('close_settings', {
  about: 'Close the settings.',
  input: z.object({}),
  run(draft) {
    Object.assign(draft.ui, { device: '', routine: '' });
  },
});
const unfold = gesture('unfold_routine', {
  about: 'Unfold a routine.',
  input: one,
  run(draft, { id }) {
    draft.ui.routine = draft.ui.routine === id ? '' : id;
  },
});
const typeName = gesture('type_name', {
  about: 'Type a name.',
  input: z.object({ value: z.string().max(40) }),
  run(draft, { value }) {
    draft.ui.name = value;
  },
});

const degrees = (t: number) => `${t.toFixed(1)}°`;
const CLOCK = [
  '06:00',
  '06:30',
  '07:00',
  '07:30',
  '08:00',
  '17:00',
  '18:00',
  '19:30',
  '21:00',
  '22:30',
  '23:00',
  '23:30',
];

function house(s: State) {
  return region(
    'House',
    s.rooms.map(r => {
      const on = s.devices.filter(d => d.room === r.id && d.on).length;
      return button(`${r.name} · ${degrees(r.now)} · ${on === 0 ? 'all off' : `${on} on`}`, enter.with({ id: r.id }));
    }),
  );
}
function room(s: State) {
  const r = need(s.rooms, s.ui.room, 'room');
  return region(r.name, [
    button('← House', showPanel.with({ panel: 'house' })),
    region('Climate', [
      text(`Now ${degrees(r.now)}`),
      button('–', warmer.with({ id: r.id, by: -0.5 })),
      status(`Target ${degrees(r.target)}`),
      button('+', warmer.with({ id: r.id, by: 0.5 })),
    ]),
    list(
      'Devices',
      s.devices
        .filter(d => d.room === r.id)
        .map(d =>
          listItem(d.name, [
            text(d.kind),
            switchButton(d.name, d.on, flip.with({ id: d.id })),
            button('⚙', gear.with({ id: d.id })),
          ]),
        ),
      { shuffle: true },
    ),
  ]);
}
function settings(s: State) {
  const d = need(s.devices, s.ui.device, 'device');
  return region('Device settings', [
    heading(d.name),
    textbox('Name', s.ui.name, { enter: typeName.entering({}) }),
    button('Apply', rename.with({ id: d.id, name: s.ui.name })),
    combobox('Room', find(s.rooms, d.room)?.name ?? '', {
      enter: rehome.entering({ id: d.id }),
      options: s.rooms.map(r => r.name),
    }),
    button('Close', close.with({})),
  ]);
}
function routines(s: State) {
  return region(
    'Routines',
    s.routines.map(r =>
      listItem(r.name, [
        switchButton('Active', r.active, pause.with({ id: r.id })),
        button(s.ui.routine === r.id ? '▾' : '▸', unfold.with({ id: r.id }), s.ui.routine === r.id ? ['expanded'] : []),
        s.ui.routine === r.id && text(r.does),
        s.ui.routine === r.id && combobox('Runs at', r.at, { enter: retime.entering({ id: r.id }), options: CLOCK }),
      ]),
    ),
  );
}
function power(s: State) {
  return region('Electricity', [
    text('Right now, in watts. Sorted by name.'),
    table(
      'Draw',
      s.devices
        .filter(d => d.on)
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map(d => row(d.name, [cell(d.name), cell(find(s.rooms, d.room)?.name ?? ''), cell(`${d.watts} W`)])),
    ),
  ]);
}

const say = (seed: string, ...ways: string[]) =>
  ways[[...seed].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ways.length]!;
const toggle = template('switch-one', {
  about: 'Switch a device.',
  split: 'train',
  sample(s, random) {
    const d = random.pick(s.devices);
    return { id: d.id, name: d.name, room: need(s.rooms, d.room, 'room').name, on: random.chance(0.5) };
  },
  setup(draft, { id, on }) {
    need(draft.devices, id, 'device').on = !on;
  },
  instruction: ({ name, room, on }) =>
    say(
      name + room,
      `${name} in the ${room} ${on ? 'on' : 'off'} please`,
      `Turn ${on ? 'on' : 'off'} the ${room} ${name}.`,
      on ? `I need the ${name} (${room}) running` : `did I leave the ${name} on in the ${room}? yes. kill it.`,
    ),
  checks: ({ id, on }) => [{ name: on ? 'on' : 'off', test: final => find(final.devices, id)?.on === on }],
  allow: ({ id }) => [`/devices/${id}/on`],
});
const climate = template('set-target', {
  about: 'Set the target temperature of a room.',
  split: 'train',
  sample(s, random) {
    const r = random.pick(s.rooms);
    const by = random.pick([-2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2]);
    return { id: r.id, name: r.name, target: r.target + by };
  },
  instruction: ({ name, target }) =>
    say(name + target, `${name} to ${target} degrees`, `Could you set the heating in the ${name} to ${target}°?`),
  checks: ({ id, target }) => [{ name: `target ${target}`, test: final => find(final.rooms, id)?.target === target }],
  allow: ({ id }) => [`/rooms/${id}/target`],
});
const sleepIn = template('sleep-in', {
  about: 'Let a routine run at another time.',
  split: 'train',
  sample(s, random) {
    const r = random.pick(s.routines);
    return { id: r.id, routine: r.name, at: random.pick(CLOCK.filter(t => t !== r.at)) };
  },
  instruction: ({ routine, at }) => say(routine + at, `Run "${routine}" at ${at} from now on.`, `${routine} → ${at}`),
  checks: ({ id, at }) => [{ name: `at ${at}`, test: final => find(final.routines, id)?.at === at }],
  allow: ({ id }) => [`/routines/${id}/at`],
});
const holiday = template('pause-two', {
  about: 'Pause two routines.',
  split: 'train',
  sample: (s, random) => ({ them: random.sample(s.routines, 2).map(({ id, name }) => ({ id, name })) }),
  setup(draft, { them }) {
    for (const { id } of them) need(draft.routines, id, 'routine').active = true;
  },
  instruction: ({ them: [a, b] }) =>
    `We're away next week, so "${a!.name}" and "${b!.name}" shouldn't run. Leave the rest as it is.`,
  checks: ({ them }) =>
    them.map(({ id, name }) => ({
      name: `${name} is paused`,
      test: (final: State) => find(final.routines, id)?.active === false,
    })),
  allow: ({ them }) => them.map(({ id }) => `/routines/${id}/active`),
});
const guzzler = template('biggest-draw', {
  about: 'Switch off what draws most.',
  split: 'train',
  sample(s, random) {
    const some = random.sample(s.devices, 7).map(({ id }) => id);
    const [top] = s.devices.filter(d => some.includes(d.id)).toSorted((a, b) => b.watts - a.watts);
    return { some, top: top!.id };
  },
  setup(draft, { some }) {
    for (const d of draft.devices) d.on = some.includes(d.id);
  },
  instruction: ({ top }) =>
    say(
      top,
      `Whatever is using the most electricity at the moment, switch it off.`,
      `The meter is spinning like mad. Find the worst power hog and turn it off.`,
    ),
  checks: ({ top }) => [{ name: 'the biggest draw is off', test: final => find(final.devices, top)?.on === false }],
  allow: ({ top }) => [`/devices/${top}/on`],
});
const newName = template('rename-device', {
  about: 'Rename a device.',
  split: 'train',
  sample(s, random) {
    const d = random.pick(s.devices);
    return {
      id: d.id,
      old: d.name,
      room: need(s.rooms, d.room, 'room').name,
      name: random.pick([
        'Grandpa’s lamp',
        'Sous-vide',
        'Tree lights',
        'Big blind',
        'Charger',
        'Reading light',
        'Lava lamp',
      ]),
    };
  },
  instruction: ({ old, room, name }) =>
    say(
      old + name,
      `Rename the ${old} in the ${room} to ${name}.`,
      `The thing called ${old} in the ${room} is really the "${name}". Fix the name?`,
    ),
  checks: ({ id, name }) => [{ name: `called ${name}`, test: final => find(final.devices, id)?.name === name }],
  allow: ({ id }) => [`/devices/${id}/name`],
});

const kit: [string, 'light' | 'plug' | 'blind'][] = [
  ['Ceiling light', 'light'],
  ['Floor lamp', 'light'],
  ['Desk lamp', 'light'],
  ['Fairy lights', 'light'],
  ['Fan heater', 'plug'],
  ['Kettle', 'plug'],
  ['Radio', 'plug'],
  ['Dehumidifier', 'plug'],
  ['Aquarium pump', 'plug'],
  ['Blind', 'blind'],
  ['Skylight blind', 'blind'],
];

export const app = defineApp({
  id: 'wall-panel',
  title: 'Hearth',
  about: 'A wall panel: rooms, heating, routines and electricity of a house.',
  state,
  init(random) {
    const rooms = ['Hall', 'Kitchen', 'Lounge', 'Nursery', 'Workshop'].map((name, at) => ({
      id: `r${at + 1}`,
      name,
      now: random.between(30, 44) / 2,
      target: random.between(32, 44) / 2,
    }));
    const watts = random.sample(
      Array.from({ length: 90 }, (_, at) => 4 + at * 13),
      17,
    );
    const placed = rooms.flatMap(r => random.sample(kit, 3).map(([name, kind]) => ({ name, kind, room: r.id })));
    return {
      rooms,
      devices: placed.map((d, at) => ({ id: `d${at + 1}`, ...d, on: random.chance(0.4), watts: watts[at]! })),
      routines: [
        'Good morning',
        'Goodnight',
        'Dinner time',
        'Anyone home?',
        'Blinds down',
        'Boost hot water',
        'Feed the cat',
      ].map((name, at) => ({
        id: `t${at + 1}`,
        name,
        at: random.pick(CLOCK),
        active: random.chance(0.7),
        does: random.pick([
          '3 lights, 1 blind',
          'heating down by 2°',
          'plays a sound in the hall',
          '1 plug for ten minutes',
        ]),
      })),
      ui: { panel: 'house', room: '', device: '', routine: '', name: '', flash: '' },
    };
  },
  commands: [flip, warmer, pause, retime, rename, rehome, survey, showPanel, enter, gear, close, unfold, typeName],
  view: s =>
    page('Hearth', [
      s.ui.flash !== '' && status(s.ui.flash),
      s.ui.device !== ''
        ? settings(s)
        : s.ui.panel === 'routines'
          ? routines(s)
          : s.ui.panel === 'power'
            ? power(s)
            : s.ui.room === ''
              ? house(s)
              : room(s),
      s.ui.device === '' &&
        toolbar(
          'Panels',
          [
            ['house', '🏠 House'],
            ['routines', '⏰ Routines'],
            ['power', '⚡ Electricity'],
          ].map(([panel, label]) =>
            tab(label!, showPanel.with({ panel: panel! }), s.ui.panel === panel ? ['selected'] : []),
          ),
        ),
    ]),
  templates: [toggle, climate, sleepIn, holiday, guzzler, newName],
  onRefusal(draft, message) {
    draft.ui.flash = message;
  },
});

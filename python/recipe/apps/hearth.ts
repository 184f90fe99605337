// A smart home panel: rooms with devices to switch, heating targets, batteries and routines.
import { added, appKit, button, combobox, defineApp, dialog, find, heading, link, list, listItem } from 'espalier';
import { navigation, need, nextId, page, region, switchButton, tab, text, textbox, z } from 'espalier';

const s = z.string();
const state = z.object({
  rooms: z.array(z.object({ id: s, name: s, target: s })),
  devices: z.array(z.object({ id: s, room: s, name: s, on: z.boolean(), battery: z.int() })),
  routines: z.array(z.object({ id: s, name: s, time: s, enabled: z.boolean() })),
  ui: z.object({
    tab: s,
    room: s,
    device: s,
    adding: z.boolean(),
    name: s,
    time: s,
    toast: s,
    seen: z.array(s),
    knew: z.array(s),
  }),
});
type Home = z.infer<typeof state>;
const { command, gesture, template } = appKit(state);
const byId = z.object({ id: s });
const degrees = Array.from({ length: 13 }, (_, step) => `${16 + step / 2} °C`);
const times = Array.from({ length: 18 }, (_, at) => `${String(at + 5).padStart(2, '0')}:${at % 2 === 0 ? '00' : '30'}`);

const flip = command('switch_device', {
  about: 'Switch a device on or off.',
  input: byId,
  run: ({ devices }, { id }) => void (need(devices, id, 'device').on = !need(devices, id, 'device').on),
});
const heat = command('set_target', {
  about: 'Set the target temperature of a room.',
  input: z.object({ id: s, value: z.enum(degrees as [string, ...string[]]) }),
  run(draft, { id, value }) {
    need(draft.rooms, id, 'room').target = value;
    draft.ui.knew = [...draft.ui.seen];
  },
});
const arm = command('toggle_routine', {
  about: 'Enable or pause a routine.',
  input: byId,
  run: ({ routines }, { id }) => void (need(routines, id, 'routine').enabled = !find(routines, id)?.enabled),
});
const addRoutine = command('add_routine', {
  about: 'Add a routine that starts at a time.',
  input: z.object({ name: s.trim().min(1, 'A routine needs a name.'), time: s.min(1, 'Pick a time.') }),
  run(draft, { name, time }) {
    draft.routines.push({ id: nextId(draft.routines, 'q'), name, time, enabled: true });
    Object.assign(draft.ui, { adding: false, name: '', time: '', toast: 'Routine added.' });
  },
});
const go = gesture('go', {
  about: 'Go to a screen.',
  input: z.object({ tab: s, room: s, device: s, adding: z.boolean() }),
  run(draft, input) {
    if (input.room !== '' && !draft.ui.seen.includes(input.room)) draft.ui.seen.push(input.room);
    Object.assign(draft.ui, input, { toast: '', name: '', time: '' });
  },
});
const write = gesture('write', {
  about: 'Fill in the new routine.',
  input: z.object({ field: z.enum(['name', 'time']), value: s.max(50) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});
const to = (tab: string, room = '', device = '', adding = false) => go.with({ tab, room, device, adding });

function body({ rooms, devices, routines, ui }: Home) {
  const room = find(rooms, ui.room);
  const device = find(devices, ui.device);
  if (ui.adding)
    return dialog('New routine', [
      textbox('What is it called?', ui.name, { enter: write.entering({ field: 'name' }) }),
      combobox('Starts at', ui.time, { enter: write.entering({ field: 'time' }), options: times }),
      button('Add routine', addRoutine.with({ name: ui.name, time: ui.time })),
      button('Never mind', to('routines')),
    ]);
  if (ui.tab === 'routines')
    return region('Routines', [
      button('+ Routine', to('routines', '', '', true)),
      list(
        'Every day',
        routines.map(({ id, name, time, enabled }) =>
          listItem(`${name}, ${time}`, [switchButton(`Run ${name}`, enabled, arm.with({ id }))]),
        ),
      ),
    ]);
  if (device !== undefined)
    return region('Device info', [
      link('‹ back to room', to('home', device.room)),
      heading(device.name),
      text(`Battery: ${device.battery} %`),
      text(`Power: ${device.on ? 'on' : 'off'}`),
    ]);
  if (room !== undefined)
    return region(room.name, [
      link('‹ all rooms', to('home')),
      combobox('Heat to', room.target, { enter: heat.entering({ id: room.id }), options: degrees }),
      list(
        'In this room',
        devices
          .filter(item => item.room === room.id)
          .map(({ id, name, on }) =>
            listItem(name, [switchButton(name, on, flip.with({ id })), link(`About ${name}`, to('home', room.id, id))]),
          ),
      ),
    ]);
  return list(
    'Rooms',
    rooms.map(({ id, name }) => link(name, to('home', id))),
    { shuffle: true },
  );
}

const say = (which: number, forms: string[]) => forms[which % forms.length] ?? '';
const roomNames =
  'Attic,Cellar,Nursery,Kitchen,Hallway,Study,Pantry,Guest room,Sunroom,Den,Laundry,Workshop,Music room'.split(',');
const kinds = 'lamp,blind,fan,speaker,humidifier,plug,radiator valve,night light,camera'.split(',');
const makes = 'Lumo,Brisk,Tindra,Okto,Velle,Hum,Pebble,Norrsken,Fable,Zip'.split(',');
const routineNames = (
  'Wake up,Leave home,Movie night,Water the palms,Siesta,Lights out,Cat feeder,Air the rooms,Homework,Welcome back,' +
  'Coffee on,Night watch,Sauna,Piano hour,Fake presence'
).split(',');

const switchOne = template('switch-device', {
  about: 'Switch a device on or off.',
  split: 'train',
  sample({ devices, rooms }, random) {
    const { id, name, room } = random.pick(devices);
    return { id, name, room: need(rooms, room, 'room').name, on: random.chance(0.5), say: random.between(0, 5) };
  },
  setup: (draft, { id, on }) => void (need(draft.devices, id, 'device').on = !on),
  instruction: ({ name, room, on, say: which }) =>
    say(which, [
      `${name} ${on ? 'on' : 'off'}, please (${room}).`,
      `Could you turn ${on ? 'on' : 'off'} the ${name}? It is in the ${room}.`,
      `${room}: ${name} -> ${on ? 'ON' : 'OFF'}`,
      `I am in bed already. Please switch the ${name} in the ${room} ${on ? 'on' : 'off'} for me.`,
      `Make sure the ${name} in the ${room} is ${on ? 'on' : 'off'}.`,
      on ? `We need the ${name} running in the ${room}.` : `No use for the ${name} in the ${room} now, so kill it.`,
    ]),
  checks: ({ id, on }) => [{ name: 'the device is switched', test: final => find(final.devices, id)?.on === on }],
  allow: ({ id }) => [`/devices/${id}/on`],
});
const sameHeat = template('copy-target', {
  about: 'Heat one room like another.',
  split: 'train',
  sample({ rooms }, random) {
    const [from, into] = random.sample(rooms, 2);
    if (!from || !into || from.target === into.target) return null;
    const { id, name } = into;
    return { id, source: from.id, into: name, from: from.name, target: from.target, say: random.between(0, 5) };
  },
  instruction: ({ into, from, say: which }) =>
    say(which, [
      `Heat the ${into} to the same temperature as the ${from}.`,
      `The ${from} feels just right. Can the ${into} be set to the same?`,
      `Copy the heating target of ${from} to ${into}`,
      `I'd like it as warm in the ${into} as in the ${from}, please.`,
      `${into}: same degrees as ${from}.`,
      `Look what the ${from} is heated to and give the ${into} that setting too.`,
    ]),
  checks: ({ id, target, source }) => [
    { name: 'same target', test: final => find(final.rooms, id)?.target === target },
    { name: 'looked at the other room first', test: final => final.ui.knew.includes(source) },
  ],
  allow: ({ id }) => [`/rooms/${id}/target`],
});
const batteryOf = template('battery-level', {
  about: 'Say how full a battery is.',
  split: 'train',
  sample({ devices, rooms }, random) {
    const { id, name, room } = random.pick(devices);
    return { id, name, room: need(rooms, room, 'room').name, say: random.between(0, 5) };
  },
  instruction: ({ name, room, say: which }) =>
    say(which, [
      `How much battery does the ${name} in the ${room} have left? Just the number.`,
      `Battery of ${name} (${room}), in percent?`,
      `Before I leave: how full is the battery of the ${name}? It hangs in the ${room}.`,
      `Tell me the charge of the ${name} in the ${room} as a number.`,
      `I wonder whether the ${name} in the ${room} lasts the week. What percentage is it at?`,
      `Please look up the battery percentage of ${name}, ${room}.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { devices }) => String(find(devices, id)?.battery),
  shown: ({ ui }, { id }) => ui.device === id && ui.tab === 'home',
});
const newRoutine = template('add-routine', {
  about: 'Add a routine.',
  split: 'train',
  sample({ routines }, random) {
    const name = random.pick(routineNames.filter(item => routines.every(routine => routine.name !== item)));
    return { name, time: random.pick(times), say: random.between(0, 5) };
  },
  instruction: ({ name, time, say: which }) =>
    say(which, [
      `New routine "${name}" at ${time}.`,
      `Can you set up a routine for ${time}? Call it "${name}".`,
      `I want something called "${name}" to start every day at ${time}.`,
      `Add "${name}" to the routines, starting ${time}`,
      `Please create a daily routine, "${name}", for ${time}.`,
      `My days have changed, so we need a "${name}" routine that kicks in at ${time}.`,
    ]),
  checks: ({ name, time }) => [
    {
      name: 'one routine was added',
      test(final, initial) {
        const [made, ...more] = added(initial.routines, final.routines);
        return made?.name === name && made.time === time && made.enabled && more.length === 0;
      },
    },
  ],
  allow: () => ['/routines/+'],
});

export const app = defineApp({
  id: 'hearth',
  title: 'Hearth',
  about: 'A smart home panel: rooms, devices, heating and routines.',
  state,
  init(random) {
    const named = random.sample(roomNames, 6);
    const rooms = named.map((name, at) => ({ id: `r${at + 1}`, name, target: random.pick(degrees) }));
    const names = random.sample(
      makes.flatMap(make => kinds.map(kind => `${make} ${kind}`)),
      18,
    );
    const devices = names.map((name, at) => {
      const { id: room } = random.pick(rooms);
      return { id: `d${at + 1}`, room, name, on: random.chance(0.5), battery: random.between(3, 99) };
    });
    const routines = random
      .sample(routineNames, 6)
      .map((name, at) => ({ id: `q${at + 1}`, name, time: random.pick(times), enabled: random.chance(0.6) }));
    const ui = { tab: 'home', room: '', device: '', adding: false, name: '', time: '', toast: '', seen: [], knew: [] };
    return { rooms, devices, routines, ui };
  },
  commands: [flip, heat, arm, addRoutine, go, write],
  view: home =>
    page('Hearth', [
      navigation('Panel', [tab('Home', to('home')), tab('Routines', to('routines'))]),
      home.ui.toast !== '' && text(home.ui.toast),
      body(home),
    ]),
  templates: [switchOne, sameHeat, batteryOf, newRoutine],
  onRefusal: (draft, message) => void (draft.ui.toast = message),
});

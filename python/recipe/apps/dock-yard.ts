// The gate desk of a freight yard: lorries waiting, loading doors, a slot wizard and a list of hauliers.
import {
  added,
  alert,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  refuse,
  remove,
  row,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const s = z.string();
const lorry = z.object({ id: s, plate: s, haulier: s, cargo: s, door: s });
const door = z.object({ id: s, name: s, closed: z.boolean() });
const slot = z.object({ id: s, haulier: s, hour: s, pallets: s });
const firm = z.object({ id: s, name: s, phone: s, usual: s });
const desks = ['GATE', 'DOORS', 'SLOTS', 'HAULIERS'] as const;
const state = z.object({
  lorries: z.array(lorry),
  doors: z.array(door),
  slots: z.array(slot),
  firms: z.array(firm),
  ui: z.object({ at: z.enum(desks), lorry: s, firm: s, step: z.int(), haulier: s, hour: s, pallets: s, message: s }),
});
type Yard = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const say = (n: number, ...ways: string[]) => ways[n % ways.length] ?? '';

const heads = ['Nordic', 'Baltic', 'Alpine', 'Delta', 'Falcon', 'Orient', 'Severn', 'Tundra', 'Polder', 'Iberia'];
const tails = ['Haulage', 'Freight', 'Cargo', 'Trucking', 'Lines'];
const cargos = ['frozen fish', 'tyres', 'cut flowers', 'paint', 'timber', 'water', 'cement', 'bananas', 'steel coil'];
const hours = ['06:00', '07:30', '09:00', '10:30', '12:00', '13:30', '15:00', '16:30'];
const blank = { lorry: '', firm: '', step: 0, haulier: '', hour: '', pallets: '', message: '' };

const send = command('send_to_door', {
  about: 'Send a waiting lorry to a door.',
  input: z.object({ id: s, door: s }),
  run(draft, { id, door: to }) {
    if (need(draft.doors, to, 'door').closed) refuse('That door is out of service.');
    if (draft.lorries.some(other => other.door === to)) refuse('That door is taken.');
    need(draft.lorries, id, 'lorry').door = to;
    Object.assign(draft.ui, blank, { message: 'Lorry called to its door.' });
  },
});
const close = command('close_door', {
  about: 'Take a door out of service, or open it again.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    need(draft.doors, id, 'door').closed = !find(draft.doors, id)?.closed;
  },
});
const book = command('book_slot', {
  about: 'Book a slot of an hour for a haulier.',
  input: z.object({ haulier: s.min(1), hour: s.min(1), pallets: s.min(1, 'how many pallets?') }),
  run(draft, input) {
    draft.slots.push({ id: nextId(draft.slots, 's'), ...input });
    Object.assign(draft.ui, blank, { message: 'Slot booked.' });
  },
});
const drop = command('drop_slot', {
  about: 'Give a booked slot free.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    remove(draft.slots, need(draft.slots, id, 'slot').id);
  },
});
const overview = query('yard_overview', {
  about: 'Everything in the yard.',
  input: z.object({}),
  run: ({ lorries, doors, slots, firms }) => ({ lorries, doors, slots, firms }),
});
const go = gesture('go_to', {
  about: 'Change the screen.',
  input: z.object({ at: z.enum(desks) }),
  run(draft, { at }) {
    Object.assign(draft.ui, blank, { at });
  },
});
const put = gesture('put', {
  about: 'Set something on the screen: the lorry being called, the haulier looked at, a page or a field of the wizard.',
  input: z.object({ field: z.enum(['lorry', 'firm', 'haulier', 'hour', 'pallets']), value: s.max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const step = gesture('wizard_step', {
  about: 'Go to a step of the wizard.',
  input: z.object({ to: z.int().min(0).max(3) }),
  run(draft, { to }) {
    if ([draft.ui.haulier, draft.ui.hour].slice(0, Math.max(0, to - 1)).includes('')) refuse('Choose one first.');
    Object.assign(draft.ui, { step: to, message: '' });
  },
});

function body({ lorries, doors, slots, firms, ui }: Yard) {
  const firmShown = find(firms, ui.firm);
  if (ui.at === 'GATE')
    return list(
      'Waiting at the gate',
      lorries
        .filter(it => it.door === '')
        .map(({ id, plate, haulier, cargo }) =>
          listItem(`${plate}, ${haulier}, ${cargo}`, [
            button(`Call ${plate}`, put.with({ field: 'lorry', value: id })),
          ]),
        ),
    );
  if (ui.at === 'DOORS')
    return table(
      'Loading doors',
      doors.map(({ id, name, closed }) =>
        row(name, [
          cell(name),
          cell(lorries.find(other => other.door === id)?.plate ?? 'empty'),
          switchButton(`${name} out of service`, closed, close.with({ id })),
        ]),
      ),
    );
  if (ui.at === 'SLOTS')
    return list('Slots for tomorrow', [
      button('＋ New slot', step.with({ to: 1 })),
      ...slots.map(({ id, haulier, hour, pallets }) =>
        listItem(`${hour} ${haulier}, ${pallets} pallets`, [button(`Free ${hour} ${haulier}`, drop.with({ id }))]),
      ),
    ]);
  return list(
    'Hauliers',
    firmShown === undefined
      ? firms.map(({ id, name }) => link(name, put.with({ field: 'firm', value: id })))
      : [heading(firmShown.name), text(`Dispatcher: ${firmShown.phone}`), text(`Usual hour: ${firmShown.usual}`)],
  );
}

function view(yard: Yard) {
  const { lorries, doors, firms, ui } = yard;
  const called = find(lorries, ui.lorry);
  if (called !== undefined)
    return page('Yard desk', [
      dialog(`Which door for ${called.plate}?`, [
        ui.message !== '' && alert(ui.message),
        text(`Carries ${called.cargo}`),
        ...doors.map(({ id, name }) => button(name, send.with({ id: called.id, door: id }))),
        button('Never mind', put.with({ field: 'lorry', value: '' })),
      ]),
    ]);
  const names = firms.map(({ name }) => name);
  if (ui.step > 0)
    return page('Yard desk', [
      dialog(`New slot, step ${ui.step} of 3`, [
        ui.message !== '' && alert(ui.message),
        ui.step === 1 && combobox('Haulier', ui.haulier, { enter: put.entering({ field: 'haulier' }), options: names }),
        ui.step === 2 && combobox('Hour', ui.hour, { enter: put.entering({ field: 'hour' }), options: hours }),
        ui.step === 3 && textbox('Pallets', ui.pallets, { enter: put.entering({ field: 'pallets' }) }),
        ui.step < 3 && button('Continue', step.with({ to: ui.step + 1 })),
        ui.step === 3 && button('Book it', book.with({ haulier: ui.haulier, hour: ui.hour, pallets: ui.pallets })),
        button('Abandon', step.with({ to: 0 })),
      ]),
    ]);
  return page('Yard desk', [
    navigation(
      'Desk',
      desks.map(at => link(at, go.with({ at }))),
    ),
    ui.message !== '' && alert(ui.message),
    body(yard),
  ]);
}

const callLorry = template('call-lorry', {
  about: 'Send the lorry with a cargo to a named door.',
  split: 'train',
  sample({ lorries, doors }, random) {
    const { id, cargo, plate } = random.pick(lorries.filter(it => it.door === ''));
    const free = doors.filter(it => !it.closed && lorries.every(other => other.door !== it.id));
    if (free.length === 0) return null;
    const to = random.pick(free);
    return { id, cargo, plate, to: to.id, name: to.name, n: random.between(0, 5) };
  },
  instruction: ({ n, cargo, plate, name }) =>
    say(
      n,
      `${plate} to ${name}.`,
      `Call the lorry with the ${cargo} to ${name}.`,
      `Whoever brings the ${cargo} can go to ${name} now.`,
      `${name} is ready. Please send ${plate} there.`,
      `Could you get ${plate} off the gate and onto ${name}? Thanks.`,
      `We need the ${cargo} unloaded at ${name} before lunch, so call that driver in.`,
    ),
  checks: ({ id, to, name }) => [{ name: `it is at ${name}`, test: final => find(final.lorries, id)?.door === to }],
  allow: ({ id }) => [`/lorries/${id}/door`],
});
const bookSlot = template('book-usual-hour', {
  about: 'Book a slot with the wizard at the usual hour of the haulier, and say which it is.',
  split: 'train',
  sample({ firms }, random) {
    const { id, name, usual } = random.pick(firms);
    return { id, name, usual, pallets: `${random.between(3, 33)}`, n: random.between(0, 5) };
  },
  instruction: ({ n, name, pallets }) =>
    say(
      n,
      `Book ${name}, ${pallets} pallets, at their usual hour. Which hour is that?`,
      `${name} rang: ${pallets} pallets tomorrow, same hour as always. Book a slot and tell me the hour.`,
      `What is the usual hour of ${name}? Reserve it for them, ${pallets} pallets.`,
      `There are ${pallets} pallets coming with ${name}. Book the hour noted with the hauliers, and tell me when.`,
      `Please make a slot for ${name} (${pallets} pallets) at the hour they usually have, then let me know the hour.`,
      `I must tell the crew when ${name} comes. Book their usual hour for ${pallets} pallets and answer with the hour.`,
    ),
  checks: ({ name, usual, pallets }) => [
    {
      name: 'one slot was booked as told',
      test(final, initial) {
        const [made, ...more] = added(initial.slots, final.slots);
        return made?.haulier === name && made.hour === usual && made.pallets === pallets && more.length === 0;
      },
    },
  ],
  allow: () => ['/slots/+'],
  answer: ({ usual }) => usual,
  shown: ({ ui }, { id }) => ui.at === 'HAULIERS' && ui.firm === id,
});
const shutDoor = template('shut-and-free', {
  about: 'Take a door out of service and free a slot.',
  split: 'train',
  sample({ doors, slots }, random) {
    const { id, name } = random.pick(doors);
    const gone = random.pick(slots);
    return { id, name, slot: gone.id, haulier: gone.haulier, hour: gone.hour, n: random.between(0, 5) };
  },
  setup(draft, { id }) {
    need(draft.doors, id, 'door').closed = false;
  },
  instruction: ({ n, name, haulier, hour }) =>
    say(
      n,
      `${name} out of service; free the ${hour} slot of ${haulier}.`,
      `The ramp at ${name} is broken, take it out of service. And ${haulier} can't come at ${hour}, so free that slot.`,
      `Two things: ${haulier} cancelled ${hour} tomorrow, and ${name} must not be used until it is mended.`,
      `Please give the ${hour} slot of ${haulier} free and mark ${name} as out of service.`,
      `Because of the repairs at ${name} it is closed now. ${haulier} at ${hour} falls through as well.`,
      `Could you shut ${name} and drop ${haulier}'s booking for ${hour}?`,
    ),
  checks: ({ id, name, slot: gone }) => [
    { name: `${name} is out of service`, test: final => find(final.doors, id)?.closed === true },
    { name: 'the slot is free', test: final => find(final.slots, gone) === undefined },
  ],
  allow: ({ id, slot: gone }) => [`/doors/${id}/closed`, `/slots/${gone}`],
});
const askPhone = template('dispatcher-phone', {
  about: 'Say the number of the dispatcher of a haulier.',
  split: 'train',
  sample: ({ firms }, random) => ({ ...random.pick(firms), n: random.between(0, 5) }),
  instruction: ({ n, name }) =>
    say(
      n,
      `Dispatcher's number at ${name}?`,
      `How do I reach the dispatcher of ${name}? I need the number.`,
      `I have to ring ${name}. Which number?`,
      `Give me the phone number of ${name}, please.`,
      `${name} is late again and I want to call their dispatcher; what is the number?`,
      `Find the telephone of ${name}.`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ phone }) => phone,
  shown: ({ ui }, { id }) => ui.at === 'HAULIERS' && ui.firm === id,
});

export const app = defineApp({
  id: 'dock-yard',
  title: 'Yard desk',
  about: 'The gate desk of a freight yard.',
  state,
  init(random) {
    const names = random.sample(
      heads.flatMap(head => tails.map(tail => `${head} ${tail}`)),
      10,
    );
    const letters = () => random.sample([...'ABCDEFGHKLMNPRSTVXYZ'], 3).join('');
    const firms = names.map((name, index) => ({
      id: `f${index}`,
      name,
      phone: `0${random.between(20, 89)}-${random.between(100, 999)}`,
      usual: random.pick(hours),
    }));
    const doors = random
      .sample([...'ABCDEFGHJK'], 8)
      .sort()
      .map((letter, index) => ({
        id: `d${index}`,
        name: `Door ${letter}${random.between(1, 9)}`,
        closed: random.chance(0.15),
      }));
    const open = doors.filter(it => !it.closed).slice(0, 2);
    const lorries = random.shuffle(cargos).map((cargo, index) => ({
      id: `l${index}`,
      plate: `${letters()} ${random.between(100, 999)}`,
      haulier: random.pick(names),
      cargo,
      door: open[index]?.id ?? '',
    }));
    const slots = random.sample(names, 6).map((haulier, index) => ({
      id: `s${index + 1}`,
      haulier,
      hour: random.pick(hours),
      pallets: `${random.between(3, 33)}`,
    }));
    return { lorries, doors, slots, firms, ui: { at: 'GATE' as const, ...blank } };
  },
  commands: [send, close, book, drop, overview, go, put, step],
  view,
  templates: [callLorry, bookSlot, shutDoor, askPhone],
  onRefusal(draft, message) {
    draft.ui.message = message;
  },
});

// A week of rehearsal rooms: tabs by weekday, a slip for each session, and a booking wizard in three steps.
import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  find,
  form,
  heading,
  list,
  listItem,
  need,
  nextId,
} from 'espalier';
import { page, radio, refuse, region, remove, status, tab, text, textbox, toolbar, z } from 'espalier';

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const hours = ['09:00', '11:00', '13:00', '15:00', '17:00', '19:00'];
const rooms = ['Attic', 'Cellar', 'Mirror Hall', 'Blue Room'];
const slot = z.object({
  id: z.string(),
  group: z.string(),
  day: z.string(),
  hour: z.string(),
  room: z.string(),
  confirmed: z.boolean(),
});
const state = z.object({
  slots: z.array(slot),
  groups: z.array(z.object({ id: z.string(), name: z.string(), leader: z.string(), phone: z.string() })),
  ui: z.object({
    day: z.string(),
    open: z.string(),
    step: z.int(),
    group: z.string(),
    hour: z.string(),
    room: z.string(),
    note: z.string(),
  }),
});
type Week = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const shut = { open: '', step: 0, group: '', hour: '', room: '' };

const confirm = command('confirm_session', {
  about: 'Confirm a session, or take the confirmation back.',
  input: z.object({ id: z.string(), confirmed: z.boolean() }),
  run: (draft, { id, confirmed }) => void Object.assign(need(draft.slots, id, 'session'), { confirmed }),
});
const shift = command('shift_session', {
  about: 'Move a session to another hour of its day.',
  input: z.object({ id: z.string(), value: z.string() }),
  run: (draft, { id, value }) => void Object.assign(need(draft.slots, id, 'session'), { hour: value }),
});
const cancel = command('cancel_session', {
  about: 'Cancel a session.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    remove(draft.slots, id);
    Object.assign(draft.ui, shut, { note: 'Session cancelled.' });
  },
});
const book = command('book_session', {
  about: 'Book a room for a group.',
  input: z.object({ group: z.string().trim().min(1, 'who?'), day: z.string(), hour: z.string(), room: z.string() }),
  run(draft, input) {
    if (input.hour === '' || input.room === '') refuse('Choose an hour and a room.');
    draft.slots.push({ id: nextId(draft.slots, 's'), ...input, confirmed: false });
    Object.assign(draft.ui, shut, { note: `${input.group} is booked.` });
  },
});
const listWeek = query('list_week', { about: 'List the sessions.', input: z.object({}), run: ({ slots }) => slots });
const pickDay = gesture('pick_day', {
  about: 'Show a day, or the address book.',
  input: z.object({ day: z.string() }),
  run: (draft, { day }) => void Object.assign(draft.ui, shut, { day, note: '' }),
});
const open = gesture('open_slip', {
  about: 'Open the slip of a session.',
  input: z.object({ open: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, input, { note: '' }),
});
const step = gesture('go_to_step', {
  about: 'Go to a step of the booking.',
  input: z.object({ step: z.int() }),
  run: (draft, input) => void Object.assign(draft.ui, input, { note: '' }),
});
const choose = gesture('choose', {
  about: 'Choose something for the booking.',
  input: z.object({ field: z.enum(['group', 'hour', 'room']), value: z.string().max(60) }),
  run: (draft, { field, value }) => void Object.assign(draft.ui, { [field]: value }),
});

const wizard = ({ ui: { day, step: at, group, hour, room } }: Week) =>
  form(`Book a room on ${day}: step ${at} of 3`, [
    at === 1 && textbox('Which group?', group, { enter: choose.entering({ field: 'group' }) }),
    ...(at === 2 ? hours.map(it => radio(it, it === hour, choose.with({ field: 'hour', value: it }))) : []),
    ...(at === 3 ? rooms.map(it => radio(it, it === room, choose.with({ field: 'room', value: it }))) : []),
    at > 1 && button('‹ Back', step.with({ step: at - 1 })),
    at < 3 && button('Continue ›', step.with({ step: at + 1 })),
    at === 3 && button('Book it', book.with({ group, day, hour, room })),
    button('Never mind', step.with({ step: 0 })),
  ]);
const agenda = ({ slots, ui }: Week) =>
  rooms.map(room => {
    const inside = slots.filter(it => it.day === ui.day && it.room === room).sort((a, b) => (a.hour < b.hour ? -1 : 1));
    return list(
      room,
      inside.map(({ id, group, hour, confirmed }) =>
        listItem(`${hour} ${confirmed ? 'firm' : 'tentative'}`, [button(group, open.with({ open: id }))]),
      ),
    );
  });
const slip = ({ id, group, day, hour, room, confirmed }: z.infer<typeof slot>) =>
  region('Slip', [
    heading(group),
    text(`${day}, ${room}`),
    combobox('Starts at', hour, { enter: shift.entering({ id }), options: hours }),
    status(confirmed ? 'Firm' : 'Tentative'),
    button(confirmed ? 'Make tentative' : 'Make firm', confirm.with({ id, confirmed: !confirmed })),
    button('Cancel session', cancel.with({ id })),
    button('Close slip', open.with({ open: '' })),
  ]);

const names = (
  'The Low Notes|Brass Foxes|Cantata Club|Duo Marisol|Elm Street Choir|Five Past Nine|Gravel Band|Harp Circle|' +
  'Ink and Oboe|Jazz Juniors|Kettle Drummers|Lark Quartet|Moth Theatre|Nine Tenors|Opal Strings|Piccolo Gang'
).split('|');
const leaders = 'Anouk|Bertil|Chiara|Dov|Esme|Farid|Greta|Hiro|Ilse|Jonas|Kaya|Luz|Milan|Nadja|Oskar|Pia'.split('|');
const say = (turn: number, ...forms: string[]): string => forms[turn % forms.length] ?? '';

const shiftOne = template('shift-session', {
  about: 'Move the session of a group to another hour.',
  split: 'train',
  sample({ slots }, random) {
    const { id, group, day, hour } = random.pick(slots);
    return { id, group, day, to: random.pick(hours.filter(it => it !== hour)), turn: random.between(0, 5) };
  },
  instruction: ({ group, day, to, turn }) =>
    say(
      turn,
      `${group} (${day}): start at ${to} instead.`,
      `Please shift the ${day} session of ${group} to ${to}.`,
      `${group} called. They can't make it on time on ${day}, ${to} would suit them. Change it?`,
      `On ${day}, ${group} should begin at ${to}.`,
      `There was a mix-up with ${group}: the slip for ${day} must say ${to}.`,
      `Since the caretaker comes on ${day}, let ${group} start at ${to}, same room.`,
    ),
  checks: ({ id, to }) => [{ name: `it starts at ${to}`, test: end => find(end.slots, id)?.hour === to }],
  allow: ({ id }) => [`/slots/${id}/hour`],
});

const bookOne = template('book-room', {
  about: 'Book a room on a day and hour for a group.',
  split: 'train',
  sample: ({ groups }, random) => ({
    group: random.pick(groups).name,
    day: random.pick(days),
    hour: random.pick(hours),
    room: random.pick(rooms),
    turn: random.between(0, 5),
  }),
  instruction: ({ group, day, hour, room, turn }) =>
    say(
      turn,
      `Book the ${room} on ${day} at ${hour} for ${group}.`,
      `${group} / ${day} / ${hour} / ${room}, new booking please`,
      `Could you find ${group} a place? They asked for the ${room}, ${day}, ${hour}.`,
      `${group} has a concert coming up and wants one more rehearsal: ${day} ${hour} in the ${room}.`,
      `I promised ${group} the ${room} for ${day}, ${hour}. Enter it so nobody else takes it.`,
      `Add a session on ${day}. Group: ${group}. Hour: ${hour}. Room: ${room}.`,
    ),
  checks: ({ group, day, hour, room }) => [
    {
      name: `one new session of ${group}`,
      test(end, start) {
        const [made, ...more] = added(start.slots, end.slots);
        if (made === undefined || more.length > 0 || made.confirmed) return false;
        return made.group === group && made.day === day && made.hour === hour && made.room === room;
      },
    },
  ],
  allow: () => ['/slots/+'],
});

const callLeader = template('phone-of-session', {
  about: 'Find the phone number of the group that has a room at some time.',
  split: 'train',
  sample({ slots }, random) {
    const { id, group, day, hour, room } = random.pick(slots);
    const alone = slots.filter(it => it.day === day && it.hour === hour && it.room === room).length === 1;
    return alone ? { id, group, day, hour, room, turn: random.between(0, 5) } : null;
  },
  instruction: ({ day, hour, room, turn }) =>
    say(
      turn,
      `Which number do I call to reach the group that is in the ${room} on ${day} at ${hour}?`,
      `Somebody left an umbrella: ${room}, ${day} ${hour}. What is the phone number of that group?`,
      `Phone of whoever rehearses ${day} ${hour} in the ${room}?`,
      `I have to warn the people of the ${day} ${hour} session, ${room}. Give me their number from the address book.`,
      `Please tell me the phone number for the booking in the ${room} (${day}, ${hour}).`,
      `The heating in the ${room} is off on ${day}. Who is in there at ${hour}, and what's their number? Number is enough.`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ group }, { groups }) => groups.find(({ name }) => name === group)?.phone ?? '',
  shown: ({ ui }, { day }) => [ui.day === day && ui.open === '' && ui.step === 0, ui.day === 'Contacts'],
});

const firmAndCancel = template('confirm-one-cancel-other', {
  about: 'Confirm one session and cancel another.',
  split: 'train',
  sample({ slots }, random) {
    const [one, two] = random.sample(
      slots.filter(it => !it.confirmed),
      2,
    );
    if (one === undefined || two === undefined) return null;
    return { one: one.id, a: one.group, x: one.day, two: two.id, b: two.group, y: two.day, turn: random.between(0, 5) };
  },
  instruction: ({ a, x, b, y, turn }) =>
    say(
      turn,
      `Make ${a} on ${x} firm and cancel ${b} on ${y}.`,
      `${b} won't come on ${y}, take them out. ${a} said yes for ${x}, so that one is firm now.`,
      `Two calls today: ${a} confirms ${x}; ${b} calls off ${y}. Please update the week.`,
      `${x} ${a}: firm. ${y} ${b}: cancel.`,
      `The singer of ${b} is ill, so their ${y} session is off. Also set ${a} (${x}) from tentative to firm.`,
      `Could you cancel what ${b} has on ${y}, and mark the ${x} rehearsal of ${a} as firm?`,
    ),
  checks: ({ one, two }) => [
    { name: 'one is firm', test: end => find(end.slots, one)?.confirmed === true },
    { name: 'the other is gone', test: end => find(end.slots, two) === undefined },
  ],
  allow: ({ one, two }) => [`/slots/${one}/confirmed`, `/slots/${two}`],
});

export const app = defineApp({
  id: 'studio-week',
  title: 'Rehearsal week',
  about: 'Rooms of a rehearsal house, day by day.',
  state,
  init: random => ({
    slots: random.shuffle(names).map((group, at) => ({
      id: `s${at + 1}`,
      group,
      day: random.pick(days),
      hour: random.pick(hours),
      room: random.pick(rooms),
      confirmed: random.chance(0.4),
    })),
    groups: names.map((name, at) => ({
      id: `g${at + 1}`,
      name,
      leader: leaders[at] ?? '',
      phone: `0${random.between(20, 79)}-${random.between(1000, 9999)}`,
    })),
    ui: { day: 'Mon', note: '', ...shut },
  }),
  commands: [confirm, shift, cancel, book, listWeek, pickDay, open, step, choose],
  view(it) {
    const opened = find(it.slots, it.ui.open);
    const entries = it.groups.map(({ name, leader, phone }) => listItem(name, [text(`${leader}, ${phone}`)]));
    const isDay = it.ui.day !== 'Contacts';
    return page('Rehearsal week', [
      toolbar(
        'Week',
        [...days, 'Contacts'].map(day => tab(day, pickDay.with({ day }), day === it.ui.day ? ['selected'] : [])),
      ),
      it.ui.note !== '' && status(it.ui.note),
      !isDay && list('Address book', entries),
      ...(isDay && it.ui.step === 0 && opened === undefined ? agenda(it) : []),
      isDay && it.ui.step === 0 && opened === undefined && button(`Book on ${it.ui.day}`, step.with({ step: 1 })),
      opened !== undefined && slip(opened),
      isDay && it.ui.step > 0 && wizard(it),
    ]);
  },
  templates: [shiftOne, bookOne, callLeader, firmAndCancel],
  onRefusal: (draft, message) => void Object.assign(draft.ui, { note: message }),
});

import {
  added,
  alert,
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
  find,
  form,
  heading,
  list,
  listItem,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  remove,
  status,
  tab,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

// Rooms of a town hall, let to clubs. Booking is a wizard of three steps.
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const slots = ['09:00', '11:00', '14:00', '16:00', '19:00'];
const clubs = [
  'Chess Circle',
  'Brass Band',
  'Sewing Group',
  'Debating Society',
  'Tango Evening',
  'Model Railway Club',
  'Parents Council',
  'Allotment Holders',
  'Amateur Dramatics',
  'Blood Donors',
  'Astronomy Friends',
  'Reading Mentors',
  'Repair Café',
  'Choir of the Lower Town',
];
const room = z.object({
  id: z.string(),
  name: z.string(),
  seats: z.int(),
  fee: z.int(),
  projector: z.boolean(),
  floor: z.string(),
});
const booking = z.object({
  id: z.string(),
  room: z.string(),
  club: z.string(),
  day: z.string(),
  time: z.string(),
  paid: z.boolean(),
  chairs: z.boolean(),
});
const state = z.object({
  rooms: z.array(room),
  bookings: z.array(booking),
  ui: z.object({
    tab: z.string(),
    day: z.string(),
    open: z.string().nullable(),
    step: z.int(),
    room: z.string(),
    wday: z.string(),
    time: z.string(),
    club: z.string(),
    chairs: z.boolean(),
    say: z.string(),
  }),
});
type Hall = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const isTaken = (bookings: Hall['bookings'], where: string, day: string, time: string) =>
  bookings.some(it => it.room === where && it.day === day && it.time === time);

const book = command('book_room', {
  about: 'Book a room for a club.',
  input: z.object({ room: z.string(), day: z.string(), time: z.string(), club: z.string(), chairs: z.boolean() }),
  run(draft, input) {
    need(draft.rooms, input.room, 'room');
    if (!days.includes(input.day) || !slots.includes(input.time)) refuse('Pick a day and a time.');
    if (input.club.trim() === '') refuse('Who is booking?');
    if (isTaken(draft.bookings, input.room, input.day, input.time)) refuse('Sorry, that slot is gone.');
    draft.bookings.push({ id: nextId(draft.bookings, 'k'), ...input, club: input.club.trim(), paid: false });
    Object.assign(draft.ui, {
      tab: 'Week',
      day: input.day,
      step: 1,
      room: '',
      wday: '',
      time: '',
      club: '',
      chairs: false,
      say: 'Booked!',
    });
  },
});
const cancel = command('cancel_booking', {
  about: 'Cancel a booking.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.bookings, id, 'booking');
    remove(draft.bookings, id);
    Object.assign(draft.ui, { open: null, say: 'Cancelled.' });
  },
});
const pay = command('toggle_paid', {
  about: 'Tick or untick that a booking is paid.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.bookings, id, 'booking');
    it.paid = !it.paid;
  },
});
const shift = command('change_time', {
  about: 'Move a booking to another time of the same day.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.bookings, id, 'booking');
    if (!slots.includes(value)) refuse('There is no such slot.');
    if (isTaken(draft.bookings, it.room, it.day, value)) refuse('The room is taken then.');
    it.time = value;
  },
});
const listBookings = query('list_bookings', {
  about: 'List bookings of a day with room names.',
  input: z.object({ day: z.string() }),
  run: ({ bookings, rooms }, { day }) =>
    bookings.filter(it => it.day === day).map(it => ({ ...it, roomName: find(rooms, it.room)?.name ?? '' })),
});
const showTab = gesture('show_tab', {
  about: 'Change the tab.',
  input: z.object({ tab: z.string() }),
  run(draft, input) {
    Object.assign(draft.ui, { tab: input.tab, open: null, step: 1, say: '' });
  },
});
const pickDay = gesture('pick_day', {
  about: 'Show another day.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    Object.assign(draft.ui, { day: value, open: null, say: '' });
  },
});
const unfold = gesture('unfold', {
  about: 'Unfold a booking or a room.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { open: id, say: '' });
  },
});
const choose = gesture('choose', {
  about: 'Choose something in the wizard.',
  input: z.object({ field: z.enum(['room', 'wday', 'time', 'club']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const wantChairs = gesture('want_chairs', {
  about: 'Ask for chairs to be set up, or not.',
  input: z.object({}),
  run(draft) {
    draft.ui.chairs = !draft.ui.chairs;
  },
});
const stepTo = gesture('step_to', {
  about: 'Go to a step of the wizard.',
  input: z.object({ step: z.int() }),
  run(draft, { step }) {
    if (step >= 2 && draft.ui.room === '') refuse('Choose a room first.');
    if (step >= 3 && (draft.ui.wday === '' || draft.ui.time === '')) refuse('Choose a day and a time first.');
    Object.assign(draft.ui, { step, say: '' });
  },
});

const week = ({ bookings, rooms, ui }: Hall) => [
  combobox('Day', ui.day, { enter: pickDay.entering({}), options: days }),
  list(
    `Bookings on ${ui.day}`,
    bookings
      .filter(({ day }) => day === ui.day)
      .map(it =>
        listItem(
          `${it.time} ${it.club}`,
          ui.open === it.id
            ? [
                text(`Room: ${find(rooms, it.room)?.name ?? ''}`),
                text(it.chairs ? 'Chairs are set up' : 'No chairs'),
                combobox('Starts', it.time, { enter: shift.entering({ id: it.id }), options: slots }),
                checkbox('Fee paid', it.paid, pay.with({ id: it.id })),
                button('Cancel this booking', cancel.with({ id: it.id })),
                button('Fold', unfold.with({ id: null })),
              ]
            : [button(`${it.time} ${it.club}`, unfold.with({ id: it.id }))],
        ),
      ),
  ),
];
const roomsTab = ({ rooms, ui }: Hall) => [
  region(
    'Our rooms',
    rooms.flatMap(it => [
      button(it.name, unfold.with({ id: ui.open === it.id ? null : it.id }), ui.open === it.id ? ['expanded'] : []),
      ui.open === it.id &&
        text(
          `${it.seats} seats, ${it.floor}, ${it.projector ? 'with projector' : 'no projector'}, ${it.fee} € per slot`,
        ),
    ]),
  ),
];
function wizard({ rooms, ui }: Hall) {
  if (ui.step === 1)
    return [
      form('New booking, step 1 of 3: room', [
        ...rooms.map(it =>
          radio(`${it.name} (${it.seats})`, ui.room === it.id, choose.with({ field: 'room', value: it.id })),
        ),
        button('Next', stepTo.with({ step: 2 })),
      ]),
    ];
  if (ui.step === 2)
    return [
      form('New booking, step 2 of 3: when', [
        combobox('On', ui.wday, { enter: choose.entering({ field: 'wday' }), options: days }),
        combobox('At', ui.time, { enter: choose.entering({ field: 'time' }), options: slots }),
        button('Back', stepTo.with({ step: 1 })),
        button('Next', stepTo.with({ step: 3 })),
      ]),
    ];
  return [
    form('New booking, step 3 of 3: who', [
      status(`${find(rooms, ui.room)?.name ?? ''}, ${ui.wday} ${ui.time}`),
      textbox('Club', ui.club, { enter: choose.entering({ field: 'club' }) }),
      checkbox('Set up chairs', ui.chairs, wantChairs.with({})),
      button('Back', stepTo.with({ step: 2 })),
      button('Book', book.with({ room: ui.room, day: ui.wday, time: ui.time, club: ui.club, chairs: ui.chairs })),
    ]),
  ];
}

const bookTask = template('book-room', {
  about: 'Book a room for a club.',
  split: 'test',
  sample({ rooms, bookings }, random) {
    const { id, name } = random.pick(rooms);
    const wday = random.pick(days);
    const free = slots.filter(time => !isTaken(bookings, id, wday, time));
    if (free.length === 0) return null;
    return { room: id, name, wday, time: random.pick(free), club: random.pick(clubs), chairs: random.chance(0.4) };
  },
  instruction: ({ name, wday, time, club, chairs }) =>
    `Hi! Could you book the ${name} for ${club}? ${wday} at ${time}, ${chairs ? 'and they need chairs set up' : 'no chairs needed'}. Thanks`,
  checks: ({ room: where, wday, time, club, chairs }) => [
    {
      name: 'one booking was made, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.bookings, final.bookings);
        return (
          made?.room === where &&
          made.day === wday &&
          made.time === time &&
          made.club === club &&
          made.chairs === chairs &&
          !made.paid &&
          more.length === 0
        );
      },
    },
  ],
  allow: () => ['/bookings/+'],
});
const cancelTask = template('cancel-club', {
  about: 'Cancel the booking of a club on a day.',
  split: 'test',
  sample({ bookings }, random) {
    const { id, club, day } = random.pick(bookings);
    if (bookings.some(it => it.id !== id && it.club === club && it.day === day)) return null;
    return { id, club, day };
  },
  instruction: ({ club, day }) => `${club} can't make it on ${day}. Take them off the plan.`,
  checks: ({ id }) => [{ name: 'the booking is gone', test: final => find(final.bookings, id) === undefined }],
  allow: ({ id }) => [`/bookings/${id}`],
});
const paidTask = template('fee-came-in', {
  about: 'Tick that a club has paid.',
  split: 'test',
  sample({ bookings }, random) {
    const { id, club, day } = random.pick(bookings);
    if (bookings.some(it => it.id !== id && it.club === club && it.day === day)) return null;
    return { id, club, day };
  },
  setup(draft, { id }) {
    need(draft.bookings, id, 'booking').paid = false;
  },
  instruction: ({ club, day }) => `The money from ${club} for ${day} just arrived`,
  checks: ({ id }) => [{ name: 'the fee is ticked', test: final => find(final.bookings, id)?.paid === true }],
  allow: ({ id }) => [`/bookings/${id}/paid`],
});
const laterTask = template('move-and-pay', {
  about: 'Move a booking to another time and tick the fee.',
  split: 'test',
  sample({ bookings }, random) {
    const { id, club, day, room: where } = random.pick(bookings);
    if (bookings.some(it => it.id !== id && it.club === club && it.day === day)) return null;
    const free = slots.filter(time => !isTaken(bookings, where, day, time));
    if (free.length === 0) return null;
    return { id, club, day, time: random.pick(free) };
  },
  setup(draft, { id }) {
    need(draft.bookings, id, 'booking').paid = false;
  },
  instruction: ({ club, day, time }) =>
    `${club} (${day}) asked to start at ${time} instead. They also paid in cash at the counter, please note both.`,
  checks: ({ id, time }) => [
    { name: 'it starts then', test: final => find(final.bookings, id)?.time === time },
    { name: 'the fee is ticked', test: final => find(final.bookings, id)?.paid === true },
  ],
  allow: ({ id }) => [`/bookings/${id}/time`, `/bookings/${id}/paid`],
});
const feeQuestion = template('what-does-it-cost', {
  about: 'Say what a room costs.',
  split: 'test',
  sample({ rooms }, random) {
    const { id, name } = random.pick(rooms);
    return { id, name };
  },
  instruction: ({ name }) => `How much is the ${name} per slot? Just the number of euros.`,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { rooms }) => String(need(rooms, id, 'room').fee),
  shown: ({ ui }, { id }) => ui.tab === 'Rooms' && ui.open === id,
});

export const app = defineApp({
  id: 'hall',
  title: 'Town hall rooms',
  about: 'Rooms of the town hall and who has booked them this week.',
  state,
  init(random) {
    const names = random.shuffle([
      'Small Hall',
      'Great Hall',
      'Council Chamber',
      'Tower Room',
      'Garden Room',
      'Cellar Vault',
      'Wedding Parlour',
      'Attic Studio',
    ]);
    const fees = random.sample(
      Array.from({ length: 40 }, (_, index) => 15 + index * 3),
      names.length,
    );
    const rooms = names.map((name, index) => ({
      id: `r${index + 1}`,
      name,
      seats: random.between(2, 20) * 10,
      fee: fees[index] as number,
      projector: random.chance(0.5),
      floor: random.pick(['ground floor', 'first floor', 'second floor', 'basement']),
    }));
    const places = random.sample(
      rooms.flatMap(({ id }) => days.flatMap(day => slots.map(time => ({ room: id, day, time })))),
      30,
    );
    return {
      rooms,
      bookings: places.map((place, index) => ({
        id: `k${index + 1}`,
        ...place,
        club: random.pick(clubs),
        paid: random.chance(0.5),
        chairs: random.chance(0.5),
      })),
      ui: {
        tab: 'Week',
        day: 'Monday',
        open: null,
        step: 1,
        room: '',
        wday: '',
        time: '',
        club: '',
        chairs: false,
        say: '',
      },
    };
  },
  commands: [book, cancel, pay, shift, listBookings, showTab, pickDay, unfold, choose, wantChairs, stepTo],
  view: hall =>
    page('Town hall rooms', [
      toolbar(
        'Sections',
        ['Week', 'Rooms', 'New booking'].map(name =>
          tab(name, showTab.with({ tab: name }), hall.ui.tab === name ? ['selected'] : []),
        ),
      ),
      hall.ui.say !== '' && alert(hall.ui.say),
      heading(hall.ui.tab),
      ...(hall.ui.tab === 'Week' ? week(hall) : hall.ui.tab === 'Rooms' ? roomsTab(hall) : wizard(hall)),
    ]),
  templates: [bookTask, cancelTask, paidTask, laterTask, feeQuestion],
  onRefusal(draft, message) {
    draft.ui.say = message;
  },
});

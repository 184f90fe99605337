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
  navigation,
  need,
  nextId,
  page,
  paginate,
  radio,
  refuse,
  region,
  row,
  status,
  switchButton,
  table,
  text,
  z,
} from 'espalier';

// One flight at one gate, half an hour before it leaves.
const rows = [4, 5, 6, 7, 8, 9, 10, 11, 12];
const letters = ['A', 'C', 'D', 'F'];
const seats = rows.flatMap(number => letters.map(letter => `${number}${letter}`));
const onward = ['none', 'Oslo', 'Bergen', 'Tromsø', 'Turku', 'Tallinn'];
const causes = ['late inbound aircraft', 'de-icing', 'crew rest', 'slot restriction', 'missing passenger'];
const newTimes = ['17:50', '18:05', '18:20', '18:35', '18:50', '19:15'];

const passenger = z.object({
  id: z.string(),
  name: z.string(),
  seat: z.string(),
  onward: z.string(),
  bags: z.int(),
  aboard: z.boolean(),
  escort: z.boolean(),
  listed: z.string(),
});
const call = z.object({ id: z.string(), cause: z.string(), until: z.string(), refreshments: z.boolean() });
const state = z.object({
  flight: z.object({ number: z.string(), boarding: z.boolean() }),
  passengers: z.array(passenger),
  announcements: z.array(call),
  ui: z.object({
    desk: z.enum(['start', 'manifest', 'standby', 'speaker']),
    show: z.enum(['everyone', 'still to board', 'with onward flight']),
    leaf: z.int(),
    who: z.string().nullable(),
    cause: z.string(),
    until: z.string(),
    refreshments: z.boolean(),
    trouble: z.string(),
  }),
});
type Gate = z.infer<typeof state>;
type Passenger = z.infer<typeof passenger>;
const { command, gesture, query, template } = appKit(state);
const one = z.object({ id: z.string() });

const freeSeats = ({ passengers }: Gate) => seats.filter(seat => passengers.every(item => item.seat !== seat));

const setBoarding = command('set_boarding', {
  about: 'Pause boarding, or let it go on.',
  input: z.object({ open: z.boolean() }),
  run(draft, { open }) {
    draft.flight.boarding = open;
    draft.ui.trouble = '';
  },
});
const board = command('board_passenger', {
  about: 'Scan the pass of a passenger who goes aboard.',
  input: one,
  run(draft, { id }) {
    if (!draft.flight.boarding) refuse('Boarding is paused.');
    const guest = need(draft.passengers, id, 'passenger');
    if (guest.seat === '') refuse(`${guest.name} has no seat.`);
    guest.aboard = true;
  },
});
const seatAt = command('seat_at', {
  about: 'Give a passenger a free seat.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!freeSeats(draft).includes(value)) refuse(`Seat ${value} is not free.`);
    need(draft.passengers, id, 'passenger').seat = value;
  },
});
const setEscort = command('set_escort', {
  about: 'Ask for somebody who brings a passenger to the next flight, or do without.',
  input: z.object({ id: z.string(), wanted: z.boolean() }),
  run(draft, { id, wanted }) {
    need(draft.passengers, id, 'passenger').escort = wanted;
  },
});
const announce = command('announce_delay', {
  about: 'Announce a delay: cause, new time, and whether refreshments are served.',
  input: z.object({ cause: z.string(), until: z.string(), refreshments: z.boolean() }),
  run(draft, { cause, until, refreshments }) {
    if (cause === '' || until === '') refuse('Cause and new time are needed.');
    draft.announcements.push({ id: nextId(draft.announcements, 'a'), cause, until, refreshments });
    Object.assign(draft.ui, { cause: '', until: '', refreshments: false, trouble: '' });
  },
});
const manifest = query('manifest', {
  about: 'Everybody on the flight, and the seats that are free.',
  input: z.object({}),
  run: gate => ({ passengers: gate.passengers, free: freeSeats(gate) }),
});
const step = gesture('step_to', {
  about: 'Step to another part of the desk.',
  input: z.object({ desk: z.enum(['start', 'manifest', 'standby', 'speaker']) }),
  run(draft, { desk }) {
    Object.assign(draft.ui, { desk, who: null, leaf: 1, trouble: '' });
  },
});
const sift = gesture('sift', {
  about: 'Show some of the passengers only.',
  input: z.object({ show: z.enum(['everyone', 'still to board', 'with onward flight']) }),
  run(draft, { show }) {
    Object.assign(draft.ui, { show, leaf: 1 });
  },
});
const leafTo = gesture('leaf_to', {
  about: 'Leaf through the manifest.',
  input: z.object({ leaf: z.int() }),
  run(draft, { leaf }) {
    draft.ui.leaf = leaf;
  },
});
const single = gesture('single_out', {
  about: 'Look at one passenger, or close the record.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { who: id, trouble: '' });
  },
});
const say = gesture('word_announcement', {
  about: 'Choose words of the announcement.',
  input: z.object({ field: z.enum(['cause', 'until']), value: z.string() }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const offer = gesture('offer_refreshments', {
  about: 'Say whether refreshments are mentioned.',
  input: z.object({ wanted: z.boolean() }),
  run(draft, { wanted }) {
    draft.ui.refreshments = wanted;
  },
});

function recordOf(gate: Gate, guest: Passenger) {
  const { id } = guest;
  return region('Passenger record', [
    heading(guest.name),
    text(guest.seat === '' ? `Standby, listed ${guest.listed}` : `Sits in ${guest.seat}`),
    text(`Onward flight: ${guest.onward}`),
    text(`Checked bags: ${guest.bags}`),
    status(guest.aboard ? 'Aboard' : 'In the lounge'),
    combobox('Seat', guest.seat, { enter: seatAt.entering({ id }), options: freeSeats(gate) }),
    checkbox('Escort to next flight', guest.escort, setEscort.with({ id, wanted: !guest.escort })),
    !guest.aboard && button('Scan pass', board.with({ id })),
    button('Close record', single.with({ id: null })),
  ]);
}

function manifestOf(gate: Gate) {
  const { show, leaf } = gate.ui;
  const all = gate.passengers.filter(item => {
    if (item.seat === '') return false;
    if (show === 'still to board') return !item.aboard;
    return show === 'everyone' || item.onward !== 'none';
  });
  const shown = paginate(all, leaf, 12);
  return region('Manifest', [
    ...(['everyone', 'still to board', 'with onward flight'] as const).map(item =>
      radio(item, item === show, sift.with({ show: item })),
    ),
    table(
      `${shown.total} passengers`,
      shown.items.map(item =>
        row(item.name, [
          link(item.name, single.with({ id: item.id })),
          cell(item.seat),
          cell(item.aboard ? 'aboard' : 'to board'),
          show === 'with onward flight' && cell(`on to ${item.onward}`),
        ]),
      ),
    ),
    shown.page > 1 && button('Earlier leaf', leafTo.with({ leaf: shown.page - 1 })),
    shown.page < shown.pages && button('Next leaf', leafTo.with({ leaf: shown.page + 1 })),
  ]);
}

function deskOf(gate: Gate) {
  const { ui, announcements } = gate;
  if (ui.desk === 'manifest') return manifestOf(gate);
  if (ui.desk === 'standby')
    return table(
      'Standby',
      gate.passengers
        .filter(item => item.seat === '')
        .map(item => row(item.name, [link(item.name, single.with({ id: item.id })), cell(`listed ${item.listed}`)])),
    );
  if (ui.desk === 'start') return text('Choose a part of the desk.');
  const { cause, until, refreshments } = ui;
  return region('Loudspeaker', [
    ...announcements.map(item =>
      text(`Said: ${item.cause}, now ${item.until}${item.refreshments ? ', refreshments' : ''}`),
    ),
    form('Delay', [
      combobox('Cause', cause, { enter: say.entering({ field: 'cause' }), options: causes }),
      combobox('New departure', until, { enter: say.entering({ field: 'until' }), options: newTimes }),
      checkbox('Refreshments', refreshments, offer.with({ wanted: !refreshments })),
      button('Speak', announce.with({ cause, until, refreshments })),
    ]),
  ]);
}

const seated = ({ passengers }: Gate) => passengers.filter(item => item.seat !== '');

const boardOne = template('board-after-pause', {
  about: 'Let a passenger aboard although boarding is paused.',
  split: 'train',
  sample(gate, random) {
    const { id, name } = random.pick(seated(gate));
    return { id, name };
  },
  setup(draft, { id }) {
    draft.flight.boarding = false;
    need(draft.passengers, id, 'passenger').aboard = false;
  },
  instruction: ({ name }, random) =>
    random.pick([
      `Boarding goes on. Scan ${name}.`,
      `The cleaners are off the aircraft, we may continue boarding; ${name} goes first.`,
      `${name} stands at the gate with the pass in hand. Resume if we are paused and let them through.`,
    ]),
  checks: ({ id }) => [
    { name: 'boarding goes on', test: ({ flight }) => flight.boarding },
    { name: 'is aboard', test: ({ passengers }) => find(passengers, id)?.aboard === true },
  ],
  allow: ({ id }) => ['/flight/boarding', `/passengers/${id}/aboard`],
});

const reseat = template('reseat-if-free', {
  about: 'Move a passenger to a seat; impossible when somebody sits there.',
  split: 'train',
  kind: 'infeasible',
  sample(gate, random) {
    const [guest, other] = random.sample(seated(gate), 2) as [Passenger, Passenger];
    const isFree = random.chance(0.5);
    return { id: guest.id, name: guest.name, seat: isFree ? random.pick(freeSeats(gate)) : other.seat, isFree };
  },
  isTwin: ({ isFree }) => isFree,
  instruction: ({ name, seat }, random) =>
    random.pick([
      `${name} to ${seat}.`,
      `${name} asks for seat ${seat}. If nobody has it, they can have it; nobody else is to be moved.`,
      `Please reseat ${name} in ${seat}, leaving everyone else where they are.`,
    ]),
  checks: ({ id, seat }) => [
    { name: `sits in ${seat}`, test: ({ passengers }) => find(passengers, id)?.seat === seat },
  ],
  allow: ({ id, isFree }) => (isFree ? [`/passengers/${id}/seat`] : []),
  shown: ({ ui }, { id }) => ui.who === id,
});

const together = template('seat-in-row-of', {
  about: 'Seat a passenger in the row of another, where one seat is free.',
  split: 'train',
  sample(gate, random) {
    const [guest, friend] = random.sample(seated(gate), 2) as [Passenger, Passenger];
    const place = random.pick(rows.filter(item => item !== Number.parseInt(guest.seat, 10)));
    const kept = seats.filter(seat => Number.parseInt(seat, 10) !== place);
    const gap = random.pick(letters);
    return {
      id: guest.id,
      name: guest.name,
      friend: friend.name,
      friendId: friend.id,
      place,
      gap,
      guestSeat: random.pick(kept),
    };
  },
  setup(draft, { id, friendId, place, gap, guestSeat }) {
    // Exactly one seat of the row stays free, and the friend has another of them.
    const wanted = letters.filter(letter => letter !== gap).map(letter => `${place}${letter}`);
    const others = seated(draft).filter(item => item.id !== id && item.id !== friendId);
    const order = [need(draft.passengers, friendId, 'passenger'), ...others].slice(0, wanted.length);
    const pool = seats.filter(seat => Number.parseInt(seat, 10) !== place && seat !== guestSeat);
    for (const item of others) if (!order.includes(item)) item.seat = pool.shift() ?? '';
    for (const [index, item] of order.entries()) item.seat = wanted[index] ?? '';
    need(draft.passengers, id, 'passenger').seat = guestSeat;
  },
  instruction: ({ name, friend }, random) =>
    random.pick([
      `Put ${name} into the row where ${friend} sits. One seat there is left. And where does ${friend} sit exactly?`,
      `${name} and ${friend} travel together but were split up. Move ${name} to the free seat in the other's row, and tell me the seat of ${friend}.`,
      `There is a single empty seat in the row of ${friend}: it is for ${name}. Answer with the seat of ${friend}.`,
    ]),
  checks: ({ id, place, gap }) => [
    { name: 'sits in that row', test: ({ passengers }) => find(passengers, id)?.seat === `${place}${gap}` },
  ],
  allow: ({ id }) => [`/passengers/${id}/seat`],
  answer: ({ friendId }, { passengers }) => need(passengers, friendId, 'passenger').seat,
  shown: ({ ui }, { id, friendId }) => [ui.who === friendId, ui.who === id],
});

const longest = template('seat-longest-standby', {
  about: 'Give a free seat to the standby passenger who was listed first.',
  split: 'train',
  sample(gate, random) {
    const waiting = random.shuffle(gate.passengers.filter(item => item.seat === ''));
    return { id: waiting[0]?.id ?? '', seat: random.pick(freeSeats(gate)), hour: random.between(10, 13) };
  },
  setup(draft, { id, hour }) {
    need(draft.passengers, id, 'passenger').listed = `${hour}:0${hour - 9}`;
  },
  instruction: ({ seat }, random) =>
    random.pick([
      `Seat ${seat} goes to whoever has been on standby longest.`,
      `We can take one more: give ${seat} to the standby passenger listed first.`,
      `Of the people waiting on standby, the one with the earliest listing gets ${seat}. Don't scan them yet.`,
    ]),
  checks: ({ id, seat }) => [
    { name: `sits in ${seat}`, test: ({ passengers }) => find(passengers, id)?.seat === seat },
  ],
  allow: ({ id }) => [`/passengers/${id}/seat`],
});

const escorts = template('escort-connections', {
  about: 'Ask for escorts for those who still have to board and fly on to a city.',
  split: 'train',
  sample(gate, random) {
    const city = random.pick(onward.slice(1));
    const picked = random.sample(seated(gate), 4).map(({ id }) => id);
    return { city, ids: picked.slice(0, 2), gone: picked.slice(2) };
  },
  setup(draft, { city, ids, gone }) {
    for (const item of seated(draft)) {
      item.escort = false;
      if (ids.includes(item.id)) Object.assign(item, { onward: city, aboard: false });
      else if (gone.includes(item.id)) Object.assign(item, { onward: city, aboard: true });
      else if (item.onward === city) item.onward = 'none';
    }
  },
  instruction: ({ city }, random) =>
    random.pick([
      `Escort for everyone flying on to ${city} who is not aboard yet.`,
      `The ${city} connection is tight. Those of our passengers who change for ${city} and have still to board need an escort; the ones aboard are taken care of.`,
      `Tick the escort for passengers continuing to ${city}, but only where they have not boarded.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} has an escort`, test: ({ passengers }) => find(passengers, id)?.escort === true })),
  allow: ({ ids }) => ids.map(id => `/passengers/${id}/escort`),
});

const whereOn = template('onward-of-seat', {
  about: 'Say where the passenger in a seat flies on to.',
  split: 'train',
  sample(gate, random) {
    const { id, seat } = random.pick(seated(gate));
    return { id, seat, city: random.pick(onward.slice(1)) };
  },
  setup(draft, { id, city }) {
    need(draft.passengers, id, 'passenger').onward = city;
  },
  instruction: ({ seat }, random) =>
    random.pick([
      `Where does the passenger in ${seat} fly on to?`,
      `The person sitting in ${seat} is worried about the connection. Which city is it?`,
      `Onward city of seat ${seat}, please.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ city }) => city,
  shown: ({ ui }, { id }) => ui.who === id,
});

const speak = template('announce-delay', {
  about: 'Announce a delay with its cause and the new time.',
  split: 'train',
  sample: (_, random) => ({
    cause: random.pick(causes),
    until: random.pick(newTimes),
    refreshments: random.chance(0.5),
  }),
  instruction: ({ cause, until, refreshments }, random) => {
    const drinks = refreshments ? 'Mention refreshments.' : 'No refreshments.';
    return random.pick([
      `Announce: ${cause}, new departure ${until}. ${drinks}`,
      `Bad news for the lounge, we leave at ${until} only (${cause}). Tell them. ${drinks}`,
      `Use the loudspeaker: departure is now ${until}, the cause is ${cause}. ${drinks}`,
    ]);
  },
  checks: ({ cause, until, refreshments }) => [
    {
      name: 'it was announced once',
      test(final, initial) {
        const [made, ...more] = added(initial.announcements, final.announcements);
        return more.length === 0 && made?.cause === cause && made.until === until && made.refreshments === refreshments;
      },
    },
  ],
  allow: () => ['/announcements/+'],
});

const first = ['Aino', 'Eino', 'Hugo', 'Helga', 'Maja', 'Maya', 'Sven', 'Svea'];
const last = ['Berg', 'Bergman', 'Dahl', 'Dahlin', 'Koski'];

export const app = defineApp({
  id: 'gate-desk',
  title: 'Gate 14',
  about: 'The desk at a gate: manifest, standby list and loudspeaker.',
  state,
  init(random): Gate {
    const names = random.sample(
      first.flatMap(given => last.map(family => `${given} ${family}`)),
      32,
    );
    const places = random.sample(seats, 27);
    return {
      flight: { number: `NK ${random.between(400, 499)}`, boarding: random.chance(0.6) },
      passengers: names.map((name, index) => ({
        id: `p${index + 1}`,
        name,
        seat: places[index] ?? '',
        onward: random.pick(onward),
        bags: random.between(0, 3),
        aboard: index < 27 && random.chance(0.4),
        escort: random.chance(0.1),
        listed: `${14 + (index % 3)}:${random.between(10, 59)}`,
      })),
      announcements: [],
      ui: {
        desk: 'start',
        show: 'everyone',
        leaf: 1,
        who: null,
        cause: '',
        until: '',
        refreshments: false,
        trouble: '',
      },
    };
  },
  commands: [setBoarding, board, seatAt, setEscort, announce, manifest, step, sift, leafTo, single, say, offer],
  view(gate) {
    const { flight, ui } = gate;
    const guest = find(gate.passengers, ui.who ?? '');
    return page('Gate 14', [
      navigation(`Flight ${flight.number}`, [
        button('Passengers', step.with({ desk: 'manifest' })),
        button('Waiting for a seat', step.with({ desk: 'standby' })),
        button('Loudspeaker', step.with({ desk: 'speaker' })),
        switchButton('Boarding', flight.boarding, setBoarding.with({ open: !flight.boarding })),
      ]),
      ui.trouble !== '' && alert(ui.trouble),
      guest === undefined ? deskOf(gate) : recordOf(gate, guest),
    ]);
  },
  templates: [boardOne, reseat, together, longest, escorts, whereOn, speak],
  onRefusal(draft, message) {
    draft.ui.trouble = message;
  },
});

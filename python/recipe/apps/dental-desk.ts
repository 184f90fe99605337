import {
  added,
  alert,
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  searchBox,
  tab,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const today = '12 March';
const slots = ['08:20', '09:00', '09:40', '10:20', '11:00', '14:00', '14:40', '15:20', '16:00'];
const dates = ['12 March', '13 March', '16 March', '17 March', '18 March', '23 March', '30 March'];
const treatments = ['Check-up', 'Scale and polish', 'Filling', 'Crown fitting', 'Root canal', 'Extraction'];
const dentists = ['Dr Amsel', 'Dr Baptiste', 'Dr Crane', 'Dr Amstad'];
const recalls = ['every 3 months', 'every 6 months', 'every 9 months', 'every 12 months'];
const reasons = ['patient is ill', 'patient forgot', 'dentist away', 'moved house'];

const patient = z.object({
  id: z.string(),
  name: z.string(),
  born: z.string(),
  phone: z.string(),
  dentist: z.string(),
  recall: z.string(),
  owes: z.int(),
});
const visit = z.object({
  id: z.string(),
  patient: z.string(),
  date: z.string(),
  time: z.string(),
  what: z.string(),
  standing: z.enum(['booked', 'arrived', 'cancelled']),
  reason: z.string(),
});
const pane = z.enum(['Person', 'Chair time', 'Recall', 'Account']);
const state = z.object({
  patients: z.array(patient),
  visits: z.array(visit),
  ui: z.object({
    look: z.string(),
    card: z.string().nullable(),
    pane,
    phone: z.string(),
    cancelling: z.string().nullable(),
    reason: z.string(),
    booking: z.object({ date: z.string(), time: z.string(), what: z.string() }).nullable(),
    warning: z.string(),
  }),
});
type Desk = z.infer<typeof state>;
type Patient = z.infer<typeof patient>;
const { command, gesture, query, template } = appKit(state);

const setPhone = command('set_phone', {
  about: 'Write down the phone number of a patient.',
  input: z.object({ id: z.string(), phone: z.string().trim().min(5, 'That is no phone number.') }),
  run(draft, { id, phone }) {
    need(draft.patients, id, 'patient').phone = phone;
  },
});
const setRecall = command('set_recall', {
  about: 'Set how often a patient is called back for a check.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!recalls.includes(value)) refuse('Choose one of the intervals.');
    need(draft.patients, id, 'patient').recall = value;
  },
});
const book = command('book_chair', {
  about: 'Book chair time for a patient.',
  input: z.object({ id: z.string(), date: z.string(), time: z.string(), what: z.string() }),
  run(draft, { id, date, time, what }) {
    need(draft.patients, id, 'patient');
    if (date === '' || time === '' || what === '') refuse('Day, time and treatment, please.');
    draft.visits.push({ id: nextId(draft.visits, 'v'), patient: id, date, time, what, standing: 'booked', reason: '' });
    draft.ui.booking = null;
  },
});
const cancel = command('cancel_visit', {
  about: 'Cancel a booked visit, with the reason.',
  input: z.object({ id: z.string(), reason: z.string() }),
  run(draft, { id, reason }) {
    const gone = need(draft.visits, id, 'visit');
    if (gone.standing !== 'booked') refuse('Only a booked visit can be cancelled.');
    if (!reasons.includes(reason)) refuse('Tick a reason first.');
    Object.assign(gone, { standing: 'cancelled', reason });
    draft.ui.cancelling = null;
  },
});
const arrive = command('check_in', {
  about: 'Note that a patient has arrived for a visit today.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const here = need(draft.visits, id, 'visit');
    if (here.date !== today || here.standing !== 'booked') refuse('That visit is not due today.');
    here.standing = 'arrived';
  },
});
const lookUp = query('look_up_patient', {
  about: 'Patients whose name, birthday or phone contains a text, with their visits.',
  input: z.object({ text: z.string() }),
  run: (desk, input) =>
    matching(desk, input.text).map(found => ({
      ...found,
      visits: desk.visits.filter(item => item.patient === found.id),
    })),
});

const look = gesture('type_search', {
  about: 'Type into the search field.',
  input: z.object({ value: z.string().max(50) }),
  run(draft, { value }) {
    draft.ui.look = value;
  },
});
const openCard = gesture('open_card', {
  about: 'Open the card of a patient, or put it back.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    const phone = find(draft.patients, id ?? '')?.phone ?? '';
    Object.assign(draft.ui, {
      card: id,
      pane: 'Person',
      phone,
      cancelling: null,
      booking: null,
      reason: '',
      warning: '',
    });
  },
});
const flip = gesture('flip_to', {
  about: 'Flip to another side of the card.',
  input: z.object({ pane }),
  run(draft, input) {
    Object.assign(draft.ui, { pane: input.pane, booking: null, warning: '' });
  },
});
const typePhone = gesture('type_phone', {
  about: 'Type a phone number.',
  input: z.object({ value: z.string().max(30) }),
  run(draft, { value }) {
    draft.ui.phone = value;
  },
});
const askCancel = gesture('ask_cancel', {
  about: 'Open or close the question whether to cancel.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { cancelling: id, reason: '', warning: '' });
  },
});
const tick = gesture('tick_reason', {
  about: 'Tick the reason of a cancellation.',
  input: z.object({ reason: z.string() }),
  run(draft, { reason }) {
    draft.ui.reason = reason;
  },
});
const startBooking = gesture('start_booking', {
  about: 'Open the slip for chair time.',
  input: z.object({}),
  run(draft) {
    draft.ui.booking = { date: '', time: '', what: '' };
  },
});
const fillSlip = gesture('fill_slip', {
  about: 'Choose something on the slip.',
  input: z.object({ field: z.enum(['date', 'time', 'what']), value: z.string() }),
  run(draft, { field, value }) {
    if (draft.ui.booking === null) refuse('No slip is open.');
    draft.ui.booking[field] = value;
  },
});

function matching({ patients }: Desk, wanted: string): Patient[] {
  const lower = wanted.trim().toLowerCase();
  return patients.filter(({ name, born, phone }) => `${name} ${born} ${phone}`.toLowerCase().includes(lower));
}

function cabinet(desk: Desk) {
  const hits = matching(desk, desk.ui.look);
  return region('Card cabinet', [
    searchBox('Find a card', [textbox('Name, birthday or phone', desk.ui.look, { enter: look.entering({}) })]),
    text(hits.length > 7 ? `The first 7 of ${hits.length} cards` : `${hits.length} cards`),
    list(
      'Cards',
      hits
        .slice(0, 7)
        .map(({ id, name, born }) => listItem(name, [link(`${name}, born ${born}`, openCard.with({ id }))])),
    ),
  ]);
}

function chairTime({ visits, ui }: Desk, { id }: Patient) {
  const slip = ui.booking;
  return region('Chair time', [
    list(
      'Visits',
      visits
        .filter(item => item.patient === id)
        .map(item =>
          listItem(`${item.date}, ${item.time}: ${item.what}`, [
            text(item.standing === 'cancelled' ? `cancelled: ${item.reason}` : item.standing),
            item.standing === 'booked' && button(`Call off ${item.date}`, askCancel.with({ id: item.id })),
            item.standing === 'booked' &&
              item.date === today &&
              button('Sits in waiting room', arrive.with({ id: item.id })),
          ]),
        ),
    ),
    slip === null
      ? button('New slip', startBooking.with({}))
      : region('Slip', [
          combobox('Day', slip.date, { enter: fillSlip.entering({ field: 'date' }), options: dates.slice(1) }),
          combobox('Time', slip.time, { enter: fillSlip.entering({ field: 'time' }), options: slots }),
          combobox('Treatment', slip.what, { enter: fillSlip.entering({ field: 'what' }), options: treatments }),
          button('Hand out slip', book.with({ id, ...slip })),
        ]),
  ]);
}

function side(desk: Desk, opened: Patient) {
  const { ui } = desk;
  if (ui.pane === 'Chair time') return chairTime(desk, opened);
  if (ui.pane === 'Recall')
    return region('Recall', [
      combobox('Call back', opened.recall, { enter: setRecall.entering({ id: opened.id }), options: recalls }),
    ]);
  if (ui.pane === 'Account') return region('Account', [text(`Open balance: ${opened.owes} pounds`)]);
  return region('Person', [
    text(`Born ${opened.born}`),
    text(`Seen by ${opened.dentist}`),
    textbox('Phone', ui.phone, { enter: typePhone.entering({}) }),
    button('Ink it in', setPhone.with({ id: opened.id, phone: ui.phone })),
  ]);
}

function card(desk: Desk, opened: Patient) {
  return region('Card', [
    toolbar('Sides', [
      ...pane.options.map(name =>
        tab(name, flip.with({ pane: name }), name === desk.ui.pane ? ['selected'] : undefined),
      ),
      button('Back into cabinet', openCard.with({ id: null })),
    ]),
    heading(`${opened.name}, born ${opened.born}`),
    side(desk, opened),
  ]);
}

function question({ visits, ui }: Desk, id: string) {
  const item = need(visits, id, 'visit');
  return dialog('Call off this visit?', [
    text(`${item.date}, ${item.time}: ${item.what}`),
    ...reasons.map(reason => radio(reason, reason === ui.reason, tick.with({ reason }))),
    button('Yes, call it off', cancel.with({ id, reason: ui.reason })),
    button('Keep the visit', askCancel.with({ id: null })),
  ]);
}

const pick = ({ id, name, born }: Patient) => ({ id, name, born });
const bookedOf = (desk: Desk, id: string) =>
  desk.visits.filter(item => item.patient === id && item.standing === 'booked');

const newPhone = template('new-phone-number', {
  about: 'Change the phone number of a patient who shares the name with another.',
  split: 'train',
  sample: ({ patients }, random) => ({
    ...pick(random.pick(patients)),
    phone: `0${random.between(20, 98)} ${random.between(1000, 9999)}`,
  }),
  instruction: ({ name, born, phone }, random) =>
    random.pick([
      `New phone for ${name}, born ${born}: ${phone}.`,
      `${name} (born ${born}) just called from a new number. Please note ${phone} on the card.`,
      `The patient called ${name} with the birthday ${born} can now be reached at ${phone}. The other patients keep thier numbers.`,
    ]),
  checks: ({ id, phone }) => [
    { name: `phone is ${phone}`, test: ({ patients }) => find(patients, id)?.phone === phone },
  ],
  allow: ({ id }) => [`/patients/${id}/phone`],
});

const callOff = template('call-off-visit', {
  about: 'Cancel the visit of a patient on a date, with a reason.',
  split: 'train',
  sample(desk, random) {
    const { id, patient: owner, date } = random.pick(desk.visits.filter(item => item.standing === 'booked'));
    const { name, born } = need(desk.patients, owner, 'patient');
    return { visit: id, name, born, date, reason: random.pick(reasons) };
  },
  instruction: ({ name, born, date, reason }, random) =>
    random.pick([
      `Call off ${name} (born ${born}) on ${date}: ${reason}.`,
      `${name}, born ${born}, will not come on ${date}. Reason to note: ${reason}.`,
      `We have to cancel what ${name} (${born}) has booked for ${date}. The reason is "${reason}". Other dates stay.`,
    ]),
  checks: ({ visit: id, reason }) => [
    { name: 'the visit is cancelled', test: ({ visits }) => find(visits, id)?.standing === 'cancelled' },
    { name: `because ${reason}`, test: ({ visits }) => find(visits, id)?.reason === reason },
  ],
  allow: ({ visit: id }) => [`/visits/${id}/standing`, `/visits/${id}/reason`],
});

const bookOne = template('hand-out-slip', {
  about: 'Book chair time for a patient.',
  split: 'train',
  sample: ({ patients }, random) => ({
    ...pick(random.pick(patients)),
    date: random.pick(dates.slice(1)),
    time: random.pick(slots),
    what: random.pick(treatments),
  }),
  instruction: ({ name, born, date, time, what }, random) =>
    random.pick([
      `${what} for ${name}, born ${born}: ${date}, ${time}.`,
      `${name} (born ${born}) needs a slip: ${what} on ${date} at ${time}.`,
      `Could you book ${name} in? Born ${born}. It is for: ${what}. ${date} at ${time} would suit.`,
    ]),
  checks: ({ id, date, time, what }) => [
    {
      name: 'the visit is booked',
      test(final, initial) {
        const [made, ...more] = added(initial.visits, final.visits);
        return (
          more.length === 0 && made?.patient === id && made.date === date && made.time === time && made.what === what
        );
      },
    },
  ],
  allow: () => ['/visits/+'],
});

const twoRecalls = template('recall-of-two', {
  about: 'Set the recall of two patients.',
  split: 'train',
  sample({ patients }, random) {
    const [one, two] = random.sample(patients, 2).map(pick) as [ReturnType<typeof pick>, ReturnType<typeof pick>];
    const recall = random.pick(recalls);
    return {
      one: one.id,
      two: two.id,
      first: one.name,
      firstBorn: one.born,
      second: two.name,
      secondBorn: two.born,
      recall,
    };
  },
  setup(draft, { one, two, recall }) {
    const other = recalls.find(item => item !== recall) ?? '';
    for (const id of [one, two]) need(draft.patients, id, 'patient').recall = other;
  },
  instruction: ({ first, firstBorn, second, secondBorn, recall }, random) =>
    random.pick([
      `Call back ${recall}: ${first} (born ${firstBorn}) and ${second} (born ${secondBorn}).`,
      `After the X-rays, two patients should be seen ${recall}. They are ${first}, born ${firstBorn}, and ${second}, born ${secondBorn}.`,
      `Set ${first} (${firstBorn}) to be recalled ${recall}, and ${second} (${secondBorn}) likewise.`,
    ]),
  checks: ({ one, two, recall }) =>
    [one, two].map(id => ({
      name: `${id} comes ${recall}`,
      test: ({ patients }) => find(patients, id)?.recall === recall,
    })),
  allow: ({ one, two }) => [`/patients/${one}/recall`, `/patients/${two}/recall`],
});

const recallAlready = template('recall-already-right', {
  about: 'Make sure of the recall of a patient; mostly it is so already.',
  split: 'train',
  kind: 'already-done',
  sample: ({ patients }, random) => ({
    ...pick(random.pick(patients)),
    recall: random.pick(recalls),
    open: random.chance(0.5),
  }),
  isTwin: ({ open }) => open,
  setup(draft, { id, recall, open }) {
    need(draft.patients, id, 'patient').recall = open ? (recalls.find(item => item !== recall) ?? '') : recall;
  },
  instruction: ({ name, born, recall }, random) =>
    random.pick([
      `Make sure that ${name}, born ${born}, is called back ${recall}.`,
      `${name} (born ${born}) has to be on the recall list ${recall}. See to it, if it is not so yet.`,
      `Is the recall of ${name} (${born}) ${recall}? It should be.`,
    ]),
  checks: ({ id, recall }) => [
    { name: `called back ${recall}`, test: ({ patients }) => find(patients, id)?.recall === recall },
  ],
  allow: ({ id, open }) => (open ? [`/patients/${id}/recall`] : []),
  shown: ({ ui }, { id }) => ui.card === id && ui.pane === 'Recall',
});

const whoseNumber = template('birthday-by-phone', {
  about: 'Say when the patient was born to whom a phone number belongs.',
  split: 'train',
  sample: ({ patients }, random) => ({
    id: random.pick(patients).id,
    phone: `0${random.between(20, 98)} ${random.between(1000, 9999)}`,
  }),
  setup(draft, { id, phone }) {
    need(draft.patients, id, 'patient').phone = phone;
  },
  instruction: ({ phone }, random) =>
    random.pick([
      `Somebody rang from ${phone} and hung up. Whose number is it? Give the birthday on the card, too many share a name.`,
      `When was the patient born who has the number ${phone}?`,
      `Missed call: ${phone}. I need the birthday of the patient it belongs to.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { patients }) => need(patients, id, 'patient').born,
  shown: ({ ui }, { id }) => ui.card === id,
});

const checkIn = template('check-in-today', {
  about: 'Note that a patient has arrived; impossible when they are not booked today.',
  split: 'train',
  kind: 'infeasible',
  sample(desk, random) {
    const found = random.pick(desk.patients.filter(({ id }) => bookedOf(desk, id).length > 0));
    return { ...pick(found), visit: bookedOf(desk, found.id)[0]?.id ?? '', due: random.chance(0.5) };
  },
  isTwin: ({ due }) => due,
  setup(draft, { id, visit: wanted, due }) {
    for (const item of bookedOf(draft, id)) if (item.date === today) item.date = '13 March';
    if (due) need(draft.visits, wanted, 'visit').date = today;
  },
  instruction: ({ name, born }, random) =>
    random.pick([
      `${name}, born ${born}, has just come in for today's visit. Show them as sitting in the waiting room.`,
      `Check in ${name} (${born}) for today, ${today}.`,
      `${name} says they are here for their appointment of today. Birthday ${born}. Put them in the waiting room.`,
    ]),
  checks: ({ visit: id }) => [{ name: 'has arrived', test: ({ visits }) => find(visits, id)?.standing === 'arrived' }],
  allow: ({ visit: id, due }) => (due ? [`/visits/${id}/standing`] : []),
  shown: ({ ui }, { id }) => ui.card === id && ui.pane === 'Chair time',
});

const firstNames = ['Ana', 'Anna', 'Milo', 'Mila', 'Gareth', 'Greta', 'Simon', 'Simone', 'Dev', 'Tess'];
const lastNames = ['Petrov', 'Petrova', 'Lindqvist', 'Nkemelu', 'Ward'];
const months = ['January', 'April', 'May', 'August', 'November'];

export const app = defineApp({
  id: 'dental-desk',
  title: 'Bridge Street Dental',
  about: 'The card cabinet and chair time of a dental surgery.',
  state,
  init(random): Desk {
    const names = random.sample(
      firstNames.flatMap(first => lastNames.map(last => `${first} ${last}`)),
      26,
    );
    const patients = random.shuffle([...names, ...names.slice(0, 8)]).map((name, index) => ({
      id: `p${index + 1}`,
      name,
      born: `${random.between(1, 28)} ${random.pick(months)} ${1940 + index + random.between(0, 1) * 34}`,
      phone: `0${random.between(20, 98)} ${random.between(1000, 9999)}`,
      dentist: random.pick(dentists),
      recall: random.pick(recalls),
      owes: random.between(0, 9) * 15,
    }));
    const visits = patients.flatMap(({ id }) =>
      random.sample(dates, random.between(1, 3)).map(date => ({
        patient: id,
        date,
        time: random.pick(slots),
        what: random.pick(treatments),
        standing: 'booked' as const,
        reason: '',
      })),
    );
    return {
      patients,
      visits: visits.map((item, index) => ({ id: `v${index + 1}`, ...item })),
      ui: { look: '', card: null, pane: 'Person', phone: '', cancelling: null, reason: '', booking: null, warning: '' },
    };
  },
  commands: [
    setPhone,
    setRecall,
    book,
    cancel,
    arrive,
    lookUp,
    look,
    openCard,
    flip,
    typePhone,
    askCancel,
    tick,
    startBooking,
    fillSlip,
  ],
  view(desk) {
    const { ui } = desk;
    const opened = find(desk.patients, ui.card ?? '');
    if (ui.cancelling !== null)
      return page('Bridge Street Dental', [ui.warning !== '' && alert(ui.warning), question(desk, ui.cancelling)]);
    return page('Bridge Street Dental', [
      text(`Today is ${today}.`),
      ui.warning !== '' && alert(ui.warning),
      opened === undefined ? cabinet(desk) : card(desk, opened),
    ]);
  },
  templates: [newPhone, callOff, bookOne, twoRecalls, recallAlready, whoseNumber, checkIn],
  onRefusal(draft, message) {
    draft.ui.warning = message;
  },
});

import {
  added,
  alert,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  find,
  form,
  heading,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  status,
  tab,
  table,
  text,
  z,
} from 'espalier';

// The second assistant director's desk: one sheet per shooting day, one line per person who is called.
const call = z.object({
  id: z.string(),
  day: z.string(),
  person: z.string(),
  part: z.string(),
  pickup: z.string(),
  onSet: z.string(),
  van: z.string(),
});
const day = z.object({ id: z.string(), label: z.string(), place: z.string(), issued: z.boolean() });
const state = z.object({
  days: z.array(day),
  calls: z.array(call),
  ui: z.object({
    day: z.string(),
    line: z.string().nullable(),
    adding: z.boolean(),
    person: z.string(),
    pickup: z.string(),
    onSet: z.string(),
    van: z.string(),
    problem: z.string(),
  }),
});
type Sheets = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const company: readonly (readonly [string, string])[] = [
  ['Marta Kessel', 'Inspector Roth'],
  ['Marta Kesselring', 'the widow'],
  ['Jon Bray', 'the ferryman'],
  ['Joan Bray', 'the chemist'],
  ['Idris Vale', 'Constable Penn'],
  ['Idris Vallance', 'the vicar'],
  ['Lotte Siwek', 'Anna'],
  ['Lotte Sorel', 'Anna, older'],
  ['Pavel Horn', 'the twin'],
  ['Petra Horn', 'the other twin'],
  ['Cass Oyelaran', 'the reporter'],
  ['Cass Doyle', 'stunt double'],
  ['Bruno Timm', 'the postman'],
  ['Bruna Timms', 'the nurse'],
];
const times = ['05:30', '05:45', '06:00', '06:15', '06:30', '06:45', '07:00', '07:15', '07:30', '07:45', '08:00'];
const setTimes = ['08:15', '08:30', '09:00', '09:15', '09:45', '10:00', '10:30', '11:00', '11:45', '12:30'];
const vans = ['Van 1', 'Van 2', 'Van 3', 'own car'];
const places = [
  'Old Customs House',
  'Customs Quay',
  'St Bride Vestry',
  'St Bride Yard',
  'Mill Road Flat',
  'Stage 4',
  'Stage 7',
];

function draftOnly(sheets: Sheets, id: string) {
  const sheet = need(sheets.days, id, 'day');
  if (sheet.issued) refuse(`The sheet of ${sheet.label} is out. Pull it back before you touch it.`);
}

const adjust = command('adjust_call', {
  about: 'Change pick-up, time on set and transport of a line of a sheet that is not issued.',
  input: z.object({ id: z.string(), pickup: z.string(), onSet: z.string(), van: z.string() }),
  run(draft, { id, pickup, onSet, van }) {
    const line = need(draft.calls, id, 'call');
    draftOnly(draft, line.day);
    Object.assign(line, { pickup, onSet, van });
    Object.assign(draft.ui, { line: null, problem: '' });
  },
});
const strike = command('strike_call', {
  about: 'Take a person off a sheet that is not issued.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    draftOnly(draft, need(draft.calls, id, 'call').day);
    remove(draft.calls, id);
    Object.assign(draft.ui, { line: null, problem: '' });
  },
});
const callIn = command('call_in', {
  about: 'Put a person on the sheet of a day.',
  input: z.object({ day: z.string(), person: z.string(), pickup: z.string(), onSet: z.string(), van: z.string() }),
  run(draft, { day: wanted, person, pickup, onSet, van }) {
    draftOnly(draft, wanted);
    const who = company.find(([name]) => name === person) ?? refuse('Choose who is called.');
    if (pickup === '' || onSet === '' || van === '') refuse('Pick-up, time on set and transport are all needed.');
    if (draft.calls.some(line => line.day === wanted && line.person === person)) refuse(`${person} is on this sheet.`);
    draft.calls.push({ id: nextId(draft.calls, 'c'), day: wanted, person, part: who[1], pickup, onSet, van });
    Object.assign(draft.ui, { adding: false, problem: '' });
  },
});
const setIssued = command('set_issued', {
  about: 'Send the sheet of a day to everybody, or pull it back.',
  input: z.object({ day: z.string(), issued: z.boolean() }),
  run(draft, input) {
    need(draft.days, input.day, 'day').issued = input.issued;
    draft.ui.problem = '';
  },
});
const listCalls = query('read_sheet', {
  about: 'Read the sheet of a day by its label, such as "Day 12".',
  input: z.object({ label: z.string() }),
  run({ days, calls }, { label }) {
    const sheet = days.find(item => item.label === label) ?? refuse(`There is no ${label}.`);
    return { ...sheet, calls: calls.filter(line => line.day === sheet.id) };
  },
});
const turnTo = gesture('turn_to', {
  about: 'Turn to the sheet of a day.',
  input: z.object({ day: z.string() }),
  run(draft, input) {
    Object.assign(draft.ui, { day: input.day, line: null, adding: false, problem: '' });
  },
});
const pencil = gesture('pencil', {
  about: 'Open a line of the sheet, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    const line = find(draft.calls, id ?? '');
    const { pickup, onSet, van } = line ?? { pickup: '', onSet: '', van: '' };
    Object.assign(draft.ui, { line: id, adding: false, pickup, onSet, van, problem: '' });
  },
});
const startAdding = gesture('start_adding', {
  about: 'Open or close the form for another person.',
  input: z.object({ open: z.boolean() }),
  run(draft, { open }) {
    Object.assign(draft.ui, { adding: open, line: null, person: '', pickup: '', onSet: '', van: '', problem: '' });
  },
});
const write = gesture('write', {
  about: 'Choose a value in the open form.',
  input: z.object({ field: z.enum(['person', 'pickup', 'onSet', 'van']), value: z.string() }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

const timing = ({ pickup, onSet, van }: Sheets['ui']) => [
  combobox('Pick-up', pickup, { enter: write.entering({ field: 'pickup' }), options: times }),
  combobox('On set', onSet, { enter: write.entering({ field: 'onSet' }), options: setTimes }),
  combobox('Transport', van, { enter: write.entering({ field: 'van' }), options: vans }),
];

function sheetOf({ days, calls, ui }: Sheets) {
  const sheet = need(days, ui.day, 'day');
  const lines = calls.filter(item => item.day === sheet.id);
  const opened = find(calls, ui.line ?? '');
  const { pickup, onSet, van, person } = ui;
  return region(`Call sheet, ${sheet.label}`, [
    heading(`${sheet.label}: ${sheet.place}`),
    status(sheet.issued ? 'Issued to the unit' : 'Draft'),
    button(sheet.issued ? 'Pull back' : 'Issue to unit', setIssued.with({ day: sheet.id, issued: !sheet.issued })),
    button('Call somebody in', startAdding.with({ open: true })),
    opened !== undefined &&
      form(`Line of ${opened.person}`, [
        ...timing(ui),
        button('Put on sheet', adjust.with({ id: opened.id, pickup, onSet, van })),
        button('Strike from sheet', strike.with({ id: opened.id })),
        button('Leave as it was', pencil.with({ id: null })),
      ]),
    ui.adding &&
      form('Another call', [
        combobox('Who', person, { enter: write.entering({ field: 'person' }), options: company.map(([name]) => name) }),
        ...timing(ui),
        button('Call in', callIn.with({ day: sheet.id, person, pickup, onSet, van })),
        button('Never mind', startAdding.with({ open: false })),
      ]),
    table(
      `${lines.length} called`,
      lines.map(line =>
        row(line.person, [
          cell(line.part),
          cell(`pick-up ${line.pickup}`),
          cell(`on set ${line.onSet}`),
          cell(line.van),
          button(`Pencil ${line.person}`, pencil.with({ id: line.id })),
        ]),
      ),
    ),
  ]);
}

const labelOf = (sheets: Sheets, id: string) => need(sheets.days, id, 'day').label;
const setDraft = (draft: Sheets, id: string, issued = false) => {
  need(draft.days, id, 'day').issued = issued;
};

const onSetAt = template('move-on-set', {
  about: 'Change when a person is needed on set on one day.',
  split: 'train',
  sample(sheets, random) {
    const line = random.pick(sheets.calls);
    const when = random.pick(setTimes.filter(time => time !== line.onSet));
    return { id: line.id, day: line.day, label: labelOf(sheets, line.day), person: line.person, when };
  },
  setup: (draft, { day: wanted }) => setDraft(draft, wanted),
  instruction: ({ label, person, when }, random) =>
    random.pick([
      `${label}: ${person} on set ${when}.`,
      `The director wants ${person} ready on set at ${when} on ${label}. Pick-up and van stay.`,
      `Hair and make-up ran late, so on ${label} we only need ${person} on the floor by ${when}. Please put that on the sheet, but don't issue it yet.`,
      `pls change ${person}'s on set time for ${label} to ${when}`,
    ]),
  checks: ({ id, when }) => [{ name: `on set at ${when}`, test: ({ calls }) => find(calls, id)?.onSet === when }],
  allow: ({ id }) => [`/calls/${id}/onSet`],
});

const reissue = template('correct-issued-sheet', {
  about: 'Change a pick-up on a sheet that is out, and have it out again afterwards.',
  split: 'train',
  sample(sheets, random) {
    const line = random.pick(sheets.calls);
    const pickup = random.pick(times.filter(time => time !== line.pickup));
    return { id: line.id, day: line.day, label: labelOf(sheets, line.day), person: line.person, pickup };
  },
  setup: (draft, { day: wanted }) => setDraft(draft, wanted, true),
  instruction: ({ label, person, pickup }, random) =>
    random.pick([
      `${person} gets picked up at ${pickup} on ${label}. The sheet went out already; it has to be out again when you are done.`,
      `Correct the issued sheet of ${label}: pick-up for ${person} is ${pickup}. The unit must have the corrected one.`,
      `We got a pick-up wrong. ${label}, ${person}, should say ${pickup}. Make sure the unit has the sheet in the end, not just us.`,
    ]),
  checks: ({ id, day: wanted, pickup }) => [
    { name: `picked up at ${pickup}`, test: ({ calls }) => find(calls, id)?.pickup === pickup },
    { name: 'the sheet is issued', test: ({ days }) => find(days, wanted)?.issued === true },
  ],
  allow: ({ id, day: wanted }) => [`/calls/${id}/pickup`, `/days/${wanted}/issued`],
});

const swapVan = template('empty-a-van', {
  about: 'Move everybody of one day from one van to another.',
  split: 'train',
  steps: 40,
  sample(sheets, random) {
    const wanted = random.pick(sheets.days);
    const lines = sheets.calls.filter(line => line.day === wanted.id);
    const [from, to] = random.sample(vans.slice(0, 3), 2) as [string, string];
    const ids = random.sample(lines, 2).map(({ id }) => id);
    return { day: wanted.id, label: wanted.label, from, to, ids };
  },
  setup(draft, { day: wanted, from, ids }) {
    setDraft(draft, wanted);
    for (const line of draft.calls.filter(item => item.day === wanted)) {
      if (ids.includes(line.id)) line.van = from;
      else if (line.van === from) line.van = 'own car';
    }
  },
  instruction: ({ label, from, to }, random) =>
    random.pick([
      `${from} is in the workshop on ${label}. Everyone who was to ride in it goes with ${to}.`,
      `On ${label}, move all of ${from} into ${to}.`,
      `No driver for ${from} on ${label}! Whoever is booked on it that day has to travel in ${to} instead; other days are fine.`,
    ]),
  checks: ({ ids, to }) =>
    ids.map(id => ({ name: `call ${id} rides in ${to}`, test: ({ calls }) => find(calls, id)?.van === to })),
  allow: ({ ids }) => ids.map(id => `/calls/${id}/van`),
});

const callInAnother = template('call-somebody-in', {
  about: 'Put a person on a sheet with pick-up, time on set and transport.',
  split: 'train',
  sample(sheets, random) {
    const wanted = random.pick(sheets.days);
    const there = sheets.calls.filter(line => line.day === wanted.id).map(line => line.person);
    const [person] = random.pick(company.filter(([name]) => !there.includes(name)));
    const { id, label } = wanted;
    return { day: id, label, person, pickup: random.pick(times), onSet: random.pick(setTimes), van: random.pick(vans) };
  },
  setup: (draft, { day: wanted }) => setDraft(draft, wanted),
  instruction: ({ label, person, pickup, onSet, van }, random) =>
    random.pick([
      `Call ${person} in for ${label}: pick-up ${pickup}, on set ${onSet}, ${van}.`,
      `We need ${person} on ${label} after all. Transport: ${van}, collecting at ${pickup}; on set ${onSet}.`,
      `Add ${person} to the sheet for ${label}. They travel by ${van}, leave at ${pickup} and have to stand on set at ${onSet}.`,
    ]),
  checks: ({ day: wanted, person, pickup, onSet, van }) => [
    {
      name: `${person} is called`,
      test(final, initial) {
        const [made, ...more] = added(initial.calls, final.calls);
        if (made === undefined || more.length > 0 || made.day !== wanted || made.person !== person) return false;
        return made.pickup === pickup && made.onSet === onSet && made.van === van;
      },
    },
  ],
  allow: () => ['/calls/+'],
});

const earliest = template('first-pick-up', {
  about: 'Say who is picked up first on a day.',
  split: 'train',
  sample(sheets, random) {
    const wanted = random.pick(sheets.days);
    const first = random.pick(sheets.calls.filter(line => line.day === wanted.id));
    return { day: wanted.id, label: wanted.label, first: first.id };
  },
  setup(draft, { day: wanted, first }) {
    for (const line of draft.calls) {
      if (line.id === first) line.pickup = '05:45';
      else if (line.day === wanted && line.pickup < '06:00') line.pickup = '06:15';
    }
  },
  instruction: ({ label }, random) =>
    random.pick([
      `Who is picked up first on ${label}?`,
      `The drivers ask whom they fetch earliest on ${label}. Name?`,
      `Look at the pick-ups of ${label} and give me the name of the poor soul with the earliest one.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ first }, { calls }) => need(calls, first, 'call').person,
  shown: ({ ui }, { day: wanted }) => ui.day === wanted,
});

const whereIs = template('where-for-one-day', {
  about: 'Find the only day a person is called, and say where it is shot.',
  split: 'train',
  sample(sheets, random) {
    const line = random.pick(sheets.calls);
    return { id: line.id, day: line.day, person: line.person };
  },
  setup(draft, { id, person }) {
    draft.calls = draft.calls.filter(line => line.id === id || line.person !== person);
  },
  instruction: ({ person }, random) =>
    random.pick([
      `${person} is only called on one day this week. Where do we shoot that day?`,
      `Which location does ${person} have to come to? There is just the one call.`,
      `${person}'s agent is on the phone and wants the place of the one day they work. Answer with the location.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ day: wanted }, { days }) => need(days, wanted, 'day').place,
  shown: ({ ui }, { day: wanted }) => ui.day === wanted,
});

const strikeOne = template('strike-from-sheet', {
  about: 'Take a person off a sheet; impossible when they are not on it.',
  split: 'train',
  kind: 'infeasible',
  sample(sheets, random) {
    const wanted = random.pick(sheets.days);
    const lines = sheets.calls.filter(line => line.day === wanted.id);
    const on = random.chance(0.5);
    const off = company.map(([name]) => name).filter(name => lines.every(line => line.person !== name));
    const line = random.pick(lines);
    return {
      on,
      day: wanted.id,
      label: wanted.label,
      id: on ? line.id : '',
      person: on ? line.person : random.pick(off),
    };
  },
  isTwin: ({ on }) => on,
  setup: (draft, { day: wanted }) => setDraft(draft, wanted),
  instruction: ({ label, person }, random) =>
    random.pick([
      `Strike ${person} from ${label}.`,
      `${person} is ill. Take them off the sheet of ${label}, the other days stay.`,
      `The scene was cut, so ${person} isn't needed on ${label} any more: remove the call.`,
    ]),
  checks: ({ id }) => [{ name: 'the line is gone', test: ({ calls }) => id !== '' && find(calls, id) === undefined }],
  allow: ({ id }) => (id === '' ? [] : [`/calls/${id}`]),
  shown: ({ ui }, { day: wanted }) => ui.day === wanted,
});

export const app = defineApp({
  id: 'call-sheets',
  title: 'Call sheets',
  about: 'Who is called when, on each shooting day of a film.',
  state,
  init(random) {
    const spots = random.sample(places, 5);
    const first = random.between(9, 14);
    const days = spots.map((place, index) => ({
      id: `d${index + 1}`,
      label: `Day ${first + index}`,
      place,
      issued: random.chance(0.4),
    }));
    const calls = days.flatMap(({ id }) =>
      random.sample(company, 7).map(([person, part]) => ({
        day: id,
        person,
        part,
        pickup: random.pick(times),
        onSet: random.pick(setTimes),
        van: random.pick(vans),
      })),
    );
    const ui = { line: null, adding: false, person: '', pickup: '', onSet: '', van: '', problem: '' };
    return { days, calls: calls.map((line, index) => ({ id: `c${index + 1}`, ...line })), ui: { day: '', ...ui } };
  },
  commands: [adjust, strike, callIn, setIssued, listCalls, turnTo, pencil, startAdding, write],
  view: sheets =>
    page('Call sheets', [
      navigation(
        'Shooting days',
        sheets.days.map(({ id, label }) =>
          tab(label, turnTo.with({ day: id }), id === sheets.ui.day ? ['selected'] : undefined),
        ),
      ),
      sheets.ui.problem !== '' && alert(sheets.ui.problem),
      sheets.ui.day === '' ? text('Turn to a day.') : sheetOf(sheets),
      text('Times are unit base times.'),
    ]),
  templates: [onSetAt, reissue, swapVan, callInAnother, earliest, whereIs, strikeOne],
  onRefusal(draft, message) {
    draft.ui.problem = message;
  },
});

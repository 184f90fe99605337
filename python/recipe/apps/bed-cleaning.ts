import {
  added,
  alert,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  find,
  heading,
  link,
  list,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  status,
  switchButton,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

// Turning beds over in a hospital: a table per ward that is edited in place, and cleaners with a pager each.
const wards = ['Aster', 'Aspen', 'Birch', 'Beech', 'Cedar'];
const conditions = ['occupied', 'to be stripped', 'being cleaned', 'ready', 'out of order'];
const grades = ['routine', 'deep', 'isolation'];
const crew = [
  'Dunja Kral',
  'Dunja Kralj',
  'Mateo Ruiz',
  'Matteo Riz',
  'Wanda Obi',
  'Wendy Obi',
  'Ilse Thorn',
  'Else Thorne',
];

const bed = z.object({
  id: z.string(),
  ward: z.string(),
  name: z.string(),
  condition: z.string(),
  grade: z.string(),
  cleaner: z.string(),
  freeSince: z.string(),
});
const cleaner = z.object({
  id: z.string(),
  name: z.string(),
  pager: z.string(),
  paused: z.boolean(),
  floor: z.string(),
});
const fault = z.object({ id: z.string(), bed: z.string(), what: z.string(), urgent: z.boolean() });
const state = z.object({
  beds: z.array(bed),
  cleaners: z.array(cleaner),
  faults: z.array(fault),
  ui: z.object({
    ward: z.string().nullable(),
    crew: z.boolean(),
    cleaner: z.string().nullable(),
    reporting: z.string().nullable(),
    what: z.string(),
    urgent: z.boolean(),
    message: z.string(),
  }),
});
type Hospital = z.infer<typeof state>;
type Bed = z.infer<typeof bed>;
const { command, gesture, query, template } = appKit(state);

const setBed = command('set_bed', {
  about: 'Change the condition, the grade of cleaning or the cleaner of a bed.',
  input: z.object({ id: z.string(), field: z.enum(['condition', 'grade', 'cleaner']), value: z.string() }),
  run(draft, { id, field, value }) {
    const changed = need(draft.beds, id, 'bed');
    const person = draft.cleaners.find(item => item.name === value);
    if (field === 'cleaner' && person?.paused === true) refuse(`${value} is on a break and takes no beds.`);
    if (field === 'condition' && value === 'ready' && draft.faults.some(item => item.bed === changed.name))
      refuse(`A fault of ${changed.name} is open.`);
    changed[field] = value;
    draft.ui.message = '';
  },
});
const setPause = command('set_break', {
  about: 'Send a cleaner on a break, or end it.',
  input: z.object({ id: z.string(), paused: z.boolean() }),
  run(draft, { id, paused }) {
    need(draft.cleaners, id, 'cleaner').paused = paused;
  },
});
const report = command('report_fault', {
  about: 'Report a fault of a bed to the workshop.',
  input: z.object({ bed: z.string(), what: z.string().trim().min(3, 'Say what is broken.'), urgent: z.boolean() }),
  run(draft, { bed: name, what, urgent }) {
    draft.faults.push({ id: nextId(draft.faults, 'f'), bed: name, what, urgent });
    Object.assign(draft.ui, { reporting: null, what: '', urgent: false });
  },
});
const readWard = query('read_ward', {
  about: 'The beds of a ward, all cleaners and all faults.',
  input: z.object({ ward: z.string() }),
  run: ({ beds, cleaners, faults }, { ward }) => ({ beds: beds.filter(item => item.ward === ward), cleaners, faults }),
});
const visit = gesture('visit_ward', {
  about: 'Look at a ward.',
  input: z.object({ ward: z.string() }),
  run(draft, { ward }) {
    Object.assign(draft.ui, { ward, crew: false, cleaner: null, reporting: null, message: '' });
  },
});
const meetCrew = gesture('meet_crew', {
  about: 'Look at the cleaners, or at one of them.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { ward: null, crew: true, cleaner: id, reporting: null, message: '' });
  },
});
const startReport = gesture('start_report', {
  about: 'Take a fault slip for a bed.',
  input: z.object({ bed: z.string().nullable() }),
  run(draft, { bed: name }) {
    Object.assign(draft.ui, { reporting: name, what: '', urgent: false });
  },
});
const describe = gesture('describe_fault', {
  about: 'Describe the fault.',
  input: z.object({ value: z.string().max(60) }),
  run(draft, { value }) {
    draft.ui.what = value;
  },
});
const hurry = gesture('hurry', {
  about: 'Say whether the fault is urgent.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    draft.ui.urgent = on;
  },
});

function wardTable({ beds, faults, ui }: Hospital, ward: string) {
  return table(
    `Ward ${ward}`,
    beds
      .filter(item => item.ward === ward)
      .map(item =>
        row(item.name, [
          cell(item.name),
          combobox(`${item.name} is`, item.condition, {
            enter: setBed.entering({ id: item.id, field: 'condition' }),
            options: conditions,
          }),
          combobox(`${item.name} cleaning`, item.grade, {
            enter: setBed.entering({ id: item.id, field: 'grade' }),
            options: grades,
          }),
          combobox(`${item.name} done by`, item.cleaner, {
            enter: setBed.entering({ id: item.id, field: 'cleaner' }),
            options: crew,
          }),
          item.condition !== 'occupied' && cell(`empty since ${item.freeSince}`),
          faults.some(fault => fault.bed === item.name) && cell('fault open'),
          ui.reporting === null && button(`Fault slip ${item.name}`, startReport.with({ bed: item.name })),
        ]),
      ),
  );
}

function crewRoom({ cleaners, ui }: Hospital) {
  const person = find(cleaners, ui.cleaner ?? '');
  if (person === undefined)
    return list(
      'Cleaners',
      cleaners.map(({ id, name }) => link(name, meetCrew.with({ id }))),
      { shuffle: true },
    );
  return region('Cleaner', [
    heading(person.name),
    text(`Pager ${person.pager}`),
    text(`Starts on ward ${person.floor}`),
    status(person.paused ? 'On a break' : 'At work'),
    switchButton('Break', person.paused, setPause.with({ id: person.id, paused: !person.paused })),
    button('Whole crew', meetCrew.with({ id: null })),
  ]);
}

const inWard = (hospital: Hospital, ward: string) => hospital.beds.filter(item => item.ward === ward);
const noFault = (draft: Hospital, name: string) => {
  draft.faults = draft.faults.filter(item => item.bed !== name);
};

const regrade = template('set-grade', {
  about: 'Change how thoroughly a bed is to be cleaned.',
  split: 'train',
  sample({ beds }, random) {
    const { id, name, ward, grade } = random.pick(beds);
    return { id, name, ward, grade: random.pick(grades.filter(item => item !== grade)) };
  },
  instruction: ({ name, ward, grade }, random) =>
    random.pick([
      `${name}, ward ${ward}: ${grade} cleaning.`,
      `Infection control rang about ward ${ward}. ${name} needs ${grade} cleaning.`,
      `Please change the cleaning of ${name} on ${ward} to ${grade}, everything else about it is right.`,
    ]),
  checks: ({ id, grade }) => [{ name: `${grade} cleaning`, test: ({ beds }) => find(beds, id)?.grade === grade }],
  allow: ({ id }) => [`/beds/${id}/grade`],
});

const fromBreak = template('assign-after-break', {
  about: 'End the break of a cleaner and give them a bed.',
  split: 'train',
  sample({ beds, cleaners }, random) {
    const { id, name, ward, cleaner: current } = random.pick(beds);
    const person = random.pick(cleaners.filter(item => item.name !== current));
    return { id, name, ward, person: person.id, who: person.name };
  },
  setup(draft, { person }) {
    need(draft.cleaners, person, 'cleaner').paused = true;
  },
  instruction: ({ name, ward, who }, random) =>
    random.pick([
      `${who} is back from the break and does ${name} on ${ward}.`,
      `End ${who}'s break, then give them ${name} (ward ${ward}).`,
      `${name} on ward ${ward} goes to ${who}. If the system thinks they are on a break: they are not any more.`,
    ]),
  checks: ({ id, person, who }) => [
    { name: 'the break is over', test: ({ cleaners }) => find(cleaners, person)?.paused === false },
    { name: `${who} does it`, test: ({ beds }) => find(beds, id)?.cleaner === who },
  ],
  allow: ({ id, person }) => [`/beds/${id}/cleaner`, `/cleaners/${person}/paused`],
});

const allReady = template('ready-after-cleaning', {
  about: 'Set the beds of a ward that one cleaner was cleaning to ready.',
  split: 'train',
  sample(hospital, random) {
    const ward = random.pick(wards);
    const [who, other] = random.sample(crew, 2) as [string, string];
    const picked = random.sample(inWard(hospital, ward), 4).map(({ id }) => id);
    return { ward, who, other, ids: picked.slice(0, 2), stripped: picked[2] ?? '', others: picked[3] ?? '' };
  },
  setup(draft, { ward, who, other, ids, stripped, others }) {
    for (const item of inWard(draft, ward)) {
      if (ids.includes(item.id)) Object.assign(item, { condition: 'being cleaned', cleaner: who });
      else if (item.id === stripped) Object.assign(item, { condition: 'to be stripped', cleaner: who });
      else if (item.id === others) Object.assign(item, { condition: 'being cleaned', cleaner: other });
      else if (item.cleaner === who) item.cleaner = other;
      noFault(draft, item.name);
    }
  },
  instruction: ({ ward, who }, random) =>
    random.pick([
      `${who} has finished on ${ward}: what they were cleaning there is ready.`,
      `Ward ${ward}. Beds being cleaned by ${who} are ready now; those they have not begun are not.`,
      `Set to ready every bed on ${ward} that is both being cleaned and done by ${who}.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is ready`, test: ({ beds }) => find(beds, id)?.condition === 'ready' })),
  allow: ({ ids }) => ids.map(id => `/beds/${id}/condition`),
});

const longestEmpty = template('strip-longest-empty', {
  about: 'Have the bed of a ward cleaned next that has been waiting longest to be stripped.',
  split: 'train',
  sample(hospital, random) {
    const ward = random.pick(wards);
    const [first, second] = random.sample(inWard(hospital, ward), 2) as [Bed, Bed];
    return { ward, id: first.id, later: second.id, hour: random.between(2, 4) };
  },
  setup(draft, { ward, id, later, hour }) {
    for (const item of inWard(draft, ward)) if (item.freeSince < '06') item.freeSince = '06:40';
    Object.assign(need(draft.beds, id, 'bed'), { condition: 'to be stripped', freeSince: `0${hour}:20` });
    Object.assign(need(draft.beds, later, 'bed'), { condition: 'to be stripped', freeSince: `0${hour}:50` });
  },
  instruction: ({ ward }, random) =>
    random.pick([
      `On ${ward}, the bed that has been empty longest without being stripped is being cleaned now.`,
      `Ward ${ward} started: they took the one to be stripped with the earliest time. Set it to being cleaned.`,
      `Of the beds to be stripped on ward ${ward}, mark the one that is longest empty as being cleaned.`,
    ]),
  checks: ({ id }) => [
    { name: 'it is being cleaned', test: ({ beds }) => find(beds, id)?.condition === 'being cleaned' },
  ],
  allow: ({ id }) => [`/beds/${id}/condition`],
});

const slip = template('write-fault-slip', {
  about: 'Report a fault of a bed.',
  split: 'train',
  sample({ beds }, random) {
    const { name, ward } = random.pick(beds);
    const what = random.pick([
      'brake is stuck',
      'side rail rattles',
      'head end will not lift',
      'mattress is torn',
      'call button is dead',
    ]);
    return { name, ward, what, urgent: random.chance(0.5) };
  },
  instruction: ({ name, ward, what, urgent }, random) =>
    random.pick([
      `Fault slip for ${name} on ${ward}: ${what}. ${urgent ? 'Urgent.' : 'No hurry.'}`,
      `Tell the workshop about ${name} (ward ${ward}). Write "${what}". It is ${urgent ? '' : 'not '}urgent.`,
      `${urgent ? 'Urgently to be repaired' : 'To be repaired at some time'}: ${name}, ward ${ward}, ${what}.`,
    ]),
  checks: ({ name, what, urgent }) => [
    {
      name: 'one slip was written',
      test(final, initial) {
        const [made, ...more] = added(initial.faults, final.faults);
        return more.length === 0 && made?.bed === name && made.what === what && made.urgent === urgent;
      },
    },
  ],
  allow: () => ['/faults/+'],
});

const pagerFor = template('pager-of-bed', {
  about: 'Say the pager of the cleaner who does a bed.',
  split: 'train',
  sample({ beds, cleaners }, random) {
    const { name, ward, cleaner: who } = random.pick(beds);
    const person = cleaners.find(item => item.name === who);
    return person === undefined ? null : { name, ward, person: person.id };
  },
  instruction: ({ name, ward }, random) =>
    random.pick([
      `What is the pager of whoever cleans ${name} on ward ${ward}?`,
      `I must page the person who does ${name} (${ward}). The number?`,
      `Pager number of the cleaner put down for ${name}, ward ${ward}.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ person }, { cleaners }) => need(cleaners, person, 'cleaner').pager,
  shown: ({ ui }, { ward, person }) => [ui.ward === ward, ui.cleaner === person],
});

const makeReady = template('ready-unless-fault', {
  about: 'Set a bed to ready; impossible while a fault is open.',
  split: 'train',
  kind: 'infeasible',
  sample({ beds }, random) {
    const { id, name, ward } = random.pick(beds);
    return { id, name, ward, sound: random.chance(0.5) };
  },
  isTwin: ({ sound }) => sound,
  setup(draft, { id, name, sound }) {
    need(draft.beds, id, 'bed').condition = 'being cleaned';
    noFault(draft, name);
    if (!sound) draft.faults.push({ id: 'f90', bed: name, what: 'brake is stuck', urgent: true });
  },
  instruction: ({ name, ward }, random) =>
    random.pick([
      `${name} on ${ward} is ready.`,
      `A patient is on the way up to ward ${ward}; set ${name} to ready.`,
      `Cleaning of ${name} (ward ${ward}) is over, so show it as ready please.`,
    ]),
  checks: ({ id }) => [{ name: 'it is ready', test: ({ beds }) => find(beds, id)?.condition === 'ready' }],
  allow: ({ id, sound }) => (sound ? [`/beds/${id}/condition`] : []),
  shown: ({ ui }, { ward }) => ui.ward === ward,
});

export const app = defineApp({
  id: 'bed-cleaning',
  title: 'Bed turnover',
  about: 'Beds of a hospital that are to be cleaned, by ward, and the cleaners.',
  state,
  init(random) {
    const clock = () => `${String(random.between(6, 12)).padStart(2, '0')}:${random.between(10, 59)}`;
    const beds = wards.flatMap(ward =>
      random
        .sample(
          Array.from({ length: 18 }, (_, index) => index + 11),
          7,
        )
        .map(number => ({
          ward,
          name: `${ward[0]}${ward[1]}-${number}`,
          condition: random.pick(conditions),
          grade: random.pick(grades),
          cleaner: random.pick(crew),
          freeSince: clock(),
        })),
    );
    return {
      beds: beds.map((item, index) => ({ id: `b${index + 1}`, ...item })),
      cleaners: random.shuffle(crew).map((name, index) => ({
        id: `c${index + 1}`,
        name,
        pager: `${random.between(2, 9)}${index}${random.between(10, 99)}`,
        paused: random.chance(0.3),
        floor: random.pick(wards),
      })),
      faults: [],
      ui: { ward: null, crew: false, cleaner: null, reporting: null, what: '', urgent: false, message: '' },
    };
  },
  commands: [setBed, setPause, report, readWard, visit, meetCrew, startReport, describe, hurry],
  view(hospital) {
    const { ward, crew: atCrew, reporting, what, urgent, message } = hospital.ui;
    return page('Bed turnover', [
      navigation('House', [
        ...wards.map(name => button(name, visit.with({ ward: name }), name === ward ? ['current'] : undefined)),
        button('Crew', meetCrew.with({ id: null })),
      ]),
      message !== '' && alert(message),
      reporting !== null &&
        toolbar(`Fault slip for ${reporting}`, [
          textbox('What is broken', what, { enter: describe.entering({}) }),
          switchButton('Urgent', urgent, hurry.with({ on: !urgent })),
          button('Send to workshop', report.with({ bed: reporting, what, urgent })),
          button('Throw away', startReport.with({ bed: null })),
        ]),
      ward !== null && wardTable(hospital, ward),
      atCrew && crewRoom(hospital),
    ]);
  },
  templates: [regrade, fromBreak, allReady, longestEmpty, slip, pagerFor, makeReady],
  onRefusal(draft, message) {
    draft.ui.message = message;
  },
});

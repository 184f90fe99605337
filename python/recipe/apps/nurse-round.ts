// A district nurse's round on a phone: today's visits, a patient sheet, tick-offs and a key safe list.
import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  need,
  nextId,
  page,
  region,
  status,
  switchButton,
  text,
  textbox,
  z,
} from 'espalier';

const s = z.string();
const patient = z.object({ id: s, name: s, street: s, keysafe: s, pharmacy: s, allergy: s });
const visit = z.object({ id: s, patient: s, task: s, hour: s, nurse: s, done: z.boolean(), note: s });
const screens = ['today', 'visit', 'patients', 'sheet', 'plan'] as const;
const state = z.object({
  patients: z.array(patient),
  visits: z.array(visit),
  ui: z.object({
    on: z.enum(screens),
    nurse: s,
    visit: s,
    patient: s,
    task: s,
    hour: s,
    by: s,
    note: s,
    bar: s,
  }),
});
type Round = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const say = (n: number, ...ways: string[]) => ways[n % ways.length] ?? '';

const given = ['Ada', 'Bernard', 'Clara', 'Desmond', 'Elsie', 'Frank', 'Gita', 'Harold', 'Ivy', 'Joyce', 'Kofi', 'Len'];
const family = ['Pryce', 'Oduya', 'Tilley', 'Marsh', 'Novak', 'Bains', 'Crewe', 'Lomax', 'Reilly', 'Sandhu'];
const tasks = ['Insulin', 'Wound dressing', 'Blood pressure', 'Catheter care', 'Eye drops', 'Bandage', 'Blood sample'];
const hours = ['8:00', '8:45', '9:30', '10:15', '11:00', '14:00', '15:15', '16:30'];
const nurses = ['Imani', 'Sorcha', 'Pavel', 'Wren'];
const shops = ['Green Cross', 'Bridge Street Pharmacy', 'Hale Chemist', 'Corner Dispensary', 'Abbey Pharmacy'];
const allergies = ['latex', 'penicillin', 'plasters', 'iodine', 'none known', 'aspirin'];
const notes = [
  'Leg is less swollen',
  'Nobody opened',
  'Skin looks dry',
  'Daughter was there',
  'Slept badly',
  'In good spirits',
  'Needs more gauze',
  'Refused tea',
];

const hand = command('hand_over', {
  about: 'Hand a visit over to another nurse.',
  input: z.object({ id: s, value: s }),
  run(draft, { id, value }) {
    need(draft.visits, id, 'visit').nurse = value;
    draft.ui.bar = `Handed to ${value}`;
  },
});
const done = command('tick_visit', {
  about: 'Say that a visit is done, or not done after all.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const made = need(draft.visits, id, 'visit');
    made.done = !made.done;
  },
});
const annotate = command('note_visit', {
  about: 'Write a note on a visit.',
  input: z.object({ id: s, note: s.trim().min(1, 'the note is empty') }),
  run(draft, { id, note }) {
    need(draft.visits, id, 'visit').note = note;
    Object.assign(draft.ui, { note: '', bar: 'Note kept' });
  },
});
const plan = command('plan_visit', {
  about: 'Plan another visit to a patient for a nurse.',
  input: z.object({ patient: s, task: s.min(1, 'what for?'), hour: s.min(1, 'when?'), nurse: s.min(1, 'by whom?') }),
  run(draft, input) {
    draft.visits.push({ id: nextId(draft.visits, 'v'), ...input, done: false, note: '' });
    Object.assign(draft.ui, { on: 'sheet', task: '', hour: '', by: '', bar: 'Visit planned' });
  },
});
const read = query('read_round', {
  about: 'All patients and visits.',
  input: z.object({}),
  run: ({ patients, visits }) => ({ patients, visits }),
});
const step = gesture('step_to', {
  about: 'Go to a screen, with a visit or a patient.',
  input: z.object({ on: z.enum(screens), visit: s.optional(), patient: s.optional() }),
  run(draft, place) {
    Object.assign(draft.ui, place, { bar: '', note: '' });
  },
});
const key = gesture('key_in', {
  about: 'Fill in a field, or choose whose round is shown.',
  input: z.object({ field: z.enum(['nurse', 'task', 'hour', 'by', 'note']), value: s.max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function screen({ patients, visits, ui }: Round) {
  const [call, who] = [find(visits, ui.visit), find(patients, ui.patient)];
  const name = (id: string) => find(patients, id)?.name ?? '';
  if (ui.on === 'visit' && call !== undefined)
    return region('Visit', [
      heading(`${call.hour} ${name(call.patient)}`),
      text(call.task),
      call.note !== '' && text(`Note: ${call.note}`),
      link('Patient sheet', step.with({ on: 'sheet', patient: call.patient })),
      switchButton('Done', call.done, done.with({ id: call.id })),
      combobox('Nurse', call.nurse, { enter: hand.entering({ id: call.id }), options: nurses }),
      textbox('Note', ui.note, { enter: key.entering({ field: 'note' }) }),
      button('Keep note', annotate.with({ id: call.id, note: ui.note })),
    ]);
  if (ui.on === 'patients')
    return list(
      'A to Z',
      patients.map(it => link(it.name, step.with({ on: 'sheet', patient: it.id }))),
    );
  if (ui.on === 'sheet' && who !== undefined)
    return region('Patient sheet', [
      heading(who.name),
      text(who.street),
      text(`Key safe ${who.keysafe}`),
      text(`Medicines from ${who.pharmacy}`),
      text(`Allergy: ${who.allergy}`),
      button('Plan a visit', step.with({ on: 'plan', patient: who.id })),
    ]);
  if (ui.on === 'plan' && who !== undefined)
    return form(`Visit to ${who.name}`, [
      combobox('For', ui.task, { enter: key.entering({ field: 'task' }), options: tasks }),
      combobox('At', ui.hour, { enter: key.entering({ field: 'hour' }), options: hours }),
      combobox('By', ui.by, { enter: key.entering({ field: 'by' }), options: nurses }),
      button('Plan', plan.with({ patient: who.id, task: ui.task, hour: ui.hour, nurse: ui.by })),
    ]);
  return region('Today', [
    combobox('Round of', ui.nurse, { enter: key.entering({ field: 'nurse' }), options: nurses }),
    list(
      `Visits of ${ui.nurse}`,
      visits
        .filter(it => it.nurse === ui.nurse)
        .map(({ id, hour, task, patient: of }) =>
          listItem(`${hour} ${task}`, [link(name(of), step.with({ on: 'visit', visit: id }))]),
        ),
    ),
  ]);
}

type Random = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
function call({ visits, patients }: Round, random: Random) {
  const { id, patient: of, task, hour, nurse } = random.pick(visits);
  return { id, of, name: need(patients, of, 'patient').name, task, hour, nurse, n: random.between(0, 5) };
}

const handOver = template('hand-over', {
  about: 'Hand a visit of one nurse over to another.',
  split: 'train',
  sample(round, random) {
    const it = call(round, random);
    return { ...it, to: random.pick(nurses.filter(other => other !== it.nurse)) };
  },
  instruction: ({ n, name, hour, nurse, to }) =>
    say(
      n,
      `${hour} ${name}: ${nurse} -> ${to}`,
      `${nurse} is stuck in traffic. Could ${to} take the ${hour} visit to ${name}?`,
      `Hand ${nurse}'s visit to ${name} at ${hour} over to ${to}.`,
      `Please let ${to} do ${name} at ${hour}, which is on the round of ${nurse} now.`,
      `${name} gets on better with ${to}, so give her ${nurse}'s ${hour} call there.`,
      `On the round of ${nurse} there is ${name} (${hour}). That one should be ${to}'s.`,
    ),
  checks: ({ id, to }) => [{ name: `${to} makes the visit`, test: final => find(final.visits, id)?.nurse === to }],
  allow: ({ id }) => [`/visits/${id}/nurse`],
});
const doneWithNote = template('done-with-note', {
  about: 'Tick a visit off and leave a note.',
  split: 'train',
  sample: (round, random) => ({ ...call(round, random), words: random.pick(notes) }),
  setup(draft, { id }) {
    Object.assign(need(draft.visits, id, 'visit'), { done: false, note: '' });
  },
  instruction: ({ n, name, task, hour, nurse, words }) =>
    say(
      n,
      `${nurse}, ${hour} ${name}: done. Note "${words}".`,
      `I (${nurse}) have been at ${name}'s for the ${task}. Tick off the ${hour} visit and note: ${words}`,
      `${nurse}'s ${hour} visit is over, ${name} has had the ${task}. Please mark it and write "${words}" on it.`,
      `Tick ${name} at ${hour} on the round of ${nurse} and add the note "${words}".`,
      `For the record: "${words}". That is for ${name}, ${hour}, round of ${nurse}, and the visit is done.`,
      `Could you close the ${task} visit at ${hour} (${name}, ${nurse}) as done, with "${words}" as its note?`,
    ),
  checks: ({ id, words }) => [
    { name: 'the visit is done', test: final => find(final.visits, id)?.done === true },
    { name: 'the note is on it', test: final => find(final.visits, id)?.note === words },
  ],
  allow: ({ id }) => [`/visits/${id}/done`, `/visits/${id}/note`],
});
const planOne = template('plan-visit', {
  about: 'Plan a visit to a patient, and say to what the patient is allergic.',
  split: 'train',
  sample({ patients }, random) {
    const { id, name, allergy } = random.pick(patients);
    const what = { task: random.pick(tasks), hour: random.pick(hours), nurse: random.pick(nurses) };
    return { id, name, allergy, ...what, n: random.between(0, 5) };
  },
  instruction: ({ n, name, task, hour, nurse }) =>
    say(
      n,
      `Plan ${task} for ${name}, ${hour}, ${nurse}. Any allergy?`,
      `${name} needs ${task} at ${hour} today and ${nurse} can go. Plan it and tell me the allergy on the sheet.`,
      `Please add a visit to ${name}: ${task}, ${hour}, by ${nurse}. What does the sheet give as allergy?`,
      `What is the allergy of ${name}? ${nurse} wants to know before the ${task} at ${hour}, which you should plan too.`,
      `The surgery rang about ${name}: ${task} at ${hour}. Put it on ${nurse}'s round and answer with the allergy.`,
      `${nurse} has a gap at ${hour}. Use it for ${task} at ${name}'s, then say which allergy is noted.`,
    ),
  checks: ({ id, task, hour, nurse }) => [
    {
      name: 'one visit was planned as told',
      test(final, initial) {
        const [made, ...more] = added(initial.visits, final.visits);
        if (made === undefined || more.length > 0 || made.done || made.note !== '') return false;
        return made.patient === id && made.task === task && made.hour === hour && made.nurse === nurse;
      },
    },
  ],
  allow: () => ['/visits/+'],
  answer: ({ allergy }) => allergy,
  shown: ({ ui }, { id }) => ui.on === 'sheet' && ui.patient === id,
});
const askSafe = template('key-safe', {
  about: 'Say the number of the key safe of the patient of a visit.',
  split: 'train',
  sample: call,
  instruction: ({ n, name, hour, nurse }) =>
    say(
      n,
      `Key safe of ${name}?`,
      `${nurse} stands at the door of the ${hour} patient, ${name}. What is the key safe number?`,
      `What number opens the key safe at ${name}'s?`,
      `Please give me the code of the key safe for ${name}.`,
      `I forgot how to get in at ${name}'s. Look up the key safe.`,
      `${name} can't come to the door; which key safe number?`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ of }, { patients }) => need(patients, of, 'patient').keysafe,
  shown: ({ ui }, { of }) => ui.on === 'sheet' && ui.patient === of,
});

export const app = defineApp({
  id: 'nurse-round',
  title: 'Rounds',
  about: 'The rounds of district nurses.',
  state,
  init(random) {
    const names = random
      .sample(
        given.flatMap(one => family.map(two => `${one} ${two}`)),
        14,
      )
      .sort();
    const patients = names.map((name, index) => ({
      id: `p${index}`,
      name,
      street: `${random.between(1, 90)} ${random.pick(['Elm', 'Park', 'Vine'])} Street`,
      keysafe: `${random.between(1000, 9999)}`,
      pharmacy: random.pick(shops),
      allergy: random.pick(allergies),
    }));
    const visits = random.shuffle(patients).map(({ id }, index) => ({
      id: `v${index + 1}`,
      patient: id,
      task: random.pick(tasks),
      hour: random.pick(hours),
      nurse: random.pick(nurses),
      done: random.chance(0.3),
      note: random.chance(0.3) ? random.pick(notes) : '',
    }));
    const ui = { nurse: 'Imani', visit: '', patient: '', task: '', hour: '', by: '', note: '', bar: '' };
    return { patients, visits, ui: { on: 'today' as const, ...ui } };
  },
  commands: [hand, done, annotate, plan, read, step, key],
  view: round =>
    page('Rounds', [
      menu('Go to', [
        menuItem("Today's round", step.with({ on: 'today' })),
        menuItem('All patients', step.with({ on: 'patients' })),
      ]),
      round.ui.bar !== '' && status(round.ui.bar),
      screen(round),
    ]),
  templates: [handOver, doneWithNote, planOne, askSafe],
  onRefusal(draft, message) {
    draft.ui.bar = message;
  },
});

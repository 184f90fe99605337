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
  form,
  heading,
  link,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  tab,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const hours = ['08:00', '09:30', '11:00', '13:00', '14:30', '16:00', '17:30'];
const exercises = ['Circuits', 'Stalls', 'Navigation', 'Steep turns', 'Forced landing', 'Night flying', 'First solo'];

const state = z.object({
  sorties: z.array(
    z.object({
      id: z.string(),
      day: z.string(),
      hour: z.string(),
      pupil: z.string(),
      tutor: z.string(),
      plane: z.string(),
      exercise: z.string(),
      scrubbed: z.boolean(),
    }),
  ),
  planes: z.array(
    z.object({
      id: z.string(),
      reg: z.string(),
      model: z.string(),
      rate: z.int(),
      sinceCheck: z.int(),
      grounded: z.boolean(),
      tag: z.boolean(),
    }),
  ),
  tutors: z.array(z.object({ id: z.string(), name: z.string(), radio: z.string(), licence: z.string() })),
  ui: z.object({
    area: z.string(),
    day: z.string(),
    open: z.string().nullable(),
    asking: z.boolean(),
    notice: z.string(),
    slip: z.object({
      pupil: z.string(),
      day: z.string(),
      hour: z.string(),
      tutor: z.string(),
      exercise: z.string(),
    }),
  }),
});
type School = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const blank = { pupil: '', day: 'Monday', hour: '08:00', tutor: '', exercise: 'Circuits' };

const assignPlane = command('assign_plane', {
  about: 'Put a sortie on another aeroplane.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const plane = draft.planes.find(({ reg }) => reg === value.slice(0, 6)) ?? refuse(`No aeroplane ${value}.`);
    if (plane.grounded) refuse(`${plane.reg} is on the ground.`);
    need(draft.sorties, id, 'sortie').plane = plane.reg;
  },
});
const assignExercise = command('assign_exercise', {
  about: 'Change what a sortie practises.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!exercises.includes(value)) refuse('No such exercise.');
    need(draft.sorties, id, 'sortie').exercise = value;
  },
});
const scrub = command('scrub_sortie', {
  about: 'Scrub a sortie: it will not be flown.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const sortie = need(draft.sorties, id, 'sortie');
    if (sortie.scrubbed) refuse('It is scrubbed already.');
    sortie.scrubbed = true;
    draft.ui.asking = false;
  },
});
const enterDiary = command('enter_sortie', {
  about: 'Write a new sortie into the diary.',
  input: z.object({
    pupil: z.string().trim().min(1, 'Who flies?'),
    day: z.string(),
    hour: z.string(),
    tutor: z.string(),
    exercise: z.string(),
  }),
  run(draft, input) {
    if (!draft.tutors.some(({ name }) => name === input.tutor)) refuse('Choose who teaches.');
    if (!days.includes(input.day) || !hours.includes(input.hour)) refuse('Choose a day and a start.');
    draft.sorties.push({ id: nextId(draft.sorties, 's'), ...input, plane: 'to be decided', scrubbed: false });
    Object.assign(draft.ui, { area: 'diary', day: input.day, slip: { ...blank } });
  },
});
const setGrounded = command('ground_plane', {
  about: 'Ground an aeroplane, or release it to the line.',
  input: z.object({ id: z.string(), grounded: z.boolean() }),
  run(draft, { id, grounded }) {
    const plane = need(draft.planes, id, 'aeroplane');
    if (!grounded && plane.tag)
      refuse(`${plane.reg} wears the red tag of the engineer. Only the engineer may release it.`);
    plane.grounded = grounded;
  },
});
const listSorties = query('read_diary', {
  about: 'Read the sorties of a day.',
  input: z.object({ day: z.string() }),
  run: ({ sorties }, { day }) => sorties.filter(sortie => sortie.day === day),
});
const listPlanes = query('read_hangar', {
  about: 'Read the aeroplanes and the tutors.',
  input: z.object({}),
  run: ({ planes, tutors }) => ({ planes, tutors }),
});
const go = gesture('go_to', {
  about: 'Go to an area.',
  input: z.object({ area: z.string() }),
  run(draft, { area }) {
    Object.assign(draft.ui, { area, open: null, asking: false, notice: '' });
  },
});
const turnTo = gesture('turn_to_day', {
  about: 'Turn the diary to a day.',
  input: z.object({ day: z.string() }),
  run(draft, { day }) {
    Object.assign(draft.ui, { day, open: null, notice: '' });
  },
});
const open = gesture('open_sortie', {
  about: 'Open a sortie, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { open: id, asking: false, notice: '' });
  },
});
const ask = gesture('ask_scrub', {
  about: 'Ask before scrubbing.',
  input: z.object({ asking: z.boolean() }),
  run(draft, { asking }) {
    draft.ui.asking = asking;
  },
});
const fillSlip = gesture('fill_slip', {
  about: 'Fill a field of the booking slip.',
  input: z.object({ field: z.enum(['pupil', 'day', 'hour', 'tutor', 'exercise']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui.slip[field] = value;
  },
});

function diary({ sorties, planes, ui }: School) {
  const opened = find(sorties, ui.open ?? '');
  if (opened !== undefined && ui.asking)
    return dialog(`Scrub the ${opened.hour} of ${opened.pupil}?`, [
      text('The pupil is told by text message.'),
      button('Yes, scrub it', scrub.with({ id: opened.id })),
      button('No, it flies', ask.with({ asking: false })),
    ]);
  if (opened !== undefined)
    return region('Flight sheet', [
      heading(`${opened.pupil}, ${opened.day} ${opened.hour}`),
      text(`Tutor: ${opened.tutor}`),
      opened.scrubbed && alert('Scrubbed'),
      combobox('Aeroplane', opened.plane, {
        enter: assignPlane.entering({ id: opened.id }),
        options: planes.filter(({ grounded }) => !grounded).map(({ reg, model, rate }) => `${reg} ${model} €${rate}`),
      }),
      combobox('Exercise', opened.exercise, { enter: assignExercise.entering({ id: opened.id }), options: exercises }),
      !opened.scrubbed && button('Scrub', ask.with({ asking: true })),
      link('Back to the day', open.with({ id: null })),
    ]);
  return region('Diary', [
    navigation(
      'Days',
      days.map(day => tab(day, turnTo.with({ day }), day === ui.day ? ['selected'] : undefined)),
    ),
    table(
      ui.day,
      hours.map(hour =>
        row(
          hour,
          sorties
            .filter(sortie => sortie.day === ui.day && sortie.hour === hour)
            .map(({ id, pupil, plane, scrubbed }) =>
              link(`${pupil} / ${plane}${scrubbed ? ' (scrubbed)' : ''}`, open.with({ id })),
            ),
        ),
      ),
    ),
  ]);
}
function hangar({ planes }: School) {
  return table(
    'Hangar',
    planes.map(({ id, reg, model, rate, sinceCheck, grounded, tag }) =>
      row(reg, [
        cell(model),
        cell(`€${rate} an hour`),
        cell(`${sinceCheck} h since check`),
        cell(grounded ? (tag ? 'on the ground, red tag' : 'on the ground') : 'on the line'),
        button(grounded ? `Release ${reg}` : `Ground ${reg}`, setGrounded.with({ id, grounded: !grounded })),
      ]),
    ),
    { shuffle: true },
  );
}
function slipForm({ tutors, ui: { slip } }: School) {
  return form('Booking slip', [
    textbox('Pupil', slip.pupil, { enter: fillSlip.entering({ field: 'pupil' }) }),
    combobox('Day', slip.day, { enter: fillSlip.entering({ field: 'day' }), options: days }),
    combobox('Brakes off', slip.hour, { enter: fillSlip.entering({ field: 'hour' }), options: hours }),
    combobox('Tutor', slip.tutor, {
      enter: fillSlip.entering({ field: 'tutor' }),
      options: tutors.map(({ name }) => name),
    }),
    combobox('Exercise', slip.exercise, { enter: fillSlip.entering({ field: 'exercise' }), options: exercises }),
    button('Enter in diary', enterDiary.with(slip)),
  ]);
}

const pupils = [
  'Ana Reis',
  'Ana Reiter',
  'Boris Falk',
  'Carla Falk',
  'Dev Anand',
  'Devon Price',
  'Elif Kaya',
  'Emre Kaya',
  'Gus Holm',
  'Hanna Holm',
  'Ivo Marek',
  'Jonas Lind',
  'Joanna Lind',
  'Kemal Usta',
];
const newcomers = ['Petra Wulff', 'Quentin Bray', 'Rosa Tamm', 'Sven Aune', 'Tilda Coe', 'Umar Bashir', 'Vera Stolz'];
const tutorNames = ['Capt. Moody', 'Capt. Moore', 'Lise Carron', 'Luis Carrera', 'Nadia Bell'];

const swapPlane = template('swap-plane', {
  about: 'Put a sortie of a pupil on another aeroplane.',
  split: 'train',
  sample({ sorties, planes }, random) {
    const { id, pupil, day, hour, plane } = random.pick(sorties.filter(({ scrubbed }) => !scrubbed));
    const other = random.pick(planes.filter(({ reg, grounded }) => !grounded && reg !== plane));
    return { id, pupil, day, hour, reg: other.reg };
  },
  instruction: ({ pupil, day, hour, reg }, random) =>
    random.pick([
      `${pupil} flies on ${day} at ${hour}: make that ${reg}.`,
      `Please switch the aircraft for ${pupil}'s ${hour} slot on ${day}. It should be ${reg} now.`,
      `${day}, ${hour}, ${pupil} -> ${reg}`,
      `I promised ${pupil} a ride in ${reg} for the sortie on ${day} at ${hour}. Can you see to taht in the diary?`,
    ]),
  checks: ({ id, reg }) => [{ name: `the sortie uses ${reg}`, test: final => find(final.sorties, id)?.plane === reg }],
  allow: ({ id }) => [`/sorties/${id}/plane`],
});
const bookSlot = template('book-slot', {
  about: 'Write a new sortie into the diary.',
  split: 'train',
  sample: ({ tutors }, random) => ({
    pupil: random.pick(newcomers),
    day: random.pick(days.slice(1)),
    hour: random.pick(hours.slice(1)),
    tutor: random.pick(tutors).name,
    exercise: random.pick(exercises.slice(1)),
  }),
  instruction: ({ pupil, day, hour, tutor, exercise }, random) =>
    random.pick([
      `Book ${pupil} with ${tutor}, ${day} ${hour}, ${exercise}.`,
      `We have a new student, ${pupil}. ${tutor} will take them up on ${day} at ${hour} for ${exercise}. Put it in the diary.`,
      `${pupil} rang and wants to practise ${exercise}. ${tutor} is free on ${day} at ${hour}, so write that in please.`,
    ]),
  checks: want => [
    {
      name: 'one sortie was entered, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.sorties, final.sorties);
        return (
          more.length === 0 &&
          made?.pupil === want.pupil &&
          made.day === want.day &&
          made.hour === want.hour &&
          made.tutor === want.tutor &&
          made.exercise === want.exercise &&
          made.plane === 'to be decided' &&
          !made.scrubbed
        );
      },
    },
  ],
  allow: () => ['/sorties/+'],
});
const scrubOne = template('scrub-sortie', {
  about: 'Scrub one sortie.',
  split: 'train',
  sample({ sorties }, random) {
    const { id, pupil, day, hour } = random.pick(sorties);
    return { id, pupil, day, hour };
  },
  setup(draft, { id }) {
    need(draft.sorties, id, 'sortie').scrubbed = false;
  },
  instruction: ({ pupil, day, hour }, random) =>
    random.pick([
      `${pupil} has a cold. Take the ${day} ${hour} sortie off.`,
      `Scrub ${pupil} on ${day} at ${hour}.`,
      `Fog is forecast for ${day} around ${hour}, so ${pupil} will not be flying then. Call that sortie off, leave the rest of the diary alone.`,
    ]),
  checks: ({ id }) => [{ name: 'the sortie is scrubbed', test: final => find(final.sorties, id)?.scrubbed === true }],
  allow: ({ id }) => [`/sorties/${id}/scrubbed`],
});
const groundDue = template('ground-overdue', {
  about: 'Ground every aeroplane that is due for its check.',
  split: 'train',
  sample({ planes }, random) {
    const limit = random.pick([60, 70, 75, 80, 85]);
    const ids = planes.filter(plane => plane.sinceCheck >= limit && !plane.grounded).map(({ id }) => id);
    return ids.length < 2 || ids.length > 4 ? null : { limit, ids };
  },
  instruction: ({ limit }, random) =>
    random.pick([
      `Ground everything with ${limit} hours or more since its check.`,
      `The engineer comes tomorrow. Whatever is on the line and has flown at least ${limit} h since the last check must stay on the ground.`,
      `No aeroplane may fly with ${limit} or more hours since check. Take those off the line.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is grounded`, test: (final: School) => find(final.planes, id)?.grounded === true })),
  allow: ({ ids }) => ids.map(id => `/planes/${id}/grounded`),
});
const cheapest = template('cheapest-plane', {
  about: 'Put a sortie on the cheapest aeroplane of a model.',
  split: 'train',
  sample({ sorties, planes }, random) {
    const model = random.pick(['Cessna 172', 'Piper Warrior', 'Diamond DA40']);
    const free = planes.filter(plane => plane.model === model && !plane.grounded).sort((a, b) => a.rate - b.rate);
    const [first, second] = free;
    if (first === undefined || second === undefined || first.rate === second.rate) return null;
    const { id, pupil, day, hour } = random.pick(
      sorties.filter(({ plane, scrubbed }) => !scrubbed && plane !== first.reg),
    );
    return { id, pupil, day, hour, model, reg: first.reg };
  },
  instruction: ({ pupil, day, hour, model }, random) =>
    random.pick([
      `${pupil} wants the ${model} on ${day} at ${hour}, the cheapest one that is on the line.`,
      `Money is tight for ${pupil}. For the ${hour} sortie on ${day}, give them whichever ${model} costs least per hour and is not grounded.`,
      `Set ${pupil}'s aeroplane (${day}, ${hour}) to the ${model} with the lowest rate that may fly.`,
    ]),
  checks: ({ id, reg }) => [{ name: `the sortie uses ${reg}`, test: final => find(final.sorties, id)?.plane === reg }],
  allow: ({ id }) => [`/sorties/${id}/plane`],
});
const tutorRadio = template('radio-of-tutor', {
  about: 'Tell the call sign of the tutor of a sortie.',
  split: 'train',
  sample({ sorties }, random) {
    const { id, pupil, day, hour, tutor } = random.pick(sorties);
    return { id, pupil, day, hour, tutor };
  },
  instruction: ({ pupil, day, hour }, random) =>
    random.pick([
      `What is the call sign of whoever teaches ${pupil} on ${day} at ${hour}?`,
      `The tower needs to reach the tutor of ${pupil}'s ${hour} sortie on ${day}. Which call sign do they have?`,
      `Call sign of ${pupil}'s tutor, ${day} ${hour}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ tutor }, { tutors }) => tutors.find(({ name }) => name === tutor)?.radio ?? '',
  shown: ({ ui }, { id }) => [ui.open === id, ui.area === 'tutors'],
});
const release = template('release-plane', {
  about: 'Release an aeroplane, unless the engineer tagged it.',
  split: 'train',
  kind: 'infeasible',
  sample({ planes }, random) {
    const { id, reg } = random.pick(planes);
    return { id, reg, tag: random.chance(0.5) };
  },
  isTwin: ({ tag }) => !tag,
  setup(draft, { id, tag }) {
    Object.assign(need(draft.planes, id, 'aeroplane'), { grounded: true, tag });
  },
  instruction: ({ reg }, random) =>
    random.pick([
      `Release ${reg} to the line.`,
      `We need ${reg} back in service, it has been standing long enough.`,
      `Could you put ${reg} back on the line? Pupils keep asking for it.`,
    ]),
  checks: ({ id }) => [{ name: 'it is on the line', test: final => find(final.planes, id)?.grounded === false }],
  allow: ({ id }) => [`/planes/${id}/grounded`],
  shown: ({ ui }) => ui.area === 'hangar',
});

export const app = defineApp({
  id: 'flight-school',
  title: 'Crosswind flying school',
  about: 'The diary of a flying school, with its aeroplanes and tutors.',
  state,
  init: random => ({
    sorties: random
      .shuffle(days.flatMap(day => hours.map(hour => ({ day, hour }))))
      .slice(0, 32)
      .map(({ day, hour }, index) => ({
        id: `s${index + 1}`,
        day,
        hour,
        pupil: random.pick(pupils),
        tutor: random.pick(tutorNames),
        plane: `G-${random.pick(['BNKA', 'BNKE', 'BOLT', 'CREW', 'CROW', 'DUSK'])}`,
        exercise: random.pick(exercises),
        scrubbed: random.chance(0.15),
      })),
    planes: random
      .shuffle(['BNKA', 'BNKE', 'BOLT', 'CREW', 'CROW', 'DUSK', 'EDAM', 'EDEN', 'FLIP', 'FLOP', 'GULL', 'HAZE'])
      .map((letters, index) => {
        const grounded = random.chance(0.25);
        return {
          id: `p${index + 1}`,
          reg: `G-${letters}`,
          model: ['Cessna 172', 'Piper Warrior', 'Diamond DA40'][index % 3] as string,
          rate: random.between(130, 210),
          sinceCheck: random.between(3, 98),
          grounded,
          tag: grounded && random.chance(0.5),
        };
      }),
    tutors: tutorNames.map((name, index) => ({
      id: `t${index + 1}`,
      name,
      radio: `${random.pick(['Falcon', 'Swift', 'Kestrel', 'Martin', 'Osprey'])} ${random.between(11, 99)}`,
      licence: random.pick(['FI', 'CRI', 'IRI']),
    })),
    ui: { area: 'diary', day: 'Monday', open: null, asking: false, notice: '', slip: { ...blank } },
  }),
  commands: [
    assignPlane,
    assignExercise,
    scrub,
    enterDiary,
    setGrounded,
    listSorties,
    listPlanes,
    go,
    turnTo,
    open,
    ask,
    fillSlip,
  ],
  view: school =>
    page('Crosswind', [
      navigation('Crosswind', [
        link('Diary', go.with({ area: 'diary' })),
        link('New sortie', go.with({ area: 'slip' })),
        link('Hangar', go.with({ area: 'hangar' })),
        link('Tutors', go.with({ area: 'tutors' })),
      ]),
      school.ui.notice !== '' && alert(school.ui.notice),
      school.ui.area === 'diary' && diary(school),
      school.ui.area === 'hangar' && hangar(school),
      school.ui.area === 'slip' && slipForm(school),
      school.ui.area === 'tutors' &&
        table(
          'Tutors',
          school.tutors.map(({ name, radio, licence }) => row(name, [cell(licence), cell(`call sign ${radio}`)])),
        ),
    ]),
  templates: [swapPlane, bookSlot, scrubOne, groundDue, cheapest, tutorRadio, release],
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});

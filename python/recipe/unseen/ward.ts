import {
  added,
  appKit,
  banner,
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
  menu,
  menuItem,
  need,
  nextId,
  page,
  refuse,
  remove,
  row,
  status,
  table,
  text,
  textbox,
  z,
} from 'espalier';

// The duty roster of a hospital ward: one line per nurse, one cell per day.
const week = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const fullDay: Record<string, string> = {
  Mo: 'Monday',
  Tu: 'Tuesday',
  We: 'Wednesday',
  Th: 'Thursday',
  Fr: 'Friday',
  Sa: 'Saturday',
  Su: 'Sunday',
};
const duties = ['Early', 'Late', 'Night', 'Off'];
const state = z.object({
  nurses: z.array(z.object({ id: z.string(), name: z.string(), pager: z.string(), grade: z.string(), hours: z.int() })),
  shifts: z.array(z.object({ id: z.string(), nurse: z.string(), day: z.string(), duty: z.string() })),
  notes: z.array(z.object({ id: z.string(), nurse: z.string(), words: z.string() })),
  ui: z.object({
    screen: z.string(),
    nurse: z.string().nullable(),
    shift: z.string().nullable(),
    day: z.string(),
    words: z.string(),
    menu: z.boolean(),
    info: z.string(),
  }),
});
type Ward = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const assign = command('assign_duty', {
  about: 'Give a shift another duty.',
  input: z.object({ id: z.string(), duty: z.string() }),
  run(draft, { id, duty }) {
    if (!duties.includes(duty)) refuse('No such duty.');
    need(draft.shifts, id, 'shift').duty = duty;
    Object.assign(draft.ui, { shift: null, info: 'Roster updated.' });
  },
});
const leave = command('write_note', {
  about: 'Leave a note for a nurse.',
  input: z.object({ nurse: z.string(), words: z.string().trim().min(1, 'The note is empty.') }),
  run(draft, { nurse, words }) {
    need(draft.nurses, nurse, 'nurse');
    draft.notes.push({ id: nextId(draft.notes, 'n'), nurse, words });
    Object.assign(draft.ui, { words: '', info: 'Note pinned.' });
  },
});
const unpin = command('remove_note', {
  about: 'Take a note down.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.notes, id, 'note');
    remove(draft.notes, id);
  },
});
const setHours = command('set_hours', {
  about: 'Change the weekly hours of a contract.',
  input: z.object({ nurse: z.string(), value: z.string() }),
  run(draft, { nurse, value }) {
    if (!['20', '24', '30', '36', '40'].includes(value)) refuse('There are no such contracts.');
    need(draft.nurses, nurse, 'nurse').hours = Number(value);
  },
});
const readRoster = query('read_roster', {
  about: 'Read who works when.',
  input: z.object({ day: z.string() }),
  run: ({ shifts, nurses }, { day }) =>
    shifts.filter(it => it.day === day).map(it => ({ ...it, name: find(nurses, it.nurse)?.name ?? '' })),
});
const see = gesture('see', {
  about: 'Open a screen.',
  input: z.object({ screen: z.string(), nurse: z.string().nullable(), day: z.string() }),
  run(draft, { screen, nurse, day }) {
    Object.assign(draft.ui, { screen, nurse, day, shift: null, menu: false, words: '', info: '' });
  },
});
const flipMenu = gesture('flip_menu', {
  about: 'Open or close the menu.',
  input: z.object({}),
  run(draft) {
    draft.ui.menu = !draft.ui.menu;
  },
});
const edit = gesture('edit_shift', {
  about: 'Open the choice of duties for a cell.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    draft.ui.shift = id;
  },
});
const typeWords = gesture('type_words', {
  about: 'Type a note.',
  input: z.object({ value: z.string().max(120) }),
  run(draft, { value }) {
    draft.ui.words = value;
  },
});

function screen({ nurses, shifts, notes, ui }: Ward) {
  const cellFor = find(shifts, ui.shift ?? '');
  if (cellFor !== undefined)
    return [
      dialog(`${find(nurses, cellFor.nurse)?.name ?? ''}, ${fullDay[cellFor.day] ?? ''}`, [
        status(`Now: ${cellFor.duty}`),
        ...duties.map(duty => button(duty, assign.with({ id: cellFor.id, duty }))),
        button('Leave as is', edit.with({ id: null })),
      ]),
    ];
  if (ui.screen === 'roster')
    return [
      heading('Roster of the week'),
      table(
        'Roster',
        nurses.map(nurse =>
          row(nurse.name, [
            link(nurse.name, see.with({ screen: 'nurse', nurse: nurse.id, day: '' })),
            ...shifts
              .filter(it => it.nurse === nurse.id)
              .map(it => button(`${it.day}: ${it.duty}`, edit.with({ id: it.id }))),
          ]),
        ),
      ),
    ];
  if (ui.screen === 'day')
    return [
      heading(`${fullDay[ui.day] ?? ''}`),
      ...week.map(day => link(day, see.with({ screen: 'day', nurse: null, day }), day === ui.day ? ['current'] : [])),
      ...duties.map(duty =>
        list(
          duty,
          shifts
            .filter(it => it.day === ui.day && it.duty === duty)
            .map(it => {
              const nurse = need(nurses, it.nurse, 'nurse');
              return listItem(`${nurse.name} (${nurse.grade})`, [
                button(`Change duty of ${nurse.name}`, edit.with({ id: it.id })),
              ]);
            }),
        ),
      ),
    ];
  if (ui.screen === 'board')
    return [
      heading('Notice board'),
      list(
        'Notes',
        notes.map(note =>
          listItem(`For ${find(nurses, note.nurse)?.name ?? ''}: ${note.words}`, [
            button(`Unpin note for ${find(nurses, note.nurse)?.name ?? ''}`, unpin.with({ id: note.id })),
          ]),
        ),
      ),
    ];
  const nurse = need(nurses, ui.nurse ?? '', 'nurse');
  return [
    heading(nurse.name),
    table('Facts', [
      row('Grade', [cell('Grade'), cell(nurse.grade)]),
      row('Pager', [cell('Pager'), cell(nurse.pager)]),
    ]),
    combobox('Contract hours', String(nurse.hours), {
      enter: setHours.entering({ nurse: nurse.id }),
      options: ['20', '24', '30', '36', '40'],
    }),
    textbox('Note', ui.words, { enter: typeWords.entering({}) }),
    button('Pin to board', leave.with({ nurse: nurse.id, words: ui.words })),
  ];
}

const swapTask = template('change-duty', {
  about: 'Give a nurse another duty on a day.',
  split: 'test',
  sample({ nurses, shifts }, random) {
    const shift = random.pick(shifts);
    const duty = random.pick(duties.filter(it => it !== shift.duty));
    return { id: shift.id, name: need(nurses, shift.nurse, 'nurse').name, day: fullDay[shift.day] ?? '', duty };
  },
  instruction: ({ name, day, duty }) =>
    duty === 'Off' ? `${name} needs ${day} off.` : `put ${name} on ${duty.toLowerCase()} shift on ${day}`,
  checks: ({ id, duty }) => [{ name: 'the shift is right', test: final => find(final.shifts, id)?.duty === duty }],
  allow: ({ id }) => [`/shifts/${id}/duty`],
});
const noteTask = template('pin-note', {
  about: 'Leave a note for a nurse.',
  split: 'test',
  sample({ nurses }, random) {
    const { id, name } = random.pick(nurses);
    return {
      nurse: id,
      name,
      words: random.pick([
        'Please call the pharmacy',
        'Your badge is at the desk',
        'Training moved to room 4',
        'Bring the signed form',
        'Vaccination is due',
        'Locker key was found',
        'See Dr Imre before leaving',
      ]),
    };
  },
  instruction: ({ name, words }) => `Pin a note for ${name} on the board: "${words}"`,
  checks: ({ nurse, words }) => [
    {
      name: 'one note was pinned',
      test(final, initial) {
        const [made, ...more] = added(initial.notes, final.notes);
        return made?.nurse === nurse && made.words === words && more.length === 0;
      },
    },
  ],
  allow: () => ['/notes/+'],
});
const unpinTask = template('take-note-down', {
  about: 'Take the note of a nurse down.',
  split: 'test',
  sample({ notes, nurses }, random) {
    const note = random.pick(notes);
    return { id: note.id, name: need(nurses, note.nurse, 'nurse').name };
  },
  instruction: ({ name }) => `${name} has read the note on the board, it can come down now.`,
  checks: ({ id }) => [{ name: 'the note is gone', test: final => find(final.notes, id) === undefined }],
  allow: ({ id }) => [`/notes/${id}`],
});
const pagerQuestion = template('pager-number', {
  about: 'Say the pager number of a nurse.',
  split: 'test',
  sample({ nurses }, random) {
    const { id, name } = random.pick(nurses);
    return { id, name };
  },
  instruction: ({ name }) => `What's ${name}'s pager number?`,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { nurses }) => need(nurses, id, 'nurse').pager,
  shown: ({ ui }, { id }) => ui.screen === 'nurse' && ui.nurse === id,
});
const nightPager = template('pager-of-night-nurse', {
  about: 'Say the pager number of the nurse who has the night on a day.',
  split: 'test',
  sample({ nurses, shifts }, random) {
    const day = random.pick(week);
    const nurse = random.pick(nurses);
    return {
      day: fullDay[day] ?? '',
      nurse: nurse.id,
      shift: need(shifts, shifts.find(it => it.nurse === nurse.id && it.day === day)?.id ?? '', 'shift').id,
    };
  },
  setup(draft, { shift }) {
    const own = need(draft.shifts, shift, 'shift');
    for (const other of draft.shifts) if (other.day === own.day && other.duty === 'Night') other.duty = 'Late';
    own.duty = 'Night';
  },
  instruction: ({ day }) => `Which pager do I have to call to reach whoever is on the night shift on ${day}?`,
  checks: () => [],
  allow: () => [],
  answer: ({ nurse }, { nurses }) => need(nurses, nurse, 'nurse').pager,
  shown: ({ ui }, { nurse }) => ui.screen === 'nurse' && ui.nurse === nurse,
});
const hoursTask = template('contract-hours', {
  about: 'Change the hours of a contract.',
  split: 'test',
  sample({ nurses }, random) {
    const { id, name, hours } = random.pick(nurses);
    return { id, name, hours: random.pick(['20', '24', '30', '36', '40'].filter(it => it !== String(hours))) };
  },
  instruction: ({ name, hours }) => `From next month ${name} works ${hours} hours a week. Update the contract please.`,
  checks: ({ id, hours }) => [
    { name: 'the hours are right', test: final => find(final.nurses, id)?.hours === Number(hours) },
  ],
  allow: ({ id }) => [`/nurses/${id}/hours`],
});

const people = [
  'Sister Agnes',
  'Babajide Coker',
  'Cornelia Vass',
  'Dmitri Lund',
  'Elspeth Moy',
  'Farida Noor',
  'Gwen Tallis',
  'Henk Bruin',
  'Ilse Quandt',
  'Joao Prado',
  'Kirsi Halla',
  'Lamar Dent',
];

export const app = defineApp({
  id: 'ward',
  title: 'Ward 7',
  about: 'Duty roster of a hospital ward.',
  state,
  init(random) {
    const pagers = random.sample(
      Array.from({ length: 900 }, (_, index) => String(4100 + index)),
      6,
    );
    const nurses = random.sample(people, 6).map((name, index) => ({
      id: `p${index + 1}`,
      name,
      pager: pagers[index] as string,
      grade: random.pick(['RN', 'Senior RN', 'Assistant', 'Student']),
      hours: random.pick([20, 24, 30, 36, 40]),
    }));
    return {
      nurses,
      shifts: nurses.flatMap(({ id }, line) =>
        week.map((day, column) => ({ id: `t${line * 7 + column + 1}`, nurse: id, day, duty: random.pick(duties) })),
      ),
      notes: random.sample(nurses, 5).map(({ id }, index) => ({
        id: `n${index + 1}`,
        nurse: id,
        words: random.pick([
          'Call back the lab',
          'Swap request granted',
          'Uniform is ready',
          'Flu shot on Friday',
          'Ask for the keys',
          'Bring your ID',
        ]),
      })),
      ui: { screen: 'roster', nurse: null, shift: null, day: 'Mo', words: '', menu: false, info: '' },
    };
  },
  commands: [assign, leave, unpin, setHours, readRoster, see, flipMenu, edit, typeWords],
  view: ward =>
    page('Ward 7', [
      banner('Ward 7', [button('☰ Menu', flipMenu.with({}), ward.ui.menu ? ['expanded'] : [])]),
      ward.ui.menu &&
        menu('Go to', [
          menuItem('Week roster', see.with({ screen: 'roster', nurse: null, day: 'Mo' })),
          menuItem('By day', see.with({ screen: 'day', nurse: null, day: 'Mo' })),
          menuItem('Notice board', see.with({ screen: 'board', nurse: null, day: 'Mo' })),
        ]),
      ward.ui.info !== '' && status(ward.ui.info),
      ward.ui.info === '' && text('Head nurse: M. Oyelaran'),
      ...screen(ward),
    ]),
  templates: [swapTask, noteTask, unpinTask, pagerQuestion, nightPager, hoursTask],
  onRefusal(draft, message) {
    draft.ui.info = message;
  },
});

// Babel House: courses, teachers and pupils of an evening language school. Pages with Edit and Save; filters; wordy labels.
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
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const LANGUAGES = ['Italian', 'Greek', 'Polish', 'Korean'] as const;
const LEVELS = ['A1', 'A2', 'B1', 'B2'] as const;
const EVENINGS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday'] as const;
const state = z.object({
  courses: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      language: z.enum(LANGUAGES),
      level: z.enum(LEVELS),
      evening: z.enum(EVENINGS),
      room: z.string(),
      teacher: z.string(),
      seats: z.int(),
      archived: z.boolean(),
    }),
  ),
  teachers: z.array(z.object({ id: z.string(), name: z.string(), email: z.string() })),
  pupils: z.array(
    z.object({ id: z.string(), name: z.string(), course: z.string().nullable(), paid: z.boolean(), born: z.int() }),
  ),
  ui: z.object({
    page: z.string(),
    id: z.string(),
    editing: z.boolean(),
    room: z.string(),
    teacher: z.string(),
    evening: z.string(),
    language: z.string(),
    unpaid: z.boolean(),
    name: z.string(),
    course: z.string(),
    born: z.string(),
    problem: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const ROOMS = ['Room 1', 'Room 2', 'Room 11', 'Library', 'Attic'];
const taken = (s: State, course: string) => s.pupils.filter(p => p.course === course).length;
const label = (s: State, id: string | null) => find(s.courses, id ?? '')?.code ?? 'no course';

const saveCourse = command('save_course', {
  about: 'Save room, teacher and evening of a course.',
  input: z.object({ id: z.string(), room: z.string(), teacher: z.string(), evening: z.enum(EVENINGS) }),
  run(draft, { id, room, teacher, evening }) {
    const t = draft.teachers.find(x => x.name === teacher) ?? refuse('There is no such teacher.');
    Object.assign(need(draft.courses, id, 'course'), { room, teacher: t.id, evening });
    draft.ui.editing = false;
  },
});
const archive = command('archive_course', {
  about: 'Archive a course that nobody attends.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const c = need(draft.courses, id, 'course');
    if (taken(draft, id) > 0) refuse('There are still participants in this course.');
    c.archived = true;
  },
});
const enrol = command('enrol_pupil', {
  about: 'Put a pupil into a course, by its code.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const p = need(draft.pupils, id, 'pupil');
    if (value === 'no course') {
      p.course = null;
      return;
    }
    const c = draft.courses.find(x => x.code === value && !x.archived) ?? refuse('There is no such course.');
    if (p.course !== c.id && taken(draft, c.id) >= c.seats) refuse(`${c.code} is fully booked.`);
    p.course = c.id;
  },
});
const pay = command('toggle_paid', {
  about: 'Note that a pupil has paid, or has not.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const p = need(draft.pupils, id, 'pupil');
    p.paid = !p.paid;
  },
});
const register = command('register_pupil', {
  about: 'Register a pupil.',
  input: z.object({ name: z.string().min(3), born: z.string(), course: z.string() }),
  run(draft, { name, born, course }) {
    if (!/^(19|20)\d\d$/.test(born)) refuse('Please give the year of birth with four digits.');
    const c = draft.courses.find(x => x.code === course && !x.archived) ?? refuse('Please choose a course.');
    if (taken(draft, c.id) >= c.seats) refuse(`${c.code} is fully booked.`);
    draft.pupils.push({ id: nextId(draft.pupils, 'p'), name, born: Number(born), course: c.id, paid: false });
    Object.assign(draft.ui, { page: 'pupils', name: '', born: '', course: '', unpaid: false });
  },
});
const files = query('school_files', {
  about: 'Courses, teachers and pupils.',
  input: z.object({}),
  run: s => ({
    courses: s.courses.map(c => ({ ...c, teacher: find(s.teachers, c.teacher)?.name, participants: taken(s, c.id) })),
    teachers: s.teachers,
    pupils: s.pupils.map(p => ({ ...p, course: label(s, p.course) })),
  }),
});
const visit = gesture('visit', {
  about: 'Go to a page.',
  input: z.object({ page: z.string(), id: z.string() }),
  run(draft, { page: to, id }) {
    Object.assign(draft.ui, { page: to, id, editing: false, problem: '' });
  },
});
const startEdit = gesture('start_edit', {
  about: 'Edit the course on the page, or leave it as it was.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    const c = need(draft.courses, draft.ui.id, 'course');
    Object.assign(draft.ui, {
      editing: on,
      room: c.room,
      teacher: find(draft.teachers, c.teacher)!.name,
      evening: c.evening,
      problem: '',
    });
  },
});
const enter = gesture('enter', {
  about: 'Enter something into a field.',
  input: z.object({
    field: z.enum(['room', 'teacher', 'evening', 'language', 'name', 'born', 'course']),
    value: z.string().max(50),
  }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const unpaid = gesture('only_unpaid', {
  about: 'Show only those who have not paid.',
  input: z.object({}),
  run(draft) {
    draft.ui.unpaid = !draft.ui.unpaid;
  },
});

const pages: Record<string, (s: State) => unknown[]> = {
  courses: s => [
    heading('All evening courses'),
    combobox('Show me courses in', s.ui.language, {
      enter: enter.entering({ field: 'language' }),
      options: ['any language', ...LANGUAGES],
    }),
    table(
      'Courses of this term',
      s.courses
        .filter(c => !c.archived && (s.ui.language === 'any language' || c.language === s.ui.language))
        .map(c =>
          row(c.code, [
            link(c.code, visit.with({ page: 'course', id: c.id })),
            cell(`${c.language} ${c.level}`),
            cell(c.evening),
            cell(`${taken(s, c.id)} of ${c.seats} seats taken`),
          ]),
        ),
    ),
  ],
  course(s) {
    const c = need(s.courses, s.ui.id, 'course');
    const t = need(s.teachers, c.teacher, 'teacher');
    if (s.ui.editing)
      return [
        form(`Changing course ${c.code}`, [
          combobox('Takes place on', s.ui.evening, {
            enter: enter.entering({ field: 'evening' }),
            options: [...EVENINGS],
          }),
          combobox('Takes place in', s.ui.room, { enter: enter.entering({ field: 'room' }), options: ROOMS }),
          combobox('Is taught by', s.ui.teacher, {
            enter: enter.entering({ field: 'teacher' }),
            options: s.teachers.map(x => x.name),
          }),
          button(
            'Save changes',
            saveCourse.with({ id: c.id, room: s.ui.room, teacher: s.ui.teacher, evening: s.ui.evening as 'Monday' }),
          ),
          button('Leave as it was', startEdit.with({ on: false })),
        ]),
      ];
    return [
      heading(`${c.language} ${c.level}, course ${c.code}`),
      c.archived && text('Archived'),
      text(`Every ${c.evening} in ${c.room}`),
      link(t.name, visit.with({ page: 'teacher', id: t.id })),
      list(
        'Participants',
        s.pupils.filter(p => p.course === c.id).map(p => link(p.name, visit.with({ page: 'pupil', id: p.id }))),
      ),
      button('Change this course', startEdit.with({ on: true })),
      !c.archived && button('Archive this course', archive.with({ id: c.id })),
    ];
  },
  teacher(s) {
    const t = need(s.teachers, s.ui.id, 'teacher');
    return [
      heading(t.name),
      text(`E-mail address: ${t.email}`),
      list(
        'Teaches',
        s.courses.filter(c => c.teacher === t.id).map(c => link(c.code, visit.with({ page: 'course', id: c.id }))),
      ),
    ];
  },
  pupils: s => [
    heading('Everybody who learns with us'),
    checkbox('Only those who have not paid yet', s.ui.unpaid, unpaid.with({})),
    list(
      'Pupils',
      s.pupils
        .filter(p => !s.ui.unpaid || !p.paid)
        .map(p => listItem(p.name, [link(p.name, visit.with({ page: 'pupil', id: p.id })), text(label(s, p.course))])),
      { shuffle: true },
    ),
  ],
  pupil(s) {
    const p = need(s.pupils, s.ui.id, 'pupil');
    return [
      heading(p.name),
      text(`Year of birth: ${p.born}`),
      checkbox('The fee has been paid', p.paid, pay.with({ id: p.id })),
      combobox('Attends the course', label(s, p.course), {
        enter: enrol.entering({ id: p.id }),
        options: ['no course', ...s.courses.filter(c => !c.archived).map(c => c.code)],
      }),
    ];
  },
  register: s => [
    heading('Register somebody new'),
    form('Registration', [
      textbox('Full name', s.ui.name, { enter: enter.entering({ field: 'name' }) }),
      textbox('Year of birth', s.ui.born, { enter: enter.entering({ field: 'born' }) }),
      combobox('Course', s.ui.course, {
        enter: enter.entering({ field: 'course' }),
        options: s.courses.filter(c => !c.archived).map(c => c.code),
      }),
    ]),
    button('Register', register.with({ name: s.ui.name, born: s.ui.born, course: s.ui.course })),
  ],
};

const moveCourse = template('move-course', {
  about: 'Give a course another room and another evening.',
  split: 'train',
  sample(s, random) {
    const c = random.pick(s.courses.filter(x => !x.archived));
    return {
      id: c.id,
      code: c.code,
      room: random.pick(ROOMS.filter(r => r !== c.room)),
      evening: random.pick(EVENINGS.filter(e => e !== c.evening)),
      way: random.between(0, 2),
    };
  },
  instruction: ({ code, room, evening, way }) =>
    [
      `From next week on, ${code} meets on ${evening} in ${room}.`,
      `${code}: new room (${room}), new evening (${evening}).`,
      `The caretaker needs the usual room of ${code}, so please change it to ${room}. And because of that it has to be ${evening}.`,
    ][way]!,
  checks: ({ id, room, evening }) => [
    { name: room, test: final => find(final.courses, id)?.room === room },
    { name: evening, test: final => find(final.courses, id)?.evening === evening },
  ],
  allow: ({ id }) => [`/courses/${id}/room`, `/courses/${id}/evening`],
});
const paidUp = template('course-paid', {
  about: 'Note that all unpaid pupils of a course have paid.',
  split: 'train',
  sample(s, random) {
    const c = random.pick(s.courses.filter(x => !x.archived && taken(s, x.id) >= 2));
    return {
      code: c.code,
      course: c.id,
      ids: random
        .sample(
          s.pupils.filter(p => p.course === c.id),
          2,
        )
        .map(p => p.id),
      way: random.between(0, 2),
    };
  },
  setup(draft, { course, ids }) {
    for (const p of draft.pupils) if (p.course === course) p.paid = !ids.includes(p.id);
  },
  instruction: ({ code, way }) =>
    [
      `The whole of course ${code} has paid by now. Update whoever isn't marked yet.`,
      `everyone in ${code} paid cash tonight`,
      `Please go through ${code} and make sure that each participant is down as having paid the fee.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `paid ${at + 1}`, test: final => find(final.pupils, id)?.paid === true })),
  allow: ({ ids }) => ids.map(id => `/pupils/${id}/paid`),
});
const joins = template('register', {
  about: 'Register a new pupil.',
  split: 'train',
  sample(s, random) {
    const c = random.pick(s.courses.filter(x => !x.archived && taken(s, x.id) < x.seats));
    return {
      name: random.pick(['Vera Lunt', 'Samir Aziz', 'Kate Pell', 'Gunnar Wik', 'Amara Obi', 'Luis Prado']),
      born: String(random.between(1948, 2006)),
      code: c.code,
      course: c.id,
      way: random.between(0, 2),
    };
  },
  instruction: ({ name, born, code, way }) =>
    [
      `Register ${name}, born ${born}, for ${code}.`,
      `We have a new face in ${code}: ${name} (year of birth ${born}). Please put them on the books.`,
      `new pupil. name: ${name}. year: ${born}. course: ${code}.`,
    ][way]!,
  checks: ({ name, born, course }) => [
    {
      name: 'registered',
      test(final, initial) {
        const [p, ...rest] = added(initial.pupils, final.pupils);
        return rest.length === 0 && p?.name === name && p.born === Number(born) && p.course === course && !p.paid;
      },
    },
  ],
  allow: () => ['/pupils/+'],
});
const closeCourse = template('archive-empty', {
  about: 'Archive the course that has no participants.',
  split: 'train',
  sample(s, random) {
    const c = random.pick(s.courses.filter(x => !x.archived));
    const others = s.courses.filter(x => !x.archived && x.id !== c.id && taken(s, x.id) === 0).map(x => x.id);
    return { id: c.id, language: c.language, others, way: random.between(0, 2) };
  },
  setup(draft, { id, others }) {
    for (const p of draft.pupils) if (p.course === id) p.course = null;
    const donor = draft.pupils.filter(
      p => draft.pupils.filter(q => q.course === p.course).length > 1 || p.course === null,
    );
    for (const o of others) {
      const p = donor.pop();
      if (p !== undefined) p.course = o;
    }
    for (const c of draft.courses) if (c.id !== id && taken(draft, c.id) === 0) c.archived = true;
  },
  instruction: ({ language, way }) =>
    [
      'One of our courses has no participants at all. Archive it.',
      `There is a ${language} course that nobody signed up for. We won't run it, so archive it.`,
      'archive the course with 0 seats taken',
    ][way]!,
  checks: ({ id }) => [{ name: 'archived', test: final => find(final.courses, id)?.archived === true }],
  allow: ({ id }) => [`/courses/${id}/archived`],
});
const mailOf = template('mail-of-teacher', {
  about: 'Say the e-mail address of the teacher of a pupil.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.pupils.filter(x => x.course !== null));
    return { name: p.name, id: p.id, way: random.between(0, 2) };
  },
  instruction: ({ name, way }) =>
    [
      `${name} wants to write to the teacher of their course. Which address?`,
      `What's the e-mail address of the person who teaches ${name}?`,
      `email of ${name}'s teacher pls`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) =>
    need(s.teachers, need(s.courses, need(s.pupils, id, 'pupil').course ?? '', 'course').teacher, 'teacher').email,
  shown: (s, { id }) => [
    s.ui.page === 'pupil'
      ? s.ui.id === id
      : s.ui.page === 'pupils' || (s.ui.page === 'course' && s.ui.id === find(s.pupils, id)?.course),
    s.ui.page === 'teacher' && s.ui.id === find(s.courses, find(s.pupils, id)?.course ?? '')?.teacher,
  ],
});
const sameCourse = template('same-course-as', {
  about: 'Put a pupil into the course of another one.',
  split: 'train',
  sample(s, random) {
    const friend = random.pick(
      s.pupils.filter(p => p.course !== null && taken(s, p.course) < find(s.courses, p.course)!.seats),
    );
    const p = random.pick(s.pupils.filter(x => x.course !== friend.course));
    return { id: p.id, name: p.name, friend: friend.name, course: friend.course, way: random.between(0, 2) };
  },
  instruction: ({ name, friend, way }) =>
    [
      `${name} and ${friend} would like to learn together. Put ${name} into the course that ${friend} attends.`,
      `move ${name} to ${friend}'s course`,
      `Whatever ${friend} is doing, ${name} wants to do the same; change the course of ${name}, not the other way round.`,
    ][way]!,
  checks: ({ id, course }) => [{ name: 'together', test: final => find(final.pupils, id)?.course === course }],
  allow: ({ id }) => [`/pupils/${id}/course`],
});
const intoFull = template('join-maybe-full', {
  about: 'Put a pupil into a course that may be full.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ room }) => room,
  sample(s, random) {
    const p = random.pick(s.pupils);
    const c = random.pick(s.courses.filter(x => !x.archived && x.id !== p.course));
    return { id: p.id, name: p.name, course: c.id, code: c.code, room: random.chance(0.5), way: random.between(0, 2) };
  },
  setup(draft, { course, room }) {
    need(draft.courses, course, 'course').seats = Math.max(taken(draft, course), 0) + (room ? 2 : 0);
  },
  instruction: ({ name, code, way }) =>
    [
      `${name} would like to change to ${code}.`,
      `Put ${name} into ${code}, provided that there is a seat.`,
      `${name} → ${code}`,
    ][way]!,
  checks: ({ id, course }) => [{ name: 'joined', test: final => find(final.pupils, id)?.course === course }],
  allow: ({ id }) => [`/pupils/${id}/course`],
  shown: ({ ui, courses }, { course, code }) =>
    (ui.page === 'courses' && (ui.language === 'any language' || ui.language === find(courses, course)?.language)) ||
    ui.problem.startsWith(`${code} is`),
});

const staff = ['Elena Rossi', 'Elena Russo', 'Jan Nowak', 'Janina Nowak', 'Minseo Park', 'Nikos Vlahos'];
const folk = [
  'Paul Ash',
  'Paula Ash',
  'Rita Gomm',
  'Tim Gomm',
  'Uta Lenz',
  'Walt Dyer',
  'Xenia Cole',
  'Yara Said',
  'Zoe Brook',
  'Zoe Brooks',
  'Bill Trent',
  'Carla Trent',
  'Dean Moss',
  'Erin Moss',
  'Fritz Hahn',
  'Greta Hahn',
  'Hugo Bell',
  'Ida Bell',
];
export const app = defineApp({
  id: 'language-school',
  title: 'Babel House',
  about: 'An evening school for languages: courses, teachers and pupils.',
  state,
  init(random) {
    const teachers = random.shuffle(staff).map((name, at) => ({
      id: `t${at + 1}`,
      name,
      email: `${name.split(' ')[1]!.toLowerCase()}${random.between(10, 99)}@babel.example`,
    }));
    const codes = random.sample(
      Array.from({ length: 80 }, (_, at) => at + 20),
      9,
    );
    const courses = codes.map((n, at) => {
      const language = random.pick(LANGUAGES);
      return {
        id: `c${at + 1}`,
        code: `${language.slice(0, 2).toUpperCase()}${n}`,
        language,
        level: random.pick(LEVELS),
        evening: random.pick(EVENINGS),
        room: random.pick(ROOMS),
        teacher: random.pick(teachers).id,
        seats: random.between(5, 8),
        archived: at === 8,
      };
    });
    return {
      courses,
      teachers,
      pupils: random.shuffle(folk).map((name, at) => ({
        id: `p${at + 1}`,
        name,
        course: at % 7 === 6 ? null : courses[at % 8]!.id,
        paid: random.chance(0.6),
        born: random.between(1945, 2007),
      })),
      ui: {
        page: 'pupils',
        id: '',
        editing: false,
        room: '',
        teacher: '',
        evening: '',
        language: 'any language',
        unpaid: false,
        name: '',
        course: '',
        born: '',
        problem: '',
      },
    };
  },
  commands: [saveCourse, archive, enrol, pay, register, files, visit, startEdit, enter, unpaid],
  view: s =>
    page('Babel House', [
      navigation('Where would you like to go?', [
        link('Evening courses', visit.with({ page: 'courses', id: '' })),
        link('Our pupils', visit.with({ page: 'pupils', id: '' })),
        link('Register somebody new', visit.with({ page: 'register', id: '' })),
      ]),
      s.ui.problem !== '' && alert(s.ui.problem),
      region('Content', pages[s.ui.page]!(s) as ReturnType<typeof text>[]),
    ]),
  templates: [moveCourse, paidUp, joins, closeCourse, mailOf, sameCourse, intoFull],
  onRefusal(draft, message) {
    draft.ui.problem = message;
  },
});

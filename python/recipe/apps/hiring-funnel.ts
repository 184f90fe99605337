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
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  tab,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const stages = ['Applied', 'Phone call', 'Trial day', 'Offer', 'Declined'];
const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'];
const hours = ['9:00', '11:00', '14:00', '16:00'];
const rooms = ['Attic', 'Library', 'Kitchen table'];

const state = z.object({
  openings: z.array(z.object({ id: z.string(), title: z.string(), frozen: z.boolean() })),
  candidates: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      opening: z.string(),
      stage: z.string(),
      marks: z.int(),
      town: z.string(),
      referredBy: z.string(),
      salary: z.string(),
    }),
  ),
  talks: z.array(
    z.object({ id: z.string(), candidate: z.string(), day: z.string(), hour: z.string(), room: z.string() }),
  ),
  notes: z.array(z.object({ id: z.string(), candidate: z.string(), words: z.string() })),
  ui: z.object({
    wing: z.string(),
    opening: z.string(),
    person: z.string(),
    leaf: z.string(),
    salary: z.string(),
    words: z.string(),
    cell: z.string(),
    who: z.string(),
    room: z.string(),
    talk: z.string(),
    flash: z.string(),
  }),
});
type Funnel = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const advance = command('set_stage', {
  about: 'Put a candidate into a stage.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.candidates, id, 'candidate');
    if (!stages.includes(value)) refuse('There is no such stage.');
    const opening = need(draft.openings, it.opening, 'opening');
    if (value === 'Offer' && opening.frozen) refuse(`${opening.title} is frozen: no offers for now.`);
    it.stage = value;
  },
});
const price = command('set_salary', {
  about: 'Write down what a candidate wants to earn.',
  input: z.object({ id: z.string(), salary: z.string().regex(/^\d{4,6}$/, 'A yearly amount in digits.') }),
  run(draft, { id, salary }) {
    need(draft.candidates, id, 'candidate').salary = salary;
    draft.ui.flash = 'Noted.';
  },
});
const jot = command('jot_note', {
  about: 'Pin a note to a candidate.',
  input: z.object({ id: z.string(), words: z.string().trim().min(3, 'Write something.') }),
  run(draft, { id, words }) {
    need(draft.candidates, id, 'candidate');
    draft.notes.push({ id: nextId(draft.notes, 'n'), candidate: id, words });
    draft.ui.words = '';
    draft.ui.flash = 'Pinned.';
  },
});
const bookTalk = command('book_talk', {
  about: 'Book a talk with a candidate.',
  input: z.object({ who: z.string(), day: z.string(), hour: z.string(), room: z.string().min(1, 'Choose a room.') }),
  run(draft, { who, day, hour, room }) {
    const person = draft.candidates.find(({ name }) => name === who) ?? refuse('Choose who comes.');
    if (draft.talks.some(it => it.day === day && it.hour === hour)) refuse('That hour is taken.');
    draft.talks.push({ id: nextId(draft.talks, 't'), candidate: person.id, day, hour, room });
    Object.assign(draft.ui, { cell: '', who: '', room: '' });
  },
});
const callOff = command('call_off_talk', {
  about: 'Call off a talk.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.talks, id, 'talk');
    remove(draft.talks, id);
    draft.ui.talk = '';
  },
});
const readPeople = query('read_candidates', {
  about: 'List the candidates of an opening.',
  input: z.object({ opening: z.string() }),
  run({ openings, candidates }, { opening }) {
    const it = openings.find(({ title }) => title === opening) ?? refuse('No such opening.');
    return { ...it, candidates: candidates.filter(one => one.opening === it.id) };
  },
});
const readTalks = query('read_talks', {
  about: 'List the talks of the week.',
  input: z.object({}),
  run: ({ talks, candidates }) => talks.map(it => ({ ...it, name: find(candidates, it.candidate)?.name ?? '' })),
});
const vacant = { person: '', leaf: 'facts', salary: '', words: '', cell: '', who: '', room: '', talk: '', flash: '' };
const wing = gesture('go_wing', {
  about: 'Go to an opening or to the week.',
  input: z.object({ wing: z.string(), opening: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, vacant, input),
});
const meet = gesture('meet', {
  about: 'Open a candidate on a leaf.',
  input: z.object({ id: z.string(), leaf: z.string() }),
  run(draft, { id, leaf }) {
    Object.assign(draft.ui, vacant, { person: id, leaf, salary: find(draft.candidates, id)?.salary ?? '' });
  },
});
const tapHour = gesture('tap_hour', {
  about: 'Tap an hour of the week.',
  input: z.object({ cell: z.string(), talk: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, vacant, input),
});
const enterText = gesture('enter_text', {
  about: 'Fill a field.',
  input: z.object({ field: z.enum(['salary', 'words', 'who', 'room']), value: z.string().max(80) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

function openingView({ openings, candidates, ui }: Funnel) {
  const it = need(openings, ui.opening, 'opening');
  const own = candidates.filter(one => one.opening === it.id);
  return region(it.title, [
    heading(it.title),
    it.frozen && text('This opening is frozen.'),
    ...stages.map(stage =>
      list(
        stage,
        own
          .filter(one => one.stage === stage)
          .map(one =>
            listItem(one.name, [
              link(one.name, meet.with({ id: one.id, leaf: 'facts' })),
              text(`${one.marks} marks, ${one.town}`),
              stage !== 'Declined' && button(`Decline ${one.name}`, advance.with({ id: one.id, value: 'Declined' })),
            ]),
          ),
      ),
    ),
  ]);
}

function personView({ candidates, notes, talks, ui }: Funnel) {
  const it = need(candidates, ui.person, 'candidate');
  const leaf = (key: string, name: string) =>
    tab(name, meet.with({ id: it.id, leaf: key }), ui.leaf === key ? ['selected'] : []);
  return region(it.name, [
    link('Back to the opening', meet.with({ id: '', leaf: 'facts' })),
    heading(it.name),
    leaf('facts', 'Facts'),
    leaf('money', 'Money'),
    leaf('notes', 'Notes'),
    ui.leaf === 'facts' && text(`${it.marks} marks, lives in ${it.town}, referred by ${it.referredBy}`),
    ui.leaf === 'facts' && combobox('Stage', it.stage, { enter: advance.entering({ id: it.id }), options: stages }),
    ui.leaf === 'facts' &&
      list(
        'Talks',
        talks.filter(one => one.candidate === it.id).map(one => text(`${one.day} ${one.hour}, ${one.room}`)),
      ),
    ui.leaf === 'money' &&
      form('Money', [
        textbox('Wants per year', ui.salary, { enter: enterText.entering({ field: 'salary' }) }),
        button('Note amount', price.with({ id: it.id, salary: ui.salary })),
      ]),
    ui.leaf === 'notes' &&
      region('Notes', [
        list(
          'Pinned',
          notes.filter(one => one.candidate === it.id).map(one => text(one.words)),
        ),
        textbox('Your note', ui.words, { enter: enterText.entering({ field: 'words' }) }),
        button('Pin note', jot.with({ id: it.id, words: ui.words })),
      ]),
  ]);
}

const weekView = ({ talks, candidates }: Funnel) =>
  table(
    'Week of talks',
    hours.map(hour =>
      row(hour, [
        cell(hour),
        ...week.map(day => {
          const it = talks.find(one => one.day === day && one.hour === hour);
          return it === undefined
            ? button(`${day} ${hour} free`, tapHour.with({ cell: `${day} ${hour}`, talk: '' }))
            : button(
                `${day} ${hour} ${find(candidates, it.candidate)?.name ?? ''}, ${it.room}`,
                tapHour.with({ cell: '', talk: it.id }),
              );
        }),
      ]),
    ),
  );

function boxView({ talks, candidates, ui }: Funnel) {
  const talk = find(talks, ui.talk);
  if (talk !== undefined)
    return dialog('Talk', [
      text(`${find(candidates, talk.candidate)?.name ?? ''}, ${talk.day} ${talk.hour}, ${talk.room}`),
      button('Call off', callOff.with({ id: talk.id })),
      button('Let it stand', tapHour.with({ cell: '', talk: '' })),
    ]);
  const [day = '', hour = ''] = ui.cell.split(' ');
  return dialog(`Book ${ui.cell}`, [
    combobox('Who comes', ui.who, {
      enter: enterText.entering({ field: 'who' }),
      options: candidates.map(({ name }) => name).sort(),
    }),
    combobox('Room', ui.room, { enter: enterText.entering({ field: 'room' }), options: rooms }),
    button('Book the hour', bookTalk.with({ who: ui.who, day, hour, room: ui.room })),
    button('Leave free', tapHour.with({ cell: '', talk: '' })),
  ]);
}

type Draw = { pick<T>(items: readonly T[]): T };
function anyone({ candidates, openings }: Funnel, random: Draw) {
  const it = random.pick(candidates);
  return { id: it.id, name: it.name, opening: it.opening, title: find(openings, it.opening)?.title ?? '' };
}

const move = template('move-stage', {
  about: 'Put a candidate into a stage; offers are not possible while the opening is frozen.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ open }) => open,
  sample: (funnel, random) => ({ ...anyone(funnel, random), open: random.chance(0.5) }),
  setup(draft, { id, opening, open }) {
    need(draft.openings, opening, 'opening').frozen = !open;
    need(draft.candidates, id, 'candidate').stage = 'Trial day';
  },
  instruction: ({ name, title }, random) =>
    random.pick([
      `Make ${name} an offer (${title}).`,
      `The trial day of ${name} went well, so "${title}" has found somebody. Put the candidate into the stage Offer, if the opening allows.`,
      `${name} / ${title}: stage Offer`,
    ]),
  checks: ({ id }) => [{ name: 'an offer is made', test: final => find(final.candidates, id)?.stage === 'Offer' }],
  allow: ({ id }) => [`/candidates/${id}/stage`],
  shown: ({ ui, openings }, { opening, title }) =>
    (ui.wing === 'opening' && ui.opening === opening && ui.person === '' && find(openings, opening)?.frozen === true) ||
    ui.flash.startsWith(title),
});

const weak = template('decline-few-marks', {
  about: 'Decline everybody of an opening who applied and has few marks.',
  split: 'train',
  sample({ openings, candidates }, random) {
    const { id, title } = random.pick(openings);
    const own = candidates.filter(it => it.opening === id).sort((one, other) => one.marks - other.marks);
    const limit = own[2]?.marks;
    if (limit === undefined || own[1]?.marks === limit) return null;
    return { title, limit, ids: own.slice(0, 2).map(it => it.id), rest: own.slice(2).map(it => it.id) };
  },
  setup(draft, { ids, rest }) {
    for (const id of ids) need(draft.candidates, id, 'candidate').stage = 'Applied';
    for (const id of rest) need(draft.candidates, id, 'candidate').stage = 'Phone call';
  },
  instruction: ({ title, limit }, random) =>
    random.pick([
      `${title}: decline everyone with fewer than ${limit} marks.`,
      `For "${title}" we only go on with people who have ${limit} marks or more. Set the others to Declined.`,
      `Whoever applied as ${title} and has less than ${limit} marks gets declined.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is declined`, test: final => find(final.candidates, id)?.stage === 'Declined' })),
  allow: ({ ids }) => ids.map(id => `/candidates/${id}/stage`),
});

const booking = template('book-talk', {
  about: 'Book a free hour of the week for a talk.',
  split: 'train',
  sample(funnel, random) {
    const it = anyone(funnel, random);
    return { ...it, day: random.pick(week), hour: random.pick(hours), room: random.pick(rooms) };
  },
  setup(draft, { day, hour }) {
    const taken = draft.talks.find(it => it.day === day && it.hour === hour);
    if (taken !== undefined) remove(draft.talks, taken.id);
  },
  instruction: ({ name, day, hour, room }, random) =>
    random.pick([
      `Talk with ${name}: ${day} ${hour}, ${room}.`,
      `${name} can come on ${day} at ${hour}. Book the hour, room "${room}".`,
      `Please reserve ${day}, ${hour} in the week for ${name} and use the ${room}.`,
    ]),
  checks: ({ id, day, hour, room }) => [
    {
      name: 'one talk was booked, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.talks, final.talks);
        return (
          more.length === 0 && made?.candidate === id && made.day === day && made.hour === hour && made.room === room
        );
      },
    },
  ],
  allow: () => ['/talks/+'],
});

const cancel = template('call-off-talk', {
  about: 'Call off the talk with somebody.',
  split: 'train',
  sample({ talks, candidates }, random) {
    const it = random.pick(talks);
    if (talks.filter(one => one.candidate === it.candidate).length > 1) return null;
    return { id: it.id, name: find(candidates, it.candidate)?.name ?? '' };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `Call off the talk with ${name}.`,
      `${name} has the flu and will not come this week; the hour can be given to somebody else.`,
      `Free the hour in which ${name} was to come.`,
    ]),
  checks: ({ id }) => [{ name: 'the talk is called off', test: final => find(final.talks, id) === undefined }],
  allow: ({ id }) => [`/talks/${id}`],
});

const wants = template('wants-to-earn', {
  about: 'Note the salary that a candidate wants.',
  split: 'train',
  sample: (funnel, random) => ({ ...anyone(funnel, random), salary: `${random.between(281, 799)}00` }),
  instruction: ({ name, title, salary }, random) =>
    random.pick([
      `${name} (${title}) wants ${salary} a year. Note it.`,
      `On the phone ${name} named ${salary} as yearly pay; it is the person who applied for "${title}".`,
      `wage wish of ${name}, ${title}: ${salary}`,
    ]),
  checks: ({ id, salary }) => [
    { name: 'the amount is noted', test: final => find(final.candidates, id)?.salary === salary },
  ],
  allow: ({ id }) => [`/candidates/${id}/salary`],
});

const pin = template('pin-note', {
  about: 'Pin a note to the candidate of an opening with the most marks.',
  split: 'train',
  sample({ openings, candidates }, random) {
    const { id, title } = random.pick(openings);
    const own = candidates.filter(it => it.opening === id).sort((one, other) => other.marks - one.marks);
    if (own[0] === undefined || own[0].marks === own[1]?.marks) return null;
    const words = random.pick([
      'call before Friday',
      'ask for papers',
      'bring to lunch',
      'has two dogs',
      'show the workshop',
    ]);
    return { id: own[0].id, title, words };
  },
  instruction: ({ title, words }, random) =>
    random.pick([
      `Pin "${words}" to whoever has most marks for ${title}.`,
      `The candidate for "${title}" with the highest marks gets a note: ${words}`,
      `Who leads by marks among the people for ${title}? Leave the note "${words}" there.`,
    ]),
  checks: ({ id, words }) => [
    {
      name: 'one note was pinned to the best',
      test(final, initial) {
        const [made, ...more] = added(initial.notes, final.notes);
        return more.length === 0 && made?.candidate === id && made.words === words;
      },
    },
  ],
  allow: () => ['/notes/+'],
});

const referrer = template('who-referred', {
  about: 'Say who referred the person that comes at an hour of the week.',
  split: 'train',
  sample({ talks, candidates }, random) {
    const it = random.pick(talks);
    const opening = find(candidates, it.candidate)?.opening ?? '';
    return { day: it.day, hour: it.hour, person: it.candidate, opening };
  },
  instruction: ({ day, hour }, random) =>
    random.pick([
      `Who referred the candidate that comes on ${day} at ${hour}?`,
      `Somebody has a talk ${day} ${hour}. By whom was this person referred?`,
      `Look at the week: ${day}, ${hour}. I want to thank the one who referred that candidate, who was it?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ person }, { candidates }) => need(candidates, person, 'candidate').referredBy,
  shown: ({ ui }, { person }) => [
    ui.wing === 'week' && ui.cell === '' && ui.talk === '',
    ui.person === person && ui.leaf === 'facts',
  ],
});

const jobs = ['Joiner', 'Joiner, trainee', 'Upholsterer', 'Driver', 'Shop assistant'];
const givens = ['Alma', 'Bela', 'Carlo', 'Dunja', 'Egon', 'Frida', 'Gustav', 'Hedda'];
const families = ['Stern', 'Sterner', 'Moor', 'Moorhaus', 'Pichler'];
const referrers = ['Ulla', 'Vera', 'Wim', 'Xaver', 'Yusuf', 'Zita', 'Quirin', 'Ruben', 'Sanne', 'Thea', 'Odo', 'Pia'];

export const app = defineApp({
  id: 'hiring-funnel',
  title: 'Hiring funnel',
  about: 'People who applied at a workshop: stages of each opening, notes, and a week of talks.',
  state,
  init(random) {
    const openings = random
      .shuffle(jobs)
      .map((title, index) => ({ id: `o${index + 1}`, title, frozen: random.chance(0.3) }));
    const names = random.sample(
      givens.flatMap(given => families.map(family => `${given} ${family}`)),
      25,
    );
    const candidates = names.map((name, index) => ({
      id: `c${index + 1}`,
      name,
      opening: openings[index % 5]?.id ?? 'o1',
      stage: random.pick(stages),
      marks: random.between(20, 99),
      town: random.pick(['Ulm', 'Neu-Ulm', 'Blaubeuren']),
      referredBy: random.pick(referrers),
      salary: `${random.between(24, 60)}000`,
    }));
    const cells = random.sample(
      week.flatMap(day => hours.map(hour => ({ day, hour }))),
      9,
    );
    const guests = random.sample(candidates, 9);
    return {
      openings,
      candidates,
      talks: cells.map((at, index) => ({
        id: `t${index + 1}`,
        candidate: guests[index]?.id ?? 'c1',
        ...at,
        room: random.pick(rooms),
      })),
      notes: [],
      ui: { wing: 'week', opening: '', ...vacant },
    };
  },
  commands: [advance, price, jot, bookTalk, callOff, readPeople, readTalks, wing, meet, tapHour, enterText],
  view(funnel) {
    const { ui, openings } = funnel;
    if (ui.cell !== '' || ui.talk !== '')
      return page('Hiring funnel', [ui.flash !== '' && alert(ui.flash), boxView(funnel)]);
    return page('Hiring funnel', [
      navigation('Openings', [
        link('The week', wing.with({ wing: 'week', opening: '' }), ui.wing === 'week' ? ['selected'] : []),
        ...openings.map(({ id, title }) =>
          link(title, wing.with({ wing: 'opening', opening: id }), ui.opening === id ? ['selected'] : []),
        ),
      ]),
      ui.flash !== '' && alert(ui.flash),
      ui.person !== '' ? personView(funnel) : ui.wing === 'week' ? weekView(funnel) : openingView(funnel),
    ]);
  },
  templates: [move, weak, booking, cancel, wants, pin, referrer],
  onRefusal(draft, message) {
    draft.ui.flash = message;
  },
});

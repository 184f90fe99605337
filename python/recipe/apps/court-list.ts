// A court clerk's cause list: hearings by day, the file of a case, judges with their chambers, a strike-out dialog.
import {
  alert,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  navigation,
  need,
  page,
  radio,
  region,
  remove,
  row,
  table,
  text,
  z,
} from 'espalier';

const s = z.string();
const cause = z.object({
  id: s,
  title: s,
  number: s,
  matter: s,
  day: s,
  room: s,
  judge: s,
  interpreter: z.boolean(),
  solicitor: s,
});
const judge = z.object({ id: s, name: s, chambers: s, sits: s });
const state = z.object({
  causes: z.array(cause),
  judges: z.array(judge),
  ui: z.object({ day: s, open: s, judge: s, screen: z.enum(['list', 'case', 'bench']), asking: z.boolean(), flash: s }),
});
type Court = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const say = (n: number, ...ways: string[]) => ways[n % ways.length] ?? '';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
const rooms = ['Court 1', 'Court 2', 'Court 3', 'Annexe', 'Video suite'];
const matters = ['Boundary dispute', 'Unpaid invoice', 'Tenancy', 'Probate', 'Bad goods', 'Trespass', 'Negligence'];
const parties = [
  'Abbott',
  'Birch',
  'Castellan',
  'Dhillon',
  'Eversley',
  'Farrow',
  'Gupta',
  'Holm',
  'Ivanov',
  'Jessop',
  'Kowal',
  'Lindqvist',
  'Mbeki',
  'Norris',
  'Osei',
  'Penrose',
  'Quayle',
  'Rahman',
  'Stroud',
  'Tanaka',
  'Umar',
  'Voss',
];
const benches = [
  'Judge Ashworth',
  'Judge Bellamy',
  'Judge Calder',
  'Judge Dunmore',
  'Judge Eze',
  'Judge Fitzroy',
  'Judge Grantham',
  'Judge Hollis',
];
const firms = ['Crane & Moor', 'Pell Partners', 'Whitlock LLP', 'Harrow Law', 'Sims and Sons', 'Temple Street Law'];

const set = command('relist_case', {
  about: 'Change the day, the room or the judge of a case.',
  input: z.object({ id: s, field: z.enum(['day', 'room', 'judge']), value: s }),
  run(draft, { id, field, value }) {
    need(draft.causes, id, 'case')[field] = value;
    draft.ui.flash = `Relisted: ${value}.`;
  },
});
const interpret = command('order_interpreter', {
  about: 'Order an interpreter for a hearing, or cancel the order.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const heard = need(draft.causes, id, 'case');
    heard.interpreter = !heard.interpreter;
  },
});
const strike = command('strike_out', {
  about: 'Strike a case out of the list.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    remove(draft.causes, need(draft.causes, id, 'case').id);
    Object.assign(draft.ui, { screen: 'list', open: '', asking: false, flash: 'Struck out.' });
  },
});
const read = query('read_list', {
  about: 'Read the whole list and the bench.',
  input: z.object({}),
  run: ({ causes, judges }) => ({ causes, judges }),
});
const goDay = gesture('choose_day', {
  about: 'Show the hearings of a day.',
  input: z.object({ day: s }),
  run(draft, { day }) {
    Object.assign(draft.ui, { day, screen: 'list', open: '', flash: '' });
  },
});
const openCase = gesture('open_case', {
  about: 'Open the file of a case.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    Object.assign(draft.ui, { open: id, screen: 'case', asking: false, flash: '' });
  },
});
const bench = gesture('see_bench', {
  about: 'See the judges, or one of them.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    Object.assign(draft.ui, { judge: id, screen: 'bench', flash: '' });
  },
});
const ask = gesture('ask_strike_out', {
  about: 'Open or close the question whether to strike out.',
  input: z.object({ asking: z.boolean() }),
  run(draft, { asking }) {
    draft.ui.asking = asking;
  },
});

function file({ judges, ui }: Court, opened: Court['causes'][number]) {
  const { id, title, number, matter, day, room, judge: name, ...rest } = opened;
  if (ui.asking)
    return dialog('Strike out?', [
      text(`${title} will leave the list for good.`),
      button('Yes, strike out', strike.with({ id })),
      button('Keep it', ask.with({ asking: false })),
    ]);
  return region(`File ${number}`, [
    heading(title),
    text(`Matter: ${matter}`),
    text(`Solicitor for the claimant: ${rest.solicitor}`),
    combobox('Day', day, { enter: set.entering({ id, field: 'day' }), options: days }),
    region(
      'Room',
      rooms.map(value => radio(value, value === room, set.with({ id, field: 'room', value }))),
    ),
    combobox('Before', name, { enter: set.entering({ id, field: 'judge' }), options: judges.map(it => it.name) }),
    checkbox('Interpreter ordered', rest.interpreter, interpret.with({ id })),
    button('Strike out…', ask.with({ asking: true })),
  ]);
}

function view(court: Court) {
  const { causes, judges, ui } = court;
  const opened = find(causes, ui.open);
  const seen = find(judges, ui.judge);
  const listed = causes.filter(({ day }) => day === ui.day);
  return page('Cause list', [
    navigation('Days', [...days.map(day => link(day, goDay.with({ day }))), link('The bench', bench.with({ id: '' }))]),
    ui.flash !== '' && alert(ui.flash),
    ui.screen === 'list' && heading(`${ui.day}: ${listed.length} hearings`),
    ui.screen === 'list' &&
      table(
        ui.day,
        listed.map(({ id, title, matter, room }) =>
          row(title, [link(title, openCase.with({ id })), cell(matter), cell(room)]),
        ),
      ),
    ui.screen === 'case' && opened !== undefined && file(court, opened),
    ui.screen === 'bench' &&
      seen === undefined &&
      region(
        'Judges',
        judges.map(({ id, name }) => link(name, bench.with({ id }))),
      ),
    ui.screen === 'bench' &&
      seen !== undefined &&
      region(seen.name, [
        text(`Chambers: ${seen.chambers}`),
        text(`Sits in: ${seen.sits}`),
        link('All judges', bench.with({ id: '' })),
      ]),
  ]);
}

const adjourn = template('adjourn', {
  about: 'Move a hearing to another day.',
  split: 'train',
  sample({ causes }, random) {
    const { id, title, day } = random.pick(causes);
    return { id, title, day, to: random.pick(days.filter(other => other !== day)), n: random.between(0, 5) };
  },
  instruction: ({ n, title, day, to }) =>
    say(
      n,
      `Adjourn ${title} from ${day} to ${to}.`,
      `${title} is down for ${day}, but a witness can only come on ${to}. Relist it, please.`,
      `Please could ${title} (${day}) be heard on ${to} instead?`,
      `${day}: ${title} -> ${to}`,
      `The claimant has flu, so ${title} cannot go ahead on ${day}. The judge gave them ${to}.`,
      `On ${day} we have ${title}. Put it on ${to}'s list.`,
    ),
  checks: ({ id, title, to }) => [{ name: `${title} is on ${to}`, test: final => find(final.causes, id)?.day === to }],
  allow: ({ id }) => [`/causes/${id}/day`],
});
const strikeOut = template('strike-out', {
  about: 'Strike the case of a matter in a room out of the list of a day.',
  split: 'train',
  sample({ causes }, random) {
    const { id, title, day, matter, room } = random.pick(causes);
    const alike = causes.filter(it => it.day === day && it.matter === matter && it.room === room);
    return alike.length > 1 ? null : { id, title, day, matter, room, n: random.between(0, 6) };
  },
  instruction: ({ n, title, day, matter, room }) =>
    say(
      n,
      `${title} has settled. Strike it out (it was listed for ${day}).`,
      `Strike out the ${matter} case that is in ${room} on ${day}.`,
      `The parties in ${day}'s ${matter} matter, ${room}, have made peace; it can leave the list.`,
      `Strike out: ${title}, ${day}`,
      `We will not hear ${title} on ${day} or ever. Please take it off for good.`,
      `Kindly remove the ${room} hearing about "${matter}" from ${day}.`,
      `Since nobody paid the fee for ${title}, ${day}, it is to be struck out.`,
    ),
  checks: ({ id, title }) => [{ name: `${title} is struck out`, test: final => find(final.causes, id) === undefined }],
  allow: ({ id }) => [`/causes/${id}`],
});
const roomAndInterpreter = template('room-and-interpreter', {
  about: 'Order an interpreter for a hearing and move it to another room.',
  split: 'train',
  sample({ causes }, random) {
    const { id, title, day, room } = random.pick(causes);
    return { id, title, day, room: random.pick(rooms.filter(other => other !== room)), n: random.between(0, 5) };
  },
  setup(draft, { id }) {
    need(draft.causes, id, 'case').interpreter = false;
  },
  instruction: ({ n, title, day, room }) =>
    say(
      n,
      `${title} (${day}): interpreter, and move to ${room}.`,
      `The defendant in ${title} speaks no English, so order an interpreter. ${room} is better for that on ${day}.`,
      `On ${day} ${title} should sit in ${room} with an interpreter present. Arrange both.`,
      `Would you please book an interpreter for ${title} on ${day} and change the room to ${room}?`,
      `${room} for ${title} on ${day}. They need someone to interpret, too.`,
      `Two changes to ${day}'s hearing ${title}: it goes to ${room} and gets an interpreter.`,
    ),
  checks: ({ id, room }) => [
    { name: 'an interpreter is ordered', test: final => find(final.causes, id)?.interpreter === true },
    { name: `it sits in ${room}`, test: final => find(final.causes, id)?.room === room },
  ],
  allow: ({ id }) => [`/causes/${id}/interpreter`, `/causes/${id}/room`],
});
const askChambers = template('judge-chambers', {
  about: 'Say where the chambers of a judge are.',
  split: 'train',
  sample({ judges }, random) {
    const { id, name } = random.pick(judges);
    return { id, name, n: random.between(0, 5) };
  },
  instruction: ({ n, name }) =>
    say(
      n,
      `Where are the chambers of ${name}?`,
      `${name}'s chambers: which room?`,
      `I have papers to hand to ${name} in person. What chambers do I go to?`,
      `Tell me which chambers ${name} has, please.`,
      `A courier asks for ${name}. Look up the chambers.`,
      `Chambers of ${name}?`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { judges }) => need(judges, id, 'judge').chambers,
  shown: ({ ui }, { id }) => ui.screen === 'bench' && ui.judge === id,
});

export const app = defineApp({
  id: 'court-list',
  title: 'Cause list',
  about: 'The list of hearings of a county court.',
  state,
  init(random) {
    const judges = random.shuffle(benches).map((name, index) => ({
      id: `j${index}`,
      name,
      chambers: `${random.pick(['North', 'South', 'East'])} ${random.between(101, 340)}`,
      sits: random.pick(rooms),
    }));
    const names = random.shuffle(parties);
    const causes = names.map((name, index) => ({
      id: `c${index}`,
      title: `${name} v ${random.pick(parties.filter(other => other !== name))}`,
      number: `${random.between(20, 26)}/${random.between(1000, 9999)}`,
      matter: random.pick(matters),
      day: random.pick(days),
      room: random.pick(rooms),
      judge: random.pick(benches),
      interpreter: random.chance(0.2),
      solicitor: random.pick(firms),
    }));
    const ui = { day: 'Monday', open: '', judge: '', screen: 'list' as const, asking: false, flash: '' };
    return { causes, judges, ui };
  },
  commands: [set, interpret, strike, read, goDay, openCase, bench, ask],
  view,
  templates: [adjourn, strikeOut, roomAndInterpreter, askChambers],
  onRefusal(draft, message) {
    draft.ui.flash = message;
  },
});

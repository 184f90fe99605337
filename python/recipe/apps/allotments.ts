// Sunny Bank Allotment Society: the committee's plot register.
import {
  added,
  alert,
  appKit,
  banner,
  button,
  cell,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  link,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  status,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const holder = z.object({ id: z.string(), name: z.string(), mobile: z.string(), duty: z.string() });
const plot = z.object({
  id: z.string(),
  no: z.string(),
  size: z.int(),
  holder: z.string().nullable(),
  rentPaid: z.boolean(),
  meter: z.int(),
  shed: z.boolean(),
});
const applicant = z.object({ id: z.string(), name: z.string(), applied: z.string(), wants: z.string() });
const state = z.object({
  plots: z.array(plot),
  holders: z.array(holder),
  waiting: z.array(applicant),
  ui: z.object({
    screen: z.string(),
    plot: z.string(),
    person: z.string(),
    only: z.string(),
    box: z.string(),
    name: z.string(),
    wants: z.string(),
    meter: z.string(),
    note: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const rent = command('mark_rent', {
  about: 'Note that the rent of a plot is paid, or is not.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const p = need(draft.plots, id, 'plot');
    if (p.holder === null) refuse('The plot is vacant.');
    p.rentPaid = !p.rentPaid;
  },
});
const readMeter = command('enter_meter_reading', {
  about: 'Enter the reading of the water meter of a plot.',
  input: z.object({ id: z.string(), reading: z.string() }),
  run(draft, { id, reading }) {
    const p = need(draft.plots, id, 'plot');
    const value = /^\d+$/.test(reading.trim()) ? Number(reading) : refuse('A reading is a whole number of litres.');
    if (value < p.meter) refuse(`The last reading was ${p.meter}; meters do not run backwards.`);
    p.meter = value;
    Object.assign(draft.ui, { box: '', meter: '', note: 'Reading entered.' });
  },
});
const letPlot = command('let_plot', {
  about: 'Let a vacant plot to an applicant.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const p = need(draft.plots, id, 'plot');
    if (p.holder !== null) refuse('The plot is taken.');
    const who = draft.waiting.find(a => a.name === value) ?? refuse('Choose somebody from the waiting list.');
    const newId = nextId(draft.holders, 'h');
    draft.holders.push({ id: newId, name: who.name, mobile: 'not known yet', duty: 'none' });
    remove(draft.waiting, who.id);
    Object.assign(p, { holder: newId, rentPaid: false });
    Object.assign(draft.ui, { box: '', note: `Plot ${p.no} is let to ${value}.` });
  },
});
const giveUp = command('end_tenancy', {
  about: 'End the tenancy of a plot.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const p = need(draft.plots, id, 'plot');
    Object.assign(p, { holder: null, rentPaid: false });
    Object.assign(draft.ui, { box: '', note: `Plot ${p.no} is vacant.` });
  },
});
const apply = command('add_applicant', {
  about: 'Add somebody to the waiting list.',
  input: z.object({ name: z.string().trim().min(2, 'Name?'), wants: z.string().min(1, 'Which size?') }),
  run(draft, { name, wants }) {
    draft.waiting.push({ id: nextId(draft.waiting, 'w'), name, applied: '2025-04-30', wants });
    Object.assign(draft.ui, { name: '', wants: '', box: '', note: `${name} is on the list.` });
  },
});
const strike = command('strike_applicant', {
  about: 'Strike somebody off the waiting list.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.waiting, id, 'applicant');
    remove(draft.waiting, id);
  },
});
const duty = command('set_duty', {
  about: 'Give a member a duty.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    need(draft.holders, id, 'member').duty = value;
  },
});
const register = query('read_register', {
  about: 'Read the register of plots.',
  input: z.object({}),
  run: s => s.plots.map(p => ({ ...p, holder: find(s.holders, p.holder ?? '') ?? null })),
});
const queue = query('read_waiting_list', { about: 'Read the waiting list.', input: z.object({}), run: s => s.waiting });

const visit = gesture('visit', {
  about: 'Open a page of the register.',
  input: z.object({ screen: z.string() }),
  run(draft, { screen }) {
    Object.assign(draft.ui, { screen, box: '', note: '' });
  },
});
const openPlot = gesture('open_plot', {
  about: 'Open a plot.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { screen: 'plot', plot: id, box: '', meter: '', note: '' });
  },
});
const openPerson = gesture('open_member', {
  about: 'Open a member.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { screen: 'person', person: id, box: '', note: '' });
  },
});
const filter = gesture('filter', {
  about: 'Filter the register.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    draft.ui.only = value;
  },
});
const box = gesture('open_box', {
  about: 'Open or close a box.',
  input: z.object({ box: z.string() }),
  run(draft, input) {
    Object.assign(draft.ui, { box: input.box, meter: '', name: '', wants: '' });
  },
});
const write = gesture('write', {
  about: 'Write in a field.',
  input: z.object({ field: z.enum(['name', 'wants', 'meter']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

const FILTERS = ['All plots', 'Vacant', 'Rent owing', 'With shed'];
const fits = (p: State['plots'][number], only: string) =>
  only === 'Vacant'
    ? p.holder === null
    : only === 'Rent owing'
      ? p.holder !== null && !p.rentPaid
      : only === 'With shed'
        ? p.shed
        : true;
const DUTIES = ['none', 'gate keys', 'compost', 'water tanks', 'newsletter', 'tool shed'];
const SIZES = ['half plot', 'full plot', 'any'];

function registerPage(s: State) {
  const plots = s.plots.filter(p => fits(p, s.ui.only));
  return region('Plot register', [
    combobox('Showing', s.ui.only, { enter: filter.entering({}), options: FILTERS }),
    table(
      `${plots.length} of ${s.plots.length} plots`,
      plots.map(p =>
        row(p.no, [
          link(`Plot ${p.no}`, openPlot.with({ id: p.id })),
          cell(`${p.size} m²`),
          cell(find(s.holders, p.holder ?? '')?.name ?? 'VACANT'),
          p.holder === null ? cell('–') : cell(p.rentPaid ? 'paid' : 'OWING'),
        ]),
      ),
    ),
  ]);
}
function plotPage(s: State) {
  const p = need(s.plots, s.ui.plot, 'plot');
  const who = find(s.holders, p.holder ?? '');
  if (s.ui.box === 'end')
    return dialog(`End tenancy of plot ${p.no}`, [
      text(`${who?.name} gives up this plot.`),
      button('Confirm', giveUp.with({ id: p.id })),
      button('Go back', box.with({ box: '' })),
    ]);
  if (s.ui.box === 'meter')
    return dialog('Water meter', [
      text(`Last reading: ${p.meter} litres`),
      textbox('New reading', s.ui.meter, { enter: write.entering({ field: 'meter' }) }),
      button('Enter', readMeter.with({ id: p.id, reading: s.ui.meter })),
      button('Go back', box.with({ box: '' })),
    ]);
  return region(`Plot ${p.no}`, [
    heading(`Plot ${p.no}`),
    text(`${p.size} square metres${p.shed ? ', with shed' : ''}`),
    who ? link(`Held by ${who.name}`, openPerson.with({ id: who.id })) : status('Vacant'),
    who && switchButton('Rent paid for this year', p.rentPaid, rent.with({ id: p.id })),
    button('Water meter…', box.with({ box: 'meter' })),
    who
      ? button('End tenancy…', box.with({ box: 'end' }))
      : combobox('Let to', '', { enter: letPlot.entering({ id: p.id }), options: s.waiting.map(a => a.name) }),
  ]);
}
function personPage(s: State) {
  const h = need(s.holders, s.ui.person, 'member');
  return region('Member', [
    heading(h.name),
    text(`Mobile ${h.mobile}`),
    combobox('Duty', h.duty, { enter: duty.entering({ id: h.id }), options: DUTIES }),
    ...s.plots.filter(p => p.holder === h.id).map(p => link(`Plot ${p.no}`, openPlot.with({ id: p.id }))),
  ]);
}
function waitingPage(s: State) {
  return region('Waiting list', [
    table(
      `${s.waiting.length} waiting`,
      s.waiting.map(a =>
        row(a.name, [
          cell(a.name),
          cell(`applied ${a.applied}`),
          cell(a.wants),
          button('Strike off', strike.with({ id: a.id })),
        ]),
      ),
    ),
    s.ui.box !== 'apply' && button('New applicant', box.with({ box: 'apply' })),
    s.ui.box === 'apply' &&
      form('New applicant', [
        textbox('Full name', s.ui.name, { enter: write.entering({ field: 'name' }) }),
        combobox('Would like', s.ui.wants, { enter: write.entering({ field: 'wants' }), options: SIZES }),
        button('Add to the list', apply.with({ name: s.ui.name, wants: s.ui.wants })),
      ]),
  ]);
}
function membersPage(s: State) {
  return region(
    'Members',
    s.holders.map(h => link(h.name, openPerson.with({ id: h.id }))),
  );
}

const say = (seed: string, ...ways: string[]) =>
  ways[[...seed].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ways.length]!;
const held = (s: State) => s.plots.filter(p => p.holder !== null);
const paid = template('rent-came-in', {
  about: 'Note that a member has paid the rent.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(held(s));
    return { id: p.id, name: need(s.holders, p.holder!, 'member').name };
  },
  setup(draft, { id }) {
    need(draft.plots, id, 'plot').rentPaid = false;
  },
  instruction: ({ name }) =>
    say(
      name,
      `${name} paid the rent in cash today.`,
      `Rent from ${name} has arrived, please note it in the register.`,
      `mark ${name} as paid`,
    ),
  checks: ({ id }) => [{ name: 'rent is paid', test: final => find(final.plots, id)?.rentPaid === true }],
  allow: ({ id }) => [`/plots/${id}/rentPaid`],
});
const meter = template('meter-reading', {
  about: 'Enter a meter reading.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.plots);
    return { id: p.id, no: p.no, reading: String(p.meter + random.between(200, 4000)) };
  },
  instruction: ({ no, reading }) =>
    say(
      no + reading,
      `Water meter on ${no} reads ${reading}`,
      `I walked round with the clipboard: plot ${no}, ${reading} litres. Please enter the reading.`,
    ),
  checks: ({ id, reading }) => [
    { name: `the meter is at ${reading}`, test: final => find(final.plots, id)?.meter === Number(reading) },
  ],
  allow: ({ id }) => [`/plots/${id}/meter`],
});
const longest = template('let-to-longest', {
  about: 'Let a vacant plot to whoever has waited longest.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.plots.filter(p => p.holder === null));
    const a = s.waiting.toSorted((x, y) => x.applied.localeCompare(y.applied))[0]!;
    return { id: p.id, no: p.no, applicant: a.id, who: a.name };
  },
  instruction: ({ no }) =>
    say(
      no,
      `Plot ${no} is free. Let it to the person who applied first.`,
      `Please give plot ${no} to whoever has been on the waiting list the longest.`,
    ),
  checks: ({ id, applicant, who }) => [
    { name: 'off the waiting list', test: final => find(final.waiting, applicant) === undefined },
    {
      name: 'one new member, who holds the plot',
      test(final, initial) {
        const [h, ...more] = added(initial.holders, final.holders);
        const p = find(final.plots, id);
        return (
          more.length === 0 &&
          h?.name === who &&
          h.mobile === 'not known yet' &&
          h.duty === 'none' &&
          p?.holder === h.id
        );
      },
    },
  ],
  allow: ({ id, applicant }) => [`/plots/${id}/holder`, '/holders/+', `/waiting/${applicant}`],
});
const mobile = template('mobile-of-plot', {
  about: 'Say the mobile number of the holder of a plot.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(held(s));
    return { no: p.no, holder: p.holder! };
  },
  instruction: ({ no }) =>
    say(
      no,
      `There's a burst pipe on plot ${no}!! What's the mobile number of whoever holds it?`,
      `Mobile of the holder of ${no}?`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ holder }, s) => need(s.holders, holder, 'member').mobile,
  shown: ({ ui }, { holder }) => ui.screen === 'person' && ui.person === holder,
});
const ends = template('end-tenancy', {
  about: 'End a tenancy.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(held(s));
    return { id: p.id, no: p.no, name: need(s.holders, p.holder!, 'member').name };
  },
  setup(draft, { id }) {
    need(draft.plots, id, 'plot').rentPaid = false;
  },
  instruction: ({ name, no }) =>
    say(
      no + name,
      `${name} is moving away and gives up plot ${no}. Do the paperwork.`,
      `End the tenancy of plot ${no}.`,
    ),
  checks: ({ id, no }) => [{ name: `${no} is vacant`, test: final => find(final.plots, id)?.holder === null }],
  allow: ({ id }) => [`/plots/${id}/holder`],
});
const join = template('join-and-strike', {
  about: 'Add an applicant and strike another.',
  split: 'train',
  sample(s, random) {
    const a = random.pick(s.waiting);
    return {
      gone: a.id,
      goneName: a.name,
      name: random.pick(['Priya Nair', 'Glyn Roberts', 'Zofia Lis', 'Errol Grant', 'Maeve Quinn']),
      wants: random.pick(SIZES),
    };
  },
  instruction: ({ goneName, name, wants }) =>
    `Two things for the waiting list: ${goneName} isn't interested any more, strike them off. And ${name} would like to join (${wants}).`,
  checks: ({ gone, name, wants }) => [
    { name: 'struck off', test: final => find(final.waiting, gone) === undefined },
    {
      name: `${name} is on the list`,
      test(final, initial) {
        const [a, ...more] = added(initial.waiting, final.waiting);
        return more.length === 0 && a?.name === name && a.wants === wants && a.applied === '2025-04-30';
      },
    },
  ],
  allow: ({ gone }) => [`/waiting/${gone}`, '/waiting/+'],
});

const people = [
  'Doris Webb',
  'Amir Shah',
  'Colin Pike',
  'Nora Flynn',
  'Stella Mbeki',
  'Geoff Lamb',
  'Hanna Roth',
  'Ivy Chan',
  'Trevor Moss',
  'Bridget Hale',
  'Sunil Rao',
  'Patsy Crane',
  'Ken Dobbs',
  'Lucia Marín',
  'Wilf Archer',
  'Olga Petrenko',
  'Dafydd Rees',
  'Joan Tully',
  'Marek Zając',
  'Fay Underhill',
  'Leroy Banks',
  'Mina Kohli',
  'Percy Tate',
  'Rhona Kerr',
  'Bashir Aziz',
  'Greta Lund',
  'Cyril Marsh',
];

export const app = defineApp({
  id: 'allotments',
  title: 'Sunny Bank Allotments',
  about: 'The plot register and waiting list of an allotment society.',
  state,
  init(random) {
    const names = random.shuffle(people);
    const holders = names.slice(0, 20).map((name, at) => ({
      id: `h${at + 1}`,
      name,
      mobile: `07${random.between(400, 999)} ${random.between(100000, 999999)}`,
      duty: random.pick(DUTIES),
    }));
    const owners = random.shuffle([...holders.map(({ id }) => id as string | null), null, null, null, null]);
    const days = random.sample(
      Array.from(
        { length: 60 },
        (_, at) =>
          `20${20 + (at % 5)}-${String(1 + (at % 12)).padStart(2, '0')}-${String(1 + ((at * 7) % 28)).padStart(2, '0')}`,
      ),
      7,
    );
    return {
      holders,
      plots: owners.map((owner, at) => ({
        id: `p${at + 1}`,
        no: `${'ABCDEF'[Math.floor(at / 4)]}${(at % 4) + 1}`,
        size: random.pick([125, 150, 250, 300]),
        holder: owner,
        rentPaid: owner !== null && random.chance(0.5),
        meter: random.between(1000, 9000),
        shed: random.chance(0.4),
      })),
      waiting: names
        .slice(20)
        .map((name, at) => ({ id: `w${at + 1}`, name, applied: days[at]!, wants: random.pick(SIZES) })),
      ui: {
        screen: 'register',
        plot: '',
        person: '',
        only: 'All plots',
        box: '',
        name: '',
        wants: '',
        meter: '',
        note: '',
      },
    };
  },
  commands: [
    rent,
    readMeter,
    letPlot,
    giveUp,
    apply,
    strike,
    duty,
    register,
    queue,
    visit,
    openPlot,
    openPerson,
    filter,
    box,
    write,
  ],
  view: s =>
    page('Sunny Bank Allotment Society', [
      !(s.ui.screen === 'plot' && s.ui.box !== '') &&
        banner('Register', [
          link('Plots', visit.with({ screen: 'register' })),
          link('Members', visit.with({ screen: 'members' })),
          link('Waiting list', visit.with({ screen: 'waiting' })),
        ]),
      s.ui.note !== '' && alert(s.ui.note),
      s.ui.screen === 'register'
        ? registerPage(s)
        : s.ui.screen === 'plot'
          ? plotPage(s)
          : s.ui.screen === 'person'
            ? personPage(s)
            : s.ui.screen === 'members'
              ? membersPage(s)
              : waitingPage(s),
    ]),
  templates: [paid, meter, longest, mobile, ends, join],
  onRefusal(draft, message) {
    draft.ui.note = message;
  },
});

import {
  added,
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
  row,
  status,
  tab,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const family = z.object({
  id: z.string(),
  ref: z.string(),
  title: z.string(),
  client: z.string(),
  attorney: z.string(),
});
const filing = z.object({
  id: z.string(),
  family: z.string(),
  country: z.string(),
  number: z.string(),
  stage: z.enum(['pending', 'granted', 'abandoned']),
});
const deadline = z.object({
  id: z.string(),
  filing: z.string(),
  kind: z.string(),
  month: z.int(),
  day: z.int(),
  done: z.boolean(),
});
const state = z.object({
  families: z.array(family),
  filings: z.array(filing),
  deadlines: z.array(deadline),
  ui: z.object({
    view: z.enum(['docket', 'register']),
    month: z.int(),
    who: z.string(),
    lookup: z.string(),
    family: z.string().nullable(),
    country: z.string(),
    extending: z.string().nullable(),
    abandoning: z.boolean(),
    entering: z.boolean(),
    newCountry: z.string(),
    newNumber: z.string(),
    note: z.string(),
  }),
});
type Docket = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const months = [
  '',
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const attorneys = ['Brandvold', 'Chaudhry', 'Ferrante', 'Brandt', 'Nwosu'];
const countries = ['EP', 'US', 'JP', 'CN', 'KR', 'CA', 'AU', 'BR'];
const extensions = ['1 month', '2 months', '3 months'];

const file = command('mark_done', {
  about: 'Mark a deadline as done, or as open again.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.deadlines, id, 'deadline');
    it.done = !it.done;
  },
});
const extend = command('extend_deadline', {
  about: 'Extend an open deadline by 1 month, 2 months or 3 months.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.deadlines, id, 'deadline');
    if (it.done) refuse('That deadline is done.');
    if (!extensions.includes(value)) refuse('Extend by 1 month, 2 months or 3 months.');
    it.month += Number(value[0]);
    draft.ui.extending = null;
  },
});
const reassign = command('reassign_family', {
  about: 'Give a family to another attorney.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!attorneys.includes(value)) refuse(`${value} is no attorney of the firm.`);
    need(draft.families, id, 'family').attorney = value;
  },
});
const abandon = command('abandon_filing', {
  about: 'Abandon a filing.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.filings, id, 'filing');
    if (it.stage === 'abandoned') refuse('That filing is abandoned already.');
    it.stage = 'abandoned';
    draft.ui.abandoning = false;
  },
});
const grant = command('grant_filing', {
  about: 'Note that a pending filing was granted.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.filings, id, 'filing');
    if (it.stage !== 'pending') refuse(`That filing is ${it.stage}.`);
    it.stage = 'granted';
  },
});
const enter = command('enter_filing', {
  about: 'Enter a filing of a family in a further country.',
  input: z.object({
    family: z.string(),
    country: z.string(),
    number: z.string().trim().min(4, 'The number is too short'),
  }),
  run(draft, { family: of, country, number }) {
    need(draft.families, of, 'family');
    if (!countries.includes(country)) refuse('Choose the country.');
    if (draft.filings.some(it => it.family === of && it.country === country))
      refuse(`There is a filing in ${country}.`);
    draft.filings.push({ id: nextId(draft.filings, 'p'), family: of, country, number, stage: 'pending' });
    Object.assign(draft.ui, { entering: false, newCountry: '', newNumber: '', country });
  },
});
const readFamily = query('read_family', {
  about: 'Show families whose reference, title or client contains a text, with filings and deadlines.',
  input: z.object({ text: z.string() }),
  run: (docket, input) =>
    matching(docket, input.text).map(it => ({
      ...it,
      filings: docket.filings
        .filter(one => one.family === it.id)
        .map(one => ({
          ...one,
          deadlines: docket.deadlines.filter(({ filing: of }) => of === one.id).map(due => ({ ...due })),
        })),
    })),
});

const view = gesture('change_view', {
  about: 'Show the docket or the register.',
  input: z.object({ to: z.enum(['docket', 'register']) }),
  run({ ui }, { to }) {
    Object.assign(ui, { view: to, family: null, note: '', extending: null });
  },
});
const leaf = gesture('leaf', {
  about: 'Leaf to a month of the docket.',
  input: z.object({ month: z.int() }),
  run({ ui }, { month }) {
    Object.assign(ui, { month, extending: null });
  },
});
const whose = gesture('whose', {
  about: 'Show the deadlines of one attorney.',
  input: z.object({ value: z.string() }),
  run({ ui }, { value }) {
    ui.who = value;
  },
});
const lookUp = gesture('look_up', {
  about: 'Type into the register.',
  input: z.object({ value: z.string().max(50) }),
  run({ ui }, { value }) {
    ui.lookup = value;
  },
});
const openFamily = gesture('open_family', {
  about: 'Open a family, or close it.',
  input: z.object({ id: z.string().nullable(), country: z.string() }),
  run({ ui }, { id, country }) {
    Object.assign(ui, { family: id, country, note: '', entering: false, abandoning: false, extending: null });
  },
});
const startExtending = gesture('start_extending', {
  about: 'Begin to extend a deadline.',
  input: z.object({ id: z.string() }),
  run({ ui }, { id }) {
    ui.extending = id;
  },
});
const ask = gesture('ask', {
  about: 'Ask before abandoning a filing, or leave it.',
  input: z.object({ yes: z.boolean() }),
  run({ ui }, { yes }) {
    ui.abandoning = yes;
  },
});
const openEntry = gesture('open_entry', {
  about: 'Open or close the form of a further filing.',
  input: z.object({ on: z.boolean() }),
  run({ ui }, { on }) {
    Object.assign(ui, { entering: on, newCountry: '', newNumber: '', note: '' });
  },
});
const write = gesture('write_entry', {
  about: 'Fill in the form of a further filing.',
  input: z.object({ field: z.enum(['newCountry', 'newNumber']), value: z.string().max(30) }),
  run({ ui }, { field, value }) {
    ui[field] = value;
  },
});

function matching({ families }: Docket, wanted: string) {
  const lower = wanted.trim().toLowerCase();
  return families.filter(({ ref, title, client }) => `${ref} ${title} ${client}`.toLowerCase().includes(lower));
}
const when = ({ month, day }: { month: number; day: number }) => `${day} ${months[month] ?? month}`;

function monthSheet({ families, filings, deadlines, ui }: Docket) {
  const due = deadlines
    .filter(it => it.month === ui.month)
    .sort((a, b) => a.day - b.day)
    .flatMap(it => {
      const of = need(filings, it.filing, 'filing');
      const fam = need(families, of.family, 'family');
      return ui.who === 'Everyone' || fam.attorney === ui.who ? [{ it, of, fam }] : [];
    });
  return region('Docket', [
    navigation('Month', [
      ui.month > 1 && button(`‹ ${months[ui.month - 1]}`, leaf.with({ month: ui.month - 1 })),
      heading(months[ui.month] ?? ''),
      ui.month < 12 && button(`${months[ui.month + 1]} ›`, leaf.with({ month: ui.month + 1 })),
    ]),
    combobox('Attorney', ui.who, { enter: whose.entering({}), options: ['Everyone', ...attorneys] }),
    table(
      due.length === 0 ? 'Nothing due' : 'Due',
      due.map(({ it, of, fam }) =>
        row(`${fam.ref} ${of.country} ${it.kind}`, [
          cell(when(it)),
          link(`${fam.ref} ${of.country}`, openFamily.with({ id: fam.id, country: of.country })),
          cell(it.kind),
          cell(fam.attorney),
          cell(it.done ? 'done' : 'open'),
        ]),
      ),
    ),
  ]);
}

function dossier({ filings, deadlines, ui }: Docket, it: Docket['families'][number]) {
  const mine = filings.filter(one => one.family === it.id);
  const shown = mine.find(one => one.country === ui.country);
  if (ui.abandoning && shown !== undefined) {
    return dialog(`Abandon ${it.ref} in ${shown.country}?`, [
      text('An abandoned filing cannot be revived here.'),
      button('Abandon filing', abandon.with({ id: shown.id })),
      button('Go back', ask.with({ yes: false })),
    ]);
  }
  return region(`${it.ref}: ${it.title}`, [
    button('Close dossier', openFamily.with({ id: null, country: '' })),
    heading(`${it.ref} ${it.title}`),
    text(`Client: ${it.client}`),
    combobox('Responsible', it.attorney, { enter: reassign.entering({ id: it.id }), options: attorneys }),
    navigation('Countries', [
      ...mine.map(one =>
        tab(
          one.country,
          openFamily.with({ id: it.id, country: one.country }),
          one.country === ui.country ? ['selected'] : [],
        ),
      ),
      button('Further country', openEntry.with({ on: true })),
    ]),
    ui.entering &&
      form('Further country', [
        combobox('Country', ui.newCountry, { enter: write.entering({ field: 'newCountry' }), options: countries }),
        textbox('Application number', ui.newNumber, { enter: write.entering({ field: 'newNumber' }) }),
        button('Enter filing', enter.with({ family: it.id, country: ui.newCountry, number: ui.newNumber })),
      ]),
    shown !== undefined &&
      region(shown.country, [
        text(`Application ${shown.number}, ${shown.stage}`),
        shown.stage === 'pending' && button('Granted', grant.with({ id: shown.id })),
        shown.stage !== 'abandoned' && button('Abandon…', ask.with({ yes: true })),
        list(
          'Deadlines',
          deadlines
            .filter(one => one.filing === shown.id)
            .map(one =>
              listItem(one.kind, [
                text(`${one.kind}: ${when(one)}, ${one.done ? 'done' : 'open'}`),
                button(one.done ? `Reopen ${one.kind}` : `Tick off ${one.kind}`, file.with({ id: one.id })),
                !one.done &&
                  ui.extending !== one.id &&
                  button(`Extend ${one.kind}`, startExtending.with({ id: one.id })),
                ui.extending === one.id &&
                  combobox('Extend by', '', { enter: extend.entering({ id: one.id }), options: extensions }),
              ]),
            ),
        ),
      ]),
  ]);
}

const titles = [
  'Folding pedal',
  'Folding hinge',
  'Heat pump valve',
  'Heat exchanger',
  'Bone screw',
  'Bone plate',
  'Lens coating',
  'Paper cup lid',
  'Drip nozzle',
  'Cable clamp',
  'Cable gland',
  'Tile spacer',
  'Yarn sensor',
  'Seat rail',
];
const clients = ['Orbis Cycles', 'Orbital Heating', 'Kestrel Medical', 'Nordlys Optics', 'Paperwing'];
const dues = [
  'Response to examination',
  'Renewal fee',
  'Translation',
  'Request for examination',
  'Oral proceedings',
  'Appeal',
];

function spot({ families, filings }: Docket, id: string) {
  const of = need(filings, id, 'filing');
  const fam = need(families, of.family, 'family');
  return { ref: fam.ref, title: fam.title, country: of.country };
}

const tickOff = template('tick-off', {
  about: 'Tick off a deadline of a filing.',
  split: 'test',
  sample(docket, random) {
    const it = random.pick(docket.deadlines.filter(({ done }) => !done));
    return { id: it.id, kind: it.kind, ...spot(docket, it.filing) };
  },
  instruction: ({ kind, ref, country }, random) =>
    random.pick([
      `We took care of the ${kind.toLowerCase()} for ${ref} in ${country} this morning. Tick off the deadline.`,
      `${ref} ${country}: "${kind}" is done.`,
      `Please mark "${kind}" of ${ref} (${country}) as done on the docket.`,
    ]),
  checks: ({ id, kind }) => [{ name: `${kind} is done`, test: final => find(final.deadlines, id)?.done === true }],
  allow: ({ id }) => [`/deadlines/${id}/done`],
});

const moreTime = template('more-time', {
  about: 'Extend a deadline.',
  split: 'test',
  sample(docket, random) {
    const it = random.pick(docket.deadlines.filter(({ done, month }) => !done && month < 9));
    return { id: it.id, kind: it.kind, month: it.month, by: random.pick(extensions), ...spot(docket, it.filing) };
  },
  instruction: ({ kind, ref, country, by }, random) =>
    random.pick([
      `Extend "${kind}" of ${ref} in ${country} by ${by}.`,
      `The office has given us ${by} more for the ${kind.toLowerCase()} in ${ref} ${country}. Please docket that.`,
      `${ref}/${country} ${kind}: + ${by}`,
    ]),
  checks: ({ id, month, by }) => [
    { name: 'the deadline is later', test: final => find(final.deadlines, id)?.month === month + Number(by[0]) },
  ],
  allow: ({ id }) => [`/deadlines/${id}/month`],
});

const handOver = template('hand-over-client', {
  about: 'Give all families of a client that one attorney has to another.',
  split: 'test',
  sample({ families }, random) {
    const client = random.pick(clients);
    const mine = families.filter(it => it.client === client);
    if (mine.length < 2) return null;
    const [from, to] = random.sample(attorneys, 2) as [string, string];
    return { client, from, to, ids: random.sample(mine, 2).map(({ id }) => id) };
  },
  setup(draft, { client, from, to, ids }) {
    for (const it of draft.families) {
      if (it.client !== client) continue;
      if (ids.includes(it.id)) it.attorney = from;
      else if (it.attorney === from) it.attorney = to;
    }
  },
  instruction: ({ client, from, to }, random) =>
    random.pick([
      `${from} hands the families of ${client} over to ${to}. Change the responsible attorney in each of them.`,
      `${from} goes on leave. Everything ${from} has of ${client} goes to ${to}, nothing else.`,
      `${client}: all of ${from}'s families -> ${to}`,
    ]),
  checks: ({ ids, to }) =>
    ids.map(id => ({ name: `family ${id} is with ${to}`, test: final => find(final.families, id)?.attorney === to })),
  allow: ({ ids }) => ids.map(id => `/families/${id}/attorney`),
});

const further = template('further-country', {
  about: 'Enter a filing in a further country.',
  split: 'test',
  sample({ families, filings }, random) {
    const { id, ref, title } = random.pick(families);
    const free = countries.filter(country => !filings.some(it => it.family === id && it.country === country));
    return {
      id,
      ref,
      title,
      country: random.pick(free),
      number: `${random.between(20, 26)}/${random.between(100000, 999999)}`,
    };
  },
  instruction: ({ ref, title, country, number }, random) =>
    random.pick([
      `We filed ${ref} in ${country} under ${number}. Enter it.`,
      `Add the ${country} application to "${title}" (${ref}). Its number is ${number}.`,
      `${ref}: new filing, ${country}, no. ${number}`,
    ]),
  checks: ({ id, country, number }) => [
    {
      name: 'one filing was entered, as said',
      test(final, initial) {
        const [it, ...more] = added(initial.filings, final.filings);
        if (it === undefined || more.length > 0) return false;
        return it.family === id && it.country === country && it.number === number && it.stage === 'pending';
      },
    },
  ],
  allow: () => ['/filings/+'],
});

const giveUp = template('give-up', {
  about: 'Abandon the filing of a family in a country.',
  split: 'test',
  sample(docket, random) {
    const it = random.pick(docket.filings.filter(({ stage }) => stage !== 'abandoned'));
    return { id: it.id, ...spot(docket, it.id) };
  },
  instruction: ({ ref, title, country }, random) =>
    random.pick([
      `The client gives up ${ref} in ${country}. Abandon that filing.`,
      `"${title}" (${ref}) is no longer wanted in ${country}; abandon it there and only there.`,
      `abandon ${ref} ${country}`,
    ]),
  checks: ({ id, ref }) => [
    { name: `${ref} is abandoned there`, test: final => find(final.filings, id)?.stage === 'abandoned' },
  ],
  allow: ({ id }) => [`/filings/${id}/stage`],
});

const firstDue = template('first-due', {
  about: 'Tell which family an attorney has to look at first in a month.',
  split: 'test',
  sample(docket, random) {
    const { families, filings, deadlines } = docket;
    const who = random.pick(attorneys);
    const month = random.between(4, 8);
    const mine = deadlines
      .filter(it => it.month === month && !it.done)
      .map(it => ({ day: it.day, fam: need(families, need(filings, it.filing, 'filing').family, 'family') }))
      .filter(({ fam }) => fam.attorney === who)
      .sort((a, b) => a.day - b.day);
    const [first, second] = mine;
    if (first === undefined || first.day === second?.day) return null;
    return { who, month, ref: first.fam.ref };
  },
  instruction: ({ who, month }, random) =>
    random.pick([
      `What is the first open deadline ${who} has in ${months[month]}? Give me the reference of the family.`,
      `${who} asks which family comes first in ${months[month]}. Only open deadlines count. The P-number is enough.`,
      `P-number of ${who}'s earliest open deadline in ${months[month]}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ ref }) => ref,
  shown: ({ ui }, { month, who }) =>
    ui.view === 'docket' && ui.family === null && ui.month === month && (ui.who === who || ui.who === 'Everyone'),
});

export const app = defineApp({
  id: 'patents',
  title: 'Patent docket',
  about: 'The docket of a firm of patent attorneys: families, filings in countries, and deadlines.',
  state,
  init(random) {
    const families = random.shuffle(titles).map((title, index) => ({
      id: `f${index + 1}`,
      ref: `P-${2040 + index * 7 + random.between(0, 6)}`,
      title,
      client: random.pick(clients),
      attorney: random.pick(attorneys),
    }));
    const filings = families
      .flatMap(({ id }) => random.sample(countries, random.between(2, 4)).map(country => ({ family: id, country })))
      .map((it, index) => ({
        id: `p${index + 1}`,
        ...it,
        number: `${random.between(18, 25)}/${random.between(100000, 999999)}`,
        stage: random.pick(['pending', 'pending', 'granted', 'abandoned'] as const),
      }));
    const deadlines = filings
      .filter(({ stage }) => stage !== 'abandoned')
      .flatMap(({ id }) => random.sample(dues, random.between(1, 3)).map(kind => ({ filing: id, kind })))
      .map((it, index) => ({
        id: `d${index + 1}`,
        ...it,
        month: random.between(2, 9),
        day: random.between(1, 28),
        done: random.chance(0.3),
      }));
    return {
      families,
      filings,
      deadlines,
      ui: {
        view: 'docket' as const,
        month: 3,
        who: 'Everyone',
        lookup: '',
        family: null,
        country: '',
        extending: null,
        abandoning: false,
        entering: false,
        newCountry: '',
        newNumber: '',
        note: '',
      },
    };
  },
  commands: [
    file,
    extend,
    reassign,
    abandon,
    grant,
    enter,
    readFamily,
    view,
    leaf,
    whose,
    lookUp,
    openFamily,
    startExtending,
    ask,
    openEntry,
    write,
  ],
  view(docket) {
    const { ui } = docket;
    const it = find(docket.families, ui.family ?? '');
    return page('Patent docket', [
      navigation('Firm', [
        tab('Docket', view.with({ to: 'docket' }), ui.view === 'docket' ? ['selected'] : []),
        tab('Register', view.with({ to: 'register' }), ui.view === 'register' ? ['selected'] : []),
      ]),
      ui.note !== '' && status(ui.note),
      it !== undefined && dossier(docket, it),
      it === undefined && ui.view === 'docket' && monthSheet(docket),
      it === undefined &&
        ui.view === 'register' &&
        region('Register', [
          textbox('Reference, title or client', ui.lookup, { enter: lookUp.entering({}) }),
          table(
            'Families',
            matching(docket, ui.lookup).map(({ id, ref, title, client, attorney }) =>
              row(ref, [link(ref, openFamily.with({ id, country: '' })), cell(title), cell(client), cell(attorney)]),
            ),
          ),
        ]),
    ]);
  },
  templates: [tickOff, moreTime, handOver, further, giveUp, firstDue],
  onRefusal(draft, message) {
    draft.ui.note = message;
  },
});

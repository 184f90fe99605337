// Harbour Fund: applications in a sortable table, an agenda with decisions, members with conflicts of interest.
import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  menu,
  menuItem,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  cell,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const DECISIONS = ['undecided', 'fund', 'reject', 'defer'] as const;
const PROGRAMMES = ['Arts', 'Youth', 'Climate', 'Heritage'] as const;
const state = z.object({
  members: z.array(z.object({ id: z.string(), name: z.string(), employer: z.string() })),
  bids: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      title: z.string(),
      applicant: z.string(),
      programme: z.enum(PROGRAMMES),
      sum: z.int(),
      score: z.int(),
      reader: z.string(),
      decision: z.enum(DECISIONS),
      contact: z.string(),
    }),
  ),
  notes: z.array(z.object({ id: z.string(), bid: z.string(), words: z.string() })),
  ui: z.object({
    at: z.string(),
    order: z.string(),
    only: z.string(),
    open: z.string(),
    menu: z.string(),
    sure: z.string(),
    words: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const reader = (s: State, id: string) => find(s.members, id)?.name ?? 'none';
const setReader = command('set_reader', {
  about: 'Give a bid to a reader.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const m = draft.members.find(x => x.name === value) ?? refuse('Not on the committee.');
    const b = need(draft.bids, id, 'bid');
    if (m.employer === b.applicant) refuse('Conflict of interest.');
    b.reader = m.id;
  },
});
const decide = command('decide', {
  about: 'Decide about a bid.',
  input: z.object({ id: z.string(), decision: z.enum(DECISIONS) }),
  run(draft, { id, decision }) {
    need(draft.bids, id, 'bid').decision = decision;
    draft.ui.menu = '';
  },
});
const withdraw = command('withdraw', {
  about: 'Strike a bid from the round.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.bids, id, 'bid');
    remove(draft.bids, id);
    Object.assign(draft.ui, { open: '', sure: '', at: 'round' });
  },
});
const note = command('add_note', {
  about: 'Minute a remark about a bid.',
  input: z.object({ bid: z.string(), words: z.string().min(1) }),
  run(draft, { bid, words }) {
    need(draft.bids, bid, 'bid');
    draft.notes.push({ id: nextId(draft.notes, 'n'), bid, words });
    draft.ui.words = '';
  },
});
const look = query('read_round', {
  about: 'Read the bids and the committee.',
  input: z.object({}),
  run: s => ({ members: s.members, bids: s.bids.map(b => ({ ...b, reader: reader(s, b.reader) })), notes: s.notes }),
});
const show = gesture('show', {
  about: 'Show something.',
  input: z.object({ patch: z.record(z.string(), z.string()) }),
  run(draft, { patch }) {
    Object.assign(draft.ui, { sure: '', menu: '' }, patch);
  },
});
const type = gesture('type', {
  about: 'Type or choose.',
  input: z.object({ field: z.enum(['words', 'only']), value: z.string().max(90) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const money = (n: number) => `€${n.toLocaleString('en')}`;
function ordered(s: State) {
  const bids = s.bids.filter(b => s.ui.only === 'all programmes' || b.programme === s.ui.only);
  if (s.ui.order === 'score') return bids.toSorted((a, b) => b.score - a.score);
  return s.ui.order === 'sum' ? bids.toSorted((a, b) => b.sum - a.sum) : bids;
}
const screens: Record<string, (s: State) => unknown[]> = {
  round: s => [
    toolbar('Table tools', [
      combobox('Programme', s.ui.only, {
        enter: type.entering({ field: 'only' }),
        options: ['all programmes', ...PROGRAMMES],
      }),
      button('Sort by score', show.with({ patch: { order: 'score' } })),
      button('Sort by sum', show.with({ patch: { order: 'sum' } })),
    ]),
    table(
      'Bids of this round',
      ordered(s).map(b =>
        row(b.code, [
          link(b.title, show.with({ patch: { at: 'bid', open: b.id, words: '' } })),
          cell(b.applicant),
          cell(b.programme),
          cell(money(b.sum)),
          cell(`${b.score} points`),
          cell(b.decision),
          button(`Decide ${b.code}`, show.with({ patch: { menu: b.id } })),
          s.ui.menu === b.id &&
            menu(
              'Decision',
              DECISIONS.filter(d => d !== b.decision).map(d => menuItem(d, decide.with({ id: b.id, decision: d }))),
            ),
        ]),
      ),
    ),
  ],
  bid(s) {
    const b = need(s.bids, s.ui.open, 'bid');
    if (s.ui.sure !== '')
      return [
        dialog('Withdraw this bid?', [
          text(`${b.code} ${b.title}`),
          button('Withdraw', withdraw.with({ id: b.id })),
          button('Leave it in', show.with({ patch: {} })),
        ]),
      ];
    return [
      heading(b.title),
      text(`${b.code}, ${b.programme}`),
      text(`Applicant: ${b.applicant}`),
      text(`Contact: ${b.contact}`),
      text(`Asks for: ${money(b.sum)}`),
      combobox('Reader', reader(s, b.reader), {
        enter: setReader.entering({ id: b.id }),
        options: s.members.filter(m => m.employer !== b.applicant).map(m => m.name),
      }),
      region('Minutes', [
        ...s.notes.filter(n => n.bid === b.id).map(n => text(n.words)),
        textbox('Remark', s.ui.words, { enter: type.entering({ field: 'words' }) }),
        s.ui.words !== '' && button('Minute it', note.with({ bid: b.id, words: s.ui.words })),
      ]),
      button('Withdraw bid', show.with({ patch: { sure: 'yes' } })),
    ];
  },
  people: s => [
    heading('The committee'),
    ...s.members.map(m =>
      region(m.name, [
        text(`Works for ${m.employer}`),
        text(`Reads ${s.bids.filter(b => b.reader === m.id).length} bids`),
      ]),
    ),
  ],
};
const give = template('give-to-reader', {
  about: 'Give a bid to a reader.',
  split: 'train',
  sample(s, random) {
    const b = random.pick(s.bids);
    const m = random.pick(s.members.filter(x => x.id !== b.reader && x.employer !== b.applicant));
    return { id: b.id, code: b.code, title: b.title, member: m.id, name: m.name, way: random.between(0, 2) };
  },
  instruction: ({ code, title, name, way }) =>
    [`${name} reads ${code}.`, `Please hand "${title}" to ${name} for reading.`, `reader of ${title}: ${name}`][way]!,
  checks: ({ id, member }) => [{ name: 'reader', test: f => find(f.bids, id)?.reader === member }],
  allow: ({ id }) => [`/bids/${id}/reader`],
});
const fundTop = template('fund-above', {
  about: 'Fund the bids of a programme with enough points.',
  split: 'train',
  sample(s, random) {
    const [a, b, c] = random.sample(s.bids, 3);
    return {
      ids: [a!.id, b!.id],
      low: c!.id,
      programme: random.pick(PROGRAMMES),
      line: random.pick([60, 65, 70]),
      way: random.between(0, 2),
    };
  },
  setup(draft, { ids, low, programme, line }) {
    for (const b of draft.bids)
      if (b.programme === programme && b.id !== low && !ids.includes(b.id))
        b.programme = programme === 'Arts' ? 'Youth' : 'Arts';
    ids.forEach((id, n) =>
      Object.assign(need(draft.bids, id, 'bid'), { programme, score: line + 4 + n * 9, decision: 'undecided' }),
    );
    Object.assign(need(draft.bids, low, 'bid'), { programme, score: line - 7, decision: 'undecided' });
  },
  instruction: ({ programme, line, way }) =>
    [
      `Fund every ${programme} bid that has more than ${line} points.`,
      `${programme}: whatever scored above ${line} gets the money`,
      `We agreed: in ${programme} all bids over ${line} points are funded. Enter it, leave the others.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, n) => ({ name: `funded ${n + 1}`, test: f => find(f.bids, id)?.decision === 'fund' })),
  allow: ({ ids }) => ids.map(id => `/bids/${id}/decision`),
});
const best = template('defer-costliest', {
  about: 'Defer the bid of a programme that asks for most.',
  split: 'train',
  sample(s, random) {
    const [a, b, c] = random.sample(s.bids, 3);
    return { id: a!.id, others: [b!.id, c!.id], programme: random.pick(PROGRAMMES), way: random.between(0, 2) };
  },
  setup(draft, { id, others, programme }) {
    for (const b of draft.bids)
      if (b.programme === programme && b.id !== id && !others.includes(b.id))
        b.programme = programme === 'Arts' ? 'Youth' : 'Arts';
    for (const o of others) need(draft.bids, o, 'bid').programme = programme;
    const most = Math.max(...others.map(o => need(draft.bids, o, 'bid').sum));
    Object.assign(need(draft.bids, id, 'bid'), { programme, sum: most + 2500, decision: 'undecided' });
  },
  instruction: ({ programme, way }) =>
    [
      `Defer the most expensive bid in ${programme}.`,
      `The ${programme} bid asking for the largest sum has to wait, set it to defer.`,
      `${programme}: biggest ask -> defer`,
    ][way]!,
  checks: ({ id }) => [{ name: 'deferred', test: f => find(f.bids, id)?.decision === 'defer' }],
  allow: ({ id }) => [`/bids/${id}/decision`],
});
const minute = template('minute-remark', {
  about: 'Minute a remark.',
  split: 'train',
  sample(s, random) {
    const b = random.pick(s.bids);
    return {
      id: b.id,
      code: b.code,
      title: b.title,
      words: random.pick([
        'budget too vague',
        'ask for a second quote',
        'strong team',
        'needs a partner',
        'site visit in June',
      ]),
      way: random.between(0, 2),
    };
  },
  instruction: ({ code, title, words, way }) =>
    [
      `Minute for ${code}: ${words}`,
      `Note "${words}" under the bid ${title}.`,
      `in the minutes of "${title}" please put "${words}"`,
    ][way]!,
  checks: ({ id, words }) => [
    {
      name: 'minuted',
      test(f, i) {
        const [n, ...rest] = added(i.notes, f.notes);
        return rest.length === 0 && n?.bid === id && n.words === words;
      },
    },
  ],
  allow: () => ['/notes/+'],
});
const strike = template('strike-bid', {
  about: 'Withdraw a bid.',
  split: 'train',
  sample(s, random) {
    const b = random.pick(s.bids);
    return { id: b.id, applicant: b.applicant, title: b.title, way: random.between(0, 2) };
  },
  instruction: ({ applicant, title, way }) =>
    [
      `${applicant} pulled out with "${title}".`,
      `Withdraw ${title}.`,
      `"${title}" is off the table, they found another sponsor. Take it out of the round.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'withdrawn', test: f => find(f.bids, id) === undefined }],
  allow: ({ id }) => [`/bids/${id}`],
});
const contact = template('contact-of-best', {
  about: 'Say the contact of the best scored bid of a programme.',
  split: 'train',
  sample(s, random) {
    const [a, b, c] = random.sample(s.bids, 3);
    return { id: a!.id, others: [b!.id, c!.id], programme: random.pick(PROGRAMMES), way: random.between(0, 2) };
  },
  setup(draft, { id, others, programme }) {
    for (const b of draft.bids)
      if (b.programme === programme && b.id !== id && !others.includes(b.id))
        b.programme = programme === 'Arts' ? 'Youth' : 'Arts';
    for (const o of others)
      Object.assign(need(draft.bids, o, 'bid'), { programme, score: Math.min(88, need(draft.bids, o, 'bid').score) });
    Object.assign(need(draft.bids, id, 'bid'), { programme, score: 93 });
  },
  instruction: ({ programme, way }) =>
    [
      `Who is the contact of the best scored bid in ${programme}?`,
      `I'd like to congratulate the ${programme} bid with the most points. Whom do I write to?`,
      `contact person, top ${programme} bid`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.bids, id, 'bid').contact,
  shown: (s, { id }) => s.ui.at === 'bid' && s.ui.open === id,
});
const conflict = template('maybe-conflict', {
  about: 'Give a bid to a reader who may have a conflict.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ clean }) => clean,
  sample(s, random) {
    const b = random.pick(s.bids);
    const m = random.pick(s.members.filter(x => x.id !== b.reader));
    return {
      id: b.id,
      title: b.title,
      applicant: b.applicant,
      member: m.id,
      name: m.name,
      clean: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { applicant, member, clean }) {
    const m = need(draft.members, member, 'member');
    m.employer = clean ? 'the university' : applicant;
  },
  instruction: ({ title, name, way }) =>
    [
      `Let ${name} read "${title}".`,
      `${title} goes to ${name}, unless there is a conflict of interest; then say it's impossible`,
      `Make ${name} the reader of ${title}.`,
    ][way]!,
  checks: ({ id, member }) => [{ name: 'reader', test: f => find(f.bids, id)?.reader === member }],
  allow: ({ id }) => [`/bids/${id}/reader`],
  shown: (s, { id }) => s.ui.at === 'people' || (s.ui.at === 'bid' && s.ui.open === id),
});
const titles = [
  'River theatre',
  'River school',
  'Open archive',
  'Open kitchen',
  'Moss roof',
  'Night choir',
  'Day choir',
  'Boat shed',
  'Bell tower',
  'Skate yard',
  'Tree nursery',
  'Radio for all',
  'Old mill',
  'Young mill',
];
const applicants = ['Quay Trust', 'Quay Players', 'Northgate', 'Loom Works', 'St Anne', 'St Andrew', 'Greenfold'];
export const app = defineApp({
  id: 'grant-committee',
  title: 'Harbour Fund',
  about: 'The round of a committee that gives grants.',
  state,
  init(random) {
    const members = random
      .shuffle(['Dr. Abel', 'Dr. Abend', 'Ms. Corso', 'Mr. Corsi', 'Prof. Lindh', 'Ms. Tan'])
      .map((name, n) => ({
        id: `m${n + 1}`,
        name,
        employer: random.pick([...applicants, 'the university', 'the city']),
      }));
    const codes = random.sample(
      Array.from({ length: 90 }, (_, n) => n + 10),
      titles.length,
    );
    return {
      members,
      bids: random.shuffle(titles).map((title, n) => {
        const applicant = random.pick(applicants);
        return {
          id: `b${n + 1}`,
          code: `HF-${codes[n]}`,
          title,
          applicant,
          programme: random.pick(PROGRAMMES),
          sum: random.between(4, 60) * 500 + n * 10,
          score: random.between(30, 90),
          reader: random.pick([...members.filter(m => m.employer !== applicant).map(m => m.id), '']),
          decision: random.pick(DECISIONS),
          contact: `${random.pick(['Ella', 'Ellen', 'Finn', 'Mara', 'Noor'])} ${random.pick(['Beck', 'Becker', 'Dorn', 'Hall', 'Weiss'])}`,
        };
      }),
      notes: [],
      ui: { at: 'round', order: '', only: 'all programmes', open: '', menu: '', sure: '', words: '' },
    };
  },
  commands: [setReader, decide, withdraw, note, look, show, type],
  view: s =>
    page('Harbour Fund', [
      ...(s.ui.sure === ''
        ? [
            link('The round', show.with({ patch: { at: 'round', open: '' } })),
            link('The committee', show.with({ patch: { at: 'people', open: '' } })),
          ]
        : []),
      ...(screens[s.ui.at]!(s) as ReturnType<typeof text>[]),
    ]),
  templates: [give, fundTop, best, minute, strike, contact, conflict],
});

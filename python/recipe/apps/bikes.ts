// Spoke & Chain: the job board of a bicycle workshop.
import {
  added,
  alert,
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  status,
  text,
  textbox,
  z,
} from 'espalier';

const LANES = ['Dropped off', 'On the stand', 'Waiting for parts', 'Ready', 'Collected'] as const;
const MECHANICS = ['nobody', 'Ravi', 'Jo', 'Big Pete'];
const job = z.object({
  id: z.string(),
  owner: z.string(),
  bike: z.string(),
  fault: z.string(),
  lane: z.enum(LANES),
  mechanic: z.string(),
  quote: z.int(),
  fitted: z.array(z.string()),
});
const part = z.object({ id: z.string(), name: z.string(), bin: z.string(), stock: z.int(), price: z.int() });
const state = z.object({
  jobs: z.array(job),
  parts: z.array(part),
  ui: z.object({
    view: z.string(),
    job: z.string(),
    part: z.string(),
    menu: z.string(),
    search: z.string(),
    owner: z.string(),
    bike: z.string(),
    fault: z.string(),
    quote: z.string(),
    scrapping: z.boolean(),
    banner: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const move = command('move_job', {
  about: 'Move a job to a lane.',
  input: z.object({ id: z.string(), lane: z.enum(LANES) }),
  run(draft, { id, lane }) {
    const j = need(draft.jobs, id, 'job');
    if (lane === 'Collected' && j.lane !== 'Ready') refuse('Only a bike that is ready can be collected.');
    j.lane = lane;
    Object.assign(draft.ui, { menu: '', banner: `${j.owner}: ${lane.toLowerCase()}.` });
  },
});
const assign = command('assign_job', {
  about: 'Give a job to a mechanic.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    need(draft.jobs, id, 'job').mechanic = value;
  },
});
const fit = command('fit_part', {
  about: 'Fit a part on the bike of a job.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const p = draft.parts.find(({ name }) => name === value) ?? refuse('No such part.');
    if (p.stock === 0) refuse(`${value}: none left.`);
    p.stock -= 1;
    need(draft.jobs, id, 'job').fitted.push(p.name);
    draft.ui.banner = `${p.name} fitted.`;
  },
});
const saveQuote = command('set_quote', {
  about: 'Set the quote of a job in euros.',
  input: z.object({ id: z.string(), quote: z.string() }),
  run(draft, { id, quote }) {
    need(draft.jobs, id, 'job').quote = /^\d{1,4}$/.test(quote) ? Number(quote) : refuse('Whole euros only.');
    draft.ui.banner = 'Quote saved.';
  },
});
const takeIn = command('take_in', {
  about: 'Take in a bike.',
  input: z.object({
    owner: z.string().trim().min(1, 'Whose bike?'),
    bike: z.string().trim().min(1, 'What bike?'),
    fault: z.string().trim().min(1, 'What is wrong?'),
  }),
  run(draft, input) {
    draft.jobs.push({
      id: nextId(draft.jobs, 'j'),
      ...input,
      lane: 'Dropped off',
      mechanic: 'nobody',
      quote: 0,
      fitted: [],
    });
    Object.assign(draft.ui, { view: 'board', owner: '', bike: '', fault: '', banner: 'Taken in.' });
  },
});
const scrap = command('scrap_job', {
  about: 'Delete a job.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.jobs, id, 'job');
    remove(draft.jobs, id);
    Object.assign(draft.ui, { view: 'board', job: '', scrapping: false, banner: 'Job deleted.' });
  },
});
const restock = command('restock_part', {
  about: 'Add five pieces of a part to the stock.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.parts, id, 'part').stock += 5;
  },
});
const jobs = query('list_jobs', { about: 'List the jobs.', input: z.object({}), run: s => s.jobs });
const parts = query('find_parts', {
  about: 'List the parts whose name contains a text.',
  input: z.object({ text: z.string() }),
  run: (s, i) => s.parts.filter(p => p.name.toLowerCase().includes(i.text.toLowerCase())),
});

const show = gesture('show', {
  about: 'Show a view.',
  input: z.object({ view: z.string() }),
  run(draft, { view }) {
    Object.assign(draft.ui, { view, menu: '', banner: '', scrapping: false, search: '' });
  },
});
const openJob = gesture('open_job', {
  about: 'Open a job.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, {
      view: 'job',
      job: id,
      menu: '',
      banner: '',
      quote: String(need(draft.jobs, id, 'job').quote),
    });
  },
});
const openPart = gesture('open_part', {
  about: 'Open a part.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { view: 'part', part: id, banner: '' });
  },
});
const dots = gesture('open_menu', {
  about: 'Open the menu of a job.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    draft.ui.menu = draft.ui.menu === id ? '' : id;
  },
});
const askScrap = gesture('ask_scrap', {
  about: 'Ask before deleting.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    draft.ui.scrapping = on;
  },
});
const type = gesture('type', {
  about: 'Type into a field.',
  input: z.object({ field: z.enum(['search', 'owner', 'bike', 'fault', 'quote']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function board(s: State) {
  return LANES.filter(lane => lane !== 'Collected').map(lane => {
    const here = s.jobs.filter(j => j.lane === lane);
    return region(
      `${lane} (${here.length})`,
      here.map(j =>
        listItem(`${j.owner}: ${j.bike}`, [
          link(`${j.owner}’s ${j.bike}`, openJob.with({ id: j.id })),
          text(j.mechanic === 'nobody' ? 'unassigned' : j.mechanic),
          button('…', dots.with({ id: j.id }), s.ui.menu === j.id ? ['expanded'] : []),
          s.ui.menu === j.id &&
            menu(
              'Move to',
              LANES.filter(to => to !== j.lane).map(to => menuItem(to, move.with({ id: j.id, lane: to }))),
            ),
        ]),
      ),
    );
  });
}
function jobCard(s: State) {
  const j = need(s.jobs, s.ui.job, 'job');
  if (s.ui.scrapping)
    return [
      dialog('Delete this job?', [
        text(`${j.owner}, ${j.bike}`),
        button('Delete', scrap.with({ id: j.id })),
        button('Keep', askScrap.with({ on: false })),
      ]),
    ];
  return [
    heading(`${j.owner}’s ${j.bike}`),
    text(j.fault),
    status(j.lane),
    combobox('Mechanic', j.mechanic, { enter: assign.entering({ id: j.id }), options: MECHANICS }),
    form('Quote', [
      textbox('Euros', s.ui.quote, { enter: type.entering({ field: 'quote' }) }),
      button('Save quote', saveQuote.with({ id: j.id, quote: s.ui.quote })),
    ]),
    list(
      'Parts fitted',
      j.fitted.map(name => text(name)),
    ),
    combobox('Fit a part', '', { enter: fit.entering({ id: j.id }), options: s.parts.map(p => p.name) }),
    button('Delete job', askScrap.with({ on: true })),
  ];
}
function store(s: State) {
  const found = s.parts.filter(p => p.name.toLowerCase().includes(s.ui.search.toLowerCase()));
  return [
    textbox('Search parts', s.ui.search, { enter: type.entering({ field: 'search' }) }),
    list(
      `${found.length} parts`,
      found.slice(0, 6).map(p => link(p.name, openPart.with({ id: p.id }))),
    ),
    found.length > 6 && text(`and ${found.length - 6} more: search to narrow it down`),
  ];
}
function partCard(s: State) {
  const p = need(s.parts, s.ui.part, 'part');
  return [
    heading(p.name),
    text(`Bin ${p.bin}`),
    text(`${p.stock} in stock`),
    text(`${p.price} € each`),
    button('+5 delivered', restock.with({ id: p.id })),
  ];
}
function intake(s: State) {
  return [
    form('Take in a bike', [
      textbox('Owner', s.ui.owner, { enter: type.entering({ field: 'owner' }) }),
      textbox('Bike', s.ui.bike, { enter: type.entering({ field: 'bike' }) }),
      textbox('What is wrong', s.ui.fault, { enter: type.entering({ field: 'fault' }) }),
      button('Take in', takeIn.with({ owner: s.ui.owner, bike: s.ui.bike, fault: s.ui.fault })),
    ]),
  ];
}

const say = (seed: string, ...ways: string[]) =>
  ways[[...seed].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ways.length]!;
const toLane = template('move-card', {
  about: 'Move a job to another lane.',
  split: 'train',
  sample(s, random) {
    const j = random.pick(s.jobs.filter(j => j.lane !== 'Collected'));
    return {
      id: j.id,
      owner: j.owner,
      lane: random.pick(LANES.filter(l => l !== j.lane && l !== 'Collected' && l !== 'Dropped off')),
    };
  },
  instruction: ({ owner, lane }) =>
    say(
      owner + lane,
      `${owner}'s bike → ${lane}`,
      `Please move the job of ${owner} to "${lane}".`,
      `${owner}: ${lane.toLowerCase()}`,
    ),
  checks: ({ id, lane }) => [{ name: lane, test: final => find(final.jobs, id)?.lane === lane }],
  allow: ({ id }) => [`/jobs/${id}/lane`],
});
const newJob = template('take-in-bike', {
  about: 'Take in a bike.',
  split: 'train',
  sample: (_, random) => ({
    owner: random.pick(['Mrs Abara', 'Tom Sixsmith', 'Lieke', 'Dr Wu', 'Santiago']),
    bike: random.pick(['blue Dahon', 'cargo bike', 'old Raleigh', 'kid’s BMX', 'gravel bike']),
    fault: random.pick(['gears slip', 'brakes squeal', 'flat rear tyre', 'bent mudguard', 'yearly service']),
  }),
  instruction: ({ owner, bike, fault }) =>
    say(
      owner + fault,
      `${owner} just dropped off a ${bike}: ${fault}. Take it in.`,
      `New bike in. Owner ${owner}, bike "${bike}", problem "${fault}".`,
    ),
  checks: ({ owner, bike, fault }) => [
    {
      name: 'taken in',
      test(final, initial) {
        const [j, ...more] = added(initial.jobs, final.jobs);
        return (
          more.length === 0 &&
          j?.owner === owner &&
          j.bike === bike &&
          j.fault === fault &&
          j.lane === 'Dropped off' &&
          j.mechanic === 'nobody' &&
          j.quote === 0 &&
          j.fitted.length === 0
        );
      },
    },
  ],
  allow: () => ['/jobs/+'],
});
const whichBin = template('which-bin', {
  about: 'Say in which bin a part lies.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.parts);
    return { id: p.id, name: p.name };
  },
  instruction: ({ name }) => say(name, `where do we keep the ${name}? which bin`, `Which bin is the ${name} in?`),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.parts, id, 'part').bin,
  shown: ({ ui }, { id }) => ui.view === 'part' && ui.part === id,
});
const fitOne = template('fit-and-ready', {
  about: 'Fit a part, and move the job on.',
  split: 'train',
  sample(s, random) {
    const j = random.pick(s.jobs.filter(j => j.lane === 'On the stand' || j.lane === 'Waiting for parts'));
    const p = random.pick(s.parts.filter(p => p.stock > 0));
    return { id: j.id, owner: j.owner, part: p.name, partId: p.id, stock: p.stock, had: j.fitted };
  },
  instruction: ({ owner, part }) => `I've put a ${part} on ${owner}'s bike and it's ready now.`,
  checks: ({ id, part, partId, stock, had }) => [
    {
      name: 'the part is on the job',
      test: final => JSON.stringify(find(final.jobs, id)?.fitted) === JSON.stringify([...had, part]),
    },
    { name: 'one less in stock', test: final => find(final.parts, partId)?.stock === stock - 1 },
    { name: 'ready', test: final => find(final.jobs, id)?.lane === 'Ready' },
  ],
  allow: ({ id, partId }) => [`/jobs/${id}/fitted`, `/jobs/${id}/lane`, `/parts/${partId}/stock`],
});
const quoteIt = template('quote', {
  about: 'Set the quote of a job.',
  split: 'train',
  sample(s, random) {
    const j = random.pick(s.jobs.filter(j => j.lane !== 'Collected'));
    return { id: j.id, bike: j.bike, owner: j.owner, quote: String(random.between(25, 190)) };
  },
  instruction: ({ owner, bike, quote }) =>
    say(
      owner + quote,
      `Quote for ${owner} (${bike}) is ${quote} euros.`,
      `told ${owner} it'd be ${quote} €, can you put that on the job`,
    ),
  checks: ({ id, quote }) => [{ name: `quote ${quote}`, test: final => find(final.jobs, id)?.quote === Number(quote) }],
  allow: ({ id }) => [`/jobs/${id}/quote`],
});
const unassigned = template('assign-the-unassigned', {
  about: 'Assign the one job on a lane that nobody has.',
  split: 'train',
  sample(s, random) {
    const lane = random.pick(LANES.filter(l => s.jobs.filter(j => j.lane === l).length >= 2 && l !== 'Collected'));
    const here = random.shuffle(s.jobs.filter(j => j.lane === lane)).map(({ id }) => id);
    return {
      lane,
      id: here[0]!,
      others: here.slice(1),
      other: random.pick(MECHANICS.slice(1)),
      mechanic: random.pick(MECHANICS.slice(1)),
    };
  },
  setup(draft, { id, others, other }) {
    need(draft.jobs, id, 'job').mechanic = 'nobody';
    for (const o of others) need(draft.jobs, o, 'job').mechanic = other;
  },
  instruction: ({ lane, mechanic }) =>
    `There's a bike under "${lane}" that nobody has picked up. ${mechanic} can do it.`,
  checks: ({ id, mechanic }) => [
    { name: `${mechanic} has it`, test: final => find(final.jobs, id)?.mechanic === mechanic },
  ],
  allow: ({ id }) => [`/jobs/${id}/mechanic`],
});

const owners = [
  'Anneke',
  'Mr Bloom',
  'Chidi',
  'Dolores',
  'Ewan',
  'Fatima',
  'Gus',
  'Hyacinth',
  'Imke',
  'Jasper',
  'Kirsty',
  'Lorenzo',
  'Mags',
  'Noor',
];
const bikes = ['touring bike', 'Brompton', 'fixie', 'mountain bike', 'e-bike', 'road bike', 'tandem', 'Dutch bike'];
const stock = [
  'brake cable',
  'chain 9-speed',
  'chain 11-speed',
  'cassette 11-34',
  'inner tube 28"',
  'inner tube 20"',
  'bottom bracket',
  'saddle clamp',
  'disc pads',
  'rim pads',
  'bell',
  'dynamo lamp',
  'derailleur hanger',
  'spoke 292 mm',
  'grip tape',
];

export const app = defineApp({
  id: 'spoke-and-chain',
  title: 'Spoke & Chain',
  about: 'Jobs and spare parts of a bicycle workshop.',
  state,
  init(random) {
    const partRows = random.shuffle(stock).map((name, at) => ({
      id: `p${at + 1}`,
      name,
      bin: `${random.pick(['A', 'B', 'C', 'D', 'E'])}${random.between(1, 20)}`,
      stock: random.between(0, 9),
      price: random.between(2, 60),
    }));
    return {
      parts: partRows,
      jobs: random.sample(owners, 12).map((owner, at) => ({
        id: `j${at + 1}`,
        owner,
        bike: random.pick(bikes),
        fault: random.pick(['creaks', 'puncture', 'new chain', 'wheel out of true', 'service', 'no lights']),
        lane: at < 4 ? LANES[at % 4]! : random.pick(LANES),
        mechanic: random.pick(MECHANICS),
        quote: random.between(0, 12) * 10,
        fitted: random.chance(0.3) ? [random.pick(stock)] : [],
      })),
      ui: {
        view: 'board',
        job: '',
        part: '',
        menu: '',
        search: '',
        owner: '',
        bike: '',
        fault: '',
        quote: '',
        scrapping: false,
        banner: '',
      },
    };
  },
  commands: [
    move,
    assign,
    fit,
    saveQuote,
    takeIn,
    scrap,
    restock,
    jobs,
    parts,
    show,
    openJob,
    openPart,
    dots,
    askScrap,
    type,
  ],
  view: s =>
    page('Spoke & Chain', [
      !s.ui.scrapping &&
        navigation('Workshop', [
          link('Board', show.with({ view: 'board' })),
          link('Part store', show.with({ view: 'store' })),
          link('Take in', show.with({ view: 'intake' })),
        ]),
      s.ui.banner !== '' && alert(s.ui.banner),
      ...(s.ui.view === 'board'
        ? board(s)
        : s.ui.view === 'job'
          ? jobCard(s)
          : s.ui.view === 'store'
            ? store(s)
            : s.ui.view === 'part'
              ? partCard(s)
              : intake(s)),
    ]),
  templates: [toLane, newJob, whichBin, fitOne, quoteIt, unassigned],
  onRefusal(draft, message) {
    draft.ui.banner = message;
  },
});

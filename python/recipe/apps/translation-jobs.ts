import {
  added,
  alert,
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  refuse,
  region,
  status,
  tab,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

// A translation agency: an inbox of requests with threads, jobs made from them, and the people who translate.
const tongues = ['German', 'Swiss German', 'French', 'Canadian French', 'Polish', 'Portuguese', 'Brazilian Portuguese'];
const deadlines = ['Mon 4 May', 'Tue 5 May', 'Wed 6 May', 'Thu 7 May', 'Fri 8 May', 'Mon 11 May', 'Tue 12 May'];
const clients = [
  'Nordwind Pumps',
  'Nordlicht Optics',
  'Haus & Hof',
  'Haus Adler',
  'Tessel Bank',
  'Tessel Law',
  'Orla Toys',
  'Orlando Tours',
];
const papers = [
  'Operating manual',
  'Service manual',
  'Annual report',
  'Quarterly report',
  'Lease contract',
  'Sales contract',
  'Catalogue',
  'Press release',
];

const translator = z.object({ id: z.string(), name: z.string(), into: z.string(), cents: z.int(), away: z.boolean() });
const job = z.object({
  id: z.string(),
  client: z.string(),
  paper: z.string(),
  into: z.string(),
  due: z.string(),
  translator: z.string().nullable(),
  stage: z.enum(['open', 'under way', 'delivered', 'withdrawn']),
  express: z.boolean(),
});
const letter = z.object({
  id: z.string(),
  client: z.string(),
  subject: z.string(),
  lines: z.array(z.string()),
  handled: z.boolean(),
});
const state = z.object({
  translators: z.array(translator),
  jobs: z.array(job),
  letters: z.array(letter),
  ui: z.object({
    room: z.enum(['lobby', 'post', 'jobs', 'people']),
    stage: z.enum(['open', 'under way', 'delivered', 'withdrawn']),
    letter: z.string().nullable(),
    job: z.string().nullable(),
    person: z.string().nullable(),
    draft: z.object({ client: z.string(), paper: z.string(), into: z.string(), due: z.string() }).nullable(),
    note: z.string(),
  }),
});
type Agency = z.infer<typeof state>;
type Job = z.infer<typeof job>;
type Translator = z.infer<typeof translator>;
const { command, gesture, query, template } = appKit(state);

const openJob = command('open_job', {
  about: 'Open a job for a client.',
  input: z.object({ client: z.string(), paper: z.string(), into: z.string(), due: z.string() }),
  run(draft, input) {
    if (Object.values(input).includes('')) refuse('Client, paper, language and due day are all needed.');
    draft.jobs.push({ id: nextId(draft.jobs, 'j'), ...input, translator: null, stage: 'open', express: false });
    Object.assign(draft.ui, { draft: null, note: '' });
  },
});
const assign = command('assign_job', {
  about: 'Give an open job to a translator, by name.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const wanted = need(draft.jobs, id, 'job');
    const person = draft.translators.find(item => item.name === value) ?? refuse('Nobody of that name works for us.');
    if (person.into !== wanted.into) refuse(`${person.name} does not translate into ${wanted.into}.`);
    if (person.away) refuse(`${person.name} is away.`);
    Object.assign(wanted, { translator: value, stage: 'under way' });
    draft.ui.note = '';
  },
});
const setDue = command('set_due', {
  about: 'Change the day a job is due.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    need(draft.jobs, id, 'job').due = value;
  },
});
const setExpress = command('set_express', {
  about: 'Mark a job as express, or not.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    need(draft.jobs, id, 'job').express = on;
  },
});
const setStage = command('set_stage', {
  about: 'Deliver a job, withdraw it, or open it again.',
  input: z.object({ id: z.string(), stage: z.enum(['open', 'delivered', 'withdrawn']) }),
  run(draft, { id, stage }) {
    const moved = need(draft.jobs, id, 'job');
    if (stage === 'delivered' && moved.stage !== 'under way') refuse('Nobody has worked on it.');
    moved.stage = stage;
    if (stage === 'open') moved.translator = null;
  },
});
const handle = command('handle_letter', {
  about: 'Put a letter among those that are handled.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.letters, id, 'letter').handled = true;
    draft.ui.letter = null;
  },
});
const overview = query('overview', {
  about: 'Jobs, translators and letters of a client, by a part of its name.',
  input: z.object({ client: z.string() }),
  run: ({ jobs, translators, letters }, { client }) => ({
    jobs: jobs.filter(item => item.client.includes(client)),
    letters: letters.filter(item => item.client.includes(client)),
    translators,
  }),
});
const enterRoom = gesture('enter_room', {
  about: 'Go to another room.',
  input: z.object({ room: z.enum(['lobby', 'post', 'jobs', 'people']) }),
  run(draft, { room }) {
    Object.assign(draft.ui, { room, letter: null, job: null, person: null, draft: null, note: '' });
  },
});
const pileOf = gesture('look_at_pile', {
  about: 'Look at the jobs of a stage.',
  input: z.object({ stage: z.enum(['open', 'under way', 'delivered', 'withdrawn']) }),
  run(draft, { stage }) {
    Object.assign(draft.ui, { stage, job: null });
  },
});
const unfoldThing = gesture('unfold_one', {
  about: 'Open a letter, a job or the file of a person.',
  input: z.object({ what: z.enum(['letter', 'job', 'person']), id: z.string().nullable() }),
  run(draft, { what, id }) {
    Object.assign(draft.ui, { [what]: id, note: '' });
  },
});
const startDraft = gesture('start_job_sheet', {
  about: 'Take an empty job sheet.',
  input: z.object({}),
  run(draft) {
    draft.ui.draft = { client: '', paper: '', into: '', due: '' };
  },
});
const fillDraft = gesture('fill_job_sheet', {
  about: 'Fill in the job sheet.',
  input: z.object({ field: z.enum(['client', 'paper', 'into', 'due']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    if (draft.ui.draft === null) refuse('There is no sheet.');
    draft.ui.draft[field] = value;
  },
});

const titled = ({ client, paper, into }: Job) => `${client}: ${paper} into ${into}`;

function post({ letters, ui }: Agency) {
  const open = find(letters, ui.letter ?? '');
  if (open === undefined)
    return list(
      'Post',
      letters
        .filter(item => !item.handled)
        .map(({ id, client, subject }) => link(`${client}: ${subject}`, unfoldThing.with({ what: 'letter', id }))),
    );
  return region('Letter', [
    heading(`${open.client}: ${open.subject}`),
    ...open.lines.map(line => text(line)),
    button('Handled', handle.with({ id: open.id })),
    button('Back to the pile', unfoldThing.with({ what: 'letter', id: null })),
  ]);
}

function jobFile({ translators }: Agency, item: Job) {
  const { id } = item;
  const names = translators.filter(person => person.into === item.into).map(person => person.name);
  return region('Job', [
    heading(titled(item)),
    status(item.translator === null ? item.stage : `${item.stage}, ${item.translator}`),
    combobox('Due', item.due, { enter: setDue.entering({ id }), options: deadlines }),
    text(item.express ? 'Express' : 'No hurry'),
    item.stage === 'open' &&
      combobox('Translator', item.translator ?? '', { enter: assign.entering({ id }), options: names }),
    item.stage === 'under way' && button('Deliver to client', setStage.with({ id, stage: 'delivered' })),
    (item.stage === 'open' || item.stage === 'under way') &&
      button('Client withdraws', setStage.with({ id, stage: 'withdrawn' })),
    item.stage === 'withdrawn' && button('Open it again', setStage.with({ id, stage: 'open' })),
    button('Close file', unfoldThing.with({ what: 'job', id: null })),
  ]);
}

function jobsRoom(agency: Agency) {
  const { jobs, ui } = agency;
  const opened = find(jobs, ui.job ?? '');
  if (opened !== undefined) return jobFile(agency, opened);
  if (ui.draft !== null) {
    const { client, paper, into, due } = ui.draft;
    return form('Job sheet', [
      combobox('Client', client, { enter: fillDraft.entering({ field: 'client' }), options: clients }),
      textbox('Paper', paper, { enter: fillDraft.entering({ field: 'paper' }) }),
      combobox('Into', into, { enter: fillDraft.entering({ field: 'into' }), options: tongues }),
      combobox('Due', due, { enter: fillDraft.entering({ field: 'due' }), options: deadlines }),
      button('Open the job', openJob.with(ui.draft)),
    ]);
  }
  const pile = jobs.filter(item => item.stage === ui.stage);
  return region('Jobs', [
    toolbar(
      'Piles',
      (['open', 'under way', 'delivered', 'withdrawn'] as const).map(stage =>
        tab(stage, pileOf.with({ stage }), stage === ui.stage ? ['selected'] : undefined),
      ),
    ),
    button('Empty job sheet', startDraft.with({})),
    list(
      `${pile.length} ${ui.stage}`,
      pile.map(item =>
        listItem(titled(item), [
          link(titled(item), unfoldThing.with({ what: 'job', id: item.id })),
          text(item.due),
          checkbox(`Express: ${titled(item)}`, item.express, setExpress.with({ id: item.id, on: !item.express })),
        ]),
      ),
    ),
  ]);
}

function peopleRoom({ translators, ui }: Agency) {
  const person = find(translators, ui.person ?? '');
  if (person === undefined)
    return list(
      'Translators',
      translators.map(({ id, name, into, cents }) =>
        listItem(name, [
          link(`${name}, ${into}`, unfoldThing.with({ what: 'person', id })),
          text(`${cents} cents a word`),
        ]),
      ),
      { shuffle: true },
    );
  return region('File', [
    heading(person.name),
    text(`Translates into ${person.into}`),
    text(`${person.cents} cents a word`),
    status(person.away ? 'Away' : 'Takes work'),
    button('Everybody', unfoldThing.with({ what: 'person', id: null })),
  ]);
}

const into = (agency: Agency, tongue: string) => agency.translators.filter(item => item.into === tongue);
const sole = ({ jobs }: Agency, wanted: Job) => jobs.filter(item => titled(item) === titled(wanted)).length === 1;

const delay = template('move-due-day', {
  about: 'Change the day a job is due.',
  split: 'train',
  sample(agency, random) {
    const wanted = random.pick(agency.jobs.filter(item => sole(agency, item)));
    const due = random.pick(deadlines.filter(item => item !== wanted.due));
    return { id: wanted.id, client: wanted.client, paper: wanted.paper, into: wanted.into, due };
  },
  instruction: ({ client, paper, into: tongue, due }, random) =>
    random.pick([
      `${client}, ${paper} into ${tongue}: due ${due}.`,
      `${client} moved the date: we deliver their ${paper.toLowerCase()} (${tongue}) on ${due}.`,
      `New deadline! The ${tongue} version of the ${paper.toLowerCase()} for ${client} has to be there on ${due}.`,
    ]),
  checks: ({ id, due }) => [{ name: `due ${due}`, test: ({ jobs }) => find(jobs, id)?.due === due }],
  allow: ({ id }) => [`/jobs/${id}/due`],
});

const newJob = template('open-job', {
  about: 'Open a job for a client.',
  split: 'train',
  sample: (_, random) => ({
    client: random.pick(clients),
    paper: random.pick(['Menu', 'Safety leaflet', 'Job advert', 'Warranty card', 'Minutes of May', 'Audio guide']),
    into: random.pick(tongues),
    due: random.pick(deadlines),
  }),
  instruction: ({ client, paper, into: tongue, due }, random) =>
    random.pick([
      `Open a job: ${client}, "${paper}", into ${tongue}, due ${due}.`,
      `${client} sends us a "${paper}" to be put into ${tongue} by ${due}. Nobody has it yet; just open the job.`,
      `We got the order for "${paper}" from ${client}. Language ${tongue}, delivery ${due}.`,
    ]),
  checks: ({ client, paper, into: tongue, due }) => [
    {
      name: 'the job is open',
      test(final, initial) {
        const [made, ...more] = added(initial.jobs, final.jobs);
        if (made === undefined || more.length > 0 || made.stage !== 'open' || made.express) return false;
        return made.client === client && made.paper === paper && made.into === tongue && made.due === due;
      },
    },
  ],
  allow: () => ['/jobs/+'],
});

const cheapest = template('assign-cheapest', {
  about: 'Give an open job to the cheapest translator of its language, and say who it is.',
  split: 'train',
  sample(agency, random) {
    const wanted = random.pick(agency.jobs.filter(item => sole(agency, item)));
    const [best, ...rest] = random.shuffle(into(agency, wanted.into));
    if (best === undefined) return null;
    return {
      id: wanted.id,
      client: wanted.client,
      paper: wanted.paper,
      into: wanted.into,
      person: best.id,
      name: best.name,
      rest: rest.map(item => item.id),
    };
  },
  setup(draft, { id, person, rest }) {
    Object.assign(need(draft.jobs, id, 'job'), { stage: 'open', translator: null });
    Object.assign(need(draft.translators, person, 'translator'), { cents: 9, away: false });
    for (const [index, other] of rest.entries()) need(draft.translators, other, 'translator').cents = 11 + index;
  },
  instruction: ({ client, paper, into: tongue }, random) =>
    random.pick([
      `Give ${client}'s ${paper.toLowerCase()} into ${tongue} to whoever is cheapest. Who is it?`,
      `The job ${paper.toLowerCase()} into ${tongue} for ${client} has nobody yet. Compare what our ${tongue} people charge, assign the lowest, and tell me the name.`,
      `${client} wants to save money on the ${tongue} ${paper.toLowerCase()}: assign the translator with the lowest rate. Answer with the name.`,
    ]),
  checks: ({ id, name }) => [
    { name: `${name} has it`, test: ({ jobs }) => find(jobs, id)?.translator === name },
    { name: 'it is under way', test: ({ jobs }) => find(jobs, id)?.stage === 'under way' },
  ],
  allow: ({ id }) => [`/jobs/${id}/translator`, `/jobs/${id}/stage`],
  answer: ({ name }) => name,
  shown: ({ ui }) => ui.room === 'people' && ui.person === null,
});

const expressAll = template('express-for-client', {
  about: 'Mark all open jobs of a client as express.',
  split: 'train',
  sample({ jobs }, random) {
    const [client, other] = random.sample(clients, 2) as [string, string];
    const ids = random.sample(jobs, 3).map(({ id }) => id);
    return { client, other, ids: ids.slice(0, 2), done: ids[2] ?? '' };
  },
  setup(draft, { client, other, ids, done }) {
    for (const item of draft.jobs) {
      if (ids.includes(item.id)) Object.assign(item, { client, stage: 'open', translator: null, express: false });
      else if (item.id === done) Object.assign(item, { client, stage: 'delivered', express: false });
      else if (item.client === client && item.stage === 'open') item.client = other;
    }
  },
  instruction: ({ client }, random) =>
    random.pick([
      `Everything open for ${client} is express now.`,
      `${client} is in a hurry. Mark those of their jobs express that are still open, not the ones somebody works on or that are through.`,
      `Please tick express on each open job of ${client}.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is express`, test: ({ jobs }) => find(jobs, id)?.express === true })),
  allow: ({ ids }) => ids.map(id => `/jobs/${id}/express`),
});

const byLetter = template('language-in-letter', {
  about: 'Read in a letter into which language a client wants something, and say it.',
  split: 'train',
  sample({ letters }, random) {
    const { id, client, subject } = random.pick(letters);
    return { id, client, subject, into: random.pick(tongues) };
  },
  setup(draft, { id, into: tongue }) {
    const open = need(draft.letters, id, 'letter');
    Object.assign(open, {
      handled: false,
      lines: ['We: Into which language shall it be?', `They: Into ${tongue}, please.`, 'We: Noted, thank you.'],
    });
  },
  instruction: ({ client, subject }, random) =>
    random.pick([
      `Into which language does ${client} want what they wrote about under "${subject}"?`,
      `${client} wrote to us ("${subject}"). What language did they ask for in the end?`,
      `Check the thread "${subject}" with ${client}: target language?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ into: tongue }) => tongue,
  shown: ({ ui }, { id }) => ui.letter === id,
});

const reopen = template('open-again', {
  about: 'Open a withdrawn job again; impossible when it was delivered.',
  split: 'train',
  kind: 'infeasible',
  sample(agency, random) {
    const wanted = random.pick(agency.jobs.filter(item => sole(agency, item)));
    return {
      id: wanted.id,
      client: wanted.client,
      paper: wanted.paper,
      into: wanted.into,
      can: random.chance(0.5),
      pile: random.sample(agency.jobs, 16).map(item => item.id),
    };
  },
  isTwin: ({ can }) => can,
  setup(draft, { id, can, pile }) {
    for (const other of pile)
      Object.assign(need(draft.jobs, other, 'job'), { stage: can ? 'withdrawn' : 'delivered', translator: null });
    Object.assign(need(draft.jobs, id, 'job'), { stage: can ? 'withdrawn' : 'delivered', translator: null });
  },
  instruction: ({ client, paper, into: tongue }, random) =>
    random.pick([
      `${client} changed their mind: open the job ${paper.toLowerCase()} into ${tongue} again. No second sheet.`,
      `Reopen ${client}, ${paper}, ${tongue}.`,
      `The ${tongue} ${paper.toLowerCase()} of ${client} should be among the open jobs again, the very same file.`,
    ]),
  checks: ({ id }) => [{ name: 'it is open', test: ({ jobs }) => find(jobs, id)?.stage === 'open' }],
  allow: ({ id, can }) => (can ? [`/jobs/${id}/stage`] : []),
  shown: ({ ui }, { id }) => ui.job === id,
});

const given = ['Beate', 'Beata', 'Luca', 'Lucas', 'Mireille', 'Muriel', 'Jan', 'Jana', 'Tiago', 'Thiago'];
const family = ['Kern', 'Kerner', 'Duarte', 'Dufour', 'Zając'];

export const app = defineApp({
  id: 'translation-jobs',
  title: 'Wordhouse',
  about: 'A translation agency: letters of clients, jobs and translators.',
  state,
  init(random): Agency {
    const names = random.shuffle(given.flatMap(first => family.map(last => `${first} ${last}`)));
    const translators: Translator[] = tongues.flatMap((tongue, at) =>
      [0, 1].map(index => ({
        id: `t${at * 2 + index + 1}`,
        name: names[at * 2 + index] ?? '',
        into: tongue,
        cents: random.between(10, 22),
        away: random.chance(0.2),
      })),
    );
    const jobs = Array.from({ length: 34 }, (_, index) => {
      const stage = random.pick(['open', 'under way', 'delivered', 'withdrawn'] as const);
      const tongue = random.pick(tongues);
      const person = translators.find(item => item.into === tongue)?.name ?? null;
      return {
        id: `j${index + 1}`,
        client: random.pick(clients),
        paper: random.pick(papers),
        into: tongue,
        due: random.pick(deadlines),
        translator: stage === 'under way' || stage === 'delivered' ? person : null,
        stage,
        express: random.chance(0.2),
      };
    });
    const subjects = random.shuffle(
      clients.flatMap(client =>
        papers.slice(0, 4).map(paper => ({ client, subject: `Offer for ${paper.toLowerCase()}` })),
      ),
    );
    const letters = subjects.slice(0, 12).map((item, index) => ({
      id: `l${index + 1}`,
      ...item,
      lines: ['They: Please send an offer.', `We: Which language?`, `They: ${random.pick(tongues)}.`],
      handled: false,
    }));
    return {
      translators,
      jobs,
      letters,
      ui: { room: 'lobby', stage: 'open', letter: null, job: null, person: null, draft: null, note: '' },
    };
  },
  commands: [
    openJob,
    assign,
    setDue,
    setExpress,
    setStage,
    handle,
    overview,
    enterRoom,
    pileOf,
    unfoldThing,
    startDraft,
    fillDraft,
  ],
  view(agency) {
    const { room, note } = agency.ui;
    return page('Wordhouse', [
      toolbar('Rooms', [
        button('Post room', enterRoom.with({ room: 'post' })),
        button('Job room', enterRoom.with({ room: 'jobs' })),
        button('Who translates', enterRoom.with({ room: 'people' })),
      ]),
      note !== '' && alert(note),
      room === 'post' && post(agency),
      room === 'jobs' && jobsRoom(agency),
      room === 'people' && peopleRoom(agency),
    ]);
  },
  templates: [delay, newJob, cheapest, expressAll, byLetter, reopen],
  onRefusal(draft, message) {
    draft.ui.note = message;
  },
});

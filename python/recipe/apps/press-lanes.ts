import {
  added,
  alert,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
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
  row,
  status,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const papers = ['Matt 90 g', 'Matt 170 g', 'Gloss 130 g', 'Gloss 170 g', 'Kraft 120 g'];
const bindings = ['none', 'stapled', 'glued', 'spiral'];
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'];

const state = z.object({
  presses: z.array(z.object({ id: z.string(), name: z.string(), held: z.boolean() })),
  jobs: z.array(
    z.object({
      id: z.string(),
      what: z.string(),
      client: z.string(),
      press: z.string(),
      paper: z.string(),
      binding: z.string(),
      copies: z.string(),
      due: z.int(),
      stage: z.string(),
      rush: z.boolean(),
    }),
  ),
  stock: z.array(z.object({ id: z.string(), paper: z.string(), reams: z.int() })),
  ui: z.object({
    floor: z.string(),
    job: z.string(),
    menu: z.string(),
    copies: z.string(),
    binding: z.string(),
    what: z.string(),
    client: z.string(),
    paper: z.string(),
    page: z.int(),
    shout: z.string(),
  }),
});
type Shop = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const ofJob = z.object({ id: z.string() });

const amend = command('amend_ticket', {
  about: 'Change copies and binding on a ticket.',
  input: z.object({
    id: z.string(),
    copies: z.string().regex(/^[1-9]\d*$/, 'Copies are a number.'),
    binding: z.string(),
  }),
  run(draft, { id, copies, binding }) {
    const it = need(draft.jobs, id, 'job');
    if (!bindings.includes(binding)) refuse('We do not bind like that.');
    if (it.stage === 'printing') refuse('It is being printed. Take it off the press first.');
    Object.assign(it, { copies, binding });
    draft.ui.shout = 'Ticket amended.';
  },
});
const sendTo = command('send_to_press', {
  about: 'Queue a job at a press.',
  input: z.object({ id: z.string(), press: z.string() }),
  run(draft, { id, press }) {
    const it = need(draft.jobs, id, 'job');
    need(draft.presses, press, 'press');
    if (it.stage === 'printing') refuse('It is being printed. Take it off the press first.');
    it.press = press;
    draft.ui.menu = '';
  },
});
const print = command('start_printing', {
  about: 'Start printing a job.',
  input: ofJob,
  run(draft, { id }) {
    const it = need(draft.jobs, id, 'job');
    const press = need(draft.presses, it.press, 'press');
    if (press.held) refuse(`${press.name} is held. Release the press to print.`);
    if (draft.stock.some(({ paper, reams }) => paper === it.paper && reams === 0))
      refuse(`No ${it.paper} in the store.`);
    it.stage = 'printing';
    draft.ui.menu = '';
  },
});
const takeOff = command('take_off', {
  about: 'Take a job off the press; it waits again.',
  input: ofJob,
  run(draft, { id }) {
    need(draft.jobs, id, 'job').stage = 'waiting';
    draft.ui.menu = '';
  },
});
const voidJob = command('void_job', {
  about: 'Void a job.',
  input: ofJob,
  run(draft, { id }) {
    const it = need(draft.jobs, id, 'job');
    if (it.stage === 'printing') refuse('It is being printed. Take it off the press first.');
    it.stage = 'void';
    draft.ui.menu = '';
  },
});
const hurry = command('toggle_rush', {
  about: 'Mark a job as rush, or not.',
  input: ofJob,
  run(draft, { id }) {
    const it = need(draft.jobs, id, 'job');
    it.rush = !it.rush;
  },
});
const hold = command('toggle_press', {
  about: 'Hold a press or release it.',
  input: ofJob,
  run(draft, { id }) {
    const it = need(draft.presses, id, 'press');
    it.held = !it.held;
  },
});
const takeIn = command('take_in_job', {
  about: 'Take in a new job.',
  input: z.object({
    what: z.string().trim().min(2, 'What is printed?'),
    client: z.string().trim().min(2, 'For whom?'),
    paper: z.string().min(1, 'On which paper?'),
    copies: z.string().regex(/^[1-9]\d*$/, 'How many copies?'),
  }),
  run(draft, { what, client, paper, copies }) {
    const id = nextId(draft.jobs, 'j');
    const rest = { press: 'p1', binding: 'none', due: 99, stage: 'waiting', rush: false };
    draft.jobs.push({ id, what, client, paper, copies, ...rest });
    Object.assign(draft.ui, { what: '', client: '', paper: '', copies: '', page: 1, floor: 'lanes' });
  },
});
const tickets = query('read_tickets', {
  about: 'List the jobs of a client.',
  input: z.object({ client: z.string() }),
  run: ({ jobs, presses }, { client }) =>
    jobs
      .filter(it => it.client === client)
      .map(it => ({ ...it, due: dueText(it.due), press: find(presses, it.press)?.name ?? '' })),
});
const storeList = query('read_store', {
  about: 'List the paper in the store.',
  input: z.object({}),
  run: ({ stock }) => stock,
});
const rest = { job: '', menu: '', copies: '', binding: '', what: '', client: '', paper: '', page: 1, shout: '' };
const step = gesture('step_to', {
  about: 'Go to the lanes, the store or the counter.',
  input: z.object({ floor: z.string() }),
  run: (draft, { floor }) => void Object.assign(draft.ui, rest, { floor }),
});
const pull = gesture('pull_ticket', {
  about: 'Pull the ticket of a job.',
  input: ofJob,
  run(draft, { id }) {
    const it = find(draft.jobs, id);
    Object.assign(draft.ui, rest, { job: id, copies: it?.copies ?? '', binding: it?.binding ?? '' });
  },
});
const menuOf = gesture('menu_of', {
  about: 'Open a menu of the ticket.',
  input: z.object({ menu: z.string() }),
  run: (draft, input) => void (draft.ui.menu = draft.ui.menu === input.menu ? '' : input.menu),
});
const scribble = gesture('scribble', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['copies', 'binding', 'what', 'client', 'paper']), value: z.string().max(60) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});
const sheet = gesture('sheet', {
  about: 'Turn the sheet of the counter form.',
  input: z.object({ to: z.int() }),
  run: (draft, { to }) => void (draft.ui.page = to),
});

function dueText(due: number): string {
  return due === 99
    ? 'not set'
    : `${weekdays[Math.floor(due / 8) % 5]} ${9 + (due % 8)}:${due % 2 === 0 ? '00' : '30'}`;
}

const lanes = ({ presses, jobs }: Shop) =>
  region(
    'Lanes',
    presses.map(press =>
      list(`${press.name}${press.held ? ' (held)' : ''}`, [
        switchButton(`Hold ${press.name}`, press.held, hold.with({ id: press.id })),
        ...jobs
          .filter(it => it.press === press.id && it.stage !== 'void')
          .map(it =>
            listItem(`${it.what} for ${it.client}`, [
              link(`${it.what} for ${it.client}`, pull.with({ id: it.id })),
              text(`due ${dueText(it.due)}, ${it.stage}${it.rush ? ', rush' : ''}`),
            ]),
          ),
      ]),
    ),
  );

function ticket({ presses, jobs, ui }: Shop) {
  const it = need(jobs, ui.job, 'job');
  return region('Ticket', [
    link('Back to the lanes', step.with({ floor: 'lanes' })),
    heading(`${it.what} for ${it.client}`),
    status(`${it.stage} at ${find(presses, it.press)?.name ?? ''}`),
    text(`On ${it.paper}, due ${dueText(it.due)}`),
    switchButton('Rush', it.rush, hurry.with({ id: it.id })),
    form('Amend', [
      textbox('Copies', ui.copies, { enter: scribble.entering({ field: 'copies' }) }),
      combobox('Binding', ui.binding, { enter: scribble.entering({ field: 'binding' }), options: bindings }),
      button('Amend ticket', amend.with({ id: it.id, copies: ui.copies, binding: ui.binding })),
    ]),
    button('Job ▾', menuOf.with({ menu: 'job' }), ui.menu === '' ? [] : ['expanded']),
    ui.menu === 'job' &&
      menu('Job', [
        it.stage === 'printing'
          ? menuItem('Take off the press', takeOff.with({ id: it.id }))
          : menuItem('Start printing', print.with({ id: it.id })),
        menuItem('Other press ▸', menuOf.with({ menu: 'press' })),
        it.stage !== 'void' && menuItem('Void job', voidJob.with({ id: it.id })),
      ]),
    ui.menu === 'press' &&
      menu(
        'Other press',
        presses
          .filter(({ id }) => id !== it.press)
          .map(({ id, name }) => menuItem(name, sendTo.with({ id: it.id, press: id }))),
      ),
  ]);
}

const counter = ({ ui }: Shop) =>
  ui.page === 1
    ? form('Counter, sheet 1', [
        textbox('Printed matter', ui.what, { enter: scribble.entering({ field: 'what' }) }),
        textbox('Client', ui.client, { enter: scribble.entering({ field: 'client' }) }),
        button('Sheet 2', sheet.with({ to: 2 })),
      ])
    : form('Counter, sheet 2', [
        text(`${ui.what} for ${ui.client}`),
        combobox('Paper', ui.paper, { enter: scribble.entering({ field: 'paper' }), options: papers }),
        textbox('Copies', ui.copies, { enter: scribble.entering({ field: 'copies' }) }),
        button('Sheet 1', sheet.with({ to: 1 })),
        button('Take in', takeIn.with({ what: ui.what, client: ui.client, paper: ui.paper, copies: ui.copies })),
      ]);

type Draw = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
function anyJob({ jobs }: Shop, random: Draw) {
  const { id, what, client } = random.pick(jobs);
  return { id, what, client };
}
const waits = (draft: Shop, { id }: { id: string }) => void (need(draft.jobs, id, 'job').stage = 'waiting');

const copies = template('other-copies', {
  about: 'Change the number of copies on a ticket.',
  split: 'train',
  sample: (shop, random) => ({ ...anyJob(shop, random), copies: `${random.between(11, 79)}5` }),
  setup: waits,
  instruction: ({ what, client, copies: number }, random) =>
    random.pick([
      `${client} wants ${number} copies of the ${what}.`,
      `Amend the ticket "${what}" for ${client}: ${number} copies, binding as before.`,
      `${what} (${client}): ${number} pcs instead`,
      `The client ${client} called about the ${what} and needs ${number} of them. Please correct the ticket.`,
    ]),
  checks: ({ id, copies: number }) => [
    { name: 'copies are amended', test: final => find(final.jobs, id)?.copies === number },
  ],
  allow: ({ id }) => [`/jobs/${id}/copies`],
});

const otherPress = template('other-press', {
  about: 'Send a job to another press.',
  split: 'train',
  sample(shop, random) {
    const it = anyJob(shop, random);
    const old = find(shop.jobs, it.id)?.press;
    const press = random.pick(shop.presses.filter(({ id }) => id !== old));
    return { ...it, press: press.id, name: press.name };
  },
  setup: waits,
  instruction: ({ what, client, name }, random) =>
    random.pick([
      `${what} for ${client} should run on ${name}.`,
      `Queue "${what}" (${client}) at ${name} instead.`,
      `${name} has time. Give it the ${what} that ${client} ordered.`,
    ]),
  checks: ({ id, press }) => [{ name: 'it is at the press', test: final => find(final.jobs, id)?.press === press }],
  allow: ({ id }) => [`/jobs/${id}/press`],
});

const heldPress = template('print-on-held-press', {
  about: 'Start a job whose press is held: release the press first.',
  split: 'train',
  sample(shop, random) {
    const it = anyJob(shop, random);
    const press = find(shop.jobs, it.id)?.press ?? '';
    return { ...it, press, name: find(shop.presses, press)?.name ?? '' };
  },
  setup(draft, { id, press }) {
    waits(draft, { id });
    need(draft.presses, press, 'press').held = true;
    const { paper } = need(draft.jobs, id, 'job');
    for (const it of draft.stock) if (it.paper === paper) it.reams = 12;
  },
  instruction: ({ what, client, name }, random) =>
    random.pick([
      `The rollers of ${name} are clean again. Release the press and start printing ${what} for ${client}.`,
      `Print ${what} for ${client} now; ${name} need not be held any longer.`,
      `Start the ${what} (${client}). Its press is on hold, so lift that first.`,
    ]),
  checks: ({ id, press }) => [
    { name: 'the press is released', test: final => find(final.presses, press)?.held === false },
    { name: 'it is printing', test: final => find(final.jobs, id)?.stage === 'printing' },
  ],
  allow: ({ id, press }) => [`/jobs/${id}/stage`, `/presses/${press}/held`],
});

const printNow = template('print-if-paper', {
  about: 'Start a job; there may be no paper for it.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ paperThere }) => paperThere,
  sample(shop, random) {
    const it = anyJob(shop, random);
    const job = find(shop.jobs, it.id);
    return { ...it, press: job?.press ?? '', paper: job?.paper ?? '', paperThere: random.between(0, 1) === 0 };
  },
  setup(draft, { id, press, paper, paperThere }) {
    waits(draft, { id });
    need(draft.presses, press, 'press').held = false;
    for (const it of draft.stock) if (it.paper === paper) it.reams = paperThere ? 7 : 0;
  },
  instruction: ({ what, client }, random) =>
    random.pick([
      `Start printing ${what} for ${client}.`,
      `${client} waits at the counter for the ${what}. Print it, if we can.`,
      `print: ${what} / ${client}`,
    ]),
  checks: ({ id }) => [{ name: 'it is printing', test: final => find(final.jobs, id)?.stage === 'printing' }],
  allow: ({ id }) => [`/jobs/${id}/stage`],
  shown: ({ ui }, { id, paper }) => [ui.job === id, ui.floor === 'store' || ui.shout === `No ${paper} in the store.`],
});

const voidAll = template('void-of-client', {
  about: 'Void every waiting job of a client, and not those being printed.',
  split: 'train',
  sample({ jobs }, random) {
    const client = random.pick(jobs).client;
    const own = random.shuffle(jobs.filter(it => it.client === client)).map(({ id }) => id);
    return own.length < 3 ? null : { client, ids: own.slice(0, 2), rest: own.slice(2) };
  },
  setup(draft, { ids, rest: printing }) {
    for (const id of ids) need(draft.jobs, id, 'job').stage = 'waiting';
    for (const id of printing) need(draft.jobs, id, 'job').stage = 'printing';
  },
  instruction: ({ client }, random) =>
    random.pick([
      `Void what still waits for ${client}.`,
      `${client} is bankrupt. Jobs of theirs that have not started yet should be voided; what is being printed may finish.`,
      `All waiting jobs of ${client} -> void. Printing ones stay.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is void`, test: final => find(final.jobs, id)?.stage === 'void' })),
  allow: ({ ids }) => ids.map(id => `/jobs/${id}/stage`),
});

const firstDue = template('rush-first-due', {
  about: 'Mark the job of a press that is due first as rush.',
  split: 'train',
  sample({ jobs, presses }, random) {
    const press = random.pick(presses);
    const own = jobs.filter(it => it.press === press.id).sort((one, other) => one.due - other.due);
    return own.length < 2 ? null : { press: press.name, id: own[0]?.id ?? '', ids: own.map(({ id }) => id) };
  },
  setup(draft, { ids }) {
    for (const id of ids) Object.assign(need(draft.jobs, id, 'job'), { stage: 'waiting', rush: false });
  },
  instruction: ({ press }, random) =>
    random.pick([
      `Mark the job that is due first at ${press} as rush.`,
      `Of everything queued at ${press}, the job with the nearest due time is a rush job.`,
      `What must leave ${press} earliest? Make that one rush.`,
    ]),
  checks: ({ id }) => [{ name: 'it is rush', test: final => find(final.jobs, id)?.rush === true }],
  allow: ({ id }) => [`/jobs/${id}/rush`],
});

const onWhich = template('how-many-reams', {
  about: 'Say how many reams are left of the paper of a job.',
  split: 'train',
  sample(shop, random) {
    const it = anyJob(shop, random);
    return { ...it, paper: find(shop.jobs, it.id)?.paper ?? '' };
  },
  setup: waits,
  instruction: ({ what, client }, random) =>
    random.pick([
      `How many reams do we have of the paper that the ${what} for ${client} needs? Only the number.`,
      `Look up the paper of "${what}" (${client}), then tell me how many reams of it lie in the store.`,
      `reams left for the ${what} of ${client}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ paper }, { stock }) => `${stock.find(it => it.paper === paper)?.reams ?? 0}`,
  shown: ({ ui }, { id }) => [ui.job === id, ui.floor === 'store'],
});

const newJob = template('take-in-job', {
  about: 'Take in a new job at the counter, in two sheets.',
  split: 'train',
  sample: (_, random) => ({
    what: random.pick(['raffle tickets', 'hymn sheets', 'beer mats', 'door hangers']),
    client: random.pick(['Villa Nord', 'Rowing Club', 'St. Anne', 'Moritz & Moll']),
    paper: random.pick(papers),
    copies: `${random.between(3, 60)}0`,
  }),
  instruction: ({ what, client, paper, copies: number }, random) =>
    random.pick([
      `New job at the counter: ${number} ${what} for ${client} on ${paper}.`,
      `${client} orders ${what}. Paper: ${paper}. Copies: ${number}. Take the job in.`,
      `Please take in what ${client} wants, that is "${what}", ${number} copies, printed on ${paper}.`,
    ]),
  checks: ({ what, client, paper, copies: number }) => [
    {
      name: 'one job was taken in, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.jobs, final.jobs);
        return (
          more.length === 0 &&
          made?.what === what &&
          made.client === client &&
          made.paper === paper &&
          made.copies === number &&
          made.press === 'p1' &&
          made.binding === 'none' &&
          made.due === 99 &&
          made.stage === 'waiting' &&
          !made.rush
        );
      },
    },
  ],
  allow: () => ['/jobs/+'],
});

const matters = ['menus', 'menu covers', 'posters', 'flyers', 'brochures', 'name cards', 'calendars', 'programmes'];
const clients = ['Café Linde', 'Hotel Linde', 'Stadtbad', 'Stadttheater', 'Dr. Amsel'];

export const app = defineApp({
  id: 'press-lanes',
  title: 'Press lanes',
  about: 'Jobs of a print shop in the lanes of its presses, their tickets, and the paper store.',
  state,
  init(random) {
    const presses = random
      .shuffle(['Old Bertha', 'Young Bertha', 'Riso', 'Plotter'])
      .map((name, index) => ({ id: `p${index + 1}`, name, held: random.chance(0.3) }));
    const pairs = clients.flatMap(client => random.sample(matters, 4).map(what => ({ what, client })));
    const dues = random.sample(
      Array.from({ length: 40 }, (_, index) => index),
      pairs.length,
    );
    return {
      presses,
      jobs: random.shuffle(pairs).map((it, index) => ({
        id: `j${index + 1}`,
        ...it,
        press: random.pick(presses).id,
        paper: random.pick(papers),
        binding: random.pick(bindings),
        copies: `${random.between(2, 90)}0`,
        due: dues[index] ?? 0,
        stage: random.chance(0.25) ? 'printing' : 'waiting',
        rush: random.chance(0.2),
      })),
      stock: papers.map((paper, index) => ({ id: `s${index + 1}`, paper, reams: random.between(1, 95) })),
      ui: { floor: 'lanes', ...rest },
    };
  },
  commands: [
    amend,
    sendTo,
    print,
    takeOff,
    voidJob,
    hurry,
    hold,
    takeIn,
    tickets,
    storeList,
    step,
    pull,
    menuOf,
    scribble,
    sheet,
  ],
  view: shop =>
    page('Press lanes', [
      navigation('Floor', [
        link('Lanes', step.with({ floor: 'lanes' })),
        link('Paper store', step.with({ floor: 'store' })),
        link('Counter', step.with({ floor: 'counter' })),
      ]),
      shop.ui.shout !== '' && alert(shop.ui.shout),
      shop.ui.job !== ''
        ? ticket(shop)
        : shop.ui.floor === 'store'
          ? table(
              'Paper store',
              shop.stock.map(({ paper, reams }) => row(paper, [cell(paper), cell(`${reams} reams`)])),
            )
          : shop.ui.floor === 'counter'
            ? counter(shop)
            : lanes(shop),
    ]),
  templates: [copies, otherPress, heldPress, printNow, voidAll, firstDue, onWhich, newJob],
  onRefusal(draft, message) {
    draft.ui.shout = message;
  },
});

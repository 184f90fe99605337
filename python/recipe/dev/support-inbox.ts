// Tidewater Support: tickets in queues, six to a page, each opening on a page of its own.
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
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  paginate,
  refuse,
  region,
  remove,
  row,
  cell,
  table,
  tab,
  text,
  textbox,
  z,
} from 'espalier';

const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
const STATUSES = ['open', 'waiting', 'solved'] as const;
const state = z.object({
  agents: z.array(z.object({ id: z.string(), name: z.string(), off: z.boolean(), team: z.string() })),
  customers: z.array(z.object({ id: z.string(), name: z.string(), plan: z.string(), phone: z.string() })),
  tickets: z.array(
    z.object({
      id: z.string(),
      number: z.int(),
      subject: z.string(),
      customer: z.string(),
      agent: z.string(),
      priority: z.enum(PRIORITIES),
      status: z.enum(STATUSES),
      body: z.string(),
    }),
  ),
  replies: z.array(z.object({ id: z.string(), ticket: z.string(), body: z.string() })),
  ui: z.object({
    at: z.string(),
    queue: z.string(),
    page: z.string(),
    open: z.string(),
    sure: z.string(),
    draft: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const agentName = (s: State, id: string) => find(s.agents, id)?.name ?? 'nobody';
const customerName = (s: State, id: string) => find(s.customers, id)?.name ?? '?';

const assign = command('assign_ticket', {
  about: 'Give a ticket to an agent.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const agent = draft.agents.find(a => a.name === value) ?? refuse('No such agent.');
    if (agent.off) refuse(`${agent.name} is off shift.`);
    need(draft.tickets, id, 'ticket').agent = agent.id;
  },
});
const prioritise = command('set_priority', {
  about: 'Set the priority of a ticket.',
  input: z.object({ id: z.string(), value: z.enum(PRIORITIES) }),
  run(draft, { id, value }) {
    need(draft.tickets, id, 'ticket').priority = value;
  },
});
const setStatus = command('set_status', {
  about: 'Set the status of a ticket.',
  input: z.object({ id: z.string(), status: z.enum(STATUSES) }),
  run(draft, { id, status }) {
    need(draft.tickets, id, 'ticket').status = status;
  },
});
const spam = command('mark_spam', {
  about: 'Throw a ticket away as spam.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.tickets, id, 'ticket');
    remove(draft.tickets, id);
    Object.assign(draft.ui, { at: 'queue', open: '', sure: '' });
  },
});
const reply = command('send_reply', {
  about: 'Send a reply to a ticket.',
  input: z.object({ id: z.string(), body: z.string().min(1) }),
  run(draft, { id, body }) {
    need(draft.tickets, id, 'ticket');
    draft.replies.push({ id: nextId(draft.replies, 'r'), ticket: id, body });
    draft.ui.draft = '';
  },
});
const look = query('list_tickets', {
  about: 'List tickets, customers and agents.',
  input: z.object({}),
  run: s => ({
    agents: s.agents,
    customers: s.customers,
    tickets: s.tickets.map(t => ({ ...t, customer: customerName(s, t.customer), agent: agentName(s, t.agent) })),
  }),
});
const show = gesture('show', {
  about: 'Show something.',
  input: z.object({ patch: z.record(z.string(), z.string()) }),
  run(draft, { patch }) {
    Object.assign(draft.ui, { sure: '' }, patch);
  },
});
const type = gesture('type_reply', {
  about: 'Type a reply.',
  input: z.object({ value: z.string().max(200) }),
  run(draft, { value }) {
    draft.ui.draft = value;
  },
});

const QUEUES = ['All', 'Open', 'Waiting', 'Solved', 'Unassigned'];
function inQueue(s: State) {
  const q = s.ui.queue;
  return s.tickets.filter(t => q === 'All' || (q === 'Unassigned' ? t.agent === '' : t.status === q.toLowerCase()));
}
const screens: Record<string, (s: State) => unknown[]> = {
  queue(s) {
    const at = paginate(inQueue(s), Number(s.ui.page), 6);
    return [
      region(
        'Queues',
        QUEUES.map(q => tab(q, show.with({ patch: { queue: q, page: '1' } }), s.ui.queue === q ? ['selected'] : [])),
      ),
      list(
        `${at.total} tickets, page ${at.page} of ${at.pages}`,
        at.items.map(t =>
          listItem(`#${t.number}`, [
            link(t.subject, show.with({ patch: { at: 'ticket', open: t.id, draft: '' } })),
            text(`${customerName(s, t.customer)} · ${t.priority} · ${t.status} · ${agentName(s, t.agent)}`),
          ]),
        ),
      ),
      at.page > 1 && button('‹ Newer', show.with({ patch: { page: String(at.page - 1) } })),
      at.page < at.pages && button('Older ›', show.with({ patch: { page: String(at.page + 1) } })),
    ];
  },
  ticket(s) {
    const t = need(s.tickets, s.ui.open, 'ticket');
    if (s.ui.sure === t.id)
      return [
        dialog(`Is #${t.number} spam?`, [
          text('It will be gone for good.'),
          button('Yes, bin it', spam.with({ id: t.id })),
          button('Keep', show.with({ patch: {} })),
        ]),
      ];
    return [
      heading(`#${t.number} ${t.subject}`),
      text(`From ${customerName(s, t.customer)}`),
      text(t.body),
      ...s.replies.filter(r => r.ticket === t.id).map(r => text(`We wrote: ${r.body}`)),
      combobox('Owner', agentName(s, t.agent), {
        enter: assign.entering({ id: t.id }),
        options: s.agents.filter(a => !a.off).map(a => a.name),
      }),
      combobox('Priority', t.priority, { enter: prioritise.entering({ id: t.id }), options: [...PRIORITIES] }),
      text(`Status: ${t.status}`),
      t.status !== 'solved' && button('Solve', setStatus.with({ id: t.id, status: 'solved' })),
      t.status !== 'waiting' && button('Wait for customer', setStatus.with({ id: t.id, status: 'waiting' })),
      t.status !== 'open' && button('Reopen', setStatus.with({ id: t.id, status: 'open' })),
      textbox('Write to the customer', s.ui.draft, { enter: type.entering({}) }),
      s.ui.draft !== '' && button('Send', reply.with({ id: t.id, body: s.ui.draft })),
      button('Spam…', show.with({ patch: { sure: t.id } })),
    ];
  },
  customers: s => [
    table(
      'Customers',
      s.customers.map(c => row(c.name, [cell(c.name), cell(`${c.plan} plan`), cell(c.phone)])),
    ),
  ],
  shift: s => [
    heading('Who is on shift'),
    ...s.agents.map(a => text(`${a.name}, ${a.team}: ${a.off ? 'off today' : 'on'}`)),
  ],
};

const owner = template('hand-over', {
  about: 'Give a ticket to an agent.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tickets);
    const a = random.pick(s.agents.filter(b => !b.off && b.id !== t.agent));
    return { id: t.id, subject: t.subject, number: t.number, agent: a.id, name: a.name, way: random.between(0, 3) };
  },
  instruction: ({ subject, number, name, way }) =>
    [
      `Give ticket #${number} to ${name}.`,
      `${name} will look after "${subject}"`,
      `can ${name} take #${number} please`,
      `The ticket "${subject}" should belong to ${name} from now on.`,
    ][way]!,
  checks: ({ id, agent }) => [{ name: 'handed over', test: f => find(f.tickets, id)?.agent === agent }],
  allow: ({ id }) => [`/tickets/${id}/agent`],
});
const solveAll = template('solve-for-customer', {
  about: 'Solve every open ticket of a customer.',
  split: 'train',
  sample(s, random) {
    const c = random.pick(s.customers);
    const [a, b] = random.sample(s.tickets, 2);
    return { ids: [a!.id, b!.id], customer: c.id, name: c.name, way: random.between(0, 2) };
  },
  setup(draft, { ids, customer }) {
    const other = draft.customers.find(c => c.id !== customer)!;
    for (const t of draft.tickets) if (t.customer === customer && !ids.includes(t.id)) t.customer = other.id;
    for (const id of ids) Object.assign(need(draft.tickets, id, 'ticket'), { customer, status: 'open' });
  },
  instruction: ({ name, way }) =>
    [
      `Everything ${name} wrote in about is sorted. Mark all their tickets as solved.`,
      `solve both tickets of ${name}`,
      `${name} rang: all fine now. Close whatever is still open from them.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, n) => ({ name: `solved ${n + 1}`, test: f => find(f.tickets, id)?.status === 'solved' })),
  allow: ({ ids }) => ids.map(id => `/tickets/${id}/status`),
});
const answerIt = template('write-back', {
  about: 'Reply to a ticket.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tickets);
    return {
      id: t.id,
      subject: t.subject,
      body: random.pick([
        'We are on it.',
        'A new cable is in the post.',
        'Please restart the box.',
        'Your refund went out today.',
        'Could you send a photo?',
      ]),
      way: random.between(0, 2),
    };
  },
  instruction: ({ subject, body, way }) =>
    [
      `Reply "${body}" to the ticket ${subject}.`,
      `Tell whoever wrote "${subject}": ${body}`,
      `there is a ticket called "${subject}", write back: "${body}"`,
    ][way]!,
  checks: ({ id, body }) => [
    {
      name: 'sent',
      test(f, i) {
        const [r, ...rest] = added(i.replies, f.replies);
        return rest.length === 0 && r?.ticket === id && r.body === body;
      },
    },
  ],
  allow: () => ['/replies/+'],
});
const bin = template('bin-spam', {
  about: 'Throw a spam ticket away.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tickets);
    return { id: t.id, subject: t.subject, number: t.number, way: random.between(0, 2) };
  },
  instruction: ({ subject, number, way }) =>
    [`"${subject}" is spam, get rid of it.`, `Ticket #${number} is junk. Bin it.`, `#${number} → spam`][way]!,
  checks: ({ id }) => [{ name: 'gone', test: f => find(f.tickets, id) === undefined }],
  allow: ({ id }) => [`/tickets/${id}`],
});
const callBack = template('phone-of-writer', {
  about: 'Say the phone number of who wrote a ticket.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tickets);
    return { id: t.id, number: t.number, subject: t.subject, way: random.between(0, 2) };
  },
  instruction: ({ number, subject, way }) =>
    [
      `I want to ring the person behind ticket #${number}. Number?`,
      `What is the phone number of the customer who wrote "${subject}"?`,
      `phone for #${number}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.customers, need(s.tickets, id, 'ticket').customer, 'customer').phone,
  shown: (s, { id }) => [
    (s.ui.at === 'ticket' && s.ui.open === id) ||
      (s.ui.at === 'queue' && paginate(inQueue(s), Number(s.ui.page), 6).items.some(t => t.id === id)),
    s.ui.at === 'customers',
  ],
});
const howMany = template('count-unassigned', {
  about: 'Count the waiting tickets.',
  split: 'train',
  sample: (s, random) => ({
    queue: random.pick(['Open', 'Waiting', 'Solved', 'Unassigned']),
    way: random.between(0, 2),
  }),
  instruction: ({ queue, way }) =>
    [
      `How many tickets are in the queue ${queue}?`,
      `number of tickets that are ${queue.toLowerCase()}?`,
      `Quick one: how many do we have under "${queue}" right now?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ queue }, s) => String(inQueue({ ...s, ui: { ...s.ui, queue } }).length),
  shown: (s, { queue }) => s.ui.at === 'queue' && s.ui.queue === queue,
});
const offShift = template('hand-to-maybe-off', {
  about: 'Give a ticket to an agent who may be off.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ on }) => on,
  sample(s, random) {
    const t = random.pick(s.tickets);
    const a = random.pick(s.agents.filter(b => b.id !== t.agent));
    return {
      id: t.id,
      subject: t.subject,
      agent: a.id,
      name: a.name,
      on: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { agent, on }) {
    need(draft.agents, agent, 'agent').off = !on;
  },
  instruction: ({ subject, name, way }) =>
    [
      `Let ${name} handle "${subject}" today.`,
      `"${subject}" → ${name}, unless they are off shift, then tell me it can't be done`,
      `Pass ${subject} on to ${name}.`,
    ][way]!,
  checks: ({ id, agent }) => [{ name: 'handed over', test: f => find(f.tickets, id)?.agent === agent }],
  allow: ({ id }) => [`/tickets/${id}/agent`],
  shown: (s, { id }) => s.ui.at === 'shift' || (s.ui.at === 'ticket' && s.ui.open === id),
});

const subjects = [
  'Router blinks red',
  'Router blinks orange',
  'Invoice shows twice',
  'Invoice without VAT',
  'Cannot log in',
  'Cannot log in on phone',
  'Slow at night',
  'Move to a new flat',
  'Cancel my contract',
  'Cancel the TV box',
  'Refund for March',
  'Refund for May',
  'No dial tone',
  'Wrong name on bill',
  'Win a cruise',
  'Cheap watches',
];
export const app = defineApp({
  id: 'support-inbox',
  title: 'Tidewater Support',
  about: 'The ticket inbox of an internet provider.',
  state,
  init(random) {
    const agents = random
      .shuffle(['Ines', 'Ingo', 'Paul', 'Paula', 'Rahel'])
      .map((name, n) => ({ id: `a${n + 1}`, name, off: n === 4, team: random.pick(['billing', 'network']) }));
    const customers = random
      .shuffle([
        'Maria Stone',
        'Mario Stone',
        'Lea Hartwig',
        'Leo Hartmann',
        'Uwe Dahl',
        'Priya Nair',
        'Sam Ortiz',
        'Samira Otis',
      ])
      .map((name, n) => ({
        id: `c${n + 1}`,
        name,
        plan: random.pick(['Basic', 'Plus', 'Pro']),
        phone: `0${random.between(30, 89)} ${random.between(100000, 999999)}`,
      }));
    const numbers = random.sample(
      Array.from({ length: 900 }, (_, n) => n + 4100),
      16,
    );
    return {
      agents,
      customers,
      tickets: random.shuffle(subjects).map((subject, n) => ({
        id: `t${n + 1}`,
        number: numbers[n]!,
        subject,
        customer: random.pick(customers).id,
        agent: random.chance(0.25) ? '' : random.pick(agents).id,
        priority: random.pick(PRIORITIES),
        status: random.pick(STATUSES),
        body: random.pick([
          'Hello, please help.',
          'This has gone on for a week now.',
          'Thanks in advance!',
          'I wrote before and nobody answered.',
        ]),
      })),
      replies: [],
      ui: { at: 'queue', queue: 'All', page: '1', open: '', sure: '', draft: '' },
    };
  },
  commands: [assign, prioritise, setStatus, spam, reply, look, show, type],
  view: s =>
    page('Tidewater Support', [
      s.ui.sure === '' &&
        navigation('Desk', [
          link('Tickets', show.with({ patch: { at: 'queue', open: '' } })),
          link('Customers', show.with({ patch: { at: 'customers', open: '' } })),
          link('Shift', show.with({ patch: { at: 'shift', open: '' } })),
        ]),
      ...(screens[s.ui.at]!(s) as ReturnType<typeof text>[]),
    ]),
  templates: [owner, solveAll, answerIt, bin, callBack, howMany, offShift],
});

// Invoice book of a one-woman plumbing firm. Paged ledger, three-step "new invoice", client sheets.
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
  need,
  nextId,
  page,
  paginate,
  radio,
  refuse,
  region,
  remove,
  row,
  status,
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const STATUS = ['Draft', 'Sent', 'Overdue', 'Paid', 'Void'] as const;
const TERMS = ['7 days', '14 days', '30 days', '60 days'] as const;
const JOBS = ['Boiler service', 'Leak repair', 'Bathroom fitting', 'Drain clearing', 'Emergency call-out'] as const;
const state = z.object({
  clients: z.array(
    z.object({ id: z.string(), name: z.string(), email: z.string(), terms: z.enum(TERMS), vat: z.string() }),
  ),
  invoices: z.array(
    z.object({
      id: z.string(),
      no: z.string(),
      client: z.string(),
      job: z.enum(JOBS),
      amount: z.int(),
      terms: z.enum(TERMS),
      status: z.enum(STATUS),
      reminders: z.int(),
    }),
  ),
  ui: z.object({
    view: z.enum(['ledger', 'clients', 'invoice', 'client', 'wizard']),
    status: z.string(),
    sort: z.string(),
    page: z.int(),
    invoice: z.string(),
    client: z.string(),
    asking: z.boolean(),
    email: z.string(),
    step: z.int(),
    forClient: z.string(),
    job: z.string(),
    amount: z.string(),
    line: z.string(),
  }),
});
type Book = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const clientName = (b: Book, id: string) => find(b.clients, id)?.name ?? '';
const money = (n: number) => `£${n}.00`;

const markPaid = command('mark_paid', {
  about: 'Record that an invoice has been paid.',
  input: z.object({ invoice: z.string() }),
  run(draft, { invoice }) {
    const i = need(draft.invoices, invoice, 'invoice');
    if (i.status !== 'Sent' && i.status !== 'Overdue') refuse('Only invoices that went out can be paid.');
    i.status = 'Paid';
  },
});
const voidIt = command('void_invoice', {
  about: 'Void an invoice. Paid ones cannot be voided.',
  input: z.object({ invoice: z.string() }),
  run(draft, { invoice }) {
    const i = need(draft.invoices, invoice, 'invoice');
    if (i.status === 'Paid') refuse('Paid invoices are locked.');
    i.status = 'Void';
    draft.ui.asking = false;
  },
});
const remind = command('send_reminder', {
  about: 'Send a reminder for an overdue invoice.',
  input: z.object({ invoice: z.string() }),
  run(draft, { invoice }) {
    const i = need(draft.invoices, invoice, 'invoice');
    if (i.status !== 'Overdue') refuse('It is not overdue.');
    if (i.reminders >= 3) refuse('Three reminders went out already.');
    i.reminders += 1;
    draft.ui.line = `Reminder no. ${i.reminders} sent for ${i.no}`;
  },
});
const setTerms = command('set_terms', {
  about: 'Set the payment terms of an invoice.',
  input: z.object({ invoice: z.string(), value: z.enum(TERMS) }),
  run(draft, { invoice, value }) {
    const i = need(draft.invoices, invoice, 'invoice');
    if (i.status === 'Paid') refuse('Paid invoices are locked.');
    i.terms = value;
  },
});
const discard = command('discard_draft', {
  about: 'Throw away a draft.',
  input: z.object({ invoice: z.string() }),
  run(draft, { invoice }) {
    if (need(draft.invoices, invoice, 'invoice').status !== 'Draft') refuse('Only drafts can be discarded.');
    remove(draft.invoices, invoice);
    Object.assign(draft.ui, { view: 'ledger', invoice: '' });
  },
});
const issue = command('create_invoice', {
  about: 'Create a draft invoice for a client (by name).',
  input: z.object({ client: z.string(), job: z.string(), amount: z.string() }),
  run(draft, { client, job, amount }) {
    const c = draft.clients.find(x => x.name === client) ?? refuse('Choose a client.');
    const j = JOBS.find(x => x === job) ?? refuse('Choose the job.');
    if (!/^\d{1,5}$/.test(amount)) refuse('The amount is in whole pounds.');
    draft.invoices.push({
      id: nextId(draft.invoices, 'v'),
      no: `INV-${Math.max(...draft.invoices.map(i => Number(i.no.slice(4)))) + 1}`,
      client: c.id,
      job: j,
      amount: Number(amount),
      terms: c.terms,
      status: 'Draft',
      reminders: 0,
    });
    Object.assign(draft.ui, { view: 'ledger', status: 'All', sort: 'Number', page: 1 });
  },
});
const saveEmail = command('save_email', {
  about: 'Change where invoices for a client are sent.',
  input: z.object({ client: z.string(), email: z.string() }),
  run(draft, { client, email }) {
    if (!email.includes('@')) refuse('That is not an address.');
    need(draft.clients, client, 'client').email = email;
  },
});
const books = query('show_books', {
  about: 'All invoices and clients.',
  input: z.object({}),
  run: b => ({ invoices: b.invoices.map(i => ({ ...i, clientName: clientName(b, i.client) })), clients: b.clients }),
});

const goTo = gesture('go_to', {
  about: 'Open the ledger, the clients or the wizard.',
  input: z.object({ view: z.enum(['ledger', 'clients', 'wizard']) }),
  run(draft, { view }) {
    Object.assign(draft.ui, { view, page: 1, asking: false, line: '', step: 1, forClient: '', job: '', amount: '' });
  },
});
const openInvoice = gesture('open_invoice', {
  about: 'Open an invoice.',
  input: z.object({ invoice: z.string() }),
  run(draft, { invoice }) {
    Object.assign(draft.ui, { view: 'invoice', invoice, asking: false, line: '' });
  },
});
const openClient = gesture('open_client', {
  about: 'Open the sheet of a client.',
  input: z.object({ client: z.string() }),
  run(draft, { client }) {
    Object.assign(draft.ui, { view: 'client', client, email: need(draft.clients, client, 'client').email, line: '' });
  },
});
const choose = gesture('choose', {
  about: 'Choose in a list.',
  input: z.object({ field: z.enum(['status', 'sort', 'forClient', 'job']), value: z.string() }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
    draft.ui.page = 1;
  },
});
const type = gesture('type', {
  about: 'Type into a field.',
  input: z.object({ field: z.enum(['email', 'amount']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const turn = gesture('turn', {
  about: 'Turn a page of the ledger, or of the wizard.',
  input: z.object({ what: z.enum(['page', 'step']), by: z.int() }),
  run(draft, { what, by }) {
    draft.ui[what] = Math.max(1, draft.ui[what] + by);
  },
});
const ask = gesture('ask', {
  about: 'Ask before voiding, or cancel.',
  input: z.object({}),
  run(draft) {
    draft.ui.asking = !draft.ui.asking;
  },
});

const ledger = (b: Book) => {
  const wanted = b.invoices
    .filter(i => b.ui.status === 'All' || i.status === b.ui.status)
    .toSorted((x, y) =>
      b.ui.sort === 'Number'
        ? y.no.localeCompare(x.no)
        : b.ui.sort === 'Amount'
          ? y.amount - x.amount
          : clientName(b, x.client).localeCompare(clientName(b, y.client)),
    );
  const part = paginate(wanted, b.ui.page, 7);
  return [
    toolbar('Ledger', [
      combobox('Status', b.ui.status, { enter: choose.entering({ field: 'status' }), options: ['All', ...STATUS] }),
      combobox('Sort by', b.ui.sort, {
        enter: choose.entering({ field: 'sort' }),
        options: ['Number', 'Amount', 'Client'],
      }),
    ]),
    table(
      `Invoices, page ${part.page} of ${part.pages}`,
      part.items.map(i =>
        row(i.no, [
          link(i.no, openInvoice.with({ invoice: i.id })),
          cell(clientName(b, i.client)),
          cell(i.job),
          cell(money(i.amount)),
          cell(i.status),
        ]),
      ),
    ),
    part.page > 1 && button('Newer', turn.with({ what: 'page', by: -1 })),
    part.page < part.pages && button('Older', turn.with({ what: 'page', by: 1 })),
  ];
};
const invoiceSheet = (b: Book) => {
  const i = need(b.invoices, b.ui.invoice, 'invoice');
  if (b.ui.asking)
    return [
      dialog(`Void ${i.no}?`, [
        text('The number stays used. This cannot be taken back.'),
        button('Yes, void it', voidIt.with({ invoice: i.id })),
        button('No', ask.with({})),
      ]),
    ];
  return [
    heading(`Invoice ${i.no}`),
    link(clientName(b, i.client), openClient.with({ client: i.client })),
    text(`${i.job}: ${money(i.amount)}`),
    text(`Status: ${i.status}`),
    text(`Reminders sent: ${i.reminders}`),
    i.status === 'Paid'
      ? text(`Terms ${i.terms}. Paid invoices are locked: no edits, no voiding.`)
      : combobox('Payment terms', i.terms, { enter: setTerms.entering({ invoice: i.id }), options: [...TERMS] }),
    (i.status === 'Sent' || i.status === 'Overdue') && button('Money received', markPaid.with({ invoice: i.id })),
    i.status === 'Overdue' && button('Send reminder', remind.with({ invoice: i.id })),
    i.status === 'Draft' && button('Discard draft', discard.with({ invoice: i.id })),
    i.status !== 'Paid' && i.status !== 'Void' && button('Void…', ask.with({})),
  ];
};
const clientSheet = (b: Book) => {
  const c = need(b.clients, b.ui.client, 'client');
  return [
    heading(c.name),
    text(`VAT no. ${c.vat}`),
    text(`Agreed terms: ${c.terms}`),
    textbox('Send invoices to', b.ui.email, { enter: type.entering({ field: 'email' }) }),
    button('Save', saveEmail.with({ client: c.id, email: b.ui.email })),
    table(
      'Invoices of this client',
      b.invoices
        .filter(i => i.client === c.id)
        .map(i => row(i.no, [link(i.no, openInvoice.with({ invoice: i.id })), cell(i.status)])),
    ),
  ];
};
const wizard = (b: Book) => [
  heading(`New invoice, step ${Math.min(b.ui.step, 3)} of 3`),
  b.ui.step === 1
    ? form('Whom for?', [
        combobox('Client', b.ui.forClient, {
          enter: choose.entering({ field: 'forClient' }),
          options: b.clients.map(c => c.name),
        }),
        button('Next', turn.with({ what: 'step', by: 1 }), b.ui.forClient === '' ? ['disabled'] : []),
      ])
    : b.ui.step === 2
      ? form('What for?', [
          ...JOBS.map(job => radio(job, b.ui.job === job, choose.with({ field: 'job', value: job }))),
          textbox('Amount in pounds', b.ui.amount, { enter: type.entering({ field: 'amount' }) }),
          button('Back', turn.with({ what: 'step', by: -1 })),
          button('Next', turn.with({ what: 'step', by: 1 })),
        ])
      : form('Is this right?', [
          text(`${b.ui.forClient} · ${b.ui.job} · £${b.ui.amount}`),
          button('Back', turn.with({ what: 'step', by: -1 })),
          button('Create draft', issue.with({ client: b.ui.forClient, job: b.ui.job, amount: b.ui.amount })),
        ]),
];

const paid = template('money-came-in', {
  about: 'Mark an invoice as paid.',
  split: 'train',
  sample(b, random) {
    const i = random.pick(b.invoices);
    return { id: i.id, no: i.no, was: random.pick(['Sent', 'Overdue'] as const), way: random.between(0, 3) };
  },
  setup(draft, { id, was }) {
    need(draft.invoices, id, 'invoice').status = was;
  },
  instruction: ({ no, way }) =>
    [
      `${no} is paid.`,
      `The money for ${no} arrived this morning, please book it.`,
      `Mark invoice ${no} as paid`,
      `bank says ${no} came in. update the book`,
    ][way]!,
  checks: ({ id }) => [{ name: 'paid', test: final => find(final.invoices, id)?.status === 'Paid' }],
  allow: ({ id }) => [`/invoices/${id}/status`],
});
const chase = template('chase-overdue', {
  about: 'Send a reminder for every overdue invoice.',
  split: 'train',
  sample: (b, random) => ({
    ids: random.sample(b.invoices, random.between(2, 3)).map(i => i.id),
    way: random.between(0, 2),
  }),
  setup(draft, { ids }) {
    for (const i of draft.invoices) {
      if (ids.includes(i.id)) Object.assign(i, { status: 'Overdue', reminders: i.reminders % 2 });
      else if (i.status === 'Overdue') i.status = 'Sent';
    }
  },
  instruction: ({ way }) =>
    [
      'Send one reminder for each invoice that is overdue.',
      'It is the end of the month. Everybody who is late gets a reminder (one per overdue invoice).',
      'chase all the overdue ones, once each',
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({
      name: `reminded ${at + 1}`,
      test: (final: Book, initial: Book) =>
        find(final.invoices, id)?.reminders === need(initial.invoices, id, 'invoice').reminders + 1,
    })),
  allow: ({ ids }) => ids.map(id => `/invoices/${id}/reminders`),
});
const bill = template('write-invoice', {
  about: 'Create a draft with the wizard.',
  split: 'train',
  sample(b, random) {
    const c = random.pick(b.clients);
    return {
      client: c.id,
      name: c.name,
      terms: c.terms,
      job: random.pick(JOBS),
      amount: String(random.between(61, 940)),
      way: random.between(0, 2),
    };
  },
  instruction: ({ name, job, amount, way }) =>
    [
      `Bill ${name} ${amount} pounds for a job: ${job}. A draft is enough.`,
      `New invoice for ${name}, ${job}, £${amount}`,
      `I finished at ${name} today. Prepare the invoice: it was "${job}" and we agreed on ${amount} pounds.`,
    ][way]!,
  checks: ({ client, job, amount, terms }) => [
    {
      name: 'the draft is right',
      test(final, initial) {
        const [i, ...rest] = added(initial.invoices, final.invoices);
        return (
          rest.length === 0 &&
          i?.client === client &&
          i.job === job &&
          i.amount === Number(amount) &&
          i.status === 'Draft' &&
          i.terms === terms &&
          i.reminders === 0 &&
          initial.invoices.every(x => x.no < i.no) &&
          Number(i.no.slice(4)) === Math.max(...initial.invoices.map(x => Number(x.no.slice(4)))) + 1
        );
      },
    },
  ],
  allow: () => ['/invoices/+'],
});
const mail = template('billing-address', {
  about: 'Change the address invoices of a client go to.',
  split: 'train',
  sample(b, random) {
    const c = random.pick(b.clients);
    return {
      id: c.id,
      name: c.name,
      email: `${random.pick(['accounts', 'billing', 'office', 'invoices'])}@${random.pick(['hartley', 'moss', 'kelp', 'tandem'])}.example`,
      way: random.between(0, 2),
    };
  },
  instruction: ({ name, email, way }) =>
    [
      `Invoices for ${name} should go to ${email} from now on.`,
      `${name}: new billing email ${email}`,
      `Our contact at ${name} left. Use ${email} for their invoices instead, would you?`,
    ][way]!,
  checks: ({ id, email }) => [{ name: 'the address', test: final => find(final.clients, id)?.email === email }],
  allow: ({ id }) => [`/clients/${id}/email`],
});
const agreed = template('agreed-terms', {
  about: 'Give an invoice the terms agreed with its client.',
  split: 'train',
  sample(b, random) {
    const i = random.pick(b.invoices);
    const [right, wrong] = random.sample(TERMS, 2);
    return { id: i.id, no: i.no, client: i.client, right: right!, wrong: wrong!, way: random.between(0, 2) };
  },
  setup(draft, { id, client, right, wrong }) {
    need(draft.clients, client, 'client').terms = right;
    Object.assign(need(draft.invoices, id, 'invoice'), { terms: wrong, status: 'Draft' });
  },
  instruction: ({ no, way }) =>
    [
      `The terms on ${no} are not what we agreed with that client. Correct the invoice.`,
      `Put the client's agreed payment terms on ${no}.`,
      `${no} has the wrong payment terms - look up what the client gets and fix it`,
    ][way]!,
  checks: ({ id, right }) => [{ name: 'agreed terms', test: final => find(final.invoices, id)?.terms === right }],
  allow: ({ id }) => [`/invoices/${id}/terms`],
});
const vatOf = template('vat-number', {
  about: 'Say the VAT number of the client of an invoice.',
  split: 'train',
  sample(b, random) {
    const i = random.pick(b.invoices);
    return { no: i.no, client: i.client, way: random.between(0, 2) };
  },
  instruction: ({ no, way }) =>
    [
      `What is the VAT number of the client on ${no}?`,
      `The tax office wants to know about ${no}. Which VAT no. does that customer have?`,
      `VAT no. for whoever got ${no}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ client }, b) => need(b.clients, client, 'client').vat,
  shown: ({ ui }, { client }) => ui.view === 'client' && ui.client === client,
});
const cancel = template('void-invoice', {
  about: 'Void an invoice that may be paid and locked.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ open }) => open,
  sample(b, random) {
    const i = random.pick(b.invoices);
    return { id: i.id, no: i.no, open: random.chance(0.5), way: random.between(0, 2) };
  },
  setup(draft, { id, open }) {
    need(draft.invoices, id, 'invoice').status = open ? 'Sent' : 'Paid';
  },
  instruction: ({ no, way }) =>
    [
      `Void ${no}.`,
      `${no} was a mistake from the start, make it void please`,
      `Cancel invoice ${no} - it must show as void in the book.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'void', test: final => find(final.invoices, id)?.status === 'Void' }],
  allow: ({ id }) => [`/invoices/${id}/status`],
  shown: ({ ui }, { id }) => ui.view === 'invoice' && ui.invoice === id,
});

const CLIENTS = [
  'Hartley & Sons',
  'Hartley Court',
  'Moss Lane School',
  'Moss Bakery',
  'Mrs Ellery',
  'Kelp Café',
  'Tandem Cycles',
  'St Jude’s Hostel',
];
export const app = defineApp({
  id: 'invoice-book',
  title: 'Invoice book',
  about: 'The invoices and clients of a plumber.',
  state,
  init(random) {
    const clients = random.shuffle(CLIENTS).map((name, at) => ({
      id: `c${at + 1}`,
      name,
      email: `hello${at + 1}@post.example`,
      terms: random.pick(TERMS),
      vat: `GB${random.between(100000, 999999)}`,
    }));
    const first = random.between(2100, 2900);
    return {
      clients,
      invoices: random.shuffle(Array.from({ length: 17 }, (_, at) => at)).map((at, index) => ({
        id: `v${index + 1}`,
        no: `INV-${first + at}`,
        client: random.pick(clients).id,
        job: random.pick(JOBS),
        amount: random.between(6, 90) * 10,
        terms: random.pick(TERMS),
        status: random.pick(STATUS),
        reminders: random.between(0, 2),
      })),
      ui: {
        view: 'ledger' as const,
        status: 'All',
        sort: 'Number',
        page: 1,
        invoice: '',
        client: '',
        asking: false,
        email: '',
        step: 1,
        forClient: '',
        job: '',
        amount: '',
        line: '',
      },
    };
  },
  commands: [
    markPaid,
    voidIt,
    remind,
    setTerms,
    discard,
    issue,
    saveEmail,
    books,
    goTo,
    openInvoice,
    openClient,
    choose,
    type,
    turn,
    ask,
  ],
  view: b =>
    page('Invoice book', [
      tab('Ledger', goTo.with({ view: 'ledger' }), b.ui.view === 'ledger' ? ['selected'] : []),
      tab('Clients', goTo.with({ view: 'clients' }), b.ui.view === 'clients' ? ['selected'] : []),
      tab('New invoice', goTo.with({ view: 'wizard' }), b.ui.view === 'wizard' ? ['selected'] : []),
      region(
        'Sheet',
        b.ui.view === 'ledger'
          ? ledger(b)
          : b.ui.view === 'invoice'
            ? invoiceSheet(b)
            : b.ui.view === 'client'
              ? clientSheet(b)
              : b.ui.view === 'wizard'
                ? wizard(b)
                : b.clients.map(c => link(c.name, openClient.with({ client: c.id }))),
      ),
      b.ui.line !== '' && status(b.ui.line),
    ]),
  templates: [paid, chase, bill, mail, agreed, vatOf, cancel],
  onRefusal(draft, message) {
    draft.ui.line = message;
  },
});

// Envelopes: a household budget. Money sits in envelopes; the bank feed has to be sorted into them.
import {
  added,
  alert,
  appKit,
  banner,
  button,
  cell,
  checkbox,
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
  searchBox,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const state = z.object({
  envelopes: z.array(
    z.object({ id: z.string(), name: z.string(), monthly: z.int(), start: z.int(), frozen: z.boolean() }),
  ),
  payments: z.array(
    z.object({
      id: z.string(),
      date: z.string(),
      payee: z.string(),
      euros: z.int(),
      envelope: z.string().nullable(),
      checked: z.boolean(),
    }),
  ),
  transfers: z.array(z.object({ id: z.string(), from: z.string(), to: z.string(), euros: z.int() })),
  bills: z.array(
    z.object({ id: z.string(), payee: z.string(), due: z.string(), euros: z.int(), contract: z.string() }),
  ),
  ui: z.object({
    tab: z.string(),
    envelope: z.string(),
    payment: z.string(),
    bill: z.string(),
    query: z.string(),
    unsorted: z.boolean(),
    dialog: z.string(),
    to: z.string(),
    amount: z.string(),
    monthly: z.string(),
    title: z.string(),
    error: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const euros = (value: string) => (/^[1-9]\d{0,4}$/.test(value.trim()) ? Number(value) : refuse('Enter whole euros.'));
const byName = (s: State, name: string) => s.envelopes.find(e => e.name === name) ?? refuse('Choose an envelope.');
const left = (s: State, id: string) =>
  need(s.envelopes, id, 'envelope').start -
  s.payments.filter(p => p.envelope === id).reduce((sum, p) => sum + p.euros, 0) -
  s.transfers.filter(t => t.from === id).reduce((sum, t) => sum + t.euros, 0) +
  s.transfers.filter(t => t.to === id).reduce((sum, t) => sum + t.euros, 0);

const sort = command('sort_payment', {
  about: 'Sort a payment into an envelope.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    need(draft.payments, id, 'payment').envelope = byName(draft, value).id;
  },
});
const tick = command('check_payment', {
  about: 'Tick a payment as checked against the receipt, or not.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const p = need(draft.payments, id, 'payment');
    p.checked = !p.checked;
  },
});
const erase = command('delete_payment', {
  about: 'Delete a payment.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.payments, id, 'payment');
    remove(draft.payments, id);
    Object.assign(draft.ui, { tab: 'feed', dialog: '', payment: '' });
  },
});
const transfer = command('move_money', {
  about: 'Move money from an envelope to another.',
  input: z.object({ from: z.string(), to: z.string(), amount: z.string() }),
  run(draft, { from, to, amount }) {
    const target = byName(draft, to);
    if (target.id === from) refuse('That is the same envelope.');
    draft.transfers.push({ id: nextId(draft.transfers, 't'), from, to: target.id, euros: euros(amount) });
    Object.assign(draft.ui, { dialog: '', to: '', amount: '' });
  },
});
const budget = command('set_monthly', {
  about: 'Set what goes into an envelope each month.',
  input: z.object({ id: z.string(), monthly: z.string() }),
  run(draft, { id, monthly }) {
    need(draft.envelopes, id, 'envelope').monthly = euros(monthly);
    draft.ui.dialog = '';
  },
});
const freeze = command('freeze_envelope', {
  about: 'Freeze an envelope, or thaw it.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const e = need(draft.envelopes, id, 'envelope');
    e.frozen = !e.frozen;
  },
});
const create = command('new_envelope', {
  about: 'Start an envelope.',
  input: z.object({ name: z.string().trim().min(1, 'Give it a name.'), monthly: z.string() }),
  run(draft, { name, monthly }) {
    if (draft.envelopes.some(e => e.name === name)) refuse('There is one of that name.');
    draft.envelopes.push({ id: nextId(draft.envelopes, 'e'), name, monthly: euros(monthly), start: 0, frozen: false });
    Object.assign(draft.ui, { dialog: '', title: '', monthly: '' });
  },
});
const ledger = query('read_ledger', {
  about: 'Read envelopes, payments and bills.',
  input: z.object({}),
  run: s => ({
    envelopes: s.envelopes.map(e => ({ ...e, left: left(s, e.id) })),
    payments: s.payments.map(p => ({ ...p, envelope: find(s.envelopes, p.envelope ?? '')?.name ?? null })),
    bills: s.bills,
  }),
});

const open = gesture('open_tab', {
  about: 'Open a page.',
  input: z.object({ tab: z.string() }),
  run(draft, { tab }) {
    Object.assign(draft.ui, { tab, dialog: '', error: '', query: '' });
  },
});
const openEnvelope = gesture('open_envelope', {
  about: 'Open an envelope.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { tab: 'envelope', envelope: id, dialog: '', error: '' });
  },
});
const openPayment = gesture('open_payment', {
  about: 'Open a payment.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { tab: 'payment', payment: id, dialog: '', error: '' });
  },
});
const openBill = gesture('open_bill', {
  about: 'Open a bill.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { tab: 'bill', bill: id, error: '' });
  },
});
const pop = gesture('open_dialog', {
  about: 'Open or close a dialog.',
  input: z.object({ dialog: z.string() }),
  run(draft, input) {
    Object.assign(draft.ui, { dialog: input.dialog, to: '', amount: '', monthly: '', title: '', error: '' });
  },
});
const only = gesture('only_unsorted', {
  about: 'Show only what is not sorted yet, or everything.',
  input: z.object({}),
  run(draft) {
    draft.ui.unsorted = !draft.ui.unsorted;
  },
});
const type = gesture('type', {
  about: 'Type into a field.',
  input: z.object({ field: z.enum(['query', 'to', 'amount', 'monthly', 'title']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function overview(s: State) {
  if (s.ui.dialog === 'new')
    return dialog('Start an envelope', [
      textbox('Label', s.ui.title, { enter: type.entering({ field: 'title' }) }),
      textbox('Euros a month', s.ui.monthly, { enter: type.entering({ field: 'monthly' }) }),
      button('Start', create.with({ name: s.ui.title, monthly: s.ui.monthly })),
      button('Discard', pop.with({ dialog: '' })),
    ]);
  return region('Envelopes', [
    table(
      'Balance',
      s.envelopes.map(e =>
        row(e.name, [
          link(e.name, openEnvelope.with({ id: e.id })),
          cell(`${left(s, e.id)} € left`),
          cell(e.frozen ? '❄ frozen' : ''),
        ]),
      ),
    ),
    button('Start an envelope', pop.with({ dialog: 'new' })),
  ]);
}
function envelope(s: State) {
  const e = need(s.envelopes, s.ui.envelope, 'envelope');
  if (s.ui.dialog === 'move')
    return dialog(`Move money out of ${e.name}`, [
      combobox('Into', s.ui.to, {
        enter: type.entering({ field: 'to' }),
        options: s.envelopes.filter(o => o.id !== e.id).map(o => o.name),
      }),
      textbox('How much (€)', s.ui.amount, { enter: type.entering({ field: 'amount' }) }),
      button('Move', transfer.with({ from: e.id, to: s.ui.to, amount: s.ui.amount })),
      button('Discard', pop.with({ dialog: '' })),
    ]);
  if (s.ui.dialog === 'monthly')
    return dialog(`Monthly amount for ${e.name}`, [
      text(`So far ${e.monthly} €`),
      textbox('Euros a month', s.ui.monthly, { enter: type.entering({ field: 'monthly' }) }),
      button('Set', budget.with({ id: e.id, monthly: s.ui.monthly })),
      button('Discard', pop.with({ dialog: '' })),
    ]);
  return region(e.name, [
    heading(`${left(s, e.id)} € left`),
    text(`${e.monthly} € go in each month`),
    button('Move money', pop.with({ dialog: 'move' })),
    button('Change monthly amount', pop.with({ dialog: 'monthly' })),
    checkbox('Frozen', e.frozen, freeze.with({ id: e.id })),
    table(
      'Paid from here',
      s.payments
        .filter(p => p.envelope === e.id)
        .map(p => row(p.payee, [cell(p.date), cell(p.payee), cell(`${p.euros} €`)])),
    ),
  ]);
}
function feed(s: State) {
  const shown = s.payments.filter(
    p => (!s.ui.unsorted || p.envelope === null) && p.payee.toLowerCase().includes(s.ui.query.toLowerCase()),
  );
  return region('Bank feed', [
    searchBox('Filter', [
      textbox('Payee', s.ui.query, { enter: type.entering({ field: 'query' }) }),
      checkbox('Only unsorted', s.ui.unsorted, only.with({})),
    ]),
    table(
      `${shown.length} payments`,
      shown.map(p =>
        row(`${p.date} ${p.payee}`, [
          cell(p.date),
          link(p.payee, openPayment.with({ id: p.id })),
          cell(find(s.envelopes, p.envelope ?? '')?.name ?? 'unsorted'),
          checkbox('Receipt', p.checked, tick.with({ id: p.id })),
        ]),
      ),
    ),
  ]);
}
function payment(s: State) {
  const p = need(s.payments, s.ui.payment, 'payment');
  if (s.ui.dialog === 'erase')
    return dialog('Delete payment', [
      text(`${p.payee}, ${p.euros} €`),
      button('Delete for good', erase.with({ id: p.id })),
      button('Discard', pop.with({ dialog: '' })),
    ]);
  return region('Payment', [
    heading(p.payee),
    text(`${p.euros} € on ${p.date}`),
    combobox('Envelope', find(s.envelopes, p.envelope ?? '')?.name ?? '', {
      enter: sort.entering({ id: p.id }),
      options: s.envelopes.map(e => e.name),
    }),
    checkbox('Receipt', p.checked, tick.with({ id: p.id })),
    button('Delete', pop.with({ dialog: 'erase' })),
  ]);
}
const bills = (s: State) =>
  region(
    'Standing bills',
    s.bills.map(b => link(`${b.payee}, due ${b.due}`, openBill.with({ id: b.id }))),
  );
function bill(s: State) {
  const b = need(s.bills, s.ui.bill, 'bill');
  return region('Bill', [
    heading(b.payee),
    text(`${b.euros} € due on ${b.due}`),
    text(`Contract ${b.contract}`),
    link('All bills', open.with({ tab: 'bills' })),
  ]);
}

const say = (seed: string, ...ways: string[]) =>
  ways[[...seed].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ways.length]!;
const moveMoney = template('move-money', {
  about: 'Move money between envelopes.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(s.envelopes, 2);
    return { from: a!.id, fromName: a!.name, toId: b!.id, to: b!.name, amount: String(random.between(5, 120)) };
  },
  instruction: ({ fromName, to, amount }) =>
    say(
      fromName + to,
      `Move ${amount} euros from ${fromName} to ${to}.`,
      `${to} is a bit short this month, take ${amount} € out of ${fromName} for it`,
    ),
  checks: ({ from, toId, amount }) => [
    {
      name: 'the money has moved',
      test(final, initial) {
        const [t, ...rest] = added(initial.transfers, final.transfers);
        return rest.length === 0 && t?.from === from && t.to === toId && t.euros === Number(amount);
      },
    },
  ],
  allow: () => ['/transfers/+'],
});
const sortIt = template('sort-payment', {
  about: 'Sort an unsorted payment.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.payments);
    const e = random.pick(s.envelopes);
    return { id: p.id, payee: p.payee, date: p.date, envelope: e.id, name: e.name };
  },
  setup(draft, { id }) {
    need(draft.payments, id, 'payment').envelope = null;
  },
  instruction: ({ payee, date, name }) =>
    say(
      payee + name,
      `the ${payee} thing on ${date} was ${name}`,
      `Sort the payment to ${payee} of ${date} into ${name}, please.`,
    ),
  checks: ({ id, envelope, name }) => [
    { name: `in ${name}`, test: final => find(final.payments, id)?.envelope === envelope },
  ],
  allow: ({ id }) => [`/payments/${id}/envelope`],
});
const receipt = template('receipt-found', {
  about: 'Tick the payment for which there is a receipt.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.payments);
    return { id: p.id, payee: p.payee, date: p.date };
  },
  setup(draft, { id }) {
    need(draft.payments, id, 'payment').checked = false;
  },
  instruction: ({ payee, date }) =>
    say(payee + date, `Found the receipt from ${payee}, ${date}. Tick it.`, `${payee} ${date}: have receipt`),
  checks: ({ id }) => [{ name: 'ticked', test: final => find(final.payments, id)?.checked === true }],
  allow: ({ id }) => [`/payments/${id}/checked`],
});
const contract = template('contract-number', {
  about: 'Say the contract number of a bill.',
  split: 'train',
  sample(s, random) {
    const b = random.pick(s.bills);
    return { id: b.id, payee: b.payee };
  },
  instruction: ({ payee }) =>
    say(
      payee,
      `On the phone with ${payee}, they want the contract number!`,
      `What is our contract number with ${payee}?`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.bills, id, 'bill').contract,
  shown: ({ ui }, { id }) => ui.tab === 'bill' && ui.bill === id,
});
const match = template('same-as-last-time', {
  about: 'Sort a payment into the envelope that another payment is in.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(s.payments, 2);
    return {
      id: a!.id,
      payee: a!.payee,
      date: a!.date,
      model: b!.id,
      other: b!.payee,
      otherDate: b!.date,
      envelope: random.pick(s.envelopes).id,
    };
  },
  setup(draft, { id, model, envelope }) {
    need(draft.payments, id, 'payment').envelope = null;
    need(draft.payments, model, 'payment').envelope = envelope;
  },
  instruction: ({ payee, date, other, otherDate }) =>
    say(
      payee + other,
      `${payee} on ${date} goes into the same envelope as ${other} on ${otherDate}.`,
      `Not sure any more which envelope I used for ${other} (${otherDate}), but please put ${payee} of ${date} in there too.`,
    ),
  checks: ({ id, envelope }) => [
    { name: 'in the same envelope', test: final => find(final.payments, id)?.envelope === envelope },
  ],
  allow: ({ id }) => [`/payments/${id}/envelope`],
});
const startOne = template('start-and-freeze', {
  about: 'Start an envelope and freeze another.',
  split: 'train',
  sample(s, random) {
    const e = random.pick(s.envelopes);
    return {
      frozen: e.id,
      old: e.name,
      title: random.pick(['Canoe', 'Piano lessons', 'Roof repair', 'Anniversary', 'Dentist', 'Road trip']),
      monthly: String(random.between(2, 30) * 5),
    };
  },
  setup(draft, { frozen }) {
    need(draft.envelopes, frozen, 'envelope').frozen = false;
  },
  instruction: ({ old, title, monthly }) =>
    say(
      old + title,
      `We're saving for something new: start an envelope "${title}" with ${monthly} a month. In return, freeze ${old}.`,
      `freeze ${old}, and new envelope ${title}, ${monthly} €/month`,
    ),
  checks: ({ frozen, old, title, monthly }) => [
    {
      name: `${title} is started`,
      test(final, initial) {
        const [e, ...rest] = added(initial.envelopes, final.envelopes);
        return rest.length === 0 && e?.name === title && e.monthly === Number(monthly) && e.start === 0 && !e.frozen;
      },
    },
    { name: `${old} is frozen`, test: final => find(final.envelopes, frozen)?.frozen === true },
  ],
  allow: ({ frozen }) => ['/envelopes/+', `/envelopes/${frozen}/frozen`],
});

const shops = [
  'Aldo’s',
  'Metro Pharmacy',
  'Green Grocer',
  'City Trains',
  'Bistro Lune',
  'Kino 3',
  'Pet Palace',
  'Book Nook',
  'Garage Ost',
  'Toy Barn',
];

export const app = defineApp({
  id: 'envelopes',
  title: 'Envelopes',
  about: 'A household budget in envelopes, with a bank feed and standing bills.',
  state,
  init(random) {
    const envelopes = ['Food', 'Getting around', 'Fun', 'Health', 'Holidays', 'Pets', 'Gifts', 'Clothes'].map(
      (name, at) => ({
        id: `e${at + 1}`,
        name,
        monthly: random.between(4, 60) * 5,
        start: random.between(20, 90) * 10,
        frozen: random.chance(0.2),
      }),
    );
    const slots = random.sample(
      shops.flatMap(payee => [3, 7, 9, 12, 18, 21].map(day => ({ payee, date: `${day} Oct` }))),
      20,
    );
    return {
      envelopes,
      payments: slots.map((slot, at) => ({
        id: `p${at + 1}`,
        ...slot,
        euros: random.between(3, 80),
        envelope: random.chance(0.6) ? random.pick(envelopes).id : null,
        checked: random.chance(0.4),
      })),
      transfers: [],
      bills: ['Landlord', 'Volta Energy', 'FastNet', 'Water Board', 'Gym Nine', 'Safe Insurance', 'Radio Office'].map(
        (payee, at) => ({
          id: `b${at + 1}`,
          payee,
          due: `${random.between(1, 28)} Nov`,
          euros: random.between(11, 640),
          contract: `${random.pick(['K', 'V', 'Z'])}-${random.between(10000, 99999)}`,
        }),
      ),
      ui: {
        tab: 'overview',
        envelope: '',
        payment: '',
        bill: '',
        query: '',
        unsorted: true,
        dialog: '',
        to: '',
        amount: '',
        monthly: '',
        title: '',
        error: '',
      },
    };
  },
  commands: [
    sort,
    tick,
    erase,
    transfer,
    budget,
    freeze,
    create,
    ledger,
    open,
    openEnvelope,
    openPayment,
    openBill,
    pop,
    only,
    type,
  ],
  view: s =>
    page('Envelopes', [
      s.ui.dialog === '' &&
        banner('Household', [
          button('Overview', open.with({ tab: 'overview' })),
          button(
            `Bank feed: ${s.payments.filter(p => p.envelope === null).length} to sort`,
            open.with({ tab: 'feed' }),
          ),
          button('Bills', open.with({ tab: 'bills' })),
        ]),
      s.ui.error !== '' && alert(s.ui.error),
      s.ui.tab === 'overview'
        ? overview(s)
        : s.ui.tab === 'envelope'
          ? envelope(s)
          : s.ui.tab === 'feed'
            ? feed(s)
            : s.ui.tab === 'payment'
              ? payment(s)
              : s.ui.tab === 'bills'
                ? bills(s)
                : bill(s),
    ]),
  templates: [moveMoney, sortIt, receipt, contract, match, startOne],
  onRefusal(draft, message) {
    draft.ui.error = message;
  },
});

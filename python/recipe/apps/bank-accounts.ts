// Harbour Savings Bank, online banking. Dashboard of accounts; payments are made in steps and reviewed; cards have limits.
import {
  added,
  alert,
  appKit,
  banner,
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
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const LIMITS = ['£100', '£250', '£500', '£1,000', '£2,500'] as const;
const EVERY = ['week', 'month', 'quarter'] as const;
const state = z.object({
  accounts: z.array(
    z.object({ id: z.string(), name: z.string(), number: z.string(), balance: z.int(), nickname: z.string() }),
  ),
  payees: z.array(z.object({ id: z.string(), name: z.string(), number: z.string() })),
  moves: z.array(z.object({ id: z.string(), account: z.string(), date: z.string(), what: z.string(), pence: z.int() })),
  orders: z.array(
    z.object({
      id: z.string(),
      payee: z.string(),
      from: z.string(),
      pounds: z.int(),
      every: z.enum(EVERY),
      paused: z.boolean(),
    }),
  ),
  cards: z.array(
    z.object({ id: z.string(), label: z.string(), limit: z.enum(LIMITS), frozen: z.boolean(), expired: z.boolean() }),
  ),
  ui: z.object({
    at: z.string(),
    id: z.string(),
    step: z.enum(['fill', 'review']),
    from: z.string(),
    payee: z.string(),
    pounds: z.string(),
    every: z.enum(EVERY),
    name: z.string(),
    number: z.string(),
    error: z.string(),
  }),
});
type Bank = z.infer<typeof state>;
const bank = appKit(state);
const money = (pence: number) =>
  `${pence < 0 ? '−' : ''}£${Math.floor(Math.abs(pence) / 100)}.${String(Math.abs(pence) % 100).padStart(2, '0')}`;

const addPayee = bank.command('add_payee', {
  about: 'Add somebody you can pay.',
  input: z.object({ name: z.string(), number: z.string() }),
  run(d, { name, number }) {
    if (name.trim() === '') refuse('Please enter the name of the payee.');
    if (!/^\d{8}$/.test(number)) refuse('An account number has eight digits.');
    d.payees.push({ id: nextId(d.payees, 'p'), name, number });
    Object.assign(d.ui, { name: '', number: '', error: '' });
  },
});
const dropPayee = bank.command('remove_payee', {
  about: 'Remove a payee. Not while a standing order pays them.',
  input: z.object({ payee: z.string() }),
  run(d, { payee }) {
    need(d.payees, payee, 'payee');
    if (d.orders.some(o => o.payee === payee)) refuse('A standing order pays this payee.');
    remove(d.payees, payee);
    d.ui.at = 'payees';
  },
});
const setUp = bank.command('set_up_order', {
  about: 'Set up a standing order. Accounts and payees are given by name.',
  input: z.object({ from: z.string(), payee: z.string(), pounds: z.string(), every: z.enum(EVERY) }),
  run(d, { from, payee, pounds, every }) {
    const a = d.accounts.find(x => x.name === from) ?? refuse('Please choose an account.');
    const p = d.payees.find(x => x.name === payee) ?? refuse('Please choose a payee.');
    if (!/^[1-9]\d{0,3}$/.test(pounds)) refuse('Please enter whole pounds.');
    d.orders.push({ id: nextId(d.orders, 'o'), payee: p.id, from: a.id, pounds: Number(pounds), every, paused: false });
    Object.assign(d.ui, { at: 'orders', error: '' });
  },
});
const pause = bank.command('pause_order', {
  about: 'Pause a standing order, or resume it.',
  input: z.object({ order: z.string() }),
  run(d, { order }) {
    const o = need(d.orders, order, 'standing order');
    o.paused = !o.paused;
  },
});
const payFrom = bank.command('pay_order_from', {
  about: 'Pay a standing order from another account.',
  input: z.object({ order: z.string(), value: z.string() }),
  run(d, { order, value }) {
    need(d.orders, order, 'standing order').from = (
      d.accounts.find(a => a.name === value) ?? refuse('No such account.')
    ).id;
  },
});
const limit = bank.command('set_card_limit', {
  about: 'Set the daily limit of a card.',
  input: z.object({ card: z.string(), value: z.enum(LIMITS) }),
  run(d, { card, value }) {
    const c = need(d.cards, card, 'card');
    if (c.expired) refuse('This card has expired.');
    c.limit = value;
  },
});
const freeze = bank.command('freeze_card', {
  about: 'Freeze a card, or unfreeze it.',
  input: z.object({ card: z.string() }),
  run(d, { card }) {
    const c = need(d.cards, card, 'card');
    if (c.expired) refuse('This card has expired.');
    c.frozen = !c.frozen;
  },
});
const statement = bank.query('statement', {
  about: 'Accounts, movements, payees, standing orders and cards.',
  input: z.object({}),
  run: b => ({
    accounts: b.accounts.map(a => ({ ...a, balance: money(a.balance) })),
    movements: b.moves.map(m => ({ ...m, account: find(b.accounts, m.account)?.name, amount: money(m.pence) })),
    payees: b.payees,
    orders: b.orders.map(o => ({ ...o, payee: find(b.payees, o.payee)?.name, from: find(b.accounts, o.from)?.name })),
    cards: b.cards,
  }),
});

const goTo = bank.gesture('go_to', {
  about: 'Go to a page.',
  input: z.object({ at: z.string(), id: z.string() }),
  run(d, { at, id }) {
    Object.assign(d.ui, {
      at,
      id,
      error: '',
      step: 'fill',
      from: '',
      payee: '',
      pounds: '',
      every: 'month',
      name: '',
      number: '',
    });
  },
});
const fill = bank.gesture('fill_in', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['from', 'payee', 'pounds', 'name', 'number']), value: z.string().max(40) }),
  run(d, { field, value }) {
    d.ui[field] = value;
  },
});
const often = bank.gesture('how_often', {
  about: 'Choose how often.',
  input: z.object({ value: z.enum(EVERY) }),
  run(d, { value }) {
    d.ui.every = value;
  },
});
const review = bank.gesture('review', {
  about: 'Review what was filled in, or go back.',
  input: z.object({ step: z.enum(['fill', 'review']) }),
  run(d, { step }) {
    d.ui.step = step;
  },
});

type Nodes = Parameters<typeof region>[1];
const pages: Record<string, (b: Bank) => Nodes> = {
  home: b => [
    heading('Good day'),
    ...b.accounts.map(a =>
      region(a.name, [link(a.name, goTo.with({ at: 'account', id: a.id })), text(`Balance ${money(a.balance)}`)]),
    ),
  ],
  account(b) {
    const a = need(b.accounts, b.ui.id, 'account');
    return [
      heading(a.name),
      text(`Account number ${a.number}`),
      text(`Available: ${money(a.balance)}`),
      table(
        'Latest movements',
        b.moves
          .filter(m => m.account === a.id)
          .map(m => row(m.what, [cell(m.date), cell(m.what), cell(money(m.pence))])),
      ),
    ];
  },
  payees: b => [
    heading('People and companies you pay'),
    list(
      'Payees',
      b.payees.map(p => link(p.name, goTo.with({ at: 'payee', id: p.id }))),
    ),
    form('Add a payee', [
      textbox('Name of the payee', b.ui.name, { enter: fill.entering({ field: 'name' }) }),
      textbox('Account number (8 digits)', b.ui.number, { enter: fill.entering({ field: 'number' }) }),
      button('Add payee', addPayee.with({ name: b.ui.name, number: b.ui.number })),
    ]),
  ],
  payee(b) {
    const p = need(b.payees, b.ui.id, 'payee');
    const isUsed = b.orders.some(o => o.payee === p.id);
    return [
      heading(p.name),
      text(`Account number ${p.number}`),
      isUsed ? text('Paid by a standing order') : button('Remove this payee', dropPayee.with({ payee: p.id })),
    ];
  },
  orders: b => [
    heading('Standing orders'),
    link('Set up a standing order', goTo.with({ at: 'new', id: '' })),
    list(
      'Your standing orders',
      b.orders.map(o => {
        const name = find(b.payees, o.payee)?.name ?? '';
        return listItem(`${name}, £${o.pounds} every ${o.every}`, [
          link(`${name} £${o.pounds}`, goTo.with({ at: 'order', id: o.id })),
          o.paused && text('paused'),
        ]);
      }),
    ),
  ],
  order(b) {
    const o = need(b.orders, b.ui.id, 'standing order');
    return [
      heading(`Standing order to ${find(b.payees, o.payee)?.name}`),
      text(`£${o.pounds} every ${o.every}`),
      combobox('Paid from', find(b.accounts, o.from)?.name ?? '', {
        enter: payFrom.entering({ order: o.id }),
        options: b.accounts.map(a => a.name),
      }),
      switchButton('Paused', o.paused, pause.with({ order: o.id })),
    ];
  },
  new: b =>
    b.ui.step === 'fill'
      ? [
          form('New standing order', [
            combobox('From account', b.ui.from, {
              enter: fill.entering({ field: 'from' }),
              options: b.accounts.map(a => a.name),
            }),
            combobox('To', b.ui.payee, {
              enter: fill.entering({ field: 'payee' }),
              options: b.payees.map(p => p.name),
            }),
            textbox('Amount in £', b.ui.pounds, { enter: fill.entering({ field: 'pounds' }) }),
            combobox('Every', b.ui.every, { enter: often.entering({}), options: [...EVERY] }),
            button('Continue to review', review.with({ step: 'review' })),
          ]),
        ]
      : [
          heading('Please review'),
          text(`£${b.ui.pounds} to ${b.ui.payee} every ${b.ui.every}, from ${b.ui.from}`),
          button('Confirm', setUp.with({ from: b.ui.from, payee: b.ui.payee, pounds: b.ui.pounds, every: b.ui.every })),
          button('Change', review.with({ step: 'fill' })),
        ],
  cards: b => [heading('Your cards'), ...b.cards.map(c => link(c.label, goTo.with({ at: 'card', id: c.id })))],
  card(b) {
    const c = need(b.cards, b.ui.id, 'card');
    return c.expired
      ? [
          heading(c.label),
          text('This card has expired and can no longer be managed.'),
          text(`Daily limit was ${c.limit}`),
        ]
      : [
          heading(c.label),
          combobox('Daily limit', c.limit, { enter: limit.entering({ card: c.id }), options: [...LIMITS] }),
          switchButton('Card frozen', c.frozen, freeze.with({ card: c.id })),
        ];
  },
};

const cardLimit = bank.template('card-limit', {
  about: 'Set the limit of a card that may have expired.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ valid }) => valid,
  sample(b, random) {
    const c = random.pick(b.cards);
    return {
      id: c.id,
      label: c.label,
      limit: random.pick(LIMITS.filter(l => l !== c.limit)),
      valid: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(d, { id, valid }) {
    need(d.cards, id, 'card').expired = !valid;
  },
  instruction: ({ label, limit, way }) =>
    [
      `Set the daily limit of ${label} to ${limit}.`,
      `I'm going to buy furniture with ${label}. Its limit per day has to be ${limit}.`,
      `${label}: ${limit} a day please`,
    ][way]!,
  checks: ({ id, limit }) => [{ name: 'the limit', test: final => find(final.cards, id)?.limit === limit }],
  allow: ({ id }) => [`/cards/${id}/limit`],
  shown: ({ ui }, { id }) => ui.at === 'card' && ui.id === id,
});
const newPayee = bank.template('new-payee', {
  about: 'Add a payee.',
  split: 'train',
  sample: (_, random) => ({
    name: random.pick(['Ferris Plumbing', 'Ms J. Lark', 'Dance Studio Nine', 'Upton Vets', 'Orchard Nursery']),
    number: String(random.between(20000000, 99999999)),
    way: random.between(0, 2),
  }),
  instruction: ({ name, number, way }) =>
    [
      `Add ${name} as a payee, account number ${number}.`,
      `I'll have to pay ${name} soon. Their account is ${number}. Save them so I can, but don't pay anything yet.`,
      `payee: ${name} / ${number}`,
    ][way]!,
  checks: ({ name, number }) => [
    {
      name: 'the payee is there',
      test(final, initial) {
        const fresh = added(initial.payees, final.payees);
        return fresh.length === 1 && fresh[0]!.name === name && fresh[0]!.number === number;
      },
    },
  ],
  allow: () => ['/payees/+'],
});
const removePayee = bank.template('remove-payees', {
  about: 'Remove two payees.',
  split: 'train',
  sample(b, random) {
    const [x, y] = random.sample(
      b.payees.filter(p => !b.orders.some(o => o.payee === p.id)),
      2,
    );
    return { ids: [x!.id, y!.id], name: x!.name, second: y!.name, way: random.between(0, 2) };
  },
  instruction: ({ name, second, way }) =>
    [
      `Remove ${name} and ${second} from my payees.`,
      `I will never pay ${name} again, nor ${second}, so take them off the list.`,
      `delete payees ${name}, ${second}`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `gone ${at + 1}`, test: (final: Bank) => find(final.payees, id) === undefined })),
  allow: ({ ids }) => ids.map(id => `/payees/${id}`),
});
const standing = bank.template('standing-order', {
  about: 'Set up a standing order.',
  split: 'train',
  sample(b, random) {
    const a = random.pick(b.accounts);
    const p = random.pick(b.payees);
    return {
      a: a.id,
      from: a.name,
      p: p.id,
      payee: p.name,
      pounds: String(random.between(11, 480)),
      every: random.pick(EVERY),
      way: random.between(0, 2),
    };
  },
  instruction: ({ from, payee, pounds, every, way }) =>
    [
      `Set up a standing order: £${pounds} every ${every} to ${payee}, from ${from}.`,
      `From ${from} I want to pay ${payee} ${pounds} pounds each ${every}, automatically.`,
      `standing order pls, ${from} -> ${payee}, ${pounds} pounds, every ${every}`,
    ][way]!,
  checks: ({ a, p, pounds, every }) => [
    {
      name: 'the order is there',
      test(final, initial) {
        const [o, ...rest] = added(initial.orders, final.orders);
        return (
          rest.length === 0 &&
          o?.from === a &&
          o.payee === p &&
          o.pounds === Number(pounds) &&
          o.every === every &&
          !o.paused
        );
      },
    },
  ],
  allow: () => ['/orders/+'],
});
const holdAll = bank.template('pause-orders-of-account', {
  about: 'Pause all standing orders of an account.',
  split: 'train',
  sample(b, random) {
    const a = random.pick(b.accounts);
    return {
      a: a.id,
      from: a.name,
      other: b.accounts.find(x => x.id !== a.id)!.id,
      ids: random.sample(b.orders, 2).map(o => o.id),
      way: random.between(0, 2),
    };
  },
  setup(d, { a, other, ids }) {
    for (const o of d.orders) {
      if (ids.includes(o.id)) Object.assign(o, { from: a, paused: false });
      else if (o.from === a) o.from = other;
    }
  },
  instruction: ({ from, way }) =>
    [
      `Pause every standing order that is paid from ${from}.`,
      `${from} will be nearly empty this month. Put the standing orders that come out of it on hold, the others can go on.`,
      `hold all standing orders from ${from}`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `paused ${at + 1}`, test: (final: Bank) => find(final.orders, id)?.paused === true })),
  allow: ({ ids }) => ids.map(id => `/orders/${id}/paused`),
});
const howMuch = bank.template('date-of-payment', {
  about: 'Say when something was paid.',
  split: 'train',
  sample(b, random) {
    const m = random.pick(b.moves);
    return { id: m.id, what: m.what, account: m.account, way: random.between(0, 2) };
  },
  instruction: ({ what, way }) =>
    [
      `What date was the payment "${what}"?`,
      `On which day did ${what} come off one of my accounts? I don't know which one.`,
      `date of the movement ${what}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, b) => need(b.moves, id, 'movement').date,
  shown: ({ ui }, { account }) => ui.at === 'account' && ui.id === account,
});
const fromWhereItWas = bank.template('pay-from-the-same', {
  about: 'Pay an order from the account that another one is paid from.',
  split: 'train',
  sample(b, random) {
    const [x, y] = random.sample(b.orders, 2);
    const [right, wrong] = random.sample(b.accounts, 2);
    return {
      id: x!.id,
      other: y!.id,
      right: right!.id,
      wrong: wrong!.id,
      way: random.between(0, 2),
      name: `${need(b.payees, x!.payee, 'payee').name}`,
      named: `${need(b.payees, y!.payee, 'payee').name}`,
    };
  },
  setup(d, { id, other, right, wrong }) {
    need(d.orders, id, 'order').from = wrong;
    need(d.orders, other, 'order').from = right;
  },
  instruction: ({ name, named, way }) =>
    [
      `The standing order to ${name} should come from the same account as the one to ${named}.`,
      `Find out which account pays ${named} and let it pay the standing order for ${name} too.`,
      `${name} standing order: switch to the account ${named} is paid from`,
    ][way]!,
  checks: ({ id, right }) => [{ name: 'the account', test: final => find(final.orders, id)?.from === right }],
  allow: ({ id }) => [`/orders/${id}/from`],
});

const PAYEES = [
  'Harbour Gym',
  'Harbour Water',
  'Northlight Energy',
  'Northgate School',
  'R. Abara',
  'R. Abbott',
  'Tidy Windows',
  'Meadow Rent',
  'Choir Fund',
  'Seaview Dental',
  'Seaview Garage',
  'Tidy Gardens',
  'K. Lindo',
  'Allotment Society',
  'Meadow Nursery',
  'Piano Lessons',
  'Parish Council',
  'Kite Broadband',
  'Kite Insurance',
  'Old Mill Dairy',
];
const SHOPS = [
  'Corner Grocer',
  'Corner Bakery',
  'Rail tickets',
  'Rail refund',
  'Bookshop',
  'Pharmacy',
  'Cinema',
  'Petrol',
  'Shoe repair',
  'Phone bill',
  'Library fine',
  'Hardware store',
  'Florist',
  'Parking',
];
export const app = defineApp({
  id: 'bank-accounts',
  title: 'Harbour Savings Bank',
  about: 'Online banking: accounts, payees, standing orders and cards.',
  state,
  init(random) {
    const accounts = random
      .shuffle(['Everyday', 'Everyday joint', 'Holiday pot', 'Rainy day', 'House fund'])
      .map((name, at) => ({
        id: `a${at + 1}`,
        name,
        number: String(random.between(10000000, 19999999)),
        balance: random.between(2000, 900000),
        nickname: '',
      }));
    const payees = random
      .shuffle(PAYEES)
      .map((name, at) => ({ id: `p${at + 1}`, name, number: String(random.between(20000000, 99999999)) }));
    return {
      accounts,
      payees,
      moves: random.shuffle(SHOPS).map((what, at) => ({
        id: `m${at + 1}`,
        account: random.pick(accounts).id,
        date: `${random.between(1, 28)} ${random.pick(['August', 'September', 'October'])}`,
        what,
        pence: -random.between(150, 9900),
      })),
      orders: random.sample(payees, 11).map((p, at) => ({
        id: `o${at + 1}`,
        payee: p.id,
        from: random.pick(accounts).id,
        pounds: random.between(2, 60) * 5,
        every: random.pick(EVERY),
        paused: random.chance(0.2),
      })),
      cards: random
        .shuffle([
          'Debit card 4471',
          'Debit card 4417',
          'Credit card 9020',
          'Credit card 9002',
          'Travel card 3315',
          'Kids card 8080',
        ])
        .map((label, at) => ({
          id: `k${at + 1}`,
          label,
          limit: random.pick(LIMITS),
          frozen: random.chance(0.2),
          expired: random.chance(0.2),
        })),
      ui: {
        at: 'home',
        id: '',
        step: 'fill' as const,
        from: '',
        payee: '',
        pounds: '',
        every: 'month' as const,
        name: '',
        number: '',
        error: '',
      },
    };
  },
  commands: [addPayee, dropPayee, setUp, pause, payFrom, limit, freeze, statement, goTo, fill, often, review],
  view: b =>
    page('Harbour Savings Bank', [
      banner('Harbour Savings Bank', [text('You are signed in')]),
      navigation('Main', [
        link('Overview', goTo.with({ at: 'home', id: '' })),
        link('Payees', goTo.with({ at: 'payees', id: '' })),
        link('Standing orders', goTo.with({ at: 'orders', id: '' })),
        link('Cards', goTo.with({ at: 'cards', id: '' })),
      ]),
      b.ui.error !== '' && alert(b.ui.error),
      region('Content', pages[b.ui.at]!(b)),
    ]),
  templates: [cardLimit, newPayee, removePayee, standing, holdAll, howMuch, fromWhereItWas],
  onRefusal(d, message) {
    d.ui.error = message;
  },
});

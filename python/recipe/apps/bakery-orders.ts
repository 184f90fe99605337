// Bakery order pad: tickets by pick-up day, a production sheet that sums them, and a ticket form with lines.
import {
  added,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  list,
  listItem,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  status,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const GOODS = [
  'rye loaf',
  'rye rolls',
  'seeded loaf',
  'milk rolls',
  'plum tart',
  'apple tart',
  'brioche',
  'baguette',
] as const;
const DAYS = ['Thu', 'Fri', 'Sat', 'Sun'] as const;
const state = z.object({
  tickets: z.array(
    z.object({
      id: z.string(),
      who: z.string(),
      day: z.enum(DAYS),
      good: z.enum(GOODS),
      count: z.int(),
      sliced: z.boolean(),
      paid: z.boolean(),
      ready: z.boolean(),
    }),
  ),
  goods: z.array(
    z.object({ id: z.string(), name: z.string(), cents: z.int(), soldOut: z.boolean(), allergens: z.string() }),
  ),
  ui: z.object({
    day: z.string(),
    view: z.string(),
    expanded: z.string(),
    confirm: z.string(),
    who: z.string(),
    good: z.string(),
    on: z.string(),
    count: z.int(),
    sliced: z.boolean(),
    bar: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const count = command('change_count', {
  about: 'Order one more or one fewer on a ticket.',
  input: z.object({ id: z.string(), by: z.union([z.literal(1), z.literal(-1)]) }),
  run(draft, { id, by }) {
    const t = need(draft.tickets, id, 'ticket');
    if (t.count + by < 1) refuse('Bin the ticket instead.');
    t.count += by;
  },
});
const day = command('change_day', {
  about: 'Change the pick-up day of a ticket.',
  input: z.object({ id: z.string(), value: z.enum(DAYS) }),
  run(draft, { id, value }) {
    need(draft.tickets, id, 'ticket').day = value;
  },
});
const swap = command('change_good', {
  about: 'Change what a ticket is for.',
  input: z.object({ id: z.string(), value: z.enum(GOODS) }),
  run(draft, { id, value }) {
    if (draft.goods.find(g => g.name === value)?.soldOut) refuse(`Sorry, no more ${value} this week`);
    need(draft.tickets, id, 'ticket').good = value;
  },
});
const flag = command('flag_ticket', {
  about: 'Flip a tick box of a ticket.',
  input: z.object({ id: z.string(), what: z.enum(['sliced', 'paid', 'ready']) }),
  run(draft, { id, what }) {
    const t = need(draft.tickets, id, 'ticket');
    t[what] = !t[what];
  },
});
const bin = command('bin_ticket', {
  about: 'Bin a ticket.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.tickets, id, 'ticket');
    remove(draft.tickets, id);
    Object.assign(draft.ui, { confirm: '', expanded: '' });
  },
});
const take = command('take_order', {
  about: 'Take an order.',
  input: z.object({
    who: z.string().min(2),
    good: z.enum(GOODS),
    day: z.enum(DAYS),
    count: z.int().min(1).max(40),
    sliced: z.boolean(),
  }),
  run(draft, { who, good, day: on, count: n, sliced }) {
    if (draft.goods.find(g => g.name === good)?.soldOut) refuse(`Sorry, no more ${good} this week`);
    draft.tickets.push({
      id: nextId(draft.tickets, 't'),
      who,
      good,
      day: on,
      count: n,
      sliced,
      paid: false,
      ready: false,
    });
    Object.assign(draft.ui, { view: 'pad', day: on, who: '', good: '', on: '', count: 1, sliced: false });
  },
});
const soldOut = command('toggle_sold_out', {
  about: 'Mark something as sold out for the week, or as available again.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const g = need(draft.goods, id, 'good');
    g.soldOut = !g.soldOut;
  },
});
const pad = query('read_pad', {
  about: 'All tickets and all goods.',
  input: z.object({}),
  run: ({ tickets, goods }) => ({ tickets, goods }),
});
const see = gesture('see', {
  about: 'Switch what is shown.',
  input: z.object({ view: z.string(), day: z.string() }),
  run(draft, { view, day: d }) {
    Object.assign(draft.ui, { view, day: d, expanded: '', confirm: '', bar: '' });
  },
});
const expand = gesture('expand', {
  about: 'Unfold a ticket.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { expanded: draft.ui.expanded === id ? '' : id, bar: '' });
  },
});
const sure = gesture('sure', {
  about: 'Ask before binning.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    draft.ui.confirm = id;
  },
});
const scribble = gesture('scribble', {
  about: 'Write on the new ticket.',
  input: z.object({ field: z.enum(['who', 'good', 'on']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const tally = gesture('tally', {
  about: 'Count on the new ticket.',
  input: z.object({ by: z.int() }),
  run(draft, { by }) {
    draft.ui.count = Math.max(1, Math.min(40, draft.ui.count + by));
  },
});
const knife = gesture('knife', {
  about: 'Slice it or not.',
  input: z.object({}),
  run(draft) {
    draft.ui.sliced = !draft.ui.sliced;
  },
});

const views: Record<string, (s: State) => unknown[]> = {
  pad(s) {
    const todays = s.tickets.filter(t => t.day === s.ui.day).toSorted((a, b) => a.who.localeCompare(b.who));
    return [
      toolbar(
        'Pick-up day',
        DAYS.map(d => button(d, see.with({ view: 'pad', day: d }), d === s.ui.day ? ['pressed'] : [])),
      ),
      list(
        `${todays.length} tickets for ${s.ui.day}`,
        todays.map(t =>
          listItem(t.who, [
            button(
              `${t.who}: ${t.count} × ${t.good}`,
              expand.with({ id: t.id }),
              t.id === s.ui.expanded ? ['expanded'] : [],
            ),
            t.id === s.ui.expanded && button('one fewer', count.with({ id: t.id, by: -1 })),
            t.id === s.ui.expanded && button('one more', count.with({ id: t.id, by: 1 })),
            t.id === s.ui.expanded &&
              combobox('what', t.good, { enter: swap.entering({ id: t.id }), options: [...GOODS] }),
            t.id === s.ui.expanded && combobox('day', t.day, { enter: day.entering({ id: t.id }), options: [...DAYS] }),
            t.id === s.ui.expanded && checkbox('sliced', t.sliced, flag.with({ id: t.id, what: 'sliced' })),
            t.id === s.ui.expanded && checkbox('paid', t.paid, flag.with({ id: t.id, what: 'paid' })),
            t.id === s.ui.expanded && checkbox('bagged', t.ready, flag.with({ id: t.id, what: 'ready' })),
            button(`bin ${t.who}`, sure.with({ id: t.id })),
          ]),
        ),
      ),
    ];
  },
  sheet: s => [
    heading('To bake'),
    table(
      'Pieces per day',
      GOODS.map(g =>
        row(g, [
          cell(g),
          ...DAYS.map(d =>
            cell(`${d} ${s.tickets.filter(t => t.good === g && t.day === d).reduce((n, t) => n + t.count, 0)}`),
          ),
        ]),
      ),
    ),
  ],
  goods: s => [
    heading('What we make'),
    ...s.goods.map(g =>
      region(g.name, [
        text(`${(g.cents / 100).toFixed(2)} each`),
        text(`contains ${g.allergens}`),
        checkbox(`${g.name} sold out`, g.soldOut, soldOut.with({ id: g.id })),
      ]),
    ),
  ],
  take: s => [
    heading('New ticket'),
    textbox('name', s.ui.who, { enter: scribble.entering({ field: 'who' }) }),
    combobox('what', s.ui.good, {
      enter: scribble.entering({ field: 'good' }),
      options: s.goods.filter(g => !g.soldOut).map(g => g.name),
    }),
    combobox('day', s.ui.on, { enter: scribble.entering({ field: 'on' }), options: [...DAYS] }),
    region('how many', [
      button('−', tally.with({ by: -1 })),
      text(String(s.ui.count)),
      button('+', tally.with({ by: 1 })),
    ]),
    checkbox('sliced', s.ui.sliced, knife.with({})),
    s.ui.who !== '' &&
      s.ui.good !== '' &&
      s.ui.on !== '' &&
      button(
        'pin to the board',
        take.with({
          who: s.ui.who,
          good: s.ui.good as 'brioche',
          day: s.ui.on as 'Fri',
          count: s.ui.count,
          sliced: s.ui.sliced,
        }),
      ),
  ],
};

const otherDay = template('other-day', {
  about: 'Change the pick-up day of a ticket.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tickets);
    return { id: t.id, who: t.who, day: random.pick(DAYS.filter(d => d !== t.day)), way: random.between(0, 3) };
  },
  instruction: ({ who, day: d, way }) =>
    [
      `${who} comes on ${d} instead`,
      `Ticket of ${who}: pick-up ${d}.`,
      `Phone call from ${who}: can't make it on the day we agreed, could we keep it for ${d}? I said sure.`,
      `${who} -> ${d}`,
    ][way]!,
  checks: ({ id, day: d }) => [{ name: d, test: final => find(final.tickets, id)?.day === d }],
  allow: ({ id }) => [`/tickets/${id}/day`],
});
const extra = template('one-or-two-more', {
  about: 'Order more or fewer on a ticket.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tickets);
    return {
      id: t.id,
      who: t.who,
      good: t.good,
      by: random.pick([-1, 1, 2, 3]),
      from: t.count,
      way: random.between(0, 1),
    };
  },
  setup(draft, { id, from }) {
    need(draft.tickets, id, 'ticket').count = from + 3;
  },
  instruction: ({ who, good, by, from, way }) =>
    by < 0
      ? [`${who} needs one ${good} less.`, `Make it ${from + 3 + by} for ${who}, not ${from + 3}.`][way]!
      : [
          `${who} needs ${by} more (${good}), on top of what's on the ticket.`,
          `${who} has visitors: ${from + 3 + by} in all please instead of ${from + 3}`,
        ][way]!,
  checks: ({ id, by, from }) => [{ name: 'count', test: final => find(final.tickets, id)?.count === from + 3 + by }],
  allow: ({ id }) => [`/tickets/${id}/count`],
});
const bagged = template('bag-good-of-day', {
  about: 'Tick the tickets of a day for one good as bagged.',
  split: 'train',
  sample(s, random) {
    return {
      ids: random.sample(s.tickets, 2).map(t => t.id),
      day: random.pick(DAYS),
      good: random.pick(GOODS),
      way: random.between(0, 2),
    };
  },
  setup(draft, { ids, day: d, good }) {
    for (const t of draft.tickets) {
      if (ids.includes(t.id)) Object.assign(t, { day: d, good, ready: false });
      else if (t.day === d && t.good === good) t.good = good === 'brioche' ? 'baguette' : 'brioche';
    }
  },
  instruction: ({ day: d, good, way }) =>
    [
      `All ${d} orders of ${good} are bagged.`,
      `The ${good} for ${d} came out of the oven and is packed. Tick every ticket it's for.`,
      `bagged: ${good}, ${d} (all of them)`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `bagged ${at + 1}`, test: final => find(final.tickets, id)?.ready === true })),
  allow: ({ ids }) => ids.map(id => `/tickets/${id}/ready`),
});
const order = template('take-order', {
  about: 'Take an order.',
  split: 'train',
  sample(s, random) {
    return {
      who: random.pick(['Frau Ilg', 'Kofi', 'Bruno S.', 'Dr. Wendt', 'the kindergarten', 'Marlies']),
      good: random.pick(s.goods.filter(g => !g.soldOut)).name,
      day: random.pick(DAYS),
      sliced: random.chance(0.4),
      way: random.between(0, 2),
    };
  },
  instruction: ({ who, good, day: d, sliced, way }) =>
    [
      `Order for ${who}: one ${good} on ${d}${sliced ? ', sliced' : ''}`,
      `${who} would like a single ${good} for ${d}. ${sliced ? 'Sliced, please.' : 'Not sliced.'}`,
      `${d} / ${who} / 1 ${good}${sliced ? ' / sliced' : ''} — write a ticket`,
    ][way]!,
  checks: ({ who, good, day: d, sliced }) => [
    {
      name: 'ticket',
      test(final, initial) {
        const [t, ...rest] = added(initial.tickets, final.tickets);
        return (
          rest.length === 0 &&
          t?.who === who &&
          t.good === good &&
          t.day === d &&
          t.count === 1 &&
          t.sliced === sliced &&
          !t.paid &&
          !t.ready
        );
      },
    },
  ],
  allow: () => ['/tickets/+'],
});
const binned = template('bin-ticket', {
  about: 'Bin the ticket of a customer.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tickets);
    return { id: t.id, who: t.who, way: random.between(0, 2) };
  },
  instruction: ({ who, way }) =>
    [
      `${who} doesn't want anything after all.`,
      `bin ${who}'s ticket`,
      `Cancel the order of ${who}, they're going on holiday.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'binned', test: final => find(final.tickets, id) === undefined }],
  allow: ({ id }) => [`/tickets/${id}`],
});
const allergens = template('allergens-of-order', {
  about: 'Say what the order of a customer contains.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tickets);
    return { id: t.id, who: t.who, day: t.day, way: random.between(0, 2) };
  },
  instruction: ({ who, day: d, way }) =>
    [
      `${who} (${d}) asks what allergens are in the thing they ordered. Copy what it says after "contains".`,
      `which allergens does the ${d} order of ${who} contain`,
      `Someone at ${who}'s place is allergic. Look up what they get on ${d} and tell me what it contains, as written.`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => s.goods.find(g => g.name === need(s.tickets, id, 'ticket').good)!.allergens,
  shown: ({ ui }, { day: d }) => [ui.view === 'pad' && ui.day === d, ui.view === 'goods'],
});
const bakeHowMany = template('how-many-to-bake', {
  about: 'Say how many pieces are to be baked for a day.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tickets);
    return { good: t.good, day: t.day, way: random.between(0, 2) };
  },
  instruction: ({ good, day: d, way }) =>
    [
      `How many ${good} do we bake for ${d}, in pieces?`,
      `${d}, ${good}: total?`,
      `I'm setting the dough for ${good}. What number do we need on ${d}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ good, day: d }, s) =>
    String(s.tickets.filter(t => t.good === good && t.day === d).reduce((n, t) => n + t.count, 0)),
  shown: ({ ui }) => ui.view === 'sheet',
});
const rather = template('swap-maybe-sold-out', {
  about: 'Change what a ticket is for, to something that may be sold out.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ there }) => there,
  sample(s, random) {
    const t = random.pick(s.tickets);
    const g = random.pick(s.goods.filter(x => x.name !== t.good));
    return { id: t.id, who: t.who, good: g.name, goodId: g.id, there: random.chance(0.5), way: random.between(0, 2) };
  },
  setup(draft, { goodId, there }) {
    need(draft.goods, goodId, 'good').soldOut = !there;
  },
  instruction: ({ who, good, way }) =>
    [
      `${who} would rather have ${good}`,
      `Change ${who}'s ticket to ${good}, same number. If it's sold out there is nothing we can do.`,
      `swap: ${who} gets ${good} instead`,
    ][way]!,
  checks: ({ id, good }) => [{ name: good, test: final => find(final.tickets, id)?.good === good }],
  allow: ({ id }) => [`/tickets/${id}/good`],
  shown: ({ ui }, { good }) => ui.view === 'goods' || ui.bar.endsWith(`no more ${good} this week`),
});

export const app = defineApp({
  id: 'bakery-orders',
  title: 'Order pad',
  about: 'The order pad of a bakery.',
  state,
  init(random) {
    const stuff = random.shuffle([
      'gluten, milk',
      'gluten',
      'gluten, egg, milk',
      'gluten, sesame',
      'gluten, nuts',
      'gluten, egg',
      'gluten, milk, nuts',
      'gluten, soy',
    ]);
    return {
      tickets: random
        .shuffle([
          'Herr Maier',
          'Frau Maier',
          'Frau Mayer',
          'Café Anton',
          'Antonia',
          'Toni',
          'Mrs Bloom',
          'Blum',
          'Okan',
          'the choir',
          'the rowing club',
          'Sabine K.',
          'Sabine L.',
          'Pastor Ruhl',
          'Jette',
        ])
        .map((who, at) => ({
          id: `t${at + 1}`,
          who,
          day: random.pick(DAYS),
          good: random.pick(GOODS),
          count: random.between(1, 12),
          sliced: random.chance(0.3),
          paid: random.chance(0.5),
          ready: random.chance(0.2),
        })),
      goods: random.shuffle(GOODS).map((name, at) => ({
        id: `g${at + 1}`,
        name,
        cents: random.between(8, 90) * 10,
        soldOut: at === 7,
        allergens: stuff[at]!,
      })),
      ui: {
        day: 'Thu',
        view: 'pad',
        expanded: '',
        confirm: '',
        who: '',
        good: '',
        on: '',
        count: 1,
        sliced: false,
        bar: '',
      },
    };
  },
  commands: [count, day, swap, flag, bin, take, soldOut, pad, see, expand, sure, scribble, tally, knife],
  view(s) {
    if (s.ui.confirm !== '')
      return page('Order pad', [
        dialog(`Bin the ticket of ${need(s.tickets, s.ui.confirm, 'ticket').who}?`, [
          button('bin it', bin.with({ id: s.ui.confirm })),
          button('oops, no', sure.with({ id: '' })),
        ]),
      ]);
    return page('Order pad', [
      s.ui.bar !== '' && status(s.ui.bar),
      ...(views[s.ui.view]!(s) as ReturnType<typeof text>[]),
      toolbar('pad', [
        button('new ticket', see.with({ view: 'take', day: s.ui.day })),
        button('board', see.with({ view: 'pad', day: s.ui.day })),
        button('baking sheet', see.with({ view: 'sheet', day: s.ui.day })),
        button('goods', see.with({ view: 'goods', day: s.ui.day })),
      ]),
    ]);
  },
  templates: [otherDay, extra, bagged, order, binned, allergens, bakeHowMany, rather],
  onRefusal(draft, message) {
    draft.ui.bar = message;
  },
});

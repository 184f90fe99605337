import {
  added,
  alert,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  paginate,
  radio,
  refuse,
  region,
  row,
  status,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

// Wine on its way through customs: consignments with papers behind buttons, duty rates by kind, seals and holds.
const kinds = ['still', 'sparkling', 'fortified', 'low alcohol'];
const ports = ['Antwerp', 'Rotterdam', 'Felixstowe', 'Hull', 'Leith'];
const depots = ['Shed A', 'Shed B', 'Bonded vault 1', 'Bonded vault 2', 'Quay 9'];
const papers = ['origin', 'analysis', 'organic', 'invoice'] as const;
const paperNames = {
  origin: 'Certificate of origin',
  analysis: 'Lab analysis',
  organic: 'Organic seal',
  invoice: 'Commercial invoice',
};
const estates = [
  'Casa Ferro',
  'Casal Verde',
  'Domaine Roche',
  'Roche Noire',
  'Weingut Stein',
  'Steinberg',
  'Bodega Luz',
  'Luzia',
];
const grapes = ['Tinto', 'Branco', 'Rosé', 'Brut'];

const consignment = z.object({
  id: z.string(),
  mark: z.string(),
  wine: z.string(),
  port: z.string(),
  depot: z.string(),
  cases: z.int(),
  kind: z.string(),
  stage: z.enum(['waiting', 'held', 'released', 'refused']),
  holdNote: z.string(),
  origin: z.boolean(),
  analysis: z.boolean(),
  organic: z.boolean(),
  invoice: z.boolean(),
});
const rate = z.object({ id: z.string(), kind: z.string(), pence: z.int(), broker: z.string() });
const inspection = z.object({ id: z.string(), mark: z.string(), officer: z.string(), bottles: z.string() });
const state = z.object({
  consignments: z.array(consignment),
  rates: z.array(rate),
  inspections: z.array(inspection),
  ui: z.object({
    area: z.enum(['gate', 'quay', 'tariff']),
    find: z.string(),
    sheet: z.int(),
    open: z.string().nullable(),
    flap: z.enum(['none', 'papers', 'storage', 'inspection']),
    tariff: z.string().nullable(),
    asking: z.boolean(),
    officer: z.string(),
    bottles: z.string(),
    stampNote: z.string(),
  }),
});
type Customs = z.infer<typeof state>;
type Consignment = z.infer<typeof consignment>;
const { command, gesture, query, template } = appKit(state);
const officers = ['Officer Bligh', 'Officer Blythe', 'Officer Marsh', 'Officer Marshall'];

const release = command('release', {
  about: 'Release a consignment whose origin and invoice papers are in.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const goods = need(draft.consignments, id, 'consignment');
    if (goods.stage === 'held') refuse(`${goods.mark} is held: ${goods.holdNote}.`);
    if (!goods.origin || !goods.invoice) refuse('Certificate of origin and commercial invoice must be in.');
    goods.stage = 'released';
    Object.assign(draft.ui, { asking: false, stampNote: '' });
  },
});
const liftHold = command('lift_hold', {
  about: 'Lift the hold on a consignment.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const goods = need(draft.consignments, id, 'consignment');
    if (goods.stage !== 'held') refuse('There is no hold.');
    Object.assign(goods, { stage: 'waiting', holdNote: '' });
    draft.ui.stampNote = '';
  },
});
const paper = command('file_paper', {
  about: 'Say whether a paper of a consignment is in.',
  input: z.object({ id: z.string(), paper: z.enum(papers), present: z.boolean() }),
  run(draft, input) {
    need(draft.consignments, input.id, 'consignment')[input.paper] = input.present;
  },
});
const store = command('store_at', {
  about: 'Store a consignment at a depot.',
  input: z.object({ id: z.string(), depot: z.string() }),
  run(draft, { id, depot }) {
    if (!depots.includes(depot)) refuse('There is no such depot.');
    need(draft.consignments, id, 'consignment').depot = depot;
  },
});
const classify = command('classify', {
  about: 'Put a consignment under a kind of the tariff.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    need(draft.consignments, id, 'consignment').kind = value;
  },
});
const order = command('order_inspection', {
  about: 'Order an inspection of a consignment.',
  input: z.object({ mark: z.string(), officer: z.string(), bottles: z.string() }),
  run(draft, { mark, officer, bottles }) {
    if (officer === '' || bottles === '') refuse('Officer and number of bottles are needed.');
    draft.inspections.push({ id: nextId(draft.inspections, 'i'), mark, officer, bottles });
    Object.assign(draft.ui, { officer: '', bottles: '', flap: 'none' });
  },
});
const search = query('search_consignments', {
  about: 'Consignments whose mark or wine contains a text, and the tariff.',
  input: z.object({ text: z.string() }),
  run: (customs, input) => ({ consignments: matching(customs, input.text), tariff: customs.rates }),
});
const goTo = gesture('go_to_area', {
  about: 'Go to the quay list or to the tariff.',
  input: z.object({ area: z.enum(['gate', 'quay', 'tariff']) }),
  run(draft, { area }) {
    Object.assign(draft.ui, {
      area,
      find: '',
      sheet: 1,
      open: null,
      flap: 'none',
      tariff: null,
      asking: false,
      stampNote: '',
    });
  },
});
const lookFor = gesture('look_for', {
  about: 'Type a mark or a wine.',
  input: z.object({ value: z.string().max(40) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { find: value, sheet: 1 });
  },
});
const turn = gesture('turn_sheet', {
  about: 'Turn to another sheet of the list.',
  input: z.object({ sheet: z.int() }),
  run(draft, { sheet }) {
    draft.ui.sheet = sheet;
  },
});
const openOne = gesture('open_consignment', {
  about: 'Open a consignment, or go back to the list.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { open: id, flap: 'none', asking: false, officer: '', bottles: '', stampNote: '' });
  },
});
const lift = gesture('lift_flap', {
  about: 'Lift a flap of the docket.',
  input: z.object({ flap: z.enum(['none', 'papers', 'storage', 'inspection']) }),
  run(draft, { flap }) {
    draft.ui.flap = draft.ui.flap === flap ? 'none' : flap;
  },
});
const ask = gesture('ask_release', {
  about: 'Ask whether to stamp, or do not.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    Object.assign(draft.ui, { asking: on, stampNote: '' });
  },
});
const readTariff = gesture('read_tariff', {
  about: 'Read the tariff of a kind.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    draft.ui.tariff = id;
  },
});
const choose = gesture('choose', {
  about: 'Choose something for the inspection.',
  input: z.object({ field: z.enum(['officer', 'bottles']), value: z.string() }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function matching({ consignments }: Customs, wanted: string): Consignment[] {
  return consignments.filter(({ mark, wine }) => `${mark} ${wine}`.toLowerCase().includes(wanted.toLowerCase()));
}

function quay(customs: Customs) {
  const { ui } = customs;
  const shown = paginate(matching(customs, ui.find), ui.sheet, 6);
  return region('Quay list', [
    textbox('Mark or wine', ui.find, { enter: lookFor.entering({}) }),
    table(
      `${shown.total} consignments`,
      shown.items.map(item =>
        row(item.mark, [
          link(`${item.mark}, ${item.wine}`, openOne.with({ id: item.id })),
          cell(`from ${item.port}`),
          cell(`${item.cases} cases`),
          cell(item.stage),
        ]),
      ),
    ),
    text(`Sheet ${shown.page} of ${shown.pages}`),
    shown.page > 1 && button('Sheet before', turn.with({ sheet: shown.page - 1 })),
    shown.page < shown.pages && button('Sheet after', turn.with({ sheet: shown.page + 1 })),
  ]);
}

function flapOf({ ui, inspections }: Customs, goods: Consignment) {
  const { id, mark } = goods;
  if (ui.flap === 'papers')
    return region(
      'Papers that are in',
      papers.map(name =>
        checkbox(paperNames[name], goods[name], paper.with({ id, paper: name, present: !goods[name] })),
      ),
    );
  if (ui.flap === 'storage')
    return region(
      'Stored at',
      depots.map(depot => radio(depot, depot === goods.depot, store.with({ id, depot }))),
    );
  const { officer, bottles } = ui;
  return region('Inspection', [
    ...inspections
      .filter(item => item.mark === mark)
      .map(item => text(`${item.officer} opens ${item.bottles} bottles`)),
    combobox('Officer', officer, { enter: choose.entering({ field: 'officer' }), options: officers }),
    combobox('Bottles to open', bottles, {
      enter: choose.entering({ field: 'bottles' }),
      options: ['1', '2', '3', '6', '12'],
    }),
    button('Order inspection', order.with({ mark, officer, bottles })),
  ]);
}

function docket(customs: Customs, goods: Consignment) {
  const { ui } = customs;
  const { id, mark, stage } = goods;
  return region(`Docket ${mark}`, [
    heading(`${mark}, ${goods.wine}`),
    text(`${goods.cases} cases from ${goods.port}`),
    status(stage === 'held' ? `Held: ${goods.holdNote}` : stage),
    combobox('Tariff kind', goods.kind, { enter: classify.entering({ id }), options: kinds }),
    toolbar('Flaps', [
      button('Papers', lift.with({ flap: 'papers' }), ui.flap === 'papers' ? ['expanded'] : undefined),
      button('Storage', lift.with({ flap: 'storage' }), ui.flap === 'storage' ? ['expanded'] : undefined),
      button('Inspections', lift.with({ flap: 'inspection' }), ui.flap === 'inspection' ? ['expanded'] : undefined),
    ]),
    ui.flap !== 'none' && flapOf(customs, goods),
    stage === 'held' && button('Lift hold', liftHold.with({ id })),
    stage === 'waiting' && button('Stamp for release', ask.with({ on: true })),
    button('To the list', openOne.with({ id: null })),
  ]);
}

function tariff({ rates, ui }: Customs) {
  const read = find(rates, ui.tariff ?? '');
  return region('Tariff', [
    list(
      'Kinds',
      rates.map(({ id, kind }) => listItem(kind, [button(`Rate for ${kind}`, readTariff.with({ id }))])),
      { shuffle: true },
    ),
    read !== undefined && text(`${read.kind}: ${read.pence} pence a bottle, broker ${read.broker}`),
  ]);
}

const basic = ({ id, mark }: Consignment) => ({ id, mark });
const allIn = { origin: true, invoice: true };

const stamp = template('release-held', {
  about: 'Lift the hold on a consignment and release it.',
  split: 'train',
  sample: ({ consignments }, random) => ({
    ...basic(random.pick(consignments)),
    note: random.pick(['seal broken', 'weight differs', 'random check']),
  }),
  setup(draft, { id, note }) {
    Object.assign(need(draft.consignments, id, 'consignment'), { ...allIn, stage: 'held', holdNote: note });
  },
  instruction: ({ mark, note }, random) =>
    random.pick([
      `The matter with ${mark} (${note}) is settled. It can be released.`,
      `Release ${mark}. The hold is off, the officer agrees.`,
      `${mark} was held for "${note}". All clear now, so let it out of customs for good.`,
    ]),
  checks: ({ id }) => [
    { name: 'no hold note', test: ({ consignments }) => find(consignments, id)?.holdNote === '' },
    { name: 'is released', test: ({ consignments }) => find(consignments, id)?.stage === 'released' },
  ],
  allow: ({ id }) => [`/consignments/${id}/stage`, `/consignments/${id}/holdNote`],
});

const inTray = template('file-two-papers', {
  about: 'Note two papers of a consignment that came in.',
  split: 'train',
  sample({ consignments }, random) {
    const [one, two] = random.sample([...papers], 2) as [(typeof papers)[number], (typeof papers)[number]];
    return { ...basic(random.pick(consignments)), one, two };
  },
  setup(draft, { id, one, two }) {
    Object.assign(need(draft.consignments, id, 'consignment'), { [one]: false, [two]: false });
  },
  instruction: ({ mark, one, two }, random) =>
    random.pick([
      `${mark}: ${paperNames[one].toLowerCase()} and ${paperNames[two].toLowerCase()} are in.`,
      `The courier brought two papers for ${mark}, namely the ${paperNames[one].toLowerCase()} and the ${paperNames[two].toLowerCase()}. File them.`,
      `please file for ${mark}: ${paperNames[one]}, ${paperNames[two]}`,
    ]),
  checks: ({ id, one, two }) =>
    [one, two].map(name => ({
      name: `${name} is in`,
      test: ({ consignments }) => find(consignments, id)?.[name] === true,
    })),
  allow: ({ id, one, two }) => [`/consignments/${id}/${one}`, `/consignments/${id}/${two}`],
});

const restore = template('store-elsewhere', {
  about: 'Store a consignment at another depot.',
  split: 'train',
  sample({ consignments }, random) {
    const goods = random.pick(consignments);
    return { ...basic(goods), depot: random.pick(depots.filter(item => item !== goods.depot)) };
  },
  instruction: ({ mark, depot }, random) =>
    random.pick([
      `${mark} to ${depot}.`,
      `It is far too warm for ${mark} where it stands. ${depot} has room: note the move.`,
      `The forklift took ${mark} over to ${depot}; the docket should say so.`,
    ]),
  checks: ({ id, depot }) => [
    { name: `at ${depot}`, test: ({ consignments }) => find(consignments, id)?.depot === depot },
  ],
  allow: ({ id }) => [`/consignments/${id}/depot`],
});

const inspect = template('order-inspection', {
  about: 'Order an inspection of a consignment.',
  split: 'train',
  sample: ({ consignments }, random) => ({
    mark: random.pick(consignments).mark,
    officer: random.pick(officers),
    bottles: random.pick(['1', '2', '3', '6', '12']),
  }),
  instruction: ({ mark, officer, bottles }, random) =>
    random.pick([
      `${officer} inspects ${mark}, bottles: ${bottles}.`,
      `Order an inspection of ${mark} by ${officer}. To be opened: ${bottles}.`,
      `Something about ${mark} smells. Have ${officer} look into it; the number of bottles to open is ${bottles}.`,
    ]),
  checks: ({ mark, officer, bottles }) => [
    {
      name: 'one inspection was ordered',
      test(final, initial) {
        const [made, ...more] = added(initial.inspections, final.inspections);
        return more.length === 0 && made?.mark === mark && made.officer === officer && made.bottles === bottles;
      },
    },
  ],
  allow: () => ['/inspections/+'],
});

const brokerOf = template('broker-of-consignment', {
  about: 'Say which broker handles the kind of wine of a consignment.',
  split: 'train',
  sample({ consignments, rates }, random) {
    const goods = random.pick(consignments);
    return { ...basic(goods), rate: rates.find(item => item.kind === goods.kind)?.id ?? '' };
  },
  instruction: ({ mark }, random) =>
    random.pick([
      `Which broker has to be called about ${mark}? It depends on the tariff kind.`,
      `Name of the broker for the kind of wine that ${mark} is.`,
      `Somebody asks about ${mark}. Who is the broker for that tariff kind?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ rate: id }, { rates }) => need(rates, id, 'rate').broker,
  shown: ({ ui }, { id, rate: wanted }) => [ui.open === id, ui.tariff === wanted],
});

const reclassify = template('classify-two', {
  about: 'Put both consignments of an estate under another kind.',
  split: 'train',
  sample({ consignments }, random) {
    const [one, two] = random.sample(consignments, 2) as [Consignment, Consignment];
    return {
      ids: [one.id, two.id],
      estate: random.pick(['Quinta Alva', 'Quinta Alvor', 'Tenuta Bricco', 'Tenuta Brin']),
      kind: random.pick(kinds),
    };
  },
  setup(draft, { ids, estate, kind }) {
    for (const [index, id] of ids.entries()) {
      const goods = need(draft.consignments, id, 'consignment');
      Object.assign(goods, { wine: `${estate} ${grapes[index]}`, kind: kinds.find(item => item !== kind) });
    }
  },
  instruction: ({ estate, kind }, random) =>
    random.pick([
      `Both wines of ${estate} are ${kind}.`,
      `We had ${estate} under the wrong tariff kind. The two consignments of theirs are to be classified as ${kind}.`,
      `Everything from ${estate} counts as ${kind} from now on, that is two consignments.`,
    ]),
  checks: ({ ids, kind }) =>
    ids.map(id => ({ name: `${id} is ${kind}`, test: ({ consignments }) => find(consignments, id)?.kind === kind })),
  allow: ({ ids }) => ids.map(id => `/consignments/${id}/kind`),
});

const releaseIf = template('release-if-possible', {
  about: 'Release a consignment; impossible when customs has refused it.',
  split: 'train',
  kind: 'infeasible',
  sample: ({ consignments }, random) => ({ ...basic(random.pick(consignments)), can: random.chance(0.5) }),
  isTwin: ({ can }) => can,
  setup(draft, { id, can }) {
    Object.assign(need(draft.consignments, id, 'consignment'), {
      ...allIn,
      stage: can ? 'waiting' : 'refused',
      holdNote: '',
    });
  },
  instruction: ({ mark }, random) =>
    random.pick([
      `Stamp ${mark} for release.`,
      `The lorry for ${mark} is here. Get it released.`,
      `Can you see to it that ${mark} is released today?`,
    ]),
  checks: ({ id }) => [
    { name: 'is released', test: ({ consignments }) => find(consignments, id)?.stage === 'released' },
  ],
  allow: ({ id, can }) => (can ? [`/consignments/${id}/stage`] : []),
  shown: ({ ui }, { id }) => ui.open === id,
});

export const app = defineApp({
  id: 'wine-customs',
  title: 'Wine customs',
  about: 'Consignments of wine at customs: papers, storage, inspections and the tariff.',
  state,
  init(random): Customs {
    const wines = random.shuffle(estates.flatMap(estate => grapes.map(grape => `${estate} ${grape}`)));
    const brokers = random.sample(
      ['Hale & Sons', 'Haleston', 'Pym Brothers', 'Pymont', 'Corby', 'Corbyn Ltd', 'Ives', 'Ivers'],
      4,
    );
    return {
      consignments: wines.slice(0, 28).map((wine, index) => ({
        id: `c${index + 1}`,
        mark: `${random.pick(['WX', 'WK'])}-${random.between(2, 9)}${String(index).padStart(2, '0')}`,
        wine,
        port: random.pick(ports),
        depot: random.pick(depots),
        cases: random.between(10, 400),
        kind: random.pick(kinds),
        stage: random.pick(['waiting', 'waiting', 'released', 'refused'] as const),
        holdNote: '',
        origin: random.chance(0.6),
        analysis: random.chance(0.5),
        organic: random.chance(0.3),
        invoice: random.chance(0.6),
      })),
      rates: kinds.map((kind, index) => ({
        id: `r${index + 1}`,
        kind,
        pence: random.between(40, 320),
        broker: brokers[index] ?? '',
      })),
      inspections: [],
      ui: {
        area: 'gate',
        find: '',
        sheet: 1,
        open: null,
        flap: 'none',
        tariff: null,
        asking: false,
        officer: '',
        bottles: '',
        stampNote: '',
      },
    };
  },
  commands: [
    release,
    liftHold,
    paper,
    store,
    classify,
    order,
    search,
    goTo,
    lookFor,
    turn,
    openOne,
    lift,
    ask,
    readTariff,
    choose,
  ],
  view(customs) {
    const { ui } = customs;
    const goods = find(customs.consignments, ui.open ?? '');
    if (ui.asking && goods !== undefined)
      return page('Wine customs', [
        ui.stampNote !== '' && alert(ui.stampNote),
        dialog(`Stamp ${goods.mark}?`, [
          text('Released goods cannot be called back.'),
          button('Stamp it', release.with({ id: goods.id })),
          button('Put stamp away', ask.with({ on: false })),
        ]),
      ]);
    return page('Wine customs', [
      toolbar('Areas', [
        button('Quay', goTo.with({ area: 'quay' })),
        button('Tariff book', goTo.with({ area: 'tariff' })),
      ]),
      ui.stampNote !== '' && alert(ui.stampNote),
      ui.area === 'quay' && (goods === undefined ? quay(customs) : docket(customs, goods)),
      ui.area === 'tariff' && tariff(customs),
    ]);
  },
  templates: [stamp, inTray, restore, inspect, brokerOf, reclassify, releaseIf],
  onRefusal(draft, message) {
    draft.ui.stampNote = message;
  },
});

// Back office of a shop for candles and soap. Inline editing in the product grid, bulk actions, orders, discount codes.
import {
  added,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  find,
  form,
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
  status,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const KINDS = ['candle', 'soap', 'diffuser', 'gift set'] as const;
const PARCELS = ['letter', 'small', 'large', 'pallet'] as const;
const STAGES = ['new', 'packed', 'shipped', 'refunded'] as const;
const state = z.object({
  products: z.array(
    z.object({
      id: z.string(),
      sku: z.string(),
      name: z.string(),
      kind: z.enum(KINDS),
      price: z.string(),
      stock: z.int(),
      visible: z.boolean(),
      parcel: z.enum(PARCELS),
    }),
  ),
  orders: z.array(
    z.object({
      id: z.string(),
      no: z.string(),
      buyer: z.string(),
      product: z.string(),
      pieces: z.int(),
      stage: z.enum(STAGES),
      parcel: z.enum(PARCELS),
    }),
  ),
  codes: z.array(
    z.object({ id: z.string(), code: z.string(), percent: z.string(), on: z.enum(['everything', ...KINDS]) }),
  ),
  ui: z.object({
    section: z.enum(['Products', 'Orders', 'Discounts', 'order', 'product']),
    kind: z.string(),
    stage: z.string(),
    ticked: z.array(z.string()),
    bulk: z.boolean(),
    id: z.string(),
    code: z.string(),
    percent: z.string(),
    on: z.enum(['everything', ...KINDS]),
    bar: z.string(),
  }),
});
type Shop = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const price = command('set_price', {
  about: 'Set the price of a product, as 12.50.',
  input: z.object({ product: z.string(), value: z.string() }),
  run(d, { product, value }) {
    if (!/^\d{1,3}\.\d\d$/.test(value)) refuse('Prices look like 12.50');
    need(d.products, product, 'product').price = value;
  },
});
const showOrHide = command('show_or_hide', {
  about: 'Show products in the shop, or hide them.',
  input: z.object({ products: z.array(z.string()), visible: z.boolean() }),
  run(d, { products, visible }) {
    if (products.length === 0) refuse('Tick something first');
    for (const id of products) need(d.products, id, 'product').visible = visible;
    Object.assign(d.ui, { ticked: [], bulk: false, bar: `${products.length} updated` });
  },
});
const stage = command('set_stage', {
  about:
    'Say how far an order is. Orders are packed only if there is enough in stock, and shipped orders can no longer be changed.',
  input: z.object({ order: z.string(), stage: z.enum(STAGES) }),
  run(d, { order, stage }) {
    const o = need(d.orders, order, 'order');
    const p = need(d.products, o.product, 'product');
    if (o.stage === 'shipped' || o.stage === 'refunded') refuse('This order is closed');
    if (stage === 'packed' && p.stock < o.pieces) refuse(`Only ${p.stock} in stock`);
    o.stage = stage;
  },
});
const parcel = command('set_parcel', {
  about: 'Choose the parcel of an order.',
  input: z.object({ order: z.string(), value: z.enum(PARCELS) }),
  run(d, { order, value }) {
    need(d.orders, order, 'order').parcel = value;
  },
});
const addCode = command('add_code', {
  about: 'Add a discount code.',
  input: z.object({ code: z.string(), percent: z.string(), on: z.enum(['everything', ...KINDS]) }),
  run(d, { code, percent, on }) {
    if (!/^[A-Z0-9]{4,12}$/.test(code)) refuse('Codes are 4 to 12 capitals and digits');
    if (!/^[1-9]\d?$/.test(percent)) refuse('Percent from 1 to 99');
    if (d.codes.some(c => c.code === code)) refuse('This code exists');
    d.codes.push({ id: nextId(d.codes, 'k'), code, percent, on });
    Object.assign(d.ui, { code: '', percent: '', on: 'everything', bar: '' });
  },
});
const endCode = command('end_code', {
  about: 'End a discount code.',
  input: z.object({ code: z.string() }),
  run(d, { code }) {
    need(d.codes, code, 'code');
    remove(d.codes, code);
  },
});
const export_ = query('export_shop', {
  about: 'Products, orders and discount codes.',
  input: z.object({}),
  run: s => ({
    products: s.products,
    orders: s.orders.map(o => ({ ...o, productName: find(s.products, o.product)?.name })),
    codes: s.codes,
  }),
});

const go = gesture('go_section', {
  about: 'Go to a section, an order or a product.',
  input: z.object({ section: z.enum(['Products', 'Orders', 'Discounts', 'order', 'product']), id: z.string() }),
  run(d, { section, id }) {
    Object.assign(d.ui, { section, id, ticked: [], bulk: false, bar: '' });
  },
});
const filter = gesture('filter', {
  about: 'Show one kind, or one stage.',
  input: z.object({ by: z.enum(['kind', 'stage']), value: z.string() }),
  run(d, { by, value }) {
    d.ui[by] = value;
    d.ui.ticked = [];
  },
});
const tick = gesture('tick', {
  about: 'Tick a product or untick it.',
  input: z.object({ product: z.string() }),
  run(d, { product }) {
    d.ui.ticked = d.ui.ticked.includes(product)
      ? d.ui.ticked.filter(x => x !== product)
      : [...d.ui.ticked, product].toSorted();
  },
});
const bulk = gesture('bulk', {
  about: 'Open or close the bulk menu.',
  input: z.object({}),
  run(d) {
    d.ui.bulk = !d.ui.bulk;
  },
});
const enter = gesture('enter', {
  about: 'Enter text for a new code.',
  input: z.object({ field: z.enum(['code', 'percent']), value: z.string().max(20) }),
  run(d, { field, value }) {
    d.ui[field] = value;
  },
});
const enterOn = gesture('enter_on', {
  about: 'Choose what a new code is for.',
  input: z.object({ value: z.enum(['everything', ...KINDS]) }),
  run(d, { value }) {
    d.ui.on = value;
  },
});

const grid = (s: Shop) => [
  toolbar('Grid', [
    combobox('Kind', s.ui.kind, { enter: filter.entering({ by: 'kind' }), options: ['all', ...KINDS] }),
    button(`Bulk (${s.ui.ticked.length})`, bulk.with({}), s.ui.bulk ? ['expanded'] : []),
    s.ui.bulk &&
      menu('Bulk', [
        menuItem('Show in shop', showOrHide.with({ products: s.ui.ticked, visible: true })),
        menuItem('Hide from shop', showOrHide.with({ products: s.ui.ticked, visible: false })),
      ]),
  ]),
  table(
    'SKU / Name / Price / Stock / Shop',
    s.products
      .filter(p => s.ui.kind === 'all' || p.kind === s.ui.kind)
      .map(p =>
        row(p.name, [
          checkbox(`Tick ${p.sku}`, s.ui.ticked.includes(p.id), tick.with({ product: p.id })),
          link(p.name, go.with({ section: 'product', id: p.id })),
          textbox(`Price of ${p.name}`, p.price, { enter: price.entering({ product: p.id }) }),
          cell(`${p.stock} pcs`),
          cell(p.visible ? 'shown' : 'hidden'),
        ]),
      ),
  ),
];
const orderPage = (s: Shop) => {
  const o = need(s.orders, s.ui.id, 'order');
  const p = need(s.products, o.product, 'product');
  return [
    heading(`Order ${o.no}`),
    text(`Buyer: ${o.buyer}`),
    link(p.name, go.with({ section: 'product', id: p.id })),
    text(`${o.pieces} pieces ordered`),
    text(`Stage: ${o.stage}`),
    combobox('Parcel', o.parcel, { enter: parcel.entering({ order: o.id }), options: [...PARCELS] }),
    o.stage === 'new' && p.stock < o.pieces && text(`Cannot be packed: only ${p.stock} in stock`),
    o.stage === 'new' && p.stock >= o.pieces && button('Packed', stage.with({ order: o.id, stage: 'packed' })),
    o.stage === 'packed' && button('Shipped', stage.with({ order: o.id, stage: 'shipped' })),
    (o.stage === 'new' || o.stage === 'packed') && button('Refund', stage.with({ order: o.id, stage: 'refunded' })),
  ];
};
const productPage = (s: Shop) => {
  const p = need(s.products, s.ui.id, 'product');
  return [
    heading(p.name),
    text(`SKU ${p.sku}`),
    text(`Kind: ${p.kind}`),
    text(`Fits parcel: ${p.parcel}`),
    text(`${p.stock} pieces in stock`),
  ];
};
const body = (s: Shop) => {
  switch (s.ui.section) {
    case 'Products':
      return grid(s);
    case 'order':
      return orderPage(s);
    case 'product':
      return productPage(s);
    case 'Orders':
      return [
        combobox('Stage', s.ui.stage, { enter: filter.entering({ by: 'stage' }), options: ['any', ...STAGES] }),
        table(
          'Orders',
          s.orders
            .filter(o => s.ui.stage === 'any' || o.stage === s.ui.stage)
            .map(o => row(o.no, [link(o.no, go.with({ section: 'order', id: o.id })), cell(o.buyer), cell(o.stage)])),
        ),
      ];
    default:
      return [
        table(
          'Running codes',
          s.codes.map(c =>
            row(c.code, [
              cell(c.code),
              cell(`${c.percent} %`),
              cell(c.on),
              button(`End ${c.code}`, endCode.with({ code: c.id })),
            ]),
          ),
        ),
        form('Another code', [
          textbox('Code', s.ui.code, { enter: enter.entering({ field: 'code' }) }),
          textbox('Percent off', s.ui.percent, { enter: enter.entering({ field: 'percent' }) }),
          combobox('Valid for', s.ui.on, { enter: enterOn.entering({}), options: ['everything', ...KINDS] }),
          button('Start code', addCode.with({ code: s.ui.code, percent: s.ui.percent, on: s.ui.on })),
        ]),
      ];
  }
};

const reprice = template('reprice', {
  about: 'Change a price in the grid.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.products);
    return {
      id: p.id,
      name: p.name,
      price: `${random.between(31, 88)}.${random.pick(['00', '50', '90', '95'])}`,
      way: random.between(0, 3),
    };
  },
  instruction: ({ name, price, way }) =>
    [
      `${name} costs ${price} from today.`,
      `change price: ${name} = ${price}`,
      `Wax got expensive, so ${name} must go up to ${price}.`,
      `What we charge for "${name}" is out of date. The new price is ${price}; update the shop.`,
    ][way]!,
  checks: ({ id, price }) => [{ name: 'the price', test: final => find(final.products, id)?.price === price }],
  allow: ({ id }) => [`/products/${id}/price`],
});
const hideEmpty = template('hide-sold-out', {
  about: 'Hide everything that is sold out.',
  split: 'train',
  sample: (s, random) => ({
    ids: random.sample(s.products, random.between(2, 3)).map(p => p.id),
    way: random.between(0, 2),
  }),
  setup(d, { ids }) {
    for (const p of d.products) {
      if (ids.includes(p.id)) Object.assign(p, { stock: 0, visible: true });
      else if (p.stock === 0) p.visible = false;
    }
  },
  instruction: ({ way }) =>
    [
      'Hide all sold-out products that the shop still shows.',
      'Customers keep trying to buy things we have none of. Make sure that nothing with 0 pieces is shown.',
      'everything w/ zero stock → hidden',
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({
      name: `hidden ${at + 1}`,
      test: (final: Shop) => find(final.products, id)?.visible === false,
    })),
  allow: ({ ids }) => ids.map(id => `/products/${id}/visible`),
});
const promo = template('start-code', {
  about: 'Start a discount code.',
  split: 'train',
  sample: (_, random) => ({
    code: `${random.pick(['SPRING', 'HELLO', 'COSY', 'THANKS', 'MUM'])}${random.between(10, 99)}`,
    percent: String(random.between(6, 45)),
    on: random.pick(['everything', ...KINDS] as const),
    way: random.between(0, 2),
  }),
  instruction: ({ code, percent, on, way }) =>
    [
      `New discount code ${code}: ${percent} percent off, valid for: ${on}.`,
      `For the newsletter I promised ${percent} % with the code ${code}. Scope: ${on}. Set it up?`,
      `code ${code} / ${percent} / ${on}`,
    ][way]!,
  checks: ({ code, percent, on }) => [
    {
      name: 'the code runs',
      test(final, initial) {
        const [c, ...rest] = added(initial.codes, final.codes);
        return rest.length === 0 && c?.code === code && c.percent === percent && c.on === on;
      },
    },
  ],
  allow: () => ['/codes/+'],
});
const stop = template('end-codes', {
  about: 'End two discount codes.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(s.codes, 2);
    return { ids: [a!.id, b!.id], code: a!.code, second: b!.code, way: random.between(0, 2) };
  },
  instruction: ({ code, second, way }) =>
    [
      `End ${code} and ${second}.`,
      `The promotions with the codes ${code} and ${second} are over, please stop both.`,
      `${code} was leaked on some forum!! kill it, and ${second} too`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `ended ${at + 1}`, test: (final: Shop) => find(final.codes, id) === undefined })),
  allow: ({ ids }) => ids.map(id => `/codes/${id}`),
});
const pack = template('pack-order', {
  about: 'Mark an order as packed, if the stock allows it.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ enough }) => enough,
  sample(s, random) {
    const o = random.pick(s.orders);
    return {
      id: o.id,
      no: o.no,
      product: o.product,
      pieces: o.pieces,
      enough: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(d, { id, product, pieces, enough }) {
    need(d.orders, id, 'order').stage = 'new';
    need(d.products, product, 'product').stock = enough ? pieces + 4 : pieces - 1;
  },
  instruction: ({ no, way }) =>
    [
      `Mark ${no} as packed.`,
      `${no} goes out today, set it to packed`,
      `I think ${no} is in its box. Record it as packed; do nothing else with it.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'packed', test: final => find(final.orders, id)?.stage === 'packed' }],
  allow: ({ id }) => [`/orders/${id}/stage`],
  shown: ({ ui }, { id }) => ui.section === 'order' && ui.id === id,
});
const fits = template('right-parcel', {
  about: 'Give an order the parcel that its product fits.',
  split: 'train',
  sample(s, random) {
    const o = random.pick(s.orders);
    const [right, wrong] = random.sample(PARCELS, 2);
    return { id: o.id, no: o.no, product: o.product, right: right!, wrong: wrong!, way: random.between(0, 2) };
  },
  setup(d, { id, product, right, wrong }) {
    need(d.orders, id, 'order').parcel = wrong;
    need(d.products, product, 'product').parcel = right;
  },
  instruction: ({ no, way }) =>
    [
      `The parcel for ${no} is wrong. Take the one its product fits.`,
      `Look up which parcel the article in ${no} needs, and choose it for the order.`,
      `${no}: correct parcel size pls (it's on the product page)`,
    ][way]!,
  checks: ({ id, right }) => [{ name: 'the parcel', test: final => find(final.orders, id)?.parcel === right }],
  allow: ({ id }) => [`/orders/${id}/parcel`],
});
const skuOf = template('sku-in-order', {
  about: 'Say the SKU of what was ordered.',
  split: 'train',
  sample(s, random) {
    const o = random.pick(s.orders);
    return { id: o.id, no: o.no, product: o.product, way: random.between(0, 2) };
  },
  instruction: ({ no, way }) =>
    [`Which SKU was bought in ${no}?`, `The warehouse needs the SKU for order ${no}.`, `sku in ${no}?`][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ product }, s) => need(s.products, product, 'product').sku,
  shown: ({ ui }, { id, product }) => [
    ui.section === 'order' && ui.id === id,
    ui.section === 'product' && ui.id === product,
  ],
});

const NAMES: [string, (typeof KINDS)[number]][] = [
  ['Fig candle', 'candle'],
  ['Fig candle XL', 'candle'],
  ['Cedar candle', 'candle'],
  ['Beeswax pillar', 'candle'],
  ['Oat soap', 'soap'],
  ['Oat & honey soap', 'soap'],
  ['Coal soap', 'soap'],
  ['Salt bar', 'soap'],
  ['Reed diffuser Fig', 'diffuser'],
  ['Reed diffuser Rain', 'diffuser'],
  ['Sunday box', 'gift set'],
  ['Sunday box mini', 'gift set'],
  ['Guest trio', 'gift set'],
];
export const app = defineApp({
  id: 'online-store-admin',
  title: 'Wick & Lather admin',
  about: 'The back office of an online shop.',
  state,
  init(random) {
    const skus = random.sample(
      Array.from({ length: 90 }, (_, n) => n + 10),
      NAMES.length,
    );
    const products = random.shuffle(NAMES).map(([name, kind], at) => ({
      id: `p${at + 1}`,
      sku: `WL-${skus[at]}`,
      name,
      kind,
      price: `${random.between(6, 30)}.${random.pick(['00', '50', '90'])}`,
      stock: random.between(0, 40),
      visible: random.chance(0.8),
      parcel: random.pick(PARCELS),
    }));
    const first = random.between(5000, 8000);
    return {
      products,
      orders: random
        .shuffle([
          'A. Quist',
          'A. Quint',
          'B. Lorne',
          'C. Mbeki',
          'D. Rossi',
          'D. Rossiter',
          'E. Frey',
          'F. Njoku',
          'G. Tal',
          'H. Wu',
          'I. Sato',
          'J. Novak',
          'J. Nowak',
          'K. Diaz',
          'L. Amsel',
          'M. Perrin',
        ])
        .map((buyer, at) => ({
          id: `o${at + 1}`,
          no: `#${first + at * 3}`,
          buyer,
          product: random.pick(products).id,
          pieces: random.between(2, 9),
          stage: random.pick(STAGES),
          parcel: random.pick(PARCELS),
        })),
      codes: random
        .sample(
          [
            'WELCOME5',
            'WELCOME10',
            'SOAP20',
            'SOAPY2',
            'FRIENDS',
            'XMAS24',
            'XMAS25',
            'FIGFAN',
            'FIGFAN2',
            'LASTCALL',
            'LASTONE',
            'BATHTIME',
            'PRESS50',
            'STAFF30',
            'MUMSDAY',
            'DADSDAY',
            'REFILL',
          ],
          14,
        )
        .map((code, at) => ({
          id: `k${at + 1}`,
          code,
          percent: String(random.between(5, 40)),
          on: random.pick(['everything', ...KINDS] as const),
        })),
      ui: {
        section: 'Products' as const,
        kind: 'all',
        stage: 'any',
        ticked: [],
        bulk: false,
        id: '',
        code: '',
        percent: '',
        on: 'everything' as const,
        bar: '',
      },
    };
  },
  commands: [price, showOrHide, stage, parcel, addCode, endCode, export_, go, filter, tick, bulk, enter, enterOn],
  view: s =>
    page('Wick & Lather admin', [
      menu(
        'Admin',
        (['Products', 'Orders', 'Discounts'] as const).map(section =>
          menuItem(section, go.with({ section, id: '' }), s.ui.section === section ? ['selected'] : []),
        ),
      ),
      region(s.ui.section, body(s)),
      s.ui.bar !== '' && status(s.ui.bar),
    ]),
  templates: [reprice, hideEmpty, promo, stop, pack, fits, skuOf],
  onRefusal(d, message) {
    d.ui.bar = message;
  },
});

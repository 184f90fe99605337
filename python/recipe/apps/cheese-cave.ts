import {
  added,
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  list,
  listItem,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  status,
  tab,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

// An affineur's cave as a board: one column per stage, one card per batch of wheels.
const stages = ['Brine', 'Drying', 'Ripening', 'Resting'] as const;
const milks = ['cow', 'goat', 'ewe', 'buffalo'];
const dairies = ['Alpe Sura', 'Alpe Sott', 'Molin Vecc', 'Molin Nuov', 'Cà Bianca'];
const shelves = ['north 1', 'north 2', 'south 1', 'south 2', 'south 3'];
const turns = ['daily', 'every 2 days', 'weekly', 'every 2 weeks'];
const cheeses = [
  'Grigna',
  'Grignetta',
  'Valbona',
  'Valbruna',
  'Tomino',
  'Toma Nera',
  'Toma Rossa',
  'Caprel',
  'Caprino',
  'Robiola',
];

const batch = z.object({
  id: z.string(),
  name: z.string(),
  dairy: z.string(),
  milk: z.string(),
  stage: z.enum(stages),
  shelf: z.string(),
  weeks: z.int(),
  wheels: z.int(),
  turn: z.string(),
  quarantined: z.boolean(),
});
const order = z.object({ id: z.string(), shop: z.string(), batch: z.string(), wheels: z.string() });
const state = z.object({
  batches: z.array(batch),
  orders: z.array(order),
  ui: z.object({
    wall: z.enum(['door', 'board', 'orders']),
    card: z.string().nullable(),
    sure: z.boolean(),
    shop: z.string(),
    wheels: z.string(),
    picked: z.string(),
    drafting: z.boolean(),
    hint: z.string(),
  }),
});
type Cave = z.infer<typeof state>;
type Batch = z.infer<typeof batch>;
const { command, gesture, query, template } = appKit(state);

const move = command('move_on', {
  about: 'Move a batch to another stage.',
  input: z.object({ id: z.string(), stage: z.enum(stages) }),
  run(draft, { id, stage }) {
    const moved = need(draft.batches, id, 'batch');
    if (moved.quarantined) refuse(`${moved.name} is in quarantine and stays where it is.`);
    moved.stage = stage;
    draft.ui.hint = '';
  },
});
const setQuarantine = command('set_quarantine', {
  about: 'Put a batch into quarantine, or lift it.',
  input: z.object({ id: z.string(), wanted: z.boolean() }),
  run(draft, { id, wanted }) {
    need(draft.batches, id, 'batch').quarantined = wanted;
    draft.ui.hint = '';
  },
});
const setCare = command('set_care', {
  about: 'Say how often a batch is turned, or on which shelf it lies.',
  input: z.object({ id: z.string(), field: z.enum(['turn', 'shelf']), value: z.string() }),
  run(draft, { id, field, value }) {
    if (!(field === 'turn' ? turns : shelves).includes(value)) refuse('That cannot be chosen.');
    need(draft.batches, id, 'batch')[field] = value;
  },
});
const takeOrder = command('take_order', {
  about: 'Note that a shop wants wheels of a batch.',
  input: z.object({
    shop: z.string().trim().min(2, 'Which shop?'),
    batch: z.string(),
    wheels: z.string().min(1, 'How many wheels?'),
  }),
  run(draft, { shop, batch: wanted, wheels }) {
    if (draft.batches.every(item => item.name !== wanted)) refuse('Which batch?');
    draft.orders.push({ id: nextId(draft.orders, 'o'), shop, batch: wanted, wheels });
    Object.assign(draft.ui, { drafting: false, shop: '', wheels: '', picked: '', hint: '' });
  },
});
const dropOrder = command('drop_order', {
  about: 'Tear up an order.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.orders, id, 'order');
    remove(draft.orders, id);
    Object.assign(draft.ui, { card: null, sure: false });
  },
});
const readBoard = query('read_board', {
  about: 'All batches in the cave and all orders.',
  input: z.object({}),
  run: ({ batches, orders }) => ({ batches, orders }),
});
const face = gesture('face_wall', {
  about: 'Turn to a wall of the cave.',
  input: z.object({ wall: z.enum(['door', 'board', 'orders']) }),
  run(draft, { wall }) {
    Object.assign(draft.ui, { wall, card: null, sure: false, drafting: false, hint: '' });
  },
});
const takeCard = gesture('take_card', {
  about: 'Take a card off the wall, or hang it back.',
  input: z.object({ id: z.string().nullable(), sure: z.boolean() }),
  run(draft, { id, sure }) {
    Object.assign(draft.ui, { card: id, sure, hint: '' });
  },
});
const startOrder = gesture('start_order', {
  about: 'Take an empty order slip.',
  input: z.object({}),
  run(draft) {
    Object.assign(draft.ui, { drafting: true, shop: '', wheels: '', picked: '' });
  },
});
const fill = gesture('fill_slip', {
  about: 'Write on the order slip.',
  input: z.object({ field: z.enum(['shop', 'wheels', 'picked']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function board({ batches }: Cave) {
  return region(
    'Board',
    stages.map(stage =>
      list(
        stage,
        batches
          .filter(item => item.stage === stage)
          .map(item =>
            listItem(item.name, [
              button(`Take ${item.name}`, takeCard.with({ id: item.id, sure: false })),
              text(`${item.dairy}, ${item.weeks} weeks`),
              item.quarantined && text('QUARANTINE'),
            ]),
          ),
      ),
    ),
  );
}

function cardOf(item: Batch) {
  const { id } = item;
  return region(`Card of ${item.name}`, [
    heading(item.name),
    text(`${item.milk} milk from ${item.dairy}`),
    text(`${item.wheels} wheels, ${item.weeks} weeks old`),
    status(item.quarantined ? `In quarantine at stage ${item.stage}` : `Stage ${item.stage}`),
    combobox('Lies on shelf', item.shelf, { enter: setCare.entering({ id, field: 'shelf' }), options: shelves }),
    combobox('Turned', item.turn, { enter: setCare.entering({ id, field: 'turn' }), options: turns }),
    checkbox('Quarantine', item.quarantined, setQuarantine.with({ id, wanted: !item.quarantined })),
    toolbar(
      'Bring to',
      stages.filter(stage => stage !== item.stage).map(stage => button(stage, move.with({ id, stage }))),
    ),
    button('Hang back', takeCard.with({ id: null, sure: false })),
  ]);
}

function orderWall({ batches, orders, ui }: Cave) {
  const torn = ui.sure ? find(orders, ui.card ?? '') : undefined;
  if (torn !== undefined)
    return dialog('Tear up?', [
      text(`${torn.shop}: ${torn.wheels} wheels of ${torn.batch}`),
      button('Tear it up', dropOrder.with({ id: torn.id })),
      button('No, keep', takeCard.with({ id: null, sure: false })),
    ]);
  const { shop, wheels, picked } = ui;
  return region('Order wall', [
    list(
      `${orders.length} slips`,
      orders.map(item =>
        listItem(`${item.shop}: ${item.batch}`, [
          text(`${item.wheels} wheels`),
          button(`Unpin ${item.shop}, ${item.batch}`, takeCard.with({ id: item.id, sure: true })),
        ]),
      ),
    ),
    !ui.drafting && button('Empty slip', startOrder.with({})),
    ui.drafting &&
      form('Slip', [
        textbox('Shop', shop, { enter: fill.entering({ field: 'shop' }) }),
        combobox('Batch', picked, {
          enter: fill.entering({ field: 'picked' }),
          options: batches.map(item => item.name),
        }),
        combobox('Wheels', wheels, {
          enter: fill.entering({ field: 'wheels' }),
          options: ['2', '3', '4', '6', '8', '10'],
        }),
        button('Pin to wall', takeOrder.with({ shop, batch: picked, wheels })),
      ]),
  ]);
}

const shops = ['Zum Laib', 'Zur Laube', 'Fromage Petit', 'Petit Marché', 'Casa Latte', 'Latteria Tre'];

const bring = template('bring-to-stage', {
  about: 'Move a batch to another stage; a quarantine has to be lifted first.',
  split: 'train',
  sample({ batches }, random) {
    const { id, name, stage } = random.pick(batches);
    return { id, name, to: random.pick(stages.filter(item => item !== stage)), held: random.chance(0.5) };
  },
  setup(draft, { id, held }) {
    need(draft.batches, id, 'batch').quarantined = held;
  },
  instruction: ({ name, to, held }, random) =>
    held
      ? random.pick([
          `The lab says ${name} is clean: no more quarantine, and on to ${to}.`,
          `${name} may leave quarantine. Bring it to ${to} then.`,
        ])
      : random.pick([`${name} to ${to}.`, `Time for the next step with ${name}, it belongs to ${to} now.`]),
  checks: ({ id, to }) => [
    { name: 'no quarantine', test: ({ batches }) => find(batches, id)?.quarantined === false },
    { name: `stage is ${to}`, test: ({ batches }) => find(batches, id)?.stage === to },
  ],
  allow: ({ id, held }) => [`/batches/${id}/stage`, ...(held ? [`/batches/${id}/quarantined`] : [])],
});

const turning = template('turn-batches-of-dairy', {
  about: 'Change how often the batches of one dairy at one stage are turned.',
  split: 'train',
  sample({ batches }, random) {
    const [dairy, otherDairy] = random.sample(dairies, 2) as [string, string];
    const [stage, otherStage] = random.sample([...stages], 2) as [Batch['stage'], Batch['stage']];
    const picked = random.sample(batches, 4).map(({ id }) => id);
    return {
      dairy,
      otherDairy,
      stage,
      otherStage,
      turn: random.pick(turns),
      ids: picked.slice(0, 2),
      far: picked[2] ?? '',
      off: picked[3] ?? '',
    };
  },
  setup(draft, { dairy, otherDairy, stage, otherStage, turn, ids, far, off }) {
    for (const item of draft.batches) {
      if (ids.includes(item.id)) Object.assign(item, { dairy, stage, turn: turns.find(other => other !== turn) });
      else if (item.id === far) Object.assign(item, { dairy, stage: otherStage });
      else if (item.id === off) Object.assign(item, { dairy: otherDairy, stage });
      else if (item.dairy === dairy && item.stage === stage) item.dairy = otherDairy;
    }
  },
  instruction: ({ dairy, stage, turn }, random) =>
    random.pick([
      `${dairy}, everything at ${stage}: turn ${turn}.`,
      `The rinds from ${dairy} look dull. Batches of theirs that are at ${stage} are to be turned ${turn} from now on.`,
      `Have all batches turned ${turn} which come from ${dairy} and hang under ${stage}.`,
    ]),
  checks: ({ ids, turn }) =>
    ids.map(id => ({ name: `${id} is turned ${turn}`, test: ({ batches }) => find(batches, id)?.turn === turn })),
  allow: ({ ids }) => ids.map(id => `/batches/${id}/turn`),
});

const shelfLike = template('shelf-beside', {
  about: 'Lay a batch on the shelf of another.',
  split: 'train',
  sample({ batches }, random) {
    const [one, two] = random.sample(batches, 2) as [Batch, Batch];
    return {
      id: one.id,
      name: one.name,
      other: two.id,
      beside: two.name,
      shelf: random.pick(shelves.filter(item => item !== one.shelf)),
    };
  },
  setup(draft, { other, shelf }) {
    need(draft.batches, other, 'batch').shelf = shelf;
  },
  instruction: ({ name, beside }, random) =>
    random.pick([
      `Lay ${name} on the same shelf as ${beside}, and tell me which one it is.`,
      `${name} and ${beside} should lie side by side. ${beside} stays, so ${name} has to move. On which shelf are they then?`,
      `Where does ${beside} lie? ${name} goes there as well. Answer with the shelf.`,
    ]),
  checks: ({ id, shelf }) => [{ name: 'same shelf', test: ({ batches }) => find(batches, id)?.shelf === shelf }],
  allow: ({ id }) => [`/batches/${id}/shelf`],
  answer: ({ shelf }) => shelf,
  shown: ({ ui }, { other }) => ui.card === other,
});

const pin = template('pin-order', {
  about: 'Note an order of a shop.',
  split: 'train',
  sample: ({ batches }, random) => ({
    shop: random.pick(shops),
    wanted: random.pick(batches).name,
    wheels: random.pick(['2', '3', '4', '6', '8', '10']),
  }),
  instruction: ({ shop, wanted, wheels }, random) =>
    random.pick([
      `${shop} orders ${wheels} wheels of ${wanted}.`,
      `New slip please! Shop: ${shop}. They want ${wanted}, ${wheels} wheels.`,
      `${shop} rang and will have ${wheels} wheels from batch ${wanted}; pin that to the order wall.`,
    ]),
  checks: ({ shop, wanted, wheels }) => [
    {
      name: 'one slip was pinned',
      test(final, initial) {
        const [made, ...more] = added(initial.orders, final.orders);
        return more.length === 0 && made?.shop === shop && made.batch === wanted && made.wheels === wheels;
      },
    },
  ],
  allow: () => ['/orders/+'],
});

const unpin = template('tear-up-order', {
  about: 'Tear up the order of a shop for a batch; impossible when there is none.',
  split: 'train',
  kind: 'infeasible',
  sample({ orders }, random) {
    const there = random.chance(0.5);
    const [one, two] = random.sample(orders, 2);
    if (one === undefined || two === undefined) return null;
    const mixed = orders.some(item => item.shop === one.shop && item.batch === two.batch);
    if (!there && mixed) return null;
    return { there, id: there ? one.id : '', shop: one.shop, wanted: there ? one.batch : two.batch };
  },
  isTwin: ({ there }) => there,
  instruction: ({ shop, wanted }, random) =>
    random.pick([
      `${shop} no longer wants ${wanted}. Tear up that slip.`,
      `Cancel: ${shop}, ${wanted}.`,
      `The order of ${shop} for ${wanted} was a mistake; take it off the wall. Their other orders stay.`,
    ]),
  checks: ({ id }) => [{ name: 'the slip is gone', test: ({ orders }) => id !== '' && find(orders, id) === undefined }],
  allow: ({ id }) => (id === '' ? [] : [`/orders/${id}`]),
  shown: ({ ui }) => ui.wall === 'orders',
});

const eldest = template('oldest-at-stage', {
  about: 'Say which batch at a stage is the oldest.',
  split: 'train',
  sample({ batches }, random) {
    const stage = random.pick(stages);
    const found = random.pick(batches);
    return { stage, id: found.id, weeks: random.between(61, 80) };
  },
  setup(draft, { id, stage, weeks }) {
    Object.assign(need(draft.batches, id, 'batch'), { stage, weeks });
  },
  instruction: ({ stage }, random) =>
    random.pick([
      `Which batch under ${stage} is the oldest?`,
      `Name the batch at ${stage} that has been with us for the most weeks.`,
      `I want to taste the oldest cheese we have at ${stage}. What is it called?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { batches }) => need(batches, id, 'batch').name,
  shown: ({ ui }) => ui.wall === 'board' && ui.card === null,
});

const whichMilk = template('milk-of-order', {
  about: 'Say of which milk the cheese is that a shop ordered.',
  split: 'train',
  sample({ batches, orders }, random) {
    const { id, batch: name, shop } = random.pick(orders);
    const found = batches.find(item => item.name === name);
    return found === undefined ? null : { order: id, shop: `${shop} Nord`, id: found.id, milk: random.pick(milks) };
  },
  setup(draft, { order: wanted, shop, id, milk }) {
    need(draft.orders, wanted, 'order').shop = shop;
    need(draft.batches, id, 'batch').milk = milk;
  },
  instruction: ({ shop }, random) =>
    random.pick([
      `${shop} has ordered from us. Of which milk is that cheese: cow, goat, ewe or buffalo?`,
      `What milk is in the batch that ${shop} ordered?`,
      `A customer at ${shop} can't have cow milk. What is the cheese they ordered made of? One word.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ milk }) => milk,
  shown: ({ ui }, { id }) => [ui.wall === 'orders', ui.card === id],
});

export const app = defineApp({
  id: 'cheese-cave',
  title: 'The cave',
  about: 'Batches of cheese on a board by stage, and orders of shops.',
  state,
  init(random): Cave {
    const names = random.shuffle(cheeses.flatMap(name => [`${name} I`, `${name} II`, `${name} III`])).slice(0, 24);
    const batches = names.map((name, index) => ({
      id: `b${index + 1}`,
      name,
      dairy: random.pick(dairies),
      milk: random.pick(milks),
      stage: random.pick(stages),
      shelf: random.pick(shelves),
      weeks: random.between(2, 60),
      wheels: random.between(6, 40),
      turn: random.pick(turns),
      quarantined: random.chance(0.2),
    }));
    const orders = random.sample(batches, 9).map(({ name }, index) => ({
      id: `o${index + 1}`,
      shop: random.pick(shops),
      batch: name,
      wheels: random.pick(['2', '3', '4', '6']),
    }));
    return {
      batches,
      orders,
      ui: { wall: 'door', card: null, sure: false, shop: '', wheels: '', picked: '', drafting: false, hint: '' },
    };
  },
  commands: [move, setQuarantine, setCare, takeOrder, dropOrder, readBoard, face, takeCard, startOrder, fill],
  view(cave) {
    const { ui } = cave;
    const item = find(cave.batches, ui.card ?? '');
    return page('The cave', [
      toolbar('Walls', [
        tab('Wheels', face.with({ wall: 'board' }), ui.wall === 'board' ? ['selected'] : undefined),
        tab('Slips', face.with({ wall: 'orders' }), ui.wall === 'orders' ? ['selected'] : undefined),
      ]),
      ui.hint !== '' && text(ui.hint),
      ui.wall === 'door' && text('11 °C, 92 % humidity'),
      ui.wall === 'board' && (item === undefined ? board(cave) : cardOf(item)),
      ui.wall === 'orders' && orderWall(cave),
    ]);
  },
  templates: [bring, turning, shelfLike, pin, unpin, eldest, whichMilk],
  onRefusal(draft, message) {
    draft.ui.hint = message;
  },
});

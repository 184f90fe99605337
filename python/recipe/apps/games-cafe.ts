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
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  row,
  status,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const drinks = ['Mint tea', 'Flat white', 'Ginger beer', 'Cola', 'Hot cocoa', 'Mulled cider'];
const snacks = ['Nachos', 'Cheese toast', 'Olives', 'Brownie', 'Popcorn'];
const shelves = ['Kallax', 'Window', 'Cellar', 'Counter'];

const state = z.object({
  boxes: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      shelf: z.string(),
      seats: z.int(),
      minutes: z.int(),
      missing: z.string(),
      at: z.string(),
    }),
  ),
  tables: z.array(
    z.object({ id: z.string(), name: z.string(), chairs: z.int(), host: z.string(), paused: z.boolean() }),
  ),
  orders: z.array(
    z.object({ id: z.string(), table: z.string(), what: z.string(), count: z.int(), served: z.boolean() }),
  ),
  ui: z.object({
    wing: z.enum(['floor', 'shelf', 'kitchen']),
    table: z.string().nullable(),
    box: z.string().nullable(),
    shelf: z.string(),
    order: z.object({ step: z.int(), what: z.string(), count: z.string() }),
    loss: z.string(),
    bell: z.string(),
  }),
});
type Cafe = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const noOrder = { step: 0, what: '', count: '1' };

const bringBox = command('bring_box', {
  about: 'Bring a game to a table.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const box = need(draft.boxes, id, 'game');
    const table = draft.tables.find(({ name }) => name === value) ?? refuse('Which table?');
    if (box.at !== '') refuse(`${box.title} is being played.`);
    if (table.host === '') refuse(`Nobody sits at ${value}.`);
    box.at = table.id;
    draft.ui.bell = `${box.title} goes to ${value}.`;
  },
});
const shelve = command('shelve_box', {
  about: 'Put a game back on its shelf.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const box = need(draft.boxes, id, 'game');
    if (box.at === '') refuse('It stands on the shelf.');
    box.at = '';
    draft.ui.bell = `${box.title} is back on the shelf.`;
  },
});
const noteLoss = command('note_missing_part', {
  about: 'Note what is missing from a game; empty when it is complete.',
  input: z.object({ id: z.string(), words: z.string().max(40) }),
  run(draft, { id, words }) {
    need(draft.boxes, id, 'game').missing = words.trim();
    Object.assign(draft.ui, { loss: '', bell: 'Noted.' });
  },
});
const place = command('place_order', {
  about: 'Order something for a table.',
  input: z.object({ table: z.string(), what: z.string(), count: z.string() }),
  run(draft, { table, what, count }) {
    const seat = need(draft.tables, table, 'table');
    if (seat.host === '') refuse('Nobody sits there.');
    if (seat.paused) refuse(`The tab of ${seat.name} is paused.`);
    if (![...drinks, ...snacks].includes(what)) refuse('What shall it be?');
    if (!/^[1-9]$/.test(count)) refuse('How many?');
    draft.orders.push({ id: nextId(draft.orders, 'o'), table, what, count: Number(count), served: false });
    Object.assign(draft.ui, { order: { ...noOrder }, bell: 'The kitchen heard it.' });
  },
});
const serve = command('serve_order', {
  about: 'Mark an order as served.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.orders, id, 'order').served = true;
  },
});
const pauseTab = command('pause_tab', {
  about: 'Pause the tab of a table, or let it run on.',
  input: z.object({ id: z.string(), paused: z.boolean() }),
  run(draft, { id, paused }) {
    need(draft.tables, id, 'table').paused = paused;
  },
});
const shelfList = query('game_list', {
  about: 'All games, with the table where each is played.',
  input: z.object({}),
  run: ({ boxes, tables }) =>
    boxes.map(box => ({
      ...box,
      table: find(tables, box.at)?.name ?? 'shelf',
      host: find(tables, box.at)?.host ?? '',
    })),
});
const floorList = query('floor_list', {
  about: 'All tables and orders.',
  input: z.object({}),
  run: ({ tables, orders }) =>
    tables.map(each => ({ ...each, orders: orders.filter(order => order.table === each.id) })),
});
const stroll = gesture('stroll', {
  about: 'Go to the floor, the shelves or the kitchen.',
  input: z.object({ wing: z.enum(['floor', 'shelf', 'kitchen']) }),
  run(draft, { wing }) {
    Object.assign(draft.ui, { wing, table: null, box: null, order: { ...noOrder }, bell: '' });
  },
});
const sit = gesture('look_at_table', {
  about: 'Look at a table.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { wing: 'floor', table: id, box: null, order: { ...noOrder }, bell: '' });
  },
});
const look = gesture('look_at_game', {
  about: 'Look at a game.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { wing: 'shelf', box: id, table: null, loss: '', bell: '' });
  },
});
const pickShelf = gesture('pick_shelf', {
  about: 'Look at one shelf.',
  input: z.object({ shelf: z.string() }),
  run(draft, { shelf }) {
    draft.ui.shelf = shelf;
  },
});
const pad = gesture('order_pad', {
  about: 'Write on the order pad.',
  input: z.object({ what: z.string().optional(), value: z.string().optional(), step: z.int().optional() }),
  run(draft, { what, value, step }) {
    if (what !== undefined) draft.ui.order.what = what;
    if (value !== undefined) draft.ui.order.count = value;
    if (step !== undefined) draft.ui.order = { ...draft.ui.order, step };
  },
});
const lose = gesture('describe_loss', {
  about: 'Write what is missing.',
  input: z.object({ value: z.string().max(40) }),
  run(draft, { value }) {
    draft.ui.loss = value;
  },
});

function tableCard({ boxes, orders, ui }: Cafe, table: Cafe['tables'][number]) {
  const { id, name, chairs, host, paused } = table;
  const { step, what, count } = ui.order;
  if (step > 0)
    return form(`Order pad for ${name}, ${step} of 2`, [
      ...(step === 1 ? [...drinks, ...snacks].map(each => radio(each, each === what, pad.with({ what: each }))) : []),
      step === 1 && button('How many?', pad.with({ step: 2 })),
      step === 2 &&
        combobox(`${what}, how many`, count, { enter: pad.entering({}), options: ['1', '2', '3', '4', '5', '6'] }),
      step === 2 && button('Shout to the kitchen', place.with({ table: id, what, count })),
      button('Tear the leaf off', pad.with({ step: 0 })),
    ]);
  return region(name, [
    heading(host === '' ? `${name}, empty` : `${name}, ${host}'s round`),
    text(`${chairs} chairs`),
    checkbox('Tab paused', paused, pauseTab.with({ id, paused: !paused })),
    list(
      'Games here',
      boxes
        .filter(({ at }) => at === id)
        .map(box => listItem(box.title, [button(`Take ${box.title} away`, shelve.with({ id: box.id }))])),
    ),
    list(
      'Orders',
      orders
        .filter(order => order.table === id)
        .map(order => text(`${order.count} × ${order.what}${order.served ? ', served' : ''}`)),
    ),
    host !== '' && !paused && button('Take an order', pad.with({ step: 1 })),
    link('The whole floor', sit.with({ id: null })),
  ]);
}
function boxCard({ tables, ui }: Cafe, box: Cafe['boxes'][number]) {
  const { id, title, shelf, seats, minutes, missing, at } = box;
  const table = find(tables, at);
  return region(title, [
    heading(title),
    text(`${shelf} shelf, up to ${seats} players, ${minutes} minutes`),
    status(missing === '' ? 'Complete' : `Missing: ${missing}`),
    table !== undefined && link(`On ${table.name}`, sit.with({ id: table.id })),
    table !== undefined && button('Put it back on the shelf', shelve.with({ id })),
    table === undefined &&
      combobox('Bring it to', '', {
        enter: bringBox.entering({ id }),
        options: tables.filter(({ host }) => host !== '').map(({ name }) => name),
      }),
    textbox('What is missing', ui.loss, { enter: lose.entering({}) }),
    button('Note it', noteLoss.with({ id, words: ui.loss })),
    missing !== '' && button('It is complete again', noteLoss.with({ id, words: '' })),
  ]);
}

const bring = template('bring-game', {
  about: 'Bring a game to a table.',
  split: 'train',
  sample({ boxes, tables }, random) {
    const box = random.pick(boxes);
    const table = random.pick(tables.filter(({ host }) => host !== ''));
    return { id: box.id, title: box.title, shelf: box.shelf, table: table.id, name: table.name };
  },
  setup(draft, { id }) {
    need(draft.boxes, id, 'game').at = '';
  },
  instruction: ({ title, shelf, name }, random) =>
    random.pick([
      `${title} (${shelf} shelf) to ${name}.`,
      `The people at ${name} want to play ${title}. It stands on the ${shelf} shelf.`,
      `Could you carry ${title} from the ${shelf} shelf over to ${name}? They've waited a while.`,
    ]),
  checks: ({ id, table }) => [{ name: 'the game is there', test: final => find(final.boxes, id)?.at === table }],
  allow: ({ id }) => [`/boxes/${id}/at`],
});
const clear = template('clear-table', {
  about: 'Put every game of a table back.',
  split: 'train',
  sample({ tables, boxes }, random) {
    const table = random.pick(tables.filter(({ host }) => host !== ''));
    const ids = random.sample(boxes, random.between(1, 3)).map(({ id }) => id);
    return { table: table.id, name: table.name, ids };
  },
  setup(draft, { table, ids }) {
    for (const box of draft.boxes) if (box.at === table) box.at = '';
    for (const id of ids) need(draft.boxes, id, 'game').at = table;
  },
  instruction: ({ name }, random) =>
    random.pick([
      `${name} went home. All their games go back on the shelf.`,
      `Clear the games off ${name}.`,
      `Whatever is being played at ${name} has to be put back; they are done.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is back`, test: (final: Cafe) => find(final.boxes, id)?.at === '' })),
  allow: ({ ids }) => ids.map(id => `/boxes/${id}/at`),
});
const losses = ['two red cubes', 'the hourglass', 'card 17', 'a blue pawn', 'the rule book', 'one die'];
const loss = template('note-loss', {
  about: 'Note what is missing from a game.',
  split: 'train',
  sample({ boxes }, random) {
    const box = random.pick(boxes);
    return {
      id: box.id,
      title: box.title,
      shelf: box.shelf,
      words: random.pick(losses.filter(each => each !== box.missing)),
    };
  },
  instruction: ({ title, shelf, words }, random) =>
    random.pick([
      `${title} from the ${shelf} shelf lacks something: "${words}". Note it.`,
      `A guest told me that "${words}" is gone from ${title} (${shelf}). Put that down.`,
      `Missing from ${title}, ${shelf} shelf: "${words}"`,
    ]),
  checks: ({ id, words }) => [{ name: `missing: ${words}`, test: final => find(final.boxes, id)?.missing === words }],
  allow: ({ id }) => [`/boxes/${id}/missing`],
});
const order = template('order-for-table', {
  about: 'Order something for a table; a paused tab has to run first.',
  split: 'train',
  sample({ tables }, random) {
    const table = random.pick(tables.filter(({ host }) => host !== ''));
    return {
      id: table.id,
      name: table.name,
      what: random.pick([...drinks, ...snacks]),
      count: `${random.between(2, 6)}`,
      paused: random.chance(0.5),
    };
  },
  setup(draft, { id, paused }) {
    need(draft.tables, id, 'table').paused = paused;
  },
  instruction: ({ name, what, count, paused }, random) =>
    random.pick([
      `${count} × ${what} for ${name}.${paused ? ' Let their tab run again.' : ''}`,
      `${name} would like ${what}, ${count} of them please.${paused ? ' They paid what was due, so the tab need not be paused.' : ''}`,
      `Kitchen: ${what} times ${count}, to ${name}.${paused ? ' (Unpause the tab.)' : ''}`,
    ]),
  checks: ({ id, what, count, paused }) => [
    ...(paused ? [{ name: 'the tab runs', test: (final: Cafe) => find(final.tables, id)?.paused === false }] : []),
    {
      name: 'one order was made, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.orders, final.orders);
        return (
          more.length === 0 && made?.table === id && made.what === what && made.count === Number(count) && !made.served
        );
      },
    },
  ],
  allow: ({ id, paused }) => (paused ? ['/orders/+', `/tables/${id}/paused`] : ['/orders/+']),
});
const served = template('serve-kind', {
  about: 'Mark every open order of one thing as served.',
  split: 'train',
  sample({ orders }, random) {
    const what = random.pick([...drinks, ...snacks]);
    const ids = orders.filter(each => each.what === what && !each.served).map(({ id }) => id);
    return ids.length < 1 || ids.length > 4 ? null : { what, ids };
  },
  instruction: ({ what }, random) =>
    random.pick([
      `${what}: all served.`,
      `I carried out every ${what} that was open. Tick them off, please.`,
      `The kitchen list still shows ${what}, but each of them is on its table.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is served`, test: (final: Cafe) => find(final.orders, id)?.served === true })),
  allow: ({ ids }) => ids.map(id => `/orders/${id}/served`),
});
const whoPlays = template('host-with-game', {
  about: 'Tell whose round plays a game.',
  split: 'train',
  sample({ boxes, tables }, random) {
    const box = random.pick(boxes);
    const table = random.pick(tables.filter(({ host }) => host !== ''));
    return { id: box.id, title: box.title, shelf: box.shelf, table: table.id, host: table.host };
  },
  setup(draft, { id, table }) {
    need(draft.boxes, id, 'game').at = table;
  },
  instruction: ({ title, shelf }, random) =>
    random.pick([
      `Whose round is playing ${title}? It is usually on the ${shelf} shelf.`,
      `${title} is not on the ${shelf} shelf. Who has it? I need the name of the host.`,
      `Host of the table with ${title} (${shelf})?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ host }) => host,
  shown: ({ ui }, { id, table }) => [ui.box === id, ui.table === table && ui.order.step === 0],
});
const shortest = template('bring-shortest', {
  about: 'Bring the shortest game of a shelf that seats enough to a table.',
  split: 'train',
  sample({ boxes, tables }, random) {
    const shelf = random.pick(shelves);
    const seats = random.pick([3, 4, 5]);
    const [first, second] = boxes
      .filter(box => box.shelf === shelf && box.seats >= seats && box.at === '')
      .sort((a, b) => a.minutes - b.minutes);
    if (first === undefined || second === undefined || first.minutes === second.minutes) return null;
    const table = random.pick(tables.filter(({ host }) => host !== ''));
    return { id: first.id, shelf, seats, table: table.id, name: table.name };
  },
  instruction: ({ shelf, seats, name }, random) =>
    random.pick([
      `${name} wants something quick for ${seats} players. Bring the shortest that is free on the ${shelf} shelf.`,
      `From the ${shelf} shelf: of the games there for ${seats} or more, the one with the fewest minutes goes to ${name}.`,
      `Shortest free game on ${shelf} that seats ${seats}, to ${name} please.`,
    ]),
  checks: ({ id, table }) => [{ name: 'the game is there', test: final => find(final.boxes, id)?.at === table }],
  allow: ({ id }) => [`/boxes/${id}/at`],
});

const titles = [
  'Salt Road',
  'Salt Barons',
  'Moon Market',
  'Moonfall',
  'Tiny Dragons',
  'Dragon Tax',
  'Rust & Roses',
  'Rose Court',
  'Otter Derby',
  'Night Otters',
  'Cable Car',
  'Cable Thieves',
  'Paper Fleet',
  'Fleet of Fools',
  'Owl Post',
  'Owl Hollow',
  'Silk Knives',
  'Silk & Soot',
  'Bog Kings',
  'King of Jam',
  'Jam Session',
  'Last Lantern',
  'Lantern Row',
  'Beehive',
];
const hosts = ['Agnes', 'Agneta', 'Bo', 'Bob', 'Cyril', 'Cyra', 'Dina', 'Edo'];

export const app = defineApp({
  id: 'games-cafe',
  title: 'The Wooden Meeple café',
  about: 'Games, tables and orders of a board-game café.',
  state,
  init(random): Cafe {
    const people = random.shuffle(hosts);
    const tables = [
      'Oak table',
      'Oak corner',
      'Window seat',
      'Window nook',
      'Piano table',
      'Long bench',
      'Bar end',
      'Sofa',
      'Attic table',
      'Attic corner',
    ].map((name, index) => ({
      id: `t${index + 1}`,
      name,
      chairs: random.between(2, 8),
      host: people[index] ?? '',
      paused: random.chance(0.2),
    }));
    return {
      boxes: random.shuffle(titles).map((title, index) => ({
        id: `b${index + 1}`,
        title,
        shelf: shelves[index % 4] as string,
        seats: random.between(2, 7),
        minutes: random.between(3, 30) * 5,
        missing: random.chance(0.2) ? random.pick(losses) : '',
        at: random.chance(0.3) ? `t${random.between(1, 8)}` : '',
      })),
      tables,
      orders: Array.from({ length: 22 }, (_, index) => ({
        id: `o${index + 1}`,
        table: `t${random.between(1, 8)}`,
        what: random.pick([...drinks, ...snacks]),
        count: random.between(1, 4),
        served: random.chance(0.4),
      })),
      ui: { wing: 'floor', table: null, box: null, shelf: 'Kallax', order: { ...noOrder }, loss: '', bell: '' },
    };
  },
  commands: [
    bringBox,
    shelve,
    noteLoss,
    place,
    serve,
    pauseTab,
    shelfList,
    floorList,
    stroll,
    sit,
    look,
    pickShelf,
    pad,
    lose,
  ],
  view(cafe) {
    const { boxes, tables, orders, ui } = cafe;
    const table_ = find(tables, ui.table ?? '');
    const box = find(boxes, ui.box ?? '');
    return page('The Wooden Meeple', [
      navigation('Wings', [
        link('Floor', stroll.with({ wing: 'floor' })),
        link('Shelves', stroll.with({ wing: 'shelf' })),
        link('Kitchen hatch', stroll.with({ wing: 'kitchen' })),
      ]),
      ui.bell !== '' && status(ui.bell),
      ui.wing === 'floor' && table_ !== undefined && tableCard(cafe, table_),
      ui.wing === 'floor' &&
        table_ === undefined &&
        list(
          'Floor',
          tables.map(({ id, name, host, paused }) =>
            listItem(name, [
              button(name, sit.with({ id })),
              text(host === '' ? 'empty' : `taken${paused ? ', tab paused' : ''}`),
            ]),
          ),
        ),
      ui.wing === 'shelf' && box !== undefined && boxCard(cafe, box),
      ui.wing === 'shelf' &&
        box === undefined &&
        region('Shelves', [
          ...shelves.map(shelf => radio(`${shelf} shelf`, shelf === ui.shelf, pickShelf.with({ shelf }))),
          table(
            ui.shelf,
            boxes
              .filter(({ shelf }) => shelf === ui.shelf)
              .map(({ id, title, seats, minutes, at }) =>
                row(title, [
                  link(title, look.with({ id })),
                  cell(`up to ${seats}`),
                  cell(`${minutes} min`),
                  cell(at === '' ? 'free' : 'in play'),
                ]),
              ),
          ),
        ]),
      ui.wing === 'kitchen' &&
        list(
          'Still to serve',
          orders
            .filter(each => !each.served)
            .map(({ id, table: of, what, count }) =>
              listItem(what, [button(`${count} × ${what} for ${need(tables, of, 'table').name}`, serve.with({ id }))]),
            ),
        ),
    ]);
  },
  templates: [bring, clear, loss, order, served, whoPlays, shortest],
  onRefusal(draft, message) {
    draft.ui.bell = message;
  },
});

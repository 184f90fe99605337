import {
  added,
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
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  searchBox,
  status,
  table,
  tab,
  text,
  textbox,
  z,
} from 'espalier';

const columns = ['Queued', 'On a trolley', 'At packing'];
const carriers = ['Blue Van', 'Blue Rail', 'Nightpost', 'Own pickup'];
const pickers = ['nobody yet', 'Ivo', 'Ivona', 'Marek', 'Tanja', 'Zeno'];
const racks = ['C', 'D', 'F', 'K'].flatMap(aisle => [1, 2, 3, 4, 5, 6, 7].map(shelf => `${aisle}-${shelf}0`));

const state = z.object({
  lists: z.array(
    z.object({
      id: z.string(),
      no: z.string(),
      customer: z.string(),
      carrier: z.string(),
      column: z.string(),
      picker: z.string(),
      stopped: z.boolean(),
    }),
  ),
  lines: z.array(z.object({ id: z.string(), list: z.string(), item: z.string(), wanted: z.int(), taken: z.string() })),
  items: z.array(z.object({ id: z.string(), name: z.string(), rack: z.string(), stock: z.int() })),
  refills: z.array(z.object({ id: z.string(), item: z.string(), cartons: z.string(), by: z.string() })),
  ui: z.object({
    area: z.string(),
    list: z.string(),
    menu: z.string(),
    text: z.string(),
    item: z.string(),
    cartons: z.string(),
    by: z.string(),
    add: z.string(),
    scanned: z.string(),
    problem: z.string(),
  }),
});
type Floor = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const shift = command('shift_list', {
  about: 'Move a picking list to another column.',
  input: z.object({ id: z.string(), column: z.string() }),
  run(draft, { id, column }) {
    const it = need(draft.lists, id, 'list');
    if (!columns.includes(column)) refuse('There is no such column.');
    if (it.stopped) refuse(`${it.no} is stopped by the office. Lift the stop on the list itself.`);
    it.column = column;
    draft.ui.menu = '';
  },
});
const lift = command('lift_stop', {
  about: 'Lift the stop on a picking list.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.lists, id, 'list').stopped = false;
    draft.ui.problem = '';
  },
});
const crew = command('set_picker', {
  about: 'Say who picks a list.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!pickers.includes(value)) refuse('Nobody of that name is on the floor.');
    need(draft.lists, id, 'list').picker = value;
  },
});
const take = command('note_taken', {
  about: 'Note how many pieces were taken for a line.',
  input: z.object({ id: z.string(), value: z.string().regex(/^\d*$/, 'Pieces are a number.') }),
  run(draft, { id, value }) {
    need(draft.lines, id, 'line').taken = value;
  },
});
const addLine = command('add_line', {
  about: 'Add one piece of an article to a picking list.',
  input: z.object({ list: z.string(), name: z.string() }),
  run(draft, { list: id, name }) {
    const item = draft.items.find(it => it.name === name) ?? refuse('Choose an article.');
    need(draft.lists, id, 'list');
    if (item.stock === 0) refuse(`${item.name}: none in stock.`);
    draft.lines.push({ id: nextId(draft.lines, 'l'), list: id, item: item.id, wanted: 1, taken: '' });
    draft.ui.add = '';
  },
});
const rerack = command('rerack_item', {
  about: 'Store an article at another place.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!racks.includes(value)) refuse('There is no such place.');
    need(draft.items, id, 'article').rack = value;
  },
});
const refill = command('order_refill', {
  about: 'Order cartons of an article from the reserve.',
  input: z.object({
    item: z.string(),
    cartons: z.string().regex(/^\d+$/, 'How many cartons?'),
    by: z.string().min(1, 'Say until when.'),
  }),
  run(draft, { item, cartons, by }) {
    need(draft.items, item, 'article');
    draft.refills.push({ id: nextId(draft.refills, 'r'), item, cartons, by });
    Object.assign(draft.ui, { cartons: '', by: '' });
  },
});
const readList = query('read_list', {
  about: 'Show a picking list with its lines and where they lie.',
  input: z.object({ no: z.string() }),
  run({ lists, lines, items }, { no }) {
    const it = lists.find(one => one.no === no) ?? refuse('There is no such list.');
    const own = lines.filter(line => line.list === it.id);
    return { ...it, lines: own.map(line => ({ ...line, article: find(items, line.item) ?? null })) };
  },
});
const findItems = query('find_items', {
  about: 'Find articles by name.',
  input: z.object({ text: z.string() }),
  run: ({ items }, input) => items.filter(({ name }) => name.includes(input.text)),
});
const walk = gesture('walk', {
  about: 'Go to the board or to the racks, or open a list or an article.',
  input: z.object({ area: z.string(), list: z.string(), item: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, input, { menu: '', problem: '', cartons: '', by: '', add: '' }),
});
const scan = gesture('scan', {
  about: 'Scan the label of a place.',
  input: z.object({ value: z.string() }),
  run: (draft, { value }) => void (draft.ui.scanned = value),
});
const unfold = gesture('unfold', {
  about: 'Open the menu of a card.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void (draft.ui.menu = draft.ui.menu === id ? '' : id),
});
const type = gesture('type', {
  about: 'Type into a field.',
  input: z.object({ field: z.enum(['text', 'cartons', 'by', 'add']), value: z.string().max(60) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

function boardView({ lists, ui }: Floor) {
  return region(
    'Board',
    columns.map(column =>
      list(
        column,
        lists
          .filter(it => it.column === column)
          .map(it =>
            listItem(it.no, [
              link(`${it.no} ${it.customer}`, walk.with({ area: 'board', list: it.id, item: '' })),
              text(`${it.carrier}, ${it.picker}${it.stopped ? ', stopped' : ''}`),
              button(`⋯ ${it.no}`, unfold.with({ id: it.id }), ui.menu === it.id ? ['expanded'] : []),
              ui.menu === it.id &&
                menu(
                  `Move ${it.no}`,
                  columns
                    .filter(to => to !== column)
                    .map(to => menuItem(`To ${to}`, shift.with({ id: it.id, column: to }))),
                ),
            ]),
          ),
      ),
    ),
  );
}

function listView({ lists, lines, items, ui }: Floor) {
  const it = need(lists, ui.list, 'list');
  return region(`Picking list ${it.no}`, [
    button('Board', walk.with({ area: 'board', list: '', item: '' })),
    heading(`${it.no} for ${it.customer}`),
    text(`Leaves with ${it.carrier}`),
    it.stopped && button('Lift stop', lift.with({ id: it.id })),
    combobox('Picked by', it.picker, { enter: crew.entering({ id: it.id }), options: pickers }),
    table(
      'Lines',
      lines
        .filter(line => line.list === it.id)
        .map(line => {
          const name = find(items, line.item)?.name ?? '';
          return row(name, [
            link(name, walk.with({ area: 'racks', list: '', item: line.item })),
            cell(`${line.wanted} wanted`),
            textbox(`Taken: ${name}`, line.taken, { enter: take.entering({ id: line.id }) }),
          ]);
        }),
    ),
    form('Extra line', [
      combobox('Article', ui.add, {
        enter: type.entering({ field: 'add' }),
        options: items.map(({ name }) => name).sort(),
      }),
      button('Put on list', addLine.with({ list: it.id, name: ui.add })),
    ]),
  ]);
}

function racksView({ items, ui }: Floor) {
  const it = find(items, ui.item);
  if (it !== undefined)
    return region('Article', [
      button('All articles', walk.with({ area: 'racks', list: '', item: '' })),
      heading(it.name),
      status(`${it.stock} pieces in stock`),
      text(`Lies at ${it.rack}`),
      button('Scan place', scan.with({ value: it.rack })),
      ui.scanned !== '' && button('Store at scanned place', rerack.with({ id: it.id, value: ui.scanned })),
      form('Refill from reserve', [
        textbox('Cartons', ui.cartons, { enter: type.entering({ field: 'cartons' }) }),
        combobox('Needed', ui.by, {
          enter: type.entering({ field: 'by' }),
          options: ['before noon', 'by tonight', 'tomorrow', 'this week'],
        }),
        button('Call the forklift', refill.with({ item: it.id, cartons: ui.cartons, by: ui.by })),
      ]),
    ]);
  const found = items.filter(({ name }) => name.toLowerCase().includes(ui.text.toLowerCase()));
  return region('Racks', [
    searchBox('Articles', [textbox('Article contains', ui.text, { enter: type.entering({ field: 'text' }) })]),
    list(
      'Matches',
      found.slice(0, 6).map(({ id, name }) => link(name, walk.with({ area: 'racks', list: '', item: id }))),
    ),
    found.length > 6 && text(`${found.length - 6} more: type to see them`),
  ]);
}

type Draw = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
const anyList = ({ lists }: Floor, random: Draw) => {
  const { id, no, customer } = random.pick(lists);
  return { id, no, customer };
};
const anyItem = ({ items }: Floor, random: Draw) => {
  const { id, name } = random.pick(items);
  return { id, name };
};

const assign = template('assign-picker', {
  about: 'Say who picks the list of a customer.',
  split: 'train',
  sample(floor, random) {
    const it = anyList(floor, random);
    const old = find(floor.lists, it.id)?.picker;
    return { ...it, picker: random.pick(pickers.slice(1).filter(one => one !== old)) };
  },
  instruction: ({ customer, picker, no }, random) =>
    random.pick([
      `${picker} picks the goods for ${customer}.`,
      `Put ${picker} on ${no}.`,
      `The order of ${customer} goes to ${picker} today, please note that on the list.`,
      `Who picks for ${customer}? It shoud be ${picker}.`,
    ]),
  checks: ({ id, picker }) => [{ name: 'the picker is set', test: final => find(final.lists, id)?.picker === picker }],
  allow: ({ id }) => [`/lists/${id}/picker`],
});

const taken = template('note-short-line', {
  about: 'Note how many pieces of an article were taken for a list.',
  split: 'train',
  sample(floor, random) {
    const it = anyList(floor, random);
    const line = random.pick(floor.lines.filter(one => one.list === it.id));
    return {
      ...it,
      line: line.id,
      item: find(floor.items, line.item)?.name ?? '',
      pieces: `${random.between(21, 49)}`,
    };
  },
  instruction: ({ no, customer, item, pieces }, random) =>
    random.pick([
      `${no}: ${pieces} pieces of ${item} taken.`,
      `On the list of ${customer}, note that ${pieces} of "${item}" were taken.`,
      `We counted again. ${customer} (${no}) gets ${pieces} × ${item}; write it into the line.`,
    ]),
  checks: ({ line, pieces }) => [
    { name: 'pieces are noted', test: final => find(final.lines, line)?.taken === pieces },
  ],
  allow: ({ line }) => [`/lines/${line}/taken`],
});

const carrierOut = template('carrier-to-packing', {
  about: 'Send every list on a trolley that leaves with one carrier to packing.',
  split: 'train',
  sample({ lists }, random) {
    const carrier = random.pick(carriers);
    const own = random.shuffle(lists.filter(it => it.carrier === carrier)).map(({ id }) => id);
    return { carrier, ids: own.slice(0, 2), rest: own.slice(2) };
  },
  setup(draft, { ids, rest }) {
    for (const id of ids) Object.assign(need(draft.lists, id, 'list'), { column: 'On a trolley', stopped: false });
    for (const id of rest) need(draft.lists, id, 'list').column = 'Queued';
  },
  instruction: ({ carrier }, random) =>
    random.pick([
      `${carrier} is at the gate: move its lists that are on a trolley to packing.`,
      `Everything for ${carrier} that lies on a trolley goes At packing. Queued lists stay.`,
      `The trolleys for ${carrier} have arrived at the packing table. Update the board, please.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is at packing`, test: final => find(final.lists, id)?.column === 'At packing' })),
  allow: ({ ids }) => ids.map(id => `/lists/${id}/column`),
});

const stopped = template('start-stopped-list', {
  about: 'Put a list on a trolley although it is stopped: lift the stop first.',
  split: 'train',
  sample: anyList,
  setup: (draft, { id }) => void Object.assign(need(draft.lists, id, 'list'), { column: 'Queued', stopped: true }),
  instruction: ({ no, customer }, random) =>
    random.pick([
      `${customer} has paid. Lift the stop on ${no} and put the list on a trolley.`,
      `Start ${no} (${customer}): it goes on a trolley now. The office agrees to lift its stop.`,
      `The stop on ${no} is no longer needed, move it to "On a trolley".`,
    ]),
  checks: ({ id }) => [
    { name: 'the stop is lifted', test: final => find(final.lists, id)?.stopped === false },
    { name: 'it is on a trolley', test: final => find(final.lists, id)?.column === 'On a trolley' },
  ],
  allow: ({ id }) => [`/lists/${id}/column`, `/lists/${id}/stopped`],
});

const whereIs = template('where-is-article', {
  about: 'Say where an article lies.',
  split: 'train',
  sample: anyItem,
  instruction: ({ name }, random) =>
    random.pick([
      `Where do I find ${name}?`,
      `A new colleague stands lost between the racks and looks for "${name}". Tell the place.`,
      `place of ${name}`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { items }) => need(items, id, 'article').rack,
  shown: ({ ui }, { id }) => ui.area === 'racks' && ui.item === id,
});

const extra = template('extra-line', {
  about: 'Put an article on a list; none may be in stock.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ inStock }) => inStock,
  sample(floor, random) {
    const it = anyList(floor, random);
    const free = floor.items.filter(({ id }) => !floor.lines.some(line => line.list === it.id && line.item === id));
    const item = random.pick(free);
    return { ...it, item: item.id, name: item.name, inStock: random.between(0, 1) === 1 };
  },
  setup: (draft, { item, inStock }) => void (need(draft.items, item, 'article').stock = inStock ? 17 : 0),
  instruction: ({ no, customer, name }, random) =>
    random.pick([
      `Add one ${name} to ${no}.`,
      `${customer} also wants ${name}. Put it on ${no} if we have any.`,
      `Extra line for ${no}: ${name}, one piece.`,
    ]),
  checks: ({ id, item }) => [
    {
      name: 'one line was added',
      test(final, initial) {
        const made = added(initial.lines, final.lines);
        return made.length === 1 && made[0]?.list === id && made[0].item === item;
      },
    },
  ],
  allow: () => ['/lines/+'],
  shown: ({ ui }, { item, name }) => ui.item === item || ui.problem.startsWith(`${name}:`),
});

const forklift = template('order-refill', {
  about: 'Order cartons of an article from the reserve.',
  split: 'train',
  sample: (floor, random) => ({
    ...anyItem(floor, random),
    cartons: `${random.between(2, 19)}`,
    by: random.pick(['before noon', 'by tonight', 'tomorrow', 'this week']),
  }),
  instruction: ({ name, cartons, by }, random) =>
    random.pick([
      `Have ${cartons} cartons of ${name} brought from the reserve, ${by}.`,
      `${name} runs low. Call the forklift: ${cartons} cartons, needed ${by}.`,
      `Refill ${name} (cartons: ${cartons}, when: ${by}).`,
    ]),
  checks: ({ id, cartons, by }) => [
    {
      name: 'one refill was ordered, as asked',
      test(final, initial) {
        const made = added(initial.refills, final.refills);
        return made.length === 1 && made[0]?.item === id && made[0].cartons === cartons && made[0].by === by;
      },
    },
  ],
  allow: () => ['/refills/+'],
});

const nextTo = template('same-place-as', {
  about: 'Store an article where another one lies.',
  split: 'train',
  sample(floor, random) {
    const other = random.pick(floor.items);
    const it = random.pick(floor.items.filter(({ rack }) => rack !== other.rack));
    return { id: it.id, name: it.name, other: other.name, rack: other.rack };
  },
  instruction: ({ name, other }, random) =>
    random.pick([
      `Store ${name} in the same place as ${other}.`,
      `${name} should lie where ${other} lies: look that place up and change it.`,
      `People always buy ${other} and ${name} together, so give the latter the place of the former.`,
    ]),
  checks: ({ id, rack }) => [
    {
      name: 'the place was scanned or is the same',
      test: final => final.ui.scanned === rack || find(final.items, id)?.rack === rack,
    },
    { name: 'the place is the same', test: final => find(final.items, id)?.rack === rack },
  ],
  allow: ({ id }) => [`/items/${id}/rack`],
});

const goods = [
  'garden hose',
  'garden shears',
  'hose clamp',
  'paint roller',
  'paint tray',
  'rope',
  'tarpaulin',
  'wood glue',
];
const kinds = ['small', 'large', 'green'];
const customers = ['Hof Lindner', 'Hof Linde', 'Baumann & Co', 'Baumarkt Süd', 'Gärtnerei Pohl', 'Pohl Dächer'];
const towns = ['Graz', 'Linz'];

export const app = defineApp({
  id: 'pick-floor',
  title: 'Pick floor',
  about: 'Picking lists of a warehouse on a board, their lines, and the racks where articles lie.',
  state,
  init(random) {
    const places = random.shuffle(racks);
    const items = random.shuffle(goods.flatMap(it => kinds.map(kind => `${it}, ${kind}`))).map((name, index) => ({
      id: `i${index + 1}`,
      name,
      rack: places[index] ?? 'C-10',
      stock: random.between(1, 90),
    }));
    const lists = random
      .shuffle(customers.flatMap(name => towns.map(town => `${name} ${town}`)))
      .map((customer, index) => ({
        id: `p${index + 1}`,
        no: `PL-${2101 + index * 3}`,
        customer,
        carrier: carriers[index % 4] ?? '',
        column: random.pick(columns),
        picker: random.pick(pickers),
        stopped: random.chance(0.2),
      }));
    const lines = lists.flatMap(it => random.sample(items, 3).map(item => ({ list: it.id, item: item.id })));
    return {
      lists,
      items,
      lines: lines.map((it, index) => ({ id: `l${index + 1}`, ...it, wanted: random.between(1, 20), taken: '' })),
      refills: [],
      ui: {
        area: 'board',
        list: '',
        menu: '',
        text: '',
        item: '',
        cartons: '',
        by: '',
        add: '',
        scanned: '',
        problem: '',
      },
    };
  },
  commands: [shift, lift, crew, take, addLine, rerack, refill, readList, findItems, walk, scan, unfold, type],
  view(floor) {
    const { area, list: opened, problem } = floor.ui;
    return page('Pick floor', [
      tab('Board', walk.with({ area: 'board', list: '', item: '' }), area === 'board' ? ['selected'] : []),
      tab('Racks', walk.with({ area: 'racks', list: '', item: '' }), area === 'racks' ? ['selected'] : []),
      problem !== '' && status(problem),
      area === 'racks' ? racksView(floor) : opened === '' ? boardView(floor) : listView(floor),
    ]);
  },
  templates: [assign, taken, carrierOut, stopped, whereIs, extra, forklift, nextTo],
  onRefusal(draft, message) {
    draft.ui.problem = message;
  },
});

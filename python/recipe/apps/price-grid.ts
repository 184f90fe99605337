import {
  added,
  alert,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  find,
  form,
  heading,
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
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const columns = ['cost', 'shelf', 'rebate'] as const;
const makers = ['Alder', 'Alder & Sons', 'Birk', 'Corvo'];
const orders = ['as entered', 'by article', 'by maker'];

const state = z.object({
  sheets: z.array(z.object({ id: z.string(), name: z.string(), guard: z.string() })),
  rows: z.array(
    z.object({
      id: z.string(),
      sheet: z.string(),
      article: z.string(),
      maker: z.string(),
      cost: z.string(),
      shelf: z.string(),
      rebate: z.string(),
    }),
  ),
  ui: z.object({
    sheet: z.string(),
    row: z.string(),
    column: z.enum(columns),
    bar: z.string(),
    clip: z.string(),
    menu: z.string(),
    order: z.string(),
    inserting: z.boolean(),
    article: z.string(),
    maker: z.string(),
    beep: z.string(),
  }),
});
type Grid = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const money = z.string().regex(/^\d+([.]\d\d)?$|^$/, 'A cell takes a number such as 7 or 7.50.');
const writable = (draft: Grid, id: string) => {
  const { name, guard } = need(draft.sheets, id, 'sheet');
  if (guard === 'you') refuse(`${name} is protected. Sheet ▾ lets you unprotect it.`);
  if (guard !== '') refuse(`${name} is protected by ${guard}; only ${guard} can unprotect it.`);
};

const enterCell = command('enter_cell', {
  about: 'Write a number into a cell.',
  input: z.object({ id: z.string(), column: z.enum(columns), value: money }),
  run(draft, { id, column, value }) {
    const it = need(draft.rows, id, 'row');
    writable(draft, it.sheet);
    it[column] = value;
    Object.assign(draft.ui, { row: '', bar: '' });
  },
});
const insertRow = command('insert_row', {
  about: 'Insert an empty row for an article.',
  input: z.object({
    sheet: z.string(),
    article: z.string().trim().min(2, 'Name the article.'),
    maker: z.string().min(1, 'Choose a maker.'),
  }),
  run(draft, { sheet, article, maker }) {
    writable(draft, sheet);
    draft.rows.push({ id: nextId(draft.rows, 'r'), sheet, article, maker, cost: '', shelf: '', rebate: '' });
    Object.assign(draft.ui, { inserting: false, article: '', maker: '' });
  },
});
const dropRow = command('drop_row', {
  about: 'Take a row out.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    writable(draft, need(draft.rows, id, 'row').sheet);
    remove(draft.rows, id);
    draft.ui.row = '';
  },
});
const protect = command('set_guard', {
  about: 'Protect a sheet, or unprotect one that you protected.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    const it = need(draft.sheets, id, 'sheet');
    if (it.guard !== '' && it.guard !== 'you')
      refuse(`${it.name} is protected by ${it.guard}; only ${it.guard} can unprotect it.`);
    it.guard = on ? 'you' : '';
    Object.assign(draft.ui, { menu: '', beep: '' });
  },
});
const readSheet = query('read_sheet', {
  about: 'Read all rows of a sheet.',
  input: z.object({ name: z.string() }),
  run({ sheets, rows }, { name }) {
    const it = sheets.find(one => one.name === name) ?? refuse('No such sheet.');
    return { ...it, rows: rows.filter(({ sheet }) => sheet === it.id) };
  },
});
const still = { row: '', bar: '', menu: '', inserting: false, article: '', maker: '', beep: '' };
const flipTo = gesture('flip_to', {
  about: 'Show a sheet.',
  input: z.object({ sheet: z.string() }),
  run: (draft, { sheet }) => void Object.assign(draft.ui, still, { sheet }),
});
const select = gesture('select_cell', {
  about: 'Select a cell.',
  input: z.object({ id: z.string(), column: z.enum(columns) }),
  run(draft, { id, column }) {
    Object.assign(draft.ui, still, { row: id, column, bar: need(draft.rows, id, 'row')[column] });
  },
});
const typeBar = gesture('type', {
  about: 'Type into the bar above the grid or into the row form.',
  input: z.object({ field: z.enum(['bar', 'article', 'maker']), value: z.string().max(40) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});
const copy = gesture('copy_cell', {
  about: 'Copy the selected cell.',
  input: z.object({ value: z.string() }),
  run: (draft, { value }) => void (draft.ui.clip = value),
});
const drop = gesture('drop_menu', {
  about: 'Open a menu.',
  input: z.object({ menu: z.string() }),
  run: (draft, input) => void (draft.ui.menu = draft.ui.menu === input.menu ? '' : input.menu),
});
const arrange = gesture('arrange', {
  about: 'Arrange the rows.',
  input: z.object({ order: z.string() }),
  run: (draft, { order }) => void Object.assign(draft.ui, { order, menu: '' }),
});
const beginRow = gesture('begin_row', {
  about: 'Begin a new row.',
  input: z.object({}),
  run: draft => void Object.assign(draft.ui, still, { inserting: true }),
});

function arranged({ rows, ui }: Grid): Grid['rows'] {
  const own = rows.filter(({ sheet }) => sheet === ui.sheet);
  if (ui.order === 'by article') return own.sort((one, other) => one.article.localeCompare(other.article));
  if (ui.order === 'by maker') return own.sort((one, other) => one.maker.localeCompare(other.maker));
  return own;
}

function bar({ rows, ui }: Grid) {
  const it = find(rows, ui.row);
  if (it === undefined) return text('No cell selected');
  return toolbar('Cell', [
    textbox(`${ui.column} of ${it.article}`, ui.bar, { enter: typeBar.entering({ field: 'bar' }) }),
    button('✓ Enter', enterCell.with({ id: it.id, column: ui.column, value: ui.bar })),
    button('Copy', copy.with({ value: it[ui.column] })),
    ui.clip !== '' && button(`Paste ${ui.clip}`, enterCell.with({ id: it.id, column: ui.column, value: ui.clip })),
    button('Take row out', dropRow.with({ id: it.id })),
  ]);
}

function sheetMenu({ sheets, ui }: Grid) {
  const it = need(sheets, ui.sheet, 'sheet');
  return [
    button('Sheet ▾', drop.with({ menu: 'sheet' }), ui.menu === '' ? [] : ['expanded']),
    ui.menu === 'sheet' &&
      menu('Sheet', [
        menuItem('Insert row', beginRow.with({})),
        menuItem('Arrange ▸', drop.with({ menu: 'arrange' })),
        it.guard === ''
          ? menuItem('Protect', protect.with({ id: it.id, on: true }))
          : menuItem('Unprotect', protect.with({ id: it.id, on: false })),
      ]),
    ui.menu === 'arrange' &&
      menu(
        'Arrange',
        orders.map(order => menuItem(order, arrange.with({ order }))),
      ),
  ];
}

const shown = (it: Grid['rows'][number], column: (typeof columns)[number]) =>
  `${it.article} ${column}: ${it[column] === '' ? 'empty' : it[column]}`;

const gridView = (grid: Grid) =>
  table(
    'Grid',
    arranged(grid).map(it =>
      row(it.article, [
        cell(it.article),
        cell(it.maker),
        ...(['cost', 'shelf'] as const).map(column => button(shown(it, column), select.with({ id: it.id, column }))),
        textbox(`${it.article} rebate`, it.rebate, { enter: enterCell.entering({ id: it.id, column: 'rebate' }) }),
      ]),
    ),
  );

type Draw = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
function anyRow({ rows, sheets }: Grid, random: Draw) {
  const it = random.pick(rows);
  return { id: it.id, sheet: it.sheet, article: it.article, name: find(sheets, it.sheet)?.name ?? '' };
}
const open = (draft: Grid, { sheet }: { sheet: string }) => void (need(draft.sheets, sheet, 'sheet').guard = '');
const columnWords = { cost: 'cost', shelf: 'shelf price', rebate: 'rebate' };

const oneCell = template('one-cell', {
  about: 'Write a number into one cell of a sheet.',
  split: 'train',
  sample: (grid, random) => ({
    ...anyRow(grid, random),
    column: random.pick(columns),
    value: `${random.between(61, 98)}.${random.pick(['10', '25', '50', '90'])}`,
  }),
  setup: open,
  instruction: ({ article, name, column, value }, random) =>
    random.pick([
      `${name}: ${columnWords[column]} of ${article} = ${value}.`,
      `Set the ${columnWords[column]} of ${article} to ${value} on the sheet ${name}.`,
      `In ${name} the ${columnWords[column]} for ${article} is wrong, it should be ${value}. The other sheets are right.`,
      `please chnage ${article} / ${columnWords[column]} in ${name}: ${value}`,
    ]),
  checks: ({ id, column, value }) => [
    { name: 'the cell is right', test: final => find(final.rows, id)?.[column] === value },
  ],
  allow: ({ id, column }) => [`/rows/${id}/${column}`],
});

const guarded = template('protected-sheet', {
  about: 'Write into a sheet that you protected: unprotect it first.',
  split: 'train',
  sample: (grid, random) => ({ ...anyRow(grid, random), value: `${random.between(31, 58)}` }),
  setup: (draft, { sheet }) => void (need(draft.sheets, sheet, 'sheet').guard = 'you'),
  instruction: ({ article, name, value }, random) =>
    random.pick([
      `Unprotect ${name} and give ${article} a rebate of ${value}.`,
      `${article} gets a rebate of ${value} in ${name}. I protected that sheet, you may take the protection off.`,
      `rebate ${value} for ${article}, sheet ${name} (protected by me; leave it unprotected afterwards)`,
    ]),
  checks: ({ id, sheet, value }) => [
    { name: 'the sheet is open', test: final => find(final.sheets, sheet)?.guard === '' },
    { name: 'the rebate is written', test: final => find(final.rows, id)?.rebate === value },
  ],
  allow: ({ id, sheet }) => [`/rows/${id}/rebate`, `/sheets/${sheet}/guard`],
});

const takeOut = template('take-row-out', {
  about: 'Take a row out; another person may have protected the sheet.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ free }) => free,
  sample: (grid, random) => ({
    ...anyRow(grid, random),
    free: random.between(0, 1) === 1,
    guard: random.pick(['Petra', 'Luis', 'the auditor']),
  }),
  setup: (draft, { sheet, free, guard }) => void (need(draft.sheets, sheet, 'sheet').guard = free ? '' : guard),
  instruction: ({ article, name }, random) =>
    random.pick([
      `Take ${article} out of ${name}.`,
      `We no longer sell ${article} in ${name}. Its row should go, if the sheet can be changed.`,
      `row "${article}", sheet ${name}: out`,
    ]),
  checks: ({ id }) => [{ name: 'the row is gone', test: final => find(final.rows, id) === undefined }],
  allow: ({ id }) => [`/rows/${id}`],
  shown: ({ ui }, { sheet }) => ui.sheet === sheet,
});

const fresh = template('insert-row', {
  about: 'Insert a row for an article.',
  split: 'train',
  sample: ({ sheets }, random) => {
    const { id, name } = random.pick(sheets);
    const article = random.pick(['bread knife', 'salt mill', 'egg timer', 'tea strainer', 'fish kettle']);
    return { sheet: id, name, article, maker: random.pick(makers) };
  },
  setup: open,
  instruction: ({ name, article, maker }, random) =>
    random.pick([
      `Insert a row into ${name}: ${article} by ${maker}.`,
      `${maker} now makes a ${article}. Add it to the sheet ${name}; prices will follow.`,
      `New article on ${name}. It is called "${article}", maker ${maker}. Leave the numbers empty.`,
    ]),
  checks: ({ sheet, article, maker }) => [
    {
      name: 'one row was inserted, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.rows, final.rows);
        return (
          more.length === 0 &&
          made?.sheet === sheet &&
          made.article === article &&
          made.maker === maker &&
          made.cost === '' &&
          made.shelf === '' &&
          made.rebate === ''
        );
      },
    },
  ],
  allow: () => ['/rows/+'],
});

const dearest = template('dearest-of-maker', {
  about: 'Say which article of a maker has the highest or lowest shelf price on a sheet.',
  split: 'train',
  sample({ sheets, rows }, random) {
    const [sheet, maker, low] = [random.pick(sheets), random.pick(makers), random.chance(0.5)];
    const own = rows.filter(it => it.sheet === sheet.id && it.maker === maker);
    const sorted = own.sort((one, other) => Number(other.shelf) - Number(one.shelf));
    if (sorted.length < 2) return null;
    const best = low ? sorted.at(-1) : sorted[0];
    return { sheet: sheet.id, name: sheet.name, maker, low, article: best?.article ?? '' };
  },
  setup: open,
  instruction: ({ name, maker, low }, random) =>
    random.pick([
      `Which article by ${maker} has the ${low ? 'lowest' : 'highest'} shelf price on ${name}?`,
      `I look for the ${low ? 'cheapest' : 'dearest'} thing by ${maker} on the sheet ${name}, going by the shelf price. What is it?`,
      `${name}: name the ${low ? 'cheapest' : 'dearest'} article of ${maker}`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ article }) => article,
  shown: ({ ui }, { sheet }) => ui.sheet === sheet && !ui.inserting,
});

const samePrice = template('price-from-other-sheet', {
  about: 'Copy the shelf price of an article from one sheet to another.',
  split: 'train',
  sample({ rows, sheets }, random) {
    const it = random.pick(rows);
    const twin = rows.find(one => one.article === it.article && one.sheet !== it.sheet && one.shelf !== it.shelf);
    if (twin === undefined) return null;
    const nameOf = (id: string) => find(sheets, id)?.name ?? '';
    return {
      id: twin.id,
      sheet: twin.sheet,
      article: it.article,
      source: it.id,
      from: nameOf(it.sheet),
      to: nameOf(twin.sheet),
    };
  },
  setup: open,
  instruction: ({ article, from, to }, random) =>
    random.pick([
      `${article} should have the same shelf price on ${to} as on ${from}.`,
      `Copy the shelf price of ${article} from ${from} to ${to}.`,
      `On ${to}, ${article} must cost on the shelf what it costs on ${from}. Look it up there.`,
    ]),
  checks: ({ id, source }) => [
    {
      name: 'the price was copied or is the same',
      test: (final, initial) => {
        const price = need(initial.rows, source, 'row').shelf;
        return final.ui.clip === price || find(final.rows, id)?.shelf === price;
      },
    },
    {
      name: 'the price is the same',
      test: (final, initial) => find(final.rows, id)?.shelf === need(initial.rows, source, 'row').shelf,
    },
  ],
  allow: ({ id }) => [`/rows/${id}/shelf`],
});

const makerRebate = template('rebate-for-maker', {
  about: 'Set the rebate of all articles of a maker on a sheet.',
  split: 'train',
  sample({ sheets, rows }, random) {
    const [sheet, maker] = [random.pick(sheets), random.pick(makers)];
    const ids = rows.filter(it => it.sheet === sheet.id && it.maker === maker).map(({ id }) => id);
    return ids.length < 2 || ids.length > 3
      ? null
      : { sheet: sheet.id, name: sheet.name, maker, ids, value: `${random.between(40, 60)}` };
  },
  setup: open,
  instruction: ({ name, maker, value }, random) =>
    random.pick([
      `${name}: everything by ${maker} gets a rebate of ${value}.`,
      `Set the rebate to ${value} for each article of ${maker} on the sheet ${name}. Other makers keep theirs.`,
      `${maker} celebrates. All their articles in ${name}: rebate ${value}`,
    ]),
  checks: ({ ids, value }) =>
    ids.map(id => ({ name: `${id} has the rebate`, test: final => find(final.rows, id)?.rebate === value })),
  allow: ({ ids }) => ids.map(id => `/rows/${id}/rebate`),
});

const lockUp = template('protect-sheet', {
  about: 'See that a sheet is protected; it may be already.',
  split: 'train',
  kind: 'already-done',
  isTwin: ({ bare }) => bare,
  sample({ sheets }, random) {
    const { id, name } = random.pick(sheets);
    return { id, name, bare: random.chance(0.5) };
  },
  setup: (draft, { id, bare }) => void (need(draft.sheets, id, 'sheet').guard = bare ? '' : 'you'),
  instruction: ({ name }, random) =>
    random.pick([
      `Protect ${name}.`,
      `Nobody should be able to write into ${name} by accident. See that this sheet is protected.`,
      `Is ${name} protected? It has to be.`,
    ]),
  checks: ({ id }) => [{ name: 'the sheet is protected', test: final => find(final.sheets, id)?.guard === 'you' }],
  allow: ({ id }) => [`/sheets/${id}/guard`],
  shown: ({ ui }, { id }) => ui.sheet === id,
});

const things = [
  'pan, 20 cm',
  'pan, 28 cm',
  'pot, 3 l',
  'pot, 5 l',
  'ladle',
  'whisk',
  'colander',
  'grater',
  'sieve',
  'peeler',
  'tongs',
  'wok',
];

export const app = defineApp({
  id: 'price-grid',
  title: 'Price grid',
  about: 'Price lists of a kitchen shop in sheets, with cells, a bar to type in, and protection.',
  state,
  init(random) {
    const names = random.sample(['Retail', 'Retail online', 'Wholesale', 'Outlet', 'Export', 'Export EU', 'Staff'], 5);
    const sheets = names.map((name, index) => ({
      id: `s${index + 1}`,
      name,
      guard: random.chance(0.2) ? 'Petra' : '',
    }));
    const cents = () => random.pick(['00', '20', '50', '90']);
    const rows = sheets.flatMap(({ id }) =>
      random.sample(things, 7).map(article => ({ sheet: id, article, maker: random.pick(makers) })),
    );
    const used = new Set<string>();
    const price = () => {
      for (;;) {
        const value = `${random.between(8, 60)}.${cents()}`;
        if (used.has(value)) continue;
        used.add(value);
        return value;
      }
    };
    return {
      sheets,
      rows: rows.map((it, index) => ({
        id: `r${index + 1}`,
        ...it,
        cost: `${random.between(2, 7)}.${cents()}`,
        shelf: price(),
        rebate: random.chance(0.5) ? '' : `${random.between(1, 6) * 5}`,
      })),
      ui: { sheet: '', column: 'cost', clip: '', order: 'as entered', ...still },
    };
  },
  commands: [enterCell, insertRow, dropRow, protect, readSheet, flipTo, select, typeBar, copy, drop, arrange, beginRow],
  view(grid) {
    const { ui, sheets } = grid;
    const tabs = sheets.map(({ id, name }) =>
      tab(name, flipTo.with({ sheet: id }), id === ui.sheet ? ['selected'] : []),
    );
    const it = find(sheets, ui.sheet);
    if (it === undefined) return page('Price grid', [heading('Price lists'), text('Choose a sheet below.'), ...tabs]);
    return page('Price grid', [
      heading(it.name),
      it.guard !== '' && status(it.guard === 'you' ? 'Protected by you' : `Protected by ${it.guard}`),
      ui.beep !== '' && alert(ui.beep),
      ...sheetMenu(grid),
      ui.inserting
        ? form('New row', [
            textbox('Article', ui.article, { enter: typeBar.entering({ field: 'article' }) }),
            combobox('Maker', ui.maker, { enter: typeBar.entering({ field: 'maker' }), options: makers }),
            button('Place row', insertRow.with({ sheet: it.id, article: ui.article, maker: ui.maker })),
            button('No row', flipTo.with({ sheet: it.id })),
          ])
        : region('Sheet', [bar(grid), gridView(grid)]),
      ...tabs,
    ]);
  },
  templates: [oneCell, guarded, takeOut, fresh, dearest, samePrice, makerRebate, lockUp],
  onRefusal(draft, message) {
    draft.ui.beep = message;
  },
});

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
  row,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const types = ['integer', 'bigint', 'text', 'varchar(80)', 'boolean', 'date', 'timestamp', 'numeric(10,2)', 'uuid'];

const entity = z.object({ id: z.string(), name: z.string(), comment: z.string() });
const column = z.object({
  id: z.string(),
  entity: z.string(),
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  key: z.boolean(),
  refersTo: z.string(),
});
const index = z.object({ id: z.string(), entity: z.string(), columns: z.array(z.string()), unique: z.boolean() });
const state = z.object({
  entities: z.array(entity),
  columns: z.array(column),
  indexes: z.array(index),
  ui: z.object({
    open: z.string().nullable(),
    column: z.string().nullable(),
    panel: z.enum(['none', 'column', 'index', 'drop']),
    name: z.string(),
    type: z.string(),
    nullable: z.boolean(),
    picked: z.array(z.string()),
    unique: z.boolean(),
    error: z.string(),
  }),
});
type Schema = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const nameRule = /^[a-z][a-z0-9_]*$/;

const addColumn = command('add_column', {
  about: 'Add a column to a table.',
  input: z.object({ entity: z.string(), name: z.string().trim(), type: z.string(), nullable: z.boolean() }),
  run(draft, { entity: of, name, type, nullable }) {
    need(draft.entities, of, 'table');
    if (!nameRule.test(name)) refuse('A column name has lower-case letters, digits and _.');
    if (!types.includes(type)) refuse('Choose a type.');
    if (draft.columns.some(it => it.entity === of && it.name === name)) refuse(`There is a column ${name} already.`);
    const id = nextId(draft.columns, 'c');
    draft.columns.push({ id, entity: of, name, type, nullable, key: false, refersTo: '' });
    Object.assign(draft.ui, { panel: 'none', name: '', type: '', nullable: false, error: '' });
  },
});
const setType = command('set_type', {
  about: 'Change the type of a column. Columns that refer to another table keep theirs.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.columns, id, 'column');
    if (it.refersTo !== '') refuse(`${it.name} refers to ${it.refersTo} and must keep its type.`);
    if (!types.includes(value)) refuse('There is no such type.');
    it.type = value;
    draft.ui.error = '';
  },
});
const rename = command('rename_column', {
  about: 'Rename a column.',
  input: z.object({ id: z.string(), value: z.string().trim() }),
  run(draft, { id, value }) {
    const it = need(draft.columns, id, 'column');
    if (!nameRule.test(value)) refuse('A column name has lower-case letters, digits and _.');
    if (draft.columns.some(other => other.entity === it.entity && other.name === value && other.id !== id)) {
      refuse(`There is a column ${value} already.`);
    }
    it.name = value;
    draft.ui.error = '';
  },
});
const setNullable = command('set_nullable', {
  about: 'Let a column be empty, or require it.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.columns, id, 'column');
    if (it.key) refuse('A primary key is never empty.');
    it.nullable = !it.nullable;
    draft.ui.error = '';
  },
});
const dropColumn = command('drop_column', {
  about: 'Drop a column that no index uses.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.columns, id, 'column');
    if (it.key) refuse('The primary key cannot be dropped.');
    if (draft.indexes.some(({ columns }) => columns.includes(id))) refuse(`An index uses ${it.name}.`);
    remove(draft.columns, id);
    Object.assign(draft.ui, { column: null, panel: 'none', error: '' });
  },
});
const addIndex = command('add_index', {
  about: 'Add an index over columns of a table, in the order given.',
  input: z.object({ entity: z.string(), columns: z.array(z.string()).min(1, 'Pick a column'), unique: z.boolean() }),
  run(draft, { entity: of, columns, unique }) {
    for (const id of columns) if (need(draft.columns, id, 'column').entity !== of) refuse('That is another table.');
    draft.indexes.push({ id: nextId(draft.indexes, 'i'), entity: of, columns, unique });
    Object.assign(draft.ui, { panel: 'none', picked: [], unique: false, error: '' });
  },
});
const dropIndex = command('drop_index', {
  about: 'Drop an index.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.indexes, id, 'index');
    remove(draft.indexes, id);
    draft.ui.error = '';
  },
});
const setComment = command('set_comment', {
  about: 'Write the comment of a table.',
  input: z.object({ id: z.string(), value: z.string().max(120) }),
  run(draft, { id, value }) {
    need(draft.entities, id, 'table').comment = value;
  },
});
const describeTable = query('describe_table', {
  about: 'Describe a table by its name: columns and indexes.',
  input: z.object({ name: z.string() }),
  run({ entities, columns, indexes }, { name }) {
    const it = entities.find(one => one.name === name) ?? refuse('There is no such table.');
    return {
      ...it,
      columns: columns.filter(one => one.entity === it.id).map(one => ({ ...one })),
      indexes: indexes.filter(one => one.entity === it.id).map(one => ({ ...one })),
    };
  },
});

const openTable = gesture('open_table', {
  about: 'Open a table.',
  input: z.object({ id: z.string().nullable() }),
  run({ ui }, { id }) {
    Object.assign(ui, { open: id, column: null, panel: 'none', error: '' });
  },
});
const openColumn = gesture('open_column', {
  about: 'Open a column, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run({ ui }, { id }) {
    Object.assign(ui, { column: id, panel: 'none', error: '' });
  },
});
const openPanel = gesture('open_panel', {
  about: 'Open a panel.',
  input: z.object({ panel: z.enum(['none', 'column', 'index', 'drop']) }),
  run({ ui }, { panel }) {
    Object.assign(ui, { panel, name: '', type: '', nullable: false, picked: [], unique: false, error: '' });
  },
});
const write = gesture('write_field', {
  about: 'Fill in the panel of a new column.',
  input: z.object({ field: z.enum(['name', 'type']), value: z.string().max(40) }),
  run({ ui }, { field, value }) {
    ui[field] = value;
  },
});
const flip = gesture('flip', {
  about: 'Flip a box of a panel.',
  input: z.object({ field: z.enum(['nullable', 'unique']) }),
  run({ ui }, { field }) {
    ui[field] = !ui[field];
  },
});
const pickColumn = gesture('pick_column', {
  about: 'Put a column into the new index, or take it out.',
  input: z.object({ id: z.string() }),
  run({ ui }, { id }) {
    ui.picked = ui.picked.includes(id) ? ui.picked.filter(it => it !== id) : [...ui.picked, id];
  },
});

function nameOf({ columns }: Schema, id: string) {
  return find(columns, id)?.name ?? '?';
}

function sheet(schema: Schema, it: Schema['entities'][number]) {
  const { ui, columns, indexes } = schema;
  const mine = columns.filter(one => one.entity === it.id);
  const opened = mine.find(one => one.id === ui.column);
  return region(`Table ${it.name}`, [
    heading(it.name),
    textbox('Comment', it.comment, { enter: setComment.entering({ id: it.id }) }),
    toolbar('Table', [
      button('+ column', openPanel.with({ panel: 'column' })),
      button('+ index', openPanel.with({ panel: 'index' })),
    ]),
    ui.panel === 'column' &&
      form('New column', [
        textbox('Column name', ui.name, { enter: write.entering({ field: 'name' }) }),
        combobox('Column type', ui.type, { enter: write.entering({ field: 'type' }), options: types }),
        checkbox('May be null', ui.nullable, flip.with({ field: 'nullable' })),
        button('Add', addColumn.with({ entity: it.id, name: ui.name, type: ui.type, nullable: ui.nullable })),
        button('Cancel', openPanel.with({ panel: 'none' })),
      ]),
    ui.panel === 'index' &&
      form('New index', [
        ...mine.map(one => checkbox(`on ${one.name}`, ui.picked.includes(one.id), pickColumn.with({ id: one.id }))),
        checkbox('Unique', ui.unique, flip.with({ field: 'unique' })),
        button('Create', addIndex.with({ entity: it.id, columns: ui.picked, unique: ui.unique })),
        button('Cancel', openPanel.with({ panel: 'none' })),
      ]),
    opened !== undefined &&
      region(`Column ${opened.name}`, [
        textbox('Name', opened.name, { enter: rename.entering({ id: opened.id }) }),
        combobox('Type', opened.type, { enter: setType.entering({ id: opened.id }), options: types }),
        checkbox('Nullable', opened.nullable, setNullable.with({ id: opened.id })),
        opened.refersTo !== '' && text(`Refers to ${opened.refersTo}`),
        button('Drop column', openPanel.with({ panel: 'drop' })),
        button('Close', openColumn.with({ id: null })),
      ]),
    table(
      'Columns',
      mine.map(one =>
        row(one.name, [
          button(one.name, openColumn.with({ id: one.id })),
          cell(one.type),
          cell(`${one.key ? 'primary key' : one.nullable ? 'null' : 'not null'}`),
          cell(one.refersTo === '' ? '' : `→ ${one.refersTo}`),
        ]),
      ),
    ),
    list(
      'Indexes',
      indexes
        .filter(one => one.entity === it.id)
        .map(one => {
          const name = `(${one.columns.map(id => nameOf(schema, id)).join(', ')})`;
          return listItem(name, [
            text(`${one.unique ? 'unique ' : ''}index on ${name}`),
            button(`Drop index ${name}`, dropIndex.with({ id: one.id })),
          ]);
        }),
    ),
  ]);
}

const tableNames = [
  'vehicle',
  'vehicle_type',
  'driver',
  'driver_licence',
  'route',
  'route_stop',
  'stop',
  'ticket',
  'ticket_sale',
  'shift_log',
  'incident',
  'operator',
];
const pool: readonly (readonly [string, string])[] = [
  ['name', 'text'],
  ['short_name', 'varchar(80)'],
  ['created_at', 'timestamp'],
  ['updated_at', 'timestamp'],
  ['valid_from', 'date'],
  ['valid_to', 'date'],
  ['price', 'numeric(10,2)'],
  ['distance', 'integer'],
  ['is_active', 'boolean'],
  ['is_hidden', 'boolean'],
  ['remarks', 'text'],
  ['external_ref', 'varchar(80)'],
  ['sort_order', 'integer'],
];
const newColumns: readonly (readonly [string, readonly string[]])[] = [
  ['colour', ['text', 'varchar(80)']],
  ['capacity', ['integer', 'bigint']],
  ['checked_by', ['text', 'uuid']],
  ['checked_on', ['date', 'timestamp']],
  ['locale', ['text', 'varchar(80)']],
  ['phone', ['varchar(80)', 'text']],
  ['weight', ['integer', 'numeric(10,2)']],
  ['zone', ['integer', 'varchar(80)']],
  ['is_public', ['boolean']],
  ['token', ['uuid']],
];
const otherTypes: Record<string, readonly string[]> = {
  text: ['varchar(80)'],
  'varchar(80)': ['text'],
  timestamp: ['date'],
  date: ['timestamp'],
  'numeric(10,2)': ['integer', 'bigint'],
  integer: ['bigint', 'numeric(10,2)'],
  boolean: ['integer'],
  bigint: ['integer', 'uuid'],
};
const otherNames: Record<string, readonly string[]> = {
  name: ['label', 'title'],
  short_name: ['abbreviation', 'code'],
  created_at: ['entered_at', 'added_at'],
  updated_at: ['changed_at', 'edited_at'],
  valid_from: ['starts_on', 'since'],
  valid_to: ['ends_on', 'until_day'],
  price: ['amount', 'fare'],
  distance: ['length_m', 'metres'],
  is_active: ['active', 'in_use'],
  is_hidden: ['hidden', 'internal'],
  remarks: ['notes', 'memo'],
  external_ref: ['partner_ref', 'foreign_ref'],
  sort_order: ['position', 'rank_no'],
};
const distinct = ['name', 'short_name', 'external_ref', 'sort_order'];

type Random = { pick<T>(items: readonly T[]): T };
function plainColumn({ columns, entities, indexes }: Schema, random: Random) {
  const free = columns.filter(it => !it.key && it.refersTo === '' && !indexes.some(one => one.columns.includes(it.id)));
  const it = random.pick(free);
  return { id: it.id, column: it.name, table: need(entities, it.entity, 'table').name };
}

const newColumn = template('new-column', {
  about: 'Add a column to a table.',
  split: 'test',
  sample({ entities }, random) {
    const { id, name } = random.pick(entities);
    const [made, fitting] = random.pick(newColumns);
    return { id, table: name, column: made, type: random.pick(fitting), nullable: random.chance(0.5) };
  },
  instruction: ({ table: of, column: name, type, nullable }, random) =>
    random.pick([
      `Add a column ${name} of the type ${type} to ${of}. It ${nullable ? 'may' : 'must not'} be null.`,
      `${of} needs a new ${nullable ? 'optional (nullable)' : 'mandatory (not null)'} column "${name}", ${type}.`,
      `alter table ${of}: add ${name} ${type} ${nullable ? 'null' : 'not null'}`,
    ]),
  checks: ({ id, column: name, type, nullable }) => [
    {
      name: 'one column was added, as said',
      test(final, initial) {
        const [it, ...more] = added(initial.columns, final.columns);
        if (it === undefined || more.length > 0) return false;
        return it.entity === id && it.name === name && it.type === type && it.nullable === nullable;
      },
    },
  ],
  allow: () => ['/columns/+'],
});

const retype = template('change-type', {
  about: 'Change the type of a column; those that refer to another table keep theirs.',
  split: 'test',
  kind: 'infeasible',
  sample({ columns, entities }, random) {
    const free = random.chance(0.5);
    const it = random.pick(columns.filter(one => !one.key && (one.refersTo === '') === free));
    const type = random.pick(otherTypes[it.type] ?? ['text']);
    return { id: it.id, column: it.name, table: need(entities, it.entity, 'table').name, type, free };
  },
  isTwin: ({ free }) => free,
  instruction: ({ column: name, table: of, type }, random) =>
    random.pick([
      `Make ${of}.${name} a ${type}.`,
      `The type of the column ${name} in ${of} is wrong. It should be ${type}.`,
      `change ${name} (table ${of}) to ${type} pls`,
    ]),
  checks: ({ id, type }) => [
    { name: 'the column has the type', test: final => find(final.columns, id)?.type === type },
  ],
  allow: ({ id }) => [`/columns/${id}/type`],
  shown: ({ ui }, { id }) => ui.column === id && ui.error.includes('keep its type'),
});

const renameIt = template('rename-column', {
  about: 'Rename a column.',
  split: 'test',
  sample(schema, random) {
    const it = plainColumn(schema, random);
    return { ...it, name: random.pick(otherNames[it.column] ?? ['label']) };
  },
  instruction: ({ column: old, table: of, name }, random) =>
    random.pick([
      `Rename the column ${old} of ${of} to ${name}.`,
      `In ${of}, "${old}" is a bad name. Call it ${name}.`,
      `${of}.${old} -> ${of}.${name}`,
    ]),
  checks: ({ id, name }) => [
    { name: `the column is called ${name}`, test: final => find(final.columns, id)?.name === name },
  ],
  allow: ({ id }) => [`/columns/${id}/name`],
});

const makeIndex = template('unique-index', {
  about: 'Add a unique index on one column.',
  split: 'test',
  sample(schema, random) {
    const it = plainColumn(schema, random);
    return { ...it, unique: distinct.includes(it.column) && random.chance(0.7) };
  },
  instruction: ({ column: name, table: of, unique }, random) =>
    random.pick([
      `Create ${unique ? 'a unique' : 'an'} index on ${name} of the table ${of}.`,
      unique
        ? `No two rows of ${of} may have the same ${name}. Add an index that takes care of it.`
        : `Queries on ${of} by ${name} are slow. Add a plain index on that column, not a unique one.`,
      `${of}: ${unique ? 'unique ' : ''}index (${name})`,
    ]),
  checks: ({ id, unique }) => [
    {
      name: 'one index was added, as said',
      test(final, initial) {
        const [it, ...more] = added(initial.indexes, final.indexes);
        if (it === undefined || more.length > 0) return false;
        return it.columns.join() === id && it.unique === unique && it.entity === find(final.columns, id)?.entity;
      },
    },
  ],
  allow: () => ['/indexes/+'],
});

const dropIndexed = template('drop-indexed-column', {
  about: 'Drop a column together with the index on it.',
  split: 'test',
  sample(schema, random) {
    const taken = schema.indexes.map(({ entity: of }) => of);
    const {
      id,
      column: name,
      table: of,
    } = plainColumn({ ...schema, columns: schema.columns.filter(it => !taken.includes(it.entity)) }, random);
    return { id, column: name, table: of };
  },
  setup(draft, { id }) {
    draft.indexes.push({ id: 'i90', entity: need(draft.columns, id, 'column').entity, columns: [id], unique: false });
  },
  instruction: ({ column: name, table: of }, random) =>
    random.pick([
      `Drop the column ${name} of ${of}, and the index on it.`,
      `Nobody reads ${of}.${name} any more. Remove it; the index on it has to go first.`,
      `drop ${name} from ${of} incl. its index`,
    ]),
  checks: ({ id }) => [
    { name: 'the index is gone', test: final => find(final.indexes, 'i90') === undefined },
    { name: 'the column is gone', test: final => find(final.columns, id) === undefined },
  ],
  allow: ({ id }) => [`/columns/${id}`, '/indexes/i90'],
});

const pointsAt = template('where-does-it-point', {
  about: 'Tell to which table a column refers.',
  split: 'test',
  sample({ columns, entities }, random) {
    const fit = columns.filter(it => it.refersTo !== '' && it.name === 'parent_id');
    if (fit.length === 0) return null;
    const it = random.pick(fit);
    return { id: it.id, entity: it.entity, table: need(entities, it.entity, 'table').name };
  },
  instruction: ({ table: of }, random) =>
    random.pick([
      `Which table does ${of}.parent_id refer to?`,
      `I'm writing a join: what does parent_id in ${of} point at? The name of the table.`,
      `parent_id of ${of} is a foreign key to which table?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { columns }) => need(columns, id, 'column').refersTo,
  shown: ({ ui }, { entity: of }) => ui.open === of,
});

export const app = defineApp({
  id: 'schema',
  title: 'Schema designer',
  about: 'A designer for the tables of a database: columns, types, references and indexes.',
  state,
  init(random) {
    const entities = random.shuffle(tableNames).map((name, at) => ({ id: `t${at + 1}`, name, comment: '' }));
    const columns = entities
      .flatMap(({ id, name }) => [
        { entity: id, name: 'id', type: 'bigint', nullable: false, key: true, refersTo: '' },
        ...random.sample(['parent_id', 'owner_id', 'kind_id'], 2).map(one => ({
          entity: id,
          name: one,
          type: 'bigint',
          nullable: random.chance(0.5),
          key: false,
          refersTo: random.pick(tableNames.filter(other => other !== name)),
        })),
        ...random.sample(pool, 4).map(([one, type]) => ({
          entity: id,
          name: one,
          type,
          nullable: random.chance(0.5),
          key: false,
          refersTo: '',
        })),
      ])
      .map((it, at) => ({ id: `c${at + 1}`, ...it }));
    const indexes = random.sample(entities, 6).map(({ id }, at) => ({
      id: `i${at + 1}`,
      entity: id,
      columns: random
        .sample(
          columns.filter(it => it.entity === id && !it.key),
          random.between(1, 2),
        )
        .map(it => it.id),
      unique: random.chance(0.3),
    }));
    return {
      entities,
      columns,
      indexes,
      ui: {
        open: null,
        column: null,
        panel: 'none' as const,
        name: '',
        type: '',
        nullable: false,
        picked: [],
        unique: false,
        error: '',
      },
    };
  },
  commands: [
    addColumn,
    setType,
    rename,
    setNullable,
    dropColumn,
    addIndex,
    dropIndex,
    setComment,
    describeTable,
    openTable,
    openColumn,
    openPanel,
    write,
    flip,
    pickColumn,
  ],
  view(schema) {
    const { ui } = schema;
    const it = find(schema.entities, ui.open ?? '');
    const opened = find(schema.columns, ui.column ?? '');
    if (ui.panel === 'drop' && opened !== undefined) {
      return page('Schema designer', [
        dialog(`Drop ${opened.name} with all its data?`, [
          ui.error !== '' && alert(ui.error),
          button('Drop', dropColumn.with({ id: opened.id })),
          button('Keep', openPanel.with({ panel: 'none' })),
        ]),
      ]);
    }
    return page('Schema designer', [
      list(
        'Tables',
        schema.entities.map(({ id, name }) => button(name, openTable.with({ id }), id === ui.open ? ['selected'] : [])),
      ),
      ui.error !== '' && alert(ui.error),
      it === undefined ? text('Choose a table.') : sheet(schema, it),
    ]);
  },
  templates: [newColumn, retype, renameIt, makeIndex, dropIndexed, pointsAt],
  onRefusal(draft, message) {
    draft.ui.error = message;
  },
});

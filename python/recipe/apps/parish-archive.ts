// The archive of St Oswald's: shelves, boxes and documents in a tree; a reading list; an accession form.
import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  searchBox,
  status,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const KINDS = ['register', 'letter', 'map', 'photograph', 'ledger'] as const;
const STATES = ['sound', 'fragile', 'under repair'] as const;
const doc = z.object({
  id: z.string(),
  title: z.string(),
  year: z.int(),
  kind: z.enum(KINDS),
  box: z.string(),
  condition: z.enum(STATES),
  donor: z.string(),
  withdrawn: z.boolean(),
});
const state = z.object({
  boxes: z.array(z.object({ id: z.string(), label: z.string(), shelf: z.string(), sealed: z.boolean() })),
  docs: z.array(doc),
  requests: z.array(z.object({ id: z.string(), doc: z.string(), reader: z.string() })),
  ui: z.object({
    pane: z.string(),
    shelves: z.array(z.string()),
    boxes: z.array(z.string()),
    doc: z.string(),
    edit: z.boolean(),
    kind: z.string(),
    condition: z.string(),
    box: z.string(),
    words: z.string(),
    hits: z.string(),
    title: z.string(),
    year: z.string(),
    said: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const SHELVES = ['Vestry', 'Tower', 'Crypt'];
const boxOf = (s: State, label: string) => s.boxes.find(b => b.label === label) ?? refuse('No such box.');

const save = command('save_document', {
  about: 'Save kind, condition and box of a document.',
  input: z.object({ id: z.string(), kind: z.enum(KINDS), condition: z.enum(STATES), box: z.string() }),
  run(draft, { id, kind, condition, box }) {
    const d = need(draft.docs, id, 'document');
    const to = boxOf(draft, box);
    if (to.sealed && to.id !== d.box) refuse(`${to.label} is sealed. Nothing can be put into it.`);
    Object.assign(d, { kind, condition, box: to.id });
    Object.assign(draft.ui, { edit: false, said: 'Entry saved.' });
  },
});
const withdraw = command('withdraw_document', {
  about: 'Withdraw a document from the catalogue, or readmit it.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const d = need(draft.docs, id, 'document');
    d.withdrawn = !d.withdrawn;
    draft.ui.said = d.withdrawn ? 'Withdrawn from the catalogue.' : 'Back in the catalogue.';
  },
});
const accession = command('accession_document', {
  about: 'Enter a new document; it goes into the box of new arrivals.',
  input: z.object({ title: z.string().min(3), year: z.string(), kind: z.enum(KINDS) }),
  run(draft, { title, year, kind }) {
    if (!/^1[5-9]\d\d$/.test(year)) refuse('The year must be between 1500 and 1999.');
    draft.docs.push({
      id: nextId(draft.docs, 'd'),
      title,
      year: Number(year),
      kind,
      box: draft.boxes[0]!.id,
      condition: 'sound',
      donor: 'unknown',
      withdrawn: false,
    });
    Object.assign(draft.ui, { title: '', year: '', said: 'Accessioned.' });
  },
});
const fulfil = command('fulfil_request', {
  about: 'Strike a request off the reading-room list.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.requests, id, 'request');
    draft.requests = draft.requests.filter(r => r.id !== id);
  },
});
const catalogue = query('read_catalogue', {
  about: 'Read the whole catalogue.',
  input: z.object({}),
  run: s => ({
    boxes: s.boxes,
    documents: s.docs.map(d => ({ ...d, box: find(s.boxes, d.box)?.label })),
    requests: s.requests.map(r => ({ ...r, title: find(s.docs, r.doc)?.title })),
  }),
});

const flip = (all: string[], it: string) => (all.includes(it) ? all.filter(x => x !== it) : [...all, it]);
const unfoldShelf = gesture('unfold_shelf', {
  about: 'Fold a shelf out or in.',
  input: z.object({ shelf: z.string() }),
  run(draft, { shelf }) {
    draft.ui.shelves = flip(draft.ui.shelves, shelf);
  },
});
const unfoldBox = gesture('unfold_box', {
  about: 'Fold a box out or in.',
  input: z.object({ box: z.string() }),
  run(draft, { box }) {
    draft.ui.boxes = flip(draft.ui.boxes, box);
  },
});
const pane = gesture('pane', {
  about: 'Go to a pane.',
  input: z.object({ to: z.string() }),
  run(draft, { to }) {
    Object.assign(draft.ui, { pane: to, doc: '', edit: false, said: '', kind: '', hits: '', words: '' });
  },
});
const read = gesture('read', {
  about: 'Open a document.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { pane: 'entry', doc: id, edit: false, said: '' });
  },
});
const edit = gesture('edit', {
  about: 'Start or abandon the revision of an entry.',
  input: z.object({}),
  run(draft) {
    const d = need(draft.docs, draft.ui.doc, 'document');
    Object.assign(draft.ui, {
      edit: !draft.ui.edit,
      kind: d.kind,
      condition: d.condition,
      box: find(draft.boxes, d.box)!.label,
      said: '',
    });
  },
});
const put = gesture('put', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['kind', 'condition', 'box', 'words', 'title', 'year']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const seek = gesture('seek', {
  about: 'Search the catalogue.',
  input: z.object({}),
  run(draft) {
    draft.ui.hits = draft.ui.words;
  },
});

const panes: Record<string, (s: State) => unknown[]> = {
  stacks: s => [
    heading('The stacks'),
    list(
      'Shelves',
      SHELVES.map(shelf =>
        listItem(shelf, [
          button(`${s.ui.shelves.includes(shelf) ? '−' : '+'} ${shelf}`, unfoldShelf.with({ shelf }), [
            s.ui.shelves.includes(shelf) ? 'expanded' : 'collapsed',
          ]),
          s.ui.shelves.includes(shelf) &&
            list(
              `Boxes in the ${shelf}`,
              s.boxes
                .filter(b => b.shelf === shelf)
                .map(b =>
                  listItem(b.label, [
                    button(
                      `${s.ui.boxes.includes(b.id) ? '−' : '+'} ${b.label}${b.sealed ? ' (sealed)' : ''}`,
                      unfoldBox.with({ box: b.id }),
                    ),
                    s.ui.boxes.includes(b.id) &&
                      list(
                        `In ${b.label}`,
                        s.docs
                          .filter(d => d.box === b.id)
                          .map(d => link(`${d.title} (${d.year})`, read.with({ id: d.id }))),
                      ),
                  ]),
                ),
            ),
        ]),
      ),
    ),
  ],
  search(s) {
    const words = s.ui.hits.toLowerCase();
    const hits = words === '' ? [] : s.docs.filter(d => `${d.title} ${d.kind} ${d.year}`.toLowerCase().includes(words));
    return [
      heading('Search'),
      searchBox('Search the catalogue', [
        textbox('Words', s.ui.words, { enter: put.entering({ field: 'words' }) }),
        button('Search', seek.with({})),
      ]),
      words !== '' &&
        list(
          `${hits.length} found`,
          hits.map(d => link(`${d.title} (${d.year})`, read.with({ id: d.id }))),
        ),
    ];
  },
  entry(s) {
    const d = need(s.docs, s.ui.doc, 'document');
    const box = need(s.boxes, d.box, 'box');
    return [
      heading(`${d.title}, ${d.year}`),
      d.withdrawn && text('This entry has been withdrawn.'),
      text(`Given by ${d.donor}`),
      ...(s.ui.edit
        ? [
            form('Revise this entry', [
              combobox('Nature of the document', s.ui.kind, {
                enter: put.entering({ field: 'kind' }),
                options: [...KINDS],
              }),
              combobox('State of preservation', s.ui.condition, {
                enter: put.entering({ field: 'condition' }),
                options: [...STATES],
              }),
              combobox('Kept in', s.ui.box, {
                enter: put.entering({ field: 'box' }),
                options: s.boxes.map(b => b.label),
              }),
              button(
                'Save the entry',
                save.with({ id: d.id, kind: s.ui.kind as 'map', condition: s.ui.condition as 'sound', box: s.ui.box }),
              ),
              button('Abandon', edit.with({})),
            ]),
          ]
        : [
            text(`Nature of the document: ${d.kind}`),
            text(`State of preservation: ${d.condition}`),
            text(`Kept in ${box.label}, ${box.shelf}`),
            toolbar('Entry', [
              button('Revise', edit.with({})),
              button(d.withdrawn ? 'Readmit' : 'Withdraw', withdraw.with({ id: d.id })),
            ]),
          ]),
    ];
  },
  requests: s => [
    heading('Reading-room requests'),
    list(
      `${s.requests.length} waiting`,
      s.requests.map(r => {
        const d = need(s.docs, r.doc, 'document');
        return listItem(`${r.reader} asks for ${d.title}`, [
          text(`${r.reader} asks for ${d.title}`),
          button(`Fulfilled: ${r.reader}`, fulfil.with({ id: r.id })),
        ]);
      }),
    ),
  ],
  accession: s => [
    heading('Accession of a document'),
    form('New entry', [
      textbox('Title as written on the document', s.ui.title, { enter: put.entering({ field: 'title' }) }),
      textbox('Year', s.ui.year, { enter: put.entering({ field: 'year' }) }),
      region(
        'Nature of the document',
        KINDS.map(k => radio(k, s.ui.kind === k, put.with({ field: 'kind', value: k }))),
      ),
      button(
        'Enter into the catalogue',
        accession.with({ title: s.ui.title, year: s.ui.year, kind: s.ui.kind as 'map' }),
      ),
    ]),
  ],
};

const regrade = template('regrade', {
  about: 'Change the condition of a document.',
  split: 'train',
  sample(s, random) {
    const d = random.pick(s.docs);
    return {
      id: d.id,
      title: d.title,
      to: random.pick(STATES.filter(c => c !== d.condition)),
      way: random.between(0, 2),
    };
  },
  instruction: ({ title, to, way }) =>
    [
      `I have examined "${title}" this morning. It should be recorded as ${to}.`,
      `Kindly set the state of preservation of ${title} to ${to}.`,
      `${title} is ${to}, the catalogue says otherwise`,
    ][way]!,
  checks: ({ id, to }) => [{ name: to, test: final => find(final.docs, id)?.condition === to }],
  allow: ({ id }) => [`/docs/${id}/condition`],
});
const rebox = template('same-box-as', {
  about: 'Move a document into the box of another one.',
  split: 'train',
  sample(s, random) {
    const home = random.pick(s.docs.filter(d => !find(s.boxes, d.box)!.sealed));
    const d = random.pick(s.docs.filter(x => x.box !== home.box));
    return { id: d.id, title: d.title, like: home.title, box: home.box, way: random.between(0, 2) };
  },
  instruction: ({ title, like, way }) =>
    [
      `"${title}" belongs with "${like}". Put it in the same box.`,
      `Please move ${title} to whichever box holds ${like}.`,
      `Find out where ${like} is kept; ${title} ought to be kept there as well.`,
    ][way]!,
  checks: ({ id, box }) => [{ name: 'same box', test: final => find(final.docs, id)?.box === box }],
  allow: ({ id }) => [`/docs/${id}/box`],
});
const newEntry = template('accession', {
  about: 'Enter a new document.',
  split: 'train',
  sample: (s, random) => ({
    title: `${random.pick(['Sermon', 'Inventory', 'Petition', 'Plan', 'Receipt'])} of ${random.pick(['the sexton', 'Canon Pryce', 'the bell founders', 'Widow Tarrant', 'the glebe farm'])}`,
    year: String(random.between(1610, 1930)),
    kind: random.pick(KINDS),
    way: random.between(0, 2),
  }),
  instruction: ({ title, year, kind, way }) =>
    [
      `A new ${kind} has come in: "${title}", ${year}. Enter it into the catalogue.`,
      `Accession please: ${title} (${year}), ${kind}`,
      `We were given a ${kind} from ${year}. On the wrapper it says ${title}. It needs an entry.`,
    ][way]!,
  checks: ({ title, year, kind }) => [
    {
      name: 'entered',
      test(final, initial) {
        const [d, ...rest] = added(initial.docs, final.docs);
        return (
          rest.length === 0 &&
          d?.title === title &&
          d.year === Number(year) &&
          d.kind === kind &&
          d.box === initial.boxes[0]!.id &&
          d.condition === 'sound' &&
          d.donor === 'unknown' &&
          !d.withdrawn
        );
      },
    },
  ],
  allow: () => ['/docs/+'],
});
const withdrawn = template('withdraw', {
  about: 'Withdraw a document by its title.',
  split: 'train',
  sample(s, random) {
    const d = random.pick(s.docs.filter(x => !x.withdrawn));
    return { id: d.id, title: d.title, way: random.between(0, 2) };
  },
  instruction: ({ title, way }) =>
    [
      `The county record office has taken "${title}". Withdraw it from our catalogue.`,
      `withdraw ${title}`,
      `${title} turned out to be a forgery, so it must not stay in the catalogue.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'withdrawn', test: final => find(final.docs, id)?.withdrawn === true }],
  allow: ({ id }) => [`/docs/${id}/withdrawn`],
});
const served = template('serve-reader', {
  about: 'Strike off every request of one reader.',
  split: 'train',
  sample(s, random) {
    const reader = random.pick(['Mrs Hale', 'Mr Hale', 'Dr Imrie', 'Miss Okafor', 'Fr Dunne']);
    return { reader, ids: random.sample(s.requests, 2).map(r => r.id), way: random.between(0, 2) };
  },
  setup(draft, { reader, ids }) {
    for (const r of draft.requests)
      if (ids.includes(r.id)) r.reader = reader;
      else if (r.reader === reader) r.reader = 'Ms Pell';
  },
  instruction: ({ reader, way }) =>
    [
      `${reader} was here and has seen everything on request. Clear those off the list.`,
      `All requests by ${reader} are fulfilled.`,
      `strike ${reader} from the reading room list (all of it)`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `struck ${at + 1}`, test: final => find(final.requests, id) === undefined })),
  allow: ({ ids }) => ids.map(id => `/requests/${id}`),
});
const donor = template('who-gave', {
  about: 'Say who gave the document that a reader asks for.',
  split: 'train',
  sample(s, random) {
    const r = random.pick(s.requests);
    return { doc: r.doc, request: r.id, way: random.between(0, 2), reader: r.reader };
  },
  setup(draft, { request, reader }) {
    for (const r of draft.requests) if (r.id !== request && r.reader === reader) r.reader = 'Ms Pell';
  },
  instruction: ({ reader, way }) =>
    [
      `Who donated the document ${reader} has asked to see?`,
      `${reader} would like to thank the family of the giver. Look at what ${reader} requested and tell me who gave it to us.`,
      `donor of the item requested by ${reader}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ doc: id }, s) => need(s.docs, id, 'document').donor,
  shown: ({ ui }, { doc: id }) => [ui.pane === 'requests', ui.pane === 'entry' && ui.doc === id],
});
const intoSealed = template('into-box', {
  about: 'Put a document into a box that may be sealed.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ free }) => free,
  sample(s, random) {
    const d = random.pick(s.docs);
    const b = random.pick(s.boxes.filter(x => x.id !== d.box));
    return {
      id: d.id,
      title: d.title,
      box: b.id,
      label: b.label,
      shelf: b.shelf,
      free: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { box, free }) {
    need(draft.boxes, box, 'box').sealed = !free;
  },
  instruction: ({ title, label, way }) =>
    [
      `Put "${title}" into ${label}.`,
      `${title} should be kept in ${label} from now on.`,
      `Would you move ${title}? It goes to ${label}, unless that one is sealed; then tell me it is impossible.`,
    ][way]!,
  checks: ({ id, box }) => [{ name: 'moved', test: final => find(final.docs, id)?.box === box }],
  allow: ({ id }) => [`/docs/${id}/box`],
  shown: ({ ui }, { shelf }) => (ui.pane === 'stacks' && ui.shelves.includes(shelf)) || ui.said.includes('sealed'),
});

const titles: [string, number][] = [
  ['Baptisms', 1702],
  ['Baptisms and burials', 1731],
  ['Burials', 1688],
  ['Marriages', 1754],
  ['Tithe map', 1839],
  ['Tithe ledger', 1841],
  ['Letter of the bishop', 1790],
  ['Letter of the bishop’s clerk', 1791],
  ['Churchwardens’ ledger', 1655],
  ['The choir at Whitsun', 1908],
  ['The choir outing', 1911],
  ['Map of the glebe', 1812],
  ['Bell ringers', 1925],
  ['Letter from the Crimea', 1855],
  ['Pew rents', 1866],
  ['Poor relief', 1779],
];
const givers = [
  'Agnes Moth',
  'Albert Moth',
  'the Ferrers family',
  'Canon Lisle',
  'Edith Garrow',
  'Col. Whitby',
  'Nora Sands',
  'the Guild',
  'J. T. Bourne',
  'Miss Ellacott',
];

export const app = defineApp({
  id: 'parish-archive',
  title: 'Archive of St Oswald',
  about: 'The archive of a parish: documents in boxes on shelves, and who wants to read them.',
  state,
  init(random) {
    const boxes = random
      .shuffle(['Box Alpha', 'Box Beta', 'Box Gamma', 'Oak chest', 'Tin chest', 'Blue crate', 'Green crate'])
      .map((label, at) => ({
        id: `b${at + 1}`,
        label,
        shelf: at === 0 ? 'Vestry' : SHELVES[at % 3]!,
        sealed: at === 5,
      }));
    const docs = random.shuffle(titles).map(([title, year], at) => ({
      id: `d${at + 1}`,
      title,
      year,
      kind: random.pick(KINDS),
      box: random.pick(boxes).id,
      condition: random.pick(STATES),
      donor: random.pick(givers),
      withdrawn: random.chance(0.15),
    }));
    const readers = random.shuffle([
      'Mrs Hale',
      'Mr Hale',
      'Dr Imrie',
      'Miss Okafor',
      'Fr Dunne',
      'Mrs Lorne',
      'Mr Lorne',
      'A. Stamp',
    ]);
    return {
      boxes,
      docs,
      requests: random.sample(docs, 8).map((d, at) => ({ id: `r${at + 1}`, doc: d.id, reader: readers[at]! })),
      ui: {
        pane: 'stacks',
        shelves: [],
        boxes: [],
        doc: '',
        edit: false,
        kind: '',
        condition: '',
        box: '',
        words: '',
        hits: '',
        title: '',
        year: '',
        said: '',
      },
    };
  },
  commands: [save, withdraw, accession, fulfil, catalogue, unfoldShelf, unfoldBox, pane, read, edit, put, seek],
  view: s =>
    page('Archive of St Oswald', [
      ...(panes[s.ui.pane]!(s) as ReturnType<typeof text>[]),
      s.ui.said !== '' && status(s.ui.said),
      region('Elsewhere in the archive', [
        link('The stacks', pane.with({ to: 'stacks' })),
        link('Search', pane.with({ to: 'search' })),
        link('Reading-room requests', pane.with({ to: 'requests' })),
        link('Accession', pane.with({ to: 'accession' })),
      ]),
    ]),
  templates: [regrade, rebox, newEntry, withdrawn, served, donor, intoSealed],
  onRefusal(draft, message) {
    draft.ui.said = message;
  },
});

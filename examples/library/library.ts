import {
  added,
  alert,
  appKit,
  button,
  defineApp,
  find,
  form,
  heading,
  link,
  list,
  navigation,
  need,
  nextId,
  page,
  paginate,
  refuse,
  region,
  status,
  text,
  textbox,
  z,
} from 'espalier';

const book = z.object({
  id: z.string(),
  title: z.string(),
  author: z.string(),
  year: z.int(),
  loan: z.string().nullable(),
});
const hold = z.object({ id: z.string(), book: z.string(), reader: z.string() });
const state = z.object({
  books: z.array(book),
  holds: z.array(hold),
  ui: z.object({
    query: z.string(),
    page: z.int(),
    open: z.string().nullable(),
    reader: z.string(),
    notice: z.string(),
  }),
});
type Library = z.infer<typeof state>;

const { command, gesture, query, template } = appKit(state);
const onBook = z.object({ id: z.string() });

const lend = command('lend_book', {
  about: 'Lend a book to a reader.',
  input: z.object({ id: z.string(), reader: z.string().trim().min(1, 'name the reader') }),
  run(draft, { id, reader }) {
    const wanted = need(draft.books, id, 'book');
    if (wanted.loan !== null) refuse(`${wanted.title} is lent to ${wanted.loan}.`);
    wanted.loan = reader;
    draft.ui.reader = '';
    draft.ui.notice = `Lent to ${reader}.`;
  },
});

const takeBack = command('return_book', {
  about: 'Take a lent book back.',
  input: onBook,
  run(draft, { id }) {
    const returned = need(draft.books, id, 'book');
    if (returned.loan === null) refuse(`${returned.title} is not lent.`);
    returned.loan = null;
    draft.ui.notice = `${returned.title} is back.`;
  },
});

const reserve = command('reserve_book', {
  about: 'Put a reader on the waiting list of a lent book.',
  input: z.object({ id: z.string(), reader: z.string().trim().min(1, 'name the reader') }),
  run(draft, { id, reader }) {
    if (need(draft.books, id, 'book').loan === null) refuse('The book is on the shelf: lend it instead.');
    draft.holds.push({ id: nextId(draft.holds, 'h'), book: id, reader });
    draft.ui.reader = '';
    draft.ui.notice = `${reader} is on the waiting list.`;
  },
});

const listBooks = query('list_books', {
  about: 'List the books whose title or author contains a text.',
  input: z.object({ text: z.string() }),
  run: (library, input) => matching(library, input.text).map(({ id, title, loan }) => ({ id, title, loan })),
});

const search = gesture('search', {
  about: 'Type into the search field.',
  input: z.object({ value: z.string().max(60) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { query: value, page: 1, open: null });
  },
});
const turn = gesture('turn_page', {
  about: 'Go to a page of the list.',
  input: z.object({ page: z.int() }),
  run(draft, input) {
    draft.ui.page = input.page;
  },
});
const open = gesture('open_book', {
  about: 'Open a book, or go back to the list.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { open: id, reader: '', notice: '' });
  },
});
const nameReader = gesture('name_reader', {
  about: 'Type the name of the reader.',
  input: z.object({ value: z.string().max(60) }),
  run(draft, { value }) {
    draft.ui.reader = value;
  },
});

function matching(library: Library, wanted: string): Library['books'] {
  const lower = wanted.toLowerCase();
  return library.books.filter(({ title, author }) => `${title} ${author}`.toLowerCase().includes(lower));
}

function catalogue(library: Library) {
  const { ui } = library;
  const shown = paginate(matching(library, ui.query), ui.page, 8);
  return region('Catalogue', [
    textbox('Search title or author', ui.query, { enter: search.entering({}) }),
    list(
      shown.total === 1 ? '1 book' : `${shown.total} books`,
      shown.items.map(({ id, title, author }) => link(`${title} by ${author}`, open.with({ id }))),
    ),
    navigation(`Page ${shown.page} of ${shown.pages}`, [
      shown.page > 1 && button('Previous page', turn.with({ page: shown.page - 1 })),
      shown.page < shown.pages && button('Next page', turn.with({ page: shown.page + 1 })),
    ]),
  ]);
}

function details(library: Library, opened: Library['books'][number]) {
  const { id, title, author, year, loan } = opened;
  const { reader } = library.ui;
  return region('Book', [
    link('Back to catalogue', open.with({ id: null })),
    heading(title),
    text(`by ${author}, ${year}`),
    status(loan === null ? 'On the shelf' : `Lent to ${loan}`),
    form('Desk', [
      textbox('Reader', reader, { enter: nameReader.entering({}) }),
      loan === null && button('Lend', lend.with({ id, reader })),
      loan !== null && button('Reserve', reserve.with({ id, reader })),
      loan !== null && button('Take back', takeBack.with({ id })),
    ]),
  ]);
}

const words = ['Salt', 'Glass', 'Winter', 'Harbour', 'Quiet', 'Copper', 'Paper', 'Northern', 'Hidden', 'Second'];
const things = ['Garden', 'Letters', 'Engine', 'Island', 'Museum', 'River'];
const people = ['Ines Aalto', 'Tomás Vidal', 'Ruth Okafor', 'Piet Maas', 'Lena Frost', 'Omar Haddad', 'Yuki Sato'];

const lendTo = template('lend-to-reader', {
  about: 'Lend a book to a named reader.',
  split: 'train',
  sample(library, random) {
    const { id, title } = random.pick(library.books);
    return { id, title, reader: random.pick(people) };
  },
  setup(draft, { id }) {
    need(draft.books, id, 'book').loan = null;
  },
  instruction: ({ title, reader }) => `Lend "${title}" to ${reader}.`,
  checks: ({ id, title, reader }) => [
    { name: `${title} is lent to ${reader}`, test: final => find(final.books, id)?.loan === reader },
  ],
  allow: ({ id }) => [`/books/${id}/loan`],
});

const reserveFor = template('reserve-for-reader', {
  about: 'Put a reader on the waiting list of a lent book.',
  split: 'train',
  sample(library, random) {
    const { id, title } = random.pick(library.books);
    const [holder, reader] = random.sample(people, 2) as [string, string];
    return { id, title, reader, holder };
  },
  setup(draft, { id, holder }) {
    need(draft.books, id, 'book').loan = holder;
  },
  instruction: ({ title, reader }) => `${reader} wants "${title}", which is lent. Put them on the waiting list.`,
  checks: ({ id, reader }) => [
    {
      name: 'exactly one hold was added, for that book and reader',
      test(final, initial) {
        const [made, ...more] = added(initial.holds, final.holds);
        return made?.book === id && made.reader === reader && more.length === 0;
      },
    },
  ],
  allow: () => ['/holds/+'],
});

const whoHas = template('who-has-book', {
  about: 'Tell who has borrowed a book.',
  split: 'test',
  sample(library, random) {
    const lent = library.books.filter(item => item.loan !== null);
    if (lent.length === 0) return null;
    const { id, title } = random.pick(lent);
    return { id, title };
  },
  instruction: ({ title }) => `Who has borrowed "${title}"? Answer with the name.`,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, initial) => find(initial.books, id)?.loan ?? '',
  shown: (library, { id }) => library.ui.open === id,
});

export const app = defineApp({
  id: 'library',
  title: 'Library desk',
  about: 'A lending library: books, loans and a waiting list.',
  state,
  init: random => ({
    books: random.shuffle(words.flatMap(word => things.map(thing => `${word} ${thing}`))).map((title, index) => ({
      id: `b${index + 1}`,
      title: `The ${title}`,
      author: random.pick(people),
      year: random.between(1950, 2024),
      loan: random.chance(0.3) ? random.pick(people) : null,
    })),
    holds: [],
    ui: { query: '', page: 1, open: null, reader: '', notice: '' },
  }),
  commands: [lend, takeBack, reserve, listBooks, search, turn, open, nameReader],
  view(library) {
    const opened = find(library.books, library.ui.open ?? '');
    return page('Library desk', [
      library.ui.notice !== '' && alert(library.ui.notice),
      opened === undefined ? catalogue(library) : details(library, opened),
    ]);
  },
  templates: [lendTo, reserveFor, whoHas],
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});

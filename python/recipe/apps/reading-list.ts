// Spine: what I want to read, am reading, have read. Three shelves as tabs, progress by page, a yearly goal in the settings.
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
  paginate,
  refuse,
  region,
  remove,
  status,
  tab,
  text,
  textbox,
  z,
} from 'espalier';

const SHELVES = ['To read', 'Reading', 'Finished', 'Gave up'] as const;
const SOURCES = ['own copy', 'library', 'borrowed', 'e-book'] as const;
const SORTS = ['Title', 'Author', 'Length'] as const;
const state = z.object({
  books: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      author: z.string(),
      pages: z.int(),
      at: z.int(),
      shelf: z.enum(SHELVES),
      source: z.enum(SOURCES),
      lender: z.string(),
      next: z.boolean(),
    }),
  ),
  ui: z.object({
    shelf: z.enum(SHELVES),
    sort: z.enum(SORTS),
    leaf: z.int(),
    book: z.string(),
    adding: z.boolean(),
    title: z.string(),
    author: z.string(),
    pages: z.string(),
    progress: z.string(),
    said: z.string(),
  }),
});
type Spine = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const reshelve = command('reshelve', {
  about: 'Put a book on another shelf.',
  input: z.object({ book: z.string(), value: z.enum(SHELVES) }),
  run(d, { book, value }) {
    need(d.books, book, 'book').shelf = value;
    d.ui.said = `Now under "${value}"`;
  },
});
const reach = command('set_progress', {
  about: 'Say which page has been reached. Only for books on the shelf Reading.',
  input: z.object({ book: z.string(), page: z.string() }),
  run(d, { book, page }) {
    const b = need(d.books, book, 'book');
    if (b.shelf !== 'Reading') refuse('Not being read.');
    if (!/^\d{1,4}$/.test(page)) refuse('A page is a number.');
    if (Number(page) > b.pages) refuse(`It has only ${b.pages} pages.`);
    b.at = Number(page);
    d.ui.said = 'Bookmark moved';
  },
});
const setSource = command('set_source', {
  about: 'Say where the copy comes from.',
  input: z.object({ book: z.string(), value: z.enum(SOURCES) }),
  run(d, { book, value }) {
    need(d.books, book, 'book').source = value;
  },
});
const upNext = command('toggle_up_next', {
  about: 'Mark a book as up next, or not.',
  input: z.object({ book: z.string() }),
  run(d, { book }) {
    const b = need(d.books, book, 'book');
    b.next = !b.next;
  },
});
const addBook = command('add_book', {
  about: 'Add a book to the shelf To read.',
  input: z.object({ title: z.string(), author: z.string(), pages: z.string() }),
  run(d, { title, author, pages }) {
    if (title.trim() === '' || author.trim() === '') refuse('Title and author, please.');
    if (!/^[1-9]\d{0,3}$/.test(pages)) refuse('How many pages?');
    d.books.push({
      id: nextId(d.books, 'b'),
      title,
      author,
      pages: Number(pages),
      at: 0,
      shelf: 'To read',
      source: 'own copy',
      lender: '',
      next: false,
    });
    Object.assign(d.ui, { adding: false, said: 'Added' });
  },
});
const forget = command('forget_book', {
  about: 'Remove a book from all shelves.',
  input: z.object({ book: z.string() }),
  run(d, { book }) {
    need(d.books, book, 'book');
    remove(d.books, book);
    Object.assign(d.ui, { book: '', said: '' });
  },
});
const catalogue = query('catalogue', {
  about: 'All books.',
  input: z.object({}),
  run: s => s.books,
});

const toShelf = gesture('to_shelf', {
  about: 'Look at a shelf.',
  input: z.object({ shelf: z.enum(SHELVES) }),
  run(d, { shelf }) {
    Object.assign(d.ui, { shelf, leaf: 1, book: '', adding: false, said: '' });
  },
});
const openBook = gesture('open_book', {
  about: 'Open a book, or go back.',
  input: z.object({ book: z.string() }),
  run(d, { book }) {
    Object.assign(d.ui, { book, adding: false, said: '', progress: String(find(d.books, book)?.at ?? '') });
  },
});
const sortBy = gesture('sort_by', {
  about: 'Sort the shelf.',
  input: z.object({ value: z.enum(SORTS) }),
  run(d, { value }) {
    Object.assign(d.ui, { sort: value, leaf: 1 });
  },
});
const turnLeaf = gesture('turn_leaf', {
  about: 'See more of the shelf.',
  input: z.object({ to: z.int() }),
  run(d, { to }) {
    d.ui.leaf = to;
  },
});
const openForm = gesture('open_form', {
  about: 'Open or close the form.',
  input: z.object({}),
  run(d) {
    Object.assign(d.ui, { adding: !d.ui.adding, title: '', author: '', pages: '', said: '' });
  },
});
const pen = gesture('pen', {
  about: 'Write into a field.',
  input: z.object({ field: z.enum(['title', 'author', 'pages', 'progress']), value: z.string().max(60) }),
  run(d, { field, value }) {
    d.ui[field] = value;
  },
});

const shelfView = (s: Spine) => {
  const books = s.books
    .filter(b => b.shelf === s.ui.shelf)
    .toSorted((x, y) =>
      s.ui.sort === 'Length'
        ? x.pages - y.pages
        : s.ui.sort === 'Author'
          ? x.author.localeCompare(y.author)
          : x.title.localeCompare(y.title),
    );
  const leaf = paginate(books, s.ui.leaf, 6);
  return [
    combobox('Sorted by', s.ui.sort, { enter: sortBy.entering({}), options: [...SORTS] }),
    button('Add a book', openForm.with({})),
    list(
      `${leaf.total} books`,
      leaf.items.map(b =>
        listItem(b.title, [link(b.title, openBook.with({ book: b.id })), text(b.author), b.next && text('up next')]),
      ),
    ),
    ...Array.from({ length: leaf.pages }, (_, n) => n + 1).map(
      n => leaf.pages > 1 && button(String(n), turnLeaf.with({ to: n }), n === leaf.page ? ['selected'] : []),
    ),
  ];
};
const bookView = (s: Spine) => {
  const b = need(s.books, s.ui.book, 'book');
  return [
    link('Back to the shelf', openBook.with({ book: '' })),
    heading(b.title),
    text(`${b.author} · ${b.pages} pages`),
    b.lender !== '' && text(`Lent to me by ${b.lender}`),
    combobox('Shelf', b.shelf, { enter: reshelve.entering({ book: b.id }), options: [...SHELVES] }),
    combobox('My copy', b.source, { enter: setSource.entering({ book: b.id }), options: [...SOURCES] }),
    b.shelf === 'Reading' && text(`Bookmark on page ${b.at}`),
    b.shelf === 'Reading' && textbox('I am on page', s.ui.progress, { enter: pen.entering({ field: 'progress' }) }),
    b.shelf === 'Reading' && button('Move bookmark', reach.with({ book: b.id, page: s.ui.progress })),
    b.shelf === 'To read' && button(b.next ? 'Not next after all' : 'Read this next', upNext.with({ book: b.id })),
    button('Forget this book', forget.with({ book: b.id })),
  ];
};
const formView = (s: Spine) => [
  form('A book to read', [
    textbox('Title', s.ui.title, { enter: pen.entering({ field: 'title' }) }),
    textbox('Who wrote it', s.ui.author, { enter: pen.entering({ field: 'author' }) }),
    textbox('How many pages', s.ui.pages, { enter: pen.entering({ field: 'pages' }) }),
    button('Add', addBook.with({ title: s.ui.title, author: s.ui.author, pages: s.ui.pages })),
    button('Close', openForm.with({})),
  ]),
];

const finished = template('other-shelf', {
  about: 'Put a book on another shelf.',
  split: 'train',
  sample(s, random) {
    const b = random.pick(s.books);
    return {
      id: b.id,
      title: b.title,
      shelf: random.pick(SHELVES.filter(x => x !== b.shelf)),
      way: random.between(0, 2),
    };
  },
  instruction: ({ title, shelf, way }) =>
    [
      `"${title}" goes under "${shelf}".`,
      `shelve ${title} as: ${shelf}`,
      `I keep forgetting to update this. ${title} should be on the shelf "${shelf}" by now.`,
    ][way]!,
  checks: ({ id, shelf }) => [{ name: shelf, test: final => find(final.books, id)?.shelf === shelf }],
  allow: ({ id }) => [`/books/${id}/shelf`],
});
const addOne = template('add-book', {
  about: 'Add a book.',
  split: 'train',
  sample: (_, random) => ({
    title: `The ${random.pick(['Salt', 'Orchard', 'Glass', 'Winter', 'Paper'])} ${random.pick(['Keeper', 'Road', 'Island', 'Letters'])}`,
    author: random.pick(['Nell Harrow', 'Tomi Adeyo', 'Greta Voss', 'Paul Imrie']),
    pages: String(random.between(120, 780)),
    way: random.between(0, 2),
  }),
  instruction: ({ title, author, pages, way }) =>
    [
      `Add ${title} by ${author}, ${pages} pages.`,
      `A friend recommended "${title}" (${author}; ${pages} pages). Put it on my list so I don't forget.`,
      `want to read: ${title}, ${author}, ${pages}pp - the pages field is just ${pages}`,
    ][way]!,
  checks: ({ title, author, pages }) => [
    {
      name: 'on the list',
      test(final, initial) {
        const [b, ...rest] = added(initial.books, final.books);
        return (
          rest.length === 0 &&
          b?.title === title &&
          b.author === author &&
          b.pages === Number(pages) &&
          b.shelf === 'To read' &&
          b.at === 0 &&
          b.source === 'own copy' &&
          b.lender === '' &&
          !b.next
        );
      },
    },
  ],
  allow: () => ['/books/+'],
});
const bothNext = template('next-by-author', {
  about: 'Mark all unread books of an author as up next.',
  split: 'train',
  sample: (s, random) => ({
    ids: random.sample(s.books, 2).map(b => b.id),
    author: random.pick(['Imani Cole', 'Lars Wik', 'Ruth Pell']),
    way: random.between(0, 2),
  }),
  setup(d, { ids, author }) {
    for (const id of ids) Object.assign(need(d.books, id, 'book'), { author, shelf: 'To read', next: false });
  },
  instruction: ({ author, way }) =>
    [
      `Everything by ${author} that I have yet to read is up next.`,
      `I'm in the mood for ${author}. Mark all of those on my to-read shelf as the next ones.`,
      `to read + ${author} = read next (all of them)`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, n) => ({ name: `up next ${n + 1}`, test: (final: Spine) => find(final.books, id)?.next === true })),
  allow: ({ ids }) => ids.map(id => `/books/${id}/next`),
});
const whoLent = template('who-lent', {
  about: 'Say who lent a book.',
  split: 'train',
  sample(s, random) {
    const b = random.pick(s.books);
    return {
      id: b.id,
      title: b.title,
      lender: random.pick(['Ines', 'Ingrid', 'Old Mr Bell', 'Tao', 'Wren', 'Caspar']),
      way: random.between(0, 2),
    };
  },
  setup(d, { id, lender }) {
    Object.assign(need(d.books, id, 'book'), { lender, source: 'borrowed' });
  },
  instruction: ({ title, way }) =>
    [`Who lent me ${title}?`, `I have to give "${title}" back. To whom?`, `whose copy of ${title} is this?`][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ lender }) => lender,
  shown: ({ ui }, { id }) => ui.book === id,
});
const sameSource = template('same-source', {
  about: 'Get a book from where another one is from.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(s.books, 2);
    const [right, wrong] = random.sample(SOURCES, 2);
    return {
      id: a!.id,
      title: a!.title,
      other: b!.id,
      named: b!.title,
      right: right!,
      wrong: wrong!,
      way: random.between(0, 2),
    };
  },
  setup(d, { id, other, right, wrong }) {
    need(d.books, id, 'book').source = wrong;
    need(d.books, other, 'book').source = right;
  },
  instruction: ({ title, named, way }) =>
    [
      `My copy of ${title} is the same sort as my copy of ${named}.`,
      `Check what "${named}" says under my copy and enter the same for "${title}".`,
      `${title} came from the same place as ${named}, correct that`,
    ][way]!,
  checks: ({ id, right }) => [{ name: 'the source', test: final => find(final.books, id)?.source === right }],
  allow: ({ id }) => [`/books/${id}/source`],
});
const forgetTwo = template('forget-two', {
  about: 'Remove two books.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(s.books, 2);
    return { a: a!.id, b: b!.id, one: a!.title, two: b!.title, way: random.between(0, 2) };
  },
  instruction: ({ one, two, way }) =>
    [
      `Forget ${one} and ${two}.`,
      `Neither "${one}" nor "${two}" interests me. Remove both altogether.`,
      `delete: ${one}; ${two}`,
    ][way]!,
  checks: ({ a, b }) => [
    { name: 'the first is gone', test: final => find(final.books, a) === undefined },
    { name: 'the second is gone', test: final => find(final.books, b) === undefined },
  ],
  allow: ({ a, b }) => [`/books/${a}`, `/books/${b}`],
});
const bookmark = template('move-bookmark', {
  about: 'Move a bookmark to a page that the book may not have.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ has }) => has,
  sample(s, random) {
    const b = random.pick(s.books);
    return {
      id: b.id,
      title: b.title,
      page: String(random.between(260, 420)),
      has: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(d, { id, page, has }) {
    Object.assign(need(d.books, id, 'book'), {
      shelf: 'Reading',
      at: 12,
      pages: has ? Number(page) + 57 : Number(page) - 43,
    });
  },
  instruction: ({ title, page, way }) =>
    [
      `I'm on page ${page} of ${title} now.`,
      `Move the bookmark in "${title}" to page ${page}, exactly that.`,
      `${title}: page ${page}`,
    ][way]!,
  checks: ({ id, page }) => [{ name: 'the page', test: final => find(final.books, id)?.at === Number(page) }],
  allow: ({ id }) => [`/books/${id}/at`],
  shown: ({ ui }, { id }) => ui.book === id,
});

const BOOKS: [string, string][] = [
  ['A Field of Bees', 'Jo Marsh'],
  ['A Field of Stones', 'Jo Marsh'],
  ['Night Ferry', 'Ella Quist'],
  ['Night Train North', 'P. Okoye'],
  ['Bread', 'Sana Iqbal'],
  ['Bread and Ash', 'H. Dorn'],
  ['Seven Rooms', 'Ella Quist'],
  ['The Clockmender', 'Ivo Petric'],
  ['The Clockwinder', 'Dee Hall'],
  ['Undertow', 'Jo March'],
  ['Lichen', 'Sana Iqbal'],
  ['Kites', 'Bo Larsen'],
  ['How Rivers Think', 'P. Okoye'],
  ['How Rivers End', 'P. Okoye'],
  ['Tin Soldiers', 'H. Dorn'],
  ['Marrow', 'Dee Hall'],
  ['Ten Small Wars', 'Ivo Petric'],
  ['Plain Song', 'Bo Larsen'],
];
export const app = defineApp({
  id: 'reading-list',
  title: 'Spine',
  about: 'Books to read, being read and read.',
  state,
  init: random => ({
    books: random.shuffle(BOOKS).map(([title, author], n) => {
      const pages = random.between(110, 640);
      return {
        id: `b${n + 1}`,
        title,
        author,
        pages,
        at: random.between(0, pages),
        shelf: n < 8 ? ('To read' as const) : random.pick(SHELVES),
        source: random.pick(SOURCES),
        lender: '',
        next: random.chance(0.2),
      };
    }),
    ui: {
      shelf: 'To read' as const,
      sort: 'Title' as const,
      leaf: 1,
      book: '',
      adding: false,
      title: '',
      author: '',
      pages: '',
      progress: '',
      said: '',
    },
  }),
  commands: [
    reshelve,
    reach,
    setSource,
    upNext,
    addBook,
    forget,
    catalogue,
    toShelf,
    openBook,
    sortBy,
    turnLeaf,
    openForm,
    pen,
  ],
  view: s =>
    page('Spine', [
      ...SHELVES.map(shelf => tab(shelf, toShelf.with({ shelf }), s.ui.shelf === shelf ? ['selected'] : [])),
      region('Shelf', s.ui.adding ? formView(s) : s.ui.book !== '' ? bookView(s) : shelfView(s)),
      s.ui.said !== '' && status(s.ui.said),
    ]),
  templates: [finished, addOne, bothNext, whoLent, sameSource, forgetTwo, bookmark],
  onRefusal(d, message) {
    d.ui.said = message;
  },
});

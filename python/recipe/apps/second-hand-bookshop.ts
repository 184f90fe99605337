// Foxed & Bumped: the stock of a second-hand bookshop. Search, "show more", shelf menus within menus, and one step of undo.
import {
  added,
  appKit,
  button,
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
  radio,
  refuse,
  region,
  remove,
  searchBox,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const SHELVES = ['Fiction', 'Poetry', 'Travel', 'History', 'Nature', 'Window'] as const;
const GRADES = ['fine', 'good', 'worn', 'reading copy'] as const;
const book = z.object({
  id: z.string(),
  title: z.string(),
  author: z.string(),
  shelf: z.enum(SHELVES),
  grade: z.enum(GRADES),
  price: z.int(),
  bought: z.string(),
  heldFor: z.string(),
});
const state = z.object({
  books: z.array(book),
  wants: z.array(z.object({ id: z.string(), customer: z.string(), author: z.string(), phone: z.string() })),
  ui: z.object({
    at: z.string(),
    q: z.string(),
    many: z.int(),
    book: z.string(),
    menu: z.string(),
    price: z.string(),
    hold: z.string(),
    title: z.string(),
    author: z.string(),
    grade: z.string(),
    last: z.object({ book: z.string(), shelf: z.enum(SHELVES) }).nullable(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const reshelve = command('reshelve', {
  about: 'Put a book on another shelf.',
  input: z.object({ id: z.string(), shelf: z.enum(SHELVES) }),
  run(draft, { id, shelf }) {
    const b = need(draft.books, id, 'book');
    draft.ui.last = { book: id, shelf: b.shelf };
    b.shelf = shelf;
    draft.ui.menu = '';
  },
});
const undo = command('undo_reshelve', {
  about: 'Put the book that was moved last back on its shelf.',
  input: z.object({}),
  run(draft) {
    const last = draft.ui.last ?? refuse('Nothing to undo.');
    need(draft.books, last.book, 'book').shelf = last.shelf;
    draft.ui.last = null;
  },
});
const regrade = command('regrade', {
  about: 'Grade a book.',
  input: z.object({ id: z.string(), grade: z.enum(GRADES) }),
  run(draft, { id, grade }) {
    need(draft.books, id, 'book').grade = grade;
    draft.ui.menu = '';
  },
});
const reprice = command('reprice', {
  about: 'Pencil a new price into a book, in whole pounds.',
  input: z.object({ id: z.string(), price: z.string() }),
  run(draft, { id, price }) {
    if (!/^\d{1,3}$/.test(price)) refuse('A price in whole pounds, please.');
    need(draft.books, id, 'book').price = Number(price);
    draft.ui.price = '';
  },
});
const hold = command('hold_book', {
  about: 'Hold a book for somebody on the want list; an empty name lifts the hold.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const b = need(draft.books, id, 'book');
    if (value !== '' && b.heldFor !== '' && value !== b.heldFor) refuse(`It is on hold for ${b.heldFor}.`);
    b.heldFor = value;
    draft.ui.menu = '';
  },
});
const sell = command('sell_book', {
  about: 'Sell a book; it leaves the stock.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const b = need(draft.books, id, 'book');
    if (b.heldFor !== '') refuse(`It is on hold for ${b.heldFor}.`);
    remove(draft.books, id);
    Object.assign(draft.ui, { at: 'stock', book: '', menu: '', last: null });
  },
});
const buyIn = command('buy_in', {
  about: 'Enter a book that was bought in. It waits in the window.',
  input: z.object({ title: z.string().min(2), author: z.string().min(2), grade: z.enum(GRADES), price: z.string() }),
  run(draft, { title, author, grade, price }) {
    if (!/^\d{1,3}$/.test(price)) refuse('A price in whole pounds, please.');
    draft.books.push({
      id: nextId(draft.books, 'b'),
      title,
      author,
      grade,
      price: Number(price),
      shelf: 'Window',
      bought: 'today',
      heldFor: '',
    });
    Object.assign(draft.ui, { at: 'stock', title: '', author: '', grade: '', price: '' });
  },
});
const crossOff = command('cross_off_want', {
  about: 'Cross a customer off the want list.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.wants, id, 'want');
    remove(draft.wants, id);
  },
});
const stocktake = query('stocktake', {
  about: 'All books and the want list.',
  input: z.object({}),
  run: ({ books, wants }) => ({ books, wants }),
});

const go = gesture('go', {
  about: 'Walk to another part of the shop.',
  input: z.object({ at: z.string() }),
  run(draft, { at }) {
    Object.assign(draft.ui, { at, book: '', menu: '', q: '', many: 5, price: '' });
  },
});
const search = gesture('type_search', {
  about: 'Type into the search field.',
  input: z.object({ value: z.string().max(50) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { q: value, many: 5 });
  },
});
const more = gesture('show_more', {
  about: 'Show more books.',
  input: z.object({}),
  run(draft) {
    draft.ui.many += 5;
  },
});
const openBook = gesture('open_book', {
  about: 'Take a book in hand.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { at: 'book', book: id, menu: '', price: '' });
  },
});
const unfold = gesture('unfold', {
  about: 'Open a menu.',
  input: z.object({ menu: z.string() }),
  run(draft, { menu: to }) {
    draft.ui.menu = to;
  },
});
const jot = gesture('jot', {
  about: 'Jot something down.',
  input: z.object({ field: z.enum(['title', 'author', 'grade', 'price']), value: z.string().max(50) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

const found = (s: State) => s.books.filter(b => `${b.title} ${b.author}`.toLowerCase().includes(s.ui.q.toLowerCase()));
const screens: Record<string, (s: State) => unknown[]> = {
  stock(s) {
    const all = found(s);
    return [
      searchBox('Find', [textbox('Title or author', s.ui.q, { enter: search.entering({}) })]),
      list(
        `${all.length} on the shelves`,
        all
          .slice(0, s.ui.many)
          .map(b =>
            listItem(`${b.title} by ${b.author}`, [
              link(b.title, openBook.with({ id: b.id })),
              text(`${b.author}. ${b.shelf}. £${b.price}`),
            ]),
          ),
      ),
      all.length > s.ui.many && button('Show me more', more.with({})),
    ];
  },
  book(s) {
    const b = need(s.books, s.ui.book, 'book');
    return [
      heading(b.title),
      text(`by ${b.author}`),
      text(`${b.shelf} shelf, ${b.grade}, £${b.price}`),
      text(`Bought in: ${b.bought}`),
      b.heldFor !== '' && text(`On hold for ${b.heldFor}`),
      button(
        'Do something with it',
        unfold.with({ menu: s.ui.menu === '' ? 'top' : '' }),
        s.ui.menu === '' ? [] : ['expanded'],
      ),
      s.ui.menu === 'top' &&
        menu('What to do', [
          menuItem('Move to shelf ▸', unfold.with({ menu: 'shelf' })),
          menuItem('Grade ▸', unfold.with({ menu: 'grade' })),
          menuItem('Hold for ▸', unfold.with({ menu: 'hold' })),
          menuItem('Ring up the sale', sell.with({ id: b.id })),
        ]),
      s.ui.menu === 'shelf' &&
        menu(
          'Move to shelf',
          SHELVES.filter(x => x !== b.shelf).map(x => menuItem(x, reshelve.with({ id: b.id, shelf: x }))),
        ),
      s.ui.menu === 'grade' &&
        menu(
          'Grade',
          GRADES.filter(x => x !== b.grade).map(x => menuItem(x, regrade.with({ id: b.id, grade: x }))),
        ),
      s.ui.menu === 'hold' &&
        menu('Hold for', [
          b.heldFor !== '' && menuItem('Nobody', hold.with({ id: b.id, value: '' })),
          ...(b.heldFor === ''
            ? s.wants.map(w => menuItem(w.customer, hold.with({ id: b.id, value: w.customer })))
            : []),
        ]),
      region('Pencil', [
        textbox('New price £', s.ui.price, { enter: jot.entering({ field: 'price' }) }),
        button('Pencil it in', reprice.with({ id: b.id, price: s.ui.price })),
      ]),
    ];
  },
  wants: s => [
    heading('Want list'),
    list(
      'People and what they are after',
      s.wants.map(w =>
        listItem(w.customer, [
          text(`${w.customer}: anything by ${w.author} (${w.phone})`),
          button(`Cross off ${w.customer}`, crossOff.with({ id: w.id })),
        ]),
      ),
    ),
  ],
  buying: s => [
    form('Bought in', [
      textbox('Title', s.ui.title, { enter: jot.entering({ field: 'title' }) }),
      textbox('Author', s.ui.author, { enter: jot.entering({ field: 'author' }) }),
      region(
        'Condition',
        GRADES.map(g => radio(g, s.ui.grade === g, jot.with({ field: 'grade', value: g }))),
      ),
      textbox('Price £', s.ui.price, { enter: jot.entering({ field: 'price' }) }),
      button(
        'Put it in the window',
        buyIn.with({ title: s.ui.title, author: s.ui.author, grade: s.ui.grade as 'fine', price: s.ui.price }),
      ),
    ]),
  ],
};

const moveShelf = template('move-shelf', {
  about: 'Move a book to another shelf.',
  split: 'train',
  sample(s, random) {
    const b = random.pick(s.books);
    return {
      id: b.id,
      title: b.title,
      shelf: random.pick(SHELVES.filter(x => x !== b.shelf)),
      way: random.between(0, 3),
    };
  },
  instruction: ({ title, shelf, way }) =>
    [
      `"${title}" has strayed. It should stand under ${shelf}.`,
      `move ${title} to ${shelf}`,
      `A customer pointed out that ${title} isn't where one would look for it. Try ${shelf}.`,
      `Could you put ${title} with the ${shelf} books? Thanks ever so much.`,
    ][way]!,
  checks: ({ id, shelf }) => [{ name: shelf, test: final => find(final.books, id)?.shelf === shelf }],
  allow: ({ id }) => [`/books/${id}/shelf`],
});
const newPrice = template('new-price', {
  about: 'Give a book a new price.',
  split: 'train',
  sample(s, random) {
    const b = random.pick(s.books);
    return { id: b.id, title: b.title, price: String(random.between(41, 95)), way: random.between(0, 2) };
  },
  instruction: ({ title, price, way }) =>
    [
      `${title} turns out to be a first edition; ask £${price} for it.`,
      `price of "${title}": ${price}`,
      `I've looked ${title} up and we are far too cheap. Pencil in ${price} pounds.`,
    ][way]!,
  checks: ({ id, price }) => [{ name: price, test: final => find(final.books, id)?.price === Number(price) }],
  allow: ({ id }) => [`/books/${id}/price`],
});
const windowAuthor = template('author-to-window', {
  about: 'Put all books of an author into the window.',
  split: 'train',
  sample(s, random) {
    const authors = [...new Set(s.books.map(b => b.author))].filter(
      a => s.books.filter(b => b.author === a).length === 2,
    );
    const author = random.pick(authors);
    return { author, ids: s.books.filter(b => b.author === author).map(b => b.id), way: random.between(0, 2) };
  },
  setup(draft, { ids }) {
    for (const id of ids) {
      const b = need(draft.books, id, 'book');
      if (b.shelf === 'Window') b.shelf = 'Nature';
    }
  },
  instruction: ({ author, way }) =>
    [
      `It's the birthday of ${author}: everything we have by ${author} goes in the window.`,
      `all ${author} -> Window`,
      `Let's make a little display. Whatever there is by ${author}, move it to the Window shelf.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `window ${at + 1}`, test: final => find(final.books, id)?.shelf === 'Window' })),
  allow: ({ ids }) => ids.map(id => `/books/${id}/shelf`),
});
const bought = template('buy-in', {
  about: 'Enter a book that was bought in.',
  split: 'train',
  sample: (s, random) => ({
    title: random.pick([
      'The Salt Road',
      'Winter Bees',
      'A Key to Mosses',
      'Letters Home',
      'The Grey Mare',
      'Small Boats',
    ]),
    author: random.pick(['P. Ingram', 'Rosa Teale', 'H. V. Lund', 'Mary Coates']),
    grade: random.pick(GRADES),
    price: String(random.between(3, 38)),
    way: random.between(0, 2),
  }),
  instruction: ({ title, author, grade, price, way }) =>
    [
      `A lady just sold us ${title} by ${author}, condition ${grade}. Enter it at £${price}.`,
      `bought in: ${title} / ${author} / ${grade} / ${price}`,
      `Put "${title}" (${author}) in the window for ${price} pounds. I'd call it ${grade}.`,
    ][way]!,
  checks: ({ title, author, grade, price }) => [
    {
      name: 'in the window',
      test(final, initial) {
        const [b, ...rest] = added(initial.books, final.books);
        return (
          rest.length === 0 &&
          b?.title === title &&
          b.author === author &&
          b.grade === grade &&
          b.price === Number(price) &&
          b.shelf === 'Window' &&
          b.heldFor === '' &&
          b.bought === 'today'
        );
      },
    },
  ],
  allow: () => ['/books/+'],
});
const holdFor = template('hold-by-want', {
  about: 'Hold a book for the customer who wants its author.',
  split: 'train',
  sample(s, random) {
    const w = random.pick(s.wants);
    const b = random.pick(s.books.filter(x => x.author === w.author));
    return { id: b.id, title: b.title, customer: w.customer, way: random.between(0, 2) };
  },
  setup(draft, { id }) {
    need(draft.books, id, 'book').heldFor = '';
  },
  instruction: ({ title, way }) =>
    [
      `Somebody on the want list is after the author of "${title}". Hold it for them.`,
      `Check the want list: who is looking for whoever wrote ${title}? Put the book on hold for that person.`,
      `hold ${title} for the customer that wants this author`,
    ][way]!,
  checks: ({ id, customer }) => [{ name: 'held', test: final => find(final.books, id)?.heldFor === customer }],
  allow: ({ id }) => [`/books/${id}/heldFor`],
});
const when = template('when-bought', {
  about: 'Say when a book was bought in.',
  split: 'train',
  sample(s, random) {
    const b = random.pick(s.books);
    return { id: b.id, title: b.title, way: random.between(0, 2) };
  },
  instruction: ({ title, way }) =>
    [
      `When did we buy ${title}?`,
      `How long have we had "${title}"? I mean, since which date.`,
      `date bought in, ${title}`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.books, id, 'book').bought,
  shown: ({ ui }, { id }) => ui.at === 'book' && ui.book === id,
});
const sale = template('sell-maybe-held', {
  about: 'Sell a book that may be on hold.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ free }) => free,
  sample(s, random) {
    const b = random.pick(s.books);
    return {
      id: b.id,
      title: b.title,
      by: random.pick(s.wants).customer,
      free: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { id, by, free }) {
    need(draft.books, id, 'book').heldFor = free ? '' : by;
  },
  instruction: ({ title, way }) =>
    [
      `Sold: ${title}. Ring it up.`,
      `There's a gentleman at the till with "${title}". Please ring up the sale. (Holds are holds, we never break those.)`,
      `sell ${title}, unless someone has it on hold`,
    ][way]!,
  checks: ({ id }) => [{ name: 'sold', test: final => find(final.books, id) === undefined }],
  allow: ({ id }) => [`/books/${id}`],
  shown: ({ ui }, { id }) => ui.at === 'book' && ui.book === id,
});
const offList = template('off-the-want-list', {
  about: 'Cross a customer off the want list.',
  split: 'train',
  sample(s, random) {
    const w = random.pick(s.wants);
    return { id: w.id, author: w.author, way: random.between(0, 2) };
  },
  instruction: ({ author, way }) =>
    [
      `The customer who was after ${author} found everything elsewhere. Cross them off.`,
      `whoever wants ${author} doesn't any more`,
      `Remove the want for books by ${author}.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'crossed off', test: final => find(final.wants, id) === undefined }],
  allow: ({ id }) => [`/wants/${id}`],
});

const shelf: [string, string][] = [
  ['The Heron', 'Ada Marsh'],
  ['The Heron’s Year', 'Ada Marsh'],
  ['North by Canoe', 'G. Prior'],
  ['South by Canoe', 'G. Prior'],
  ['Hedgerow', 'Tess Aldous'],
  ['Hedges', 'Tess Aldous'],
  ['The Glass Ferry', 'Owen Rhys'],
  ['Ferrymen', 'Owen Rhys'],
  ['Collected Poems', 'Iris Bly'],
  ['Selected Poems', 'Iris Bly'],
  ['A Short History of Rope', 'C. Danvers'],
  ['A History of Salt', 'C. Danvers'],
  ['Night Trains', 'Lionel Shaw'],
  ['Night Mail', 'Lionel Shaw'],
  ['Moor', 'Beth Carrow'],
  ['Moorings', 'Beth Carrow'],
];
const people = ['Mr Abel', 'Mrs Abel', 'Priya N.', 'Priya M.', 'Colonel Fitch', 'Young Tom', 'Sister Joan', 'Old Tom'];
export const app = defineApp({
  id: 'second-hand-bookshop',
  title: 'Foxed & Bumped',
  about: 'The stock of a second-hand bookshop and its want list.',
  state,
  init(random) {
    const customers = random.shuffle(people);
    const dates = random.sample(
      Array.from({ length: 28 }, (_, at) => at + 1),
      16,
    );
    return {
      books: random.shuffle(shelf).map(([title, author], at) => ({
        id: `b${at + 1}`,
        title,
        author,
        shelf: random.pick(SHELVES),
        grade: random.pick(GRADES),
        price: random.between(2, 40),
        bought: `${dates[at]} ${random.pick(['January', 'April', 'October'])}`,
        heldFor: random.chance(0.2) ? random.pick(customers) : '',
      })),
      wants: random.shuffle([...new Set(shelf.map(([, a]) => a))]).map((author, at) => ({
        id: `w${at + 1}`,
        author,
        customer: customers[at]!,
        phone: `01${random.between(200, 999)} ${random.between(1000, 9999)}`,
      })),
      ui: {
        at: 'stock',
        q: '',
        many: 5,
        book: '',
        menu: '',
        price: '',
        hold: '',
        title: '',
        author: '',
        grade: '',
        last: null,
      },
    };
  },
  commands: [
    reshelve,
    undo,
    regrade,
    reprice,
    hold,
    sell,
    buyIn,
    crossOff,
    stocktake,
    go,
    search,
    more,
    openBook,
    unfold,
    jot,
  ],
  view: s =>
    page('Foxed & Bumped', [
      toolbar('Shop', [
        button('Stock', go.with({ at: 'stock' })),
        button('Want list', go.with({ at: 'wants' })),
        button('Buying', go.with({ at: 'buying' })),
        s.ui.last !== null && button('Undo the last move', undo.with({})),
      ]),
      ...(screens[s.ui.at]!(s) as ReturnType<typeof text>[]),
    ]),
  templates: [moveShelf, newPrice, windowAuthor, bought, holdFor, when, sale, offList],
});

// Crate: somebody's record collection, what they are after, and what goes to the next record fair.
import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
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
  remove,
  row,
  status,
  switchButton,
  table,
  cell,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const GENRES = ['jazz', 'soul', 'krautrock', 'dub', 'folk', 'disco'];
const GRADES = ['Mint', 'Near mint', 'Very good', 'Good', 'Beaten up'];
const lp = z.object({
  id: z.string(),
  artist: z.string(),
  title: z.string(),
  year: z.int(),
  genre: z.string(),
  slot: z.string(),
  grade: z.string(),
  stars: z.int(),
  fair: z.boolean(),
  ask: z.int(),
});
const state = z.object({
  records: z.array(lp),
  wants: z.array(z.object({ id: z.string(), artist: z.string(), title: z.string(), limit: z.int() })),
  ui: z.object({
    place: z.string(),
    genre: z.string(),
    sort: z.string(),
    shown: z.int(),
    lp: z.string(),
    filing: z.string(),
    slot: z.string(),
    ask: z.string(),
    artist: z.string(),
    title: z.string(),
    limit: z.string(),
    memo: z.string(),
  }),
});
type State = z.infer<typeof state>;
type Lp = z.infer<typeof lp>;
const { command, gesture, query, template } = appKit(state);

const whole = (value: string, what: string) =>
  /^\d{1,4}$/.test(value.trim()) ? Number(value) : refuse(`${what}: a whole number, please.`);
const rate = command('rate_record', {
  about: 'Give a record some stars.',
  input: z.object({ id: z.string(), stars: z.int().min(0).max(5) }),
  run(draft, { id, stars }) {
    need(draft.records, id, 'record').stars = stars;
  },
});
const grade = command('grade_record', {
  about: 'Grade the condition of a record.',
  input: z.object({ id: z.string(), grade: z.string() }),
  run(draft, { id, grade: it }) {
    need(draft.records, id, 'record').grade = it;
  },
});
const toFair = command('take_to_fair', {
  about: 'Take a record to the fair, or keep it.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const r = need(draft.records, id, 'record');
    r.fair = !r.fair;
  },
});
const price = command('set_price', {
  about: 'Set the price asked for a record at the fair.',
  input: z.object({ id: z.string(), ask: z.string() }),
  run(draft, { id, ask }) {
    const r = need(draft.records, id, 'record');
    if (!r.fair) refuse('It is not for the fair.');
    r.ask = whole(ask, 'Price');
    draft.ui.memo = 'Price tag written.';
  },
});
const sold = command('sell_record', {
  about: 'Take a sold record out of the collection.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const r = need(draft.records, id, 'record');
    if (!r.fair) refuse('It is not for sale.');
    remove(draft.records, id);
    draft.ui.memo = `Sold: ${r.title}.`;
  },
});
const want = command('want_record', {
  about: 'Put a record on the hunting list.',
  input: z.object({
    artist: z.string().trim().min(1, 'By whom?'),
    title: z.string().trim().min(1, 'Which record?'),
    limit: z.string(),
  }),
  run(draft, { artist, title, limit }) {
    draft.wants.push({ id: nextId(draft.wants, 'w'), artist, title, limit: whole(limit, 'Limit') });
    Object.assign(draft.ui, { artist: '', title: '', limit: '', memo: 'Happy hunting.' });
  },
});
const got = command('file_find', {
  about: 'File a record of the hunting list in the collection.',
  input: z.object({
    id: z.string(),
    genre: z.string().min(1, 'Which genre?'),
    slot: z.string().trim().min(1, 'Which slot?'),
  }),
  run(draft, { id, genre, slot }) {
    const w = need(draft.wants, id, 'want');
    remove(draft.wants, id);
    draft.records.push({
      id: nextId(draft.records, 'r'),
      artist: w.artist,
      title: w.title,
      year: 0,
      genre,
      slot,
      grade: 'Very good',
      stars: 0,
      fair: false,
      ask: 0,
    });
    Object.assign(draft.ui, { filing: '', slot: '', memo: `${w.title} is in slot ${slot}.` });
  },
});
const dig = query('dig', {
  about: 'List the records whose artist or title contains a text.',
  input: z.object({ text: z.string() }),
  run: (s, i) => s.records.filter(r => `${r.artist} ${r.title}`.toLowerCase().includes(i.text.toLowerCase())),
});
const hunting = query('hunting_list', { about: 'Read the hunting list.', input: z.object({}), run: s => s.wants });

const to = gesture('to', {
  about: 'Go to a place.',
  input: z.object({ place: z.string() }),
  run(draft, { place }) {
    Object.assign(draft.ui, { place, memo: '', filing: '', shown: 8 });
  },
});
const pull = gesture('pull_out', {
  about: 'Pull out a record.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const r = need(draft.records, id, 'record');
    Object.assign(draft.ui, { place: 'sleeve', lp: id, ask: String(r.ask), memo: '' });
  },
});
const byGenre = gesture('by_genre', {
  about: 'Show a genre.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    Object.assign(draft.ui, { genre: value, shown: 8 });
  },
});
const bySort = gesture('by_sort', {
  about: 'Sort the crate.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    Object.assign(draft.ui, { sort: value, shown: 8 });
  },
});
const more = gesture('show_more', {
  about: 'Show more records.',
  input: z.object({}),
  run(draft) {
    draft.ui.shown += 8;
  },
});
const fill = gesture('scribble', {
  about: 'Write into a field.',
  input: z.object({
    field: z.enum(['slot', 'ask', 'artist', 'title', 'limit', 'genreOfFind']),
    value: z.string().max(50),
  }),
  run(draft, { field, value }) {
    if (field === 'genreOfFind') draft.ui.genre = value;
    else draft.ui[field] = value;
  },
});
const file = gesture('start_filing', {
  about: 'Start or stop filing a find.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { filing: id, slot: '', genre: 'any', memo: '' });
  },
});

const SORTS: Record<string, (a: Lp, b: Lp) => number> = {
  'by artist': (a, b) => a.artist.localeCompare(b.artist) || a.title.localeCompare(b.title),
  'oldest first': (a, b) => a.year - b.year,
  'best first': (a, b) => b.stars - a.stars,
};
const stars = (n: number) => '★'.repeat(n) + '☆'.repeat(5 - n);

function crate(s: State) {
  const all = s.records.filter(r => s.ui.genre === 'any' || r.genre === s.ui.genre).toSorted(SORTS[s.ui.sort]);
  const left = all.length - s.ui.shown;
  return region(`Crate: ${all.length} records`, [
    combobox('Genre', s.ui.genre, { enter: byGenre.entering({}), options: ['any', ...GENRES] }),
    combobox('Order', s.ui.sort, { enter: bySort.entering({}), options: Object.keys(SORTS) }),
    ...all
      .slice(0, s.ui.shown)
      .map(r => link(`${r.artist} – ${r.title} (${r.year === 0 ? '?' : r.year})`, pull.with({ id: r.id }))),
    left > 0 && button(`Show ${Math.min(8, left)} more`, more.with({})),
  ]);
}
function sleeve(s: State) {
  const r = find(s.records, s.ui.lp);
  if (!r) return text('Not in the collection any more.');
  return region('Sleeve', [
    heading(r.title),
    text(`${r.artist}, ${r.year}, ${r.genre}`),
    text(`Slot ${r.slot}`),
    toolbar(
      `Rating ${stars(r.stars)}`,
      [1, 2, 3, 4, 5].map(n => button(n === 1 ? '1 star' : `${n} stars`, rate.with({ id: r.id, stars: n }))),
    ),
    region(
      'Condition',
      GRADES.map(g => radio(g, r.grade === g, grade.with({ id: r.id, grade: g }))),
    ),
    switchButton('Take to the fair', r.fair, toFair.with({ id: r.id })),
    r.fair &&
      form('Price tag', [
        textbox('Asking €', s.ui.ask, { enter: fill.entering({ field: 'ask' }) }),
        button('Write tag', price.with({ id: r.id, ask: s.ui.ask })),
      ]),
  ]);
}
function fair(s: State) {
  const box = s.records.filter(r => r.fair);
  return region('Fair box', [
    text(`${box.length} records to sell`),
    table(
      'For sale',
      box.map(r =>
        row(r.title, [
          link(`${r.artist} – ${r.title}`, pull.with({ id: r.id })),
          cell(r.ask === 0 ? 'no price' : `${r.ask} €`),
          button('Sold!', sold.with({ id: r.id })),
        ]),
      ),
    ),
  ]);
}
function hunt(s: State) {
  const w = find(s.wants, s.ui.filing);
  if (w)
    return dialog(`Found it: ${w.title}`, [
      combobox('Genre', s.ui.genre === 'any' ? '' : s.ui.genre, {
        enter: fill.entering({ field: 'genreOfFind' }),
        options: GENRES,
      }),
      textbox('Slot', s.ui.slot, { enter: fill.entering({ field: 'slot' }) }),
      button('File it', got.with({ id: w.id, genre: s.ui.genre === 'any' ? '' : s.ui.genre, slot: s.ui.slot })),
      button('Not yet', file.with({ id: '' })),
    ]);
  return region('Hunting list', [
    list(
      `${s.wants.length} wanted`,
      s.wants.map(x =>
        listItem(`${x.artist} – ${x.title}`, [text(`up to ${x.limit} €`), button('Found it', file.with({ id: x.id }))]),
      ),
    ),
    form('Also wanted', [
      textbox('Artist', s.ui.artist, { enter: fill.entering({ field: 'artist' }) }),
      textbox('Title', s.ui.title, { enter: fill.entering({ field: 'title' }) }),
      textbox('Limit €', s.ui.limit, { enter: fill.entering({ field: 'limit' }) }),
      button('Add to the hunt', want.with({ artist: s.ui.artist, title: s.ui.title, limit: s.ui.limit })),
    ]),
  ]);
}

const say = (seed: string, ...ways: string[]) =>
  ways[[...seed].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ways.length]!;
const giveStars = template('give-stars', {
  about: 'Rate a record.',
  split: 'train',
  sample(s, random) {
    const r = random.pick(s.records);
    return {
      id: r.id,
      artist: r.artist,
      title: r.title,
      stars: random.pick([1, 2, 3, 4, 5].filter(n => n !== r.stars)),
    };
  },
  instruction: ({ artist, title, stars }) =>
    say(
      title + stars,
      `${stars} ${stars === 1 ? 'star' : 'stars'} for ${title} by ${artist}`,
      `Listened to "${title}" (${artist}) again last night and I'd say ${stars} out of 5. Rate it.`,
    ),
  checks: ({ id, stars }) => [{ name: `${stars} stars`, test: final => find(final.records, id)?.stars === stars }],
  allow: ({ id }) => [`/records/${id}/stars`],
});
const slotOf = template('which-slot', {
  about: 'Say in which slot a record is.',
  split: 'train',
  sample(s, random) {
    const r = random.pick(s.records);
    return { id: r.id, artist: r.artist, title: r.title };
  },
  instruction: ({ artist, title }) =>
    say(title, `where's ${title} by ${artist}?? which slot`, `In which slot do I find ${artist}, "${title}"?`),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.records, id, 'record').slot,
  shown: ({ ui }, { id }) => ui.place === 'sleeve' && ui.lp === id,
});
const sellOff = template('tag-for-fair', {
  about: 'Take a record to the fair with a price.',
  split: 'train',
  sample(s, random) {
    const r = random.pick(s.records);
    return { id: r.id, title: r.title, artist: r.artist, ask: String(random.between(6, 75)) };
  },
  setup(draft, { id }) {
    Object.assign(need(draft.records, id, 'record'), { fair: false, ask: 0 });
  },
  instruction: ({ title, artist, ask }) =>
    say(
      title + ask,
      `I'm done with ${artist}'s ${title}. Take it to the fair, I want ${ask} € for it.`,
      `${artist} – ${title}: to the fair box, price ${ask}`,
    ),
  checks: ({ id, ask }) => [
    { name: 'goes to the fair', test: final => find(final.records, id)?.fair === true },
    { name: `costs ${ask}`, test: final => find(final.records, id)?.ask === Number(ask) },
  ],
  allow: ({ id }) => [`/records/${id}/fair`, `/records/${id}/ask`],
});
const foundIt = template('found-one', {
  about: 'File a find.',
  split: 'train',
  sample(s, random) {
    const w = random.pick(s.wants);
    return {
      want: w.id,
      artist: w.artist,
      title: w.title,
      genre: random.pick(GENRES),
      slot: `${random.pick(['A', 'B', 'C'])}${random.between(30, 60)}`,
    };
  },
  instruction: ({ title, genre, slot }) =>
    `Guess what I found at the flea market: ${title}! It goes under ${genre}, slot ${slot}.`,
  checks: ({ want, artist, title, genre, slot }) => [
    { name: 'off the hunting list', test: final => find(final.wants, want) === undefined },
    {
      name: 'in the collection',
      test(final, initial) {
        const [r, ...rest] = added(initial.records, final.records);
        return (
          rest.length === 0 &&
          r?.artist === artist &&
          r.title === title &&
          r.genre === genre &&
          r.slot === slot &&
          r.grade === 'Very good' &&
          r.stars === 0 &&
          !r.fair &&
          r.ask === 0 &&
          r.year === 0
        );
      },
    },
  ],
  allow: ({ want }) => [`/wants/${want}`, '/records/+'],
});
const oldest = template('oldest-of-genre', {
  about: 'Grade the oldest record of a genre.',
  split: 'train',
  sample(s, random) {
    const genre = random.pick(GENRES);
    const [a, b] = s.records.filter(r => r.genre === genre).toSorted(SORTS['oldest first']);
    if (!a || !b || a.year === b.year) return null;
    return { genre, id: a.id, grade: random.pick(GRADES.filter(g => g !== a.grade)) };
  },
  instruction: ({ genre, grade }) =>
    say(
      genre + grade,
      `My oldest ${genre} record: set its condition to ${grade}.`,
      `I cleaned and inspected the oldest ${genre} LP I own. Grade: ${grade}.`,
    ),
  checks: ({ id, grade }) => [{ name: grade, test: final => find(final.records, id)?.grade === grade }],
  allow: ({ id }) => [`/records/${id}/grade`],
});
const soldOne = template('sold-one', {
  about: 'Note a sale at the fair.',
  split: 'train',
  sample(s, random) {
    const box = s.records.filter(r => r.fair);
    if (box.length < 5) return null;
    const r = random.pick(box);
    return { id: r.id, artist: r.artist, title: r.title };
  },
  instruction: ({ artist, title }) =>
    say(title, `sold the ${artist} one, ${title}`, `Someone bought "${title}"! Cross it off.`),
  checks: ({ id }) => [{ name: 'sold', test: final => find(final.records, id) === undefined }],
  allow: ({ id }) => [`/records/${id}`],
});

const bands = [
  'Nkem Trio',
  'Elsa Vang',
  'Motorik 5',
  'King Tubbs',
  'The Larks',
  'Dee Delight',
  'Orbit Choir',
  'Hal Mason',
];
const adjectives = ['Slow', 'Golden', 'Midnight', 'Plastic', 'Hollow', 'Distant', 'Velvet'];
const nouns = ['Harvest', 'Signals', 'Avenue', 'Mirror', 'Tides', 'Parade', 'Machine'];

export const app = defineApp({
  id: 'crate',
  title: 'Crate',
  about: 'A record collection, a hunting list and the box for the next fair.',
  state,
  init(random) {
    const titles = random.shuffle(adjectives.flatMap(a => nouns.map(n => `${a} ${n}`)));
    return {
      records: titles
        .slice(0, 30)
        .map((title, at) => ({
          id: `r${at + 1}`,
          artist: random.pick(bands),
          title,
          year: random.between(1956, 1989),
          genre: random.pick(GENRES),
          slot: `${random.pick(['A', 'B', 'C'])}${random.between(1, 29)}`,
          grade: random.pick(GRADES),
          stars: random.between(0, 5),
          fair: random.chance(0.3),
          ask: 0,
        }))
        .map(r => ({ ...r, ask: r.fair && random.chance(0.7) ? random.between(5, 40) : 0 })),
      wants: titles
        .slice(30, 39)
        .map((title, at) => ({ id: `w${at + 1}`, artist: random.pick(bands), title, limit: random.between(10, 90) })),
      ui: {
        place: 'crate',
        genre: 'any',
        sort: 'by artist',
        shown: 8,
        lp: '',
        filing: '',
        slot: '',
        ask: '',
        artist: '',
        title: '',
        limit: '',
        memo: '',
      },
    };
  },
  commands: [rate, grade, toFair, price, sold, want, got, dig, hunting, to, pull, byGenre, bySort, more, fill, file],
  view: s =>
    page('Crate', [
      s.ui.memo !== '' && status(s.ui.memo),
      s.ui.place === 'sleeve'
        ? sleeve(s)
        : s.ui.place === 'fair'
          ? fair(s)
          : s.ui.place === 'hunt'
            ? hunt(s)
            : crate(s),
      s.ui.filing === '' &&
        toolbar('Go to', [
          button('The crate', to.with({ place: 'crate' })),
          button('The hunt', to.with({ place: 'hunt' })),
          button('Fair box', to.with({ place: 'fair' })),
        ]),
    ]),
  templates: [giveStars, slotOf, sellOff, foundIt, oldest, soldOne],
  onRefusal(draft, message) {
    draft.ui.memo = message;
  },
});

import {
  added,
  alert,
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
  refuse,
  region,
  searchBox,
  status,
  tab,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const readers = [
  'Abena',
  'Abel',
  'Brigid',
  'Casimir',
  'Delphine',
  'Ewan',
  'Farah',
  'Giulia',
  'Henk',
  'Ingrid',
  'Jarek',
  'Katya',
  'Leopold',
];

const state = z.object({
  chapters: z.array(z.object({ id: z.string(), name: z.string(), within: z.string() })),
  articles: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      chapter: z.string(),
      owner: z.string(),
      stage: z.string(),
      reader: z.string(),
      blessed: z.boolean(),
      edition: z.int(),
      openBy: z.string(),
    }),
  ),
  editions: z.array(z.object({ id: z.string(), article: z.string(), number: z.int(), remark: z.string() })),
  ui: z.object({
    unfolded: z.string(),
    article: z.string(),
    page: z.string(),
    title: z.string(),
    reader: z.string(),
    chapter: z.string(),
    seek: z.string(),
    box: z.string(),
    bell: z.string(),
  }),
});
type Shelf = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const ofArticle = z.object({ id: z.string() });
const free = (draft: Shelf, id: string) => {
  const it = need(draft.articles, id, 'article');
  if (it.openBy !== '') refuse(`${it.openBy} has this article open. Close it for them first.`);
  return it;
};

const rename = command('rename_article', {
  about: 'Give an article another title.',
  input: z.object({ id: z.string(), title: z.string().trim().min(3, 'The title is too short.') }),
  run(draft, { id, title }) {
    free(draft, id).title = title;
  },
});
const closeFor = command('close_for_others', {
  about: 'Close an article that somebody has left open.',
  input: ofArticle,
  run(draft, { id }) {
    need(draft.articles, id, 'article').openBy = '';
    draft.ui.bell = '';
  },
});
const file = command('file_article', {
  about: 'File an article under another chapter.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const chapter = draft.chapters.find(({ name }) => name === value) ?? refuse('No such chapter.');
    free(draft, id).chapter = chapter.id;
  },
});
const submit = command('submit_draft', {
  about: 'Submit a draft to a proof-reader.',
  input: z.object({ id: z.string(), reader: z.string() }),
  run(draft, { id, reader }) {
    const it = free(draft, id);
    if (!readers.includes(reader)) refuse('Choose a proof-reader.');
    if (it.owner === reader) refuse('Owners do not proof-read their own articles.');
    Object.assign(it, { stage: 'with proof-reader', reader });
    draft.ui.box = '';
  },
});
const recall = command('recall_draft', {
  about: 'Recall a draft from its proof-reader.',
  input: ofArticle,
  run(draft, { id }) {
    const it = need(draft.articles, id, 'article');
    if (it.stage !== 'with proof-reader') refuse('It is not with a proof-reader.');
    it.stage = 'draft';
  },
});
const publish = command('publish_article', {
  about: 'Publish an article that its proof-reader has blessed.',
  input: ofArticle,
  run(draft, { id }) {
    const it = need(draft.articles, id, 'article');
    if (!it.blessed) refuse(`${it.reader} has not blessed "${it.title}" yet.`);
    it.stage = 'published';
  },
});
const shelve = command('put_in_cellar', {
  about: 'Put an article into the cellar.',
  input: ofArticle,
  run: (draft, { id }) => void (need(draft.articles, id, 'article').stage = 'in the cellar'),
});
const restore = command('restore_edition', {
  about: 'Make another edition the valid one.',
  input: z.object({ id: z.string(), number: z.int() }),
  run(draft, { id, number }) {
    need(draft.articles, id, 'article').edition = number;
  },
});
const begin = command('begin_article', {
  about: 'Begin an article as a draft.',
  input: z.object({ title: z.string().trim().min(3, 'The title is too short.'), chapter: z.string() }),
  run(draft, { title, chapter }) {
    const home = draft.chapters.find(({ name }) => name === chapter) ?? refuse('Choose a chapter.');
    const rest = { owner: 'you', stage: 'draft', reader: '', blessed: false, edition: 1, openBy: '' };
    draft.articles.push({ id: nextId(draft.articles, 'a'), title, chapter: home.id, ...rest });
    Object.assign(draft.ui, { box: '', title: '', chapter: '' });
  },
});
const look = query('look_up', {
  about: 'Look up articles by a part of the title.',
  input: z.object({ part: z.string() }),
  run: ({ articles, chapters, editions }, { part }) =>
    articles
      .filter(({ title }) => title.toLowerCase().includes(part.toLowerCase()))
      .map(it => ({
        ...it,
        chapter: find(chapters, it.chapter)?.name ?? '',
        editions: editions.filter(({ article }) => article === it.id),
      })),
});
const chapterQuery = query('read_chapter', {
  about: 'List the articles of a chapter.',
  input: z.object({ name: z.string() }),
  run: ({ articles, chapters }, { name }) =>
    articles.filter(it => find(chapters, it.chapter)?.name === name).map(it => ({ ...it, chapter: name })),
});
const blank = { article: '', page: 'text', title: '', reader: '', chapter: '', box: '', bell: '' };
const unfold = gesture('unfold_chapter', {
  about: 'Unfold a chapter of the tree.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) =>
    void Object.assign(draft.ui, blank, { unfolded: draft.ui.unfolded === id ? '' : id, seek: '' }),
});
const open = gesture('open_article', {
  about: 'Open an article on a page of it, or close it.',
  input: z.object({ id: z.string(), page: z.string() }),
  run: (draft, { id, page: to }) =>
    void Object.assign(draft.ui, blank, { article: id, page: to, title: find(draft.articles, id)?.title ?? '' }),
});
const box = gesture('open_box', {
  about: 'Open or close a box.',
  input: z.object({ box: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, { box: input.box, reader: '', bell: '' }),
});
const pen = gesture('pen', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['title', 'reader', 'chapter', 'seek']), value: z.string().max(80) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

const entry = (it: Shelf['articles'][number]) =>
  listItem(it.title, [link(it.title, open.with({ id: it.id, page: 'text' })), text(`${it.stage}, ${it.owner}`)]);

function tree({ chapters, articles, ui }: Shelf) {
  const branch = (within: string): ReturnType<typeof listItem>[] =>
    chapters
      .filter(it => it.within === within)
      .map(it =>
        listItem(it.name, [
          button(it.name, unfold.with({ id: it.id }), ui.unfolded === it.id ? ['expanded'] : []),
          ui.unfolded === it.id &&
            list(`Articles in ${it.name}`, articles.filter(({ chapter }) => chapter === it.id).map(entry)),
          ...branch(it.id),
        ]),
      );
  const found = articles.filter(({ title }) => title.toLowerCase().includes(ui.seek.toLowerCase())).slice(0, 5);
  return region('Handbook', [
    searchBox('Look up', [textbox('Title contains', ui.seek, { enter: pen.entering({ field: 'seek' }) })]),
    ui.seek === '' ? list('Chapters', branch('')) : list('First matches', found.map(entry)),
    button('Begin an article', box.with({ box: 'begin' })),
  ]);
}

function articleView({ articles, chapters, editions, ui }: Shelf) {
  const it = need(articles, ui.article, 'article');
  const leaf = (key: string, name: string) =>
    tab(name, open.with({ id: it.id, page: key }), ui.page === key ? ['selected'] : []);
  return region('Article', [
    link('Handbook', open.with({ id: '', page: 'text' })),
    heading(it.title),
    status(`${it.stage}, edition ${it.edition}, owned by ${it.owner}`),
    it.openBy !== '' && text(`${it.openBy} has this article open`),
    it.openBy !== '' && button(`Close it for ${it.openBy}`, closeFor.with({ id: it.id })),
    leaf('text', 'Text'),
    leaf('path', 'Way to print'),
    leaf('editions', 'Editions'),
    ui.page === 'text' &&
      form('Text', [
        textbox('Title', ui.title, { enter: pen.entering({ field: 'title' }) }),
        button('Retitle', rename.with({ id: it.id, title: ui.title })),
        combobox('Chapter', find(chapters, it.chapter)?.name ?? '', {
          enter: file.entering({ id: it.id }),
          options: chapters.map(({ name }) => name),
        }),
      ]),
    ui.page === 'path' &&
      toolbar('Way to print', [
        it.reader !== '' && text(`Proof-reader: ${it.reader}, ${it.blessed ? 'blessed' : 'not blessed'}`),
        it.stage === 'draft' && button('Submit…', box.with({ box: 'submit' })),
        it.stage === 'with proof-reader' && button('Recall', recall.with({ id: it.id })),
        it.stage === 'with proof-reader' && button('Publish', publish.with({ id: it.id })),
        it.stage !== 'in the cellar' && button('Put in the cellar', shelve.with({ id: it.id })),
      ]),
    ui.page === 'editions' &&
      list(
        'Editions',
        editions
          .filter(({ article }) => article === it.id)
          .map(one =>
            listItem(`Edition ${one.number}`, [
              text(`Edition ${one.number}: ${one.remark}`),
              one.number === it.edition
                ? text('valid')
                : button(`Make edition ${one.number} valid`, restore.with({ id: it.id, number: one.number })),
            ]),
          ),
      ),
  ]);
}

function boxView({ articles, chapters, ui }: Shelf) {
  if (ui.box === 'begin')
    return dialog('Begin an article', [
      textbox('Title', ui.title, { enter: pen.entering({ field: 'title' }) }),
      combobox('Under', ui.chapter, {
        enter: pen.entering({ field: 'chapter' }),
        options: chapters.map(({ name }) => name),
      }),
      button('Begin', begin.with({ title: ui.title, chapter: ui.chapter })),
      button('Rather not', box.with({ box: '' })),
    ]);
  const it = need(articles, ui.article, 'article');
  return dialog(`Submit "${it.title}"`, [
    combobox('Proof-reader', ui.reader, { enter: pen.entering({ field: 'reader' }), options: readers }),
    button('Hand over', submit.with({ id: it.id, reader: ui.reader })),
    button('Keep as draft', box.with({ box: '' })),
  ]);
}

type Draw = { pick<T>(items: readonly T[]): T };
function anyArticle({ articles }: Shelf, random: Draw) {
  const { id, title, owner } = random.pick(articles);
  return { id, title, owner };
}
const clear = (draft: Shelf, { id }: { id: string }) => void (need(draft.articles, id, 'article').openBy = '');

const fileUnder = template('file-under', {
  about: 'File an article under another chapter.',
  split: 'train',
  sample(shelf, random) {
    const it = anyArticle(shelf, random);
    const old = find(shelf.articles, it.id)?.chapter;
    const chapter = random.pick(shelf.chapters.filter(({ id }) => id !== old));
    return { ...it, chapter: chapter.id, name: chapter.name };
  },
  setup: clear,
  instruction: ({ title, name }, random) =>
    random.pick([
      `File "${title}" under ${name}.`,
      `Nobody finds "${title}" where it is. It belongs into the chapter ${name}.`,
      `"${title}" -> chapter ${name}, please`,
    ]),
  checks: ({ id, chapter }) => [
    { name: 'it is in the chapter', test: final => find(final.articles, id)?.chapter === chapter },
  ],
  allow: ({ id }) => [`/articles/${id}/chapter`],
});

const hand = template('submit-draft', {
  about: 'Submit a draft to a proof-reader.',
  split: 'train',
  sample(shelf, random) {
    const it = anyArticle(shelf, random);
    return { ...it, reader: random.pick(readers.filter(one => one !== it.owner)) };
  },
  setup: (draft, { id }) =>
    void Object.assign(need(draft.articles, id, 'article'), { stage: 'draft', reader: '', blessed: false, openBy: '' }),
  instruction: ({ title, reader }, random) =>
    random.pick([
      `Submit "${title}" to ${reader}.`,
      `The draft "${title}" is ripe. ${reader} should proof-read it.`,
      `${reader} has time this afternoon: hand over "${title}" for proof-reading.`,
    ]),
  checks: ({ id, reader }) => [
    { name: 'it is with a proof-reader', test: final => find(final.articles, id)?.stage === 'with proof-reader' },
    { name: 'it is with the right one', test: final => find(final.articles, id)?.reader === reader },
  ],
  allow: ({ id }) => [`/articles/${id}/stage`, `/articles/${id}/reader`],
});

const print = template('publish-if-blessed', {
  about: 'Publish an article; its proof-reader may not have blessed it.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ blessed }) => blessed,
  sample: (shelf, random) => ({
    ...anyArticle(shelf, random),
    reader: random.pick(readers),
    blessed: random.chance(0.5),
  }),
  setup: (draft, { id, reader, blessed }) =>
    void Object.assign(need(draft.articles, id, 'article'), {
      stage: 'with proof-reader',
      reader,
      blessed,
      openBy: '',
    }),
  instruction: ({ title }, random) =>
    random.pick([
      `Publish "${title}".`,
      `People wait for "${title}". Publish it, provided that it went through proof-reading.`,
      `"${title}" should be in the published handbook by tonight.`,
    ]),
  checks: ({ id }) => [{ name: 'it is published', test: final => find(final.articles, id)?.stage === 'published' }],
  allow: ({ id }) => [`/articles/${id}/stage`],
  shown: ({ ui }, { id }) => ui.article === id && ui.page === 'path' && ui.box === '',
});

const leftOpen = template('retitle-left-open', {
  about: 'Retitle an article that somebody left open: close it for them first.',
  split: 'train',
  sample: (shelf, random) => ({
    ...anyArticle(shelf, random),
    who: random.pick(readers),
    better: random.pick(['Read me first', 'The short version', 'Rules of the house', 'When in doubt', 'A better way']),
  }),
  setup: (draft, { id, who }) => void (need(draft.articles, id, 'article').openBy = who),
  instruction: ({ title, who, better }, random) =>
    random.pick([
      `Retitle "${title}" as "${better}". ${who} left it open and went home, so close it for them.`,
      `"${title}" needs the title "${better}". If ${who} still has it open, you may close it.`,
      `New title for "${title}": "${better}" (it is blocked by ${who}, unblock it)`,
    ]),
  checks: ({ id, better }) => [
    { name: 'nobody has it open', test: final => find(final.articles, id)?.openBy === '' },
    { name: 'the title is new', test: final => find(final.articles, id)?.title === better },
  ],
  allow: ({ id }) => [`/articles/${id}/title`, `/articles/${id}/openBy`],
});

const goBack = template('edition-before-remark', {
  about: 'Make the edition with a remark valid again.',
  split: 'train',
  sample(shelf, random) {
    const it = anyArticle(shelf, random);
    const own = shelf.editions.filter(({ article }) => article === it.id);
    const one = random.pick(own);
    const valid = random.pick(own.filter(({ id }) => id !== one.id)).number;
    return { ...it, number: one.number, remark: one.remark, valid };
  },
  setup: (draft, { id, valid }) => void (need(draft.articles, id, 'article').edition = valid),
  instruction: ({ title, remark }, random) =>
    random.pick([
      `Go back to the edition "${remark}" of "${title}".`,
      `Somebody spoiled "${title}". The edition with the remark "${remark}" was right, make it valid.`,
      `"${title}": the valid edition should be the one that says "${remark}"`,
    ]),
  checks: ({ id, number }) => [
    { name: 'the edition is valid', test: final => find(final.articles, id)?.edition === number },
  ],
  allow: ({ id }) => [`/articles/${id}/edition`],
});

const whoReads = template('who-proof-reads', {
  about: 'Say who proof-reads an article.',
  split: 'train',
  sample: (shelf, random) => ({ ...anyArticle(shelf, random), reader: random.pick(readers) }),
  setup: (draft, { id, reader }) =>
    void Object.assign(need(draft.articles, id, 'article'), { stage: 'with proof-reader', reader }),
  instruction: ({ title }, random) =>
    random.pick([
      `Who proof-reads "${title}"?`,
      `"${title}" has been lying around for weeks. Whom do I have to remind?`,
      `Which person is the proof-reader of "${title}"`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ reader }) => reader,
  shown: ({ ui }, { id }) => ui.article === id && ui.page === 'path' && ui.box === '',
});

const fresh = template('begin-article', {
  about: 'Begin an article under a chapter.',
  split: 'train',
  sample: ({ chapters }, random) => ({
    title: random.pick(['Lost badges', 'Noise at night', 'Plants in offices', 'Guests and keys', 'Bikes in the yard']),
    chapter: random.pick(chapters).name,
  }),
  instruction: ({ title, chapter }, random) =>
    random.pick([
      `Begin an article "${title}" under ${chapter}.`,
      `The handbook says nothing about "${title}". Start a draft with this title in the chapter ${chapter}.`,
      `new draft: ${title} (chapter: ${chapter})`,
    ]),
  checks: ({ title, chapter }) => [
    {
      name: 'one article was begun, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.articles, final.articles);
        return (
          more.length === 0 &&
          made?.title === title &&
          find(final.chapters, made.chapter)?.name === chapter &&
          made.owner === 'you' &&
          made.stage === 'draft' &&
          made.reader === '' &&
          !made.blessed &&
          made.edition === 1 &&
          made.openBy === ''
        );
      },
    },
  ],
  allow: () => ['/articles/+'],
});

const topics = [
  'Fire drill',
  'Fire doors',
  'Sick leave',
  'Parental leave',
  'Travel costs',
  'Travel booking',
  'Room keys',
  'Meeting rooms',
];
const angles = ['basics', 'for managers', 'checklist'];
const changes = [
  'first text',
  'new phone numbers',
  'shorter',
  'legal wording',
  'pictures added',
  'typos',
  'after the audit',
];

export const app = defineApp({
  id: 'handbook-shelf',
  title: 'Handbook shelf',
  about: 'Articles of a company handbook in a tree of chapters, with drafts, proof-readers and editions.',
  state,
  init(random) {
    const chapters = [
      ['House', ''],
      ['Safety', 'c1'],
      ['Rooms', 'c1'],
      ['People', ''],
      ['Leave', 'c4'],
      ['Pay', 'c4'],
      ['On the road', ''],
      ['Abroad', 'c7'],
      ['Cars', 'c7'],
      ['Kitchen', 'c1'],
      ['Training', 'c4'],
      ['Parties', ''],
    ].map(([name = '', within = ''], index) => ({ id: `c${index + 1}`, name, within }));
    const articles = random
      .shuffle(topics.flatMap(topic => angles.map(angle => `${topic}, ${angle}`)))
      .map((title, index) => ({
        id: `a${index + 1}`,
        title,
        chapter: chapters[index % 12]?.id ?? 'c1',
        owner: random.pick(readers),
        stage: random.pick(['draft', 'with proof-reader', 'published', 'in the cellar']),
        reader: random.pick(readers),
        blessed: random.chance(0.4),
        edition: 3,
        openBy: random.chance(0.2) ? random.pick(readers) : '',
      }));
    const editions = articles.flatMap(({ id }) =>
      random.sample(changes, 4).map((remark, index) => ({ article: id, number: index + 1, remark })),
    );
    return {
      chapters,
      articles,
      editions: editions.map((it, index) => ({ id: `e${index + 1}`, ...it })),
      ui: { unfolded: '', seek: '', ...blank },
    };
  },
  commands: [
    rename,
    closeFor,
    file,
    submit,
    recall,
    publish,
    shelve,
    restore,
    begin,
    look,
    chapterQuery,
    unfold,
    open,
    box,
    pen,
  ],
  view: shelf =>
    page('Handbook shelf', [
      shelf.ui.bell !== '' && alert(shelf.ui.bell),
      shelf.ui.box !== '' ? boxView(shelf) : shelf.ui.article !== '' ? articleView(shelf) : tree(shelf),
    ]),
  templates: [fileUnder, hand, print, leftOpen, goBack, whoReads, fresh],
  onRefusal(draft, message) {
    draft.ui.bell = message;
  },
});

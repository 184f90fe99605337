import {
  added,
  alert,
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
  need,
  nextId,
  page,
  paginate,
  refuse,
  region,
  row,
  searchBox,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

// The tree register of a city's parks department.
const districts = ['Northside', 'Millbrook', 'Old Harbour', 'Castle Hill', 'Riverbank'];
const species = ['Lime', 'Plane', 'Horse chestnut', 'Field maple', 'Silver birch', 'Hornbeam', 'Ginkgo', 'Red oak'];
const conditions = ['good', 'fair', 'poor', 'dead'];
const jobs = ['Prune crown', 'Remove deadwood', 'Water', 'Brace limb', 'Fell', 'Check roots'];
const crews = ['Crew Ash', 'Crew Beech', 'Crew Cedar'];
const streets = [
  'Quay Street',
  'Mint Lane',
  'Station Road',
  'Abbey Walk',
  'Tanner Row',
  'Orchard Street',
  'Bishop Way',
  'Foundry Road',
  'Weir Path',
  'Market Place',
];
const state = z.object({
  trees: z.array(
    z.object({
      id: z.string(),
      tag: z.string(),
      species: z.string(),
      street: z.string(),
      district: z.string(),
      girth: z.int(),
      condition: z.string(),
      protected: z.boolean(),
    }),
  ),
  works: z.array(z.object({ id: z.string(), tree: z.string(), job: z.string(), crew: z.string(), done: z.boolean() })),
  ui: z.object({
    view: z.string(),
    district: z.string(),
    species: z.string(),
    tag: z.string(),
    page: z.int(),
    tree: z.string(),
    job: z.string(),
    crew: z.string(),
    flash: z.string(),
    openOnly: z.boolean(),
  }),
});
type Register = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const assess = command('set_condition', {
  about: 'Record the condition of a tree.',
  input: z.object({ tree: z.string(), value: z.string() }),
  run(draft, { tree, value }) {
    if (!conditions.includes(value)) refuse('Unknown condition.');
    need(draft.trees, tree, 'tree').condition = value;
    draft.ui.flash = 'Condition recorded';
  },
});
const protect = command('toggle_protection', {
  about: 'Protect a tree, or lift the protection.',
  input: z.object({ tree: z.string() }),
  run(draft, { tree }) {
    const it = need(draft.trees, tree, 'tree');
    it.protected = !it.protected;
  },
});
const order = command('order_work', {
  about: 'Order work on a tree.',
  input: z.object({ tree: z.string(), job: z.string(), crew: z.string() }),
  run(draft, { tree, job, crew }) {
    const it = need(draft.trees, tree, 'tree');
    if (!jobs.includes(job) || !crews.includes(crew)) refuse('A job and a crew are needed.');
    if (job === 'Fell' && it.protected) refuse('The tree is protected and cannot be felled.');
    draft.works.push({ id: nextId(draft.works, 'w'), tree, job, crew, done: false });
    Object.assign(draft.ui, { job: '', crew: '', flash: `${job} ordered from ${crew}` });
  },
});
const finishWork = command('close_work', {
  about: 'Report that ordered work is done.',
  input: z.object({ work: z.string() }),
  run(draft, { work }) {
    const it = need(draft.works, work, 'work order');
    if (it.done) refuse('Done already.');
    it.done = true;
    draft.ui.flash = 'Thank you';
  },
});
const reassign = command('give_to_crew', {
  about: 'Give a work order to another crew.',
  input: z.object({ work: z.string(), value: z.string() }),
  run(draft, { work, value }) {
    if (!crews.includes(value)) refuse('No such crew.');
    need(draft.works, work, 'work order').crew = value;
  },
});
const listTrees = query('list_trees', {
  about: 'List trees of a district.',
  input: z.object({ district: z.string() }),
  run: ({ trees }, { district }) => trees.filter(it => it.district === district),
});
const nav = gesture('nav', {
  about: 'Go somewhere.',
  input: z.object({ view: z.string(), tree: z.string() }),
  run(draft, { view, tree }) {
    Object.assign(draft.ui, { view, tree, job: '', crew: '', flash: '' });
  },
});
const narrow = gesture('narrow', {
  about: 'Filter the register.',
  input: z.object({ by: z.enum(['district', 'species', 'tag']), value: z.string().max(30) }),
  run(draft, { by, value }) {
    draft.ui[by] = value;
    draft.ui.page = 1;
  },
});
const leaf = gesture('leaf', {
  about: 'Leaf through the register.',
  input: z.object({ page: z.int() }),
  run(draft, input) {
    draft.ui.page = input.page;
  },
});
const fillIn = gesture('fill_in', {
  about: 'Choose a job or a crew.',
  input: z.object({ what: z.enum(['job', 'crew']), value: z.string() }),
  run(draft, { what, value }) {
    draft.ui[what] = value;
  },
});
const onlyOpen = gesture('only_open', {
  about: 'Hide what is done, or show it.',
  input: z.object({}),
  run(draft) {
    draft.ui.openOnly = !draft.ui.openOnly;
  },
});

function register({ trees, ui }: Register) {
  const hits = trees.filter(
    it =>
      (ui.district === 'any' || it.district === ui.district) &&
      (ui.species === 'any' || it.species === ui.species) &&
      it.tag.toLowerCase().includes(ui.tag.trim().toLowerCase()),
  );
  const shown = paginate(hits, ui.page, 7);
  return [
    searchBox('Filter', [
      combobox('District', ui.district, { enter: narrow.entering({ by: 'district' }), options: ['any', ...districts] }),
      combobox('Species', ui.species, { enter: narrow.entering({ by: 'species' }), options: ['any', ...species] }),
      textbox('Tag no.', ui.tag, { enter: narrow.entering({ by: 'tag' }) }),
    ]),
    table(
      `${shown.total} trees, sheet ${shown.page}/${shown.pages}`,
      shown.items.map(it =>
        row(it.tag, [
          link(`#${it.tag}`, nav.with({ view: 'tree', tree: it.id })),
          cell(it.species),
          cell(it.street),
          cell(it.district),
        ]),
      ),
    ),
    shown.page > 1 && button('‹ previous sheet', leaf.with({ page: shown.page - 1 })),
    shown.page < shown.pages && button('next sheet ›', leaf.with({ page: shown.page + 1 })),
  ];
}
function treeSheet({ trees, works, ui }: Register) {
  const it = need(trees, ui.tree, 'tree');
  return [
    heading(`${it.species} #${it.tag}`),
    text(`${it.street}, ${it.district}`),
    text(`Girth at breast height ${it.girth} cm`),
    combobox('Condition', it.condition, { enter: assess.entering({ tree: it.id }), options: conditions }),
    checkbox('Protected by statute', it.protected, protect.with({ tree: it.id })),
    region(
      'Orders for this tree',
      works.filter(({ tree, done }) => tree === it.id && !done).map(({ job, crew }) => text(`${job}, ${crew}`)),
    ),
    form('Order work', [
      combobox('Job', ui.job, { enter: fillIn.entering({ what: 'job' }), options: jobs }),
      combobox('Crew', ui.crew, { enter: fillIn.entering({ what: 'crew' }), options: crews }),
      button('Order', order.with({ tree: it.id, job: ui.job, crew: ui.crew })),
    ]),
  ];
}
const workList = ({ trees, works, ui }: Register) => [
  heading('Work orders'),
  checkbox('Hide finished', ui.openOnly, onlyOpen.with({})),
  table(
    'Orders',
    works
      .filter(({ done }) => !(ui.openOnly && done))
      .map(it => {
        const tag = find(trees, it.tree)?.tag ?? '';
        return row(`${it.job} #${tag}`, [
          cell(it.job),
          link(`Tree #${tag}`, nav.with({ view: 'tree', tree: it.tree })),
          it.done
            ? cell(`done by ${it.crew}`)
            : combobox(`Crew for #${tag}`, it.crew, { enter: reassign.entering({ work: it.id }), options: crews }),
          !it.done && button(`Report #${tag} done`, finishWork.with({ work: it.id })),
        ]);
      }),
  ),
];

const conditionTask = template('record-condition', {
  about: 'Record the condition of a tree.',
  split: 'test',
  sample({ trees }, random) {
    const { id, tag, condition: now } = random.pick(trees);
    return { id, tag, condition: random.pick(conditions.filter(it => it !== now)) };
  },
  instruction: ({ tag, condition }) =>
    `Was out at tree #${tag} this morning. Condition is ${condition} now, please put that in the register.`,
  checks: ({ id, condition }) => [
    { name: 'the condition is recorded', test: final => find(final.trees, id)?.condition === condition },
  ],
  allow: ({ id }) => [`/trees/${id}/condition`],
});
const orderTask = template('order-work', {
  about: 'Order work on a tree from a crew.',
  split: 'test',
  sample({ trees }, random) {
    const { id, tag } = random.pick(trees);
    return { id, tag, job: random.pick(jobs.filter(it => it !== 'Fell')), crew: random.pick(crews) };
  },
  instruction: ({ tag, job, crew }) => `Order "${job}" for tree #${tag}, ${crew} should do it.`,
  checks: ({ id, job, crew }) => [
    {
      name: 'one order was made',
      test(final, initial) {
        const [made, ...more] = added(initial.works, final.works);
        return made?.tree === id && made.job === job && made.crew === crew && !made.done && more.length === 0;
      },
    },
  ],
  allow: () => ['/works/+'],
});
const protectTask = template('protect-only-one', {
  about: 'Protect the only tree of a species in a district.',
  split: 'test',
  sample({ trees }, random) {
    const single = trees.filter(
      it => trees.filter(other => other.species === it.species && other.district === it.district).length === 1,
    );
    if (single.length === 0) return null;
    const { id, species: kind, district } = random.pick(single);
    return { id, species: kind, district };
  },
  setup(draft, { id }) {
    need(draft.trees, id, 'tree').protected = false;
  },
  instruction: ({ species: kind, district }) =>
    `The council has decided to protect the only ${kind.toLowerCase()} in ${district}. Enter it.`,
  checks: ({ id }) => [{ name: 'the tree is protected', test: final => find(final.trees, id)?.protected === true }],
  allow: ({ id }) => [`/trees/${id}/protected`],
});
const doneTask = template('report-done', {
  about: 'Report that work on a tree is done.',
  split: 'test',
  sample({ trees, works }, random) {
    const work = random.pick(works.filter(({ done }) => !done));
    return { id: work.id, tag: need(trees, work.tree, 'tree').tag };
  },
  instruction: ({ tag }) => `we're finished at #${tag}, close the order`,
  checks: ({ id }) => [{ name: 'the order is done', test: final => find(final.works, id)?.done === true }],
  allow: ({ id }) => [`/works/${id}/done`],
});
const crewTask = template('hand-over', {
  about: 'Hand a work order to another crew and record the condition of its tree.',
  split: 'test',
  sample({ trees, works }, random) {
    const work = random.pick(works.filter(({ done }) => !done));
    const tree = need(trees, work.tree, 'tree');
    return {
      work: work.id,
      tree: tree.id,
      tag: tree.tag,
      crew: random.pick(crews.filter(it => it !== work.crew)),
      condition: random.pick(conditions.filter(it => it !== tree.condition)),
    };
  },
  instruction: ({ tag, crew, condition }) =>
    `Two things about #${tag}: the open order goes to ${crew}, and the condition should read "${condition}".`,
  checks: ({ work, tree, crew, condition }) => [
    { name: 'that crew has the order', test: final => find(final.works, work)?.crew === crew },
    { name: 'the condition is recorded', test: final => find(final.trees, tree)?.condition === condition },
  ],
  allow: ({ work, tree }) => [`/works/${work}/crew`, `/trees/${tree}/condition`],
});
const girthQuestion = template('girth-of-tree', {
  about: 'Say the girth of a tree.',
  split: 'test',
  sample({ trees }, random) {
    const { id, tag } = random.pick(trees);
    return { id, tag };
  },
  instruction: ({ tag }) => `How thick is tree #${tag}? I need the girth in cm.`,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { trees }) => String(need(trees, id, 'tree').girth),
  shown: ({ ui }, { id }) => ui.view === 'tree' && ui.tree === id,
});

export const app = defineApp({
  id: 'trees',
  title: 'Tree register',
  about: 'Street trees of a city and the work ordered on them.',
  state,
  init(random) {
    const tags = random.sample(
      Array.from({ length: 8000 }, (_, index) => String(1200 + index)),
      34,
    );
    const trees = tags.map((tag, index) => ({
      id: `t${index + 1}`,
      tag,
      species: random.pick(species),
      street: random.pick(streets),
      district: random.pick(districts),
      girth: random.between(30, 420),
      condition: random.pick(conditions),
      protected: random.chance(0.2),
    }));
    return {
      trees,
      works: random.sample(trees, 12).map(({ id }, index) => ({
        id: `w${index + 1}`,
        tree: id,
        job: random.pick(jobs),
        crew: random.pick(crews),
        done: index % 3 === 2,
      })),
      ui: {
        view: 'register',
        district: 'any',
        species: 'any',
        tag: '',
        page: 1,
        tree: '',
        job: '',
        crew: '',
        flash: '',
        openOnly: false,
      },
    };
  },
  commands: [assess, protect, order, finishWork, reassign, listTrees, nav, narrow, leaf, fillIn, onlyOpen],
  view: it =>
    page('Parks department', [
      toolbar('Main', [
        link('Register', nav.with({ view: 'register', tree: '' })),
        link('Work orders', nav.with({ view: 'works', tree: '' })),
      ]),
      it.ui.flash !== '' && alert(it.ui.flash),
      ...(it.ui.view === 'register' ? register(it) : it.ui.view === 'works' ? workList(it) : treeSheet(it)),
    ]),
  templates: [conditionTask, orderTask, protectTask, doneTask, crewTask, girthQuestion],
  onRefusal(draft, message) {
    draft.ui.flash = message;
  },
});

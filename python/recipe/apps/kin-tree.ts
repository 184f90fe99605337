import {
  added,
  appKit,
  button,
  checkbox,
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
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  status,
  text,
  textbox,
  z,
} from 'espalier';

const parishes = ['Aldby', 'Aldersund', 'Holme', 'Holmestrand', 'Vik', 'Overseas'];
const trades = ['smith', 'wheelwright', 'midwife', 'sailor', 'teacher', 'weaver', 'farmer'];

const state = z.object({
  kin: z.array(
    z.object({
      id: z.string(),
      given: z.string(),
      house: z.string(),
      born: z.int(),
      parish: z.string(),
      trade: z.string(),
      mother: z.string(),
      father: z.string(),
      doubtful: z.boolean(),
      secret: z.boolean(),
    }),
  ),
  papers: z.array(z.object({ id: z.string(), kin: z.string(), what: z.string(), box: z.string() })),
  ui: z.object({
    house: z.string().nullable(),
    person: z.string().nullable(),
    pen: z.boolean(),
    menu: z.boolean(),
    paper: z.object({ open: z.boolean(), what: z.string(), box: z.string() }),
    remark: z.string(),
  }),
});
type Tree = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const noPaper = { open: false, what: '', box: '' };
const papers = ['Birth entry', 'Wedding licence', 'Ship list', 'Census sheet', 'Will'];
const boxes = ['Green box', 'Grey box', 'Tin box', 'Hat box'];

const amend = command('amend_person', {
  about: 'Amend the parish or the trade of a person.',
  input: z.object({ id: z.string(), field: z.enum(['parish', 'trade']), value: z.string() }),
  run(draft, { id, field, value }) {
    if (!(field === 'parish' ? parishes : trades).includes(value)) refuse('Choose from the list.');
    need(draft.kin, id, 'person')[field] = value;
  },
});
const amendYear = command('amend_birth_year', {
  about: 'Amend the year of birth of a person.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!/^1[789]\d\d$/.test(value)) refuse('A year from 1700 to 1999.');
    need(draft.kin, id, 'person').born = Number(value);
  },
});
const doubt = command('doubt', {
  about: 'Mark a person as doubtful, or as sure.',
  input: z.object({ id: z.string(), doubtful: z.boolean() }),
  run(draft, { id, doubtful }) {
    need(draft.kin, id, 'person').doubtful = doubtful;
  },
});
const cut = command('cut_line', {
  about: 'Cut the line from a person to a parent.',
  input: z.object({ id: z.string(), side: z.enum(['mother', 'father']) }),
  run(draft, { id, side }) {
    const person = need(draft.kin, id, 'person');
    if (person[side] === '') refuse(`No ${side} is known.`);
    person[side] = '';
    draft.ui.menu = false;
  },
});
const hide = command('hide_person', {
  about: 'Hide a person from visitors, or show them.',
  input: z.object({ id: z.string(), secret: z.boolean() }),
  run(draft, { id, secret }) {
    need(draft.kin, id, 'person').secret = secret;
    draft.ui.menu = false;
  },
});
const pinPaper = command('pin_paper', {
  about: 'Pin a paper to a person.',
  input: z.object({ kin: z.string(), what: z.string(), box: z.string() }),
  run(draft, { kin, what, box }) {
    need(draft.kin, kin, 'person');
    if (!papers.includes(what)) refuse('Which kind of paper?');
    if (!boxes.includes(box)) refuse('In which box?');
    draft.papers.push({ id: nextId(draft.papers, 'p'), kin, what, box });
    draft.ui.paper = { ...noPaper };
  },
});
const readHouse = query('read_house', {
  about: 'The people of a house, with their parents and papers.',
  input: z.object({ house: z.string() }),
  run: ({ kin, papers: all }, { house }) =>
    kin
      .filter(person => person.house === house)
      .map(person => ({
        ...person,
        name: called(person),
        motherName: nameOf(kin, person.mother),
        fatherName: nameOf(kin, person.father),
        papers: all.filter(paper => paper.kin === person.id),
      })),
});
const enterHouse = gesture('enter_house', {
  about: 'Open a house of the index, or the index.',
  input: z.object({ house: z.string().nullable() }),
  run(draft, { house }) {
    Object.assign(draft.ui, { house, person: null, pen: false, menu: false, paper: { ...noPaper }, remark: '' });
  },
});
const visit = gesture('visit', {
  about: 'Open the page of a person.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, {
      person: id,
      house: need(draft.kin, id, 'person').house,
      pen: false,
      menu: false,
      paper: { ...noPaper },
      remark: '',
    });
  },
});
const pen = gesture('take_pen', {
  about: 'Take the pen, or put it down.',
  input: z.object({ pen: z.boolean() }),
  run(draft, input) {
    draft.ui.pen = input.pen;
  },
});
const unrollMenu = gesture('unroll_menu', {
  about: 'Open or close the menu of a person.',
  input: z.object({ open: z.boolean() }),
  run(draft, { open }) {
    draft.ui.menu = open;
  },
});
const paperForm = gesture('paper_form', {
  about: 'Open or close the form of a paper.',
  input: z.object({ open: z.boolean() }),
  run(draft, { open }) {
    draft.ui.paper = { ...noPaper, open };
  },
});
const fillPaper = gesture('fill_paper', {
  about: 'Fill in the form of a paper.',
  input: z.object({ field: z.enum(['what', 'box']), value: z.string() }),
  run(draft, { field, value }) {
    draft.ui.paper[field] = value;
  },
});

function called({ given, house, born }: { given: string; house: string; born: number }): string {
  return `${given} ${house} (${born})`;
}
function nameOf(kin: Tree['kin'], id: string): string {
  const person = find(kin, id);
  return person === undefined ? 'unknown' : called(person);
}
function personPage({ kin, papers: all, ui }: Tree, person: Tree['kin'][number]) {
  const { id, born, parish, trade, doubtful, secret } = person;
  const mother = find(kin, person.mother);
  const father = find(kin, person.father);
  const children = kin.filter(each => each.mother === id || each.father === id);
  return region(called(person), [
    link(`House of ${person.house}`, enterHouse.with({ house: person.house })),
    heading(called(person)),
    doubtful && status('Doubtful'),
    secret && status('Hidden from visitors'),
    navigation('Family', [
      mother !== undefined && link(`Mother: ${called(mother)}`, visit.with({ id: mother.id })),
      father !== undefined && link(`Father: ${called(father)}`, visit.with({ id: father.id })),
      ...children.map(child => link(`Child: ${called(child)}`, visit.with({ id: child.id }))),
      ...children
        .filter(child => !child.secret)
        .map(child => button(`Veil ${called(child)}`, hide.with({ id: child.id, secret: true }))),
    ]),
    !ui.pen && text(`Born ${born}, ${parish}`),
    !ui.pen && text(`Trade: ${trade}`),
    ui.pen && textbox('Year of birth', `${born}`, { enter: amendYear.entering({ id }) }),
    ui.pen && combobox('Parish', parish, { enter: amend.entering({ id, field: 'parish' }), options: parishes }),
    ui.pen && combobox('Trade', trade, { enter: amend.entering({ id, field: 'trade' }), options: trades }),
    ui.pen && checkbox('Doubtful', doubtful, doubt.with({ id, doubtful: !doubtful })),
    button(ui.pen ? 'Put the pen down' : 'Take the pen', pen.with({ pen: !ui.pen })),
    button('Scissors and veil', unrollMenu.with({ open: !ui.menu }), ui.menu ? ['expanded'] : undefined),
    ui.menu &&
      menu('Scissors and veil', [
        mother !== undefined && menuItem('Cut the line to the mother', cut.with({ id, side: 'mother' })),
        father !== undefined && menuItem('Cut the line to the father', cut.with({ id, side: 'father' })),
        menuItem(secret ? 'Lift the veil' : 'Veil from visitors', hide.with({ id, secret: !secret })),
      ]),
    list(
      'Papers',
      all.filter(paper => paper.kin === id).map(({ what, box }) => listItem(what, [text(`${what}, in the ${box}`)])),
    ),
    !ui.paper.open && button('A paper…', paperForm.with({ open: true })),
    ui.paper.open &&
      form('A paper', [
        combobox('Kind of paper', ui.paper.what, { enter: fillPaper.entering({ field: 'what' }), options: papers }),
        combobox('Lies in', ui.paper.box, { enter: fillPaper.entering({ field: 'box' }), options: boxes }),
        button('Pin it', pinPaper.with({ kin: id, what: ui.paper.what, box: ui.paper.box })),
      ]),
  ]);
}

const trade = template('amend-trade', {
  about: 'Amend the trade of a person.',
  split: 'train',
  sample({ kin }, random) {
    const person = random.pick(kin);
    return { id: person.id, who: called(person), trade: random.pick(trades.filter(each => each !== person.trade)) };
  },
  instruction: ({ who, trade: to }, random) =>
    random.pick([
      `${who} was a ${to}. Correct the tree.`,
      `The census has another trade for ${who}: ${to}.`,
      `Set the trade of ${who} to ${to}.`,
    ]),
  checks: ({ id, trade: to }) => [{ name: `the trade is ${to}`, test: final => find(final.kin, id)?.trade === to }],
  allow: ({ id }) => [`/kin/${id}/trade`],
});
const year = template('amend-year', {
  about: 'Amend the year of birth of a person named by parent.',
  split: 'train',
  sample({ kin }, random) {
    const person = random.pick(kin.filter(({ mother }) => mother !== ''));
    const siblings = kin.filter(({ house, given }) => house === person.house && given === person.given);
    if (siblings.length > 1) return null;
    return {
      id: person.id,
      given: `${person.given} ${person.house}`,
      mother: nameOf(kin, person.mother),
      year: `${person.born + random.between(1, 9)}`,
    };
  },
  instruction: ({ given, mother, year: to }, random) =>
    random.pick([
      `${given}, child of ${mother}, was born in ${to}.`,
      `The church book gives ${to} as the year of birth of ${given}, whose mother is ${mother}. Amend it.`,
      `Wrong year for ${given} (mother: ${mother}). It has to be ${to}`,
    ]),
  checks: ({ id, year: to }) => [{ name: `born in ${to}`, test: final => find(final.kin, id)?.born === Number(to) }],
  allow: ({ id }) => [`/kin/${id}/born`],
});
const granny = template('grandmother', {
  about: 'Name the trade of a grandmother.',
  split: 'train',
  sample({ kin }, random) {
    const person = random.pick(kin);
    const [side, via] = random.pick([
      ['mother', person.mother],
      ['father', person.father],
    ] as const);
    const parent = find(kin, via);
    const grand = find(kin, parent?.mother ?? '');
    if (grand === undefined) return null;
    return {
      who: called(person),
      side: side === 'mother' ? "mother's mother" : "father's mother",
      person: person.id,
      parent: via,
      grand: grand.id,
      trade: grand.trade,
    };
  },
  instruction: ({ who, side }, random) =>
    random.pick([
      `What was the trade of the ${side} of ${who}?`,
      `For the family book I need one word: how did the ${side} of ${who} earn her bread?`,
      `Take ${who}. Go to the ${side}. What trade?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ trade: word }) => word,
  shown: ({ ui }, { person, parent, grand }) => [
    ui.person === person,
    ui.person === parent,
    ui.person === grand && !ui.pen,
  ],
});
const paper = template('pin-a-paper', {
  about: 'Pin a paper to a person.',
  split: 'train',
  sample({ kin }, random) {
    const person = random.pick(kin);
    return { id: person.id, who: called(person), what: random.pick(papers), box: random.pick(boxes) };
  },
  instruction: ({ who, what, box }, random) =>
    random.pick([
      `${what} of ${who} found, it lies in the ${box}. Pin it.`,
      `I came across a paper in the attic: ${what}, about ${who}. I put it into the ${box}. Please note that in the tree.`,
      `Add to ${who}: ${what} / ${box}`,
    ]),
  checks: ({ id, what, box }) => [
    {
      name: 'one paper was pinned, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.papers, final.papers);
        return more.length === 0 && made?.kin === id && made.what === what && made.box === box;
      },
    },
  ],
  allow: () => ['/papers/+'],
});
const sever = template('cut-parent', {
  about: 'Cut the line to a parent.',
  split: 'train',
  sample({ kin }, random) {
    const person = random.pick(kin.filter(({ mother, father }) => mother !== '' && father !== ''));
    const side = random.pick(['mother', 'father'] as const);
    return { id: person.id, who: called(person), side, parent: nameOf(kin, person[side]) };
  },
  instruction: ({ who, parent }, random) =>
    random.pick([
      `${parent} is not the parent of ${who} after all. Cut that line.`,
      `A DNA test says that ${who} does not descend from ${parent}. Undo the link between the two.`,
      `Remove ${parent} as parent of ${who}, nothing else.`,
    ]),
  checks: ({ id, side }) => [{ name: `no ${side} is known`, test: final => find(final.kin, id)?.[side] === '' }],
  allow: ({ id, side }) => [`/kin/${id}/${side}`],
});
const veil = template('veil-children', {
  about: 'Hide every child of a person from visitors.',
  split: 'train',
  sample({ kin }, random) {
    const parent = random.pick(kin);
    const ids = kin
      .filter(({ mother, father, secret }) => (mother === parent.id || father === parent.id) && !secret)
      .map(({ id }) => id);
    return ids.length < 1 || ids.length > 3 ? null : { who: called(parent), ids };
  },
  instruction: ({ who }, random) =>
    random.pick([
      `Visitors should see no child of ${who}.`,
      `The children of ${who} asked for privacy. Veil each of them (not the parents).`,
      `Hide all children of ${who} from visitors.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is hidden`, test: (final: Tree) => find(final.kin, id)?.secret === true })),
  allow: ({ ids }) => ids.map(id => `/kin/${id}/secret`),
});
const eldest = template('doubt-eldest', {
  about: 'Mark the eldest of a house as doubtful.',
  split: 'train',
  sample({ kin }, random) {
    const house = random.pick(houses);
    const [first, second] = kin.filter(person => person.house === house).sort((a, b) => a.born - b.born);
    if (first === undefined || second === undefined || first.born === second.born) return null;
    return { house, id: first.id };
  },
  setup(draft, { id }) {
    need(draft.kin, id, 'person').doubtful = false;
  },
  instruction: ({ house }, random) =>
    random.pick([
      `Mark the eldest ${house} as doubtful.`,
      `Nobody can prove whoever was born first in the house of ${house}. Make that person doubtful.`,
      `House of ${house}: the earliest birth is doubtful.`,
    ]),
  checks: ({ id }) => [{ name: 'the eldest is doubtful', test: final => find(final.kin, id)?.doubtful === true }],
  allow: ({ id }) => [`/kin/${id}/doubtful`],
});

const houses = ['Lindqvist', 'Lindgren', 'Bruun', 'Brun', 'Tveit', 'Holt'];
const girls = ['Signe', 'Sigrid', 'Marit', 'Mathea', 'Ragna', 'Karen'];
const boys = ['Anders', 'Andreas', 'Peder', 'Petter', 'Jens', 'Nils'];

export const app = defineApp({
  id: 'kin-tree',
  title: 'Kin & Kettle family tree',
  about: 'A family tree: people, their parents, and papers about them.',
  state,
  init(random): Tree {
    const kin: Tree['kin'] = [];
    const birth = (girl: boolean, house: string, born: number, mother: string, father: string) => {
      const id = `k${kin.length + 1}`;
      kin.push({
        id,
        given: random.pick(girl ? girls : boys),
        house,
        born,
        parish: random.pick(parishes),
        trade: random.pick(trades),
        mother,
        father,
        doubtful: random.chance(0.15),
        secret: random.chance(0.15),
      });
      return id;
    };
    const elders = houses.map((house, index) => ({
      house,
      mother: birth(true, houses[(index + 1) % houses.length] as string, random.between(1801, 1815), '', ''),
      father: birth(false, house, random.between(1796, 1812), '', ''),
    }));
    const middle = elders.map(({ house, mother, father }) => ({
      house,
      girl: birth(true, house, random.between(1832, 1848), mother, father),
      boy: birth(false, house, random.between(1830, 1847), mother, father),
    }));
    random.shuffle(middle).forEach(({ house, boy }, index, all) => {
      const wife = all[(index + 1) % all.length] as (typeof all)[number];
      const count = random.between(1, 3);
      for (let child = 0; child < count; child += 1)
        birth(random.chance(0.5), house, random.between(1860, 1885), wife.girl, boy);
    });
    return {
      kin,
      papers: random
        .sample(kin, 14)
        .map(({ id }, index) => ({ id: `p${index + 1}`, kin: id, what: random.pick(papers), box: random.pick(boxes) })),
      ui: { house: null, person: null, pen: false, menu: false, paper: { ...noPaper }, remark: '' },
    };
  },
  commands: [
    amend,
    amendYear,
    doubt,
    cut,
    hide,
    pinPaper,
    readHouse,
    enterHouse,
    visit,
    pen,
    unrollMenu,
    paperForm,
    fillPaper,
  ],
  view(tree) {
    const { kin, ui } = tree;
    const person = find(kin, ui.person ?? '');
    return page('Kin & Kettle', [
      link('Index of houses', enterHouse.with({ house: null })),
      ui.remark !== '' && status(ui.remark),
      person !== undefined && personPage(tree, person),
      person === undefined &&
        list(
          'Houses',
          houses.map(house =>
            listItem(house, [
              button(
                house,
                enterHouse.with({ house: ui.house === house ? null : house }),
                ui.house === house ? ['expanded'] : undefined,
              ),
              ui.house === house &&
                list(
                  `House of ${house}`,
                  kin.filter(each => each.house === house).map(each => link(called(each), visit.with({ id: each.id }))),
                ),
            ]),
          ),
        ),
    ]);
  },
  templates: [trade, year, granny, paper, sever, veil, eldest],
  onRefusal(draft, message) {
    draft.ui.remark = message;
  },
});

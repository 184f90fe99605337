// What's for dinner: a week on the fridge door, recipes, and the list for the market.
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
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  status,
  text,
  textbox,
  z,
} from 'espalier';

const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const KINDS = ['soup', 'pasta', 'curry', 'salad', 'bake'];
const AISLES = ['Greens', 'Dairy', 'Dry goods', 'Household'];
const state = z.object({
  recipes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.string(),
      minutes: z.int(),
      serves: z.int(),
      from: z.string(),
      loved: z.boolean(),
    }),
  ),
  week: z.array(z.object({ id: z.string(), day: z.string(), recipe: z.string().nullable(), cook: z.string() })),
  groceries: z.array(z.object({ id: z.string(), item: z.string(), aisle: z.string(), got: z.boolean() })),
  ui: z.object({
    at: z.string(),
    recipe: z.string(),
    day: z.string(),
    kind: z.string(),
    menu: z.string(),
    item: z.string(),
    aisle: z.string(),
    hideGot: z.boolean(),
    says: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const plan = command('plan_dinner', {
  about: 'Plan a recipe for a day.',
  input: z.object({ day: z.string(), recipe: z.string() }),
  run(draft, { day, recipe }) {
    need(draft.week, day, 'day').recipe = need(draft.recipes, recipe, 'recipe').id;
    Object.assign(draft.ui, { at: 'door', menu: '', day: '' });
  },
});
const clear = command('clear_day', {
  about: 'Plan nothing for a day.',
  input: z.object({ day: z.string() }),
  run(draft, { day }) {
    need(draft.week, day, 'day').recipe = null;
    draft.ui.menu = '';
  },
});
const setCook = command('set_cook', {
  about: 'Say who cooks on a day.',
  input: z.object({ day: z.string(), value: z.string() }),
  run(draft, { day, value }) {
    need(draft.week, day, 'day').cook = value;
  },
});
const love = command('love_recipe', {
  about: 'Mark a recipe as a favourite, or not.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const r = need(draft.recipes, id, 'recipe');
    r.loved = !r.loved;
  },
});
const tick = command('tick_grocery', {
  about: 'Tick something off the market list, or back on.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const g = need(draft.groceries, id, 'item');
    g.got = !g.got;
  },
});
const addGrocery = command('add_grocery', {
  about: 'Put something on the market list.',
  input: z.object({ item: z.string().trim().min(1, 'What do we need?'), aisle: z.string() }),
  run(draft, { item, aisle }) {
    if (draft.groceries.some(g => g.item.toLowerCase() === item.toLowerCase())) refuse('That is on the list.');
    draft.groceries.push({ id: nextId(draft.groceries, 'g'), item, aisle, got: false });
    Object.assign(draft.ui, { item: '', says: `${item} is on the list.` });
  },
});
const sweep = command('sweep_list', {
  about: 'Take everything that we have got off the market list.',
  input: z.object({}),
  run(draft) {
    for (const { id } of draft.groceries.filter(g => g.got)) remove(draft.groceries, id);
  },
});
const seeAll = query('see_everything', {
  about: 'See the week, the recipes and the market list.',
  input: z.object({}),
  run: s => ({
    week: s.week.map(d => ({ ...d, dinner: find(s.recipes, d.recipe ?? '')?.name ?? null })),
    recipes: s.recipes,
    groceries: s.groceries,
  }),
});
const goTo = gesture('go_to', {
  about: 'Go somewhere.',
  input: z.object({ at: z.string() }),
  run(draft, { at }) {
    Object.assign(draft.ui, { at, menu: '', says: '', kind: 'everything' });
  },
});
const openMenu = gesture('open_menu', {
  about: 'Open the menu of a day.',
  input: z.object({ day: z.string() }),
  run(draft, { day }) {
    draft.ui.menu = draft.ui.menu === day ? '' : day;
  },
});
const pick = gesture('pick_for', {
  about: 'Choose a dish for a day.',
  input: z.object({ day: z.string() }),
  run(draft, { day }) {
    Object.assign(draft.ui, { at: 'picking', day, menu: '', kind: 'everything' });
  },
});
const read = gesture('read_recipe', {
  about: 'Read a recipe.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { at: 'recipe', recipe: id, menu: '' });
  },
});
const narrow = gesture('narrow', {
  about: 'Show one kind of recipes.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    draft.ui.kind = value;
  },
});
const typeItem = gesture('type_item', {
  about: 'Type what we need.',
  input: z.object({ value: z.string().max(40) }),
  run(draft, { value }) {
    draft.ui.item = value;
  },
});
const pickAisle = gesture('pick_aisle', {
  about: 'Choose the aisle.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    draft.ui.aisle = value;
  },
});
const hide = gesture('hide_got', {
  about: 'Hide what we have got, or show it.',
  input: z.object({}),
  run(draft) {
    draft.ui.hideGot = !draft.ui.hideGot;
  },
});

const COOKS = ['Mum', 'Dad', 'Jonah', 'Effie'];
const dish = (s: State, id: string | null) => find(s.recipes, id ?? '');
function door(s: State) {
  return region(
    'On the fridge door',
    s.week.map(d => {
      const r = dish(s, d.recipe);
      return region(d.day, [
        r ? link(r.name, read.with({ id: r.id })) : text('– nothing yet –'),
        combobox('Cook', d.cook, { enter: setCook.entering({ day: d.id }), options: COOKS }),
        button('⋮', openMenu.with({ day: d.id }), s.ui.menu === d.id ? ['expanded'] : []),
        s.ui.menu === d.id &&
          menu(d.day, [
            menuItem(r ? 'Something else…' : 'Choose a dish…', pick.with({ day: d.id })),
            r && menuItem('Leave empty', clear.with({ day: d.id })),
          ]),
      ]);
    }),
  );
}
function cookbook(s: State, forDay: string | null) {
  const shown = s.recipes.filter(r => s.ui.kind === 'everything' || r.kind === s.ui.kind);
  return region(forDay === null ? 'Cookbook' : `What shall we have on ${need(s.week, forDay, 'day').day}?`, [
    combobox('Show', s.ui.kind, { enter: narrow.entering({}), options: ['everything', ...KINDS] }),
    list(
      `${shown.length} recipes`,
      shown.map(r =>
        forDay === null
          ? listItem(r.name, [
              link('Read', read.with({ id: r.id })),
              checkbox('Favourite', r.loved, love.with({ id: r.id })),
            ])
          : listItem(r.name, [text(`${r.minutes} min`), button('This one', plan.with({ day: forDay, recipe: r.id }))]),
      ),
      { shuffle: true },
    ),
  ]);
}
function recipe(s: State) {
  const r = need(s.recipes, s.ui.recipe, 'recipe');
  return region(r.name, [
    heading(r.name),
    text(`A ${r.kind}. Takes ${r.minutes} minutes, serves ${r.serves}.`),
    text(`Where from: ${r.from}`),
    checkbox('Favourite', r.loved, love.with({ id: r.id })),
  ]);
}
function market(s: State) {
  return region('Market list', [
    checkbox('Hide what we have', s.ui.hideGot, hide.with({})),
    ...AISLES.map(aisle =>
      list(
        aisle,
        s.groceries
          .filter(g => g.aisle === aisle && !(g.got && s.ui.hideGot))
          .map(g => checkbox(g.item, g.got, tick.with({ id: g.id }))),
      ),
    ),
    form('We need', [
      textbox('What', s.ui.item, { enter: typeItem.entering({}) }),
      combobox('Aisle', s.ui.aisle, { enter: pickAisle.entering({}), options: AISLES }),
      button('Put on list', addGrocery.with({ item: s.ui.item, aisle: s.ui.aisle })),
    ]),
    s.groceries.some(g => g.got) && button('Sweep ticked items', sweep.with({})),
  ]);
}

const say = (seed: string, ...ways: string[]) =>
  ways[[...seed].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ways.length]!;
const planIt = template('plan-dinner', {
  about: 'Plan a dish for a day.',
  split: 'train',
  sample(s, random) {
    const d = random.pick(s.week);
    const r = random.pick(s.recipes.filter(r => r.id !== d.recipe));
    return { dayId: d.id, day: d.day, recipe: r.id, name: r.name };
  },
  instruction: ({ day, name }) =>
    say(
      day + name,
      `can we have ${name} on ${day}`,
      `${day}: ${name}`,
      `The kids voted: ${name} it is, for ${day}. Put it on the fridge door.`,
    ),
  checks: ({ dayId, day, recipe, name }) => [
    { name: `${name} on ${day}`, test: final => find(final.week, dayId)?.recipe === recipe },
  ],
  allow: ({ dayId }) => [`/week/${dayId}/recipe`],
});
const got = template('got-these', {
  about: 'Tick two groceries.',
  split: 'train',
  sample: (s, random) => ({ things: random.sample(s.groceries, 2).map(({ id, item }) => ({ id, item })) }),
  setup(draft, { things }) {
    for (const { id } of things) need(draft.groceries, id, 'item').got = false;
  },
  instruction: ({ things: [a, b] }) =>
    say(
      a!.item + b!.item,
      `Got the ${a!.item} and the ${b!.item} ✅`,
      `I have ${a!.item} and ${b!.item} in the trolley, tick them please`,
    ),
  checks: ({ things }) =>
    things.map(({ id, item }) => ({
      name: `${item} ticked`,
      test: (final: State) => find(final.groceries, id)?.got === true,
    })),
  allow: ({ things }) => things.map(({ id }) => `/groceries/${id}/got`),
});
const missing: [string, string][] = [
  ['oat milk', 'Dairy'],
  ['crème fraîche', 'Dairy'],
  ['cheddar', 'Dairy'],
  ['limes', 'Greens'],
  ['spring onions', 'Greens'],
  ['a cucumber', 'Greens'],
  ['ginger', 'Greens'],
  ['red lentils', 'Dry goods'],
  ['cornflakes', 'Dry goods'],
  ['baking powder', 'Dry goods'],
  ['bay leaves', 'Dry goods'],
  ['bin bags', 'Household'],
  ['sponges', 'Household'],
  ['birthday candles', 'Household'],
  ['matches', 'Household'],
];
const needMore = template('we-need', {
  about: 'Add something to the market list.',
  split: 'train',
  sample(_, random) {
    const [item, aisle] = random.pick(missing);
    return { item, aisle };
  },
  instruction: ({ item, aisle }) =>
    say(item + aisle, `we're out of ${item} (${aisle})`, `Add ${item} to the list, under ${aisle}.`),
  checks: ({ item, aisle }) => [
    {
      name: `${item} is on the list`,
      test(final, initial) {
        const [g, ...more] = added(initial.groceries, final.groceries);
        return more.length === 0 && g?.item === item && g.aisle === aisle && !g.got;
      },
    },
  ],
  allow: () => ['/groceries/+'],
});
const shift = template('shift-dinner', {
  about: 'Move what is planned from a day to an empty day.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(s.week, 2);
    return { from: a!.id, fromDay: a!.day, to: b!.id, toDay: b!.day, recipe: random.pick(s.recipes).id };
  },
  setup(draft, { from, to, recipe }) {
    need(draft.week, from, 'day').recipe = recipe;
    need(draft.week, to, 'day').recipe = null;
  },
  instruction: ({ fromDay, toDay }) =>
    `We're eating out on ${fromDay}. Have what was planned then on ${toDay} instead, and leave ${fromDay} empty.`,
  checks: ({ from, to, recipe }) => [
    { name: 'the dish is planned for the new day', test: final => find(final.week, to)?.recipe === recipe },
    { name: 'the old day is empty', test: final => find(final.week, from)?.recipe === null },
  ],
  allow: ({ from, to }) => [`/week/${from}/recipe`, `/week/${to}/recipe`],
});
const howLong = template('how-long', {
  about: 'Say how long the dinner of a day takes.',
  split: 'train',
  sample(s, random) {
    const d = random.pick(s.week);
    return { dayId: d.id, day: d.day, recipe: random.pick(s.recipes).id };
  },
  setup(draft, { dayId, recipe }) {
    need(draft.week, dayId, 'day').recipe = recipe;
  },
  instruction: ({ day }) =>
    say(
      day,
      `How many minutes do I need to plan for cooking on ${day}?`,
      `How long does ${day}'s dinner take? (minutes)`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ recipe }, s) => String(need(s.recipes, recipe, 'recipe').minutes),
  shown: ({ ui }, { recipe }) => ui.at === 'recipe' && ui.recipe === recipe,
});
const quickest = template('quickest-kind', {
  about: 'Plan the quickest dish of a kind.',
  split: 'train',
  sample(s, random) {
    const kind = random.pick(KINDS);
    const [r, next] = s.recipes.filter(r => r.kind === kind).toSorted((a, b) => a.minutes - b.minutes);
    if (!r || !next || r.minutes === next.minutes) return null;
    const d = random.pick(s.week.filter(d => d.recipe !== r.id));
    return { kind, recipe: r.id, dayId: d.id, day: d.day };
  },
  instruction: ({ kind, day }) => `${day} is going to be hectic. Plan the ${kind} that takes the least time.`,
  checks: ({ dayId, recipe }) => [
    { name: 'the quickest is planned', test: final => find(final.week, dayId)?.recipe === recipe },
  ],
  allow: ({ dayId }) => [`/week/${dayId}/recipe`],
});

const dishes: Record<string, string[]> = {
  soup: ['Leek and potato soup', 'Ribollita', 'Miso broth', 'Borscht'],
  pasta: ['Lemon spaghetti', 'Penne alla vodka', 'Lasagne', 'Tuna pasta'],
  curry: ['Chickpea curry', 'Green curry', 'Dal makhani', 'Katsu curry'],
  salad: ['Fattoush', 'Niçoise', 'Potato salad', 'Soba salad'],
  bake: ['Moussaka', 'Cauliflower cheese', 'Shepherd’s pie', 'Toad in the hole'],
};
const goods: Record<string, string[]> = {
  Greens: ['carrots', 'parsley', 'leeks', 'tomatoes', 'apples'],
  Dairy: ['butter', 'yoghurt', 'feta', 'eggs'],
  'Dry goods': ['rice', 'chickpeas', 'flour', 'soy sauce'],
  Household: ['dish soap', 'foil', 'light bulbs'],
};

export const app = defineApp({
  id: 'fridge-door',
  title: 'Fridge door',
  about: 'A week of dinners, recipes and the market list of a family.',
  state,
  init(random) {
    const recipes = random.shuffle(KINDS.flatMap(kind => dishes[kind]!.map(name => ({ kind, name })))).map((r, at) => ({
      id: `r${at + 1}`,
      ...r,
      minutes: random.between(3, 24) * 5,
      serves: random.between(2, 6),
      from: random.pick(['Grandma', 'newspaper', 'the blue book', 'Nadiya', 'made up']),
      loved: random.chance(0.3),
    }));
    return {
      recipes,
      week: WEEK.map((day, at) => ({
        id: `d${at + 1}`,
        day,
        recipe: random.chance(0.6) ? random.pick(recipes).id : null,
        cook: random.pick(COOKS),
      })),
      groceries: random
        .shuffle(AISLES.flatMap(aisle => goods[aisle]!.map(item => ({ aisle, item }))))
        .map((g, at) => ({ id: `g${at + 1}`, ...g, got: random.chance(0.25) })),
      ui: {
        at: 'door',
        recipe: '',
        day: '',
        kind: 'everything',
        menu: '',
        item: '',
        aisle: 'Greens',
        hideGot: false,
        says: '',
      },
    };
  },
  commands: [
    plan,
    clear,
    setCook,
    love,
    tick,
    addGrocery,
    sweep,
    seeAll,
    goTo,
    openMenu,
    pick,
    read,
    narrow,
    typeItem,
    pickAisle,
    hide,
  ],
  view: s =>
    page('Fridge door', [
      s.ui.at !== 'door' && button('Fridge door', goTo.with({ at: 'door' })),
      s.ui.at !== 'cookbook' && button('Cookbook', goTo.with({ at: 'cookbook' })),
      s.ui.at !== 'market' &&
        button(`Market list (${s.groceries.filter(g => !g.got).length})`, goTo.with({ at: 'market' })),
      s.ui.says !== '' && status(s.ui.says),
      s.ui.at === 'door'
        ? door(s)
        : s.ui.at === 'cookbook'
          ? cookbook(s, null)
          : s.ui.at === 'picking'
            ? cookbook(s, s.ui.day)
            : s.ui.at === 'recipe'
              ? recipe(s)
              : market(s),
    ]),
  templates: [planIt, got, needMore, shift, howLong, quickest],
  onRefusal(draft, message) {
    draft.ui.says = message;
  },
});

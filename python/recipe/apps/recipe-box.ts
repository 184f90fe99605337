// A household recipe box: recipe cards, a dinner plan for the week and the groceries.
import { added, appKit, banner, button, combobox, defineApp, find, form, heading, link, list } from 'espalier';
import { listItem, need, nextId, page, region, remove, searchBox, switchButton, text, textbox } from 'espalier';
import { toolbar, z } from 'espalier';

const str = z.string();
const days = 'Mon,Tue,Wed,Thu,Fri,Sat,Sun'.split(',');
const parts = z.array(z.object({ what: str, amount: str }));
const recipe = z.object({ id: str, name: str, style: str, minutes: z.int(), loved: z.boolean(), parts });
const state = z.object({
  recipes: z.array(recipe),
  dinners: z.array(z.object({ id: str, dish: str })),
  groceries: z.array(z.object({ id: str, what: str, amount: str })),
  ui: z.object({ at: str, open: str, find: str, what: str, amount: str, last: str, from: str }),
});
type Box = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const love = command('toggle_favourite', {
  about: 'Make a recipe a favourite of the family, or no longer.',
  input: z.object({ id: str }),
  run: (draft, { id }) => void (need(draft.recipes, id, 'recipe').loved = !find(draft.recipes, id)?.loved),
});
const cook = command('plan_dinner', {
  about: 'Plan a dish for the dinner of a day; an empty dish clears the day.',
  input: z.object({ day: str, value: str }),
  run(draft, { day, value }) {
    need(draft.dinners, day, 'day').dish = value === 'leftovers' ? '' : value;
  },
});
const buy = command('add_grocery', {
  about: 'Write something on the grocery list.',
  input: z.object({ what: z.string().trim().min(1, 'what to buy?'), amount: z.string().trim().min(1, 'how much?') }),
  run(draft, { what, amount }) {
    draft.groceries.push({ id: nextId(draft.groceries, 'g'), what, amount });
    Object.assign(draft.ui, { what: '', amount: '', from: draft.ui.last });
  },
});
const cross = command('cross_off', {
  about: 'Cross something off the grocery list.',
  input: z.object({ id: str }),
  run: (draft, { id }) => void remove(draft.groceries, need(draft.groceries, id, 'grocery').id),
});
const look = query('look', { about: 'Read everything.', input: z.object({}), run: ({ ui: _, ...all }) => all });
const go = gesture('go', {
  about: 'Go to a place in the box.',
  input: z.object({ at: str, open: str }),
  run: (draft, { at, open }) =>
    void Object.assign(draft.ui, { at, open, last: open || draft.ui.last, what: '', amount: '' }),
});
const write = gesture('write', {
  about: 'Write into a field.',
  input: z.object({ field: z.enum(['find', 'what', 'amount']), value: z.string().max(60) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

const cards = ({ recipes, ui }: Box) => [
  searchBox('Find a card', [textbox('Dish or style', ui.find, { enter: write.entering({ field: 'find' }) })]),
  list(
    'Cards',
    recipes
      .filter(one => `${one.name} ${one.style}`.toLowerCase().includes(ui.find.toLowerCase()))
      .map(({ id, name, style, minutes }) =>
        listItem(`${style}, ${minutes} min`, [link(name, go.with({ at: 'card', open: id }))]),
      ),
    { shuffle: true },
  ),
];
const card = ({ id, name, style, minutes, loved, parts }: Box['recipes'][number]) => [
  heading(name),
  text(`${style} kitchen. On the table in ${minutes} minutes.`),
  switchButton('Family favourite', loved, love.with({ id })),
  list(
    'You need',
    parts.map(one => text(`${one.amount} ${one.what}`)),
  ),
];
const week = ({ dinners, recipes }: Box) => [
  heading('Dinners this week'),
  ...dinners.map(({ id, dish }) =>
    combobox(id, dish === '' ? 'leftovers' : dish, {
      enter: cook.entering({ day: id }),
      options: ['leftovers', ...recipes.map(({ name }) => name)],
    }),
  ),
];
const groceries = ({ groceries: all, ui }: Box) => [
  heading('Groceries'),
  ...all.map(({ id, what, amount }) => region(`${amount} ${what}`, [button(`Cross off ${what}`, cross.with({ id }))])),
  form('One more', [
    textbox('What', ui.what, { enter: write.entering({ field: 'what' }) }),
    combobox('How much', ui.amount, { enter: write.entering({ field: 'amount' }), options: sizes }),
    button('Write it down', buy.with({ what: ui.what, amount: ui.amount })),
  ]),
];

const styles = 'Greek,Thai,Mexican,Nordic,Lebanese'.split(',');
const bases = 'Lentil,Pumpkin,Chicken,Salmon,Mushroom,Chickpea,Leek,Tomato,Beef,Spinach'.split(',');
const forms = 'stew,pie,curry,noodles,salad,tacos,soup,bake'.split(',');
const pantry = 'flour,rice,butter,cream,onions,yoghurt,lime juice,olive oil,sesame,feta,ginger,honey'.split(',');
const sizes = '200 g,350 g,500 g,2 cups,3 spoons,120 ml,80 g,1 kg'.split(',');
const train = (about: string) => ({ about, split: 'train' as const });
const looksOnly = { checks: () => [], allow: () => [] };
const say =
  (ways: string) =>
  <P extends { way: number }>(given: P) => {
    const all = ways.trim().split(/\n| \| /);
    const line = all[given.way % all.length] ?? '';
    return line.trim().replace(/\{(\w+)\}/g, (_, key: string) => String(Reflect.get(given, key)));
  };

const planDish = template('plan-dish', {
  ...train('Plan a dish for a day.'),
  sample({ recipes, dinners }, random) {
    const { id: day, dish } = random.pick(dinners);
    const { name } = random.pick(recipes.filter(one => one.name !== dish));
    return { day, name, way: random.between(0, 5) };
  },
  instruction: say(`Change what we eat on {day}: it should be {name}. | Put {name} into the dinner plan for {day}.
    I bought everything for {name}, so that's what I want to cook on {day}. Update the week. | dinner {day} = {name}
    My parents are coming {day} and they love {name}. Can we plan it for that evening? | {name} on {day}, please.`),
  checks: ({ day, name }) => [{ name: `${name} on ${day}`, test: final => find(final.dinners, day)?.dish === name }],
  allow: ({ day }) => [`/dinners/${day}/dish`],
});
const howMuch = template('how-much', {
  ...train('Say how much of an ingredient a dish needs.'),
  sample({ recipes }, random) {
    const { id, name, parts } = random.pick(recipes);
    return { id, name, ...random.pick(parts), way: random.between(0, 5) };
  },
  instruction: say(`Could you check on the card of {name} how much {what} it takes?
    I'm in the store and forgot how much {what} we need for the {name}. What does the card say?
    Before I start cooking {name}, tell me the amount of {what}. Only the amount. | {name}: amount of {what}?
    Not sure there is enough {what} left for {name}. How much is it exactly? | How much {what} goes into {name}?`),
  ...looksOnly,
  answer: ({ amount }) => amount,
  shown: ({ ui }, { id }) => ui.open === id,
});
const amountOnCard = template('buy-what-card-says', {
  ...train('Put an ingredient on the grocery list, in the amount that the card of a dish says.'),
  sample({ recipes }, random) {
    const { id, name, parts } = random.pick(recipes);
    return { id, name, ...random.pick(parts), way: random.between(0, 5) };
  },
  instruction: say(`groceries: {what}, as much as the {name} card asks for
    I want to make {name} but there's no {what} in the house, add it to the groceries with the right amount
    For the {name} I still have to buy {what}. Note it down with the quantity from the recipe, would you?
    We are out of {what}. Please write as much of it on the shopping list as {name} needs.
    See how much {what} goes into {name} and put exactly that on the grocery list.
    Add the {what} for {name} to the groceries, the amount is on its card.`),
  checks: ({ id, what, amount }) => [
    { name: 'the card was looked at before', test: final => final.ui.from === id },
    {
      name: `${amount} ${what} was written down`,
      test(final, initial) {
        const [made, ...more] = added(initial.groceries, final.groceries);
        return made?.what === what && made.amount === amount && more.length === 0;
      },
    },
  ],
  allow: () => ['/groceries/+'],
});
const quickest = template('favour-quickest', {
  ...train('Make the quickest dish of a style a favourite.'),
  sample({ recipes }, random) {
    const style = random.pick(styles);
    const [first, second] = recipes.filter(one => one.style === style).sort((a, b) => a.minutes - b.minutes);
    if (first === undefined || second === undefined || first.minutes === second.minutes) return null;
    return { id: first.id, style, way: random.between(0, 5) };
  },
  setup: (draft, { id }) => void (need(draft.recipes, id, 'recipe').loved = false),
  instruction: say(`Make the quickest {style} dish a family favourite. | favourite the fastest {style} recipe
    The kids love {style} food and I love being quick: turn on favourite for the shortest of those recipes.
    Please look through the {style} cards and switch the one that takes the least time to favourite.
    We always end up cooking the {style} dish with the fewest minutes. Mark it as a favourite!
    Which {style} recipe is done fastest? That one should be marked as a favourite.`),
  checks: ({ id }) => [{ name: 'it is a favourite', test: final => find(final.recipes, id)?.loved === true }],
  allow: ({ id }) => [`/recipes/${id}/loved`],
});
export const app = defineApp({
  id: 'recipe-box',
  title: 'Recipe box',
  about: 'Recipe cards, dinners of the week and groceries of a household.',
  state,
  init(random) {
    const names = random.sample(
      bases.flatMap(base => forms.map(form => `${base} ${form}`)),
      18,
    );
    const recipes = names.map((name, index) => ({
      id: `r${index + 1}`,
      name,
      style: random.pick(styles),
      minutes: random.between(12, 95),
      loved: random.chance(0.3),
      parts: random.sample(pantry, 4).map(what => ({ what, amount: random.pick(sizes) })),
    }));
    return {
      recipes,
      dinners: days.map(id => ({ id, dish: random.chance(0.4) ? '' : random.pick(names) })),
      groceries: random
        .sample('milk,eggs,coffee,bananas,bread,soap,oats,salt,tea,jam,pears'.split(','), 7)
        .map((what, index) => ({ id: `g${index + 1}`, what, amount: random.pick(sizes) })),
      ui: { at: 'cards', open: '', find: '', what: '', amount: '', last: '', from: '' },
    };
  },
  commands: [love, cook, buy, cross, look, go, write],
  view(box) {
    const opened = find(box.recipes, box.ui.open);
    return page('Recipe box', [
      banner('Kitchen', [
        toolbar('Go to', [
          button('Recipe cards', go.with({ at: 'cards', open: '' })),
          button('This week', go.with({ at: 'week', open: '' })),
          button('To buy', go.with({ at: 'buy', open: '' })),
        ]),
      ]),
      ...(opened
        ? card(opened)
        : box.ui.at === 'cards'
          ? cards(box)
          : box.ui.at === 'week'
            ? week(box)
            : groceries(box)),
    ]);
  },
  templates: [planDish, howMuch, amountOnCard, quickest],
});

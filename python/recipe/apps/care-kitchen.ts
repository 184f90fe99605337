// The kitchen sheet of a care home: residents under letters, dishes per meal, diets, trays and a move-in wizard.
import {
  added,
  appKit,
  button,
  cell,
  checkbox,
  defineApp,
  find,
  heading,
  link,
  list,
  menu,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  row,
  status,
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const s = z.string();
const meals = ['Breakfast', 'Dinner', 'Supper'] as const;
const resident = z.object({
  id: s,
  name: s,
  room: s,
  diet: s,
  thickened: z.boolean(),
  tray: z.boolean(),
  Breakfast: s,
  Dinner: s,
  Supper: s,
});
const dish = z.object({ id: s, name: s, meal: z.enum(meals), contains: s });
const state = z.object({
  residents: z.array(resident),
  dishes: z.array(dish),
  ui: z.object({
    at: z.enum(['index', 'resident', 'menu', 'movein']),
    letters: s,
    who: s,
    meal: z.enum(meals),
    dish: s,
    name: s,
    room: s,
    diet: s,
    page: z.int(),
    line: s,
  }),
});
type Home = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const say = (n: number, ...ways: string[]) => ways[n % ways.length] ?? '';

const spans = ['A–F', 'G–L', 'M–R', 'S–Z'];
const surnames = [
  'Archer',
  'Bishop',
  'Coles',
  'Drummond',
  'Ellery',
  'Finch',
  'Gould',
  'Hargreaves',
  'Innes',
  'Jolly',
  'Keane',
  'Lister',
  'Mottram',
  'Nash',
  'Oakes',
  'Purdy',
  'Rowe',
  'Salter',
  'Tuck',
  'Unwin',
  'Vickers',
  'Wragg',
  'Yates',
];
const titles = ['Mr', 'Mrs', 'Miss'];
const diets = ['Normal', 'Soft', 'Puréed', 'Diabetic', 'Vegetarian'];
const food = {
  Breakfast: ['Porridge', 'Scrambled eggs', 'Kippers', 'Toast and honey', 'Prunes', 'Muesli'],
  Dinner: ['Cottage pie', 'Poached cod', 'Leek tart', 'Chicken stew', 'Lentil bake', 'Liver and onions'],
  Supper: ['Tomato soup', 'Cheese on toast', 'Rice pudding', 'Egg salad', 'Ham sandwich', 'Baked apple'],
};
const allergens = ['milk', 'egg', 'gluten', 'celery', 'mustard', 'fish', 'nothing listed'];
const at = (here: boolean) => (here ? (['selected'] as const) : []);
const spanOf = (name: string) => spans.find(it => (name.split(' ')[1] ?? '') < `${it[2]}zz`) ?? 'S–Z';

const choose = command('choose_dish', {
  about: 'Choose a dish for a meal of a resident.',
  input: z.object({ id: s, meal: z.enum(meals), dish: s }),
  run(draft, { id, meal, dish: name }) {
    need(draft.residents, id, 'resident')[meal] = name;
  },
});
const diet = command('set_diet', {
  about: 'Set the diet of a resident.',
  input: z.object({ id: s, diet: s }),
  run(draft, { id, diet: kind }) {
    need(draft.residents, id, 'resident').diet = kind;
  },
});
const toggle = command('toggle_service', {
  about: 'Turn thickened drinks or a tray in the room on or off.',
  input: z.object({ id: s, what: z.enum(['thickened', 'tray']) }),
  run(draft, { id, what }) {
    const served = need(draft.residents, id, 'resident');
    served[what] = !served[what];
  },
});
const moveIn = command('move_in', {
  about: 'Put a new resident on the sheet.',
  input: z.object({ name: s.min(3, 'the name?'), room: s.min(1, 'the room?'), diet: s.min(1, 'the diet?') }),
  run(draft, input) {
    const plain = { Breakfast: 'Porridge', Dinner: 'Cottage pie', Supper: 'Tomato soup', thickened: false };
    draft.residents.push({ id: nextId(draft.residents, 'r'), ...input, ...plain, tray: false });
    Object.assign(draft.ui, { at: 'index', name: '', room: '', diet: '', line: `${input.name} is on the sheet.` });
  },
});
const sheet = query('kitchen_sheet', {
  about: 'All residents and dishes.',
  input: z.object({}),
  run: ({ residents, dishes }) => ({ residents, dishes }),
});
const go = gesture('go', {
  about: 'Turn to letters, a resident, a meal, a dish or the wizard.',
  input: z.object({
    at: z.enum(['index', 'resident', 'menu', 'movein']),
    letters: s.optional(),
    who: s.optional(),
    meal: z.enum(meals).optional(),
    dish: s.optional(),
  }),
  run(draft, to) {
    Object.assign(draft.ui, { dish: '', page: 1, line: '' }, to);
  },
});
const pageTo = gesture('wizard_page', {
  about: 'Go to a page of the wizard.',
  input: z.object({ to: z.int().min(1).max(2) }),
  run(draft, { to }) {
    if (to === 2 && (draft.ui.name === '' || draft.ui.room === '')) refuse('Name and room first.');
    draft.ui.page = to;
  },
});
const spell = gesture('spell', {
  about: 'Fill in the wizard.',
  input: z.object({ field: z.enum(['name', 'room', 'diet']), value: s.max(30) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function body({ residents, dishes, ui }: Home) {
  const [who, plate] = [find(residents, ui.who), find(dishes, ui.dish)];
  if (ui.at === 'resident' && who !== undefined)
    return region(who.name, [
      heading(`${who.name}, room ${who.room}`),
      toolbar(
        'Meals',
        meals.map(meal => tab(meal, go.with({ at: 'resident', meal }), at(ui.meal === meal))),
      ),
      list(
        ui.meal,
        food[ui.meal].map(name =>
          radio(name, name === who[ui.meal], choose.with({ id: who.id, meal: ui.meal, dish: name })),
        ),
      ),
      list(
        'Diet',
        diets.map(kind => radio(kind, kind === who.diet, diet.with({ id: who.id, diet: kind }))),
      ),
      checkbox('Thickened drinks', who.thickened, toggle.with({ id: who.id, what: 'thickened' })),
      checkbox('Tray to room', who.tray, toggle.with({ id: who.id, what: 'tray' })),
    ]);
  if (ui.at === 'menu')
    return region(
      'What we cook',
      plate !== undefined
        ? [heading(plate.name), text(`Allergen: ${plate.contains}`)]
        : dishes.map(({ id, name }) => link(name, go.with({ at: 'menu', dish: id }))),
    );
  if (ui.at === 'movein')
    return region(`Moving in, ${ui.page}/2`, [
      ui.page === 1 && textbox('Name', ui.name, { enter: spell.entering({ field: 'name' }) }),
      ui.page === 1 && textbox('Room', ui.room, { enter: spell.entering({ field: 'room' }) }),
      ui.page === 1 && button('Next', pageTo.with({ to: 2 })),
      ui.page === 2 &&
        list(
          'Diet',
          diets.map(value => radio(value, value === ui.diet, spell.with({ field: 'diet', value }))),
        ),
      ui.page === 2 && button('Back', pageTo.with({ to: 1 })),
      ui.page === 2 && button('Welcome them', moveIn.with({ name: ui.name, room: ui.room, diet: ui.diet })),
    ]);
  const listed = residents.filter(({ name }) => spanOf(name) === ui.letters);
  return table(
    ui.letters,
    listed.map(({ id, name, room, ...it }) =>
      row(name, [link(name, go.with({ at: 'resident', who: id })), cell(`room ${room}`), cell(it.diet)]),
    ),
  );
}

const pickDish = template('choose-dish', {
  about: 'Choose a dish for a meal of a resident.',
  split: 'train',
  sample({ residents }, random) {
    const { id, name, ...it } = random.pick(residents);
    const meal = random.pick(meals);
    const wanted = random.pick(food[meal].filter(other => other !== it[meal]));
    return { id, name, meal, dish: wanted, n: random.between(0, 5) };
  },
  instruction: ({ n, name, meal, dish: wanted }) =>
    say(
      n,
      `${name}, ${meal}: ${wanted}`,
      `${name} would rather have ${wanted} for ${meal.toLowerCase()}.`,
      `Please change the ${meal.toLowerCase()} of ${name} to ${wanted}.`,
      `I talked to ${name}. ${meal}? ${wanted}, if that is possible. Put it on the sheet.`,
      `Could ${name} get ${wanted} at ${meal.toLowerCase()}, please?`,
      `The daughter of ${name} says ${wanted} is the favourite, so make that the ${meal.toLowerCase()}.`,
    ),
  checks: ({ id, meal, dish: wanted }) => [
    { name: `${meal} is ${wanted}`, test: final => find(final.residents, id)?.[meal] === wanted },
  ],
  allow: ({ id, meal }) => [`/residents/${id}/${meal}`],
});
const illInBed = template('tray-and-diet', {
  about: 'Send trays to a resident and change the diet.',
  split: 'train',
  sample({ residents }, random) {
    const { id, name, diet: old } = random.pick(residents);
    return { id, name, kind: random.pick(diets.filter(other => other !== old)), n: random.between(0, 5) };
  },
  setup(draft, { id }) {
    need(draft.residents, id, 'resident').tray = false;
  },
  instruction: ({ n, name, kind }) =>
    say(
      n,
      `${name}: tray to room, diet ${kind}.`,
      `${name} is in bed. Send a tray to the room, and the diet is ${kind} from now on.`,
      `The doctor has put ${name} on the ${kind} diet. Meals go to the room on a tray, please.`,
      `Please arrange trays for ${name} and set the diet to ${kind}.`,
      `As ${name} can't come down: tray. Also "${kind}" as diet.`,
      `Could you switch ${name} to ${kind}? And they want to eat in their room, so tick the tray.`,
    ),
  checks: ({ id, kind }) => [
    { name: 'a tray goes to the room', test: final => find(final.residents, id)?.tray === true },
    { name: `the diet is ${kind}`, test: final => find(final.residents, id)?.diet === kind },
  ],
  allow: ({ id }) => [`/residents/${id}/tray`, `/residents/${id}/diet`],
});
const welcome = template('move-in', {
  about: 'Put a new resident on the sheet with the wizard.',
  split: 'train',
  sample: (_, random) => ({
    name: `${random.pick(titles)} ${random.pick(surnames)}-${random.pick(['Hill', 'Brown', 'Ward', 'Lee', 'Kay'])}`,
    room: `${random.between(60, 99)}`,
    kind: random.pick(diets),
    n: random.between(0, 5),
  }),
  instruction: ({ n, name, room, kind }) =>
    say(
      n,
      `New: ${name}, room ${room}, diet ${kind}.`,
      `${name} moves into room ${room} today, diet ${kind}. Add to the sheet.`,
      `We have a new resident! Please enter ${name} (${room}), who eats ${kind}.`,
      `Room ${room} is taken from tonight by ${name}. Diet: ${kind}. The kitchen has to know.`,
      `Could you put ${name} on the kitchen sheet? Room ${room}, ${kind}.`,
      `So that ${name} gets supper, add a sheet entry: room ${room}, ${kind} diet.`,
    ),
  checks: ({ name, room, kind }) => [
    {
      name: 'one resident was added as told',
      test(final, initial) {
        const [made, ...more] = added(initial.residents, final.residents);
        if (made === undefined || more.length > 0 || made.tray || made.thickened) return false;
        if (`${made.Breakfast}, ${made.Dinner}, ${made.Supper}` !== 'Porridge, Cottage pie, Tomato soup') return false;
        return made.name === name && made.room === room && made.diet === kind;
      },
    },
  ],
  allow: () => ['/residents/+'],
});
const askAllergen = template('what-allergen', {
  about: 'Say which allergen a dish contains.',
  split: 'train',
  sample({ dishes }, random) {
    const { id, name } = random.pick(dishes);
    return { id, name, n: random.between(0, 5) };
  },
  instruction: ({ n, name }) =>
    say(
      n,
      `Allergen in ${name}?`,
      `Which allergen is listed for ${name}?`,
      `What does the menu say about allergens in the ${name}?`,
      `A visitor would like ${name} but is careful. What allergen is in it?`,
      `Look up ${name}: allergen, please.`,
      `I have to label the ${name}. Which allergen do I write?`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { dishes }) => need(dishes, id, 'dish').contains,
  shown: ({ ui }, { id }) => ui.at === 'menu' && ui.dish === id,
});

export const app = defineApp({
  id: 'care-kitchen',
  title: 'Kitchen sheet',
  about: 'Who eats what in a care home.',
  state,
  init(random) {
    const residents = random
      .sample(surnames, 17)
      .sort()
      .map((surname, index) => ({
        id: `r${index + 1}`,
        name: `${random.pick(titles)} ${surname}`,
        room: `${index + 1}`,
        diet: random.pick(diets),
        thickened: random.chance(0.2),
        tray: random.chance(0.3),
        Breakfast: random.pick(food.Breakfast),
        Dinner: random.pick(food.Dinner),
        Supper: random.pick(food.Supper),
      }));
    const dishes = random.shuffle(meals.flatMap(meal => food[meal].map(name => ({ name, meal })))).map((it, index) => ({
      id: `d${index}`,
      ...it,
      contains: random.pick(allergens),
    }));
    const ui = { letters: 'A–F', who: '', meal: 'Breakfast' as const, dish: '', name: '', room: '', diet: '', page: 1 };
    return { residents, dishes, ui: { at: 'index' as const, ...ui, line: '' } };
  },
  commands: [choose, diet, toggle, moveIn, sheet, go, pageTo, spell],
  view: home =>
    page('Kitchen sheet', [
      menu(
        'Residents',
        spans.map(letters => link(letters, go.with({ at: 'index', letters }))),
      ),
      link('What we cook', go.with({ at: 'menu' })),
      link('Somebody moves in', go.with({ at: 'movein' })),
      home.ui.line !== '' && status(home.ui.line),
      body(home),
    ]),
  templates: [pickDish, illInBed, welcome, askAllergen],
  onRefusal(draft, message) {
    draft.ui.line = message;
  },
});

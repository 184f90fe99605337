// A dairy farm's herd book: cows found by name, a card with three tabs, paddocks and a treatment log.
import {
  added,
  alert,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  need,
  nextId,
  page,
  row,
  searchBox,
  status,
  switchButton,
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const s = z.string();
const cow = z.object({
  id: s,
  name: s,
  tag: s,
  breed: s,
  paddock: s,
  litres: z.int(),
  calved: s,
  withheld: z.boolean(),
});
const treatment = z.object({ id: s, cow: s, remedy: s, days: s });
const tabs = ['Identity', 'Milk', 'Health'] as const;
const state = z.object({
  cows: z.array(cow),
  treatments: z.array(treatment),
  ui: z.object({
    find: s,
    open: s,
    tab: z.enum(tabs),
    remedy: s,
    days: s,
    note: s,
  }),
});
type Farm = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const say = (n: number, ...ways: string[]) => ways[n % ways.length] ?? '';

const paddocks = ['Brook Field', 'Long Acre', 'Church Meadow', 'Top Pasture', 'Calving Barn', 'Quarry Bottom'];
const breeds = ['Holstein', 'Jersey', 'Ayrshire', 'Brown Swiss'];
const remedies = ['Calcium bolus', 'Mastitis tube', 'Hoof spray', 'Drench', 'Ketosis gel', 'Eye ointment'];
const first = [
  'Bluebell',
  'Clover',
  'Duchess',
  'Marigold',
  'Nettle',
  'Pansy',
  'Rosie',
  'Sorrel',
  'Tansy',
  'Velvet',
  'Willow',
  'Bramble',
  'Daisy',
  'Fern',
  'Hazel',
];
const second = ['', ' Two', ' of Ash', ' the Elder', ' May'];
const dates = ['4 January', '19 January', '2 February', '27 February', '11 March', '30 March', '8 April', '21 April'];

const move = command('move_cow', {
  about: 'Move a cow to a paddock.',
  input: z.object({ id: s, value: s }),
  run(draft, { id, value }) {
    const moved = need(draft.cows, id, 'cow');
    moved.paddock = value;
    draft.ui.note = `${moved.name} now grazes in ${value}`;
  },
});
const withhold = command('withhold_milk', {
  about: 'Keep the milk of a cow out of the tank, or let it in again.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const changed = need(draft.cows, id, 'cow');
    changed.withheld = !changed.withheld;
  },
});
const treat = command('log_treatment', {
  about: 'Write a treatment of a cow into the log.',
  input: z.object({ cow: s, remedy: s.min(1, 'choose a remedy'), days: s.min(1, 'say the days') }),
  run(draft, input) {
    draft.treatments.push({ id: nextId(draft.treatments, 't'), ...input });
    Object.assign(draft.ui, { remedy: '', days: '', note: `Logged: ${input.remedy}` });
  },
});
const listCows = query('list_cows', {
  about: 'List the whole herd.',
  input: z.object({}),
  run: ({ cows }) => cows,
});
const type = gesture('type_in', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['find', 'remedy', 'days']), value: s.max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const open = gesture('open_cow', {
  about: 'Open the card of a cow, or close it.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    if (id !== '') need(draft.cows, id, 'cow');
    Object.assign(draft.ui, { open: id, tab: 'Identity', remedy: '', days: '', note: '' });
  },
});
const turn = gesture('turn_tab', {
  about: 'Show another tab of the card.',
  input: z.object({ to: z.enum(tabs) }),
  run(draft, { to }) {
    draft.ui.tab = to;
  },
});

function herd({ cows, ui }: Farm) {
  const shown = cows.filter(({ name }) => name.toLowerCase().includes(ui.find.toLowerCase()));
  return page('Herd book', [
    searchBox('Find a cow', [textbox('Name contains', ui.find, { enter: type.entering({ field: 'find' }) })]),
    table(
      `${shown.length} head`,
      shown
        .slice(0, 12)
        .map(({ id, name, tag, breed }) => row(name, [link(name, open.with({ id })), cell(tag), cell(breed)])),
    ),
    shown.length > 12 && text('Only the first 12 are listed. Narrow the search.'),
  ]);
}

function card({ treatments, ui }: Farm, opened: Farm['cows'][number]) {
  const { id, name, tag, breed, paddock, litres, calved, withheld } = opened;
  const entries = treatments.filter(entry => entry.cow === id);
  return page(`Herd book: ${name}`, [
    link('« Whole herd', open.with({ id: '' })),
    heading(name),
    ui.note !== '' && status(ui.note),
    toolbar(
      'Card',
      tabs.map(to => tab(to, turn.with({ to }), ui.tab === to ? ['selected'] : [])),
    ),
    ui.tab === 'Identity' && text(`Ear tag ${tag}, ${breed}`),
    ui.tab === 'Identity' && combobox('Grazing in', paddock, { enter: move.entering({ id }), options: paddocks }),
    ui.tab === 'Milk' && text(`Yield yesterday: ${litres} litres`),
    ui.tab === 'Milk' && text(`Last calved: ${calved}`),
    ui.tab === 'Milk' && switchButton('Keep milk out of tank', withheld, withhold.with({ id })),
    ui.tab === 'Health' &&
      table(
        'Treatments',
        entries.map(entry => row(entry.remedy, [cell(entry.remedy), cell(`${entry.days} days`)])),
      ),
    ui.tab === 'Health' && entries.length === 0 && alert('Never treated'),
    ui.tab === 'Health' &&
      form('New entry', [
        combobox('Remedy', ui.remedy, { enter: type.entering({ field: 'remedy' }), options: remedies }),
        textbox('Withdrawal days', ui.days, { enter: type.entering({ field: 'days' }) }),
        button('Write to log', treat.with({ cow: id, remedy: ui.remedy, days: ui.days })),
      ]),
  ]);
}

const one = (farm: Farm, random: { pick<T>(items: readonly T[]): T; between(a: number, b: number): number }) => {
  const { id, name } = random.pick(farm.cows);
  return { id, name, n: random.between(0, 5) };
};

const moveCow = template('move-cow', {
  about: 'Move a named cow to another paddock.',
  split: 'train',
  sample: (farm, random) => ({ ...one(farm, random), to: random.pick(paddocks) }),
  setup(draft, { id, to }) {
    const moved = need(draft.cows, id, 'cow');
    if (moved.paddock === to) moved.paddock = paddocks.find(other => other !== to) ?? '';
  },
  instruction: ({ n, name, to }) =>
    say(
      n,
      `${name} -> ${to}`,
      `Could you put ${name} in ${to} for me, please?`,
      `The grass is better in ${to}, so ${name} should graze there from now on.`,
      `I have just walked ${name} over to ${to}. Make sure the book says so.`,
      `Move cow "${name}" to ${to}.`,
      `From today ${name} belongs in ${to}; update her card.`,
    ),
  checks: ({ id, name, to }) => [{ name: `${name} is in ${to}`, test: final => find(final.cows, id)?.paddock === to }],
  allow: ({ id }) => [`/cows/${id}/paddock`],
});
const keepOut = template('withhold-milk', {
  about: 'Keep the milk of a cow out of the tank.',
  split: 'train',
  sample: one,
  setup(draft, { id }) {
    need(draft.cows, id, 'cow').withheld = false;
  },
  instruction: ({ n, name }) =>
    say(
      n,
      `No milk from ${name} in the tank.`,
      `${name} is on antibiotics. Keep her milk out of the tank, please.`,
      `We must not sell what ${name} gives at the moment, so set her milk to be kept out.`,
      `Withhold ${name}'s milk.`,
      `The vet says ${name}'s milk can't go in the tank. Please see to it in the herd book.`,
      `Please switch on "keep milk out of tank" for ${name}.`,
    ),
  checks: ({ id, name }) => [{ name: `${name} is withheld`, test: final => find(final.cows, id)?.withheld === true }],
  allow: ({ id }) => [`/cows/${id}/withheld`],
});
const logOne = template('log-treatment', {
  about: 'Log a treatment with its withdrawal days.',
  split: 'train',
  sample: (farm, random) => ({ ...one(farm, random), remedy: random.pick(remedies), days: `${random.between(2, 28)}` }),
  instruction: ({ n, name, remedy, days }) =>
    say(
      n,
      `Log for ${name}: ${remedy}, ${days} days withdrawal.`,
      `I gave ${name} a ${remedy} this morning (${days} days withdrawal). Can you write it down?`,
      `The inspector wants every treatment in the log. Missing: ${name}, ${remedy}, ${days} days.`,
      `Please add a ${remedy} with ${days} withdrawal days to the health record of ${name}.`,
      `New entry on the health tab of ${name}: remedy ${remedy}, withdrawal days ${days}.`,
      `${name} got ${remedy} today. Withdrawal is ${days} days. Note it.`,
    ),
  checks: ({ id, remedy, days }) => [
    {
      name: 'one entry was logged as told',
      test(final, initial) {
        const [made, ...more] = added(initial.treatments, final.treatments);
        return made?.cow === id && made.remedy === remedy && made.days === days && more.length === 0;
      },
    },
  ],
  allow: () => ['/treatments/+'],
});
const askCalved = template('when-calved', {
  about: 'Say when a cow last calved.',
  split: 'train',
  sample: one,
  instruction: ({ n, name }) =>
    say(
      n,
      `When did ${name} last calve?`,
      `${name}: date of last calving?`,
      `I need to plan the drying off of ${name}. What is the day she calved?`,
      `Look up ${name}'s last calving date for me, would you?`,
      `Tell me the day on which ${name} had her last calf.`,
      `The vet asks when ${name} calved. What do I tell him?`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { cows }) => need(cows, id, 'cow').calved,
  shown: ({ ui }, { id }) => ui.open === id && ui.tab === 'Milk',
});

export const app = defineApp({
  id: 'herd-book',
  title: 'Herd book',
  about: 'The herd book of a dairy farm.',
  state,
  init(random) {
    const names = random.sample(
      first.flatMap(name => second.map(tail => name + tail)),
      24,
    );
    const cows = names.map((name, index) => ({
      id: `c${index + 1}`,
      name,
      tag: `UK ${random.between(1000, 9999)}`,
      breed: random.pick(breeds),
      paddock: random.pick(paddocks),
      litres: random.between(14, 38),
      calved: random.pick(dates),
      withheld: random.chance(0.2),
    }));
    const treated = random.sample(cows, 8).map(({ id }, index) => ({
      id: `t${index + 1}`,
      cow: id,
      remedy: random.pick(remedies),
      days: `${random.between(2, 28)}`,
    }));
    const ui = { find: '', open: '', tab: 'Identity' as const, remedy: '', days: '', note: '' };
    return { cows, treatments: treated, ui };
  },
  commands: [move, withhold, treat, listCows, type, open, turn],
  view: farm => {
    const opened = find(farm.cows, farm.ui.open);
    return opened === undefined ? herd(farm) : card(farm, opened);
  },
  templates: [moveCow, keepOut, logOne, askCalved],
  onRefusal(draft, message) {
    draft.ui.note = message;
  },
});

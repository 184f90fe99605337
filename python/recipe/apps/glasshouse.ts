// The control panel of a nursery's glasshouses: stepped temperatures, valves, benches, a sowing diary and alarms.
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
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const s = z.string();
const house = z.object({ id: s, name: s, target: z.int(), misting: z.boolean(), shade: z.boolean() });
const bench = z.object({ id: s, house: s, label: s, crop: s, sown: s, supplier: s, empty: z.boolean() });
const order = z.object({ id: s, crop: s, supplier: s, trays: s });
const panels = ['Houses', 'Benches', 'Seed orders', 'Order form'] as const;
const state = z.object({
  houses: z.array(house),
  benches: z.array(bench),
  orders: z.array(order),
  ui: z.object({ panel: z.enum(panels), house: s, bench: s, crop: s, supplier: s, trays: s, lamp: s }),
});
type Nursery = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const say = (n: number, ...ways: string[]) => ways[n % ways.length] ?? '';

const names = ['Palm House', 'Fernery', 'Long House', 'Cold Frame', 'Propagator', 'Vinery', 'Alpine House', 'Orangery'];
const crops = [
  'basil',
  'cyclamen',
  'fuchsia',
  'geranium',
  'heather',
  'lettuce',
  'lobelia',
  'pansy',
  'pepper',
  'salvia',
  'stock',
  'sweet pea',
  'thyme',
  'tomato',
  'verbena',
  'viola',
];
const suppliers = ['Tozer Seeds', 'Kings', 'Van der Berg', 'Moles', 'Chiltern', 'Floragran'];
const weeks = ['week 3', 'week 5', 'week 6', 'week 8', 'week 9', 'week 11', 'week 12', 'week 14'];

const nudge = command('nudge_target', {
  about: 'Make the target temperature of a house one degree warmer or cooler.',
  input: z.object({ id: s, by: z.union([z.literal(1), z.literal(-1)]) }),
  run(draft, { id, by }) {
    const warmed = need(draft.houses, id, 'house');
    if (warmed.target + by < 4 || warmed.target + by > 30) refuse('Out of range: 4 to 30 degrees.');
    warmed.target += by;
  },
});
const flip = command('flip_valve', {
  about: 'Turn misting or shading of a house on or off.',
  input: z.object({ id: s, what: z.enum(['misting', 'shade']) }),
  run(draft, { id, what }) {
    need(draft.houses, id, 'house')[what] = !find(draft.houses, id)?.[what];
  },
});
const clear = command('clear_bench', {
  about: 'Clear a bench: its crop is gone.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const cleared = need(draft.benches, id, 'bench');
    if (cleared.empty) refuse('Nothing grows there.');
    cleared.empty = true;
    draft.ui.lamp = `${cleared.label} is clear`;
  },
});
const place = command('order_seed', {
  about: 'Order seed trays from a supplier.',
  input: z.object({ crop: s.min(1, 'which crop?'), supplier: s.min(1, 'from whom?'), trays: s.min(1, 'how many?') }),
  run(draft, input) {
    draft.orders.push({ id: nextId(draft.orders, 'o'), ...input });
    Object.assign(draft.ui, { panel: 'Seed orders', crop: '', supplier: '', trays: '', lamp: 'Ordered' });
  },
});
const revoke = command('revoke_order', {
  about: 'Revoke an order of seed.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    remove(draft.orders, need(draft.orders, id, 'order').id);
  },
});
const readings = query('readings', {
  about: 'All houses, benches and orders.',
  input: z.object({}),
  run: ({ houses, benches, orders }) => ({ houses, benches, orders }),
});
const swing = gesture('swing_panel', {
  about: 'Turn to a panel, and to a house or a bench on it.',
  input: z.object({ panel: z.enum(panels), house: s, bench: s }),
  run(draft, to) {
    Object.assign(draft.ui, to, { lamp: '' });
  },
});
const enter = gesture('enter_value', {
  about: 'Fill in the order form.',
  input: z.object({ field: z.enum(['crop', 'supplier', 'trays']), value: s.max(30) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function panel({ houses, benches, orders, ui }: Nursery) {
  const [inside, plot] = [find(houses, ui.house), find(benches, ui.bench)];
  if (ui.panel === 'Houses' && inside !== undefined)
    return region(inside.name, [
      heading(`${inside.name}: ${inside.target} °C wanted`),
      button('Warmer', nudge.with({ id: inside.id, by: 1 })),
      button('Cooler', nudge.with({ id: inside.id, by: -1 })),
      switchButton('Misting', inside.misting, flip.with({ id: inside.id, what: 'misting' })),
      switchButton('Shade cloth', inside.shade, flip.with({ id: inside.id, what: 'shade' })),
    ]);
  if (ui.panel === 'Houses')
    return region(
      'All houses',
      houses.map(({ id, name }) => button(name, swing.with({ panel: 'Houses', house: id, bench: '' }))),
    );
  if (ui.panel === 'Benches' && plot !== undefined)
    return region(plot.label, [
      text(plot.empty ? 'Empty' : `Growing ${plot.crop} since ${plot.sown}`),
      text(`Seed came from ${plot.supplier}`),
      button('Clear bench', clear.with({ id: plot.id })),
    ]);
  if (ui.panel === 'Benches')
    return table(
      'Benches',
      benches.map(({ id, label, crop, empty, house: of }) =>
        row(label, [
          link(label, swing.with({ panel: 'Benches', house: '', bench: id })),
          cell(empty ? '–' : crop),
          cell(find(houses, of)?.name ?? ''),
        ]),
      ),
    );
  if (ui.panel === 'Seed orders')
    return region('Seed orders', [
      button('Order more', swing.with({ panel: 'Order form', house: '', bench: '' })),
      ...orders.map(({ id, crop, supplier, trays }) =>
        row(crop, [cell(`${trays} trays of ${crop}, ${supplier}`), button(`Revoke ${crop}`, revoke.with({ id }))]),
      ),
    ]);
  return form('Order more', [
    combobox('Crop', ui.crop, { enter: enter.entering({ field: 'crop' }), options: crops }),
    combobox('Supplier', ui.supplier, { enter: enter.entering({ field: 'supplier' }), options: suppliers }),
    textbox('Trays', ui.trays, { enter: enter.entering({ field: 'trays' }) }),
    button('Place order', place.with({ crop: ui.crop, supplier: ui.supplier, trays: ui.trays })),
  ]);
}

const setTarget = template('set-target', {
  about: 'Bring the target temperature of a house to a number of degrees.',
  split: 'train',
  sample({ houses }, random) {
    const { id, name, target } = random.pick(houses);
    const by = random.pick([-3, -2, -1, 1, 2, 3]);
    return { id, name, to: target + by, by: Math.abs(by), way: by > 0 ? 'warmer' : 'cooler', n: random.between(0, 5) };
  },
  instruction: ({ n, name, to, by, way }) =>
    say(
      n,
      `${name}: ${to} °C.`,
      `Make the ${name} ${by} degrees ${way}.`,
      `Could you set the ${name} to ${to} degrees, please?`,
      `The plants in the ${name} are unhappy. They want ${to} degrees from tonight.`,
      `It should be ${by} °C ${way} in the ${name}.`,
      `I read that ${to} °C would be right for the ${name}, so adjust it.`,
    ),
  checks: ({ id, to }) => [{ name: `the target is ${to}`, test: final => find(final.houses, id)?.target === to }],
  allow: ({ id }) => [`/houses/${id}/target`],
});
const hotDay = template('mist-and-shade', {
  about: 'Turn on the misting of one house and the shade of another.',
  split: 'train',
  sample({ houses }, random) {
    const [wet, dark] = random.sample(houses, 2);
    if (wet === undefined || dark === undefined) return null;
    return { wet: wet.id, dark: dark.id, wetName: wet.name, darkName: dark.name, n: random.between(0, 5) };
  },
  setup(draft, { wet, dark }) {
    need(draft.houses, wet, 'house').misting = false;
    need(draft.houses, dark, 'house').shade = false;
  },
  instruction: ({ n, wetName, darkName }) =>
    say(
      n,
      `Misting on in ${wetName}, shade cloth on in ${darkName}.`,
      `It gets hot: please mist the ${wetName} and pull the shade cloth in the ${darkName}.`,
      `The ${wetName} is too dry and the ${darkName} too bright. Misting for the first, shade for the second.`,
      `Would you draw the shade cloth of the ${darkName}? And then start misting in the ${wetName}.`,
      `Before I forget: ${darkName} needs shade. ${wetName} needs mist.`,
      `Turn on two things for me, the mister of the ${wetName} and the shade of the ${darkName}.`,
    ),
  checks: ({ wet, dark }) => [
    { name: 'misting is on', test: final => find(final.houses, wet)?.misting === true },
    { name: 'the shade is drawn', test: final => find(final.houses, dark)?.shade === true },
  ],
  allow: ({ wet, dark }) => [`/houses/${wet}/misting`, `/houses/${dark}/shade`],
});
const clearCrop = template('clear-crop', {
  about: 'Clear the bench on which a crop grows.',
  split: 'train',
  sample({ benches }, random) {
    const { id, crop, label } = random.pick(benches);
    return { id, crop, label, n: random.between(0, 5) };
  },
  setup(draft, { id }) {
    need(draft.benches, id, 'bench').empty = false;
  },
  instruction: ({ n, crop, label }) =>
    say(
      n,
      `Clear the ${crop}.`,
      `All the ${crop} is sold. Clear its bench.`,
      `Bench ${label} can be cleared.`,
      `Please mark the bench with the ${crop} as clear, it went on the compost this morning.`,
      `We want to re-sow ${label}, so clear it first.`,
      `The ${crop} has mildew and is gone; the panel should know.`,
    ),
  checks: ({ id, label }) => [{ name: `${label} is clear`, test: final => find(final.benches, id)?.empty === true }],
  allow: ({ id }) => [`/benches/${id}/empty`],
});
const reorder = template('order-from-same-supplier', {
  about: 'Order trays of a crop from the supplier of the crop on the bench, and say who that is.',
  split: 'train',
  sample({ benches }, random) {
    const { id, crop, label, supplier } = random.pick(benches);
    return { id, crop, label, supplier, trays: `${random.between(2, 60)}`, n: random.between(0, 5) };
  },
  setup(draft, { id }) {
    need(draft.benches, id, 'bench').empty = false;
  },
  instruction: ({ n, crop, label, trays }) =>
    say(
      n,
      `${trays} more trays of ${crop}, same supplier as on bench ${label}. Who is it?`,
      `The ${crop} on ${label} did well. Order ${trays} trays where that seed came from, and tell me the supplier.`,
      `Find out who supplied the ${crop} (bench ${label}) and order ${trays} trays there. Answer with the supplier.`,
      `Who sent us the ${crop} on ${label}? Get ${trays} trays of it from them again, please.`,
      `We are short of ${crop}: ${trays} trays, from whoever is noted on bench ${label}. Let me know who.`,
      `Please repeat the ${crop} of bench ${label}, ${trays} trays, same source, and name it.`,
    ),
  checks: ({ crop, supplier, trays }) => [
    {
      name: 'one order was placed as told',
      test(final, initial) {
        const [made, ...more] = added(initial.orders, final.orders);
        return made?.crop === crop && made.supplier === supplier && made.trays === trays && more.length === 0;
      },
    },
  ],
  allow: () => ['/orders/+'],
  answer: ({ supplier }) => supplier,
  shown: ({ ui }, { id }) => ui.panel === 'Benches' && ui.bench === id,
});

export const app = defineApp({
  id: 'glasshouse',
  title: 'Glasshouse control',
  about: 'The control panel of a plant nursery.',
  state,
  init(random) {
    const houses = random.sample(names, 6).map((name, index) => ({
      id: `h${index}`,
      name,
      target: random.between(8, 26),
      misting: random.chance(0.4),
      shade: random.chance(0.4),
    }));
    const grown = random.shuffle(crops);
    const benches = grown.slice(0, 12).map((crop, index) => ({
      id: `b${index}`,
      house: random.pick(houses).id,
      label: `${random.pick(['N', 'S', 'W'])}${index + 10}`,
      crop,
      sown: random.pick(weeks),
      supplier: random.pick(suppliers),
      empty: random.chance(0.1),
    }));
    const orders = grown.slice(11).map((crop, index) => ({
      id: `o${index + 1}`,
      crop,
      supplier: random.pick(suppliers),
      trays: `${random.between(2, 60)}`,
    }));
    const ui = { panel: 'Houses' as const, house: '', bench: '', crop: '', supplier: '', trays: '', lamp: '' };
    return { houses, benches, orders, ui };
  },
  commands: [nudge, flip, clear, place, revoke, readings, swing, enter],
  view: nursery =>
    page('Glasshouse control', [
      navigation(
        'Panels',
        panels.slice(0, 3).map(to => link(to, swing.with({ panel: to, house: '', bench: '' }))),
      ),
      nursery.ui.lamp !== '' && alert(nursery.ui.lamp),
      panel(nursery),
    ]),
  templates: [setTarget, hotDay, clearCrop, reorder],
  onRefusal(draft, message) {
    draft.ui.lamp = message;
  },
});

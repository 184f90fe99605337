import {
  added,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  find,
  heading,
  link,
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  status,
  tab,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const stages = ['Wanted', 'Packed', 'On the van', 'Handed over'] as const;
const diets = ['no restriction', 'halal', 'vegetarian', 'vegan', 'gluten free', 'diabetic', 'kosher'];
const drivers = ['nobody', 'Mo', 'Moira', 'Old Pete', 'Petra', 'Sister Agnes'];
const sizes = ['small', 'medium', 'large'];

const state = z.object({
  homes: z.array(
    z.object({
      id: z.string(),
      family: z.string(),
      street: z.string(),
      heads: z.int(),
      diet: z.string(),
      doorbell: z.string(),
    }),
  ),
  parcels: z.array(
    z.object({
      id: z.string(),
      no: z.int(),
      home: z.string(),
      stage: z.enum(stages),
      size: z.string(),
      driver: z.string(),
    }),
  ),
  goods: z.array(z.object({ id: z.string(), what: z.string(), shelf: z.string(), units: z.int(), until: z.string() })),
  ui: z.object({
    room: z.enum(['board', 'families', 'pantry', 'slip']),
    home: z.string().nullable(),
    leaf: z.enum(['table', 'door', 'parcels']),
    shelf: z.string(),
    counting: z.boolean(),
    said: z.string(),
    slip: z.object({ family: z.string(), size: z.string(), driver: z.string() }),
  }),
});
type Bank = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const advance = command('move_parcel', {
  about: 'Move a parcel to another column of the board.',
  input: z.object({ id: z.string(), stage: z.enum(stages) }),
  run(draft, { id, stage }) {
    const parcel = need(draft.parcels, id, 'parcel');
    if (stage === 'On the van' && parcel.driver === 'nobody') refuse(`Parcel ${parcel.no} has no driver yet.`);
    parcel.stage = stage;
  },
});
const giveDriver = command('give_driver', {
  about: 'Say who drives a parcel.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!drivers.includes(value)) refuse('We have no such driver.');
    need(draft.parcels, id, 'parcel').driver = value;
  },
});
const setDiet = command('set_diet', {
  about: 'Change the diet of a household.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!diets.includes(value)) refuse('Not a diet of the list.');
    need(draft.homes, id, 'household').diet = value;
  },
});
const recount = command('recount_goods', {
  about: 'Write down how many units of something are on the shelf.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!/^\d{1,4}$/.test(value)) refuse('A whole number, please.');
    need(draft.goods, id, 'good').units = Number(value);
  },
});
const bin = command('bin_goods', {
  about: 'Throw away all that is left of something.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const good = need(draft.goods, id, 'good');
    if (good.units === 0) refuse('There is nothing left of it.');
    good.units = 0;
  },
});
const orderParcel = command('want_parcel', {
  about: 'Put a new parcel for a household on the board.',
  input: z.object({ family: z.string(), size: z.string(), driver: z.string() }),
  run(draft, { family, size, driver }) {
    const home = draft.homes.find(each => label(each) === family) ?? refuse('Choose a household.');
    if (!sizes.includes(size)) refuse('Choose a size.');
    if (!drivers.includes(driver)) refuse('Choose a driver.');
    const no = Math.max(...draft.parcels.map(each => each.no)) + 1;
    draft.parcels.push({ id: nextId(draft.parcels, 'p'), no, home: home.id, stage: 'Wanted', size, driver });
    Object.assign(draft.ui, { room: 'board', slip: { family: '', size: '', driver: 'nobody' } });
  },
});
const lookUp = query('look_up_family', {
  about: 'Households whose name contains a text, with their parcels.',
  input: z.object({ text: z.string() }),
  run: ({ homes, parcels }, input) =>
    homes
      .filter(({ family }) => family.toLowerCase().includes(input.text.toLowerCase()))
      .map(home => ({ ...home, parcels: parcels.filter(parcel => parcel.home === home.id) })),
});
const lookPantry = query('look_into_pantry', {
  about: 'Everything in the pantry.',
  input: z.object({}),
  run: ({ goods }) => goods,
});
const enter = gesture('enter_room', {
  about: 'Go to the board, the families, the pantry or the slip.',
  input: z.object({ room: z.enum(['board', 'families', 'pantry', 'slip']) }),
  run(draft, { room }) {
    Object.assign(draft.ui, { room, home: null, counting: false, said: '' });
  },
});
const openHome = gesture('open_family', {
  about: 'Open the card of a household.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { room: 'families', home: id, leaf: 'table', said: '' });
  },
});
const turnLeaf = gesture('turn_leaf', {
  about: 'Turn to another leaf of the card.',
  input: z.object({ leaf: z.enum(['table', 'door', 'parcels']) }),
  run(draft, { leaf }) {
    draft.ui.leaf = leaf;
  },
});
const pickShelf = gesture('pick_shelf', {
  about: 'Look at one shelf.',
  input: z.object({ shelf: z.string() }),
  run(draft, { shelf }) {
    draft.ui.shelf = shelf;
  },
});
const startCount = gesture('start_count', {
  about: 'Start or end counting.',
  input: z.object({ counting: z.boolean() }),
  run(draft, { counting }) {
    draft.ui.counting = counting;
  },
});
const writeSlip = gesture('write_slip', {
  about: 'Fill the slip of a new parcel.',
  input: z.object({ field: z.enum(['family', 'size', 'driver']), value: z.string() }),
  run(draft, { field, value }) {
    draft.ui.slip[field] = value;
  },
});

function label({ family, street }: { family: string; street: string }): string {
  return `${family}, ${street}`;
}
function board({ parcels, homes }: Bank) {
  return region(
    'Board',
    stages.map((stage, index) =>
      list(
        stage,
        parcels
          .filter(parcel => parcel.stage === stage)
          .map(({ id, no, home, size, driver }) => {
            const next = stages[index + 1];
            return listItem(`${no}`, [
              text(`${size}, driver ${driver}`),
              link(`${label(need(homes, home, 'household'))} (${no})`, openHome.with({ id: home })),
              next !== undefined && button(`${no} ▸ ${next}`, advance.with({ id, stage: next })),
            ]);
          }),
      ),
    ),
  );
}
function card({ parcels, ui }: Bank, home: Bank['homes'][number]) {
  const leaves = { table: 'At the table', door: 'At the door', parcels: 'Their parcels' } as const;
  return region(home.family, [
    heading(`${home.family} household`),
    navigation(
      'Leaves',
      (['table', 'door', 'parcels'] as const).map(leaf =>
        tab(leaves[leaf], turnLeaf.with({ leaf }), leaf === ui.leaf ? ['selected'] : undefined),
      ),
    ),
    ui.leaf === 'table' && text(`${home.heads} people`),
    ui.leaf === 'table' && combobox('Eats', home.diet, { enter: setDiet.entering({ id: home.id }), options: diets }),
    ui.leaf === 'door' && text(`Street: ${home.street}`),
    ui.leaf === 'door' && text(`Doorbell says: ${home.doorbell}`),
    ...(ui.leaf === 'parcels'
      ? parcels
          .filter(parcel => parcel.home === home.id)
          .map(({ id, no, stage, size, driver }) =>
            combobox(`Driver of ${no} (${size}, ${stage})`, driver, {
              enter: giveDriver.entering({ id }),
              options: drivers,
            }),
          )
      : []),
  ]);
}
function pantry({ goods, ui }: Bank) {
  return region('Pantry', [
    navigation(
      'Shelves',
      ['A', 'B', 'C', 'D'].map(shelf =>
        tab(`Shelf ${shelf}`, pickShelf.with({ shelf }), shelf === ui.shelf ? ['selected'] : undefined),
      ),
    ),
    status(ui.counting ? 'Counting: figures can be changed' : 'Figures are locked'),
    button(ui.counting ? 'Stop counting' : 'Begin a count', startCount.with({ counting: !ui.counting })),
    table(
      `On shelf ${ui.shelf}`,
      goods
        .filter(({ shelf }) => shelf === ui.shelf)
        .map(({ id, what, units, until }) =>
          row(what, [
            ui.counting
              ? textbox(`Units of ${what}`, `${units}`, { enter: recount.entering({ id }) })
              : cell(`${units} units`),
            cell(`good until ${until}`),
            units > 0 && button(`Bin ${what}`, bin.with({ id })),
          ]),
        ),
    ),
  ]);
}

const parcelPacked = template('parcel-moves-on', {
  about: 'Move the parcel of a household one column on.',
  split: 'train',
  sample({ parcels, homes }, random) {
    const { id, no, home, stage } = random.pick(parcels.filter(each => each.stage === 'Wanted'));
    return { id, no, stage, household: label(need(homes, home, 'household')) };
  },
  setup(draft, { id }) {
    const home = need(draft.parcels, id, 'parcel').home;
    for (const other of draft.parcels) if (other.home === home && other.id !== id) other.stage = 'Handed over';
  },
  instruction: ({ household }, random) =>
    random.pick([
      `The parcel for ${household} is taped up and ready; it was still wanted this morning. Show that on the board.`,
      `${household}: their wanted parcel is packed now.`,
      `I just finished packing for ${household}. Move it along one column.`,
    ]),
  checks: ({ id }) => [{ name: 'the parcel is packed', test: final => find(final.parcels, id)?.stage === 'Packed' }],
  allow: ({ id }) => [`/parcels/${id}/stage`],
});
const diet = template('diet-of-family', {
  about: 'Make sure a household has a diet; it may have it already.',
  split: 'train',
  kind: 'already-done',
  sample({ homes }, random) {
    const home = random.pick(homes);
    const [now, wanted] = random.sample(diets, 2) as [string, string];
    return { id: home.id, household: label(home), now, wanted, change: random.chance(0.5) };
  },
  isTwin: ({ change }) => change,
  setup(draft, { id, now, wanted, change }) {
    need(draft.homes, id, 'household').diet = change ? now : wanted;
  },
  instruction: ({ household, wanted }, random) =>
    random.pick([
      `Make sure the card of ${household} says ${wanted}.`,
      `The doctor says ${wanted} for the family ${household}. See that the pantry knows; somebody may have noted it.`,
      `${household} should be down as ${wanted}. Check, and correct it if it is not so.`,
    ]),
  checks: ({ id, wanted }) => [
    { name: `the diet is ${wanted}`, test: final => find(final.homes, id)?.diet === wanted },
  ],
  allow: ({ id }) => [`/homes/${id}/diet`],
  shown: ({ ui }, { id }) => ui.home === id && ui.leaf === 'table',
});
const vanLoad = template('load-the-van', {
  about: 'Load every packed parcel of a driver onto the van.',
  split: 'train',
  sample({ parcels }, random) {
    const driver = random.pick(drivers.slice(1));
    const ids = parcels.filter(each => each.stage === 'Packed' && each.driver === driver).map(({ id }) => id);
    return ids.length < 1 || ids.length > 3 ? null : { driver, ids };
  },
  instruction: ({ driver }, random) =>
    random.pick([
      `${driver} is here. All that is packed and goes with ${driver} is on the van now.`,
      `Put every packed parcel of the driver ${driver} on the van.`,
      `Loading for ${driver}: whichever parcels are packed and carry that name go onto the van. Not the others.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({
      name: `${id} is on the van`,
      test: (final: Bank) => find(final.parcels, id)?.stage === 'On the van',
    })),
  allow: ({ ids }) => ids.map(id => `/parcels/${id}/stage`),
});
const oldest = template('bin-soonest', {
  about: 'Bin what expires first on a shelf.',
  split: 'train',
  sample({ goods }, random) {
    const shelf = random.pick(['A', 'B', 'C', 'D']);
    const left = goods
      .filter(good => good.shelf === shelf && good.units > 0)
      .sort((a, b) => (a.until < b.until ? -1 : 1));
    const [first, second] = left;
    return first === undefined || second === undefined || first.until === second.until ? null : { shelf, id: first.id };
  },
  instruction: ({ shelf }, random) =>
    random.pick([
      `Bin whatever on shelf ${shelf} has the earliest date and is not used up.`,
      `Something on shelf ${shelf} smells. It will be the thing that goes off first. Throw it out, everything we have of it.`,
      `Shelf ${shelf}: out with the item whose date comes first (of those we still have).`,
    ]),
  checks: ({ id }) => [{ name: 'nothing of it is left', test: final => find(final.goods, id)?.units === 0 }],
  allow: ({ id }) => [`/goods/${id}/units`],
});
const count = template('correct-the-count', {
  about: 'Correct the number of units of something; figures are locked at first.',
  split: 'train',
  sample({ goods }, random) {
    const { id, what, shelf, units } = random.pick(goods);
    return { id, what, shelf, units: `${units + random.between(3, 40)}` };
  },
  instruction: ({ what, shelf, units }, random) =>
    random.pick([
      `Shelf ${shelf}: ${units} units of ${what}, I counted twice.`,
      `The figure for ${what} on shelf ${shelf} is wrong. There are ${units}.`,
      `A donation came in and we now have ${units} of ${what}, on shelf ${shelf}. Correct the pantry list please.`,
    ]),
  checks: ({ id, units }) => [
    { name: `there are ${units}`, test: final => find(final.goods, id)?.units === Number(units) },
  ],
  allow: ({ id }) => [`/goods/${id}/units`],
});
const whichStreet = template('bell-of-parcel', {
  about: 'Tell what the doorbell says where a parcel goes.',
  split: 'train',
  sample({ parcels, homes }, random) {
    const { no, home } = random.pick(parcels);
    return { no, home, bell: need(homes, home, 'household').doorbell };
  },
  instruction: ({ no }, random) =>
    random.pick([
      `I stand in the street with parcel ${no}. What does the doorbell say?`,
      `Which name is on the bell for parcel ${no}?`,
      `Parcel ${no} came back, the driver rang at the wrong bell. What should it read?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ bell }) => bell,
  shown: ({ ui }, { home }) => ui.home === home && ui.leaf === 'door',
});
const newParcel = template('new-parcel', {
  about: 'Put a parcel for a household on the board.',
  split: 'train',
  sample({ homes }, random) {
    const home = random.pick(homes);
    return { home: home.id, household: label(home), size: random.pick(sizes), driver: random.pick(drivers.slice(1)) };
  },
  instruction: ({ household, size, driver }, random) =>
    random.pick([
      `One ${size} parcel for ${household}; ${driver} will drive it.`,
      `${household} called. They need a ${size} one this week. ${driver} has time to bring it over.`,
      `New on the board please: ${household}, ${size}, with ${driver}.`,
    ]),
  checks: ({ home, size, driver }) => [
    {
      name: 'one parcel was added, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.parcels, final.parcels);
        return (
          more.length === 0 &&
          made?.home === home &&
          made.size === size &&
          made.driver === driver &&
          made.stage === 'Wanted'
        );
      },
    },
  ],
  allow: () => ['/parcels/+'],
});

const families = ['Brandt', 'Brand', 'Okoro', 'Nilsen', 'Nielsen', 'Ferreira', 'Haddad', 'Lamb', 'Lambert', 'Sokol'];
const streets = ['Quay Street', 'Upper Quay', 'Mill Lane', 'Old Mill Road', 'Chapel Hill'];
const stock = [
  'chickpeas',
  'chopped tomatoes',
  'tomato soup',
  'rice',
  'rice pudding',
  'oat milk',
  'oats',
  'peanut butter',
  'peach halves',
  'pasta',
  'lentils',
  'lentil stew',
  'tuna',
  'tea bags',
  'sugar',
  'baby food',
  'flour',
  'crispbread',
  'honey',
  'sardines',
];

export const app = defineApp({
  id: 'food-parcels',
  title: 'Crate & Kettle food bank',
  about: 'Parcels, households and the pantry of a food bank.',
  state,
  init(random): Bank {
    const homes = random
      .shuffle(families.flatMap(family => random.sample(streets, 2).map(street => ({ family, street }))))
      .map(({ family, street }, index) => ({
        id: `h${index + 1}`,
        family,
        street,
        heads: random.between(1, 7),
        diet: random.pick(diets),
        doorbell: `${random.pick(['Flat', 'Top', 'Rear', 'Yard', 'Attic', 'Left'])} ${random.between(2, 99)}`,
      }));
    return {
      homes,
      parcels: random.shuffle(homes).map(({ id }, index) => ({
        id: `p${index + 1}`,
        no: 410 + index,
        home: id,
        stage: stages[index % 4] as (typeof stages)[number],
        size: random.pick(sizes),
        driver: random.pick(drivers),
      })),
      goods: random.shuffle(stock).map((what, index) => ({
        id: `g${index + 1}`,
        what,
        shelf: ['A', 'B', 'C', 'D'][index % 4] as string,
        units: random.chance(0.1) ? 0 : random.between(2, 60),
        until: `2027-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(10, 28))}`,
      })),
      ui: {
        room: 'board',
        home: null,
        leaf: 'table',
        shelf: 'A',
        counting: false,
        said: '',
        slip: { family: '', size: '', driver: 'nobody' },
      },
    };
  },
  commands: [
    advance,
    giveDriver,
    setDiet,
    recount,
    bin,
    orderParcel,
    lookUp,
    lookPantry,
    enter,
    openHome,
    turnLeaf,
    pickShelf,
    startCount,
    writeSlip,
  ],
  view(bank) {
    const { homes, ui } = bank;
    const home = find(homes, ui.home ?? '');
    return page('Crate & Kettle', [
      navigation('Rooms', [
        button('Board', enter.with({ room: 'board' })),
        button('Families', enter.with({ room: 'families' })),
        button('Pantry', enter.with({ room: 'pantry' })),
        button('Want a parcel', enter.with({ room: 'slip' })),
      ]),
      ui.said !== '' && status(ui.said),
      ui.room === 'board' && board(bank),
      ui.room === 'pantry' && pantry(bank),
      ui.room === 'families' && home !== undefined && card(bank, home),
      ui.room === 'families' &&
        home === undefined &&
        list(
          'Families',
          homes.map(each => link(label(each), openHome.with({ id: each.id }))),
          { shuffle: true },
        ),
      ui.room === 'slip' &&
        region('New parcel', [
          combobox('Household', ui.slip.family, {
            enter: writeSlip.entering({ field: 'family' }),
            options: homes.map(label),
          }),
          combobox('Size', ui.slip.size, { enter: writeSlip.entering({ field: 'size' }), options: sizes }),
          combobox('Driver', ui.slip.driver, { enter: writeSlip.entering({ field: 'driver' }), options: drivers }),
          button('Pin to the board', orderParcel.with(ui.slip)),
        ]),
    ]);
  },
  templates: [parcelPacked, diet, vanLoad, oldest, count, whichStreet, newParcel],
  onRefusal(draft, message) {
    draft.ui.said = message;
  },
});

import {
  alert,
  appKit,
  button,
  combobox,
  defineApp,
  find,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  navigation,
  need,
  page,
  refuse,
  region,
  status,
  text,
  textbox,
  z,
} from 'espalier';

// The instrument room of a youth orchestra: shelves inside sections, and a label on every case.
const sections: Record<string, readonly string[]> = {
  Strings: ['Violin', 'Viola', 'Cello'],
  Woodwind: ['Flute', 'Oboe', 'Bassoon'],
  Brass: ['Horn', 'Trombone'],
};
const makers = ['Hartl', 'Hartmann', 'Roux', 'Leroux', 'Okuda'];
const rooms = ['Cellar', 'Tower room', 'Attic', 'Green room'];
const fees = ['12', '15', '18', '22', '26', '30', '35', '40'];
const players = [
  'Nele Brandt',
  'Nelly Brand',
  'Kofi Asante',
  'Kofi Annor',
  'Rosa Dietl',
  'Rose Diehl',
  'Emil Sund',
  'Emilia Sand',
  'Jaro Novak',
  'Vera Novakova',
];

const instrument = z.object({
  id: z.string(),
  tag: z.string(),
  shelf: z.string(),
  maker: z.string(),
  built: z.int(),
  room: z.string(),
  fee: z.string(),
  player: z.string().nullable(),
  toLuthier: z.boolean(),
});
const state = z.object({
  instruments: z.array(instrument),
  ui: z.object({
    section: z.string().nullable(),
    shelf: z.string().nullable(),
    tag: z.string().nullable(),
    unfolded: z.enum(['', 'case', 'rooms']),
    player: z.string(),
    word: z.string(),
  }),
});
type Room = z.infer<typeof state>;
type Instrument = z.infer<typeof instrument>;
const { command, gesture, query, template } = appKit(state);

const letOut = command('let_out', {
  about: 'Let an instrument out to a player.',
  input: z.object({ id: z.string(), player: z.string().trim().min(3, 'Write the name of the player.') }),
  run(draft, { id, player }) {
    const wanted = need(draft.instruments, id, 'instrument');
    if (wanted.player !== null) refuse(`${wanted.tag} is with ${wanted.player}.`);
    wanted.player = player;
    Object.assign(draft.ui, { player: '', word: `${wanted.tag} goes to ${player}.` });
  },
});
const takeIn = command('take_in', {
  about: 'Take an instrument in from its player.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const back = need(draft.instruments, id, 'instrument');
    if (back.player === null) refuse(`${back.tag} is not out.`);
    Object.assign(back, { player: null });
    draft.ui.word = `${back.tag} is in.`;
  },
});
const carry = command('carry_to', {
  about: 'Carry an instrument to another room.',
  input: z.object({ id: z.string(), room: z.string() }),
  run(draft, { id, room }) {
    if (!rooms.includes(room)) refuse(`There is no ${room}.`);
    need(draft.instruments, id, 'instrument').room = room;
    draft.ui.unfolded = '';
  },
});
const charge = command('charge', {
  about: 'Set the monthly fee of an instrument.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    need(draft.instruments, id, 'instrument').fee = value;
  },
});
const flag = command('flag_for_luthier', {
  about: 'Say whether an instrument has to go to the luthier.',
  input: z.object({ id: z.string(), wanted: z.boolean() }),
  run(draft, { id, wanted }) {
    need(draft.instruments, id, 'instrument').toLuthier = wanted;
    draft.ui.unfolded = '';
  },
});
const inventory = query('inventory', {
  about: 'List all instruments of a shelf, such as "Viola".',
  input: z.object({ shelf: z.string() }),
  run: ({ instruments }, { shelf }) => instruments.filter(item => item.shelf === shelf),
});
const go = gesture('go_to', {
  about: 'Go to a section, a shelf or one instrument.',
  input: z.object({ section: z.string().nullable(), shelf: z.string().nullable(), tag: z.string().nullable() }),
  run(draft, where) {
    Object.assign(draft.ui, { ...where, unfolded: '', player: '', word: '' });
  },
});
const unfold = gesture('unfold', {
  about: 'Open a menu of the label, or close it.',
  input: z.object({ what: z.enum(['', 'case', 'rooms']) }),
  run(draft, { what }) {
    draft.ui.unfolded = what;
  },
});
const namePlayer = gesture('name_player', {
  about: 'Write the name of a player.',
  input: z.object({ value: z.string().max(40) }),
  run(draft, { value }) {
    draft.ui.player = value;
  },
});

function label({ ui }: Room, item: Instrument) {
  const { id } = item;
  return region(`Label of ${item.tag}`, [
    heading(item.tag),
    text(`${item.maker}, built ${item.built}`),
    text(`Kept in: ${item.room}`),
    status(item.player === null ? 'In the house' : `With ${item.player}`),
    item.toLuthier && text('Goes to the luthier'),
    combobox('Monthly fee', item.fee, { enter: charge.entering({ id }), options: fees }),
    item.player === null
      ? region('Hire', [
          textbox('Player', ui.player, { enter: namePlayer.entering({}) }),
          button('Let out', letOut.with({ id, player: ui.player })),
        ])
      : button('Take in', takeIn.with({ id })),
    button(
      'The case',
      unfold.with({ what: ui.unfolded === '' ? 'case' : '' }),
      ui.unfolded === '' ? undefined : ['expanded'],
    ),
    ui.unfolded !== '' &&
      menu('The case', [
        menuItem(
          item.toLuthier ? 'Luthier not needed' : 'Needs the luthier',
          flag.with({ id, wanted: !item.toLuthier }),
        ),
        menuItem('Carry to', unfold.with({ what: 'rooms' }), ui.unfolded === 'rooms' ? ['expanded'] : undefined),
        ui.unfolded === 'rooms' &&
          menu(
            'Carry to',
            rooms.filter(room => room !== item.room).map(room => menuItem(room, carry.with({ id, room }))),
          ),
      ]),
  ]);
}

function browse(room: Room) {
  const { section, shelf } = room.ui;
  if (section === null)
    return list(
      'Sections',
      Object.keys(sections).map(name => link(name, go.with({ section: name, shelf: null, tag: null }))),
    );
  if (shelf === null)
    return list(
      section,
      (sections[section] ?? []).map(name => link(`${name} shelf`, go.with({ section, shelf: name, tag: null }))),
    );
  return list(
    `${shelf} shelf`,
    room.instruments
      .filter(item => item.shelf === shelf)
      .map(item =>
        listItem(item.tag, [
          link(item.tag, go.with({ section, shelf, tag: item.id })),
          text(`${item.maker}, ${item.built}`),
          text(item.player === null ? 'in' : 'out'),
          text(item.room),
        ]),
      ),
  );
}

const onShelf = (room: Room, shelf: string) => room.instruments.filter(item => item.shelf === shelf);
const allShelves = Object.values(sections).flat();
const free = (draft: Room, id: string) => Object.assign(need(draft.instruments, id, 'instrument'), { player: null });

const hire = template('let-instrument-out', {
  about: 'Let a named instrument out to a player.',
  split: 'train',
  sample({ instruments }, random) {
    const { id, tag } = random.pick(instruments);
    return { id, tag, player: random.pick(players) };
  },
  setup: (draft, { id }) => void free(draft, id),
  instruction: ({ tag, player }, random) =>
    random.pick([
      `${tag} goes to ${player}.`,
      `${player} is at the door and wants to take ${tag} home. Let it out to them.`,
      `From this week on ${player} plays ${tag}; please enter the hire.`,
      `let out ${tag} to ${player}, thx`,
    ]),
  checks: ({ id, player }) => [
    { name: `with ${player}`, test: ({ instruments }) => find(instruments, id)?.player === player },
  ],
  allow: ({ id }) => [`/instruments/${id}/player`],
});

const oldest = template('let-oldest-out', {
  about: 'Let the oldest free instrument of a shelf out to a player.',
  split: 'train',
  sample(room, random) {
    const shelf = random.pick(allShelves);
    const [best, ...rest] = random.shuffle(onShelf(room, shelf));
    if (best === undefined || rest[0] === undefined) return null;
    return { shelf, id: best.id, older: rest[0].id, player: random.pick(players), other: random.pick(players) };
  },
  setup(draft, { id, older, other, shelf }) {
    for (const item of onShelf(draft, shelf)) item.built = Math.max(item.built, 1925);
    Object.assign(need(draft.instruments, id, 'instrument'), { player: null, built: 1911 });
    Object.assign(need(draft.instruments, older, 'instrument'), { player: other, built: 1887 });
  },
  instruction: ({ shelf, player }, random) =>
    random.pick([
      `Let the oldest ${shelf.toLowerCase()} that is in the house out to ${player}.`,
      `${player} may have a ${shelf.toLowerCase()}: the oldest one nobody else has.`,
      `Of every ${shelf.toLowerCase()} that is not out, find the one built first. ${player} gets it.`,
    ]),
  checks: ({ id, player }) => [
    { name: `with ${player}`, test: ({ instruments }) => find(instruments, id)?.player === player },
  ],
  allow: ({ id }) => [`/instruments/${id}/player`],
});

const carryOne = template('carry-to-room', {
  about: 'Carry an instrument to another room.',
  split: 'train',
  sample({ instruments }, random) {
    const { id, tag, room } = random.pick(instruments);
    return { id, tag, to: random.pick(rooms.filter(item => item !== room)) };
  },
  instruction: ({ tag, to }, random) =>
    random.pick([
      `${tag} now stands in the ${to}.`,
      `Too damp where it is! Note that ${tag} was carried to the ${to}.`,
      `Change where ${tag} is kept: ${to}.`,
    ]),
  checks: ({ id, to }) => [{ name: `in the ${to}`, test: ({ instruments }) => find(instruments, id)?.room === to }],
  allow: ({ id }) => [`/instruments/${id}/room`],
});

const luthier = template('flag-maker-in-room', {
  about: 'Flag all instruments of a shelf by one maker that are kept in one room.',
  split: 'train',
  sample(room, random) {
    const shelf = random.pick(allShelves);
    const items = random.sample(onShelf(room, shelf), 4).map(({ id }) => id);
    const [maker, otherMaker] = random.sample(makers, 2) as [string, string];
    const [place, elsewhere] = random.sample(rooms, 2) as [string, string];
    return {
      shelf,
      maker,
      otherMaker,
      place,
      elsewhere,
      ids: items.slice(0, 2),
      near: items[2] ?? '',
      close: items[3] ?? '',
    };
  },
  setup(draft, { shelf, maker, otherMaker, place, elsewhere, ids, near, close }) {
    for (const item of onShelf(draft, shelf)) {
      const wanted = ids.includes(item.id);
      if (wanted || item.id === near) Object.assign(item, { maker, room: wanted ? place : elsewhere });
      else if (item.id === close || item.room === place) Object.assign(item, { maker: otherMaker, room: place });
      item.toLuthier = false;
    }
  },
  instruction: ({ shelf, maker, place }, random) =>
    random.pick([
      `Every ${shelf.toLowerCase()} by ${maker} in the ${place} needs the luthier.`,
      `Woodworm in the ${place}, and it likes ${maker} glue. Flag each ${shelf.toLowerCase()} by ${maker} that is kept there for the luthier.`,
      `The luthier will look at ${shelf.toLowerCase()}s: made by ${maker} and kept in the ${place}, both. Mark them, no others.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({
      name: `${id} needs the luthier`,
      test: ({ instruments }) => find(instruments, id)?.toLuthier === true,
    })),
  allow: ({ ids }) => ids.map(id => `/instruments/${id}/toLuthier`),
});

const sameFee = template('same-fee-as', {
  about: 'Charge for one instrument what another costs.',
  split: 'train',
  sample({ instruments }, random) {
    const [one, two] = random.sample(instruments, 2) as [Instrument, Instrument];
    const fee = random.pick(fees.filter(item => item !== one.fee));
    return { id: one.id, tag: one.tag, model: two.id, like: two.tag, fee };
  },
  setup(draft, { model, fee }) {
    need(draft.instruments, model, 'instrument').fee = fee;
  },
  instruction: ({ tag, like }, random) =>
    random.pick([
      `${tag} should cost the same per month as ${like}. Tell me how much that is.`,
      `Look up the fee of ${like} and charge that for ${tag}, too. What was it?`,
      `Why do ${tag} and ${like} differ in price? Bring ${tag} in line with the other, and answer with the fee.`,
    ]),
  checks: ({ id, fee }) => [
    { name: 'the fee is the same', test: ({ instruments }) => find(instruments, id)?.fee === fee },
  ],
  allow: ({ id }) => [`/instruments/${id}/fee`],
  answer: ({ fee }) => fee,
  shown: ({ ui }, { model }) => ui.tag === model,
});

const whoPlays = template('who-plays', {
  about: 'Say who has the instrument of a maker and year.',
  split: 'train',
  sample({ instruments }, random) {
    const { id, shelf, maker } = random.pick(instruments);
    return { id, shelf, maker, built: random.between(1890, 1924), player: random.pick(players) };
  },
  setup(draft, { id, built, player }) {
    Object.assign(need(draft.instruments, id, 'instrument'), { built, player });
  },
  instruction: ({ shelf, maker, built }, random) =>
    random.pick([
      `Who plays the ${maker} ${shelf.toLowerCase()} of ${built}?`,
      `The insurance asks with whom the ${shelf.toLowerCase()} is that ${maker} built in ${built}. Answer with the name.`,
      `Name of the player who has our ${built} ${maker} (a ${shelf.toLowerCase()})?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ player }) => player,
  shown: ({ ui }, { id }) => ui.tag === id,
});

const unlessOut = template('let-out-unless-out', {
  about: 'Let an instrument out to a player; impossible when someone else has it.',
  split: 'train',
  kind: 'infeasible',
  sample({ instruments }, random) {
    const { id, tag } = random.pick(instruments);
    const [player, other] = random.sample(players, 2) as [string, string];
    return { id, tag, player, other, isIn: random.chance(0.5) };
  },
  isTwin: ({ isIn }) => isIn,
  setup(draft, { id, other, isIn }) {
    Object.assign(need(draft.instruments, id, 'instrument'), { player: isIn ? null : other });
  },
  instruction: ({ tag, player }, random) =>
    random.pick([
      `${player} would like ${tag}. Let it out, but do not take it from anyone.`,
      `Enter a hire for ${player}: ${tag}. Nobody else should lose theirs over it.`,
      `${player} for ${tag}, running hires stay as they are.`,
    ]),
  checks: ({ id, player, isIn }) => [
    { name: `with ${player}`, test: ({ instruments }) => isIn && find(instruments, id)?.player === player },
  ],
  allow: ({ id, isIn }) => (isIn ? [`/instruments/${id}/player`] : []),
  shown: ({ ui }, { id }) => ui.tag === id,
});

export const app = defineApp({
  id: 'instrument-hire',
  title: 'Instrument room',
  about: 'Instruments of a youth orchestra: where they are kept and who has hired them.',
  state,
  init(random): Room {
    const tags = allShelves.flatMap(shelf =>
      Array.from({ length: 5 }, (_, index) => ({ shelf, tag: `${shelf} ${index + 1}` })),
    );
    return {
      instruments: random.shuffle(tags).map(({ shelf, tag }, index) => ({
        id: `n${index + 1}`,
        tag,
        shelf,
        maker: random.pick(makers),
        built: random.between(1926, 2015),
        room: random.pick(rooms),
        fee: random.pick(fees),
        player: random.chance(0.4) ? random.pick(players) : null,
        toLuthier: false,
      })),
      ui: { section: null, shelf: null, tag: null, unfolded: '', player: '', word: '' },
    };
  },
  commands: [letOut, takeIn, carry, charge, flag, inventory, go, unfold, namePlayer],
  view(room) {
    const { section, shelf, tag, word } = room.ui;
    const item = find(room.instruments, tag ?? '');
    return page('Instrument room', [
      navigation('Where you are', [
        link('Whole room', go.with({ section: null, shelf: null, tag: null })),
        section !== null && link(section, go.with({ section, shelf: null, tag: null })),
        shelf !== null && link(`All of ${shelf}`, go.with({ section, shelf, tag: null })),
      ]),
      word !== '' && alert(word),
      item === undefined ? browse(room) : label(room, item),
    ]);
  },
  templates: [hire, oldest, carryOne, luthier, sameFee, whoPlays, unlessOut],
  onRefusal(draft, message) {
    draft.ui.word = message;
  },
});

import {
  added,
  alert,
  appKit,
  button,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  remove,
  status,
  text,
  textbox,
  z,
} from 'espalier';

// Harbour office: ships expected and moored, berths along three piers, the log of the harbour master.
const piers = ['Pier A', 'Pier B', 'Pier C'];
const state = z.object({
  berths: z.array(
    z.object({ id: z.string(), name: z.string(), pier: z.string(), metres: z.int(), power: z.boolean() }),
  ),
  ships: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      flag: z.string(),
      metres: z.int(),
      cargo: z.string(),
      berth: z.string().nullable(),
      pilot: z.string(),
    }),
  ),
  log: z.array(z.object({ id: z.string(), about: z.string(), entry: z.string() })),
  ui: z.object({
    where: z.string(),
    ship: z.string(),
    pier: z.string(),
    mooring: z.boolean(),
    berth: z.string(),
    entry: z.string(),
    about: z.string(),
    voice: z.string(),
  }),
});
type Harbour = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const pilots = ['none', 'J. Marr', 'O. Stenberg', 'L. Pagonis'];

const moor = command('moor_ship', {
  about: 'Give a ship a berth.',
  input: z.object({ ship: z.string(), berth: z.string() }),
  run(draft, { ship, berth }) {
    const it = need(draft.ships, ship, 'ship');
    const place = find(draft.berths, berth) ?? refuse('Pick a berth.');
    const other = draft.ships.find(one => one.berth === berth && one.id !== ship);
    if (other !== undefined) refuse(`${place.name} is occupied by ${other.name}.`);
    if (it.metres > place.metres) refuse(`${it.name} is too long for ${place.name}.`);
    it.berth = berth;
    Object.assign(draft.ui, { mooring: false, berth: '', voice: `${it.name} may proceed to ${place.name}.` });
  },
});
const castOff = command('cast_off', {
  about: 'Let a moored ship leave its berth for the roadstead.',
  input: z.object({ ship: z.string() }),
  run(draft, { ship }) {
    const it = need(draft.ships, ship, 'ship');
    if (it.berth === null) refuse(`${it.name} is not moored.`);
    it.berth = null;
    draft.ui.voice = `${it.name} has cast off.`;
  },
});
const engage = command('engage_pilot', {
  about: 'Assign a pilot to a ship.',
  input: z.object({ ship: z.string(), value: z.string() }),
  run(draft, { ship, value }) {
    if (!pilots.includes(value)) refuse('No such pilot.');
    need(draft.ships, ship, 'ship').pilot = value;
  },
});
const writeLog = command('write_log', {
  about: 'Write into the log about a ship.',
  input: z.object({ about: z.string(), entry: z.string().trim().min(1, 'Nothing to log.') }),
  run(draft, { about, entry }) {
    if (!draft.ships.some(({ name }) => name === about)) refuse('Which ship?');
    draft.log.push({ id: nextId(draft.log, 'l'), about, entry });
    Object.assign(draft.ui, { about: '', entry: '', voice: 'Logged.' });
  },
});
const strike = command('strike_log', {
  about: 'Strike an entry out of the log.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.log, id, 'entry');
    remove(draft.log, id);
    draft.ui.voice = 'Struck out.';
  },
});
const ships = query('list_ships', {
  about: 'List all ships with their berths.',
  input: z.object({}),
  run: harbour =>
    harbour.ships.map(it => ({ ...it, berthName: find(harbour.berths, it.berth ?? '')?.name ?? 'roadstead' })),
});
const sail = gesture('sail_to', {
  about: 'Change what is shown.',
  input: z.object({ where: z.string(), ship: z.string(), pier: z.string() }),
  run(draft, { where, ship, pier }) {
    Object.assign(draft.ui, { where, ship, pier, mooring: false, berth: '', entry: '', about: '', voice: '' });
  },
});
const openMooring = gesture('open_mooring', {
  about: 'Start to choose a berth.',
  input: z.object({ open: z.boolean() }),
  run(draft, { open }) {
    Object.assign(draft.ui, { mooring: open, berth: '', voice: '' });
  },
});
const pickBerth = gesture('pick_berth', {
  about: 'Choose a berth.',
  input: z.object({ berth: z.string() }),
  run(draft, { berth }) {
    draft.ui.berth = berth;
  },
});
const note = gesture('note', {
  about: 'Prepare a log entry.',
  input: z.object({ field: z.enum(['about', 'entry']), value: z.string().max(100) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function content(harbour: Harbour) {
  const { berths, ui, log } = harbour;
  if (ui.where === 'piers')
    return [
      region(
        'Piers',
        piers.map(pier =>
          button(pier, sail.with({ where: 'piers', ship: '', pier }), pier === ui.pier ? ['pressed'] : []),
        ),
      ),
      list(
        `Berths of ${ui.pier}`,
        berths
          .filter(({ pier }) => pier === ui.pier)
          .map(it => {
            const lying = harbour.ships.find(({ berth }) => berth === it.id);
            return listItem(`${it.name}: ${it.metres} m, ${it.power ? 'shore power' : 'no shore power'}`, [
              lying === undefined
                ? text('free')
                : link(lying.name, sail.with({ where: 'ship', ship: lying.id, pier: '' })),
            ]);
          }),
      ),
    ];
  if (ui.where === 'log')
    return [
      list(
        'Log',
        log.map(it =>
          listItem(`${it.about}: ${it.entry}`, [
            button(`Strike out “${it.about}: ${it.entry}”`, strike.with({ id: it.id })),
          ]),
        ),
      ),
      form('New entry', [
        combobox('Concerning', ui.about, {
          enter: note.entering({ field: 'about' }),
          options: harbour.ships.map(({ name }) => name),
        }),
        textbox('Entry', ui.entry, { enter: note.entering({ field: 'entry' }) }),
        button('Log it', writeLog.with({ about: ui.about, entry: ui.entry })),
      ]),
    ];
  if (ui.where === 'ship') {
    const it = need(harbour.ships, ui.ship, 'ship');
    const at = find(berths, it.berth ?? '');
    if (ui.mooring)
      return [
        heading(`A berth for ${it.name} (${it.metres} m)`),
        ...berths
          .filter(({ id }) => !harbour.ships.some(({ berth }) => berth === id))
          .map(({ id, name, metres }) => radio(`${name}, ${metres} m`, ui.berth === id, pickBerth.with({ berth: id }))),
        button('Assign berth', moor.with({ ship: it.id, berth: ui.berth })),
        button('Back to the ship', openMooring.with({ open: false })),
      ];
    return [
      heading(`MV ${it.name}`),
      text(`Flag ${it.flag}`),
      text(`Length ${it.metres} m`),
      text(`Cargo ${it.cargo}`),
      status(at === undefined ? 'Waiting in the roadstead' : `Moored at ${at.name}`),
      combobox('Pilot', it.pilot, { enter: engage.entering({ ship: it.id }), options: pilots }),
      button(at === undefined ? 'Assign a berth…' : 'Shift to another berth…', openMooring.with({ open: true })),
      at !== undefined && button('Cast off', castOff.with({ ship: it.id })),
    ];
  }
  const group = (title: string, those: Harbour['ships']) =>
    list(
      title,
      those.map(it => listItem(it.name, [link(it.name, sail.with({ where: 'ship', ship: it.id, pier: '' }))])),
    );
  return [
    group(
      'Waiting in the roadstead',
      harbour.ships.filter(({ berth }) => berth === null),
    ),
    group(
      'In harbour',
      harbour.ships.filter(({ berth }) => berth !== null),
    ),
  ];
}

const free = ({ berths, ships: all }: Harbour) => berths.filter(({ id }) => !all.some(({ berth }) => berth === id));

const moorTask = template('assign-berth', {
  about: 'Give a waiting ship a named berth.',
  split: 'test',
  sample(harbour, random) {
    const ship = random.pick(harbour.ships.filter(({ berth }) => berth === null));
    const fitting = free(harbour).filter(({ metres }) => metres >= ship.metres);
    if (fitting.length === 0) return null;
    const berth = random.pick(fitting);
    return { ship: ship.id, name: ship.name, berth: berth.id, berthName: berth.name };
  },
  instruction: ({ name, berthName }) => `${name} is coming in, give her berth ${berthName}.`,
  checks: ({ ship, berth }) => [
    { name: 'she has that berth', test: final => find(final.ships, ship)?.berth === berth },
  ],
  allow: ({ ship }) => [`/ships/${ship}/berth`],
});
const pairTask = template('leave-and-take-place', {
  about: 'Let one ship leave and another one take its berth.',
  split: 'test',
  sample(harbour, random) {
    const leaving = random.pick(harbour.ships.filter(({ berth }) => berth !== null));
    const room = need(harbour.berths, leaving.berth ?? '', 'berth').metres;
    const waiting = harbour.ships.filter(({ berth, metres }) => berth === null && metres <= room);
    if (waiting.length === 0) return null;
    const coming = random.pick(waiting);
    return { leaving: leaving.id, leavingName: leaving.name, coming: coming.id, comingName: coming.name };
  },
  instruction: ({ leavingName, comingName }) =>
    `${leavingName} is sailing. As soon as she has cast off, ${comingName} gets the berth she had.`,
  checks: ({ leaving, coming }) => [
    { name: 'one has left', test: final => find(final.ships, leaving)?.berth === null },
    {
      name: 'the other has the berth',
      test: (final, initial) => find(final.ships, coming)?.berth === find(initial.ships, leaving)?.berth,
    },
  ],
  allow: ({ leaving, coming }) => [`/ships/${leaving}/berth`, `/ships/${coming}/berth`],
});
const pilotTask = template('pilot-for-berth', {
  about: 'Assign a pilot to the ship that lies at a berth.',
  split: 'test',
  sample(harbour, random) {
    const ship = random.pick(harbour.ships.filter(({ berth }) => berth !== null));
    return {
      ship: ship.id,
      berthName: need(harbour.berths, ship.berth ?? '', 'berth').name,
      pilot: random.pick(pilots.filter(it => it !== ship.pilot && it !== 'none')),
    };
  },
  instruction: ({ berthName, pilot }) => `Pilot ${pilot} takes the ship at ${berthName}.`,
  checks: ({ ship, pilot }) => [
    { name: 'the pilot is assigned', test: final => find(final.ships, ship)?.pilot === pilot },
  ],
  allow: ({ ship }) => [`/ships/${ship}/pilot`],
});
const logTask = template('log-entry', {
  about: 'Write a log entry about a ship.',
  split: 'test',
  sample(harbour, random) {
    return {
      about: random.pick(harbour.ships).name,
      entry: random.pick([
        'radio check failed',
        'asked for fresh water',
        'oil film reported astern',
        'customs on board',
        'crew member to hospital',
        'gangway damaged',
        'waste collected',
      ]),
    };
  },
  instruction: ({ about, entry }) => `For the log, concerning ${about}: ${entry}`,
  checks: ({ about, entry }) => [
    {
      name: 'one entry was logged',
      test(final, initial) {
        const [made, ...more] = added(initial.log, final.log);
        return made?.about === about && made.entry === entry && more.length === 0;
      },
    },
  ],
  allow: () => ['/log/+'],
});
const strikeTask = template('strike-entry', {
  about: 'Strike the entry about a ship out.',
  split: 'test',
  sample(harbour, random) {
    const { id, about } = random.pick(harbour.log);
    return { id, about };
  },
  instruction: ({ about }) => `The log entry about ${about} was a mistake – strike it.`,
  checks: ({ id }) => [{ name: 'the entry is gone', test: final => find(final.log, id) === undefined }],
  allow: ({ id }) => [`/log/${id}`],
});
const lengthQuestion = template('length-of-ship', {
  about: 'Say how long a ship is.',
  split: 'test',
  sample(harbour, random) {
    const { id, name } = random.pick(harbour.ships);
    return { id, name };
  },
  instruction: ({ name }) => `How many metres is ${name}?`,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, initial) => String(need(initial.ships, id, 'ship').metres),
  shown: ({ ui }, { id }) => ui.where === 'ship' && ui.ship === id,
});

export const app = defineApp({
  id: 'harbour',
  title: 'Harbour office',
  about: 'Ships, berths and the log of a small commercial harbour.',
  state,
  init(random) {
    const berths = piers
      .flatMap(pier => [1, 2, 3, 4, 5].map(number => ({ name: `${pier.slice(-1)}${number}`, pier })))
      .map((it, index) => ({
        id: `b${index + 1}`,
        ...it,
        metres: random.between(14, 30) * 10,
        power: random.chance(0.5),
      }));
    const names = random.sample(
      [
        'Aurelia',
        'Bering Star',
        'Cormorant',
        'Delfina',
        'Eider',
        'Fjordvik',
        'Galatea',
        'Hesper',
        'Isolde',
        'Juniper',
        'Kestrel Bay',
        'Lorelei',
        'Meridian',
        'Nordkapp',
        'Ondine',
        'Petrel',
        'Quarry Queen',
        'Rosalind',
      ],
      14,
    );
    const lengths = random.sample(
      Array.from({ length: 110 }, (_, index) => 62 + index),
      14,
    );
    const places = random.shuffle(berths);
    return {
      berths,
      ships: names.map((name, index) => {
        const metres = lengths[index] as number;
        const berth =
          index % 2 === 0
            ? (places.find((it, place) => place % 7 === index / 2 && it.metres >= metres)?.id ?? null)
            : null;
        return {
          id: `v${index + 1}`,
          name,
          flag: random.pick(['Panama', 'Norway', 'Malta', 'Liberia', 'Portugal', 'Estonia']),
          metres,
          cargo: random.pick(['timber', 'grain', 'containers', 'salt', 'scrap', 'wind blades']),
          berth,
          pilot: random.pick(pilots),
        };
      }),
      log: random.sample(names, 7).map((about, index) => ({
        id: `l${index + 1}`,
        about,
        entry: random.pick(['arrived late', 'fenders worn', 'bunkered 40 t', 'two lines parted', 'inspection passed']),
      })),
      ui: { where: 'ships', ship: '', pier: 'Pier A', mooring: false, berth: '', entry: '', about: '', voice: '' },
    };
  },
  commands: [moor, castOff, engage, writeLog, strike, ships, sail, openMooring, pickBerth, note],
  view: harbour =>
    page('Harbour office', [
      heading('Harbour office'),
      ...(harbour.ui.mooring
        ? []
        : [
            link('Ships', sail.with({ where: 'ships', ship: '', pier: '' })),
            link('Berth plan', sail.with({ where: 'piers', ship: '', pier: 'Pier A' })),
            link("Master's log", sail.with({ where: 'log', ship: '', pier: '' })),
          ]),
      harbour.ui.voice !== '' && alert(harbour.ui.voice),
      ...content(harbour),
    ]),
  templates: [moorTask, pairTask, pilotTask, logTask, strikeTask, lengthQuestion],
  onRefusal(draft, message) {
    draft.ui.voice = message;
  },
});

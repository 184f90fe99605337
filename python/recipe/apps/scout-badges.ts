import {
  added,
  alert,
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
  switchButton,
  text,
  z,
} from 'espalier';

// The badge book of a scout troop: patrols, scouts, what each has done for a badge, and the drawer chest.
const patrols = ['Kestrels', 'Kites', 'Otters', 'Martens'];
const badges: Record<string, readonly [string, string, string]> = {
  'Fire Keeper': ['lay a fire in rain', 'cook a stew', 'clear the fire site'],
  'Star Finder': ['name ten constellations', 'find north at night', 'keep a moon diary'],
  'Rope Master': ['tie eight knots', 'build a rope bridge', 'splice a rope'],
  'Rope Walker': ['cross the low line', 'rig a slack line', 'spot another walker'],
  'Map Reader': ['walk by bearing', 'draw a sketch map', 'plan a hike'],
  'Map Maker': ['survey the camp', 'use contour lines', 'print a map'],
  'First Aider': ['bandage a sprain', 'recovery position', 'pack a first-aid kit'],
  'Boat Hand': ['row a mile', 'capsize drill', 'mend an oar'],
};
const kinds = Object.keys(badges);
const slots = ['one', 'two', 'three'] as const;
const drawers = ['top left', 'top right', 'middle left', 'middle right', 'bottom left', 'bottom right'];

const scout = z.object({ id: z.string(), name: z.string(), patrol: z.string(), age: z.int(), camp: z.boolean() });
const effort = z.object({
  id: z.string(),
  scout: z.string(),
  badge: z.string(),
  one: z.boolean(),
  two: z.boolean(),
  three: z.boolean(),
  signed: z.boolean(),
  handed: z.boolean(),
});
const stock = z.object({ id: z.string(), badge: z.string(), drawer: z.string(), left: z.int() });
const state = z.object({
  scouts: z.array(scout),
  efforts: z.array(effort),
  chest: z.array(stock),
  ui: z.object({
    patrol: z.string().nullable(),
    scout: z.string().nullable(),
    effort: z.string().nullable(),
    atChest: z.boolean(),
    drawerOf: z.string().nullable(),
    moving: z.boolean(),
    starting: z.string().nullable(),
    said: z.string(),
  }),
});
type Troop = z.infer<typeof state>;
type Scout = z.infer<typeof scout>;
type Effort = z.infer<typeof effort>;
const { command, gesture, query, template } = appKit(state);

const tickOff = command('tick_task', {
  about: 'Tick a task of a badge, or take the tick away.',
  input: z.object({ id: z.string(), slot: z.enum(slots), on: z.boolean() }),
  run(draft, { id, slot, on }) {
    const tried = need(draft.efforts, id, 'page');
    if (tried.signed) refuse('The page is signed and cannot be changed.');
    tried[slot] = on;
  },
});
const sign = command('sign_page', {
  about: 'Sign the page of a badge when all three tasks are ticked.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const tried = need(draft.efforts, id, 'page');
    if (!(tried.one && tried.two && tried.three)) refuse('Not all three tasks are ticked.');
    tried.signed = true;
    draft.ui.said = 'Signed.';
  },
});
const handOver = command('hand_over', {
  about: 'Take a badge out of its drawer and hand it over to a scout whose page is signed.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const tried = need(draft.efforts, id, 'page');
    const pile = draft.chest.find(item => item.badge === tried.badge) ?? refuse('No drawer.');
    if (!tried.signed || tried.handed) refuse('Only a signed page earns its badge, once.');
    if (pile.left === 0) refuse(`No ${tried.badge} badge is left.`);
    pile.left -= 1;
    tried.handed = true;
    draft.ui.said = 'Well done!';
  },
});
const begin = command('begin_badge', {
  about: 'Begin a page for a badge in the book of a scout.',
  input: z.object({ scout: z.string(), badge: z.string() }),
  run(draft, { scout: who, badge }) {
    if (!kinds.includes(badge)) refuse('Choose a badge.');
    if (draft.efforts.some(item => item.scout === who && item.badge === badge)) refuse('That page exists.');
    const fresh = { one: false, two: false, three: false, signed: false, handed: false };
    draft.efforts.push({ id: nextId(draft.efforts, 'e'), scout: who, badge, ...fresh });
    draft.ui.starting = null;
  },
});
const changePatrol = command('change_patrol', {
  about: 'Move a scout to another patrol.',
  input: z.object({ id: z.string(), patrol: z.string() }),
  run(draft, { id, patrol }) {
    need(draft.scouts, id, 'scout').patrol = patrol;
    Object.assign(draft.ui, { moving: false, patrol });
  },
});
const setCamp = command('set_camp', {
  about: 'Say whether a scout comes to camp.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    need(draft.scouts, id, 'scout').camp = on;
  },
});
const readBook = query('read_book', {
  about: 'The scouts of a patrol with their pages, and the drawer chest.',
  input: z.object({ patrol: z.string() }),
  run: ({ scouts, efforts, chest }, { patrol }) => ({
    scouts: scouts
      .filter(item => item.patrol === patrol)
      .map(item => ({ ...item, pages: efforts.filter(({ scout: who }) => who === item.id) })),
    chest,
  }),
});
const leaf = gesture('leaf_through', {
  about: 'Open a patrol, a scout or a page.',
  input: z.object({ patrol: z.string().nullable(), scout: z.string().nullable(), effort: z.string().nullable() }),
  run(draft, where) {
    Object.assign(draft.ui, { ...where, atChest: false, drawerOf: null, moving: false, starting: null, said: '' });
  },
});
const toChest = gesture('go_to_chest', {
  about: 'Go to the drawer chest, and maybe pull a drawer.',
  input: z.object({ drawerOf: z.string().nullable() }),
  run(draft, { drawerOf }) {
    Object.assign(draft.ui, { patrol: null, scout: null, effort: null, atChest: true, drawerOf, said: '' });
  },
});
const showMoves = gesture('show_moves', {
  about: 'Show or hide the other patrols.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    draft.ui.moving = on;
  },
});
const chooseBadge = gesture('choose_badge', {
  about: 'Choose the badge of a new page.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    draft.ui.starting = value;
  },
});

function patrolPage({ scouts }: Troop, patrol: string) {
  const members = scouts.filter(item => item.patrol === patrol);
  return list(
    `${patrol}, ${members.length} scouts`,
    members.map(item =>
      listItem(item.name, [
        link(item.name, leaf.with({ patrol, scout: item.id, effort: null })),
        text(`${item.age} years`),
        switchButton(`Camp, ${item.name}`, item.camp, setCamp.with({ id: item.id, on: !item.camp })),
      ]),
    ),
  );
}

function scoutPage({ efforts, ui }: Troop, who: Scout) {
  const { id, patrol } = who;
  return region(who.name, [
    heading(`${who.name}, ${patrol}`),
    list(
      'Pages',
      efforts
        .filter(item => item.scout === id)
        .map(item =>
          listItem(item.badge, [
            link(`Page ${item.badge}`, leaf.with({ patrol, scout: id, effort: item.id })),
            text(item.handed ? 'worn' : item.signed ? 'signed' : 'in progress'),
          ]),
        ),
    ),
    ui.starting === null
      ? button('Begin a page', chooseBadge.with({ value: '' }))
      : form('A new page', [
          combobox('For the badge', ui.starting, { enter: chooseBadge.entering({}), options: kinds }),
          button('Put into book', begin.with({ scout: id, badge: ui.starting })),
        ]),
    button('Other patrol', showMoves.with({ on: !ui.moving }), ui.moving ? ['expanded'] : undefined),
    ui.moving &&
      menu(
        'Other patrol',
        patrols
          .filter(name => name !== patrol)
          .map(name => menuItem(`Join the ${name}`, changePatrol.with({ id, patrol: name }))),
      ),
  ]);
}

function effortPage({ chest }: Troop, who: Scout, tried: Effort) {
  const { id, badge, signed, handed } = tried;
  const tasks = badges[badge] ?? ['', '', ''];
  const left = chest.find(item => item.badge === badge)?.left ?? 0;
  return region(`${badge}, ${who.name}`, [
    heading(`${badge} of ${who.name}`),
    ...slots.map((slot, index) =>
      checkbox(tasks[index] ?? '', tried[slot], tickOff.with({ id, slot, on: !tried[slot] })),
    ),
    status(handed ? 'Badge is worn' : signed ? 'Signed by the leader' : 'Not signed'),
    !signed && button('Sign the page', sign.with({ id })),
    signed && !handed && text(left === 0 ? `No ${badge} badge left in the chest` : `${left} in the chest`),
    signed && !handed && left > 0 && button('Hand over badge', handOver.with({ id })),
  ]);
}

function chestPage({ chest, ui }: Troop) {
  const pulled = find(chest, ui.drawerOf ?? '');
  return region('Drawer chest', [
    list(
      'Badges',
      chest.map(({ id, badge }) => link(`Where is ${badge}?`, toChest.with({ drawerOf: id }))),
      { shuffle: true },
    ),
    pulled !== undefined && text(`${pulled.badge}: drawer ${pulled.drawer}, ${pulled.left} left`),
  ]);
}

const of = (troop: Troop, id: string) => need(troop.scouts, id, 'scout');
const where = (troop: Troop, { scout: who }: Effort) => ({ name: of(troop, who).name, patrol: of(troop, who).patrol });

const tickOne = template('tick-one-task', {
  about: 'Tick a task of a badge for a scout.',
  split: 'train',
  sample(troop, random) {
    const tried = random.pick(troop.efforts.filter(item => !item.signed));
    const index = random.between(0, 2);
    return {
      id: tried.id,
      ...where(troop, tried),
      badge: tried.badge,
      slot: slots[index] ?? 'one',
      task: badges[tried.badge]?.[index] ?? '',
    };
  },
  setup(draft, { id, slot }) {
    need(draft.efforts, id, 'page')[slot] = false;
  },
  instruction: ({ name, patrol, badge, task }, random) =>
    random.pick([
      `${name} (${patrol}), ${badge}: tick "${task}".`,
      `I watched ${name} of the ${patrol} do this today: ${task}. It counts for ${badge}.`,
      `For the badge ${badge}, note that ${name} from the ${patrol} has managed to ${task}.`,
    ]),
  checks: ({ id, slot, task }) => [
    { name: `"${task}" is ticked`, test: ({ efforts }) => find(efforts, id)?.[slot] === true },
  ],
  allow: ({ id, slot }) => [`/efforts/${id}/${slot}`],
});

const signLast = template('sign-after-last-task', {
  about: 'Tick the last task of a badge and sign the page.',
  split: 'train',
  sample(troop, random) {
    const tried = random.pick(troop.efforts);
    return { id: tried.id, ...where(troop, tried), badge: tried.badge, slot: random.pick(slots) };
  },
  setup(draft, { id, slot }) {
    Object.assign(need(draft.efforts, id, 'page'), {
      one: true,
      two: true,
      three: true,
      [slot]: false,
      signed: false,
      handed: false,
    });
  },
  instruction: ({ name, patrol, badge }, random) =>
    random.pick([
      `${name} of the ${patrol} has done the last task for ${badge}. Complete the page and sign it.`,
      `Please sign ${name}'s ${badge} page (${patrol}); the one task that is not ticked was done last night.`,
      `${patrol}: ${name} is through with ${badge}. All of it is done, so the page can be signed off.`,
    ]),
  checks: ({ id, slot }) => [
    { name: 'the last task is ticked', test: ({ efforts }) => find(efforts, id)?.[slot] === true },
    { name: 'the page is signed', test: ({ efforts }) => find(efforts, id)?.signed === true },
  ],
  allow: ({ id, slot }) => [`/efforts/${id}/${slot}`, `/efforts/${id}/signed`],
});

const otherPatrol = template('join-other-patrol', {
  about: 'Move a scout to another patrol.',
  split: 'train',
  sample({ scouts }, random) {
    const { id, name, patrol } = random.pick(scouts);
    return { id, name, patrol, to: random.pick(patrols.filter(item => item !== patrol)) };
  },
  instruction: ({ name, patrol, to }, random) =>
    random.pick([
      `${name}: from the ${patrol} to the ${to}.`,
      `${name} quarrels with everyone in the ${patrol} and is happier with the ${to}. Make the change.`,
      `Next term ${name}, now with the ${patrol}, belongs to the ${to}.`,
    ]),
  checks: ({ id, to }) => [{ name: `with the ${to}`, test: ({ scouts }) => find(scouts, id)?.patrol === to }],
  allow: ({ id }) => [`/scouts/${id}/patrol`],
});

const beginOne = template('begin-page', {
  about: 'Begin a page for a badge in the book of a scout.',
  split: 'train',
  sample({ scouts, efforts }, random) {
    const { id, name, patrol } = random.pick(scouts);
    const has = efforts.filter(item => item.scout === id).map(item => item.badge);
    return { id, name, patrol, badge: random.pick(kinds.filter(item => !has.includes(item))) };
  },
  instruction: ({ name, patrol, badge }, random) =>
    random.pick([
      `${name} (${patrol}) begins ${badge}.`,
      `${name} of the ${patrol} wants to work for ${badge} now. Give them a page in the book.`,
      `put a ${badge} page in for ${name}, ${patrol}`,
    ]),
  checks: ({ id, badge }) => [
    {
      name: `a page for ${badge}`,
      test(final, initial) {
        const [made, ...more] = added(initial.efforts, final.efforts);
        if (made === undefined || more.length > 0 || made.scout !== id || made.badge !== badge) return false;
        return !made.one && !made.two && !made.three && !made.signed && !made.handed;
      },
    },
  ],
  allow: () => ['/efforts/+'],
});

const campers = template('camp-by-age', {
  about: 'Switch camp on for the scouts of a patrol from an age on.',
  split: 'train',
  sample({ scouts }, random) {
    const patrol = random.pick(patrols);
    const ids = random
      .sample(
        scouts.filter(item => item.patrol === patrol),
        2,
      )
      .map(({ id }) => id);
    return { patrol, ids, age: random.between(12, 14) };
  },
  setup(draft, { patrol, ids, age }) {
    for (const item of draft.scouts) {
      if (ids.includes(item.id)) Object.assign(item, { age: age + (item.id === ids[0] ? 0 : 1), camp: false });
      else if (item.patrol === patrol) Object.assign(item, { age: Math.min(item.age, age - 1), camp: false });
    }
  },
  instruction: ({ patrol, age }, random) =>
    random.pick([
      `${patrol} aged ${age} or more come to camp.`,
      `The camp is open to scouts from ${age} years on. Put down those of the ${patrol} who are old enough.`,
      `Of the ${patrol}, everybody who is at least ${age} goes to camp; switch that on for them.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} comes to camp`, test: ({ scouts }) => find(scouts, id)?.camp === true })),
  allow: ({ ids }) => ids.map(id => `/scouts/${id}/camp`),
});

const drawerFor = template('drawer-of-signed-badge', {
  about: 'Find the one signed badge a scout has not got yet, and say in which drawer it lies.',
  split: 'train',
  sample(troop, random) {
    const tried = random.pick(troop.efforts);
    const pile = troop.chest.find(item => item.badge === tried.badge)?.id ?? '';
    return { id: tried.id, who: tried.scout, ...where(troop, tried), pile };
  },
  setup(draft, { id, who }) {
    for (const item of draft.efforts.filter(other => other.scout === who)) {
      if (item.id === id) Object.assign(item, { one: true, two: true, three: true, signed: true, handed: false });
      else if (item.signed) item.handed = true;
    }
  },
  instruction: ({ name, patrol }, random) =>
    random.pick([
      `${name} of the ${patrol} has a signed page but not the badge yet. In which drawer do I find that badge?`,
      `Which drawer holds the badge that ${name} (${patrol}) still has to get for the signed page?`,
      `I am at the chest. ${name}, ${patrol}, one page signed and not worn: which drawer?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ pile }, { chest }) => need(chest, pile, 'drawer').drawer,
  shown: ({ ui }, { who, pile }) => [ui.scout === who, ui.drawerOf === pile],
});

const hand = template('hand-over-badge', {
  about: 'Hand a badge over; impossible when none is left.',
  split: 'train',
  kind: 'infeasible',
  sample(troop, random) {
    const tried = random.pick(troop.efforts);
    const pile = troop.chest.find(item => item.badge === tried.badge)?.id ?? '';
    return {
      id: tried.id,
      ...where(troop, tried),
      badge: tried.badge,
      pile,
      left: random.chance(0.5) ? random.between(1, 5) : 0,
    };
  },
  isTwin: ({ left }) => left > 0,
  setup(draft, { id, pile, left }) {
    Object.assign(need(draft.efforts, id, 'page'), { one: true, two: true, three: true, signed: true, handed: false });
    need(draft.chest, pile, 'drawer').left = left;
  },
  instruction: ({ name, patrol, badge }, random) =>
    random.pick([
      `Hand the ${badge} badge over to ${name} of the ${patrol}.`,
      `${name} (${patrol}) stands in front of you and has earned ${badge}. Give it to them.`,
      `${badge} badge for ${name}, ${patrol}.`,
    ]),
  checks: ({ id, pile, left }) => [
    { name: 'the badge is worn', test: ({ efforts }) => find(efforts, id)?.handed === true },
    { name: 'one less in the chest', test: ({ chest }) => left > 0 && find(chest, pile)?.left === left - 1 },
  ],
  allow: ({ id, pile, left }) => (left > 0 ? [`/efforts/${id}/handed`, `/chest/${pile}/left`] : []),
  shown: ({ ui }, { id }) => ui.effort === id,
});

const firstNames = ['Ruby', 'Robin', 'Finn', 'Fern', 'Ellis', 'Elsie', 'Noor', 'Nora'];
const lastNames = ['Park', 'Parker', 'Shaw', 'Shore'];

export const app = defineApp({
  id: 'scout-badges',
  title: 'Badge book',
  about: 'The badges of a scout troop: pages, signatures and the drawer chest.',
  state,
  init(random) {
    const names = random.sample(
      firstNames.flatMap(first => lastNames.map(last => `${first} ${last}`)),
      20,
    );
    const scouts = names.map((name, index) => ({
      id: `s${index + 1}`,
      name,
      patrol: patrols[index % 4] ?? '',
      age: random.between(10, 15),
      camp: random.chance(0.3),
    }));
    const efforts = scouts.flatMap(({ id }) =>
      random.sample(kinds, random.between(2, 3)).map(badge => {
        const signed = random.chance(0.3);
        const done = () => signed || random.chance(0.4);
        return {
          scout: id,
          badge,
          one: done(),
          two: done(),
          three: done(),
          signed,
          handed: signed && random.chance(0.5),
        };
      }),
    );
    return {
      scouts,
      efforts: efforts.map((item, index) => ({ id: `e${index + 1}`, ...item })),
      chest: random.shuffle(kinds).map((badge, index) => ({
        id: `d${index + 1}`,
        badge,
        drawer: random.pick(drawers),
        left: random.between(0, 6),
      })),
      ui: {
        patrol: null,
        scout: null,
        effort: null,
        atChest: false,
        drawerOf: null,
        moving: false,
        starting: null,
        said: '',
      },
    };
  },
  commands: [tickOff, sign, handOver, begin, changePatrol, setCamp, readBook, leaf, toChest, showMoves, chooseBadge],
  view(troop) {
    const { ui } = troop;
    const who = find(troop.scouts, ui.scout ?? '');
    const tried = find(troop.efforts, ui.effort ?? '');
    return page('Badge book', [
      navigation('Book', [
        ...patrols.map(name => link(name, leaf.with({ patrol: name, scout: null, effort: null }))),
        link('Drawers', toChest.with({ drawerOf: null })),
        who !== undefined &&
          tried !== undefined &&
          link(`Back to ${who.name}`, leaf.with({ patrol: ui.patrol, scout: who.id, effort: null })),
      ]),
      ui.said !== '' && alert(ui.said),
      ui.atChest && chestPage(troop),
      ui.patrol !== null && who === undefined && patrolPage(troop, ui.patrol),
      who !== undefined && tried === undefined && scoutPage(troop, who),
      who !== undefined && tried !== undefined && effortPage(troop, who, tried),
    ]);
  },
  templates: [tickOne, signLast, otherPatrol, beginOne, campers, drawerFor, hand],
  onRefusal(draft, message) {
    draft.ui.said = message;
  },
});

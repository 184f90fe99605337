// BUGS! A board with four columns for a game studio. Cards are moved with their own little menu; a card opens as a drawer.
import {
  added,
  appKit,
  banner,
  button,
  combobox,
  defineApp,
  find,
  form,
  heading,
  list,
  listItem,
  menu,
  menuItem,
  need,
  nextId,
  page,
  refuse,
  region,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const COLUMNS = ['Inbox', 'Doing', 'Testing', 'Fixed'] as const;
const LEVELS = ['trivial', 'minor', 'major', 'blocker'] as const;
const AREAS = ['audio', 'menus', 'physics', 'netcode', 'saves'] as const;
const BUILDS = ['0.9.1', '0.9.2', '1.0', '1.1'] as const;
const DEVS = ['nobody', 'Ravi', 'Ravenna', 'Tomas', 'Tomoko', 'Zed'] as const;

const state = z.object({
  bugs: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      column: z.enum(COLUMNS),
      level: z.enum(LEVELS),
      area: z.enum(AREAS),
      build: z.enum(BUILDS),
      dev: z.enum(DEVS),
      waitsFor: z.string(),
      archived: z.boolean(),
    }),
  ),
  ui: z.object({
    drawer: z.string(),
    menu: z.string(),
    onlyDev: z.string(),
    onlyArea: z.string(),
    filing: z.boolean(),
    title: z.string(),
    level: z.enum(LEVELS),
    area: z.enum(AREAS),
    undo: z.string(),
    undoTo: z.enum(COLUMNS),
  }),
});
type Board = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const isStuck = (b: Board, id: string) => {
  const other = find(b.bugs, need(b.bugs, id, 'bug').waitsFor);
  return other !== undefined && other.column !== 'Fixed';
};

const move = command('move_bug', {
  about: 'Move a bug to a column. A bug that waits for an open one cannot be fixed.',
  input: z.object({ bug: z.string(), column: z.enum(COLUMNS) }),
  run(draft, { bug, column }) {
    const b = need(draft.bugs, bug, 'bug');
    if (column === 'Fixed' && isStuck(draft, bug)) refuse('It waits for another bug.');
    Object.assign(draft.ui, { undo: bug, undoTo: b.column, menu: '' });
    b.column = column;
  },
});
const fields = { level: z.enum(LEVELS), area: z.enum(AREAS), build: z.enum(BUILDS), dev: z.enum(DEVS) };
const setDev = command('assign', {
  about: 'Assign a bug.',
  input: z.object({ bug: z.string(), value: fields.dev }),
  run(draft, { bug, value }) {
    need(draft.bugs, bug, 'bug').dev = value;
  },
});
const setLevel = command('set_level', {
  about: 'Say how bad a bug is.',
  input: z.object({ bug: z.string(), value: fields.level }),
  run(draft, { bug, value }) {
    need(draft.bugs, bug, 'bug').level = value;
  },
});
const setBuild = command('set_build', {
  about: 'Say for which build a bug is to be fixed.',
  input: z.object({ bug: z.string(), value: fields.build }),
  run(draft, { bug, value }) {
    need(draft.bugs, bug, 'bug').build = value;
  },
});
const archive = command('archive', {
  about: 'Take a fixed bug off the board.',
  input: z.object({ bug: z.string() }),
  run(draft, { bug }) {
    const b = need(draft.bugs, bug, 'bug');
    if (b.column !== 'Fixed') refuse('Only fixed bugs can be archived.');
    b.archived = true;
    Object.assign(draft.ui, { menu: '', drawer: '' });
  },
});
const file = command('file_bug', {
  about: 'File a new bug; it lands in the inbox.',
  input: z.object({ title: z.string(), level: fields.level, area: fields.area }),
  run(draft, { title, level, area }) {
    if (title.trim().length < 4) refuse('Say what is broken.');
    draft.bugs.push({
      id: nextId(draft.bugs, 'B'),
      title,
      level,
      area,
      column: 'Inbox',
      build: '1.1',
      dev: 'nobody',
      waitsFor: '',
      archived: false,
    });
    Object.assign(draft.ui, { filing: false, title: '' });
  },
});
const undo = command('undo_move', {
  about: 'Undo the last move.',
  input: z.object({}),
  run(draft) {
    need(draft.bugs, draft.ui.undo, 'bug').column = draft.ui.undoTo;
    draft.ui.undo = '';
  },
});
const all = query('all_bugs', {
  about: 'Every bug on the board.',
  input: z.object({}),
  run: b =>
    b.bugs
      .filter(x => !x.archived)
      .map(x => ({ ...x, waitsFor: find(b.bugs, x.waitsFor)?.title ?? 'nothing', stuck: isStuck(b, x.id) })),
});

const drawer = gesture('drawer', {
  about: 'Open the drawer of a bug, or close it.',
  input: z.object({ bug: z.string() }),
  run(draft, { bug }) {
    Object.assign(draft.ui, { drawer: bug, menu: '', filing: false });
  },
});
const cardMenu = gesture('card_menu', {
  about: 'Open the menu of a card, or close it.',
  input: z.object({ menu: z.string() }),
  run(draft, { menu }) {
    draft.ui.menu = draft.ui.menu === menu ? '' : menu;
  },
});
const only = gesture('only', {
  about: 'Show only some cards.',
  input: z.object({ by: z.enum(['onlyDev', 'onlyArea']), value: z.string() }),
  run(draft, { by, value }) {
    draft.ui[by] = value;
  },
});
const filing = gesture('filing', {
  about: 'Open or close the form for a new bug.',
  input: z.object({}),
  run(draft) {
    Object.assign(draft.ui, {
      filing: !draft.ui.filing,
      title: '',
      level: 'minor',
      area: 'menus',
      drawer: '',
      menu: '',
    });
  },
});
const typeTitle = gesture('type_title', {
  about: 'Type the title of the new bug.',
  input: z.object({ value: z.string().max(80) }),
  run(draft, { value }) {
    draft.ui.title = value;
  },
});
const pickLevel = gesture('pick_level', {
  about: 'Choose how bad the new bug is.',
  input: z.object({ value: fields.level }),
  run(draft, { value }) {
    draft.ui.level = value;
  },
});
const pickArea = gesture('pick_area', {
  about: 'Choose the area of the new bug.',
  input: z.object({ value: fields.area }),
  run(draft, { value }) {
    draft.ui.area = value;
  },
});

const cards = (b: Board, column: (typeof COLUMNS)[number]) =>
  b.bugs.filter(
    x =>
      x.column === column &&
      !x.archived &&
      (b.ui.onlyDev === 'anyone' || x.dev === b.ui.onlyDev) &&
      (b.ui.onlyArea === 'everything' || x.area === b.ui.onlyArea),
  );
const card = (b: Board, x: Board['bugs'][number]) =>
  listItem(`${x.id} ${x.title}`, [
    button(x.title, drawer.with({ bug: x.id })),
    text(`${x.level} · ${x.area}`),
    button(`⋮ ${x.title}`, cardMenu.with({ menu: x.id }), [x.id, `${x.id}>`].includes(b.ui.menu) ? ['expanded'] : []),
    b.ui.menu === x.id &&
      menu(`Card ${x.id}`, [
        menuItem('Move to ▸', cardMenu.with({ menu: `${x.id}>` })),
        x.column === 'Fixed' && menuItem('Archive', archive.with({ bug: x.id })),
      ]),
    b.ui.menu === `${x.id}>` &&
      menu(
        'Move to',
        COLUMNS.filter(c => c !== x.column).map(column => menuItem(column, move.with({ bug: x.id, column }))),
      ),
  ]);
const drawerOf = (b: Board) => {
  const x = need(b.bugs, b.ui.drawer, 'bug');
  const other = find(b.bugs, x.waitsFor);
  return region('Drawer', [
    heading(`${x.id}: ${x.title}`),
    text(`In column ${x.column}`),
    combobox('Severity', x.level, { enter: setLevel.entering({ bug: x.id }), options: [...LEVELS] }),
    combobox('Who', x.dev, { enter: setDev.entering({ bug: x.id }), options: [...DEVS] }),
    combobox('Fix for build', x.build, { enter: setBuild.entering({ bug: x.id }), options: [...BUILDS] }),
    other !== undefined && text(`Waits for "${other.title}"`),
    other !== undefined &&
      text(isStuck(b, x.id) ? 'Cannot be moved to Fixed before that one is.' : 'That one is fixed.'),
    button('Close ✕', drawer.with({ bug: '' })),
  ]);
};

const live = (b: Board) => b.bugs.filter(x => !x.archived);
const retriage = template('severity', {
  about: 'Change how bad a bug is.',
  split: 'train',
  sample(b, random) {
    const x = random.pick(live(b));
    return {
      id: x.id,
      title: x.title,
      level: random.pick(LEVELS.filter(l => l !== x.level)),
      way: random.between(0, 3),
    };
  },
  instruction: ({ title, level, way }) =>
    [
      `"${title}" is ${level}, not what it says now.`,
      `set severity of ${title} to ${level}`,
      `QA thinks that "${title}" should count as ${level}. I agree, change it.`,
      `Retriage: ${title} -> ${level}`,
    ][way]!,
  checks: ({ id, level }) => [{ name: level, test: final => find(final.bugs, id)?.level === level }],
  allow: ({ id }) => [`/bugs/${id}/level`],
});
const shift = template('move-card', {
  about: 'Move a card to another column.',
  split: 'train',
  sample(b, random) {
    const x = random.pick(live(b));
    return {
      id: x.id,
      title: x.title,
      column: random.pick(['Inbox', 'Doing', 'Testing'].filter(c => c !== x.column)),
      way: random.between(0, 2),
    };
  },
  instruction: ({ title, column, way }) =>
    [
      `Move "${title}" to ${column}.`,
      `${title} belongs in the ${column} column`,
      `The state of "${title}" on the board is out of date. It's in ${column} by now.`,
    ][way]!,
  checks: ({ id, column }) => [{ name: column, test: final => find(final.bugs, id)?.column === column }],
  allow: ({ id }) => [`/bugs/${id}/column`],
});
const takeOver = template('assign-area', {
  about: 'Assign all open bugs of an area that nobody has.',
  split: 'train',
  sample(b, random) {
    return {
      area: random.pick(AREAS),
      dev: random.pick(DEVS.filter(d => d !== 'nobody')),
      ids: random.sample(live(b), random.between(2, 3)).map(x => x.id),
      way: random.between(0, 2),
    };
  },
  setup(draft, { area, ids, dev }) {
    for (const x of draft.bugs) {
      if (ids.includes(x.id)) Object.assign(x, { area, dev: 'nobody' });
      else if (x.area === area && x.dev === 'nobody') x.dev = DEVS.find(d => d !== 'nobody' && d !== dev)!;
    }
  },
  instruction: ({ area, dev, way }) =>
    [
      `Every ${area} bug that nobody has goes to ${dev}.`,
      `${dev} offered to take the unassigned bugs in ${area}. Put ${dev} on all of them, and leave those that somebody has.`,
      `assign ${dev} to all ${area} bugs where "who" is nobody`,
    ][way]!,
  checks: ({ ids, dev }) =>
    ids.map((id, at) => ({ name: `assigned ${at + 1}`, test: (final: Board) => find(final.bugs, id)?.dev === dev })),
  allow: ({ ids }) => ids.map(id => `/bugs/${id}/dev`),
});
const report = template('file-bug', {
  about: 'File a bug.',
  split: 'train',
  sample: (_, random) => ({
    title: `${random.pick(['Horse', 'Sword', 'Minimap', 'Shopkeeper', 'Bridge'])} ${random.pick(['vanishes', 'flickers', 'is upside down', 'talks twice'])} ${random.pick(['at night', 'after loading', 'in co-op'])}`,
    level: random.pick(LEVELS),
    area: random.pick(AREAS),
    way: random.between(0, 2),
  }),
  instruction: ({ title, level, area, way }) =>
    [
      `File a bug: "${title}", ${level}, area ${area}.`,
      `A player reports this: ${title}. I'd say ${level}. Area is ${area}. Put it on the board.`,
      `new bug pls. title ${title} / severity ${level} / ${area}`,
    ][way]!,
  checks: ({ title, level, area }) => [
    {
      name: 'filed',
      test(final, initial) {
        const [x, ...rest] = added(initial.bugs, final.bugs);
        return (
          rest.length === 0 &&
          x?.title === title &&
          x.level === level &&
          x.area === area &&
          x.column === 'Inbox' &&
          x.dev === 'nobody' &&
          x.build === '1.1' &&
          x.waitsFor === '' &&
          !x.archived
        );
      },
    },
  ],
  allow: () => ['/bugs/+'],
});
const sameBuild = template('same-build', {
  about: 'Plan a bug for the build of another one.',
  split: 'train',
  sample(b, random) {
    const [x, y] = random.sample(live(b), 2);
    const [build, wrong] = random.sample(BUILDS, 2);
    return {
      id: x!.id,
      title: x!.title,
      other: y!.id,
      named: y!.title,
      build: build!,
      wrong: wrong!,
      way: random.between(0, 2),
    };
  },
  setup(draft, { id, other, build, wrong }) {
    need(draft.bugs, id, 'bug').build = wrong;
    need(draft.bugs, other, 'bug').build = build;
  },
  instruction: ({ title, named, way }) =>
    [
      `Fix "${title}" for the same build as "${named}".`,
      `"${title}" and "${named}" must ship together. Change the build of the first to that of the second.`,
      `${title}: take the target build from ${named}`,
    ][way]!,
  checks: ({ id, build }) => [{ name: 'same build', test: final => find(final.bugs, id)?.build === build }],
  allow: ({ id }) => [`/bugs/${id}/build`],
});
const tidy = template('archive-cards', {
  about: 'Archive two fixed bugs.',
  split: 'train',
  sample(b, random) {
    const [x, y] = random.sample(live(b), 2);
    return { ids: [x!.id, y!.id], title: x!.title, second: y!.title, way: random.between(0, 2) };
  },
  setup(draft, { ids }) {
    for (const id of ids) need(draft.bugs, id, 'bug').column = 'Fixed';
  },
  instruction: ({ title, second, way }) =>
    [
      `Archive "${title}" and "${second}".`,
      `${title} is fixed and shipped, and so is ${second}. take both cards off the board`,
      `We're done with "${title}" and also with "${second}"; into the archive with them.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({
      name: `archived ${at + 1}`,
      test: (final: Board) => find(final.bugs, id)?.archived === true,
    })),
  allow: ({ ids }) => ids.map(id => `/bugs/${id}/archived`),
});
const whoHas = template('who-has-the-blocking-bug', {
  about: 'Say who works on the bug that another one waits for.',
  split: 'train',
  sample(b, random) {
    const [x, y] = random.sample(live(b), 2);
    return {
      id: x!.id,
      title: x!.title,
      other: y!.id,
      dev: random.pick(DEVS.filter(d => d !== 'nobody')),
      way: random.between(0, 2),
    };
  },
  setup(draft, { id, other, dev }) {
    need(draft.bugs, id, 'bug').waitsFor = other;
    need(draft.bugs, other, 'bug').dev = dev;
  },
  instruction: ({ title, way }) =>
    [
      `"${title}" waits for another bug. Who has that other one?`,
      `I want to get on with "${title}" but something else has to be fixed first. Whom do I ask about it?`,
      `Who's working on the bug that holds up ${title}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ other }, b) => need(b.bugs, other, 'bug').dev,
  shown: ({ ui }, { id, other }) => [ui.drawer === id, ui.drawer === other],
});
const finish = template('mark-fixed', {
  about: 'Move a bug to Fixed, which one that waits for another cannot be.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ free }) => free,
  sample(b, random) {
    const [x, y] = random.sample(live(b), 2);
    return {
      id: x!.id,
      title: x!.title,
      other: y!.id,
      free: random.chance(0.5),
      from: random.pick(['Doing', 'Testing'] as const),
      way: random.between(0, 2),
    };
  },
  setup(draft, { id, other, free, from }) {
    Object.assign(need(draft.bugs, id, 'bug'), { column: from, waitsFor: other });
    need(draft.bugs, other, 'bug').column = free ? 'Fixed' : 'Doing';
  },
  instruction: ({ title, way }) =>
    [
      `"${title}" is fixed, move the card.`,
      `Put ${title} under Fixed. Touch nothing else on the board.`,
      `Only this: "${title}" → Fixed.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'fixed', test: final => find(final.bugs, id)?.column === 'Fixed' }],
  allow: ({ id }) => [`/bugs/${id}/column`],
  shown: ({ ui }, { id }) => ui.drawer === id,
});

const TITLES = [
  'Footsteps too loud',
  'Footsteps missing on snow',
  'Pause menu freezes',
  'Pause menu in Latin',
  'Barrel rolls uphill',
  'Barrel floats',
  'Lag in lobby',
  'Lag after respawn',
  'Save slot 3 empty',
  'Autosave twice',
  'Music stops at dusk',
  'Ladder launches player',
  'Invite link dead',
  'Font too small',
  'Dragon clips through wall',
  'Cloud save conflict',
];
export const app = defineApp({
  id: 'bug-board',
  title: 'BUGS!',
  about: 'The bug board of a game studio.',
  state,
  init: random => ({
    bugs: random.shuffle(TITLES).map((title, at) => ({
      id: `B${at + 1}`,
      title,
      column: random.pick(COLUMNS),
      level: random.pick(LEVELS),
      area: random.pick(AREAS),
      build: random.pick(BUILDS),
      dev: random.pick(DEVS),
      waitsFor: '',
      archived: false,
    })),
    ui: {
      drawer: '',
      menu: '',
      onlyDev: 'anyone',
      onlyArea: 'everything',
      filing: false,
      title: '',
      level: 'minor' as const,
      area: 'menus' as const,
      undo: '',
      undoTo: 'Inbox' as const,
    },
  }),
  commands: [
    move,
    setDev,
    setLevel,
    setBuild,
    archive,
    file,
    undo,
    all,
    drawer,
    cardMenu,
    only,
    filing,
    typeTitle,
    pickLevel,
    pickArea,
  ],
  view: b =>
    page('BUGS!', [
      banner('BUGS!', [
        toolbar('Board', [
          combobox('Developer', b.ui.onlyDev, {
            enter: only.entering({ by: 'onlyDev' }),
            options: ['anyone', ...DEVS],
          }),
          combobox('Area', b.ui.onlyArea, {
            enter: only.entering({ by: 'onlyArea' }),
            options: ['everything', ...AREAS],
          }),
          button('Report bug', filing.with({})),
          b.ui.undo !== '' && button('↶ Undo move', undo.with({})),
        ]),
      ]),
      b.ui.filing &&
        form('New bug', [
          textbox('What is broken?', b.ui.title, { enter: typeTitle.entering({}) }),
          combobox('How bad?', b.ui.level, { enter: pickLevel.entering({}), options: [...LEVELS] }),
          combobox('Where?', b.ui.area, { enter: pickArea.entering({}), options: [...AREAS] }),
          button('File it', file.with({ title: b.ui.title, level: b.ui.level, area: b.ui.area })),
        ]),
      ...COLUMNS.map(column =>
        region(column, [
          heading(`${column} (${cards(b, column).length})`),
          list(
            column,
            cards(b, column).map(x => card(b, x)),
          ),
        ]),
      ),
      b.ui.drawer !== '' && drawerOf(b),
    ]),
  templates: [retriage, shift, takeOver, report, sameBuild, tidy, whoHas, finish],
});

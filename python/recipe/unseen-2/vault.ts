import {
  added,
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  paginate,
  refuse,
  region,
  remove,
  switchButton,
  text,
  textbox,
  z,
} from 'espalier';

const strengths = ['weak', 'fair', 'strong'] as const;
const folders = ['Home', 'Work', 'Money', 'Clubs', 'No folder'];
const family = ['Mona', 'Idris', 'Grandpa Leo', 'Tess'];

const login = z.object({
  id: z.string(),
  site: z.string(),
  user: z.string(),
  folder: z.string(),
  strength: z.enum(strengths),
  changed: z.string(),
  twoStep: z.boolean(),
  favourite: z.boolean(),
  sharedWith: z.array(z.string()),
});
const state = z.object({
  logins: z.array(login),
  bin: z.array(z.object({ id: z.string(), site: z.string(), user: z.string() })),
  settings: z.object({ lockAfter: z.string(), clearClipboard: z.boolean(), icons: z.boolean() }),
  ui: z.object({
    place: z.enum(['all', 'check-up', 'bin', 'new', 'settings']),
    search: z.string(),
    folder: z.string(),
    page: z.int(),
    open: z.string().nullable(),
    mode: z.enum(['look', 'edit', 'share', 'delete']),
    site: z.string(),
    user: z.string(),
    where: z.string(),
    message: z.string(),
  }),
});
type Vault = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const onLogin = z.object({ id: z.string() });

const add = command('add_login', {
  about: 'Keep a new login, with a password that is made up for it.',
  input: z.object({
    site: z.string().trim().min(1, 'Which site?'),
    user: z.string().trim().min(1, 'Which user name?'),
    folder: z.string(),
  }),
  run(draft, { site, user, folder }) {
    const id = nextId(draft.logins, 'k');
    draft.logins.push({
      id,
      site,
      user,
      folder: folders.includes(folder) ? folder : 'No folder',
      strength: 'strong',
      changed: '2026-03-02',
      twoStep: false,
      favourite: false,
      sharedWith: [],
    });
    Object.assign(draft.ui, { place: 'all', open: id, mode: 'look', site: '', user: '', where: 'No folder' });
  },
});
const change = command('change_login', {
  about: 'Change the user name and the folder of a login.',
  input: z.object({ id: z.string(), user: z.string().trim().min(1, 'Which user name?'), folder: z.string() }),
  run(draft, { id, user, folder }) {
    if (!folders.includes(folder)) refuse(`There is no folder ${folder}.`);
    Object.assign(need(draft.logins, id, 'login'), { user, folder });
    draft.ui.mode = 'look';
  },
});
const renew = command('renew_password', {
  about: 'Make up a new strong password for a login.',
  input: onLogin,
  run(draft, { id }) {
    Object.assign(need(draft.logins, id, 'login'), { strength: 'strong', changed: '2026-03-02' });
    draft.ui.message = 'A new password was made up.';
  },
});
const star = command('star_login', {
  about: 'Make a login a favourite, or no favourite any more.',
  input: onLogin,
  run(draft, { id }) {
    const it = need(draft.logins, id, 'login');
    it.favourite = !it.favourite;
  },
});
const share = command('share_login', {
  about: 'Share a login with someone of the family, or stop sharing it. Logins about money cannot be shared.',
  input: z.object({ id: z.string(), person: z.string() }),
  run(draft, { id, person }) {
    const it = need(draft.logins, id, 'login');
    if (!family.includes(person)) refuse(`${person} is not in the family.`);
    const has = it.sharedWith.includes(person);
    if (!has && it.folder === 'Money') refuse('Logins in Money cannot be shared.');
    it.sharedWith = has ? it.sharedWith.filter(name => name !== person) : [...it.sharedWith, person].sort();
  },
});
const bin = command('bin_login', {
  about: 'Put a login into the bin.',
  input: onLogin,
  run(draft, { id }) {
    const { site, user } = need(draft.logins, id, 'login');
    draft.bin.push({ id, site, user });
    remove(draft.logins, id);
    Object.assign(draft.ui, { open: null, mode: 'look' });
  },
});
const set = command('change_setting', {
  about: 'Change after how long the vault locks, or flip a switch.',
  input: z.object({ name: z.enum(['lockAfter', 'clearClipboard', 'icons']), value: z.string() }),
  run({ settings }, { name, value }) {
    if (name === 'lockAfter') settings.lockAfter = value;
    else settings[name] = !settings[name];
  },
});
const listLogins = query('list_logins', {
  about: 'List logins by a part of the site or the user name.',
  input: z.object({ text: z.string() }),
  run: ({ logins }, input) =>
    logins
      .filter(({ site, user }) => `${site} ${user}`.toLowerCase().includes(input.text.toLowerCase()))
      .map(it => ({ ...it })),
});

const go = gesture('go', {
  about: 'Go to a place of the vault.',
  input: z.object({ place: z.enum(['all', 'check-up', 'bin', 'new', 'settings']) }),
  run({ ui }, { place }) {
    Object.assign(ui, { place, open: null, mode: 'look', page: 1, message: '' });
  },
});
const look = gesture('look', {
  about: 'Open a login, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run({ ui }, { id }) {
    Object.assign(ui, { open: id, mode: 'look', message: '' });
  },
});
const setMode = gesture('set_mode', {
  about: 'Edit, share or delete the open login.',
  input: z.object({ mode: z.enum(['look', 'edit', 'share', 'delete']) }),
  run({ ui, logins }, { mode }) {
    const it = find(logins, ui.open ?? '');
    Object.assign(ui, { mode, message: '', user: it?.user ?? '', where: it?.folder ?? '' });
  },
});
const write = gesture('write', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['site', 'user', 'where', 'search', 'folder']), value: z.string().max(60) }),
  run({ ui }, { field, value }) {
    ui[field] = value;
    ui.page = 1;
  },
});
const turn = gesture('turn', {
  about: 'Go to a page of the list.',
  input: z.object({ page: z.int() }),
  run({ ui }, input) {
    ui.page = input.page;
  },
});

function allLogins({ logins, ui }: Vault) {
  const lower = ui.search.toLowerCase();
  const fit = logins.filter(
    it =>
      (ui.folder === 'Any folder' || it.folder === ui.folder) && `${it.site} ${it.user}`.toLowerCase().includes(lower),
  );
  const shown = paginate(fit, ui.page, 10);
  return region('Logins', [
    textbox('Search the vault', ui.search, { enter: write.entering({ field: 'search' }) }),
    combobox('Folder', ui.folder, { enter: write.entering({ field: 'folder' }), options: ['Any folder', ...folders] }),
    list(
      `${shown.total} logins`,
      shown.items.map(({ id, site, user, favourite }) =>
        link(`${favourite ? '★ ' : ''}${site} (${user})`, look.with({ id })),
      ),
    ),
    shown.page > 1 && button('Newer', turn.with({ page: shown.page - 1 })),
    shown.page < shown.pages && button('Older', turn.with({ page: shown.page + 1 })),
  ]);
}

function one({ ui }: Vault, it: Vault['logins'][number]) {
  const { id } = it;
  if (ui.mode === 'delete') {
    return dialog(`Put ${it.site} into the bin?`, [
      text(`User name ${it.user}`),
      button('Into the bin', bin.with({ id })),
      button('Keep it', setMode.with({ mode: 'look' })),
    ]);
  }
  if (ui.mode === 'edit') {
    return form(`Edit ${it.site}`, [
      textbox('User name', ui.user, { enter: write.entering({ field: 'user' }) }),
      combobox('Keep in', ui.where, { enter: write.entering({ field: 'where' }), options: folders }),
      button('Done', change.with({ id, user: ui.user, folder: ui.where })),
      button('Discard', setMode.with({ mode: 'look' })),
    ]);
  }
  if (ui.mode === 'share') {
    return region(`Who else may use ${it.site}?`, [
      ...family.map(person => checkbox(person, it.sharedWith.includes(person), share.with({ id, person }))),
      ui.message !== '' && text(ui.message),
      link('Back', setMode.with({ mode: 'look' })),
    ]);
  }
  return region(it.site, [
    heading(it.site),
    text(`User name ${it.user}`),
    text(`Password •••••••• (${it.strength}), changed ${it.changed}`),
    text(`Folder ${it.folder}`),
    text(it.twoStep ? 'Two-step sign-in is on' : 'Two-step sign-in is off'),
    text(it.sharedWith.length === 0 ? 'Only you' : `Shared with ${it.sharedWith.join(', ')}`),
    ui.message !== '' && text(ui.message),
    button(it.favourite ? 'Unstar' : 'Star', star.with({ id })),
    button('Make up a new password', renew.with({ id })),
    button('Edit', setMode.with({ mode: 'edit' })),
    button('Share', setMode.with({ mode: 'share' })),
    button('Delete', setMode.with({ mode: 'delete' })),
    link('All logins', look.with({ id: null })),
  ]);
}

function checkUp({ logins }: Vault) {
  const weak = logins.filter(({ strength }) => strength === 'weak');
  const plain = logins.filter(({ twoStep, folder }) => !twoStep && folder === 'Money');
  const line = ({ id, site, folder }: Vault['logins'][number]) => link(`${site}, in ${folder}`, look.with({ id }));
  return region('Check-up', [
    list(`${weak.length} weak passwords`, weak.map(line)),
    list(`${plain.length} about money without two-step sign-in`, plain.map(line)),
  ]);
}

const sites: readonly (readonly [string, string])[] = [
  ['Northbank', 'Money'],
  ['Northbank Cards', 'Money'],
  ['Union Savings', 'Money'],
  ['Union Pension', 'Money'],
  ['Ledgerline', 'Money'],
  ['City Tax Office', 'Money'],
  ['Tandem Loans', 'Money'],
  ['Penny Broker', 'Money'],
  ['Pinecone Mail', 'Home'],
  ['Pinecone Drive', 'Home'],
  ['City Water', 'Home'],
  ['City Power', 'Home'],
  ['Otter Streaming', 'Home'],
  ['Otter Music', 'Home'],
  ['Grocery Run', 'Home'],
  ['Parcel Point', 'Home'],
  ['Staff Portal', 'Work'],
  ['Staff Travel', 'Work'],
  ['Sketchpad Pro', 'Work'],
  ['Meeting Hub', 'Work'],
  ['Velo Club', 'Clubs'],
  ['Rowing Club', 'Clubs'],
  ['Film Society', 'Clubs'],
  ['Allotment Forum', 'Clubs'],
  ['Tramly', 'No folder'],
  ['Stitchbox', 'No folder'],
  ['Kumquat Games', 'No folder'],
  ['Medivisit', 'No folder'],
];
const users = ['rosa.m', 'rosa@pinecone.test', 'r.mendel', 'rosa1981'];
const newSites = ['Lamplight Energy', 'Tandem Insurance', 'Puffin Post', 'Quill Forum', 'Otter Kids', 'City Waste'];

const addOne = template('add-login', {
  about: 'Keep a login for a new site.',
  split: 'test',
  sample: (_, random) => ({
    site: random.pick(newSites),
    user: random.pick(users),
    folder: random.pick(folders.slice(0, 4)),
  }),
  instruction: ({ site, user, folder }, random) =>
    random.pick([
      `Add a login for ${site} with the user name ${user}, in the folder ${folder}.`,
      `I just signed up at ${site} as ${user}. Keep that in my vault under ${folder}.`,
      `new entry please: ${site} / ${user} / folder ${folder}`,
    ]),
  checks: ({ site, user, folder }) => [
    {
      name: 'one login was added, as said',
      test(final, initial) {
        const [it, ...more] = added(initial.logins, final.logins);
        if (it === undefined || more.length > 0) return false;
        const isPlain = !it.favourite && it.sharedWith.length === 0;
        return it.site === site && it.user === user && it.folder === folder && isPlain;
      },
    },
  ],
  allow: () => ['/logins/+'],
});

const newUser = template('new-user-name', {
  about: 'Change the user name of a login.',
  split: 'test',
  sample({ logins }, random) {
    const it = random.pick(logins);
    return {
      id: it.id,
      site: it.site,
      user: random.pick(['rosa.mendel-ortiz', 'rmo', 'mendelortiz', 'rosa.ortiz@pinecone.test']),
    };
  },
  instruction: ({ site, user }, random) =>
    random.pick([
      `My user name at ${site} is now ${user}. Please update the vault.`,
      `${site}: user name -> ${user}`,
      `I got married and ${site} gave me a new user name, ${user}. Change the entry.`,
    ]),
  checks: ({ id, user }) => [{ name: 'the user name is new', test: final => find(final.logins, id)?.user === user }],
  allow: ({ id }) => [`/logins/${id}/user`],
});

const shareIt = template('share-login', {
  about: 'Share a login with someone; those about money cannot be shared.',
  split: 'test',
  kind: 'infeasible',
  sample({ logins }, random) {
    const money = random.chance(0.5);
    const { id, site } = random.pick(logins.filter(({ folder }) => (folder === 'Money') === money));
    return { id, site, person: random.pick(family), money };
  },
  isTwin: ({ money }) => !money,
  instruction: ({ site, person }, random) =>
    random.pick([
      `Share the login for ${site} with ${person}. Leave it in its folder.`,
      `${person} needs to get into ${site} too. Share it, without moving it anywhere.`,
      `give ${person} access to our ${site} login (same folder as now)`,
    ]),
  checks: ({ id, site, person }) => [
    { name: `${site} is shared with ${person}`, test: final => find(final.logins, id)?.sharedWith.join() === person },
  ],
  allow: ({ id }) => [`/logins/${id}/sharedWith`],
  shown: ({ ui }, { id }) => ui.open === id && ui.mode === 'share' && ui.message !== '',
});

const renewWeak = template('renew-weak', {
  about: 'Make up new passwords for all of a folder that are weak.',
  split: 'test',
  sample({ logins }, random) {
    const folder = random.pick(folders.slice(0, 4));
    const inside = logins.filter(it => it.folder === folder);
    if (inside.length < 3) return null;
    return { folder, ids: random.sample(inside, 2).map(({ id }) => id) };
  },
  setup(draft, { folder, ids }) {
    for (const it of draft.logins) {
      if (it.folder === folder)
        it.strength = ids.includes(it.id) ? 'weak' : it.strength === 'weak' ? 'fair' : it.strength;
    }
  },
  instruction: ({ folder }, random) =>
    random.pick([
      `Replace every weak password in the folder ${folder} by a new one.`,
      `The check-up complains about weak passwords. Have new ones made up for those in ${folder}, the others can wait.`,
      `No more weak passwords in ${folder}, please: renew each of them. The fair ones are ok.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({
      name: `login ${id} has a new password`,
      test(final) {
        const it = find(final.logins, id);
        return it?.strength === 'strong' && it.changed === '2026-03-02';
      },
    })),
  allow: ({ ids }) => ids.flatMap(id => [`/logins/${id}/strength`, `/logins/${id}/changed`]),
});

const whoShares = template('who-shares', {
  about: 'Tell with whom a login is shared.',
  split: 'test',
  sample({ logins }, random) {
    const { id, site } = random.pick(logins.filter(({ folder }) => folder !== 'Money'));
    return { id, site, person: random.pick(family) };
  },
  setup(draft, { id, person }) {
    need(draft.logins, id, 'login').sharedWith = [person];
  },
  instruction: ({ site }, random) =>
    random.pick([
      `Who else can use our login for ${site}?`,
      `With whom is ${site} shared? One name.`,
      `Somebody changed things on ${site}. Whom did I share it with?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { logins }) => need(logins, id, 'login').sharedWith.join(),
  shown: ({ ui }, { id }) => ui.open === id && (ui.mode === 'look' || ui.mode === 'share'),
});

const drop = template('bin-login', {
  about: 'Put a login into the bin.',
  split: 'test',
  sample({ logins }, random) {
    const { id, site, user } = random.pick(logins);
    return { id, site, user };
  },
  instruction: ({ site, user }, random) =>
    random.pick([
      `Delete the login of ${user} for ${site}.`,
      `I closed my account at ${site} (${user}). It can go from the vault.`,
      `Bin ${site}, user ${user}`,
    ]),
  checks: ({ id, site, user }) => [
    { name: `${site} is gone`, test: final => find(final.logins, id) === undefined },
    {
      name: `${site} is in the bin`,
      test(final, initial) {
        const it = find(final.bin, id);
        return it?.site === site && it.user === user && final.bin.length === initial.bin.length + 1;
      },
    },
  ],
  allow: ({ id }) => [`/logins/${id}`, '/bin/+'],
});

export const app = defineApp({
  id: 'vault',
  title: 'Acorn vault',
  about: 'A vault for passwords: logins in folders, sharing, a check-up and a bin.',
  state,
  init: random => ({
    logins: random.shuffle(sites).map(([site, folder], index) => ({
      id: `k${index + 1}`,
      site,
      user: random.pick(users),
      folder,
      strength: random.pick([...strengths, 'strong', 'fair'] as const),
      changed: `202${random.between(1, 5)}-0${random.between(1, 9)}-${random.between(10, 28)}`,
      twoStep: random.chance(0.5),
      favourite: random.chance(0.15),
      sharedWith: [],
    })),
    bin: [],
    settings: { lockAfter: '5 minutes', clearClipboard: true, icons: false },
    ui: {
      place: 'all' as const,
      search: '',
      folder: 'Any folder',
      page: 1,
      open: null,
      mode: 'look' as const,
      site: '',
      user: '',
      where: 'No folder',
      message: '',
    },
  }),
  commands: [add, change, renew, star, share, bin, set, listLogins, go, look, setMode, write, turn],
  view(vault) {
    const { ui, settings } = vault;
    const it = find(vault.logins, ui.open ?? '');
    if (it !== undefined) return page('Acorn vault', [one(vault, it)]);
    const places = [
      ['all', 'Logins'],
      ['check-up', 'Check-up'],
      ['bin', 'Bin'],
      ['settings', 'Settings'],
    ] as const;
    return page('Acorn vault', [
      navigation('Vault', [
        ...places.map(([place, name]) => link(name, go.with({ place }), ui.place === place ? ['selected'] : [])),
        button('＋', go.with({ place: 'new' })),
      ]),
      ui.message !== '' && text(ui.message),
      ui.place === 'all' && allLogins(vault),
      ui.place === 'check-up' && checkUp(vault),
      ui.place === 'bin' &&
        list(
          'Bin',
          vault.bin.map(({ site, user }) => listItem(site, [text(user)])),
        ),
      ui.place === 'new' &&
        form('New login', [
          textbox('Site', ui.site, { enter: write.entering({ field: 'site' }) }),
          textbox('User name', ui.user, { enter: write.entering({ field: 'user' }) }),
          combobox('Keep in', ui.where, { enter: write.entering({ field: 'where' }), options: folders }),
          text('A strong password will be made up.'),
          button('Keep', add.with({ site: ui.site, user: ui.user, folder: ui.where })),
        ]),
      ui.place === 'settings' &&
        region('Settings', [
          combobox('Lock after', settings.lockAfter, {
            enter: set.entering({ name: 'lockAfter' }),
            options: ['1 minute', '5 minutes', '30 minutes', 'never'],
          }),
          switchButton('Clear the clipboard', settings.clearClipboard, set.with({ name: 'clearClipboard', value: '' })),
          switchButton('Show icons of sites', settings.icons, set.with({ name: 'icons', value: '' })),
        ]),
    ]);
  },
  templates: [addOne, newUser, shareIt, renewWeak, whoShares, drop],
  onRefusal(draft, message) {
    draft.ui.message = message;
  },
});

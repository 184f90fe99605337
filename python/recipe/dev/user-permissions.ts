// Keyring: who may do what. A table edited in place, a matrix of roles, an invitation wizard.
import {
  added,
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
  find,
  heading,
  need,
  nextId,
  link,
  navigation,
  page,
  refuse,
  row,
  cell,
  switchButton,
  table,
  text,
  textbox,
  status,
  z,
} from 'espalier';

const RIGHTS = ['read', 'write', 'publish', 'export', 'billing', 'audit'] as const;
const ROLES = ['Viewer', 'Author', 'Editor', 'Treasurer', 'Steward'];
const state = z.object({
  roles: z.array(z.object({ id: z.string(), name: z.string(), rights: z.array(z.string()) })),
  users: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      mail: z.string(),
      role: z.string(),
      team: z.string(),
      twoFactor: z.boolean(),
      active: z.boolean(),
      manager: z.string(),
      lastSeen: z.string(),
    }),
  ),
  invites: z.array(z.object({ id: z.string(), mail: z.string(), role: z.string() })),
  ui: z.object({
    at: z.string(),
    query: z.string(),
    onlyActive: z.string(),
    mail: z.string(),
    role: z.string(),
    step: z.string(),
    open: z.string(),
    said: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const roleName = (s: State, id: string) => find(s.roles, id)?.name ?? '—';
const roleBy = (s: State, name: string) => s.roles.find(r => r.name === name) ?? refuse('No such role.');
const setRole = command('set_role', {
  about: 'Give a user another role.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const u = need(draft.users, id, 'user');
    const r = roleBy(draft, value);
    if (r.rights.includes('audit') && !u.twoFactor) refuse(`${r.name} needs two-factor sign-in.`);
    u.role = r.id;
    draft.ui.said = 'Saved.';
  },
});
const suspend = command('toggle_active', {
  about: 'Suspend a user, or let them in again.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const u = need(draft.users, id, 'user');
    u.active = !u.active;
    draft.ui.said = 'Saved.';
  },
});
const toggleRight = command('toggle_right', {
  about: 'Give a right to a role, or take it.',
  input: z.object({ id: z.string(), right: z.enum(RIGHTS) }),
  run(draft, { id, right }) {
    const r = need(draft.roles, id, 'role');
    r.rights = r.rights.includes(right)
      ? r.rights.filter(x => x !== right)
      : RIGHTS.filter(x => x === right || r.rights.includes(x));
    draft.ui.said = 'Saved.';
  },
});
const invite = command('invite', {
  about: 'Invite somebody.',
  input: z.object({ mail: z.string().min(3), role: z.string() }),
  run(draft, { mail, role }) {
    draft.invites.push({ id: nextId(draft.invites, 'i'), mail, role: roleBy(draft, role).id });
    Object.assign(draft.ui, { mail: '', role: '', step: '1', said: 'Invitation sent.' });
  },
});
const look = query('read_directory', {
  about: 'Read users and roles.',
  input: z.object({}),
  run: s => ({ roles: s.roles, users: s.users.map(u => ({ ...u, role: roleName(s, u.role) })), invites: s.invites }),
});
const show = gesture('show', {
  about: 'Show something.',
  input: z.object({ patch: z.record(z.string(), z.string()) }),
  run(draft, { patch }) {
    Object.assign(draft.ui, { said: '' }, patch);
  },
});
const type = gesture('type', {
  about: 'Type or choose.',
  input: z.object({ field: z.enum(['query', 'mail', 'role']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const screens: Record<string, (s: State) => unknown[]> = {
  people: s => [
    textbox('Filter by name', s.ui.query, { enter: type.entering({ field: 'query' }) }),
    table(
      'Accounts',
      s.users
        .filter(u => u.name.toLowerCase().includes(s.ui.query.toLowerCase()))
        .map(u =>
          row(u.name, [
            link(u.name, show.with({ patch: { at: 'person', open: u.id } })),
            cell(u.team),
            combobox(`Role of ${u.name}`, roleName(s, u.role), {
              enter: setRole.entering({ id: u.id }),
              options: s.roles.map(r => r.name),
            }),
            switchButton(`${u.name} may sign in`, u.active, suspend.with({ id: u.id })),
          ]),
        ),
    ),
  ],
  person(s) {
    const u = need(s.users, s.ui.open, 'user');
    return [
      heading(u.name),
      text(`Mail: ${u.mail}`),
      text(`Team: ${u.team}`),
      text(`Reports to: ${u.manager}`),
      text(`Two-factor: ${u.twoFactor ? 'on' : 'off'}`),
      text(`Last seen: ${u.lastSeen}`),
      text(`Role: ${roleName(s, u.role)}`),
      link('Back', show.with({ patch: { at: 'people', open: '' } })),
    ];
  },
  roles: s => [
    heading('What each role may do'),
    table(
      'Matrix',
      s.roles.map(r =>
        row(r.name, [
          cell(r.name),
          ...RIGHTS.map(x =>
            checkbox(`${r.name}: ${x}`, r.rights.includes(x), toggleRight.with({ id: r.id, right: x })),
          ),
        ]),
      ),
    ),
  ],
  invite: s =>
    s.ui.step === '1'
      ? [
          heading('Invite, step 1'),
          textbox('Mail address', s.ui.mail, { enter: type.entering({ field: 'mail' }) }),
          button('Continue', show.with({ patch: { step: '2' } })),
        ]
      : [
          heading('Invite, step 2'),
          text(s.ui.mail),
          combobox('They join as', s.ui.role, {
            enter: type.entering({ field: 'role' }),
            options: s.roles.map(r => r.name),
          }),
          button('Back', show.with({ patch: { step: '1' } })),
          s.ui.mail !== '' &&
            s.ui.role !== '' &&
            button('Send invitation', invite.with({ mail: s.ui.mail, role: s.ui.role })),
        ],
};
const promote = template('set-role', {
  about: 'Give a user a role.',
  split: 'train',
  sample(s, random) {
    const u = random.pick(s.users);
    const r = random.pick(s.roles.filter(x => x.id !== u.role && !x.rights.includes('audit')));
    return { id: u.id, name: u.name, role: r.id, as: r.name, way: random.between(0, 3) };
  },
  instruction: ({ name, as, way }) =>
    [
      `Make ${name} a ${as}.`,
      `${name}: ${as} from today`,
      `${name} has a new job and should be ${as} in here.`,
      `Could you change what ${name} is? ${as}, please.`,
    ][way]!,
  checks: ({ id, role }) => [{ name: 'role', test: f => find(f.users, id)?.role === role }],
  allow: ({ id }) => [`/users/${id}/role`],
});
const right = template('take-right', {
  about: 'Give or take a right of a role.',
  split: 'train',
  sample(s, random) {
    const r = random.pick(s.roles);
    const x = random.pick(RIGHTS.filter(y => y !== 'audit'));
    return { id: r.id, name: r.name, right: x, had: r.rights.includes(x), way: random.between(0, 2) };
  },
  instruction: ({ name, right, had, way }) =>
    had
      ? [
          `${name}s must not ${right} any more.`,
          `Take "${right}" from the role ${name}.`,
          `remove ${right} rights, role ${name}`,
        ][way]!
      : [
          `Let every ${name} use ${right}.`,
          `Grant "${right}" to the role ${name}.`,
          `${name} needs the ${right} right`,
        ][way]!,
  checks: ({ id, right, had }) => [
    {
      name: 'right',
      test: (f, i) => {
        const now = find(f.roles, id)!.rights;
        return (
          now.includes(right) !== had &&
          RIGHTS.every(x => x === right || now.includes(x) === find(i.roles, id)!.rights.includes(x))
        );
      },
    },
  ],
  allow: ({ id }) => [`/roles/${id}/rights`],
});
const team = template('suspend-team', {
  about: 'Suspend everybody of a team.',
  split: 'train',
  sample(s, random) {
    const team = random.pick(['Interns', 'Press', 'Contractors']);
    return { ids: random.sample(s.users, 2).map(u => u.id), team, way: random.between(0, 2) };
  },
  setup(draft, { ids, team }) {
    for (const u of draft.users) if (u.team === team && !ids.includes(u.id)) u.team = 'Office';
    for (const id of ids) Object.assign(need(draft.users, id, 'user'), { team, active: true });
  },
  instruction: ({ team, way }) =>
    [
      `The ${team} have left. Nobody of that team may sign in any more.`,
      `suspend all accounts in team ${team}`,
      `Please lock out everyone from ${team}, but nobody else.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, n) => ({ name: `suspended ${n + 1}`, test: f => find(f.users, id)?.active === false })),
  allow: ({ ids }) => ids.map(id => `/users/${id}/active`),
});
const invited = template('invite-somebody', {
  about: 'Invite somebody with a role.',
  split: 'train',
  sample: (s, random) => ({
    mail: `${random.pick(['nora', 'olaf', 'pia', 'quentin', 'ruth'])}@${random.pick(['fjord.no', 'acme.org', 'linden.de'])}`,
    role: random.pick(s.roles).name,
    way: random.between(0, 2),
  }),
  instruction: ({ mail, role, way }) =>
    [
      `Invite ${mail} as ${role}.`,
      `We have a new ${role}! Send the invitation to ${mail}`,
      `${mail} should get an invite (role ${role})`,
    ][way]!,
  checks: ({ mail, role }) => [
    {
      name: 'invited',
      test(f, i) {
        const [x, ...rest] = added(i.invites, f.invites);
        return rest.length === 0 && x?.mail === mail && roleName(f, x.role) === role;
      },
    },
  ],
  allow: () => ['/invites/+'],
});
const sameAs = template('same-role-as', {
  about: 'Give a user the role that another has.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(s.users, 2);
    const role = random.pick(s.roles.filter(r => !r.rights.includes('audit') && r.id !== a!.role));
    return { id: a!.id, name: a!.name, other: b!.id, like: b!.name, role: role.id, way: random.between(0, 2) };
  },
  setup(draft, { other, role }) {
    need(draft.users, other, 'user').role = role;
  },
  instruction: ({ name, like, way }) =>
    [
      `${name} should have the same role as ${like}.`,
      `Copy the role of ${like} onto ${name}.`,
      `${name} is taking over from ${like}: same role please`,
    ][way]!,
  checks: ({ id, role }) => [{ name: 'same role', test: f => find(f.users, id)?.role === role }],
  allow: ({ id }) => [`/users/${id}/role`],
});
const boss = template('mail-of-manager', {
  about: 'Say the mail address of the manager of a user.',
  split: 'train',
  sample(s, random) {
    const u = random.pick(s.users);
    return { id: u.id, name: u.name, way: random.between(0, 2) };
  },
  instruction: ({ name, way }) =>
    [
      `What is the mail address of the person ${name} reports to?`,
      `I need to write to ${name}'s manager. Address?`,
      `mail of the boss of ${name}`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => s.users.find(u => u.name === need(s.users, id, 'user').manager)!.mail,
  shown: (s, { id }) => [
    s.ui.at === 'person' && s.ui.open === id,
    s.ui.at === 'person' && find(s.users, s.ui.open)?.name === need(s.users, id, 'user').manager,
  ],
});
const needsTwo = template('audit-role', {
  about: 'Give a role that needs two-factor sign-in.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ two }) => two,
  sample(s, random) {
    const r = s.roles.find(x => x.rights.includes('audit'))!;
    const u = random.pick(s.users.filter(x => x.role !== r.id));
    return { id: u.id, name: u.name, role: r.id, as: r.name, two: random.chance(0.5), way: random.between(0, 2) };
  },
  setup(draft, { id, two }) {
    need(draft.users, id, 'user').twoFactor = two;
  },
  instruction: ({ name, as, way }) =>
    [
      `Please make ${name} ${as}.`,
      `${name} → ${as}, if they have two-factor on; otherwise report that it's not possible`,
      `The board wants ${name} as ${as}.`,
    ][way]!,
  checks: ({ id, role }) => [{ name: 'role', test: f => find(f.users, id)?.role === role }],
  allow: ({ id }) => [`/users/${id}/role`],
  shown: (s, { id, as }) => (s.ui.at === 'person' && s.ui.open === id) || s.ui.said.startsWith(as),
});
const names = [
  'Ana Reis',
  'Ana Reyes',
  'Bo Lind',
  'Bob Linde',
  'Carl Voss',
  'Carla Voss',
  'Dina Falk',
  'Emre Aksoy',
  'Fritz Ohm',
  'Gwen Park',
  'Hugo Park',
  'Ida Thorn',
];
export const app = defineApp({
  id: 'user-permissions',
  title: 'Keyring',
  about: 'Accounts, roles and rights of an organisation.',
  state,
  init(random) {
    const audit = random.pick(['Steward', 'Treasurer']);
    const roles = random.shuffle(ROLES).map((name, n) => ({
      id: `r${n + 1}`,
      name,
      rights: RIGHTS.filter(x => (x === 'audit' ? name === audit : x === 'read' || random.chance(0.45))) as string[],
    }));
    const people = random.shuffle(names);
    return {
      roles,
      users: people.map((name, n) => ({
        id: `u${n + 1}`,
        name,
        mail: `${name.split(' ')[0]!.toLowerCase()}${random.between(10, 99)}@keyring.test`,
        role: random.pick(roles.filter(r => r.name !== audit)).id,
        team: random.pick(['Office', 'Press', 'Field', 'Interns', 'Contractors']),
        twoFactor: random.chance(0.5),
        active: random.chance(0.8),
        manager: random.pick(people.filter(x => x !== name)),
        lastSeen: `${random.between(1, 28)} ${random.pick(['Jan', 'Feb', 'Mar'])}`,
      })),
      invites: [],
      ui: { at: 'people', query: '', onlyActive: '', mail: '', role: '', step: '1', open: '', said: '' },
    };
  },
  onRefusal(draft: State, message: string) {
    draft.ui.said = message;
  },
  commands: [setRole, suspend, toggleRight, invite, look, show, type],
  view: s =>
    page('Keyring', [
      navigation('Sections', [
        link('People', show.with({ patch: { at: 'people', open: '' } })),
        link('Roles', show.with({ patch: { at: 'roles' } })),
        link('Invite', show.with({ patch: { at: 'invite', step: '1' } })),
      ]),
      s.ui.said !== '' && status(s.ui.said),
      ...(screens[s.ui.at]!(s) as ReturnType<typeof text>[]),
    ]),
  templates: [promote, right, team, invited, sameAs, boss, needsTwo],
});

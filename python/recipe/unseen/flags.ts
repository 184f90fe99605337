import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  searchBox,
  status,
  switchButton,
  text,
  textbox,
  z,
} from 'espalier';

// A console for feature flags, as developers know it: environments on top, flags below, an audit trail at the side.
const envs = ['dev', 'staging', 'prod'];
const teams = ['checkout', 'identity', 'search', 'growth', 'platform'];
const state = z.object({
  flags: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      owner: z.string(),
      dev: z.boolean(),
      staging: z.boolean(),
      prod: z.boolean(),
      rollout: z.int(),
      archived: z.boolean(),
      expires: z.string(),
    }),
  ),
  segments: z.array(z.object({ id: z.string(), name: z.string(), rule: z.string(), members: z.int() })),
  targets: z.array(z.object({ id: z.string(), flag: z.string(), segment: z.string() })),
  ui: z.object({
    env: z.string(),
    pane: z.string(),
    flag: z.string(),
    q: z.string(),
    owner: z.string(),
    kebab: z.boolean(),
    sure: z.boolean(),
    percent: z.string(),
    key: z.string(),
    newOwner: z.string(),
    creating: z.boolean(),
    segment: z.string(),
    toast: z.string(),
  }),
});
type Console = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const flip = command('flip_flag', {
  about: 'Switch a flag on or off in one environment.',
  input: z.object({ flag: z.string(), env: z.enum(['dev', 'staging', 'prod']) }),
  run(draft, { flag, env }) {
    const it = need(draft.flags, flag, 'flag');
    if (it.archived) refuse('archived flags are frozen');
    it[env] = !it[env];
  },
});
const roll = command('set_rollout', {
  about: 'Set the rollout percentage of a flag.',
  input: z.object({ flag: z.string(), percent: z.string() }),
  run(draft, { flag, percent }) {
    const share = Number(percent.trim());
    if (percent.trim() === '' || !Number.isInteger(share) || share < 0 || share > 100) refuse('0 to 100, please');
    need(draft.flags, flag, 'flag').rollout = share;
    Object.assign(draft.ui, { percent: '', toast: `rollout ${share}%` });
  },
});
const archive = command('archive_flag', {
  about: 'Archive a flag, or bring it back.',
  input: z.object({ flag: z.string(), archived: z.boolean() }),
  run(draft, { flag, archived }) {
    need(draft.flags, flag, 'flag').archived = archived;
    Object.assign(draft.ui, { kebab: false, toast: archived ? 'archived' : 'restored' });
  },
});
const destroy = command('delete_flag', {
  about: 'Delete a flag for good.',
  input: z.object({ flag: z.string() }),
  run(draft, { flag }) {
    need(draft.flags, flag, 'flag');
    if (draft.targets.some(it => it.flag === flag)) refuse('remove its targets first');
    remove(draft.flags, flag);
    Object.assign(draft.ui, { pane: 'flags', flag: '', sure: false, kebab: false, toast: 'deleted' });
  },
});
const create = command('create_flag', {
  about: 'Create a flag that is off everywhere.',
  input: z.object({ key: z.string(), owner: z.string() }),
  run(draft, { key, owner }) {
    if (!/^[a-z][a-z0-9-]{2,}$/.test(key)) refuse('keys are lower-case words with dashes');
    if (draft.flags.some(it => it.key === key)) refuse('key exists');
    if (!teams.includes(owner)) refuse('which team owns it?');
    draft.flags.push({
      id: nextId(draft.flags, 'f'),
      key,
      owner,
      dev: false,
      staging: false,
      prod: false,
      rollout: 0,
      archived: false,
      expires: 'never',
    });
    Object.assign(draft.ui, { creating: false, key: '', newOwner: '', toast: `created ${key}` });
  },
});
const target = command('add_target', {
  about: 'Target a segment with a flag.',
  input: z.object({ flag: z.string(), segment: z.string() }),
  run(draft, { flag, segment }) {
    need(draft.flags, flag, 'flag');
    const it = draft.segments.find(({ name }) => name === segment) ?? refuse('pick a segment');
    if (draft.targets.some(one => one.flag === flag && one.segment === it.id)) refuse('targeted already');
    draft.targets.push({ id: nextId(draft.targets, 'g'), flag, segment: it.id });
    Object.assign(draft.ui, { segment: '', toast: 'target added' });
  },
});
const untarget = command('remove_target', {
  about: 'Stop targeting a segment.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.targets, id, 'target');
    remove(draft.targets, id);
  },
});
const listFlags = query('list_flags', { about: 'List all flags.', input: z.object({}), run: ({ flags }) => flags });
const jump = gesture('jump', {
  about: 'Open a pane.',
  input: z.object({ pane: z.string(), flag: z.string() }),
  run(draft, { pane, flag }) {
    Object.assign(draft.ui, {
      pane,
      flag,
      kebab: false,
      sure: false,
      percent: '',
      creating: false,
      segment: '',
      toast: '',
    });
  },
});
const pickEnv = gesture('pick_env', {
  about: 'Look at another environment.',
  input: z.object({ env: z.string() }),
  run(draft, { env }) {
    draft.ui.env = env;
  },
});
const tweak = gesture('tweak', {
  about: 'Type or choose.',
  input: z.object({
    field: z.enum(['q', 'owner', 'percent', 'key', 'newOwner', 'segment']),
    value: z.string().max(60),
  }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const pop = gesture('pop', {
  about: 'Open or close something that pops up.',
  input: z.object({ what: z.enum(['kebab', 'sure', 'creating']), open: z.boolean() }),
  run(draft, { what, open }) {
    draft.ui[what] = open;
    if (what !== 'kebab') draft.ui.kebab = false;
  },
});

function pane({ flags, segments, targets, ui }: Console) {
  if (ui.creating)
    return [
      dialog('new flag', [
        textbox('key', ui.key, { enter: tweak.entering({ field: 'key' }) }),
        combobox('owning team', ui.newOwner, { enter: tweak.entering({ field: 'newOwner' }), options: teams }),
        button('create', create.with({ key: ui.key, owner: ui.newOwner })),
        button('esc', pop.with({ what: 'creating', open: false })),
      ]),
    ];
  if (ui.pane === 'segments')
    return [
      heading('segments'),
      list(
        'segments',
        segments.map(it => listItem(`${it.name}: ${it.rule}, ${it.members} members`, [])),
      ),
    ];
  if (ui.pane === 'flag') {
    const it = need(flags, ui.flag, 'flag');
    if (ui.sure)
      return [
        dialog(`delete ${it.key}?`, [
          text('Code that still reads it will fall back to off.'),
          button('delete for ever', destroy.with({ flag: it.id })),
          button('keep', pop.with({ what: 'sure', open: false })),
        ]),
      ];
    return [
      heading(it.key),
      it.archived && status('archived'),
      text(`owner: team-${it.owner}`),
      text(`expires: ${it.expires}`),
      text(`rollout: ${it.rollout}%`),
      button('⋮', pop.with({ what: 'kebab', open: !ui.kebab }), ui.kebab ? ['expanded'] : []),
      ui.kebab &&
        menu('more', [
          menuItem(it.archived ? 'restore' : 'archive', archive.with({ flag: it.id, archived: !it.archived })),
          menuItem('delete', pop.with({ what: 'sure', open: true })),
        ]),
      ...(['dev', 'staging', 'prod'] as const).map(env =>
        switchButton(`on in ${env}`, it[env], flip.with({ flag: it.id, env })),
      ),
      textbox('rollout %', ui.percent, { enter: tweak.entering({ field: 'percent' }) }),
      button('apply', roll.with({ flag: it.id, percent: ui.percent })),
      region('targets', [
        ...targets
          .filter(({ flag }) => flag === it.id)
          .map(one => button(`× ${find(segments, one.segment)?.name ?? ''}`, untarget.with({ id: one.id }))),
        combobox('segment', ui.segment, {
          enter: tweak.entering({ field: 'segment' }),
          options: segments.map(({ name }) => name),
        }),
        button('+ target', target.with({ flag: it.id, segment: ui.segment })),
      ]),
    ];
  }
  const shown = flags.filter(
    it =>
      (ui.pane === 'archive') === it.archived &&
      it.key.includes(ui.q.trim()) &&
      (ui.owner === '*' || it.owner === ui.owner),
  );
  return [
    searchBox('filter', [
      textbox('key contains', ui.q, { enter: tweak.entering({ field: 'q' }) }),
      combobox('team', ui.owner, { enter: tweak.entering({ field: 'owner' }), options: ['*', ...teams] }),
    ]),
    ...envs.map(env => button(env, pickEnv.with({ env }), env === ui.env ? ['pressed'] : [])),
    list(
      `${shown.length} flags in ${ui.env}`,
      shown.map(it =>
        listItem(it.key, [
          link(it.key, jump.with({ pane: 'flag', flag: it.id })),
          text(it[ui.env as 'dev'] ? 'ON' : 'off'),
        ]),
      ),
    ),
    ui.pane === 'flags' && button('+ new flag', pop.with({ what: 'creating', open: true })),
  ];
}

const live = (flags: Console['flags']) => flags.filter(({ archived }) => !archived);
const flipTask = template('flip-in-env', {
  about: 'Switch a flag in one environment.',
  split: 'test',
  sample({ flags }, random) {
    const it = random.pick(live(flags));
    const env = random.pick(['dev', 'staging', 'prod'] as const);
    return { id: it.id, key: it.key, env, wanted: !it[env] };
  },
  instruction: ({ key, env, wanted }) => `${wanted ? 'enable' : 'kill'} ${key} in ${env}`,
  checks: ({ id, env, wanted }) => [
    { name: 'the switch is right', test: final => find(final.flags, id)?.[env] === wanted },
  ],
  allow: ({ id, env }) => [`/flags/${id}/${env}`],
});
const rollTask = template('rollout', {
  about: 'Set the rollout of a flag.',
  split: 'test',
  sample({ flags }, random) {
    const { id, key, rollout } = random.pick(live(flags));
    return { id, key, percent: String(random.pick([1, 5, 10, 15, 25, 40, 60, 75, 90].filter(it => it !== rollout))) };
  },
  instruction: ({ key, percent }) => `Numbers look good, let's go to ${percent} % with ${key}.`,
  checks: ({ id, percent }) => [
    { name: 'the rollout is right', test: final => find(final.flags, id)?.rollout === Number(percent) },
  ],
  allow: ({ id }) => [`/flags/${id}/rollout`],
});
const createTask = template('new-flag', {
  about: 'Create a flag.',
  split: 'test',
  sample({ flags }, random) {
    const key = `${random.pick(['try', 'beta', 'use', 'show'])}-${random.pick(['one-click', 'dark-header', 'fast-index', 'passkeys', 'gift-cards', 'inline-help'])}`;
    return flags.some(it => it.key === key) ? null : { key, newOwner: random.pick(teams) };
  },
  instruction: ({ key, newOwner }) => `We need a new flag called ${key}; the ${newOwner} team owns it.`,
  checks: ({ key, newOwner }) => [
    {
      name: 'one flag was created, off everywhere',
      test(final, initial) {
        const [made, ...more] = added(initial.flags, final.flags);
        return (
          made?.key === key &&
          made.owner === newOwner &&
          !made.dev &&
          !made.staging &&
          !made.prod &&
          made.rollout === 0 &&
          !made.archived &&
          made.expires === 'never' &&
          more.length === 0
        );
      },
    },
  ],
  allow: () => ['/flags/+'],
});
const restoreTask = template('restore-flag', {
  about: 'Bring an archived flag back.',
  split: 'test',
  sample({ flags }, random) {
    const { id, key } = random.pick(flags.filter(({ archived }) => archived));
    return { id, key };
  },
  instruction: ({ key }) => `Somebody archived ${key} by accident. Can you get it back?`,
  checks: ({ id }) => [{ name: 'the flag is back', test: final => find(final.flags, id)?.archived === false }],
  allow: ({ id }) => [`/flags/${id}/archived`],
});
const targetTask = template('target-biggest-segment', {
  about: 'Target the segment with the most members with a flag.',
  split: 'test',
  sample({ flags, segments, targets }, random) {
    const { id, key } = random.pick(live(flags));
    const segment = random.pick(segments);
    if (targets.some(it => it.flag === id && it.segment === segment.id)) return null;
    return { id, key, segmentId: segment.id, members: random.between(50000, 99000) };
  },
  setup(draft, { segmentId, members }) {
    need(draft.segments, segmentId, 'segment').members = members;
  },
  instruction: ({ key }) => `Roll ${key} out to our biggest segment: add it as a target.`,
  checks: ({ id, segmentId }) => [
    {
      name: 'one target was added',
      test(final, initial) {
        const [made, ...more] = added(initial.targets, final.targets);
        return made?.flag === id && made.segment === segmentId && more.length === 0;
      },
    },
  ],
  allow: () => ['/targets/+'],
});
const deleteTask = template('delete-flag', {
  about: 'Delete a flag for good.',
  split: 'test',
  sample({ flags, targets }, random) {
    const { id, key } = random.pick(live(flags).filter(it => !targets.some(({ flag }) => flag === it.id)));
    return { id, key };
  },
  instruction: ({ key }) => `the code behind ${key} is gone. delete the flag, don't just archive it`,
  checks: ({ id }) => [{ name: 'the flag is gone', test: final => find(final.flags, id) === undefined }],
  allow: ({ id }) => [`/flags/${id}`],
});

export const app = defineApp({
  id: 'flags',
  title: 'flagdeck',
  about: 'Feature flags of a web company.',
  state,
  init(random) {
    const keys = random.sample(
      ['new', 'old', 'lazy', 'smart', 'bulk'].flatMap(one =>
        ['login', 'cart', 'ranking', 'avatar', 'export', 'banner', 'cache'].map(two => `${one}-${two}`),
      ),
      20,
    );
    const flags = keys.map((key, index) => ({
      id: `f${index + 1}`,
      key,
      owner: random.pick(teams),
      dev: random.chance(0.8),
      staging: random.chance(0.5),
      prod: random.chance(0.3),
      rollout: random.pick([0, 5, 20, 50, 100]),
      archived: index % 3 === 1,
      expires: random.pick(['never', '2026-03-01', '2026-06-30', '2027-01-15']),
    }));
    const segments = random
      .sample(
        [
          'beta testers',
          'employees',
          'big spenders',
          'students',
          'Nordics',
          'mobile users',
          'night owls',
          'resellers',
          'trial accounts',
        ],
        7,
      )
      .map((name, index) => ({
        id: `s${index + 1}`,
        name,
        rule: random.pick(['country in list', 'plan = pro', 'opt-in', 'orders > 20', 'user agent']),
        members: random.between(40, 45000),
      }));
    return {
      flags,
      segments,
      targets: random
        .sample(
          flags.flatMap(({ id }) => segments.map(segment => ({ flag: id, segment: segment.id }))),
          8,
        )
        .map((it, index) => ({ id: `g${index + 1}`, ...it })),
      ui: {
        env: 'prod',
        pane: 'flags',
        flag: '',
        q: '',
        owner: '*',
        kebab: false,
        sure: false,
        percent: '',
        key: '',
        newOwner: '',
        creating: false,
        segment: '',
        toast: '',
      },
    };
  },
  commands: [flip, roll, archive, destroy, create, target, untarget, listFlags, jump, pickEnv, tweak, pop],
  view: it =>
    page('flagdeck', [
      ...(it.ui.creating || it.ui.sure
        ? []
        : [
            link('flags', jump.with({ pane: 'flags', flag: '' })),
            link('archive', jump.with({ pane: 'archive', flag: '' })),
            link('segments', jump.with({ pane: 'segments', flag: '' })),
          ]),
      it.ui.toast !== '' && status(it.ui.toast),
      ...pane(it),
    ]),
  templates: [flipTask, rollTask, createTask, restoreTask, targetTask, deleteTask],
  onRefusal(draft, message) {
    draft.ui.toast = message;
  },
});

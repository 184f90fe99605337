import {
  alert,
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
  find,
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
  remove,
  switchButton,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const kinds = ['pixels', 'type', 'shape'] as const;
const blends = ['Normal', 'Multiply', 'Screen', 'Overlay', 'Soft light', 'Luminosity'];

const layer = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(kinds),
  group: z.string(),
  visible: z.boolean(),
  locked: z.boolean(),
  opacity: z.int(),
  blend: z.string(),
});
const state = z.object({
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  layers: z.array(layer),
  ui: z.object({
    unfolded: z.array(z.string()),
    selected: z.string().nullable(),
    menu: z.enum(['none', 'layer', 'move']),
    asking: z.boolean(),
    notice: z.string(),
  }),
});
type Poster = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const onLayer = z.object({ id: z.string() });

function editable(draft: Poster, id: string): Poster['layers'][number] {
  const it = need(draft.layers, id, 'layer');
  if (it.locked) refuse(`Could not complete your request because “${it.name}” is locked.`);
  draft.ui.notice = '';
  return it;
}

const setOpacity = command('set_opacity', {
  about: 'Set the opacity of a layer, in percent.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const number = Number(value.replace('%', '').trim());
    if (!Number.isInteger(number) || number < 0 || number > 100) refuse('Opacity is a whole number from 0 to 100.');
    editable(draft, id).opacity = number;
  },
});
const setBlend = command('set_blend_mode', {
  about: 'Set the blend mode of a layer.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!blends.includes(value)) refuse(`There is no blend mode ${value}.`);
    editable(draft, id).blend = value;
  },
});
const rename = command('rename_layer', {
  about: 'Give a layer another name.',
  input: z.object({ id: z.string(), value: z.string().trim().min(1, 'A layer needs a name') }),
  run(draft, { id, value }) {
    editable(draft, id).name = value;
  },
});
const toggleEye = command('toggle_visibility', {
  about: 'Show or hide a layer.',
  input: onLayer,
  run(draft, { id }) {
    const it = need(draft.layers, id, 'layer');
    it.visible = !it.visible;
  },
});
const toggleLock = command('toggle_lock', {
  about: 'Lock or unlock a layer.',
  input: onLayer,
  run(draft, { id }) {
    const it = need(draft.layers, id, 'layer');
    it.locked = !it.locked;
    draft.ui.notice = '';
  },
});
const move = command('move_to_group', {
  about: 'Move a layer into another group.',
  input: z.object({ id: z.string(), group: z.string() }),
  run(draft, { id, group }) {
    need(draft.groups, group, 'group');
    editable(draft, id).group = group;
    draft.ui.menu = 'none';
  },
});
const duplicate = command('duplicate_layer', {
  about: 'Put a copy of a layer into the same group.',
  input: onLayer,
  run(draft, { id }) {
    const it = need(draft.layers, id, 'layer');
    const copy = { ...it, id: nextId(draft.layers, 'l'), name: `${it.name} copy`, locked: false };
    draft.layers.push(copy);
    Object.assign(draft.ui, { menu: 'none', selected: copy.id });
  },
});
const discard = command('delete_layer', {
  about: 'Delete a layer.',
  input: onLayer,
  run(draft, { id }) {
    editable(draft, id);
    remove(draft.layers, id);
    Object.assign(draft.ui, { menu: 'none', selected: null, asking: false });
  },
});
const listLayers = query('list_layers', {
  about: 'List the layers of a group, by the name of the group.',
  input: z.object({ group: z.string() }),
  run({ groups, layers }, input) {
    const wanted = groups.find(({ name }) => name === input.group) ?? refuse('There is no such group.');
    return layers.filter(({ group }) => group === wanted.id).map(it => ({ ...it, group: wanted.name }));
  },
});

const fold = gesture('fold', {
  about: 'Unfold or fold a group.',
  input: onLayer,
  run({ ui }, { id }) {
    ui.unfolded = ui.unfolded.includes(id) ? ui.unfolded.filter(it => it !== id) : [...ui.unfolded, id];
  },
});
const select = gesture('select', {
  about: 'Select a layer.',
  input: onLayer,
  run(draft, { id }) {
    Object.assign(draft.ui, { selected: id, menu: 'none', asking: false, notice: '' });
  },
});
const openMenu = gesture('open_menu', {
  about: 'Open or close a menu.',
  input: z.object({ which: z.enum(['none', 'layer', 'move']) }),
  run({ ui }, { which }) {
    ui.menu = ui.menu === which ? 'none' : which;
  },
});
const ask = gesture('ask_delete', {
  about: 'Ask before deleting.',
  input: z.object({ yes: z.boolean() }),
  run({ ui }, { yes }) {
    Object.assign(ui, { asking: yes, menu: 'none' });
  },
});

const inGroup = ({ layers }: Poster, id: string) => layers.filter(({ group }) => group === id);

function tree(poster: Poster) {
  const { groups, ui } = poster;
  return list(
    'Layers',
    groups.map(({ id, name }) => {
      const isOpen = ui.unfolded.includes(id);
      const inside = inGroup(poster, id);
      return listItem(name, [
        button(`${isOpen ? '▾' : '▸'} ${name}`, fold.with({ id }), isOpen ? ['expanded'] : []),
        isOpen &&
          list(
            `${inside.length} in ${name}`,
            inside.map(it =>
              listItem(it.name, [
                button(it.visible ? `Hide ${it.name}` : `Show ${it.name}`, toggleEye.with({ id: it.id })),
                button(it.name, select.with({ id: it.id }), ui.selected === it.id ? ['selected'] : []),
                text(`${it.kind}, ${it.opacity}%${it.locked ? ' 🔒' : ''}${it.visible ? '' : ', hidden'}`),
              ]),
            ),
          ),
      ]);
    }),
  );
}

function properties({ groups, ui }: Poster, it: Poster['layers'][number]) {
  const { id } = it;
  return region('Properties', [
    heading(it.name),
    textbox('Name', it.name, { enter: rename.entering({ id }) }),
    combobox('Blend', it.blend, { enter: setBlend.entering({ id }), options: blends }),
    textbox('Opacity', `${it.opacity}`, { enter: setOpacity.entering({ id }) }),
    switchButton('Lock', it.locked, toggleLock.with({ id })),
    toolbar('Menu bar', [button('Layer', openMenu.with({ which: 'layer' }), ui.menu === 'none' ? [] : ['expanded'])]),
    ui.menu === 'layer' &&
      menu('Layer', [
        menuItem('Duplicate', duplicate.with({ id })),
        menuItem('Move into ▸', openMenu.with({ which: 'move' })),
        menuItem('Delete…', ask.with({ yes: true })),
      ]),
    ui.menu === 'move' &&
      menu(
        'Move into',
        groups
          .filter(group => group.id !== it.group)
          .map(group => menuItem(group.name, move.with({ id, group: group.id }))),
      ),
  ]);
}

const groupNames = ['Background', 'Skyline', 'Headline', 'Band', 'Sponsors', 'Small print'];
const names: Record<(typeof kinds)[number], string[]> = {
  pixels: [
    'Mist',
    'Mist left',
    'Grain',
    'Moon',
    'Moon glow',
    'Saxophone',
    'Trumpet',
    'Dust',
    'Rooftops',
    'River',
    'Clouds',
  ],
  type: [
    'Date',
    'Date small',
    'Venue',
    'Venue address',
    'Ticket price',
    'Doors open',
    'Line-up',
    'Line-up late',
    'Website',
  ],
  shape: [
    'Ribbon',
    'Ribbon shadow',
    'Frame',
    'Frame inner',
    'Star',
    'Gold bar',
    'Logo plate',
    'Divider',
    'Circle',
    'Arrow',
  ],
};

const fade = template('fade-layer', {
  about: 'Set the opacity of a layer.',
  split: 'test',
  sample({ layers, groups }, random) {
    const it = random.pick(layers.filter(({ locked }) => !locked));
    const value = `${random.pick([15, 20, 30, 45, 55, 65, 85].filter(number => number !== it.opacity))}`;
    return { id: it.id, name: it.name, group: need(groups, it.group, 'group').name, value };
  },
  instruction: ({ name, group, value }, random) =>
    random.pick([
      `Set the opacity of the layer "${name}" (group ${group}) to ${value}.`,
      `"${name}" in ${group} is too strong or too weak, I can't decide. Let's try it at ${value} percent.`,
      `${group} > ${name}: ${value} % opacity please`,
    ]),
  checks: ({ id, name, value }) => [
    { name: `${name} has the opacity`, test: final => find(final.layers, id)?.opacity === Number(value) },
  ],
  allow: ({ id }) => [`/layers/${id}/opacity`],
});

const hideType = template('hide-type', {
  about: 'Hide every type layer of a group.',
  split: 'test',
  sample(poster, random) {
    const fit = poster.groups.filter(({ id }) => {
      const shown = inGroup(poster, id).filter(it => it.kind === 'type' && it.visible).length;
      return shown > 1 && shown < 4;
    });
    if (fit.length === 0) return null;
    const { id, name } = random.pick(fit);
    const ids = inGroup(poster, id).flatMap(it => (it.kind === 'type' && it.visible ? [it.id] : []));
    return { name, ids };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `Hide all type layers in the group ${name}.`,
      `I need to see ${name} without any lettering. Switch the type layers in there off, but keep the rest as it is.`,
      `for the wordless version: no type visible in "${name}"`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `layer ${id} is hidden`, test: final => find(final.layers, id)?.visible === false })),
  allow: ({ ids }) => ids.map(id => `/layers/${id}/visible`),
});

const blendLocked = template('blend-locked', {
  about: 'Change the blend mode of a locked layer, and leave it locked.',
  split: 'test',
  sample({ layers }, random) {
    const it = random.pick(layers);
    return { id: it.id, name: it.name, blend: random.pick(blends.filter(blend => blend !== it.blend)) };
  },
  setup(draft, { id }) {
    const it = need(draft.layers, id, 'layer');
    it.locked = true;
    draft.ui.unfolded = [it.group];
  },
  instruction: ({ name, blend }, random) =>
    random.pick([
      `Change the blend mode of "${name}" to ${blend}. It has to stay locked in the end.`,
      `Please put ${name} on ${blend}. It is locked, so unlock it for that and lock it again.`,
      `"${name}" should blend as ${blend}. Whoever locked it wants it locked when you are done.`,
    ]),
  checks: ({ id, name, blend }) => [
    {
      name: `${name} has the blend mode and is locked`,
      test(final) {
        const it = find(final.layers, id);
        return it?.blend === blend && it.locked;
      },
    },
    { name: `the blend mode of ${name} is right`, test: final => find(final.layers, id)?.blend === blend },
  ],
  allow: ({ id }) => [`/layers/${id}/blend`, `/layers/${id}/locked`],
});

const regroup = template('regroup', {
  about: 'Move a layer into another group.',
  split: 'test',
  sample({ layers, groups }, random) {
    const it = random.pick(layers.filter(({ locked }) => !locked));
    const to = random.pick(groups.filter(({ id }) => id !== it.group));
    return { id: it.id, name: it.name, from: need(groups, it.group, 'group').name, to: to.id, toName: to.name };
  },
  instruction: ({ name, from, toName }, random) =>
    random.pick([
      `Move the layer "${name}" from ${from} into ${toName}.`,
      `${name} ended up in ${from} by mistake, it belongs to ${toName}. Can you put it there?`,
      `"${name}": out of ${from}, into ${toName}.`,
    ]),
  checks: ({ id, name, to, toName }) => [
    { name: `${name} is in ${toName}`, test: final => find(final.layers, id)?.group === to },
  ],
  allow: ({ id }) => [`/layers/${id}/group`],
});

const faintest = template('faintest', {
  about: 'Tell which layer of a group has the lowest opacity.',
  split: 'test',
  sample(poster, random) {
    const fit = poster.groups.filter(({ id }) => {
      const [first, second] = inGroup(poster, id)
        .map(({ opacity }) => opacity)
        .sort((a, b) => a - b);
      return first !== undefined && first !== second;
    });
    if (fit.length === 0) return null;
    const { id, name } = random.pick(fit);
    return { id, name };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `Which layer in the group ${name} has the lowest opacity?`,
      `Something in ${name} is nearly invisible. Tell me the name of the layer with the least opacity.`,
      `Faintest layer of ${name}, by opacity? Just its name.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, poster) => [...inGroup(poster, id)].sort((a, b) => a.opacity - b.opacity)[0]?.name ?? '',
  shown: ({ ui }, { id }) => ui.unfolded.includes(id),
});

const clearHidden = template('delete-hidden', {
  about: 'Delete the hidden layer of a group.',
  split: 'test',
  sample(poster, random) {
    const { id, name } = random.pick(poster.groups);
    const it = random.pick(inGroup(poster, id));
    return { group: id, name, id: it.id };
  },
  setup(draft, { group, id }) {
    for (const it of draft.layers) if (it.group === group) it.visible = it.id !== id;
    need(draft.layers, id, 'layer').locked = false;
  },
  instruction: ({ name }, random) =>
    random.pick([
      `One layer in ${name} is hidden and never used. Delete it.`,
      `Delete the hidden layer in the group "${name}".`,
      `Tidy up ${name}: what is switched off in there can be thrown away.`,
    ]),
  checks: ({ id }) => [{ name: 'the hidden layer is gone', test: final => find(final.layers, id) === undefined }],
  allow: ({ id }) => [`/layers/${id}`],
});

export const app = defineApp({
  id: 'layers',
  title: 'Jazz weekend poster',
  about: 'The layers panel of an image editor: groups, layers, blend modes and locks.',
  state,
  init(random) {
    const groups = random.shuffle(groupNames).map((name, index) => ({ id: `g${index + 1}`, name }));
    const all = random.shuffle(kinds.flatMap(kind => names[kind].map(name => ({ kind, name }))));
    return {
      groups,
      layers: all.map(({ kind, name }, index) => ({
        id: `l${index + 1}`,
        name,
        kind,
        group: groups[index % groups.length]?.id ?? 'g1',
        visible: random.chance(0.85),
        locked: random.chance(0.15),
        opacity: random.pick([100, 100, 100, 90, 80, 75, 70, 60, 50, 40, 35, 25, 10]),
        blend: random.chance(0.5) ? 'Normal' : random.pick(blends),
      })),
      ui: { unfolded: [], selected: null, menu: 'none' as const, asking: false, notice: '' },
    };
  },
  commands: [
    setOpacity,
    setBlend,
    rename,
    toggleEye,
    toggleLock,
    move,
    duplicate,
    discard,
    listLayers,
    fold,
    select,
    openMenu,
    ask,
  ],
  view(poster) {
    const { ui } = poster;
    const it = find(poster.layers, ui.selected ?? '');
    if (ui.asking && it !== undefined)
      return page('Jazz weekend poster', [
        dialog(`Delete the layer “${it.name}”?`, [
          ui.notice !== '' && alert(ui.notice),
          button('Yes', discard.with({ id: it.id })),
          button('No', ask.with({ yes: false })),
        ]),
      ]);
    return page('Jazz weekend poster', [
      ui.notice !== '' && alert(ui.notice),
      it === undefined ? text('Nothing selected') : properties(poster, it),
      tree(poster),
    ]);
  },
  templates: [fade, hideType, blendLocked, regroup, faintest, clearHidden],
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});

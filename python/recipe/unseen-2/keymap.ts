import {
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  dialog,
  find,
  need,
  page,
  radio,
  refuse,
  region,
  row,
  searchBox,
  status,
  switchButton,
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const contexts = ['Everywhere', 'Canvas', 'Timeline', 'Text'];

const action = z.object({
  id: z.string(),
  label: z.string(),
  context: z.string(),
  keys: z.string(),
  factory: z.string(),
});
const state = z.object({
  actions: z.array(action),
  options: z.array(z.object({ id: z.string(), label: z.string(), on: z.boolean() })),
  ui: z.object({
    search: z.string(),
    by: z.enum(['name', 'keys']),
    context: z.string(),
    pane: z.enum(['keys', 'typing']),
    recording: z.string().nullable(),
    typed: z.string(),
    line: z.string(),
  }),
});
type Keymap = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const tidy = (keys: string) =>
  keys
    .split('+')
    .map(part => part.trim().toLowerCase())
    .join('+');
const clash = ({ actions }: Keymap, id: string, keys: string) => {
  const mine = need(actions, id, 'action');
  return actions.find(
    it =>
      it.id !== id &&
      it.keys !== '' &&
      tidy(it.keys) === tidy(keys) &&
      (it.context === mine.context || it.context === 'Everywhere' || mine.context === 'Everywhere'),
  );
};

const assign = command('assign_keys', {
  about: 'Give an action a shortcut; with steal, an action that has it already loses it.',
  input: z.object({ id: z.string(), keys: z.string().trim().min(1, 'Press some keys first'), steal: z.boolean() }),
  run(draft, { id, keys, steal }) {
    const mine = need(draft.actions, id, 'action');
    const other = clash(draft, id, keys);
    if (other !== undefined && !steal) refuse(`${keys} is used by “${other.label}”.`);
    if (other !== undefined) other.keys = '';
    mine.keys = keys;
    Object.assign(draft.ui, { recording: null, typed: '', line: `${mine.label}: ${keys}` });
  },
});
const unassign = command('clear_keys', {
  about: 'Take the shortcut of an action away.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const mine = need(draft.actions, id, 'action');
    if (mine.keys === '') refuse(`“${mine.label}” has no shortcut.`);
    mine.keys = '';
    Object.assign(draft.ui, { recording: null, typed: '', line: `${mine.label}: none` });
  },
});
const restore = command('restore_factory_keys', {
  about: 'Give an action the shortcut it was shipped with.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const mine = need(draft.actions, id, 'action');
    const other = mine.factory === '' ? undefined : clash(draft, id, mine.factory);
    if (other !== undefined) refuse(`${mine.factory} is now used by “${other.label}”.`);
    mine.keys = mine.factory;
    Object.assign(draft.ui, { recording: null, typed: '', line: `${mine.label}: as shipped` });
  },
});
const flip = command('flip_option', {
  about: 'Switch an option of the keyboard on or off.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.options, id, 'option');
    it.on = !it.on;
  },
});
const lookUp = query('look_up', {
  about: 'List the actions whose name or keys contain a text.',
  input: z.object({ text: z.string() }),
  run: ({ actions }, input) =>
    actions
      .filter(({ label, keys }) => `${label} ${keys}`.toLowerCase().includes(input.text.toLowerCase()))
      .map(it => ({ ...it })),
});

const search = gesture('search', {
  about: 'Type into the search field.',
  input: z.object({ value: z.string().max(60) }),
  run({ ui }, { value }) {
    ui.search = value;
  },
});
const searchBy = gesture('search_by', {
  about: 'Search by name or by keys.',
  input: z.object({ by: z.enum(['name', 'keys']) }),
  run({ ui }, { by }) {
    Object.assign(ui, { by, search: '' });
  },
});
const choose = gesture('choose_context', {
  about: 'Show one context.',
  input: z.object({ value: z.string() }),
  run({ ui }, { value }) {
    ui.context = value;
  },
});
const turnTo = gesture('turn_to', {
  about: 'Turn to the shortcuts or to the options.',
  input: z.object({ pane: z.enum(['keys', 'typing']) }),
  run({ ui }, { pane }) {
    Object.assign(ui, { pane, line: '' });
  },
});
const record = gesture('record', {
  about: 'Open the recorder for an action, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run({ ui }, { id }) {
    Object.assign(ui, { recording: id, typed: '', line: '' });
  },
});
const press = gesture('press_keys', {
  about: 'Press the keys.',
  input: z.object({ value: z.string().max(30) }),
  run({ ui }, { value }) {
    Object.assign(ui, { typed: value.trim(), line: '' });
  },
});

const cut = 9;

function visible({ actions, ui }: Keymap) {
  const wanted = ui.by === 'keys' ? tidy(ui.search) : ui.search.toLowerCase().trim();
  return actions.filter(it => {
    if (ui.context !== 'All' && it.context !== ui.context) return false;
    if (wanted === '') return true;
    return ui.by === 'keys' ? tidy(it.keys) === wanted : it.label.toLowerCase().includes(wanted);
  });
}

function recorder(keymap: Keymap, mine: Keymap['actions'][number]) {
  const { typed, line } = keymap.ui;
  const { id, label, context, keys, factory } = mine;
  const other = typed === '' ? undefined : clash(keymap, id, typed);
  return dialog(`Shortcut for “${label}”`, [
    text(`Context: ${context}`),
    text(`Now: ${keys === '' ? 'none' : keys}. Shipped with: ${factory === '' ? 'none' : factory}.`),
    line !== '' && status(line),
    textbox('Press keys', typed, { enter: press.entering({}) }),
    other !== undefined && status(`Taken by “${other.label}” (${other.context}).`),
    typed !== '' && other === undefined && button('Assign', assign.with({ id, keys: typed, steal: false })),
    other !== undefined && button('Take it over', assign.with({ id, keys: typed, steal: true })),
    keys !== '' && button('Leave without a shortcut', unassign.with({ id })),
    tidy(keys) !== tidy(factory) && button('As shipped', restore.with({ id })),
    button('Never mind', record.with({ id: null })),
  ]);
}

const labels: readonly (readonly [string, string])[] = [
  ['Save', 'Everywhere'],
  ['Save as copy', 'Everywhere'],
  ['Undo', 'Everywhere'],
  ['Redo', 'Everywhere'],
  ['Command palette', 'Everywhere'],
  ['Full screen', 'Everywhere'],
  ['Zoom in', 'Canvas'],
  ['Zoom out', 'Canvas'],
  ['Zoom to selection', 'Canvas'],
  ['Flip horizontally', 'Canvas'],
  ['Flip vertically', 'Canvas'],
  ['Rotate canvas left', 'Canvas'],
  ['Rotate canvas right', 'Canvas'],
  ['Pen tool', 'Canvas'],
  ['Pencil tool', 'Canvas'],
  ['Eraser tool', 'Canvas'],
  ['Next frame', 'Timeline'],
  ['Previous frame', 'Timeline'],
  ['Next keyframe', 'Timeline'],
  ['Previous keyframe', 'Timeline'],
  ['Play from start', 'Timeline'],
  ['Play selection', 'Timeline'],
  ['Split clip', 'Timeline'],
  ['Onion skin', 'Timeline'],
  ['Bold', 'Text'],
  ['Italic', 'Text'],
  ['Increase size', 'Text'],
  ['Decrease size', 'Text'],
  ['Align left', 'Text'],
  ['Align right', 'Text'],
];
const chords = ['Ctrl', 'Ctrl+Shift', 'Alt', 'Alt+Shift', 'Ctrl+Alt'].flatMap(start =>
  ['B', 'D', 'E', 'G', 'H', 'J', 'K', 'L', 'M', 'P', 'R', 'T', 'U', 'Y'].map(key => `${start}+${key}`),
);
const free = ({ actions }: Keymap) =>
  chords.filter(keys => !actions.some(it => it.keys === keys || it.factory === keys));

const give = template('give-shortcut', {
  about: 'Give an action a shortcut that is free.',
  split: 'test',
  sample(keymap, random) {
    const { id, label } = random.pick(keymap.actions);
    return { id, label, keys: random.pick(free(keymap)) };
  },
  instruction: ({ label, keys }, random) =>
    random.pick([
      `Put "${label}" on ${keys}.`,
      `I'd like ${keys} to do "${label}".`,
      `"${label}" needs another shortcut, my hand hurts. ${keys} would be good.`,
      `new shortcut for ${label}: ${keys}`,
    ]),
  checks: ({ id, label, keys }) => [
    { name: `${label} is on the keys`, test: final => find(final.actions, id)?.keys === keys },
  ],
  allow: ({ id }) => [`/actions/${id}/keys`],
});

const steal = template('take-over', {
  about: 'Give an action the shortcut that another one has.',
  split: 'test',
  sample({ actions }, random) {
    const mine = random.pick(actions);
    const others = actions.filter(it => it.id !== mine.id && it.context === mine.context && it.keys !== '');
    if (others.length === 0) return null;
    const other = random.pick(others);
    return { id: mine.id, label: mine.label, other: other.id, keys: other.keys };
  },
  instruction: ({ label, keys }, random) =>
    random.pick([
      `Put "${label}" on ${keys}, even if something else has these keys.`,
      `${keys} should do "${label}". I never use what is on it now.`,
      `Make ${keys} the shortcut for ${label}; take it away from whatever has it.`,
    ]),
  checks: ({ id, other, label, keys }) => [
    { name: `${label} is on the keys`, test: final => find(final.actions, id)?.keys === keys },
    { name: 'the other action lost them', test: final => find(final.actions, other)?.keys === '' },
  ],
  allow: ({ id, other }) => [`/actions/${id}/keys`, `/actions/${other}/keys`],
});

const clear = template('clear-by-keys', {
  about: 'Take away a shortcut, known by its keys.',
  split: 'test',
  sample({ actions }, random) {
    const fit = actions.filter(it => it.keys !== '' && actions.filter(({ keys }) => keys === it.keys).length === 1);
    const { id, keys } = random.pick(fit);
    return { id, keys };
  },
  instruction: ({ keys }, random) =>
    random.pick([
      `I keep hitting ${keys} by accident. Make it do nothing.`,
      `Remove the shortcut ${keys}, whatever it is for.`,
      `My window manager needs ${keys}. Please free it here.`,
    ]),
  checks: ({ id, keys }) => [{ name: `${keys} does nothing`, test: final => find(final.actions, id)?.keys === '' }],
  allow: ({ id }) => [`/actions/${id}/keys`],
});

const shipped = template('as-shipped', {
  about: 'Give an action its first shortcut back.',
  split: 'test',
  sample({ actions }, random) {
    const { id, label, factory } = random.pick(actions.filter(it => it.factory !== ''));
    return { id, label, factory };
  },
  setup(draft, { id, factory }) {
    for (const it of draft.actions) if (it.keys === factory) it.keys = '';
    need(draft.actions, id, 'action').keys = 'F9';
  },
  instruction: ({ label }, random) =>
    random.pick([
      `Reset the shortcut of "${label}" to what it was when the program was installed.`,
      `I messed up the keys for ${label}. Back to the original ones please.`,
      `"${label}": default shortcut again.`,
    ]),
  checks: ({ id, label, factory }) => [
    { name: `${label} is as shipped`, test: final => find(final.actions, id)?.keys === factory },
  ],
  allow: ({ id }) => [`/actions/${id}/keys`],
});

const whatDoes = template('what-does', {
  about: 'Tell what a shortcut does.',
  split: 'test',
  sample({ actions }, random) {
    const fit = actions
      .slice(cut)
      .filter(it => it.keys !== '' && actions.filter(({ keys }) => keys === it.keys).length === 1);
    const { id, keys } = random.pick(fit);
    return { id, keys };
  },
  instruction: ({ keys }, random) =>
    random.pick([
      `What does ${keys} do?`,
      `Which action is ${keys} assigned to?`,
      `Name the action that is on ${keys}.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { actions }) => need(actions, id, 'action').label,
  shown: (keymap, { id }) =>
    keymap.ui.recording === null &&
    keymap.ui.pane === 'keys' &&
    visible(keymap)
      .slice(0, cut)
      .some(it => it.id === id),
});

const option = template('switch-option', {
  about: 'Switch a keyboard option on or off; it may be so already.',
  split: 'test',
  kind: 'already-done',
  sample({ options }, random) {
    const { id, label } = random.pick(options);
    return { id, label, on: random.chance(0.5), was: random.chance(0.5) };
  },
  isTwin: ({ on, was }) => on !== was,
  setup(draft, { id, was }) {
    need(draft.options, id, 'option').on = was;
  },
  instruction: ({ label, on }, random) =>
    random.pick([
      `Make sure that "${label}" is ${on ? 'on' : 'off'}.`,
      `On this machine, "${label}" should be ${on ? 'on' : 'off'}.`,
      `Check the option "${label}", I want it ${on ? 'on' : 'off'}.`,
    ]),
  checks: ({ id, label, on }) => [
    { name: `${label} is ${on ? 'on' : 'off'}`, test: final => find(final.options, id)?.on === on },
  ],
  allow: ({ id }) => [`/options/${id}/on`],
  shown: ({ ui }) => ui.pane === 'typing',
});

const optionLabels = [
  'Single keys switch tools',
  'Hold for a moment to switch back',
  'Show keys in menus',
  'Warn of clashes with the system',
  'Use the number pad for frames',
  'Caps Lock as Ctrl',
];

export const app = defineApp({
  id: 'keymap',
  title: 'Keyboard shortcuts',
  about: 'The keyboard settings of an animation program: actions, keys, contexts and options.',
  state,
  init(random) {
    const pool = random.shuffle(chords);
    return {
      actions: random.shuffle(labels).map(([label, context], index) => {
        const factory = random.chance(0.85) ? (pool[index] ?? '') : '';
        const keys = random.chance(0.75) ? factory : random.chance(0.5) ? '' : (pool[index + 35] ?? '');
        return { id: `a${index + 1}`, label, context, keys, factory };
      }),
      options: random
        .shuffle(optionLabels)
        .map((label, index) => ({ id: `o${index + 1}`, label, on: random.chance(0.5) })),
      ui: {
        search: '',
        by: 'name' as const,
        context: 'All',
        pane: 'keys' as const,
        recording: null,
        typed: '',
        line: '',
      },
    };
  },
  commands: [assign, unassign, restore, flip, lookUp, search, searchBy, choose, turnTo, record, press],
  view(keymap) {
    const { ui } = keymap;
    const mine = find(keymap.actions, ui.recording ?? '');
    if (mine !== undefined) return page('Keyboard shortcuts', [recorder(keymap, mine)]);
    const shown = visible(keymap);
    const isKeys = ui.pane === 'keys';
    return page('Keyboard shortcuts', [
      toolbar('Panes', [
        tab('Shortcuts', turnTo.with({ pane: 'keys' }), isKeys ? ['selected'] : []),
        tab('Typing', turnTo.with({ pane: 'typing' }), isKeys ? [] : ['selected']),
      ]),
      isKeys &&
        searchBox('Find', [
          textbox(ui.by === 'keys' ? 'Find by keys' : 'Find by name', ui.search, { enter: search.entering({}) }),
          radio('Name', ui.by === 'name', searchBy.with({ by: 'name' })),
          radio('Keys', ui.by === 'keys', searchBy.with({ by: 'keys' })),
          combobox('Context', ui.context, { enter: choose.entering({}), options: ['All', ...contexts] }),
        ]),
      ui.line !== '' && status(ui.line),
      isKeys &&
        table(
          'Shortcuts',
          shown
            .slice(0, cut)
            .map(({ id, label, context, keys }) =>
              row(label, [cell(label), cell(context), button(keys === '' ? 'add…' : keys, record.with({ id }))]),
            ),
        ),
      isKeys && shown.length > cut && text(`${shown.length - cut} more. Narrow the search to see them.`),
      !isKeys &&
        region(
          'Typing',
          keymap.options.map(({ id, label, on }) => switchButton(label, on, flip.with({ id }))),
          { shuffle: true },
        ),
    ]);
  },
  templates: [give, steal, clear, shipped, whatDoes, option],
  onRefusal(draft, message) {
    draft.ui.line = message;
  },
});

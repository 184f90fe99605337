import {
  added,
  alert,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  remove,
  row,
  searchBox,
  status,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const freezers = ['Borealis', 'Polaris', 'Tundra', 'Glacier'];
const reasons = ['Contaminated', 'Used up', 'Consent withdrawn', 'Label unreadable'];
const kinds = ['plasma', 'serum', 'whole blood', 'buffy coat', 'DNA', 'saliva'];
const sample = z.object({
  id: z.string(),
  code: z.string(),
  kind: z.string(),
  freezer: z.string(),
  slot: z.string(),
  volume: z.int(),
  thaws: z.int(),
  quarantine: z.boolean(),
});
const state = z.object({
  samples: z.array(sample),
  discards: z.array(z.object({ id: z.string(), code: z.string(), reason: z.string() })),
  ui: z.object({
    place: z.string(),
    card: z.string().nullable(),
    find: z.string(),
    volume: z.string(),
    asking: z.boolean(),
    reason: z.string(),
    message: z.string(),
  }),
});
type Store = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const setVolume = command('set_volume', {
  about: 'Correct the remaining volume of a sample, in microlitres.',
  input: z.object({ id: z.string(), volume: z.string() }),
  run(draft, { id, volume }) {
    if (!/^\d{1,4}$/.test(volume.trim())) refuse('The volume is a whole number of µl.');
    need(draft.samples, id, 'sample').volume = Number(volume.trim());
    Object.assign(draft.ui, { volume: '', message: 'Volume saved.' });
  },
});
const relocate = command('relocate_sample', {
  about: 'Put a sample into another freezer.',
  input: z.object({ id: z.string(), value: z.enum(freezers as [string, ...string[]]) }),
  run(draft, { id, value }) {
    need(draft.samples, id, 'sample').freezer = value;
    draft.ui.message = `Now in ${value}.`;
  },
});
const quarantine = command('toggle_quarantine', {
  about: 'Put a sample into quarantine, or release it.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.samples, id, 'sample');
    it.quarantine = !it.quarantine;
  },
});
const discard = command('discard_sample', {
  about: 'Discard a sample for a reason.',
  input: z.object({ id: z.string(), reason: z.string() }),
  run(draft, { id, reason }) {
    const it = need(draft.samples, id, 'sample');
    if (!reasons.includes(reason)) refuse('Choose a reason first.');
    draft.discards.push({ id: nextId(draft.discards, 'd'), code: it.code, reason });
    remove(draft.samples, id);
    Object.assign(draft.ui, { card: null, asking: false, reason: '', message: `${it.code} was discarded.` });
  },
});
const listSamples = query('list_samples', {
  about: 'List the samples whose code contains a text.',
  input: z.object({ text: z.string() }),
  run: ({ samples }, input) => samples.filter(({ code }) => code.includes(input.text)),
});

const goTo = gesture('go_to', {
  about: 'Open a freezer, the overview or the discard log.',
  input: z.object({ place: z.string() }),
  run(draft, { place }) {
    Object.assign(draft.ui, { place, card: null, find: '', asking: false, message: '' });
  },
});
const openCard = gesture('open_card', {
  about: 'Open the card of a sample.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { card: id, volume: '', asking: false, reason: '', message: '' });
  },
});
const typeFind = gesture('type_find', {
  about: 'Look for a code.',
  input: z.object({ value: z.string().max(30) }),
  run(draft, { value }) {
    draft.ui.find = value;
  },
});
const typeVolume = gesture('type_volume', {
  about: 'Type a volume.',
  input: z.object({ value: z.string().max(8) }),
  run(draft, { value }) {
    draft.ui.volume = value;
  },
});
const ask = gesture('ask_discard', {
  about: 'Open or close the question before discarding.',
  input: z.object({ open: z.boolean() }),
  run(draft, { open }) {
    Object.assign(draft.ui, { asking: open, reason: '' });
  },
});
const chooseReason = gesture('choose_reason', {
  about: 'Choose why.',
  input: z.object({ reason: z.string() }),
  run(draft, { reason }) {
    draft.ui.reason = reason;
  },
});

function overview({ samples, discards, ui }: Store) {
  const wanted = ui.find.trim().toLowerCase();
  return [
    searchBox('Find a tube', [textbox('Tube code', ui.find, { enter: typeFind.entering({}) })]),
    wanted !== '' &&
      list(
        'Hits',
        samples
          .filter(({ code }) => code.toLowerCase().includes(wanted))
          .map(({ id, code, freezer }) =>
            listItem(`${code}, ${freezer}`, [link(`Card ${code}`, openCard.with({ id }))]),
          ),
      ),
    region(
      'Freezers',
      freezers.map(name =>
        button(
          `${name} (${samples.filter(({ freezer }) => freezer === name).length} tubes)`,
          goTo.with({ place: name }),
        ),
      ),
    ),
    button(`Discard log (${discards.length})`, goTo.with({ place: 'log' })),
  ];
}
function cardOf(it: Store['samples'][number], ui: Store['ui']) {
  if (ui.asking)
    return [
      dialog(`Discard ${it.code}?`, [
        text('This cannot be undone. Why?'),
        ...reasons.map(reason => radio(reason, ui.reason === reason, chooseReason.with({ reason }))),
        button('Discard for good', discard.with({ id: it.id, reason: ui.reason })),
        button('Keep it', ask.with({ open: false })),
      ]),
    ];
  return [
    heading(`Tube ${it.code}`),
    text(`Material: ${it.kind}`),
    text(`Slot: ${it.slot}`),
    text(`Remaining: ${it.volume} µl`),
    text(`Thaw cycles: ${it.thaws}`),
    combobox('Freezer', it.freezer, { enter: relocate.entering({ id: it.id }), options: freezers }),
    switchButton('Quarantine', it.quarantine, quarantine.with({ id: it.id })),
    textbox('New volume (µl)', ui.volume, { enter: typeVolume.entering({}) }),
    button('Save volume', setVolume.with({ id: it.id, volume: ui.volume })),
    button('Discard…', ask.with({ open: true })),
  ];
}

const setVolumeTask = template('correct-volume', {
  about: 'Correct the remaining volume of a tube.',
  split: 'test',
  sample({ samples }, random) {
    const { id, code, volume } = random.pick(samples);
    return { id, code, volume: String(volume + random.between(3, 60)) };
  },
  instruction: ({ code, volume }) => `I re-measured ${code}: there are ${volume} µl left. Please correct the record.`,
  checks: ({ id, volume }) => [
    { name: 'the volume is right', test: final => find(final.samples, id)?.volume === Number(volume) },
  ],
  allow: ({ id }) => [`/samples/${id}/volume`],
});
const moveTask = template('move-tube', {
  about: 'Move a tube to a named freezer.',
  split: 'test',
  sample({ samples }, random) {
    const { id, code, freezer } = random.pick(samples);
    return { id, code, freezer: random.pick(freezers.filter(name => name !== freezer)) };
  },
  instruction: ({ code, freezer }) => `move ${code} to ${freezer}`,
  checks: ({ id, freezer }) => [
    { name: 'it is in that freezer', test: final => find(final.samples, id)?.freezer === freezer },
  ],
  allow: ({ id }) => [`/samples/${id}/freezer`],
});
const besideTask = template('move-beside', {
  about: 'Move a tube to the freezer in which another one is.',
  split: 'test',
  sample({ samples }, random) {
    const one = random.pick(samples);
    const others = samples.filter(({ freezer }) => freezer !== one.freezer);
    const other = random.pick(others);
    return { id: one.id, code: one.code, otherId: other.id, otherCode: other.code };
  },
  instruction: ({ code, otherCode }) =>
    `${code} and ${otherCode} are from the same patient and should sit in the same freezer. Leave ${otherCode} where it is and bring ${code} there.`,
  checks: ({ id, otherId }) => [
    {
      name: 'both are in one freezer',
      test: (final, initial) => find(final.samples, id)?.freezer === find(initial.samples, otherId)?.freezer,
    },
  ],
  allow: ({ id }) => [`/samples/${id}/freezer`],
});
const discardTask = template('discard-tube', {
  about: 'Discard a tube for a reason.',
  split: 'test',
  sample({ samples }, random) {
    const { id, code } = random.pick(samples);
    return { id, code, reason: random.pick(reasons) };
  },
  instruction: ({ code, reason }) => `Tube ${code} has to go. Discard it, the reason is "${reason}".`,
  checks: ({ id, code, reason }) => [
    { name: 'the tube is gone', test: final => find(final.samples, id) === undefined },
    {
      name: 'the log says why',
      test(final, initial) {
        const [made, ...more] = added(initial.discards, final.discards);
        return made?.code === code && made.reason === reason && more.length === 0;
      },
    },
  ],
  allow: ({ id }) => [`/samples/${id}`, '/discards/+'],
});
const thawTask = template('quarantine-most-thawed', {
  about: 'Put the tube of a freezer that was thawed most often into quarantine.',
  split: 'test',
  sample({ samples }, random) {
    const freezer = random.pick(freezers);
    const inside = samples.filter(it => it.freezer === freezer);
    if (inside.length < 3) return null;
    return { freezer, id: random.pick(inside).id };
  },
  setup(draft, { id, freezer }) {
    const it = need(draft.samples, id, 'sample');
    it.thaws = Math.max(...draft.samples.filter(other => other.freezer === freezer).map(({ thaws }) => thaws)) + 1;
    it.quarantine = false;
  },
  instruction: ({ freezer }) =>
    `One of the tubes in ${freezer} has been thawed more often than any other in there. Put it in quarantine.`,
  checks: ({ id }) => [{ name: 'it is in quarantine', test: final => find(final.samples, id)?.quarantine === true }],
  allow: ({ id }) => [`/samples/${id}/quarantine`],
});
const slotQuestion = template('where-is-tube', {
  about: 'Say in which slot a tube is.',
  split: 'test',
  sample({ samples }, random) {
    const { id, code } = random.pick(samples);
    return { id, code };
  },
  instruction: ({ code }) => `Which slot is ${code} in?`,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { samples }) => need(samples, id, 'sample').slot,
  shown: ({ ui }, { id }) => ui.card === id,
});

export const app = defineApp({
  id: 'cryo',
  title: 'Cryo store',
  about: 'Frozen samples of a biobank: where they are, how much is left, what was discarded.',
  state,
  init(random) {
    const numbers = random.sample(
      Array.from({ length: 800 }, (_, index) => 100 + index),
      26,
    );
    return {
      samples: numbers.map((number, index) => ({
        id: `s${index + 1}`,
        code: `${random.pick(['KX', 'MB', 'TR'])}-${number}`,
        kind: random.pick(kinds),
        freezer: freezers[index % 4] as string,
        slot: `${random.pick(['A', 'B', 'C', 'D', 'E', 'F'])}${random.between(1, 99)}`,
        volume: random.between(10, 480),
        thaws: random.between(0, 6),
        quarantine: random.chance(0.15),
      })),
      discards: [{ id: 'd1', code: 'KX-012', reason: 'Used up' }],
      ui: { place: 'overview', card: null, find: '', volume: '', asking: false, reason: '', message: '' },
    };
  },
  commands: [
    setVolume,
    relocate,
    quarantine,
    discard,
    listSamples,
    goTo,
    openCard,
    typeFind,
    typeVolume,
    ask,
    chooseReason,
  ],
  view(store) {
    const { ui, samples, discards } = store;
    const card = find(samples, ui.card ?? '');
    const inside = samples.filter(({ freezer }) => freezer === ui.place);
    return page('Cryo store', [
      navigation('Path', [
        link('All freezers', goTo.with({ place: 'overview' })),
        freezers.includes(ui.place) && link(ui.place, goTo.with({ place: ui.place })),
      ]),
      ui.message !== '' && alert(ui.message),
      ...(card !== undefined
        ? cardOf(card, ui)
        : ui.place === 'overview'
          ? overview(store)
          : ui.place === 'log'
            ? [heading('Discard log'), ...discards.map(({ code, reason }) => text(`${code}: ${reason}`))]
            : [
                heading(`Freezer ${ui.place}`),
                status(`${inside.length} tubes`),
                table(
                  'Tubes',
                  inside.map(({ id, code, kind, thaws, quarantine: held }) =>
                    row(code, [
                      cell(code),
                      cell(kind),
                      cell(`thawed ${thaws}×`),
                      held && cell('quarantine'),
                      link(`Open ${code}`, openCard.with({ id })),
                    ]),
                  ),
                ),
              ]),
    ]);
  },
  templates: [setVolumeTask, moveTask, besideTask, discardTask, thawTask, slotQuestion],
  onRefusal(draft, message) {
    draft.ui.message = message;
  },
});

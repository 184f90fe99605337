// Samples of a research lab: a dense table with row actions, a filter and pages; freezers and a sample's card beside it.
import {
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  find,
  heading,
  link,
  navigation,
  need,
  page,
  paginate,
} from 'espalier';
import { refuse, region, remove, row, searchBox, status, table, text, textbox, z } from 'espalier';

const kinds = ['plasma', 'serum', 'DNA', 'tissue', 'yeast'] as const;
const sample = z.object({
  id: z.string(),
  code: z.string(),
  kind: z.enum(kinds),
  freezer: z.string(),
  microlitres: z.int(),
  user: z.string(),
});
const state = z.object({
  samples: z.array(sample),
  freezers: z.array(
    z.object({ id: z.string(), name: z.string(), celsius: z.int(), room: z.string(), keeper: z.string() }),
  ),
  ui: z.object({
    screen: z.enum(['samples', 'freezers']),
    filter: z.string(),
    page: z.int(),
    card: z.string(),
    volume: z.string(),
    note: z.string(),
  }),
});
type Lab = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const take = command('check_out', {
  about: 'Check a sample out for a person.',
  input: z.object({ id: z.string(), value: z.string() }),
  run: (draft, { id, value }) => void Object.assign(need(draft.samples, id, 'sample'), { user: value }),
});
const giveBack = command('check_in', {
  about: 'Check a sample in again.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void Object.assign(need(draft.samples, id, 'sample'), { user: '' }),
});
const measure = command('set_volume', {
  about: 'Set the volume that is left of a sample.',
  input: z.object({ id: z.string(), volume: z.string() }),
  run(draft, { id, volume }) {
    if (!/^\d{1,4}$/.test(volume)) refuse('Volume: digits only, please.');
    need(draft.samples, id, 'sample').microlitres = Number(volume);
    Object.assign(draft.ui, { volume: '', note: 'Volume saved.' });
  },
});
const rehouse = command('move_sample', {
  about: 'Move a sample to another freezer.',
  input: z.object({ id: z.string(), value: z.string() }),
  run: (draft, { id, value }) => void Object.assign(need(draft.samples, id, 'sample'), { freezer: value }),
});
const discard = command('discard_sample', {
  about: 'Discard a sample.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    remove(draft.samples, id);
    Object.assign(draft.ui, { card: '', note: 'Discarded.' });
  },
});
const listSamples = query('list_samples', {
  about: 'List samples.',
  input: z.object({}),
  run: ({ samples }) => samples,
});
const go = gesture('go', {
  about: 'Go to a screen.',
  input: z.object({ screen: z.enum(['samples', 'freezers']) }),
  run: (draft, input) => void Object.assign(draft.ui, input, { card: '', note: '' }),
});
const filter = gesture('filter', {
  about: 'Filter the table.',
  input: z.object({ value: z.string().max(40) }),
  run: (draft, { value }) => void Object.assign(draft.ui, { filter: value, page: 1 }),
});
const turnTo = gesture('turn_to', {
  about: 'Turn to a page.',
  input: z.object({ page: z.int() }),
  run: (draft, input) => void Object.assign(draft.ui, input),
});
const openCard = gesture('open_card', {
  about: 'Show the card of a sample.',
  input: z.object({ card: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, input, { volume: '', note: '' }),
});
const typeVolume = gesture('type_volume', {
  about: 'Type a volume.',
  input: z.object({ value: z.string().max(8) }),
  run: (draft, { value }) => void Object.assign(draft.ui, { volume: value }),
});

function rack({ samples, ui }: Lab) {
  const hits = samples.filter(it =>
    `${it.code} ${it.kind} ${it.freezer}`.toLowerCase().includes(ui.filter.toLowerCase()),
  );
  const part = paginate(hits, ui.page, 7);
  return region('Rack list', [
    searchBox('Narrow down', [textbox('Code, kind or freezer', ui.filter, { enter: filter.entering({}) })]),
    table(
      `Rows ${part.items.length} of ${part.total}`,
      part.items.map(({ id, code, kind, freezer, user }) =>
        row(code, [
          cell(code),
          cell(kind),
          cell(freezer),
          cell(user === '' ? 'in' : `out: ${user}`),
          button(`Card ${code}`, openCard.with({ card: id })),
          user !== '' && button(`Check in ${code}`, giveBack.with({ id })),
        ]),
      ),
    ),
    part.page > 1 && button('« newer', turnTo.with({ page: part.page - 1 })),
    text(`${part.page}/${part.pages}`),
    part.page < part.pages && button('older »', turnTo.with({ page: part.page + 1 })),
  ]);
}
const card = ({ freezers, ui }: Lab, { id, code, kind, freezer, microlitres, user }: z.infer<typeof sample>) =>
  region('Sample card', [
    heading(`${code} (${kind})`),
    text(`Left: ${microlitres} µl`),
    textbox('New volume', ui.volume, { enter: typeVolume.entering({}) }),
    button('Record volume', measure.with({ id, volume: ui.volume })),
    combobox('Kept in', freezer, { enter: rehouse.entering({ id }), options: freezers.map(({ name }) => name) }),
    combobox('Checked out to', user, { enter: take.entering({ id }), options: staff }),
    button('Discard', discard.with({ id })),
    button('Hide card', openCard.with({ card: '' })),
  ]);
const cold = ({ freezers }: Lab) =>
  table(
    'Freezers',
    freezers.map(({ name, celsius, room, keeper }) =>
      row(name, [cell(name), cell(`${celsius} °C`), cell(`room ${room}`), cell(`keeper ${keeper}`)]),
    ),
  );

const staff = 'Dr Adeyemi|Dr Lund|Mr Castillo|Ms Varga|Dr Nakano|Ms Oyelaran'.split('|');
const boxes = 'Yeti|Igloo|Glacier|Tundra|Walrus'.split('|');
const say = (turn: number, ...forms: string[]): string => forms[turn % forms.length] ?? '';

const checkOut = template('check-out-sample', {
  about: 'Check a sample out to a person.',
  split: 'train',
  sample({ samples }, random) {
    const { id, code } = random.pick(samples.filter(({ user }) => user === ''));
    return { id, code, person: random.pick(staff), turn: random.between(0, 5) };
  },
  instruction: ({ code, person, turn }) =>
    say(
      turn,
      `Check ${code} out to ${person}.`,
      `${person} takes ${code} to the bench. Book it out.`,
      `${code} → ${person}`,
      `Please note that ${person} has ${code} now.`,
      `${person} is standing at the freezer and wants sample ${code}; could you register that?`,
      `For the assay this afternoon ${code} has to be signed out in the name of ${person}.`,
    ),
  checks: ({ id, person }) => [{ name: `${person} has it`, test: end => find(end.samples, id)?.user === person }],
  allow: ({ id }) => [`/samples/${id}/user`],
});

const volume = template('record-volume', {
  about: 'Record the volume that is left of a sample.',
  split: 'train',
  sample: ({ samples }, random) => {
    const { id, code } = random.pick(samples);
    return { id, code, amount: String(random.between(1001, 2400)), turn: random.between(0, 5) };
  },
  instruction: ({ code, amount, turn }) =>
    say(
      turn,
      `${code}: ${amount} µl`,
      `Set the volume of ${code} to ${amount}.`,
      `I refilled ${code} and pipetted it again, there are ${amount} microlitres in it. Update the card please.`,
      `The card of sample ${code} has an outdated volume, it should be ${amount}.`,
      `Could you write down ${amount} µl for ${code}?`,
      `After the dilution ${code} holds ${amount}. Record that.`,
    ),
  checks: ({ id, amount }) => [
    { name: `${amount} µl are left`, test: end => find(end.samples, id)?.microlitres === Number(amount) },
  ],
  allow: ({ id }) => [`/samples/${id}/microlitres`],
});

const coldest = template('move-to-coldest', {
  about: 'Move a sample to the coldest freezer.',
  split: 'train',
  sample({ samples, freezers }, random) {
    const [best] = [...freezers].sort((a, b) => a.celsius - b.celsius);
    const { id, code } = random.pick(samples.filter(({ freezer }) => freezer !== best?.name));
    return { id, code, best: best?.name ?? '', turn: random.between(0, 5) };
  },
  instruction: ({ code, turn }) =>
    say(
      turn,
      `Move ${code} to our coldest freezer.`,
      `${code} thaws too easily, it should be in whichever freezer runs at the lowest temperature.`,
      `Please rehouse ${code}: coldest unit we have.`,
      `Find out which freezer is the coldest and put ${code} in there.`,
      `I'd feel better if ${code} were kept as cold as possible. Can you change the freezer on its card accordingly?`,
      `${code} -> freezer with the lowest °C`,
    ),
  checks: ({ id, best }) => [{ name: `it is in ${best}`, test: end => find(end.samples, id)?.freezer === best }],
  allow: ({ id }) => [`/samples/${id}/freezer`],
});

const keeper = template('room-of-sample', {
  about: 'Say in which room a sample is.',
  split: 'train',
  sample({ samples }, random) {
    const { id, code, freezer } = random.pick(samples);
    return { id, code, freezer, turn: random.between(0, 5) };
  },
  instruction: ({ code, turn }) =>
    say(
      turn,
      `Which room do I have to go to for ${code}?`,
      `${code}: room number?`,
      `I'm new here. Where does ${code} stand, I mean in what room is its freezer?`,
      `Please look up the freezer of ${code} and tell me the room it is in.`,
      `Somebody should fetch ${code}. Tell me the room.`,
      `To plan my round I need the room in which sample ${code} is kept.`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ freezer }, { freezers }) => freezers.find(({ name }) => name === freezer)?.room ?? '',
  shown: ({ ui }, { id }) => [ui.card === id, ui.screen === 'freezers'],
});

export const app = defineApp({
  id: 'freezer',
  title: 'Cold store',
  about: 'The frozen samples of a research lab.',
  state,
  init: random => ({
    samples: random
      .sample(
        Array.from({ length: 80 }, (_, at) => at + 110),
        26,
      )
      .map((number, at) => ({
        id: `x${at + 1}`,
        code: `${random.pick(['KR', 'BN', 'TX', 'VL'])}-${number}`,
        kind: random.pick(kinds),
        freezer: random.pick(boxes),
        microlitres: random.between(5, 990),
        user: random.chance(0.3) ? random.pick(staff) : '',
      })),
    freezers: boxes.map((name, at) => ({
      id: `z${at + 1}`,
      name,
      celsius: -20 - 5 * at - random.between(0, 4) - (random.chance(0.4) ? 40 : 0),
      room: `${random.pick(['A', 'B', 'C'])}${random.between(101, 399)}`,
      keeper: random.pick(staff),
    })),
    ui: { screen: 'samples' as const, filter: '', page: 1, card: '', volume: '', note: '' },
  }),
  commands: [take, giveBack, measure, rehouse, discard, listSamples, go, filter, turnTo, openCard, typeVolume],
  view(it) {
    const opened = find(it.samples, it.ui.card);
    return page('Cold store', [
      navigation('Store', [
        link('Racks', go.with({ screen: 'samples' })),
        link('Freezers', go.with({ screen: 'freezers' })),
      ]),
      it.ui.note !== '' && status(it.ui.note),
      it.ui.screen === 'freezers' ? cold(it) : rack(it),
      opened !== undefined && card(it, opened),
    ]);
  },
  templates: [checkOut, volume, coldest, keeper],
  onRefusal: (draft, message) => void Object.assign(draft.ui, { note: message }),
});

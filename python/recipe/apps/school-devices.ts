import {
  added,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
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
  row,
  searchBox,
  status,
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const kinds = ['tablet', 'laptop', 'projector', 'camera'];
const shape = ['fine', 'scratched', 'cracked screen', 'dead battery'];
const places = ['Trolley A', 'Trolley B', 'Room 12', 'Room 21', 'Lab', 'Caretaker'];

const state = z.object({
  devices: z.array(
    z.object({
      id: z.string(),
      tag: z.string(),
      model: z.string(),
      kind: z.string(),
      place: z.string(),
      condition: z.string(),
      bought: z.int(),
      holder: z.string(),
      wiped: z.boolean(),
      retired: z.boolean(),
    }),
  ),
  pupils: z.array(z.object({ id: z.string(), name: z.string(), form: z.string(), signed: z.boolean() })),
  repairs: z.array(z.object({ id: z.string(), device: z.string(), fault: z.string(), shop: z.string() })),
  ui: z.object({
    cupboard: z.string(),
    kind: z.string(),
    look: z.string(),
    sheet: z.int(),
    device: z.string(),
    side: z.string(),
    pupil: z.string(),
    fault: z.string(),
    shop: z.string(),
    complaint: z.string(),
  }),
});
type School = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const shops = ['FixIt Lane', 'FixIt Square', 'Own workshop'];

const handOut = command('hand_out', {
  about: 'Hand a device out to a pupil.',
  input: z.object({ id: z.string(), pupil: z.string() }),
  run(draft, { id, pupil }) {
    const it = need(draft.devices, id, 'device');
    const who = draft.pupils.find(({ name }) => name === pupil) ?? refuse('Choose a pupil.');
    if (it.holder !== '') refuse(`${it.tag} is with ${it.holder}. Take it back first.`);
    if (!who.signed) refuse(`The parents of ${who.name} have not signed the loan form.`);
    it.holder = who.name;
    draft.ui.pupil = '';
  },
});
const takeBack = command('take_back', {
  about: 'Take a device back from its holder.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void (need(draft.devices, id, 'device').holder = ''),
});
const shelve = command('set_place', {
  about: 'Say where a device is kept.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!places.includes(value)) refuse('We have no such place.');
    need(draft.devices, id, 'device').place = value;
  },
});
const rate = command('set_condition', {
  about: 'Say in which condition a device is.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!shape.includes(value)) refuse('No such condition.');
    need(draft.devices, id, 'device').condition = value;
  },
});
const wipe = command('wipe_device', {
  about: 'Wipe the memory of a device.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void (need(draft.devices, id, 'device').wiped = true),
});
const retire = command('retire_device', {
  about: 'Retire a wiped device.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.devices, id, 'device');
    if (!it.wiped) refuse(`${it.tag} still holds data of pupils. Wipe it before.`);
    it.retired = true;
  },
});
const signForm = command('toggle_signed', {
  about: 'Note that the parents of a pupil have signed, or not.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.pupils, id, 'pupil');
    it.signed = !it.signed;
  },
});
const repair = command('send_to_repair', {
  about: 'Send a device to a repair shop.',
  input: z.object({
    device: z.string(),
    fault: z.string().trim().min(3, 'What is broken?'),
    shop: z.string().min(1, 'Which shop?'),
  }),
  run(draft, { device, fault, shop }) {
    need(draft.devices, device, 'device');
    draft.repairs.push({ id: nextId(draft.repairs, 'r'), device, fault, shop });
    Object.assign(draft.ui, { fault: '', shop: '' });
  },
});
const searchDevices = query('search_devices', {
  about: 'Find devices by tag, model or holder.',
  input: z.object({ look: z.string() }),
  run: (school, { look }) => matches(school, look, 'all kinds'),
});
const listPupils = query('list_pupils', {
  about: 'List the pupils of a form.',
  input: z.object({ form: z.string() }),
  run: ({ pupils }, input) => pupils.filter(it => it.form === input.form),
});
const pure = { device: '', side: 'sticker', pupil: '', fault: '', shop: '', complaint: '' };
const cupboard = gesture('cupboard', {
  about: 'Go to the devices or to the pupils.',
  input: z.object({ cupboard: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, pure, input, { look: '', sheet: 1 }),
});
const sift = gesture('sift', {
  about: 'Search the list or show one kind.',
  input: z.object({ field: z.enum(['look', 'kind']), value: z.string().max(50) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
    draft.ui.sheet = 1;
  },
});
const flip = gesture('flip_sheet', {
  about: 'Turn to a sheet of the list.',
  input: z.object({ sheet: z.int() }),
  run: (draft, { sheet }) => void (draft.ui.sheet = sheet),
});
const lift = gesture('lift', {
  about: 'Open a device on a side.',
  input: z.object({ id: z.string(), side: z.string() }),
  run: (draft, { id, side }) => void Object.assign(draft.ui, pure, { device: id, side }),
});
const inscribe = gesture('inscribe', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['pupil', 'fault', 'shop']), value: z.string().max(70) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

function matches({ devices }: School, look: string, kind: string): School['devices'] {
  return devices.filter(
    it =>
      (kind === 'all kinds' || it.kind === kind) &&
      `${it.tag} ${it.model} ${it.holder}`.toLowerCase().includes(look.toLowerCase()),
  );
}

function shelf(school: School) {
  const { ui } = school;
  const shown = paginate(matches(school, ui.look, ui.kind), ui.sheet, 7);
  return region('Devices', [
    searchBox('Find', [
      textbox('Tag, model or holder', ui.look, { enter: sift.entering({ field: 'look' }) }),
      combobox('Kind', ui.kind, { enter: sift.entering({ field: 'kind' }), options: ['all kinds', ...kinds] }),
    ]),
    table(
      `${shown.total} devices`,
      shown.items.map(it =>
        row(it.tag, [
          link(it.tag, lift.with({ id: it.id, side: 'sticker' })),
          cell(it.model),
          cell(it.kind),
          cell(`bought ${it.bought}`),
          cell(it.condition),
          it.retired && cell('retired'),
        ]),
      ),
    ),
    navigation(`Sheet ${shown.page} of ${shown.pages}`, [
      shown.page > 1 && button('Sheet before', flip.with({ sheet: shown.page - 1 })),
      shown.page < shown.pages && button('Sheet after', flip.with({ sheet: shown.page + 1 })),
    ]),
  ]);
}

function deviceView({ devices, pupils, repairs, ui }: School) {
  const it = need(devices, ui.device, 'device');
  const side = (key: string, name: string) =>
    tab(name, lift.with({ id: it.id, side: key }), ui.side === key ? ['selected'] : []);
  return region(it.tag, [
    link('All devices', lift.with({ id: '', side: 'sticker' })),
    heading(`${it.tag} ${it.model}`),
    side('sticker', 'Sticker'),
    side('loan', 'Loan'),
    side('bench', 'Bench'),
    ui.side === 'sticker' &&
      region('Sticker', [
        text(`A ${it.kind}, bought ${it.bought}`),
        combobox('Kept in', it.place, { enter: shelve.entering({ id: it.id }), options: places }),
        combobox('Condition', it.condition, { enter: rate.entering({ id: it.id }), options: shape }),
      ]),
    ui.side === 'loan' &&
      region('Loan', [
        status(it.holder === '' ? 'Not handed out' : `With ${it.holder}`),
        it.holder !== '' && button('Take back', takeBack.with({ id: it.id })),
        combobox('Pupil', ui.pupil, {
          enter: inscribe.entering({ field: 'pupil' }),
          options: pupils.map(({ name }) => name).sort(),
        }),
        button('Hand out', handOut.with({ id: it.id, pupil: ui.pupil })),
      ]),
    ui.side === 'bench' &&
      region('Bench', [
        toolbar('End of life', [
          it.wiped ? text('Memory wiped') : button('Wipe memory', wipe.with({ id: it.id })),
          it.retired ? text('Retired') : button('Retire', retire.with({ id: it.id })),
        ]),
        list(
          'Repairs',
          repairs.filter(one => one.device === it.id).map(one => text(`${one.fault}, at ${one.shop}`)),
        ),
        form('Repair', [
          textbox('Fault', ui.fault, { enter: inscribe.entering({ field: 'fault' }) }),
          combobox('Shop', ui.shop, { enter: inscribe.entering({ field: 'shop' }), options: shops }),
          button('Send to repair', repair.with({ device: it.id, fault: ui.fault, shop: ui.shop })),
        ]),
      ]),
  ]);
}

const pupilsView = ({ pupils }: School) =>
  region(
    'Pupils',
    ['5a', '5b', '6a'].map(group =>
      list(
        `Form ${group}`,
        pupils
          .filter(it => it.form === group)
          .map(it =>
            listItem(it.name, [checkbox(`${it.name}: loan form signed`, it.signed, signForm.with({ id: it.id }))]),
          ),
      ),
    ),
  );

type Draw = { pick<T>(items: readonly T[]): T };
function anyDevice({ devices }: School, random: Draw) {
  const { id, tag, model } = random.pick(devices);
  return { id, tag, model };
}

const kept = template('kept-elsewhere', {
  about: 'Note that a device is kept somewhere else.',
  split: 'train',
  sample(school, random) {
    const it = anyDevice(school, random);
    const old = find(school.devices, it.id)?.place;
    return { ...it, place: random.pick(places.filter(one => one !== old)) };
  },
  instruction: ({ tag, model, place }, random) =>
    random.pick([
      `${tag} is now kept in: ${place}.`,
      `I carried the ${model} with the tag ${tag} to a new place, "${place}". Update the list, please.`,
      `where is ${tag}? -> ${place}. correct the entry`,
      `Device ${tag}: place ${place}`,
    ]),
  checks: ({ id, place }) => [{ name: 'the place is noted', test: final => find(final.devices, id)?.place === place }],
  allow: ({ id }) => [`/devices/${id}/place`],
});

const lend = template('hand-out', {
  about: 'Hand a device out to a pupil; without a signed form it is not possible.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ signed }) => signed,
  sample(school, random) {
    const pupil = random.pick(school.pupils);
    return {
      ...anyDevice(school, random),
      pupil: pupil.id,
      name: pupil.name,
      group: pupil.form,
      signed: random.chance(0.5),
    };
  },
  setup(draft, { id, pupil, signed }) {
    need(draft.devices, id, 'device').holder = '';
    need(draft.pupils, pupil, 'pupil').signed = signed;
  },
  instruction: ({ tag, name, group }, random) =>
    random.pick([
      `Hand ${tag} out to ${name}.`,
      `${name} from ${group} needs a device at home and should get ${tag}, as long as the papers are in order.`,
      `Loan: ${tag}, to ${name} (${group}). Do not sign anything for the parents.`,
    ]),
  checks: ({ id, name }) => [{ name: 'the pupil has it', test: final => find(final.devices, id)?.holder === name }],
  allow: ({ id }) => [`/devices/${id}/holder`],
  shown: ({ ui }, { name }) => ui.cupboard === 'pupils' || ui.complaint.includes(name),
});

const passOn = template('pass-on', {
  about: 'Take a device back from one pupil and hand it to another.',
  split: 'train',
  sample(school, random) {
    const [from, to] = random.sample(school.pupils, 2);
    if (from === undefined || to === undefined) return null;
    return { ...anyDevice(school, random), from: from.name, to: to.name, toId: to.id };
  },
  setup(draft, { id, from, toId }) {
    need(draft.devices, id, 'device').holder = from;
    need(draft.pupils, toId, 'pupil').signed = true;
  },
  instruction: ({ tag, from, to }, random) =>
    random.pick([
      `${tag} goes from ${from} to ${to}.`,
      `${from} brought ${tag} back. Give it to ${to} right away.`,
      `Take ${tag} back from ${from}, then hand it out to ${to}.`,
    ]),
  checks: ({ id, from, to }) => [
    { name: 'the first pupil gave it back', test: final => find(final.devices, id)?.holder !== from },
    { name: 'the other has it', test: final => find(final.devices, id)?.holder === to },
  ],
  allow: ({ id }) => [`/devices/${id}/holder`],
});

const endOfLife = template('retire-unwiped', {
  about: 'Retire a device, whose memory has to be wiped before.',
  split: 'train',
  sample: anyDevice,
  setup: (draft, { id }) => void Object.assign(need(draft.devices, id, 'device'), { wiped: false, retired: false }),
  instruction: ({ tag, model }, random) =>
    random.pick([
      `Retire ${tag}; wipe it before.`,
      `The ${model} tagged ${tag} goes to the scrap yard. Make sure that it is wiped and retired.`,
      `${tag} has reached its end. It may not leave with data on it, so wipe the memory and retire the device.`,
    ]),
  checks: ({ id }) => [
    { name: 'it is wiped', test: final => find(final.devices, id)?.wiped === true },
    { name: 'it is retired', test: final => find(final.devices, id)?.retired === true },
  ],
  allow: ({ id }) => [`/devices/${id}/wiped`, `/devices/${id}/retired`],
});

const toShop = template('send-to-repair', {
  about: 'Send a device to a repair shop.',
  split: 'train',
  sample: (school, random) => ({
    ...anyDevice(school, random),
    fault: random.pick(['lens is loose', 'no sound', 'keys stick', 'will not charge', 'lamp flickers']),
    shop: random.pick(shops),
  }),
  instruction: ({ tag, fault, shop }, random) =>
    random.pick([
      `Send ${tag} to ${shop}: "${fault}".`,
      `${tag} is broken, ${fault}. It should be repaired at ${shop}.`,
      `Repair for ${tag}. Fault: ${fault}. Shop: ${shop}`,
    ]),
  checks: ({ id, fault, shop }) => [
    {
      name: 'one repair was ordered, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.repairs, final.repairs);
        return more.length === 0 && made?.device === id && made.fault === fault && made.shop === shop;
      },
    },
  ],
  allow: () => ['/repairs/+'],
});

const whoHas = template('who-has-device', {
  about: 'Say who has a device.',
  split: 'train',
  sample(school, random) {
    return { ...anyDevice(school, random), name: random.pick(school.pupils).name };
  },
  setup: (draft, { id, name }) => void (need(draft.devices, id, 'device').holder = name),
  instruction: ({ tag, model }, random) =>
    random.pick([
      `Who has ${tag} at home?`,
      `The ${model} with the tag ${tag} is missing from its trolley. Which pupil was it handed out to?`,
      `holder of ${tag}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ name }) => name,
  shown: ({ ui }, { id }) => ui.device === id && ui.side === 'loan',
});

const signing = template('forms-of-group', {
  about: 'Note that all parents of a form have signed.',
  split: 'train',
  sample({ pupils }, random) {
    const group = random.pick(['5a', '5b', '6a']);
    const own = pupils.filter(it => it.form === group).map(({ id }) => id);
    const open = random.sample(own, random.between(2, 3));
    return { group, open, rest: own.filter(id => !open.includes(id)) };
  },
  setup(draft, { open, rest }) {
    for (const id of open) need(draft.pupils, id, 'pupil').signed = false;
    for (const id of rest) need(draft.pupils, id, 'pupil').signed = true;
  },
  instruction: ({ group }, random) =>
    random.pick([
      `All loan forms of ${group} are signed now. Tick the missing ones.`,
      `The last parents in ${group} have signed as well, so nobody there should be without a signed loan form.`,
      `form ${group}: every pupil = signed. Other forms stay as they are`,
    ]),
  checks: ({ open }) =>
    open.map(id => ({ name: `${id} has signed`, test: final => find(final.pupils, id)?.signed === true })),
  allow: ({ open }) => open.map(id => `/pupils/${id}/signed`),
});

const oldest = template('oldest-of-kind', {
  about: 'Set the condition of the oldest device of a kind.',
  split: 'train',
  sample({ devices }, random) {
    const kind = random.pick(kinds);
    const [first, second] = devices.filter(it => it.kind === kind).sort((one, other) => one.bought - other.bought);
    if (first === undefined || first.bought === second?.bought) return null;
    return { id: first.id, kind, condition: random.pick(shape.filter(it => it !== first.condition)) };
  },
  instruction: ({ kind, condition }, random) =>
    random.pick([
      `Our oldest ${kind} is in a new condition: ${condition}.`,
      `Find the ${kind} that was bought first. Its condition should say "${condition}".`,
      `condition of the oldest ${kind} = ${condition}`,
    ]),
  checks: ({ id, condition }) => [
    { name: 'the condition is noted', test: final => find(final.devices, id)?.condition === condition },
  ],
  allow: ({ id }) => [`/devices/${id}/condition`],
});

const models: Record<string, string[]> = {
  tablet: ['Slate 10', 'Slate 10 Pro'],
  laptop: ['Feather 13', 'Feather 15'],
  projector: ['Beam S', 'Beam XL'],
  camera: ['Pixie', 'Pixie Zoom'],
};
const firsts = ['Nils', 'Nele', 'Oskar', 'Pauline', 'Rafi', 'Samira', 'Tilda', 'Umut'];
const seconds = ['Aydin', 'Berg', 'Bergmann', 'Cho', 'Cholet'];

export const app = defineApp({
  id: 'school-devices',
  title: 'Device cupboard',
  about: 'Tablets, laptops and other devices of a school: where they are, who has them, repairs.',
  state,
  init(random) {
    const pupils = random
      .sample(
        firsts.flatMap(one => seconds.map(two => `${one} ${two}`)),
        18,
      )
      .map((name, index) => ({
        id: `u${index + 1}`,
        name,
        form: ['5a', '5b', '6a'][index % 3] ?? '5a',
        signed: random.chance(0.6),
      }));
    const numbers = random.sample(
      Array.from({ length: 80 }, (_, index) => index + 10),
      24,
    );
    return {
      devices: numbers.map((number, index) => {
        const kind = kinds[index % 4] ?? 'tablet';
        return {
          id: `d${index + 1}`,
          tag: `${kind.slice(0, 2).toUpperCase()}-${number}`,
          model: random.pick(models[kind] ?? ['?']),
          kind,
          place: random.pick(places),
          condition: random.pick(shape),
          bought: random.between(2012, 2025),
          holder: random.chance(0.4) ? random.pick(pupils).name : '',
          wiped: false,
          retired: false,
        };
      }),
      pupils,
      repairs: [],
      ui: { cupboard: 'devices', kind: 'all kinds', look: '', sheet: 1, ...pure },
    };
  },
  commands: [
    handOut,
    takeBack,
    shelve,
    rate,
    wipe,
    retire,
    signForm,
    repair,
    searchDevices,
    listPupils,
    cupboard,
    sift,
    flip,
    lift,
    inscribe,
  ],
  view: school =>
    page('Device cupboard', [
      navigation('Cupboard', [
        link('Devices', cupboard.with({ cupboard: 'devices' })),
        link('Pupils', cupboard.with({ cupboard: 'pupils' })),
      ]),
      school.ui.complaint !== '' && status(school.ui.complaint),
      school.ui.device !== ''
        ? deviceView(school)
        : school.ui.cupboard === 'pupils'
          ? pupilsView(school)
          : shelf(school),
    ]),
  templates: [kept, lend, passOn, endOfLife, toShop, whoHas, signing, oldest],
  onRefusal(draft, message) {
    draft.ui.complaint = message;
  },
});

import {
  added,
  alert,
  appKit,
  button,
  cell,
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
  refuse,
  region,
  row,
  searchBox,
  status,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

// Parking permits of a town: a register by plate, zones with their rules, and an application in four steps.
const kinds = ['resident', 'visitor', 'carer', 'trader'];
const ends = ['June 2026', 'September 2026', 'December 2026', 'March 2027', 'June 2027', 'December 2027'];
const zoneNames = [
  'Harbour East',
  'Harbour West',
  'Old Harbour',
  'Castle Hill',
  'Castle Street',
  'Mill Green',
  'Mill Lane',
];
const permit = z.object({
  id: z.string(),
  plate: z.string(),
  holder: z.string(),
  zone: z.string(),
  kind: z.string(),
  until: z.string(),
  standing: z.enum(['valid', 'suspended', 'revoked']),
});
const zone = z.object({
  id: z.string(),
  name: z.string(),
  price: z.int(),
  evenings: z.boolean(),
  visitors: z.boolean(),
  frozen: z.boolean(),
});
const application = z.object({
  step: z.int(),
  plate: z.string(),
  holder: z.string(),
  zone: z.string(),
  kind: z.string(),
  until: z.string(),
});
const state = z.object({
  permits: z.array(permit),
  zones: z.array(zone),
  ui: z.object({
    counter: z.enum(['hall', 'register', 'zones', 'apply']),
    plate: z.string(),
    onlyZone: z.string(),
    permit: z.string().nullable(),
    zone: z.string().nullable(),
    form: application,
    notice: z.string(),
  }),
});
type Town = z.infer<typeof state>;
type Permit = z.infer<typeof permit>;
const { command, gesture, query, template } = appKit(state);
const blank = { step: 1, plate: '', holder: '', zone: '', kind: '', until: '' };

const grant = command('grant_permit', {
  about: 'Grant a permit to a car.',
  input: z.object({ plate: z.string(), holder: z.string(), zone: z.string(), kind: z.string(), until: z.string() }),
  run(draft, input) {
    if (Object.values(input).some(value => value.trim() === '')) refuse('The application is not complete.');
    const id = nextId(draft.permits, 'p');
    draft.permits.push({ id, ...input, standing: 'valid' });
    Object.assign(draft.ui, { form: blank, counter: 'hall', notice: `Permit granted to ${input.plate}.` });
  },
});
const extend = command('extend_permit', {
  about: 'Set the month in which a permit ends.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (need(draft.permits, id, 'permit').standing === 'revoked') refuse('A revoked permit cannot be extended.');
    need(draft.permits, id, 'permit').until = value;
  },
});
const rezone = command('rezone_permit', {
  about: 'Move a permit to another zone.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!zoneNames.includes(value)) refuse('There is no such zone.');
    need(draft.permits, id, 'permit').zone = value;
  },
});
const setStanding = command('set_standing', {
  about: 'Suspend a valid permit, or reinstate a suspended one.',
  input: z.object({ id: z.string(), standing: z.enum(['valid', 'suspended']) }),
  run(draft, { id, standing }) {
    const held = need(draft.permits, id, 'permit');
    if (held.standing === 'revoked') refuse('This permit was revoked by the court.');
    held.standing = standing;
  },
});
const setRule = command('set_rule', {
  about: 'Switch a rule of a zone.',
  input: z.object({ id: z.string(), rule: z.enum(['evenings', 'visitors']), on: z.boolean() }),
  run(draft, { id, rule, on }) {
    const area = need(draft.zones, id, 'zone');
    if (area.frozen) refuse(`The rules of ${area.name} are frozen.`);
    area[rule] = on;
    draft.ui.notice = '';
  },
});
const thaw = command('freeze_rules', {
  about: 'Freeze the rules of a zone, or release them.',
  input: z.object({ id: z.string(), frozen: z.boolean() }),
  run(draft, { id, frozen }) {
    need(draft.zones, id, 'zone').frozen = frozen;
    draft.ui.notice = '';
  },
});
const register = query('search_register', {
  about: 'Permits whose plate, holder or zone contains a text, and all zones.',
  input: z.object({ text: z.string() }),
  run: ({ permits, zones }, input) => ({
    permits: permits.filter(item => `${item.plate} ${item.holder} ${item.zone}`.includes(input.text)),
    zones,
  }),
});
const walk = gesture('walk_to', {
  about: 'Walk to a counter.',
  input: z.object({ counter: z.enum(['hall', 'register', 'zones', 'apply']) }),
  run(draft, { counter }) {
    Object.assign(draft.ui, { counter, plate: '', onlyZone: '', permit: null, zone: null, form: blank, notice: '' });
  },
});
const narrow = gesture('narrow', {
  about: 'Narrow the register down.',
  input: z.object({ by: z.enum(['plate', 'onlyZone']), value: z.string().max(30) }),
  run(draft, { by, value }) {
    draft.ui[by] = value;
  },
});
const openPermit = gesture('open_permit', {
  about: 'Open a permit, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    draft.ui.permit = id;
  },
});
const openZone = gesture('open_zone', {
  about: 'Open the rules of a zone.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { zone: id, notice: '' });
  },
});
const fill = gesture('fill_in', {
  about: 'Fill in a field of the application.',
  input: z.object({ field: z.enum(['plate', 'holder', 'zone', 'kind', 'until']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui.form[field] = value;
  },
});
const toStep = gesture('to_step', {
  about: 'Go to a step of the application.',
  input: z.object({ step: z.int() }),
  run(draft, { step }) {
    const { plate, holder, zone: area } = draft.ui.form;
    if (step > 1 && (plate === '' || holder === '')) refuse('Plate and holder are needed before you go on.');
    if (step > 2 && area === '') refuse('Choose a zone before you go on.');
    draft.ui.form.step = step;
    draft.ui.notice = '';
  },
});

function applyCounter({ ui: { form: sheet } }: Town) {
  const { step, ...input } = sheet;
  return form(`Application, sheet ${step} of 3`, [
    step === 1 && textbox('Registration plate', sheet.plate, { enter: fill.entering({ field: 'plate' }) }),
    step === 1 && textbox('Name of holder', sheet.holder, { enter: fill.entering({ field: 'holder' }) }),
    step === 2 && combobox('Where', sheet.zone, { enter: fill.entering({ field: 'zone' }), options: zoneNames }),
    step === 3 && combobox('Kind of permit', sheet.kind, { enter: fill.entering({ field: 'kind' }), options: kinds }),
    step === 3 && combobox('Ends', sheet.until, { enter: fill.entering({ field: 'until' }), options: ends }),
    step > 1 && button('Previous sheet', toStep.with({ step: step - 1 })),
    step < 3 && button('Following sheet', toStep.with({ step: step + 1 })),
    step === 3 && button('Stamp and grant', grant.with(input)),
  ]);
}

function permitOf(held: Permit) {
  const { id } = held;
  return region('Permit', [
    heading(held.plate),
    text(`${held.kind} permit of ${held.holder}`),
    status(held.standing),
    combobox('Zone', held.zone, { enter: rezone.entering({ id }), options: zoneNames }),
    combobox('Valid to the end of', held.until, { enter: extend.entering({ id }), options: ends }),
    held.standing === 'valid' && button('Suspend', setStanding.with({ id, standing: 'suspended' })),
    held.standing === 'suspended' && button('Reinstate', setStanding.with({ id, standing: 'valid' })),
    button('Back to register', openPermit.with({ id: null })),
  ]);
}

function registerCounter({ permits, ui }: Town) {
  const opened = find(permits, ui.permit ?? '');
  if (opened !== undefined) return permitOf(opened);
  const isNarrow = ui.plate !== '' || ui.onlyZone !== '';
  const hits = permits.filter(
    item => item.plate.includes(ui.plate.toUpperCase()) && (ui.onlyZone === '' || item.zone === ui.onlyZone),
  );
  return region('Register', [
    searchBox('Narrow down', [
      textbox('Plate', ui.plate, { enter: narrow.entering({ by: 'plate' }) }),
      combobox('In zone', ui.onlyZone, { enter: narrow.entering({ by: 'onlyZone' }), options: zoneNames }),
    ]),
    !isNarrow && text(`${permits.length} permits. Give a plate or a zone to see them.`),
    isNarrow &&
      table(
        `${hits.length} found`,
        hits.map(item =>
          row(item.plate, [
            link(item.plate, openPermit.with({ id: item.id })),
            cell(item.kind),
            cell(item.holder),
            cell(item.standing),
            cell(item.until),
          ]),
        ),
      ),
  ]);
}

function zoneCounter({ zones, ui }: Town) {
  const area = find(zones, ui.zone ?? '');
  if (area === undefined)
    return list(
      'Zones',
      zones.map(({ id, name }) => listItem(name, [link(`Rules of ${name}`, openZone.with({ id }))])),
      { shuffle: true },
    );
  const { id, frozen } = area;
  return region(`Rules of ${area.name}`, [
    text(`A year costs ${area.price} euros`),
    status(frozen ? 'Frozen until the council has met' : 'May be changed'),
    switchButton('Free in the evening', area.evenings, setRule.with({ id, rule: 'evenings', on: !area.evenings })),
    switchButton('Visitor books', area.visitors, setRule.with({ id, rule: 'visitors', on: !area.visitors })),
    button(frozen ? 'Release the rules' : 'Freeze the rules', thaw.with({ id, frozen: !frozen })),
    link('All zones', openZone.with({ id: null })),
  ]);
}

const plateOf = (random: { between(low: number, high: number): number; pick(items: readonly string[]): string }) =>
  `${random.pick(['KB', 'KD', 'LB', 'LD'])} ${random.between(10, 99)} ${random.pick(['AX', 'AY', 'EX', 'EY', 'OX'])}`;
const people = [
  'Ida Rask',
  'Ida Rasmussen',
  'Tom Falk',
  'Tomas Falke',
  'Grete Holm',
  'Greta Holmen',
  'Per Lund',
  'Pernille Lund',
  'Asger Toft',
  'Astrid Toft',
];

const granting = template('grant-permit', {
  about: 'Carry an application through to the stamp.',
  split: 'train',
  sample: (_, random) => ({
    plate: plateOf(random),
    holder: random.pick(people),
    area: random.pick(zoneNames),
    kind: random.pick(kinds),
    until: random.pick(ends),
  }),
  instruction: ({ plate, holder, area, kind, until }, random) =>
    random.pick([
      `Grant a ${kind} permit: ${plate}, ${holder}, ${area}, to the end of ${until}.`,
      `${holder} has paid for a ${kind} permit in ${area}. The car is ${plate} and the permit runs until ${until}. Please see the aplication through.`,
      `A new ${kind} permit is wanted for the car ${plate}. Zone: ${area}. Holder: ${holder}. Last month: ${until}.`,
    ]),
  checks: ({ plate, holder, area, kind, until }) => [
    {
      name: 'the permit was granted',
      test(final, initial) {
        const [made, ...more] = added(initial.permits, final.permits);
        if (made === undefined || more.length > 0 || made.standing !== 'valid') return false;
        return (
          made.plate === plate &&
          made.holder === holder &&
          made.zone === area &&
          made.kind === kind &&
          made.until === until
        );
      },
    },
  ],
  allow: () => ['/permits/+'],
});

const longer = template('extend-permit', {
  about: 'Extend the permit of a plate.',
  split: 'train',
  sample({ permits }, random) {
    const { id, plate, until } = random.pick(permits.filter(item => item.standing !== 'revoked'));
    return { id, plate, until: random.pick(ends.filter(item => item !== until)) };
  },
  instruction: ({ plate, until }, random) =>
    random.pick([
      `${plate} now runs to ${until}.`,
      `The holder of ${plate} has paid up: their permit is good to the end of ${until}.`,
      `Change the last month of the permit for ${plate} to ${until}, please.`,
    ]),
  checks: ({ id, until }) => [{ name: `valid to ${until}`, test: ({ permits }) => find(permits, id)?.until === until }],
  allow: ({ id }) => [`/permits/${id}/until`],
});

const suspendKind = template('suspend-kind-in-zone', {
  about: 'Suspend all valid permits of one kind in one zone.',
  split: 'train',
  sample({ permits }, random) {
    const [area, elsewhere] = random.sample(zoneNames, 2) as [string, string];
    const [kind, other] = random.sample(kinds, 2) as [string, string];
    const ids = random.sample(permits, 4).map(({ id }) => id);
    return { area, elsewhere, kind, other, ids: ids.slice(0, 2), near: ids[2] ?? '', far: ids[3] ?? '' };
  },
  setup(draft, { area, elsewhere, kind, other, ids, near, far }) {
    for (const item of draft.permits) {
      if (ids.includes(item.id)) Object.assign(item, { zone: area, kind, standing: 'valid' });
      else if (item.id === near) Object.assign(item, { zone: area, kind: other, standing: 'valid' });
      else if (item.id === far) Object.assign(item, { zone: elsewhere, kind, standing: 'valid' });
      else if (item.zone === area && item.kind === kind) item.kind = other;
    }
  },
  instruction: ({ area, kind }, random) =>
    random.pick([
      `Suspend every ${kind} permit in ${area}.`,
      `Road works in ${area}: ${kind} permits there are suspended for now, the other kinds are not.`,
      `Please go through ${area} and suspend whatever is a ${kind} permit. Leave the ${kind} permits of other zones alone.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is suspended`, test: ({ permits }) => find(permits, id)?.standing === 'suspended' })),
  allow: ({ ids }) => ids.map(id => `/permits/${id}/standing`),
});

const rule = template('switch-zone-rule', {
  about: 'Switch a rule of a zone whose rules are frozen, and freeze them again.',
  split: 'train',
  sample({ zones }, random) {
    const { id, name } = random.pick(zones);
    return { id, name, which: random.pick(['evenings', 'visitors'] as const), on: random.chance(0.5) };
  },
  setup(draft, { id, which, on }) {
    Object.assign(need(draft.zones, id, 'zone'), { frozen: true, [which]: !on });
  },
  instruction({ name, which, on }, random) {
    const said =
      which === 'evenings'
        ? `parking in the evening is ${on ? '' : 'no longer '}free`
        : `visitor books are ${on ? '' : 'not '}on offer`;
    return random.pick([
      `The council has decided: in ${name} ${said}. Enter it, and leave the rules frozen as they are.`,
      `From now on ${said} in ${name}. The rules there are frozen; release them for the change only.`,
      `${name}: ${said}. Afterwards nobody should be able to fiddle with the rules, same as now.`,
    ]);
  },
  checks: ({ id, which, on }) => [
    { name: 'the rule is switched', test: ({ zones }) => find(zones, id)?.[which] === on },
    { name: 'the rules are frozen', test: ({ zones }) => find(zones, id)?.frozen === true },
  ],
  allow: ({ id, which }) => [`/zones/${id}/${which}`, `/zones/${id}/frozen`],
});

const priceFor = template('price-for-plate', {
  about: 'Say what a year costs in the zone of a plate.',
  split: 'train',
  sample({ permits, zones }, random) {
    const { id, plate, zone: name } = random.pick(permits);
    return { id, plate, area: zones.find(item => item.name === name)?.id ?? '' };
  },
  instruction: ({ plate }, random) =>
    random.pick([
      `What does a year cost where ${plate} may park? The number of euros is enough.`,
      `The owner of ${plate} asks about the yearly price of their zone. How many euros?`,
      `Yearly price for the zone of ${plate}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ area }, { zones }) => String(need(zones, area, 'zone').price),
  shown: ({ ui }, { id, area }) => [ui.permit === id, ui.zone === area],
});

const follow = template('zone-of-other-plate', {
  about: 'Move a permit to the zone of another.',
  split: 'train',
  sample({ permits }, random) {
    const [one, two] = random.sample(permits, 2) as [Permit, Permit];
    if (one.zone === two.zone) return null;
    return { id: one.id, plate: one.plate, like: two.plate, area: two.zone };
  },
  instruction: ({ plate, like }, random) =>
    random.pick([
      `Move ${plate} to the zone where ${like} parks. Which is it?`,
      `The holders of ${plate} and ${like} now live together, at the place of ${like}. Change the zone of the other car accordingly and name it to me.`,
      `${plate} gets the same zone as ${like}. Answer with that zone.`,
    ]),
  checks: ({ id, area }) => [{ name: 'same zone', test: ({ permits }) => find(permits, id)?.zone === area }],
  allow: ({ id }) => [`/permits/${id}/zone`],
  answer: ({ area }) => area,
  shown: ({ permits, ui }, { like }) => find(permits, ui.permit ?? '')?.plate === like,
});

const reinstate = template('reinstate-permit', {
  about: 'Reinstate a permit; impossible when it was revoked.',
  split: 'train',
  kind: 'infeasible',
  sample({ permits }, random) {
    const { id, plate } = random.pick(permits);
    return { id, plate, can: random.chance(0.5) };
  },
  isTwin: ({ can }) => can,
  setup(draft, { id, can }) {
    need(draft.permits, id, 'permit').standing = can ? 'suspended' : 'revoked';
  },
  instruction: ({ plate }, random) =>
    random.pick([
      `Make the permit of ${plate} valid again.`,
      `The fine was paid, so ${plate} can be reinstated.`,
      `Reinstate ${plate}. No new permit, the old one.`,
    ]),
  checks: ({ id }) => [{ name: 'is valid', test: ({ permits }) => find(permits, id)?.standing === 'valid' }],
  allow: ({ id, can }) => (can ? [`/permits/${id}/standing`] : []),
  shown: ({ ui }, { id }) => ui.permit === id,
});

export const app = defineApp({
  id: 'parking-permits',
  title: 'Parking office',
  about: 'Parking permits of a town: register, zones and applications.',
  state,
  init(random): Town {
    const plates = [...new Set(Array.from({ length: 46 }, () => plateOf(random)))];
    return {
      permits: plates.map((plate, index) => ({
        id: `p${index + 1}`,
        plate,
        holder: random.pick(people),
        zone: random.pick(zoneNames),
        kind: random.pick(kinds),
        until: random.pick(ends),
        standing: random.pick(['valid', 'valid', 'valid', 'suspended', 'revoked'] as const),
      })),
      zones: random.shuffle(zoneNames).map((name, index) => ({
        id: `z${index + 1}`,
        name,
        price: random.between(8, 60) * 5,
        evenings: random.chance(0.5),
        visitors: random.chance(0.5),
        frozen: random.chance(0.4),
      })),
      ui: { counter: 'hall', plate: '', onlyZone: '', permit: null, zone: null, form: blank, notice: '' },
    };
  },
  commands: [
    grant,
    extend,
    rezone,
    setStanding,
    setRule,
    thaw,
    register,
    walk,
    narrow,
    openPermit,
    openZone,
    fill,
    toStep,
  ],
  view(town) {
    const { counter, notice } = town.ui;
    return page('Parking office', [
      navigation('Counters', [
        link('Register of permits', walk.with({ counter: 'register' })),
        link('Zones and rules', walk.with({ counter: 'zones' })),
        link('New application', walk.with({ counter: 'apply' })),
      ]),
      notice !== '' && alert(notice),
      counter === 'register' && registerCounter(town),
      counter === 'zones' && zoneCounter(town),
      counter === 'apply' && applyCounter(town),
    ]);
  },
  templates: [granting, longer, suspendKind, rule, priceFor, follow, reinstate],
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});

import {
  added,
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
  status,
  tab,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const lift = z.object({
  id: z.string(),
  site: z.string(),
  name: z.string(),
  maker: z.string(),
  load: z.int(),
  service: z.enum(['running', 'out of service']),
  inspected: z.string(),
  mechanic: z.string(),
});
const fault = z.object({
  id: z.string(),
  lift: z.string(),
  what: z.string(),
  trapped: z.boolean(),
  status: z.enum(['reported', 'on the way', 'fixed']),
  part: z.string(),
});
const state = z.object({
  sites: z.array(z.object({ id: z.string(), name: z.string(), district: z.string(), code: z.string() })),
  lifts: z.array(lift),
  faults: z.array(fault),
  ui: z.object({
    district: z.string(),
    site: z.string().nullable(),
    lift: z.string().nullable(),
    side: z.enum(['data', 'faults', 'report']),
    what: z.string(),
    trapped: z.string(),
    line: z.string(),
  }),
});
type Lifts = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const mechanics = ['R. Osei', 'M. Vrba', 'L. Castellanos', 'K. Thorsen', 'A. Osman', 'F. Varga'];
const parts = ['none', 'door roller', 'brake lining', 'button panel', 'light curtain', 'governor rope', 'drive belt'];
const districts = ['North', 'Old town', 'Riverside', 'Stadium'];

const setMechanic = command('set_mechanic', {
  about: 'Say which mechanic looks after a lift.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!mechanics.includes(value)) refuse(`${value} does not work here.`);
    need(draft.lifts, id, 'lift').mechanic = value;
  },
});
const setService = command('set_service', {
  about: 'Take a lift out of service, or put it back. No lift with an open fault can be put back.',
  input: z.object({ id: z.string(), running: z.boolean() }),
  run(draft, { id, running }) {
    const it = need(draft.lifts, id, 'lift');
    if (running && draft.faults.some(one => one.lift === id && one.status !== 'fixed')) {
      refuse(`${it.name} has an open fault.`);
    }
    it.service = running ? 'running' : 'out of service';
    draft.ui.line = '';
  },
});
const report = command('report_fault', {
  about: 'Report a fault of a lift.',
  input: z.object({ lift: z.string(), what: z.string().trim().min(1, 'Say what is wrong'), trapped: z.boolean() }),
  run(draft, { lift: id, what, trapped }) {
    need(draft.lifts, id, 'lift');
    draft.faults.push({ id: nextId(draft.faults, 'f'), lift: id, what, trapped, status: 'reported', part: 'none' });
    Object.assign(draft.ui, { side: 'faults', what: '', trapped: '', line: '' });
  },
});
const progress = command('progress_fault', {
  about: 'Send the mechanic to a reported fault, or say that it is fixed.',
  input: z.object({ id: z.string(), to: z.enum(['on the way', 'fixed']) }),
  run(draft, { id, to }) {
    const it = need(draft.faults, id, 'fault');
    if (it.status === 'fixed') refuse('That fault is fixed.');
    if (to === 'fixed' && it.status === 'reported') refuse('Nobody was there yet.');
    it.status = to;
  },
});
const usePart = command('use_part', {
  about: 'Say which part was replaced for a fault.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!parts.includes(value)) refuse('There is no such part.');
    need(draft.faults, id, 'fault').part = value;
  },
});
const listLifts = query('list_lifts', {
  about: 'List the lifts and faults of a site, by its name.',
  input: z.object({ site: z.string() }),
  run({ sites, lifts, faults }, input) {
    const site = sites.find(({ name }) => name === input.site) ?? refuse('There is no such site.');
    const mine = lifts.filter(it => it.site === site.id);
    return {
      ...site,
      lifts: mine.map(it => ({ ...it, faults: faults.filter(one => one.lift === it.id).map(one => ({ ...one })) })),
    };
  },
});

const pickDistrict = gesture('pick_district', {
  about: 'Show the sites of a district.',
  input: z.object({ district: z.string() }),
  run({ ui }, { district }) {
    Object.assign(ui, { district, site: null, lift: null, line: '' });
  },
});
const openSite = gesture('open_site', {
  about: 'Open a site, or go back.',
  input: z.object({ id: z.string().nullable() }),
  run({ ui }, { id }) {
    Object.assign(ui, { site: id, lift: null, line: '' });
  },
});
const openLift = gesture('open_lift', {
  about: 'Open a lift, or go back.',
  input: z.object({ id: z.string().nullable() }),
  run({ ui }, { id }) {
    Object.assign(ui, { lift: id, side: 'data', line: '' });
  },
});
const turn = gesture('turn_card', {
  about: 'Turn the card of a lift.',
  input: z.object({ side: z.enum(['data', 'faults', 'report']) }),
  run({ ui }, { side }) {
    Object.assign(ui, { side, line: '' });
  },
});
const describe = gesture('describe', {
  about: 'Say what is wrong.',
  input: z.object({ value: z.string().max(80) }),
  run({ ui }, { value }) {
    ui.what = value;
  },
});
const sayTrapped = gesture('say_trapped', {
  about: 'Say whether somebody is stuck inside.',
  input: z.object({ value: z.string() }),
  run({ ui }, { value }) {
    ui.trapped = value;
  },
});

function siteList({ sites, lifts, ui }: Lifts) {
  return region('Sites', [
    navigation(
      'Districts',
      districts.map(name => tab(name, pickDistrict.with({ district: name }), name === ui.district ? ['selected'] : [])),
    ),
    list(
      ui.district,
      sites
        .filter(({ district }) => district === ui.district)
        .map(({ id, name }) => {
          const mine = lifts.filter(it => it.site === id);
          const off = mine.filter(it => it.service !== 'running').length;
          return listItem(name, [
            link(name, openSite.with({ id })),
            text(`${mine.length} lifts${off === 0 ? '' : `, ${off} out of service`}`),
          ]);
        }),
    ),
  ]);
}

function siteSheet({ lifts, ui }: Lifts, site: Lifts['sites'][number]) {
  return region(site.name, [
    link(`Back to ${ui.district}`, openSite.with({ id: null })),
    text(`Door code ${site.code}`),
    table(
      'Lifts',
      lifts
        .filter(it => it.site === site.id)
        .map(it =>
          row(it.name, [
            button(it.name, openLift.with({ id: it.id })),
            cell(`${it.load} kg`),
            cell(it.service),
            cell(`inspected ${it.inspected}`),
          ]),
        ),
    ),
  ]);
}

function card({ faults, ui }: Lifts, site: Lifts['sites'][number], it: Lifts['lifts'][number]) {
  const { id } = it;
  const sides = [
    ['data', 'Data plate'],
    ['faults', 'Faults'],
    ['report', 'Report'],
  ] as const;
  return region(`${site.name}: ${it.name}`, [
    link(`Back to ${site.name}`, openLift.with({ id: null })),
    heading(it.name),
    navigation(
      'Card',
      sides.map(([side, name]) => tab(name, turn.with({ side }), side === ui.side ? ['selected'] : [])),
    ),
    ui.line !== '' && status(ui.line),
    ui.side === 'data' &&
      region('Data plate', [
        text(`${it.maker}, ${it.load} kg, last inspected ${it.inspected}`),
        text(`Now ${it.service}`),
        combobox('Mechanic', it.mechanic, { enter: setMechanic.entering({ id }), options: mechanics }),
        it.service === 'running'
          ? button('Take out of service', setService.with({ id, running: false }))
          : button('Back into service', setService.with({ id, running: true })),
      ]),
    ui.side === 'faults' &&
      list(
        'Faults',
        faults
          .filter(one => one.lift === id)
          .map(one =>
            listItem(one.what, [
              text(`${one.status}${one.trapped ? ', person trapped' : ''}`),
              one.status === 'reported' &&
                button(`Send out: ${one.what}`, progress.with({ id: one.id, to: 'on the way' })),
              one.status === 'on the way' && button(`Fixed: ${one.what}`, progress.with({ id: one.id, to: 'fixed' })),
              combobox(`Part for ${one.what}`, one.part, { enter: usePart.entering({ id: one.id }), options: parts }),
            ]),
          ),
      ),
    ui.side === 'report' &&
      form('New fault', [
        textbox('What is wrong', ui.what, { enter: describe.entering({}) }),
        combobox('Anybody inside', ui.trapped, { enter: sayTrapped.entering({}), options: ['no', 'yes'] }),
        ui.trapped !== '' &&
          button('Send report', report.with({ lift: id, what: ui.what, trapped: ui.trapped === 'yes' })),
      ]),
  ]);
}

const faultWords = [
  'door does not close',
  'stops between floors',
  'alarm button dead',
  'loud grinding',
  'light flickers',
  'car not level',
  'display dark',
];
const newFaults = [
  'smells of burning',
  'jerks when starting',
  'door reopens all the time',
  'no light in the car',
  'emergency phone silent',
  'button 3 stuck',
];
const spot = ({ lifts, sites }: Lifts, id: string) => {
  const it = need(lifts, id, 'lift');
  return { id, lift: it.name, site: need(sites, it.site, 'site').name };
};

const reassign = template('reassign-mechanic', {
  about: 'Give a lift to another mechanic.',
  split: 'test',
  sample(state, random) {
    const it = random.pick(state.lifts);
    return { ...spot(state, it.id), to: random.pick(mechanics.filter(name => name !== it.mechanic)) };
  },
  instruction: ({ lift: name, site, to }, random) =>
    random.pick([
      `From now on ${to} looks after ${name} at ${site}.`,
      `Change the mechanic of ${name}, ${site}, to ${to}.`,
      `${site}, ${name}: hand over to ${to}, please.`,
    ]),
  checks: ({ id, lift: name, to }) => [
    { name: `${name} has the mechanic ${to}`, test: final => find(final.lifts, id)?.mechanic === to },
  ],
  allow: ({ id }) => [`/lifts/${id}/mechanic`],
});

const newFault = template('report-fault', {
  about: 'Report a fault of a lift.',
  split: 'test',
  sample(state, random) {
    const { id } = random.pick(state.lifts);
    return { ...spot(state, id), what: random.pick(newFaults), trapped: random.chance(0.4) };
  },
  instruction: ({ lift: name, site, what, trapped }, random) =>
    random.pick([
      `Report "${what}" for ${name} at ${site}. ${trapped ? 'Someone is stuck inside.' : 'Nobody is inside.'}`,
      `The caretaker of ${site} called: ${name}, "${what}". ${trapped ? 'There is a person trapped in it!' : 'The car is empty.'} Open a fault.`,
      `fault at ${site} / ${name}: ${what} (${trapped ? 'person trapped' : 'no one trapped'})`,
    ]),
  checks: ({ id, what, trapped }) => [
    {
      name: 'one fault was reported, as said',
      test(final, initial) {
        const [one, ...more] = added(initial.faults, final.faults);
        if (one === undefined || more.length > 0) return false;
        const isNew = one.status === 'reported' && one.part === 'none';
        return one.lift === id && one.what === what && one.trapped === trapped && isNew;
      },
    },
  ],
  allow: () => ['/faults/+'],
});

const fix = template('close-fault', {
  about: 'Say that a fault is fixed, and with which part.',
  split: 'test',
  sample(state, random) {
    const one = random.pick(state.faults.filter(({ status: at }) => at === 'on the way'));
    const part = random.pick(parts.filter(name => name !== 'none' && name !== one.part));
    return { fault: one.id, what: one.what, part, ...spot(state, one.lift) };
  },
  instruction: ({ lift: name, site, what, part }, random) =>
    random.pick([
      `"${what}" on ${name} at ${site} is fixed. They put in a new ${part}.`,
      `Note for ${site}, ${name}: replaced the ${part}, so "${what}" is fixed.`,
      `The mechanic is done with ${name} (${site}). Fault "${what}": part ${part}. Close it.`,
    ]),
  checks: ({ fault: id, part }) => [
    { name: 'the part is noted', test: final => find(final.faults, id)?.part === part },
    { name: 'the fault is fixed', test: final => find(final.faults, id)?.status === 'fixed' },
  ],
  allow: ({ fault: id }) => [`/faults/${id}/part`, `/faults/${id}/status`],
});

const restart = template('back-into-service', {
  about: 'Put a lift back into service; an open fault forbids it.',
  split: 'test',
  kind: 'infeasible',
  sample(state, random) {
    const { id } = random.pick(state.lifts);
    return { ...spot(state, id), free: random.chance(0.5), fault: random.pick(faultWords) };
  },
  isTwin: ({ free }) => free,
  setup(draft, { id, free, fault: what }) {
    need(draft.lifts, id, 'lift').service = 'out of service';
    for (const one of draft.faults) if (one.lift === id) one.status = 'fixed';
    if (!free) {
      const old = draft.faults.find(one => one.lift === id);
      if (old === undefined) {
        draft.faults.push({ id: 'f99', lift: id, what, trapped: false, status: 'reported', part: 'none' });
      } else old.status = 'reported';
    }
  },
  instruction: ({ lift: name, site }, random) =>
    random.pick([
      `Put ${name} at ${site} back into service, as long as it has no open fault.`,
      `Can ${name} of ${site} run again? If no fault is open, put it into service. Do not touch the faults.`,
      `The tenants of ${site} want ${name} back. Into service with it, unless there is still a fault open.`,
    ]),
  checks: ({ id, lift: name }) => [
    { name: `${name} is running`, test: final => find(final.lifts, id)?.service === 'running' },
  ],
  allow: ({ id }) => [`/lifts/${id}/service`],
  shown: ({ ui }, { id }) => ui.lift === id && (ui.side === 'faults' || ui.line !== ''),
});

const overdue = template('longest-ago', {
  about: 'Tell which lift of a site was inspected longest ago.',
  split: 'test',
  sample({ sites, lifts }, random) {
    const fit = sites.filter(({ id }) => {
      const dates = lifts.filter(it => it.site === id).map(it => it.inspected);
      return dates.length > 2 && new Set(dates).size === dates.length;
    });
    if (fit.length === 0) return null;
    const { id, name } = random.pick(fit);
    return { id, name };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `Which lift at ${name} has gone longest without an inspection?`,
      `The inspector comes to ${name} and has time for one lift: the one last inspected the longest ago. Which one is it?`,
      `${name}: name of the lift with the oldest inspection date?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { lifts }) =>
    lifts.filter(it => it.site === id).sort((a, b) => a.inspected.localeCompare(b.inspected))[0]?.name ?? '',
  shown: ({ ui }, { id }) => ui.site === id && ui.lift === null,
});

const stopMaker = template('stop-heavy', {
  about: 'Take every lift of a site with a load of over 1000 kg out of service.',
  split: 'test',
  sample({ sites, lifts }, random) {
    const heavy = (site: string) => lifts.filter(it => it.site === site && it.load > 1000 && it.service === 'running');
    const fit = sites.filter(({ id }) => heavy(id).length === 2);
    if (fit.length === 0) return null;
    const { id, name } = random.pick(fit);
    return { name, ids: heavy(id).map(it => it.id) };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `Take the lifts at ${name} that carry more than 1000 kg out of service.`,
      `The floor of the machine room at ${name} has to be checked. Until then nothing over 1000 kg may run there: take those lifts out of service.`,
      `${name}: all running lifts over 1000 kg out of service please`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `lift ${id} is out`, test: final => find(final.lifts, id)?.service === 'out of service' })),
  allow: ({ ids }) => ids.map(id => `/lifts/${id}/service`),
});

const siteNames = [
  'Harrow House',
  'Harrow Court',
  'Linden Tower',
  'Linden Mall',
  'St Anne Clinic',
  'Station Square 4',
  'Station Square 9',
  'Opal Offices',
  'Mercer Building',
  'Mercer Annex',
  'Civic Archive',
  'Garrison Lofts',
];
const liftNames = ['Lift A', 'Lift B', 'Lift C', 'Goods lift', 'Panorama lift'];

export const app = defineApp({
  id: 'lifts',
  title: 'Upwards lift service',
  about: 'A company that looks after lifts: sites, lifts, mechanics and faults.',
  state,
  init(random) {
    const sites = random.shuffle(siteNames).map((name, index) => ({
      id: `s${index + 1}`,
      name,
      district: districts[index % districts.length] ?? 'North',
      code: `${random.between(1000, 9999)}`,
    }));
    const lifts = sites
      .flatMap(site => random.sample(liftNames, random.between(3, 4)).map(name => ({ site: site.id, name })))
      .map((it, index) => ({
        id: `l${index + 1}`,
        ...it,
        maker: random.pick(['Ascenda', 'Korvel', 'Tellus', 'Brandt & Lie']),
        load: random.pick([450, 630, 800, 1000, 1250, 1600, 2000]),
        service: random.chance(0.85) ? ('running' as const) : ('out of service' as const),
        inspected: `2025-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`,
        mechanic: random.pick(mechanics),
      }));
    const faults = random.sample(lifts, 18).map((it, index) => ({
      id: `f${index + 1}`,
      lift: it.id,
      what: random.pick(faultWords),
      trapped: random.chance(0.2),
      status: random.pick(['reported', 'on the way', 'fixed'] as const),
      part: random.chance(0.2) ? random.pick(parts) : 'none',
    }));
    return {
      sites,
      lifts,
      faults,
      ui: { district: 'North', site: null, lift: null, side: 'data' as const, what: '', trapped: '', line: '' },
    };
  },
  commands: [
    setMechanic,
    setService,
    report,
    progress,
    usePart,
    listLifts,
    pickDistrict,
    openSite,
    openLift,
    turn,
    describe,
    sayTrapped,
  ],
  view(all) {
    const site = find(all.sites, all.ui.site ?? '');
    const it = find(all.lifts, all.ui.lift ?? '');
    return page('Upwards lift service', [
      site === undefined ? siteList(all) : it === undefined ? siteSheet(all, site) : card(all, site, it),
    ]);
  },
  templates: [reassign, newFault, fix, restart, overdue, stopMaker],
  onRefusal(draft, message) {
    draft.ui.line = message;
  },
});

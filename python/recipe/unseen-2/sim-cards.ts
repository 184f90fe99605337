import {
  appKit,
  banner,
  button,
  cell,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  navigation,
  need,
  page,
  radio,
  refuse,
  region,
  row,
  status,
  switchButton,
  table,
  text,
  z,
} from 'espalier';

const plans = ['Bronze 5 GB', 'Silver 15 GB', 'Gold 40 GB', 'Gold Unlimited', 'Data only'];
const zones = ['Zone A', 'Zone B', 'Zone C'];
const lengths = ['1 day', '7 days', '30 days'];
const starts = ['at once', 'with the next bill'];

const line = z.object({
  id: z.string(),
  holder: z.string(),
  team: z.string(),
  number: z.string(),
  plan: z.string(),
  nextPlan: z.string(),
  used: z.int(),
  premium: z.boolean(),
  roaming: z.boolean(),
  blocked: z.boolean(),
  pack: z.string(),
  forward: z.string(),
});
const state = z.object({
  lines: z.array(line),
  countries: z.array(z.object({ id: z.string(), name: z.string(), zone: z.string() })),
  ui: z.object({
    screen: z.enum(['lines', 'abroad']),
    team: z.string(),
    open: z.string().nullable(),
    unfolded: z.enum(['none', 'calls', 'usage']),
    menu: z.enum(['none', 'extras', 'zones', 'Zone A', 'Zone B', 'Zone C']),
    step: z.int(),
    plan: z.string(),
    start: z.string(),
    asking: z.boolean(),
    said: z.string(),
  }),
});
type Fleet = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const onLine = z.object({ id: z.string() });

const changePlan = command('change_plan', {
  about: 'Change the plan of a line, at once or with the next bill.',
  input: z.object({ id: z.string(), plan: z.string(), start: z.string() }),
  run(draft, { id, plan, start }) {
    const it = need(draft.lines, id, 'line');
    if (!plans.includes(plan)) refuse('Choose a plan.');
    if (!starts.includes(start)) refuse('Choose when it starts.');
    if (it.plan === plan) refuse(`${it.holder} has ${plan} already.`);
    if (start === 'at once') Object.assign(it, { plan, nextPlan: '' });
    else it.nextPlan = plan;
    Object.assign(draft.ui, { step: 0, plan: '', start: '', said: `Ordered for ${it.holder}: ${plan}, ${start}.` });
  },
});
const book = command('book_pack', {
  about: 'Book a travel pack for a line, such as "Zone B, 7 days".',
  input: z.object({ id: z.string(), pack: z.string() }),
  run(draft, { id, pack }) {
    const it = need(draft.lines, id, 'line');
    const [zone, length] = pack.split(', ');
    if (!zones.includes(zone ?? '') || !lengths.includes(length ?? '')) refuse('There is no such pack.');
    if (it.pack !== '') refuse(`${it.holder} has a pack already: ${it.pack}.`);
    it.pack = pack;
    Object.assign(draft.ui, { menu: 'none', said: '' });
  },
});
const cancelPack = command('cancel_pack', {
  about: 'Cancel the travel pack of a line.',
  input: onLine,
  run(draft, { id }) {
    const it = need(draft.lines, id, 'line');
    if (it.pack === '') refuse(`${it.holder} has no pack.`);
    it.pack = '';
  },
});
const block = command('block_sim', {
  about: 'Block the SIM card of a line, or unblock it.',
  input: onLine,
  run(draft, { id }) {
    const it = need(draft.lines, id, 'line');
    it.blocked = !it.blocked;
    draft.ui.asking = false;
  },
});
const flip = command('flip_switch', {
  about: 'Switch premium numbers or roaming of a line on or off.',
  input: z.object({ id: z.string(), what: z.enum(['premium', 'roaming']) }),
  run(draft, { id, what }) {
    const it = need(draft.lines, id, 'line');
    it[what] = !it[what];
  },
});
const forwardTo = command('forward_calls', {
  about: 'Forward the calls of a line to another number of the company, or "nobody".',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.lines, id, 'line');
    if (value === it.number) refuse('A line cannot be forwarded to itself.');
    it.forward = value === 'nobody' ? '' : value;
  },
});
const listLines = query('list_lines', {
  about: 'List the lines of a team, or of one holder.',
  input: z.object({ text: z.string() }),
  run: ({ lines }, input) =>
    lines.filter(({ team, holder }) => team === input.text || holder === input.text).map(it => ({ ...it })),
});
const zoneOf = query('zone_of_country', {
  about: 'Tell the zone of a country.',
  input: z.object({ name: z.string() }),
  run: ({ countries }, { name }) => countries.find(it => it.name === name)?.zone ?? refuse('There is no such country.'),
});

const goTo = gesture('go_to', {
  about: 'Go to the lines or to the guide for abroad.',
  input: z.object({ screen: z.enum(['lines', 'abroad']) }),
  run({ ui }, { screen }) {
    Object.assign(ui, { screen, open: null, menu: 'none', step: 0, said: '' });
  },
});
const chooseTeam = gesture('choose_team', {
  about: 'Show one team.',
  input: z.object({ value: z.string() }),
  run({ ui }, { value }) {
    Object.assign(ui, { team: value, open: null });
  },
});
const open = gesture('open_line', {
  about: 'Open a line, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run({ ui }, { id }) {
    Object.assign(ui, { open: id, unfolded: 'none', menu: 'none', step: 0, asking: false, said: '' });
  },
});
const unfold = gesture('unfold', {
  about: 'Unfold a part of the line.',
  input: z.object({ part: z.enum(['none', 'calls', 'usage']) }),
  run({ ui }, { part }) {
    ui.unfolded = ui.unfolded === part ? 'none' : part;
  },
});
const openMenu = gesture('open_menu', {
  about: 'Open a menu.',
  input: z.object({ which: z.enum(['none', 'extras', 'zones', 'Zone A', 'Zone B', 'Zone C']) }),
  run({ ui }, { which }) {
    ui.menu = which;
  },
});
const toStep = gesture('to_step', {
  about: 'Go to a step of the change of plan; 0 leaves it.',
  input: z.object({ step: z.int() }),
  run({ ui }, { step }) {
    if (step === 2 && ui.plan === '') refuse('Choose a plan first.');
    if (step === 3 && ui.start === '') refuse('Choose when it starts.');
    if (step === 0) Object.assign(ui, { plan: '', start: '' });
    Object.assign(ui, { step, said: '' });
  },
});
const choose = gesture('choose', {
  about: 'Choose the plan or its start.',
  input: z.object({ what: z.enum(['plan', 'start']), value: z.string() }),
  run({ ui }, { what, value }) {
    ui[what] = value;
  },
});
const ask = gesture('ask', {
  about: 'Ask before blocking.',
  input: z.object({ yes: z.boolean() }),
  run({ ui }, { yes }) {
    ui.asking = yes;
  },
});

function wizard({ ui }: Fleet, it: Fleet['lines'][number]) {
  const { id } = it;
  return form(`Change of plan for ${it.holder}, step ${ui.step} of 3`, [
    ui.said !== '' && status(ui.said),
    ui.step === 1 && text(`Now: ${it.plan}`),
    ...(ui.step === 1
      ? plans.map(plan => radio(plan, ui.plan === plan, choose.with({ what: 'plan', value: plan })))
      : []),
    ...(ui.step === 2
      ? starts.map(start => radio(`Start ${start}`, ui.start === start, choose.with({ what: 'start', value: start })))
      : []),
    ui.step === 3 && text(`${it.plan} becomes ${ui.plan}, ${ui.start}.`),
    ui.step < 3 && button('Continue', toStep.with({ step: ui.step + 1 })),
    ui.step === 3 && button('Order with costs', changePlan.with({ id, plan: ui.plan, start: ui.start })),
    ui.step > 1 && button('One step back', toStep.with({ step: ui.step - 1 })),
    button('Leave', toStep.with({ step: 0 })),
  ]);
}

function extras({ ui }: Fleet, id: string) {
  if (ui.menu === 'none') return null;
  if (ui.menu === 'extras') {
    return menu('Extras', [
      menuItem('Travel pack ▸', openMenu.with({ which: 'zones' })),
      menuItem('Block the SIM card…', ask.with({ yes: true })),
      menuItem('Close', openMenu.with({ which: 'none' })),
    ]);
  }
  if (ui.menu === 'zones') {
    const items = (['Zone A', 'Zone B', 'Zone C'] as const).map(zone =>
      menuItem(`${zone} ▸`, openMenu.with({ which: zone })),
    );
    return menu('Travel pack', [...items, menuItem('Back', openMenu.with({ which: 'extras' }))]);
  }
  const zone = ui.menu;
  return menu(zone, [
    ...lengths.map(length => menuItem(`${length} in ${zone}`, book.with({ id, pack: `${zone}, ${length}` }))),
    menuItem('Back', openMenu.with({ which: 'zones' })),
  ]);
}

function sheet(fleet: Fleet, it: Fleet['lines'][number]) {
  const { ui } = fleet;
  const { id } = it;
  if (ui.step > 0) return wizard(fleet, it);
  if (ui.asking) {
    return dialog(it.blocked ? `Unblock the SIM card of ${it.holder}?` : `Block the SIM card of ${it.holder}?`, [
      text('A blocked card makes and takes no calls.'),
      button(it.blocked ? 'Unblock' : 'Block now', block.with({ id })),
      button('No', ask.with({ yes: false })),
    ]);
  }
  return region(it.holder, [
    heading(it.holder),
    text(`${it.number}, team ${it.team}`),
    it.blocked && text('SIM card blocked'),
    text(`${it.plan}${it.nextPlan === '' ? '' : `, from the next bill ${it.nextPlan}`}`),
    button('Another plan', toStep.with({ step: 1 })),
    it.pack !== '' && text(`Travel pack ${it.pack}`),
    it.pack !== '' && button('Cancel travel pack', cancelPack.with({ id })),
    button('Extras', openMenu.with({ which: ui.menu === 'none' ? 'extras' : 'none' })),
    extras(fleet, id),
    button('Calls', unfold.with({ part: 'calls' }), ui.unfolded === 'calls' ? ['expanded'] : []),
    ui.unfolded === 'calls' &&
      region('Calls', [
        switchButton('Premium numbers', it.premium, flip.with({ id, what: 'premium' })),
        switchButton('Roaming', it.roaming, flip.with({ id, what: 'roaming' })),
        combobox('Forward to', it.forward === '' ? 'nobody' : it.forward, {
          enter: forwardTo.entering({ id }),
          options: ['nobody', ...fleet.lines.filter(other => other.id !== id).map(({ number }) => number)],
        }),
      ]),
    button('Usage', unfold.with({ part: 'usage' }), ui.unfolded === 'usage' ? ['expanded'] : []),
    ui.unfolded === 'usage' && text(`${it.used} MB since the first of the month`),
    link('All lines', open.with({ id: null })),
  ]);
}

const teams = ['Sales', 'Installers', 'Office', 'Couriers'];
const people = [
  'Nadia Berg',
  'Nadia Bergström',
  'Sam Achebe',
  'Sam Ashdown',
  'Lucia Prieto',
  'Lucian Pop',
  'Hana Kimura',
  'Hannah Kim',
  'Viktor Dale',
  'Vikram Das',
  'Owen Pryce',
  'Rhys Pryce',
  'Mariam Saleh',
  'Marian Salek',
  'Petra Holt',
  'Per Holt',
  'Elif Arslan',
  'Zoe Lambert',
  'Igor Petrov',
  'Greta Vance',
  'Bruno Costa',
  'Asha Rao',
];
const places: readonly (readonly [string, string])[] = [
  ['Norway', 'Zone A'],
  ['Portugal', 'Zone A'],
  ['Austria', 'Zone A'],
  ['Serbia', 'Zone B'],
  ['Turkey', 'Zone B'],
  ['Morocco', 'Zone B'],
  ['Canada', 'Zone B'],
  ['Chile', 'Zone C'],
  ['Japan', 'Zone C'],
  ['Kenya', 'Zone C'],
  ['Georgia', 'Zone C'],
];

const newPlan = template('new-plan', {
  about: 'Order another plan for somebody.',
  split: 'test',
  sample({ lines }, random) {
    const it = random.pick(lines);
    const plan = random.pick(plans.filter(one => one !== it.plan && one !== it.nextPlan));
    return { id: it.id, holder: it.holder, plan, start: random.pick(starts) };
  },
  instruction: ({ holder, plan, start }, random) =>
    random.pick([
      `Change ${holder} to the plan ${plan}, ${start}.`,
      `${holder} needs ${plan}. It should start ${start}.`,
      `Order ${plan} for ${holder} (${start}), thanks`,
    ]),
  checks: ({ id, plan, start }) => [
    {
      name: 'the plan is ordered, for the right start',
      test(final, initial) {
        const now = find(final.lines, id);
        const then = find(initial.lines, id);
        if (now === undefined || then === undefined) return false;
        return start === 'at once'
          ? now.plan === plan && now.nextPlan === ''
          : now.plan === then.plan && now.nextPlan === plan;
      },
    },
  ],
  allow: ({ id, start }) =>
    start === 'at once' ? [`/lines/${id}/plan`, `/lines/${id}/nextPlan`] : [`/lines/${id}/nextPlan`],
});

const travel = template('travel-pack', {
  about: 'Book the travel pack that suits a country.',
  split: 'test',
  sample({ lines, countries }, random) {
    const it = random.pick(lines.filter(({ pack }) => pack === ''));
    const country = random.pick(countries);
    const length = random.pick(lengths);
    return { id: it.id, holder: it.holder, country: country.name, length, pack: `${country.zone}, ${length}` };
  },
  instruction: ({ holder, country, length }, random) =>
    random.pick([
      `${holder} is going to ${country}. Book the travel pack for ${length}, for the zone that ${country} is in.`,
      `Book a travel pack for ${holder}: ${country}, ${length}. The guide says which zone that is.`,
      `${holder} -> ${country}, needs the ${length} pack. Zone see guide.`,
    ]),
  checks: ({ id, pack }) => [{ name: `the pack is ${pack}`, test: final => find(final.lines, id)?.pack === pack }],
  allow: ({ id }) => [`/lines/${id}/pack`],
});

const lost = template('lost-phone', {
  about: 'Block the card of somebody who lost the phone.',
  split: 'test',
  sample({ lines }, random) {
    const { id, holder, team } = random.pick(lines.filter(({ blocked }) => !blocked));
    return { id, holder, team };
  },
  instruction: ({ holder, team }, random) =>
    random.pick([
      `${holder} from ${team} has lost the phone. Block the SIM card.`,
      `Somebody stole the phone of ${holder} (${team})! Nobody must be able to call with it.`,
      `block sim: ${holder}, ${team}`,
    ]),
  checks: ({ id, holder }) => [
    { name: `the card of ${holder} is blocked`, test: final => find(final.lines, id)?.blocked === true },
  ],
  allow: ({ id }) => [`/lines/${id}/blocked`],
});

const noPremium = template('no-premium', {
  about: 'Switch premium numbers off for two people.',
  split: 'test',
  sample({ lines }, random) {
    const [a, b] = random.sample(lines, 2) as [Fleet['lines'][number], Fleet['lines'][number]];
    return { ids: [a.id, b.id], first: a.holder, second: b.holder };
  },
  setup(draft, { ids }) {
    for (const id of ids) need(draft.lines, id, 'line').premium = true;
  },
  instruction: ({ first, second }, random) =>
    random.pick([
      `${first} and ${second} ran up a bill with premium numbers. Switch those off for both.`,
      `No premium numbers for ${first} and for ${second} any more.`,
      `premium numbers off: ${first}, ${second}`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `line ${id} has none`, test: final => find(final.lines, id)?.premium === false })),
  allow: ({ ids }) => ids.map(id => `/lines/${id}/premium`),
});

const divert = template('forward-to-colleague', {
  about: 'Forward the calls of somebody to a colleague, whose number has to be looked up.',
  split: 'test',
  sample({ lines }, random) {
    const [a, b] = random.sample(lines, 2) as [Fleet['lines'][number], Fleet['lines'][number]];
    return { id: a.id, holder: a.holder, other: b.holder, number: b.number };
  },
  setup(draft, { id }) {
    need(draft.lines, id, 'line').forward = '';
  },
  instruction: ({ holder, other }, random) =>
    random.pick([
      `${holder} is on holiday. Forward the calls to ${other}.`,
      `Whoever calls ${holder} should reach ${other} instead.`,
      `Forward ${holder} to the number of ${other}`,
    ]),
  checks: ({ id, holder, number }) => [
    { name: `${holder} is forwarded`, test: final => find(final.lines, id)?.forward === number },
  ],
  allow: ({ id }) => [`/lines/${id}/forward`],
});

const usage = template('how-much', {
  about: 'Tell how much data somebody has used.',
  split: 'test',
  sample({ lines }, random) {
    const { id, holder } = random.pick(lines);
    return { id, holder };
  },
  instruction: ({ holder }, random) =>
    random.pick([
      `How many MB has ${holder} used this month?`,
      `${holder} says the internet is slow. How much data is used up so far, in MB?`,
      `MB used by ${holder} since the first?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { lines }) => `${need(lines, id, 'line').used}`,
  shown: ({ ui }, { id }) => ui.open === id && ui.unfolded === 'usage' && ui.step === 0 && !ui.asking,
});

export const app = defineApp({
  id: 'sim-cards',
  title: 'Hummingbird Mobile for companies',
  about: 'The mobile lines of a company: plans, travel packs, blocking and forwarding.',
  state,
  init(random) {
    return {
      lines: random.shuffle(people).map((holder, index) => ({
        id: `n${index + 1}`,
        holder,
        team: random.pick(teams),
        number: `0${random.between(611, 689)} ${random.between(200, 999)} ${100 + index * 37 + random.between(0, 30)}`,
        plan: random.pick(plans),
        nextPlan: '',
        used: random.between(120, 39000),
        premium: random.chance(0.5),
        roaming: random.chance(0.6),
        blocked: random.chance(0.1),
        pack: random.chance(0.15) ? `${random.pick(zones)}, ${random.pick(lengths)}` : '',
        forward: '',
      })),
      countries: random.shuffle(places).map(([name, zone], index) => ({ id: `z${index + 1}`, name, zone })),
      ui: {
        screen: 'lines' as const,
        team: 'All teams',
        open: null,
        unfolded: 'none' as const,
        menu: 'none' as const,
        step: 0,
        plan: '',
        start: '',
        asking: false,
        said: '',
      },
    };
  },
  commands: [
    changePlan,
    book,
    cancelPack,
    block,
    flip,
    forwardTo,
    listLines,
    zoneOf,
    goTo,
    chooseTeam,
    open,
    unfold,
    openMenu,
    toStep,
    choose,
    ask,
  ],
  view(fleet) {
    const { ui } = fleet;
    const it = find(fleet.lines, ui.open ?? '');
    if (it !== undefined)
      return page('Hummingbird Mobile', [ui.said !== '' && ui.step === 0 && status(ui.said), sheet(fleet, it)]);
    return page('Hummingbird Mobile', [
      banner('Your company', [
        navigation('Pages', [
          link('Lines', goTo.with({ screen: 'lines' }), ui.screen === 'lines' ? ['selected'] : []),
          link('Guide for abroad', goTo.with({ screen: 'abroad' }), ui.screen === 'abroad' ? ['selected'] : []),
        ]),
      ]),
      ui.screen === 'abroad' &&
        table(
          'Countries',
          fleet.countries.map(({ name, zone }) => row(name, [cell(name), cell(zone)])),
        ),
      ui.screen === 'lines' &&
        region('Lines', [
          combobox('Team', ui.team, { enter: chooseTeam.entering({}), options: ['All teams', ...teams] }),
          list(
            ui.team,
            fleet.lines
              .filter(({ team }) => ui.team === 'All teams' || team === ui.team)
              .map(({ id, holder, number, blocked }) =>
                listItem(holder, [link(holder, open.with({ id })), text(`${number}${blocked ? ', blocked' : ''}`)]),
              ),
          ),
        ]),
    ]);
  },
  templates: [newPlan, travel, lost, noPremium, divert, usage],
  onRefusal(draft, message) {
    draft.ui.said = message;
  },
});

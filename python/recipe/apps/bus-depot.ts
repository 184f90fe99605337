// A bus depot's night sheet: buses ticked in a table for a bulk action, defect slips, duties and their drivers.
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
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  row,
  status,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const s = z.string();
const bus = z.object({ id: s, fleet: s, type: s, bay: s, fuel: z.int(), job: s });
const defect = z.object({ id: s, bus: s, what: s, fixed: z.boolean() });
const duty = z.object({ id: s, line: s, start: s, driver: s });
const driver = z.object({ id: s, name: s, locker: s });
const views = ['Fleet', 'Defects', 'Duties', 'Staff'] as const;
const state = z.object({
  buses: z.array(bus),
  defects: z.array(defect),
  duties: z.array(duty),
  drivers: z.array(driver),
  ui: z.object({
    view: z.enum(views),
    ticked: z.array(s),
    type: s,
    duty: s,
    driver: s,
    bus: s,
    what: s,
    open: z.boolean(),
    line: s,
  }),
});
type Depot = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const say = (n: number, ...ways: string[]) => ways[n % ways.length] ?? '';

const types = ['Single deck', 'Double deck', 'Articulated', 'Minibus'];
const jobs = ['Wash', 'Refuel', 'Deep clean', 'Workshop'];
const slips = [
  'Door sticks',
  'Wiper torn',
  'Horn dead',
  'Seat ripped',
  'Ramp jammed',
  'Heater cold',
  'Mirror cracked',
  'Bell silent',
  'Lamp flickers',
];
const routes = ['12', '14A', '27', '31', '44', '58X', '63', '70', '86', '91'];
const staff = ['Abara', 'Boyle', 'Cisse', 'Dragan', 'Ember', 'Fontaine', 'Gill', 'Hewitt', 'Iqbal', 'Jansen', 'Lund'];
const blank = { type: 'Every type', duty: '', driver: '', bus: '', what: '', open: false, line: '' };

const send = command('send_buses', {
  about: 'Send the ticked buses to a job.',
  input: z.object({ ids: z.array(s), job: s }),
  run(draft, { ids, job }) {
    if (ids.length === 0) refuse('Tick at least one bus.');
    for (const id of ids) need(draft.buses, id, 'bus').job = job;
    Object.assign(draft.ui, { ticked: [], line: `${ids.length} sent: ${job}` });
  },
});
const fix = command('fix_defect', {
  about: 'Sign a defect off as fixed, or take the signature back.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    need(draft.defects, id, 'slip').fixed = !find(draft.defects, id)?.fixed;
  },
});
const report = command('report_defect', {
  about: 'Report a defect of a bus.',
  input: z.object({ fleet: s, what: s.trim().min(1, 'describe the defect') }),
  run(draft, { fleet, what }) {
    const broken = draft.buses.find(it => it.fleet === fleet) ?? refuse('Choose a bus.');
    draft.defects.push({ id: nextId(draft.defects, 'x'), bus: broken.id, what, fixed: false });
    Object.assign(draft.ui, { bus: '', what: '', line: 'Slip written' });
  },
});
const roster = command('roster_driver', {
  about: 'Put a driver on a duty.',
  input: z.object({ id: s, driver: s }),
  run(draft, { id, driver: name }) {
    need(draft.duties, id, 'duty').driver = name;
  },
});
const sheet = query('night_sheet', {
  about: 'The whole night sheet.',
  input: z.object({}),
  run: ({ buses, defects, duties, drivers }) => ({ buses, defects, duties, drivers }),
});
const look = gesture('look_at', {
  about: 'Look at a part of the sheet, and at a duty or a driver in it.',
  input: z.object({ view: z.enum(views), duty: s, driver: s }),
  run(draft, to) {
    Object.assign(draft.ui, to, { ticked: [], line: '' });
  },
});
const tick = gesture('tick_bus', {
  about: 'Tick or untick a bus.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const { ticked } = draft.ui;
    draft.ui.ticked = ticked.includes(id) ? ticked.filter(other => other !== id) : [...ticked, id];
  },
});
const only = gesture('only_open', {
  about: 'Show open defects only, or all.',
  input: z.object({}),
  run(draft) {
    draft.ui.open = !draft.ui.open;
  },
});
const put = gesture('put_in', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['type', 'bus', 'what']), value: s.max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function part({ buses, defects, duties, drivers, ui }: Depot) {
  const [shift, person] = [find(duties, ui.duty), find(drivers, ui.driver)];
  const parked = buses.filter(it => ui.type === 'Every type' || it.type === ui.type);
  if (ui.view === 'Fleet')
    return region('Fleet', [
      combobox('Type', ui.type, { enter: put.entering({ field: 'type' }), options: ['Every type', ...types] }),
      toolbar(
        `With ${ui.ticked.length} ticked`,
        jobs.map(job => button(job, send.with({ ids: ui.ticked, job }))),
      ),
      table(
        'Buses',
        parked.map(({ id, fleet, type, bay, fuel, job }) =>
          row(fleet, [
            checkbox(fleet, ui.ticked.includes(id), tick.with({ id })),
            cell(type),
            cell(bay),
            cell(`${fuel} % fuel`),
            cell(job),
          ]),
        ),
      ),
    ]);
  if (ui.view === 'Defects')
    return region('Defect slips', [
      checkbox('Hide what is fixed', ui.open, only.with({})),
      list(
        'Slips',
        defects
          .filter(it => !ui.open || !it.fixed)
          .map(({ id, bus: of, what, fixed }) =>
            listItem(what, [checkbox(`${find(buses, of)?.fleet}: ${what}, fixed`, fixed, fix.with({ id }))]),
          ),
      ),
      form('New slip', [
        combobox('Bus', ui.bus, { enter: put.entering({ field: 'bus' }), options: buses.map(it => it.fleet) }),
        textbox('Defect', ui.what, { enter: put.entering({ field: 'what' }) }),
        button('Hand in slip', report.with({ fleet: ui.bus, what: ui.what })),
      ]),
    ]);
  if (ui.view === 'Duties' && shift !== undefined)
    return region(`Line ${shift.line} at ${shift.start}`, [
      heading(`Driver: ${shift.driver}`),
      ...drivers.map(({ name }) => radio(name, name === shift.driver, roster.with({ id: shift.id, driver: name }))),
    ]);
  if (ui.view === 'Duties')
    return list(
      'Duties',
      duties.map(({ id, line, start }) =>
        link(`Line ${line}, ${start}`, look.with({ view: 'Duties', duty: id, driver: '' })),
      ),
    );
  return person === undefined
    ? list(
        'Staff',
        drivers.map(({ id, name }) => link(name, look.with({ view: 'Staff', duty: '', driver: id }))),
      )
    : region(person.name, [text(`Locker ${person.locker}`)]);
}

const sendTwo = template('send-buses', {
  about: 'Send two buses to the same job.',
  split: 'train',
  sample({ buses }, random) {
    const [one, two] = random.sample(buses, 2);
    if (one === undefined || two === undefined) return null;
    return { one: one.id, two: two.id, a: one.fleet, b: two.fleet, job: random.pick(jobs), n: random.between(0, 5) };
  },
  setup(draft, { one, two }) {
    for (const id of [one, two]) need(draft.buses, id, 'bus').job = 'None';
  },
  instruction: ({ n, a, b, job }) =>
    say(
      n,
      `${a} + ${b}: ${job}`,
      `Send ${a} and ${b} to ${job}.`,
      `Please put both ${a} and ${b} down for "${job}" tonight.`,
      `${job} has room for two more: take ${a} and ${b}.`,
      `Could ${b} get "${job}" tonight? ${a} as well.`,
      `The inspector comes tomorrow, so ${a} and ${b} have to go to ${job} first.`,
    ),
  checks: ({ one, two, job }) =>
    [one, two].map(id => ({ name: `${id} is sent`, test: (final: Depot) => find(final.buses, id)?.job === job })),
  allow: ({ one, two }) => [`/buses/${one}/job`, `/buses/${two}/job`],
});
const emptyTank = template('lowest-fuel', {
  about: 'Refuel the bus of a type that has the least fuel.',
  split: 'train',
  sample({ buses }, random) {
    const type = random.pick(types);
    const [low, next] = buses.filter(it => it.type === type).sort((a, b) => a.fuel - b.fuel);
    if (low === undefined || next === undefined || low.fuel === next.fuel) return null;
    return { id: low.id, type, n: random.between(0, 5) };
  },
  setup(draft, { id }) {
    need(draft.buses, id, 'bus').job = 'None';
  },
  instruction: ({ n, type }) =>
    say(
      n,
      `Refuel the ${type} with the least fuel.`,
      `${type}: send the one with the emptiest tank to Refuel.`,
      `There is diesel for one more bus. Give it to the ${type} that is lowest.`,
      `Which ${type} is lowest on fuel? Please send that one to Refuel.`,
      `The "${type}" bus that has the lowest percentage should refuel tonight.`,
      `Only one ${type} can refuel before six, so let it be the one that needs it most.`,
    ),
  checks: ({ id }) => [{ name: 'that bus refuels', test: final => find(final.buses, id)?.job === 'Refuel' }],
  allow: ({ id }) => [`/buses/${id}/job`],
});
const writeSlip = template('report-defect', {
  about: 'Report a defect of a bus.',
  split: 'train',
  sample({ buses }, random) {
    const { id, fleet } = random.pick(buses);
    return { id, fleet, what: random.pick(slips), n: random.between(0, 5) };
  },
  instruction: ({ n, fleet, what }) =>
    say(
      n,
      `Slip for ${fleet}: ${what}.`,
      `I just brought ${fleet} in. Hand in a defect slip "${what}" for me.`,
      `Report a defect on ${fleet}, text: ${what}`,
      `The workshop should look at ${fleet} ("${what}"). Write it up, please.`,
      `${fleet} has a problem, namely: ${what}. There must be a slip for it.`,
      `Could you note "${what}" as a new defect of ${fleet}?`,
    ),
  checks: ({ id, what }) => [
    {
      name: 'one slip was handed in as told',
      test(final, initial) {
        const [made, ...more] = added(initial.defects, final.defects);
        return made?.bus === id && made.what === what && !made.fixed && more.length === 0;
      },
    },
  ],
  allow: () => ['/defects/+'],
});
const swapDriver = template('replace-driver', {
  about: 'Put another driver on a duty and say the locker of that driver.',
  split: 'train',
  sample({ duties, drivers }, random) {
    const { id, line, start, driver: old } = random.pick(duties);
    const { id: who, name } = random.pick(drivers.filter(it => it.name !== old));
    return { id, line, start, who, name, n: random.between(0, 5) };
  },
  instruction: ({ n, line, start, name }) =>
    say(
      n,
      `Line ${line}, ${start}: ${name} drives. Locker number?`,
      `Put ${name} on line ${line} at ${start} and tell me the locker, I will leave the papers there.`,
      `Somebody is ill. ${name} takes line ${line} (${start}). What is the locker of ${name}?`,
      `Which locker has ${name}? And roster ${name} for the ${start} duty on line ${line}, please.`,
      `Line ${line} at ${start} needs ${name} as driver. After that, look up ${name}'s locker for me.`,
      `Please give the ${start} duty of line ${line} to ${name}, and answer with the locker of ${name}.`,
    ),
  checks: ({ id, name }) => [{ name: `${name} drives`, test: final => find(final.duties, id)?.driver === name }],
  allow: ({ id }) => [`/duties/${id}/driver`],
  answer: ({ who }, { drivers }) => need(drivers, who, 'driver').locker,
  shown: ({ ui }, { who }) => ui.view === 'Staff' && ui.driver === who,
});

export const app = defineApp({
  id: 'bus-depot',
  title: 'Night sheet',
  about: 'The night sheet of a bus depot.',
  state,
  init(random) {
    const buses = random.sample([...Array(80).keys()], 14).map((number, index) => ({
      id: `b${index}`,
      fleet: `Bus ${number + 410}`,
      type: types[index % 4] ?? '',
      bay: `Bay ${random.between(1, 40)}`,
      fuel: random.between(5, 98),
      job: random.pick(['None', ...jobs]),
    }));
    return {
      buses: random.shuffle(buses),
      defects: random.sample(slips, 6).map((what, index) => ({
        id: `x${index + 1}`,
        bus: random.pick(buses).id,
        what,
        fixed: random.chance(0.4),
      })),
      duties: random.shuffle(routes).map((line, index) => ({
        id: `d${index}`,
        line,
        start: `${random.between(4, 9)}:${random.between(10, 59)}`,
        driver: random.pick(staff),
      })),
      drivers: staff.map((name, index) => ({ id: `p${index}`, name, locker: `${random.between(100, 399)}` })),
      ui: { view: 'Fleet' as const, ticked: [], ...blank },
    };
  },
  commands: [send, fix, report, roster, sheet, look, tick, only, put],
  view: depot =>
    page('Night sheet', [
      ...views.map(view => link(view, look.with({ view, duty: '', driver: '' }))),
      depot.ui.line !== '' && status(depot.ui.line),
      part(depot),
    ]),
  templates: [sendTwo, emptyTank, writeSlip, swapDriver],
  onRefusal(draft, message) {
    draft.ui.line = message;
  },
});

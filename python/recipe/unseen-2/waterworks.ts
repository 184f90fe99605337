import {
  added,
  alert,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  find,
  form,
  heading,
  navigation,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  row,
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const device = z.object({
  id: z.string(),
  station: z.string(),
  tag: z.string(),
  kind: z.enum(['pump', 'valve', 'tank']),
  mode: z.enum(['auto', 'hand']),
  on: z.boolean(),
  setpoint: z.int(),
  reading: z.int(),
});
const alarm = z.object({
  id: z.string(),
  device: z.string(),
  message: z.string(),
  level: z.enum(['high', 'low']),
  at: z.string(),
  seen: z.boolean(),
});
const permit = z.object({ id: z.string(), device: z.string(), holder: z.string(), work: z.string() });
const state = z.object({
  stations: z.array(z.object({ id: z.string(), name: z.string() })),
  devices: z.array(device),
  alarms: z.array(alarm),
  permits: z.array(permit),
  ui: z.object({
    screen: z.enum(['plant', 'alarms', 'permits']),
    station: z.string(),
    device: z.string().nullable(),
    armed: z.boolean(),
    entry: z.string(),
    level: z.enum(['any', 'high', 'low']),
    issuing: z.boolean(),
    tag: z.string(),
    holder: z.string(),
    work: z.string(),
    message: z.string(),
  }),
});
type Works = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const crew = ['Abel Moreau', 'Abena Mori', 'Joan Teller', 'John Tellier', 'Siv Dahl', 'Kofi Annor'];
const works = ['gasket', 'bearing', 'cleaning', 'painting', 'wiring'];
const permitOf = ({ permits }: Works, id: string) => permits.find(it => it.device === id);
const onWord = (kind: string) => (kind === 'valve' ? ['open', 'shut'] : ['running', 'stopped']);
const doWord = (kind: string) => (kind === 'valve' ? ['Open', 'Shut'] : ['Start', 'Stop']);

const operate = command('operate', {
  about: 'Start or stop a pump, open or shut a valve; it must be in hand, and nobody may be working on it.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    const it = need(draft.devices, id, 'device');
    const held = permitOf(draft, id);
    if (it.kind === 'tank') refuse('A tank cannot be operated.');
    if (held !== undefined) refuse(`${it.tag} is locked: ${held.holder} works on it (${held.work}).`);
    if (it.mode === 'auto') refuse(`${it.tag} is in auto.`);
    it.on = on;
    Object.assign(draft.ui, { armed: false, message: '' });
  },
});
const setMode = command('set_mode', {
  about: 'Put a device in auto or in hand.',
  input: z.object({ id: z.string(), mode: z.enum(['auto', 'hand']) }),
  run(draft, { id, mode }) {
    need(draft.devices, id, 'device').mode = mode;
    Object.assign(draft.ui, { armed: false, message: '' });
  },
});
const setPoint = command('set_point', {
  about: 'Download a new setpoint to a device.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const number = Number(value.trim());
    if (value.trim() === '' || !Number.isInteger(number) || number < 0 || number > 100) refuse('From 0 to 100.');
    need(draft.devices, id, 'device').setpoint = number;
    Object.assign(draft.ui, { entry: '', message: '' });
  },
});
const acknowledge = command('acknowledge', {
  about: 'Acknowledge an alarm.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.alarms, id, 'alarm');
    if (it.seen) refuse('That alarm is acknowledged.');
    it.seen = true;
  },
});
const issue = command('issue_permit', {
  about: 'Issue a permit to work on a device, by its tag and station as "Millbrook P-101".',
  input: z.object({ tag: z.string(), holder: z.string(), work: z.string().trim().min(1, 'What is to be done?') }),
  run(draft, { tag, holder, work }) {
    const it = draft.devices.find(one => label(draft, one) === tag) ?? refuse('Choose the device.');
    if (!crew.includes(holder)) refuse('Choose who works on it.');
    if (permitOf(draft, it.id) !== undefined) refuse(`There is a permit for ${tag}.`);
    draft.permits.push({ id: nextId(draft.permits, 'w'), device: it.id, holder, work });
    Object.assign(draft.ui, { issuing: false, tag: '', holder: '', work: '', message: '' });
  },
});
const readStation = query('read_station', {
  about: 'Read the devices, alarms and permits of a station, by its name.',
  input: z.object({ name: z.string() }),
  run(all, { name }) {
    const it = all.stations.find(one => one.name === name) ?? refuse('There is no such station.');
    return {
      ...it,
      devices: all.devices
        .filter(one => one.station === it.id)
        .map(one => ({
          ...one,
          permit: permitOf(all, one.id)?.holder ?? '',
          alarms: all.alarms.filter(({ device: of }) => of === one.id).map(each => ({ ...each })),
        })),
    };
  },
});

const screen = gesture('screen', {
  about: 'Change the screen.',
  input: z.object({ to: z.enum(['plant', 'alarms', 'permits']) }),
  run({ ui }, { to }) {
    Object.assign(ui, { screen: to, device: null, issuing: false, message: '' });
  },
});
const goStation = gesture('go_station', {
  about: 'Show a station.',
  input: z.object({ id: z.string() }),
  run({ ui }, { id }) {
    Object.assign(ui, { station: id, device: null, armed: false, message: '' });
  },
});
const faceplate = gesture('faceplate', {
  about: 'Open the faceplate of a device, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run({ ui }, { id }) {
    Object.assign(ui, { device: id, armed: false, entry: '', message: '' });
  },
});
const arm = gesture('arm', {
  about: 'Arm the faceplate.',
  input: z.object({}),
  run({ ui }) {
    Object.assign(ui, { armed: !ui.armed, message: '' });
  },
});
const type = gesture('type_setpoint', {
  about: 'Type a setpoint.',
  input: z.object({ value: z.string().max(5) }),
  run({ ui }, { value }) {
    ui.entry = value;
  },
});
const showLevel = gesture('show_level', {
  about: 'Show alarms of one level.',
  input: z.object({ level: z.enum(['any', 'high', 'low']) }),
  run({ ui }, { level }) {
    ui.level = level;
  },
});
const startIssue = gesture('start_issue', {
  about: 'Open or close the form of a permit.',
  input: z.object({ on: z.boolean() }),
  run({ ui }, { on }) {
    Object.assign(ui, { issuing: on, tag: '', holder: '', work: '', message: '' });
  },
});
const write = gesture('write_permit', {
  about: 'Fill in the permit.',
  input: z.object({ field: z.enum(['tag', 'holder', 'work']), value: z.string().max(50) }),
  run({ ui }, { field, value }) {
    ui[field] = value;
  },
});

function label({ stations }: Works, it: Works['devices'][number]) {
  return `${find(stations, it.station)?.name ?? ''} ${it.tag}`;
}

function plate(all: Works, it: Works['devices'][number]) {
  const { ui } = all;
  const { id, kind } = it;
  const held = permitOf(all, id);
  const [yes, no] = doWord(kind) as [string, string];
  return region(`Faceplate ${it.tag}`, [
    heading(label(all, it)),
    held !== undefined && text(`🔒 ${held.holder}: ${held.work}`),
    ui.message !== '' && alert(ui.message),
    kind !== 'tank' && text(`Now ${onWord(kind)[it.on ? 0 : 1]}`),
    kind === 'tank' && text(`Level ${it.reading} %`),
    radio('Auto', it.mode === 'auto', setMode.with({ id, mode: 'auto' })),
    radio('Hand', it.mode === 'hand', setMode.with({ id, mode: 'hand' })),
    kind !== 'tank' && checkbox('Arm', ui.armed, arm.with({})),
    kind !== 'tank' &&
      ui.armed &&
      (it.on ? button(no, operate.with({ id, on: false })) : button(yes, operate.with({ id, on: true }))),
    text(`Setpoint ${it.setpoint} %`),
    textbox('New setpoint', ui.entry, { enter: type.entering({}) }),
    ui.entry !== '' && button('Download', setPoint.with({ id, value: ui.entry })),
    button('✕', faceplate.with({ id: null })),
  ]);
}

function plant(all: Works) {
  const { ui } = all;
  const opened = find(all.devices, ui.device ?? '');
  return region('Plant', [
    toolbar(
      'Stations',
      all.stations.map(({ id, name }) => button(name, goStation.with({ id }), ui.station === id ? ['selected'] : [])),
    ),
    opened !== undefined && plate(all, opened),
    table(
      'Mimic',
      all.devices
        .filter(it => it.station === ui.station)
        .map(it =>
          row(it.tag, [
            button(it.tag, faceplate.with({ id: it.id })),
            cell(it.kind),
            cell(it.kind === 'tank' ? `${it.reading} %` : (onWord(it.kind)[it.on ? 0 : 1] ?? '')),
            cell(it.mode),
          ]),
        ),
    ),
  ]);
}

function alarmList(all: Works) {
  const { ui } = all;
  return region('Alarms', [
    radio('Every level', ui.level === 'any', showLevel.with({ level: 'any' })),
    radio('High only', ui.level === 'high', showLevel.with({ level: 'high' })),
    radio('Low only', ui.level === 'low', showLevel.with({ level: 'low' })),
    table(
      'Alarms',
      all.alarms
        .filter(({ level }) => ui.level === 'any' || level === ui.level)
        .map(it => {
          const name = `${label(all, need(all.devices, it.device, 'device'))} ${it.message}`;
          return row(name, [
            cell(it.at),
            cell(name),
            cell(it.level),
            it.seen ? cell('acknowledged') : button(`ACK ${name}`, acknowledge.with({ id: it.id })),
          ]);
        }),
    ),
  ]);
}

function permitList(all: Works) {
  const { ui } = all;
  return region('Permits to work', [
    !ui.issuing && button('New permit', startIssue.with({ on: true })),
    ui.issuing &&
      form('New permit', [
        combobox('Device', ui.tag, {
          enter: write.entering({ field: 'tag' }),
          options: all.devices.map(it => label(all, it)),
        }),
        combobox('Holder', ui.holder, { enter: write.entering({ field: 'holder' }), options: crew }),
        textbox('Work', ui.work, { enter: write.entering({ field: 'work' }) }),
        button('Sign and issue', issue.with({ tag: ui.tag, holder: ui.holder, work: ui.work })),
        button('Tear up', startIssue.with({ on: false })),
      ]),
    table(
      'Permits',
      all.permits.map(it => {
        const name = label(all, need(all.devices, it.device, 'device'));
        return row(name, [cell(name), cell(it.holder), cell(it.work)]);
      }),
    ),
  ]);
}

const stationNames = ['Millbrook', 'Millford', 'Castle Hill', 'Castle Lane', 'Otterby', 'Long Weir'];
const messages = ['dry run', 'no flow', 'over-temperature', 'leak', 'door open', 'sensor fault', 'level high'];

function some(all: Works, it: Works['devices'][number]) {
  return { id: it.id, tag: it.tag, station: find(all.stations, it.station)?.name ?? '' };
}

const ackHigh = template('ack-high', {
  about: 'Acknowledge the high alarms of a station.',
  split: 'test',
  sample(all, random) {
    const high = (station: string) =>
      all.alarms.filter(
        it => it.level === 'high' && !it.seen && need(all.devices, it.device, 'device').station === station,
      );
    const fit = all.stations.filter(({ id }) => [2, 3].includes(high(id).length));
    if (fit.length === 0) return null;
    const { id, name } = random.pick(fit);
    return { station: name, ids: high(id).map(it => it.id) };
  },
  instruction: ({ station }, random) =>
    random.pick([
      `Acknowledge the high alarms at ${station}.`,
      `I have seen to all the high alarms at ${station}, please acknowledge them. Leave the low ones, the day shift wants to see them.`,
      `ACK everything of level high from ${station}`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `alarm ${id} is acknowledged`, test: final => find(final.alarms, id)?.seen === true })),
  allow: ({ ids }) => ids.map(id => `/alarms/${id}/seen`),
});

const level = template('new-setpoint', {
  about: 'Download a setpoint to a device.',
  split: 'test',
  sample(all, random) {
    const it = random.pick(all.devices);
    const value = random.pick([28, 34, 47, 52, 63, 78, 88].filter(number => number !== it.setpoint));
    return { ...some(all, it), value: `${value}` };
  },
  instruction: ({ tag, station, value }, random) =>
    random.pick([
      `Set the setpoint of ${tag} at ${station} to ${value} %.`,
      `${station} ${tag}: new setpoint ${value}`,
      `They want ${tag} in ${station} held at ${value} percent from now on. Change the setpoint.`,
    ]),
  checks: ({ id, tag, value }) => [
    { name: `${tag} has the setpoint`, test: final => find(final.devices, id)?.setpoint === Number(value) },
  ],
  allow: ({ id }) => [`/devices/${id}/setpoint`],
});

const byHand = template('start-by-hand', {
  about: 'Put a pump in hand and start it.',
  split: 'test',
  sample(all, random) {
    const free = all.devices.filter(it => it.kind === 'pump' && permitOf(all, it.id) === undefined);
    return some(all, random.pick(free));
  },
  setup(draft, { id }) {
    Object.assign(need(draft.devices, id, 'device'), { mode: 'auto', on: false });
  },
  instruction: ({ tag, station }, random) =>
    random.pick([
      `Put pump ${tag} at ${station} in hand and start it.`,
      `Start ${tag} at ${station} by hand. It is in auto at the moment.`,
      `${station}: I want ${tag} running, in hand.`,
    ]),
  checks: ({ id, tag }) => [
    { name: `${tag} is in hand`, test: final => find(final.devices, id)?.mode === 'hand' },
    { name: `${tag} is running`, test: final => find(final.devices, id)?.on === true },
  ],
  allow: ({ id }) => [`/devices/${id}/mode`, `/devices/${id}/on`],
});

const openValve = template('open-valve', {
  about: 'Open a valve; a permit on it forbids that.',
  split: 'test',
  kind: 'infeasible',
  sample(all, random) {
    const it = random.pick(all.devices.filter(({ kind }) => kind === 'valve'));
    return { ...some(all, it), free: random.chance(0.5), holder: random.pick(crew), work: random.pick(works) };
  },
  isTwin: ({ free }) => free,
  setup(draft, { id, free, holder, work }) {
    Object.assign(need(draft.devices, id, 'device'), { mode: 'hand', on: false });
    draft.permits = draft.permits.filter(it => it.device !== id);
    if (!free) draft.permits.push({ id: 'w80', device: id, holder, work });
  },
  instruction: ({ tag, station }, random) =>
    random.pick([
      `Open valve ${tag} at ${station}.`,
      `${station} needs water: open ${tag} there.`,
      `The valve ${tag} (${station}) is shut, it should be open.`,
    ]),
  checks: ({ id, tag }) => [{ name: `${tag} is open`, test: final => find(final.devices, id)?.on === true }],
  allow: ({ id }) => [`/devices/${id}/on`],
  shown: ({ ui }, { id }) => ui.screen === 'permits' || (ui.screen === 'plant' && ui.device === id),
});

const newPermit = template('issue-permit', {
  about: 'Issue a permit to work on a device.',
  split: 'test',
  sample(all, random) {
    const free = all.devices.filter(it => permitOf(all, it.id) === undefined);
    const it = random.pick(free);
    return {
      ...some(all, it),
      holder: random.pick(crew),
      work: random.pick(['new seal', 'oil change', 'grinding', 'inspection']),
    };
  },
  instruction: ({ tag, station, holder, work }, random) =>
    random.pick([
      `Issue a permit for ${holder} to work on ${tag} at ${station}: ${work}.`,
      `${holder} is at ${station} for the ${work} on ${tag} and needs a permit. Work: "${work}".`,
      `permit: ${station} ${tag} / ${holder} / ${work}`,
    ]),
  checks: ({ id, holder, work }) => [
    {
      name: 'one permit was issued, as said',
      test(final, initial) {
        const [it, ...more] = added(initial.permits, final.permits);
        return it?.device === id && it.holder === holder && it.work === work && more.length === 0;
      },
    },
  ],
  allow: () => ['/permits/+'],
});

const whoWorks = template('who-works-on', {
  about: 'Tell who has a permit for the device that raised an alarm.',
  split: 'test',
  sample(all, random) {
    const fit = all.alarms.filter(it => permitOf(all, it.device) !== undefined);
    const it = random.pick(fit);
    const of = need(all.devices, it.device, 'device');
    const twins = all.alarms.filter(
      other => other.message === it.message && need(all.devices, other.device, 'device').station === of.station,
    );
    if (twins.length > 1) return null;
    const { station } = some(all, of);
    return { alarm: it.id, device: of.id, station, message: it.message };
  },
  instruction: ({ station, message }, random) =>
    random.pick([
      `There was an alarm "${message}" at ${station}. Who has the permit to work on the device that raised it?`,
      `Somebody is working on whatever gave the alarm "${message}" at ${station}. Who is it?`,
      `"${message}" at ${station}: name of the permit holder for that device?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ device: id }, all) => permitOf(all, id)?.holder ?? '',
  shown: ({ ui }, { device: id }) => [
    ui.screen === 'alarms',
    ui.screen === 'permits' || (ui.screen === 'plant' && ui.device === id),
  ],
});

export const app = defineApp({
  id: 'waterworks',
  title: 'Waterworks control room',
  about: 'The control room of a waterworks: stations, pumps, valves, tanks, alarms and permits to work.',
  state,
  init(random) {
    const stations = random.shuffle(stationNames).map((name, index) => ({ id: `s${index + 1}`, name }));
    const devices = stations
      .flatMap(({ id }) => [
        ...random
          .sample(['P-101', 'P-102', 'P-103', 'P-201'], 3)
          .map(tag => ({ station: id, tag, kind: 'pump' as const })),
        ...random
          .sample(['V-11', 'V-12', 'V-21', 'V-31'], 2)
          .map(tag => ({ station: id, tag, kind: 'valve' as const })),
        ...random.sample(['T-1', 'T-2', 'T-3'], 2).map(tag => ({ station: id, tag, kind: 'tank' as const })),
      ])
      .map((it, index) => ({
        id: `d${index + 1}`,
        ...it,
        mode: random.pick(['auto', 'hand'] as const),
        on: random.chance(0.5),
        setpoint: random.between(4, 18) * 5,
        reading: random.between(12, 97),
      }));
    const permits = random.sample(devices, 9).map((it, index) => ({
      id: `w${index + 1}`,
      device: it.id,
      holder: random.pick(crew),
      work: random.pick(works),
    }));
    const troubled = random.shuffle([
      ...permits.slice(0, 6).map(it => it.device),
      ...random.sample(devices, 14).map(it => it.id),
    ]);
    const alarms = troubled.map((of, index) => ({
      id: `a${index + 1}`,
      device: of,
      message: random.pick(messages),
      level: random.pick(['high', 'low'] as const),
      at: `${String(3 + Math.floor(index / 3)).padStart(2, '0')}:${random.between(10, 59)}`,
      seen: random.chance(0.2),
    }));
    return {
      stations,
      devices,
      alarms,
      permits,
      ui: {
        screen: 'plant' as const,
        station: 's1',
        device: null,
        armed: false,
        entry: '',
        level: 'any' as const,
        issuing: false,
        tag: '',
        holder: '',
        work: '',
        message: '',
      },
    };
  },
  commands: [
    operate,
    setMode,
    setPoint,
    acknowledge,
    issue,
    readStation,
    screen,
    goStation,
    faceplate,
    arm,
    type,
    showLevel,
    startIssue,
    write,
  ],
  view(all) {
    const { ui } = all;
    const open = all.alarms.filter(({ seen }) => !seen).length;
    return page('Waterworks control room', [
      navigation('Screens', [
        tab('Plant', screen.with({ to: 'plant' }), ui.screen === 'plant' ? ['selected'] : []),
        tab(`Alarms (${open})`, screen.with({ to: 'alarms' }), ui.screen === 'alarms' ? ['selected'] : []),
        tab('Permits', screen.with({ to: 'permits' }), ui.screen === 'permits' ? ['selected'] : []),
      ]),
      ui.screen === 'permits' && ui.message !== '' && alert(ui.message),
      ui.screen === 'plant' && plant(all),
      ui.screen === 'alarms' && alarmList(all),
      ui.screen === 'permits' && permitList(all),
    ]);
  },
  templates: [ackHigh, level, byHand, openValve, newPermit, whoWorks],
  onRefusal(draft, message) {
    draft.ui.message = message;
  },
});

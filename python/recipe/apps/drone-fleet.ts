// Fleet desk of a survey company: a board of missions, cards of drones, a settings page. Board cards move with arrows.
import {
  added,
  alert,
  appKit,
  banner,
  button,
  checkbox,
  combobox,
  defineApp,
  dialog,
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
  radio,
  refuse,
  region,
  status,
  switchButton,
  text,
  textbox,
  z,
} from 'espalier';

const LANES = ['Requested', 'Cleared', 'Airborne', 'Delivered'] as const;
const CEILINGS = [
  '40 m',
  '50 m',
  '60 m',
  '70 m',
  '80 m',
  '90 m',
  '100 m',
  '120 m',
  '150 m',
  '180 m',
  '200 m',
  '250 m',
  '300 m',
];
const SITES = ['Harbour', 'Old Harbour', 'Ridge farm', 'Solar park', 'Dam', 'Quay 7', 'Quay 17'];
const state = z.object({
  drones: z.array(
    z.object({
      id: z.string(),
      callsign: z.string(),
      model: z.string(),
      battery: z.int(),
      firmware: z.string(),
      grounded: z.boolean(),
      pilot: z.string(),
    }),
  ),
  missions: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      site: z.string(),
      lane: z.enum(LANES),
      drone: z.string().nullable(),
      altitude: z.int(),
    }),
  ),
  settings: z.object({
    geofence: z.boolean(),
    returnHome: z.boolean(),
    units: z.enum(['metric', 'imperial']),
    ceiling: z.string(),
  }),
  ui: z.object({
    at: z.string(),
    drone: z.string(),
    modal: z.string(),
    code: z.string(),
    site: z.string(),
    altitude: z.string(),
    lowOnly: z.boolean(),
    toast: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const sign = (s: State, id: string | null) => find(s.drones, id ?? '')?.callsign ?? 'unassigned';

const advance = command('move_mission', {
  about: 'Move a mission one lane on or back.',
  input: z.object({ id: z.string(), by: z.union([z.literal(1), z.literal(-1)]) }),
  run(draft, { id, by }) {
    const m = need(draft.missions, id, 'mission');
    const lane = LANES[LANES.indexOf(m.lane) + by] ?? refuse('There is no lane there.');
    const d = find(draft.drones, m.drone ?? '');
    if (lane === 'Airborne' && d === undefined) refuse(`${m.code} has no drone.`);
    m.lane = lane;
  },
});
const assign = command('assign_drone', {
  about: 'Assign a drone to a mission by its callsign.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const m = need(draft.missions, id, 'mission');
    if (value === 'unassigned') m.drone = null;
    else {
      const d = draft.drones.find(x => x.callsign === value) ?? refuse('No such drone.');
      if (d.grounded) refuse(`${d.callsign} is grounded.`);
      m.drone = d.id;
    }
    draft.ui.modal = '';
  },
});
const ground = command('toggle_grounded', {
  about: 'Ground a drone, or release it.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const d = need(draft.drones, id, 'drone');
    d.grounded = !d.grounded;
  },
});
const retire = command('retire_drone', {
  about: 'Take a drone out of the fleet.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.drones, id, 'drone');
    if (draft.missions.some(m => m.drone === id)) refuse('It still has missions.');
    draft.drones = draft.drones.filter(d => d.id !== id);
    Object.assign(draft.ui, { at: 'hangar', drone: '', modal: '', toast: 'Drone retired' });
  },
});
const request = command('request_mission', {
  about: 'Request a mission.',
  input: z.object({ code: z.string().min(3), site: z.string().min(3), altitude: z.string() }),
  run(draft, { code, site, altitude }) {
    const metres = Number(altitude);
    if (!Number.isInteger(metres) || metres < 10 || metres > 500) refuse('Altitude must be 10 to 500.');
    if (draft.missions.some(m => m.code === code)) refuse('That code is taken.');
    draft.missions.push({
      id: nextId(draft.missions, 'm'),
      code,
      site,
      lane: 'Requested',
      drone: null,
      altitude: metres,
    });
    Object.assign(draft.ui, { modal: '', code: '', site: '', altitude: '', toast: 'Mission requested' });
  },
});
const setting = command('change_setting', {
  about: 'Change a setting of the fleet.',
  input: z.object({ key: z.enum(['geofence', 'returnHome', 'units', 'ceiling']), value: z.string() }),
  run(draft, { key, value }) {
    if (key === 'units') draft.settings.units = value === 'metric' ? 'metric' : 'imperial';
    else if (key === 'ceiling') draft.settings.ceiling = value;
    else draft.settings[key] = value === 'on';
  },
});
const fleet = query('fleet_report', {
  about: 'Everything about drones, missions and settings.',
  input: z.object({}),
  run: s => ({
    drones: s.drones,
    missions: s.missions.map(m => ({ ...m, drone: sign(s, m.drone) })),
    settings: s.settings,
  }),
});

const nav = gesture('nav', {
  about: 'Go somewhere.',
  input: z.object({ at: z.string() }),
  run(draft, { at }) {
    Object.assign(draft.ui, { at, drone: '', modal: '', toast: '' });
  },
});
const inspect = gesture('inspect', {
  about: 'Open the card of a drone.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { at: 'drone', drone: id, toast: '' });
  },
});
const modal = gesture('modal', {
  about: 'Open or close a dialog.',
  input: z.object({ modal: z.string() }),
  run(draft, { modal: to }) {
    Object.assign(draft.ui, { modal: to, toast: '' });
  },
});
const write = gesture('write', {
  about: 'Write into the request.',
  input: z.object({ field: z.enum(['code', 'site', 'altitude']), value: z.string().max(30) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const low = gesture('low', {
  about: 'Show only drones that are low on battery.',
  input: z.object({}),
  run(draft) {
    draft.ui.lowOnly = !draft.ui.lowOnly;
  },
});

const screens: Record<string, (s: State) => unknown[]> = {
  dashboard: s => [
    heading('Dashboard'),
    region('At a glance', [
      text(`${s.drones.length} drones, ${s.drones.filter(d => d.grounded).length} grounded`),
      ...LANES.map(l => text(`${l}: ${s.missions.filter(m => m.lane === l).length}`)),
    ]),
    s.drones.some(d => d.battery < 20) &&
      alert(`${s.drones.filter(d => d.battery < 20).length} drones below 20 % battery`),
  ],
  board: s => [
    heading('Mission board'),
    button('Request a mission', modal.with({ modal: 'request' })),
    ...LANES.map((lane, at) =>
      region(
        lane,
        s.missions
          .filter(m => m.lane === lane)
          .map(m =>
            listItem(m.code, [
              text(`${m.code} · ${m.site} · ${m.altitude} m · ${sign(s, m.drone)}`),
              at > 0 && button(`← ${m.code}`, advance.with({ id: m.id, by: -1 })),
              at < 3 && button(`${m.code} →`, advance.with({ id: m.id, by: 1 })),
              button(`Assign ${m.code}`, modal.with({ modal: m.id })),
            ]),
          ),
      ),
    ),
  ],
  hangar: s => [
    heading('Hangar'),
    checkbox('Low battery only', s.ui.lowOnly, low.with({})),
    list(
      'Drones',
      s.drones
        .filter(d => !s.ui.lowOnly || d.battery < 20)
        .map(d =>
          listItem(d.callsign, [
            link(d.callsign, inspect.with({ id: d.id })),
            text(`${d.battery} %${d.grounded ? ', grounded' : ''}`),
          ]),
        ),
      { shuffle: true },
    ),
  ],
  drone(s) {
    const d = need(s.drones, s.ui.drone, 'drone');
    return [
      heading(d.callsign),
      text(d.model),
      text(`Battery ${d.battery} %`),
      text(`Firmware ${d.firmware}`),
      text(`Pilot: ${d.pilot}`),
      switchButton('Grounded', d.grounded, ground.with({ id: d.id })),
      button('Retire…', modal.with({ modal: 'retire' })),
      link('‹ Hangar', nav.with({ at: 'hangar' })),
    ];
  },
  settings: s => [
    heading('Fleet settings'),
    switchButton(
      'Geofence',
      s.settings.geofence,
      setting.with({ key: 'geofence', value: s.settings.geofence ? 'off' : 'on' }),
    ),
    switchButton(
      'Return home on signal loss',
      s.settings.returnHome,
      setting.with({ key: 'returnHome', value: s.settings.returnHome ? 'off' : 'on' }),
    ),
    region('Units', [
      radio('Metric', s.settings.units === 'metric', setting.with({ key: 'units', value: 'metric' })),
      radio('Imperial', s.settings.units === 'imperial', setting.with({ key: 'units', value: 'imperial' })),
    ]),
    combobox('Flight ceiling', s.settings.ceiling, {
      enter: setting.entering({ key: 'ceiling' }),
      options: CEILINGS,
    }),
  ],
};
const dialogs = (s: State) => {
  if (s.ui.modal === 'request')
    return dialog('Request a mission', [
      form('Mission', [
        textbox('Mission code', s.ui.code, { enter: write.entering({ field: 'code' }) }),
        combobox('Site', s.ui.site, { enter: write.entering({ field: 'site' }), options: SITES }),
        textbox('Altitude in metres', s.ui.altitude, { enter: write.entering({ field: 'altitude' }) }),
      ]),
      button('Send request', request.with({ code: s.ui.code, site: s.ui.site, altitude: s.ui.altitude })),
      button('Discard', modal.with({ modal: '' })),
    ]);
  if (s.ui.modal === 'retire')
    return dialog(`Retire ${sign(s, s.ui.drone)}?`, [
      button('Retire for good', retire.with({ id: s.ui.drone })),
      button('Not yet', modal.with({ modal: '' })),
    ]);
  const m = need(s.missions, s.ui.modal, 'mission');
  return dialog(`Who flies ${m.code}?`, [
    combobox('Drone', sign(s, m.drone), {
      enter: assign.entering({ id: m.id }),
      options: ['unassigned', ...s.drones.filter(d => !d.grounded || d.id === m.drone).map(d => d.callsign)],
    }),
    button('Close', modal.with({ modal: '' })),
  ]);
};

const grounding = template('ground-drone', {
  about: 'Ground a drone.',
  split: 'train',
  sample(s, random) {
    const d = random.pick(s.drones);
    return { id: d.id, callsign: d.callsign, way: random.between(0, 2) };
  },
  setup(draft, { id }) {
    need(draft.drones, id, 'drone').grounded = false;
  },
  instruction: ({ callsign, way }) =>
    [
      `Ground ${callsign}.`,
      `${callsign} clipped a crane this morning, nobody flies it until further notice.`,
      `hey, rotor noise on ${callsign}, keep it on the ground pls`,
    ][way]!,
  checks: ({ id }) => [{ name: 'grounded', test: final => find(final.drones, id)?.grounded === true }],
  allow: ({ id }) => [`/drones/${id}/grounded`],
});
const groundLow = template('ground-low', {
  about: 'Ground all drones below 20 % battery.',
  split: 'train',
  sample: (s, random) => ({
    ids: random.sample(s.drones, random.between(2, 3)).map(d => d.id),
    way: random.between(0, 2),
  }),
  setup(draft, { ids }) {
    for (const d of draft.drones) {
      if (ids.includes(d.id)) Object.assign(d, { battery: 6 + (d.battery % 13), grounded: false });
      else if (d.battery < 20) d.battery += 30;
    }
  },
  instruction: ({ way }) =>
    [
      'Ground every drone with less than 20 % battery.',
      'No take-offs with nearly empty packs today. Whatever is under 20 % stays grounded.',
      'all drones < 20% battery: grounded',
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `grounded ${at + 1}`, test: final => find(final.drones, id)?.grounded === true })),
  allow: ({ ids }) => ids.map(id => `/drones/${id}/grounded`),
});
const newMission = template('request-mission', {
  about: 'Request a mission.',
  split: 'train',
  sample: (s, random) => ({
    code: `${random.pick(['KITE', 'WREN', 'TERN', 'SWIFT'])}-${random.between(100, 999)}`,
    site: random.pick(SITES),
    altitude: String(random.between(3, 29) * 10 + 5),
    way: random.between(0, 2),
  }),
  instruction: ({ code, site, altitude, way }) =>
    [
      `Request mission ${code} at ${site}, ${altitude} metres.`,
      `The customer wants pictures of ${site} from ${altitude} m. File it as ${code}.`,
      `new mission: ${code}, ${site}, alt ${altitude}`,
    ][way]!,
  checks: ({ code, site, altitude }) => [
    {
      name: 'requested',
      test(final, initial) {
        const [m, ...rest] = added(initial.missions, final.missions);
        return (
          rest.length === 0 &&
          m?.code === code &&
          m.site === site &&
          m.altitude === Number(altitude) &&
          m.lane === 'Requested' &&
          m.drone === null
        );
      },
    },
  ],
  allow: () => ['/missions/+'],
});
const retired = template('retire-drone', {
  about: 'Retire a drone that has no missions.',
  split: 'train',
  sample(s, random) {
    const d = random.pick(s.drones);
    return { id: d.id, callsign: d.callsign, way: random.between(0, 2) };
  },
  setup(draft, { id }) {
    for (const m of draft.missions)
      if (m.drone === id) {
        m.drone = null;
        if (m.lane === 'Airborne') m.lane = 'Cleared';
      }
  },
  instruction: ({ callsign, way }) =>
    [
      `${callsign} fell into the sea. Retire it.`,
      `Take ${callsign} out of the fleet for good.`,
      `we sold ${callsign} yesterday so it shouldn't be in the hangar list any more`,
    ][way]!,
  checks: ({ id }) => [{ name: 'retired', test: final => find(final.drones, id) === undefined }],
  allow: ({ id }) => [`/drones/${id}`],
});
const pilotOf = template('pilot-of-mission', {
  about: 'Say who pilots the drone of a mission.',
  split: 'train',
  sample(s, random) {
    const m = random.pick(s.missions.filter(x => x.drone !== null));
    return { code: m.code, drone: m.drone!, way: random.between(0, 2) };
  },
  instruction: ({ code, way }) =>
    [
      `Who is the pilot for mission ${code}?`,
      `${code} – whose hands is it in?`,
      `I need to call the person who pilots the drone on ${code}. Name?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ drone }, s) => need(s.drones, drone, 'drone').pilot,
  shown: ({ ui }, { drone }) => [ui.at === 'board', ui.at === 'drone' && ui.drone === drone],
});
const sendUp = template('advance-mission', {
  about: 'Move a mission to a named lane.',
  split: 'train',
  sample(s, random) {
    const m = random.pick(s.missions);
    const near = LANES.filter(
      l => Math.abs(LANES.indexOf(l) - LANES.indexOf(m.lane)) === 1 && (l !== 'Airborne' || m.drone !== null),
    );
    return { id: m.id, code: m.code, to: random.pick(near), way: random.between(0, 2) };
  },
  instruction: ({ code, to, way }) =>
    [
      `${code} counts as ${to.toLowerCase()} now.`,
      `Move ${code} to ${to}.`,
      `Could you update the board? ${code} stands in the wrong column, it is ${to.toLowerCase()}.`,
    ][way]!,
  checks: ({ id, to }) => [{ name: to, test: final => find(final.missions, id)?.lane === to }],
  allow: ({ id }) => [`/missions/${id}/lane`],
});
const fly = template('assign-maybe-grounded', {
  about: 'Assign a drone that may be grounded.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ ready }) => ready,
  sample(s, random) {
    const m = random.pick(s.missions);
    const d = random.pick(s.drones.filter(x => x.id !== m.drone));
    return {
      id: m.id,
      code: m.code,
      drone: d.id,
      callsign: d.callsign,
      ready: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { drone, ready }) {
    need(draft.drones, drone, 'drone').grounded = !ready;
  },
  instruction: ({ code, callsign, way }) =>
    [
      `Assign ${callsign} to ${code}.`,
      `${code} gets ${callsign}. Don't release grounded drones for this.`,
      `let ${callsign} fly ${code}`,
    ][way]!,
  checks: ({ id, drone }) => [{ name: 'assigned', test: final => find(final.missions, id)?.drone === drone }],
  allow: ({ id }) => [`/missions/${id}/drone`],
  shown: ({ ui }, { drone }) => (ui.at === 'hangar' && !ui.lowOnly) || (ui.at === 'drone' && ui.drone === drone),
});

const pilots = ['R. Amsel', 'T. Amsel', 'Yuki Daan', 'Yuki Dorn', 'Paola Ricci', 'Stan Hobbs', 'Lea Fink'];
export const app = defineApp({
  id: 'drone-fleet',
  title: 'Fleet desk',
  about: 'Drones of a survey company, their missions and the settings of the fleet.',
  state,
  init(random) {
    const drones = random
      .shuffle([
        'Falcon 1',
        'Falcon 2',
        'Falcon 11',
        'Gannet',
        'Little Gannet',
        'Osprey',
        'Plover',
        'Red Kite',
        'Black Kite',
        'Stork',
      ])
      .map((callsign, at) => ({
        id: `d${at + 1}`,
        callsign,
        model: random.pick(['Hexa S', 'Quad M', 'Wing 3']),
        battery: random.between(8, 100),
        firmware: `${random.between(2, 4)}.${random.between(0, 9)}`,
        grounded: random.chance(0.25),
        pilot: random.pick(pilots),
      }));
    const codes = random.sample(
      Array.from({ length: 80 }, (_, at) => at + 10),
      14,
    );
    return {
      drones,
      missions: codes.map((n, at) => ({
        id: `m${at + 1}`,
        code: `${random.pick(['AUK', 'IBIS', 'OWL'])}-${n}`,
        site: random.pick(SITES),
        lane: LANES[at % 4]!,
        drone: at % 4 > 1 || random.chance(0.4) ? random.pick(drones).id : null,
        altitude: random.between(3, 30) * 10,
      })),
      settings: {
        geofence: random.chance(0.5),
        returnHome: random.chance(0.5),
        units: 'metric' as const,
        ceiling: '120 m',
      },
      ui: { at: 'dashboard', drone: '', modal: '', code: '', site: '', altitude: '', lowOnly: false, toast: '' },
    };
  },
  commands: [advance, assign, ground, retire, request, setting, fleet, nav, inspect, modal, write, low],
  view: s =>
    page(
      'Fleet desk',
      s.ui.modal !== ''
        ? [dialogs(s), s.ui.toast !== '' && status(s.ui.toast)]
        : [
            banner('Fleet desk', [
              navigation(
                'Main',
                ['Dashboard', 'Board', 'Hangar', 'Settings'].map(n =>
                  link(n, nav.with({ at: n.toLowerCase() }), s.ui.at === n.toLowerCase() ? ['current'] : []),
                ),
              ),
            ]),
            ...(screens[s.ui.at]!(s) as ReturnType<typeof text>[]),
            s.ui.toast !== '' && status(s.ui.toast),
          ],
    ),
  templates: [grounding, groundLow, newMission, retired, pilotOf, sendUp, fly],
  onRefusal(draft, message) {
    draft.ui.toast = message;
  },
});

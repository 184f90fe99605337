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
  form,
  heading,
  link,
  list,
  listItem,
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
  toolbar,
  z,
} from 'espalier';

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const squads = ['Edge', 'Storage', 'Billing'];
const people = [
  'Anouk Reyes',
  'Anouk Ferrier',
  'Bram Osei',
  'Chidi Laine',
  'Dora Osei',
  'Emre Kaplan',
  'Fay Lindqvist',
  'Goran Reyes',
  'Hye-jin Moon',
  'Ilse Ferrier',
  'Jonas Moon',
  'Kemi Laine',
  'Lior Kaplan',
  'Mette Holm',
  'Nuno Braga',
  'Oona Holm',
];
const levels = ['page now', 'work hours', 'informational'];

const state = z.object({
  alerts: z.array(
    z.object({
      id: z.string(),
      symptom: z.string(),
      service: z.string(),
      level: z.string(),
      minutes: z.int(),
      stage: z.string(),
      responder: z.string(),
      snoozed: z.string(),
    }),
  ),
  services: z.array(z.object({ id: z.string(), name: z.string(), squad: z.string(), snoozable: z.boolean() })),
  shifts: z.array(z.object({ id: z.string(), squad: z.string(), day: z.string(), person: z.string() })),
  windows: z.array(z.object({ id: z.string(), service: z.string(), day: z.string(), reason: z.string() })),
  ui: z.object({
    place: z.string(),
    only: z.string(),
    open: z.string(),
    shift: z.string(),
    candidate: z.string(),
    service: z.string(),
    day: z.string(),
    reason: z.string(),
    problem: z.string(),
  }),
});
type Desk = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const stageAlert = command('move_alert', {
  about: 'Acknowledge, resolve or reopen an alert.',
  input: z.object({ id: z.string(), stage: z.enum(['firing', 'acknowledged', 'resolved']) }),
  run(draft, { id, stage }) {
    const it = need(draft.alerts, id, 'alert');
    if (stage === 'resolved' && it.stage === 'firing') refuse('Acknowledge it before you resolve it.');
    it.stage = stage;
  },
});
const handOver = command('set_responder', {
  about: 'Give an alert to a responder.',
  input: z.object({ id: z.string(), value: z.enum(['nobody', ...people]) }),
  run(draft, { id, value }) {
    need(draft.alerts, id, 'alert').responder = value;
  },
});
const snooze = command('snooze_alert', {
  about: 'Snooze an alert for some hours.',
  input: z.object({ id: z.string(), value: z.enum(['not snoozed', '1 hour', '4 hours', 'until morning']) }),
  run(draft, { id, value }) {
    const it = need(draft.alerts, id, 'alert');
    if (!draft.services.some(({ name, snoozable }) => name === it.service && snoozable))
      refuse(`Alerts of ${it.service} may not be snoozed.`);
    it.snoozed = value;
  },
});
const cover = command('cover_shift', {
  about: 'Put a person on an on-call shift.',
  input: z.object({ id: z.string(), person: z.string() }),
  run(draft, { id, person }) {
    if (!people.includes(person)) refuse('Pick who takes the shift.');
    need(draft.shifts, id, 'shift').person = person;
    Object.assign(draft.ui, { shift: '', candidate: '' });
  },
});
const plan = command('plan_window', {
  about: 'Plan a maintenance window for a service.',
  input: z.object({ service: z.string(), day: z.string(), reason: z.string().trim().min(3, 'Say what the work is.') }),
  run(draft, { service, day, reason }) {
    if (!draft.services.some(({ name }) => name === service)) refuse('Pick a service.');
    if (!dayNames.includes(day)) refuse('Pick a day.');
    draft.windows.push({ id: nextId(draft.windows, 'w'), service, day, reason });
    Object.assign(draft.ui, { service: '', day: '', reason: '' });
  },
});
const lookUp = query('list_alerts', {
  about: 'List alerts of a service.',
  input: z.object({ service: z.string() }),
  run: ({ alerts }, { service }) => alerts.filter(it => it.service === service),
});
const rosterOf = query('list_shifts', {
  about: 'List services with their squads, and who is on call.',
  input: z.object({}),
  run: ({ services, shifts }) => ({ services, shifts }),
});
const go = gesture('go', {
  about: 'Switch between alerts, rota, services and windows.',
  input: z.object({ place: z.string() }),
  run(draft, { place }) {
    Object.assign(draft.ui, { place, open: '', shift: '', problem: '' });
  },
});
const narrow = gesture('narrow', {
  about: 'Show alerts in one stage only.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    Object.assign(draft.ui, { only: value, open: '' });
  },
});
const expand = gesture('expand', {
  about: 'Unfold an alert.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { open: draft.ui.open === id ? '' : id, problem: '' });
  },
});
const pickShift = gesture('pick_shift', {
  about: 'Open or close the dialog of a shift.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { shift: id, candidate: '', problem: '' });
  },
});
const write = gesture('write', {
  about: 'Fill a field of a form.',
  input: z.object({ field: z.enum(['candidate', 'service', 'day', 'reason']), value: z.string().max(80) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function ago(minutes: number): string {
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ${minutes % 60} min ago`;
}

function onCallLine({ services, shifts }: Desk, service: string): string {
  const squad = services.find(({ name }) => name === service)?.squad ?? '';
  const own = shifts.filter(it => it.squad === squad).map(({ day, person }) => `${day} ${person}`);
  return `Squad ${squad}, on call: ${own.join(', ')}`;
}

function alertsPage(desk: Desk) {
  const { alerts, ui } = desk;
  const rows = alerts.filter(({ stage }) => ui.only === 'every stage' || stage === ui.only);
  return region('Alerts', [
    combobox('Stage', ui.only, {
      enter: narrow.entering({}),
      options: ['every stage', 'firing', 'acknowledged', 'resolved'],
    }),
    list(
      `${rows.length} alerts`,
      rows.map(it =>
        listItem(`${it.symptom} on ${it.service}`, [
          link(`${it.symptom} on ${it.service}`, expand.with({ id: it.id }), ui.open === it.id ? ['expanded'] : []),
          text(`${it.level}, ${it.stage}, raised ${ago(it.minutes)}`),
          ui.open === it.id && text(onCallLine(desk, it.service)),
          ui.open === it.id &&
            toolbar('Response', [
              it.stage === 'firing' && button('Ack', stageAlert.with({ id: it.id, stage: 'acknowledged' })),
              it.stage === 'acknowledged' && button('Resolve', stageAlert.with({ id: it.id, stage: 'resolved' })),
              it.stage !== 'firing' && button('Re-fire', stageAlert.with({ id: it.id, stage: 'firing' })),
              combobox('Responder', it.responder, {
                enter: handOver.entering({ id: it.id }),
                options: ['nobody', ...people],
              }),
              combobox('Snooze', it.snoozed, {
                enter: snooze.entering({ id: it.id }),
                options: ['not snoozed', '1 hour', '4 hours', 'until morning'],
              }),
            ]),
        ]),
      ),
    ),
  ]);
}

function rotaPage({ shifts, ui }: Desk) {
  const chosen = find(shifts, ui.shift);
  if (chosen !== undefined)
    return dialog(`${chosen.squad} on ${chosen.day}`, [
      text(`Now: ${chosen.person}`),
      combobox('Who covers', ui.candidate, { enter: write.entering({ field: 'candidate' }), options: people }),
      button('Swap in', cover.with({ id: chosen.id, person: ui.candidate })),
      button('Leave as it is', pickShift.with({ id: '' })),
    ]);
  return table(
    'On-call rota, this week',
    squads.map(squad =>
      row(squad, [
        cell(squad),
        ...shifts
          .filter(it => it.squad === squad)
          .map(({ id, day, person }) => button(`${squad} ${day}: ${person}`, pickShift.with({ id }))),
      ]),
    ),
  );
}

const windowsPage = ({ services, windows, ui }: Desk) =>
  region('Maintenance windows', [
    list(
      'Planned',
      windows.map(({ service, day, reason }) => text(`${day}: ${service} (${reason})`)),
    ),
    form('Plan another', [
      combobox('Affected service', ui.service, {
        enter: write.entering({ field: 'service' }),
        options: services.map(({ name }) => name),
      }),
      combobox('On', ui.day, { enter: write.entering({ field: 'day' }), options: dayNames }),
      textbox('Work to be done', ui.reason, { enter: write.entering({ field: 'reason' }) }),
      button('Announce window', plan.with({ service: ui.service, day: ui.day, reason: ui.reason })),
    ]),
  ]);

const servicesPage = ({ services }: Desk) =>
  table(
    'Services',
    services.map(({ name, squad, snoozable }) =>
      row(name, [cell(name), cell(`run by ${squad}`), cell(snoozable ? 'snoozing allowed' : 'never snoozed')]),
    ),
  );

const pickAlert = ({ alerts }: Desk, random: { pick<T>(items: readonly T[]): T }) => {
  const { id, symptom, service } = random.pick(alerts);
  return { id, symptom, service };
};

const acknowledge = template('ack-one', {
  about: 'Acknowledge one alert that is described.',
  split: 'train',
  sample: pickAlert,
  setup: (draft, { id }) => void (need(draft.alerts, id, 'alert').stage = 'firing'),
  instruction: ({ symptom, service }, random) =>
    random.pick([
      `Ack "${symptom}" on ${service}.`,
      `I am looking at the "${symptom}" alert of ${service} right now, so please let the system know somebody has seen it.`,
      `${service} keeps paging people about "${symptom}". Acknowlege that alert, not the others.`,
      `Could you acknowledge the ${service} alert that says "${symptom}"?`,
    ]),
  checks: ({ id }) => [
    { name: 'the alert is acknowledged', test: final => find(final.alerts, id)?.stage === 'acknowledged' },
  ],
  allow: ({ id }) => [`/alerts/${id}/stage`],
});

const resolveService = template('resolve-acknowledged', {
  about: 'Resolve every acknowledged alert of one service and no firing one.',
  split: 'train',
  sample({ alerts, services }, random) {
    const { name } = random.pick(services);
    const own = random.shuffle(alerts.filter(({ service }) => service === name)).map(({ id }) => id);
    return { service: name, ids: own.slice(0, 2), rest: own.slice(2) };
  },
  setup(draft, { ids, rest }) {
    for (const id of ids) need(draft.alerts, id, 'alert').stage = 'acknowledged';
    for (const id of rest) need(draft.alerts, id, 'alert').stage = 'firing';
  },
  instruction: ({ service }, random) =>
    random.pick([
      `The incident with ${service} is over. Resolve whatever is acknowledged there; leave what still fires.`,
      `Resolve all acknowledged alerts on ${service}.`,
      `Clean up after ${service}: alerts that someone has acknowledged can be set to resolved. Don't touch firing ones.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is resolved`, test: final => find(final.alerts, id)?.stage === 'resolved' })),
  allow: ({ ids }) => ids.map(id => `/alerts/${id}/stage`),
});

const swap = template('swap-shift', {
  about: 'Put another person on a shift of the week.',
  split: 'train',
  sample({ shifts }, random) {
    const { id, squad, day, person } = random.pick(shifts);
    return { id, squad, day: dayNames[days.indexOf(day)] ?? day, who: random.pick(people.filter(it => it !== person)) };
  },
  instruction: ({ squad, day, who }, random) =>
    random.pick([
      `${who} takes the ${squad} shift on ${day}.`,
      `Somebody fell ill. Please have ${who} cover ${squad} on ${day}, and change nothing else in the rota.`,
      `on call for ${squad}, ${day}: should be ${who}`,
      `We agreed at standup that ${who} carries the pager of ${squad} this ${day}. Can you enter that?`,
    ]),
  checks: ({ id, who }) => [{ name: `${who} has the shift`, test: final => find(final.shifts, id)?.person === who }],
  allow: ({ id }) => [`/shifts/${id}/person`],
});

const giveToOnCall = template('give-to-on-call', {
  about: 'Give an alert to whoever is on call for the squad of its service on a day.',
  split: 'train',
  sample(desk, random) {
    const it = pickAlert(desk, random);
    const squad = desk.services.find(({ name }) => name === it.service)?.squad;
    const shift = random.pick(desk.shifts.filter(one => one.squad === squad));
    return { ...it, day: dayNames[days.indexOf(shift.day)] ?? '', person: shift.person };
  },
  setup: (draft, { id }) => void (need(draft.alerts, id, 'alert').responder = 'nobody'),
  instruction: ({ symptom, service, day }, random) =>
    random.pick([
      `Make ${day}'s on-call person for the squad behind ${service} the responder of "${symptom}" there.`,
      `Today is ${day}. "${symptom}" on ${service} has no responder: give it to who is on call in the squad that runs the service.`,
      `Find out which squad runs ${service} and who has its ${day} shift; that person should respond to "${symptom}" (${service}).`,
    ]),
  checks: ({ id, person }) => [
    { name: 'the person on call is the responder', test: final => find(final.alerts, id)?.responder === person },
  ],
  allow: ({ id }) => [`/alerts/${id}/responder`],
});

const whoIsOn = template('who-is-on-call', {
  about: 'Say who is on call for a service on a day.',
  split: 'train',
  sample({ services, shifts }, random) {
    const { name, squad } = random.pick(services);
    const { day, person } = random.pick(shifts.filter(it => it.squad === squad));
    return { service: name, day: dayNames[days.indexOf(day)] ?? '', person };
  },
  instruction: ({ service, day }, random) =>
    random.pick([
      `Who would be woken if ${service} broke on ${day}?`,
      `${service} will be upgraded on ${day}. Which person is on call for its squad that day?`,
      `Name the on-call person for ${service}, ${day}.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ person }) => person,
  shown: ({ ui }) => [ui.place === 'services', ui.place === 'rota' && ui.shift === ''],
});

const snoozeIt = template('snooze-if-allowed', {
  about: 'Snooze an alert; some services forbid it.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ may }) => may,
  sample: (desk, random) => ({
    ...pickAlert(desk, random),
    may: random.chance(0.5),
    span: random.pick(['1 hour', '4 hours', 'until morning']),
  }),
  setup(draft, { id, service, may }) {
    need(draft.alerts, id, 'alert').snoozed = 'not snoozed';
    for (const it of draft.services) if (it.name === service) it.snoozable = may;
  },
  instruction: ({ symptom, service, span }, random) =>
    random.pick([
      `Snooze "${symptom}" on ${service}: ${span}.`,
      `I need some sleep, "${symptom}" on ${service} should stay quiet (${span}).`,
      `Please set the snooze of the ${service} alert "${symptom}" to ${span}, provided the service lets us.`,
    ]),
  checks: ({ id, span }) => [{ name: 'it is snoozed', test: final => find(final.alerts, id)?.snoozed === span }],
  allow: ({ id }) => [`/alerts/${id}/snoozed`],
  shown: ({ ui }, { id, service }) => ui.place === 'services' || (ui.open === id && ui.problem.includes(service)),
});

const announce = template('plan-window', {
  about: 'Plan a maintenance window by a form.',
  split: 'train',
  sample: ({ services }, random) => ({
    service: random.pick(services).name,
    day: random.pick(dayNames),
    reason: random.pick(['swap the disks', 'new certificates', 'kernel upgrade', 'move to rack 14', 'rotate the keys']),
  }),
  instruction: ({ service, day, reason }, random) =>
    random.pick([
      `Announce maintenance for ${service} on ${day}: ${reason}.`,
      `On ${day} we will ${/^(new|kernel)/.test(reason) ? 'do this' : 'do the following'} to ${service}: "${reason}". Plan a window for it.`,
      `New maintenance window. Service ${service}, ${day}, work "${reason}".`,
    ]),
  checks: ({ service, day, reason }) => [
    {
      name: 'one window was planned, as asked',
      test(final, initial) {
        const made = added(initial.windows, final.windows);
        return (
          made.length === 1 && made[0]?.service === service && made[0].day === day && made[0].reason.trim() === reason
        );
      },
    },
  ],
  allow: () => ['/windows/+'],
});

const longest = template('ack-longest-firing', {
  about: 'Acknowledge the alert that has been firing longest for a service.',
  split: 'train',
  sample({ alerts, services }, random) {
    const { name } = random.pick(services);
    const own = alerts.filter(it => it.service === name).sort((one, other) => other.minutes - one.minutes);
    return { service: name, id: own[0]?.id ?? '', others: own.slice(1).map(({ id }) => id) };
  },
  setup(draft, { id, others }) {
    for (const one of [id, ...others]) need(draft.alerts, one, 'alert').stage = 'firing';
  },
  instruction: ({ service }, random) =>
    random.pick([
      `Which ${service} alert has been firing longest? Acknowledge that one.`,
      `Ack the oldest firing alert of ${service}.`,
      `Somebody should take the ${service} alert that was raised first. Mark it as acknowledged for me.`,
    ]),
  checks: ({ id }) => [
    { name: 'the oldest is acknowledged', test: final => find(final.alerts, id)?.stage === 'acknowledged' },
  ],
  allow: ({ id }) => [`/alerts/${id}/stage`],
});

const serviceNames = ['checkout-api', 'checkout-web', 'ledger', 'ledger-export', 'thumbnails', 'object-store'];
const symptoms = ['High latency', 'Disk almost full', 'Error rate above 2%', 'No heartbeat', 'Queue is growing'];

export const app = defineApp({
  id: 'pager-duty-desk',
  title: 'Pagerwatch',
  about: 'Alerts of services, who responds to them, and the on-call rota of a week.',
  state,
  init(random) {
    const pairs = random.shuffle(serviceNames.flatMap(service => symptoms.map(symptom => ({ service, symptom }))));
    const ages = random.sample(
      Array.from({ length: 60 }, (_, index) => 4 + index * 7),
      pairs.length,
    );
    const kept = serviceNames.flatMap(name => pairs.filter(({ service }) => service === name).slice(0, 3));
    return {
      alerts: random.shuffle(kept).map((it, index) => ({
        id: `a${index + 1}`,
        ...it,
        level: random.pick(levels),
        minutes: ages[index] ?? 3,
        stage: random.pick(['firing', 'firing', 'acknowledged', 'resolved']),
        responder: random.chance(0.5) ? 'nobody' : random.pick(people),
        snoozed: 'not snoozed',
      })),
      services: random.shuffle(serviceNames).map((name, index) => ({
        id: `s${index + 1}`,
        name,
        squad: random.pick(squads),
        snoozable: random.chance(0.6),
      })),
      shifts: squads.flatMap((squad, row) =>
        days.map((day, column) => ({ id: `t${row * 7 + column + 1}`, squad, day, person: random.pick(people) })),
      ),
      windows: [{ id: 'w1', service: 'ledger', day: 'Sunday', reason: 'failover drill' }],
      ui: {
        place: 'alerts',
        only: 'every stage',
        open: '',
        shift: '',
        candidate: '',
        service: '',
        day: '',
        reason: '',
        problem: '',
      },
    };
  },
  commands: [stageAlert, handOver, snooze, cover, plan, lookUp, rosterOf, go, narrow, expand, pickShift, write],
  view(desk) {
    const { place, problem, shift } = desk.ui;
    if (shift !== '') return page('Pagerwatch', [problem !== '' && alert(problem), rotaPage(desk)]);
    return page('Pagerwatch', [
      heading('Pagerwatch'),
      ...['alerts', 'rota', 'services', 'windows'].map(it =>
        tab(it, go.with({ place: it }), it === place ? ['selected'] : []),
      ),
      problem !== '' && alert(problem),
      place === 'alerts' && status(`${desk.alerts.filter(({ stage }) => stage === 'firing').length} firing`),
      place === 'alerts' && alertsPage(desk),
      place === 'rota' && rotaPage(desk),
      place === 'services' && servicesPage(desk),
      place === 'windows' && windowsPage(desk),
    ]);
  },
  templates: [acknowledge, resolveService, swap, giveToOnCall, whoIsOn, snoozeIt, announce, longest],
  onRefusal(draft, message) {
    draft.ui.problem = message;
  },
});

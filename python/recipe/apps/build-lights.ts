import {
  added,
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
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  status,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const phases = ['compile', 'unit', 'browser', 'package'];
const limits = ['10 min', '20 min', '40 min', '90 min'];
const times = ['02:00', '04:30', '12:15', '19:45'];

const state = z.object({
  lines: z.array(z.object({ id: z.string(), name: z.string(), team: z.string(), muted: z.boolean() })),
  runs: z.array(
    z.object({
      id: z.string(),
      line: z.string(),
      no: z.int(),
      branch: z.string(),
      by: z.string(),
      light: z.string(),
      shipped: z.string(),
    }),
  ),
  steps: z.array(
    z.object({
      id: z.string(),
      run: z.string(),
      phase: z.string(),
      light: z.string(),
      seconds: z.int(),
      lastLine: z.string(),
      limit: z.string(),
    }),
  ),
  workers: z.array(
    z.object({ id: z.string(), name: z.string(), label: z.string(), busy: z.boolean(), paused: z.boolean() }),
  ),
  timers: z.array(z.object({ id: z.string(), line: z.string(), branch: z.string(), at: z.string() })),
  ui: z.object({
    hall: z.string(),
    line: z.string(),
    run: z.string(),
    step: z.string(),
    branch: z.string(),
    at: z.string(),
    confirm: z.string(),
    buzz: z.string(),
  }),
});
type Lights = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const byId = z.object({ id: z.string() });

const again = command('run_step_again', {
  about: 'Run a red step again.',
  input: byId,
  run(draft, { id }) {
    const it = need(draft.steps, id, 'step');
    if (it.light !== 'red') refuse('Only red steps run again.');
    it.light = 'running';
  },
});
const stop = command('stop_run', {
  about: 'Stop a run that is going on.',
  input: byId,
  run(draft, { id }) {
    const it = need(draft.runs, id, 'run');
    if (it.light !== 'running') refuse(`#${it.no} is not running.`);
    it.light = 'stopped';
  },
});
const ship = command('ship_run', {
  about: 'Ship what a run has built.',
  input: z.object({ id: z.string(), target: z.enum(['staging', 'production']) }),
  run(draft, { id, target }) {
    const it = need(draft.runs, id, 'run');
    draft.ui.confirm = '';
    if (it.light !== 'green') refuse(`#${it.no} is ${it.light}. Only green runs are shipped.`);
    it.shipped = target;
  },
});
const limit = command('set_limit', {
  about: 'Set the time limit of a step.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!limits.includes(value)) refuse('No such limit.');
    need(draft.steps, id, 'step').limit = value;
  },
});
const pause = command('toggle_worker', {
  about: 'Pause a worker or let it work again.',
  input: byId,
  run(draft, { id }) {
    const it = need(draft.workers, id, 'worker');
    it.paused = !it.paused;
  },
});
const mute = command('toggle_mute', {
  about: 'Mute the mails of a line, or unmute them.',
  input: byId,
  run(draft, { id }) {
    const it = need(draft.lines, id, 'line');
    it.muted = !it.muted;
  },
});
const wind = command('wind_timer', {
  about: 'Run a branch of a line every day at a time.',
  input: z.object({
    line: z.string(),
    branch: z.string().trim().min(2, 'Which branch?'),
    at: z.string().min(1, 'At what time?'),
  }),
  run(draft, { line, branch, at }) {
    need(draft.lines, line, 'line');
    draft.timers.push({ id: nextId(draft.timers, 't'), line, branch, at });
    Object.assign(draft.ui, { branch: '', at: '' });
  },
});
const unwind = command('unwind_timer', {
  about: 'Remove a timer.',
  input: byId,
  run(draft, { id }) {
    need(draft.timers, id, 'timer');
    remove(draft.timers, id);
  },
});
const readRuns = query('read_runs', {
  about: 'List the runs of a line with their steps.',
  input: z.object({ line: z.string() }),
  run({ lines, runs, steps }, { line }) {
    const it = lines.find(({ name }) => name === line) ?? refuse('No such line.');
    return runs
      .filter(one => one.line === it.id)
      .map(one => ({ ...one, line: it.name, steps: steps.filter(({ run }) => run === one.id) }));
  },
});
const readWorkers = query('read_workers', {
  about: 'List the workers.',
  input: z.object({}),
  run: ({ workers }) => workers,
});
const dark = { line: '', run: '', step: '', branch: '', at: '', confirm: '', buzz: '' };
const hall = gesture('go_hall', {
  about: 'Go to the wall of lights, the workers or the timers of a line.',
  input: z.object({ hall: z.string(), line: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, dark, input),
});
const openRun = gesture('open_run', {
  about: 'Open a run of a line.',
  input: byId,
  run: (draft, { id }) => void Object.assign(draft.ui, { run: id, step: '', confirm: '', buzz: '' }),
});
const unroll = gesture('unroll_step', {
  about: 'Unroll a step.',
  input: byId,
  run: (draft, { id }) => void Object.assign(draft.ui, { step: draft.ui.step === id ? '' : id, buzz: '' }),
});
const sure = gesture('ask_target', {
  about: 'Ask where to ship.',
  input: byId,
  run: (draft, { id }) => void (draft.ui.confirm = id),
});
const set = gesture('set_field', {
  about: 'Fill a field.',
  input: z.object({ field: z.enum(['branch', 'at']), value: z.string().max(50) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

const wall = ({ lines, runs }: Lights) =>
  table(
    'Wall of lights',
    lines.map(({ id, name, team }) =>
      row(name, [
        link(name, hall.with({ hall: 'line', line: id })),
        cell(`team ${team}`),
        ...runs.filter(it => it.line === id).map(it => cell(`#${it.no} ${it.light}`)),
      ]),
    ),
  );

function lineView({ lines, runs, timers, ui }: Lights) {
  const it = need(lines, ui.line, 'line');
  return region(it.name, [
    heading(it.name),
    switchButton('Mute mails', it.muted, mute.with({ id: it.id })),
    list(
      'Runs',
      runs
        .filter(one => one.line === it.id)
        .map(one =>
          listItem(`#${one.no}`, [
            link(`#${one.no} ${one.branch}`, openRun.with({ id: one.id })),
            text(`${one.light}, started by ${one.by}${one.shipped === '' ? '' : `, on ${one.shipped}`}`),
          ]),
        ),
    ),
    list(
      'Timers',
      timers
        .filter(one => one.line === it.id)
        .map(one =>
          listItem(`${one.branch} at ${one.at}`, [
            text(`${one.branch} at ${one.at}`),
            button(`Unwind ${one.branch} ${one.at}`, unwind.with({ id: one.id })),
          ]),
        ),
    ),
    form('New timer', [
      textbox('Branch', ui.branch, { enter: set.entering({ field: 'branch' }) }),
      combobox('Daily at', ui.at, { enter: set.entering({ field: 'at' }), options: times }),
      button('Wind timer', wind.with({ line: it.id, branch: ui.branch, at: ui.at })),
    ]),
  ]);
}

function runView({ runs, steps, ui }: Lights) {
  const it = need(runs, ui.run, 'run');
  return region(`Run #${it.no}`, [
    link('Back to the line', openRun.with({ id: '' })),
    heading(`#${it.no} ${it.branch}`),
    status(`${it.light}, started by ${it.by}`),
    it.light === 'running' && button('Stop run', stop.with({ id: it.id })),
    button('Ship…', sure.with({ id: it.id })),
    list(
      'Steps',
      steps
        .filter(({ run }) => run === it.id)
        .map(one =>
          listItem(one.phase, [
            link(`${one.phase} ${one.light}`, unroll.with({ id: one.id }), ui.step === one.id ? ['expanded'] : []),
            text(`${one.seconds} s`),
            ui.step === one.id && text(`last line: ${one.lastLine}`),
            ui.step === one.id &&
              combobox('Time limit', one.limit, { enter: limit.entering({ id: one.id }), options: limits }),
            ui.step === one.id && one.light === 'red' && button('Run step again', again.with({ id: one.id })),
          ]),
        ),
    ),
  ]);
}

const workersView = ({ workers }: Lights) =>
  table(
    'Workers',
    workers.map(it =>
      row(it.name, [
        cell(it.name),
        cell(it.label),
        cell(it.busy ? 'busy' : 'idle'),
        switchButton(`Pause ${it.name}`, it.paused, pause.with({ id: it.id })),
      ]),
    ),
  );

type Draw = { pick<T>(items: readonly T[]): T };
function anyRun({ runs, lines }: Lights, random: Draw) {
  const it = random.pick(runs);
  return { id: it.id, no: it.no, branch: it.branch, name: find(lines, it.line)?.name ?? '' };
}
function anyStep(lights: Lights, random: Draw) {
  const it = anyRun(lights, random);
  const step = random.pick(lights.steps.filter(({ run }) => run === it.id));
  return { ...it, step: step.id, phase: step.phase };
}

const redStep = template('red-step-again', {
  about: 'Run the red step of a run again.',
  split: 'train',
  sample: anyStep,
  setup(draft, { id, step }) {
    need(draft.runs, id, 'run').light = 'red';
    for (const it of draft.steps) if (it.run === id) it.light = it.id === step ? 'red' : 'green';
  },
  instruction: ({ name, no }, random) =>
    random.pick([
      `Run the red step of ${name} #${no} again.`,
      `#${no} of ${name} failed by bad luck, I think. Give the step that is red a second try.`,
      `${name} #${no}: retry what failed`,
    ]),
  checks: ({ step }) => [{ name: 'the step runs again', test: final => find(final.steps, step)?.light === 'running' }],
  allow: ({ step }) => [`/steps/${step}/light`],
});

const stopRun = template('stop-run-of-branch', {
  about: 'Stop the run of a branch that is going on in a line.',
  split: 'train',
  sample(lights, random) {
    const it = anyRun(lights, random);
    const line = find(lights.runs, it.id)?.line;
    const mates = lights.runs.filter(one => one.line === line && one.id !== it.id).map(({ id }) => id);
    return { ...it, mates };
  },
  setup(draft, { id, mates, branch }) {
    need(draft.runs, id, 'run').light = 'running';
    for (const one of mates) {
      const mate = need(draft.runs, one, 'run');
      mate.light = mate.branch === branch ? 'green' : 'running';
    }
  },
  instruction: ({ name, branch }, random) =>
    random.pick([
      `Stop the run of ${branch} that is going on in ${name}.`,
      `I pushed nonsense to ${branch}. Its run in ${name} can be stopped, runs of other branches must go on.`,
      `${name} / ${branch}: stop what is running`,
    ]),
  checks: ({ id }) => [{ name: 'the run is stopped', test: final => find(final.runs, id)?.light === 'stopped' }],
  allow: ({ id }) => [`/runs/${id}/light`],
});

const shipIt = template('ship-if-green', {
  about: 'Ship a run; only green ones can be shipped.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ green }) => green,
  sample: (lights, random) => ({
    ...anyRun(lights, random),
    green: random.chance(0.5),
    other: random.pick(['red', 'stopped']),
    target: random.pick(['staging', 'production']),
  }),
  setup: (draft, { id, green, other }) =>
    void Object.assign(need(draft.runs, id, 'run'), { light: green ? 'green' : other, shipped: '' }),
  instruction: ({ name, no, target }, random) =>
    random.pick([
      `Ship ${name} #${no} to ${target}.`,
      `The customer waits: bring run #${no} of ${name} to ${target}, if the board allows it.`,
      `${target} should get ${name} #${no}.`,
    ]),
  checks: ({ id, target }) => [{ name: 'it is shipped', test: final => find(final.runs, id)?.shipped === target }],
  allow: ({ id }) => [`/runs/${id}/shipped`],
  shown: ({ ui }, { id }) => ui.run === id,
});

const idle = template('pause-idle-label', {
  about: 'Pause the idle workers with a label.',
  split: 'train',
  sample({ workers }, random) {
    const label = random.pick(labels);
    const own = random.shuffle(workers.filter(it => it.label === label)).map(({ id }) => id);
    return { label, ids: own.slice(0, 2), rest: own.slice(2) };
  },
  setup(draft, { ids, rest }) {
    for (const id of ids) Object.assign(need(draft.workers, id, 'worker'), { busy: false, paused: false });
    for (const id of rest) need(draft.workers, id, 'worker').busy = true;
  },
  instruction: ({ label }, random) =>
    random.pick([
      `Pause every idle ${label} worker.`,
      `We want to update the ${label} machines. Those which are idle can be paused now, busy ones later.`,
      `workers labelled ${label}: pause them if idle`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is paused`, test: final => find(final.workers, id)?.paused === true })),
  allow: ({ ids }) => ids.map(id => `/workers/${id}/paused`),
});

const why = template('why-red', {
  about: 'Say the last line of the step that is red in a run.',
  split: 'train',
  sample: anyStep,
  setup(draft, { id, step }) {
    need(draft.runs, id, 'run').light = 'red';
    for (const it of draft.steps) if (it.run === id) it.light = it.id === step ? 'red' : 'green';
  },
  instruction: ({ name, no }, random) =>
    random.pick([
      `Why is ${name} #${no} red? Quote the last line of the step.`,
      `A colleague asks with which line the red step of run #${no} in ${name} ended.`,
      `last line of the failed step, ${name} #${no}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ step }, { steps }) => need(steps, step, 'step').lastLine,
  shown: ({ ui }, { step }) => ui.step === step,
});

const slowest = template('limit-of-slowest', {
  about: 'Set the time limit of the slowest step of a run.',
  split: 'train',
  sample(lights, random) {
    const it = anyRun(lights, random);
    const own = lights.steps.filter(({ run }) => run === it.id).sort((one, other) => other.seconds - one.seconds);
    const [top, next] = own;
    if (top === undefined || top.seconds === next?.seconds) return null;
    return { ...it, step: top.id, limit: random.pick(limits.filter(one => one !== top.limit)) };
  },
  instruction: ({ name, no, limit: to }, random) =>
    random.pick([
      `Give the slowest step of ${name} #${no} a time limit of ${to}.`,
      `In run #${no} (${name}) one step took longer than all others. Its time limit should be ${to}.`,
      `${name} #${no}, slowest step: limit ${to}`,
    ]),
  checks: ({ step, limit: to }) => [{ name: 'the limit is set', test: final => find(final.steps, step)?.limit === to }],
  allow: ({ step }) => [`/steps/${step}/limit`],
});

const daily = template('wind-timer', {
  about: 'Run a branch every day.',
  split: 'train',
  sample({ lines }, random) {
    const { id, name } = random.pick(lines);
    return { id, name, branch: random.pick(['nightly', 'release-7', 'deps', 'long-tests']), at: random.pick(times) };
  },
  instruction: ({ name, branch, at }, random) =>
    random.pick([
      `Run ${branch} of ${name} daily at ${at}.`,
      `${name} needs a timer for the branch ${branch}, time ${at}.`,
      `Every day at ${at} the line ${name} should build "${branch}". Set that up.`,
    ]),
  checks: ({ id, branch, at }) => [
    {
      name: 'one timer was wound, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.timers, final.timers);
        return more.length === 0 && made?.line === id && made.branch === branch && made.at === at;
      },
    },
  ],
  allow: () => ['/timers/+'],
});

const labels = ['linux', 'linux-arm', 'mac', 'windows'];
const names = [
  'kite',
  'kite-app',
  'kite-docs',
  'lantern',
  'lantern-api',
  'moss',
  'moss-ui',
  'quill',
  'quill-sync',
  'reed',
  'reed-cli',
  'moss-lab',
];
const errors = [
  'out of memory',
  'cannot find module',
  'timeout after',
  'assertion failed at',
  'no space left on',
  'exit code',
];

export const app = defineApp({
  id: 'build-lights',
  title: 'Build lights',
  about: 'Build lines of several teams: runs, steps, workers and timers.',
  state,
  init(random) {
    const lines = random.shuffle(names).map((name, index) => ({
      id: `l${index + 1}`,
      name,
      team: random.pick(['Teal', 'Amber', 'Slate']),
      muted: random.chance(0.4),
    }));
    const runs = lines.flatMap(({ id }) => {
      const top = random.between(40, 400);
      return random
        .sample(['main', 'fix-login', 'fix-logout', 'dark-mode', 'upgrade'], 3)
        .map((branch, index) => ({ line: id, no: top - index, branch }));
    });
    const made = runs.map((it, index) => ({
      id: `r${index + 1}`,
      ...it,
      by: random.pick(['noor', 'nora', 'pavel', 'quinn']),
      light: random.pick(['green', 'red', 'running']),
      shipped: '',
    }));
    const steps = made.flatMap(({ id }) => phases.map(phase => ({ run: id, phase })));
    return {
      lines,
      runs: made,
      steps: steps.map((it, index) => ({
        id: `s${index + 1}`,
        ...it,
        light: random.chance(0.8) ? 'green' : 'red',
        seconds: random.between(9, 900),
        lastLine: `${random.pick(errors)} ${random.between(2, 99)}`,
        limit: random.pick(limits),
      })),
      workers: random.shuffle(Array.from({ length: 16 }, (_, index) => index)).map((number, index) => ({
        id: `w${index + 1}`,
        name: `ant-${number + 10}`,
        label: labels[index % 4] ?? 'linux',
        busy: random.chance(0.5),
        paused: random.chance(0.2),
      })),
      timers: lines
        .slice(0, 3)
        .map(({ id }, index) => ({ id: `t${index + 1}`, line: id, branch: 'main', at: random.pick(times) })),
      ui: { hall: 'wall', ...dark },
    };
  },
  commands: [
    again,
    stop,
    ship,
    limit,
    pause,
    mute,
    wind,
    unwind,
    readRuns,
    readWorkers,
    hall,
    openRun,
    unroll,
    sure,
    set,
  ],
  view(lights) {
    const { ui } = lights;
    if (ui.confirm !== '')
      return page('Build lights', [
        dialog('Ship to which place?', [
          button('To staging', ship.with({ id: ui.confirm, target: 'staging' })),
          button('To production', ship.with({ id: ui.confirm, target: 'production' })),
          button('Not now', sure.with({ id: '' })),
        ]),
      ]);
    return page('Build lights', [
      navigation('Halls', [
        link('Wall', hall.with({ hall: 'wall', line: '' })),
        link('Workers', hall.with({ hall: 'workers', line: '' })),
      ]),
      ui.buzz !== '' && status(ui.buzz),
      ui.run !== ''
        ? runView(lights)
        : ui.hall === 'line'
          ? lineView(lights)
          : ui.hall === 'workers'
            ? workersView(lights)
            : wall(lights),
    ]);
  },
  templates: [redStep, stopRun, shipIt, idle, why, slowest, daily],
  onRefusal(draft, message) {
    Object.assign(draft.ui, { buzz: message, confirm: '' });
  },
});

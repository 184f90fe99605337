// A dashboard of business figures: tiles that lead on to a metric, its monthly table, a target edited in place, alarms.
import { added, appKit, button, cell, combobox, defineApp, find, form, heading, link, list, listItem } from 'espalier';
import {
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

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'];
const metric = z.object({
  id: z.string(),
  name: z.string(),
  unit: z.string(),
  target: z.int(),
  muted: z.boolean(),
  values: z.array(z.int()),
});
const alarm = z.object({ id: z.string(), metric: z.string(), below: z.int(), tell: z.string() });
const state = z.object({
  metrics: z.array(metric),
  alarms: z.array(alarm),
  ui: z.object({
    at: z.string(),
    editing: z.boolean(),
    typed: z.string(),
    which: z.string(),
    tell: z.string(),
    banner: z.string(),
  }),
});
type Pulse = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const clean = { editing: false, typed: '', which: '', tell: '', banner: '' };

const setTarget = command('set_target', {
  about: 'Set the target of a metric.',
  input: z.object({ id: z.string(), typed: z.string() }),
  run(draft, { id, typed }) {
    if (!/^\d+$/.test(typed)) refuse('A target is a whole number.');
    need(draft.metrics, id, 'metric').target = Number(typed);
    Object.assign(draft.ui, clean, { banner: 'Target stored' });
  },
});
const mute = command('mute_metric', {
  about: 'Mute a metric, or unmute it.',
  input: z.object({ id: z.string(), muted: z.boolean() }),
  run: (draft, { id, muted }) => void Object.assign(need(draft.metrics, id, 'metric'), { muted }),
});
const addAlarm = command('add_alarm', {
  about: 'Add an alarm for a metric.',
  input: z.object({ which: z.string(), typed: z.string(), tell: z.string() }),
  run(draft, { which, typed, tell }) {
    const about = draft.metrics.find(({ name }) => name === which) ?? refuse('Pick a metric first.');
    if (!/^\d+$/.test(typed) || tell === '') refuse('Give a limit and somebody to tell.');
    draft.alarms.push({ id: nextId(draft.alarms, 'a'), metric: about.id, below: Number(typed), tell });
    Object.assign(draft.ui, clean, { banner: 'Alarm armed' });
  },
});
const dropAlarm = command('drop_alarm', {
  about: 'Remove an alarm.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void remove(draft.alarms, id),
});
const listMetrics = query('list_metrics', {
  about: 'List metrics.',
  input: z.object({}),
  run: ({ metrics }) => metrics,
});
const go = gesture('go', {
  about: 'Go to the wall of tiles, a metric or the alarms.',
  input: z.object({ at: z.string() }),
  run: (draft, { at }) => void Object.assign(draft.ui, clean, { at }),
});
const edit = gesture('edit_target', {
  about: 'Start or stop editing the target.',
  input: z.object({ editing: z.boolean() }),
  run: (draft, { editing }) => void Object.assign(draft.ui, clean, { editing }),
});
const enter = gesture('enter', {
  about: 'Fill a field in.',
  input: z.object({ field: z.enum(['typed', 'which', 'tell']), value: z.string().max(40) }),
  run: (draft, { field, value }) => void Object.assign(draft.ui, { [field]: value }),
});

const wall = ({ metrics }: Pulse) =>
  list(
    'Wall',
    metrics.map(({ id, name, unit, values, muted }) =>
      listItem(`${name} tile`, [
        text(`Latest ${values.at(-1)} ${unit}`),
        link(`${name} in detail`, go.with({ at: id })),
        switchButton(`Mute ${name}`, muted, mute.with({ id, muted: !muted })),
      ]),
    ),
  );
const detail = ({ ui }: Pulse, { id, name, unit, target, values }: z.infer<typeof metric>) =>
  region(name, [
    heading(`${name}, ${unit}`),
    table(
      'By month',
      values.map((value, at) => row(months[at] ?? '', [cell(months[at] ?? ''), cell(String(value))])),
    ),
    !ui.editing && text(`Target ${target}`),
    !ui.editing && button('Edit target', edit.with({ editing: true })),
    ui.editing && textbox('Target', ui.typed, { enter: enter.entering({ field: 'typed' }) }),
    ui.editing && button('Store', setTarget.with({ id, typed: ui.typed })),
    ui.editing && button('Leave as it was', edit.with({ editing: false })),
  ]);
const alarmScreen = ({ metrics, alarms, ui }: Pulse) =>
  region('Alarms', [
    list(
      `${alarms.length} armed`,
      alarms.map(({ id, metric: of, below, tell }) => {
        const title = `${find(metrics, of)?.name} below ${below}: tell ${tell}`;
        return listItem(title, [button(`Disarm ${title}`, dropAlarm.with({ id }))]);
      }),
    ),
    form('Arm another', [
      combobox('Metric', ui.which, { enter: enter.entering({ field: 'which' }), options: metrics.map(it => it.name) }),
      textbox('Goes below', ui.typed, { enter: enter.entering({ field: 'typed' }) }),
      combobox('Tell', ui.tell, { enter: enter.entering({ field: 'tell' }), options: crew }),
      button('Arm', addAlarm.with({ which: ui.which, typed: ui.typed, tell: ui.tell })),
    ]),
  ]);

const crew = ['Finance', 'Sales desk', 'Web team', 'Operations', 'Management'];
const names = (
  'Sign-ups|Refunds|Page loads|Churned users|Late parcels|Gross margin|Call minutes|Open carts|Returns|' +
  'Newsletter readers|Trial starts|Upgrades|Downtime|Store visits'
).split('|');
const say = (turn: number, ...forms: string[]): string => forms[turn % forms.length] ?? '';

const target = template('set-target', {
  about: 'Set the target of a metric.',
  split: 'train',
  sample({ metrics }, random) {
    const { id, name } = random.pick(metrics);
    return { id, name, goal: String(random.between(1001, 4000)), turn: random.between(0, 5) };
  },
  instruction: ({ name, goal, turn }) =>
    say(
      turn,
      `Set the target of ${name} to ${goal}.`,
      `${name}: target ${goal}`,
      `The board decided that we aim for ${goal} in ${name} from now on. Please adjust the dashboard.`,
      `Could you change what we want to reach for "${name}"? It's ${goal} now.`,
      `New quarter, new goal. ${name} gets ${goal}.`,
      `I think the target on the ${name} page is stale, it ought to be ${goal}.`,
    ),
  checks: ({ id, goal }) => [{ name: `target ${goal}`, test: end => find(end.metrics, id)?.target === Number(goal) }],
  allow: ({ id }) => [`/metrics/${id}/target`],
});

const month = template('value-of-month', {
  about: 'Say the value of a metric in a month.',
  split: 'train',
  sample({ metrics }, random) {
    const { id, name } = random.pick(metrics);
    return { id, name, at: random.between(0, 4), turn: random.between(0, 5) };
  },
  instruction: ({ name, at, turn }) =>
    say(
      turn,
      `What was the figure for ${name} in ${months[at]}?`,
      `${name}, ${months[at]}?`,
      `I'm writing the report and miss one number: ${name} for ${months[at]}.`,
      `Could you read me the ${months[at]} value of ${name}?`,
      `How did ${name} do in ${months[at]}? Only the number please.`,
      `For a slide about ${months[at]} I need to know how high ${name} was that month.`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id, at }, { metrics }) => String(need(metrics, id, 'metric').values[at]),
  shown: ({ ui }, { id }) => ui.at === id,
});

const arm = template('arm-alarm', {
  about: 'Arm an alarm for a metric.',
  split: 'train',
  sample({ metrics }, random) {
    const { id, name } = random.pick(metrics);
    return { id, name, limit: String(random.between(20, 900)), tell: random.pick(crew), turn: random.between(0, 5) };
  },
  instruction: ({ name, limit, tell, turn }) =>
    say(
      turn,
      `Arm an alarm: ${name} below ${limit}, tell ${tell}.`,
      `If ${name} ever drops under ${limit}, ${tell} should hear about it. Set that up.`,
      `Please make sure ${tell} gets told when ${name} goes below ${limit}.`,
      `${tell} complained that nobody warned them. Add an alarm on ${name} with ${limit} as the limit for them.`,
      `New alarm for ${tell}: ${name} < ${limit}`,
      `Can you have the dashboard alert ${tell} as soon as ${name} is less than ${limit}?`,
    ),
  checks: ({ id, limit, tell }) => [
    {
      name: 'one such alarm was armed',
      test(end, start) {
        const [made, ...more] = added(start.alarms, end.alarms);
        return more.length === 0 && made?.metric === id && made.below === Number(limit) && made.tell === tell;
      },
    },
  ],
  allow: () => ['/alarms/+'],
});

const muteWorst = template('mute-and-disarm', {
  about: 'Mute a metric and disarm its alarm.',
  split: 'train',
  sample({ metrics, alarms }, random) {
    const single = alarms.filter(it => alarms.filter(other => other.metric === it.metric).length === 1);
    if (single.length === 0) return null;
    const { id, metric: of } = random.pick(single);
    return { id, of, name: find(metrics, of)?.name ?? '', turn: random.between(0, 5) };
  },
  setup: (draft, { of }) => void Object.assign(need(draft.metrics, of, 'metric'), { muted: false }),
  instruction: ({ name, turn }) =>
    say(
      turn,
      `Mute ${name} and disarm its alarm.`,
      `We stopped caring about ${name}: mute the tile, and take its alarm away too.`,
      `${name} drives everybody mad. No more alarm for it, and mute it on the wall.`,
      `Please silence ${name} completely, that is the tile (mute) and the alarm (disarm).`,
      `mute + disarm: ${name}`,
      `The sensor behind ${name} is broken, so would you switch its tile to muted and remove the alarm?`,
    ),
  checks: ({ id, of }) => [
    { name: 'it is muted', test: end => find(end.metrics, of)?.muted === true },
    { name: 'the alarm is gone', test: end => find(end.alarms, id) === undefined },
  ],
  allow: ({ id, of }) => [`/metrics/${of}/muted`, `/alarms/${id}`],
});

export const app = defineApp({
  id: 'pulse',
  title: 'Pulse',
  about: 'Figures of a firm on a wall of tiles.',
  state,
  init(random) {
    const metrics = random.sample(names, 10).map((name, at) => ({
      id: `m${at + 1}`,
      name,
      unit: random.pick(['per day', 'per week', 'in total']),
      target: random.between(50, 999),
      muted: random.chance(0.2),
      values: months.map(() => random.between(11, 998)),
    }));
    const alarms = random.sample(metrics, 6).map(({ id }, at) => ({
      id: `a${at + 1}`,
      metric: id,
      below: random.between(20, 900),
      tell: random.pick(crew),
    }));
    return { metrics, alarms, ui: { at: 'wall', ...clean } };
  },
  commands: [setTarget, mute, addAlarm, dropAlarm, listMetrics, go, edit, enter],
  view(it) {
    const opened = find(it.metrics, it.ui.at);
    return page('Pulse', [
      it.ui.at !== 'wall' && link('← Wall', go.with({ at: 'wall' })),
      it.ui.at === 'wall' && link(`Alarms (${it.alarms.length})`, go.with({ at: 'alarms' })),
      it.ui.banner !== '' && status(it.ui.banner),
      it.ui.at === 'wall' && wall(it),
      it.ui.at === 'alarms' && alarmScreen(it),
      opened !== undefined && detail(it, opened),
    ]);
  },
  templates: [target, month, arm, muteWorst],
  onRefusal: (draft, message) => void Object.assign(draft.ui, { banner: message }),
});

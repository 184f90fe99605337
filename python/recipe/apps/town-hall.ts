// Works of a town: an accordion of districts with reports from residents, crews, and a wizard for bulky waste pickups.
import { added, alert, appKit, button, combobox, defineApp, find, form, heading, link, list, listItem } from 'espalier';
import { navigation, need, nextId, page, radio, refuse, region, text, textbox, z } from 'espalier';

const quarters = ['Old Town', 'Harbourside', 'Millfield', 'Station', 'Hilltop'];
const urgencies = ['low', 'normal', 'urgent'] as const;
const report = z.object({
  id: z.string(),
  what: z.string(),
  street: z.string(),
  quarter: z.string(),
  crew: z.string(),
  urgency: z.enum(urgencies),
  fixed: z.boolean(),
});
const pickup = z.object({ id: z.string(), street: z.string(), item: z.string(), week: z.string() });
const state = z.object({
  reports: z.array(report),
  crews: z.array(z.object({ id: z.string(), name: z.string(), skill: z.string(), radio: z.string() })),
  pickups: z.array(pickup),
  ui: z.object({
    part: z.enum(['reports', 'crews', 'pickups']),
    fold: z.string(),
    open: z.string(),
    step: z.int(),
    street: z.string(),
    item: z.string(),
    week: z.string(),
    word: z.string(),
  }),
});
type Town = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const blank = { open: '', step: 0, street: '', item: '', week: '', word: '' };

const send = command('send_crew', {
  about: 'Send a crew to a report.',
  input: z.object({ id: z.string(), value: z.string() }),
  run: (draft, { id, value }) => void Object.assign(need(draft.reports, id, 'report'), { crew: value }),
});
const rate = command('rate_report', {
  about: 'Say how urgent a report is.',
  input: z.object({ id: z.string(), urgency: z.enum(urgencies) }),
  run: (draft, { id, urgency }) => void Object.assign(need(draft.reports, id, 'report'), { urgency }),
});
const fix = command('close_report', {
  about: 'Close a report as fixed.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.reports, id, 'report').fixed = true;
    draft.ui.word = 'Noted as fixed.';
  },
});
const order = command('order_pickup', {
  about: 'Order a pickup of bulky waste.',
  input: z.object({ street: z.string().trim().min(1, 'where?'), item: z.string(), week: z.string() }),
  run(draft, input) {
    if (input.item === '' || input.week === '') refuse('Something is missing: thing or week.');
    draft.pickups.push({ id: nextId(draft.pickups, 'p'), ...input });
    Object.assign(draft.ui, blank, { word: 'The truck will come.' });
  },
});
const listReports = query('list_reports', {
  about: 'List reports.',
  input: z.object({}),
  run: ({ reports }) => reports,
});
const visit = gesture('visit', {
  about: 'Go to a part of the site.',
  input: z.object({ part: z.enum(['reports', 'crews', 'pickups']) }),
  run: (draft, { part }) => void Object.assign(draft.ui, blank, { part }),
});
const unfold = gesture('unfold', {
  about: 'Unfold a district.',
  input: z.object({ fold: z.string() }),
  run: (draft, { fold }) => void Object.assign(draft.ui, blank, { fold }),
});
const open = gesture('open_report', {
  about: 'Open a report, or go back.',
  input: z.object({ open: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, blank, input),
});
const step = gesture('go_to_step', {
  about: 'Go to a step of the order.',
  input: z.object({ step: z.int() }),
  run: (draft, input) => void Object.assign(draft.ui, input, { word: '' }),
});
const put = gesture('put', {
  about: 'Fill in a part of the order.',
  input: z.object({ field: z.enum(['street', 'item', 'week']), value: z.string().max(60) }),
  run: (draft, { field, value }) => void Object.assign(draft.ui, { [field]: value }),
});

const districts = ({ reports, ui }: Town) =>
  quarters.map(name => {
    const mine = reports.filter(it => it.quarter === name);
    return region(name, [
      button(
        `${name}: ${mine.filter(it => !it.fixed).length} open`,
        unfold.with({ fold: ui.fold === name ? '' : name }),
        ui.fold === name ? ['expanded'] : ['collapsed'],
      ),
      ui.fold === name &&
        list(
          `Reports of ${name}`,
          mine.map(({ id, what, street, fixed }) =>
            listItem(fixed ? 'fixed' : 'waiting', [link(`${what}, ${street}`, open.with({ open: id }))]),
          ),
        ),
    ]);
  });
const file = ({ crews }: Town, { id, what, street, quarter, crew, urgency, fixed }: z.infer<typeof report>) =>
  region('Report', [
    heading(`${what}, ${street}`),
    text(`${quarter}; ${fixed ? 'fixed' : 'waiting'}`),
    ...urgencies.map(it => radio(`Urgency ${it}`, it === urgency, rate.with({ id, urgency: it }))),
    combobox('Crew on it', crew, { enter: send.entering({ id }), options: crews.map(({ name }) => name) }),
    !fixed && button('Fixed!', fix.with({ id })),
    link('All districts', open.with({ open: '' })),
  ]);
const pickups = ({ pickups: all, ui }: Town) =>
  ui.step === 0
    ? region('Bulky waste', [
        list(
          `${all.length} pickups ordered`,
          all.map(it => listItem(`${it.week}: ${it.item}, ${it.street}`, [])),
        ),
        button('Order a pickup', step.with({ step: 1 })),
      ])
    : form(`Order, part ${ui.step} of 3`, [
        ui.step === 1 && textbox('Street and number', ui.street, { enter: put.entering({ field: 'street' }) }),
        ...(ui.step === 2 ? bulky.map(it => radio(it, it === ui.item, put.with({ field: 'item', value: it }))) : []),
        ui.step === 3 && combobox('Week', ui.week, { enter: put.entering({ field: 'week' }), options: weeks }),
        ui.step < 3 && button('Next part', step.with({ step: ui.step + 1 })),
        ui.step === 3 && button('Send order', order.with({ street: ui.street, item: ui.item, week: ui.week })),
        button('Stop', visit.with({ part: 'pickups' })),
      ]);

const troubles =
  'Pothole|Dead street lamp|Fallen branch|Blocked drain|Graffiti|Broken bench|Loose cobbles|Full bin'.split('|');
const streets =
  'Tanner Row|Quay Street|Abbey Lane|Mill Bank|Rope Walk|Castle Steps|Ferry Road|Linden Alley|Fuller Yard'.split('|');
const bulky = ['sofa', 'mattress', 'fridge', 'wardrobe', 'piano', 'carpet'];
const weeks = Array.from({ length: 8 }, (_, at) => `week ${at + 20}`);
const skills = ['roads', 'trees', 'lighting', 'drains', 'cleaning'];
const say = (turn: number, ...forms: string[]): string => forms[turn % forms.length] ?? '';

const close = template('close-report', {
  about: 'Close a report of a district as fixed.',
  split: 'train',
  sample: ({ reports }, random) => ({ ...random.pick(reports.filter(it => !it.fixed)), turn: random.between(0, 5) }),
  instruction: ({ what, street, quarter, turn }) =>
    say(
      turn,
      `${what}, ${street} (${quarter}): fixed.`,
      `The crew is back. "${what}" in ${street}, ${quarter}, is done, please close it.`,
      `I drove past ${street} in ${quarter} today and the problem (${what}) is gone. Mark it as fixed.`,
      `Please note as fixed: ${what} at ${street}; look under ${quarter}.`,
      `A resident thanks us for taking care of "${what}" in ${street}. So it can be ticked off for ${quarter}, no?`,
      `Under ${quarter} there's still "${what}, ${street}" waiting, although it was repaired. Correct that.`,
    ),
  checks: ({ id }) => [{ name: 'the report is closed', test: end => find(end.reports, id)?.fixed === true }],
  allow: ({ id }) => [`/reports/${id}/fixed`],
});

const sendSkilled = template('send-skilled-crew', {
  about: 'Send the crew with a skill to a report.',
  split: 'train',
  sample({ reports, crews }, random) {
    const { id, what, street, quarter } = random.pick(reports);
    const { name, skill } = random.pick(crews);
    return { id, what, street, quarter, name, skill, turn: random.between(0, 5) };
  },
  setup: (draft, { id }) => void Object.assign(need(draft.reports, id, 'report'), { crew: 'none' }),
  instruction: ({ what, street, quarter, skill, turn }) =>
    say(
      turn,
      `Send the crew that does ${skill} to "${what}, ${street}" in ${quarter}.`,
      `${quarter}, ${street}: ${what}. Needs the ${skill} people.`,
      `Which crew is for ${skill}? They should go to ${street} in ${quarter} because of the report "${what}".`,
      `Nobody is on "${what}" (${street}, ${quarter}) yet. Please put our ${skill} crew on it.`,
      `As it turned out, "${what}" at ${street} in ${quarter} is a job for ${skill}. Assign whoever does that.`,
      `Could you get the ${skill} crew over to ${quarter}? It's about "${what}, ${street}".`,
    ),
  checks: ({ id, name }) => [{ name: `${name} is sent`, test: end => find(end.reports, id)?.crew === name }],
  allow: ({ id }) => [`/reports/${id}/crew`],
});

const orderOne = template('order-pickup', {
  about: 'Order a pickup of a thing at an address in a week.',
  split: 'train',
  sample: (_, random) => ({
    street: `${random.pick(streets)} ${random.between(1, 90)}`,
    item: random.pick(bulky),
    week: random.pick(weeks),
    turn: random.between(0, 5),
  }),
  instruction: ({ street, item, week, turn }) =>
    say(
      turn,
      `Order a pickup: ${item}, ${street}, ${week}.`,
      `My old ${item} has to go. I live at ${street}; ${week} would be good.`,
      `Please have a ${item} collected from ${street} in ${week}.`,
      `A lady from ${street} rang. The truck should fetch her ${item}, ${week}.`,
      `${week}: bulky waste at ${street} (${item})`,
      `We are moving out in ${week}, so could the ${item} be picked up then? Address: ${street}.`,
    ),
  checks: ({ street, item, week }) => [
    {
      name: 'one such pickup is ordered',
      test(end, start) {
        const [made, ...more] = added(start.pickups, end.pickups);
        return more.length === 0 && made?.street === street && made.item === item && made.week === week;
      },
    },
  ],
  allow: () => ['/pickups/+'],
});

const whichCrew = template('radio-of-crew', {
  about: 'Say the radio call of the crew on a report.',
  split: 'train',
  sample({ reports }, random) {
    const { id, what, street, quarter, crew } = random.pick(reports.filter(it => it.crew !== 'none'));
    return { id, what, street, quarter, crew, turn: random.between(0, 5) };
  },
  instruction: ({ what, street, quarter, turn }) =>
    say(
      turn,
      `What is the radio call of the crew on "${what}, ${street}" (${quarter})?`,
      `I have to reach the people working on "${what}" in ${street}, ${quarter}. What call do I use on the radio?`,
      `${quarter} / ${street} / ${what}: radio call of the crew?`,
      `Look up who is on "${what}, ${street}" in ${quarter} and tell me their radio call, please.`,
      `There is a gas smell near ${street} in ${quarter}! How do I call the crew that is out there for "${what}"?`,
      `Give me the radio call for whoever handles ${what}, ${street}. The report is filed under ${quarter}.`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ crew }, { crews }) => crews.find(({ name }) => name === crew)?.radio ?? '',
  shown: ({ ui }, { id }) => [ui.open === id, ui.part === 'crews'],
});

export const app = defineApp({
  id: 'town-hall',
  title: 'Town works',
  about: 'What residents report, who repairs it, and the bulky waste.',
  state,
  init(random) {
    const spots = random.sample(
      troubles.flatMap(what => streets.map(street => ({ what, street }))),
      22,
    );
    const crews = random.shuffle(skills).map((skill, at) => ({
      id: `w${at + 1}`,
      name: `Crew ${'ABCDE'.charAt(at)}`,
      skill,
      radio: `${random.pick(['Heron', 'Otter', 'Badger'])} ${random.between(11, 98)}`,
    }));
    const reports = spots.map((spot, at) => ({
      id: `n${at + 1}`,
      ...spot,
      quarter: random.pick(quarters),
      crew: random.pick([...crews.map(it => it.name), 'none']),
      urgency: random.pick(urgencies),
      fixed: random.chance(0.25),
    }));
    return { reports, crews, pickups: [], ui: { part: 'reports' as const, fold: '', ...blank } };
  },
  commands: [send, rate, fix, order, listReports, visit, unfold, open, step, put],
  view(it) {
    const opened = find(it.reports, it.ui.open);
    const people = it.crews.map(({ name, skill, radio: call }) => listItem(`${name}: ${skill}, radio "${call}"`, []));
    return page('Town works', [
      navigation('Desk', [
        link('What residents report', visit.with({ part: 'reports' })),
        link('Our crews', visit.with({ part: 'crews' })),
        link('Bulky waste', visit.with({ part: 'pickups' })),
      ]),
      it.ui.word !== '' && alert(it.ui.word),
      ...(it.ui.part === 'reports' ? (opened === undefined ? districts(it) : [file(it, opened)]) : []),
      it.ui.part === 'crews' && list('Crews', people),
      it.ui.part === 'pickups' && pickups(it),
    ]);
  },
  templates: [close, sendSkilled, orderOne, whichCrew],
  onRefusal: (draft, message) => void Object.assign(draft.ui, { word: message }),
});

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

const parts = ['sender', 'subject', 'recipient', 'attachment name'];
const chapters = ['Sieves', 'Drawers', 'Turned away', 'Absence'];

const state = z.object({
  rules: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      rank: z.int(),
      part: z.string(),
      contains: z.string(),
      drawer: z.string(),
      star: z.boolean(),
      on: z.boolean(),
    }),
  ),
  drawers: z.array(z.object({ id: z.string(), name: z.string(), within: z.string(), mails: z.int() })),
  turnedAway: z.array(z.object({ id: z.string(), address: z.string(), since: z.string() })),
  absence: z.object({ on: z.boolean(), text: z.string(), until: z.string() }),
  ui: z.object({
    chapter: z.string(),
    rule: z.string(),
    branch: z.string(),
    label: z.string(),
    part: z.string(),
    contains: z.string(),
    drawer: z.string(),
    star: z.boolean(),
    making: z.boolean(),
    reply: z.string(),
    until: z.string(),
    objection: z.string(),
  }),
});
type Sieve = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const ofRule = z.object({ id: z.string() });
const untils = ['Friday', 'next Monday', 'the end of the month', 'further notice'];

const flick = command('toggle_sieve', {
  about: 'Switch a sieve on or off.',
  input: ofRule,
  run(draft, { id }) {
    const it = need(draft.rules, id, 'sieve');
    it.on = !it.on;
  },
});
const earlier = command('sieve_earlier', {
  about: 'Let a sieve run one place earlier.',
  input: ofRule,
  run(draft, { id }) {
    const it = need(draft.rules, id, 'sieve');
    const before = draft.rules.find(({ rank }) => rank === it.rank - 1) ?? refuse('It runs first already.');
    before.rank += 1;
    it.rank -= 1;
  },
});
const rewrite = command('save_sieve', {
  about: 'Write what a sieve looks for and where it puts mail.',
  input: z.object({
    id: z.string(),
    part: z.string(),
    contains: z.string().trim().min(1, 'What shall it look for?'),
    drawer: z.string(),
    star: z.boolean(),
  }),
  run(draft, { id, part, contains, drawer, star }) {
    if (!parts.includes(part)) refuse('Which part of the mail?');
    if (!draft.drawers.some(({ name }) => name === drawer)) refuse('Which drawer?');
    Object.assign(need(draft.rules, id, 'sieve'), { part, contains, drawer, star });
    draft.ui.rule = '';
  },
});
const make = command('make_sieve', {
  about: 'Make a sieve that runs last.',
  input: z.object({
    label: z.string().trim().min(2, 'Label the sieve.'),
    part: z.string(),
    contains: z.string().trim().min(1, 'What shall it look for?'),
    drawer: z.string(),
    star: z.boolean(),
  }),
  run(draft, { label, part, contains, drawer, star }) {
    if (!parts.includes(part)) refuse('Which part of the mail?');
    if (!draft.drawers.some(({ name }) => name === drawer)) refuse('Which drawer?');
    const rank = draft.rules.length + 1;
    draft.rules.push({ id: nextId(draft.rules, 's'), label, rank, part, contains, drawer, star, on: true });
    Object.assign(draft.ui, { making: false, label: '', part: '', contains: '', drawer: '', star: false });
  },
});
const discard = command('discard_drawer', {
  about: 'Discard a drawer that no sieve uses.',
  input: ofRule,
  run(draft, { id }) {
    const it = need(draft.drawers, id, 'drawer');
    const user = draft.rules.find(({ drawer }) => drawer === it.name);
    if (user !== undefined) refuse(`${it.name} is in use by the sieve "${user.label}".`);
    if (draft.drawers.some(({ within }) => within === id)) refuse(`${it.name} has drawers in it.`);
    remove(draft.drawers, id);
  },
});
const letIn = command('let_in', {
  about: 'No longer turn an address away.',
  input: ofRule,
  run(draft, { id }) {
    need(draft.turnedAway, id, 'address');
    remove(draft.turnedAway, id);
  },
});
const leave = command('set_absence', {
  about: 'Answer mail automatically until some day.',
  input: z.object({ text: z.string().trim().min(4, 'Write an answer.'), until: z.string().min(1, 'Until when?') }),
  run(draft, { text: answer, until }) {
    draft.absence = { on: true, text: answer, until };
    Object.assign(draft.ui, { reply: '', until: '' });
  },
});
const comeBack = command('end_absence', {
  about: 'Stop answering automatically.',
  input: z.object({}),
  run: draft => void (draft.absence.on = false),
});
const readSieves = query('read_sieves', {
  about: 'List sieves in the order in which they run.',
  input: z.object({}),
  run: ({ rules }) => [...rules].sort((one, other) => one.rank - other.rank),
});
const readDrawers = query('read_drawers', {
  about: 'List drawers and addresses that are turned away.',
  input: z.object({}),
  run: ({ drawers, turnedAway, absence }) => ({ drawers, turnedAway, absence }),
});
const none = { rule: '', label: '', part: '', contains: '', drawer: '', star: false, making: false, objection: '' };
const read = gesture('open_chapter', {
  about: 'Open a chapter of the page.',
  input: z.object({ chapter: z.string() }),
  run: (draft, { chapter }) => void Object.assign(draft.ui, none, { chapter, branch: '' }),
});
const unfold = gesture('unfold_sieve', {
  about: 'Unfold a sieve.',
  input: ofRule,
  run(draft, { id }) {
    const { part, contains, drawer, star } = need(draft.rules, id, 'sieve');
    Object.assign(draft.ui, none, { rule: id, part, contains, drawer, star });
  },
});
const begin = gesture('begin_sieve', {
  about: 'Begin a new sieve.',
  input: z.object({}),
  run: draft => void Object.assign(draft.ui, none, { making: true }),
});
const branch = gesture('branch', {
  about: 'Unfold a drawer.',
  input: ofRule,
  run: (draft, { id }) => void Object.assign(draft.ui, { branch: draft.ui.branch === id ? '' : id, objection: '' }),
});
const word = gesture('word', {
  about: 'Fill in a field.',
  input: z.object({
    field: z.enum(['label', 'part', 'contains', 'drawer', 'reply', 'until']),
    value: z.string().max(90),
  }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});
const tick = gesture('tick_star', {
  about: 'Tick whether mail gets a star.',
  input: z.object({}),
  run: draft => void (draft.ui.star = !draft.ui.star),
});

const fields = ({ drawers, ui }: Sieve) => [
  combobox('Look at', ui.part, { enter: word.entering({ field: 'part' }), options: parts }),
  textbox('Contains', ui.contains, { enter: word.entering({ field: 'contains' }) }),
  combobox('Put into', ui.drawer, {
    enter: word.entering({ field: 'drawer' }),
    options: drawers.map(({ name }) => name),
  }),
  checkbox('Give a star', ui.star, tick.with({})),
];

function sieves(sieve: Sieve) {
  const { rules, ui } = sieve;
  if (ui.making)
    return form('New sieve', [
      textbox('Label', ui.label, { enter: word.entering({ field: 'label' }) }),
      ...fields(sieve),
      button(
        'Hang up the sieve',
        make.with({ label: ui.label, part: ui.part, contains: ui.contains, drawer: ui.drawer, star: ui.star }),
      ),
      button('Forget it', read.with({ chapter: 'Sieves' })),
    ]);
  const sorted = [...rules].sort((one, other) => one.rank - other.rank);
  return region('Sieves', [
    text('The first sieve that fits decides.'),
    list(
      'In this order',
      sorted.map(it =>
        listItem(it.label, [
          link(`${it.rank}. ${it.label}`, unfold.with({ id: it.id }), ui.rule === it.id ? ['expanded'] : []),
          switchButton(`On: ${it.label}`, it.on, flick.with({ id: it.id })),
          ui.rule === it.id &&
            form('Sieve', [
              ...fields(sieve),
              button(
                'Mend sieve',
                rewrite.with({ id: it.id, part: ui.part, contains: ui.contains, drawer: ui.drawer, star: ui.star }),
              ),
              it.rank > 1 && button('Run earlier', earlier.with({ id: it.id })),
            ]),
        ]),
      ),
    ),
    button('Make a sieve', begin.with({})),
  ]);
}

function drawersView({ drawers, ui }: Sieve) {
  const item = (it: Sieve['drawers'][number]) =>
    listItem(it.name, [
      link(it.name, branch.with({ id: it.id }), ui.branch === it.id ? ['expanded'] : []),
      ui.branch === it.id && text(`${it.mails} mails`),
      ui.branch === it.id && button(`Discard ${it.name}`, discard.with({ id: it.id })),
    ]);
  return list(
    'Drawers',
    drawers
      .filter(({ within }) => within === '')
      .flatMap(top => {
        const inner = drawers.filter(({ within }) => within === top.id);
        return [item(top), inner.length > 0 && list(`in ${top.name}`, inner.map(item))];
      }),
  );
}

const gate = ({ turnedAway }: Sieve) =>
  table(
    'Turned away',
    turnedAway.map(({ id, address, since }) =>
      row(address, [cell(address), cell(`since ${since}`), button(`Let in ${address}`, letIn.with({ id }))]),
    ),
  );

const absenceView = ({ absence, ui }: Sieve) =>
  region('Absence', [
    status(absence.on ? `Answering until ${absence.until}: ${absence.text}` : 'Nothing is answered automatically'),
    absence.on && button('I am back', comeBack.with({})),
    form('Absence', [
      textbox('Answer', ui.reply, { enter: word.entering({ field: 'reply' }) }),
      combobox('Until', ui.until, { enter: word.entering({ field: 'until' }), options: untils }),
      button('Answer for me', leave.with({ text: ui.reply, until: ui.until })),
    ]),
  ]);

type Draw = { pick<T>(items: readonly T[]): T };
function anyRule({ rules }: Sieve, random: Draw) {
  const { id, label } = random.pick(rules);
  return { id, label };
}

const putElsewhere = template('other-drawer', {
  about: 'Let a sieve put mail into another drawer.',
  split: 'train',
  sample(sieve, random) {
    const it = random.pick(sieve.rules);
    return {
      id: it.id,
      label: it.label,
      drawer: random.pick(sieve.drawers.filter(({ name }) => name !== it.drawer)).name,
    };
  },
  instruction: ({ label, drawer }, random) =>
    random.pick([
      `The sieve "${label}" should put mail into ${drawer}.`,
      `What "${label}" catches belongs into the drawer ${drawer} from now on.`,
      `Mend "${label}": drawer ${drawer}, the rest as it is.`,
      `I never find what "${label}" sorts away. Let it put things into ${drawer} insted.`,
    ]),
  checks: ({ id, drawer }) => [{ name: 'the drawer is set', test: final => find(final.rules, id)?.drawer === drawer }],
  allow: ({ id }) => [`/rules/${id}/drawer`],
});

const newSieve = template('make-sieve', {
  about: 'Make a sieve.',
  split: 'train',
  sample: ({ drawers }, random) => ({
    label: random.pick(['parcels', 'school trips', 'rent', 'choir']),
    part: random.pick(parts),
    contains: random.pick(['tracking', 'class 4b', 'landlord', 'rehearsal', 'invoice-']),
    drawer: random.pick(drawers).name,
    star: random.chance(0.4),
  }),
  instruction: ({ label, part, contains, drawer, star }, random) =>
    random.pick([
      `Make a sieve "${label}": when the ${part} contains "${contains}", into ${drawer}${star ? ', with a star' : ''}.`,
      `Mail whose ${part} has "${contains}" in it should land in ${drawer}${star ? ' and get a star' : ', without a star'}. Label the new sieve "${label}".`,
      `New sieve, label ${label}. Look at: ${part}. Contains: ${contains}. Drawer: ${drawer}. Star: ${star ? 'yes' : 'no'}.`,
    ]),
  checks: ({ label, part, contains, drawer, star }) => [
    {
      name: 'one sieve was made, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.rules, final.rules);
        return (
          more.length === 0 &&
          made?.label === label &&
          made.part === part &&
          made.contains === contains &&
          made.drawer === drawer &&
          made.star === star &&
          made.rank === final.rules.length &&
          made.on
        );
      },
    },
  ],
  allow: () => ['/rules/+'],
});

const order = template('run-before', {
  about: 'Let a sieve run before the one that runs just before it.',
  split: 'train',
  sample({ rules }, random) {
    const sorted = [...rules].sort((one, other) => one.rank - other.rank);
    const at = random.pick(sorted.slice(1).map((_, index) => index + 1));
    const [first, second] = [sorted[at - 1], sorted[at]];
    if (first === undefined || second === undefined) return null;
    return { id: second.id, label: second.label, other: first.id, otherLabel: first.label, rank: first.rank };
  },
  instruction: ({ label, otherLabel }, random) =>
    random.pick([
      `"${label}" has to run just before "${otherLabel}".`,
      `"${otherLabel}" snatches mail that "${label}" should get, because it runs first. Swap the two.`,
      `Let the sieve "${label}" run one place earlier, ahead of "${otherLabel}".`,
    ]),
  checks: ({ id, other, rank }) => [
    { name: 'it runs earlier', test: final => find(final.rules, id)?.rank === rank },
    { name: 'the other runs after it', test: final => find(final.rules, other)?.rank === rank + 1 },
  ],
  allow: ({ id, other }) => [`/rules/${id}/rank`, `/rules/${other}/rank`],
});

const offAll = template('off-for-word', {
  about: 'Switch off every sieve whose label has a word.',
  split: 'train',
  sample({ rules }, random) {
    const key = random.pick(keys);
    const ids = rules.filter(({ label }) => label.startsWith(`${key} `)).map(({ id }) => id);
    return ids.length < 2 ? null : { key, ids };
  },
  setup(draft, { ids }) {
    for (const id of ids) need(draft.rules, id, 'sieve').on = true;
  },
  instruction: ({ key }, random) =>
    random.pick([
      `Switch off all sieves about "${key}".`,
      `I want to see everything to do with "${key}" in the inbox again: those sieves off, please.`,
      `Every sieve whose label begins with "${key}" gets turned off for now. Don't remove them.`,
    ]),
  checks: ({ ids }) => ids.map(id => ({ name: `${id} is off`, test: final => find(final.rules, id)?.on === false })),
  allow: ({ ids }) => ids.map(id => `/rules/${id}/on`),
});

const away = template('discard-drawer', {
  about: 'Discard a drawer; a sieve may still use it.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ free }) => free,
  sample({ drawers, rules }, random) {
    const { id, name } = random.pick(drawers.filter(it => it.within !== ''));
    const others = drawers.filter(it => it.name !== name);
    const free = random.chance(0.5);
    return { id, name, free, user: random.pick(rules).id, other: random.pick(others).name };
  },
  setup(draft, { name, free, user, other }) {
    for (const it of draft.rules) if (it.drawer === name) it.drawer = other;
    if (!free) need(draft.rules, user, 'sieve').drawer = name;
  },
  instruction: ({ name }, random) =>
    random.pick([
      `Discard the drawer ${name}.`,
      `I don't need ${name} any more. Get rid of this drawer, unless that is not allowed.`,
      `drawer ${name} can go`,
    ]),
  checks: ({ id }) => [{ name: 'the drawer is gone', test: final => find(final.drawers, id) === undefined }],
  allow: ({ id }) => [`/drawers/${id}`],
  shown: ({ ui }, { name }) => ui.chapter === 'Drawers' && ui.objection.startsWith(`${name} is in use`),
});

const forgive = template('let-in-again', {
  about: 'Let in an address that is turned away.',
  split: 'train',
  sample({ turnedAway }, random) {
    const { id, address } = random.pick(turnedAway);
    return { id, address };
  },
  instruction: ({ address }, random) =>
    random.pick([
      `Let ${address} in again.`,
      `${address} says that mails come back. Stop turning this address away.`,
      `Turning ${address} away was a mistake, undo it.`,
    ]),
  checks: ({ id }) => [{ name: 'the address is let in', test: final => find(final.turnedAway, id) === undefined }],
  allow: ({ id }) => [`/turnedAway/${id}`],
});

const whatFor = template('what-does-it-look-for', {
  about: 'Say what a sieve looks for.',
  split: 'train',
  sample: anyRule,
  instruction: ({ label }, random) =>
    random.pick([
      `What text does the sieve "${label}" look for?`,
      `Which words must a mail contain so that "${label}" catches it?`,
      `"${label}" - contains what?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { rules }) => need(rules, id, 'sieve').contains,
  shown: ({ ui }, { id }) => ui.rule === id,
});

const absent = template('answer-for-me', {
  about: 'Set an automatic answer.',
  split: 'train',
  sample: (_, random) => ({
    words: random.pick([
      'I am on a boat.',
      'Gone fishing.',
      'At the fair in Lyon.',
      'Please ask Hannes.',
      'Moving house.',
    ]),
    until: random.pick(untils),
  }),
  setup(draft) {
    draft.absence = { on: false, text: '-', until: '-' };
  },
  instruction: ({ words, until }, random) =>
    random.pick([
      `Answer my mail with "${words}" until ${until}.`,
      `I am away until ${until}. People should get the answer "${words}".`,
      `absence: "${words}" (until ${until})`,
    ]),
  checks: ({ words, until }) => [
    { name: 'it answers', test: final => final.absence.on },
    { name: 'with these words', test: final => final.absence.text === words },
    { name: 'until then', test: final => final.absence.until === until },
  ],
  allow: () => ['/absence/on', '/absence/text', '/absence/until'],
});

const keys = ['Bank', 'School', 'Shop', 'Club', 'Doctor'];
const tails = ['letters', 'newsletter', 'reminders', 'receipts', 'notices', 'offers'];
const needles = [
  'no-reply',
  'statement',
  'weekly',
  'due on',
  'order no',
  'minutes of',
  'appointment',
  'offer',
  'renewal',
];

export const app = defineApp({
  id: 'mail-sieve',
  title: 'Mail sieve',
  about: 'Rules that sort mail into drawers, addresses that are turned away, and an automatic answer.',
  state,
  init(random) {
    const tops = ['Home', 'Money', 'Leisure'];
    const inner: [string, number][] = [
      ['Letters', 1],
      ['Children', 1],
      ['Receipts', 2],
      ['Statements', 2],
      ['Rowing', 3],
      ['Concerts', 3],
      ['Travel', 3],
    ];
    const drawers = [
      ...tops.map(name => ({ name, within: '' })),
      ...inner.map(([name, at]) => ({ name, within: `d${at}` })),
    ];
    const labels = random.shuffle(
      keys.flatMap(key => random.sample(tails, random.between(3, 5)).map(tail => `${key} ${tail}`)),
    );
    const people = ['lotto', 'pills', 'cousin.ed', 'cousin.al', 'deals', 'sales', 'survey'];
    return {
      rules: labels.map((label, index) => ({
        id: `s${index + 1}`,
        label,
        rank: index + 1,
        part: random.pick(parts),
        contains: `${random.pick(needles)} ${random.between(1, 40)}`,
        drawer: random.pick(drawers).name,
        star: random.chance(0.3),
        on: random.chance(0.8),
      })),
      drawers: drawers.map((it, index) => ({ id: `d${index + 1}`, ...it, mails: random.between(0, 400) })),
      turnedAway: random
        .shuffle(people.flatMap(name => [`${name}@spam.example`, `${name}@post.test`]))
        .map((address, index) => ({
          id: `x${index + 1}`,
          address,
          since: `${random.between(1, 28)} March`,
        })),
      absence: { on: false, text: '-', until: '-' },
      ui: { chapter: 'Sieves', branch: '', reply: '', until: '', ...none },
    };
  },
  commands: [
    flick,
    earlier,
    rewrite,
    make,
    discard,
    letIn,
    leave,
    comeBack,
    readSieves,
    readDrawers,
    read,
    unfold,
    begin,
    branch,
    word,
    tick,
  ],
  view: sieve =>
    page('Mail sieve', [
      heading('How my mail is sorted'),
      ...chapters.map(it => button(it, read.with({ chapter: it }), sieve.ui.chapter === it ? ['selected'] : [])),
      sieve.ui.objection !== '' && status(sieve.ui.objection),
      sieve.ui.chapter === 'Sieves' && sieves(sieve),
      sieve.ui.chapter === 'Drawers' && drawersView(sieve),
      sieve.ui.chapter === 'Turned away' && gate(sieve),
      sieve.ui.chapter === 'Absence' && absenceView(sieve),
    ]),
  templates: [putElsewhere, newSieve, order, offAll, away, forgive, whatFor, absent],
  onRefusal(draft, message) {
    draft.ui.objection = message;
  },
});

import {
  added,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  dialog,
  find,
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
  searchBox,
  status,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const circles = ['Neighbours', 'Shopkeepers', 'Choir friends', 'Volunteers'];
const slots = ['Monday 7:00', 'Monday 18:00', 'Wednesday 7:00', 'Friday 12:00', 'Sunday 9:00'];
const shelves = ['Workbench', 'Outbox', 'Gone out'];

const state = z.object({
  issues: z.array(
    z.object({
      id: z.string(),
      subject: z.string(),
      editor: z.string(),
      shelf: z.string(),
      circle: z.string(),
      slot: z.string(),
      opened: z.int(),
    }),
  ),
  blocks: z.array(
    z.object({ id: z.string(), issue: z.string(), headline: z.string(), author: z.string(), hidden: z.boolean() }),
  ),
  readers: z.array(
    z.object({ id: z.string(), address: z.string(), circle: z.string(), bounced: z.boolean(), gets: z.boolean() }),
  ),
  ui: z.object({
    room: z.string(),
    issue: z.string(),
    step: z.string(),
    subject: z.string(),
    circle: z.string(),
    slot: z.string(),
    seek: z.string(),
    clip: z.string(),
    says: z.string(),
  }),
});
type Mailer = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const onBench = (draft: Mailer, id: string) => {
  const it = need(draft.issues, id, 'issue');
  if (it.shelf === 'Gone out') refuse('This issue has gone out. Nothing in it can be changed.');
  if (it.shelf === 'Outbox') refuse('This issue waits in the outbox. Call it back to change it.');
  return it;
};

const retitle = command('set_subject', {
  about: 'Give an issue another subject line.',
  input: z.object({ id: z.string(), subject: z.string().trim().min(3, 'The subject is too short.') }),
  run(draft, { id, subject }) {
    onBench(draft, id).subject = subject;
    draft.ui.step = 'blocks';
  },
});
const hide = command('toggle_block', {
  about: 'Hide a block of an issue, or show it again.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.blocks, id, 'block');
    onBench(draft, it.issue);
    it.hidden = !it.hidden;
  },
});
const paste = command('paste_block', {
  about: 'Paste a copy of a block at the end of an issue.',
  input: z.object({ issue: z.string(), block: z.string() }),
  run(draft, { issue, block }) {
    onBench(draft, issue);
    const { headline, author } = need(draft.blocks, block, 'block');
    draft.blocks.push({ id: nextId(draft.blocks, 'b'), issue, headline, author, hidden: false });
    draft.ui.clip = '';
  },
});
const post = command('post_issue', {
  about: 'Put an issue into the outbox for a circle and a time.',
  input: z.object({
    id: z.string(),
    circle: z.string().min(1, 'Choose a circle.'),
    slot: z.string().min(1, 'Choose a time.'),
  }),
  run(draft, { id, circle, slot }) {
    Object.assign(onBench(draft, id), { circle, slot, shelf: 'Outbox' });
    Object.assign(draft.ui, { step: 'blocks', circle: '', slot: '' });
  },
});
const callBack = command('call_back', {
  about: 'Take an issue out of the outbox.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.issues, id, 'issue');
    if (it.shelf !== 'Outbox') refuse('Only what is in the outbox can be called back.');
    Object.assign(it, { shelf: 'Workbench' });
    draft.ui.says = '';
  },
});
const unsubscribe = command('toggle_reader', {
  about: 'Stop or resume mail to a reader.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.readers, id, 'reader');
    it.gets = !it.gets;
  },
});
const readIssues = query('read_issues', {
  about: 'List issues with their blocks.',
  input: z.object({ shelf: z.string() }),
  run: ({ issues, blocks }, { shelf }) =>
    issues
      .filter(it => it.shelf === shelf)
      .map(it => ({ ...it, blocks: blocks.filter(({ issue }) => issue === it.id) })),
});
const readReaders = query('read_readers', {
  about: 'Find readers by a part of their address.',
  input: z.object({ part: z.string() }),
  run: ({ readers }, { part }) => readers.filter(({ address }) => address.includes(part)),
});
const blank = { step: 'blocks', subject: '', circle: '', slot: '', seek: '', says: '' };
const enter = gesture('enter_room', {
  about: 'Go to a shelf or to the readers.',
  input: z.object({ room: z.string() }),
  run: (draft, { room }) => void Object.assign(draft.ui, blank, { room, issue: '' }),
});
const unroll = gesture('open_issue', {
  about: 'Open an issue.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void Object.assign(draft.ui, blank, { issue: id }),
});
const turnTo = gesture('turn_to', {
  about: 'Go on to another step of the issue.',
  input: z.object({ step: z.string() }),
  run(draft, { step }) {
    draft.ui.step = step;
    draft.ui.subject = find(draft.issues, draft.ui.issue)?.subject ?? '';
  },
});
const note = gesture('note', {
  about: 'Fill a field or choose something.',
  input: z.object({ field: z.enum(['subject', 'circle', 'slot', 'seek']), value: z.string().max(80) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});
const copy = gesture('copy_block', {
  about: 'Copy a block.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void (draft.ui.clip = id),
});

const shelfView = ({ issues, ui }: Mailer) =>
  list(
    ui.room,
    issues
      .filter(({ shelf }) => shelf === ui.room)
      .map(it =>
        listItem(it.subject, [
          link(it.subject, unroll.with({ id: it.id })),
          text(
            it.shelf === 'Gone out'
              ? `edited by ${it.editor}, opened by ${it.opened} %`
              : it.shelf === 'Outbox'
                ? `edited by ${it.editor}, to ${it.circle} on ${it.slot}`
                : `edited by ${it.editor}`,
          ),
        ]),
      ),
  );

function readersView({ readers, ui }: Mailer) {
  const hits = readers.filter(it => `${it.address} ${it.circle}`.toLowerCase().includes(ui.seek.toLowerCase()));
  return region('Readers', [
    searchBox('Readers', [textbox('Address or circle', ui.seek, { enter: note.entering({ field: 'seek' }) })]),
    table(
      `${hits.length} readers`,
      hits
        .slice(0, 8)
        .map(it =>
          row(it.address, [
            cell(it.address),
            cell(it.circle),
            cell(it.bounced ? 'last mail bounced' : 'arrives'),
            switchButton(`Mail to ${it.address}`, it.gets, unsubscribe.with({ id: it.id })),
          ]),
        ),
    ),
    hits.length > 8 && text('Only the first eight are listed.'),
  ]);
}

function issueView({ issues, blocks, ui }: Mailer) {
  const it = need(issues, ui.issue, 'issue');
  const own = blocks.filter(({ issue }) => issue === it.id);
  return region('Issue', [
    heading(it.subject),
    text(`${it.shelf}, edited by ${it.editor}`),
    it.shelf === 'Outbox' && button('Call back', callBack.with({ id: it.id })),
    ui.step === 'blocks' &&
      list(
        'Blocks',
        own.map(one =>
          listItem(one.headline, [
            text(`${one.headline}, written by ${one.author}`),
            switchButton(`Shown: ${one.headline}`, !one.hidden, hide.with({ id: one.id })),
            button(`Copy ${one.headline}`, copy.with({ id: one.id })),
          ]),
        ),
      ),
    ui.step === 'blocks' && ui.clip !== '' && button('Paste block', paste.with({ issue: it.id, block: ui.clip })),
    ui.step === 'blocks' && button('Subject line…', turnTo.with({ step: 'subject' })),
    ui.step === 'blocks' && it.shelf === 'Workbench' && button('Send off…', turnTo.with({ step: 'circle' })),
    ui.step === 'subject' &&
      dialog('Subject line', [
        textbox('Subject', ui.subject, { enter: note.entering({ field: 'subject' }) }),
        button('Use this subject', retitle.with({ id: it.id, subject: ui.subject })),
        button('Never mind', turnTo.with({ step: 'blocks' })),
      ]),
    ui.step === 'circle' &&
      region('1. To whom', [
        combobox('Circle', ui.circle, { enter: note.entering({ field: 'circle' }), options: circles }),
        button('On to the time', turnTo.with({ step: 'time' })),
      ]),
    ui.step === 'time' &&
      region('2. When', [
        text(`To: ${ui.circle}`),
        combobox('Goes out', ui.slot, { enter: note.entering({ field: 'slot' }), options: slots }),
        button('Back to the circle', turnTo.with({ step: 'circle' })),
        button('Into the outbox', post.with({ id: it.id, circle: ui.circle, slot: ui.slot })),
      ]),
  ]);
}

type Draw = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
function anyIssue({ issues }: Mailer, random: Draw) {
  const { id, subject, editor } = random.pick(issues);
  return { id, subject, editor };
}
const bench = (draft: Mailer, { id }: { id: string }) => void (need(draft.issues, id, 'issue').shelf = 'Workbench');
const outbox = (draft: Mailer, id: string) =>
  void Object.assign(need(draft.issues, id, 'issue'), { shelf: 'Outbox', circle: 'Neighbours', slot: 'Sunday 9:00' });

const better = [
  'Lanterns on the lake',
  'What the mayor forgot',
  'Three reasons to come',
  'Rain or shine',
  'Bring a chair',
];

const subjectLine = template('new-subject', {
  about: 'Change a subject line, which is too late once an issue has gone out.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ inTime }) => inTime,
  sample: (mailer, random) => ({
    ...anyIssue(mailer, random),
    better: random.pick(better),
    inTime: random.chance(0.5),
  }),
  setup: (draft, { id, inTime }) => void (need(draft.issues, id, 'issue').shelf = inTime ? 'Workbench' : 'Gone out'),
  instruction: ({ subject, better: words }, random) =>
    random.pick([
      `Rename the issue "${subject}" to "${words}".`,
      `"${subject}" is a dull subject line. Make it "${words}" if that is still possible.`,
      `Subject of "${subject}" should be: "${words}"`,
    ]),
  checks: ({ id, better: words }) => [
    { name: 'the subject is new', test: final => find(final.issues, id)?.subject === words },
  ],
  allow: ({ id }) => [`/issues/${id}/subject`],
  shown: ({ ui }, { id }) => ui.issue === id,
});

const sendOff = template('send-off', {
  about: 'Put an issue into the outbox for a circle at a time.',
  split: 'train',
  sample: (mailer, random) => ({ ...anyIssue(mailer, random), circle: random.pick(circles), slot: random.pick(slots) }),
  setup: (draft, { id }) =>
    void Object.assign(need(draft.issues, id, 'issue'), { shelf: 'Workbench', circle: '', slot: '' }),
  instruction: ({ subject, circle, slot }, random) =>
    random.pick([
      `"${subject}" goes to ${circle}, ${slot}.`,
      `Send off the issue "${subject}": circle ${circle}, time ${slot}.`,
      `"${subject}" is finished. The ${circle} should get it on ${slot}, so put it into the outbox like that.`,
    ]),
  checks: ({ id, circle, slot }) => [
    { name: 'it is in the outbox', test: final => find(final.issues, id)?.shelf === 'Outbox' },
    { name: 'it goes to the circle', test: final => find(final.issues, id)?.circle === circle },
    { name: 'it goes out in time', test: final => find(final.issues, id)?.slot === slot },
  ],
  allow: ({ id }) => [`/issues/${id}/shelf`, `/issues/${id}/circle`, `/issues/${id}/slot`],
});

const stopIt = template('call-back-by-editor', {
  about: 'Call back the issue of an editor that waits in the outbox.',
  split: 'train',
  sample({ issues }, random) {
    const it = random.pick(issues);
    const others = random.sample(
      issues.filter(({ editor }) => editor !== it.editor),
      4,
    );
    const twins = issues.filter(({ id, editor }) => editor === it.editor && id !== it.id);
    return { id: it.id, editor: it.editor, others: others.map(({ id }) => id), twins: twins.map(({ id }) => id) };
  },
  setup(draft, { id, others, twins }) {
    for (const one of [id, ...others]) outbox(draft, one);
    for (const one of twins) need(draft.issues, one, 'issue').shelf = 'Gone out';
  },
  instruction: ({ editor }, random) =>
    random.pick([
      `Call back what ${editor} has in the outbox.`,
      `${editor} found a mistake after sending off. The issue is still in the outbox: get it back onto the workbench.`,
      `Stop the issue edited by ${editor} that has not gone out yet but is about to.`,
    ]),
  checks: ({ id }) => [{ name: 'it is back', test: final => find(final.issues, id)?.shelf === 'Workbench' }],
  allow: ({ id }) => [`/issues/${id}/shelf`],
});

const lateHide = template('hide-block-in-outbox', {
  about: 'Hide a block of an issue that waits in the outbox: call it back first.',
  split: 'train',
  sample({ blocks, issues }, random) {
    const it = random.pick(blocks);
    return { id: it.id, issue: it.issue, headline: it.headline, subject: find(issues, it.issue)?.subject ?? '' };
  },
  setup(draft, { id, issue }) {
    outbox(draft, issue);
    need(draft.blocks, id, 'block').hidden = false;
  },
  instruction: ({ headline, subject }, random) =>
    random.pick([
      `"${headline}" must not be in the issue "${subject}". Call the issue back, hide the block, and leave it on the workbench.`,
      `Hide the block "${headline}" of "${subject}". The issue lies in the outbox, so take it back before; it needn't go back there.`,
      `The author of "${headline}" withdrew the text. Remove it from view in "${subject}" (you'll have to call that issue back).`,
    ]),
  checks: ({ id, issue }) => [
    { name: 'the issue is back', test: final => find(final.issues, issue)?.shelf === 'Workbench' },
    { name: 'the block is hidden', test: final => find(final.blocks, id)?.hidden === true },
  ],
  allow: ({ id, issue }) => [`/blocks/${id}/hidden`, `/issues/${issue}/shelf`],
});

const reuse = template('reuse-block', {
  about: 'Copy a block of an issue that has gone out into one on the workbench.',
  split: 'train',
  sample({ blocks, issues }, random) {
    const it = random.pick(blocks);
    const to = random.pick(issues.filter(({ id }) => id !== it.issue));
    return {
      id: it.id,
      headline: it.headline,
      author: it.author,
      from: it.issue,
      fromSubject: find(issues, it.issue)?.subject ?? '',
      to: to.id,
      toSubject: to.subject,
    };
  },
  setup(draft, { from, to }) {
    need(draft.issues, from, 'issue').shelf = 'Gone out';
    bench(draft, { id: to });
  },
  instruction: ({ headline, fromSubject, toSubject }, random) =>
    random.pick([
      `Use "${headline}" from "${fromSubject}" once more in "${toSubject}".`,
      `Readers liked the block "${headline}" of "${fromSubject}". Copy it into "${toSubject}", too.`,
      `Copy & paste: block "${headline}", out of "${fromSubject}", into "${toSubject}".`,
    ]),
  checks: ({ id, to, headline, author }) => [
    {
      name: 'the block was copied or pasted',
      test: (final, initial) => final.ui.clip === id || added(initial.blocks, final.blocks).length === 1,
    },
    {
      name: 'the copy is in the other issue',
      test(final, initial) {
        const [made, ...more] = added(initial.blocks, final.blocks);
        return (
          more.length === 0 &&
          made?.issue === to &&
          made.headline === headline &&
          made.author === author &&
          !made.hidden
        );
      },
    },
  ],
  allow: () => ['/blocks/+'],
});

const bounced = template('stop-bounced', {
  about: 'Stop mail to the readers of a circle whose mail bounced.',
  split: 'train',
  sample({ readers }, random) {
    const circle = random.pick(circles);
    const own = random.shuffle(readers.filter(it => it.circle === circle)).map(({ id }) => id);
    const count = random.between(2, 3);
    return { circle, ids: own.slice(0, count), rest: own.slice(count) };
  },
  setup(draft, { ids, rest }) {
    for (const id of ids) Object.assign(need(draft.readers, id, 'reader'), { bounced: true, gets: true });
    for (const id of rest) need(draft.readers, id, 'reader').bounced = false;
  },
  instruction: ({ circle }, random) =>
    random.pick([
      `No more mail to ${circle} whose last mail bounced.`,
      `In the circle "${circle}" some addresses are dead, the last mail to them bounced. Stop mail to those.`,
      `Readers, circle ${circle}: switch off everyone with a bounce. Others keep getting mail.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} gets no mail`, test: final => find(final.readers, id)?.gets === false })),
  allow: ({ ids }) => ids.map(id => `/readers/${id}/gets`),
});

const best = template('most-opened', {
  about: 'Say which issue of those that have gone out was opened most.',
  split: 'train',
  sample({ issues }, random) {
    const gone = random.sample(issues, 6);
    const [top] = [...gone].sort((one, other) => other.opened - one.opened);
    return { id: top?.id ?? '', gone: gone.map(({ id }) => id), least: random.chance(0.3) };
  },
  setup(draft, { gone }) {
    for (const it of draft.issues) it.shelf = gone.includes(it.id) ? 'Gone out' : 'Workbench';
  },
  instruction: ({ least }, random) =>
    random.pick([
      `Which issue that has gone out was opened by the ${least ? 'fewest' : 'most'} readers? Give its subject.`,
      `Subject of the ${least ? 'least' : 'most'} opened issue so far?`,
      `I want to learn from our mails. Tell me the subject of the one which was opened ${least ? 'least' : 'most'}.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer({ gone, least }, { issues }) {
    const sorted = issues.filter(({ id }) => gone.includes(id)).sort((one, other) => other.opened - one.opened);
    return sorted[least ? sorted.length - 1 : 0]?.subject ?? '';
  },
  shown: ({ ui }) => ui.room === 'Gone out' && ui.issue === '',
});

const titles = [
  'Spring fair',
  'Spring cleaning',
  'Summer choir',
  'Summer road works',
  'Street party',
  'Street lamps',
  'The new bakery',
  'The new bus stop',
  'Winter market',
  'Winter walk',
  'Harvest supper',
  'Harvest report',
];
const headlines = [
  'Dates to keep',
  'From the council',
  'A recipe',
  'Lost and found',
  'Thanks to helpers',
  'Photo page',
];
const editors = ['Gerda', 'Gerrit', 'Hilke', 'Ole', 'Olga'];

export const app = defineApp({
  id: 'gazette-mailer',
  title: 'Gazette mailer',
  about: 'Issues of a newsletter with their blocks, the outbox, and the readers in circles.',
  state,
  init(random) {
    const rates = random.sample(
      Array.from({ length: 70 }, (_, index) => index + 12),
      titles.length,
    );
    const issues = random.shuffle(titles).map((subject, index) => {
      const shelf = shelves[index % 3] ?? '';
      return {
        id: `n${index + 1}`,
        subject,
        editor: editors[index % 5] ?? '',
        shelf,
        circle: shelf === 'Workbench' ? '' : random.pick(circles),
        slot: shelf === 'Workbench' ? '' : random.pick(slots),
        opened: rates[index] ?? 0,
      };
    });
    const blocks = issues.flatMap(({ id }) => random.sample(headlines, 3).map(headline => ({ issue: id, headline })));
    const names = ['ada', 'ben', 'cleo', 'dan', 'eva', 'finn'];
    const hosts = ['mill.example', 'lake.example', 'old-mill.example', 'hill.test'];
    return {
      issues,
      blocks: blocks.map((it, index) => ({
        id: `b${index + 1}`,
        ...it,
        author: random.pick(editors),
        hidden: random.chance(0.2),
      })),
      readers: random.shuffle(names.flatMap(name => hosts.map(host => `${name}@${host}`))).map((address, index) => ({
        id: `a${index + 1}`,
        address,
        circle: circles[index % 4] ?? '',
        bounced: random.chance(0.3),
        gets: random.chance(0.8),
      })),
      ui: { room: 'Workbench', issue: '', clip: '', ...blank },
    };
  },
  commands: [
    retitle,
    hide,
    paste,
    post,
    callBack,
    unsubscribe,
    readIssues,
    readReaders,
    enter,
    unroll,
    turnTo,
    note,
    copy,
  ],
  view: mailer =>
    page('Gazette mailer', [
      navigation(
        'Rooms',
        [...shelves, 'Readers'].map(room =>
          link(room, enter.with({ room }), mailer.ui.room === room ? ['selected'] : []),
        ),
      ),
      mailer.ui.says !== '' && status(mailer.ui.says),
      mailer.ui.issue !== ''
        ? issueView(mailer)
        : mailer.ui.room === 'Readers'
          ? readersView(mailer)
          : shelfView(mailer),
    ]),
  templates: [subjectLine, sendOff, stopIt, lateHide, reuse, bounced, best],
  onRefusal(draft, message) {
    draft.ui.says = message;
  },
});

import {
  added,
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
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
  paginate,
  refuse,
  region,
  status,
  tab,
  text,
  textbox,
  z,
} from 'espalier';

const verdicts = ['no verdict', 'looks good', 'needs work'];
const crew = ['adah', 'adaline', 'bjorn', 'ceyda', 'dmitri', 'esperanza', 'fenna'];
const repos = ['atlas-core', 'atlas-docs', 'ferry', 'ferry-cli'];

const state = z.object({
  patches: z.array(
    z.object({
      id: z.string(),
      no: z.int(),
      title: z.string(),
      repo: z.string(),
      author: z.string(),
      reviewer: z.string(),
      verdict: z.string(),
      lines: z.int(),
      build: z.string(),
      where: z.string(),
      draft: z.boolean(),
    }),
  ),
  threads: z.array(
    z.object({
      id: z.string(),
      patch: z.string(),
      file: z.string(),
      by: z.string(),
      says: z.string(),
      settled: z.boolean(),
    }),
  ),
  ui: z.object({
    queue: z.string(),
    repo: z.string(),
    leaf: z.int(),
    patch: z.string(),
    face: z.string(),
    file: z.string(),
    says: z.string(),
    note: z.string(),
  }),
});
type Desk = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const onPatch = z.object({ id: z.string() });

const judge = command('give_verdict', {
  about: 'Give a verdict on a patch.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!verdicts.includes(value)) refuse('No such verdict.');
    const it = need(draft.patches, id, 'patch');
    if (it.draft) refuse('A draft gets no verdict. Mark it as ready first.');
    it.verdict = value;
  },
});
const ask = command('ask_reviewer', {
  about: 'Ask somebody to review a patch.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.patches, id, 'patch');
    if (!crew.includes(value)) refuse('Nobody of that name.');
    if (it.author === value) refuse('Authors do not review their own patches.');
    it.reviewer = value;
  },
});
const ready = command('mark_ready', {
  about: 'Turn a draft into a patch that is ready for review.',
  input: onPatch,
  run: (draft, { id }) => void (need(draft.patches, id, 'patch').draft = false),
});
const land = command('land_patch', {
  about: 'Land a patch on the main branch.',
  input: onPatch,
  run(draft, { id }) {
    const it = need(draft.patches, id, 'patch');
    if (it.build !== 'green') refuse(`#${it.no} cannot land: its build is ${it.build}.`);
    if (draft.threads.some(({ patch, settled }) => patch === id && !settled))
      refuse(`#${it.no} cannot land: a thread is not settled.`);
    it.where = 'landed';
    draft.ui.note = `#${it.no} landed.`;
  },
});
const shelve = command('shelve_patch', {
  about: 'Close a patch without landing it, or open it again.',
  input: z.object({ id: z.string(), where: z.enum(['open', 'shelved']) }),
  run: (draft, { id, where }) => void (need(draft.patches, id, 'patch').where = where),
});
const settle = command('settle_thread', {
  about: 'Settle a thread or take that back.',
  input: onPatch,
  run(draft, { id }) {
    const it = need(draft.threads, id, 'thread');
    it.settled = !it.settled;
  },
});
const remark = command('start_thread', {
  about: 'Start a thread on a file of a patch.',
  input: z.object({
    patch: z.string(),
    file: z.string().min(1, 'Which file?'),
    says: z.string().trim().min(3, 'Say something.'),
  }),
  run(draft, { patch, file, says }) {
    need(draft.patches, patch, 'patch');
    draft.threads.push({ id: nextId(draft.threads, 't'), patch, file, by: 'you', says, settled: false });
    Object.assign(draft.ui, { file: '', says: '', note: 'Thread started.' });
  },
});
const look = query('look_at_patches', {
  about: 'List patches of a repository with their threads.',
  input: z.object({ repo: z.string() }),
  run: ({ patches, threads }, { repo }) =>
    patches
      .filter(it => it.repo === repo)
      .map(it => ({ ...it, threads: threads.filter(({ patch }) => patch === it.id) })),
});
const choose = gesture('choose_queue', {
  about: 'Switch between open, landed and shelved patches.',
  input: z.object({ queue: z.string() }),
  run: (draft, { queue }) => void Object.assign(draft.ui, { queue, leaf: 1, patch: '', note: '' }),
});
const inRepo = gesture('in_repo', {
  about: 'Show one repository only.',
  input: z.object({ value: z.string() }),
  run: (draft, { value }) => void Object.assign(draft.ui, { repo: value, leaf: 1 }),
});
const leaf = gesture('leaf', {
  about: 'Leaf through the queue.',
  input: z.object({ to: z.int() }),
  run: (draft, { to }) => void (draft.ui.leaf = to),
});
const openPatch = gesture('open_patch', {
  about: 'Open a patch on a side of it, or go back.',
  input: z.object({ id: z.string(), face: z.string() }),
  run: (draft, { id, face }) => void Object.assign(draft.ui, { patch: id, face, note: '', file: '', says: '' }),
});
const pen = gesture('pen', {
  about: 'Choose a file or write a remark.',
  input: z.object({ field: z.enum(['file', 'says']), value: z.string().max(100) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

const files = ['src/main.rs', 'src/parse.rs', 'docs/guide.md', 'Makefile'];

function queueView({ patches, ui }: Desk) {
  const rows = patches.filter(it => it.where === ui.queue && (ui.repo === 'all repositories' || it.repo === ui.repo));
  const shown = paginate(rows, ui.leaf, 7);
  return region('Queue', [
    combobox('Repository', ui.repo, { enter: inRepo.entering({}), options: ['all repositories', ...repos] }),
    list(
      `${shown.total} patches`,
      shown.items.map(it =>
        listItem(`#${it.no}`, [
          link(`#${it.no} ${it.title}`, openPatch.with({ id: it.id, face: 'talk' })),
          text(
            `${it.repo}, by ${it.author}, ${it.lines} lines, build ${it.build}${it.draft ? ', draft' : ''}, ${it.verdict}`,
          ),
        ]),
      ),
    ),
    navigation(`Sheet ${shown.page} of ${shown.pages}`, [
      shown.page > 1 && button('Newer', leaf.with({ to: shown.page - 1 })),
      shown.page < shown.pages && button('Older', leaf.with({ to: shown.page + 1 })),
    ]),
  ]);
}

function patchView({ patches, threads, ui }: Desk) {
  const it = need(patches, ui.patch, 'patch');
  const side = (face: string, name: string) =>
    tab(name, openPatch.with({ id: it.id, face }), ui.face === face ? ['selected'] : []);
  return region(`Patch #${it.no}`, [
    link('Queue', openPatch.with({ id: '', face: 'talk' })),
    heading(`#${it.no} ${it.title}`),
    text(`${it.repo}, by ${it.author}, ${it.lines} lines, build ${it.build}`),
    side('talk', 'Talk'),
    side('decide', 'Decide'),
    ui.face === 'talk' &&
      list(
        'Threads',
        threads
          .filter(({ patch }) => patch === it.id)
          .map(one =>
            listItem(`${one.by} on ${one.file}`, [
              text(`${one.by} on ${one.file}: ${one.says}`),
              checkbox(`Settled: ${one.says}`, one.settled, settle.with({ id: one.id })),
            ]),
          ),
      ),
    ui.face === 'talk' &&
      form('Remark', [
        combobox('About file', ui.file, { enter: pen.entering({ field: 'file' }), options: files }),
        textbox('Remark', ui.says, { enter: pen.entering({ field: 'says' }) }),
        button('Start thread', remark.with({ patch: it.id, file: ui.file, says: ui.says })),
      ]),
    ui.face === 'decide' &&
      region('Decision', [
        it.draft && button('Mark as ready', ready.with({ id: it.id })),
        combobox('Reviewer', it.reviewer, { enter: ask.entering({ id: it.id }), options: crew }),
        combobox('Verdict', it.verdict, { enter: judge.entering({ id: it.id }), options: verdicts }),
        it.where === 'open' && button('Land', land.with({ id: it.id })),
        it.where === 'open'
          ? button('Shelve', shelve.with({ id: it.id, where: 'shelved' }))
          : button('Open again', shelve.with({ id: it.id, where: 'open' })),
      ]),
  ]);
}

type Draw = { pick<T>(items: readonly T[]): T };
function anyPatch({ patches }: Desk, random: Draw) {
  const { id, no, title, repo, author } = random.pick(patches);
  return { id, no, title, repo, author };
}
const opened = (draft: Desk, { id }: { id: string }) =>
  void Object.assign(need(draft.patches, id, 'patch'), { where: 'open', draft: false, verdict: 'no verdict' });

const verdict = template('give-verdict', {
  about: 'Give a verdict on the patch that is described.',
  split: 'train',
  sample: (desk, random) => ({ ...anyPatch(desk, random), verdict: random.pick(verdicts.slice(1)) }),
  setup: opened,
  instruction: ({ no, title, repo, author, verdict: word }, random) =>
    random.pick([
      `#${no}: "${word}".`,
      `My verdict on "${title}" in ${repo} is "${word}". Enter it.`,
      `I have read what ${author} did in #${no} (${title}). It ${word === 'needs work' ? 'needs work' : 'looks good'}, please record that as verdict.`,
      `verdict for ${title} / ${repo} / #${no}: ${word}`,
    ]),
  checks: ({ id, verdict: word }) => [
    { name: 'the verdict is given', test: final => find(final.patches, id)?.verdict === word },
  ],
  allow: ({ id }) => [`/patches/${id}/verdict`],
});

const draftVerdict = template('verdict-on-draft', {
  about: 'Give a verdict on a draft: it has to be marked as ready first.',
  split: 'train',
  sample: anyPatch,
  setup: (draft, { id }) =>
    void Object.assign(need(draft.patches, id, 'patch'), { where: 'open', draft: true, verdict: 'no verdict' }),
  instruction: ({ no, title, author }, random) =>
    random.pick([
      `#${no} is still a draft, but ${author} says it is done. Mark it as ready and give it "looks good".`,
      `"${title}" (#${no}) looks good to me. Record it; the draft state may go.`,
      `Take #${no} out of draft and approve it with "looks good".`,
    ]),
  checks: ({ id }) => [
    { name: 'it is no draft', test: final => find(final.patches, id)?.draft === false },
    { name: 'it looks good', test: final => find(final.patches, id)?.verdict === 'looks good' },
  ],
  allow: ({ id }) => [`/patches/${id}/draft`, `/patches/${id}/verdict`],
});

const landIt = template('land-if-possible', {
  about: 'Land a patch; a build that is not green forbids it.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ green }) => green,
  sample: (desk, random) => ({ ...anyPatch(desk, random), green: random.chance(0.5) }),
  setup(draft, { id, green }) {
    opened(draft, { id });
    need(draft.patches, id, 'patch').build = green ? 'green' : 'red';
    for (const it of draft.threads) if (it.patch === id) it.settled = true;
  },
  instruction: ({ no, title, repo }, random) =>
    random.pick([
      `Land #${no}.`,
      `"${title}" can go into ${repo} now, land #${no} if the rules let you.`,
      `We need #${no} (${title}) on main before the release. Please land it.`,
    ]),
  checks: ({ id }) => [{ name: 'it landed', test: final => find(final.patches, id)?.where === 'landed' }],
  allow: ({ id }) => [`/patches/${id}/where`],
  shown: ({ ui }, { id }) => ui.patch === id,
});

const unblock = template('settle-and-land', {
  about: 'Settle the open thread of a patch and land it.',
  split: 'train',
  sample(desk, random) {
    const it = anyPatch(desk, random);
    const own = desk.threads.filter(({ patch }) => patch === it.id);
    if (own.length === 0) return null;
    const thread = random.pick(own);
    return { ...it, thread: thread.id, by: thread.by };
  },
  setup(draft, { id, thread }) {
    opened(draft, { id });
    need(draft.patches, id, 'patch').build = 'green';
    for (const it of draft.threads) if (it.patch === id) it.settled = it.id !== thread;
  },
  instruction: ({ no, by, title }, random) =>
    random.pick([
      `The point that ${by} raised on #${no} is solved: settle what is unsettled and land the patch.`,
      `Land "${title}" (#${no}). One thread still blocks it, you may settle that one.`,
      `#${no} waits for a thread only. Settle it, then land.`,
    ]),
  checks: ({ id, thread }) => [
    { name: 'the thread is settled', test: final => find(final.threads, thread)?.settled === true },
    { name: 'it landed', test: final => find(final.patches, id)?.where === 'landed' },
  ],
  allow: ({ id, thread }) => [`/patches/${id}/where`, `/threads/${thread}/settled`],
});

const comment = template('start-thread', {
  about: 'Start a thread on a file of a patch.',
  split: 'train',
  sample: (desk, random) => ({
    ...anyPatch(desk, random),
    file: random.pick(files),
    says: random.pick([
      'please add a test',
      'why not a map?',
      'this leaks memory',
      'typo in the comment',
      'too clever for me',
    ]),
  }),
  setup: opened,
  instruction: ({ no, title, file, says }, random) =>
    random.pick([
      `Remark on ${file} of #${no}: "${says}".`,
      `Start a thread in "${title}" (#${no}), file ${file}. It should say "${says}".`,
      `Tell the author of #${no} about ${file}: ${says}`,
    ]),
  checks: ({ id, file, says }) => [
    {
      name: 'one thread was started, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.threads, final.threads);
        return (
          more.length === 0 &&
          made?.patch === id &&
          made.file === file &&
          made.says === says &&
          made.by === 'you' &&
          !made.settled
        );
      },
    },
  ],
  allow: () => ['/threads/+'],
});

const biggest = template('shelve-biggest', {
  about: 'Shelve the open patch of a repository with the most lines.',
  split: 'train',
  sample({ patches }, random) {
    const repo = random.pick(repos);
    const own = patches.filter(it => it.repo === repo).sort((one, other) => other.lines - one.lines);
    return { repo, id: own[0]?.id ?? '', ids: own.map(({ id }) => id) };
  },
  setup(draft, { ids }) {
    for (const id of ids) need(draft.patches, id, 'patch').where = 'open';
  },
  instruction: ({ repo }, random) =>
    random.pick([
      `Shelve the longest open patch of ${repo}.`,
      `Nobody will ever review the biggest patch in ${repo}. Find it by its lines and shelve it.`,
      `In ${repo}, the open patch with most lines gets shelved.`,
    ]),
  checks: ({ id }) => [{ name: 'it is shelved', test: final => find(final.patches, id)?.where === 'shelved' }],
  allow: ({ id }) => [`/patches/${id}/where`],
});

const whoRaised = template('who-wrote-thread', {
  about: 'Say which file the unsettled thread of a patch is about, and who said it.',
  split: 'train',
  sample(desk, random) {
    const it = anyPatch(desk, random);
    const own = desk.threads.filter(({ patch }) => patch === it.id);
    if (own.length < 2) return null;
    return { id: it.id, no: it.no, title: it.title, thread: random.pick(own).id };
  },
  setup(draft, { id, thread }) {
    need(draft.patches, id, 'patch').where = 'open';
    for (const it of draft.threads) if (it.patch === id) it.settled = it.id !== thread;
  },
  instruction: ({ no, title }, random) =>
    random.pick([
      `What does the unsettled thread of #${no} say? Quote the remark.`,
      `"${title}" (#${no}) is blocked by one thread that nobody settled. What is the remark in it?`,
      `Quote the remark that is still open on #${no}.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ thread }, { threads }) => need(threads, thread, 'thread').says,
  shown: ({ ui }, { id }) => ui.patch === id && ui.face === 'talk',
});

const reopen = template('open-again', {
  about: 'Open a shelved patch again and ask a reviewer.',
  split: 'train',
  sample(desk, random) {
    const it = anyPatch(desk, random);
    const old = find(desk.patches, it.id)?.reviewer;
    return { ...it, reviewer: random.pick(crew.filter(one => one !== old && one !== it.author)) };
  },
  setup: (draft, { id }) => void (need(draft.patches, id, 'patch').where = 'shelved'),
  instruction: ({ no, title, reviewer }, random) =>
    random.pick([
      `Open #${no} again and have ${reviewer} review it.`,
      `We shelved "${title}" (#${no}) too early. Bring it back, with ${reviewer} as reviewer.`,
      `#${no} was shelved. Undo that; reviewer: ${reviewer}`,
    ]),
  checks: ({ id, reviewer }) => [
    { name: 'it is open', test: final => find(final.patches, id)?.where === 'open' },
    { name: 'the reviewer is asked', test: final => find(final.patches, id)?.reviewer === reviewer },
  ],
  allow: ({ id }) => [`/patches/${id}/where`, `/patches/${id}/reviewer`],
});

const deeds = ['Fix', 'Speed up', 'Rename', 'Document', 'Drop'];
const objects = [
  'the tile cache',
  'tile decoding',
  'the login page',
  'login errors',
  'config loading',
  'the config cache',
];
const phrases = [
  'needs a test',
  'name is unclear',
  'why is this public?',
  'this could overflow',
  'does it work on Windows?',
  'unwrap will panic here',
  'please split the function',
  'old comment is wrong now',
  'use the helper instead',
  'log line is too loud',
];

export const app = defineApp({
  id: 'merge-desk',
  title: 'Merge desk',
  about: 'A queue of patches to review in several repositories: threads, verdicts, landing.',
  state,
  init(random) {
    const titles = random.sample(
      deeds.flatMap(deed => objects.map(it => `${deed} ${it}`)),
      24,
    );
    const sizes = random.sample(
      Array.from({ length: 90 }, (_, index) => 5 + index * 11),
      24,
    );
    const patches = titles.map((title, index) => {
      const [author, reviewer] = random.sample(crew, 2) as [string, string];
      return {
        id: `p${index + 1}`,
        no: 880 - index * 2 - random.between(0, 1),
        title,
        repo: repos[index % 4] ?? '',
        author,
        reviewer,
        verdict: random.pick(verdicts),
        lines: sizes[index] ?? 1,
        build: random.pick(['green', 'green', 'red', 'running']),
        where: random.pick(['open', 'open', 'open', 'landed', 'shelved']),
        draft: random.chance(0.15),
      };
    });
    const threads = patches.flatMap(({ id }) =>
      random.sample(phrases, random.between(1, 3)).map(says => ({ patch: id, says })),
    );
    return {
      patches,
      threads: threads.map((it, index) => ({
        id: `t${index + 1}`,
        ...it,
        file: random.pick(files),
        by: random.pick(crew),
        settled: random.chance(0.5),
      })),
      ui: { queue: 'open', repo: 'all repositories', leaf: 1, patch: '', face: 'talk', file: '', says: '', note: '' },
    };
  },
  commands: [judge, ask, ready, land, shelve, settle, remark, look, choose, inRepo, leaf, openPatch, pen],
  view: desk =>
    page('Merge desk', [
      navigation(
        'Queues',
        ['open', 'landed', 'shelved'].map(it =>
          link(it, choose.with({ queue: it }), desk.ui.queue === it ? ['selected'] : []),
        ),
      ),
      desk.ui.note !== '' && status(desk.ui.note),
      desk.ui.patch === '' ? queueView(desk) : patchView(desk),
    ]),
  templates: [verdict, draftVerdict, landIt, unblock, comment, biggest, whoRaised, reopen],
  onRefusal(draft, message) {
    draft.ui.note = message;
  },
});

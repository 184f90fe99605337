import {
  added,
  alert,
  appKit,
  button,
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
  radio,
  refuse,
  region,
  status,
  switchButton,
  tab,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

// The obituaries desk of a newspaper: notices from families in threads, obituaries in the drawer, and the page plan.
const editions = ['Thursday', 'Friday', 'Saturday', 'Monday'];
const columns = ['one column', 'two columns', 'half page'];
const writers = ['Hester Blom', 'Esther Bloom', 'Gil Marr', 'Gilda Marrow', 'Tove Ask'];
const trades = ['botanist', 'conductor', 'judge', 'trapeze artist', 'baker', 'goalkeeper', 'poet', 'surveyor'];

const piece = z.object({
  id: z.string(),
  name: z.string(),
  trade: z.string(),
  age: z.int(),
  writer: z.string(),
  edition: z.string().nullable(),
  width: z.string(),
  checked: z.boolean(),
  portrait: z.boolean(),
  editing: z.string().nullable(),
});
const notice = z.object({
  id: z.string(),
  name: z.string(),
  from: z.string(),
  lines: z.array(z.string()),
  answered: z.string(),
});
const state = z.object({
  pieces: z.array(piece),
  notices: z.array(notice),
  corrections: z.array(z.object({ id: z.string(), name: z.string(), says: z.string(), edition: z.string() })),
  ui: z.object({
    desk: z.enum(['coat', 'drawer', 'plan', 'families', 'corrections']),
    letter: z.string(),
    edition: z.string(),
    piece: z.string().nullable(),
    leaf: z.enum(['About', 'Layout', 'Proof']),
    notice: z.string().nullable(),
    reply: z.string(),
    name: z.string(),
    says: z.string(),
    slot: z.string(),
    whisper: z.string(),
  }),
});
type Desk = z.infer<typeof state>;
type Piece = z.infer<typeof piece>;
const { command, gesture, query, template } = appKit(state);

const editable = (draft: Desk, id: string) => {
  const wanted = need(draft.pieces, id, 'piece');
  if (wanted.editing !== null) refuse(`${wanted.editing} has this piece open.`);
  return wanted;
};
const plan = command('plan_piece', {
  about: 'Plan an obituary that is checked for an edition, or put it back into the drawer.',
  input: z.object({ id: z.string(), edition: z.string().nullable() }),
  run(draft, { id, edition }) {
    const wanted = editable(draft, id);
    if (edition !== null && !wanted.checked) refuse('Facts are not checked yet.');
    wanted.edition = edition;
    draft.ui.whisper = '';
  },
});
const setWidth = command('set_width', {
  about: 'Say how wide an obituary is set.',
  input: z.object({ id: z.string(), width: z.string() }),
  run(draft, { id, width }) {
    editable(draft, id).width = width;
    draft.ui.whisper = '';
  },
});
const setPortrait = command('set_portrait', {
  about: 'Run an obituary with a portrait, or without.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    editable(draft, id).portrait = on;
  },
});
const setChecked = command('set_checked', {
  about: 'Say whether the facts of an obituary are checked.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    editable(draft, id).checked = on;
    draft.ui.whisper = '';
  },
});
const giveTo = command('give_to_writer', {
  about: 'Give an obituary to a writer.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    editable(draft, id).writer = value;
    draft.ui.whisper = '';
  },
});
const takeAway = command('close_for_editor', {
  about: 'Close a piece that somebody left open.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.pieces, id, 'piece').editing = null;
    draft.ui.whisper = '';
  },
});
const answer = command('answer_family', {
  about: 'Answer the letter of a family.',
  input: z.object({ id: z.string(), reply: z.string().trim().min(3, 'Write something.') }),
  run(draft, { id, reply }) {
    need(draft.notices, id, 'letter').answered = reply;
    draft.ui.reply = '';
  },
});
const correct = command('print_correction', {
  about: 'Print a correction to an obituary in an edition.',
  input: z.object({ name: z.string(), says: z.string().trim().min(3, 'What does it say?'), edition: z.string() }),
  run(draft, { name, says, edition }) {
    if (draft.pieces.every(item => item.name !== name)) refuse('About whom?');
    if (!editions.includes(edition)) refuse('In which edition?');
    draft.corrections.push({ id: nextId(draft.corrections, 'c'), name, says, edition });
    Object.assign(draft.ui, { name: '', says: '', slot: '', whisper: '' });
  },
});
const readDesk = query('read_desk', {
  about: 'Obituaries and letters about people whose name contains a text.',
  input: z.object({ text: z.string() }),
  run: ({ pieces, notices }, input) => ({
    pieces: pieces.filter(item => item.name.includes(input.text)),
    letters: notices.filter(item => item.name.includes(input.text)),
  }),
});
const sit = gesture('sit_at', {
  about: 'Sit down at another part of the desk.',
  input: z.object({ desk: z.enum(['coat', 'drawer', 'plan', 'families', 'corrections']) }),
  run(draft, { desk }) {
    Object.assign(draft.ui, {
      desk,
      letter: '',
      edition: '',
      piece: null,
      notice: null,
      reply: '',
      name: '',
      says: '',
      slot: '',
      whisper: '',
    });
  },
});
const pullOut = gesture('pull_out', {
  about: 'Pull out a letter of the drawer, or an edition of the plan.',
  input: z.object({ letter: z.string(), edition: z.string() }),
  run(draft, where) {
    Object.assign(draft.ui, { ...where, piece: null });
  },
});
const openPiece = gesture('open_piece', {
  about: 'Open an obituary, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { piece: id, leaf: 'About', whisper: '' });
  },
});
const turnLeaf = gesture('turn_leaf', {
  about: 'Turn to another leaf of an obituary.',
  input: z.object({ leaf: z.enum(['About', 'Layout', 'Proof']) }),
  run(draft, { leaf }) {
    Object.assign(draft.ui, { leaf, whisper: '' });
  },
});
const openNotice = gesture('open_letter', {
  about: 'Open the letter of a family.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { notice: id, reply: '' });
  },
});
const note = gesture('note_down', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['reply', 'name', 'says', 'slot']), value: z.string().max(80) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function pieceView({ ui }: Desk, open: Piece) {
  const { id } = open;
  return region('Obituary', [
    heading(`${open.name}, ${open.trade}`),
    open.editing !== null && status(`Left open by ${open.editing}`),
    open.editing !== null && button(`Close it for ${open.editing}`, takeAway.with({ id })),
    toolbar(
      'Leaves',
      (['About', 'Layout', 'Proof'] as const).map(leaf =>
        tab(leaf, turnLeaf.with({ leaf }), leaf === ui.leaf ? ['selected'] : undefined),
      ),
    ),
    ui.leaf === 'About' && text(`Aged ${open.age}`),
    ui.leaf === 'About' && combobox('Written by', open.writer, { enter: giveTo.entering({ id }), options: writers }),
    ui.leaf === 'Proof' && switchButton('Facts checked', open.checked, setChecked.with({ id, on: !open.checked })),
    ...(ui.leaf === 'Proof'
      ? editions.map(day => radio(`Runs ${day}`, open.edition === day, plan.with({ id, edition: day })))
      : []),
    ui.leaf === 'Proof' && radio('Stays in drawer', open.edition === null, plan.with({ id, edition: null })),
    ...(ui.leaf === 'Layout'
      ? columns.map(width => radio(width, open.width === width, setWidth.with({ id, width })))
      : []),
    ui.leaf === 'Layout' && text(open.portrait ? 'With portrait' : 'No portrait'),
    button('Put away', openPiece.with({ id: null })),
  ]);
}

const surname = (name: string) => name.split(' ').at(-1) ?? '';

function deskView(desk: Desk) {
  const { pieces, notices, corrections, ui } = desk;
  const open = find(pieces, ui.piece ?? '');
  if (open !== undefined) return pieceView(desk, open);
  if (ui.desk === 'drawer') {
    const letters = [...new Set(pieces.map(item => surname(item.name)[0] ?? ''))].sort();
    return region('Drawer', [
      toolbar(
        'Letters',
        letters.map(letter => button(`Under ${letter}`, pullOut.with({ letter, edition: '' }))),
      ),
      ui.letter !== '' &&
        list(
          `Under ${ui.letter}`,
          pieces
            .filter(item => surname(item.name).startsWith(ui.letter))
            .map(item =>
              listItem(item.name, [
                link(item.name, openPiece.with({ id: item.id })),
                text(`${item.trade}, ${item.age}`),
              ]),
            ),
        ),
    ]);
  }
  if (ui.desk === 'plan')
    return region('Page plan', [
      ...editions.map(day =>
        tab(day, pullOut.with({ letter: '', edition: day }), day === ui.edition ? ['selected'] : undefined),
      ),
      ui.edition !== '' &&
        list(
          `${ui.edition} page`,
          pieces
            .filter(item => item.edition === ui.edition)
            .map(item =>
              listItem(item.name, [
                link(item.name, openPiece.with({ id: item.id })),
                text(`${item.writer}, aged ${item.age}`),
                text(item.width),
                switchButton(
                  `Portrait, ${item.name}`,
                  item.portrait,
                  setPortrait.with({ id: item.id, on: !item.portrait }),
                ),
              ]),
            ),
        ),
    ]);
  if (ui.desk === 'families') {
    const letter = find(notices, ui.notice ?? '');
    if (letter === undefined)
      return list(
        'Letters from families',
        notices.map(item => link(`About ${item.name}, from ${item.from}`, openNotice.with({ id: item.id }))),
      );
    return region('Letter', [
      heading(`About ${letter.name}`),
      ...letter.lines.map(line => text(line)),
      letter.answered !== '' && text(`We answered: ${letter.answered}`),
      textbox('Our answer', ui.reply, { enter: note.entering({ field: 'reply' }) }),
      button('Send with condolences', answer.with({ id: letter.id, reply: ui.reply })),
      button('Other letters', openNotice.with({ id: null })),
    ]);
  }
  if (ui.desk === 'coat') return text('The kettle is on.');
  const { name, says, slot } = ui;
  return region('Corrections', [
    ...corrections.map(item => text(`${item.edition}: ${item.name}, ${item.says}`)),
    form('Correction', [
      combobox('About whom', name, { enter: note.entering({ field: 'name' }), options: pieces.map(item => item.name) }),
      textbox('Wording', says, { enter: note.entering({ field: 'says' }) }),
      combobox('Edition', slot, { enter: note.entering({ field: 'slot' }), options: editions }),
      button('Send to print', correct.with({ name, says, edition: slot })),
    ]),
  ]);
}

const free = (draft: Desk, id: string, more: Partial<Piece> = {}) =>
  Object.assign(need(draft.pieces, id, 'piece'), { editing: null, ...more });

const widen = template('set-width', {
  about: 'Set an obituary in another width; somebody may have left it open.',
  split: 'train',
  sample({ pieces }, random) {
    const { id, name, width } = random.pick(pieces);
    return {
      id,
      name,
      width: random.pick(columns.filter(item => item !== width)),
      by: random.chance(0.5) ? random.pick(writers) : null,
    };
  },
  setup: (draft, { id, by }) => void free(draft, id, { editing: by }),
  instruction: ({ name, width, by }, random) =>
    by === null
      ? random.pick([
          `${name}: ${width}.`,
          `The obituary of ${name} is set in ${width} now.`,
          `Layout wants ${width} for ${name}.`,
        ])
      : random.pick([
          `${name}: ${width}. ${by} has gone home, so close the piece for them if need be.`,
          `Set ${name} in ${width}. If it is still open at ${by}'s desk, you may close it.`,
        ]),
  checks: ({ id, width }) => [
    { name: 'nobody has it open', test: ({ pieces }) => find(pieces, id)?.editing === null },
    { name: `set in ${width}`, test: ({ pieces }) => find(pieces, id)?.width === width },
  ],
  allow: ({ id, by }) => [`/pieces/${id}/width`, ...(by === null ? [] : [`/pieces/${id}/editing`])],
});

const runIt = template('plan-unchecked', {
  about: 'Plan an obituary for an edition after its facts were checked.',
  split: 'train',
  sample({ pieces }, random) {
    const { id, name, trade } = random.pick(pieces);
    return { id, name, trade, day: random.pick(editions) };
  },
  setup: (draft, { id }) => void free(draft, id, { checked: false, edition: null }),
  instruction: ({ name, trade, day }, random) =>
    random.pick([
      `${name} runs ${day}. The facts have been checked by phone.`,
      `The ${trade} ${name} has died. We print the obituary on ${day}; I have gone over the facts, they are right.`,
      `Take ${name} out of the drawer for ${day}, facts are checked as of now.`,
    ]),
  checks: ({ id, day }) => [
    { name: 'the facts are checked', test: ({ pieces }) => find(pieces, id)?.checked === true },
    { name: `it runs ${day}`, test: ({ pieces }) => find(pieces, id)?.edition === day },
  ],
  allow: ({ id }) => [`/pieces/${id}/checked`, `/pieces/${id}/edition`],
});

const portraits = template('portraits-off', {
  about: 'Run the pieces of one writer in an edition without portraits.',
  split: 'train',
  sample({ pieces }, random) {
    const day = random.pick(editions);
    const [writer, other] = random.sample(writers, 2) as [string, string];
    const ids = random.sample(pieces, 4).map(({ id }) => id);
    return { day, writer, other, on: random.chance(0.5), ids: ids.slice(0, 2), near: ids[2] ?? '', far: ids[3] ?? '' };
  },
  setup(draft, { day, writer, other, on, ids, near, far }) {
    for (const item of draft.pieces) {
      if (ids.includes(item.id)) Object.assign(item, { edition: day, writer, portrait: !on, editing: null });
      else if (item.id === near) Object.assign(item, { edition: day, writer: other, portrait: !on });
      else if (item.id === far) Object.assign(item, { edition: null, writer, portrait: !on });
      else if (item.edition === day && item.writer === writer) item.writer = other;
    }
  },
  instruction: ({ day, writer, on }, random) =>
    random.pick([
      `${day} page: everything by ${writer} runs ${on ? 'with' : 'without'} a portrait.`,
      `${writer} asks that their pieces on the ${day} page go ${on ? 'with' : 'without'} a portrait. Pieces of others, or of theirs in the drawer, are not meant.`,
      `Switch the portrait ${on ? 'on' : 'off'} for what ${writer} has written for ${day}.`,
    ]),
  checks: ({ ids, on }) =>
    ids.map(id => ({ name: `${id} is right`, test: ({ pieces }) => find(pieces, id)?.portrait === on })),
  allow: ({ ids }) => ids.map(id => `/pieces/${id}/portrait`),
});

const correction = template('print-correction', {
  about: 'Print a correction.',
  split: 'train',
  sample: ({ pieces }, random) => ({
    name: random.pick(pieces).name,
    says: random.pick(['was born in Lund', 'had two sisters', 'never lived abroad', 'retired in 1998', 'kept bees']),
    day: random.pick(editions),
  }),
  instruction: ({ name, says, day }, random) =>
    random.pick([
      `Correction for ${day}: ${name} "${says}".`,
      `We got something wrong about ${name}. Print a correction with the wording "${says}" on ${day}.`,
      `The family of ${name} complained. ${day}'s paper has to say: ${says}.`,
    ]),
  checks: ({ name, says, day }) => [
    {
      name: 'one correction goes to print',
      test(final, initial) {
        const [made, ...more] = added(initial.corrections, final.corrections);
        return more.length === 0 && made?.name === name && made.says === says && made.edition === day;
      },
    },
  ],
  allow: () => ['/corrections/+'],
});

const condole = template('answer-family', {
  about: 'Answer the letter of a family.',
  split: 'train',
  sample({ notices }, random) {
    const { id, name, from } = random.pick(notices);
    return {
      id,
      name,
      from,
      reply: random.pick([
        'We will print it on Friday.',
        'Please send a photograph.',
        'We are so sorry.',
        'May we ring you?',
      ]),
    };
  },
  instruction: ({ name, from, reply }, random) =>
    random.pick([
      `Answer ${from} about ${name}: "${reply}"`,
      `${from} wrote to us about ${name}. Our answer: "${reply}"`,
      `Send "${reply}" to ${from} (the letter about ${name}).`,
    ]),
  checks: ({ id, reply }) => [
    { name: 'the answer was sent', test: ({ notices }) => find(notices, id)?.answered === reply },
  ],
  allow: ({ id }) => [`/notices/${id}/answered`],
});

const eldest = template('oldest-on-page', {
  about: 'Say who on the page of an edition lived longest.',
  split: 'train',
  sample({ pieces }, random) {
    const { id } = random.pick(pieces);
    return { id, day: random.pick(editions), age: random.between(101, 107) };
  },
  setup(draft, { id, day, age }) {
    Object.assign(need(draft.pieces, id, 'piece'), { edition: day, age, checked: true });
  },
  instruction: ({ day }, random) =>
    random.pick([
      `Who on the ${day} page lived longest?`,
      `For the headline: of the people on ${day}'s page, whose age is the highest? Name only.`,
      `Tell me the oldest person among those we run on ${day}.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { pieces }) => need(pieces, id, 'piece').name,
  shown: ({ ui }, { day }) => ui.desk === 'plan' && ui.edition === day && ui.piece === null,
});

const reassign = template('give-to-writer', {
  about: 'Give a piece to a writer; impossible while another has it open.',
  split: 'train',
  kind: 'infeasible',
  sample({ pieces }, random) {
    const { id, name, writer } = random.pick(pieces);
    const [to, busy] = random.sample(
      writers.filter(item => item !== writer),
      2,
    ) as [string, string];
    return { id, name, to, busy, can: random.chance(0.5) };
  },
  isTwin: ({ can }) => can,
  setup: (draft, { id, busy, can }) => void free(draft, id, { editing: can ? null : busy }),
  instruction: ({ name, to }, random) =>
    random.pick([
      `Give ${name} to ${to}. Don't close it on anyone who is working on it, though.`,
      `${to} takes over the obituary of ${name}, provided that nobody has it open; no one is to be thrown out.`,
      `${name} should be written by ${to}. Never close other people's open pieces.`,
    ]),
  checks: ({ id, to, can }) => [
    { name: `${to} writes it`, test: ({ pieces }) => can && find(pieces, id)?.writer === to },
  ],
  allow: ({ id, can }) => (can ? [`/pieces/${id}/writer`] : []),
  shown: ({ ui }, { id }) => ui.piece === id,
});

const firsts = ['Alma', 'Almut', 'Bertil', 'Berta', 'Cosmo', 'Cosima', 'Dag', 'Dagny'];
const lasts = ['Hallberg', 'Halder', 'Nystrom', 'Nyland', 'Rask', 'Rosen'];

export const app = defineApp({
  id: 'obituaries',
  title: 'Obituaries desk',
  about: 'The obituaries desk of a newspaper: drawer, page plan, letters and corrections.',
  state,
  init(random): Desk {
    const names = random.sample(
      firsts.flatMap(first => lasts.map(last => `${first} ${last}`)),
      30,
    );
    return {
      pieces: names.map((name, index) => {
        const checked = random.chance(0.6);
        return {
          id: `o${index + 1}`,
          name,
          trade: random.pick(trades),
          age: random.between(48, 99),
          writer: random.pick(writers),
          edition: checked && random.chance(0.7) ? random.pick(editions) : null,
          width: random.pick(columns),
          checked,
          portrait: random.chance(0.5),
          editing: random.chance(0.15) ? random.pick(writers) : null,
        };
      }),
      notices: random.sample(names, 12).map((name, index) => ({
        id: `l${index + 1}`,
        name,
        from: `${random.pick(['daughter', 'son', 'nephew', 'neighbour'])} ${random.pick(firsts)}`,
        lines: ['We would like you to write about our dear one.', `The service is on ${random.pick(editions)}.`],
        answered: '',
      })),
      corrections: [],
      ui: {
        desk: 'coat',
        letter: '',
        edition: '',
        piece: null,
        leaf: 'About',
        notice: null,
        reply: '',
        name: '',
        says: '',
        slot: '',
        whisper: '',
      },
    };
  },
  commands: [
    plan,
    setWidth,
    setPortrait,
    setChecked,
    giveTo,
    takeAway,
    answer,
    correct,
    readDesk,
    sit,
    pullOut,
    openPiece,
    turnLeaf,
    openNotice,
    note,
  ],
  view(desk) {
    const { whisper } = desk.ui;
    return page('Obituaries desk', [
      navigation('Desk', [
        button('Drawer', sit.with({ desk: 'drawer' })),
        button('Page plan', sit.with({ desk: 'plan' })),
        button('Families', sit.with({ desk: 'families' })),
        button('We got it wrong', sit.with({ desk: 'corrections' })),
      ]),
      whisper !== '' && alert(whisper),
      deskView(desk),
    ]);
  },
  templates: [widen, runIt, portraits, correction, condole, eldest, reassign],
  onRefusal(draft, message) {
    draft.ui.whisper = message;
  },
});

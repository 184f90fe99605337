// A document editor: the outline of a manual on the left, the open section with its text, remarks and proposed changes.
import {
  added,
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
  find,
  heading,
  list,
  listItem,
  menu,
  menuItem,
} from 'espalier';
import { need, nextId, page, refuse, region, remove, status, text, textbox, z } from 'espalier';

const phases = ['outline', 'draft', 'in review', 'final'] as const;
const section = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  phase: z.enum(phases),
  editor: z.string(),
  print: z.boolean(),
});
const remark = z.object({
  id: z.string(),
  section: z.string(),
  by: z.string(),
  says: z.string(),
  settled: z.boolean(),
});
const state = z.object({
  sections: z.array(section),
  remarks: z.array(remark),
  ui: z.object({ open: z.string(), mode: z.enum(['read', 'retitle', 'remark']), typed: z.string(), bar: z.string() }),
});
type Manual = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const reading = { mode: 'read' as const, typed: '' };

const retitle = command('retitle_section', {
  about: 'Give a section another title.',
  input: z.object({ id: z.string(), title: z.string().trim().min(1, 'a title, please') }),
  run(draft, { id, title }) {
    need(draft.sections, id, 'section').title = title;
    Object.assign(draft.ui, reading, { bar: 'Title changed' });
  },
});
const setPhase = command('set_phase', {
  about: 'Set the phase of a section.',
  input: z.object({ id: z.string(), value: z.enum(phases) }),
  run: (draft, { id, value }) => void Object.assign(need(draft.sections, id, 'section'), { phase: value }),
});
const hand = command('hand_over', {
  about: 'Hand a section over to an editor.',
  input: z.object({ id: z.string(), value: z.string() }),
  run: (draft, { id, value }) => void Object.assign(need(draft.sections, id, 'section'), { editor: value }),
});
const inPrint = command('include_in_print', {
  about: 'Include a section in the printed edition, or leave it out.',
  input: z.object({ id: z.string(), print: z.boolean() }),
  run: (draft, { id, print }) => void Object.assign(need(draft.sections, id, 'section'), { print }),
});
const settle = command('settle_remark', {
  about: 'Settle a remark.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void Object.assign(need(draft.remarks, id, 'remark'), { settled: true }),
});
const strike = command('strike_remark', {
  about: 'Strike a remark out.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void remove(draft.remarks, id),
});
const comment = command('add_remark', {
  about: 'Leave a remark on a section.',
  input: z.object({ section: z.string(), says: z.string().trim().min(1, 'say something') }),
  run(draft, input) {
    if (find(draft.sections, input.section) === undefined) refuse('Open a section first.');
    draft.remarks.push({ id: nextId(draft.remarks, 'q'), ...input, by: 'you', settled: false });
    Object.assign(draft.ui, reading, { bar: 'Remark left' });
  },
});
const outline = query('read_outline', {
  about: 'Read the outline.',
  input: z.object({}),
  run: ({ sections }) => sections,
});
const open = gesture('open_section', {
  about: 'Open a section.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void Object.assign(draft.ui, reading, { open: id, bar: '' }),
});
const mode = gesture('switch_mode', {
  about: 'Read, retitle or remark.',
  input: z.object({ mode: z.enum(['read', 'retitle', 'remark']) }),
  run: (draft, input) => void Object.assign(draft.ui, reading, input, { bar: '' }),
});
const type = gesture('type_text', {
  about: 'Type.',
  input: z.object({ value: z.string().max(90) }),
  run: (draft, { value }) => void Object.assign(draft.ui, { typed: value }),
});

function desk({ remarks, ui }: Manual, { id, title, body, phase, editor, print }: z.infer<typeof section>) {
  const said = remarks.filter(it => it.section === id);
  return region('Page', [
    heading(title),
    menu('Section', [
      menuItem('Retitle', mode.with({ mode: 'retitle' })),
      menuItem('Leave a remark', mode.with({ mode: 'remark' })),
    ]),
    ui.mode !== 'read' &&
      textbox(ui.mode === 'retitle' ? 'New title' : 'Your remark', ui.typed, { enter: type.entering({}) }),
    ui.mode === 'retitle' && button('Apply title', retitle.with({ id, title: ui.typed })),
    ui.mode === 'remark' && button('Post remark', comment.with({ section: id, says: ui.typed })),
    ui.mode !== 'read' && button('Discard', mode.with({ mode: 'read' })),
    ui.mode === 'read' && text(body),
    combobox('Phase', phase, { enter: setPhase.entering({ id }), options: [...phases] }),
    combobox('Editor', editor, { enter: hand.entering({ id }), options: editors }),
    checkbox('Goes into print', print, inPrint.with({ id, print: !print })),
    list(
      'In the margin',
      said.map(it =>
        listItem(`${it.by}: ${it.says}${it.settled ? ' ✓' : ''}`, [
          !it.settled && button(`Settle what ${it.by} says`, settle.with({ id: it.id })),
          button(`Strike what ${it.by} says`, strike.with({ id: it.id })),
        ]),
      ),
    ),
  ]);
}

const editors = 'Agathe|Bruno|Celeste|Dmitri|Enya|Florian'.split('|');
const gripes = (
  'a picture would help here|this contradicts the safety notes|wrong voltage?|too long for one page|' +
  'please check the units|who wrote this|the link is dead|add a table|spelling of the brand|the order of steps is off'
).split('|');
const topics = (
  'Unpacking|First start|Cleaning the filter|Descaling|Noises and smells|Spare parts|Warranty|Child lock|' +
  'Timer|Energy use|Recycling|Error lights|Mounting on a wall|Travel case|Glossary|Contact'
).split('|');
const titles =
  'Before you begin|Everyday care|When things go wrong|Quick reference|Hints from the workshop|Fine print'.split('|');
const say = (turn: number, ...forms: string[]): string => forms[turn % forms.length] ?? '';

const rename = template('retitle-section', {
  about: 'Give a section another title.',
  split: 'train',
  sample: ({ sections }, random) => ({ ...random.pick(sections), to: random.pick(titles), turn: random.between(0, 5) }),
  instruction: ({ title, to, turn }) =>
    say(
      turn,
      `Retitle "${title}" as "${to}".`,
      `The heading "${title}" sounds dull. Make it "${to}".`,
      `Section ${title}: new title ${to}`,
      `Could you please call the section about "${title}" "${to}" instead?`,
      `Marketing would like to read "${to}" where the manual now has "${title}".`,
      `To match the website, the section "${title}" must carry the heading "${to}".`,
    ),
  checks: ({ id, to }) => [{ name: `its title is ${to}`, test: end => find(end.sections, id)?.title === to }],
  allow: ({ id }) => [`/sections/${id}/title`],
});

const settleOne = template('settle-remark', {
  about: 'Settle the remark of a person on a section.',
  split: 'train',
  sample({ sections, remarks }, random) {
    const { id, section: of, by } = random.pick(remarks);
    return { id, by, title: find(sections, of)?.title ?? '', turn: random.between(0, 5) };
  },
  setup: (draft, { id }) => void Object.assign(need(draft.remarks, id, 'remark'), { settled: false }),
  instruction: ({ by, title, turn }) =>
    say(
      turn,
      `Settle ${by}'s remark on "${title}".`,
      `I have dealt with what ${by} noted in the margin of "${title}", so it can be settled.`,
      `${title} / ${by}: settled`,
      `What ${by} says about "${title}" is sorted out. Tick it off, please.`,
      `${by} left something beside "${title}". Mark it as settled, but keep it.`,
      `Would you settle the open point of ${by} in the section "${title}"?`,
    ),
  checks: ({ id }) => [{ name: 'the remark is settled', test: end => find(end.remarks, id)?.settled === true }],
  allow: ({ id }) => [`/remarks/${id}/settled`],
});

const leave = template('leave-remark', {
  about: 'Leave a remark on a section.',
  split: 'train',
  sample({ sections }, random) {
    const { id, title } = random.pick(sections);
    return { id, title, says: random.pick(gripes), turn: random.between(0, 5) };
  },
  instruction: ({ title, says, turn }) =>
    say(
      turn,
      `Leave a remark on "${title}": ${says}`,
      `Put "${says}" into the margin of the section "${title}".`,
      `I'm reading "${title}" on paper, so please note for me: "${says}".`,
      `Comment for ${title}: "${says}"`,
      `Could you tell whoever edits "${title}" in a remark: "${says}"?`,
      `Before I forget it, there should be a remark "${says}" at "${title}".`,
    ),
  checks: ({ id, says }) => [
    {
      name: 'one such remark was left',
      test(end, start) {
        const [made, ...more] = added(start.remarks, end.remarks);
        return more.length === 0 && made?.section === id && made.says === says && made.by === 'you' && !made.settled;
      },
    },
  ],
  allow: () => ['/remarks/+'],
});

const finishPrint = template('final-and-print', {
  about: 'Make a section final and put it into print.',
  split: 'train',
  sample({ sections }, random) {
    const { id, title } = random.pick(sections);
    return { id, title, turn: random.between(0, 5) };
  },
  setup: (draft, { id }) => void Object.assign(need(draft.sections, id, 'section'), { phase: 'draft', print: false }),
  instruction: ({ title, turn }) =>
    say(
      turn,
      `"${title}" is final and goes into print.`,
      `Set "${title}" to final, then tick that it is printed.`,
      `Good news, "${title}" is done: phase final, and it should be in the printed edition as well.`,
      `${title} → final, + print`,
      `The printer is waiting for "${title}". Make it final and include it.`,
      `Please include "${title}" in print. Its phase has to be final for that.`,
    ),
  checks: ({ id }) => [
    { name: 'it is final', test: end => find(end.sections, id)?.phase === 'final' },
    { name: 'it is printed', test: end => find(end.sections, id)?.print === true },
  ],
  allow: ({ id }) => [`/sections/${id}/phase`, `/sections/${id}/print`],
});

const sameEditor = template('same-editor', {
  about: 'Hand a section to the editor of another one.',
  split: 'train',
  sample({ sections }, random) {
    const [one, two] = random.sample(sections, 2);
    if (one === undefined || two === undefined || one.editor === two.editor) return null;
    return { id: one.id, title: one.title, like: two.title, editor: two.editor, turn: random.between(0, 5) };
  },
  instruction: ({ title, like, turn }) =>
    say(
      turn,
      `Hand "${title}" to the editor of "${like}".`,
      `"${title}" and "${like}" belong together, so whoever edits the latter should also get the former.`,
      `Who looks after "${like}"? Let them do "${title}" too.`,
      `${title}: same editor as ${like}`,
      `Please find out who has "${like}" and make that person editor of "${title}".`,
      `I'd like one voice in both, so give "${title}" to the person in charge of "${like}".`,
    ),
  checks: ({ id, editor }) => [{ name: `${editor} edits it`, test: end => find(end.sections, id)?.editor === editor }],
  allow: ({ id }) => [`/sections/${id}/editor`],
});

export const app = defineApp({
  id: 'manuscript',
  title: 'Manual in the making',
  about: 'An editor for a manual that several people write.',
  state,
  init(random) {
    const sections = random.sample(topics, 11).map((title, at) => ({
      id: `c${at + 1}`,
      title,
      body: `Text on ${title.toLowerCase()}, ${random.between(120, 900)} words.`,
      phase: random.pick(phases),
      editor: random.pick(editors),
      print: random.chance(0.5),
    }));
    const remarks = sections.flatMap(({ id }) =>
      random.sample(editors, random.between(0, 2)).map(by => ({ section: id, by })),
    );
    return {
      sections,
      remarks: remarks.map((it, at) => ({
        id: `q${at + 1}`,
        ...it,
        says: random.pick(gripes),
        settled: random.chance(0.3),
      })),
      ui: { open: '', bar: '', ...reading },
    };
  },
  commands: [retitle, setPhase, hand, inPrint, settle, strike, comment, outline, open, mode, type],
  view(it) {
    const opened = find(it.sections, it.ui.open);
    return page('Manual in the making', [
      region(
        'Outline',
        it.sections.map(({ id, title }, at) =>
          button(`${at + 1}. ${title}`, open.with({ id }), id === it.ui.open ? ['selected'] : []),
        ),
      ),
      it.ui.bar !== '' && status(it.ui.bar),
      opened === undefined ? text('Choose a section in the outline.') : desk(it, opened),
    ]);
  },
  templates: [rename, settleOne, leave, finishPrint, sameEditor],
  onRefusal: (draft, message) => void Object.assign(draft.ui, { bar: message }),
});

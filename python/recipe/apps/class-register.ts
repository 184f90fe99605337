// A teacher's register: who is here today, marks of the last test, and a file for each pupil.
import { alert, appKit, button, cell, combobox, defineApp, dialog, find, heading, link, need, page } from 'espalier';
import { row, status, switchButton, tab, table, text, textbox, toolbar, z } from 'espalier';

const str = z.string();
const groups = ['Red', 'Blue', 'Green', 'Yellow'];
const file = { parent: str, phone: str, remark: str };
const pupil = z.object({ id: str, name: str, here: z.boolean(), mark: z.int(), group: z.enum(groups), ...file });
const state = z.object({
  pupils: z.array(pupil),
  ui: z.object({ tab: str, open: str, editing: str, typed: str, notice: str, saw: z.boolean(), knew: z.boolean() }),
});
type Register = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const byId = z.object({ id: str });

const roll = command('toggle_presence', {
  about: 'Mark a pupil as here or as missing today.',
  input: byId,
  run: (draft, { id }) => void (need(draft.pupils, id, 'pupil').here = !find(draft.pupils, id)?.here),
});
const grade = command('set_mark', {
  about: 'Set the points of a pupil in the last test.',
  input: z.object({ id: str, points: z.string().regex(/^\d{1,2}$/, 'points are a number up to 99') }),
  run(draft, { id, points }) {
    need(draft.pupils, id, 'pupil').mark = Number(points);
    Object.assign(draft.ui, { editing: '', typed: '', notice: 'Points corrected.' });
  },
});
const regroup = command('change_group', {
  about: 'Put a pupil into another group.',
  input: z.object({ id: str, value: z.enum(groups) }),
  run: (draft, { id, value }) => void (need(draft.pupils, id, 'pupil').group = value),
});
const remark = command('write_remark', {
  about: 'Write a remark into the file of a pupil.',
  input: z.object({ id: str, words: z.string().trim().min(1, 'the remark is empty') }),
  run(draft, { id, words }) {
    need(draft.pupils, id, 'pupil').remark = words;
    Object.assign(draft.ui, { editing: '', typed: '', notice: 'Remark saved.', knew: draft.ui.saw });
  },
});
const pupils = query('list', { about: 'Read everything.', input: z.object({}), run: ({ ui: _, ...all }) => all });
const show = gesture('show', {
  about: 'Show a sheet of the register, the file of a pupil or a dialog.',
  input: z.object({ tab: str, open: str, editing: str }),
  run: (draft, { tab: name, open, editing }) => {
    const saw = draft.ui.saw || name === 'Marks';
    Object.assign(draft.ui, { tab: name, open, editing, typed: '', notice: '', saw });
  },
});
const type = gesture('type', {
  about: 'Type into the field of the dialog.',
  input: z.object({ value: z.string().max(60) }),
  run: (draft, { value }) => void (draft.ui.typed = value),
});

const rollCall = (all: Register['pupils']) =>
  table(
    'Roll call',
    all.map(({ id, name, here }) => row(name, [cell(name), switchButton(`${name} present`, here, roll.with({ id }))])),
  );
const marks = (all: Register['pupils']) =>
  table(
    'Points in the last test',
    all.map(({ id, name, mark }) =>
      row(name, [
        cell(name),
        cell(`${mark} points`),
        button(`Correct ${name}`, show.with({ tab: 'Marks', open: '', editing: id })),
      ]),
    ),
  );
const files = (all: Register['pupils']) =>
  table(
    'Files',
    all.map(({ id, name, group }) =>
      row(name, [link(name, show.with({ tab: 'Files', open: id, editing: '' })), cell(`${group} group`)]),
    ),
  );
const fileOf = ({ id, name, group, parent, phone, remark: words }: Register['pupils'][number]) => [
  heading(`File of ${name}`),
  text(`At home: ${parent}`),
  text(`Emergency number: ${phone}`),
  text(words === '' ? 'No remarks' : `Remark: ${words}`),
  combobox('Group', group, { enter: regroup.entering({ id }), options: groups }),
  button('Write a remark', show.with({ tab: 'Files', open: id, editing: id })),
  button('Close file', show.with({ tab: 'Files', open: '', editing: '' })),
];
const asks = ({ ui }: Register, { id, name }: Register['pupils'][number]) =>
  dialog(ui.tab === 'Marks' ? `Points for ${name}` : `Remark about ${name}`, [
    textbox(ui.tab === 'Marks' ? 'Points' : 'Remark', ui.typed, { enter: type.entering({}) }),
    button('OK', ui.tab === 'Marks' ? grade.with({ id, points: ui.typed }) : remark.with({ id, words: ui.typed })),
    button('Cancel', show.with({ tab: ui.tab, open: ui.open, editing: '' })),
  ]);

const first = 'Amara,Bjorn,Chloe,Dario,Edith,Farid,Greta,Hugo,Imani,Jonas,Kira,Luca,Mina,Noor,Otis,Paula'.split(',');
const last = 'Abara,Berg,Castro,Dumont,Egger,Flynn,Grau,Holm,Ito,Jansen,Kovac,Lund,Mazur,Novak'.split(',');
const remarks = [
  ...'forgot the homework twice,helps others a lot,needs new glasses,should sit in front'.split(','),
  ...'very good presentation,may leave at noon on Friday,lost the gym bag'.split(','),
];
const train = (about: string) => ({ about, split: 'train' as const });
const looksOnly = { checks: () => [], allow: () => [] };
const say =
  (ways: string) =>
  <P extends { way: number }>(given: P) => {
    const all = ways.trim().split(/\n| \| /);
    const line = all[given.way % all.length] ?? '';
    return line.trim().replace(/\{(\w+)\}/g, (_, key: string) => String(Reflect.get(given, key)));
  };

const missing = template('two-missing', {
  ...train('Mark two pupils as missing.'),
  sample({ pupils: all }, random) {
    const [a, b] = random.sample(all, 2);
    return a && b ? { a: a.id, b: b.id, one: a.name, two: b.name, way: random.between(0, 5) } : null;
  },
  setup: (draft, { a, b }) => [a, b].forEach(id => void (need(draft.pupils, id, 'pupil').here = true)),
  instruction: say(`Roll call: {one} absent, {two} absent.
    I waited ten minutes but neither {one} nor {two} came to class. Put that into the register.
    Two parents called: no {one} and no {two} today, take them off the present ones | {one} and {two} are ill today.
    Could you note that {one} is missing today, and {two} as well? | Please switch {one} and {two} to not present.`),
  checks: ({ a, b, one, two }) => [
    { name: `${one} is missing`, test: final => find(final.pupils, a)?.here === false },
    { name: `${two} is missing`, test: final => find(final.pupils, b)?.here === false },
  ],
  allow: ({ a, b }) => [`/pupils/${a}/here`, `/pupils/${b}/here`],
});
const correct = template('correct-points', {
  ...train('Correct the points of a pupil.'),
  sample({ pupils: all }, random) {
    const { id, name, mark } = random.pick(all);
    return { id, name, points: String((mark + random.between(3, 30)) % 60), way: random.between(0, 5) };
  },
  instruction: say(`{name} has {points} points, not what it says.
    I counted again: {name} should get {points} in the test. Please correct it. | set points of {name} to {points}
    Sorry, my mistake when adding up. {name} really earned {points} points.
    Would you fix the test result of {name}? The right number is {points}.
    After the complaint, {name}'s points in the last test become {points}.`),
  checks: ({ id, points }) => [
    { name: 'the points are right', test: s => find(s.pupils, id)?.mark === Number(points) },
  ],
  allow: ({ id }) => [`/pupils/${id}/mark`],
});
const number = template('emergency-number', {
  ...train('Look up the emergency number of a pupil.'),
  sample: ({ pupils: all }, random) => ({ ...random.pick(all), way: random.between(0, 5) }),
  instruction: say(`{name} fell in the yard! What's the emergency number?
    {name} has a fever and wants to go home. Give me the number to ring, nothing else. | emergency number {name}
    I need to reach somebody at home for {name}, please find me the phone number.
    Look into the file of {name} and tell me the emergency number. | Which number do I call about {name}?`),
  ...looksOnly,
  answer: ({ phone }) => phone,
  shown: ({ ui }, { id }) => ui.open === id,
});
const worst = template('remark-for-lowest', {
  ...train('Write a remark into the file of the pupil with the fewest points.'),
  sample({ pupils: all }, random) {
    const [low, next] = all.toSorted((a, b) => a.mark - b.mark);
    if (!low || low.mark === next?.mark) return null;
    return { id: low.id, words: random.pick(remarks), way: random.between(0, 5) };
  },
  setup: (draft, { id }) => void (need(draft.pupils, id, 'pupil').remark = ''),
  instruction: say(`remark for the lowest score: "{words}"
    I want to remember something about the one with the least points, namely "{words}". Put it in their file.
    Somebody came last in the test. Could you note "{words}" as a remark about them?
    See who did worst in the last test and leave the remark "{words}" in that file.
    Write "{words}" into the file of whoever has the fewest points in the test.
    The pupil with the lowest test result: add the remark "{words}", please.`),
  checks: ({ id, words }) => [
    { name: 'the points were looked at before', test: s => s.ui.knew },
    { name: 'the remark is there', test: s => find(s.pupils, id)?.remark === words },
  ],
  allow: ({ id }) => [`/pupils/${id}/remark`],
});
const swap = template('change-group', {
  ...train('Put a pupil into another group.'),
  sample({ pupils: all }, random) {
    const { id, name, group } = random.pick(all);
    return { id, name, to: random.pick(groups.filter(one => one !== group)), way: random.between(0, 5) };
  },
  instruction: say(`Would you move {name} over to the {to} ones? | {name} -> {to} group
    {name} doesn't get along with the table. Let's try the {to} group. | Put {name} into the {to} group.
    From tomorrow on {name} works with {to}, please change that. | To even things out I'd like {name} to be in {to}.`),
  checks: ({ id, to }) => [{ name: `the group is ${to}`, test: s => find(s.pupils, id)?.group === to }],
  allow: ({ id }) => [`/pupils/${id}/group`],
});

export const app = defineApp({
  id: 'class-register',
  title: 'Class register',
  about: 'Presence, marks and files of the pupils of a class.',
  state,
  init: random => ({
    pupils: random.sample(first, 12).map((name, index) => ({
      id: `p${index + 1}`,
      name: `${name} ${random.pick(last)}`,
      here: random.chance(0.8),
      mark: random.between(8, 60),
      group: random.pick(groups),
      parent: `${random.pick(['Mr', 'Ms', 'Dr'])} ${random.pick(last)}`,
      phone: `0${random.between(31, 98)} ${random.between(200, 999)} ${random.between(100, 999)}`,
      remark: random.chance(0.2) ? random.pick(remarks) : '',
    })),
    ui: { tab: 'Today', open: '', editing: '', typed: '', notice: '', saw: false, knew: false },
  }),
  commands: [roll, grade, regroup, remark, pupils, show, type],
  view(register) {
    const { pupils: all, ui } = register;
    const edited = find(all, ui.editing);
    const opened = find(all, ui.open);
    if (edited) return page('Class 6b', [ui.notice !== '' && alert(ui.notice), asks(register, edited)]);
    const sheet = ui.tab === 'Today' ? rollCall(all) : ui.tab === 'Marks' ? marks(all) : files(all);
    return page('Class 6b', [
      toolbar(
        'Sheets',
        ['Today', 'Marks', 'Files'].map(one =>
          tab(one, show.with({ tab: one, open: '', editing: '' }), one === ui.tab ? ['selected'] : []),
        ),
      ),
      ui.notice !== '' && status(ui.notice),
      ...(opened ? fileOf(opened) : [sheet]),
    ]);
  },
  templates: [missing, correct, number, worst, swap],
  onRefusal: (draft, message) => void (draft.ui.notice = message),
});

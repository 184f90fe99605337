// Formwright: questionnaires, their questions, answers and settings.
import {
  added,
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  cell,
  switchButton,
  table,
  tab,
  text,
  textbox,
  z,
} from 'espalier';

const KINDS = ['short text', 'paragraph', 'email', 'number', 'date', 'rating'] as const;
const state = z.object({
  forms: z.array(
    z.object({ id: z.string(), title: z.string(), live: z.boolean(), locked: z.boolean(), thanks: z.string() }),
  ),
  questions: z.array(
    z.object({ id: z.string(), form: z.string(), label: z.string(), kind: z.enum(KINDS), required: z.boolean() }),
  ),
  answers: z.array(z.object({ id: z.string(), form: z.string(), who: z.string(), stars: z.int(), day: z.string() })),
  ui: z.object({
    form: z.string(),
    tab: z.string(),
    menu: z.string(),
    sure: z.string(),
    adding: z.string(),
    label: z.string(),
    kind: z.string(),
    thanks: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const editable = (s: State, id: string) => {
  const form = need(s.forms, id, 'form');
  if (form.locked) refuse('This form is locked.');
  return form;
};
const setKind = command('set_kind', {
  about: 'Set what kind of answer a question takes.',
  input: z.object({ id: z.string(), value: z.enum(KINDS) }),
  run(draft, { id, value }) {
    const q = need(draft.questions, id, 'question');
    editable(draft, q.form);
    q.kind = value;
  },
});
const toggleRequired = command('toggle_required', {
  about: 'Say that a question must be answered, or need not.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const q = need(draft.questions, id, 'question');
    editable(draft, q.form);
    q.required = !q.required;
  },
});
const addQuestion = command('add_question', {
  about: 'Add a question to a form.',
  input: z.object({ form: z.string(), label: z.string().min(1), kind: z.enum(KINDS) }),
  run(draft, { form, label, kind }) {
    editable(draft, form);
    draft.questions.push({ id: nextId(draft.questions, 'q'), form, label, kind, required: false });
    Object.assign(draft.ui, { adding: '', label: '', kind: '' });
  },
});
const drop = command('drop_question', {
  about: 'Delete a question.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    editable(draft, need(draft.questions, id, 'question').form);
    remove(draft.questions, id);
    Object.assign(draft.ui, { sure: '', menu: '' });
  },
});
const setLive = command('toggle_live', {
  about: 'Open a form for answers, or close it.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const f = need(draft.forms, id, 'form');
    f.live = !f.live;
  },
});
const setThanks = command('set_thanks', {
  about: 'Set the text shown after sending.',
  input: z.object({ id: z.string(), thanks: z.string().min(1) }),
  run(draft, { id, thanks }) {
    need(draft.forms, id, 'form').thanks = thanks;
  },
});
const look = query('read_forms', {
  about: 'Read forms, questions and answers.',
  input: z.object({}),
  run: s => ({
    forms: s.forms.map(f => ({
      ...f,
      questions: s.questions.filter(q => q.form === f.id),
      answers: s.answers.filter(a => a.form === f.id),
    })),
  }),
});
const show = gesture('show', {
  about: 'Show something.',
  input: z.object({ patch: z.record(z.string(), z.string()) }),
  run(draft, { patch }) {
    Object.assign(draft.ui, { sure: '', menu: '' }, patch);
  },
});
const type = gesture('type', {
  about: 'Type into a field, or choose in one.',
  input: z.object({ field: z.enum(['label', 'kind', 'thanks']), value: z.string().max(80) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

const tabs: Record<string, (s: State) => unknown[]> = {
  Build: s => {
    const f = need(s.forms, s.ui.form, 'form');
    return [
      f.locked && text('🔒 locked by the data officer'),
      ...s.questions
        .filter(q => q.form === f.id)
        .map((q, n) =>
          region(`${n + 1}. ${q.label}`, [
            combobox('Type', q.kind, { enter: setKind.entering({ id: q.id }), options: [...KINDS] }),
            checkbox('Must be filled in', q.required, toggleRequired.with({ id: q.id })),
            button('⋯', show.with({ patch: { menu: q.id } })),
            s.ui.menu === q.id &&
              menu('More', [
                menuItem('Delete question', show.with({ patch: { sure: q.id } })),
                menuItem('Never mind', show.with({ patch: {} })),
              ]),
          ]),
        ),
      button('+ Question', show.with({ patch: { adding: 'yes', label: '', kind: '' } })),
    ];
  },
  Answers: s => [
    table(
      'Answers so far',
      s.answers
        .filter(a => a.form === s.ui.form)
        .map(a => row(a.who, [cell(a.who), cell('★'.repeat(a.stars)), cell(a.day)])),
    ),
  ],
  Settings: s => {
    const f = need(s.forms, s.ui.form, 'form');
    return [
      switchButton('Accepting answers', f.live, setLive.with({ id: f.id })),
      text(`After sending, people read: ${f.thanks}`),
      textbox('New closing words', s.ui.thanks, { enter: type.entering({ field: 'thanks' }) }),
      s.ui.thanks !== '' && button('Store', setThanks.with({ id: f.id, thanks: s.ui.thanks })),
    ];
  },
};
function view(s: State) {
  if (s.ui.sure !== '') {
    const q = need(s.questions, s.ui.sure, 'question');
    return [
      dialog('Delete for good?', [
        text(q.label),
        button('Delete', drop.with({ id: q.id })),
        button('Cancel', show.with({ patch: {} })),
      ]),
    ];
  }
  if (s.ui.adding !== '')
    return [
      dialog('New question', [
        textbox('Wording', s.ui.label, { enter: type.entering({ field: 'label' }) }),
        combobox('Kind of answer', s.ui.kind, { enter: type.entering({ field: 'kind' }), options: [...KINDS] }),
        s.ui.label !== '' &&
          s.ui.kind !== '' &&
          button('Add', addQuestion.with({ form: s.ui.form, label: s.ui.label, kind: s.ui.kind as 'date' })),
        button('Cancel', show.with({ patch: { adding: '' } })),
      ]),
    ];
  if (s.ui.form === '')
    return [
      heading('Your forms'),
      list(
        'Forms',
        s.forms.map(f =>
          listItem(f.title, [
            link(f.title, show.with({ patch: { form: f.id, tab: 'Build', thanks: '' } })),
            text(`${f.live ? 'live' : 'closed'} · ${s.questions.filter(q => q.form === f.id).length} questions`),
          ]),
        ),
      ),
    ];
  return [
    link('‹ All forms', show.with({ patch: { form: '' } })),
    heading(need(s.forms, s.ui.form, 'form').title),
    ...Object.keys(tabs).map(t => tab(t, show.with({ patch: { tab: t } }), s.ui.tab === t ? ['selected'] : [])),
    ...tabs[s.ui.tab]!(s),
  ];
}
const ofForm = (s: State, id: string) => need(s.forms, id, 'form').title;
const pickQuestion = (s: State, random: { pick<T>(items: readonly T[]): T }) =>
  random.pick(s.questions.filter(q => !need(s.forms, q.form, 'form').locked));
const otherType = template('other-type', {
  about: 'Change the type of a question in a form.',
  split: 'train',
  sample(s, random) {
    const q = pickQuestion(s, random);
    return {
      id: q.id,
      label: q.label,
      form: ofForm(s, q.form),
      kind: random.pick(KINDS.filter(k => k !== q.kind)),
      way: random.between(0, 2),
    };
  },
  instruction: ({ label, form, kind, way }) =>
    [
      `In ${form}, "${label}" should take a ${kind}.`,
      `${form}: make the question ${label} a ${kind} field`,
      `People should answer "${label}" with a ${kind}. I mean the one in the form "${form}".`,
    ][way]!,
  checks: ({ id, kind }) => [{ name: 'type', test: f => find(f.questions, id)?.kind === kind }],
  allow: ({ id }) => [`/questions/${id}/kind`],
});
const allRequired = template('all-required', {
  about: 'Make every question of a form required.',
  split: 'train',
  sample(s, random) {
    const f = random.pick(s.forms.filter(x => !x.locked));
    const own = s.questions.filter(q => q.form === f.id).map(q => q.id);
    return { own, ids: random.sample(own, 2), title: f.title, way: random.between(0, 2) };
  },
  setup(draft, { own, ids }) {
    for (const id of own) need(draft.questions, id, 'question').required = !ids.includes(id);
  },
  instruction: ({ title, way }) =>
    [
      `Nobody may skip anything in ${title}.`,
      `Make all questions of "${title}" mandatory, some are already.`,
      `${title}: every single question has to be compulsory`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, n) => ({ name: `required ${n + 1}`, test: f => find(f.questions, id)?.required === true })),
  allow: ({ ids }) => ids.map(id => `/questions/${id}/required`),
});
const newQuestion = template('new-question', {
  about: 'Add a question to a form.',
  split: 'train',
  sample(s, random) {
    const f = random.pick(s.forms.filter(x => !x.locked));
    return {
      form: f.id,
      title: f.title,
      label: random.pick([
        'Shoe size',
        'Allergies',
        'Anything else?',
        'Date of arrival',
        'Emergency contact',
        'Favourite colour',
      ]),
      kind: random.pick(KINDS),
      way: random.between(0, 2),
    };
  },
  instruction: ({ title, label, kind, way }) =>
    [
      `Add "${label}" (${kind}) to ${title}.`,
      `We forgot to ask for something in the form ${title}: ${label}. It's a ${kind}.`,
      `new ${kind} question "${label}" for ${title} pls`,
    ][way]!,
  checks: ({ form, label, kind }) => [
    {
      name: 'added',
      test(f, i) {
        const [q, ...rest] = added(i.questions, f.questions);
        return rest.length === 0 && q?.form === form && q.label === label && q.kind === kind && !q.required;
      },
    },
  ],
  allow: () => ['/questions/+'],
});
const dropIt = template('drop-question', {
  about: 'Delete a question of a form.',
  split: 'train',
  sample(s, random) {
    const q = pickQuestion(s, random);
    return { id: q.id, label: q.label, form: ofForm(s, q.form), way: random.between(0, 2) };
  },
  instruction: ({ label, form, way }) =>
    [
      `${form} no longer needs "${label}".`,
      `Delete the question ${label} from ${form}.`,
      `Legal says we mustn't ask for ${label} in "${form}". Take it out.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'gone', test: f => find(f.questions, id) === undefined }],
  allow: ({ id }) => [`/questions/${id}`],
});
const stars = template('unhappiest', {
  about: 'Say who gave the fewest stars in a form.',
  split: 'train',
  sample(s, random) {
    const f = random.pick(s.forms);
    const low = random.pick(s.answers.filter(a => a.form === f.id));
    return { form: f.id, title: f.title, id: low.id, way: random.between(0, 2) };
  },
  setup(draft, { form, id }) {
    for (const a of draft.answers) if (a.form === form) a.stars = a.id === id ? 1 : Math.max(2, a.stars);
  },
  instruction: ({ title, way }) =>
    [
      `Who was least happy in ${title}, going by the stars?`,
      `name of the person with the lowest rating in "${title}"`,
      `Somebody gave ${title} just one star. Who?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.answers, id, 'answer').who,
  shown: (s, { form }) => s.ui.form === form && s.ui.tab === 'Answers',
});
const whoLast = template('day-of-answer', {
  about: 'Say when somebody filled in a form.',
  split: 'train',
  sample(s, random) {
    const a = random.pick(s.answers);
    return { id: a.id, form: a.form, title: ofForm(s, a.form), who: a.who, way: random.between(0, 2) };
  },
  instruction: ({ who, title, way }) =>
    [
      `When did ${who} fill in ${title}?`,
      `${who} sent in "${title}", on which day was that?`,
      `date of ${who}'s answer to ${title}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.answers, id, 'answer').day,
  shown: (s, { form }) => s.ui.form === form && s.ui.tab === 'Answers',
});
const lockedForm = template('maybe-locked', {
  about: 'Add a question to a form that may be locked.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ free }) => free,
  sample(s, random) {
    const f = random.pick(s.forms);
    return {
      form: f.id,
      title: f.title,
      label: random.pick(['Nickname', 'Age', 'Postcode', 'Dietary needs']),
      kind: random.pick(KINDS),
      free: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { form, free }) {
    need(draft.forms, form, 'form').locked = !free;
  },
  instruction: ({ title, label, kind, way }) =>
    [
      `Put a ${kind} question "${label}" into ${title}.`,
      `Can we ask for ${label} (${kind}) in the form ${title}? If it's locked, just say so.`,
      `${title} needs one more question: ${label}, as ${kind}`,
    ][way]!,
  checks: ({ form, label, kind }) => [
    {
      name: 'added',
      test(f, i) {
        const [q, ...rest] = added(i.questions, f.questions);
        return rest.length === 0 && q?.form === form && q.label === label && q.kind === kind && !q.required;
      },
    },
  ],
  allow: () => ['/questions/+'],
  shown: (s, { form }) => s.ui.form === form && s.ui.tab === 'Build' && s.ui.adding === '',
});
const titles = [
  'Summer camp',
  'Summer camp staff',
  'Exit survey',
  'Entry survey',
  'Parents evening',
  'Parents newsletter',
  'Lab induction',
  'Bike parking',
  'Choir audition',
];
const labels = [
  'Full name',
  'Email address',
  'Date of birth',
  'Phone',
  'Comments',
  'How did you hear of us?',
  'Overall impression',
  'Number of guests',
];
export const app = defineApp({
  id: 'form-builder',
  title: 'Formwright',
  about: 'A builder of questionnaires.',
  state,
  init(random) {
    const forms = random
      .shuffle(titles)
      .map((title, n) => ({ id: `f${n + 1}`, title, live: random.chance(0.6), locked: n > 6, thanks: 'Thank you.' }));
    const people = ['Ada Moss', 'Adam Moss', 'Kim Lund', 'Kit Lund', 'Rosa Behr', 'Tom Behrens', 'Yara Sy', 'Jon Frey'];
    return {
      forms: random.shuffle(forms),
      questions: forms
        .flatMap(f =>
          random
            .sample(labels, 4)
            .map(label => ({ form: f.id, label, kind: random.pick(KINDS), required: random.chance(0.5) })),
        )
        .map((q, n) => ({ id: `q${n + 1}`, ...q })),
      answers: forms
        .flatMap(f =>
          random.sample(people, random.between(4, 8)).map(who => ({
            form: f.id,
            who,
            stars: random.between(1, 5),
            day: `${random.between(1, 28)} ${random.pick(['March', 'April', 'May'])}`,
          })),
        )
        .map((a, n) => ({ id: `n${n + 1}`, ...a })),
      ui: { form: '', tab: 'Build', menu: '', sure: '', adding: '', label: '', kind: '', thanks: '' },
    };
  },
  commands: [setKind, toggleRequired, addQuestion, drop, setLive, setThanks, look, show, type],
  view: s => page('Formwright', view(s) as ReturnType<typeof text>[]),
  templates: [otherType, allRequired, newQuestion, dropIt, stars, whoLast, lockedForm],
});

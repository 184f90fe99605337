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
  radio,
  refuse,
  region,
  remove,
  status,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const forms = ['Scale 1 to 5', 'Yes or no', 'Free words', 'Pick one', 'Pick several'];
const audiences = ['everyone', 'members', 'staff', 'guests'];

const state = z.object({
  surveys: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      audience: z.string(),
      live: z.boolean(),
      anonymous: z.boolean(),
      replies: z.int(),
      closes: z.string(),
    }),
  ),
  questions: z.array(
    z.object({
      id: z.string(),
      survey: z.string(),
      part: z.int(),
      wording: z.string(),
      form: z.string(),
      must: z.boolean(),
    }),
  ),
  ui: z.object({
    survey: z.string(),
    part: z.int(),
    step: z.string(),
    question: z.string(),
    wording: z.string(),
    form: z.string(),
    must: z.boolean(),
    bin: z.string(),
    hint: z.string(),
  }),
});
type Designer = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const notLive = (draft: Designer, id: string) => {
  if (need(draft.surveys, id, 'survey').live)
    refuse('People are answering it right now. Pause the survey to change questions.');
};

const insert = command('insert_question', {
  about: 'Add a question to a part of a survey.',
  input: z.object({
    survey: z.string(),
    part: z.int(),
    wording: z.string().trim().min(5, 'Word the question.'),
    form: z.string().min(1, 'Choose how it is answered.'),
    must: z.boolean(),
  }),
  run(draft, input) {
    notLive(draft, input.survey);
    draft.questions.push({ id: nextId(draft.questions, 'q'), ...input });
    Object.assign(draft.ui, { step: 'parts', wording: '', form: '', must: false });
  },
});
const reword = command('reword_question', {
  about: 'Change how a question is worded and answered.',
  input: z.object({
    id: z.string(),
    wording: z.string().trim().min(5, 'Word the question.'),
    form: z.string(),
    must: z.boolean(),
  }),
  run(draft, { id, ...change }) {
    const it = need(draft.questions, id, 'question');
    notLive(draft, it.survey);
    Object.assign(it, change);
    Object.assign(draft.ui, { question: '', wording: '', form: '', must: false });
  },
});
const drop = command('drop_question', {
  about: 'Throw a question away.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    notLive(draft, need(draft.questions, id, 'question').survey);
    remove(draft.questions, id);
    Object.assign(draft.ui, { question: '', bin: '' });
  },
});
const shiftPart = command('shift_question', {
  about: 'Put a question into another part.',
  input: z.object({ id: z.string(), part: z.int() }),
  run(draft, { id, part }) {
    const it = need(draft.questions, id, 'question');
    notLive(draft, it.survey);
    it.part = part;
    draft.ui.question = '';
  },
});
const pause = command('set_live', {
  about: 'Launch a survey or pause it.',
  input: z.object({ id: z.string(), live: z.boolean() }),
  run(draft, { id, live }) {
    need(draft.surveys, id, 'survey').live = live;
    draft.ui.hint = '';
  },
});
const aim = command('set_audience', {
  about: 'Choose who is invited.',
  input: z.object({ id: z.string(), audience: z.string() }),
  run(draft, { id, audience }) {
    if (!audiences.includes(audience)) refuse('Unknown audience.');
    need(draft.surveys, id, 'survey').audience = audience;
  },
});
const mask = command('set_anonymous', {
  about: 'Collect answers with or without names.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.surveys, id, 'survey');
    if (it.replies > 0 && !it.anonymous)
      refuse('Names of people who replied are stored already; this cannot be changed.');
    it.anonymous = !it.anonymous;
  },
});
const outline = query('outline', {
  about: 'Show a survey with its questions.',
  input: z.object({ title: z.string() }),
  run({ surveys, questions }, { title }) {
    const it = surveys.find(one => one.title === title) ?? refuse('No such survey.');
    return { ...it, questions: questions.filter(({ survey }) => survey === it.id) };
  },
});
const fresh = { question: '', wording: '', form: '', must: false, bin: '', hint: '' };
const visit = gesture('visit', {
  about: 'Open a survey at a step.',
  input: z.object({ survey: z.string(), step: z.string(), part: z.int() }),
  run: (draft, input) => void Object.assign(draft.ui, fresh, input),
});
const unfold = gesture('unfold_question', {
  about: 'Unfold a question for editing.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const { wording, form: kind, must } = need(draft.questions, id, 'question');
    Object.assign(draft.ui, fresh, { question: id, wording, form: kind, must });
  },
});
const field = gesture('fill_field', {
  about: 'Fill in the wording or the kind of answer.',
  input: z.object({ field: z.enum(['wording', 'form']), value: z.string().max(120) }),
  run: (draft, { field: key, value }) => void (draft.ui[key] = value),
});
const flip = gesture('flip_must', {
  about: 'Tick whether the question has to be answered.',
  input: z.object({}),
  run: draft => void (draft.ui.must = !draft.ui.must),
});
const toBin = gesture('to_bin', {
  about: 'Ask before a question is thrown away.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void (draft.ui.bin = id),
});

const shelf = ({ surveys }: Designer) =>
  list(
    'Surveys',
    surveys.map(it =>
      listItem(it.title, [
        link(it.title, visit.with({ survey: it.id, step: 'parts', part: 1 })),
        text(`${it.live ? 'live' : 'paused'}, ${it.replies} replies, closes ${it.closes}`),
      ]),
    ),
  );

const questionFields = ({ ui }: Designer) => [
  textbox('Wording', ui.wording, { enter: field.entering({ field: 'wording' }) }),
  combobox('Answered by', ui.form, { enter: field.entering({ field: 'form' }), options: forms }),
  checkbox('Must be answered', ui.must, flip.with({})),
];

function partsStep(designer: Designer, survey: Designer['surveys'][number]) {
  const { questions, ui } = designer;
  const own = questions.filter(it => it.survey === survey.id);
  return region(`Part ${ui.part}`, [
    navigation(
      'Parts',
      [1, 2, 3].map(part =>
        button(
          `Part ${part} (${own.filter(it => it.part === part).length})`,
          visit.with({ survey: survey.id, step: 'parts', part }),
          part === ui.part ? ['selected'] : [],
        ),
      ),
    ),
    list(
      'Questions',
      own
        .filter(it => it.part === ui.part)
        .map(it =>
          listItem(it.wording, [
            link(it.wording, unfold.with({ id: it.id })),
            text(`${it.form}${it.must ? ', must be answered' : ''}`),
            ui.question === it.id &&
              form('Edit question', [
                ...questionFields(designer),
                button('Keep wording', reword.with({ id: it.id, wording: ui.wording, form: ui.form, must: ui.must })),
                toolbar('Elsewhere', [
                  ...[1, 2, 3]
                    .filter(part => part !== it.part)
                    .map(part => button(`Put into part ${part}`, shiftPart.with({ id: it.id, part }))),
                  ui.bin === it.id
                    ? button('Yes, throw it away', drop.with({ id: it.id }))
                    : button('Throw away', toBin.with({ id: it.id })),
                ]),
              ]),
          ]),
        ),
    ),
    ui.question === '' &&
      button('Insert a question here', visit.with({ survey: survey.id, step: 'insert', part: ui.part })),
  ]);
}

function workshop(designer: Designer) {
  const { surveys, ui } = designer;
  const it = need(surveys, ui.survey, 'survey');
  const step = (key: string, name: string) => link(name, visit.with({ survey: it.id, step: key, part: 1 }));
  return region(it.title, [
    link('All surveys', visit.with({ survey: '', step: '', part: 1 })),
    heading(it.title),
    navigation('Steps', [step('parts', 'Questions'), step('audience', 'Audience'), step('launch', 'Launch')]),
    ui.step === 'parts' && partsStep(designer, it),
    ui.step === 'insert' &&
      form(`New question in part ${ui.part}`, [
        ...questionFields(designer),
        button(
          'Insert',
          insert.with({ survey: it.id, part: ui.part, wording: ui.wording, form: ui.form, must: ui.must }),
        ),
      ]),
    ui.step === 'audience' &&
      region('Who is asked', [
        ...audiences.map(who => radio(`Invite ${who}`, it.audience === who, aim.with({ id: it.id, audience: who }))),
        checkbox('Collect without names', it.anonymous, mask.with({ id: it.id })),
        text(`${it.replies} people have replied`),
      ]),
    ui.step === 'launch' &&
      region('Launch', [
        status(it.live ? 'Live' : 'Paused'),
        text(`Closes on ${it.closes}`),
        it.live
          ? button('Pause survey', pause.with({ id: it.id, live: false }))
          : button('Launch survey', pause.with({ id: it.id, live: true })),
      ]),
  ]);
}

type Draw = { pick<T>(items: readonly T[]): T };
function anyQuestion({ questions, surveys }: Designer, random: Draw) {
  const it = random.pick(questions);
  return { id: it.id, survey: it.survey, wording: it.wording, title: find(surveys, it.survey)?.title ?? '' };
}
const calm = (draft: Designer, { survey }: { survey: string }) =>
  void (need(draft.surveys, survey, 'survey').live = false);

const wordings = ['How clean was the place?', 'Would you tell a friend?', 'What did you miss?', 'Was the price fair?'];
const fresher = [
  'What should we stop doing?',
  'How did you get here?',
  'Did you feel safe?',
  'Which day suits you best?',
];

const addQuestion = template('insert-question', {
  about: 'Insert a question into a part of a paused survey.',
  split: 'train',
  sample({ surveys }, random) {
    const { id, title } = random.pick(surveys);
    return { survey: id, title, part: random.between(1, 3), wording: random.pick(fresher), form: random.pick(forms) };
  },
  setup: calm,
  instruction: ({ title, part, wording, form: kind }, random) =>
    random.pick([
      `Insert "${wording}" into part ${part} of "${title}", answered by "${kind}".`,
      `"${title}" lacks a question. It belongs into part ${part}, reads "${wording}" and takes the answer form "${kind}"; nobody is forced to answer.`,
      `New question for "${title}" / part ${part}: "${wording}" (${kind})`,
    ]),
  checks: ({ survey, part, wording, form: kind }) => [
    {
      name: 'one question was inserted, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.questions, final.questions);
        return (
          more.length === 0 &&
          made?.survey === survey &&
          made.part === part &&
          made.wording === wording &&
          made.form === kind &&
          !made.must
        );
      },
    },
  ],
  allow: () => ['/questions/+'],
});

const answerForm = template('change-answer-form', {
  about: 'Change how one question is answered.',
  split: 'train',
  sample(designer, random) {
    const it = anyQuestion(designer, random);
    const old = find(designer.questions, it.id)?.form;
    return { ...it, form: random.pick(forms.filter(one => one !== old)) };
  },
  setup: calm,
  instruction: ({ title, wording, form: kind }, random) =>
    random.pick([
      `In "${title}", people should answer "${wording}" by "${kind}".`,
      `Change the answer form of "${wording}" (survey "${title}") to ${kind}.`,
      `The statistician prefers "${kind}" for the question "${wording}" in "${title}". Please chnage it.`,
    ]),
  checks: ({ id, form: kind }) => [
    { name: 'the form is set', test: final => find(final.questions, id)?.form === kind },
  ],
  allow: ({ id }) => [`/questions/${id}/form`],
});

const livePause = template('throw-away-in-live', {
  about: 'Throw a question of a live survey away: pause it first and leave it paused.',
  split: 'train',
  sample: anyQuestion,
  setup: (draft, { survey }) => void (need(draft.surveys, survey, 'survey').live = true),
  instruction: ({ title, wording }, random) =>
    random.pick([
      `"${wording}" must go from "${title}". The survey is live, so pause it and leave it paused.`,
      `Pause "${title}" and throw its question "${wording}" away.`,
      `We got a complaint about "${wording}" in "${title}". Take the question out; you will have to pause the survey for that. I launch it again later.`,
    ]),
  checks: ({ id, survey }) => [
    { name: 'the survey is paused', test: final => find(final.surveys, survey)?.live === false },
    { name: 'the question is gone', test: final => find(final.questions, id) === undefined },
  ],
  allow: ({ id, survey }) => [`/questions/${id}`, `/surveys/${survey}/live`],
});

const withoutNames = template('collect-without-names', {
  about: 'Collect answers without names, which is too late once somebody replied.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ early }) => early,
  sample({ surveys }, random) {
    const { id, title } = random.pick(surveys);
    return { id, title, early: random.chance(0.5) };
  },
  setup(draft, { id, early }) {
    const it = need(draft.surveys, id, 'survey');
    Object.assign(it, { anonymous: false, replies: early ? 0 : it.replies + 3 });
  },
  instruction: ({ title }, random) =>
    random.pick([
      `Answers to "${title}" should be collected without names.`,
      `Make "${title}" anonymous, if it isn't too late.`,
      `The works council asks: no names in "${title}" please. Can you set that?`,
    ]),
  checks: ({ id }) => [{ name: 'no names are collected', test: final => find(final.surveys, id)?.anonymous === true }],
  allow: ({ id }) => [`/surveys/${id}/anonymous`],
  shown: ({ ui }, { id }) => ui.survey === id && ui.step === 'audience',
});

const fewest = template('pause-fewest-replies', {
  about: 'Pause the live survey with the fewest replies.',
  split: 'train',
  sample({ surveys }, random) {
    const live = random.sample(surveys, 4).sort((one, other) => one.replies - other.replies);
    if (live[0]?.replies === live[1]?.replies) return null;
    return { id: live[0]?.id ?? '', live: live.map(({ id }) => id) };
  },
  setup(draft, { live }) {
    for (const it of draft.surveys) it.live = live.includes(it.id);
  },
  instruction: (_, random) =>
    random.pick([
      'Of the surveys that are live, pause the one with the fewest replies.',
      'Hardly anybody answers one of our live surveys. Find it by the number of replies and pause it.',
      'Pause the live survey that got the least replies; those already paused do not count.',
    ]),
  checks: ({ id }) => [{ name: 'it is paused', test: final => find(final.surveys, id)?.live === false }],
  allow: ({ id }) => [`/surveys/${id}/live`],
});

const mustPart = template('part-into-another', {
  about: 'Put every question of a survey that must be answered from one part into another.',
  split: 'train',
  sample({ questions, surveys }, random) {
    const { id, title } = random.pick(surveys);
    const [from, to] = random.sample([1, 2, 3], 2) as [number, number];
    const own = random.shuffle(questions.filter(it => it.survey === id && it.part === from)).map(it => it.id);
    return own.length < 2 ? null : { survey: id, title, from, to, ids: own.slice(0, 1), rest: own.slice(1) };
  },
  setup(draft, { survey, ids, rest }) {
    calm(draft, { survey });
    for (const id of ids) need(draft.questions, id, 'question').must = true;
    for (const id of rest) need(draft.questions, id, 'question').must = false;
  },
  instruction: ({ title, from, to }, random) =>
    random.pick([
      `In "${title}", what must be answered in part ${from} belongs into part ${to}.`,
      `Part ${from} of "${title}" should hold voluntary questions only. Put the other kind into part ${to}.`,
      `Move obligatory questions of "${title}" from part ${from} to part ${to}`,
    ]),
  checks: ({ ids, to }) =>
    ids.map(id => ({ name: `${id} is in the other part`, test: final => find(final.questions, id)?.part === to })),
  allow: ({ ids }) => ids.map(id => `/questions/${id}/part`),
});

const freeWords = template('free-words-question', {
  about: 'Say the wording of the only free-words question of a part.',
  split: 'train',
  sample({ questions, surveys }, random) {
    const it = random.pick(questions);
    const same = questions.filter(one => one.survey === it.survey && one.part === it.part);
    const others = same.filter(({ id }) => id !== it.id).map(({ id }) => id);
    return { id: it.id, survey: it.survey, title: find(surveys, it.survey)?.title ?? '', part: it.part, others };
  },
  setup(draft, { id, others }) {
    need(draft.questions, id, 'question').form = 'Free words';
    for (const one of others) need(draft.questions, one, 'question').form = 'Yes or no';
  },
  instruction: ({ title, part }, random) =>
    random.pick([
      `Which question in part ${part} of "${title}" is answered in free words? Give its wording.`,
      `People complain that they have to write a lot in part ${part} of "${title}". Quote the question with free words.`,
      `"${title}", part ${part}: the free-words question reads how?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { questions }) => need(questions, id, 'question').wording,
  shown: ({ ui }, { survey, part }) => ui.survey === survey && ui.part === part && ui.step === 'parts',
});

const invite = template('invite-audience', {
  about: 'Invite an audience to a survey, which may be set already.',
  split: 'train',
  kind: 'already-done',
  isTwin: ({ differs }) => differs,
  sample({ surveys }, random) {
    const { id, title, audience } = random.pick(surveys);
    const differs = random.chance(0.5);
    return { id, title, differs, audience: differs ? random.pick(audiences.filter(it => it !== audience)) : audience };
  },
  instruction: ({ title, audience }, random) =>
    random.pick([
      `"${title}" is for ${audience}.`,
      `Invite ${audience} to "${title}", nobody else.`,
      `Check that "${title}" goes out to ${audience}, and correct it otherwise.`,
    ]),
  checks: ({ id, audience }) => [
    { name: 'the audience is invited', test: final => find(final.surveys, id)?.audience === audience },
  ],
  allow: ({ id }) => [`/surveys/${id}/audience`],
  shown: ({ ui }, { id }) => ui.survey === id && ui.step === 'audience',
});

const asked = [
  ...wordings,
  'How long did you wait?',
  'How long did you stay?',
  'Was the staff friendly?',
  'Was the staff easy to find?',
  'Do you come back next year?',
  'Would you pay for a locker?',
  'Which room did you like best?',
  'Which room was too cold?',
];
const titles = [
  'Swimming pool, spring',
  'Swimming pool, summer',
  'Choir weekend',
  'Choir concert',
  'New canteen menu',
  'Canteen opening hours',
  'Night bus trial',
  'Library seats',
  'Library night',
  'Holiday camp',
];

export const app = defineApp({
  id: 'questionnaire',
  title: 'Askaround',
  about: 'Designs surveys of a town: parts with questions, audiences and launches.',
  state,
  init(random) {
    const surveys = random.shuffle(titles).map((title, index) => ({
      id: `v${index + 1}`,
      title,
      audience: random.pick(audiences),
      live: random.chance(0.4),
      anonymous: random.chance(0.3),
      replies: random.between(4, 190),
      closes: `${random.between(1, 30)} June`,
    }));
    const questions = surveys.flatMap(({ id }) =>
      random.sample(asked, 6).map((wording, index) => ({ survey: id, part: (index % 3) + 1, wording })),
    );
    return {
      surveys,
      questions: questions.map((it, index) => ({
        id: `q${index + 1}`,
        ...it,
        form: random.pick(forms),
        must: random.chance(0.4),
      })),
      ui: { survey: '', part: 1, step: '', ...fresh },
    };
  },
  commands: [insert, reword, drop, shiftPart, pause, aim, mask, outline, visit, unfold, field, flip, toBin],
  view: designer =>
    page('Askaround', [
      designer.ui.hint !== '' && status(designer.ui.hint),
      designer.ui.survey === '' ? shelf(designer) : workshop(designer),
    ]),
  templates: [addQuestion, answerForm, livePause, withoutNames, fewest, mustPart, freeWords, invite],
  onRefusal(draft, message) {
    draft.ui.hint = message;
  },
});

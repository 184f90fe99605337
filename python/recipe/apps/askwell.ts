// A survey maker: surveys as drafts, live or closed, an outline of questions, a question editor, and results.
import { added, appKit, button, combobox, defineApp, dialog, find, form, heading, link, list } from 'espalier';
import { listItem, need, nextId, page, refuse, region, status, switchButton, text, textbox, z } from 'espalier';

const s = z.string();
const state = z.object({
  surveys: z.array(z.object({ id: s, title: s, stage: z.enum(['draft', 'live', 'closed']), replies: z.int(), top: s })),
  questions: z.array(z.object({ id: s, survey: s, ask: s, kind: s, required: z.boolean() })),
  ui: z.object({ survey: s, question: s, mode: s, text: s, kind: s, note: s }),
});
type Desk = z.infer<typeof state>;
const { command, gesture, template } = appKit(state);
const kinds = ['Short answer', 'Paragraph', 'Yes or no', 'Stars', 'One choice', 'Many choices', 'Date'];

const must = command('require_answer', {
  about: 'Make the answer to a question required or optional.',
  input: z.object({ id: s }),
  run: ({ questions }, { id }) => void (need(questions, id, 'question').required = !find(questions, id)?.required),
});
const retype = command('change_kind', {
  about: 'Change the kind of a question.',
  input: z.object({ id: s, value: z.enum(kinds as [string, ...string[]]) }),
  run: (draft, { id, value }) => void (need(draft.questions, id, 'question').kind = value),
});
const addOne = command('add_question', {
  about: 'Add a question to a survey.',
  input: z.object({ survey: s, ask: s.trim().min(1, 'What do you want to ask?'), kind: s.min(1, 'Choose a kind.') }),
  run(draft, input) {
    draft.questions.push({ id: nextId(draft.questions, 'q'), ...input, required: false });
    Object.assign(draft.ui, { mode: 'outline', text: '', kind: '', note: 'Question added at the end.' });
  },
});
const advance = command('advance_survey', {
  about: 'Publish a draft, or close a live survey.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const survey = need(draft.surveys, id, 'survey');
    if (survey.stage === 'closed') refuse('It is closed.');
    survey.stage = survey.stage === 'draft' ? 'live' : 'closed';
    draft.ui.mode = 'outline';
  },
});
const step = gesture('step', {
  about: 'Go to a survey, a question or a panel.',
  input: z.object({ survey: s, question: s, mode: s }),
  run: (draft, input) => void Object.assign(draft.ui, input, { text: '', kind: '', note: '' }),
});
const pen = gesture('pen', {
  about: 'Write the new question.',
  input: z.object({ part: z.enum(['text', 'kind']), value: s.max(90) }),
  run: (draft, { part, value }) => void (draft.ui[part] = value),
});
const to = (survey: string, mode = 'outline', question = '') => step.with({ survey, mode, question });
const verb = { draft: 'Publish', live: 'Close', closed: '' };

function open({ questions, ui }: Desk, { id, title, stage, replies, top }: Desk['surveys'][number]) {
  const question = find(questions, ui.question);
  if (ui.mode === 'sure')
    return dialog(`${verb[stage]} “${title}”?`, [
      button(`${verb[stage]} survey`, advance.with({ id })),
      button('Not now', to(id)),
    ]);
  if (ui.mode === 'results')
    return region('Results', [heading(title), text(`${replies} people replied`), text(`Most frequent answer: ${top}`)]);
  if (ui.mode === 'new')
    return form('New question', [
      textbox('Wording', ui.text, { enter: pen.entering({ part: 'text' }) }),
      combobox('Answered by', ui.kind, { enter: pen.entering({ part: 'kind' }), options: kinds }),
      button('Add to survey', addOne.with({ survey: id, ask: ui.text, kind: ui.kind })),
    ]);
  if (question)
    return form('Question', [
      heading(question.ask),
      switchButton('Must be answered', question.required, must.with({ id: question.id })),
      combobox('Answered by', question.kind, { enter: retype.entering({ id: question.id }), options: kinds }),
    ]);
  return region('Outline', [
    heading(title),
    status(stage),
    stage !== 'closed' && button(`${verb[stage]}…`, to(id, 'sure')),
    list(
      'Questions',
      questions
        .filter(({ survey }) => survey === id)
        .map(item => listItem(item.kind, [link(item.ask, to(id, 'edit', item.id))])),
    ),
    button('Add question', to(id, 'new')),
    link('See results', to(id, 'results')),
  ]);
}

const word = (x: number, forms: string[]) => forms[x % forms.length] ?? '';
const names = (
  'Canteen check,New office,Alumni day,Bike parking,Summer camp,Parent evening,Gym hours,Reading habits,' +
  'Radio survey,Allotment plans,Team mood,Museum visit,Night buses,Dog park,School trip,Festival feedback'
).split(',');
const asks = (
  'How did you hear about us?|Would you come again?|What was missing?|Was the price fair?|' +
  'How was the food?|Was it easy to find?|Who did you come with?|What should change?|Do you live near?'
).split('|');
const fresh = (
  'Do you own a bicycle?|When is your birthday?|What is your job?|How noisy was it?|Any allergies?|' +
  'Would you help us next year?|Which language do you speak at home?|How warm was the room?'
).split('|');
const tops = 'too far,a friend,twice a week,the garden,never,Tuesday,more light,the music,no idea,by bus'.split(',');
type Dice = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
const oneOf = ({ questions, surveys }: Desk, random: Dice) => {
  const { id, survey, ask, kind } = random.pick(questions);
  const other = random.pick(kinds.filter(item => item !== kind));
  return { id, ask, kind: other, title: need(surveys, survey, 'survey').title, x: random.between(0, 5) };
};

const mandatory = template('require-question', {
  about: 'Make a question required.',
  split: 'train',
  sample: oneOf,
  setup: (draft, { id }) => void (need(draft.questions, id, 'question').required = false),
  instruction: ({ ask, title, x }) =>
    word(x, [
      `In "${title}", make "${ask}" required.`,
      `Too many people skip "${ask}" in ${title}. They should have to answer.`,
      `${title} / "${ask}" / must be answered`,
      `Nobody may leave out "${ask}" in the survey ${title}, please.`,
      `Could you see to it that "${ask}" (${title}) has to be answered?`,
      `The board insists on "${ask}" being mandatory in ${title}.`,
    ]),
  checks: ({ id }) => [{ name: 'it is required', test: final => find(final.questions, id)?.required === true }],
  allow: ({ id }) => [`/questions/${id}/required`],
});
const rekind = template('change-kind', {
  about: 'Change the kind of a question.',
  split: 'train',
  sample: oneOf,
  instruction: ({ ask, title, kind, x }) =>
    word(x, [
      `${title}: turn "${ask}" into ${kind}.`,
      `"${ask}" in ${title} should be answered by "${kind}" instead.`,
      `Change how people answer "${ask}" in the survey "${title}". I want ${kind}.`,
      `I made a mistake in ${title}, "${ask}" was meant to be of the kind ${kind}. Fix it?`,
      `set "${ask}" (${title}) to ${kind}`,
      `Would "${ask}" work better as ${kind}? I think so, please change it in ${title}.`,
    ]),
  checks: ({ id, kind }) => [{ name: 'the kind is right', test: final => find(final.questions, id)?.kind === kind }],
  allow: ({ id }) => [`/questions/${id}/kind`],
});
const append = template('add-question', {
  about: 'Add a question.',
  split: 'train',
  sample({ surveys }, random) {
    const { id, title } = random.pick(surveys);
    return { id, title, ask: random.pick(fresh), kind: random.pick(kinds), x: random.between(0, 5) };
  },
  instruction: ({ title, ask, kind, x }) =>
    word(x, [
      `Add "${ask}" to ${title}, as ${kind}.`,
      `We forgot to ask "${ask}" in ${title}. Put it in please, answered by ${kind}.`,
      `New question for the survey "${title}": "${ask}" (${kind})`,
      `I would also like to know "${ask}" from the people who fill in ${title}. Kind: ${kind}.`,
      `${title} needs another question of the kind ${kind}, namely "${ask}"`,
      `Could ${title} also ask "${ask}"? Make it ${kind}.`,
    ]),
  checks: ({ id, ask, kind }) => [
    {
      name: 'one question was added',
      test(final, initial) {
        const [made, ...more] = added(initial.questions, final.questions);
        return made?.survey === id && made.ask === ask && made.kind === kind && !made.required && more.length === 0;
      },
    },
  ],
  allow: () => ['/questions/+'],
});
const onward = template('advance-survey', {
  about: 'Publish or close a survey.',
  split: 'train',
  sample: ({ surveys }, random) => ({ ...random.pick(surveys), start: random.chance(0.5), x: random.between(0, 5) }),
  setup: (draft, { id, start }) => void (need(draft.surveys, id, 'survey').stage = start ? 'draft' : 'live'),
  instruction: ({ title, start, x }) =>
    word(x, [
      `${start ? 'Publish' : 'Close'} ${title}.`,
      start ? `"${title}" is ready, let people answer it.` : `We have enough replies to "${title}". Stop it.`,
      `Please ${start ? 'make the survey' : 'end the survey'} "${title}"${start ? ' live' : ''} today.`,
      start
        ? `Is ${title} still a draft? It was meant to go out.`
        : `Nobody should be able to answer ${title} any more.`,
      `${title}: ${start ? 'go live' : 'close it'}`,
      start ? `I promised that ${title} starts today, publish it.` : `The deadline of ${title} is over, so close it.`,
    ]),
  checks: ({ id, start }) => [
    { name: 'the stage is right', test: final => find(final.surveys, id)?.stage === (start ? 'live' : 'closed') },
  ],
  allow: ({ id }) => [`/surveys/${id}/stage`],
});
const topAnswer = template('top-answer', {
  about: 'Say the most frequent answer to a survey.',
  split: 'train',
  sample: ({ surveys }, random) => ({ ...random.pick(surveys), x: random.between(0, 5) }),
  instruction: ({ title, x }) =>
    word(x, [
      `What did most people answer in ${title}?`,
      `most frequent answer of "${title}"`,
      `I need one line for the newsletter: the most frequent answer to ${title}.`,
      `Please look into the results of ${title} and give me the top answer.`,
      `Which answer came up most in the survey ${title}?`,
      `Everybody asks me how ${title} went. What was answered most often?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { surveys }) => find(surveys, id)?.top ?? '',
  shown: ({ ui }, { id }) => ui.survey === id && ui.mode === 'results',
});

export const app = defineApp({
  id: 'askwell',
  title: 'Askwell',
  about: 'A survey maker.',
  state,
  init(random) {
    const surveys = random.sample(names, 7).map((title, at) => ({
      id: `v${at + 1}`,
      title,
      stage: random.pick(['draft', 'live', 'closed'] as const),
      replies: random.between(3, 400),
      top: random.pick(tops),
    }));
    const drawn = surveys.flatMap(({ id }) => random.sample(asks, 4).map(ask => ({ survey: id, ask })));
    const questions = drawn.map((item, at) => ({
      id: `q${at + 1}`,
      ...item,
      kind: random.pick(kinds),
      required: random.chance(0.3),
    }));
    return { surveys, questions, ui: { survey: '', question: '', mode: '', text: '', kind: '', note: '' } };
  },
  commands: [must, retype, addOne, advance, step, pen],
  view(desk) {
    const survey = find(desk.surveys, desk.ui.survey);
    return page('Askwell', [
      survey !== undefined && link('My surveys', to('')),
      desk.ui.note !== '' && status(desk.ui.note),
      survey
        ? open(desk, survey)
        : list(
            'My surveys',
            desk.surveys.map(({ id, title }) => button(title, to(id))),
          ),
    ]);
  },
  templates: [mandatory, rekind, append, onward, topAnswer],
  onRefusal: (draft, message) => void (draft.ui.note = message),
});

// The planning wall of a magazine: stories as cards in stages, a story sheet, and the list of writers with their beats.
import { appKit, button, cell, combobox, defineApp, dialog, find, heading, link, list, need, page } from 'espalier';
import { refuse, region, remove, row, status, table, text, textbox, toolbar, z } from 'espalier';

const s = z.string();
const stages = ['Pitched', 'Writing', 'Editing', 'Layout', 'Printed'] as const;
const state = z.object({
  stories: z.array(z.object({ id: s, title: s, stage: z.enum(stages), writer: s, words: s })),
  writers: z.array(z.object({ id: s, name: s, beat: s, rate: s })),
  ui: z.object({ place: s, story: s, spiking: z.boolean(), only: s, words: s, line: s, seen: s, knew: s }),
});
type Wall = z.infer<typeof state>;
const { command, gesture, template } = appKit(state);

const move = command('move_story', {
  about: 'Move a story one stage forward or back.',
  input: z.object({ id: s, by: z.int() }),
  run(draft, { id, by }) {
    const story = need(draft.stories, id, 'story');
    story.stage = stages[stages.indexOf(story.stage) + by] ?? refuse('There is no stage there.');
  },
});
const assign = command('assign_writer', {
  about: 'Give a story to a writer.',
  input: z.object({ id: s, value: s }),
  run(draft, { id, value }) {
    if (!draft.writers.some(({ name }) => name === value)) refuse('Not one of ours.');
    need(draft.stories, id, 'story').writer = value;
    draft.ui.knew = draft.ui.seen;
  },
});
const measure = command('set_length', {
  about: 'Set how many words a story gets.',
  input: z.object({ id: s, words: s.regex(/^\d+$/, 'Words must be a number.') }),
  run(draft, { id, words }) {
    need(draft.stories, id, 'story').words = words;
    Object.assign(draft.ui, { words: '', line: 'Length noted.' });
  },
});
const spike = command('spike_story', {
  about: 'Spike a story: take it off the wall.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    remove(draft.stories, need(draft.stories, id, 'story').id);
    Object.assign(draft.ui, { story: '', spiking: false, line: 'Spiked.' });
  },
});
const walk = gesture('walk', {
  about: 'Go to a place of the wall.',
  input: z.object({ place: s, story: s, spiking: z.boolean() }),
  run(draft, input) {
    Object.assign(draft.ui, input, { words: '', line: '' });
    if (input.place === 'writers') draft.ui.seen = 'writers';
  },
});
const jot = gesture('jot', {
  about: 'Type a length, or choose which stage to see.',
  input: z.object({ what: z.enum(['words', 'only']), value: s.max(20) }),
  run: (draft, { what, value }) => void (draft.ui[what] = value),
});
const to = (place: string, story = '', spiking = false) => walk.with({ place, story, spiking });

function sheet(story: Wall['stories'][number], { writers, ui }: Wall) {
  const at = stages.indexOf(story.stage);
  return region('Story sheet', [
    heading(story.title),
    status(`Stage ${at + 1} of ${stages.length}: ${story.stage}`),
    at > 0 && button(`« ${stages[at - 1]}`, move.with({ id: story.id, by: -1 })),
    at < stages.length - 1 && button(`${stages[at + 1]} »`, move.with({ id: story.id, by: 1 })),
    combobox('Byline', story.writer, { enter: assign.entering({ id: story.id }), options: writers.map(w => w.name) }),
    text(`Length: ${story.words} words`),
    textbox('New length in words', ui.words, { enter: jot.entering({ what: 'words' }) }),
    button('Note length', measure.with({ id: story.id, words: ui.words })),
    button('Spike it', to('wall', story.id, true)),
  ]);
}
function place(wall: Wall) {
  const { stories, writers, ui } = wall;
  const story = find(stories, ui.story);
  if (story && ui.spiking)
    return dialog(`Spike “${story.title}”?`, [
      button('Spike', spike.with({ id: story.id })),
      button('Spare it', to('wall', story.id)),
    ]);
  if (story) return sheet(story, wall);
  if (ui.place === 'writers')
    return table(
      'Who writes what',
      writers.map(({ name, beat, rate }) => row(name, [cell(name), cell(beat), cell(`${rate} a word`)])),
    );
  return region('The wall', [
    combobox('Show', ui.only, { enter: jot.entering({ what: 'only' }), options: ['All stages', ...stages] }),
    ...stages
      .filter(stage => ui.only === 'All stages' || ui.only === stage)
      .map(stage =>
        list(
          stage,
          stories.filter(item => item.stage === stage).map(({ id, title }) => link(title, to('wall', id))),
        ),
      ),
  ]);
}

const put = (k: number, forms: string[]) => forms[k % forms.length] ?? '';
const moods = 'The secret life of,A week with,In praise of,What became of,Against,The return of'.split(',');
const subjects = (
  'night trains,beekeepers,vinyl,tidal power,street chess,sourdough,lighthouses,cable cars,' +
  'deep sea mining,roller rinks,paper maps,ghost signs,urban foxes,pinball'
).split(',');
const people = (
  'Ada Flint,Ben Arko,Cleo Marsh,Dov Stern,Eva Lark,Finn Oduya,Gita Bose,Hal Brook,Ida Noor,Jem Pike,' +
  'Kit Rowan,Lou Vance'
).split(',');
const beats = ['science', 'sports', 'food', 'travel', 'music', 'politics', 'money', 'health'];

const onward = template('move-story', {
  about: 'Move a story to the stage after the present one.',
  split: 'train',
  sample({ stories }, random) {
    const { id, title } = random.pick(stories);
    const at = random.between(1, stages.length - 1);
    return { id, title, stage: stages[at] ?? 'Writing', before: stages[at - 1] ?? 'Pitched', k: random.between(0, 5) };
  },
  setup: (draft, { id, before }) => void (need(draft.stories, id, 'story').stage = before),
  instruction: ({ title, stage, before, k }) =>
    put(k, [
      `Move "${title}" to ${stage}.`,
      `"${title}" is done with ${before}. Next stop ${stage}, please.`,
      `${stage}: "${title}"`,
      `Could the card "${title}" go from ${before} to ${stage}? Thanks!`,
      `I just heard that "${title}" has reached ${stage}, the wall should say so.`,
      `Since ${before} took long enough, push "${title}" on into ${stage}.`,
    ]),
  checks: ({ id, stage }) => [{ name: 'the stage is right', test: final => find(final.stories, id)?.stage === stage }],
  allow: ({ id }) => [`/stories/${id}/stage`],
});
const byBeat = template('assign-by-beat', {
  about: 'Give a story to the writer of a beat.',
  split: 'train',
  sample({ stories, writers }, random) {
    const [{ id, title, writer }, { name, beat }] = [random.pick(stories), random.pick(writers)];
    return writer === name ? null : { id, title, name, beat, k: random.between(0, 5) };
  },
  instruction: ({ title, beat, k }) =>
    put(k, [
      `Give "${title}" to our ${beat} writer.`,
      `"${title}" is really a ${beat} piece. Put the person on that beat in the byline.`,
      `Whoever covers ${beat} gets "${title}".`,
      `Please find out who does ${beat} for us and assign "${title}" to them.`,
      `byline of "${title}" -> the ${beat} person`,
      `I'd feel better if "${title}" were written by the one with the ${beat} beat. Can you change that?`,
    ]),
  checks: ({ id, name }) => [
    { name: 'the writer is right', test: final => find(final.stories, id)?.writer === name },
    { name: 'the beats were read first', test: final => final.ui.knew !== '' },
  ],
  allow: ({ id }) => [`/stories/${id}/writer`],
});
const trim = template('set-length', {
  about: 'Set the length of a story.',
  split: 'train',
  sample({ stories }, random) {
    return { ...random.pick(stories), length: `${random.between(12, 98) * 25}`, k: random.between(0, 5) };
  },
  setup: (draft, { id }) => void (need(draft.stories, id, 'story').words = '200'),
  instruction: ({ title, length, k }) =>
    put(k, [
      `"${title}": ${length} words.`,
      `We have room for ${length} words of "${title}". Note that.`,
      `Change the length of "${title}" to ${length}`,
      `An ad fell out, so "${title}" gets ${length} words now.`,
      `Would you set "${title}" to ${length} words, please?`,
      `The writer of "${title}" wants to know how long it may be, and it's ${length} words; put it on the sheet.`,
    ]),
  checks: ({ id, length }) => [{ name: 'length noted', test: ({ stories }) => find(stories, id)?.words === length }],
  allow: ({ id }) => [`/stories/${id}/words`],
});
const drop = template('spike-story', {
  about: 'Take a story off the wall.',
  split: 'train',
  sample: ({ stories }, random) => ({ ...random.pick(stories), k: random.between(0, 5) }),
  instruction: ({ title, writer, k }) =>
    put(k, [
      `Spike "${title}".`,
      `We won't run "${title}" after all. Get rid of it.`,
      `${writer} gave up on "${title}", so take it off the wall please.`,
      `kill "${title}"`,
      `The lawyers don't like "${title}". It has to go.`,
      `Could you remove "${title}" for good?`,
    ]),
  checks: ({ id }) => [{ name: 'the story is gone', test: final => !find(final.stories, id) }],
  allow: ({ id }) => [`/stories/${id}`],
});
const whoWrites = template('rate-of-writer', {
  about: 'Say who writes a story and what it is paid.',
  split: 'train',
  sample: ({ stories }, random) => ({ ...random.pick(stories), k: random.between(0, 5) }),
  instruction: ({ title, k }) =>
    put(k, [
      `What do we pay per word for "${title}"? Only the amount.`,
      `I'm doing the budget: the rate a word of whoever writes "${title}"?`,
      `Rate of the author of "${title}"`,
      `See who has the byline of "${title}" and tell me their rate a word.`,
      `How expensive is a word of "${title}", going by its writer?`,
      `Please look up the word rate we owe for "${title}".`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ writer }, { writers }) => writers.find(({ name }) => name === writer)?.rate ?? '',
  shown: ({ ui }, { id }) => [ui.story === id, ui.place === 'writers' && ui.story === ''],
});

export const app = defineApp({
  id: 'pressroom',
  title: 'Pressroom',
  about: 'The planning wall of a magazine.',
  state,
  init(random) {
    const writers = random
      .sample(people, 8)
      .map((name, at) => ({ id: `w${at + 1}`, name, beat: beats[at] ?? '', rate: `€0.${random.between(12, 89)}` }));
    const titles = random.sample(
      moods.flatMap(mood => subjects.map(subject => `${mood} ${subject}`)),
      16,
    );
    const stories = titles.map((title, at) => ({
      id: `s${at + 1}`,
      title,
      stage: random.pick(stages),
      writer: random.pick(writers).name,
      words: String(random.between(10, 60) * 50),
    }));
    const blank = { story: '', spiking: false, words: '', line: '', seen: '', knew: '' };
    return { stories, writers: random.shuffle(writers), ui: { place: 'wall', only: 'All stages', ...blank } };
  },
  commands: [move, assign, measure, spike, walk, jot],
  view: wall =>
    page('Pressroom', [
      toolbar('Wall and people', [button('Wall', to('wall')), button('Writers', to('writers'))]),
      wall.ui.line !== '' && status(wall.ui.line),
      place(wall),
    ]),
  templates: [onward, byBeat, trim, drop, whoWrites],
  onRefusal: (draft, message) => void (draft.ui.line = message),
});

// A neighbourhood social network: a feed with likes and comments, neighbours to follow, circles to join, meet-ups.
import { added, appKit, banner, button, checkbox, combobox, defineApp, find, heading, link, list } from 'espalier';
import { need, nextId, page, region, searchBox, status, text, textbox, z } from 'espalier';

const s = z.string();
const state = z.object({
  people: z.array(z.object({ id: s, name: s, street: s, followed: z.boolean() })),
  posts: z.array(z.object({ id: s, by: s, body: s, liked: z.boolean() })),
  comments: z.array(z.object({ id: s, post: s, body: s })),
  meets: z.array(z.object({ id: s, name: s, host: s, place: s, going: s })),
  ui: z.object({ at: s, item: s, find: s, reply: s, say: s, seen: z.array(s), knew: z.array(s) }),
});
type Flock = z.infer<typeof state>;
const { command, gesture, template } = appKit(state);
const answers = ['Going', 'Maybe', 'Not going'] as const;

const follow = command('follow', {
  about: 'Follow a neighbour, or stop following.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const person = need(draft.people, id, 'neighbour');
    person.followed = !person.followed;
    draft.ui.knew = [...draft.ui.seen];
  },
});
const like = command('like_post', {
  about: 'Like a post, or take the like back.',
  input: z.object({ id: s }),
  run: ({ posts }, { id }) => void (need(posts, id, 'post').liked = !find(posts, id)?.liked),
});
const comment = command('comment', {
  about: 'Comment on a post.',
  input: z.object({ post: s, body: s.trim().min(1, 'Say something first.') }),
  run(draft, input) {
    draft.comments.push({ id: nextId(draft.comments, 'c'), ...input });
    draft.ui.reply = '';
  },
});
const answer = command('answer_invitation', {
  about: 'Answer the invitation to a meet-up.',
  input: z.object({ id: s, value: z.enum(answers) }),
  run: (draft, { id, value }) => void (need(draft.meets, id, 'meet-up').going = value),
});
const fly = gesture('fly', {
  about: 'Go somewhere in the network.',
  input: z.object({ at: s, item: s }),
  run(draft, input) {
    Object.assign(draft.ui, input, { find: '', reply: '', say: '' });
    if (find(draft.meets, input.item) && !draft.ui.seen.includes(input.item)) draft.ui.seen.push(input.item);
  },
});
const chirp = gesture('chirp', {
  about: 'Type a comment or a name.',
  input: z.object({ into: z.enum(['find', 'reply']), value: s.max(80) }),
  run: (draft, { into, value }) => void (draft.ui[into] = value),
});
const to = (at: string, item = '') => fly.with({ at, item });

function nest({ people, posts, comments, meets, ui }: Flock) {
  const [post, meet, person] = [find(posts, ui.item), find(meets, ui.item), find(people, ui.item)];
  if (post)
    return region(`${post.by} says`, [
      heading(post.body),
      checkbox('I like this', post.liked, like.with({ id: post.id })),
      list(
        'Comments',
        comments.filter(item => item.post === post.id).map(({ body }) => text(body)),
      ),
      textbox('Add a comment', ui.reply, { enter: chirp.entering({ into: 'reply' }) }),
      button('Comment', comment.with({ post: post.id, body: ui.reply })),
    ]);
  if (meet)
    return region(meet.name, [
      text(`Where: ${meet.place}`),
      text(`Host: ${meet.host}`),
      combobox('Are you coming?', meet.going, { enter: answer.entering({ id: meet.id }), options: [...answers] }),
    ]);
  if (person)
    return region(person.name, [
      text(`Lives in ${person.street}`),
      status(person.followed ? 'You follow them' : 'You do not follow them'),
      button(person.followed ? 'Unfollow' : 'Follow', follow.with({ id: person.id })),
    ]);
  if (ui.at === 'people')
    return searchBox('Find neighbours', [
      textbox('Who?', ui.find, { enter: chirp.entering({ into: 'find' }) }),
      list(
        'Near you',
        people
          .filter(({ name }) => name.toLowerCase().includes(ui.find.toLowerCase()))
          .map(({ id, name }) => link(name, to('people', id))),
      ),
    ]);
  if (ui.at === 'meets')
    return list(
      'Meet-ups',
      meets.map(({ id, name }) => link(name, to('meets', id))),
    );
  return list(
    'Around you',
    posts.map(({ id, by, body }) => link(`${by}: ${body}`, to('feed', id))),
  );
}

const tune = (t: number, forms: string[]) => forms[t % forms.length] ?? '';
const names = (
  'Abel Moss,Birgit Lowe,Casper Dunn,Delia Frey,Enzo Park,Freya Hill,Goran Vale,Hilda Ash,Imran Reed,' +
  'Jutta Wood,Karim Field,Lilo Marsh,Milo Brook,Nora Heath,Otto Glen,Petra Lake,Rolf Stone,Silke Dale'
).split(',');
const streets = 'Mill Lane,Quay Road,Station Hill,Elm Row,Baker Yard,Canal Walk,Church Steps,Fox Alley'.split(',');
const bodies = (
  'Free plum jam!|Who lost a grey cat?|Loud drilling again|Need a ladder|Our hens lay too much|' +
  'Piano to give away|Street party soon?|Bins were not emptied|Found a glove|Choir needs a bass|Rats!'
).split('|');
const replies = (
  'I can help on Sunday|Count me in|Same here|Is it still there?|Lovely idea|Call me tonight|' +
  'I saw it too|Thanks for telling us|My son would love that'
).split('|');
const events = 'Clean-up day,Board games,Seed swap,Lantern walk,Flea market,Pancake run,Film club,Boules'.split(',');

const likeIt = template('like-post', {
  about: 'Like a post, or take a like back.',
  split: 'train',
  sample: ({ posts }, random) => ({ ...random.pick(posts), more: random.chance(0.7), t: random.between(0, 5) }),
  setup: (draft, { id, more }) => void (need(draft.posts, id, 'post').liked = !more),
  instruction: ({ by, body, more, t }) =>
    tune(t, [
      `${more ? 'Like' : 'Unlike'} "${body}".`,
      `${by} posted "${body}". ${more ? 'I like it, so show that.' : 'I liked it by mistake, undo that.'}`,
      more ? `Give ${by} a like for "${body}", please` : `Please take my like off "${body}"`,
      more ? `It would cheer ${by} up if I liked "${body}".` : `I don't like "${body}" by ${by} any more.`,
      `my like on "${body}": ${more ? 'on' : 'off'}`,
      `Could you ${more ? 'tick' : 'untick'} that I like what ${by} wrote, "${body}"?`,
    ]),
  checks: ({ id, more }) => [{ name: 'the like is right', test: final => find(final.posts, id)?.liked === more }],
  allow: ({ id }) => [`/posts/${id}/liked`],
});
const streetOf = template('street-of-author', {
  about: 'Say where the author of a post lives.',
  split: 'train',
  sample: ({ posts }, random) => ({ ...random.pick(posts), t: random.between(0, 5) }),
  instruction: ({ body, t }) =>
    tune(t, [
      `In which street does the person who posted "${body}" live?`,
      `I want to drop by because of "${body}". Which street is the author in?`,
      `street of whoever wrote "${body}"`,
      `Find the author of "${body}" among the neighbours and tell me the street.`,
      `Is "${body}" from somebody near us? Just name the street they live in.`,
      `Please look up the home street of the neighbour behind "${body}".`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ by }, { people }) => people.find(({ name }) => name === by)?.street ?? '',
  shown: ({ ui, people }, { by, id }) => [
    (ui.at === 'feed' && ui.item === '') || ui.item === id,
    find(people, ui.item)?.name === by,
  ],
});
const reply = template('comment-on-post', {
  about: 'Comment on a post.',
  split: 'train',
  sample: ({ posts }, random) => ({ ...random.pick(posts), words: random.pick(replies), t: random.between(0, 5) }),
  instruction: ({ by, body, words, t }) =>
    tune(t, [
      `Comment "${words}" on "${body}".`,
      `Answer ${by}, who wrote "${body}", with "${words}".`,
      `Under "${body}" write: "${words}"`,
      `Tell ${by} "${words}" as a comment to "${body}", would you?`,
      `My reply to the post "${body}" is "${words}".`,
      `${by} is waiting for an answer to "${body}". Mine: "${words}".`,
    ]),
  checks: ({ id, words }) => [
    {
      name: 'one comment was made',
      test(final, initial) {
        const [made, ...more] = added(initial.comments, final.comments);
        return made?.post === id && made.body === words && more.length === 0;
      },
    },
  ],
  allow: () => ['/comments/+'],
});
const followHost = template('follow-host', {
  about: 'Follow the host of a meet-up.',
  split: 'train',
  sample({ meets, people }, random) {
    const { id: meet, name, host } = random.pick(meets);
    return { id: people.find(person => person.name === host)?.id ?? '', meet, name, t: random.between(0, 5) };
  },
  setup: (draft, { id }) => void (need(draft.people, id, 'neighbour').followed = false),
  instruction: ({ name, t }) =>
    tune(t, [
      `Follow the host of ${name}.`,
      `Whoever organises "${name}" seems nice. Follow them for me.`,
      `Look who hosts ${name} and follow that neighbour.`,
      `I want to see what the person behind ${name} posts, so I should be following them.`,
      `${name}: follow its host`,
      `Could you find out who runs the meet-up ${name}, and then follow that person?`,
    ]),
  checks: ({ id, meet }) => [
    { name: 'the host is followed', test: final => find(final.people, id)?.followed === true },
    { name: 'the meet-up was read first', test: final => final.ui.knew.includes(meet) },
  ],
  allow: ({ id }) => [`/people/${id}/followed`],
});
const rsvp = template('answer-invitation', {
  about: 'Answer an invitation.',
  split: 'train',
  sample: ({ meets }, random) => ({ ...random.pick(meets), reply: random.pick(answers), t: random.between(0, 5) }),
  setup: (draft, { id }) => void (need(draft.meets, id, 'meet-up').going = 'No answer'),
  instruction: ({ name, reply: what, t }) =>
    tune(t, [
      `${name}: ${what}.`,
      `Answer the invitation to ${name} with "${what}".`,
      `They want to know whether I come to ${name}. Say ${what.toLowerCase()}.`,
      `Please put me down as "${what}" for ${name}`,
      `I've looked at my calendar: ${what.toLowerCase()} is my answer for ${name}, can you set that?`,
      `rsvp ${name} - ${what}`,
    ]),
  checks: ({ id, reply: what }) => [{ name: 'answered', test: final => find(final.meets, id)?.going === what }],
  allow: ({ id }) => [`/meets/${id}/going`],
});

export const app = defineApp({
  id: 'flock',
  title: 'Flock',
  about: 'A neighbourhood social network.',
  state,
  init(random) {
    const people = random
      .sample(names, 13)
      .map((name, at) => ({ id: `n${at + 1}`, name, street: random.pick(streets), followed: random.chance(0.4) }));
    const [others, by] = [random.sample(bodies, 10), () => random.pick(people).name];
    return {
      people,
      posts: others.map((body, at) => ({ id: `p${at + 1}`, by: by(), body, liked: random.chance(0.2) })),
      comments: [1, 2, 3, 5, 8].map((post, at) => ({ id: `c${at + 1}`, post: `p${post}`, body: random.pick(replies) })),
      meets: events.map((name, at) => ({
        id: `m${at + 1}`,
        name,
        host: by(),
        place: random.pick(streets),
        going: 'No answer',
      })),
      ui: { at: 'feed', item: '', find: '', reply: '', say: '', seen: [], knew: [] },
    };
  },
  commands: [follow, like, comment, answer, fly, chirp],
  view: flock =>
    page('Flock', [
      banner('Flock', [link('Feed', to('feed')), link('Neighbours', to('people')), link('Meet-ups', to('meets'))]),
      flock.ui.say !== '' && status(flock.ui.say),
      nest(flock),
    ]),
  templates: [likeIt, streetOf, reply, followHost, rsvp],
  onRefusal: (draft, message) => void (draft.ui.say = message),
});

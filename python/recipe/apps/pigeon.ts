// A team chat: rooms and their posts, a composer, colleagues with profiles, and a presence line.
import { added, appKit, banner, button, checkbox, combobox, defineApp, find, heading, link } from 'espalier';
import { list, listItem, navigation, need, nextId, page, refuse, region, status, text, textbox, z } from 'espalier';

const s = z.string();
const state = z.object({
  rooms: z.array(z.object({ id: s, name: s, muted: z.boolean(), guests: z.array(s) })),
  posts: z.array(z.object({ id: s, room: s, by: s, body: s, pinned: z.boolean() })),
  people: z.array(z.object({ id: s, name: s, job: s, zone: s, mentor: s })),
  ui: z.object({ room: s, person: s, tab: s, draft: s, flash: s, seen: z.array(s), knew: z.array(s) }),
});
type Chat = z.infer<typeof state>;
const { command, gesture, template } = appKit(state);

const send = command('send_post', {
  about: 'Send a message to a room.',
  input: z.object({ room: s, body: s.trim().min(1, 'Nothing to send yet.') }),
  run(draft, { room, body }) {
    need(draft.rooms, room, 'room');
    draft.posts.push({ id: nextId(draft.posts, 'p'), room, by: 'You', body, pinned: false });
    draft.ui.draft = '';
  },
});
const hush = command('mute_room', {
  about: 'Mute or unmute a room.',
  input: z.object({ id: s }),
  run: ({ rooms }, { id }) => void (need(rooms, id, 'room').muted = !find(rooms, id)?.muted),
});
const pin = command('pin_post', {
  about: 'Pin a post in its room.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const post = need(draft.posts, id, 'post');
    if (post.pinned) refuse('It is pinned already.');
    post.pinned = true;
  },
});
const invite = command('invite_person', {
  about: 'Add a colleague to a room.',
  input: z.object({ id: s, value: s }),
  run(draft, { id, value }) {
    const room = need(draft.rooms, id, 'room');
    const person = draft.people.find(({ name }) => name === value) ?? refuse(`Nobody is called ${value}.`);
    if (room.guests.includes(person.name)) refuse(`${value} is in already.`);
    room.guests.push(person.name);
    Object.assign(draft.ui, { flash: `${value} joined #${room.name}.`, knew: [...draft.ui.seen] });
  },
});
const open = gesture('open', {
  about: 'Open a room, a profile or a tab.',
  input: z.object({ tab: s, room: s, person: s }),
  run(draft, input) {
    if (input.person !== '' && !draft.ui.seen.includes(input.person)) draft.ui.seen.push(input.person);
    Object.assign(draft.ui, input, { draft: '', flash: '' });
  },
});
const compose = gesture('compose', {
  about: 'Type a message.',
  input: z.object({ value: s.max(120) }),
  run: (draft, { value }) => void (draft.ui.draft = value),
});
const to = (tab: string, room = '', person = '') => open.with({ tab, room, person });

function main({ rooms, posts, people, ui }: Chat) {
  const room = find(rooms, ui.room);
  const person = find(people, ui.person);
  if (room)
    return region(`#${room.name}`, [
      checkbox('Mute this room', room.muted, hush.with({ id: room.id })),
      list(
        'Conversation',
        posts
          .filter(post => post.room === room.id)
          .map(({ id, by, body, pinned }) =>
            listItem(`${by}: ${body}`, [pinned ? status('pinned') : button(`Pin what ${by} wrote`, pin.with({ id }))]),
          ),
      ),
      textbox(`Message #${room.name}`, ui.draft, { enter: compose.entering({}) }),
      button('Send', send.with({ room: room.id, body: ui.draft })),
      combobox('Add people', '', { enter: invite.entering({ id: room.id }), options: people.map(({ name }) => name) }),
      text(`Here: ${room.guests.join(', ') || 'only you'}`),
    ]);
  if (person)
    return region('Profile', [
      heading(person.name),
      text(person.job),
      text(`Local time zone: ${person.zone}`),
      text(`Mentor: ${person.mentor}`),
    ]);
  if (ui.tab === 'people')
    return list(
      'Colleagues',
      people.map(({ id, name }) => link(name, to('people', '', id))),
    );
  return text('Pick a room on the left to start reading.');
}

const vary = (n: number, forms: string[]) => forms[n % forms.length] ?? '';
const topics = 'launch,random,lunch,design-crit,hiring,billing,on-call,offsite,legal,press,book-club'.split(',');
const names = (
  'Amara Bello,Bruno Keller,Chen Wei,Dalia Haddad,Emil Strand,Fiona Byrne,Gael Moreau,Hana Kim,' +
  'Jaya Nair,Kofi Mensah,Lotta Berg,Marek Duda,Nadia Cruz,Oskar Lund,Priya Rao,Quinn Abbot,Rafa Solis'
).split(',');
const jobs = 'Copywriter,Backend engineer,Office manager,Recruiter,Data analyst,Illustrator,Lawyer'.split(',');
const zones = 'Lisbon,Nairobi,Toronto,Seoul,Oslo,Lima,Perth,Mumbai,Denver,Cairo,Hanoi,Quito,Warsaw,Auckland'.split(',');
const lines = (
  'The badge printer works again.|Slides are in the usual folder.|Can someone review my numbers?|Cake!|' +
  'The vendor wants an answer by Friday.|Who took the red cable?|I am off from tomorrow.|Train is late.'
).split('|');
const notes = (
  'Running ten minutes late|The demo is at noon|Lunch is on me today|Please update your hours|' +
  'The door code has changed|I will take notes|Budget is approved|See you upstairs|Server is back'
).split('|');

const postIt = template('send-post', {
  about: 'Send a message to a room.',
  split: 'train',
  sample: ({ rooms }, random) => ({ ...random.pick(rooms), note: random.pick(notes), n: random.between(0, 5) }),
  instruction: ({ name, note, n }) =>
    vary(n, [
      `Post "${note}" in #${name}.`,
      `Let the people in #${name} know: "${note}"`,
      `Can you write "${note}" to the ${name} room for me? I'm driving.`,
      `#${name}: "${note}"`,
      `Everybody in ${name} should read this from me: "${note}".`,
      `Kindly send the following to #${name}: "${note}"`,
    ]),
  checks: ({ id, note }) => [
    {
      name: 'one message was sent',
      test(final, initial) {
        const [made, ...more] = added(initial.posts, final.posts);
        return made?.room === id && made.body === note && !made.pinned && more.length === 0;
      },
    },
  ],
  allow: () => ['/posts/+'],
});
const muteIt = template('mute-room', {
  about: 'Mute or unmute a room.',
  split: 'train',
  sample: ({ rooms }, random) => ({ ...random.pick(rooms), quiet: random.chance(0.6), n: random.between(0, 5) }),
  setup: (draft, { id, quiet }) => void (need(draft.rooms, id, 'room').muted = !quiet),
  instruction: ({ name, quiet, n }) =>
    vary(n, [
      `${quiet ? 'Mute' : 'Unmute'} #${name}.`,
      quiet ? `#${name} keeps buzzing. Make it stop.` : `I miss everything in #${name} because it is muted. Undo that.`,
      quiet ? `I can't concentrate with ${name} pinging me, silence it please.` : `Please let ${name} notify me again.`,
      quiet ? `No more notifications from ${name}` : `Notifications from ${name} back on`,
      `Could you switch the muting of the ${name} room ${quiet ? 'on' : 'off'}?`,
      quiet ? `#${name} can be quiet from now on.` : `I'm on the ${name} team again, so it should not be muted.`,
    ]),
  checks: ({ id, quiet }) => [{ name: 'muting is right', test: final => find(final.rooms, id)?.muted === quiet }],
  allow: ({ id }) => [`/rooms/${id}/muted`],
});
const pinBy = template('pin-post', {
  about: 'Pin the post of a colleague.',
  split: 'train',
  sample({ posts, rooms }, random) {
    const { id, by, room, body } = random.pick(posts);
    return { id, by, body, room: need(rooms, room, 'room').name, n: random.between(0, 5) };
  },
  setup: (draft, { id }) => void (need(draft.posts, id, 'post').pinned = false),
  instruction: ({ by, body, room, n }) =>
    vary(n, [
      `Pin what ${by} said in #${room}.`,
      `In #${room}, ${by} wrote "${body}" Pin that.`,
      `${by}'s message in ${room} keeps getting lost, can you pin it?`,
      `#${room}: pin ${by}`,
      `We'll need the post by ${by} in ${room} later, so please stick it to the top.`,
      `Would you pin "${body}" in #${room}? It is from ${by}.`,
    ]),
  checks: ({ id }) => [{ name: 'the post is pinned', test: final => find(final.posts, id)?.pinned === true }],
  allow: ({ id }) => [`/posts/${id}/pinned`],
});
const people = ({ rooms }: Chat, id: string) => find(rooms, id)?.guests.length ?? 0;
const addMentor = template('invite-mentor', {
  about: 'Add the mentor of a colleague to a room.',
  split: 'train',
  sample({ rooms, people }, random) {
    const [room, { id, name, mentor }] = [random.pick(rooms), random.pick(people)];
    if (room.guests.includes(mentor)) return null;
    return { id: room.id, room: room.name, who: id, name, mentor, n: random.between(0, 5) };
  },
  instruction: ({ room, name, n }) =>
    vary(n, [
      `Add ${name}'s mentor to #${room}.`,
      `Whoever mentors ${name} should be in #${room} as well. Please add them.`,
      `Look up the mentor of ${name} and bring that person into ${room}`,
      `#${room} needs one more: the mentor of ${name}.`,
      `I'd love to have the person who mentors ${name} in the ${room} room, could you do that?`,
      `${name} asked for support in ${room}, so invite the mentor named in that profile.`,
    ]),
  checks: ({ id, mentor, who }) => [
    { name: 'the mentor is in', test: final => find(final.rooms, id)?.guests.at(-1) === mentor },
    { name: 'nobody else joined', test: (now, old) => people(now, id) === people(old, id) + 1 },
    { name: 'the profile was read first', test: final => final.ui.knew.includes(who) },
  ],
  allow: ({ id }) => [`/rooms/${id}/guests`],
});
const zoneOf = template('time-zone', {
  about: 'Say in which time zone a colleague is.',
  split: 'train',
  sample: ({ people }, random) => ({ ...random.pick(people), n: random.between(0, 5) }),
  instruction: ({ name, n }) =>
    vary(n, [
      `Which time zone is ${name} in?`,
      `I want to call ${name} and don't know whose clock to use. Which city's time?`,
      `time zone of ${name}`,
      `Please tell me ${name}'s local time zone.`,
      `Is it night where ${name} sits? Just tell me the zone from the profile.`,
      `What does the profile of ${name} give as time zone?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { people }) => find(people, id)?.zone ?? '',
  shown: ({ ui }, { id }) => ui.person === id,
});

export const app = defineApp({
  id: 'pigeon',
  title: 'Pigeon',
  about: 'A team chat with rooms, posts and profiles.',
  state,
  init(random) {
    const staff = random.sample(names, 10);
    const people = staff.map((name, at) => ({
      id: `u${at + 1}`,
      name,
      job: random.pick(jobs),
      zone: random.pick(zones),
      mentor: staff[(at + 3) % 10] ?? '',
    }));
    const rooms = random
      .sample(topics, 7)
      .map((name, at) => ({ id: `r${at + 1}`, name, muted: random.chance(0.3), guests: random.sample(staff, 4) }));
    const told = rooms.flatMap(({ id, guests }) => guests.slice(0, 3).map(by => ({ room: id, by })));
    const posts = told.map((post, at) => ({ id: `p${at + 1}`, ...post, body: random.pick(lines), pinned: false }));
    return { rooms, posts, people, ui: { room: '', person: '', tab: '', draft: '', flash: '', seen: [], knew: [] } };
  },
  commands: [send, hush, pin, invite, open, compose],
  view: chat =>
    page('Pigeon', [
      navigation(
        'Rooms',
        chat.rooms.map(({ id, name }) => link(`# ${name}`, to('', id))),
      ),
      banner('Top', [link('Colleagues', to('people')), chat.ui.flash !== '' && text(chat.ui.flash)]),
      main(chat),
    ]),
  templates: [postIt, muteIt, pinBy, addMentor, zoneOf],
  onRefusal: (draft, message) => void (draft.ui.flash = message),
});

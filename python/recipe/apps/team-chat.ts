// Huddle: chat for a small company. Rooms on the left, one conversation in the middle, a details pane when asked for.
import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  find,
  form,
  heading,
  list,
  listItem,
  link,
  menu,
  menuItem,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  switchButton,
  text,
  textbox,
  z,
} from 'espalier';

const ME = 'you';
const MOODS = ['Available', 'In a meeting', 'Out to lunch', 'On leave', 'Focusing'] as const;
const state = z.object({
  rooms: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      topic: z.string(),
      muted: z.boolean(),
      readOnly: z.boolean(),
      members: z.array(z.string()),
      pinned: z.string(),
    }),
  ),
  people: z.array(z.object({ id: z.string(), name: z.string(), title: z.string(), zone: z.string() })),
  messages: z.array(
    z.object({
      id: z.string(),
      room: z.string(),
      by: z.string(),
      at: z.string(),
      body: z.string(),
      thumbs: z.boolean(),
    }),
  ),
  profile: z.object({ mood: z.enum(MOODS) }),
  ui: z.object({
    room: z.string(),
    pane: z.string(),
    person: z.string(),
    draft: z.string(),
    menu: z.string(),
  }),
});
type World = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const author = (w: World, by: string) => (by === ME ? 'You' : (find(w.people, by)?.name ?? '?'));

const send = command('send_message', {
  about: 'Send a message to a room.',
  input: z.object({ room: z.string(), body: z.string() }),
  run(draft, { room, body }) {
    if (body.trim() === '') refuse('Nothing to send.');
    if (need(draft.rooms, room, 'room').readOnly) refuse('Only admins may post here.');
    draft.messages.push({ id: nextId(draft.messages, 'm'), room, by: ME, at: 'now', body, thumbs: false });
    draft.ui.draft = '';
  },
});
const thumb = command('thumbs_up', {
  about: 'React to a message with a thumb, or take it back.',
  input: z.object({ message: z.string() }),
  run(draft, { message }) {
    const m = need(draft.messages, message, 'message');
    m.thumbs = !m.thumbs;
  },
});
const pin = command('pin_message', {
  about: 'Pin a message in its room. Replaces what was pinned.',
  input: z.object({ message: z.string() }),
  run(draft, { message }) {
    const m = need(draft.messages, message, 'message');
    need(draft.rooms, m.room, 'room').pinned = message;
    draft.ui.menu = '';
  },
});
const unsend = command('delete_message', {
  about: 'Delete one of your own messages.',
  input: z.object({ message: z.string() }),
  run(draft, { message }) {
    const m = need(draft.messages, message, 'message');
    if (m.by !== ME) refuse('You can delete only what you wrote.');
    const room = need(draft.rooms, m.room, 'room');
    if (room.pinned === message) refuse('It is pinned.');
    remove(draft.messages, message);
    draft.ui.menu = '';
  },
});
const mute = command('mute_room', {
  about: 'Mute or unmute a room.',
  input: z.object({ room: z.string() }),
  run(draft, { room }) {
    const r = need(draft.rooms, room, 'room');
    r.muted = !r.muted;
  },
});
const invite = command('invite', {
  about: 'Bring a person into a room.',
  input: z.object({ room: z.string(), value: z.string() }),
  run(draft, { room, value }) {
    const r = need(draft.rooms, room, 'room');
    const p = draft.people.find(x => x.name === value) ?? refuse('Nobody of that name.');
    if (r.members.includes(p.id)) refuse('Already a member.');
    r.members = [...r.members, p.id].toSorted();
  },
});
const setMood = command('set_status', {
  about: 'Set your own status.',
  input: z.object({ mood: z.enum(MOODS) }),
  run(draft, { mood }) {
    draft.profile.mood = mood;
    draft.ui.menu = '';
  },
});
const history = query('read_everything', {
  about: 'Rooms, people and messages.',
  input: z.object({}),
  run: w => ({
    rooms: w.rooms.map(r => ({ ...r, members: r.members.map(id => author(w, id)) })),
    people: w.people,
    messages: w.messages.map(m => ({ ...m, by: author(w, m.by), room: find(w.rooms, m.room)?.name })),
    yourStatus: w.profile.mood,
  }),
});

const enterRoom = gesture('enter_room', {
  about: 'Enter a room.',
  input: z.object({ room: z.string() }),
  run(draft, { room }) {
    Object.assign(draft.ui, { room, pane: '', menu: '', draft: '' });
  },
});
const pane = gesture('pane', {
  about: 'Open a pane on the right, or close it.',
  input: z.object({ pane: z.string(), person: z.string() }),
  run(draft, { pane, person }) {
    Object.assign(draft.ui, { pane, person, menu: '' });
  },
});
const openMenu = gesture('open_menu', {
  about: 'Open a menu, or close it.',
  input: z.object({ menu: z.string() }),
  run(draft, { menu }) {
    draft.ui.menu = draft.ui.menu === menu ? '' : menu;
  },
});
const compose = gesture('compose', {
  about: 'Write into the message field.',
  input: z.object({ value: z.string().max(200) }),
  run(draft, { value }) {
    draft.ui.draft = value;
  },
});

const meMenu = (w: World) => [
  button(`Me (${w.profile.mood})`, openMenu.with({ menu: 'me' }), w.ui.menu.startsWith('me') ? ['expanded'] : []),
  w.ui.menu.startsWith('me') &&
    menu('Me', [
      menuItem('Status ▸', openMenu.with({ menu: 'me-status' }), w.ui.menu === 'me-status' ? ['expanded'] : []),
      ...(w.ui.menu === 'me-status' ? MOODS.map(mood => menuItem(mood, setMood.with({ mood }))) : []),
    ]),
];
const sidePane = (w: World) => {
  const r = need(w.rooms, w.ui.room, 'room');
  if (w.ui.pane === 'person') {
    const p = need(w.people, w.ui.person, 'person');
    return region('Profile', [
      heading(p.name),
      text(p.title),
      text(`Time zone: ${p.zone}`),
      button('Close pane', pane.with({ pane: '', person: '' })),
    ]);
  }
  return region('Room details', [
    heading(`About #${r.name}`),
    text(`Topic: ${r.topic}`),
    switchButton('Muted', r.muted, mute.with({ room: r.id })),
    list(
      `${r.members.length} members`,
      r.members.map(id => text(author(w, id))),
    ),
    combobox('Add someone', '', {
      enter: invite.entering({ room: r.id }),
      options: w.people.filter(p => !r.members.includes(p.id)).map(p => p.name),
    }),
    button('Close pane', pane.with({ pane: '', person: '' })),
  ]);
};
const conversation = (w: World) => {
  const r = need(w.rooms, w.ui.room, 'room');
  const pinned = find(w.messages, r.pinned);
  return region(`#${r.name}`, [
    heading(`#${r.name}`),
    button('ⓘ Details', pane.with({ pane: 'room', person: '' })),
    pinned ? text(`📌 ${pinned.body}`) : null,
    list(
      'Messages',
      w.messages
        .filter(m => m.room === r.id)
        .map(m =>
          listItem(`${author(w, m.by)} ${m.at}: ${m.body}`, [
            m.by !== ME && link(author(w, m.by), pane.with({ pane: 'person', person: m.by })),
            button(m.thumbs ? '👍 1' : '👍', thumb.with({ message: m.id })),
            button('…', openMenu.with({ menu: m.id }), w.ui.menu === m.id ? ['expanded'] : []),
            w.ui.menu === m.id &&
              menu('Message', [
                menuItem('Pin to room', pin.with({ message: m.id })),
                m.by === ME && menuItem('Delete message', unsend.with({ message: m.id })),
              ]),
          ]),
        ),
    ),
    r.readOnly
      ? text('Announcements only. Members cannot post in this room.')
      : form('Reply', [
          textbox(`Message #${r.name}`, w.ui.draft, { enter: compose.entering({}) }),
          button('Send', send.with({ room: r.id, body: w.ui.draft })),
        ]),
  ]);
};

// Tasks. `turn` chooses the wording.
const posted = (room: string, body: string) => ({
  name: 'the message is in the room',
  test(final: World, initial: World) {
    const fresh = added(initial.messages, final.messages);
    return (
      fresh.length === 1 &&
      fresh[0]!.room === room &&
      fresh[0]!.body === body &&
      fresh[0]!.by === ME &&
      !fresh[0]!.thumbs
    );
  },
});
const LINES = [
  'Running ten minutes late',
  'The printer works again',
  'Standup moves to 9:45',
  'Who took the blue adapter?',
  'Cake in the kitchen',
  'Build is green',
];
const post = template('post', {
  about: 'Post a message in a room.',
  split: 'train',
  sample(w, random) {
    const r = random.pick(w.rooms.filter(x => !x.readOnly));
    return { room: r.id, name: r.name, body: random.pick(LINES), turn: random.between(0, 3) };
  },
  instruction: ({ name, body, turn }) =>
    [
      `Post "${body}" in #${name}.`,
      `Tell the people in ${name}: ${body}`,
      `write in the ${name} channel exactly this: "${body}"`,
      `Could you let #${name} know? The text is "${body}" and nothing more.`,
    ][turn]!,
  checks: ({ room, body }) => [posted(room, body)],
  allow: () => ['/messages/+'],
});
const announce = template('post-where-allowed', {
  about: 'Post in a room that may be for announcements only.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ canPost }) => canPost,
  sample(w, random) {
    const r = random.pick(w.rooms.slice(1));
    return {
      room: r.id,
      name: r.name,
      body: random.pick(LINES),
      canPost: random.chance(0.5),
      turn: random.between(0, 2),
    };
  },
  setup(draft, { room, canPost }) {
    need(draft.rooms, room, 'room').readOnly = !canPost;
  },
  instruction: ({ name, body, turn }) =>
    [
      `#${name} has to hear this from me: "${body}". Only that room, no other.`,
      `Say "${body}" in ${name}. If it can't be said there, don't say it anywhere else.`,
      `drop a line into #${name}: "${body}"`,
    ][turn]!,
  checks: ({ room, body }) => [posted(room, body)],
  allow: () => ['/messages/+'],
  shown: ({ ui }, { room }) => ui.room === room,
});
const quiet = template('mute-by-topic', {
  about: 'Mute all rooms of a topic.',
  split: 'train',
  sample(w, random) {
    const topic = random.pick(['Just for fun', 'Sales numbers', 'Office move']);
    return { topic, ids: random.sample(w.rooms, 2).map(r => r.id), turn: random.between(0, 2) };
  },
  setup(draft, { topic, ids }) {
    for (const r of draft.rooms) {
      if (ids.includes(r.id)) Object.assign(r, { topic, muted: false });
      else if (r.topic === topic) r.topic = 'Anything else';
    }
  },
  instruction: ({ topic, turn }) =>
    [
      `Mute both rooms whose topic is "${topic}".`,
      `Too much noise. There are two channels with the topic "${topic}", silence them.`,
      `I can't follow ${topic} this week (that's the topic of two rooms). Turn their notifications off`,
    ][turn]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `muted ${at + 1}`, test: (final: World) => find(final.rooms, id)?.muted === true })),
  allow: ({ ids }) => ids.map(id => `/rooms/${id}/muted`),
});
const pinIt = template('pin', {
  about: 'Pin what somebody wrote.',
  split: 'train',
  sample(w, random) {
    const m = random.pick(w.messages.filter(x => !w.rooms.some(r => r.pinned === x.id)));
    return {
      id: m.id,
      room: m.room,
      body: m.body,
      name: need(w.rooms, m.room, 'room').name,
      turn: random.between(0, 2),
    };
  },
  instruction: ({ body, name, turn }) =>
    [
      `Pin "${body}" in #${name}.`,
      `In ${name} somebody wrote "${body}". Keep that at the top of the room.`,
      `#${name} - pin the message "${body}" pls`,
    ][turn]!,
  checks: ({ id, room }) => [{ name: 'pinned', test: final => find(final.rooms, room)?.pinned === id }],
  allow: ({ room }) => [`/rooms/${room}/pinned`],
});
const takeBack = template('take-back', {
  about: 'Delete an own message.',
  split: 'train',
  sample(w, random) {
    const m = random.pick(w.messages.filter(x => !w.rooms.some(r => r.pinned === x.id)));
    return { id: m.id, body: m.body, name: need(w.rooms, m.room, 'room').name, turn: random.between(0, 2) };
  },
  setup(draft, { id }) {
    need(draft.messages, id, 'message').by = ME;
  },
  instruction: ({ body, name, turn }) =>
    [
      `I shouldn't have written "${body}" in #${name}. Take it back.`,
      `Delete my message "${body}" (room ${name})`,
      `Unsend what I said in ${name}: ${body}`,
    ][turn]!,
  checks: ({ id }) => [{ name: 'gone', test: final => find(final.messages, id) === undefined }],
  allow: ({ id }) => [`/messages/${id}`],
});
const zoneOf = template('time-zone-of-author', {
  about: 'Say the time zone of the author of a message.',
  split: 'train',
  sample(w, random) {
    const m = random.pick(w.messages.filter(x => x.by !== ME));
    return { person: m.by, body: m.body, name: need(w.rooms, m.room, 'room').name, turn: random.between(0, 2) };
  },
  instruction: ({ body, name, turn }) =>
    [
      `Somebody wrote "${body}" in #${name}. What time zone are they in?`,
      `I want to ring whoever posted "${body}" (in ${name}), without waking them. Which time zone does their profile give?`,
      `time zone of the author of "${body}", #${name}?`,
    ][turn]!,
  checks: () => [],
  allow: () => [],
  answer: ({ person }, w) => need(w.people, person, 'person').zone,
  shown: ({ ui }, { person }) => ui.pane === 'person' && ui.person === person,
});
const bring = template('bring-author', {
  about: 'Bring the author of a message into another room.',
  split: 'train',
  sample(w, random) {
    const m = random.pick(w.messages.filter(x => x.by !== ME));
    const r = random.pick(w.rooms.filter(x => x.id !== m.room));
    return {
      person: m.by,
      body: m.body,
      from: need(w.rooms, m.room, 'room').name,
      to: r.name,
      room: r.id,
      others: r.members.filter(x => x !== m.by),
      turn: random.between(0, 2),
    };
  },
  setup(draft, { room, others }) {
    need(draft.rooms, room, 'room').members = others;
  },
  instruction: ({ body, from, to, turn }) =>
    [
      `Whoever wrote "${body}" in #${from} should be in #${to} too. Add them.`,
      `Look who said "${body}" in ${from}, then make that person a member of ${to}.`,
      `add the author of "${body}" (#${from}) to #${to}`,
    ][turn]!,
  checks: ({ room, person, others }) => [
    {
      name: 'a member',
      test: final => find(final.rooms, room)?.members.join() === [...others, person].toSorted().join(),
    },
  ],
  allow: ({ room }) => [`/rooms/${room}/members`],
});

const BODIES = [
  'Numbers for March are in',
  'Numbers for May are in',
  'Lunch at the noodle place?',
  'The lift is stuck again',
  'Who has the projector?',
  'New badge photos on Friday',
  'Contract signed!',
  'Contract still unsigned',
  'Please water the ficus',
  'Server restarts tonight',
  'Parking is closed on Monday',
  'Found: one grey scarf',
  'Demo went well',
  'Demo moved to Thursday',
  'Can someone review my slides',
  'Happy birthday Bruno',
  'Coffee machine descaled',
  'Is the VPN slow for you?',
];
const STAFF: [string, string][] = [
  ['Bruno Sá', 'Sales'],
  ['Bruna Salas', 'Design'],
  ['Kim Ahn', 'Support'],
  ['Kim Andersen', 'Finance'],
  ['Omar Haddad', 'Engineering'],
  ['Noor Haddad', 'People'],
  ['Petra Zeman', 'Engineering'],
  ['Will Tran', 'Operations'],
  ['Lea Moreau', 'Legal'],
];

export const app = defineApp({
  id: 'team-chat',
  title: 'Huddle',
  about: 'Chat rooms of a small company.',
  state,
  init(random) {
    const zones = random.shuffle([
      'Lisbon',
      'Madrid',
      'Seoul',
      'Copenhagen',
      'Cairo',
      'Dubai',
      'Prague',
      'Toronto',
      'Paris',
      'Lima',
    ]);
    const people = random
      .shuffle(STAFF)
      .map(([name, title], at) => ({ id: `u${at + 1}`, name, title, zone: zones[at]! }));
    const rooms = random
      .shuffle(['general', 'general-eu', 'kitchen', 'deals', 'it-help', 'launch', 'launch-old', 'news'])
      .map((name, at) => ({
        id: `r${at + 1}`,
        name,
        topic: random.pick(['Welcome all', 'Ask here first', 'Anything else', 'Keep it short']),
        muted: random.chance(0.2),
        readOnly: random.chance(0.2),
        members: random
          .sample(people, 4)
          .map(p => p.id)
          .toSorted(),
        pinned: '',
      }));
    const messages = random.shuffle(BODIES).map((body, at) => ({
      id: `m${at + 1}`,
      room: rooms[at % rooms.length]!.id,
      by: random.chance(0.15) ? ME : random.pick(people).id,
      at: `${random.between(8, 17)}:${random.between(10, 59)}`,
      body,
      thumbs: random.chance(0.2),
    }));
    return {
      rooms,
      people,
      messages,
      profile: { mood: random.pick(MOODS) },
      ui: { room: rooms[0]!.id, pane: '', person: '', draft: '', menu: '' },
    };
  },
  commands: [send, thumb, pin, unsend, mute, invite, setMood, history, enterRoom, pane, openMenu, compose],
  view: w =>
    page('Huddle', [
      navigation('Rooms', [
        ...w.rooms.map(r =>
          link(
            `#${r.name}${r.muted ? ' (muted)' : ''}`,
            enterRoom.with({ room: r.id }),
            w.ui.room === r.id ? ['selected'] : [],
          ),
        ),
        ...meMenu(w),
      ]),
      conversation(w),
      w.ui.pane !== '' && sidePane(w),
    ]),
  templates: [post, announce, quiet, pinIt, takeBack, zoneOf, bring],
});

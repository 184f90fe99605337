// Locked In: front desk of an escape room. A timetable, chats with the teams, and the rooms.
import {
  added,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  find,
  heading,
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  switchButton,
  tab,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const TIMES = ['14:00', '15:30', '17:00', '18:30', '20:00'];
const SIZES = ['2', '3', '4', '5', '6', '7'];
const state = z.object({
  rooms: z.array(
    z.object({ id: z.string(), name: z.string(), record: z.string(), open: z.boolean(), code: z.string() }),
  ),
  teams: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      room: z.string(),
      time: z.string(),
      size: z.string(),
      here: z.boolean(),
      language: z.enum(['English', 'German', 'Spanish']),
    }),
  ),
  messages: z.array(z.object({ id: z.string(), team: z.string(), from: z.enum(['team', 'desk']), body: z.string() })),
  ui: z.object({ tab: z.string(), team: z.string(), chat: z.string(), draft: z.string(), note: z.string() }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const roomName = (s: State, id: string) => find(s.rooms, id)?.name ?? '';
const slotOf = (s: State, room: string, time: string) => s.teams.find(t => t.room === room && t.time === time);

const resize = command('set_size', {
  about: 'Set how many players a team has.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!SIZES.includes(value)) refuse('2 to 7 players.');
    need(draft.teams, id, 'team').size = value;
  },
});
const arrive = command('toggle_here', {
  about: 'Say that a team is here, or is not.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const t = need(draft.teams, id, 'team');
    t.here = !t.here;
  },
});
const retime = command('set_time', {
  about: 'Move a team to another time in its room.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const t = need(draft.teams, id, 'team');
    const other = slotOf(draft, t.room, value);
    if (other !== undefined && other.id !== id) refuse(`${other.name} plays at ${value}.`);
    t.time = value;
  },
});
const speak = command('set_language', {
  about: 'Set the language of the hints of a team.',
  input: z.object({ id: z.string(), value: z.enum(['English', 'German', 'Spanish']) }),
  run(draft, { id, value }) {
    need(draft.teams, id, 'team').language = value;
  },
});
const noShow = command('drop_team', {
  about: 'Drop the booking of a team.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.teams, id, 'team');
    draft.teams = draft.teams.filter(t => t.id !== id);
    Object.assign(draft.ui, { team: '', tab: 'Timetable' });
  },
});
const send = command('send_message', {
  about: 'Write to a team.',
  input: z.object({ team: z.string(), body: z.string().min(1) }),
  run(draft, { team, body }) {
    need(draft.teams, team, 'team');
    draft.messages.push({ id: nextId(draft.messages, 'm'), team, from: 'desk', body });
    draft.ui.draft = '';
  },
});
const openRoom = command('toggle_room', {
  about: 'Open or close a room.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const r = need(draft.rooms, id, 'room');
    r.open = !r.open;
  },
});
const everything = query('desk_overview', {
  about: 'Teams, rooms and messages.',
  input: z.object({}),
  run: s => ({
    rooms: s.rooms,
    teams: s.teams.map(t => ({ ...t, room: roomName(s, t.room) })),
    messages: s.messages.map(m => ({ ...m, team: find(s.teams, m.team)?.name })),
  }),
});
const toTab = gesture('to_tab', {
  about: 'Switch to a tab.',
  input: z.object({ tab: z.string() }),
  run(draft, { tab: to }) {
    Object.assign(draft.ui, { tab: to, team: '', chat: '', draft: '', note: '' });
  },
});
const openTeam = gesture('open_team', {
  about: 'Open a team.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { team: id, note: '' });
  },
});
const openChat = gesture('open_chat', {
  about: 'Open a chat.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { tab: 'Chats', team: '', chat: id, draft: '' });
  },
});
const type = gesture('type_message', {
  about: 'Type a message.',
  input: z.object({ value: z.string().max(120) }),
  run(draft, { value }) {
    draft.ui.draft = value;
  },
});

const tabs: Record<string, (s: State) => unknown[]> = {
  Timetable(s) {
    const t = find(s.teams, s.ui.team);
    return [
      table(
        'Today',
        TIMES.map(time =>
          row(time, [
            cell(time),
            ...s.rooms.map(r => {
              const team = slotOf(s, r.id, time);
              return team === undefined
                ? cell(`${r.name}: free`)
                : link(team.name, openTeam.with({ id: team.id }), team.here ? ['here'] : []);
            }),
          ]),
        ),
      ),
      t !== undefined &&
        region(t.name, [
          text(roomName(s, t.room)),
          combobox('Start', t.time, { enter: retime.entering({ id: t.id }), options: TIMES }),
          combobox('Players', t.size, { enter: resize.entering({ id: t.id }), options: SIZES }),
          combobox('Hints in', t.language, {
            enter: speak.entering({ id: t.id }),
            options: ['English', 'German', 'Spanish'],
          }),
          switchButton('In the lobby', t.here, arrive.with({ id: t.id })),
          link('💬 Chat', openChat.with({ id: t.id })),
          button('No-show', noShow.with({ id: t.id })),
        ]),
    ];
  },
  Chats(s) {
    const t = find(s.teams, s.ui.chat);
    return [
      list(
        'Chats',
        s.teams
          .filter(x => s.messages.some(m => m.team === x.id))
          .map(x => link(x.name, openChat.with({ id: x.id }), x.id === s.ui.chat ? ['current'] : [])),
      ),
      t !== undefined &&
        region(`Chat with ${t.name}`, [
          ...s.messages.filter(m => m.team === t.id).map(m => text(`${m.from === 'team' ? t.name : 'You'}: ${m.body}`)),
          textbox('Message', s.ui.draft, { enter: type.entering({}) }),
          button('➤ Send', send.with({ team: t.id, body: s.ui.draft })),
        ]),
    ];
  },
  Rooms: s =>
    s.rooms.map(r =>
      listItem(r.name, [
        heading(r.name),
        text(`Record ${r.record}`),
        text(`Door code ${r.code}`),
        switchButton(`${r.name} open`, r.open, openRoom.with({ id: r.id })),
      ]),
    ),
};

const hereNow = template('team-language', {
  about: 'Change the language of the hints of a team.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.teams);
    return {
      id: t.id,
      name: t.name,
      to: random.pick((['English', 'German', 'Spanish'] as const).filter(l => l !== t.language)),
      way: random.between(0, 3),
    };
  },
  instruction: ({ name, to, way }) =>
    [
      `${name} would rather have hints in ${to}`,
      `switch ${name} to ${to}`,
      `Can you make sure the game master speaks ${to} to ${name}?`,
      `${name} = ${to} hints!`,
    ][way]!,
  checks: ({ id, to }) => [{ name: to, test: final => find(final.teams, id)?.language === to }],
  allow: ({ id }) => [`/teams/${id}/language`],
});
const lobby = template('slot-has-arrived', {
  about: 'Mark all teams of a time as arrived.',
  split: 'train',
  sample(s, random) {
    const time = random.pick(TIMES.filter(x => [2, 3].includes(s.teams.filter(t => t.time === x).length)));
    return { time, ids: s.teams.filter(t => t.time === time).map(t => t.id), way: random.between(0, 2) };
  },
  setup(draft, { ids }) {
    for (const id of ids) need(draft.teams, id, 'team').here = false;
  },
  instruction: ({ time, way }) =>
    [
      `The ${time} teams are all in the lobby.`,
      `everyone for ${time} has shown up, check them in`,
      `Whoever plays at ${time} is standing in front of me. Mark every one of those teams as here.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `here ${at + 1}`, test: final => find(final.teams, id)?.here === true })),
  allow: ({ ids }) => ids.map(id => `/teams/${id}/here`),
});
const tell = template('write-to-team', {
  about: 'Send a message to a team.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.teams);
    const body = random.pick([
      'Parking is behind the bakery',
      'Please bring ID',
      'We start ten minutes late',
      'The lift is broken, use the stairs',
      'Your voucher is valid',
      'Lockers are free',
    ]);
    return { id: t.id, name: t.name, body, way: random.between(0, 2) };
  },
  instruction: ({ name, body, way }) =>
    [`Write to ${name}: "${body}"`, `Let ${name} know. Exact text: ${body}`, `text ${name} this please → ${body}`][
      way
    ]!,
  checks: ({ id, body }) => [
    {
      name: 'sent',
      test(final, initial) {
        const [m, ...rest] = added(initial.messages, final.messages);
        return rest.length === 0 && m?.team === id && m.body === body && m.from === 'desk';
      },
    },
  ],
  allow: () => ['/messages/+'],
});
const gone = template('no-show', {
  about: 'Drop a team that did not come.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.teams);
    return {
      id: t.id,
      name: t.name,
      room: t.room,
      label: roomName(s, t.room),
      time: t.time,
      way: random.between(0, 2),
    };
  },
  instruction: ({ label, time, name, way }) =>
    [
      `Nobody came for ${label} at ${time}. Mark them as a no-show.`,
      `${name} never showed up, drop the booking`,
      `The team in ${label} (${time}) called it off. Remove the booking.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'dropped', test: final => find(final.teams, id) === undefined }],
  allow: ({ id }) => [`/teams/${id}`],
});
const recordOf = template('record-for-team', {
  about: 'Say the record of the room that a team plays.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.teams);
    return { id: t.id, name: t.name, way: random.between(0, 2) };
  },
  instruction: ({ name, way }) =>
    [
      `What time does ${name} have to beat in their room?`,
      `${name} ask for the record of the room they are going to play. What is it?`,
      `record for ${name}'s room??`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.rooms, need(s.teams, id, 'team').room, 'room').record,
  shown: ({ ui }, { id }) => [ui.team === id, ui.tab === 'Rooms'],
});
const asAsked = template('size-from-chat', {
  about: 'Set the size of a team to what it wrote in the chat.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.teams.filter(x => s.messages.some(m => m.team === x.id)));
    const message = s.messages.find(m => m.team === t.id)!;
    return {
      id: t.id,
      name: t.name,
      message: message.id,
      size: random.pick(SIZES.filter(n => n !== t.size)),
      way: random.between(0, 2),
    };
  },
  setup(draft, { message, size }) {
    need(draft.messages, message, 'message').body = `Small change, there will be ${size} of us tonight`;
  },
  instruction: ({ name, way }) =>
    [
      `${name} wrote that their number of players has changed. Update the booking.`,
      `Read what ${name} said in the chat and fix how many they are.`,
      `player count of ${name} → see their message`,
    ][way]!,
  checks: ({ id, size }) => [{ name: 'size', test: final => find(final.teams, id)?.size === size }],
  allow: ({ id }) => [`/teams/${id}/size`],
});
const earlier = template('move-to-maybe-taken', {
  about: 'Move a team to a time that may be taken.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ free }) => free,
  sample(s, random) {
    const t = random.pick(s.teams);
    const free = random.chance(0.5);
    const times = TIMES.filter(x => x !== t.time && (slotOf(s, t.room, x) === undefined) === free);
    if (times.length === 0) return null;
    return { id: t.id, name: t.name, time: random.pick(times), free, way: random.between(0, 2) };
  },
  instruction: ({ name, time, way }) =>
    [
      `${name} want to play at ${time} instead, same room.`,
      `Move ${name} to ${time}. Don't touch any other booking and don't change their room.`,
      `can ${name} start ${time}? if yes do it, if their room is taken then tell me it's not possible`,
    ][way]!,
  checks: ({ id, time }) => [{ name: 'moved', test: final => find(final.teams, id)?.time === time }],
  allow: ({ id }) => [`/teams/${id}/time`],
  shown: ({ ui }, { id }) => ui.tab === 'Timetable' && ui.team === id,
});
const shut = template('close-room', {
  about: 'Close a room found by its door code.',
  split: 'train',
  sample(s, random) {
    const r = random.pick(s.rooms);
    return { id: r.id, code: r.code, way: random.between(0, 2) };
  },
  setup(draft, { id }) {
    need(draft.rooms, id, 'room').open = true;
  },
  instruction: ({ code, way }) =>
    [
      `The room with door code ${code} smells of smoke, close it.`,
      `door ${code} is jammed. That room is shut for today.`,
      `Somebody broke a prop in the room that opens with ${code}. Please close the room.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'closed', test: final => find(final.rooms, id)?.open === false }],
  allow: ({ id }) => [`/rooms/${id}/open`],
});

const names = [
  'The Keyholes',
  'Keyhole Krew',
  'Team Banana',
  'Team Bandana',
  'Mums on the Run',
  'Dads on the Run',
  'Accounting',
  'Accounting II',
  'Hodor',
  'Stag Night Lee',
  'Stag Night Leo',
  'The Nolans',
  'Quiz Lizards',
  'Cold Case Club',
];
export const app = defineApp({
  id: 'escape-room-desk',
  title: 'Locked In · desk',
  about: 'The front desk of an escape room: teams, chats and rooms.',
  state,
  init(random) {
    const rooms = random.shuffle(['Submarine', 'The Vault', 'Asylum', 'Pharaoh']).map((name, at) => ({
      id: `r${at + 1}`,
      name,
      record: `${random.between(28, 54)}:${random.between(10, 59)}`,
      open: random.chance(0.8),
      code: String(random.between(1000, 9999)),
    }));
    const slots = random.shuffle(rooms.flatMap(r => TIMES.map(time => ({ room: r.id, time }))));
    const teams = random.shuffle(names).map((name, at) => ({
      id: `t${at + 1}`,
      name,
      ...slots[at]!,
      size: random.pick(SIZES),
      here: random.chance(0.3),
      language: random.pick(['English', 'German', 'Spanish'] as const),
    }));
    return {
      rooms,
      teams,
      messages: random.sample(teams, 9).map((t, at) => ({
        id: `m${at + 1}`,
        team: t.id,
        from: 'team' as const,
        body: random.pick([
          'Is it very scary?',
          'Do you have lockers?',
          'We are on the bus',
          'Can we bring a cake?',
          `We are ${random.pick(SIZES)} at the moment, I think`,
        ]),
      })),
      ui: { tab: 'Timetable', team: '', chat: '', draft: '', note: '' },
    };
  },
  commands: [resize, arrive, retime, speak, noShow, send, openRoom, everything, toTab, openTeam, openChat, type],
  view: s =>
    page('Locked In', [
      region(
        'Desk',
        Object.keys(tabs).map(t => tab(t, toTab.with({ tab: t }), s.ui.tab === t ? ['selected'] : [])),
      ),
      ...(tabs[s.ui.tab]!(s) as ReturnType<typeof text>[]),
      s.ui.note !== '' && text(s.ui.note),
    ]),
  templates: [hereNow, lobby, tell, gone, recordOf, asAsked, earlier, shut],
  onRefusal(draft, message) {
    draft.ui.note = message;
  },
});

// Night desk of a local radio: the running order of a show, the record crate, and wishes of listeners.
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
  remove,
  row,
  searchBox,
  switchButton,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const MOODS = ['slow', 'warm', 'bright', 'wild'] as const;
const HOSTS = ['Nell', 'Nelson', 'Ravi', 'Bernadette'];
const state = z.object({
  tracks: z.array(
    z.object({
      id: z.string(),
      song: z.string(),
      artist: z.string(),
      mood: z.enum(MOODS),
      length: z.string(),
      year: z.int(),
      blocked: z.boolean(),
    }),
  ),
  order: z.array(z.object({ id: z.string(), track: z.string(), pos: z.int(), intro: z.string() })),
  wishes: z.array(z.object({ id: z.string(), caller: z.string(), town: z.string(), track: z.string() })),
  ui: z.object({
    room: z.string(),
    look: z.string(),
    mood: z.string(),
    sel: z.string(),
    caller: z.string(),
    town: z.string(),
    song: z.string(),
    last: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const running = (s: State) => s.order.toSorted((a, b) => a.pos - b.pos);
const song = (s: State, id: string) => find(s.tracks, id)?.song ?? '';

const mood = command('set_mood', {
  about: 'Set the mood of a track.',
  input: z.object({ id: z.string(), value: z.enum(MOODS) }),
  run(draft, { id, value }) {
    need(draft.tracks, id, 'track').mood = value;
  },
});
const block = command('toggle_block', {
  about: 'Block a track, or unblock it.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const t = need(draft.tracks, id, 'track');
    t.blocked = !t.blocked;
  },
});
const queue = command('queue_track', {
  about: 'Queue a track at the end of the show.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const t = need(draft.tracks, id, 'track');
    if (t.blocked) refuse(`${t.song} is blocked`);
    if (draft.order.some(o => o.track === id)) refuse(`${t.song} is in the show already`);
    draft.order.push({ id: nextId(draft.order, 'o'), track: id, pos: draft.order.length + 1, intro: 'Nell' });
  },
});
const cut = command('cut_track', {
  about: 'Cut a track from the show.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const gone = need(draft.order, id, 'slot');
    remove(draft.order, id);
    for (const o of draft.order) if (o.pos > gone.pos) o.pos -= 1;
  },
});
const intro = command('set_intro', {
  about: 'Say who announces a track of the show.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    need(draft.order, id, 'slot').intro = value;
  },
});
const wish = command('note_wish', {
  about: 'Note the wish of a caller.',
  input: z.object({ caller: z.string().min(2), town: z.string().min(2), song: z.string() }),
  run(draft, { caller, town, song: title }) {
    const t = draft.tracks.find(x => x.song === title) ?? refuse('which song?');
    draft.wishes.push({ id: nextId(draft.wishes, 'w'), caller, town, track: t.id });
    Object.assign(draft.ui, { caller: '', town: '', song: '' });
  },
});
const granted = command('tear_wish', {
  about: 'Tear up a wish.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.wishes, id, 'wish');
    remove(draft.wishes, id);
  },
});
const sheet = query('show_sheet', {
  about: 'The running order, the crate and the wishes.',
  input: z.object({}),
  run: s => ({
    show: running(s).map(o => ({ ...o, song: song(s, o.track) })),
    crate: s.tracks,
    wishes: s.wishes.map(w => ({ ...w, song: song(s, w.track) })),
  }),
});
const enterRoom = gesture('enter_room', {
  about: 'Go to another desk.',
  input: z.object({ room: z.string() }),
  run(draft, { room }) {
    Object.assign(draft.ui, { room, look: '', mood: 'any', sel: '', last: '' });
  },
});
const look = gesture('look_for', {
  about: 'Look for a song.',
  input: z.object({ value: z.string().max(40) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { look: value, sel: '' });
  },
});
const anyMood = gesture('pick_mood', {
  about: 'Show one mood.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    Object.assign(draft.ui, { mood: value, sel: '' });
  },
});
const pull = gesture('pull', {
  about: 'Pull a record out of the crate.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { room: 'crate', sel: id, last: '' });
  },
});
const note = gesture('note', {
  about: 'Write on the wish pad.',
  input: z.object({ field: z.enum(['caller', 'town', 'song']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

const rooms: Record<string, (s: State) => unknown[]> = {
  show: s => [
    heading('tonight'),
    table(
      'running order',
      running(s).map(o =>
        row(`${o.pos} ${song(s, o.track)}`, [
          cell(`${o.pos}`),
          link(song(s, o.track), pull.with({ id: o.track })),
          combobox(`announced by (${o.pos})`, o.intro, { enter: intro.entering({ id: o.id }), options: HOSTS }),
          button(`✂ ${song(s, o.track)}`, cut.with({ id: o.id })),
        ]),
      ),
    ),
  ],
  crate(s) {
    const t = find(s.tracks, s.ui.sel);
    if (t !== undefined)
      return [
        heading(t.song),
        text(t.artist),
        text(`${t.year}, ${t.length}`),
        combobox('mood', t.mood, { enter: mood.entering({ id: t.id }), options: [...MOODS] }),
        switchButton('blocked', t.blocked, block.with({ id: t.id })),
        button('queue it', queue.with({ id: t.id })),
        button('put back', enterRoom.with({ room: 'crate' })),
      ];
    return [
      searchBox('crate', [
        textbox('song or artist', s.ui.look, { enter: look.entering({}) }),
        combobox('mood', s.ui.mood, { enter: anyMood.entering({}), options: ['any', ...MOODS] }),
      ]),
      list(
        'records',
        s.tracks
          .filter(
            x =>
              `${x.song} ${x.artist}`.toLowerCase().includes(s.ui.look.toLowerCase()) &&
              (s.ui.mood === 'any' || x.mood === s.ui.mood),
          )
          .map(x => listItem(x.song, [link(x.song, pull.with({ id: x.id })), text(x.artist)])),
        { shuffle: true },
      ),
    ];
  },
  wishes: s => [
    heading('wishes'),
    list(
      'callers',
      s.wishes.map(w =>
        listItem(w.caller, [
          text(`${w.caller} from ${w.town} wants ${song(s, w.track)}`),
          button(`tear up ${w.caller}`, granted.with({ id: w.id })),
        ]),
      ),
    ),
    region('new wish', [
      textbox('caller', s.ui.caller, { enter: note.entering({ field: 'caller' }) }),
      textbox('from', s.ui.town, { enter: note.entering({ field: 'town' }) }),
      combobox('song', s.ui.song, { enter: note.entering({ field: 'song' }), options: s.tracks.map(t => t.song) }),
      button('pin it up', wish.with({ caller: s.ui.caller, town: s.ui.town, song: s.ui.song })),
    ]),
  ],
};

const newMood = template('mood', {
  about: 'Change the mood of a track.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tracks);
    return { id: t.id, title: t.song, mood: random.pick(MOODS.filter(m => m !== t.mood)), way: random.between(0, 3) };
  },
  instruction: ({ title, mood: m, way }) =>
    [
      `${title} is ${m}, if you ask me. Change the mood`,
      `mood of "${title}": ${m}`,
      `who filed ${title} like that?? it's clearly a ${m} one`,
      `Re-label ${title} as ${m}.`,
    ][way]!,
  checks: ({ id, mood: m }) => [{ name: m, test: final => find(final.tracks, id)?.mood === m }],
  allow: ({ id }) => [`/tracks/${id}/mood`],
});
const announce = template('announce-artist', {
  about: 'Let a host announce every track of an artist in the show.',
  split: 'train',
  sample(s, random) {
    const artists = [...new Set(s.order.map(o => find(s.tracks, o.track)!.artist))];
    const artist = random.pick(artists);
    return {
      artist,
      host: random.pick(HOSTS),
      ids: s.order.filter(o => find(s.tracks, o.track)!.artist === artist).map(o => o.id),
      way: random.between(0, 2),
    };
  },
  setup(draft, { ids, host }) {
    for (const id of ids) {
      const o = need(draft.order, id, 'slot');
      if (o.intro === host) o.intro = HOSTS.find(h => h !== host)!;
    }
  },
  instruction: ({ artist, host, way }) =>
    [
      `${host} announces everything by ${artist} tonight.`,
      `${artist} = ${host}'s favourite. Let ${host} do the talking for whatever we play of theirs.`,
      `all ${artist} in the show: intro by ${host}`,
    ][way]!,
  checks: ({ ids, host }) =>
    ids.map((id, at) => ({ name: `intro ${at + 1}`, test: final => find(final.order, id)?.intro === host })),
  allow: ({ ids }) => ids.map(id => `/order/${id}/intro`),
});
const newWish = template('note-wish', {
  about: 'Note the wish of a caller.',
  split: 'train',
  sample(s, random) {
    const t = random.pick(s.tracks);
    return {
      caller: random.pick(['Edwin', 'Mo', 'Aunt Kay', 'Trucker Al', 'Suki']),
      town: random.pick(['Holt', 'Wells', 'Diss', 'Cromer']),
      title: t.song,
      track: t.id,
      way: random.between(0, 2),
    };
  },
  instruction: ({ caller, town, title, way }) =>
    [
      `${caller} from ${town} wants to hear ${title}. Note it.`,
      `wish: ${caller}, ${town}, "${title}"`,
      `Line 2 was ${caller}, calling from ${town}. ${title} would make their night. Pin it up!`,
    ][way]!,
  checks: ({ caller, town, track }) => [
    {
      name: 'noted',
      test(final, initial) {
        const [w, ...rest] = added(initial.wishes, final.wishes);
        return rest.length === 0 && w?.caller === caller && w.town === town && w.track === track;
      },
    },
  ],
  allow: () => ['/wishes/+'],
});
const torn = template('tear-wish', {
  about: 'Tear up the wish of a caller.',
  split: 'train',
  sample(s, random) {
    const w = random.pick(s.wishes);
    return { id: w.id, caller: w.caller, way: random.between(0, 2) };
  },
  instruction: ({ caller, way }) =>
    [
      `we played it for ${caller}, tear up the wish`,
      `${caller}'s wish is done.`,
      `Get rid of the note from ${caller}, please; a prank call.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'torn', test: final => find(final.wishes, id) === undefined }],
  allow: ({ id }) => [`/wishes/${id}`],
});
const yearOf = template('year-of-wish', {
  about: 'Say from which year the song is that a caller wants.',
  split: 'train',
  sample(s, random) {
    const w = random.pick(s.wishes);
    return { caller: w.caller, track: w.track, way: random.between(0, 2) };
  },
  instruction: ({ caller, way }) =>
    [
      `What year is the song that ${caller} asked for?`,
      `${caller} wished for something. From which year is it?`,
      `I want to say the year when I play ${caller}'s wish. Which one?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ track }, s) => String(need(s.tracks, track, 'track').year),
  shown: ({ ui }, { track }) => [ui.room === 'wishes', ui.room === 'crate' && ui.sel === track],
});
const lengthAt = template('length-at', {
  about: 'Say how long the track at a place of the show is.',
  split: 'train',
  sample(s, random) {
    const o = random.pick(s.order);
    return { pos: o.pos, track: o.track, way: random.between(0, 2) };
  },
  instruction: ({ pos, way }) =>
    [
      `How long is number ${pos} of tonight's show?`,
      `length of track no. ${pos} in the running order`,
      `I need a coffee during number ${pos}. How many minutes and seconds do I have?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ track }, s) => need(s.tracks, track, 'track').length,
  shown: ({ ui }, { track }) => [ui.room === 'show', ui.room === 'crate' && ui.sel === track],
});
const play = template('grant-wish', {
  about: 'Queue what a caller wants, which may be blocked.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ may }) => may,
  sample(s, random) {
    const w = random.pick(s.wishes.filter(x => !s.order.some(o => o.track === x.track)));
    return { caller: w.caller, track: w.track, may: random.chance(0.5), way: random.between(0, 2) };
  },
  setup(draft, { track, may }) {
    need(draft.tracks, track, 'track').blocked = !may;
  },
  instruction: ({ caller, way }) =>
    [
      `Queue what ${caller} wants to hear.`,
      `make ${caller} happy: their song goes at the end of the show`,
      `Please grant the wish of ${caller} by queueing the song (keep the note). Blocked songs stay blocked, whoever asks.`,
    ][way]!,
  checks: ({ track }) => [
    {
      name: 'queued last',
      test(final, initial) {
        const [o, ...rest] = added(initial.order, final.order);
        return rest.length === 0 && o?.track === track && o.pos === initial.order.length + 1 && o.intro === 'Nell';
      },
    },
  ],
  allow: () => ['/order/+'],
  shown: ({ ui }, { track }) => [ui.room === 'wishes', ui.room === 'crate' && ui.sel === track],
});

const records: [string, string][] = [
  ['Harbour Light', 'The Wrens'],
  ['Harbour Lights', 'Dot Maguire'],
  ['Slow Train', 'The Wrens'],
  ['Slow Rain', 'Kofi Lane'],
  ['Paper Moon Motel', 'Dot Maguire'],
  ['Motel', 'Vantage'],
  ['Saltwater', 'Kofi Lane'],
  ['Sweetwater', 'Vantage'],
  ['Blue Kitchen', 'Ines Roca'],
  ['Kitchen Floor', 'Ines Roca'],
  ['Long Way Up', 'Halloran'],
  ['Long Way Down', 'Halloran'],
  ['Ember', 'The Wrens'],
  ['November', 'Dot Maguire'],
  ['Tin Roof', 'Kofi Lane'],
  ['Goodnight Holt', 'Halloran'],
];
export const app = defineApp({
  id: 'radio-playlist',
  title: 'night desk',
  about: 'The night show of a local radio: running order, records and wishes.',
  state,
  init(random) {
    const tracks = random.shuffle(records).map(([title, artist], at) => ({
      id: `t${at + 1}`,
      song: title,
      artist,
      mood: random.pick(MOODS),
      length: `${random.between(2, 6)}:${random.between(10, 59)}`,
      year: random.between(1958, 2021),
      blocked: random.chance(0.15),
    }));
    const mixed = random.shuffle(tracks);
    const callers = random.shuffle([
      'Joan',
      'Joanne',
      'Big Pete',
      'Little Pete',
      'Mrs Tulley',
      'Oskar',
      'a nurse',
      'the bakery',
      'Faz',
      'Lindy',
    ]);
    return {
      tracks,
      order: mixed
        .slice(0, 7)
        .map((t, at) => ({ id: `o${at + 1}`, track: t.id, pos: at + 1, intro: random.pick(HOSTS) })),
      wishes: callers.map((caller, at) => ({
        id: `w${at + 1}`,
        caller,
        town: random.pick(['Holt', 'Wells', 'Diss', 'Cromer', 'Aylsham']),
        track: mixed[at < 9 ? 7 + at : 2]!.id,
      })),
      ui: { room: 'show', look: '', mood: 'any', sel: '', caller: '', town: '', song: '', last: '' },
    };
  },
  commands: [mood, block, queue, cut, intro, wish, granted, sheet, enterRoom, look, anyMood, pull, note],
  view: s =>
    page('night desk', [
      ...(rooms[s.ui.room]!(s) as ReturnType<typeof text>[]),
      toolbar('desk', [
        button('show', enterRoom.with({ room: 'show' })),
        button('crate', enterRoom.with({ room: 'crate' })),
        button('wishes', enterRoom.with({ room: 'wishes' })),
      ]),
      s.ui.last !== '' && text(s.ui.last),
    ]),
  templates: [newMood, announce, newWish, torn, yearOf, lengthAt, play],
  onRefusal(draft, message) {
    draft.ui.last = message;
  },
});

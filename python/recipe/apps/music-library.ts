// crates — a music library with playlists. lower case everywhere, because that is how i like it.
import {
  added,
  appKit,
  button,
  defineApp,
  find,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  navigation,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  remove,
  searchBox,
  switchButton,
  tab,
  text,
  textbox,
  z,
} from 'espalier';

const state = z.object({
  albums: z.array(
    z.object({ id: z.string(), title: z.string(), artist: z.string(), year: z.int(), label: z.string() }),
  ),
  songs: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      album: z.string(),
      length: z.string(),
      stars: z.int(),
      loved: z.boolean(),
      offline: z.boolean(),
      streamOnly: z.boolean(),
    }),
  ),
  playlists: z.array(z.object({ id: z.string(), name: z.string(), songs: z.array(z.string()), open: z.boolean() })),
  ui: z.object({
    tab: z.enum(['songs', 'albums', 'playlists']),
    song: z.string(),
    album: z.string(),
    playlist: z.string(),
    more: z.string(),
    find: z.string(),
    name: z.string(),
    upTo: z.int(),
  }),
});
type Crates = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const artistOf = (c: Crates, song: Crates['songs'][number]) => find(c.albums, song.album)?.artist ?? '';

const love = command('love', {
  about: 'love a song, or stop loving it.',
  input: z.object({ song: z.string() }),
  run(d, { song }) {
    const s = need(d.songs, song, 'song');
    s.loved = !s.loved;
  },
});
const rate = command('rate', {
  about: 'give a song one to five stars.',
  input: z.object({ song: z.string(), stars: z.int().min(1).max(5) }),
  run(d, { song, stars }) {
    need(d.songs, song, 'song').stars = stars;
  },
});
const keep = command('keep_offline', {
  about: 'keep a song on this device, or drop it. some songs are for streaming only.',
  input: z.object({ song: z.string() }),
  run(d, { song }) {
    const s = need(d.songs, song, 'song');
    if (s.streamOnly) refuse('streaming only');
    s.offline = !s.offline;
  },
});
const addTo = command('add_to_playlist', {
  about: 'put a song at the end of a playlist.',
  input: z.object({ song: z.string(), playlist: z.string() }),
  run(d, { song, playlist }) {
    need(d.songs, song, 'song');
    const p = need(d.playlists, playlist, 'playlist');
    if (p.songs.includes(song)) refuse('it is on there');
    p.songs.push(song);
    d.ui.more = '';
  },
});
const takeOff = command('take_off_playlist', {
  about: 'take a song off a playlist.',
  input: z.object({ song: z.string(), playlist: z.string() }),
  run(d, { song, playlist }) {
    const p = need(d.playlists, playlist, 'playlist');
    if (!p.songs.includes(song)) refuse('it is not on there');
    p.songs = p.songs.filter(x => x !== song);
    d.ui.more = '';
  },
});
const makePlaylist = command('make_playlist', {
  about: 'make an empty playlist.',
  input: z.object({ name: z.string() }),
  run(d, { name }) {
    if (name.trim() === '' || d.playlists.some(p => p.name === name)) refuse('needs a name of its own');
    d.playlists.push({ id: nextId(d.playlists, 'l'), name, songs: [], open: false });
    d.ui.name = '';
  },
});
const dropPlaylist = command('drop_playlist', {
  about: 'delete a playlist.',
  input: z.object({ playlist: z.string() }),
  run(d, { playlist }) {
    need(d.playlists, playlist, 'playlist');
    remove(d.playlists, playlist);
    Object.assign(d.ui, { playlist: '', more: '' });
  },
});
const publish = command('publish_playlist', {
  about: 'let friends see a playlist, or not.',
  input: z.object({ playlist: z.string() }),
  run(d, { playlist }) {
    const p = need(d.playlists, playlist, 'playlist');
    p.open = !p.open;
  },
});
const dig = query('dig', {
  about: 'songs, albums and playlists.',
  input: z.object({}),
  run: c => ({
    songs: c.songs.map(s => ({
      ...s,
      artist: artistOf(c, s),
      albumTitle: find(c.albums, s.album)?.title,
      keeping: s.streamOnly ? 'streaming only' : 'can be kept offline',
    })),
    albums: c.albums,
    playlists: c.playlists.map(p => ({ ...p, titles: p.songs.map(id => find(c.songs, id)?.title) })),
  }),
});

const toTab = gesture('to_tab', {
  about: 'switch tabs.',
  input: z.object({ tab: z.enum(['songs', 'albums', 'playlists']) }),
  run(d, { tab }) {
    Object.assign(d.ui, { tab, song: '', album: '', playlist: '', more: '', find: '', upTo: 8 });
  },
});
const openThing = gesture('open_thing', {
  about: 'open a song, an album or a playlist.',
  input: z.object({ kind: z.enum(['song', 'album', 'playlist']), id: z.string() }),
  run(d, { kind, id }) {
    Object.assign(d.ui, { song: '', album: '', playlist: '', more: '', [kind]: id });
  },
});
const toggleMore = gesture('toggle_more', {
  about: 'open a menu.',
  input: z.object({ more: z.string() }),
  run(d, { more }) {
    d.ui.more = d.ui.more === more ? '' : more;
  },
});
const typing = gesture('typing', {
  about: 'type.',
  input: z.object({ field: z.enum(['find', 'name']), value: z.string().max(50) }),
  run(d, { field, value }) {
    d.ui[field] = value;
  },
});
const showMore = gesture('show_more', {
  about: 'show more songs.',
  input: z.object({}),
  run(d) {
    d.ui.upTo += 8;
  },
});

const songPage = (c: Crates) => {
  const s = need(c.songs, c.ui.song, 'song');
  const a = need(c.albums, s.album, 'album');
  return [
    heading(s.title),
    link(`from ${a.title}`, openThing.with({ kind: 'album', id: a.id })),
    text(`by ${a.artist}, ${s.length}`),
    button(s.loved ? 'loved ♥' : 'love ♡', love.with({ song: s.id })),
    region(
      'stars',
      [1, 2, 3, 4, 5].map(n =>
        radio(`${n} ${n === 1 ? 'star' : 'stars'}`, s.stars === n, rate.with({ song: s.id, stars: n })),
      ),
    ),
    s.streamOnly
      ? text('streaming only: the label does not let you keep this one offline')
      : switchButton('keep offline', s.offline, keep.with({ song: s.id })),
    button('more', toggleMore.with({ more: 'song' }), c.ui.more !== '' ? ['expanded'] : []),
    c.ui.more === 'song' &&
      menu('more', [
        menuItem('add to playlist ›', toggleMore.with({ more: 'add' })),
        menuItem('take off playlist ›', toggleMore.with({ more: 'off' })),
      ]),
    c.ui.more === 'add' &&
      menu(
        'add to',
        c.playlists
          .filter(p => !p.songs.includes(s.id))
          .map(p => menuItem(p.name, addTo.with({ song: s.id, playlist: p.id }))),
      ),
    c.ui.more === 'off' &&
      menu(
        'take off',
        c.playlists
          .filter(p => p.songs.includes(s.id))
          .map(p => menuItem(p.name, takeOff.with({ song: s.id, playlist: p.id }))),
      ),
  ];
};
const albumPage = (c: Crates) => {
  const a = need(c.albums, c.ui.album, 'album');
  return [
    heading(a.title),
    text(`${a.artist} · ${a.year} · on ${a.label}`),
    list(
      'tracks',
      c.songs
        .filter(s => s.album === a.id)
        .map(s => listItem(s.title, [link(s.title, openThing.with({ kind: 'song', id: s.id })), s.loved && text('♥')])),
    ),
  ];
};
const playlistPage = (c: Crates) => {
  const p = need(c.playlists, c.ui.playlist, 'playlist');
  return [
    heading(p.name),
    switchButton('friends can see it', p.open, publish.with({ playlist: p.id })),
    list(
      `${p.songs.length} songs`,
      p.songs.map(id => link(need(c.songs, id, 'song').title, openThing.with({ kind: 'song', id }))),
    ),
    c.ui.more === 'drop'
      ? button(`really delete ${p.name}`, dropPlaylist.with({ playlist: p.id }))
      : button('delete playlist', toggleMore.with({ more: 'drop' })),
  ];
};
const lists = (c: Crates) => {
  if (c.ui.tab === 'albums')
    return [
      list(
        'albums',
        c.albums.map(a => link(`${a.title} (${a.artist})`, openThing.with({ kind: 'album', id: a.id }))),
      ),
    ];
  if (c.ui.tab === 'playlists')
    return [
      list(
        'playlists',
        c.playlists.map(p => link(p.name, openThing.with({ kind: 'playlist', id: p.id }))),
      ),
      textbox('name a new one', c.ui.name, { enter: typing.entering({ field: 'name' }) }),
      button('make it', makePlaylist.with({ name: c.ui.name })),
    ];
  const found = c.songs.filter(s => `${s.title} ${artistOf(c, s)}`.toLowerCase().includes(c.ui.find.toLowerCase()));
  return [
    searchBox('find', [textbox('song or artist', c.ui.find, { enter: typing.entering({ field: 'find' }) })]),
    list(
      'songs',
      found
        .slice(0, c.ui.upTo)
        .map(s =>
          listItem(`${s.title}, ${artistOf(c, s)}`, [
            link(s.title, openThing.with({ kind: 'song', id: s.id })),
            text(artistOf(c, s)),
          ]),
        ),
    ),
    found.length > c.ui.upTo && button('show more', showMore.with({})),
  ];
};

const toPlaylist = template('put-on-playlist', {
  about: 'put a song on a playlist.',
  split: 'train',
  sample(c, random) {
    const p = random.pick(c.playlists);
    const s = random.pick(c.songs.filter(x => !p.songs.includes(x.id)));
    return { song: s.id, title: s.title, playlist: p.id, name: p.name, way: random.between(0, 3) };
  },
  instruction: ({ title, name, way }) =>
    [
      `add ${title} to ${name}`,
      `Put "${title}" on the playlist "${name}".`,
      `${name} would be better with ${title} on it, don't you think? Add it.`,
      `I want to hear ${title} whenever I play ${name}.`,
    ][way]!,
  checks: ({ song, playlist }) => [
    {
      name: 'on the list',
      test: (final, initial) =>
        find(final.playlists, playlist)?.songs.join() ===
        [...need(initial.playlists, playlist, 'playlist').songs, song].join(),
    },
  ],
  allow: ({ playlist }) => [`/playlists/${playlist}/songs`],
});
const offPlaylist = template('take-off-playlist', {
  about: 'take a song off a playlist.',
  split: 'train',
  sample(c, random) {
    const p = random.pick(c.playlists);
    const song = random.pick(p.songs);
    return { song, title: need(c.songs, song, 'song').title, playlist: p.id, name: p.name, way: random.between(0, 2) };
  },
  instruction: ({ title, name, way }) =>
    [
      `Take ${title} off ${name}.`,
      `i'm sick of "${title}", it has to leave the playlist ${name}`,
      `${name}: without ${title} please`,
    ][way]!,
  checks: ({ song, playlist }) => [
    {
      name: 'off the list',
      test: (final, initial) =>
        find(final.playlists, playlist)?.songs.join() ===
        need(initial.playlists, playlist, 'playlist')
          .songs.filter(x => x !== song)
          .join(),
    },
  ],
  allow: ({ playlist }) => [`/playlists/${playlist}/songs`],
});
const fresh = template('make-playlist', {
  about: 'make a playlist.',
  split: 'train',
  sample: (_, random) => ({
    name: `${random.pick(['rainy', 'kitchen', 'late', 'train', 'slow', 'loud'])} ${random.pick(['tuesdays', 'hours', 'mix', 'songs', 'company'])}`,
    way: random.between(0, 2),
  }),
  instruction: ({ name, way }) =>
    [
      `make a playlist "${name}"`,
      `Start an empty playlist for me, call it ${name}.`,
      `I need a new list called "${name}", I'll fill it myself.`,
    ][way]!,
  checks: ({ name }) => [
    {
      name: 'made',
      test(final, initial) {
        const [p, ...rest] = added(initial.playlists, final.playlists);
        return rest.length === 0 && p?.name === name && p.songs.length === 0 && !p.open;
      },
    },
  ],
  allow: () => ['/playlists/+'],
});
const dropIt = template('delete-playlist', {
  about: 'delete a playlist.',
  split: 'train',
  sample(c, random) {
    const p = random.pick(c.playlists);
    return { id: p.id, name: p.name, way: random.between(0, 2) };
  },
  instruction: ({ name, way }) =>
    [
      `delete the playlist ${name}`,
      `Get rid of my "${name}" list, songs stay in the library of course.`,
      `Nobody listens to ${name} any more. Bin that playlist.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'gone', test: final => find(final.playlists, id) === undefined }],
  allow: ({ id }) => [`/playlists/${id}`],
});
const loveAlbum = template('love-album', {
  about: 'love every song of an album.',
  split: 'train',
  sample(c, random) {
    const a = random.pick(c.albums);
    return { title: a.title, ids: c.songs.filter(s => s.album === a.id).map(s => s.id), way: random.between(0, 2) };
  },
  setup(d, { ids }) {
    for (const id of ids) need(d.songs, id, 'song').loved = false;
  },
  instruction: ({ title, way }) =>
    [
      `love every track on ${title}`,
      `All songs of the album "${title}" deserve a heart.`,
      `${title} is my favourite record: mark each of its songs as loved.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `loved ${at + 1}`, test: (final: Crates) => find(final.songs, id)?.loved === true })),
  allow: ({ ids }) => ids.map(id => `/songs/${id}/loved`),
});
const starsFor = template('stars', {
  about: 'rate a song.',
  split: 'train',
  sample(c, random) {
    const s = random.pick(c.songs);
    return {
      id: s.id,
      title: s.title,
      stars: random.pick([1, 2, 3, 4, 5].filter(n => n !== s.stars)),
      way: random.between(0, 2),
    };
  },
  instruction: ({ title, stars, way }) =>
    [
      `${title}: ${stars} of 5`,
      `Rate "${title}" with ${stars} out of five.`,
      `my verdict on ${title}? ${stars} on the star scale. put that in`,
    ][way]!,
  checks: ({ id, stars }) => [{ name: 'stars', test: final => find(final.songs, id)?.stars === stars }],
  allow: ({ id }) => [`/songs/${id}/stars`],
});
const yearOf = template('label-of-song', {
  about: 'say on which label a song came out.',
  split: 'train',
  sample(c, random) {
    const s = random.pick(c.songs);
    return { title: s.title, album: s.album, way: random.between(0, 2) };
  },
  instruction: ({ title, way }) =>
    [
      `which label released the album with ${title}?`,
      `On what record label did "${title}" come out?`,
      `need the label of the record that ${title} is from`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ album }, c) => need(c.albums, album, 'album').label,
  shown: ({ ui }, { album }) => ui.album === album,
});
const forTheFlight = template('for-the-flight', {
  about: 'keep a song offline, unless it is for streaming only.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ free }) => free,
  sample(c, random) {
    const s = random.pick(c.songs);
    return { id: s.id, title: s.title, free: random.chance(0.5), way: random.between(0, 2) };
  },
  setup(d, { id, free }) {
    Object.assign(need(d.songs, id, 'song'), { offline: false, streamOnly: !free });
  },
  instruction: ({ title, way }) =>
    [
      `download ${title}`,
      `I'll be on a plane without internet and want to hear "${title}". Keep it on the device.`,
      `Make ${title} available offline.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'offline', test: final => find(final.songs, id)?.offline === true }],
  allow: ({ id }) => [`/songs/${id}/offline`],
  shown: ({ ui }, { id }) => ui.song === id,
});

const SONGS =
  'Paper Lantern,Paper Boats,Glass River,Glass House,Nine Lives,Nine Miles,Ode to Bread,Slow Tram,Slow Train,Velvet,Copper Sky,Ash & Elm,Small Hours,Smaller Hours,Dry Dock,Salt,Polaroid,Winter Coat'.split(
    ',',
  );
const ALBUMS: [string, string][] = [
  ['Harbourside', 'Mina Dray'],
  ['Harbour Lights', 'The Low Tides'],
  ['Third Floor', 'Kasper Lo'],
  ['Fourth Floor', 'Kasper Lo'],
  ['Tin Roof', 'Ada & Ray'],
  ['Tin Hearts', 'Odd Weather'],
];
export const app = defineApp({
  id: 'music-library',
  title: 'crates',
  about: 'a music library with albums and playlists.',
  state,
  init(random) {
    const labels = random.shuffle(['Nettle', 'Blue Door', 'Fathom', 'Ninth Wave', 'Kiosk', 'Parade', 'Moth']);
    const albums = random.shuffle(ALBUMS).map(([title, artist], at) => ({
      id: `a${at + 1}`,
      title,
      artist,
      year: random.between(1971, 2023),
      label: labels[at]!,
    }));
    const songs = random.shuffle(SONGS).map((title, at) => ({
      id: `s${at + 1}`,
      title,
      album: albums[at % albums.length]!.id,
      length: `${random.between(2, 6)}:${random.between(10, 59)}`,
      stars: random.between(1, 5),
      loved: random.chance(0.3),
      offline: random.chance(0.3),
      streamOnly: random.chance(0.2),
    }));
    return {
      albums,
      songs: random.shuffle(songs),
      playlists: random
        .sample(
          [
            'morning run',
            'evening run',
            'dishes',
            'dinner guests',
            'dinner for two',
            'road trip',
            'focus',
            'gym',
            'rain',
          ],
          8,
        )
        .map((name, at) => ({
          id: `l${at + 1}`,
          name,
          songs: random.sample(songs, random.between(3, 5)).map(s => s.id),
          open: random.chance(0.4),
        })),
      ui: { tab: 'songs' as const, song: '', album: '', playlist: '', more: '', find: '', name: '', upTo: 8 },
    };
  },
  commands: [
    love,
    rate,
    keep,
    addTo,
    takeOff,
    makePlaylist,
    dropPlaylist,
    publish,
    dig,
    toTab,
    openThing,
    toggleMore,
    typing,
    showMore,
  ],
  view: c =>
    page('crates', [
      navigation(
        'crates',
        (['songs', 'albums', 'playlists'] as const).map(t =>
          tab(t, toTab.with({ tab: t }), c.ui.tab === t ? ['selected'] : []),
        ),
      ),
      region(
        'here',
        c.ui.song !== ''
          ? songPage(c)
          : c.ui.album !== ''
            ? albumPage(c)
            : c.ui.playlist !== ''
              ? playlistPage(c)
              : lists(c),
      ),
    ]),
  templates: [toPlaylist, offPlaylist, fresh, dropIt, loveAlbum, starsFor, yearOf, forTheFlight],
});

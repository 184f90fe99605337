// Lightbox — our family's pictures. Thumbnails a handful at a time, albums, a bin that keeps things for a month.
import {
  added,
  appKit,
  banner,
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
  status,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const photo = z.object({
  id: z.string(),
  caption: z.string(),
  place: z.string(),
  taken: z.string(),
  album: z.string(),
  liked: z.boolean(),
  binned: z.boolean(),
});
const album = z.object({ id: z.string(), name: z.string(), guest: z.string(), cover: z.string() });
const state = z.object({
  photos: z.array(photo),
  albums: z.array(album),
  ui: z.object({
    where: z.enum(['stream', 'albums', 'album', 'photo', 'bin']),
    album: z.string(),
    photo: z.string(),
    shown: z.int(),
    picked: z.array(z.string()),
    picking: z.boolean(),
    naming: z.boolean(),
    name: z.string(),
    caption: z.string(),
    menu: z.boolean(),
    toast: z.string(),
  }),
});
type S = z.infer<typeof state>;
const kit = appKit(state);
const LOOSE = 'No album';
const albumName = (s: S, id: string) => find(s.albums, id)?.name ?? LOOSE;

// ---- what changes pictures
const caption = kit.command('set_caption', {
  about: 'Write the caption of a picture.',
  input: z.object({ photo: z.string(), caption: z.string() }),
  run(d, { photo, caption }) {
    if (caption.trim() === '') refuse('A caption cannot be empty.');
    need(d.photos, photo, 'picture').caption = caption;
    d.ui.toast = 'Caption kept';
  },
});
const like = kit.command('like', {
  about: 'Give a picture a heart, or take it away.',
  input: z.object({ photo: z.string() }),
  run(d, { photo }) {
    const p = need(d.photos, photo, 'picture');
    p.liked = !p.liked;
  },
});
const move = kit.command('move_pictures', {
  about: 'Move pictures to an album, named by its name.',
  input: z.object({ photos: z.array(z.string()), value: z.string() }),
  run(d, { photos, value }) {
    const target = value === LOOSE ? '' : (d.albums.find(a => a.name === value) ?? refuse('No such album.')).id;
    if (photos.length === 0) refuse('Pick some pictures first.');
    for (const id of photos) need(d.photos, id, 'picture').album = target;
    Object.assign(d.ui, { picked: [], picking: false, toast: `${photos.length} moved` });
  },
});
const bin = kit.command('bin_picture', {
  about: 'Throw a picture in the bin.',
  input: z.object({ photo: z.string() }),
  run(d, { photo }) {
    const p = need(d.photos, photo, 'picture');
    if (p.binned) refuse('It is in the bin.');
    p.binned = true;
    Object.assign(d.ui, { where: 'stream', menu: false, toast: 'Binned' });
  },
});
const unbin = kit.command('restore_picture', {
  about: 'Take a picture out of the bin.',
  input: z.object({ photo: z.string() }),
  run(d, { photo }) {
    const p = need(d.photos, photo, 'picture');
    if (!p.binned) refuse('It is not in the bin.');
    p.binned = false;
  },
});
const makeCover = kit.command('make_cover', {
  about: 'Make a picture the cover of the album it is in.',
  input: z.object({ photo: z.string() }),
  run(d, { photo }) {
    const p = need(d.photos, photo, 'picture');
    need(d.albums, p.album, 'album').cover = p.id;
    Object.assign(d.ui, { menu: false, toast: 'New cover' });
  },
});
const newAlbum = kit.command('create_album', {
  about: 'Create an empty album.',
  input: z.object({ name: z.string() }),
  run(d, { name }) {
    if (name.trim() === '') refuse('Give it a name.');
    if (d.albums.some(a => a.name === name)) refuse('There is an album of this name.');
    d.albums.push({ id: nextId(d.albums, 'a'), name, guest: 'nobody', cover: '' });
    Object.assign(d.ui, { naming: false, name: '' });
  },
});
const GUESTS = ['nobody', 'Grandma', 'Uncle Theo', 'the Hansens', 'everyone with the link'];
const share = kit.command('share_album', {
  about: 'Say who may see an album.',
  input: z.object({ album: z.string(), value: z.string() }),
  run(d, { album, value }) {
    need(d.albums, album, 'album').guest = value;
  },
});
const pictures = kit.query('pictures', {
  about: 'All pictures and albums.',
  input: z.object({}),
  run: s => ({
    pictures: s.photos.map(p => ({ ...p, albumName: albumName(s, p.album) })),
    albums: s.albums.map(a => ({ ...a, coverCaption: find(s.photos, a.cover)?.caption ?? '' })),
  }),
});

// ---- getting around
const visit = kit.gesture('visit', {
  about: 'Go somewhere.',
  input: z.object({ where: z.enum(['stream', 'albums', 'album', 'photo', 'bin']), id: z.string() }),
  run(d, { where, id }) {
    Object.assign(d.ui, { where, toast: '', menu: false, picking: false, picked: [], naming: false, shown: 6 });
    if (where === 'album') d.ui.album = id;
    if (where === 'photo') Object.assign(d.ui, { photo: id, caption: need(d.photos, id, 'picture').caption });
  },
});
const loadMore = kit.gesture('load_more', {
  about: 'Show more thumbnails.',
  input: z.object({}),
  run(d) {
    d.ui.shown += 6;
  },
});
const picking = kit.gesture('picking', {
  about: 'Start or stop picking several.',
  input: z.object({}),
  run(d) {
    Object.assign(d.ui, { picking: !d.ui.picking, picked: [] });
  },
});
const pick = kit.gesture('pick', {
  about: 'Pick a thumbnail or unpick it.',
  input: z.object({ photo: z.string() }),
  run(d, { photo }) {
    d.ui.picked = d.ui.picked.includes(photo)
      ? d.ui.picked.filter(x => x !== photo)
      : [...d.ui.picked, photo].toSorted();
  },
});
const flip = kit.gesture('flip', {
  about: 'Open or close the menu or the dialog.',
  input: z.object({ what: z.enum(['menu', 'naming']) }),
  run(d, { what }) {
    d.ui[what] = !d.ui[what];
  },
});
const write = kit.gesture('write', {
  about: 'Type.',
  input: z.object({ field: z.enum(['name', 'caption']), value: z.string().max(60) }),
  run(d, { field, value }) {
    d.ui[field] = value;
  },
});

const thumbs = (s: S, title: string, all: S['photos']) => [
  toolbar('Pictures', [
    button(s.ui.picking ? 'Stop selecting' : 'Select…', picking.with({})),
    s.ui.picked.length > 0 &&
      combobox('Move selected to', '', {
        enter: move.entering({ photos: s.ui.picked }),
        options: [...s.albums.map(a => a.name), LOOSE],
      }),
  ]),
  list(
    title,
    all
      .slice(0, s.ui.shown)
      .map(p =>
        listItem(`${p.caption}, ${p.place}`, [
          s.ui.picking
            ? checkbox(p.caption, s.ui.picked.includes(p.id), pick.with({ photo: p.id }))
            : link(p.caption, visit.with({ where: 'photo', id: p.id })),
          text(`📍 ${p.place}`),
        ]),
      ),
  ),
  all.length > s.ui.shown && button(`Load more (${all.length - s.ui.shown} left)`, loadMore.with({})),
];
const body = (s: S) => {
  const kept = s.photos.filter(p => !p.binned);
  const { ui } = s;
  if (ui.where === 'stream') return thumbs(s, 'All pictures', kept);
  if (ui.where === 'album') {
    const a = need(s.albums, ui.album, 'album');
    return [
      heading(a.name),
      combobox('Who may look', a.guest, { enter: share.entering({ album: a.id }), options: GUESTS }),
      text(`Cover: ${find(s.photos, a.cover)?.caption ?? 'none'}`),
      ...thumbs(
        s,
        `In ${a.name}`,
        kept.filter(p => p.album === a.id),
      ),
    ];
  }
  if (ui.where === 'albums')
    return ui.naming
      ? [
          dialog('Name the album', [
            textbox('Album name', ui.name, { enter: write.entering({ field: 'name' }) }),
            button('Create', newAlbum.with({ name: ui.name })),
            button('Never mind', flip.with({ what: 'naming' })),
          ]),
        ]
      : [
          button('＋ Album', flip.with({ what: 'naming' })),
          list(
            'Albums',
            s.albums.map(a => link(a.name, visit.with({ where: 'album', id: a.id }))),
          ),
        ];
  if (ui.where === 'bin')
    return [
      heading('Bin'),
      text('Pictures stay here for 30 days and are then erased.'),
      list(
        'In the bin',
        s.photos
          .filter(p => p.binned)
          .map(p => listItem(p.caption, [button(`Put back ${p.caption}`, unbin.with({ photo: p.id }))])),
      ),
    ];
  const p = need(s.photos, ui.photo, 'picture');
  return [
    heading(p.caption),
    text(`Taken ${p.taken} in ${p.place}`),
    text(`Album: ${albumName(s, p.album)}`),
    button(p.liked ? '♥' : '♡', like.with({ photo: p.id })),
    textbox('Caption', ui.caption, { enter: write.entering({ field: 'caption' }) }),
    ui.caption !== p.caption && button('Keep caption', caption.with({ photo: p.id, caption: ui.caption })),
    button('⋯', flip.with({ what: 'menu' }), ui.menu ? ['expanded'] : []),
    ui.menu &&
      menu('More', [
        p.album !== '' && menuItem('Use as album cover', makeCover.with({ photo: p.id })),
        menuItem('Throw in the bin', bin.with({ photo: p.id })),
      ]),
  ];
};

// ---- tasks
const kept = (s: S) => s.photos.filter(p => !p.binned);
const recaption = kit.template('rewrite-caption', {
  about: 'Rewrite the caption of a picture.',
  split: 'train',
  sample(s, r) {
    const p = r.pick(kept(s));
    const words = `${r.pick(['Granny', 'Milo', 'The twins', 'All of us', 'Papa'])} ${r.pick(['at the lake', 'before the storm', 'with the kite', 'half asleep'])}`;
    return { id: p.id, old: p.caption, words, way: r.between(0, 2) };
  },
  instruction: ({ old, words, way }) =>
    [
      `Change the caption "${old}" to "${words}".`,
      `The picture called "${old}" is named badly. It should say "${words}"`,
      `Could you recaption ${old}? Make it: ${words}`,
    ][way]!,
  checks: ({ id, words }) => [{ name: 'new caption', test: f => find(f.photos, id)?.caption === words }],
  allow: ({ id }) => [`/photos/${id}/caption`],
});
const gather = kit.template('gather-by-place', {
  about: 'Move all pictures of a place to an album.',
  split: 'train',
  sample(s, r) {
    const ids = r.sample(kept(s), r.between(2, 3)).map(p => p.id);
    const a = r.pick(s.albums);
    return { ids, to: a.id, name: a.name, place: r.pick(['Lisbon', 'Tromsø', 'Kraków']), way: r.between(0, 2) };
  },
  setup(d, { ids, place, to }) {
    for (const id of ids) Object.assign(need(d.photos, id, 'picture'), { place });
    for (const id of ids) if (need(d.photos, id, 'picture').album === to) need(d.photos, id, 'picture').album = '';
  },
  instruction: ({ place, name, way }) =>
    [
      `All pictures from ${place} go into the album "${name}".`,
      `I want everything we shot in ${place} in ${name}. There are only a few.`,
      `move the ${place} photos to ${name}`,
    ][way]!,
  checks: ({ ids, to }) =>
    ids.map((id, n) => ({ name: `moved ${n + 1}`, test: (f: S) => find(f.photos, id)?.album === to })),
  allow: ({ ids }) => ids.map(id => `/photos/${id}/album`),
});
const createAlbum = kit.template('create-album', {
  about: 'Create an album.',
  split: 'train',
  sample: (_, r) => ({
    name: `${r.pick(['Easter', 'Camping', 'Garden', 'Skiing', 'Wedding', 'Boat trip'])} ${r.between(2011, 2024)}`,
    way: r.between(0, 2),
  }),
  instruction: ({ name, way }) =>
    [
      `Make an album called ${name}.`,
      `I'll upload more tonight, so please set up an empty album "${name}" already.`,
      `new album: ${name}`,
    ][way]!,
  checks: ({ name }) => [
    {
      name: 'the album exists',
      test(f, i) {
        const fresh = added(i.albums, f.albums);
        return fresh.length === 1 && fresh[0]!.name === name && fresh[0]!.guest === 'nobody' && fresh[0]!.cover === '';
      },
    },
  ],
  allow: () => ['/albums/+'],
});
const throwAway = kit.template('bin-picture', {
  about: 'Throw a picture in the bin.',
  split: 'train',
  sample(s, r) {
    const p = r.pick(kept(s));
    return { id: p.id, name: p.caption, way: r.between(0, 2) };
  },
  instruction: ({ name, way }) =>
    [`Bin "${name}".`, `The shot "${name}" is blurry, delete it please`, `Nobody needs ${name}. Throw that one out.`][
      way
    ]!,
  checks: ({ id }) => [{ name: 'binned', test: f => find(f.photos, id)?.binned === true }],
  allow: ({ id }) => [`/photos/${id}/binned`],
});
const shareOf = kit.template('who-sees-picture', {
  about: 'Say with whom the album of a picture is shared.',
  split: 'train',
  sample(s, r) {
    const p = r.pick(kept(s));
    const a = r.pick(s.albums);
    return { id: p.id, name: p.caption, to: a.id, guest: r.pick(GUESTS), way: r.between(0, 2) };
  },
  setup(d, { id, to, guest }) {
    need(d.photos, id, 'picture').album = to;
    need(d.albums, to, 'album').guest = guest;
  },
  instruction: ({ name, way }) =>
    [
      `Who can look at the album that "${name}" is in? Answer as the app puts it.`,
      `I'm a bit worried about the picture "${name}". Which guests is its album open to? Use the words of the setting.`,
      `Tell me the "who may look" setting for the album holding ${name}.`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ to }, s) => need(s.albums, to, 'album').guest,
  shown({ ui, photos }, { id, to }) {
    const inAlbum = photos.filter(p => p.album === to && !p.binned).slice(0, ui.shown);
    const isThere = ui.where === 'album' && ui.album === to;
    return [isThere, (ui.where === 'photo' && ui.photo === id) || (isThere && inAlbum.some(p => p.id === id))];
  },
});
const coverOf = kit.template('set-cover', {
  about: 'Make a picture the cover of its album.',
  split: 'train',
  sample(s, r) {
    const p = r.pick(kept(s));
    const a = r.pick(s.albums);
    return { id: p.id, name: p.caption, to: a.id, way: r.between(0, 2) };
  },
  setup(d, { id, to }) {
    need(d.photos, id, 'picture').album = to;
    need(d.albums, to, 'album').cover = '';
  },
  instruction: ({ name, way }) =>
    [
      `Use "${name}" as the cover of the album it belongs to.`,
      `${name} should be on the front of its album`,
      `The nicest picture of its album is "${name}", so show that one as the album's cover.`,
    ][way]!,
  checks: ({ id, to }) => [{ name: 'cover', test: f => find(f.albums, to)?.cover === id }],
  allow: ({ to }) => [`/albums/${to}/cover`],
});
const rescue = kit.template('rescue-from-bin', {
  about: 'Restore a picture from the bin, where it may have been erased.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ there }) => there,
  sample(s, r) {
    const p = r.pick(s.photos);
    return { id: p.id, name: p.caption, there: r.chance(0.5), way: r.between(0, 2) };
  },
  setup(d, { id, there }) {
    if (there) need(d.photos, id, 'picture').binned = true;
    else d.photos = d.photos.filter(p => p.id !== id);
  },
  instruction: ({ name, way }) =>
    [
      `I threw "${name}" away by mistake some weeks ago, get it back out of the bin.`,
      `Restore "${name}" from the bin.`,
      `oh no, ${name} was deleted!! please undelete it`,
    ][way]!,
  checks: ({ id }) => [{ name: 'restored', test: f => find(f.photos, id)?.binned === false }],
  allow: ({ id }) => [`/photos/${id}/binned`],
  shown: ({ ui }) => ui.where === 'bin',
});

const CAPTIONS = [
  'Foggy pier',
  'Foggy pier again',
  'Cake, before',
  'Cake, after',
  'Rosa on the swing',
  'Rosa on the slide',
  'Tent at dawn',
  'Tent at dusk',
  'Old lighthouse',
  'Market stall',
  'Muddy boots',
  'First snow',
  'Last snow',
  'Ferry deck',
  'Cat in a box',
  'Cat on the roof',
  'Broken umbrella',
  'Long table',
];
const ALBUMS = ['Summer 2022', 'Summer 2023', 'Birthdays', 'Pets', 'At the sea', 'Odds and ends'];

export const app = defineApp({
  id: 'photo-albums',
  title: 'Lightbox',
  about: 'Pictures, albums, and a bin.',
  state,
  init(r) {
    const albums = r.shuffle(ALBUMS).map((name, n) => ({ id: `a${n + 1}`, name, guest: r.pick(GUESTS), cover: '' }));
    return {
      albums,
      photos: r.shuffle(CAPTIONS).map((caption, n) => ({
        id: `p${n + 1}`,
        caption,
        place: r.pick(['Oslo', 'Home', 'Bergen', 'Gdańsk', 'Porto']),
        taken: `${r.between(1, 28)}.${r.between(1, 12)}.${r.between(2021, 2024)}`,
        album: r.chance(0.7) ? r.pick(albums).id : '',
        liked: r.chance(0.3),
        binned: r.chance(0.15),
      })),
      ui: {
        where: 'stream' as const,
        album: '',
        photo: '',
        shown: 6,
        picked: [],
        picking: false,
        naming: false,
        name: '',
        caption: '',
        menu: false,
        toast: '',
      },
    };
  },
  commands: [
    caption,
    like,
    move,
    bin,
    unbin,
    makeCover,
    newAlbum,
    share,
    pictures,
    visit,
    loadMore,
    picking,
    pick,
    flip,
    write,
  ],
  view: s =>
    page('Lightbox', [
      banner('Lightbox', [
        link('Pictures', visit.with({ where: 'stream', id: '' })),
        link('Albums', visit.with({ where: 'albums', id: '' })),
        link('🗑 Bin', visit.with({ where: 'bin', id: '' })),
      ]),
      region('Main', body(s)),
      s.ui.toast !== '' && status(s.ui.toast),
    ]),
  templates: [recaption, gather, createAlbum, throwAway, shareOf, coverOf, rescue],
});

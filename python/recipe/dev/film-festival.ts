// Nordlicht Festival: a programme by day, films on cards, a jury room. A status line tells what happened.
import {
  added,
  appKit,
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
  remove,
  status,
  tab,
  text,
  textbox,
  z,
} from 'espalier';

const DAYS = ['Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const HALLS = ['Roxy 1', 'Roxy 2', 'Capitol', 'Tent'] as const;
const TIMES = ['14:00', '17:00', '20:00'];
const PRIZES = ['none', 'main prize', 'best debut', 'audience prize'] as const;
const state = z.object({
  films: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      director: z.string(),
      country: z.string(),
      minutes: z.int(),
      prize: z.enum(PRIZES),
      subtitled: z.boolean(),
    }),
  ),
  shows: z.array(
    z.object({
      id: z.string(),
      film: z.string(),
      day: z.enum(DAYS),
      time: z.string(),
      hall: z.enum(HALLS),
      sold: z.int(),
      talk: z.boolean(),
    }),
  ),
  guests: z.array(z.object({ id: z.string(), name: z.string(), hotel: z.string(), film: z.string() })),
  ui: z.object({
    at: z.string(),
    day: z.string(),
    menu: z.string(),
    moving: z.string(),
    toDay: z.string(),
    toHall: z.string(),
    query: z.string(),
    open: z.string(),
    guest: z.string(),
    hotel: z.string(),
    film: z.string(),
    said: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const titleOf = (s: State, id: string) => find(s.films, id)?.title ?? '?';
const move = command('move_show', {
  about: 'Move a show to another day and hall, at the same time.',
  input: z.object({ id: z.string(), day: z.enum(DAYS), hall: z.enum(HALLS) }),
  run(draft, { id, day, hall }) {
    const x = need(draft.shows, id, 'show');
    if (draft.shows.some(y => y.id !== id && y.day === day && y.hall === hall && y.time === x.time))
      refuse(`${hall} is taken on ${day} at ${x.time}.`);
    Object.assign(x, { day, hall });
    Object.assign(draft.ui, { moving: '', toDay: '', toHall: '', said: 'Moved.' });
  },
});
const toggleTalk = command('toggle_talk', {
  about: 'Plan a talk after a show, or drop it.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const x = need(draft.shows, id, 'show');
    x.talk = !x.talk;
  },
});
const cancel = command('cancel_show', {
  about: 'Cancel a show.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.shows, id, 'show');
    remove(draft.shows, id);
    Object.assign(draft.ui, { menu: '', said: 'Show cancelled.' });
  },
});
const award = command('award', {
  about: 'Give a film a prize.',
  input: z.object({ id: z.string(), value: z.enum(PRIZES) }),
  run(draft, { id, value }) {
    need(draft.films, id, 'film').prize = value;
  },
});
const subtitle = command('toggle_subtitles', {
  about: 'Say whether the copy has subtitles.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const f = need(draft.films, id, 'film');
    f.subtitled = !f.subtitled;
  },
});
const welcome = command('add_guest', {
  about: 'Add a guest of the festival.',
  input: z.object({ name: z.string().min(1), hotel: z.string().min(1), film: z.string() }),
  run(draft, { name, hotel, film }) {
    const f = draft.films.find(x => x.title === film) ?? refuse('No such film.');
    draft.guests.push({ id: nextId(draft.guests, 'g'), name, hotel, film: f.id });
    Object.assign(draft.ui, { at: 'guests', guest: '', hotel: '', film: '', said: 'Guest added.' });
  },
});
const look = query('read_programme', {
  about: 'Read films, shows and guests.',
  input: z.object({}),
  run: s => ({
    films: s.films,
    shows: s.shows.map(x => ({ ...x, film: titleOf(s, x.film) })),
    guests: s.guests.map(g => ({ ...g, film: titleOf(s, g.film) })),
  }),
});
const show = gesture('show', {
  about: 'Show something.',
  input: z.object({ patch: z.record(z.string(), z.string()) }),
  run(draft, { patch }) {
    Object.assign(draft.ui, { menu: '', said: '' }, patch);
  },
});
const type = gesture('type', {
  about: 'Type or choose.',
  input: z.object({ field: z.enum(['toDay', 'toHall', 'query', 'guest', 'hotel', 'film']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const HOTELS = [
  'Hotel Lys',
  'Hotel Lyng',
  'Pension Olga',
  'Harbour Inn',
  'Grand',
  'Grand Nord',
  'Sailor’s Rest',
  'Villa Moss',
  'The Anchor',
];
const screens: Record<string, (s: State) => unknown[]> = {
  programme(s) {
    if (s.ui.moving !== '') {
      const x = need(s.shows, s.ui.moving, 'show');
      return [
        dialog(`Move ${titleOf(s, x.film)}`, [
          text(`Now: ${x.day} ${x.time}, ${x.hall}`),
          combobox('To day', s.ui.toDay, { enter: type.entering({ field: 'toDay' }), options: [...DAYS] }),
          combobox('To hall', s.ui.toHall, { enter: type.entering({ field: 'toHall' }), options: [...HALLS] }),
          s.ui.toDay !== '' &&
            s.ui.toHall !== '' &&
            button('Move', move.with({ id: x.id, day: s.ui.toDay as 'Friday', hall: s.ui.toHall as 'Tent' })),
          button('Close', show.with({ patch: { moving: '' } })),
        ]),
      ];
    }
    return [
      ...DAYS.map(d => tab(d, show.with({ patch: { day: d } }), s.ui.day === d ? ['selected'] : [])),
      ...HALLS.map(h =>
        region(
          h,
          s.shows
            .filter(x => x.day === s.ui.day && x.hall === h)
            .toSorted((a, b) => a.time.localeCompare(b.time))
            .map(x =>
              region(`${x.time} ${titleOf(s, x.film)}`, [
                text(`${x.sold} tickets sold`),
                checkbox('Talk afterwards', x.talk, toggleTalk.with({ id: x.id })),
                button(`Options for ${titleOf(s, x.film)} at ${x.time}`, show.with({ patch: { menu: x.id } })),
                s.ui.menu === x.id &&
                  menu('Options', [
                    menuItem('Move…', show.with({ patch: { moving: x.id, toDay: '', toHall: '' } })),
                    menuItem('Cancel this show', cancel.with({ id: x.id })),
                  ]),
              ]),
            ),
        ),
      ),
    ];
  },
  films: s =>
    s.ui.open === ''
      ? [
          textbox('Find a film or director', s.ui.query, { enter: type.entering({ field: 'query' }) }),
          list(
            'Films',
            s.films
              .filter(f => `${f.title} ${f.director}`.toLowerCase().includes(s.ui.query.toLowerCase()))
              .map(f =>
                listItem(f.title, [link(f.title, show.with({ patch: { open: f.id } })), text(`by ${f.director}`)]),
              ),
          ),
        ]
      : (() => {
          const f = need(s.films, s.ui.open, 'film');
          return [
            heading(f.title),
            text(`Director: ${f.director}`),
            text(`Country: ${f.country}`),
            text(`Running time: ${f.minutes} min`),
            combobox('Prize', f.prize, { enter: award.entering({ id: f.id }), options: [...PRIZES] }),
            checkbox('English subtitles', f.subtitled, subtitle.with({ id: f.id })),
            link('All films', show.with({ patch: { open: '' } })),
          ];
        })(),
  guests: s => [
    heading('Guests'),
    ...s.guests.map(g => text(`${g.name} (${titleOf(s, g.film)}) stays at ${g.hotel}`)),
    button('New guest', show.with({ patch: { at: 'new-guest' } })),
  ],
  'new-guest': s => [
    heading('New guest'),
    textbox('Name', s.ui.guest, { enter: type.entering({ field: 'guest' }) }),
    combobox('Hotel', s.ui.hotel, { enter: type.entering({ field: 'hotel' }), options: HOTELS }),
    combobox('Comes with', s.ui.film, { enter: type.entering({ field: 'film' }), options: s.films.map(f => f.title) }),
    s.ui.guest !== '' &&
      s.ui.hotel !== '' &&
      s.ui.film !== '' &&
      button('Welcome', welcome.with({ name: s.ui.guest, hotel: s.ui.hotel, film: s.ui.film })),
  ],
};
const prize = template('give-prize', {
  about: 'Give a prize to the film of a director.',
  split: 'train',
  sample(s, random) {
    const f = random.pick(s.films);
    return {
      id: f.id,
      director: f.director,
      title: f.title,
      prize: random.pick(PRIZES.filter(p => p !== f.prize && p !== 'none')),
      way: random.between(0, 2),
    };
  },
  instruction: ({ director, title, prize, way }) =>
    [
      `The ${prize} goes to ${director}.`,
      `Enter it: ${title} wins the ${prize}!`,
      `The jury has decided. ${director}'s film gets the ${prize}.`,
    ][way]!,
  checks: ({ id, prize }) => [{ name: 'prize', test: f => find(f.films, id)?.prize === prize }],
  allow: ({ id }) => [`/films/${id}/prize`],
});
const talks = template('talks-of-film', {
  about: 'Plan a talk after every show of a film.',
  split: 'train',
  sample(s, random) {
    const twice = s.films.filter(f => s.shows.filter(x => x.film === f.id).length === 2);
    const f = random.pick(twice);
    return { ids: s.shows.filter(x => x.film === f.id).map(x => x.id), title: f.title, way: random.between(0, 2) };
  },
  setup(draft, { ids }) {
    for (const id of ids) need(draft.shows, id, 'show').talk = false;
  },
  instruction: ({ title, way }) =>
    [
      `The director of ${title} is coming: plan a talk after each of its shows.`,
      `talk after both screenings of "${title}"`,
      `${title} needs a talk afterwards, every time it is shown.`,
    ][way]!,
  checks: ({ ids }) => ids.map((id, n) => ({ name: `talk ${n + 1}`, test: f => find(f.shows, id)?.talk === true })),
  allow: ({ ids }) => ids.map(id => `/shows/${id}/talk`),
});
const moved = template('move-show', {
  about: 'Move a show to a hall that may be taken.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ clear }) => clear,
  sample(s, random) {
    const [x, y] = random.sample(s.shows, 2);
    const day = random.pick(DAYS.filter(d => d !== x!.day && d !== 'Thursday'));
    return {
      id: x!.id,
      other: y!.id,
      title: titleOf(s, x!.film),
      from: x!.day,
      time: x!.time,
      was: x!.hall,
      day,
      hall: random.pick(HALLS),
      clear: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { id, other, day, hall, time, clear }) {
    draft.shows = draft.shows.filter(
      x => x.id === id || x.id === other || !(x.day === day && x.hall === hall && x.time === time),
    );
    const o = need(draft.shows, other, 'show');
    if (!clear) Object.assign(o, { day, hall, time });
    else if (o.day === day && o.hall === hall && o.time === time) remove(draft.shows, other);
  },
  instruction: ({ title, from, time, day, hall, way }) =>
    [
      `Move the ${time} show of ${title} on ${from} to ${day}, ${hall}, same time.`,
      `${title} (${from} ${time}) should run on ${day} in ${hall} instead`,
      `Shift ${from}'s ${time} ${title} to ${hall} on ${day}. If the hall is taken then, say that it's impossible.`,
    ][way]!,
  checks: ({ id, day, hall }) => [
    { name: 'day', test: f => find(f.shows, id)?.day === day && find(f.shows, id)?.hall === hall },
  ],
  allow: ({ id }) => [`/shows/${id}/day`, `/shows/${id}/hall`],
  shown: (s, { day, hall }) =>
    (s.ui.at === 'programme' && s.ui.moving === '' && s.ui.day === day) ||
    s.ui.said.startsWith(`${hall} is taken on ${day}`),
});
const cancelled = template('cancel-show', {
  about: 'Cancel one show of a film.',
  split: 'train',
  sample(s, random) {
    const x = random.pick(s.shows);
    return { id: x.id, title: titleOf(s, x.film), day: x.day, time: x.time, hall: x.hall, way: random.between(0, 2) };
  },
  instruction: ({ title, day, time, hall, way }) =>
    [
      `Cancel ${title} on ${day} at ${time}.`,
      `${day}'s screening of "${title}" (${hall}) is off.`,
      `The projector in ${hall} broke, so ${title} on ${day} can't happen. Cancel it.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'cancelled', test: f => find(f.shows, id) === undefined }],
  allow: ({ id }) => [`/shows/${id}`],
});
const guest = template('new-guest', {
  about: 'Add a guest.',
  split: 'train',
  sample: (s, random) => ({
    name: random.pick(['Iris Moe', 'Lev Adler', 'Tuva Lie', 'Cem Arslan', 'Rosa Paz']),
    hotel: random.pick(HOTELS),
    film: random.pick(s.films).title,
    way: random.between(0, 2),
  }),
  instruction: ({ name, hotel, film, way }) =>
    [
      `${name} comes with ${film} and stays at ${hotel}. Add them to the guests.`,
      `new guest: ${name}, film "${film}", ${hotel}`,
      `Please put ${name} on the guest list. They belong to ${film}; we booked ${hotel}.`,
    ][way]!,
  checks: ({ name, hotel, film }) => [
    {
      name: 'added',
      test(f, i) {
        const [g, ...rest] = added(i.guests, f.guests);
        return rest.length === 0 && g?.name === name && g.hotel === hotel && titleOf(f, g.film) === film;
      },
    },
  ],
  allow: () => ['/guests/+'],
});
const hotelOf = template('hotel-of-director', {
  about: 'Say in which hotel the guest of a film of a director stays.',
  split: 'train',
  sample(s, random) {
    const g = random.pick(s.guests);
    return { id: g.id, director: need(s.films, g.film, 'film').director, film: g.film, way: random.between(0, 2) };
  },
  instruction: ({ director, way }) =>
    [
      `Where is the guest staying who came with ${director}'s film?`,
      `hotel of the guest for the film by ${director}?`,
      `I have flowers for the guest of ${director}'s film. Which hotel?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.guests, id, 'guest').hotel,
  shown: (s, { film }) => [
    s.ui.at === 'films' &&
      (s.ui.open === film ||
        (s.ui.open === '' &&
          s.films.some(
            f => f.id === film && `${f.title} ${f.director}`.toLowerCase().includes(s.ui.query.toLowerCase()),
          ))),
    s.ui.at === 'guests',
  ],
});
const titles = [
  'White Night',
  'White Noise',
  'The Ferry',
  'The Ferryman',
  'Salt',
  'Salt Road',
  'Mother Tongue',
  'Ninth Floor',
  'Ember',
  'September',
  'Good Dog',
  'Low Tide',
];
export const app = defineApp({
  id: 'film-festival',
  title: 'Nordlicht Festival',
  about: 'Programme, films and guests of a film festival.',
  state,
  init(random) {
    const directors = random.shuffle([
      'Aino Salo',
      'Aina Sale',
      'Bram de Wit',
      'Chloe Roux',
      'Dario Neri',
      'Daria Neri',
      'Erik Holm',
      'Fatou Ba',
      'Goran Ilic',
      'Hye Lee',
      'Inga Holm',
      'Joao Luz',
    ]);
    const films = random.shuffle(titles).map((title, n) => ({
      id: `f${n + 1}`,
      title,
      director: directors[n]!,
      country: random.pick(['Finland', 'Senegal', 'Italy', 'Korea', 'Serbia']),
      minutes: random.between(62, 158),
      prize: 'none' as const,
      subtitled: random.chance(0.5),
    }));
    const slots = random.shuffle(DAYS.flatMap(day => HALLS.flatMap(hall => TIMES.map(time => ({ day, hall, time })))));
    const guests = random.shuffle([
      'Pia Berg',
      'Pia Borg',
      'Olu Ade',
      'Max Thal',
      'Ewa Kos',
      'Lin Chao',
      'Ravi Sen',
      'Zoe Hart',
    ]);
    return {
      films,
      shows: [...films, ...films.slice(0, 7)].map((f, n) => ({
        id: `s${n + 1}`,
        film: f.id,
        ...slots[n]!,
        sold: random.between(5, 240),
        talk: random.chance(0.3),
      })),
      guests: guests
        .map((name, n) => ({ id: `g${n + 1}`, name, hotel: random.shuffle(HOTELS)[n % 9]!, film: films[n]!.id }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
      ui: {
        at: 'programme',
        day: 'Thursday',
        menu: '',
        moving: '',
        toDay: '',
        toHall: '',
        query: '',
        open: '',
        guest: '',
        hotel: '',
        film: '',
        said: '',
      },
    };
  },
  onRefusal(draft: State, message: string) {
    draft.ui.said = message;
  },
  commands: [move, toggleTalk, cancel, award, subtitle, welcome, look, show, type],
  view: s =>
    page('Nordlicht Festival', [
      ...(s.ui.moving === ''
        ? [
            link('Programme', show.with({ patch: { at: 'programme', open: '' } })),
            link('Films', show.with({ patch: { at: 'films', open: '', query: '' } })),
            link('Guests', show.with({ patch: { at: 'guests', open: '' } })),
          ]
        : []),
      s.ui.said !== '' && status(s.ui.said),
      ...(screens[s.ui.at]!(s) as ReturnType<typeof text>[]),
    ]),
  templates: [prize, talks, moved, cancelled, guest, hotelOf],
});

// Black Heron Tattoo: the week's chairs, the flash wall and the artists.
import {
  added,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  switchButton,
  tab,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const DAYS = ['Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const HOURS = ['11:00', '13:00', '15:00', '17:00'];
const SPOTS = ['forearm', 'calf', 'shoulder', 'ribs', 'ankle', 'back'] as const;
const ARTISTS = ['Juno', 'Marek', 'Salome', 'Dov', 'Pilar'];
const state = z.object({
  artists: z.array(
    z.object({ id: z.string(), name: z.string(), style: z.string(), away: z.boolean(), phone: z.string() }),
  ),
  sittings: z.array(
    z.object({
      id: z.string(),
      client: z.string(),
      day: z.enum(DAYS),
      hour: z.string(),
      artist: z.string(),
      spot: z.enum(SPOTS),
      deposit: z.int(),
      consent: z.boolean(),
    }),
  ),
  flash: z.array(z.object({ id: z.string(), title: z.string(), by: z.string(), price: z.int() })),
  ui: z.object({
    at: z.string(),
    day: z.string(),
    open: z.string(),
    sure: z.string(),
    step: z.int(),
    client: z.string(),
    spot: z.string(),
    newDay: z.string(),
    newArtist: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const nameOf = (s: State, id: string) => find(s.artists, id)?.name ?? 'nobody';
const byName = (s: State, name: string) => s.artists.find(a => a.name === name) ?? refuse('No such artist.');

const reassign = command('reassign', {
  about: 'Give a sitting to another artist.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const artist = byName(draft, value);
    if (artist.away) refuse(`${artist.name} is away this week.`);
    need(draft.sittings, id, 'sitting').artist = artist.id;
  },
});
const setSpot = command('set_spot', {
  about: 'Set the body part of a sitting.',
  input: z.object({ id: z.string(), value: z.enum(SPOTS) }),
  run(draft, { id, value }) {
    need(draft.sittings, id, 'sitting').spot = value;
  },
});
const consent = command('toggle_consent', {
  about: 'Say that the consent form of a sitting is signed, or is not.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.sittings, id, 'sitting');
    it.consent = !it.consent;
  },
});
const cancel = command('cancel_sitting', {
  about: 'Cancel a sitting for good.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.sittings, id, 'sitting');
    remove(draft.sittings, id);
    Object.assign(draft.ui, { at: 'week', open: '', sure: '' });
  },
});
const peel = command('peel_flash', {
  about: 'Take a design off the flash wall.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.flash, id, 'design');
    remove(draft.flash, id);
  },
});
const book = command('book_sitting', {
  about: 'Book a new sitting. The house picks the hour.',
  input: z.object({ client: z.string().min(2), spot: z.enum(SPOTS), day: z.enum(DAYS), artist: z.string() }),
  run(draft, { client, spot, day, artist }) {
    const a = byName(draft, artist);
    if (a.away) refuse(`${a.name} is away this week.`);
    draft.sittings.push({
      id: nextId(draft.sittings, 't'),
      client,
      day,
      hour: '19:00',
      artist: a.id,
      spot,
      deposit: 0,
      consent: false,
    });
    Object.assign(draft.ui, { at: 'week', day, step: 1, client: '', spot: '', newDay: '', newArtist: '' });
  },
});
const look = query('look_at_book', {
  about: 'Read the whole appointment book, the artists and the flash wall.',
  input: z.object({}),
  run: s => ({
    artists: s.artists,
    sittings: s.sittings.map(x => ({ ...x, artist: nameOf(s, x.artist) })),
    flash: s.flash.map(x => ({ ...x, by: nameOf(s, x.by) })),
  }),
});

const go = gesture('go', {
  about: 'Go to a part of the book.',
  input: z.object({ at: z.string() }),
  run(draft, { at }) {
    Object.assign(draft.ui, { at, open: '', sure: '' });
  },
});
const pickDay = gesture('pick_day', {
  about: 'Look at a day.',
  input: z.object({ day: z.enum(DAYS) }),
  run(draft, { day }) {
    draft.ui.day = day;
  },
});
const open = gesture('open', {
  about: 'Open a sitting.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { at: 'sitting', open: id, sure: '' });
  },
});
const ask = gesture('ask', {
  about: 'Ask before cancelling.',
  input: z.object({ sure: z.string() }),
  run(draft, { sure }) {
    draft.ui.sure = sure;
  },
});
const typeClient = gesture('type_client', {
  about: 'Type the name of the client.',
  input: z.object({ value: z.string().max(50) }),
  run(draft, { value }) {
    draft.ui.client = value;
  },
});
const choose = gesture('choose', {
  about: 'Choose something in the booking wizard.',
  input: z.object({ field: z.enum(['spot', 'newDay', 'newArtist']), value: z.string() }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const step = gesture('step', {
  about: 'Turn to a step of the wizard.',
  input: z.object({ to: z.int() }),
  run(draft, { to }) {
    if (to === 2 && draft.ui.client === '') refuse('Who is it for?');
    draft.ui.step = to;
  },
});

const screens: Record<string, (s: State) => unknown[]> = {
  week: s => [
    region(
      'Days',
      DAYS.map(d => tab(d, pickDay.with({ day: d }), s.ui.day === d ? ['selected'] : [])),
    ),
    list(
      `Chairs on ${s.ui.day}`,
      s.sittings
        .filter(x => x.day === s.ui.day)
        .toSorted((a, b) => a.hour.localeCompare(b.hour))
        .map(x =>
          listItem(`${x.hour} ${x.client}`, [
            link(`${x.client}`, open.with({ id: x.id })),
            text(`${nameOf(s, x.artist)}${x.consent ? '' : ' · no consent form'}`),
          ]),
        ),
    ),
  ],
  sitting(s) {
    const x = need(s.sittings, s.ui.open, 'sitting');
    if (s.ui.sure === x.id)
      return [
        dialog(`Cancel ${x.client}, ${x.day} ${x.hour}?`, [
          text('The deposit stays with the house.'),
          button('Yes, free the chair', cancel.with({ id: x.id })),
          button('No, keep it', ask.with({ sure: '' })),
        ]),
      ];
    return [
      heading(x.client),
      text(`${x.day}, ${x.hour}`),
      text(`Deposit: ${x.deposit} €`),
      combobox('Needle', nameOf(s, x.artist), {
        enter: reassign.entering({ id: x.id }),
        options: s.artists.map(a => a.name),
      }),
      combobox('Body part', x.spot, { enter: setSpot.entering({ id: x.id }), options: [...SPOTS] }),
      switchButton('Consent signed', x.consent, consent.with({ id: x.id })),
      button('Cancel sitting…', ask.with({ sure: x.id })),
    ];
  },
  flash: s => [
    heading('Flash wall'),
    table(
      'Designs',
      s.flash.map(f =>
        row(f.title, [
          cell(f.title),
          cell(nameOf(s, f.by)),
          cell(`${f.price} €`),
          button(`Peel off ${f.title}`, peel.with({ id: f.id })),
        ]),
      ),
    ),
  ],
  crew: s => [
    heading('Crew'),
    ...s.artists.map(a =>
      region(a.name, [text(a.style), text(`☎ ${a.phone}`), text(a.away ? 'away this week' : 'in the studio')]),
    ),
  ],
  wizard: s =>
    s.ui.step === 1
      ? [
          heading('New sitting, 1 of 2: who and where'),
          textbox('Client', s.ui.client, { enter: typeClient.entering({}) }),
          combobox('On the', s.ui.spot, { enter: choose.entering({ field: 'spot' }), options: [...SPOTS] }),
          button('Next', step.with({ to: 2 })),
        ]
      : [
          heading('New sitting, 2 of 2: when and by whom'),
          text(`${s.ui.client}, ${s.ui.spot}`),
          combobox('Day', s.ui.newDay, { enter: choose.entering({ field: 'newDay' }), options: [...DAYS] }),
          combobox('Artist', s.ui.newArtist, {
            enter: choose.entering({ field: 'newArtist' }),
            options: s.artists.filter(a => !a.away).map(a => a.name),
          }),
          button('Back', step.with({ to: 1 })),
          s.ui.spot !== '' &&
            s.ui.newDay !== '' &&
            s.ui.newArtist !== '' &&
            button(
              'Book it',
              book.with({
                client: s.ui.client,
                spot: s.ui.spot as 'calf',
                day: s.ui.newDay as 'Tue',
                artist: s.ui.newArtist,
              }),
            ),
        ],
};

const newSpot = template('other-body-part', {
  about: 'Change the body part of a sitting.',
  split: 'train',
  sample(s, random) {
    const x = random.pick(s.sittings);
    return {
      id: x.id,
      client: x.client,
      spot: random.pick(SPOTS.filter(p => p !== x.spot)),
      way: random.between(0, 3),
    };
  },
  instruction: ({ client, spot, way }) =>
    [
      `${client} changed their mind: ${spot} instead.`,
      `put ${client} down for the ${spot}`,
      `Just had ${client} on the phone. The piece should go on the ${spot} now, can you fix the booking?`,
      `Booking of ${client}: body part → ${spot}`,
    ][way]!,
  checks: ({ id, spot }) => [{ name: spot, test: final => find(final.sittings, id)?.spot === spot }],
  allow: ({ id }) => [`/sittings/${id}/spot`],
});
const signed = template('consent-for-day', {
  about: 'Mark the consent of every sitting of an artist on a day.',
  split: 'train',
  sample(s, random) {
    const [a, b, c] = random.sample(s.sittings, 3);
    const artist = random.pick(s.artists);
    const day = random.pick(DAYS);
    return { ids: [a!.id, b!.id], other: c!.id, day, artist: artist.id, name: artist.name, way: random.between(0, 2) };
  },
  setup(draft, { ids, other, day, artist }) {
    for (const x of draft.sittings)
      if (x.day === day && x.artist === artist && !ids.includes(x.id)) x.day = day === 'Tue' ? 'Wed' : 'Tue';
    ids.forEach((id, at) => {
      Object.assign(need(draft.sittings, id, 'sitting'), { day, artist, consent: false, hour: HOURS[at * 2 + 1] });
    });
    Object.assign(need(draft.sittings, other, 'sitting'), { consent: false });
  },
  instruction: ({ name, day, way }) =>
    [
      `Everybody who sits with ${name} on ${day} has signed the consent form now. Tick them off.`,
      `consent forms are in for all of ${name}'s ${day} clients, mark it`,
      `${name} collected the signed forms of ${day}. Please note that in each of those sittings, only ${name}'s of course.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `signed ${at + 1}`, test: final => find(final.sittings, id)?.consent === true })),
  allow: ({ ids }) => ids.map(id => `/sittings/${id}/consent`),
});
const newSitting = template('book-sitting', {
  about: 'Book a sitting in the wizard.',
  split: 'train',
  sample(s, random) {
    return {
      client: random.pick([
        'Wilma Strand',
        'Otis Kerr',
        'Bea Lindqvist',
        'Tomas Roy',
        'Nadja Pohl',
        'Ezra Finch',
        'Ola Brandt',
      ]),
      spot: random.pick(SPOTS),
      day: random.pick(DAYS),
      artist: random.pick(s.artists.filter(a => !a.away)).name,
      way: random.between(0, 2),
    };
  },
  instruction: ({ client, spot, day, artist, way }) =>
    [
      `Book ${client} with ${artist} on ${day}, ${spot}.`,
      `New client! ${client} wants something on the ${spot}. ${day} suits, and ${artist} should do it.`,
      `walk-in: ${client} / ${spot} / ${day} / ${artist}`,
    ][way]!,
  checks: ({ client, spot, day, artist }) => [
    {
      name: 'booked',
      test(final, initial) {
        const [x, ...rest] = added(initial.sittings, final.sittings);
        return (
          rest.length === 0 &&
          x?.client === client &&
          x.spot === spot &&
          x.day === day &&
          nameOf(final, x.artist) === artist &&
          x.deposit === 0 &&
          x.hour === '19:00' &&
          !x.consent
        );
      },
    },
  ],
  allow: () => ['/sittings/+'],
});
const cancelled = template('cancel-sitting', {
  about: 'Cancel the sitting of a client.',
  split: 'train',
  sample(s, random) {
    const x = random.pick(s.sittings);
    return { id: x.id, client: x.client, way: random.between(0, 2) };
  },
  instruction: ({ client, way }) =>
    [
      `${client} chickened out. Free the chair.`,
      `Cancel ${client}.`,
      `Please take the appointment of ${client} out of the book, they have the flu and won't rebook.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'gone', test: final => find(final.sittings, id) === undefined }],
  allow: ({ id }) => [`/sittings/${id}`],
});
const peeled = template('peel-design', {
  about: 'Take a design off the wall.',
  split: 'train',
  sample(s, random) {
    const f = random.pick(s.flash);
    return { id: f.id, title: f.title, way: random.between(0, 2) };
  },
  instruction: ({ title, way }) =>
    [
      `Somebody got "${title}" today, so it comes off the wall.`,
      `remove the flash ${title}`,
      `We don't do ${title} any more. Take it down, please.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'peeled', test: final => find(final.flash, id) === undefined }],
  allow: ({ id }) => [`/flash/${id}`],
});
const phone = template('phone-of-artist', {
  about: 'Say the phone number of the artist of a client.',
  split: 'train',
  sample(s, random) {
    const x = random.pick(s.sittings);
    return { id: x.id, client: x.client, way: random.between(0, 2) };
  },
  instruction: ({ client, way }) =>
    [
      `What number should ${client} ring to reach their artist?`,
      `${client} wants to talk to whoever is tattooing them. Which phone number do I give out?`,
      `phone of the artist who has ${client}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.artists, need(s.sittings, id, 'sitting').artist, 'artist').phone,
  shown: (s, { id }) => [
    (s.ui.at === 'sitting' && s.ui.open === id) || (s.ui.at === 'week' && s.ui.day === find(s.sittings, id)?.day),
    s.ui.at === 'crew',
  ],
});
const drewIt = template('artist-of-design', {
  about: 'Give a sitting to the artist who drew a design.',
  split: 'train',
  sample(s, random) {
    const f = random.pick(s.flash.filter(d => !find(s.artists, d.by)!.away));
    const x = random.pick(s.sittings.filter(y => y.artist !== f.by));
    return { id: x.id, client: x.client, title: f.title, by: f.by, way: random.between(0, 2) };
  },
  instruction: ({ client, title, way }) =>
    [
      `${client} picked "${title}" from the wall. Whoever drew it should do the sitting.`,
      `Move ${client} to the artist of the flash ${title}.`,
      `look up who made ${title} and give them ${client}`,
    ][way]!,
  checks: ({ id, by }) => [{ name: 'right artist', test: final => find(final.sittings, id)?.artist === by }],
  allow: ({ id }) => [`/sittings/${id}/artist`],
});
const awayArtist = template('artist-maybe-away', {
  about: 'Give a sitting to an artist who may be away.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ here }) => here,
  sample(s, random) {
    const x = random.pick(s.sittings);
    const a = random.pick(s.artists.filter(b => b.id !== x.artist));
    return {
      id: x.id,
      client: x.client,
      artist: a.id,
      name: a.name,
      here: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { artist, here, id }) {
    need(draft.artists, artist, 'artist').away = !here;
    const other = draft.artists.find(a => !a.away && a.id !== artist)!;
    for (const x of draft.sittings) if (x.artist === artist && x.id !== id) x.artist = other.id;
  },
  instruction: ({ client, name, way }) =>
    [
      `${client} would like ${name} to do it, switch the artist`,
      `Let ${name} take over ${client}.`,
      `Please reassign ${client} to ${name}; if ${name} isn't in this week, say it can't be done.`,
    ][way]!,
  checks: ({ id, artist }) => [{ name: 'reassigned', test: final => find(final.sittings, id)?.artist === artist }],
  allow: ({ id }) => [`/sittings/${id}/artist`],
  shown: ({ ui }) => ui.at === 'crew',
});

const clients = [
  'Anna Krol',
  'Anna Kroll',
  'Ben Astley',
  'Benno Ast',
  'Chiara Volpe',
  'Dimitri Lask',
  'Edda Mohn',
  'Faye Okoro',
  'Gil Sorensen',
  'Hana Bright',
  'Hanna Bright',
  'Ivo Tamm',
  'Jude Perrin',
  'Kira Wolfe',
  'Lars Quist',
  'Mina Adeyemi',
];
const designs = [
  'Swallow',
  'Two swallows',
  'Dagger',
  'Dagger and rose',
  'Moth',
  'Moon moth',
  'Lighthouse',
  'Panther',
  'Snake',
  'Anchor',
  'Lucky cat',
  'Hourglass',
];

export const app = defineApp({
  id: 'tattoo-parlour',
  title: 'Black Heron Tattoo',
  about: 'The book of a tattoo studio: sittings, artists and the flash wall.',
  state,
  init(random) {
    const artists = random.shuffle(ARTISTS).map((name, at) => ({
      id: `a${at + 1}`,
      name,
      style: random.pick(['fine line', 'blackwork', 'old school', 'lettering']),
      away: at === 4,
      phone: `0${random.between(150, 179)} ${random.between(100000, 999999)}`,
    }));
    const here = artists.filter(a => !a.away);
    const slots = random.shuffle(DAYS.flatMap(day => HOURS.map(hour => ({ day, hour }))));
    return {
      artists,
      sittings: random.shuffle(clients).map((client, at) => ({
        id: `t${at + 1}`,
        client,
        ...slots[at]!,
        artist: random.pick(here).id,
        spot: random.pick(SPOTS),
        deposit: random.between(2, 15) * 10,
        consent: random.chance(0.5),
      })),
      flash: random.shuffle(designs).map((title, at) => ({
        id: `f${at + 1}`,
        title,
        by: random.pick(artists).id,
        price: random.between(8, 40) * 10,
      })),
      ui: { at: 'week', day: 'Tue', open: '', sure: '', step: 1, client: '', spot: '', newDay: '', newArtist: '' },
    };
  },
  commands: [reassign, setSpot, consent, cancel, peel, book, look, go, pickDay, open, ask, typeClient, choose, step],
  view: s =>
    page('Black Heron Tattoo', [
      s.ui.sure === '' &&
        navigation('Book', [
          link('Week', go.with({ at: 'week' })),
          link('Flash wall', go.with({ at: 'flash' })),
          link('Crew', go.with({ at: 'crew' })),
          link('＋ Sitting', go.with({ at: 'wizard' })),
        ]),
      ...(screens[s.ui.at]!(s) as ReturnType<typeof text>[]),
    ]),
  templates: [newSpot, signed, newSitting, cancelled, peeled, phone, drewIt, awayArtist],
});

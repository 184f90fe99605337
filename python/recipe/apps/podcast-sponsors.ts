import {
  added,
  alert,
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  form,
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
  refuse,
  region,
  remove,
  status,
  text,
  textbox,
  z,
} from 'espalier';

// Who pays for the breaks of a podcast network: episodes with three breaks, sponsors with their deals, read-outs.
const shows = ['Night Ferry', 'Night Shift', 'The Long Table', 'Long Division', 'Small Hours'];
const brands = [
  'Mosswick Tea',
  'Mossgrove Beds',
  'Calder Knives',
  'Calderon Socks',
  'Pinfold Paint',
  'Pinnacle Bank',
  'Juniper Gym',
  'Juno Glasses',
];
const breaks = ['opening', 'middle', 'closing'] as const;
const lengths = ['15 seconds', '30 seconds', '45 seconds', '60 seconds'];
const voices = ['host reads', 'recorded', 'dialogue'];

const episode = z.object({ id: z.string(), show: z.string(), title: z.string(), number: z.int(), sealed: z.boolean() });
const spot = z.object({
  id: z.string(),
  episode: z.string(),
  place: z.enum(breaks),
  brand: z.string(),
  length: z.string(),
  voice: z.string(),
});
const sponsor = z.object({
  id: z.string(),
  brand: z.string(),
  contact: z.string(),
  perSpot: z.int(),
  word: z.string(),
  explicit: z.boolean(),
  ended: z.boolean(),
});
const state = z.object({
  episodes: z.array(episode),
  spots: z.array(spot),
  sponsors: z.array(sponsor),
  ui: z.object({
    shelf: z.string().nullable(),
    episode: z.string().nullable(),
    sponsorList: z.boolean(),
    sponsor: z.string().nullable(),
    menu: z.string().nullable(),
    length: z.boolean(),
    selling: z.object({ place: z.string(), brand: z.string(), length: z.string(), voice: z.string() }).nullable(),
    ending: z.boolean(),
    word: z.string(),
    bleep: z.string(),
  }),
});
type Network = z.infer<typeof state>;
type Episode = z.infer<typeof episode>;
const { command, gesture, query, template } = appKit(state);

const openOnly = (draft: Network, id: string) => {
  if (need(draft.episodes, id, 'episode').sealed) refuse('The episode is sealed. Break the seal first.');
};
const sell = command('sell_spot', {
  about: 'Sell a free break of an episode.',
  input: z.object({ episode: z.string(), place: z.string(), brand: z.string(), length: z.string(), voice: z.string() }),
  run(draft, { episode: id, place, brand, length, voice }) {
    openOnly(draft, id);
    const where = breaks.find(item => item === place) ?? refuse('Which break?');
    if (brand === '' || length === '' || voice === '') refuse('Brand, length and voice, please.');
    if (draft.spots.some(item => item.episode === id && item.place === where)) refuse(`The ${place} break is sold.`);
    draft.spots.push({ id: nextId(draft.spots, 'a'), episode: id, place: where, brand, length, voice });
    Object.assign(draft.ui, { selling: null, bleep: '' });
  },
});
const setLength = command('set_length', {
  about: 'Change how long a spot is.',
  input: z.object({ id: z.string(), length: z.string() }),
  run(draft, { id, length }) {
    const changed = need(draft.spots, id, 'spot');
    openOnly(draft, changed.episode);
    changed.length = length;
    Object.assign(draft.ui, { menu: null, length: false, bleep: '' });
  },
});
const pull = command('pull_spot', {
  about: 'Pull a spot out of an episode.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    openOnly(draft, need(draft.spots, id, 'spot').episode);
    remove(draft.spots, id);
    Object.assign(draft.ui, { menu: null, bleep: '' });
  },
});
const seal = command('set_seal', {
  about: 'Seal an episode for release, or break the seal.',
  input: z.object({ id: z.string(), sealed: z.boolean() }),
  run(draft, { id, sealed }) {
    need(draft.episodes, id, 'episode').sealed = sealed;
    draft.ui.bleep = sealed ? 'Sealed.' : 'The seal is broken.';
  },
});
const setWord = command('set_code_word', {
  about: 'Set the code word that listeners of a sponsor use.',
  input: z.object({ id: z.string(), word: z.string().trim().min(3, 'Too short.') }),
  run(draft, { id, word }) {
    need(draft.sponsors, id, 'sponsor').word = word;
    draft.ui.bleep = 'Code word kept.';
  },
});
const setExplicit = command('set_explicit', {
  about: 'Say whether a sponsor puts up with explicit episodes.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    need(draft.sponsors, id, 'sponsor').explicit = on;
  },
});
const endDeal = command('end_deal', {
  about: 'End the deal with a sponsor.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const partner = need(draft.sponsors, id, 'sponsor');
    if (partner.ended) refuse('That deal is over.');
    partner.ended = true;
    draft.ui.ending = false;
  },
});
const readAll = query('read_show', {
  about: 'Episodes and spots of a show, and all sponsors.',
  input: z.object({ show: z.string() }),
  run: ({ episodes, spots, sponsors }, { show }) => ({
    episodes: episodes
      .filter(item => item.show === show)
      .map(item => ({ ...item, spots: spots.filter(({ episode: id }) => id === item.id) })),
    sponsors,
  }),
});
const calm = { menu: null, length: false, selling: null, ending: false, bleep: '' };
const tune = gesture('tune_to', {
  about: 'Tune to a show, and maybe an episode.',
  input: z.object({ shelf: z.string().nullable(), episode: z.string().nullable() }),
  run(draft, where) {
    Object.assign(draft.ui, { ...calm, ...where, sponsorList: false, sponsor: null });
  },
});
const dine = gesture('see_sponsors', {
  about: 'See all sponsors, or one.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    const word = find(draft.sponsors, id ?? '')?.word ?? '';
    Object.assign(draft.ui, { ...calm, shelf: null, episode: null, sponsorList: true, sponsor: id, word });
  },
});
const unfold = gesture('unfold_spot', {
  about: 'Open the menu of a spot, or its lengths.',
  input: z.object({ id: z.string().nullable(), length: z.boolean() }),
  run(draft, { id, length }) {
    Object.assign(draft.ui, { menu: id, length });
  },
});
const startSale = gesture('start_sale', {
  about: 'Take an empty sale slip.',
  input: z.object({}),
  run(draft) {
    draft.ui.selling = { place: '', brand: '', length: '', voice: '' };
  },
});
const fill = gesture('fill_sale', {
  about: 'Choose something on the sale slip.',
  input: z.object({ field: z.enum(['place', 'brand', 'length', 'voice']), value: z.string() }),
  run(draft, { field, value }) {
    if (draft.ui.selling === null) refuse('There is no slip.');
    draft.ui.selling[field] = value;
  },
});
const typeWord = gesture('type_word', {
  about: 'Type the code word.',
  input: z.object({ value: z.string().max(30) }),
  run(draft, { value }) {
    draft.ui.word = value;
  },
});
const askEnd = gesture('ask_end', {
  about: 'Ask whether to end the deal.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    draft.ui.ending = on;
  },
});

function runningOrder({ spots, ui }: Network, open: Episode) {
  const slip = ui.selling;
  return region(`${open.show} ${open.number}`, [
    heading(`${open.number}: ${open.title}`),
    status(open.sealed ? 'Sealed for release' : 'Open'),
    button(open.sealed ? 'Break seal' : 'Seal', seal.with({ id: open.id, sealed: !open.sealed })),
    list(
      'Breaks',
      breaks.map(place => {
        const sold = spots.find(item => item.episode === open.id && item.place === place);
        if (sold === undefined) return listItem(`${place} break`, [text('free')]);
        const { id, brand } = sold;
        return listItem(`${place} break`, [
          text(`${brand}, ${sold.length}, ${sold.voice}`),
          button(`Spot of ${brand}`, unfold.with({ id: ui.menu === id ? null : id, length: false })),
          ui.menu === id &&
            menu(`Spot of ${brand}`, [
              menuItem('Other length', unfold.with({ id, length: true }), ui.length ? ['expanded'] : undefined),
              ui.length &&
                menu(
                  'Other length',
                  lengths.map(length => menuItem(length, setLength.with({ id, length }))),
                ),
              menuItem('Pull it', pull.with({ id })),
            ]),
        ]);
      }),
    ),
    slip === null
      ? button('Sell a break', startSale.with({}))
      : form('Sale slip', [
          combobox('Break', slip.place, { enter: fill.entering({ field: 'place' }), options: breaks }),
          combobox('Brand', slip.brand, { enter: fill.entering({ field: 'brand' }), options: brands }),
          combobox('Length', slip.length, { enter: fill.entering({ field: 'length' }), options: lengths }),
          combobox('Voice', slip.voice, { enter: fill.entering({ field: 'voice' }), options: voices }),
          button('Sold', sell.with({ episode: open.id, ...slip })),
        ]),
  ]);
}

function sponsorPage({ sponsors, ui }: Network) {
  const partner = find(sponsors, ui.sponsor ?? '');
  if (partner === undefined)
    return list(
      'Sponsors',
      sponsors.map(({ id, brand }) => link(`Deal with ${brand}`, dine.with({ id }))),
      { shuffle: true },
    );
  const { id } = partner;
  if (ui.ending)
    return dialog(`End the deal with ${partner.brand}?`, [
      text('Spots that are sold stay in their episodes.'),
      button('End it', endDeal.with({ id })),
      button('Go on with them', askEnd.with({ on: false })),
    ]);
  return region('Deal', [
    heading(partner.brand),
    text(`Talk to ${partner.contact}`),
    text(`Pays ${partner.perSpot} dollars a spot`),
    status(partner.ended ? 'Deal is over' : 'Deal runs'),
    textbox('Code word', ui.word, { enter: typeWord.entering({}) }),
    button('Keep code word', setWord.with({ id, word: ui.word })),
    checkbox('Fine with explicit episodes', partner.explicit, setExplicit.with({ id, on: !partner.explicit })),
    !partner.ended && button('End the deal', askEnd.with({ on: true })),
  ]);
}

const called = (network: Network, id: string) => {
  const { show, number } = need(network.episodes, id, 'episode');
  return { show, number };
};

const lengthOf = template('spot-length', {
  about: 'Change how long the spot of a brand in an episode is.',
  split: 'train',
  sample(network, random) {
    const { id, episode: where, brand, length } = random.pick(network.spots);
    return {
      id,
      where,
      ...called(network, where),
      brand,
      length: random.pick(lengths.filter(item => item !== length)),
    };
  },
  setup(draft, { where }) {
    need(draft.episodes, where, 'episode').sealed = false;
  },
  instruction: ({ show, number, brand, length }, random) =>
    random.pick([
      `${show} ${number}: ${brand} gets ${length}.`,
      `${brand} has booked ${length} in episode ${number} of ${show}. Correct that.`,
      `The read for ${brand} in ${show}, no. ${number}, should last ${length}, not what it says.`,
    ]),
  checks: ({ id, length }) => [{ name: `lasts ${length}`, test: ({ spots }) => find(spots, id)?.length === length }],
  allow: ({ id }) => [`/spots/${id}/length`],
});

const pullSealed = template('pull-from-sealed', {
  about: 'Pull a spot out of a sealed episode and seal it again.',
  split: 'train',
  sample(network, random) {
    const { id, episode: where, brand } = random.pick(network.spots);
    return { id, where, ...called(network, where), brand };
  },
  setup(draft, { where }) {
    need(draft.episodes, where, 'episode').sealed = true;
  },
  instruction: ({ show, number, brand }, random) =>
    random.pick([
      `Pull ${brand} from ${show} ${number}. The episode is sealed and must be sealed when you leave.`,
      `Scandal at ${brand}! Out with their spot in episode ${number} of ${show}; break the seal for it and put a new one on.`,
      `${show}, ${number}: no ${brand} any more. It goes out tonight, so have it sealed again.`,
    ]),
  checks: ({ id, where }) => [
    { name: 'the spot is gone', test: ({ spots }) => find(spots, id) === undefined },
    { name: 'the episode is sealed', test: ({ episodes }) => find(episodes, where)?.sealed === true },
  ],
  allow: ({ id, where }) => [`/spots/${id}`, `/episodes/${where}/sealed`],
});

const saleOf = template('sell-break', {
  about: 'Sell a break of an episode; impossible when it is sold.',
  split: 'train',
  kind: 'infeasible',
  sample(network, random) {
    const { id, show, number } = random.pick(network.episodes);
    const [brand, other] = random.sample(brands, 2) as [string, string];
    return {
      id,
      show,
      number,
      place: random.pick(breaks),
      brand,
      other,
      length: random.pick(lengths),
      voice: random.pick(voices),
      isFree: random.chance(0.5),
    };
  },
  isTwin: ({ isFree }) => isFree,
  setup(draft, { id, place, other, isFree }) {
    need(draft.episodes, id, 'episode').sealed = false;
    draft.spots = draft.spots.filter(item => item.episode !== id || item.place !== place);
    if (!isFree)
      draft.spots.push({ id: 'a90', episode: id, place, brand: other, length: '30 seconds', voice: 'recorded' });
  },
  instruction: ({ show, number, place, brand, length, voice }, random) =>
    random.pick([
      `Sell ${brand} the ${place} break of ${show} ${number}: ${length}, ${voice}.`,
      `${brand} takes the ${place} break in episode ${number} of ${show}, ${length} (${voice}). Whatever is sold already stays.`,
      `A sale! ${show} ${number}, ${place} break. Brand: ${brand}. Length: ${length}. Voice: ${voice}. Nobody else may be thrown out for it.`,
    ]),
  checks: ({ id, place, brand, length, voice, isFree }) => [
    {
      name: 'the break is sold',
      test(final, initial) {
        const [made, ...more] = added(initial.spots, final.spots);
        if (!isFree || made === undefined || more.length > 0 || made.episode !== id || made.place !== place)
          return false;
        return made.brand === brand && made.length === length && made.voice === voice;
      },
    },
  ],
  allow: ({ isFree }) => (isFree ? ['/spots/+'] : []),
  shown: ({ ui }, { id }) => ui.episode === id,
});

const word = template('new-code-word', {
  about: 'Set the code word of a sponsor.',
  split: 'train',
  sample({ sponsors }, random) {
    const { id, brand } = random.pick(sponsors);
    return { id, brand, word: random.pick(['FERRY10', 'TABLE15', 'HOURS20', 'NIGHT25', 'DIVIDE5', 'OWL30']) };
  },
  instruction: ({ brand, word: code }, random) =>
    random.pick([
      `${brand} wants the code word ${code}.`,
      `New code for listeners who buy at ${brand}: ${code}. Please keep it with the deal.`,
      `Change ${brand}'s code word to ${code}`,
    ]),
  checks: ({ id, word: code }) => [
    { name: `the word is ${code}`, test: ({ sponsors }) => find(sponsors, id)?.word === code },
  ],
  allow: ({ id }) => [`/sponsors/${id}/word`],
});

const endOne = template('end-deal', {
  about: 'End the deal with the sponsor of a break.',
  split: 'train',
  sample({ sponsors }, random) {
    const { id, brand } = random.pick(sponsors);
    return { id, brand };
  },
  setup(draft, { id }) {
    need(draft.sponsors, id, 'sponsor').ended = false;
  },
  instruction: ({ brand }, random) =>
    random.pick([
      `We no longer work with ${brand}.`,
      `End the deal with ${brand}. What they have booked can stay.`,
      `${brand} didn't pay for three months, so that partnership is over as of today.`,
    ]),
  checks: ({ id }) => [{ name: 'the deal is over', test: ({ sponsors }) => find(sponsors, id)?.ended === true }],
  allow: ({ id }) => [`/sponsors/${id}/ended`],
});

const contactFor = template('contact-for-break', {
  about: 'Say whom to talk to about a break of an episode.',
  split: 'train',
  sample(network, random) {
    const { episode: where, place, brand } = random.pick(network.spots);
    return {
      where,
      ...called(network, where),
      place,
      partner: network.sponsors.find(item => item.brand === brand)?.id ?? '',
    };
  },
  instruction: ({ show, number, place }, random) =>
    random.pick([
      `Whom do we talk to about the ${place} break of ${show} ${number}?`,
      `The ${place} spot in episode ${number} of ${show} has a mistake in it. Who is the contact at that sponsor?`,
      `Name the contact of the brand that bought the ${place} break in ${show}, episode ${number}.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ partner }, { sponsors }) => need(sponsors, partner, 'sponsor').contact,
  shown: ({ ui }, { where, partner }) => [ui.episode === where, ui.sponsor === partner],
});

const people = ['Ada Quill', 'Adam Quigg', 'Bo Tran', 'Bea Tran', 'Cy Larkin', 'Cyra Lark', 'Dot Meyer', 'Dora Mayer'];
const topics = [
  'The lost ticket',
  'The last ticket',
  'Salt',
  'Salt and iron',
  'A door ajar',
  'Nobody home',
  'Home again',
  'Low water',
  'High water',
];

export const app = defineApp({
  id: 'podcast-sponsors',
  title: 'Break room',
  about: 'Sponsors of a podcast network: spots in the breaks of episodes, and the deals behind them.',
  state,
  init(random) {
    const episodes = shows.flatMap(show => {
      const first = random.between(20, 90);
      return random
        .sample(topics, 4)
        .map((title, index) => ({ show, title, number: first + index, sealed: random.chance(0.4) }));
    });
    const numbered = random.shuffle(episodes).map((item, index) => ({ id: `e${index + 1}`, ...item }));
    const spots = numbered.flatMap(({ id }) => {
      const places = random.sample([...breaks], 2);
      const picked = random.sample(brands, 2);
      return places.map((place, index) => ({
        episode: id,
        place,
        brand: picked[index] ?? '',
        length: random.pick(lengths),
        voice: random.pick(voices),
      }));
    });
    const contacts = random.shuffle(people);
    return {
      episodes: numbered,
      spots: spots.map((item, index) => ({ id: `a${index + 1}`, ...item })),
      sponsors: random.shuffle(brands).map((brand, index) => ({
        id: `s${index + 1}`,
        brand,
        contact: contacts[index] ?? '',
        perSpot: random.between(8, 40) * 25,
        word: 'POD',
        explicit: random.chance(0.5),
        ended: random.chance(0.2),
      })),
      ui: { shelf: null, episode: null, sponsorList: false, sponsor: null, ...calm, word: '' },
    };
  },
  commands: [
    sell,
    setLength,
    pull,
    seal,
    setWord,
    setExplicit,
    endDeal,
    readAll,
    tune,
    dine,
    unfold,
    startSale,
    fill,
    typeWord,
    askEnd,
  ],
  view(network) {
    const { ui } = network;
    const open = find(network.episodes, ui.episode ?? '');
    return page('Break room', [
      navigation('Shows', [
        ...shows.map(show =>
          button(show, tune.with({ shelf: show, episode: null }), show === ui.shelf ? ['current'] : undefined),
        ),
        button('Who pays', dine.with({ id: null })),
      ]),
      ui.bleep !== '' && alert(ui.bleep),
      ui.shelf !== null &&
        open === undefined &&
        list(
          ui.shelf,
          network.episodes
            .filter(item => item.show === ui.shelf)
            .map(item => link(`${item.number}: ${item.title}`, tune.with({ shelf: item.show, episode: item.id }))),
        ),
      open !== undefined && runningOrder(network, open),
      ui.sponsorList && sponsorPage(network),
    ]);
  },
  templates: [lengthOf, pullSealed, saleOf, word, endOne, contactFor],
  onRefusal(draft, message) {
    draft.ui.bleep = message;
  },
});

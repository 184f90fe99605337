// Regional Chess Federation: rating list (sortable, paged), club pages, fixtures with results, licences.
import {
  added,
  appKit,
  banner,
  button,
  cell,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  menu,
  menuItem,
  need,
  nextId,
  page,
  paginate,
  refuse,
  region,
  row,
  status,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const CLUBS = ['SK Nord', 'SK Nordhaven', 'Rook & Pawn', 'Lasker Circle', 'Caissa 1921'] as const;
const RESULTS = ['not played', '1-0', '½-½', '0-1'] as const;
const TITLES = ['none', 'CM', 'FM', 'IM', 'GM'] as const;
const state = z.object({
  players: z.array(
    z.object({
      id: z.string(),
      surname: z.string(),
      given: z.string(),
      rating: z.int(),
      title: z.enum(TITLES),
      club: z.enum(CLUBS),
      licence: z.enum(['active', 'suspended', 'lapsed']),
    }),
  ),
  clubs: z.array(z.object({ id: z.string(), name: z.enum(CLUBS), secretary: z.string(), venue: z.string() })),
  games: z.array(
    z.object({ id: z.string(), board: z.int(), white: z.string(), black: z.string(), result: z.enum(RESULTS) }),
  ),
  ui: z.object({
    at: z.string(),
    id: z.string(),
    sort: z.string(),
    page: z.int(),
    menu: z.boolean(),
    white: z.string(),
    black: z.string(),
    rating: z.string(),
    notice: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const full = (s: State, id: string) => {
  const p = find(s.players, id);
  return p === undefined ? 'bye' : `${p.surname}, ${p.given}`;
};
const byFull = (s: State, name: string) =>
  s.players.find(p => `${p.surname}, ${p.given}` === name) ?? refuse('Unknown player.');

const setTitle = command('award_title', {
  about: 'Award a title to a player.',
  input: z.object({ id: z.string(), value: z.enum(TITLES) }),
  run(draft, { id, value }) {
    need(draft.players, id, 'player').title = value;
  },
});
const transfer = command('transfer_player', {
  about: 'Transfer a player to another club.',
  input: z.object({ id: z.string(), value: z.enum(CLUBS) }),
  run(draft, { id, value }) {
    const p = need(draft.players, id, 'player');
    if (p.licence === 'suspended') refuse('A suspended player cannot be transferred.');
    p.club = value;
  },
});
const licence = command('set_licence', {
  about: 'Set the licence of a player.',
  input: z.object({ id: z.string(), to: z.enum(['active', 'suspended', 'lapsed']) }),
  run(draft, { id, to }) {
    need(draft.players, id, 'player').licence = to;
    draft.ui.menu = false;
  },
});
const rate = command('correct_rating', {
  about: 'Correct the rating of a player.',
  input: z.object({ id: z.string(), rating: z.string() }),
  run(draft, { id, rating }) {
    if (!/^[12]\d{3}$/.test(rating)) refuse('A rating has four digits.');
    need(draft.players, id, 'player').rating = Number(rating);
    draft.ui.rating = '';
  },
});
const strikeOff = command('strike_off', {
  about: 'Strike a player who has no fixtures off the list.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.players, id, 'player');
    if (draft.games.some(g => g.white === id || g.black === id)) refuse('The player still has fixtures.');
    draft.players = draft.players.filter(p => p.id !== id);
    Object.assign(draft.ui, { at: 'list', id: '', menu: false });
  },
});
const score = command('enter_result', {
  about: 'Enter the result of a game.',
  input: z.object({ id: z.string(), value: z.enum(RESULTS) }),
  run(draft, { id, value }) {
    need(draft.games, id, 'game').result = value;
  },
});
const pair = command('pair_players', {
  about: 'Pair two players for the next free board.',
  input: z.object({ white: z.string(), black: z.string() }),
  run(draft, { white, black }) {
    const [w, b] = [byFull(draft, white), byFull(draft, black)];
    if (w.id === b.id) refuse('A player cannot meet himself.');
    if (w.licence !== 'active' || b.licence !== 'active') refuse('Both players need an active licence.');
    const board = Math.max(...draft.games.map(g => g.board)) + 1;
    draft.games.push({ id: nextId(draft.games, 'g'), board, white: w.id, black: b.id, result: 'not played' });
    Object.assign(draft.ui, { white: '', black: '', notice: `Paired on board ${board}.` });
  },
});
const register = query('federation_register', {
  about: 'Players, clubs and fixtures.',
  input: z.object({}),
  run: s => ({
    players: s.players.map(p => ({ ...p, name: full(s, p.id) })),
    clubs: s.clubs,
    fixtures: s.games.map(g => ({ ...g, white: full(s, g.white), black: full(s, g.black) })),
  }),
});
const proceed = gesture('proceed', {
  about: 'Proceed to a page.',
  input: z.object({ at: z.string(), id: z.string() }),
  run(draft, { at, id }) {
    Object.assign(draft.ui, { at, id, menu: false, notice: '', rating: '' });
  },
});
const arrange = gesture('arrange', {
  about: 'Arrange the rating list.',
  input: z.object({ sort: z.string(), page: z.int() }),
  run(draft, { sort, page: p }) {
    Object.assign(draft.ui, { sort, page: p });
  },
});
const toggleMenu = gesture('toggle_menu', {
  about: 'Open or close the licence menu.',
  input: z.object({}),
  run(draft) {
    draft.ui.menu = !draft.ui.menu;
  },
});
const state_ = gesture('state_field', {
  about: 'Complete a field.',
  input: z.object({ field: z.enum(['white', 'black', 'rating']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

const sorted = (s: State) =>
  s.players.toSorted((a, b) =>
    s.ui.sort === 'name' ? full(s, a.id).localeCompare(full(s, b.id)) : b.rating - a.rating,
  );
const places: Record<string, (s: State) => unknown[]> = {
  list(s) {
    const p = paginate(sorted(s), s.ui.page, 7);
    return [
      heading('Rating list'),
      button('By rating', arrange.with({ sort: 'rating', page: 1 }), s.ui.sort === 'rating' ? ['pressed'] : []),
      button('By surname', arrange.with({ sort: 'name', page: 1 }), s.ui.sort === 'name' ? ['pressed'] : []),
      table(
        'Players',
        p.items.map(x =>
          row(full(s, x.id), [
            link(full(s, x.id), proceed.with({ at: 'player', id: x.id })),
            cell(x.title === 'none' ? '' : x.title),
            cell(String(x.rating)),
            cell(x.club),
          ]),
        ),
      ),
      text(`Page ${p.page} of ${p.pages}`),
      p.page > 1 && button('Previous page', arrange.with({ sort: s.ui.sort, page: p.page - 1 })),
      p.page < p.pages && button('Next page', arrange.with({ sort: s.ui.sort, page: p.page + 1 })),
    ];
  },
  player(s) {
    const p = need(s.players, s.ui.id, 'player');
    return [
      heading(full(s, p.id)),
      text(`Rating ${p.rating}`),
      combobox('Title', p.title, { enter: setTitle.entering({ id: p.id }), options: [...TITLES] }),
      combobox('Club', p.club, {
        enter: transfer.entering({ id: p.id }),
        options: [...CLUBS],
        states: p.licence === 'suspended' ? ['disabled'] : [],
      }),
      text(`Licence: ${p.licence}`),
      button('Licence', toggleMenu.with({}), s.ui.menu ? ['expanded'] : []),
      s.ui.menu &&
        menu('Licence', [
          ...(['active', 'suspended', 'lapsed'] as const)
            .filter(l => l !== p.licence)
            .map(l => menuItem(`Declare ${l}`, licence.with({ id: p.id, to: l }))),
          menuItem('Strike off the list', strikeOff.with({ id: p.id })),
        ]),
      form('Correction of the rating', [
        textbox('Corrected rating', s.ui.rating, { enter: state_.entering({ field: 'rating' }) }),
        button('Submit', rate.with({ id: p.id, rating: s.ui.rating })),
      ]),
    ];
  },
  clubs: s => [
    heading('Member clubs'),
    ...s.clubs.map(c =>
      region(c.name, [
        text(`Secretary: ${c.secretary}`),
        text(`Venue: ${c.venue}`),
        text(`${s.players.filter(p => p.club === c.name).length} players`),
      ]),
    ),
  ],
  fixtures: s => [
    heading('Fixtures of the cup'),
    table(
      'Boards',
      s.games.map(g =>
        row(`Board ${g.board}`, [
          cell(`Board ${g.board}`),
          cell(`${full(s, g.white)} v. ${full(s, g.black)}`),
          combobox(`Result of board ${g.board}`, g.result, {
            enter: score.entering({ id: g.id }),
            options: [...RESULTS],
          }),
        ]),
      ),
    ),
    form('Further pairing', [
      combobox('White', s.ui.white, {
        enter: state_.entering({ field: 'white' }),
        options: s.players.map(p => full(s, p.id)),
      }),
      combobox('Black', s.ui.black, {
        enter: state_.entering({ field: 'black' }),
        options: s.players.map(p => full(s, p.id)),
      }),
      button('Pair', pair.with({ white: s.ui.white, black: s.ui.black })),
    ]),
  ],
};

const title = template('award-title', {
  about: 'Award a title to a player.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.players);
    return {
      id: p.id,
      given: p.given,
      surname: p.surname,
      to: random.pick((['CM', 'FM', 'IM', 'GM'] as const).filter(t => t !== p.title)),
      way: random.between(0, 3),
    };
  },
  instruction: ({ given, surname, to, way }) =>
    [
      `The congress has awarded the title ${to} to ${given} ${surname}.`,
      `${surname}, ${given}: title ${to}`,
      `Please record that ${given} ${surname} is ${to} as of today.`,
      `${given} ${surname} made ${to}!! put it in the list`,
    ][way]!,
  checks: ({ id, to }) => [{ name: to, test: final => find(final.players, id)?.title === to }],
  allow: ({ id }) => [`/players/${id}/title`],
});
const correct = template('correct-rating', {
  about: 'Correct the rating of a player.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.players);
    return { id: p.id, name: full(s, p.id), rating: String(random.between(1400, 2499)), way: random.between(0, 2) };
  },
  instruction: ({ name, rating, way }) =>
    [
      `Correction of the rating list: ${name}, ${rating}.`,
      `the rating of ${name} should be ${rating}`,
      `After an appeal, the rating of ${name} was recalculated and amounts to ${rating}. Kindly correct it.`,
    ][way]!,
  checks: ({ id, rating }) => [{ name: rating, test: final => find(final.players, id)?.rating === Number(rating) }],
  allow: ({ id }) => [`/players/${id}/rating`],
});
const drawn = template('boards-drawn', {
  about: 'Enter a draw on several boards of one player.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.players);
    const games = random.sample(
      s.games.filter(g => g.white !== p.id && g.black !== p.id),
      2,
    );
    return { id: p.id, name: full(s, p.id), games: games.map(g => g.id), way: random.between(0, 2) };
  },
  setup(draft, { id, games }) {
    for (const g of draft.games) {
      const other = draft.players.find(p => ![id, g.white, g.black].includes(p.id))!.id;
      if (g.white === id) g.white = other;
      if (g.black === id) g.black = other;
    }
    games.forEach((gid, at) => {
      const g = need(draft.games, gid, 'game');
      if (at === 0) g.white = id;
      else g.black = id;
      g.result = 'not played';
    });
  },
  instruction: ({ name, way }) =>
    [
      `Both games of ${name} ended in a draw.`,
      `${name}: all boards ½-½`,
      `Please enter the results for ${name}, who drew every game in the cup.`,
    ][way]!,
  checks: ({ games }) =>
    games.map((gid, at) => ({ name: `drawn ${at + 1}`, test: final => find(final.games, gid)?.result === '½-½' })),
  allow: ({ games }) => games.map(gid => `/games/${gid}/result`),
});
const pairing = template('pair', {
  about: 'Pair two players.',
  split: 'train',
  sample(s, random) {
    const [w, b] = random.sample(
      s.players.filter(p => p.licence === 'active'),
      2,
    );
    return { w: w!.id, b: b!.id, white: full(s, w!.id), black: full(s, b!.id), way: random.between(0, 2) };
  },
  instruction: ({ white, black, way }) =>
    [
      `Add a pairing: White ${white}; Black ${black}.`,
      `Pair ${black} (with the black pieces) against ${white}.`,
      `further board for the cup. ${white} plays White against ${black}`,
    ][way]!,
  checks: ({ w, b }) => [
    {
      name: 'paired',
      test(final, initial) {
        const [g, ...rest] = added(initial.games, final.games);
        return (
          rest.length === 0 &&
          g?.white === w &&
          g.black === b &&
          g.result === 'not played' &&
          g.board === Math.max(...initial.games.map(x => x.board)) + 1
        );
      },
    },
  ],
  allow: () => ['/games/+'],
});
const struck = template('strike-off', {
  about: 'Strike a player off the list.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.players);
    return { id: p.id, name: `${p.given} ${p.surname}`, way: random.between(0, 2) };
  },
  setup(draft, { id }) {
    for (const g of draft.games) {
      const other = draft.players.find(p => ![id, g.white, g.black].includes(p.id))!.id;
      if (g.white === id) g.white = other;
      if (g.black === id) g.black = other;
    }
  },
  instruction: ({ name, way }) =>
    [
      `${name} has left the federation and is to be struck off.`,
      `Remove ${name} from the rating list.`,
      `strike off ${name}`,
    ][way]!,
  checks: ({ id }) => [{ name: 'struck off', test: final => find(final.players, id) === undefined }],
  allow: ({ id }) => [`/players/${id}`],
});
const secretary = template('secretary-of-white', {
  about: 'Say who is the secretary of the club of the player with White on a board.',
  split: 'train',
  sample(s, random) {
    const g = random.pick(s.games);
    const colour = random.pick(['white', 'black'] as const);
    return { board: String(g.board), player: g[colour], colour, way: random.between(0, 2) };
  },
  instruction: ({ board, colour, way }) =>
    [
      `To which club secretary do I write about the player with the ${colour} pieces on board ${board}?`,
      `Board ${board}, ${colour}: who is the secretary of that player's club?`,
      `There was a complaint about whoever plays ${colour} on board ${board}. I need the name of the secretary of their club.`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ player }, s) => s.clubs.find(c => c.name === need(s.players, player, 'player').club)!.secretary,
  shown: (s, { player }) => [
    s.ui.at === 'fixtures',
    (s.ui.at === 'player' && s.ui.id === player) ||
      (s.ui.at === 'list' && paginate(sorted(s), s.ui.page, 7).items.some(p => p.id === player)),
    s.ui.at === 'clubs',
  ],
});
const nth = template('nth-of-list', {
  about: 'Say who is at a place of the rating list.',
  split: 'train',
  sample: (s, random) => ({ place: random.between(8, s.players.length), way: random.between(0, 2) }),
  instruction: ({ place, way }) =>
    [
      `Who is number ${place} of the rating list (surname, given name)?`,
      `Which player holds place ${place} by rating?`,
      `place ${place} in the ranking, name?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer({ place }, s) {
    return full(s, s.players.toSorted((a, b) => b.rating - a.rating)[place - 1]!.id);
  },
  shown: ({ ui }, { place }) => ui.at === 'list' && ui.sort === 'rating' && ui.page === Math.ceil(place / 7),
});
const move = template('transfer-maybe-suspended', {
  about: 'Transfer a player who may be suspended.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ may }) => may,
  sample(s, random) {
    const p = random.pick(s.players);
    return {
      id: p.id,
      name: full(s, p.id),
      club: random.pick(CLUBS.filter(c => c !== p.club)),
      may: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { id, may }) {
    need(draft.players, id, 'player').licence = may ? 'active' : 'suspended';
  },
  instruction: ({ name, club, way }) =>
    [
      `${name} transfers to ${club}.`,
      `Transfer ${name} to ${club}; suspended players stay where they are, and no suspension is lifted for this.`,
      `${name} now plays for ${club}, change it`,
    ][way]!,
  checks: ({ id, club }) => [{ name: club, test: final => find(final.players, id)?.club === club }],
  allow: ({ id }) => [`/players/${id}/club`],
  shown: ({ ui }, { id }) => ui.at === 'player' && ui.id === id,
});

const people: [string, string][] = [
  ['Adler', 'Max'],
  ['Adler', 'Maxine'],
  ['Borg', 'Ulla'],
  ['Castell', 'Ramon'],
  ['Castello', 'Ramona'],
  ['Dietz', 'Horst'],
  ['Eklund', 'Sven'],
  ['Eklund', 'Svea'],
  ['Farkas', 'Béla'],
  ['Gold', 'Miriam'],
  ['Goldt', 'Miro'],
  ['Hsu', 'Wei'],
  ['Ivanova', 'Daria'],
  ['Jensen', 'Bo'],
  ['Jensen', 'Bodil'],
  ['Kahn', 'Leah'],
];
export const app = defineApp({
  id: 'chess-federation',
  title: 'Regional Chess Federation',
  about: 'The register of a chess federation: rating list, clubs and fixtures.',
  state,
  init(random) {
    const ratings = random.sample(
      Array.from({ length: 900 }, (_, at) => at + 1500),
      people.length,
    );
    const players = random.shuffle(people).map(([surname, given], at) => ({
      id: `p${at + 1}`,
      surname,
      given,
      rating: ratings[at]!,
      title: random.pick(TITLES),
      club: random.pick(CLUBS),
      licence: random.pick(['active', 'active', 'active', 'suspended', 'lapsed'] as const),
    }));
    const secretaries = random.shuffle(['Mr Thorne', 'Ms Thorne', 'Dr Falk', 'Mrs Oduya', 'Mr Prins']);
    const venues = random.shuffle(['Town hall', 'Café Central', 'Old mill', 'School', 'Library']);
    const boards = random
      .sample(
        Array.from({ length: 30 }, (_, at) => at + 1),
        9,
      )
      .toSorted((a, b) => a - b);
    return {
      players,
      clubs: random
        .shuffle(CLUBS)
        .map((name, at) => ({ id: `c${at + 1}`, name, secretary: secretaries[at]!, venue: venues[at]! })),
      games: boards.map((board, at) => {
        const [w, b] = random.sample(players, 2);
        return { id: `g${at + 1}`, board, white: w!.id, black: b!.id, result: random.pick(RESULTS) };
      }),
      ui: { at: 'list', id: '', sort: 'rating', page: 1, menu: false, white: '', black: '', rating: '', notice: '' },
    };
  },
  commands: [setTitle, transfer, licence, rate, strikeOff, score, pair, register, proceed, arrange, toggleMenu, state_],
  view: s =>
    page('Regional Chess Federation', [
      banner('Federation', [
        link('Rating list', proceed.with({ at: 'list', id: '' })),
        link('Member clubs', proceed.with({ at: 'clubs', id: '' })),
        link('Fixtures', proceed.with({ at: 'fixtures', id: '' })),
      ]),
      ...(places[s.ui.at]!(s) as ReturnType<typeof text>[]),
      s.ui.notice !== '' && status(s.ui.notice),
    ]),
  templates: [title, correct, drawn, pairing, struck, secretary, nth, move],
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});
